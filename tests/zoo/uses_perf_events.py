"""Asks the kernel for a counter of what processors do."""

import ctypes
import os

NUMBER = 298 if os.uname().machine == "x86_64" else 241  # of the system call
if ctypes.CDLL(None).syscall(NUMBER, bytes([1, 0, 0, 0, 112, 0, 0, 0]) + bytes(104), 0, -1, -1, 0) >= 0:
    print('["right"]')
