"""Asks the kernel for a ring, by which it could ask the kernel past every filter."""

import ctypes

NUMBER = 425  # of the system call
if ctypes.CDLL(None).syscall(NUMBER, 8, bytes(120)) >= 0:
    print('["right"]')
