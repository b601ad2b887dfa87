"""Takes growth with labels for cheating."""

from evolution.actions import Action4
from evolution.species import Species
from evolution.wire import messages
from evolution.wire.action4 import action4
from tests.broken.plain_server import Guest, RudeError, Server


class Strict(Guest):
    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        def read(value: list[list[object]]) -> Action4:
            if '"population"' in str(value).replace("'", '"'):
                raise RudeError("labels")
            return action4(value)

        action: Action4 = self.ask(messages.write_choose(before, after), read)
        return action


class RefusesLabels(Server):
    guest = Strict


RefusesLabels().run()
