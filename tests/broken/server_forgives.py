"""Lets a player go on that feeds a board which it does not have."""

from evolution.choices import DECLINE, FeedingChoice, State
from evolution.feeding import IllegalChoice, check_choice
from tests.broken.plain_server import Guest, Server


class Lenient(Guest):
    def feed_next(self, state: State) -> FeedingChoice:
        choice = super().feed_next(state)
        try:
            check_choice(state, choice)
        except IllegalChoice:
            return DECLINE
        return choice


class Forgives(Server):
    guest = Lenient


Forgives().run()
