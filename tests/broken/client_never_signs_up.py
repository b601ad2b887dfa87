"""Connects, and waits to be spoken to."""

from tests.broken.plain_client import Client


class Shy(Client):
    def send(self, text: str) -> None:
        pass


Shy().run()
