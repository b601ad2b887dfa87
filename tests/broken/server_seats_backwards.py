"""Seats the last to sign up first."""

from evolution.game import Game
from tests.broken.plain_server import Server


class Backwards(Server):
    def game(self) -> Game:
        self.guests.reverse()
        return Game(list(self.guests))


Backwards().run()
