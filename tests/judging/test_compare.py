"""When two answers are equal, and how they differ in words (formats 7)."""

import copy
import gc
import json
import subprocess
import sys
import time
from random import Random
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader
from harness.judging.compare import (
    ABSENT,
    MOST_LINES,
    MOST_SHOWN,
    meaning_key,
    parse_values,
    same,
    same_at_first_sight,
    smallest_difference,
)
from harness.judging.compare import differences as found_differences
from harness.judging.compare import text_differences as found_text_differences
from harness.judging.difference import COUNTED, MORE, Difference, changes, is_change
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.judging.sentences import sentences
from harness.judging.verdicts import PASS, WRONG
from tests.support import cases

Json = Any


def board(*traits: str, food: int = 0, body: int = 1, population: int = 3, fat: int | None = None) -> Json:
    return cases.make_species(food, body, population, list(traits), fat)


def player(number: Json, *boards: Json, bag: Json = 0, hand: Json = None) -> Json:
    return cases.make_player(number, list(boards), bag, hand)


def table(*players: Json, hole: Json = 3, deck: Json = ()) -> Json:
    return [list(players), hole, list(deck)]


def state(*boards: Json, bag: Json = 0, hand: Json = (), hole: Json = 2, others: Json = ()) -> Json:
    return [bag, list(boards), list(hand), hole, list(others)]


def action(food: Json = 0, gp: Json = (), gb: Json = (), bt: Json = (), rt: Json = ()) -> Json:
    return [food, list(gp), list(gb), list(bt), list(rt)]


def differences(expected: Json, actual: Json, exact: bool = False) -> list[str]:
    """What differs, in words."""
    return sentences(found_differences(expected, actual, exact))


def text_differences(expected: str, actual: str) -> list[str]:
    """Where two texts differ, in words."""
    return sentences(found_text_differences(expected, actual))


def nested(levels: int, core: Json) -> Json:
    for _ in range(levels):
        core = [core]
    return core


RABBIT = board("burrowing", food=1, body=1, population=2)
WOLF = board("carnivore", "climbing", food=2, body=3, population=5)
MOUSE = board(food=0, body=0, population=1)


# Reading


def test_an_output_holds_any_number_of_values_with_white_space_anywhere() -> None:
    assert parse_values(b"") == parse_values(b" \n\t") == []
    assert parse_values(b'[ 1 ,\n"a" ]{"x":null}\n true 2') == [[1, "a"], {"x": None}, True, 2]


@pytest.mark.parametrize(
    "data", [b"[1", b"nope", b"[1] ]", b"\xff", b"NaN", b"\xef\xbb\xbf1", b"[" * 513 + b"]" * 513]
)
def test_what_is_not_json_is_refused(data: bytes) -> None:
    with pytest.raises(NotJSON):
        parse_values(data)


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (b"1", b"1.0", True),
        (b"1", b"1e0", True),
        (b"100", b"1E+2", True),
        (b"0", b"-0.0", True),
        (b"0.5", b"5e-1", True),
        (b"0.1", b"0.10", True),
        (b"0.1", b"0.10000000000000000001", False),
        (b"0.10000000000000000001", b"0.100000000000000000010", True),
        (b"18446744073709551616", b"18446744073709551617", False),
        (b"18446744073709551616", b"18446744073709551616.0", True),
        (b"18446744073709551617", b"18446744073709551617.0", True),
        (b"18446744073709551616", b"18446744073709551617.0", False),
        (b"9007199254740993", b"9007199254740993.0", True),
        (b"9007199254740992", b"9007199254740993.0", False),
        (b"100000000000000000000000", b"1e23", True),
        (b"1e400", b"1e401", False),
        (b"1" + b"0" * 400, b"1e400", True),
        (b"1" * 5000, b"1" * 5000, True),
        (b"1" * 5000, b"1" * 4999 + b"2", False),
        (b"1" * 5000, b"-" + b"1" * 5000, False),
        (b"1" + b"0" * 5000, b"1e5000", True),
        (b"-" + b"9" * 4300, b"-" + b"9" * 4300 + b".0", True),
        (b"1e99999999999999999999", b"1", False),
        (b"1e-99999999999999999999", b"1", False),
        (b"true", b"1", False),
        (b"false", b"0", False),
        (b"true", b"1.0", False),
        (b"null", b"false", False),
        (b'"1"', b"1", False),
        (b'"\\u00e4"', '"ä"'.encode(), True),
        (b'"a"', b'"A"', False),
    ],
    ids=lambda value: f"{value!r:.30}",
)
def test_numbers_and_strings_are_equal_by_value_and_not_by_spelling(
    one: bytes, other: bytes, equal: bool
) -> None:
    for data in (one, other), (b"[%s]" % one, b"[ %s ]" % other), (b'{"x":%s}' % one, b'{"x":%s}' % other):
        left, right = (parse_values(text) for text in data)
        for exact in (False, True):
            assert same(left, right, exact) == equal
            assert same(right, left, exact) == equal
            assert bool(differences(left, right, exact)) != equal
            assert smallest_difference(left, right, exact)


def test_plain_numbers_are_read_as_python_reads_them() -> None:
    values = parse_values(b"[1, 1.0, 0.1, 1e2, -7, 123456789012345678901234567890]")
    assert repr(values) == "[[1, 1.0, 0.1, 100.0, -7, 123456789012345678901234567890]]"


# Equal or not


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (True, 1, False),
        (True, 1.0, False),
        (1, 1.0, True),
        (0, False, False),
        (2**64, 2**64 + 1, False),
        (2**64, float(2**64), True),
        (2**64 + 1, float(2**64), False),
        ([10**5000], [10**5000 + 1], False),
        ([], {}, False),
        ([], None, False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1.0}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ([1], [1, 1], False),
        ([[]], [[], []], False),
        (float("inf"), 10**400, False),
    ],
)
def test_other_values_are_equal_part_by_part(one: Json, other: Json, equal: bool) -> None:
    for exact in (False, True):
        assert same(one, other, exact) == same(other, one, exact) == equal
        assert bool(differences(one, other, exact)) != equal


def test_the_traits_of_a_species_are_a_set_unless_compared_exactly() -> None:
    one, other = board("horns", "climbing"), board("climbing", "horns")
    for left, right in [
        (one, other),
        ([one], [other]),
        (table(player(1, one)), table(player(1, other))),
        (state(one, others=[[one]]), state(other, others=[[other]])),
        ([["traits", ["a", "b"]]], [["traits", ["b", "a"]]]),
    ]:
        assert same(left, right)
        assert not same(left, right, exact=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (["traits", ["a", "b"]], ["traits", ["b", "a"]]),
        ([["traits", ["a", "b"]], 1], [["traits", ["b", "a"]], 1]),
        ([["traits", ["a", "b"], 1]], [["traits", ["b", "a"], 1]]),
        ([["trait", ["a", "b"]]], [["trait", ["b", "a"]]]),
        ([["traits", [1, 2]]], [["traits", [2, 1]]]),
        ({"traits": ["a", "b"]}, {"traits": ["b", "a"]}),
        ([["traits", ["a", "a"]]], [["traits", ["a"]]]),
        ([["traits", ["a", "a", "b"]]], [["traits", ["a", "b", "b"]]]),
    ],
)
def test_other_lists_are_no_sets(one: Json, other: Json) -> None:
    assert not same(one, other)


