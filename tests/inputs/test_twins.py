"""The twins of inputs whose right answer takes no knowledge of the rules."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from harness.fixtures.cases import program_of
from harness.fixtures.forms import forms_of
from harness.inputs.random_inputs import random_input
from harness.inputs.twins import is_answer, table_of, twin_of, why_easy
from harness.judging.compare import parse_values, same
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from tests.support.helpers import ROOT, species

Json = Any

FIXTURES = ROOT / "test-fixtures"
NOTHING_DONE = [0, [], [], [], []]


def easy_cases() -> list[tuple[str, Path]]:
    """The cases of ours that a program may pass which knows nothing, each with why."""
    found = []
    for path in sorted(FIXTURES.rglob("*-in.json")):
        program = program_of(str(path))
        if program in PROGRAMS:
            expected = parse_values(Path(str(path).replace("-in.json", "-out.json")).read_bytes())
            why = why_easy(program, json.loads(path.read_bytes()), expected)
            found += [(why, path)] if why else []
    return found


EASY = easy_cases()


def see_that_it_is_a_twin(program: str, value: Json, twin: Json) -> None:
    assert {*forms_of(program, twin)} <= {*forms_of(program, value)}
    (answer,) = parse_values(reference(program, twin).printed)
    assert is_answer(program, twin, answer)
    assert not same(table_of(program, twin), answer)


def player(at: int, boards: Json = (), cards: Json = None) -> Json:
    pairs = [["id", at], ["species", list(boards)], ["bag", 0]]
    return pairs if cards is None else [*pairs, ["cards", cards]]


def step4(action: Json, boards: Json = (), cards: int = 3) -> Json:
    """An input of xstep4 in which the first of three players does this."""
    hand = [[food, "climbing"] for food in range(cards)]
    players = [player(1, boards, hand), player(2, [], [[0, "horns"]]), player(3, [], [[0, "herding"]])]
    return [[players, 0, []], [action, NOTHING_DONE, NOTHING_DONE]]


def test_there_are_easy_cases_of_each_kind_in_both_forms() -> None:
    assert {why for why, _ in EASY} == {"illegal", "nothing", "unchanged"}
    assert {"generous" in path.parts for _, path in EASY} == {True, False}


@pytest.mark.parametrize("path", [path for _, path in EASY], ids=lambda path: path.name)
def test_every_easy_case_of_ours_has_a_twin(path: Path) -> None:
    program, value = program_of(str(path)), json.loads(path.read_bytes())
    twin = twin_of(program, value)
    assert twin is not None
    see_that_it_is_a_twin(program, value, twin)
    assert twin == twin_of(program, value), "always the same one"


@pytest.mark.parametrize(
    ("value", "twin"),
    [
        pytest.param(step4([3, [], [], [], []]), step4([2, [], [], [], []]), id="food card"),
        pytest.param(
            step4([0, [["population", 0, 9]], [], [], []], [species()]),
            step4([0, [["population", 0, 2]], [], [], []], [species()]),
            id="missing card",
        ),
        pytest.param(
            step4([0, [], [[0, 0]], [], []], [species()]),
            step4([0, [], [[0, 1]], [], []], [species()]),
            id="card used twice",
        ),
        pytest.param(
            step4([0, [[1, 1]], [], [], []], [species()]),
            step4([0, [[0, 1]], [], [], []], [species()]),
            id="missing board",
        ),
        pytest.param(
            step4([0, [[0, 1]], [], [], []]),
            step4([0, [[0, 1]], [], [], []], [species()]),
            id="no board at all",
        ),
        pytest.param(
            step4([0, [], [], [], [[0, 1, 1]]], [species(traits=["horns"])]),
            step4([0, [], [], [], [[0, 0, 1]]], [species(traits=["horns"])]),
            id="missing trait slot",
        ),
        pytest.param(
            step4([0, [[0, 1]], [], [], []], [species(population=7)]),
            step4([0, [[0, 1]], [], [], []], [species(population=6)]),
            id="population above 7",
        ),
        pytest.param(
            step4([0, [], [[0, 1]], [], []], [species(body=7)]),
            step4([0, [], [[0, 1]], [], []], [species(body=6)]),
            id="body above 7",
        ),
    ],
)
def test_only_the_forbidden_part_of_an_action_differs(value: Json, twin: Json) -> None:
    assert twin_of("xstep4", value) == twin


HAND = [[0, "ambush"], [1, "ambush"]]
WOLF = species(traits=["carnivore"])


@pytest.mark.parametrize(
    ("program", "value", "twin"),
    [
        pytest.param(
            "xstep4",
            [[0, [species()], HAND, 1, [[]]], [0, [["population", 1, 1]], [], [], []]],
            [[0, [species()], HAND, 1, [[]]], [0, [["population", 0, 1]], [], [], []]],
            id="an action",
        ),
        pytest.param(
            "xattack",
            [[0, [WOLF], [], 1, [[species()]]], [0, 0, 4]],
            [[0, [WOLF], [], 1, [[species()]]], [0, 0, 0]],
            id="a missing target",
        ),
        pytest.param(
            "xattack",
            [[0, [], [], 1, [[]]], [2, 0, 0]],
            [[0, [WOLF], [], 1, [[species()]]], [0, 0, 0]],
            id="nothing but missing boards",
        ),
    ],
)
def test_what_the_owner_of_a_state_must_not_do_is_allowed_in_the_twin(
    program: str, value: Json, twin: Json
) -> None:
    assert twin_of(program, value) == twin


def test_a_card_that_gives_a_trait_twice_has_another_trait_in_the_twin() -> None:
    value = step4([0, [], [], [[1, 2, 3]], []], cards=4)
    twin = twin_of("xstep4", value)
    changed = twin[0][0][0][3][1][3]
    assert changed[0] == 3, "its food stays"
    assert changed[1] != "climbing"
    twin[0][0][0][3][1][3] = value[0][0][0][3][1][3]
    assert twin == value, "and all else"


def test_a_board_that_could_not_be_attacked_has_one_trait_less_in_the_twin() -> None:
    wolf, tortoise = species(traits=["carnivore"]), species(traits=["hard-shell"])
    value = [[player(1, [wolf]), player(2, [tortoise]), player(3)], 1, []]
    assert twin_of("xstep", value) == [[player(1, [wolf]), player(2, [species()]), player(3)], 1, []]


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("xstep", [[player(1, [species()])], 1, []]),  # something happens to it
        ("xstep4", step4([0, [], [], [], []])),  # it is legal
        ("xfeed", "no feeding"),
        ("xmain", []),
    ],
)
def test_what_is_not_easy_by_the_rules_has_no_twin(program: str, value: Json) -> None:
    assert twin_of(program, value) is None


@pytest.mark.parametrize("program", ["xattack", "xfeed", "xstep", "xstep4"])
def test_whatever_easy_input_there_is_has_a_twin(program: str) -> None:
    rng = random.Random(f"twins of {program}")
    found = 0
    while found < 40:
        value = random_input(program, rng)
        if why_easy(program, value, parse_values(reference(program, value).printed)):
            found += 1
            see_that_it_is_a_twin(program, value, twin_of(program, value))
