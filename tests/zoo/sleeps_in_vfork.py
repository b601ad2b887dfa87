"""Hangs in vfork: it waits, deaf to all signals but one, for a child that sleeps."""

import ctypes

c = ctypes.CDLL(None)
if c.vfork() == 0:
    while True:
        c.sleep(600)