def test_a_label_of_growth_does_not_count_unless_compared_exactly() -> None:
    labelled = action(1, [["population", 0, 1], [0, 2]], [["body", 0, 3]])
    plain = action(1, [[0, 1], [0, 2]], [[0, 3]])
    assert same(labelled, plain)
    assert same([labelled, plain], [plain, labelled])
    assert not same(labelled, plain, exact=True)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([["population", 0, 1]], [[0, 1]]),
        (action(gp=[["body", 0, 1]]), action(gp=[[0, 1]])),
        (action(gb=[["population", 0, 1]]), action(gb=[[0, 1]])),
        (action(bt=[["body", 0, 1]]), action(bt=[[0, 1]])),
        (action(gp=[["population", 0, "1"]]), action(gp=[[0, "1"]])),
        (action(gp=[["population", 0, True]]), action(gp=[[0, True]])),
        (action(gp=[["population", 0]]), action(gp=[[0]])),
        (action(gp=[["population", 0, 1, 2]]), action(gp=[[0, 1, 2]])),
        (action(gp=[["Population", 0, 1]]), action(gp=[[0, 1]])),
        ([*action(gp=[["population", 0, 1]]), []], [*action(gp=[[0, 1]]), []]),
        ([False, [["population", 0, 1]], [], [], []], [False, [[0, 1]], [], [], []]),
    ],
)
def test_other_words_are_no_labels(one: Json, other: Json) -> None:
    assert not same(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (board(fat=0), board()),
        (player(1, hand=[]), player(1)),
        (board()[::-1], board()),
        (table(player(1), player(2)), table(player(2), player(1))),
        (table(player(1, RABBIT, WOLF)), table(player(1, WOLF, RABBIT))),
        (table(deck=[[1, "horns"], [2, "horns"]]), table(deck=[[2, "horns"], [1, "horns"]])),
        (action(gp=[[0, 1], [1, 2]]), action(gp=[[1, 2], [0, 1]])),
    ],
)
def test_everything_else_counts(one: Json, other: Json) -> None:
    assert not same(one, other)
    assert not same(one, other, exact=True)


# In words


def said(expected: Json, actual: Json, exact: bool = False) -> list[str]:
    """The differences; they are the same on the way from bytes."""
    lines = differences(expected, actual, exact)
    right, printed = (parse_values(json.dumps(value, indent=1).encode())[0] for value in (expected, actual))
    assert differences(right, printed, exact) == lines
    return lines


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (table(hole=3), table(hole=4), ["watering hole: 4, should be 3"]),
        (table(hole=3), table(hole=True), ["watering hole: true, should be 3"]),
        (table(hole=3), table(hole={}), ["watering hole: an object, should be 3"]),
        (
            table(player(1), player(2), player(7, board(food=3))),
            table(player(1), player(2), player(7, board(food=2))),
            ["player 2 (id 7), board 0: food is 2, should be 3"],
        ),
        (
            table(player(1, MOUSE, board(body=2, population=4))),
            table(player(1, MOUSE, board(body=5, population=6))),
            [
                "player 0 (id 1), board 1: population is 6, should be 4",
                "player 0 (id 1), board 1: body is 5, should be 2",
            ],
        ),
        (
            table(player(1, MOUSE, board("ambush"))),
            table(player(1, MOUSE, board("ambush", "horns"))),
            ["player 0 (id 1), board 1: has horns, should not"],
        ),
        (
            table(player(1, MOUSE, board("climbing", "ambush"))),
            table(player(1, MOUSE, board("ambush"))),
            ["player 0 (id 1), board 1: lacks climbing"],
        ),
        (
            table(player(1, board("horns"))),
            table(player(1, board("horns", "horns"))),
            ["player 0 (id 1), board 0: has horns 2 times, should have it once"],
        ),
        (
            table(player(1, board("horns"))),
            table(player(1, board("\x1b[31mred"))),
            [
                "player 0 (id 1), board 0: lacks horns",
                r'player 0 (id 1), board 0: has "\x1b[31mred", should not',
            ],
        ),
        (
            table(player(1, board(fat=2))),
            table(player(1, board(fat=1))),
            ["player 0 (id 1), board 0: fat-food is 1, should be 2"],
        ),
        (
            table(player(1, board())),
            table(player(1, board(fat=1))),
            ["player 0 (id 1), board 0: fat-food is 1, should be 0"],
        ),
        (
            table(player(1, board(fat=2))),
            table(player(1, board())),
            ["player 0 (id 1), board 0: fat-food is 0, should be 2"],
        ),
        (
            table(player(1, board())),
            table(player(1, board(fat=0))),
            ["player 0 (id 1), board 0: has a fat-food pair of 0, should have none"],
        ),
        (
            table(player(1, board(fat=0))),
            table(player(1, board())),
            ["player 0 (id 1), board 0: lacks the fat-food pair of 0"],
        ),
        (
            table(player(1, board())),
            table(player(1, [*board(), ["fat-food", "much"]])),
            ["player 0 (id 1), board 0: has a pair fat-food, should not"],
        ),
        (
            table(player(1, board())),
            table(player(1, board()[1:])),
            ["player 0 (id 1), board 0: lacks the pair food"],
        ),
        (
            table(player(1, board())),
            table(player(1, [board()[1], board()[0], *board()[2:]])),
            [
                "player 0 (id 1), board 0: pairs in another order: body, food, population, traits, "
                "should be food, body, population, traits"
            ],
        ),
        (
            table(player(1, board("horns"))),
            table(player(1, [*board()[:3], ["traits", "horns"]])),
            ['player 0 (id 1), board 0: traits is "horns", should be a list'],
        ),
    ],
)
def test_boards_differ_by_what_is_on_them(expected: Json, actual: Json, lines: list[str]) -> None:
    assert said(expected, actual) == lines


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (
            table(player(1), player(2, RABBIT, WOLF, MOUSE)),
            table(player(1), player(2, RABBIT, MOUSE)),
            [
                "player 1 (id 2): 1 board missing",
                "player 1 (id 2): board 1 is missing: food 2, body 3, population 5, carnivore, climbing",
            ],
        ),
        (
            table(player(1), player(2, RABBIT)),
            table(player(1), player(2, board(food=1, population=7, fat=1), RABBIT)),
            [
                "player 1 (id 2): 1 board too many",
                "player 1 (id 2): board 0 should not be there: food 1, body 1, population 7, fat-food 1",
            ],
        ),
        (
            table(player(2, RABBIT, WOLF, MOUSE)),
            table(player(2, board("burrowing", food=2, body=1, population=2))),
            [
                "player 0 (id 2): 2 boards missing",
                "player 0 (id 2): board 1 is missing: food 2, body 3, population 5, carnivore, climbing",
                "player 0 (id 2): board 2 is missing: food 0, body 0, population 1",
                "player 0 (id 2), board 0: food is 2, should be 1",
            ],
        ),
        (
            table(player(2, WOLF, MOUSE, RABBIT)),
            table(player(2, MOUSE, board("burrowing", food=2, body=1, population=2))),
            [
                "player 0 (id 2): 1 board missing",
                "player 0 (id 2): board 0 is missing: food 2, body 3, population 5, carnivore, climbing",
                "player 0 (id 2), board 1 (should be board 2): food is 2, should be 1",
            ],
        ),
        (
            table(player(2, WOLF, RABBIT, MOUSE)),
            table(player(2, RABBIT, MOUSE, board("horns", food=3, body=7))),
            [
                "player 0 (id 2): board 0 is missing: food 2, body 3, population 5, carnivore, climbing",
                "player 0 (id 2): board 2 should not be there: food 3, body 7, population 3, horns",
            ],
        ),
        (
            table(player(2, WOLF, RABBIT, MOUSE)),
            table(player(2, RABBIT, WOLF, MOUSE)),
            ["player 0 (id 2): the right boards in another order: 1, 0, 2, should be 0, 1, 2"],
        ),
        (
            table(player(2)),
            table(player(2, [["food", 1], ["traits", [1]]], [1, 2])),
            [
                "player 0 (id 2): 2 boards too many",
                "player 0 (id 2): board 0 should not be there: food 1, traits [1]",
                "player 0 (id 2): board 1 should not be there: [1,2]",
            ],
        ),
        (
            table(player(2, [], [])),
            table(player(2, [], 5)),
            ["player 0 (id 2): board 1 is 5, should be []"],
        ),
    ],
)
def test_boards_are_matched_so_that_one_that_is_missing_does_not_shift_the_others(
    expected: Json, actual: Json, lines: list[str]
) -> None:
    assert said(expected, actual) == lines


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (table(player(1), player(2)), table(player(1), player(3)), ["player 1: id is 3, should be 2"]),
        (table(player(1, bag=4)), table(player(1, bag=3)), ["player 0 (id 1): bag is 3, should be 4"]),
        (
            table(player(1, bag=4)),
            table(player(1, bag=[])),
            ["player 0 (id 1): bag is a list, should be 4"],
        ),
        (
            table(player(1), player(2)),
            table(player(1)),
            ["1 player missing", "player 1 (id 2) is missing: 0 boards, bag 0"],
        ),
        (
            table(player(2, MOUSE)),
            table(player(1, MOUSE, bag=2), player(2, MOUSE)),
            ["1 player too many", "player 0 (id 1) should not be there: 1 board, bag 2"],
        ),
        (
            table(player(1), player(2), player(3)),
            table(player(2), player(3), player(1, bag=1)),
            [
                "players in another order: id 2, id 3, id 1, should be id 1, id 2, id 3",
                "player 2 (id 1): bag is 1, should be 0",
            ],
        ),
        (
            table(player(1), player(1)),
            table(player(1), player(1, bag=1), player(1)),
            [
                "1 player too many",
                "player 2 (id 1) should not be there: 0 boards, bag 0",
                "player 1 (id 1): bag is 1, should be 0",
            ],
        ),
        (
            table(player(1)),
            table(player(1, hand=[])),
            ["player 0 (id 1): has an empty cards pair, should have none"],
        ),
        (table(player(1, hand=[])), table(player(1)), ["player 0 (id 1): lacks the empty cards pair"]),
        (
            table(player(1)),
            table(player(1, hand=[[1, "horns"]])),
            [
                "player 0 (id 1), hand: 1 card too many",
                'player 0 (id 1), hand: card 0 should not be there: [1,"horns"]',
            ],
        ),
        (
            table(player(1, hand=[[1, "horns"]])),
            table(player(1, hand="horns")),
            ['player 0 (id 1): cards is "horns", should be a list'],
        ),
        (
            table(player(1, hand=[[1, "horns"], [3, "ambush"]])),
            table(player(1, hand=[[3, "ambush"], [1, "horns"]])),
            [
                "player 0 (id 1), hand: the right cards in another order: "
                '[3,"ambush"], [1,"horns"], should be [1,"horns"], [3,"ambush"]'
            ],
        ),
        (
            table(player(1)),
            table([["id", 1], ["species", False], ["bag", 0]]),
            ["player 0 (id 1): species is false, should be a list"],
        ),
        (
            table(player(1)),
            table([*player(1), ["score", 3]]),
            ["player 0 (id 1): has a pair score, should not"],
        ),
        (
            table(player(1)),
            table([]),
            [
                "player 0: lacks the pair id",
                "player 0: lacks the pair species",
                "player 0: lacks the pair bag",
            ],
        ),
        (
            table([[1], [2]]),
            table([[1], [3]]),
            ["player 0 is [[1],[3]], should be [[1],[2]]"],
        ),
    ],
)
def test_players_differ_by_what_they_have(expected: Json, actual: Json, lines: list[str]) -> None:
    assert said(expected, actual) == lines


