"""Many seeded games, looked at whenever something happens in them: nothing is made, lost or negative.

Ten thousand of them with SOAK=1 in the environment; some hundreds otherwise.
"""

import os

import pytest

from evolution.cards import Card, full_deck, shuffled_deck
from evolution.game import FEWEST_PLAYERS, MOST_PLAYERS, Game
from evolution.silly import Silly
from evolution.table import Player, Table
from tests.games.test_game_log import Odd

GAMES = 10_000 if os.environ.get("SOAK") else 300
PARTS = 10  # so that several processes can share them
ALL = frozenset(full_deck())
MOST_TURNS = 41  # a turn takes at least three cards of the deck


class Accountant:
    """Knows where every card is, and looks at the whole table whenever something has happened."""

    def __init__(self) -> None:
        self.table = Table([])
        self.turns = 0
        self.events = 0
        self.problem: AssertionError | None = None
        self.gone: list[Card] = []  # played, or taken along by those who were thrown out
        self._hands: dict[Player, list[Card]] = {}

    def __call__(self, kind: str, player: Player | None, board: int | None, more: dict[str, object]) -> None:
        self.events += 1
        if kind == "turn":
            assert isinstance(more["table"], Table)
            self.table = more["table"]
            self.turns += 1
        elif kind == "exchange":
            assert player is not None
            self.gone += [card for card in self._hands[player] if card not in player.hand]
        elif kind == "thrown out":
            assert player is not None
            self.gone += player.hand
        if self.turns and self.problem is None:
            try:
                self._look()
            except AssertionError as problem:  # the game would take it for the player's
                self.problem = problem
        self._hands = {each: each.hand[:] for each in self.table.players}

    def _look(self) -> None:
        table = self.table
        cards = [*table.deck, *self.gone]
        for player in table.players:
            cards += player.hand
            assert player.bag >= 0
            for each in player.boards:
                assert 0 <= each.food <= each.population <= 7
                assert each.population >= 1
                assert 0 <= each.fat_food <= each.body <= 7
                assert len(set(each.traits)) == len(each.traits) <= 3
        assert len(cards) == len(ALL)
        assert ALL.issuperset(cards)
        assert len(set(cards)) == len(cards)
        assert table.hole >= 0


def players(seed: int) -> list[Silly]:
    """From three to eight; in every fifth game some of them are odd, and most of these do not stay."""
    number = FEWEST_PLAYERS + seed % (MOST_PLAYERS - FEWEST_PLAYERS + 1)
    if seed % 5:
        return [Silly() for _ in range(number)]
    return [Odd(seed * 10 + at) if at % 2 else Silly() for at in range(number)]


@pytest.mark.parametrize("part", range(PARTS))
def test_every_game_ends_and_at_every_step_all_cards_are_there_and_no_food_is_negative(part: int) -> None:
    for seed in range(part, GAMES, PARTS):
        seated = players(seed)
        accountant = Accountant()
        result = Game(list(seated), shuffled_deck(seed), accountant).play()
        if accountant.problem is not None:
            raise accountant.problem
        assert 0 < accountant.turns <= MOST_TURNS
        assert accountant.events > 10 * len(seated)
        assert len(result.ranking) + len(result.thrown_out) == len(seated)
        assert all(points >= 0 for _, points in result.ranking)
        if seed % 5:
            assert not result.thrown_out
            # Who looks on changes nothing.
            unseen = Game([Silly() for _ in seated], shuffled_deck(seed)).play()
            assert unseen.ranking == result.ranking
