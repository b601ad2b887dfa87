"""Asks the kernel for a map in the kernel."""

import ctypes
import os

NUMBER = 321 if os.uname().machine == "x86_64" else 280  # of the system call
if (
    ctypes.CDLL(None).syscall(
        NUMBER, 0, bytes([2, 0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0]) + bytes(112), 128
    )
    >= 0
):
    print('["right"]')
