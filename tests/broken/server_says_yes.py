"""Answers a sign-up with "yes"."""

from tests.broken.plain_server import Server


class SaysYes(Server):
    def welcome(self) -> str:
        return '"yes"'


SaysYes().run()
