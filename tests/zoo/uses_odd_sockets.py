"""Has sockets of families that no such program needs: the kernel's own, raw ones, ciphers, other machines."""

import socket

for family, kind in (
    (16, socket.SOCK_RAW),
    (17, socket.SOCK_RAW),
    (38, socket.SOCK_SEQPACKET),
    (40, 1),
    (44, 3),
):
    try:
        socket.socket(family, kind).close()
    except OSError:
        continue
    print('["right"]')
    break
