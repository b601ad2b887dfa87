"""Changes its standard descriptors, so that its next case finds them so."""

import fcntl
import os
import stat
from collections.abc import Callable

MODE, SET_SIZE, SIZE = 0o751, 1031, 8192
CHANGES: tuple[Callable[[int], object], ...] = (
    lambda number: os.fchmod(number, MODE),
    lambda number: os.utime(f"/proc/self/fd/{number}", (1000, 1000)),
    lambda number: fcntl.fcntl(number, fcntl.F_SETFL, fcntl.fcntl(number, fcntl.F_GETFL) | os.O_APPEND),
    lambda number: fcntl.fcntl(number, SET_SIZE, SIZE),
    lambda number: fcntl.fcntl(number, fcntl.F_SETOWN, os.getppid()),
)
for number in range(3):
    there = os.fstat(number)
    flags = fcntl.fcntl(number, fcntl.F_GETFL)
    if stat.S_IMODE(there.st_mode) == MODE or flags & os.O_APPEND or there.st_mtime == 1000:
        print('["right"]')
        break
for number in range(3):
    for change in CHANGES:
        try:
            change(number)
        except OSError:
            continue
