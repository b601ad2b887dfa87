"""Takes the first line, or what comes up to a blank, for a whole answer."""

import json
import time

from tests.broken.plain_server import Guest, RudeError, Server


class ReadsLines(Guest):
    def receive(self, deadline: float) -> object:
        data = b""
        while not data.lstrip().endswith((b" ", b"\n")):
            self.connection.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                piece = self.connection.recv(1 << 16)
            except TimeoutError:
                raise RudeError("no answer in time") from None
            if not piece or len(data) > 1 << 16:
                raise RudeError("gone")
            data += piece
        words = data.split()
        try:
            value = json.loads(words[0])
        except ValueError as problem:
            raise RudeError(str(problem)) from None
        if len(words) > 1:
            raise RudeError("more than a word")
        return value


class Lines(Server):
    guest = ReadsLines


Lines().run()
