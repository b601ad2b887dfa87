"""Asks for a choice before it tells that the turn begins."""

from evolution.player import Start
from evolution.wire import messages
from tests.broken.plain_server import Guest, Server


class Hurries(Guest):
    def start(self, view: Start) -> None:
        self.tell("[[],[]]")
        self.tell(messages.write_start(view))


class AsksBeforeTheStart(Server):
    guest = Hurries


AsksBeforeTheStart().run()
