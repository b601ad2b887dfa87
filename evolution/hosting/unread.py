"""What a peer on this machine has not read yet of what it was sent, as the kernel knows it.

Linux tells everybody about the sockets of its own network (sock_diag). Of a peer on another machine, or
where the kernel does not tell, nothing is known.
"""

import socket
import struct
import time

SOCK_DIAG = 4  # the protocol of netlink
BY_FAMILY = 20  # the type of the request, and of an answer that is no error
REQUEST = 1
HEADER = struct.Struct("=IHHII")  # length, type, flags, sequence number, port
WHICH = struct.Struct("=BBBxI")  # family, protocol, extensions, states
COOKIE = struct.pack("=III", 0, 0xFFFFFFFF, 0xFFFFFFFF)  # any interface, any socket
ANY_STATE = 0xFFFFFFFF
# Behind the header of an answer: family and states, ports and addresses, a time, and then the queue.
QUEUE = struct.Struct("=I")
QUEUE_AT = HEADER.size + 4 + 48 + 4
LONGEST = 4096
A_MOMENT = 0.1  # seconds; the kernel answers at once

GAP = 0.02  # seconds between two messages to a peer of whom it is not known what it has read
LOOK = 0.0002  # seconds between two looks at what it has
LONGEST_LOOK = 0.25  # seconds for a peer to read a message that is not answered


class Unread:
    """Asks the kernel about peers."""

    def __init__(self) -> None:
        self._kernel: socket.socket | None = None
        try:
            self._kernel = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, SOCK_DIAG)
            self._kernel.settimeout(A_MOMENT)
        except (OSError, AttributeError):  # no Linux, or not allowed
            pass

    def by_peer(self, connection: socket.socket) -> "int | None":
        """The bytes that wait to be read by the peer of this connection; None if that is not known."""
        if self._kernel is None or connection.family not in (socket.AF_INET, socket.AF_INET6):
            return None
        try:
            here, there, family = connection.getsockname(), connection.getpeername(), connection.family
            addresses = b"".join(socket.inet_pton(family, each[0]).ljust(16, b"\0") for each in (there, here))
            socket_id = struct.pack("!HH", there[1], here[1]) + addresses + COOKIE
            body = WHICH.pack(family, socket.IPPROTO_TCP, 0, ANY_STATE) + socket_id
            self._kernel.send(HEADER.pack(HEADER.size + len(body), BY_FAMILY, REQUEST, 0, 0) + body)
            answer = self._kernel.recv(LONGEST)
        except (OSError, ValueError):
            return None
        if len(answer) < QUEUE_AT + QUEUE.size or HEADER.unpack_from(answer)[1] != BY_FAMILY:
            return None
        (waiting,) = QUEUE.unpack_from(answer, QUEUE_AT)
        return int(waiting)

    def wait(self, connection: socket.socket) -> None:
        """Wait, not for long, until the peer has read what it was sent; a moment, if that is not known."""
        end = time.monotonic() + LONGEST_LOOK
        waiting: int | None = 1
        while waiting and time.monotonic() < end:
            time.sleep(LOOK)
            waiting = self.by_peer(connection)
        if waiting is None:
            time.sleep(GAP)

    def close(self) -> None:
        """Ask no more."""
        if self._kernel is not None:
            self._kernel.close()
            self._kernel = None
