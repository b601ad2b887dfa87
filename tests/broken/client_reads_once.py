"""Takes what one read gives it for a whole message."""

import json

from tests.broken.plain_client import Client


class ReadsOnce(Client):
    def receive(self) -> object:
        data = self.connection.recv(1 << 16)
        if not data:
            raise EOFError
        value: object = json.loads(data)
        return value


ReadsOnce().run()
