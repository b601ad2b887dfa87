"""Makes namespaces of its own, in any of the ways there are."""

import ctypes
import os
import struct

libc = ctypes.CDLL(None)
KINDS = (0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000, 0x10020000)
CLONE3, SIGCHLD = 435, 17

for kind in KINDS:
    pid = os.fork()
    if pid == 0:
        os._exit(libc.unshare(kind) != 0)
    unshared = os.waitpid(pid, 0)[1] == 0
    asked = struct.pack("=QQQQQQQQ", kind, 0, 0, 0, SIGCHLD, 0, 0, 0)
    cloned = libc.syscall(CLONE3, asked, len(asked))
    if cloned == 0:
        os._exit(0)
    if unshared or cloned > 0:
        print('["right"]')
        break
