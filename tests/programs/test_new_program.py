"""A program is one row of one table: with a row and a launcher, everything in the house knows a new one."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.inputs.kinds import READERS, usual_kind
from harness.inputs.mutation import CHANGES
from harness.inputs.random_inputs import MAKERS
from harness.programs.answering import PROGRAMS
from harness.programs.reference import function_at
from tests.support.grading_helpers import PATIENCE, lines
from tests.support.helpers import BIN, copied_checkout
from tests.support.keeper import write_program

# A program that is not there: how many boards lie on a table.
FUNCTION = '''
def xboards() -> "Answer":
    """The number of boards of a Configuration."""
    from evolution.wire.reading import configuration

    def answer(value: object) -> str:
        return str(sum(len(player.boards) for player in configuration(value).players))

    return answer


class Program:
'''
ROW = '''
    "xboards": Program(
        xboards,
        ("configuration",),
        """How many boards are there?

Reads a Configuration from standard input and prints the number of all boards.""",
        story="harness.explain.boards:tell",
    ),
}
# The names'''
STORY = """
def tell(story, value):
    for player in value[0]:
        story.tell(f"a player has {len(dict(player)['species'])}", "1.7")
"""
# A team's program that has never heard of a player with two boards.
WRONG = """#!{python}
import json, sys
if sys.argv[1:]:
    sys.exit(2)
print(sum(min(1, len(dict(player)["species"])) for player in json.load(sys.stdin)[0]))
"""
TWO_PLAYERS = [
    [
        [["id", 1], ["species", [[["food", 0], ["body", 0], ["population", 1], ["traits", []]]]], ["bag", 0]],
        [["id", 2], ["species", []], ["bag", 0]],
    ],
    1,
    [],
]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with one row, its functions, and a launcher more."""
    here = copied_checkout(tmp_path_factory.mktemp("new") / "checkout")
    table = here / "harness" / "programs" / "answering.py"
    source = table.read_text()
    for place, new in (("\nclass Program:\n", FUNCTION), ("}\n# The names", ROW.lstrip("\n"))):
        assert source.count(place) == 1
        source = source.replace(place, new)
    table.write_text(source)
    (here / "harness" / "explain" / "boards.py").write_text(STORY)
    launcher = (BIN / "xattack").read_text().replace("program=xattack", "program=xboards")
    write_program(here / "bin" / "xboards", launcher)
    return here


def start(checkout: Path, program: str, *arguments: str | Path, given: object = None) -> "Done":
    return subprocess.run(
        [checkout / "bin" / program, *arguments],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        check=False,
        cwd=checkout,
        timeout=PATIENCE,
    )


Done = subprocess.CompletedProcess[str]


def test_it_answers_and_refuses(checkout: Path) -> None:
    done = start(checkout, "xboards", given=TWO_PLAYERS)
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)
    assert start(checkout, "xboards", "--stream", given=TWO_PLAYERS).stdout == "1\n"
    assert start(checkout, "xboards", given=[]).returncode == 65


def test_its_help_is_that_of_its_row(checkout: Path) -> None:
    text = start(checkout, "xboards", "--help").stdout
    assert "How many boards are there?" in text
    assert "--stream" in text
    assert "--explain" in text
    assert "--labelled" not in text


def test_it_is_explained_as_far_as_its_row_says(checkout: Path) -> None:
    story = ["a player has 1 (rules 1.7)", "a player has 0 (rules 1.7)"]
    done = start(checkout, "xboards", "--explain", given=TWO_PLAYERS)
    assert done.stdout == "1\n"
    assert done.stderr.splitlines() == [f"xboards: {line}" for line in story]
    done = start(checkout, "harness", "explain", "--program", "xboards", "-", given=TWO_PLAYERS)
    assert done.stdout.splitlines() == [*story, "the answer: 1"]


def test_its_cases_are_generated_checked_run_and_graded(checkout: Path, tmp_path: Path) -> None:
    done = start(checkout, "harness", "generate", "xboards", "-n", "20", "-o", tmp_path / "cases")
    assert done.returncode == 0, done.stderr
    assert len(list((tmp_path / "cases" / "xboards").glob("*-in.json"))) == 20
    assert start(checkout, "harness", "check", tmp_path / "cases").returncode == 0
    done = start(checkout, "harness", "run", "--sandbox", "off", tmp_path / "cases")
    assert (done.stdout.splitlines()[-1], done.returncode) == ("20 passed, 0 failed", 0)
    for name, text in (("right", f"#!/bin/sh\nexec '{checkout}/bin/xboards'\n"), ("wrong", wrong())):
        write_program(tmp_path / "teams" / name / "xboards", text)
    teams = sorted((tmp_path / "teams").iterdir())
    out = ("--suite", tmp_path / "cases", "--out", tmp_path / "out", "--sandbox", "off")
    done = start(checkout, "harness", "grade", *teams, *out)
    assert done.returncode == 0, done.stderr
    passed = [
        record["team"] for record in lines(tmp_path / "out" / "results.jsonl") if record["verdict"] == "pass"
    ]
    assert passed.count("right") == 20
    assert 0 < passed.count("wrong") < 20


@pytest.mark.long
def test_its_faults_are_found_and_made_small(checkout: Path, tmp_path: Path) -> None:
    theirs = write_program(tmp_path / "xboards", wrong())
    done = start(
        checkout, "harness", "fuzz", theirs, "--cases", "40", "--sandbox", "off", "-o", tmp_path / "found"
    )
    assert done.returncode == 1, done.stderr
    assert "a player has 2 (rules 1.7)" in done.stdout
    found = [json.loads(path.read_text()) for path in tmp_path.rglob("*-in.json")]
    assert found
    assert all([len(dict(player)["species"]) for player in value[0]] == [2] for value in found)


def wrong() -> str:
    return WRONG.format(python=sys.executable)


def test_every_form_that_a_row_names_can_be_read_made_and_changed() -> None:
    for program, row in PROGRAMS.items():
        assert usual_kind(program) in READERS.keys() & CHANGES.keys()
        assert set(row.kinds) <= set(MAKERS)


def test_every_function_that_a_row_names_is_there() -> None:
    for row in PROGRAMS.values():
        assert all(callable(function_at(place)) for place in (row.story, row.events) if place)
