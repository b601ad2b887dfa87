"""Writes messages as Python prints lists: with single quotes."""

from tests.broken.plain_server import Guest, Server


class Prints(Guest):
    def tell(self, message: str) -> None:
        super().tell(message.replace('"', "'"))


class WritesPython(Server):
    guest = Prints


WritesPython().run()
