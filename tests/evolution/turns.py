"""One turn at a table of three, laid out by hand, and a player that records what it is asked."""

import copy
from typing import Any

from evolution.actions import Action4
from evolution.cards import Card
from evolution.choices import Eat, FeedingChoice, State
from evolution.designs import adapted
from evolution.game import Game, Result
from evolution.hosting.asked import Inside
from evolution.player import Start
from evolution.species import Species
from tests.evolution.tools import board

Json = Any


class Recorder:
    """A player of any design: it keeps every call, and answers as it is told, in the order given."""

    def __init__(self, **answers: list[Json]) -> None:
        self.calls: list[tuple[Json, ...]] = []
        self._answers = answers

    def __getattr__(self, request: str) -> Json:
        if request.startswith("__"):
            raise AttributeError(request)

        def method(*arguments: Json) -> Json:
            self.calls.append((request, *copy.deepcopy(arguments)))
            answers = self._answers.get(request)
            answer = answers.pop(0) if answers else None
            if issubclass(type(answer), Exception):  # not isinstance, which looks at it
                raise answer  # type: ignore[misc]
            return answer

        return method


class Plain:
    """A native player: its first card is food, its second grows the body of its first board."""

    def start(self, view: Start) -> None:
        pass

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        return Action4(0, grow_body=[(0, 1)])

    def feed_next(self, state: State) -> FeedingChoice | None:
        return Eat(0)

    def game_over(self, result: Result) -> None:
        pass


DECK: list[Card] = [
    (1, "foraging"), (-2, "herding"), (0, "climbing"), (3, "burrowing"),  # player 1
    (0, "fertile"), (1, "fertile"), (2, "fertile"), (3, "fertile"),  # player 2
    (3, "horns"), (2, "horns"), (1, "horns"), (0, "horns"), (-1, "horns"),  # player 3
    (0, "symbiosis"), (1, "symbiosis"),  # two for the board that player 3 will lose
]  # fmt: skip


def laid_game(design: str, player: Json) -> Game:
    """A game in the middle: player 1 is of this design, the others are plain."""
    agents: list[Any] = [Inside(adapted(design, player)), Plain(), Plain()]
    game = Game(agents, DECK[:])
    first, second, third = game.table.players
    first.boards = [board("carnivore", "horns", body=3, population=2)]
    first.bag = 5
    first.hand = [(2, "long-neck")]
    second.boards = [board("ambush", population=2)]
    second.bag = 20
    third.boards = [board(), board()]
    return game
