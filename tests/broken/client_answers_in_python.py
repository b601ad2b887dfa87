"""Writes False where false is due."""

from typing import Any

from tests.broken.plain_client import Client


class Python(Client):
    def feed(self, message: Any) -> str:
        return "False"


Python().run()
