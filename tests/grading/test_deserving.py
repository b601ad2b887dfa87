"""Marks have to be deserved: idle programs get none, in gradings and in fests."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support.grading_helpers import harness, lines
from tests.support.helpers import BIN, ROOT, Json, species
from tests.support.keeper import write_case, write_program

FIXTURES = ROOT / "test-fixtures"
HONEST = f'#!/bin/sh\nexec "{BIN}/$(basename "$0")"\n'
TEAMS = {
    "honest": HONEST,
    "silent": "#!/bin/sh\nexit 0\n",
    "echo": "#!/bin/sh\ncat\n",
    "false": "#!/bin/sh\necho false\n",
}
CASES = {
    "xattack": ["hard-shell-difference-four", "hard-shell-difference-three"],
    "xfeed": ["nothing-without-boards"],
    "xstep": ["player-without-boards"],
    "xstep4": ["body-of-eight"],
}
WOLF = species(0, 3, 2, ["carnivore"])
SHELL = [species(0, 0, 2, ["hard-shell"]), WOLF, False, False]  # false
HERD = [species(), WOLF, False, False]  # true


class Graded(NamedTuple):
    """A course, what its grading said, the total of each team, and its verdicts."""

    course: Path
    told: str
    totals: dict[str, str]
    verdicts: dict[str, list[str]]


@pytest.fixture
def course(tmp_path: Path) -> Path:
    return with_teams(tmp_path)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Graded:
    """Such a course that has been graded once."""
    course = with_teams(tmp_path_factory.mktemp("course"))
    return Graded(course, *grade(course))


def with_teams(tmp_path: Path) -> Path:
    """A few cases that nothing has to be known for, two that differ, and teams of which one is honest."""
    for program, names in CASES.items():
        for name in names:
            given, expected = (FIXTURES / program / f"{name}-{half}.json" for half in ("in", "out"))
            write_case(tmp_path / "suite" / program, name, given.read_text(), expected.read_text())
        for team, text in TEAMS.items():
            write_program(tmp_path / "teams" / team / program, text)
    return tmp_path


def grade(
    course: Path, *more: str, teams: Iterable[str] = TEAMS
) -> tuple[str, dict[str, str], dict[str, list[str]]]:
    """What a grading says, the total of each team, and its verdicts."""
    folders = [f"teams/{team}" for team in teams]
    done = harness(course, "grade", *folders, "--suite", "suite", "--sandbox", "off", *more)
    assert done.returncode == 0, done.stderr
    rows = [line.split(",") for line in (course / "grades" / "scores.csv").read_text().splitlines()[1:]]
    verdicts: dict[str, list[str]] = {}
    for result in lines(course / "grades" / "results.jsonl"):
        verdicts.setdefault(result["team"], []).append(result["verdict"])
    return done.stdout, {row[1]: row[2] for row in rows}, verdicts


def test_idle_teams_get_nothing_and_honest_ones_everything(graded: Graded) -> None:
    _, told, totals, verdicts = graded
    assert totals == {"honest": "5", "silent": "0", "echo": "0", "false": "0"}
    assert verdicts["honest"] == ["pass"] * 5
    assert verdicts["echo"][-2:] == ["undeserved pass", "too many values"]
    assert verdicts["silent"][2::2] == ["undeserved pass", "undeserved pass"]
    assert verdicts["false"][:2] == ["wrong answer", "constant answer"]
    assert (
        "false: xattack passes nothing, since it gave one and the same answer to all 2 cases: false" in told
    )


@pytest.mark.long
def test_what_is_known_already_is_worth_the_same(graded: Graded) -> None:
    course, _, *before = graded
    told, *after = grade(course)
    assert "programs started: 0;" in told
    assert after == before


def test_all_reports_say_it(graded: Graded) -> None:
    course = graded.course
    feedback = (course / "grades" / "feedback" / "silent.md").read_text()
    assert "undeserved pass: refuses, but refuses the legal twin, too" in feedback
    assert "which it did. But it was also given this twin of the case," in feedback
    feedback = (course / "grades" / "feedback" / "false.md").read_text()
    assert "constant answer: one and the same answer to all 2 cases: false" in feedback
    gradescope = json.loads((course / "grades" / "gradescope" / "false.json").read_text())
    assert gradescope["score"] == 0
    assert not any(test["status"] == "passed" for test in gradescope["tests"])
    assert 'failures="5"' in (course / "grades" / "junit" / "false.xml").read_text()


def test_the_same_answer_to_one_suite_is_no_sign_if_there_is_another_one(course: Path) -> None:
    """A team that takes hard shells for soft ones, and knows everything else."""
    soft = "#!/bin/sh\ngrep -q hard-shell && echo true || echo false\n"
    write_program(course / "teams" / "false" / "xattack", soft)
    write_case(
        course / "xattack" / "other", "call", json.dumps([species(), species(), False, False]), "false"
    )
    _, totals, _ = grade(course, "--suite", "xattack/other", teams=["false"])
    assert totals["false"] == "2"


def test_a_case_without_a_twin_counts_and_is_named(course: Path) -> None:
    write_case(course / "suite" / "xsilly", "ill-formed", "[]", "")
    write_program(course / "teams" / "silent" / "xsilly", TEAMS["silent"])
    told, totals, _ = grade(course, teams=["silent"])
    assert totals["silent"] == "1"
    assert "suite xsilly: passed without a twin, which could not be made: ill-formed" in told


def test_in_a_fest_idle_programs_neither_withstand_nor_let_anybody_find_something(tmp_path: Path) -> None:
    for team in ("honest", "false"):
        write_program(tmp_path / team / "xattack", TEAMS[team])

    def bring(team: str, value: Json, expected: str) -> None:
        write_case(tmp_path / team / "tests" / "xattack", expected, json.dumps(value), expected)

    bring("honest", SHELL, "false")
    bring("false", HERD, "true")
    done = harness(tmp_path, "fest", "honest", "false", "--sandbox", "off", "--out", "out")
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out" / "fest.json").read_text())
    assert found["found"] == []
    assert found["withstood"] == [["false", "honest", "xattack"]]
