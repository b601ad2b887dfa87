"""Uses a card that it does not have."""

from typing import Any

from tests.broken.plain_client import Client


class Missing(Client):
    def choose(self, message: Any) -> str:
        return "[99,[],[],[],[]]"


Missing().run()
