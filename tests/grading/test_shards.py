"""Grading by shards: the same grades as in one run, or a refusal that says what does not belong together."""

import json
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from harness.grading.config import TeamSpec
from harness.grading.shards import Shard
from harness.grading.teams import find_teams
from tests.support.grading_helpers import harness, lines, started
from tests.support.helpers import BIN
from tests.support.keeper import visible_folder, wait_until, write_case, write_program
from tests.support.same_grades import grades

SAYS = "#!/bin/sh\n# {team}\necho $0 >&2\n{how}\n"
BEHAVIOURS = {
    "right": "exec cat",
    "wrong": "echo 7",
    "crash": "exit 3",
    "twin1": "exec cat",
    "other": "read x; echo $x; exit 0",
}


def write_small_class(folder: Path) -> None:
    """A few teams, two of them alike, one to be built and one that cannot be, and cases for one program."""
    for team, how in BEHAVIOURS.items():
        write_program(folder / "teams" / team / "xattack", SAYS.format(team="", how=how))
    write_program(folder / "teams" / "built" / "compile", "#!/bin/sh\ncp source xattack\n")
    write_program(folder / "teams" / "built" / "source", SAYS.format(team="built", how="exec cat"))
    write_program(folder / "teams" / "unfit" / "compile", "#!/bin/sh\necho no such thing >&2\nexit 4\n")
    for number in range(6):
        write_case(folder / "suite" / "xattack", f"case-{number}", str(number), str(number))


def grade(folder: Path, *arguments: str, sandbox: str = "off") -> "subprocess.CompletedProcess[str]":
    teams = sorted(str(path) for path in (folder / "teams").iterdir())
    return harness(folder, "grade", *teams, "--suite", "suite", "--sandbox", sandbox, *arguments)


