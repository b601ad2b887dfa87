"""Fills memory of the kernel: pipes, as large as they may be, that nobody reads."""

import fcntl
import os

SIZE, SET_SIZE = 1 << 20, 1031
filled = 0
held = []
try:
    while filled < 400 << 20:
        held.append(os.pipe2(os.O_NONBLOCK))
        filled += fcntl.fcntl(held[-1][1], SET_SIZE, SIZE)
        os.write(held[-1][1], bytes(SIZE))
except OSError:
    pass
if filled >= 400 << 20:
    print('["right"]')
