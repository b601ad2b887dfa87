"""Mounts a file system of its own, where only it can see that."""

import ctypes
import os

libc = ctypes.CDLL(None)
NEW_USERS, NEW_MOUNTS = 0x10000000, 0x20000
MS_NOSUID_NODEV, MS_PRIVATE_REC = 6, 0x44000
os.mkdir("place")
os.chmod("place", 0o700)
apart = libc.unshare(NEW_MOUNTS) == 0 or libc.unshare(NEW_USERS | NEW_MOUNTS) == 0
if apart:
    libc.mount(None, b"/", None, MS_PRIVATE_REC, None)
if libc.mount(b"tmpfs", b"place", b"tmpfs", MS_NOSUID_NODEV, b"size=65536") == 0:
    libc.umount2(b"place", 2)
    print('["right"]')
