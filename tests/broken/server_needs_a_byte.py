"""Takes a number for complete only when something follows it."""

import time

from tests.broken.plain_server import Guest, RudeError, Server


class NeedsAByte(Guest):
    def receive(self, deadline: float) -> object:
        while True:
            for value in self.reader:
                return value.parse()
            self.connection.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                data = self.connection.recv(1 << 16)
            except TimeoutError:
                raise RudeError("no answer in time") from None
            if not data:
                raise RudeError("it is gone")
            self.reader.feed(data)


class Needy(Server):
    guest = NeedsAByte


Needy().run()
