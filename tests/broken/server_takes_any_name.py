"""Signs up whoever sends anything at all."""

from tests.broken.plain_server import Server


class TakesAnyName(Server):
    def is_name(self, name: object) -> bool:
        return True


TakesAnyName().run()
