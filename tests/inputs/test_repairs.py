"""Inputs that are written anew so that other programs read them."""

from random import Random
from typing import Any

import pytest

from evolution.cards import full_deck
from harness.fixtures.dialect import COMMON, GENEROUS, Dialect
from harness.fixtures.forms import UNLABELLED, forms_of, growth_of, with_growth
from harness.inputs.kinds import is_well_formed
from harness.inputs.random_inputs import random_input
from harness.inputs.repairs import common, fitted
from harness.misreadings import LIBRARY, shows, smallest_cases
from harness.programs.answering import PROGRAMS
from harness.search.guide import Guide

Json = Any

# The smallest cases that show in a generous form, or lose what they show with it, of all that there are.
MOST_LOST = {"xattack": 24, "xfeed": 4, "xstep": 21, "xstep4": 32, "xsilly": 22}


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_input_can_be_written_in_the_common_form(program: str) -> None:
    for seed in range(150):
        value = common(program, random_input(program, Random(seed)))
        assert forms_of(program, value) == ()
        assert is_well_formed(program, value)


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_case_shows_it_shows_in_the_common_form(program: str) -> None:
    cases = {name: found[program] for name, found in smallest_cases().items() if program in found}
    lost = [
        name for name, value in cases.items() if not shows(LIBRARY[name], program, common(program, value))
    ]
    assert len(lost) <= MOST_LOST[program]


@pytest.mark.parametrize("program", PROGRAMS)
def test_what_a_program_reads_stays_as_it_is(program: str) -> None:
    for seed in range(50):
        value = random_input(program, Random(seed))
        assert fitted(program, value, GENEROUS) == value


def table(*players: Json, hole: int = 2) -> Json:
    return [list(players), hole, [[1, "ambush"], [1, "ambush"]]]


def player(number: int, *cards: Json) -> Json:
    hand = [["cards", list(cards)]] if cards else []
    return [["id", number], ["species", []], ["bag", 0], *hand]


def test_only_what_is_not_read_is_changed() -> None:
    value = table(player(4), player(4))
    dialect = Dialect(least_players=2, equal_cards=True)
    assert fitted("xstep", value, dialect) == table(player(4), player(1))


def test_missing_players_come_last_and_have_nothing() -> None:
    value = common("xstep4", [[[player(2, [3, "horns"])], 1, []], [[0, [], [], [], []]]])
    assert value[0][0] == [
        player(2, [3, "horns"]),
        player(1, [0, "ambush"]),
        player(3, [0, "burrowing"]),
    ]
    assert value[1] == [[0, [], [], [], []]] * 3


def test_of_equal_cards_the_one_that_gives_its_trait_keeps_it() -> None:
    hand = [[0, "horns"], [0, "horns"], [0, "horns"]]
    value = common("xstep4", [[[player(1, *hand)], 1, []], [[0, [], [], [[1, 2]], []]]])
    food, pays, trait = value[0][0][0][3][1]
    assert (food[0], pays[0], trait) == (0, 0, [0, "horns"])


def test_growth_is_written_in_the_way_of_the_program() -> None:
    guide = Guide("xstep4", 1, dialect=COMMON._replace(growth=UNLABELLED))
    inputs = [guide.next() for _ in range(30)]
    assert {growth_of(value) for value in inputs} <= {"", UNLABELLED}
    assert any(growth_of(value) for value in inputs)
    assert all(forms_of("xstep4", with_growth(value, "labelled")) == () for value in inputs)


def test_a_deck_of_more_cards_than_there_are_becomes_the_rest_of_them() -> None:
    value = [[player(number, [1, "horns"]) for number in (1, 2, 3)], 2, [[1, "ambush"]] * 200]
    changed = common("xstep", value)
    assert forms_of("xstep", changed) == ()
    assert len(changed[2]) == len(full_deck()) - 3


def test_hands_of_more_cards_than_there_are_cannot_be_in_the_common_form() -> None:
    value = [[player(number, *[[1, "horns"]] * 100) for number in (1, 2, 3)], 2, []]
    assert common("xstep", value) is None
