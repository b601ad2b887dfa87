"""Waits for an answer as long as it takes."""

from tests.broken.plain_server import Server


class WaitsForEver(Server):
    def begin(self) -> None:
        super().begin()
        self.guest.timeout = 3600.0


WaitsForEver().run()
