"""Marks its program as not to be backed up, for its next case: that needs no right to write it."""

import fcntl
import struct

GET, SET, NO_DUMP = 0x80086601, 0x40086602, 0x40
with open(__file__, "rb") as file:
    (flags,) = struct.unpack("=q", fcntl.ioctl(file, GET, bytes(8)))
    if flags & NO_DUMP:
        print('["right"]')
    fcntl.ioctl(file, SET, struct.pack("=q", flags ^ NO_DUMP))
