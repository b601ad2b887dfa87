"""Closes the connections after the game, and stays."""

import time

from tests.broken.plain_server import Server


class Lingers(Server):
    def end(self) -> None:
        for guest in self.guests:
            guest.connection.close()
        while True:
            time.sleep(60)


Lingers().run()