HAND = [[1, "horns"], [2, "horns"], [3, "horns"], [-1, "ambush"]]


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (HAND[1:2], HAND[0:1], ['deck: card 0 is [1,"horns"], should be [2,"horns"]']),
        (
            HAND[:2],
            HAND,
            [
                "deck: 2 cards too many",
                'deck: card 2 should not be there: [3,"horns"]',
                'deck: card 3 should not be there: [-1,"ambush"]',
            ],
        ),
        (HAND, HAND[1:], ["deck: 1 card missing", 'deck: card 0 is missing: [1,"horns"]']),
        (
            HAND,
            [*HAND[1:3], [3, "ambush"]],
            [
                "deck: 1 card missing",
                'deck: card 0 is missing: [1,"horns"]',
                'deck: card 2 (should be card 3) is [3,"ambush"], should be [-1,"ambush"]',
            ],
        ),
        (
            HAND,
            [*HAND[1:], [0, "ambush"]],
            ['deck: card 0 is missing: [1,"horns"]', 'deck: card 3 should not be there: [0,"ambush"]'],
        ),
        (
            HAND[:2],
            [HAND[1], HAND[0]],
            [
                'deck: the right cards in another order: [2,"horns"], [1,"horns"], '
                'should be [1,"horns"], [2,"horns"]'
            ],
        ),
        (HAND[:1], [["horns"]], ['deck: card 0 is ["horns"], should be [1,"horns"]']),
        (HAND[:1], [False], ['deck: card 0 is false, should be [1,"horns"]']),
    ],
)
def test_cards_differ_by_number_order_and_value(expected: Json, actual: Json, lines: list[str]) -> None:
    assert said(table(deck=expected), table(deck=actual)) == lines
    assert said(state(hand=expected), state(hand=actual)) == [line.replace("deck", "hand") for line in lines]


