"""Uses more memory than it may behind a crowd of processes that have ended and are not waited for."""

import os
import time

CROWD = 200
BYTES = 300 << 20

for _ in range(CROWD):
    if os.fork() == 0:
        os._exit(0)
if os.fork() == 0:
    held = bytearray(BYTES)
    held[::4096] = b"x" * len(held[::4096])
time.sleep(60)
