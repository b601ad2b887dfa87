"""Features of inputs, and which of them tells failures from passes."""

import json
from random import Random
from typing import Any

import pytest

from harness.fixtures.cases import find_cases, program_of
from harness.programs.answering import PROGRAMS
from harness.search.features import features_of, separating
from tests.support.helpers import ROOT


def board(*traits: str, food: int = 0, body: int = 0, population: int = 1) -> list[Any]:
    return [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]


def player(number: int, *boards: Any, cards: "list[Any] | None" = None) -> list[Any]:
    pairs: list[Any] = [["id", number], ["species", list(boards)], ["bag", 0]]
    return pairs if cards is None else [*pairs, ["cards", cards]]


def test_a_situation_is_described_by_its_four_boards() -> None:
    shell = board("hard-shell", population=2)
    found = features_of("xattack", [shell, board("carnivore", "ambush", body=3), False, board("symbiosis")])
    assert "the defender has hard-shell" in found
    assert "the attacker has ambush and carnivore" in found
    assert "there is no left neighbour" in found
    assert "the right neighbour has symbiosis" in found
    assert "hard-shell alone stops an attack (a difference of 3)" in found
    assert "the right answer is false" in found


def test_a_table_is_described_by_its_boards_and_by_what_the_rules_make_of_it() -> None:
    first = player(1, board("foraging", "cooperation", population=3), board(population=2))
    table = [[first, player(2), player(3)], 4, []]
    found = features_of("xstep", table)
    assert "a board has cooperation and foraging" in found
    assert "a forager, once more, eats" in found
    assert "the last board of a row eats because its neighbour has cooperation" in found
    assert "the watering hole is empty" not in found


def test_an_action_is_described_by_its_exchanges_and_by_whether_it_is_legal() -> None:
    cards = [[0, "horns"], [1, "climbing"], [2, "ambush"]]
    table = [[player(1, board(population=7), cards=cards), player(2), player(3)], 0, []]
    nobody: list[Any] = [[0, [], [], [], []]] * 2
    found = features_of("xstep4", [table, [[0, [["population", 0, 1]], [], [[2]], []], *nobody]])
    assert "an action is illegal (population above 7)" in found
    assert "a board would grow beyond 7" in found
    assert "growth is labelled" in found
    assert "a board is bought without traits legally" not in found
    assert "the right answer is nothing" in found


def test_a_generous_form_is_a_feature() -> None:
    assert "there are fewer than 3 players" in features_of("xstep", [[player(1, board())], 1, []])
    assert "two players have the same id" in features_of("xstep", [[player(1)] * 3, 1, []])


def test_what_is_no_input_has_no_features() -> None:
    assert features_of("xstep", [1, 2]) == ()


@pytest.mark.parametrize("program", [name for name in PROGRAMS if (ROOT / "test-fixtures" / name).is_dir()])
def test_every_case_that_comes_along_has_features(program: str) -> None:
    for case in find_cases([str(ROOT / "test-fixtures" / program)]):
        if program_of(case.input) == program and PROGRAMS[program].events:
            with open(case.input, encoding="utf-8") as file:
                assert features_of(program, json.load(file)), case.name


# Which of them separates


def test_the_feature_that_all_failures_have_and_no_pass_is_exact() -> None:
    found = separating([{"x", "y"}] * 6, [{"y"}] * 40)
    assert found is not None
    assert found.words == ("x",)
    assert (found.passing, found.missed) == (0, 0)


def test_two_features_are_told_together_if_neither_does_alone() -> None:
    passes = [{"x"}] * 20 + [{"y"}] * 20 + [{"z"}] * 20
    found = separating([{"x", "y"}] * 8, passes)
    assert found is not None
    assert set(found.words) == {"x", "y"}
    assert (found.passing, found.missed) == (0, 0)


def test_one_feature_is_preferred_to_two() -> None:
    found = separating([{"x", "y", "z"}] * 6, [{"y"}] * 20 + [{"z"}] * 20)
    assert found is not None
    assert found.words == ("x",)


def test_a_feature_that_nearly_separates_is_told_with_its_exceptions() -> None:
    found = separating([{"x"}] * 9 + [set()], [{"x"}] + [{"y"}] * 50)
    assert found is not None
    assert (found.words, len(found.failing), found.passing, found.missed) == (("x",), 9, 1, 1)


def test_a_part_of_the_failures_is_described_if_that_is_no_chance() -> None:
    found = separating([{"x"}] * 6 + [{"y"}] * 3, [{"y"}] * 50)
    assert found is not None
    assert found.failing == (0, 1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("failures", "passes"),
    [
        ([{"x"}] * 2, [{"y"}] * 50),  # too few
        ([{"x"}] * 9, []),  # nothing to compare with
        ([{"x"}] * 3, [{"y"}] * 3),  # as likely by chance
        ([{"x"}] * 6, [{"x"}] * 6 + [{"y"}] * 40),  # half of those with the feature pass
    ],
)
def test_what_could_be_chance_is_not_told(failures: list[set[str]], passes: list[set[str]]) -> None:
    assert separating(failures, passes) is None


def test_among_many_features_more_cases_are_needed() -> None:
    few = [{"y"}] * 20
    rng = Random(1)
    many = [{f"{number}" for number in range(60) if rng.random() < 0.4} for _ in range(20)]
    assert separating([{"x"}] * 3, few) is not None
    assert separating([{"x"}] * 3, many) is None
    assert separating([{"x"}] * 6, many) is not None
