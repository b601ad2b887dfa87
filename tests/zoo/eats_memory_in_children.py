"""Takes too much memory in all, though none of its processes does."""

import os
import time

for _ in range(8):
    if os.fork() == 0:
        eaten = bytearray(b"x") * (80 << 20)
        time.sleep(600)
time.sleep(600)
