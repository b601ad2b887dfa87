"""What the engine's tests share: boards and tables in few words, players that do as they are told,
and the x-programs run in process.
"""

import json
from typing import Any

from evolution import FeedingChoice, Player, Species, State, Table, write_configuration
from evolution.cards import Card
from evolution.wire.errors import Illegal
from harness.programs.answering import PROGRAMS
from tests.support.model import NOTHING

Json = Any


def board(*traits: str, food: int = 0, body: int = 0, population: int = 1, fat_food: int = 0) -> Species:
    """A board with these traits, as small as it can be unless it is said to be larger."""
    return Species(food, body, population, list(traits), fat_food)


def table(*rows: list[Species], hole: int = 0, deck: list[Card] | None = None) -> Table:
    """A table whose players, with the ids 1, 2 and so on, have these rows of boards."""
    return Table([Player(number, row) for number, row in enumerate(rows, 1)], hole, deck)


def foods(row: list[Species]) -> list[int]:
    """The food of each board of a row."""
    return [each.food for each in row]


class Told:
    """A player that gives these answers one after the other, and keeps what it was shown.

    Without an answer left it must not be asked.
    """

    def __init__(self, *answers: FeedingChoice | None) -> None:
        self.answers = list(answers)
        self.shown: list[State] = []

    def feed_next(self, state: State) -> FeedingChoice | None:
        assert len(self.shown) < len(self.answers), "this player must not be asked"
        self.shown.append(state)
        return self.answers[len(self.shown) - 1]


def look(at: Table) -> str:
    """Everything that can be seen of a table."""
    return write_configuration(at)


def meaning(value: Json) -> Json:
    """The value with all that makes no difference taken away: the order of a board's traits,
    and the label of a GP or GB (formats 7).
    """
    match value:
        case ["traits", [*traits]]:
            return ["traits", sorted(traits)]
        case ["population" | "body", board, card]:
            return [board, card]
        case [*parts]:
            return [meaning(part) for part in parts]
    return value


def answer(program: str, value: Json) -> Json:
    """What an x-program answers to a value, by its meaning; NOTHING if it prints nothing."""
    try:
        text = PROGRAMS[program]()(json.loads(json.dumps(value)))
    except Illegal:
        return NOTHING
    return NOTHING if text is None else meaning(json.loads(text))
