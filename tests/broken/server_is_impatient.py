"""Throws players out after a fifth of the time."""

from tests.broken.plain_server import Server


class IsImpatient(Server):
    def begin(self) -> None:
        super().begin()
        self.guest.timeout /= 5


IsImpatient().run()