class Parts:
    """A small class, graded in one run and in three shards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_small_class(folder)
        self.home = grade(folder, "--out", "home")
        self.parts = [
            grade(folder, "--shard", f"{number}/3", "--out", f"par{number}") for number in (1, 2, 3)
        ]

    def combine(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return grade(self.folder, "--out", "comb", "--combine", "par1", "par2", "par3", *arguments)


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Parts:
    return Parts(tmp_path_factory.mktemp("shards"))


@pytest.fixture
def parts(graded: Parts, tmp_path: Path) -> Parts:
    """The same, in a folder of its own."""
    copy = object.__new__(Parts)
    copy.__dict__.update(graded.__dict__, folder=tmp_path / "class")
    shutil.copytree(graded.folder, copy.folder, symlinks=True)
    return copy


def refused(done: "subprocess.CompletedProcess[str]", *words: str, status: int = 65) -> None:
    """See that a command was refused in one line that says why, and that nothing was written."""
    assert done.returncode == status, done.stdout + done.stderr
    assert done.stdout == ""
    for word in words:
        assert word in done.stderr
    assert "Traceback" not in done.stderr


def edit(path: Path, **changes: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


# Which shard


def test_every_content_is_in_one_shard_and_all_shards_are_used() -> None:
    counts = Counter(
        number
        for content in range(1000)
        for number in range(1, 8)
        if Shard(number, 7).has(str(content).encode())
    )
    assert sum(counts.values()) == 1000
    assert min(counts[number] for number in range(1, 8)) > 100


def test_another_team_moves_nobody_and_who_hands_in_the_same_is_in_the_same_shard(tmp_path: Path) -> None:
    write_small_class(tmp_path)

    def places() -> dict[str, int]:
        teams = find_teams([TeamSpec(str(tmp_path / "teams" / "*"))])
        return {team.name: number for number in (1, 2, 3) for team in Shard(number, 3).teams(teams)}

    before = places()
    assert before["right"] == before["twin1"]
    write_program(tmp_path / "teams" / "another" / "xattack", "#!/bin/sh\n")
    after = places()
    assert {**after, **before} == after
    assert len(after) == len(before) + 1


@pytest.mark.parametrize(
    "text",
    ["0/3", "4/3", "3", "1/0", "a/b", "1/2/3", "-1/2", "٣/٤", pytest.param(f"1/{'9' * 5000}", id="long")],
)
def test_what_is_no_shard_is_wrong_use(text: str, tmp_path: Path) -> None:
    from click.testing import CliRunner

    from harness.cli.group import harness as commands

    done = CliRunner().invoke(commands, ["grade", str(tmp_path), f"--shard={text}"])
    assert done.exit_code == 2
    assert "is not a shard; write K/N, such as 1/4" in done.output


# Grading


@pytest.mark.long
def test_shards_make_the_grades_of_one_run(parts: Parts) -> None:
    done = parts.combine()
    assert done.returncode == 0, done.stderr
    assert started(done) == 0
    assert grades(parts.folder / "comb") == grades(parts.folder / "home")
    assert sum(started(part) for part in parts.parts) == started(parts.home)


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_shards_make_the_grades_of_one_run_in_the_sandbox_though_one_is_killed_and_repeated() -> None:
    with visible_folder() as folder:
        write_small_class(folder)
        write_program(folder / "teams" / "sleepy" / "xattack", "#!/bin/sh\nsleep 0.1\nexec cat\n")
        grade(folder, "--out", "home", sandbox="on")
        teams = find_teams([TeamSpec(str(folder / "teams" / "*"))])
        for number in (1, 2):
            has_sleepy = "sleepy" in {team.name for team in Shard(number, 2).teams(teams)}
            arguments = ("--shard", f"{number}/2", "--out", f"par{number}")
            if has_sleepy:
                _start_and_kill(folder, *arguments)
                refused(grade(folder, "--combine", f"par{number}", "--out", "comb", sandbox="on"), "missing")
            assert grade(folder, *arguments, sandbox="on").returncode == 0
        done = grade(folder, "--out", "comb", "--combine", "par1", "par2", sandbox="on")
        assert done.returncode == 0, done.stderr
        assert grades(folder / "comb") == grades(folder / "home")


def _start_and_kill(folder: Path, *arguments: str) -> None:
    """Begin with a shard, and kill all of it as soon as it has a result."""
    teams = sorted(str(path) for path in (folder / "teams").iterdir())
    command = [str(BIN / "harness"), "grade", *teams, "--suite", "suite", *arguments]
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, start_new_session=True)
    try:
        out = folder / arguments[-1]
        wait_until(lambda: any((out / "store" / "results").glob("*.jsonl")))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.long
def test_an_empty_shard_is_fine_and_counts(tmp_path: Path) -> None:
    write_program(tmp_path / "teams" / "lonely" / "xattack", "#!/bin/sh\nexec cat\n")
    write_case(tmp_path / "suite" / "xattack", "case", "1", "1")
    done = [grade(tmp_path, "--shard", f"{number}/2") for number in (1, 2)]
    assert [one.returncode for one in done] == [0, 0]
    assert sum("none of the 1 teams is in it" in one.stdout for one in done) == 1
    assert grade(tmp_path, "--combine", "grades.shards").returncode == 0
    assert len(lines(tmp_path / "grades" / "results.jsonl")) == 1


# Refusals


@pytest.mark.long
def test_shards_that_do_not_belong_together_are_named_and_nothing_is_written(parts: Parts) -> None:
    folder = parts.folder
    one, two = folder / "par1" / "shard.json", folder / "par2" / "shard.json"
    refused(parts.combine("--timeout", "3"), "par1 (shard 1/3) was graded with other limits: 10 s", "not 3 s")
    refused(parts.combine("--repeat", "2"), "another --repeat: 1, not 2")
    refused(parts.combine("--sandbox", "on"), "another isolation: no sandbox: ", "not --sandbox on")
    refused(grade(folder, "--out", "comb", "--combine", "par1", "par3"), "missing: 2/3")
    refused(grade(folder, "--out", "comb", "--combine", "teams"), "there is no shard in teams")
    shutil.copytree(folder / "par2", folder / "more")
    refused(parts.combine("more"), "more (shard 2/3) is there twice, also in par2")
    shutil.rmtree(folder / "more")
    kept = two.read_text()
    edit(two, terms={**json.loads(kept)["terms"], "another version of the harness": "0.0/1"})
    refused(parts.combine(), "par2 (shard 2/3) was graded with another version of the harness: 0.0/1, not ")
    edit(two, terms=json.loads(kept)["terms"], isolation="bubblewrap", told="sandbox: all")
    refused(parts.combine(), "par2 (shard 2/3) was graded in another isolation than par1 (shard 1/3)")
    two.write_text(kept)
    edit(two, shard="2/4")
    refused(parts.combine(), "par2 (shard 2/4) does not belong to par1 (shard 1/3)")
    two.write_text(kept)
    edit(two, complete=False)
    refused(parts.combine(), "par2 (shard 2/3) is not finished")
    two.write_text(kept[:-9])
    refused(parts.combine(), "par2/shard.json: ")
    two.write_text(kept)
    kept = one.read_text()
    one.write_text(kept.replace('"complete":true', '"complete":"yes"'))
    refused(parts.combine(), "par1/shard.json: ", "`bool`", "$.complete")
    one.write_text(kept)
    assert not (folder / "comb").exists()
    assert parts.combine().returncode == 0


@pytest.mark.long
def test_what_has_changed_since_is_named_and_nothing_is_written(parts: Parts) -> None:
    folder = parts.folder
    (folder / "suite" / "xattack" / "case-1-out.json").write_text("2")
    refused(parts.combine(), "was graded with another suite xattack")
    (folder / "suite" / "xattack" / "case-1-out.json").write_text("1")
    write_program(folder / "teams" / "newcomer" / "xattack", "#!/bin/sh\n")
    refused(parts.combine(), "team newcomer is not in par", "it is new, or has changed since")
    shutil.rmtree(folder / "teams" / "newcomer")
    (folder / "teams" / "wrong").rename(folder / "wrong")
    refused(parts.combine(), "has graded team wrong, which is not named here")
    (folder / "wrong").rename(folder / "teams" / "wrong")
    (results,) = [path for path in folder.glob("par*/store/results/*") if '"stdout":"7' in path.read_text()]
    kept = results.read_text()
    results.write_text(kept.replace('"wrong answer"', '"pass"'))
    refused(parts.combine(), f"{results.relative_to(folder)} has been changed")
    results.unlink()
    refused(parts.combine(), f"{results.relative_to(folder)} is missing")
    assert not (folder / "comb").exists()


@pytest.mark.long
def test_a_shard_has_a_folder_of_its_own_and_options_that_make_sense(parts: Parts) -> None:
    folder = parts.folder
    refused(grade(folder, "--shard", "1/2", "--out", "par1"), "par1 is shard 1/3; name another", status=2)
    refused(grade(folder, "--out", "par1"), "par1 is shard 1/3 of a class; name another", status=2)
    refused(grade(folder, "--shard", "1/2", "--out", "home"), "there are grades in home", status=2)
    refused(grade(folder, "--shard", "1/2", "--only", "right"), "exclude each other", status=2)
    refused(grade(folder, "--shard", "1/2", "--for", "students"), "--for students with --combine", status=2)
    refused(parts.combine("--regrade"), "--combine and --regrade exclude each other", status=2)


# Runs


@pytest.mark.long
def test_the_shards_of_a_run_are_all_cases_once(tmp_path: Path) -> None:
    for number in range(12):
        write_case(tmp_path / "suite" / "xattack", f"case-{number}", str(number), str(number))
    program = write_program(tmp_path / "cat", "#!/bin/sh\nexec cat\n")
    common = ("--program", program, "--sandbox", "off", "suite")
    ran: list[str] = []
    for number in (1, 2, 3):
        part = (*common, "--shard", f"{number}/3")
        assert harness(tmp_path, "run", *part, "--json", f"{number}.jsonl").returncode == 0
        cases = [record["case"] for record in lines(tmp_path / f"{number}.jsonl")]
        assert sorted(cases) == sorted(harness(tmp_path, "run", *part, "--list").stdout.split())
        ran += cases
    assert len(ran) == len(set(ran)) == 12
    shutil.rmtree(tmp_path / "suite")
    write_case(tmp_path / "suite" / "xattack", "lonely", "1", "1")
    done = [
        harness(tmp_path, "run", *common, "--shard", f"{number}/2", "--junit", f"{number}.xml")
        for number in (1, 2)
    ]
    assert [one.returncode for one in done] == [0, 0]
    assert sum("no case is in shard" in one.stdout for one in done) == 1
    reports = [(tmp_path / f"{number}.xml").read_text() for number in (1, 2)]
    assert sorted(re.findall(r'<testsuites [^>]*tests="(\d+)"', text)[0] for text in reports) == ["0", "1"]
    wrong = harness(tmp_path, "run", *common, "--shard", "1/2", "--write-known-failures")
    assert wrong.returncode == 2
