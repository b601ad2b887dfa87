"""Stays when the server has closed the connection."""

import time

from tests.broken.plain_client import Client


class Stays(Client):
    def end(self) -> None:
        while True:
            time.sleep(60)


Stays().run()
