"""Says "ok" when all have signed up."""

from tests.broken.plain_server import Server


class AtLast(Server):
    def welcome(self) -> str:
        return ""

    def begin(self) -> None:
        super().begin()
        for guest in self.guests:
            guest.connection.sendall(b'"ok"')


AtLast().run()