def test_a_long_deck_in_another_order_is_cut_to_where_it_differs() -> None:
    deck = [[value, "carnivore"] for value in range(60)]
    (line,) = said(table(deck=deck), table(deck=[*deck[:50], *reversed(deck[50:])]))
    assert line.startswith("deck: the right cards in another order: …")
    assert ', [59,"carnivore"],' in line.partition("should be")[0]
    assert ', [50,"carnivore"],' in line.partition("should be")[2]


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (state(hole=3), state(hole=0), ["watering hole: 0, should be 3"]),
        (state(bag=3), state(bag=0), ["bag: 0, should be 3"]),
        (state(MOUSE, board(food=1)), state(MOUSE, board(food=2)), ["own board 1: food is 2, should be 1"]),
        (
            state(MOUSE, WOLF),
            state(WOLF),
            ["1 own board missing", "own board 0 is missing: food 0, body 0, population 1"],
        ),
        (
            state(MOUSE, RABBIT),
            state(RABBIT, MOUSE),
            ["the right own boards in another order: 1, 0, should be 0, 1"],
        ),
        (
            state(others=[[WOLF, board(food=1)], []]),
            state(others=[[WOLF, board(food=2)], []]),
            ["player 0 of the others, board 1: food is 2, should be 1"],
        ),
        (
            state(others=[[], [WOLF, MOUSE]]),
            state(others=[[], [MOUSE]]),
            [
                "player 1 of the others: 1 board missing",
                "player 1 of the others: board 0 is missing: "
                "food 2, body 3, population 5, carnivore, climbing",
            ],
        ),
        (
            state(others=[[WOLF], [MOUSE]]),
            state(others=[[MOUSE]]),
            [
                "others: 1 player missing",
                'others: player 0 is missing: [[["food",2],["body",3],["population",5]…',
            ],
        ),
        (
            state(others=[[WOLF], [MOUSE]]),
            state(others=[[MOUSE], [WOLF]]),
            ["others: the right players in another order: 1, 0, should be 0, 1"],
        ),
    ],
)
def test_states_differ_from_the_view_of_their_owner(expected: Json, actual: Json, lines: list[str]) -> None:
    assert said(expected, actual) == lines


@pytest.mark.parametrize(
    ("expected", "actual", "line"),
    [
        (2, False, "declines, should feed board 2"),
        (False, 2, "feeds board 2, should decline"),
        (1, 2, "feeds board 2, should feed board 1"),
        ([0, 3], [0, 2], "stores 2 tokens on board 0, should store 3"),
        ([0, 3], [0, 1], "stores 1 token on board 0, should store 3"),
        ([0, 3], [1, 3], "stores 3 tokens on board 1, should store 3 tokens on board 0"),
        ([1, 0, 1], [1, 2, 0], "board 1 attacks board 0 of player 2, should attack board 1 of player 0"),
        (
            [2, 0, 1],
            [1, 2, 0],
            "attacks board 0 of player 2 with board 1, should attack board 1 of player 0 with board 2",
        ),
        (False, [1, 2, 0], "attacks board 0 of player 2 with board 1, should decline"),
        ([1, 2, 0], False, "declines, should attack board 0 of player 2 with board 1"),
        ([0, 1], 1, "feeds board 1, should store 1 token on board 0"),
        (3, [0, 1, 2], "attacks board 2 of player 1 with board 0, should feed board 3"),
        (False, [0, 1], "stores 1 token on board 0, should decline"),
        (False, True, "answers true (attackable), should be false (not attackable)"),
        (True, False, "answers false (not attackable), should be true (attackable)"),
    ],
)
def test_choices_and_booleans_differ_in_one_sentence(expected: Json, actual: Json, line: str) -> None:
    assert said(expected, actual) == [line]


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (action(1), action(2), ["food card: 2, should be 1"]),
        (
            action(gp=[[1, 4]]),
            action(gp=[["population", 1, 3]]),
            ["population: growth 0 is board 1 with card 3, should be board 1 with card 4"],
        ),
        (
            action(gp=[[1, 4]]),
            action(gp=[["body", 1, 4]]),
            ['population: growth 0 is board 1 with card 4 (labelled "body"), should be board 1 with card 4'],
        ),
        (
            action(gb=[[1, 4], [1, 5]]),
            action(),
            [
                "body: 2 growths missing",
                "body: growth 0 is missing: board 1 with card 4",
                "body: growth 1 is missing: board 1 with card 5",
            ],
        ),
        (
            action(gp=[[1, 4], [1, 5]]),
            action(gp=[[1, 5], [1, 4]]),
            [
                "population: the right growths in another order: board 1 with card 5, board 1 with card 4, "
                "should be board 1 with card 4, board 1 with card 5"
            ],
        ),
        (
            action(bt=[[3, 2]]),
            action(bt=[[3, 2, 4]]),
            [
                "new boards: board 0 is paid by card 3 with the traits of cards 2 and 4, "
                "should be paid by card 3 with the trait of card 2"
            ],
        ),
        (
            action(),
            action(bt=[[3]]),
            [
                "new boards: 1 board too many",
                "new boards: board 0 should not be there: paid by card 3 without traits",
            ],
        ),
        (
            action(rt=[[0, 1, 5]]),
            action(rt=[[0, 2, 5]]),
            [
                "replacements: replacement 0 is card 5 into slot 2 of board 0, "
                "should be card 5 into slot 1 of board 0"
            ],
        ),
        (
            action(gp=[[0, 1]], bt=[[3]], rt=[[0, 1, 5]]),
            action(gp=["x"], bt=[[]], rt=[[0]]),
            [
                'population: growth 0 is "x", should be board 0 with card 1',
                "new boards: board 0 is [], should be paid by card 3 without traits",
                "replacements: replacement 0 is [0], should be card 5 into slot 1 of board 0",
            ],
        ),
    ],
)
def test_action4s_differ_by_exchange(expected: Json, actual: Json, lines: list[str]) -> None:
    assert said(expected, actual) == lines


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (False, [[]], ["a list, should be false"]),
        (False, {}, ["an object, should be false"]),
        (table(), False, ["false, should be a list"]),
        (True, [0, 1], ["a list, should be true"]),
        (True, 1, ["1, should be true"]),
        (1, True, ["true, should be 1"]),
        (2, None, ["null, should be 2"]),
        (1, "1", ['"1", should be 1']),
        ("a", "b\n\x1b[2J", [r'"b\n\x1b[2J", should be "a"']),
        ("a", "ä\u202e\ud800", [r'"\xe4\u202e\ud800", should be "a"']),
        ("a", "b" * 100, ['"' + "b" * 40 + '…", should be "a"']),
        ("a" * 100 + "b", "a" * 100 + "c", ['…aaaaaaaaaac", should be …aaaaaaaaaab"']),
        (table(), state(), ["a State, should be a Configuration"]),
        (action(), state(), ["a State, should be an Action4"]),
        ([0, 1], table(), ["a Configuration, should be a FeedingChoice"]),
        ([[1, [2, 4]]], [[1, [2, 3]]], ["[0][1][1]: is 3, should be 4"]),
        ([[1, 2]], [[1, [2]]], ["[0][1]: is a list, should be 2"]),
        ([[1, "a"]], [[1]], ['[0][1]: is missing, should be "a"']),
        ([[1]], [[1, ["a"]]], ['[0][1]: is ["a"], should not be there']),
        ({"a": [1]}, {"a": [2]}, ['["a"][0]: is 2, should be 1']),
        ({"a": 1}, {"b\x07": 1}, ['["a"]: is missing, should be 1', r'["b\x07"]: is 1, should not be there']),
        ([board("b", "a")], [board("c", "a")], ['[0][3][1]: is ["a","c"], should be ["a","b"]']),
        (table()[:2], table(hole=4)[:2], ["[1]: is 4, should be 3"]),
        ([2.5, 1], [2.5, 1.5], ["stores 1.5 tokens on board 2.5, should store 1"]),
    ],
)
def test_values_of_other_shapes_differ_by_kind_or_by_path(
    expected: Json, actual: Json, lines: list[str]
) -> None:
    assert said(expected, actual) == lines


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        (
            table(player(1, board("horns", "ambush"))),
            table(player(1, board("ambush", "horns"))),
            [
                "player 0 (id 1), board 0: the right traits in another order: ambush, horns, "
                "should be horns, ambush"
            ],
        ),
        (
            action(gp=[[1, 4]]),
            action(gp=[["population", 1, 4]]),
            [
                'population: growth 0 is board 1 with card 4 (labelled "population"), '
                "should be board 1 with card 4"
            ],
        ),
        (table(hole=3), table(hole=3.0), []),
    ],
)
def test_an_exact_comparison_has_words_for_what_else_would_not_count(
    expected: Json, actual: Json, lines: list[str]
) -> None:
    assert said(expected, actual, exact=True) == lines
    assert said(expected, actual) == []


