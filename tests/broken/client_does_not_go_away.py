"""Stays when it is turned away."""

import time

from tests.broken.plain_client import Client


class DoesNotGoAway(Client):
    def turned_away(self) -> None:
        while True:
            time.sleep(60)


DoesNotGoAway().run()
