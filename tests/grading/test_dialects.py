"""Grading, fests and votes in the dialects of the teams' programs."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.programs.reference import reference
from tests.support.grading_helpers import harness, lines, started
from tests.support.helpers import BIN, Json
from tests.support.picky import STATE, WORM, grown, write_picky

FED = [[["id", 1], ["species", [WORM, WORM]], ["bag", 0]], 2, []]
CONFIG = """
total = 100
[[suite]]
path = "suites/xfeed"
weight = 1
[[suite]]
path = "suites/xstep4"
weight = 3
"""


def write_case(folder: Path, name: str, program: str, value: Json) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-in.json").write_text(json.dumps(value, separators=(",", ":")))
    (folder / f"{name}-out.json").write_text(reference(program, value).text or "")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A team that reads everything, and one that reads no State and no labels; neither makes mistakes."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("xfeed", "xstep4"):
        write_picky(tmp_path / "picky", name, tmp_path / f"last-{name}")
        reader = tmp_path / "reader" / name
        reader.parent.mkdir(exist_ok=True)
        reader.write_text(f'#!/bin/sh\nexec "{BIN / name}"\n')
        reader.chmod(0o755)
    suites = tmp_path / "suites"
    write_case(suites / "xfeed", "feeding", "xfeed", FED)
    write_case(suites / "xfeed", "state", "xfeed", STATE)
    write_case(suites / "xstep4", "grown", "xstep4", grown(True))
    (tmp_path / "grade.toml").write_text(CONFIG)
    return tmp_path


def grade(course: Path, *options: str) -> Any:
    done = harness(course, "grade", "--config", "grade.toml", "picky", "reader", "--sandbox", "off", *options)
    assert done.returncode == 0, done.stderr
    return done


def scores(course: Path) -> dict[str, list[str]]:
    rows = (course / "grades" / "scores.csv").read_text().splitlines()
    return {row.split(",")[1]: row.split(",")[2:6] for row in rows[1:]}


def test_marks_count_rules_and_not_forms_which_are_found_out_once(course: Path) -> None:
    done = grade(course)
    assert "more starts, to find out what programs read" in done.stdout
    assert scores(course) == {"picky": ["100", "100", "25", "75"], "reader": ["100", "100", "25", "75"]}
    said = "programs were asked in their own dialects, 2 different ones; 1 case was withheld from 1 team"
    assert said in done.stdout
    results = lines(course / "grades" / "results.jsonl")
    told = {(one["team"], one["case"].rpartition("/")[2]): one for one in results}
    assert (told["picky", "state"]["verdict"], told["picky", "state"]["detail"]) == ("withheld", "a State")
    assert {one["verdict"] for place, one in told.items() if place != ("picky", "state")} == {"pass"}
    page = (course / "grades" / "feedback" / "picky.md").read_text()
    assert "1 of the 2 cases were withheld and do not count" in page
    assert "1 case was withheld, in forms that the program does not read: a State 1" in page
    about = json.loads((course / "grades" / "grading.json").read_text())
    assert about["dialects"]["picky"]["xstep4"]["growth"] == "unlabelled"
    again = grade(course)
    assert "more starts" not in again.stdout
    assert started(again) == 0


@pytest.mark.long
def test_the_points_of_a_suite_of_which_nothing_can_be_asked_go_to_the_others(course: Path) -> None:
    for file in (course / "suites" / "xfeed").glob("feeding-*"):
        file.unlink()
    grade(course)
    assert scores(course) == {"picky": ["100", "100", "0", "100"], "reader": ["100", "100", "25", "75"]}


def test_a_dialect_can_be_configured_for_a_team(course: Path) -> None:
    table = '[[team]]\npath = "picky"\n[team.dialect]\nxfeed = { states = true }\nxstep4 = {}\n'
    (course / "grade.toml").write_text(table + CONFIG.replace("total = 100\n", ""))
    done = harness(course, "grade", "--config", "grade.toml", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    assert "more starts" not in done.stdout
    found = {one["case"].rpartition("/")[2]: one["verdict"] for one in lines(course / "grades/results.jsonl")}
    assert found == {"feeding": "pass", "state": "no output", "grown": "no output"}


@pytest.mark.long
def test_the_command_line_goes_before_what_is_configured(course: Path) -> None:
    (course / "grade.toml").write_text(f'dialect = "generous"\n{CONFIG}')
    grade(course)
    assert scores(course)["picky"] == ["12.5", "100", "12.5", "0"]
    grade(course, "--dialect", "auto")
    assert scores(course)["picky"] == ["100", "100", "25", "75"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('dialect = "mine"', 'dialect must be "auto", "common", "generous" or a table, not "mine"'),
        ("[dialect.xstep4]\nstates = 3", "dialect.xstep4: states must be true or false"),
        (
            '[[team]]\npath = "picky"\n[team.dialect]\ngrwth = 3',
            '[[team]] 1, dialect: unknown key "grwth"',
        ),
    ],
)
def test_a_wrong_dialect_in_the_configuration_is_refused(course: Path, text: str, complaint: str) -> None:
    (course / "grade.toml").write_text(f"{text}\n" + CONFIG.replace("total = 100\n", ""))
    done = harness(course, "grade", "--config", "grade.toml", "picky")
    assert done.returncode == 65
    assert complaint in done.stderr
    assert not (course / "grades").exists()


@pytest.mark.long
def test_in_a_fest_nobody_is_found_out_by_a_form(course: Path) -> None:
    for name, program, value in (("state", "xfeed", STATE), ("grown", "xstep4", grown(True))):
        write_case(course / "reader" / "tests" / program, name, program, value)
    done = harness(course, "fest", "picky", "reader", "--sandbox", "off", "--out", "out")
    assert done.returncode == 0, done.stderr
    found = json.loads((course / "out" / "fest.json").read_text())
    assert found["found"] == []
    assert found["withstood"] == [["reader", "picky", "xstep4"]]


@pytest.mark.long
def test_a_vote_asks_each_in_its_own_way_and_withholds_what_it_does_not_read(course: Path) -> None:
    done = harness(course, "vote", "--sandbox", "off", "--all", "suites", "picky", "reader")
    assert done.returncode == 0, done.stdout
    assert "grown (xstep4): all agree\n  2: the rules, picky, reader\n" in done.stdout
    assert "state (xfeed): all agree\n  1: the rules, reader\n" in done.stdout
    assert "withheld from picky, which does not read the form: a State 1\n" in done.stdout
    assert json.loads((course / "last-xstep4").read_text()) == grown(False)


@pytest.mark.long
def test_a_vote_in_which_nobody_was_asked_is_no_agreement(course: Path) -> None:
    done = harness(course, "vote", "--sandbox", "off", "--json", "suites/xfeed/state", "picky")
    assert done.returncode == 1
    assert json.loads(done.stdout)["withheld"] == {"picky": {"a State": 1}}


@pytest.mark.long
def test_random_questions_are_such_that_all_can_read_them(course: Path) -> None:
    done = harness(
        course, "vote", "--sandbox", "off", "--random", "4", "--program", "xstep4", "picky", "reader"
    )
    assert done.returncode == 0, done.stdout
    assert "like the rules: picky, reader\n" in done.stdout
