"""Does not answer when it is asked to feed."""

import time
from typing import Any

from tests.broken.plain_client import Client


class Sleeps(Client):
    def feed(self, message: Any) -> str:
        while True:
            time.sleep(60)


Sleeps().run()
