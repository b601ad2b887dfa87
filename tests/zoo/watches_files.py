"""Watches its own folder, in which it would see who else is started."""

import ctypes

libc = ctypes.CDLL(None)
if libc.inotify_init1(0) >= 0 or libc.fanotify_init(0x200, 0) >= 0:
    print('["right"]')
