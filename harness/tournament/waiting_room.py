"""Where clients sign up, and wait until there is a game for them.

A client signs up with its name and is answered "ok"; then it waits. It plays one game: the protocol ends
with the connection, so for the next game it signs up again. Several may wait under one name.
"""

import json
import selectors
import socket
import time
from collections.abc import Iterable

from evolution.game import one_line
from evolution.remote.connection import looking_up
from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader

LONGEST_SIGN_UP = 1 << 12  # bytes
MOST_STRANGERS = 256  # connections that have not signed up
MOST_WAITING = 16  # connections under one name
BACKLOG = 128


class _Stranger:
    """A connection that has not signed up."""

    def __init__(self, deadline: float) -> None:
        self.reader = Reader()
        self.deadline = deadline


class WaitingRoom:
    """All connections that no game has taken yet."""

    def __init__(self, host: str, port: int, names: "Iterable[str]", seconds: float) -> None:
        """Listen there, for clients with these names, each with so much time to sign up.

        Raises OSError if the address cannot be had.
        """
        self._waiting: dict[str, list[socket.socket]] = {name: [] for name in names}
        self._strangers: dict[socket.socket, _Stranger] = {}
        self._seconds = seconds
        self._selector = selectors.DefaultSelector()
        with looking_up():
            family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        self._listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
        self._listener.setblocking(False)
        self._selector.register(self._listener, selectors.EVENT_READ)
        self.address: tuple[str, int] = self._listener.getsockname()[:2]

    def fileno(self) -> int:
        """A descriptor that is ready when somebody has come, or has said something."""
        return self._selector.fileno()

    def missing(self, names: "Iterable[str]") -> list[str]:
        """Those of these names under which nobody waits."""
        return [name for name in names if not self._waiting[name]]

    def await_all(self, seconds: float) -> list[str]:
        """Wait until somebody waits under each name, but no longer than this; for whom that was in vain."""
        end = time.monotonic() + seconds
        while (missing := self.missing(self._waiting)) and (left := end - time.monotonic()) > 0:
            self._selector.select(left)
            self.serve()
        return missing

    def take(self, name: str) -> socket.socket:
        """Whoever waits longest under this name, and does so no longer."""
        taken = self._waiting[name].pop(0)
        self._selector.unregister(taken)
        return taken

    def serve(self) -> None:
        """See to everybody who has come or said something, without waiting."""
        for key, _ in self._selector.select(0):
            connection = key.fileobj
            assert isinstance(connection, socket.socket)
            if connection is self._listener:
                self._accept()
            elif connection in self._strangers:
                self._hear(connection)
            elif not self._is_blank(connection):
                self._dismiss(connection)  # it has gone, or speaks without being asked
        late = [one for one, stranger in self._strangers.items() if stranger.deadline < time.monotonic()]
        for connection in late:
            self._refuse(connection, "nobody has signed up in time")

    def _is_blank(self, connection: socket.socket) -> bool:
        """Whether it has said nothing but white space, perhaps after its name."""
        try:
            return connection.recv(LONGEST_SIGN_UP).isspace()
        except OSError:
            return False

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError:
            return  # it has gone, or there are too many
        if len(self._strangers) >= MOST_STRANGERS:
            connection.close()
            return
        connection.setblocking(False)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._strangers[connection] = _Stranger(time.monotonic() + self._seconds)
        self._selector.register(connection, selectors.EVENT_READ)

    def _hear(self, connection: socket.socket) -> None:
        reader = self._strangers[connection].reader
        try:
            data = connection.recv(LONGEST_SIGN_UP)
            reader.feed(data)
            value = next(iter(reader), None)
            name = None if value is None else value.parse()
        except (OSError, NotJSON):
            self._dismiss(connection)
            return
        if not data:
            self._dismiss(connection)
        elif value is not None:
            self._sign_up(connection, name)
        elif reader.held >= LONGEST_SIGN_UP:
            self._refuse(connection, "a sign-up is a name")

    def _sign_up(self, connection: socket.socket, name: object) -> None:
        if not isinstance(name, str):
            self._refuse(connection, "a sign-up is a string")
        elif name not in self._waiting:
            self._refuse(connection, f"there is no player {one_line(name)!r} in this tournament")
        elif len(self._waiting[name]) >= MOST_WAITING:
            self._refuse(connection, f"enough clients wait as {one_line(name)!r}")
        else:
            try:
                connection.send(b'"ok"\n')
            except OSError:
                self._dismiss(connection)
                return
            del self._strangers[connection]
            self._waiting[name].append(connection)

    def _refuse(self, connection: socket.socket, why: str) -> None:
        """Tell it why there is no seat for it, and let it go."""
        try:
            connection.send(f"{json.dumps(why)}\n".encode())
        except OSError:
            pass
        self._dismiss(connection)

    def _dismiss(self, connection: socket.socket) -> None:
        self._selector.unregister(connection)
        self._strangers.pop(connection, None)
        for waiting in self._waiting.values():
            if connection in waiting:
                waiting.remove(connection)
        connection.close()

    def close(self) -> None:
        """Let everybody go."""
        for key in list(self._selector.get_map().values()):
            assert isinstance(key.fileobj, socket.socket)
            key.fileobj.close()
        self._selector.close()
