"""A legal table of 600 boards that all cooperate, through every command that asks the rules about it."""

import json
from pathlib import Path

import pytest

from tests.support.grading_helpers import harness
from tests.support.helpers import ROOT, Json, player, species
from tests.support.keeper import write_case, write_program

BOARDS = 600
OURS = f'#!/bin/sh\nexec "{ROOT}/bin/xstep" "$@"\n'
WRONG = f'#!/bin/sh\n"{ROOT}/bin/xstep" "$@" | sed "s/cooperation/herding/"\n'
CASE = "ada/tests/xstep/many"


def table(food: int, hole: int) -> Json:
    """One player owns all boards; who eats a token passes one on."""
    boards = [species(food, 0, 7, ["cooperation"])] * BOARDS
    return [[player(boards, number=1), player(number=2), player(number=3)], hole, []]


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    """Ada is right and has such a case, in which feeding the first board feeds all; bob is wrong."""
    write_program(tmp_path / "ada" / "xstep", OURS)
    write_program(tmp_path / "bob" / "xstep", WRONG)
    given, expected = json.dumps(table(0, 4200)), json.dumps(table(1, 4200 - BOARDS))
    write_case(tmp_path / "ada" / "tests" / "xstep", "many", given, expected)
    (tmp_path / "grade.toml").write_text("[own-tests]\npoints = 5\n")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        (f"explain {CASE}", 0, f"],{4200 - BOARDS},[]]"),
        ("check ada/tests", 0, "1 case checked: nothing is wrong"),
        ("run ada/tests --program ada/xstep --twins --sandbox off", 0, "1 passed, 0 failed"),
        pytest.param(
            f"shrink {CASE} bob/xstep --sandbox off",
            0,
            '["population",1],["traits",["cooperation"]]]]],',
            marks=pytest.mark.long,
        ),
        pytest.param("fest ada bob --sandbox off", 0, "1 cases brought, 1 admitted", marks=pytest.mark.long),
        pytest.param(
            "grade ada bob --config grade.toml --suite ada/tests --sandbox off",
            0,
            "1  ada   ",
            marks=pytest.mark.long,
        ),
        pytest.param(f"vote {CASE} ada bob --sandbox off", 1, "1: the rules, ada\n", marks=pytest.mark.long),
    ],
)
def test_a_table_of_600_cooperating_boards_is_a_case_like_any(
    teams: Path, line: str, status: int, told: str
) -> None:
    done = harness(teams, *line.split())
    assert done.returncode == status, done.stdout[-2000:] + done.stderr
    assert told in done.stdout
    assert "Traceback" not in done.stderr
