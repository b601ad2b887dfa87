"""A Silly player of each design, behind its adapter, plays the game of the native one as far as its
interface can say what the native one says. The logs of both games are compared line by line.

Design 1 cannot say what the sixth card does (it replaces a trait of a board that is bought in the same
answer), names no attacker, and shows no food, which decides between targets and about burrowing.
Design 3 can say all but a fat store on a hungry board. Design 4 can use three cards only, and a population
grows on the leftmost board: already the first hand, of four cards, cannot be used as the Silly player does,
so its counterpart is a native player that uses its cards as design 4 can.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from evolution.actions import Action4
from evolution.cards import Card, shuffled_deck
from evolution.choices import Attack, FeedingChoice, State, StoreFat
from evolution.designs import adapted
from evolution.designs.adapter import attacker
from evolution.game import Game
from evolution.hosting.asked import Inside
from evolution.silly import Silly, feed
from evolution.species import Species, hungry
from evolution.wire.log import Log
from tests.evolution.silly_designs import CardwiseSilly, Shape, StepwiseSilly, TableSilly, blind_target

SEEDS = range(60)
WRITTEN: dict[str, Callable[[], Any]] = {
    "stepwise": StepwiseSilly,
    "cardwise": CardwiseSilly,
    "table": TableSilly,
}


class Humble(Silly):
    """A native Silly player that uses its cards as design 4 can."""

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        action = super().choose(before, after)
        boards = [*self._boards, Species()]
        leftmost = next(at for at, board in enumerate(boards) if board.population < 7)
        grown = [(leftmost, card) for _, card in action.grow_population]
        return Action4(action.food_card, grow_population=grown, new_boards=action.new_boards)


def cannot_say_cards(design: str, hand: list[Card]) -> bool:
    return design == "stepwise" and len(hand) > 5


def cannot_say_feeding(design: str, state: State, choice: FeedingChoice | None) -> bool:
    """Whether the design's Silly player cannot know, or cannot say, what the native one feeds."""
    if design == "cardwise":
        return isinstance(choice, StoreFat) and hungry(state.boards[choice.board])
    if not isinstance(choice, Attack):
        return False
    if design == "table" and len([one for one in state.boards if "carnivore" in one.traits]) > 1:
        return True  # it is not told which of them is to attack
    rows = [[Shape(one.traits, one.body, one.population) for one in row] for row in state.others]
    hunter = state.boards[choice.board]
    seen = blind_target(Shape(hunter.traits, hunter.body, hunter.population), rows)
    return attacker(state) != choice.board or seen != (choice.player, choice.target)


def played(agent: Any, deck: list[Card]) -> list[str]:
    """The log of a game of this agent with two Silly players, without what only one of both can have."""
    lines: list[str] = []
    game = Game([agent, Silly(), Silly()], deck[:], Log(lines.append, ["one"] * 3, None))
    if isinstance(agent, Watched):
        agent.lines = lines
    game.play()
    assert "thrown out" not in lines[-2]
    first = json.loads(lines[0])
    del first["listening"]
    return [json.dumps(first), *lines[1:]]


class Watched:
    """A native player, and after how many lines of the log it first did what the design cannot say."""

    lines: list[str]

    def __init__(self, design: str) -> None:
        self._player = Humble() if design == "table" else Silly()
        self._design = design
        self.until: int | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._player, name)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        if self.until is None and cannot_say_cards(self._design, self._player._hand):
            self.until = len(self.lines)
        return self._player.choose(before, after)

    def feed_next(self, state: State) -> FeedingChoice | None:
        choice = feed(state)
        if self.until is None and cannot_say_feeding(self._design, state, choice):
            self.until = len(self.lines)
        return choice


def compare(design: str, deck: list[Card]) -> bool:
    """Whether the whole game is sayable; asserts that the games are equal as far as they are."""
    native = Watched(design)
    expected = played(native, deck)
    found = played(Inside(adapted(design, WRITTEN[design]())), deck)
    if native.until is None:
        assert found == expected
    else:
        assert found[: native.until] == expected[: native.until]
    return native.until is None


def hunting_deck(seed: int) -> list[Card]:
    """Much food, many carnivores and much fat."""
    return [card for card in shuffled_deck(seed) if card[0] >= 0 and card[1] in HUNTING]


HUNTING = ["carnivore", "fat-tissue", "burrowing", "ambush", "scavenger", "climbing", "cooperation",
           "herding", "fertile", "pack-hunting", "warning-call"]  # fmt: skip
DECKS: dict[str, Callable[[int], list[Card]]] = {
    "whole": shuffled_deck,
    "short": lambda seed: shuffled_deck(seed)[:30],
    "hunting": hunting_deck,
}

# How many of the 60 games with these seeds are sayable to their end: these are equal, line by line. On the
# whole deck a hand of six cards comes in every game, and design 1 cannot say what the sixth one does.
EQUAL = {
    ("stepwise", "whole"): 0,
    ("stepwise", "short"): 44,
    ("stepwise", "hunting"): 12,
    ("cardwise", "whole"): 59,
    ("cardwise", "short"): 60,
    ("cardwise", "hunting"): 53,
    ("table", "whole"): 60,
    ("table", "short"): 60,
    ("table", "hunting"): 60,
}


@pytest.mark.long
@pytest.mark.parametrize(("design", "deck"), EQUAL)
def test_a_silly_player_of_the_design_plays_as_the_native_one_as_far_as_it_can_say(
    design: str, deck: str
) -> None:
    equal = [seed for seed in SEEDS if compare(design, DECKS[deck](seed))]
    assert len(equal) == EQUAL[design, deck]


def test_the_silly_player_of_design_4_can_never_use_its_first_hand_as_the_native_one_does() -> None:
    for seed in SEEDS:
        deck = shuffled_deck(seed)
        silly, humble = Silly(), Humble()
        chosen = []
        for player in (silly, humble):
            game = Game([player, Silly(), Silly()], deck[:])
            game._step_1()
            chosen.append(player.choose([], []))
        assert chosen[0].grow_population[0][0] == 1
        assert chosen[1].grow_population[0][0] == 0
