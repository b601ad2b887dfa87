"""Every way of answering a design's requests wrongly: it costs the player its seat, with a reason that
names the request, and the others finish. Only design 3's use_cards is forgiven: the game chooses.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolution.cards import shuffled_deck
from evolution.choices import DECLINE, State
from evolution.designs import adapted
from evolution.designs.stepwise_tables import SPELLED
from evolution.game import Game
from evolution.hosting.asked import Inside
from evolution.player import Start
from evolution.silly import Silly
from evolution.wire.log import Log
from tests.evolution import silly_designs
from tests.evolution.tools import board
from tests.evolution.turns import Recorder

Json = Any

# Player 1 has a carnivore that can grow no more, and a small vegetarian without traits. Player 2's first
# board can climb, its second one has no defence. There are plenty of tokens.


def laid_game(design: str, player: Json, lines: list[str]) -> Game:
    agents: list[Any] = [Inside(adapted(design, player)), Silly(), Silly()]
    game = Game(agents, shuffled_deck("wrong"), Log(lines.append, ["one"] * 3, None))
    first, second, third = game.table.players
    first.boards = [board("carnivore", "horns", body=7, population=7), board(population=1)]
    first.hand = [(2, "long-neck"), (1, "horns"), (2, "horns"), (-1, "herding")]
    second.boards = [board("climbing", population=3), board(population=3)]
    third.boards = [board(population=2)]
    game.table.hole = 20
    game.table.deck[:0] = [(-3, "ambush"), (0, "climbing"), (1, "climbing"), (2, "fertile"), (3, "fertile")]
    return game


# What it has drawn, and what it had.
HAND: Json = [
    [-3, "ambush"], [0, "climbing"], [1, "climbing"], [2, "fertile"], [3, "fertile"],
    [2, "long-neck"], [1, "horns"], [2, "horns"], [-1, "herding"],
]  # fmt: skip


WHERE = re.compile(r" \(turns\.py, line \d+: .*")


def outcome(design: str, answers: dict[str, Json]) -> tuple[list[tuple[int, str]], list[Json]]:
    """Who is thrown out and why, and the log, of a game in which player 1 answers like this.

    Where in its code an exception came from is left out.
    """
    lines: list[str] = []
    game = laid_game(design, Recorder(**answers), lines)
    result = game.play()
    assert {number for number, _ in result.ranking} >= {2, 3}, "the others finish"
    thrown_out = [(number, WHERE.sub("", why)) for number, why in result.thrown_out]
    return thrown_out, [json.loads(line) for line in lines]


# --- design 1 ----------------------------------------------------------------------------------------

LONG_NECK, HORNS, MORE_HORNS, HERDING = [2, "Long Neck"], [1, "Horns"], [2, "Horns"], [-1, "Herding"]
CLIMBING, MORE_CLIMBING, FERTILE = [0, "Climbing"], [1, "Climbing"], [2, "Fertile"]

STEPWISE: dict[str, Json] = {
    "trade_cards_for_boards": [[LONG_NECK]],
    "place_cards_on_boards": [[HERDING]],
    "select_board_for_card": [2],
    "select_species_discarded_cards": [[1]],
    "trade_cards_for_body_size": [[HORNS]],
    "select_board_to_give_body_size": [1],
    "trade_cards_for_population": [[MORE_HORNS]],
    "select_board_to_give_population": [1],
    "select_species_order": [[0, 1, 2]],
    "select_attack": [[0, 1]] * 9,
}

STEPWISE_WRONG: list[tuple[dict[str, Json], str]] = [
    ({"trade_cards_for_boards": [None]}, "trade_cards_for_boards: expected a list of traits, found null"),
    ({"trade_cards_for_boards": ["all"]}, 'trade_cards_for_boards: expected a list of traits, found "all"'),
    ({"trade_cards_for_boards": [[[4, "Horns"]]]},
     "trade_cards_for_boards: [0][0]: Horns cards have tokens from -3 to 3, found 4"),
    ({"trade_cards_for_boards": [[[True, "Horns"]]]},
     "trade_cards_for_boards: [0][0]: Horns cards have tokens from -3 to 3, found true"),
    ({"trade_cards_for_boards": [[[2, "long-neck"]]]},
     'trade_cards_for_boards: [0][1]: expected a trait such as "Fat Tissue", found "long-neck"'),
    ({"trade_cards_for_boards": [[0]]},
     "trade_cards_for_boards: [0]: expected a trait [tokens, name], a list of 2, found 0"),
    ({"trade_cards_for_boards": [[[-3, "Ambush"]]]},  # it is the food card
     "trade_cards_for_boards: there is no such card in the hand: -3 ambush"),
    ({"trade_cards_for_boards": [[LONG_NECK, LONG_NECK]]},
     "trade_cards_for_boards: there is no such card in the hand: 2 long-neck"),
    ({"trade_cards_for_boards": [ValueError("no idea")]}, "trade_cards_for_boards: ValueError: no idea"),
    ({"place_cards_on_boards": [[LONG_NECK]]},  # it has been traded
     "place_cards_on_boards: there is no such card in the hand: 2 long-neck"),
    ({"place_cards_on_boards": [{}]}, "place_cards_on_boards: expected a list of traits, found an object"),
    ({"select_board_for_card": [3]}, "select_board_for_card: board 3 does not exist: the row has 3"),
    ({"select_board_for_card": [-1]},
     "select_board_for_card: expected a whole number, at least 0, found -1"),
    ({"select_board_for_card": [True]},
     "select_board_for_card: expected a whole number, at least 0, found true"),
    ({"select_board_for_card": [2.0]},
     "select_board_for_card: expected a whole number, at least 0, found 2.0: "
     "an integer must be written without a point or an exponent"),
    ({"select_board_for_card": [[2]]},
     "select_board_for_card: expected a whole number, at least 0, found a list of 1"),
    ({"select_board_for_card": [1]},  # an old board without traits
     "select_board_for_card: board 1 is not new: no trait can be added to it"),
    ({"place_cards_on_boards": [[HERDING, HORNS, FERTILE]], "select_board_for_card": [0, 0, 0]},
     "select_board_for_card: board 0 is not new: no trait can be added to it"),
    ({"place_cards_on_boards": [[CLIMBING, MORE_CLIMBING]], "select_board_for_card": [2, 2]},
     "select_board_for_card: board 2 would have climbing twice"),
    ({"place_cards_on_boards": [[CLIMBING, HERDING, HORNS, FERTILE]], "select_board_for_card": [2] * 4},
     "select_board_for_card: board 2 would have more than 3 traits"),
    ({"select_board_for_card": [0], "select_species_discarded_cards": [[]]},
     "select_species_discarded_cards: 1 cards were placed there, so 1 must go, not 0"),
    ({"select_board_for_card": [0], "select_species_discarded_cards": [[0, 1]]},
     "select_species_discarded_cards: 1 cards were placed there, so 1 must go, not 2"),
    ({"select_board_for_card": [0], "select_species_discarded_cards": [[2]]},
     "select_species_discarded_cards: [0]: there is no old card 2: the board has 2"),
    ({"select_board_for_card": [0], "select_species_discarded_cards": ["horns"]},
     'select_species_discarded_cards: expected a list of indexes, found "horns"'),
    ({"place_cards_on_boards": [[HERDING, FERTILE]], "select_board_for_card": [0, 0],
      "select_species_discarded_cards": [[1, 1]]},
     "select_species_discarded_cards: [1]: old card 1 goes twice"),
    ({"place_cards_on_boards": [[HORNS]], "select_board_for_card": [0], "trade_cards_for_body_size": [[]],
      "select_species_discarded_cards": [[0]]},
     "select_species_discarded_cards: board 0 would have horns twice"),
    ({"trade_cards_for_body_size": [[HERDING]]},  # it has been placed
     "trade_cards_for_body_size: there is no such card in the hand: -1 herding"),
    ({"select_board_to_give_body_size": [0]}, "select_board_to_give_body_size: board 0 would have body 8"),
    ({"select_board_to_give_body_size": [7]},
     "select_board_to_give_body_size: board 7 does not exist: the row has 3"),
    ({"trade_cards_for_population": [7]}, "trade_cards_for_population: expected a list of traits, found 7"),
    ({"select_board_to_give_population": [0]},
     "select_board_to_give_population: board 0 would have population 8"),
    ({"select_board_to_give_population": [None]},
     "select_board_to_give_population: expected a whole number, at least 0, found null"),
    ({"select_species_order": [[1, 0, 2]]},
     "select_species_order: the boards stay in their order, [0, 1, 2]"),
    ({"select_species_order": [[0, 1]]}, "select_species_order: the boards stay in their order, [0, 1, 2]"),
    ({"select_species_order": [None]}, "select_species_order: expected a list of boards, found null"),
    ({"select_attack": [None]},
     "select_attack: expected [player, board] or False, a list of 2, found null"),
    ({"select_attack": [True]},
     "select_attack: expected [player, board] or False, a list of 2, found true"),
    ({"select_attack": [[0]]},
     "select_attack: expected [player, board] or False, a list of 2, found a list of 1"),
    ({"select_attack": [[0, "1"]]},
     'select_attack: [1]: expected a whole number, at least 0, found "1"'),
    ({"select_attack": [[3, 0]]}, "select_attack: there is no player 3"),
    ({"select_attack": [[0, 9]]}, "select_attack: there is no board 9 of player 0"),
    ({"select_attack": [[0, 0]]}, "select_attack: board 0 cannot attack board 0 of player 0"),
    ({"select_attack": [[2, 0]]}, "select_attack: board 0 attacks itself"),
    ({"select_attack": [RuntimeError("too\nhungry")]}, "select_attack: RuntimeError: too hungry"),
]  # fmt: skip


STEPWISE_WRONG += [
    ({"trade_cards_for_boards": [{1, 2}]},
     "trade_cards_for_boards: its answer is made of set, not of plain lists, strings and numbers"),
    ({"trade_cards_for_boards": [[[10**5000, "Horns"]]]},
     "trade_cards_for_boards: a number in its answer is too long"),
    ({"select_species_order": [range(3)]},
     "select_species_order: its answer is made of range, not of plain lists, strings and numbers"),
    ({"select_attack": [{0: 1}]}, "select_attack: a key in its answer is int, not a string"),
]  # fmt: skip


# --- design 3 ----------------------------------------------------------------------------------------

KEEP: list[Json] = ["keep"]
GOOD: list[Json] = [["discard"], ["exchange-for-species"], *[KEEP] * 7]
CARDWISE: dict[str, Json] = {
    "use_cards": [GOOD],
    "place_species": ["right"],
    "feed": [[1, 0, 0], [0, 1, 1], *[False] * 9],
}
FEED: Json = CARDWISE["feed"]

CARDWISE_WRONG: list[tuple[dict[str, Json], str]] = [
    ({"place_species": ["left"]}, "place_species: a new board goes to the right end"),
    ({"place_species": ["up"]}, 'place_species: expected "left" or "right", found "up"'),
    ({"place_species": [None]}, 'place_species: expected "left" or "right", found null'),
    ({"place_species": [["right"]]}, 'place_species: expected "left" or "right", found a list of 1'),
    ({"place_species": [KeyError("side")]}, "place_species: KeyError: 'side'"),
    ({"use_cards": [ZeroDivisionError("cards")]}, "use_cards: ZeroDivisionError: cards"),
    ({"feed": [None]}, "feed: expected [species, player, species] or False, a list of 3, found null"),
    ({"feed": [True]}, "feed: expected [species, player, species] or False, a list of 3, found true"),
    ({"feed": [1]}, "feed: expected [species, player, species] or False, a list of 3, found 1"),
    ({"feed": [[1]]}, "feed: expected [species, player, species] or False, a list of 3, found a list of 1"),
    ({"feed": [[-1, 0, 0]]}, "feed: [0]: expected a whole number, at least 0, found -1"),
    ({"feed": [["1", 0, 0]]}, 'feed: [0]: expected a whole number, at least 0, found "1"'),
    ({"feed": [[3, 0, 0]]}, "feed: there is no own board 3"),
    ({"feed": [[1, None, None], [1, 0, 0]]}, "feed: board 1 is not hungry"),
    ({"feed": [[0, 3, 0]]}, "feed: there is no player 3: the table has 3"),
    ({"feed": [[0, 1, 9]]}, "feed: there is no board 9 of player 1"),
    ({"feed": [[0, 1, 0]]}, "feed: board 0 cannot attack board 0 of player 1"),
    ({"feed": [[0, 0, 0]]}, "feed: board 0 attacks itself"),
    ({"feed": [[0, None, 0]]}, "feed: [1]: expected a whole number, at least 0, found null"),
    ({"feed": [OSError("gone")]}, "feed: OSError: gone"),
]  # fmt: skip


def uses(*actions: Json) -> Json:
    """Actions for the first cards; the others are kept."""
    return [*actions, *[KEEP] * (len(HAND) - len(actions))]


class Touchy:
    """An object that fails however it is looked at."""

    def fails(self, *_: object) -> Json:
        raise RuntimeError("do not touch")

    __getattribute__ = __eq__ = __len__ = __iter__ = __bool__ = __str__ = __repr__ = fails
    __hash__ = fails


class TouchyType(type):
    """A class that fails when its name is asked for, or when it is compared."""

    @property
    def __name__(cls) -> str:  # type: ignore[override]
        raise SystemExit(3)

    def __eq__(cls, other: object) -> bool:
        raise SystemExit(3)

    __hash__ = type.__hash__


class Untold(metaclass=TouchyType):
    """An object of a class that must not be looked at."""


class Endless(list[Json]):
    """A list that never ends."""

    def __iter__(self) -> Iterator[Json]:
        while True:
            yield KEEP


class Mute(Exception):
    """An exception that does not say what is wrong."""

    def __str__(self) -> str:
        raise ValueError("no words")


def knotted() -> Json:
    knot: list[Json] = []
    knot.append(knot)
    return knot


async def later() -> None:
    pass


def made_of(what: str) -> str:
    return f"its answer is made of {what}, not of plain lists, strings and numbers"


# Answers of every type that is no list of card actions, and what the log says of them.
NO_ACTIONS: list[tuple[Callable[[], Json], str]] = [
    (lambda: 7, "expected a list of card actions, found 7"),
    (lambda: 1.5, "expected a list of card actions, found 1.5"),
    (lambda: float("nan"), "expected a list of card actions, found nan"),
    (lambda: True, "expected a list of card actions, found true"),
    (lambda: 10**5000, "a number in its answer is too long"),
    (lambda: {"discard": 1}, "expected a list of card actions, found an object"),
    (lambda: {1: 2}, "a key in its answer is int, not a string"),
    (lambda: {1, 2}, made_of("set")),
    (frozenset, made_of("frozenset")),
    (lambda: b"discard", made_of("bytes")),
    (lambda: range(9), made_of("range")),
    (lambda: (number for number in range(9)), made_of("generator")),
    (lambda: iter([]), made_of("list_iterator")),
    (lambda: map(str, []), made_of("map")),
    (lambda: knotted, made_of("function")),
    (lambda: list, made_of("type")),
    (lambda: ValueError("me"), made_of("ValueError")),
    (Touchy, made_of("Touchy")),
    (Untold, made_of("Untold")),
    (Endless, made_of("Endless")),
    (lambda: [Touchy()] * 9, made_of("Touchy")),
    (lambda: [["discard", Touchy()]] * 9, made_of("Touchy")),
    (knotted, "its answer is nested too deeply"),
    (lambda: "\udc80\n\x1b[31m", "expected a list of card actions, found"),
]

D: Json = ["discard"]
NEW: Json = ["exchange-for-species"]

USE_CARDS_WRONG: list[tuple[Json, str]] = [
    (None, "expected a list of card actions, found null"),
    ("discard", 'expected a list of card actions, found "discard"'),
    ([D], "the hand has 9 cards, but there are 1 actions"),
    (uses(D, *[KEEP] * 9), "the hand has 9 cards, but there are 10 actions"),
    (uses(), 'exactly one action must be "discard", found 0'),
    (uses(D, D), 'exactly one action must be "discard", found 2'),
    (uses("discard"), '[0]: expected a card action, a list that begins with its name, found "discard"'),
    (uses(D, ["burn"]), "[1]: expected a card action, a list that begins with its name, found a list of 1"),
    (uses(D, []), "[1]: expected a card action, a list that begins with its name, found a list of 0"),
    (uses(D, [[]]), "[1]: expected a card action, a list that begins with its name, found a list of 1"),
    (uses(["discard", 0]), '[0]: expected a "discard", a list of 1, found a list of 2'),
    (uses(D, ["add-trait"]), '[1]: expected a "add-trait", a list of 2, found a list of 1'),
    (uses(D, ["add-trait", -1]), "[1][1]: expected a whole number, at least 0, found -1"),
    (uses(D, ["exchange-for-body", True]), "[1][1]: expected a whole number, at least 0, found true"),
    (uses(D, ["add-trait", 1]), "board 1 is not new: no trait can be added to it"),
    (uses(D, ["add-trait", 2]), "board 2 does not exist: the row has 2"),
    (uses(D, ["add-trait", 2], ["add-trait", 2], NEW), "board 2 would have climbing twice"),
    (uses(D, ["add-trait", 2], NEW, ["add-trait", 2], NEW, *[["add-trait", 2]] * 2),
     "board 2 would have more than 3 traits"),
    (uses(D, ["replace-trait", 0, "herding"]), 'board 0 has no trait "herding" to replace'),
    (uses(D, ["replace-trait", 0, 1]), "board 0 has no trait 1 to replace"),
    (uses(D, ["replace-trait", 0, []]), "board 0 has no trait a list of 0 to replace"),
    (uses(D, ["replace-trait", 9, "horns"]), "board 9 does not exist: the row has 2"),
    (uses(D, ["replace-trait", 0, "horns"], ["replace-trait", 0, "carnivore"]),
     "board 0 would have climbing twice"),
    (uses(D, ["exchange-for-body", 0]), "board 0 would have body 8"),
    (uses(D, ["exchange-for-population", 0]), "board 0 would have population 8"),
    (uses(D, ["exchange-for-population", 4]), "board 4 does not exist: the row has 2"),
]  # fmt: skip


# --- design 4 ----------------------------------------------------------------------------------------


def card(food: int, name: str) -> Json:
    return {"name": name, "food": food}


def move(food: int, name: str, *action: Json) -> Json:
    return (card(food, name), {"action": action})


ORDER: Json = [{"name": "1.1"}, {"name": "1.2"}, {"name": "1.3"}]
OLD: Json = {"moves": [[move(2, "long-neck", "place", 0)]], "arrange": [ORDER[:2]]}
TABLE: dict[str, Json] = {
    "food_card": [card(-3, "ambush")],
    "moves": [[move(2, "long-neck", "trade", "sb"), move(1, "horns", "place", 2)]],
    "arrange": [ORDER],
    "attack": [{"name": "2.2"}] * 9,
}

TABLE_WRONG: list[tuple[dict[str, Json], str]] = [
    ({"food_card": [None]}, "food_card: expected a trait card, an object, found null"),
    ({"food_card": [{"name": "ambush"}]}, 'food_card: the key "food" of a trait card is missing'),
    ({"food_card": [{**card(-3, "ambush"), "x": 1}]}, 'food_card: a trait card has no key "x"'),
    ({"food_card": [card(-3, "Ambush")]}, 'food_card: ["name"]: expected a trait, found "Ambush"'),
    ({"food_card": [card(-4, "ambush")]},
     'food_card: ["food"]: food of ambush must be a whole number from -3 to 3, found -4'),
    ({"food_card": [card(3, "ambush")]}, "food_card: there is no such card in the hand: 3 ambush"),
    ({"food_card": [LookupError("food")]}, "food_card: LookupError: food"),
    ({"moves": [None]}, "moves: expected a list of (card, action) tuples, found null"),
    ({"moves": [[move(2, "long-neck", "trade", "sb")] * 2]},
     "moves: there is no such card in the hand: 2 long-neck"),
    ({"moves": [[move(-3, "ambush", "trade", "sb")]]},  # the food card
     "moves: there is no such card in the hand: -3 ambush"),
    ({"moves": [[move(food, name, "trade", "sb") for food, name in HAND[1:5]]]},
     "moves: there are at most 3 moves, found 4"),
    ({"moves": [[move(2, "long-neck", "trade", "xx")]]},
     'moves: [0][1]["action"]: there is no action ("trade", "xx")'),
    ({"moves": [[move(2, "long-neck", "eat", 1)]]}, 'moves: [0][1]["action"]: there is no action ("eat", 1)'),
    ({"moves": [[move(2, "long-neck", "place", -1)]]},
     'moves: [0][1]["action"]: expected a whole number, at least 0, found -1'),
    ({"moves": [[move(2, "long-neck", "place", "1.1")]]},
     'moves: [0][1]["action"]: expected a whole number, at least 0, found "1.1"'),
    ({"moves": [[move(2, "long-neck", "place")]]},
     'moves: [0][1]["action"]: expected ("trade", "sb", "bs" or "ps") or ("place", board), a list of 2, '
     "found a list of 1"),
    ({"moves": [[(card(2, "long-neck"), ("trade", "sb"))]]},
     'moves: [0][1]: expected an action, an object with the one key "action", found a list of 2'),
    ({"moves": [[card(2, "long-neck")]]},
     "moves: [0]: expected a (card, action) tuple, a list of 2, found an object"),
    ({"moves": [[("long-neck", {"action": ("trade", "sb")})]]},
     'moves: [0][0]: expected a trait card, an object, found "long-neck"'),
    ({"moves": [[move(2, "long-neck", "place", 2)]]}, "moves: board 2 does not exist: the row has 2"),
    ({"moves": [[move(2, "long-neck", "place", 1)]]},  # an old board without traits
     "moves: board 1 is not new: no trait can be added to it"),
    ({"moves": [[move(2, "long-neck", "trade", "sb"), move(1, "horns", "place", 2),
                 move(2, "horns", "place", 2)]]},
     "moves: board 2 would have horns twice"),
    ({"arrange": [None]}, "arrange: expected a list of species boards, found null"),
    ({"arrange": [ORDER[::-1]]}, "arrange: the boards stay in their order, 1.1, 1.2, 1.3"),
    ({"arrange": [ORDER[:2]]}, "arrange: the boards stay in their order, 1.1, 1.2, 1.3"),
    ({"arrange": [["1.1", "1.2", "1.3"]]}, 'arrange: [0]: expected an object with a "name", found "1.1"'),
    ({**OLD, "discards": [None]}, "discards: expected a list of (board, card) tuples, found null"),
    ({**OLD, "discards": [[]]}, "discards: 1 cards were placed on 1.1, so 1 must go, not 0"),
    ({**OLD, "discards": [[({"name": "1.2"}, card(0, "horns"))]]},
     'discards: no card was placed on a board "1.2"'),
    ({**OLD, "discards": [[({"name": "9.9"}, card(0, "horns"))]]},
     'discards: no card was placed on a board "9.9"'),
    ({**OLD, "discards": [[({"name": "1.1"}, card(0, "herding"))]]},
     'discards: the board has no "herding" to discard'),
    ({**OLD, "discards": [[({"name": "1.1"}, card(0, "horns"))] * 2]}, "discards: horns is discarded twice"),
    ({**OLD, "discards": [[{"name": "1.1"}]]},
     "discards: [0]: expected a (board, card) tuple, a list of 2, found an object"),
    ({"moves": [[move(1, "horns", "place", 0)]], "arrange": [ORDER[:2]],
      "discards": [[({"name": "1.1"}, card(0, "carnivore"))]]},
     "discards: board 0 would have horns twice"),
    ({"attack": ["2.2"]}, 'attack: expected an object with a "name", found "2.2"'),
    ({"attack": [False]}, 'attack: expected an object with a "name", found false'),
    ({"attack": [{"name": "2.9"}]}, 'attack: there is no board "2.9"'),
    ({"attack": [{"name": "2.1"}]}, "attack: 1.1 cannot attack 2.1"),
    ({"attack": [{"name": "1.1"}]}, "attack: 1.1 attacks itself"),
    ({"attack": [StopIteration("nobody")]}, "attack: StopIteration: nobody"),
]  # fmt: skip

RIGHT = {"stepwise": STEPWISE, "cardwise": CARDWISE, "table": TABLE}
WRONG = [
    (design, answers, reason)
    for design, wrong in (
        ("stepwise", STEPWISE_WRONG),
        ("cardwise", CARDWISE_WRONG),
        ("table", TABLE_WRONG),
    )
    for answers, reason in wrong
]
IN_FEEDING = ("select_attack:", "feed:", "attack:")


def copied(answers: dict[str, Json]) -> dict[str, Json]:
    return {request: list(those) for request, those in answers.items()}


@pytest.mark.parametrize("design", RIGHT)
def test_with_the_right_answers_the_first_turn_is_survived(design: str) -> None:
    lines: list[str] = []
    game = laid_game(design, Recorder(**copied(RIGHT[design])), lines)
    game.turn()
    assert game.result().thrown_out == []
    assert any('"feed"' in line and '"player":1' in line for line in lines), "it was asked to feed"


@pytest.mark.parametrize(
    ("design", "answers", "reason"), WRONG, ids=[f"{design}-{reason[:60]}" for design, _, reason in WRONG]
)
def test_a_wrong_answer_costs_the_seat_and_the_reason_names_the_request(
    design: str, answers: dict[str, Json], reason: str
) -> None:
    thrown_out, _ = outcome(design, copied({**RIGHT[design], **answers}))
    native = "feed_next" if reason.startswith(IN_FEEDING) else "choose"
    assert thrown_out == [(1, f"{native}: {reason}")]


def test_the_table_of_wrong_answers_is_long_enough() -> None:
    assert len(WRONG) + len(USE_CARDS_WRONG) >= 40
    assert len({(design, reason) for design, _, reason in WRONG}) > 90


@pytest.mark.parametrize(
    ("answer", "reason"), USE_CARDS_WRONG, ids=[reason[:60] for _, reason in USE_CARDS_WRONG]
)
def test_where_use_cards_breaks_a_rule_the_game_chooses_and_logs_it(answer: Json, reason: str) -> None:
    lines: list[str] = []
    player = Recorder(**copied({**CARDWISE, "use_cards": [answer]}))
    game = laid_game("cardwise", player, lines)
    game.turn()
    assert game.result().thrown_out == []
    events = [json.loads(line) for line in lines]
    at = next(at for at, event in enumerate(events) if event["event"] == "choose")
    assert events[at + 1] == {
        "event": "remark",
        "player": 1,
        "remark": f"use_cards: {reason}: the game has chosen instead",
    }
    # In card order: ambush -3 is food, climbing 0 pays for a board with climbing 1, fertile 2 and 3 grow
    # it, herding -1 replaces its trait.
    assert events[at]["action"] == [0, [[2, 3]], [[2, 4]], [[1, 2]], [[2, 0, 8]]]
    requests = [request for request, *_ in player.calls]
    assert requests[1:3] == ["use_cards", "place_species"], "a side for the board that the game has bought"


class Answers(silly_designs.CardwiseSilly):
    """A player that gives this answer, whatever it is, whenever it has to use its cards."""

    answer: Callable[[], Json]

    def use_cards(self, hand: Json) -> Json:
        return self.answer()


@pytest.mark.parametrize("number", range(len(NO_ACTIONS)))
def test_whatever_use_cards_answers_is_no_more_than_a_reason_for_the_game_to_choose(number: int) -> None:
    answer, reason = NO_ACTIONS[number]
    lines: list[str] = []
    player = Answers()
    player.answer = answer
    agents: list[Any] = [Inside(adapted("cardwise", player)), Silly(), Silly()]
    result = Game(agents, shuffled_deck(3), Log(lines.append, ["one"] * 3, None)).play()
    assert result.thrown_out == []
    events = [json.loads(line) for line in lines]
    turns = sum(event["event"] == "turn" for event in events)
    remarks = [event["remark"] for event in events if event["event"] == "remark"]
    assert len(remarks) == turns > 1
    assert all(remark.startswith(f"use_cards: {reason}") for remark in remarks), remarks
    silly = Game([Silly(), Silly(), Silly()], shuffled_deck(3)).play()
    if "fat-tissue" not in "".join(lines):
        assert result.ranking == silly.ranking


def test_a_coroutine_is_an_answer_that_the_game_replaces() -> None:
    coroutine = later()
    player = Recorder(**copied({**CARDWISE, "use_cards": [coroutine]}))
    lines: list[str] = []
    game = laid_game("cardwise", player, lines)
    game.turn()
    coroutine.close()
    assert game.result().thrown_out == []
    assert any(made_of("coroutine") in line for line in lines)


@pytest.mark.parametrize(
    ("design", "notice"),
    [
        ("cardwise", "game_state_updated"),
        ("table", "fed"),
        ("table", "scoreboard"),
        ("stepwise", "game_over"),
    ],
)
def test_what_a_notice_returns_is_not_looked_at(design: str, notice: str) -> None:
    player = Recorder(**copied({**RIGHT[design], notice: [3, Touchy(), Untold(), *[Touchy()] * 99]}))
    lines: list[str] = []
    game = laid_game(design, player, lines)
    game.turn()
    result = game.result()
    assert result.thrown_out == []
    first = next(one for one in game.table.players if one.id == 1)
    game._agents[first].game_over(result.told_to(first))
    assert notice in [request for request, *_ in player.calls]


@pytest.mark.parametrize(
    ("design", "notice", "native"),
    [("cardwise", "game_state_updated", "changed"), ("table", "fed", "changed")],
)
def test_a_notice_that_fails_costs_the_seat(design: str, notice: str, native: str) -> None:
    thrown_out, _ = outcome(design, copied({**RIGHT[design], notice: [ValueError("too loud")]}))
    assert thrown_out == [(1, f"{native}: {notice}: ValueError: too loud")]


@pytest.mark.parametrize("design", RIGHT)
def test_a_notice_of_the_end_that_fails_changes_nothing(design: str) -> None:
    player = {"stepwise": silly_designs.StepwiseSilly, "cardwise": silly_designs.CardwiseSilly,
              "table": silly_designs.TableSilly}[design]()  # fmt: skip
    for notice in ("game_over", "scoreboard"):
        setattr(player, notice, lambda *_: 1 / 0)
    agents: list[Any] = [Inside(adapted(design, player)), Silly(), Silly()]
    result = Game(agents, shuffled_deck(3)).play()
    assert result.thrown_out == []
    assert len(result.ranking) == 3


@pytest.mark.parametrize(
    ("design", "request_name"),
    [("stepwise", "trade_cards_for_boards"), ("cardwise", "use_cards"), ("table", "moves")],
)
def test_an_exception_without_words_costs_the_seat_and_nothing_else(design: str, request_name: str) -> None:
    thrown_out, _ = outcome(design, copied({**RIGHT[design], request_name: [Mute()]}))
    said = "Mute: an exception that does not say what is wrong"
    assert thrown_out == [(1, f"choose: {request_name}: {said}")]


def test_a_native_player_cannot_stop_a_game_by_an_exception_without_words() -> None:
    class Fails(Silly):
        def start(self, view: Start) -> None:
            raise Mute

    result = Game([Fails(), Silly(), Silly()]).play()
    assert result.thrown_out == [(1, "start: an exception that does not say what is wrong")]


def first_calls(player: Any, *others: Any) -> list[tuple[Json, ...]]:
    Game([*others, Inside(adapted("cardwise", player))], shuffled_deck(3)).play()
    calls: list[tuple[Json, ...]] = player.calls
    return calls


def test_the_first_game_state_comes_before_anything_is_handed_out() -> None:
    calls = first_calls(Recorder(place_species=["left"]), Silly(), Silly())
    nothing = {"players": [[], [], []], "playerId": 2, "wateringHoleTokens": 0}
    assert calls[0] == ("game_state_updated", nothing)
    bare = [[["food", 0], ["body", 0], ["population", 1], ["traits", []]]]
    for at in range(3):
        rows = [bare] * (at + 1) + [[]] * (2 - at)
        assert calls[at + 1] == ("game_state_updated", {**nothing, "players": rows})
    assert [request for request, *_ in calls[4:6]] == ["place_species", "use_cards"]


def test_over_a_network_the_first_game_state_is_the_empty_table_too() -> None:
    player = Recorder(place_species=["left", "right"])
    adapter = adapted("cardwise", player)
    adapter.start(Start(0, 0, [board()], [(0, "horns"), (1, "horns"), (2, "horns"), (3, "horns")]))
    assert player.calls == [], "nobody knows yet how many they are"
    adapter.choose([[board()]], [[board()]])
    states = [arguments[0] for request, *arguments in player.calls if request == "game_state_updated"]
    assert states[0] == {"players": [[], [], []], "playerId": 1, "wateringHoleTokens": 0}
    assert [len(row) for row in states[1]["players"]] == [1, 1, 1]
    requests = [request for request, *_ in player.calls]
    assert requests == ["game_state_updated"] * 2 + ["place_species", "use_cards", "place_species"]


@pytest.mark.parametrize("what", ["body size", "population"])
def test_a_trade_for_growth_is_wrong_where_nothing_can_grow(what: str) -> None:
    move_it = move(2, "long-neck", "trade", "bs" if what == "body size" else "ps")
    player = Recorder(**copied({**TABLE, "moves": [[move_it]]}))
    lines: list[str] = []
    game = laid_game("table", player, lines)
    for one in game.table.players[0].boards:
        one.body = one.population = 7
    game.turn()
    assert game.result().thrown_out == [(1, f"choose: moves: no board has a {what} below 7")]


@pytest.mark.parametrize(
    ("design", "answers"), [("stepwise", {"select_attack": [False]}), ("table", {"attack": [None]})]
)
def test_declining_is_no_offence(design: str, answers: dict[str, Json]) -> None:
    lines: list[str] = []
    game = laid_game(design, Recorder(**copied({**RIGHT[design], **answers})), lines)
    game.turn()
    assert game.result().thrown_out == []
    assert '{"event":"feed","player":1,"choice":false}\n' in lines


OWN_ATTACKS = [
    ("stepwise", {"select_attack": [[2, 1], False]}),
    ("cardwise", {"feed": [[1, 0, 0], [0, 0, 1], False]}),
    ("table", {"attack": [{"name": "1.2"}, None]}),
]


@pytest.mark.parametrize(("design", "answers"), OWN_ATTACKS)
def test_a_board_of_ones_own_can_be_attacked(design: str, answers: dict[str, Json]) -> None:
    lines: list[str] = []
    game = laid_game(design, Recorder(**copied({**RIGHT[design], **answers})), lines)
    game.turn()
    assert game.result().thrown_out == []
    assert '{"event":"feed","player":1,"choice":[0,2,1]}\n' in lines


@pytest.mark.parametrize("design", ["stepwise", "table"])
def test_where_nobody_can_attack_nobody_is_asked(design: str) -> None:
    player = Recorder()
    adapter = adapted(design, player)
    adapter.start(Start(1, 0, [board("carnivore")], []))
    adapter.sight.choose([], [[board("climbing")]])
    assert adapter.feed_next(State(0, [board("carnivore")], [], 1, [[board("climbing")]])) is DECLINE
    assert player.calls == []


def test_a_remark_is_told_in_the_story_of_the_game_and_replayed() -> None:
    from harness.games.replay import replay

    lines: list[str] = []
    player = Recorder(**copied({**CARDWISE, "use_cards": [[]] * 99, "place_species": ["right"] * 99}))
    agents: list[Any] = [Inside(adapted("cardwise", player)), Silly(), Silly()]
    result = Game(agents, shuffled_deck(3), Log(lines.append, ["one"] * 3, None)).play()
    assert sum('"remark"' in line for line in lines) > 1
    again = replay("".join(lines).encode())
    assert (again.ranking, again.thrown_out) == (result.ranking, result.thrown_out)


@pytest.mark.parametrize("design", RIGHT)
def test_a_player_without_the_methods_of_its_design_is_thrown_out(design: str) -> None:
    agents: list[Any] = [Inside(adapted(design, object())), Silly(), Silly()]
    result = Game(agents, shuffled_deck(1)).play()
    first = {"stepwise": "choose: trade_cards_for_boards", "cardwise": "changed: game_state_updated",
             "table": "choose: food_card"}  # fmt: skip
    assert result.thrown_out == [(1, f"{first[design]}: object has no such method")]
    assert len(result.ranking) == 2


# --- anything at all -----------------------------------------------------------------------------------

numbers = st.integers(-2, 9)
words = st.sampled_from(
    ["left", "right", "discard", "keep", "add-trait", "trade", "place", "sb", "Horns", "horns", "name"]
)
plain_values = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | words | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=9) | st.dictionaries(words, inner, max_size=3),
    max_leaves=12,
)
own_cards = st.lists(st.sampled_from([*HAND, *([food, SPELLED[trait]] for food, trait in HAND)]), max_size=3)
named_boards = st.sampled_from([{"name": name} for name in ("1.1", "1.2", "2.2", "3.1")])
anything = st.one_of(
    plain_values, own_cards, numbers, st.lists(numbers, max_size=3), named_boards, st.just(b"")
)
REQUESTS = {
    "stepwise": [*STEPWISE],
    "cardwise": ["place_species", "use_cards", "feed", "game_state_updated"],
    "table": [*TABLE, "discards"],
}


@pytest.mark.long
@pytest.mark.parametrize("design", RIGHT)
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_whatever_is_answered_the_others_finish_and_a_reason_names_the_request(
    design: str, data: st.DataObject
) -> None:
    request = data.draw(st.sampled_from(REQUESTS[design]))
    answer = data.draw(anything)
    thrown_out, _ = outcome(design, copied({**RIGHT[design], request: [answer] * 9}))
    assert thrown_out in ([], [(1, thrown_out[0][1])] if thrown_out else [])
    for _, reason in thrown_out:
        assert reason.split(": ")[1] in (*REQUESTS[design], "discards", "scoreboard", "game_over"), reason


@pytest.mark.parametrize(
    ("design", "request_name"),
    [("stepwise", "trade_cards_for_boards"), ("cardwise", "use_cards"), ("table", "moves")],
)
def test_the_reason_says_where_in_the_players_code_an_exception_came_from(
    design: str, request_name: str
) -> None:
    answers = copied({**RIGHT[design], request_name: [RuntimeError("no idea")]})
    ((_, why),) = laid_game(design, Recorder(**answers), []).play().thrown_out
    told = rf"choose: {request_name}: RuntimeError: no idea \(turns\.py, line \d+: raise answer"
    assert re.match(told, why)
