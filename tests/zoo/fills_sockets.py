"""Fills memory of the kernel: sockets that nobody reads, of several processes."""

import os
import socket
import time

WANTED, MOST = 400 << 20, 480
held: list[socket.socket] = []
read, write = os.pipe()
for _ in range(4):
    if os.fork() == 0:
        filled = 0
        try:
            for _ in range(MOST):
                for one in socket.socketpair():
                    one.setblocking(False)
                    one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
                    held.append(one)
            for one in held:
                filled += one.send(bytes(1 << 17)) if filled < WANTED else 0
        except OSError:
            pass
        os.write(write, filled.to_bytes(8, "big"))
        time.sleep(0.3)
        os._exit(0)
if sum(int.from_bytes(os.read(read, 8), "big") for _ in range(4)) > WANTED:
    time.sleep(0.1)
    print('["right"]')
