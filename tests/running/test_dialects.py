"""Runs in a program's dialect: what is sent, what is withheld, and what is said about it."""

import json
import subprocess
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.helpers import BIN, ROOT, shell
from tests.support.picky import STATE, WORM, grown, write_picky

Record = dict[str, Any]


class Team(NamedTuple):
    """A folder with programs, and where a run is started."""

    folder: Path
    place: Path

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A run of these programs."""
        return subprocess.run(
            [BIN / "harness", "run", "--bin", self.folder, "--sandbox", "off", *arguments],
            cwd=self.place,
            capture_output=True,
            text=True,
            check=False,
        )

    def program(self, name: str, text: str) -> None:
        """Write a program."""
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    made = Team(tmp_path / "team", ROOT)
    for name in ("xfeed", "xstep4"):
        write_picky(made.folder, name, tmp_path / f"last-{name}")
    return made


def journal(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def case(folder: Path, name: str, value: object, expected: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-in.json").write_text(json.dumps(value, separators=(",", ":")) + " \n")
    (folder / f"{name}-out.json").write_text(expected)
    return str(folder / name)


# Our cases


def test_our_cases_are_sent_in_the_programs_own_way(team: Team) -> None:
    done = team.run("-k", "xstep4/grow")
    assert done.returncode == 0, done.stdout
    assert "dialect: growth unlabelled, " in done.stdout
    assert " 0 failed\n" in done.stdout


def test_what_was_really_sent_is_what_is_seen_again(team: Team, tmp_path: Path) -> None:
    path = case(tmp_path / "cases" / "xstep4", "wrong", grown(True), "[]")
    done = team.run("--dialect", "auto", "--json", str(tmp_path / "journal"), path)
    (record,) = journal(tmp_path / "journal")
    assert record["verdict"] == "wrong answer"
    assert json.loads(record["sent"]) == grown(False)
    assert json.loads((tmp_path / "last-xstep4").read_text()) == grown(False)
    again = next(line for line in done.stdout.splitlines() if "see it again: " in line).partition(": ")[2]
    assert shell(again, cwd=ROOT).out.decode() == record["stdout"]


def test_the_journal_keeps_the_dialects_and_a_resumed_run_has_them(team: Team, tmp_path: Path) -> None:
    cases = tmp_path / "cases"
    case(cases / "xstep4", "one", grown(True), "[]")
    team.run("--dialect", "auto", "--json", str(tmp_path / "journal"), str(cases))
    (record,) = journal(tmp_path / "journal")
    assert record["run"]["dialects"]["xstep4"]["growth"] == "unlabelled"
    case(cases / "xstep4", "two", grown(True), "[]")
    done = subprocess.run(
        [BIN / "harness", "run", "--resume", tmp_path / "journal"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.count("see it again: echo ") == 1 + 1


# Paths that somebody names


def test_a_path_that_is_named_is_sent_byte_for_byte(team: Team, tmp_path: Path) -> None:
    path = case(tmp_path / "cases" / "xstep4", "labelled", grown(True), "[]")
    done = team.run(path)
    assert (tmp_path / "last-xstep4").read_text() == Path(f"{path}-in.json").read_text()
    assert "no output" in done.stdout
    assert "dialect" not in done.stdout
    assert "xstep4/labelled-in.json\n" in done.stdout.partition("see it again: ")[2]


def test_a_generous_form_is_withheld_and_counted_by_reason(team: Team, tmp_path: Path) -> None:
    folder = tmp_path / "cases" / "xfeed"
    case(folder, "state", STATE, "0")
    doubled = [["id", 1], ["species", []], ["bag", 0]]
    case(folder, "ids", [[["id", 1], ["species", [WORM, WORM]], ["bag", 0]], 2, [doubled]], "0")
    done = team.run("--dialect", "auto", "--json", str(tmp_path / "journal"), str(folder))
    assert done.returncode == 0, done.stdout
    assert "1 case was withheld, in forms that the program does not read: a State 1\n" in done.stdout
    assert "1 passed, 0 failed, 1 withheld\n" in done.stdout
    withheld = [one for one in journal(tmp_path / "journal") if one["verdict"] == "withheld"]
    assert [(one["case"], one["detail"]) for one in withheld] == [(str(folder / "state"), "a State")]


def test_if_nothing_at_all_was_asked_that_is_no_success(team: Team, tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xfeed", "state", STATE, "0")
    done = team.run("--dialect", "auto", str(tmp_path / "cases"))
    assert done.returncode == 1
    assert "NOTHING WAS ASKED" in done.stdout
    assert "0 passed, 0 failed, 1 withheld\n" in done.stdout


@pytest.mark.parametrize(("dialect", "status"), [("common", 1), ("generous", 0)])
def test_a_dialect_can_be_said_instead_of_found_out(
    team: Team, tmp_path: Path, dialect: str, status: int
) -> None:
    team.program("xfeed", f'#!/bin/sh\nexec "{BIN / "xfeed"}"\n')
    case(tmp_path / "cases" / "xfeed", "state", STATE, "0")
    done = team.run("--dialect", dialect, str(tmp_path / "cases"))
    assert done.returncode == status, done.stdout
    assert ("1 withheld" in done.stdout) == (dialect == "common")


def test_a_dialect_can_be_read_from_what_harness_dialect_prints(team: Team, tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xstep4", "grown", grown(True), "[]")
    (tmp_path / "dialect.toml").write_text('[dialect]\nxstep4 = { growth = "unlabelled" }\n')
    team.run("--dialect", str(tmp_path / "dialect.toml"), str(tmp_path / "cases"))
    assert json.loads((tmp_path / "last-xstep4").read_text()) == grown(False)


@pytest.mark.parametrize(
    ("text", "status", "complaint"),
    [
        (None, 2, "No such file or directory; say auto, common, generous, or the name of a file"),
        ("[dialect", 65, "not TOML"),
        ("title = 3", 65, "there is neither a table [dialect] nor a [[team]] in it"),
        ("[dialect.xstep4]\ngrowth = 3", 65, "dialect.xstep4: growth must be one of labelled"),
        ("[[team]]\nname = 'ada'", 65, "[[team]] 1: needs a path"),
    ],
)
def test_a_file_that_says_no_dialect_is_refused(
    team: Team, tmp_path: Path, text: str | None, status: int, complaint: str
) -> None:
    if text is not None:
        (tmp_path / "dialect.toml").write_text(text)
    case(tmp_path / "cases" / "xfeed", "state", STATE, "0")
    done = team.run("--dialect", str(tmp_path / "dialect.toml"), str(tmp_path / "cases"))
    assert done.returncode == status
    assert complaint in done.stderr


def test_who_answers_no_probe_is_asked_what_everybody_reads(team: Team, tmp_path: Path) -> None:
    team.program("xstep4", f"#!/bin/sh\ncat > '{tmp_path}/last-xstep4'\n")
    case(tmp_path / "cases" / "xstep4", "grown", grown(False), "[]")
    done = team.run("--dialect", "auto", str(tmp_path / "cases"))
    assert "xstep4 has answered none of the probes; it is asked in the common form, growth labelled\n" in (
        done.stdout
    )
    assert json.loads((tmp_path / "last-xstep4").read_text()) == grown(True)


def test_what_is_no_input_at_all_is_sent_as_it_is(team: Team, tmp_path: Path) -> None:
    folder = tmp_path / "cases" / "xfeed"
    case(folder, "odd", [1, 2], "")
    (folder / "text-in.json").write_text("not JSON")
    (folder / "text-out.json").write_text("")
    done = team.run("--dialect", "auto", "-j", "1", str(folder))
    assert "2 passed, 0 failed\n" in done.stdout
    assert (tmp_path / "last-xfeed").read_text() in ("[1,2] \n", "not JSON\n")


def test_a_case_that_is_known_to_fail_and_was_withheld_stays_withheld(team: Team, tmp_path: Path) -> None:
    case(tmp_path / "cases" / "xfeed", "state", STATE, "0")
    (tmp_path / "cases" / "known-failures.txt").write_text("xfeed/state\n")
    done = team.run("--dialect", "common", str(tmp_path / "cases"))
    assert "0 passed, 0 failed, 1 withheld\n" in done.stdout
