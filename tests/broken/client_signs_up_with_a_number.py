"""Signs up with a number."""

from tests.broken.plain_client import Client


class Number(Client):
    def sign_up(self) -> str:
        return "42"


Number().run()
