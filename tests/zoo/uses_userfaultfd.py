"""Asks the kernel for a descriptor by which it could halt the kernel in the midst of its work."""

import ctypes
import os

NUMBER = 323 if os.uname().machine == "x86_64" else 282  # of the system call
if ctypes.CDLL(None).syscall(NUMBER, 0x80001) >= 0:
    print('["right"]')
