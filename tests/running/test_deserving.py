"""Passes have to be deserved: twins of easy cases, and programs that give everything the same answer."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.running.test_run import case, harness, place, records, verdicts
from tests.support.helpers import ANSWERING, BIN, PROGRAMS, ROOT
from tests.support.keeper import write_program

__all__ = ["place"]

FIXTURES = ROOT / "test-fixtures"
SILENT = "exit 0"
ECHO = "cat"
HONEST = f'exec "{BIN}/$(basename "$0")"'
# Programs that know nothing, as a line of shell each.
IDLE = {
    "silent": SILENT,
    "failing": "cat >/dev/null; echo 'no idea' >&2; exit 1",
    "crashing": "kill -SEGV $$",
    "echo": ECHO,
    "true": "echo true",
    "false": "echo false",
    "zero": "echo 0",
    "fat": "echo '[0,1]'",
    "attack": "echo '[0,0,0]'",
    "list": "echo '[]'",
    "object": "echo '{}'",
    "count": """echo '{"count": 0}'""",
    "noise": "head -c 30 /dev/urandom",
    "action": "echo '[0,[],[],[[1,2]],[]]'",
    "table": f"cat '{FIXTURES}/xstep/empty-hole-no-attack-out.json'",
    "part": f"exec '{sys.executable}' -IS -c 'import json; print(json.dumps(json.load(open(0))[0]))'",
}
QUICK = {"silent", "false"}  # these are tried whenever tests are run


def programs(folder: Path, line: str, names: tuple[str, ...] = PROGRAMS) -> Path:
    """A folder of programs that all do this."""
    for name in names:
        write_program(folder / name, f"#!/bin/sh\n{line}\n")
    return folder


def step4(food_card: int) -> str:
    """An input of xstep4, legal if the food card is 0."""
    players = [[["id", at], ["species", []], ["bag", 0], ["cards", [[at, "horns"]]]] for at in range(1, 4)]
    return json.dumps([[players, 0, []], [[food_card, [], [], [], []], *[[0, [], [], [], []]] * 2]])


@pytest.fixture
def easy(place: Path) -> Path:
    """A place with three easy cases: nothing to choose, nothing that happens, nothing that is legal."""
    players = [[["id", at], ["species", []], ["bag", 0]] for at in range(1, 4)]
    case(place / "cases/xfeed/full", json.dumps([players[0], 1, players[1:]]), "")
    case(place / "cases/xstep/idle", json.dumps([players, 1, []]), json.dumps([players, 1, []]))
    case(place / "cases/xstep4/illegal", step4(1), "")
    return place


def test_who_does_nothing_passes_no_easy_case(easy: Path) -> None:
    programs(easy / "bin", SILENT)
    harness(easy, "--bin", "bin", "--twins", "--json", "j", "cases")
    told = {record["case"]: (record["verdict"], record["detail"]) for record in records(easy / "j")}
    assert told == {
        "cases/xfeed/full": (
            "undeserved pass",
            "prints nothing, but prints nothing for the twin that has an answer, too",
        ),
        "cases/xstep/idle": ("no output", ""),
        "cases/xstep4/illegal": ("undeserved pass", "refuses, but refuses the legal twin, too"),
    }


def test_who_prints_what_it_reads_passes_no_easy_case(easy: Path) -> None:
    programs(easy / "bin", ECHO)
    done = harness(easy, "--bin", "bin", "--twins", "--json", "j", "cases")
    assert done.returncode == 1
    assert verdicts(easy / "j")["cases/xstep/idle"] == "undeserved pass"
    assert "prints the table unchanged, but does so for the twin that changes, too" in done.stdout


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("grep -q '\\[\\[1, ' && exit 0; kill -SEGV $$", "crashes on the legal twin (SIGSEGV)"),
        ("cat | grep -v '\\[\\[1, \\[\\]'; :", "prints no answer to the legal twin"),
    ],
)
def test_a_refusal_takes_an_answer_to_the_twin(easy: Path, line: str, told: str) -> None:
    programs(easy / "bin", line)
    harness(easy, "--bin", "bin", "--twins", "--json", "j", "cases/xstep4")
    (record,) = records(easy / "j")
    assert (record["verdict"], record["detail"]) == ("undeserved pass", f"refuses, but {told}")


def test_who_knows_the_rules_passes_all_of_them(easy: Path) -> None:
    programs(easy / "bin", HONEST)
    done = harness(easy, "--bin", "bin", "--twins", "cases")
    assert done.stdout.endswith("3 passed, 0 failed\n"), done.stdout


def test_our_own_programs_are_asked_for_the_twins_through_their_streams(easy: Path) -> None:
    done = harness(easy, "--twins", "cases")
    assert "asked through --stream" in done.stdout
    assert done.stdout.endswith("3 passed, 0 failed\n"), done.stdout


def test_a_path_that_is_named_is_run_without_twins_unless_they_are_asked_for(easy: Path) -> None:
    programs(easy / "bin", SILENT)
    done = harness(easy, "--bin", "bin", "cases")
    assert done.stdout.endswith("2 passed, 1 failed\n")


def test_the_answer_to_the_twin_need_not_be_right(easy: Path) -> None:
    """It refuses what is illegal, and answers everything else with a table of its own."""
    programs(easy / "bin", f"'{BIN}/xstep4' >/dev/null || exit; echo '[[],0,[]]'")
    done = harness(easy, "--bin", "bin", "--twins", "cases/xstep4")
    assert done.stdout.endswith("1 passed, 0 failed\n"), done.stdout


def test_what_was_done_with_the_twin_can_be_seen_again(easy: Path) -> None:
    programs(easy / "bin", ECHO)
    harness(easy, "--bin", "bin", "--twins", "--json", "j", "cases/xstep")
    (record,) = records(easy / "j")
    again = subprocess.run(["sh", "-c", record["reproduce"]], cwd=easy, capture_output=True, check=True)
    assert json.loads(again.stdout) == json.loads(record["twin"]) != json.loads(step4(0))[0]
    assert record["stdout"].strip() == record["twin"]


@pytest.mark.long
def test_a_twin_that_takes_too_long_is_a_timeout(easy: Path) -> None:
    programs(easy / "bin", "grep -q '\\[\\[1, ' && exit 0; exec sleep 60")
    harness(easy, "--bin", "bin", "--twins", "--timeout", "0.5", "--json", "j", "cases/xstep4")
    (record,) = records(easy / "j")
    assert record["verdict"] == "timeout"
    assert record["detail"].startswith("not on the case itself, but on the legal twin")


def test_where_no_twin_can_be_made_the_pass_counts_and_it_is_said(place: Path) -> None:
    programs(place / "bin", SILENT, ("xsilly",))
    case(place / "cases/xsilly/ill-formed", "[]", "")
    done = harness(place, "--bin", "bin", "--twins", "cases")
    assert "passed without a twin, which the harness could not make: cases/xsilly/ill-formed" in done.stdout
    assert done.stdout.endswith("1 passed, 0 failed\n")


# --- one and the same answer -----------------------------------------------------------------------


@pytest.fixture
def attacks(place: Path) -> Path:
    """Six cases of which every other one is right for a program that always says false."""
    for number in range(6):
        case(place / f"cases/xattack/{number}", "[]", json.dumps(number % 2 == 0))
    return place


def test_who_always_says_the_same_passes_nothing_and_is_called_that(attacks: Path) -> None:
    programs(attacks / "bin", "echo false")
    done = harness(attacks, "--bin", "bin", "--twins", "--json", "j", "cases")
    assert Counter(verdicts(attacks / "j").values()) == {"wrong answer": 3, "constant answer": 3}
    assert "xattack gave one and the same answer to all 6 cases: false" in done.stdout
    assert done.stdout.endswith("0 passed, 6 failed\n")


def test_where_one_answer_is_always_right_it_passes(place: Path) -> None:
    for number in range(3):
        case(place / f"cases/xattack/{number}", "[]", "false")
    programs(place / "bin", "echo false")
    done = harness(place, "--bin", "bin", "--twins", "cases")
    assert done.stdout.endswith("3 passed, 0 failed\n")


def test_two_different_answers_are_enough(attacks: Path) -> None:
    case(attacks / "cases/xattack/other", "{}", "false")
    programs(attacks / "bin", "grep -q '\\[' && echo false || echo true")
    harness(attacks, "--bin", "bin", "--twins", "--json", "j", "cases")
    assert Counter(verdicts(attacks / "j").values()) == {"wrong answer": 4, "pass": 3}


@pytest.mark.parametrize("partly", [("-k", "[12]"), ("--fail-fast", "-j", "1")])
def test_of_a_part_of_the_cases_nothing_follows(attacks: Path, partly: tuple[str, ...]) -> None:
    programs(attacks / "bin", "echo false")
    harness(attacks, "--bin", "bin", "--twins", "--json", "j", *partly, "cases")
    assert "constant answer" not in verdicts(attacks / "j").values()


def test_a_run_that_is_continued_finds_the_same(attacks: Path) -> None:
    programs(attacks / "bin", "echo false")
    harness(attacks, "--bin", "bin", "--twins", "--json", "j", "-j", "1", "cases")
    whole = verdicts(attacks / "j")
    lines = (attacks / "j").read_text().splitlines(keepends=True)
    (attacks / "j").write_text("".join(lines[:2]))
    done = harness(attacks, "--resume", "j")
    assert verdicts(attacks / "j") == whole
    assert done.stdout.endswith("0 passed, 6 failed\n")


# --- our own cases ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "idle",
    [pytest.param(name, marks=() if name in QUICK else pytest.mark.long) for name in IDLE],
)
def test_who_knows_nothing_passes_none_of_our_cases(place: Path, idle: str) -> None:
    programs(place / "bin", IDLE[idle])
    done = harness(place, "--bin", "bin", "--twins", "-q", str(FIXTURES))
    assert done.stdout.startswith("0 passed, "), done.stdout


@pytest.mark.long
def test_who_knows_the_rules_passes_all_of_our_cases(place: Path) -> None:
    programs(place / "bin", HONEST)
    done = harness(place, "--bin", "bin", "--twins", "-q", str(FIXTURES))
    assert done.stdout.endswith(" passed, 0 failed\n"), done.stdout


def test_others_programs_are_run_on_our_cases_with_twins(place: Path) -> None:
    programs(place / "bin", SILENT, ANSWERING)
    done = harness(place, "--bin", "bin", "--json", "j", "-q")
    assert done.stdout.startswith("0 passed, "), done.stdout
    assert records(place / "j")[0]["run"]["twins"] is True
