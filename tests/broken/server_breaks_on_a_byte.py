"""Takes white space after an answer for a second one."""

from evolution.wire.stream import Reader
from tests.broken.plain_server import Guest, RudeError, Server


class Strict(Reader):
    def feed(self, data: bytes) -> None:
        if data.rstrip() != data:
            raise RudeError("it said more than its answer")
        super().feed(data)


class Breaks(Guest):
    def __init__(self, connection: object, name: str, reader: Reader) -> None:
        super().__init__(connection, name, Strict())  # type: ignore[arg-type]


class BreaksOnAByte(Server):
    guest = Breaks


BreaksOnAByte().run()
