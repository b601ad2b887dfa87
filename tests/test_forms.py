"""The common form: what goes beyond it, which form each of our cases has, and `harness check --form`."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.fixtures.forms import form_of, forms_of, growth_of, with_growth
from harness.programs.answering import PROGRAMS
from tests.helpers import ROOT, run, species

Json = Any

FIXTURES = ROOT / "test-fixtures"
CASES = [path for program in PROGRAMS for path in sorted(FIXTURES.rglob(f"{program}/*-in.json"))]
WORM = species()
WOLF = species(traits=["carnivore"])
STATE = [0, [WORM], [[1, "horns"]], 1, [[WOLF], []]]


def player(at: int, boards: Json = (), cards: Json = None) -> Json:
    pairs = [["id", at], ["species", list(boards)], ["bag", 0]]
    return pairs if cards is None else [*pairs, ["cards", cards]]


def table(*players: Json, hole: int = 1, deck: Json = ()) -> Json:
    return [list(players), hole, list(deck)]


THREE = [player(1, [WORM], [[1, "horns"]]), player(2, [WOLF]), player(3)]


def step4(*growth: Json) -> Json:
    hands = [[[0, "ambush"], [1, "ambush"], [2, "ambush"]], [[0, "horns"]], [[0, "herding"]]]
    players = [player(at, [WORM], hand) for at, hand in enumerate(hands, 1)]
    nothing = [0, [], [], [], []]
    return [table(*players), [[0, *growth, [], []], nothing, nothing]]


@pytest.mark.parametrize(
    ("program", "value"),
    [
        ("xattack", [WORM, WOLF, False, WORM]),
        ("xfeed", [player(1, [WORM]), 1, []]),
        ("xfeed", [player(1, [WORM]), 1, [player(2), player(3, [WOLF])]]),
        ("xstep", table(*THREE, deck=[[2, "horns"]])),
        ("xstep", table(*THREE, hole=2**31 - 1)),
        ("xstep", table(player(1, [species(traits=["fat-tissue"], body=1, fat_food=1)]), *THREE[1:])),
        ("xstep4", step4([["population", 0, 1]], [["body", 0, 2]])),
        ("xstep4", step4([[0, 1]], [[0, 2]])),
        ("xstep4", step4([], [])),
        ("xsilly", [player(1, [], [[0, "horns"], [1, "horns"], [2, "horns"]]), [], [[WORM], [WORM]]]),
    ],
)
def test_what_everybody_reads_is_in_the_common_form(program: str, value: Json) -> None:
    assert (forms_of(program, value), form_of(program, value)) == ((), "common")


@pytest.mark.parametrize(
    ("program", "value", "forms"),
    [
        ("xattack", [STATE, [0, 0, 0]], ["a State"]),
        ("xfeed", STATE, ["a State"]),
        ("xstep", STATE, ["a State"]),
        ("xstep4", [STATE, [0, [], [], [], []]], ["a State"]),
        ("xsilly", STATE, ["a State"]),
        ("xstep", [*STATE[:2], [[1, "horns"], [1, "horns"]], *STATE[3:]], ["a State", "equal cards"]),
        ("xstep", table(*THREE[:2]), ["fewer than 3 players"]),
        ("xstep4", [table(*THREE[:1]), [[0, [], [], [], []]]], ["fewer than 3 players"]),
        ("xfeed", [player(1), 1, [player(2), player(2)]], ["equal ids"]),
        ("xstep", table(*THREE, player(1)), ["equal ids"]),
        ("xstep", table(*THREE, deck=[[1, "horns"]]), ["equal cards"]),
        ("xsilly", [player(1, [], [[0, "horns"]] * 3), [], []], ["equal cards"]),
        ("xstep4", step4([["population", 0, 1]], [[0, 2]]), ["mixed labels"]),
        ("xstep", table(*THREE, hole=2**31), ["huge numbers"]),
        ("xstep", table(player(1, [species(traits=["fat-tissue"], fat_food=0)]), *THREE[1:]), ["fat-food 0"]),
        ("xstep", table(player(1, [], []), *THREE[1:]), ["empty cards"]),
        ("xattack", [species(body=1, fat_food=1), WOLF, False, False], ["fat-food without fat-tissue"]),
        ("xstep", table(player(2**31), player(2**31)), ["fewer than 3 players", "equal ids", "huge numbers"]),
    ],
)
def test_what_others_need_not_read_is_named(program: str, value: Json, forms: list[str]) -> None:
    assert list(forms_of(program, value)) == forms
    assert form_of(program, value) == "generous"


@pytest.mark.parametrize(
    ("growth", "kind"),
    [
        (([], []), ""),
        (([["population", 0, 1]], []), "labelled"),
        (([], [[0, 1]]), "unlabelled"),
        (([[0, 1]], [["body", 0, 2]]), "mixed"),
    ],
)
def test_growth_is_told_and_rewritten(growth: Json, kind: str) -> None:
    value = step4(*growth)
    assert growth_of(value) == kind
    if kind:
        assert growth_of(with_growth(value, "labelled")) == "labelled"
        assert growth_of(with_growth(value, "unlabelled")) == "unlabelled"
    both = step4([["population", 0, 1]], [["body", 0, 2]])
    assert with_growth(step4([[0, 1]], [["body", 0, 2]]), "labelled") == both
    assert with_growth([STATE, both[1][0]], "unlabelled") == [STATE, [0, [[0, 1]], [[0, 2]], [], []]]


# --- our own cases -------------------------------------------------------------------------------


@pytest.mark.parametrize("path", CASES, ids=lambda path: str(path.relative_to(FIXTURES)))
def test_a_case_has_the_form_that_its_folder_says(path: Path) -> None:
    program, value = path.parent.name, json.loads(path.read_text())
    if path.is_relative_to(FIXTURES / "generous"):
        assert len(forms_of(program, value)) == 1  # its point
    else:
        assert forms_of(program, value) == ()
        assert program != "xstep4" or growth_of(value) in ("", "labelled")


def test_each_program_with_tables_has_cases_in_both_forms() -> None:
    for program in ("xfeed", "xstep", "xstep4", "xsilly"):
        assert {
            path.is_relative_to(FIXTURES / "generous") for path in CASES if path.parent.name == program
        } == {
            True,
            False,
        }


# --- harness check --form ------------------------------------------------------------------------


def write(folder: Path, name: str, value: Json) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-in.json").write_text(json.dumps(value))


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    write(tmp_path / "xstep", "common", table(*THREE))
    write(tmp_path / "xstep", "small", table(*THREE[:2], deck=[[1, "horns"]]))
    write(tmp_path / "xsilly", "state-like", [player(1, [], [[0, "horns"]] * 3), [], []])
    assert run("harness", "bless", str(tmp_path)).status == 0
    return tmp_path


def test_check_finds_the_cases_that_others_need_not_read(cases: Path) -> None:
    told = run("harness", "check", str(cases), "--form", "common")
    assert told.status == 1
    assert told.out.decode().splitlines() == [
        f"{cases}/xsilly/state-like: generous form",
        "  others need not read equal cards",
        f"{cases}/xstep/small: generous form",
        "  others need not read fewer than 3 players, equal cards",
        "3 cases checked: 2 generous form",
    ]


def test_check_finds_the_cases_that_everybody_reads(cases: Path) -> None:
    told = run("harness", "check", str(cases), "--form", "generous", "--json")
    assert [json.loads(line) for line in told.out.splitlines()] == [
        {
            "case": f"{cases}/xstep/common",
            "kind": "common form",
            "remark": False,
            "words": ["every program reads it"],
            "reasons": [],
        }
    ]


def test_no_form_is_found_unless_it_is_asked_for(cases: Path) -> None:
    told = run("harness", "check", str(cases))
    assert (told.status, told.out.decode()) == (0, "3 cases checked: nothing is wrong\n")


def test_there_are_no_other_forms(cases: Path) -> None:
    told = run("harness", "check", str(cases), "--form", "generic")
    assert (told.status, told.out) == (2, b"")
