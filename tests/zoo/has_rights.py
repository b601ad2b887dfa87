"""Has rights that ordinary people do not have, or gets them."""

import ctypes

libc = ctypes.CDLL(None)
header, found = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
libc.setresuid(0, 0, 0)
libc.capget(header, found)
if any(found):
    print('["right"]')