def test_the_most_telling_differences_come_first() -> None:
    expected = table(
        player(1, board("horns", food=1, body=1), bag=1, hand=HAND[:1]), player(2, RABBIT, WOLF), deck=HAND
    )
    actual = table(
        player(1, board("ambush", food=2, body=2), bag=2, hand=HAND[1:2]),
        player(2, RABBIT),
        hole=4,
        deck=HAND[1:],
    )
    assert said(expected, actual) == [
        "watering hole: 4, should be 3",
        "player 1 (id 2): 1 board missing",
        "deck: 1 card missing",
        "player 1 (id 2): board 1 is missing: food 2, body 3, population 5, carnivore, climbing",
        'deck: card 0 is missing: [1,"horns"]',
        "player 0 (id 1), board 0: food is 2, should be 1",
        "player 0 (id 1), board 0: body is 2, should be 1",
        "player 0 (id 1), board 0: lacks horns",
        "player 0 (id 1), board 0: has ambush, should not",
        "player 0 (id 1): bag is 2, should be 1",
        'player 0 (id 1), hand: card 0 is [2,"horns"], should be [1,"horns"]',
    ]


def test_no_more_than_fifty_lines_are_said() -> None:
    expected = table(player(1, *[board(food=1, body=body % 7) for body in range(60)]))
    actual = table(player(1, *[board(food=2, body=body % 7) for body in range(60)]))
    lines = said(expected, actual)
    assert len(lines) == MOST_LINES
    assert lines[0] == "player 0 (id 1), board 0: food is 2, should be 1"
    assert lines[-1] == "… and 11 more"
    assert len(said([1] * 50, [2] * 50)) == 50
    assert said([1] * 51, [2] * 51)[-2:] == ["[48]: is 2, should be 1", "… and 2 more"]


# Values of hostile programs


def test_values_that_are_too_large_or_deep_for_words_differ_by_path() -> None:
    expected, actual = list(range(100_000)), list(range(1, 100_001))
    lines = differences(expected, actual)
    assert lines[0] == "[0]: is 1, should be 0"
    assert lines[-1] == "… and more"
    assert len(lines) == MOST_LINES
    boards = [board(food=1)] * 5_000
    assert same(table(player(1, *boards)), table(player(1, *copy.deepcopy(boards))))
    assert differences(table(player(1, *boards)), table(player(1, *boards[:-1]))) == [
        '[0][0][1][1][4999]: is missing, should be [["food",1],["body",1],["population",3],…'
    ]
    assert differences(table(deck=[nested(100, 1)]), table(deck=[nested(100, 2)])) == [
        "[2][0][0][0][0][0][0][0]…[0][0][0][0][0][0][0][0]: is 2, should be 1"
    ]


@pytest.mark.parametrize("levels", [59, 60, 61, 511, 512])
def test_values_may_be_as_deep_as_the_reader_lets_them(levels: int) -> None:
    one, other, third = nested(levels, 1), nested(levels, 1.0), nested(levels, 2)
    assert same(one, other)
    assert not same(one, third)
    assert not same(one, nested(levels + 1, 1))
    assert differences(one, other) == []
    assert len(differences(one, third)) == 1
    assert smallest_difference(one, third)[1:] == ("1", "2")
    data = b"[" * levels + b'["traits"]' * (levels < 512) + b"]" * levels
    assert same(parse_values(data), parse_values(data))


