"""Writes growth with labels."""

import json
from typing import Any

from tests.broken.plain_client import Client


class Labels(Client):
    def choose(self, message: Any) -> str:
        food, population, body, new, replaced = json.loads(super().choose(message))
        population = [["population", *growth] for growth in population]
        body = [["body", *growth] for growth in body]
        return json.dumps([food, population, body, new, replaced])


Labels().run()
