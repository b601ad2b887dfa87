"""Calls itself what looks like the end of a process's name and status."""

import ctypes
import os
import time

print('["right"]', flush=True)
if os.fork() == 0:
    os.setsid()
    ctypes.CDLL(None).prctl(15, b") S 1 1 (x", 0, 0, 0)
    time.sleep(600)
