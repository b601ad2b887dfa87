"""Sends every choice of cards twice."""

from typing import Any

from tests.broken.plain_client import Client


class Twice(Client):
    def choose(self, message: Any) -> str:
        action = super().choose(message)
        return f"{action} {action}"


Twice().run()
