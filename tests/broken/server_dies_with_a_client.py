"""Ends when a client is gone."""

import os

from tests.broken.plain_server import Guest, RudeError, Server


class Fragile(Guest):
    def receive(self, deadline: float) -> object:
        try:
            return super().receive(deadline)
        except RudeError as problem:
            if str(problem) == "it is gone":
                os.abort()
            raise


class Dies(Server):
    guest = Fragile


Dies().run()
