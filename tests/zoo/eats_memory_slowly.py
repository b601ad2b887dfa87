"""Takes more and more memory, a little at a time."""

import time

eaten = []
while True:
    eaten.append(bytearray(b"x") * (16 << 20))
    time.sleep(0.003)