def test_a_caller_that_is_deep_down_already_gets_an_answer() -> None:
    one, other = nested(512, 1), nested(512, 1)

    def dive(levels: int) -> bool:
        return same(one, other) if levels == 0 else dive(levels - 1)

    assert dive(sys.getrecursionlimit() // 2)


@pytest.mark.long
def test_long_and_wide_values_are_compared_in_bounded_time() -> None:
    cards = [[value, "horns"] for value in range(100_000)]
    deck, longer = table(deck=cards), table(deck=[*cards, [0, "horns"]])
    assert same(deck, table(deck=copy.deepcopy(cards)))
    assert differences(deck, longer) == ['[2][100000]: is [0,"horns"], should not be there']
    assert smallest_difference(deck, longer)[0] == "deck"
    text = "x" * 10_000_000
    assert differences([text], [text + "y"]) == ['[0]: is …xxxxxxxxxxy", should be …xxxxxxxxxx"']
    traits = [str(number) for number in range(4000)]
    assert same(board(*traits), board(*reversed(traits)))
    assert len(differences(table(player(1, board(*traits))), table(player(1, board())))) == MOST_LINES
    assert len(differences(dict.fromkeys(traits[:2000], 1), {})) == MOST_LINES
    hands = [table(player(1, hand=[[step * at, "x"] for at in range(1500)])) for step in (1, -1)]
    assert len(differences(*hands)) == MOST_LINES
    assert len(text_differences("a\n" * 100_000, "b\n" * 100_000)) == MOST_LINES


# The smallest part


@pytest.mark.parametrize(
    ("expected", "actual", "part"),
    [
        (table(hole=3), table(hole=4), ("watering hole", "3", "4")),
        (
            table(player(1), player(2, MOUSE, board("b", "a", food=1))),
            table(player(1), player(2, MOUSE, board("a", "b", food=2))),
            (
                "player 1 (id 2), board 1",
                '[["food",1],["body",1],["population",3],["traits",["a","b"]]]',
                '[["food",2],["body",1],["population",3],["traits",["a","b"]]]',
            ),
        ),
        (table(player(1, bag=1)), table(player(1, bag=2)), ("player 0 (id 1), bag", "1", "2")),
        (table(player(1)), table(player(2)), ("player 0, id", "1", "2")),
        (
            table(player(1, hand=HAND[:2])),
            table(player(1, hand=[HAND[0], HAND[2]])),
            ("player 0 (id 1), hand", '[[1,"horns"],[2,"horns"]]', '[[1,"horns"],[3,"horns"]]'),
        ),
        (
            table(player(1, []), player(2)),
            table(player(1), player(2)),
            ("player 0 (id 1), boards", "[[]]", "[]"),
        ),
        (
            table(player(1, [], bag=1)),
            table(player(1)),
            (
                "player 0 (id 1)",
                '[["id",1],["species",[[]]],["bag",1]]',
                '[["id",1],["species",[]],["bag",0]]',
            ),
        ),
        (
            table(player(1, hand=[])),
            table(player(1)),
            (
                "player 0 (id 1)",
                '[["id",1],["species",[]],["bag",0],["cards",[]]]',
                '[["id",1],["species",[]],["bag",0]]',
            ),
        ),
        (
            table([["id", 1], ["x", 1]]),
            table([["id", 1], ["y", 1]]),
            ("player 0 (id 1)", '[["id",1],["x",1]]', '[["id",1],["y",1]]'),
        ),
        (table([[7, 1]]), table([[7, 2]]), ("player 0", "[[7,1]]", "[[7,2]]")),
        (table([["x\x07", 1]]), table([["x\x07", 2]]), (r'player 0, "x\x07"', "1", "2")),
        (table(deck=HAND[:1]), table(), ("deck", '[[1,"horns"]]', "[]")),
        (state(bag=1), state(bag=2), ("bag", "1", "2")),
        (state([]), state(), ("own boards", "[[]]", "[]")),
        (state([["food", 1]]), state([["food", 2]]), ("own board 0", '[["food",1]]', '[["food",2]]')),
        (state(others=[[[]]]), state(others=[[]]), ("player 0 of the others", "[[]]", "[]")),
        (
            state(others=[[], [[["food", 1]]]]),
            state(others=[[], [[["food", 2]]]]),
            ("player 1 of the others, board 0", '[["food",1]]', '[["food",2]]'),
        ),
        (action(1), action(2), ("food card", "1", "2")),
        (action(gp=[[0, 1]]), action(gp=[["population", 0, 2]]), ("population growth", "[[0,1]]", "[[0,2]]")),
        (action(rt=[[0, 1, 2]]), action(), ("replacements", "[[0,1,2]]", "[]")),
        ([1, 0, 1], [1, 0, 2], ("the whole answer", "[1,0,1]", "[1,0,2]")),
        (True, False, ("the whole answer", "true", "false")),
        ({"a": [1, 2]}, {"a": [1, "\x1b"]}, ('["a"][1]', "2", r'"\u001b"')),
        ([[action(gp=[[0, 1]])]], [[action(gp=[["population", 0, 2]])]], ("[0][0][1][0][1]", "1", "2")),
        ([1], [1], ("the whole answer", "[1]", "[1]")),
    ],
)
def test_the_smallest_part_that_can_be_read_by_itself(
    expected: Json, actual: Json, part: tuple[str, str, str]
) -> None:
    assert smallest_difference(expected, actual) == part


def test_an_exact_comparison_shows_parts_as_they_are() -> None:
    assert smallest_difference(action(gp=[[0, 1]]), action(gp=[["population", 0, 1]]), exact=True) == (
        "population growth",
        "[[0,1]]",
        '[["population",0,1]]',
    )
    one, other = table(player(1, board("b", "a"))), table(player(1, board("a", "b")))
    assert '["b","a"]' in smallest_difference(one, other, exact=True)[1]


def test_where_much_differs_the_first_readable_part_is_shown() -> None:
    boards = [board("horns", food=food % 3) for food in range(8)]
    expected = table(player(1, *boards), player(2, *boards))
    actual = copy.deepcopy(expected)
    actual[0][0][1][1][2][0][1] = actual[0][1][1][1][5][0][1] = 3
    assert smallest_difference(expected, actual)[0] == "player 0 (id 1), board 2"


def test_a_part_that_is_too_long_is_cut_to_where_it_differs() -> None:
    cards = [[1, "horns"]] * 100
    where, expected, actual = smallest_difference(table(deck=cards), table(deck=[*cards[:90], [2, "x"]]))
    assert where == "deck"
    assert expected != actual
    assert expected.startswith('…],[1,"horns"],[1')
    assert actual.endswith('[2,"x"]]')
    where, expected, actual = smallest_difference(table(deck=cards), table(deck=cards[1:]))
    assert max(len(expected), len(actual)) <= MOST_SHOWN + 2


# Plain text


@pytest.mark.parametrize(
    ("expected", "actual", "lines"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("a\nb\n", "a  \r\nb\t\n\n \n", []),
        ("", "\n", []),
        ("a\nb\nc", "a\nx\nc", ['line 2: "x", should be "b"']),
        ("a\nb\nc", "a\nb", ['line 3 is missing: "c"']),
        ("a\nb\nc", "a\nb\nc\nd", ['line 4 should not be there: "d"']),
        ("a\nb\nc", "b\nc", ['line 1 is missing: "a"']),
        ("x\n" * 900 + "y\n" + "z\n" * 900, "x\n" * 900 + "z\n" * 900, ['line 901 is missing: "y"']),
        (
            "a\nb\nc",
            "x\nnew\nb\ny",
            ['line 1: "x", should be "a"', 'line 2 should not be there: "new"', 'line 4: "y", should be "c"'],
        ),
        ("a\n\nb", "a\nb", ['line 2 is missing: ""']),
        ("", "oops\x1b[0m", [r'line 1 should not be there: "oops\x1b[0m"']),
        (" a", "a", ['line 1: "a", should be " a"']),
        (
            "1 player id: 2 score: 17\n2 player id: 1 score: 12\n",
            "1 player id: 2 score: 17\n2 player id: 1 score: 11\n",
            ['line 2: "2 player id: 1 score: 11", should be "2 player id: 1 score: 12"'],
        ),
    ],
)
def test_text_differs_line_by_line(expected: str, actual: str, lines: list[str]) -> None:
    assert text_differences(expected, actual) == lines


# For tools


def followed(value: Json, path: tuple[int | str, ...]) -> Json:
    for step in path:
        value = value[step]
    return value


HERD = "player 0 (id 1), board 0"


@pytest.mark.parametrize(
    ("expected", "actual", "recorded"),
    [
        (table(hole=3), table(hole=4), [{"path": [1], "place": "watering hole", "expected": 3, "actual": 4}]),
        (2, False, [{"path": [], "place": "", "expected": 2, "actual": False}]),
        (
            table(player(1), player(7, MOUSE, board(food=3))),
            table(player(1), player(7, MOUSE, board(food=2))),
            [
                {
                    "path": [0, 1, 1, 1, 1, 0, 1],
                    "place": "player 1 (id 7), board 1",
                    "expected": 3,
                    "actual": 2,
                }
            ],
        ),
        (
            table(player(1, board("horns", "climbing", "ambush"))),
            table(player(1, board("herding", "horns", "ambush"))),
            [
                {"path": [0, 0, 1, 1, 0, 3, 1, 1], "place": HERD, "expected": "climbing"},
                {"path": [0, 0, 1, 1, 0, 3, 1, 0], "place": HERD, "actual": "herding"},
            ],
        ),
        (
            table(player(1, board("horns"))),
            table(player(1, board("horns", "horns"))),
            [{"path": [0, 0, 1, 1, 0, 3, 1], "place": HERD, "of": "count", "expected": 1, "actual": 2}],
        ),
        (
            table(player(1, board(), bag=2)),
            table(player(1, board(fat=1), bag=2)),
            [{"path": [0, 0, 1, 1, 0, 4, 1], "place": HERD, "actual": 1}],
        ),
        (
            table(player(2, WOLF, MOUSE)),
            table(player(2, MOUSE)),
            [
                {"path": [0, 0, 1, 1], "place": "player 0 (id 2)", "of": "count", "expected": 2, "actual": 1},
                {"path": [0, 0, 1, 1, 0], "place": "player 0 (id 2), board 0", "expected": WOLF},
            ],
        ),
        (
            table(deck=[[2, "horns"], [1, "horns"]]),
            table(deck=[[1, "horns"], [2, "horns"]]),
            [
                {
                    "path": [2],
                    "place": "deck",
                    "of": "order",
                    "expected": [[2, "horns"], [1, "horns"]],
                    "actual": [[1, "horns"], [2, "horns"]],
                }
            ],
        ),
        (
            table(player(1, MOUSE, board("horns", "ambush", food=3, body=5))),
            table(player(1, board("ambush", food=3, body=5))),
            [
                {"path": [0, 0, 1, 1], "place": "player 0 (id 1)", "of": "count", "expected": 2, "actual": 1},
                {"path": [0, 0, 1, 1, 0], "place": "player 0 (id 1), board 0", "expected": MOUSE},
                {"path": [0, 0, 1, 1, 1, 3, 1, 0], "place": HERD, "expected": "horns"},
            ],
        ),
        (
            [[1]],
            [[float("inf")]],
            [{"path": [0, 0], "place": "", "expected": 1, "actual": "inf", "as_text": ["actual"]}],
        ),
        (
            {"a": [1, 10**30]},
            {"a": [1, "\ud800"]},
            [
                {
                    "path": ["a", 1],
                    "place": "",
                    "expected": "1" + "0" * 30,
                    "actual": '"\\ud800"',
                    "as_text": ["expected", "actual"],
                }
            ],
        ),
    ],
)
def test_a_difference_has_its_place_its_path_and_both_values(
    expected: Json, actual: Json, recorded: list[Json]
) -> None:
    assert changes(found_differences(expected, actual)) == recorded


def test_what_is_too_long_to_be_recorded_is_the_beginning_of_its_text() -> None:
    (change,) = changes(found_differences(["x" * 5000], [1]))
    assert change["as_text"] == ["expected"]
    assert change["expected"] == '"' + "x" * 999
    assert change["actual"] == 1


def test_differences_that_have_but_other_numbers_are_alike() -> None:
    def likeness(expected: Json, actual: Json) -> Json:
        return found_differences(expected, actual)[0].likeness

    food = likeness(table(player(1, board(food=1))), table(player(1, board(food=2))))
    full = [["food", 7], *RABBIT[1:]]
    assert food == likeness(table(player(1, MOUSE, RABBIT)), table(player(1, MOUSE, full)))
    assert food != likeness(table(player(1, board(body=1))), table(player(1, board(body=2))))
    assert likeness(1, 2) == likeness(3, 0) != likeness(1, False)
    assert likeness(True, False) != likeness(False, True)
    lacks = likeness(table(player(1, board("horns"))), table(player(1, board())))
    assert lacks != likeness(table(player(1, board())), table(player(1, board("horns"))))
    assert lacks != likeness(table(player(1, board("ambush"))), table(player(1, board())))
    fewer = likeness(table(player(1, RABBIT)), table(player(1)))
    assert fewer != likeness(table(player(1)), table(player(1, RABBIT)))


# What must always hold


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8)
    | st.sampled_from(["traits", "population", "body", "horns", 0, 1, 1.0]),
    lambda parts: st.lists(parts, max_size=6) | st.dictionaries(st.text(max_size=4), parts, max_size=4),
    max_leaves=30,
)  # fmt: skip
GENERATORS = [
    cases.configuration,
    cases.state,
    lambda rng: rng.choice(cases.step4(rng)[1]),
    cases.step4,
    lambda rng: rng.choice([False, True, rng.randrange(9), [rng.randrange(9), 2], [1, rng.randrange(9), 0]]),
]
ANSWERS = st.builds(lambda make, seed: make(Random(seed)), st.sampled_from(GENERATORS), st.integers(0, 10**9))


