"""Cannot read a message that is spread over several lines."""

from evolution.wire.stream import Value
from tests.broken.plain_client import Client


class Stops(Client):
    def parsed(self, value: Value) -> object:
        if b"\n" in value.data:
            raise SystemExit(f"not a message: {value.data[:20]!r}")
        return super().parsed(value)


Stops().run()
