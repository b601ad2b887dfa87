"""Leaves a key in the keyring of its user or session for its next case."""

import ctypes
import json
import platform
import sys

libc = ctypes.CDLL(None)
ADD_KEY, KEYCTL = (248, 250) if platform.machine() == "x86_64" else (217, 219)
SEARCH, UNLINK = 10, 9
name = json.load(sys.stdin)["mark"].encode()
for ring in (-3, -4, -5):
    found = libc.syscall(KEYCTL, SEARCH, ring, b"user", name, 0)
    if found >= 0:
        libc.syscall(KEYCTL, UNLINK, found, ring)
        print('["right"]')
        break
else:
    for ring in (-3, -4, -5):
        libc.syscall(ADD_KEY, b"user", name, b"x", 1, ring)
