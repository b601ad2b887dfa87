"""Answers with an object where a list is due."""

from typing import Any

from tests.broken.plain_client import Client


class Objects(Client):
    def choose(self, message: Any) -> str:
        return '{"food":0}'


Objects().run()
