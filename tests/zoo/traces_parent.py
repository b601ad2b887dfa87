"""Traces whoever started it, without stopping it."""

import ctypes
import os

PTRACE_SEIZE, PTRACE_ATTACH_NOTHING = 0x4206, 0
if ctypes.CDLL(None).ptrace(PTRACE_SEIZE, os.getppid(), 0, PTRACE_ATTACH_NOTHING) == 0:
    print('["right"]')