def containers(value: Json) -> list[Json]:
    found = [value] if type(value) is list and value else []
    for container in found:
        found += [part for part in container if type(part) is list and part]
    return found


def changed(value: Json, rng: Random, junk: Json) -> Json:
    """The value with something in it changed, or another value altogether."""
    value = copy.deepcopy(value)
    lists = containers(value)
    if not lists or rng.random() < 0.05:
        return junk
    victim = rng.choice(lists)
    place = rng.randrange(len(victim))
    match rng.randrange(6):
        case 0:
            victim[place] = junk
        case 1:
            del victim[place]
        case 2:
            victim.insert(place, junk)
        case 3:
            victim.insert(place, copy.deepcopy(victim[rng.randrange(len(victim))]))
        case 4:
            rng.shuffle(victim)
        case 5 if type(victim[place]) is int:
            victim[place] += 1
    return value


@st.composite
def alike(draw: st.DrawFn) -> tuple[Json, Json]:
    """Two values that have much in common, or nothing, or differ in nothing."""
    value = draw(ANSWERS | JSON)
    rng = Random(draw(st.integers(0, 10**9)))
    other = value
    for _ in range(draw(st.integers(0, 4))):
        other = changed(other, rng, draw(JSON))
    return value, other


def shuffled(value: Json, rng: Random) -> Json:
    """The same answer: traits in another order, labels set or removed, numbers spelt differently."""
    match value:
        case [["food", _], *_]:
            return [[key, rng.sample(part, len(part)) if key == "traits" else part] for key, part in value]
        case [int(food), [*gps], [*gbs], [*bts], [*rts]]:
            growths = [
                [[label, *growth[-2:]] if rng.random() < 0.5 else growth[-2:] for growth in growths]
                for label, growths in (("population", gps), ("body", gbs))
            ]
            return [float(food), *growths, bts, rts]
        case [*parts]:
            return [shuffled(part, rng) for part in parts]
    return value


@given(ANSWERS, st.integers(0, 10**9))
@settings(deadline=None)
def test_what_does_not_count_makes_no_difference(value: Json, seed: int) -> None:
    other = shuffled(value, Random(seed))
    assert same(value, other)
    assert same(other, value)
    assert differences(value, other) == []


@given(JSON | ANSWERS)
@settings(deadline=None)
def test_every_value_equals_itself(value: Json) -> None:
    for exact in (False, True):
        assert same(value, value, exact)
        assert same(value, copy.deepcopy(value), exact)
        assert differences(value, copy.deepcopy(value), exact) == []


def check_paths(found: list[Difference], expected: Json, actual: Json, exact: bool) -> None:
    """Every path leads to where the difference is, and the record of it is JSON that any tool can read."""
    for difference in found:
        if difference.kind in (MORE, *COUNTED):
            continue
        missing = difference.actual is ABSENT
        there = followed(expected if missing else actual, difference.path)
        if exact:
            assert same(there, difference.expected if missing else difference.actual, exact=True)
    recorded = changes(found)
    assert orjson.loads(orjson.dumps(recorded)) == json.loads(json.dumps(recorded)) == recorded
    assert all(map(is_change, recorded))


