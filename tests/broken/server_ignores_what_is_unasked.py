"""Forgets what a client says before it is asked, and what it says after its answer."""

import time
from collections.abc import Callable
from typing import Any

from evolution.wire.stream import Reader
from tests.broken.plain_server import Guest, RudeError, Server


class Ignores(Guest):
    def check_silence(self) -> None:
        try:
            super().check_silence()
        except RudeError:
            self.reader = Reader()

    def ask(self, message: str, read: Callable[[Any], Any]) -> Any:
        self.tell(message)
        value = self.receive(time.monotonic() + self.timeout)
        self.reader = Reader()
        return read(value)


class Forgetful(Server):
    guest = Ignores


Forgetful().run()
