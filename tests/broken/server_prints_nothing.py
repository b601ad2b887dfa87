"""Plays, and prints no result."""

import sys

from tests.broken.plain_server import Server


class PrintsNothing(Server):
    def end(self) -> None:
        super().end()


sys.stdout = sys.stderr
PrintsNothing().run()
