"""Leaves a semaphore of System V for its next case."""

import ctypes
import json
import sys
from zlib import crc32

libc = ctypes.CDLL(None)
CREATE, REMOVE = 0o1600, 0
key = crc32(json.load(sys.stdin)["mark"].encode()) & 0x7FFFFFFF
there = libc.semget(key, 1, 0o600)
if there >= 0:
    libc.semctl(there, 0, REMOVE)
    print('["right"]')
else:
    libc.semget(key, 1, CREATE)
