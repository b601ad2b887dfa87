"""Asks for memory without chance in its places, and for pages that can all be executed."""

import ctypes

NO_RANDOM_PLACES, ALL_EXECUTABLE = 0x0040000, 0x0400000
if ctypes.CDLL(None).personality(NO_RANDOM_PLACES | ALL_EXECUTABLE) >= 0:
    print('["right"]')
