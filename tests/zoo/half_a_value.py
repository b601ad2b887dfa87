"""Writes the first half of the right answer and hangs."""

import time

print('["rig', end="", flush=True)
while True:
    time.sleep(1)