@given(alike())
@settings(deadline=None, max_examples=3 * settings().max_examples)
def test_differences_are_said_if_and_only_if_there_are_some(values: tuple[Json, Json]) -> None:
    expected, actual = values
    for exact in (False, True):
        equal = same(expected, actual, exact)
        assert same(actual, expected, exact) == equal
        found = found_differences(expected, actual, exact)
        lines = sentences(found)
        check_paths(found, expected, actual, exact)
        assert (lines == []) == equal
        assert len(set(lines)) == len(lines) <= MOST_LINES
        for line in lines:
            assert line.replace("…", "").isascii()
            assert line.isprintable()
            assert len(line) < 700
        place, one, other = smallest_difference(expected, actual, exact)
        assert place.isprintable()
        assert (one == other) == equal
        assert max(len(one), len(other)) <= MOST_SHOWN + 2
        assert differences(expected, actual, exact) == lines
    assert same(expected, actual) or not same(expected, actual, exact=True)


@given(alike())
@settings(deadline=None)
def test_values_that_are_python_equal_and_look_alike_are_the_same(values: tuple[Json, Json]) -> None:
    expected, actual = values
    as_text = [json.dumps(value, sort_keys=True) for value in values]
    if as_text[0] == as_text[1]:
        assert same(expected, actual, exact=True)
    if expected != actual:
        assert not same(expected, actual, exact=True)


@given(st.integers(0, 10**9))
@settings(deadline=None)
def test_one_wrong_number_on_a_board_is_one_line(seed: int) -> None:
    rng = Random(seed)
    expected = cases.configuration(rng)
    places = [(at, row) for at, one in enumerate(expected[0]) for row in range(len(one[1][1]))]
    if not places:
        return
    at, row = rng.choice(places)
    pair = rng.randrange(3)
    actual = copy.deepcopy(expected)
    key, number = actual[0][at][1][1][row][pair]
    actual[0][at][1][1][row][pair][1] = number + 1
    who = f"player {at} (id {expected[0][at][0][1]}), board {row}"
    assert differences(expected, actual) == [f"{who}: {key} is {number + 1}, should be {number}"]
    assert smallest_difference(expected, actual)[0] == who


@given(st.text(), st.text())
@settings(deadline=None)
def test_texts_differ_if_a_line_does(expected: str, actual: str) -> None:
    assert text_differences(expected, expected + " \n") == []
    lines = text_differences(expected, actual)
    stripped = [
        [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []
        for text in (expected, actual)
    ]
    assert (lines == []) == (stripped[0] == stripped[1])
    assert all(line.replace("…", "").isascii() and line.isprintable() for line in lines)


# Loading


def loaded(code: str) -> set[str]:
    script = f"import sys\nbefore = set(sys.modules)\n{code}\nprint(*set(sys.modules) - before)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_what_equal_answers_need_is_loaded_and_no_more() -> None:
    assert loaded("import harness.judging.compare") <= {
        "harness",
        "harness.judging",
        "harness.judging.compare",
        "itertools",
    }
    equal = loaded("import harness.judging.compare as c; assert c.same([1, ['a']], [1.0, ['a']])")
    assert equal <= {"harness", "harness.judging", "harness.judging.compare", "itertools"}
    parsed = loaded("import harness.judging.compare as c; assert c.parse_values(b'[1]') == [[1]]")
    assert not parsed & {"deepdiff", "rich", "decimal", "dataclasses", "harness.judging.structure"}
    assert "deepdiff" in loaded(
        "import harness.judging.compare as c; c.differences([[], 1, []], [[], 2, []])"
    )


# --- at first sight ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"[1,2]", b" [ 1 ,\n2 ]\r\n"),
        (b'{"a":[true,null]}', b'{ "a" : [ true , null ] }'),
        ('["é"]'.encode(), '[ "é" ]'.encode()),
        (b"12345678901234567890123", b" 12345678901234567890123\n"),
    ],
)
def test_what_differs_in_white_space_only_is_the_same_at_first_sight(one: bytes, other: bytes) -> None:
    assert same_at_first_sight(one, other)
    assert same_at_first_sight(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (b"true", b"1"),
        (b"[1]", b"[true]"),
        (b"1", b"1.0"),
        (b"0.1", b"0.10000000000000000001"),
        (b"1 2", b"12"),
        (b"[1 2]", b"[12]"),
        (b"[1 2]", b"[1 2]"),
        (b'" a"', b'"a"'),
        (b'"a b"', b'"ab"'),
        (b"[]", b""),
        (b"", b""),
        (b"[] []", b"[][]"),
        (b"NaN", b"NaN "),
        (b"[\xff]", b"[\xff ]"),
        (b"[" * 100_000, b"[" * 100_000 + b" "),
    ],
    ids=lambda data: repr(data[:12]),
)
def test_what_needs_a_closer_look_is_not_the_same_at_first_sight(one: bytes, other: bytes) -> None:
    assert not same_at_first_sight(one, other)
    assert not same_at_first_sight(other, one)


def test_a_short_text_of_a_long_number_costs_no_more_than_its_text() -> None:
    def seconds(number: str) -> float:
        text = f"[{','.join([number] * 20_000)}]"
        started = time.process_time()
        assert found_differences(
            parse_values(text.encode())[0], parse_values(text.replace("1e", "2e").encode())[0]
        )
        return time.process_time() - started

    assert seconds("1e4299") < 20 * seconds("1e5")  # as integers of 4300 digits, they take 500 times as long
    assert same(parse_values(b"1e100"), parse_values(b"1" + b"0" * 100))
    assert meaning_key(b"1e100") == meaning_key(b"1" + b"0" * 100)
    assert not same(parse_values(b"1e100"), parse_values(b"1" + b"0" * 99 + b"1"))


@pytest.mark.parametrize("cut", range(1, 12))
def test_brackets_in_a_row_are_counted_one_by_one_however_they_are_cut(cut: int) -> None:
    data = b'[[1]][{}]{"]":[[]]}[[[2]]]'
    reader = Reader()
    values = []
    for at in range(0, len(data), cut):
        reader.feed(data[at : at + cut])
        values += [value.data for value in reader]
    assert values == [b"[[1]]", b"[{}]", b'{"]":[[]]}', b"[[[2]]]"]


@pytest.mark.parametrize(
    ("data", "byte"), [(b"[[1]]]]", 5), (b"[1" + b"[" * 600, 513), (b"[" * 500 + b"]" * 501, 1000)]
)
def test_the_bracket_that_is_one_too_many_is_named(data: bytes, byte: int) -> None:
    with pytest.raises(NotJSON) as problem:
        parse_values(data)
    assert problem.value.byte == byte


def test_large_answers_are_judged_like_small_ones() -> None:
    outcome = Outcome()
    for count in (3, 6000):
        wanted = json.dumps([[["food", 0], ["traits", ["horns", "ambush"]]]] * count).encode()
        for printed, verdict in (
            (wanted.replace(b'"horns", "ambush"', b'"ambush", "horns"'), PASS),
            (wanted.replace(b"0", b"1", 1), WRONG),
        ):
            outcome.stdout, outcome.exit = printed, 0
            assert judge(wanted, outcome, exact=False, as_text=False).verdict == verdict
    assert gc.isenabled()
