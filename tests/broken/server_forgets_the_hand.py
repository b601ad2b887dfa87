"""Leaves the hand out of a start."""

from evolution.player import Start
from evolution.wire.writing import boards
from tests.broken.plain_server import Guest, Server


class Forgets(Guest):
    def start(self, view: Start) -> None:
        self.tell(f"[{view.hole},{view.bag},{boards(view.boards)}]")


class ForgetsTheHand(Server):
    guest = Forgets


ForgetsTheHand().run()
