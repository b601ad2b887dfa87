"""Prints a score that is one too high."""

from tests.broken.plain_server import Server


class Miscounts(Server):
    def points(self, points: int) -> int:
        return points + 1


Miscounts().run()
