"""Does not answer a sign-up at all."""

from tests.broken.plain_server import Server


class WelcomesNobody(Server):
    def welcome(self) -> str:
        return ""


WelcomesNobody().run()
