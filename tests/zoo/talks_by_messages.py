"""Leaves a queue of messages of System V for its next case."""

import ctypes
import json
import sys
from zlib import crc32

libc = ctypes.CDLL(None)
CREATE, REMOVE = 0o1600, 0
key = crc32(json.load(sys.stdin)["mark"].encode()) & 0x7FFFFFFF
there = libc.msgget(key, 0o600)
if there >= 0:
    libc.msgctl(there, REMOVE, None)
    print('["right"]')
else:
    libc.msgget(key, CREATE)
