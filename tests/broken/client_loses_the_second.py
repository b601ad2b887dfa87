"""Loses what comes in one piece behind a message."""

from tests.broken.plain_client import Client


class Loses(Client):
    def receive(self) -> object:
        value = super().receive()
        self.values.clear()
        return value


Loses().run()
