"""Deals the deck from its other end."""

from evolution.cards import full_deck
from evolution.game import Game
from tests.broken.plain_server import Server


class DealsBackwards(Server):
    def game(self) -> Game:
        return Game(list(self.guests), full_deck()[::-1])


DealsBackwards().run()
