"""Takes what one read gives it for a whole answer."""

import json
import time

from tests.broken.plain_server import Guest, RudeError, Server


class ReadsOnce(Guest):
    def receive(self, deadline: float) -> object:
        self.connection.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            return json.loads(self.connection.recv(1 << 16))
        except (TimeoutError, ValueError) as problem:
            raise RudeError(str(problem)) from None


class Once(Server):
    guest = ReadsOnce


Once().run()
