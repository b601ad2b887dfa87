"""`harness grade` from the command line: what must never happen to a mark, on small classes."""

import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from harness.grading.config import TeamSpec
from harness.grading.config_file import EXAMPLE, ConfigError, read_config
from harness.grading.teams import find_teams, slug_of
from harness.judging.verdicts import PASS
from harness.text import cell
from tests.cli.test_errors import with_a_fault
from tests.support.grading_helpers import embedded, harness, lines, started
from tests.support.helpers import BIN, json_text, species
from tests.support.keeper import visible_folder, wait_until, write_case, write_program

# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["..", "...", "a/../../b", "CON", "", "\x00", "é" * 300, "-rf", ".hidden"])
def test_every_name_has_a_form_that_is_safe_for_a_file(name: str) -> None:
    slug = slug_of(name)
    assert re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", slug)
    assert len(slug) <= 70
    assert slug.lower() != "con"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "|x", "\r=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert cell(text).startswith("'")
    assert cell("plain") == "plain"


def test_folders_that_are_called_alike_are_told_apart(tmp_path: Path) -> None:
    for folder in ("x/Team", "y/team", "z/team"):
        (tmp_path / folder).mkdir(parents=True)
    teams = find_teams([TeamSpec(str(tmp_path / "?" / "[Tt]eam")), TeamSpec(str(tmp_path / "x" / "Team"))])
    assert [team.name for team in teams] == ["Team", "team (2)", "team (3)"]
    assert len({team.slug.lower() for team in teams}) == 3


# --- small classes -------------------------------------------------------------------------------

ECHO = "#!/bin/sh\nexec cat\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Two teams and six cases for xattack that expect what they are given."""
    for team in ("one", "two"):
        write_program(tmp_path / "teams" / team / "xattack", f"{ECHO}# {team}\n")
    for number in range(6):
        write_case(tmp_path / "suite" / "xattack", f"case-{number}", str(number), str(number))
    return tmp_path


def grade(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    teams = sorted((folder / "teams").iterdir())
    common = ("--suite", "suite", "--sandbox", "off", "--out", "out")
    return harness(folder, "grade", *map(str, teams), *common, *arguments)


def verdicts(folder: Path) -> dict[tuple[str, str], str]:
    return {
        (record["team"], os.path.basename(record["case"])): record["verdict"]
        for record in lines(folder / "out" / "results.jsonl")
    }


def count(results: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in results.glob("*"))


def more_than(results: Path, number: int) -> bool:
    return count(results) > number


@pytest.mark.long
def test_an_interrupted_run_goes_on_where_it_was(small: Path) -> None:
    slow = "#!/bin/sh\nsleep 0.3\nexec cat\n"
    write_program(small / "teams" / "two" / "xattack", slow)
    command: list[str | Path] = [
        BIN / "harness",
        "grade",
        "teams/one",
        "teams/two",
        "--suite",
        "suite",
        "--out",
        "out",
        "-j",
        "1",
    ]
    results = small / "out" / "store" / "results"
    kept = 0
    for number in (signal.SIGINT, signal.SIGKILL):
        process = subprocess.Popen(
            [*command, "--sandbox", "off"], cwd=small, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        wait_until(partial(more_than, results, kept + 2))
        process.send_signal(number)
        process.communicate(timeout=60)
        assert process.returncode == (130 if number == signal.SIGINT else -signal.SIGKILL)
        assert not (small / "out" / "results.jsonl").exists()
        kept = count(results)
    with next(iter(results.glob("*"))).open("a") as file:
        file.write('{"v":1,"cut')  # as a crash may leave it
    done = grade(small)
    assert started(done) == 12 - kept
    assert set(verdicts(small).values()) == {PASS}


def test_regrade_and_only(small: Path) -> None:
    assert started(grade(small)) == 12
    assert started(grade(small, "--regrade", "--only", "one")) == 6
    assert started(grade(small, "--regrade")) == 12
    assert started(grade(small, "--timeout", "20")) == 12
    assert started(grade(small, "--exact")) == 12
    assert started(grade(small)) == 0
    assert len(verdicts(small)) == 12
    wrong = grade(small, "--only", "tow")
    assert (wrong.returncode, "there is no team tow; did you mean two?" in wrong.stderr) == (2, True)


@pytest.mark.long
def test_who_has_handed_in_the_same_gets_the_same(small: Path) -> None:
    for name in ("three", "four"):
        write_program(small / "teams" / name / "xattack", f"{ECHO}# two\n")
    assert started(grade(small)) == 12
    assert len(verdicts(small)) == 24
    assert started(grade(small, "--regrade", "--only", "three")) == 6


@pytest.mark.every(2, "sandbox")
@pytest.mark.parametrize("sandbox", ["off", pytest.param("on", marks=pytest.mark.needs("sandbox"))])
def test_a_team_may_grade_itself_where_it_is(small: Path, sandbox: str) -> None:
    """The results lie in its own folder then: they are no part of it, and so nothing is run again."""
    arguments = ("grade", ".", "--suite", "../../suite", "--sandbox", sandbox)
    first, second = (harness(small / "teams" / "one", *arguments) for _ in range(2))
    assert (started(first), started(second)) == (6, 0), first.stdout + first.stderr
    assert (small / "teams" / "one" / "grades" / "scores.csv").exists()


def test_only_a_team_leaves_the_others_out_until_they_are_graded(small: Path) -> None:
    done = grade(small, "--only", "one")
    assert started(done) == 6
    assert "not yet graded in the present version, so in no report: two\n" in done.stdout
    assert {team for team, _ in verdicts(small)} == {"one"}


@pytest.mark.long
def test_only_a_team_takes_the_others_as_they_were_graded(small: Path) -> None:
    """With fewer repetitions, or as far as their time was enough."""
    slow = "#!/bin/sh\nsleep 0.4\nexec cat\n"
    write_program(small / "teams" / "slow" / "xattack", slow)
    budget = ("--team-budget", "0.5", "-j", "1")
    assert "slow: its time budget was used up, 4 cases were not run" in grade(small, *budget).stdout
    known = verdicts(small)
    again = grade(small, *budget, "--only", "one", "--repeat", "3", "--since", "last")
    assert started(again) == 12
    assert "slow: its time budget was used up, 4 cases were not run" in again.stdout
    assert "nothing has changed since run 1" in again.stdout
    assert verdicts(small) == known
    write_program(small / "teams" / "two" / "xattack", f"{ECHO}# anew\n")
    changed = grade(small, *budget, "--only", "one", "--since", "1")
    assert "since run 1:\n  two: not yet graded in the present version\n" in changed.stdout


def test_what_several_teams_lack_is_said_once_and_makes_no_case_hard(small: Path) -> None:
    write_case(small / "suite" / "xfeed", "case", "1", "1")
    write_program(
        small / "teams" / "two" / "xattack", "#!/bin/sh\nread x\ncase $x in 3) echo 4;; *) echo $x;; esac\n"
    )
    out = grade(small).stdout
    assert "one, two: xfeed could not start: there is no executable xfeed in the team's directory\n" in out
    assert out.split("pass them:\n")[1].split("\n\n")[0] == "  1 of 2  xattack/case-3"


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_a_team_that_hardly_ever_answers_in_the_sandbox_may_miss_something(small: Path) -> None:
    other = small / "teams" / "one" / "xattack"
    write_program(small / "teams" / "two" / "xattack", f"#!/bin/sh\necho no {other} >&2\nexit 1\n")
    told = f"two: xattack hardly ever answered, and named {other}, which the sandbox does not show"
    assert told in grade(small, "--sandbox", "on").stdout
    assert told not in grade(small, "--sandbox", "off").stdout
    write_program(small / "teams" / "two" / "xattack", "#!/bin/sh\nexit 1\n")
    assert "hardly ever answered" not in grade(small, "--sandbox", "on").stdout


def test_who_interrupts_a_regrading_is_told_how_to_go_on(small: Path) -> None:
    assert started(grade(small)) == 12
    write_program(small / "teams" / "two" / "xattack", f"#!/bin/sh\ntouch {small}/begun\nsleep 30\n")
    command = f"exec '{BIN}/harness' grade teams/* --suite suite --sandbox off --out out --regrade"
    grading = subprocess.Popen(command, shell=True, cwd=small, stderr=subprocess.PIPE, text=True)
    wait_until((small / "begun").exists)
    grading.send_signal(signal.SIGINT)
    _, told = grading.communicate(timeout=60)
    assert told == "interrupted; what has been graded is kept: the same command without --regrade continues\n"


def test_what_is_configured_for_all_teams_holds_for_those_of_the_command_line(small: Path) -> None:
    (small / "teams" / "two" / "xattack").unlink()
    (small / "grade.toml").write_text('[programs]\nxattack = "cat"\n[[suite]]\npath = "suite"\n')
    command = ("grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off", "teams/two")
    assert started(harness(small, *command)) == 6
    assert set(verdicts(small).values()) == {PASS}


def test_a_command_line_for_a_program_that_nobody_asks_is_refused(small: Path) -> None:
    """It may be one that somebody asks, but for a letter."""
    config = small / "grade.toml"
    for name, told in (("xatack", "no suite has cases for xatack; did you mean xattack?"), ("xfeed", "")):
        config.write_text(f'teams = ["teams/*"]\n[programs]\n{name} = "cat"\n[[suite]]\npath = "suite"\n')
        done = harness(small, "grade", "--config", "grade.toml", "--sandbox", "off", "--out", "out")
        assert (done.returncode, told in done.stderr) == (2 if told else 0, True)


def test_what_is_asked_for_all_points_is_told(small: Path) -> None:
    write_program(
        small / "teams" / "two" / "xattack", "#!/bin/sh\nread x\ncase $x in 3) exit 7;; *) echo $x;; esac\n"
    )
    (small / "grade.toml").write_text(
        'teams = ["teams/*"]\n[[suite]]\nname = "half"\npath = "suite"\ncounts = 0.5\n'
        '[[suite]]\nname = "some"\npath = "suite"\ncounts = ["*-3"]\n'
        '[[team]]\npath = "teams/two"\nfactor = 0.9\n'
    )
    done = harness(small, "grade", "--config", "grade.toml", "--sandbox", "off", "--out", "out")
    assert re.search(r"2  two +5.4/7 .*  × 0.9$", done.stdout, re.MULTILINE)
    told = (small / "out" / "feedback" / "two.md").read_text()
    assert "- half: 50 % of the cases are enough for all points\n" in told
    assert "- some: 1 of the 6 cases give points; 0 of these passed\n" in told
    assert "but printed nothing (exit status 7).\n" in told
    scope = json.loads((small / "out" / "gradescope" / "two.json").read_text())
    assert "half: 50 % of the cases are enough for all points" in scope["output"]
    about = json.loads((small / "out" / "grading.json").read_text())
    assert (about["factors"], [suite["counts"] for suite in about["suites"]]) == (
        {"two": 0.9},
        [0.5, ["*-3"]],
    )
    page = embedded((small / "out" / "report.html").read_text())
    assert [one["f"] for one in page["teams"]] == [1, 0.9]


def test_a_compile_that_cannot_be_run_is_named(small: Path) -> None:
    (small / "teams" / "one" / "compile").write_text("#!/bin/sh\n")
    assert (
        "one: its compile is not executable, and was not run; try: chmod +x compile\n" in grade(small).stdout
    )


def test_since_says_what_improved_and_what_got_worse(small: Path) -> None:
    grade(small)
    program = write_program(
        small / "teams" / "two" / "xattack", "#!/bin/sh\nread x\ncase $x in 3) echo 4;; *) echo $x;; esac\n"
    )
    worse = grade(small, "--since", "last")
    assert "two: 6 → 5 points\n    got worse: xattack/case-3 (wrong answer)" in worse.stdout
    program.write_text("#!/bin/sh\nread x\ncase $x in 4) echo 3;; *) echo $x;; esac\n")
    changed = grade(small, "--since", "2")
    assert "improved: xattack/case-3\n    got worse: xattack/case-4 (wrong answer)" in changed.stdout
    assert "there is no run 7; there are 1, 2, 3" in grade(small, "--since", "7").stderr


def test_a_case_that_does_not_always_pass_is_unsteady_and_does_not_pass(small: Path) -> None:
    # What a program leaves behind tells it apart from the last time: there is no sandbox here.
    flaky = f"#!/bin/sh\nread x\nif [ $x = 2 ] && ! mkdir {small}/been; then echo 9; else echo $x; fi\n"
    write_program(small / "teams" / "two" / "xattack", flaky)
    done = grade(small, "--repeat", "3")
    assert started(done) == 36
    assert "two: unsteady: case-2" in done.stdout
    (record,) = [r for r in lines(small / "out" / "results.jsonl") if r.get("unsteady")]
    assert record["unsteady"] == {"pass": 1, "wrong answer": 2}
    assert "unsteady: 1× pass, 2× wrong answer" in (small / "out" / "feedback" / "two.md").read_text()
    assert embedded((small / "out" / "report.html").read_text())["teams"][1]["u"] == [2]
    assert re.search(r"2  two +5/6 ", done.stdout)


@pytest.mark.long
def test_a_team_that_hangs_is_waited_for_by_nobody_but_itself(small: Path) -> None:
    write_program(small / "teams" / "hangs" / "xattack", "#!/bin/sh\nsleep 100\n")
    begun = time.time_ns()
    done = grade(small, "--timeout", "0.7", "--team-budget", "1.4", "-j", "2")
    assert "hangs: its time budget was used up, " in done.stdout
    found = verdicts(small)
    assert {verdict for (team, _), verdict in found.items() if team == "hangs"} == {"timeout"}
    assert {verdict for (team, _), verdict in found.items() if team != "hangs"} == {PASS}
    ends = {path: path.stat().st_mtime_ns - begun for path in (small / "out" / "store" / "results").iterdir()}
    hanging = [path for path in ends if "timeout" in path.read_text()]
    assert max(end for path, end in ends.items() if path not in hanging) < ends[hanging[0]]
    assert started(grade(small, "--timeout", "0.7", "--team-budget", "1.4", "-j", "2")) == 0


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("place", ["teams", pytest.param(".", marks=pytest.mark.long)])
def test_teams_see_neither_each_other_nor_the_cases_nor_the_results(place: str) -> None:
    with visible_folder() as folder:
        places = (f"{place}/one/xattack", "suite/xattack/*", "out/*", "grade.toml", "out/store/*/*")
        looked_at = " ".join(f'"{folder}"/{path}' for path in places)
        spy = f"#!/bin/sh\ncat {looked_at} | head -c 1000\n"
        for name in ("one", "three", "four", "five"):
            write_program(folder / place / name / "xattack", f"{ECHO}# {name}\n")
        write_program(folder / place / "two" / "xattack", spy)
        write_case(folder / "suite" / "xattack", "case", "1", "1")
        (folder / "grade.toml").write_text(
            f'teams = ["{place}/[oft]*[!t]"]\n[limits]\nsandbox = "on"\n[[suite]]\npath = "suite"\n'
        )
        for arguments in ((), ("--regrade",)):
            done = harness(folder, "grade", "--config", "grade.toml", "--out", "out", *arguments)
            assert done.returncode == 0, done.stderr
            found = {r["team"]: r["verdict"] for r in lines(folder / "out" / "results.jsonl")}
            assert found == {"one": PASS, "two": "no output", "three": PASS, "four": PASS, "five": PASS}
        again = harness(folder, "grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off")
        assert started(again) == 5
        found = {r["team"]: r["verdict"] for r in lines(folder / "out" / "results.jsonl")}
        assert found["two"] != "no output"  # so it does look at the right places


@pytest.mark.long
@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("allowed", [True, False])
def test_a_build_has_the_network_only_if_it_may(small: Path, allowed: bool) -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    connect = f"import socket; socket.create_connection(('127.0.0.1', {port}), 20)"
    with visible_folder() as folder:
        write_program(folder / "team" / "xattack", ECHO)
        write_program(folder / "team" / "compile", f'#!/bin/sh\n"{sys.executable}" -I -c "{connect}"\n')
        network = f"[build]\nnetwork = {str(allowed).lower()}\n"
        (folder / "grade.toml").write_text(f'teams = ["team"]\n{network}[[suite]]\npath = "{small}/suite"\n')
        done = harness(folder, "grade", "--config", "grade.toml", "--out", "out", "--sandbox", "on")
    listening.close()
    assert ("team: the build failed" in done.stdout) is not allowed
    assert started(done) == (7 if allowed else 1)


@pytest.mark.parametrize(
    "sandbox",
    [
        pytest.param("off", marks=pytest.mark.long),
        pytest.param("on", marks=pytest.mark.needs("sandbox")),
        pytest.param("landlock", marks=[pytest.mark.needs("landlock"), pytest.mark.long]),
    ],
)
@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("while true; do head -c 100000 /dev/zero >> f$((i % 5)); i=$((i + 1)); done", "1 MB"),
        ("while true; do touch f$i; i=$((i + 1)); done", "50 files"),
        ("for i in $(seq 60); do touch f$i; done", "50 files"),
    ],
)
def test_a_build_that_writes_too_much_is_ended_and_removed(
    small: Path, sandbox: str, written: str, why: str
) -> None:
    write_program(small / "teams" / "two" / "compile", f"#!/bin/sh\ni=0\n{written}\n")
    bounds = "from harness.grading import build\nbuild.MOST_BUILT, build.MOST_BUILT_FILES = 1 << 20, 50"
    line = ["grade", "teams/one", "teams/two", "--suite", "suite", "--sandbox", sandbox, "--out", "out"]
    done = with_a_fault(small, bounds, *line)
    assert done.returncode == 0, done.stderr
    assert f"two: the build failed: its directory holds more than {why}\n" in done.stdout
    assert not [path for path in (small / "out" / "store" / "builds").iterdir() if path.is_dir()]


@pytest.mark.parametrize(
    "sandbox", ["off", pytest.param("landlock", marks=[pytest.mark.long, pytest.mark.needs("landlock")])]
)
def test_a_build_has_a_folder_for_what_is_temporary_which_counts(small: Path, sandbox: str) -> None:
    write_program(
        small / "teams" / "two" / "compile",
        "#!/bin/sh\ncd $TMPDIR || exit\nfor i in $(seq 60); do touch f$i; done\nexec sleep 100\n",
    )
    bounds = "from harness.grading import build\nbuild.MOST_BUILT_FILES = 50"
    line = ["grade", "teams/one", "teams/two", "--suite", "suite", "--sandbox", sandbox, "--out", "out"]
    done = with_a_fault(small, bounds, *line)
    assert "two: the build failed: its directory holds more than 50 files\n" in done.stdout, done.stderr


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_what_is_built_is_what_was_hashed_whatever_is_exchanged_in_between(small: Path) -> None:
    write_program(small / "teams" / "two" / "compile", "#!/bin/sh\n")
    write_program(small / "teams" / "two" / "xattack", "#!/bin/sh\n")
    exchange = f"""
from harness.grading import session
build_all = session.build_all
def exchanged(*arguments):
    with open("teams/two/xattack", "w") as program:
        program.write({ECHO!r})
    return build_all(*arguments)
session.build_all = exchanged
"""
    line = ["grade", "teams/one", "teams/two", "--suite", "suite", "--sandbox", "on", "--out", "out"]
    done = with_a_fault(small, exchange, *line)
    assert done.returncode == 0, done.stderr
    found = verdicts(small)
    assert {verdict for (team, _), verdict in found.items() if team == "one"} == {PASS}
    assert {verdict for (team, _), verdict in found.items() if team == "two"} == {"no output"}


@pytest.mark.long
def test_a_build_has_a_time_limit_of_its_own_and_is_not_tried_again(small: Path) -> None:
    write_program(small / "teams" / "two" / "compile", "#!/bin/sh\necho begun\nexec sleep 100\n")
    (small / "grade.toml").write_text(
        'teams = ["teams/*"]\n[build]\ntimeout = 1\n[[suite]]\npath = "suite"\n'
    )
    arguments = ("grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off", "-j", "1")
    done = harness(small, *arguments)
    assert "two: the build failed: it did not end within 1 s\n  begun" in done.stdout
    assert started(done) == 7
    assert started(harness(small, *arguments)) == 0


def test_command_lines_and_environment_are_configured(small: Path) -> None:
    (small / "teams" / "two" / "xattack").unlink()
    (small / "teams" / "two" / "main.py").write_text(
        "import os, sys\nprint(os.environ['PREFIX'] + sys.stdin.read())\n"
    )
    config = f"""
teams = ["teams/one"]
[[team]]
name = "Zwei"
path = "teams/two"
[team.programs]
xattack = "'{sys.executable}' -I {{team}}/main.py"
[team.environment]
PREFIX = " "
[[suite]]
path = "suite"
weight = 1
[limits]
sandbox = "off"
"""
    (small / "grade.toml").write_text(config)
    assert started(harness(small, "grade", "--config", "grade.toml", "--out", "out")) == 12
    assert set(verdicts(small).values()) == {PASS}
    (small / "grade.toml").write_text(config.replace('PREFIX = " "', 'PREFIX = "9"'))
    assert started(harness(small, "grade", "--config", "grade.toml", "--out", "out")) == 6
    assert "Zwei" in (small / "out" / "scores.csv").read_text()
    assert ",100,100," in (small / "out" / "scores.csv").read_text()


def test_own_tests_give_points_for_the_misreadings_that_they_catch(small: Path) -> None:
    tests = small / "teams" / "one" / "tests" / "xattack"
    wolf, shell = species(0, 3, 2, ["carnivore"]), species(0, 0, 2, ["hard-shell"])
    write_case(tests, "shell", json_text([shell, wolf, False, False]), "false")
    write_case(tests, "wrong", json_text([shell, wolf, False, False]), "true")
    write_case(small / "ours" / "xattack", "stolen", json_text([species(), wolf, False, False]), "true")
    for half in ("in", "out"):
        (tests / f"stolen-{half}.json").symlink_to(small / "ours" / "xattack" / f"stolen-{half}.json")
    (small / "grade.toml").write_text(
        'teams = ["teams/*"]\n[[suite]]\npath = "suite"\n[own-tests]\npoints = 10\nenough = 4\n'
    )
    done = harness(small, "grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    with (small / "out" / "scores.csv").open(newline="") as file:
        rows = {row["team"]: row for row in csv.DictReader(file)}
    assert (rows["one"]["own tests"], rows["two"]["own tests"]) == ("10", "0")
    feedback = (small / "out" / "feedback" / "one.md").read_text()
    assert "1 right case, which catches " in feedback
    assert "tests/xattack/wrong: answers true" in feedback


SHARED = """\
teams = ["teams/*"]
total = 100
[[suite]]
name = "a"
path = "suite"
WORTH = 3
[[suite]]
name = "b"
path = "suite"
WORTH = 1
[own-tests]
points = 20
"""


@pytest.mark.every(3, "more")
@pytest.mark.parametrize(
    ("worth", "more", "points"),
    [
        ("weight", "", ["100", "60", "20", "20"]),
        ("points", "", ["100", "60", "20", "20"]),
        ("weight", "extra = true", ["120", "75", "25", "20"]),
        ("points", "extra = true", ["120", "75", "25", "20"]),
    ],
)
def test_a_total_stays_what_it_is_unless_own_tests_are_extra(
    small: Path, worth: str, more: str, points: list[str]
) -> None:
    (small / "grade.toml").write_text(SHARED.replace("WORTH", worth) + more)
    done = harness(small, "grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    first, *_ = embedded((small / "out" / "report.html").read_text())["teams"]
    assert [first["n"], *(round(part[1], 4) for part in first["parts"])] == ["one", *map(float, points[1:])]
    with (small / "out" / "scores.csv").open(newline="") as file:
        assert {row["of"] for row in csv.DictReader(file)} == {points[0]}


def test_own_tests_that_leave_nothing_of_the_total_are_refused(small: Path) -> None:
    (small / "grade.toml").write_text(SHARED.replace("WORTH", "weight").replace("20", "100"))
    done = harness(small, "grade", "--config", "grade.toml", "--out", "out")
    assert (done.returncode, "leave nothing of the total, 100" in done.stderr) == (65, True)
    assert not (small / "out").exists()


@pytest.mark.long
def test_suites_and_own_tests_are_found_by_the_names_that_are_configured(small: Path) -> None:
    wolf, shell = species(0, 3, 2, ["carnivore"]), species(0, 0, 2, ["hard-shell"])
    case = json_text([shell, wolf, False, False])
    for folder in (small / "odd" / "xattack", small / "teams" / "one" / "tests" / "xattack"):
        folder.mkdir(parents=True)
        (folder / "shell.given").write_text(case)
        (folder / "shell.wanted").write_text("false")
    text = 'teams = ["teams/*"]\n[[suite]]\npath = "odd"\nNAMES\n[own-tests]\npoints = 10\nNAMES\n'
    (small / "grade.toml").write_text(text.replace("NAMES", 'names = "{name}.given:{name}.wanted"'))
    done = harness(small, "grade", "--config", "grade.toml", "--out", "out", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    assert [record["case"] for record in lines(small / "out" / "results.jsonl")] == ["odd/xattack/shell"] * 2
    assert "1 right case" in (small / "out" / "feedback" / "one.md").read_text()
    (small / "grade.toml").write_text(text.replace("NAMES", ""))
    options = ("--config", "grade.toml", "--out", "again", "--sandbox", "off")
    assert harness(small, "grade", *options).returncode == 2
    assert harness(small, "grade", *options, "--names", "{name}.given:{name}.wanted").returncode == 0
    assert "1 right case" in (small / "again" / "feedback" / "one.md").read_text()


def test_files_of_a_suite_that_look_like_cases_and_are_not_are_named(small: Path) -> None:
    for half in ("input", "output"):
        (small / "suite" / "xattack" / f"odd-{half}.json").write_text("1")
    done = grade(small)
    assert done.returncode == 0
    assert (
        "suite xattack: 2 files look like cases and are not taken: odd-input.json, odd-output.json; "
        "to take them: --names '{name}-input.json:{name}-output.json'"
    ) in done.stdout


CHECKED = """\
teams = ["teams/*"]
[[suite]]
name = "open"
path = "tests"
[[suite]]
name = "hushed"
path = "hidden"
hidden = true
"""


@pytest.fixture
def faulty(small: Path) -> Path:
    """A class whose suites have a case that is right, one ill-formed, one wrong, and two that are doubled."""
    wolf, prey = species(0, 3, 2, ["carnivore"]), species(0, 0, 2)
    write_case(small / "tests" / "xattack", "right", json_text([prey, wolf, False, False]), "true")
    write_case(small / "tests" / "xattack", "wrong", json_text([wolf, wolf, False, False]), "false")
    write_case(small / "tests" / "xattack", "twin", " " + json_text([prey, wolf, False, False]), "true")
    write_case(small / "tests" / "xattack", "refused", "[2]", "")
    write_case(small / "hidden" / "xattack", "ill", "[1]", "true")
    write_case(small / "hidden" / "xattack", "again", json_text([prey, wolf, False, False]), "true")
    (small / "grade.toml").write_text(CHECKED)
    return small


FOUND = [
    ("open", "xattack/twin", "duplicate"),
    ("open", "xattack/wrong", "contradicted"),
    ("hushed", "xattack/again", "duplicate"),
    ("hushed", "xattack/ill", "ill-formed"),
]


def configured(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return harness(folder, "grade", "--config", "grade.toml", "--sandbox", "off", *arguments)


def test_what_is_wrong_with_the_suites_is_told_and_grading_goes_on(faulty: Path) -> None:
    done = configured(faulty)
    assert done.returncode == 0
    assert started(done) == 12
    told = json.loads((faulty / "grades" / "grading.json").read_text())["findings"]
    assert [(one["suite"], one["case"], one["kind"]) for one in told] == FOUND
    page = (faulty / "grades" / "report.html").read_text()
    for suite, case, kind in FOUND:
        assert f"suite {suite}: {case}: {kind}: " in done.stdout
        assert f"suite {suite}: {case}: {kind}: " in page
    assert "its input means the same as that of open/xattack/right" in done.stdout
    assert "xattack/refused: " not in done.stdout  # which is what it expects


def test_the_suites_are_checked_once_by_content(faulty: Path) -> None:
    first = configured(faulty)
    (note,) = (faulty / "grades" / "store" / "checks").iterdir()
    found = note.read_text()
    note.write_text(found.replace("contradicted", "looked up"))
    assert "xattack/wrong: looked up" in configured(faulty).stdout
    (faulty / "tests" / "xattack" / "wrong-out.json").write_text("true")
    again = configured(faulty)
    assert "xattack/wrong" in first.stdout
    assert "xattack/wrong: " not in again.stdout
    assert "xattack/twin: duplicate" in again.stdout


def test_suites_are_not_checked_if_the_configuration_says_so(faulty: Path) -> None:
    (faulty / "grade.toml").write_text(f"check = false\n{CHECKED}")
    done = configured(faulty)
    assert done.returncode == 0
    assert "duplicate" not in done.stdout
    assert json.loads((faulty / "grades" / "grading.json").read_text())["findings"] == []


def test_many_findings_are_a_few_lines(faulty: Path) -> None:
    for number in range(20):
        write_case(faulty / "tests" / "xattack", f"bad-{number}", "[1]", "true")
    done = configured(faulty)
    assert done.stdout.count("ill-formed") == 10
    assert "… and 14 more findings in the suites, in grading.json" in done.stdout


# --- the configuration ---------------------------------------------------------------------------


def test_the_example_is_a_configuration(tmp_path: Path) -> None:
    assert harness(tmp_path, "grade", "--init").returncode == 0
    assert (tmp_path / "grade.toml").read_text() == EXAMPLE
    config = read_config(str(tmp_path / "grade.toml"))
    assert [suite.name for suite in config.suites] == ["attacks", "feeding"]
    (tmp_path / "grade.toml").write_text("mine")
    again = harness(tmp_path, "grade", "--init")
    assert (again.returncode, "exists already" in again.stderr) == (2, True)
    assert (tmp_path / "grade.toml").read_text() == "mine"


def test_points_and_weights_do_not_go_together(tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text('[[suite]]\npath = "a"\nweight = 1\n[[suite]]\npath = "b"\npoints = 1\n')
    with pytest.raises(ConfigError, match="some suites have a weight and others not"):
        read_config(str(tmp_path / "w.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("titel = 'x'", 'unknown key "titel"; did you mean title?'),
        ("[[suite]]\npath = 'a'\nwieght = 2", '[[suite]] 1: unknown key "wieght"; did you mean weight?'),
        ("[limits]\nteam_budget = 3", '[limits]: unknown key "team_budget"; did you mean team-budget?'),
        (
            "[[suite]]\npath = 'a'\nnames = '*.in:*.out'",
            "[[suite]] 1: names: '*.in:*.out' is not a pattern of names: its input needs one {name}; "
            "did you mean {name}.in:{name}.out?",
        ),
        ("timeout = 3", 'unknown key "timeout"; it belongs to [limits]'),
        ("[build]\nxyz = 3", '[build]: unknown key "xyz"; there are command, timeout, network, environment'),
        ("suite = 3", "suite must be tables that begin with [[suite]], not 3"),
        ("suite = [3]", "suite must be tables that begin with [[suite]], not 3"),
        ("[[team]]\npath = 'x'\n[team.build]\ntimeout = 0", "[[team]] 1, build: timeout must be a number of"),
        ("[programs]\nxstep = 3", 'programs must be a table of texts, not {"xstep": 3}'),
        (
            "[[suite]]\npath = 'a'\n[[suite]]\npath = ' '",
            "[[suite]] 2: path must be a text that is not empty",
        ),
        (
            "[[suite]]\npath = 'a'\ncounts = ['b', 3]",
            "counts must be a fraction above 0 and at most 1, or patterns",
        ),
        ("[limits]\nsandbox = 'of'", '[limits]: sandbox must be "auto", "on", "strict" or "off", not "of"'),
        ("[own-tests]\nenough = -1", "[own-tests]: enough must be a count, not -1"),
        ("title = 1979-05-27", 'title must be a text, not "1979-05-27"'),
        (
            "[limits]\ntimeout = '3'",
            "[limits]: timeout must be a number of seconds from 0.01 to 1000000",
        ),
        ("[limits]\ntimeout = true", "timeout must be a number of seconds from 0.01 to 1000000, not true"),
        ("[limits]\ntimeout = inf", "timeout must be a number of seconds from 0.01 to 1000000"),
        ("[limits]\nteam-budget = 1e300", "team-budget must be a number of seconds from 0.01 to 1000000"),
        ("[limits]\nmemory = 9999999999999999", "a whole number of megabytes from 16 to 1000000"),
        ("[limits]\noutput = 9999999999999999", "a whole number of kilobytes from 1 to 1000000"),
        ("[build]\ntimeout = nan\n[[team]]\npath = 'x'", "timeout must be a number of seconds"),
        ("[[suite]]\npoints = 2", "[[suite]] 1: needs a path"),
        ("[[suite]]\npath = 'a'\npoints = 2\nweight = 2", "choose one of them"),
        ("[[suite]]\npath = 'a'\ncounts = 1.5", "counts must be a fraction above 0 and at most 1"),
        ("[[team]]\nname = 'x'", "[[team]] 1: needs either path or glob"),
        ("[[team]]\npath = 'x'\n[team.programs]\nxstep = \"a 'b\"", "has a quote that is not closed"),
        (
            "[[suite]]\npath = 'a'\nfeedback = 'own outputs'",
            '[[suite]] 1: feedback must be "points", "rule", "own output" or "everything", '
            'or a list of steps, not "own outputs"; did you mean own output?',
        ),
        (
            "[[suite]]\npath = 'a'\nfeedback = [{degree = 'rule', until = 'May'}]",
            '[[suite]] 1, feedback 1: until must be a date such as 2026-11-01, not "May"',
        ),
        (
            "[[suite]]\npath = 'a'\nfeedback = [{degree = 'rule', after_submissions = 3}]",
            '[[suite]] 1, feedback 1: unknown key "after_submissions"; did you mean after-submissions?',
        ),
        (
            "[[suite]]\npath = 'a'\nfeedback = [{degree = 'rule'}, {degree = 'points'}]",
            "[[suite]] 1, feedback 1: holds always, so that the steps after it never count",
        ),
        ("teams = 3", "teams must be a list of paths or patterns, not 3"),
        ("= 3", "not TOML"),
        ("build = 3", "build must be a table, not 3"),
    ],
)
def test_a_mistake_in_the_configuration_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "grade.toml").write_text(text)
    with pytest.raises(ConfigError) as problem:
        read_config(str(tmp_path / "grade.toml"))
    assert said in str(problem.value)
    assert str(problem.value).startswith(str(tmp_path / "grade.toml"))


ANY = ("3", "-1", "nan", "true", "''", "'x'", "[]", "[1]", "['x']", "{}", "{x = 1}", "[{}]", "1979-05-27")
KEYS = sorted(set(re.findall(r"^(?:# )?([a-z-]+) = ", EXAMPLE, re.MULTILINE)))
PLACES = (
    "",
    "[limits]\n",
    "[build]\n",
    "[[team]]\n",
    "[team.build]\n",
    "[[suite]]\npath = 'a'\n",
    "[own-tests]\n",
)


@pytest.mark.every(3, "place")
@pytest.mark.parametrize("place", PLACES)
def test_whatever_stands_in_a_configuration_is_read_or_refused_in_one_line(
    tmp_path: Path, place: str
) -> None:
    path = tmp_path / "grade.toml"
    complaints = []
    for key, value in product((*KEYS, "programs", "environment", "team", "suite", "limits"), ANY):
        path.write_text(f"{place}{key} = {value}\n")
        try:
            read_config(str(path))
        except ConfigError as problem:
            complaints.append(str(problem))
    assert len(complaints) > len(KEYS)
    assert [one for one in complaints if not re.fullmatch(rf"{path}: [^\n`]+", one)] == []


def test_mistakes_on_the_command_line_are_named(small: Path) -> None:
    (small / "grade.toml").write_text("x = 1")
    assert harness(small, "grade", "--config", "grade.toml").returncode == 65
    for arguments, said in (
        ((), "no teams"),
        (("nobody",), "team nobody does not exist"),
        (("nobody", "--suite", "suite"), "team nobody does not exist"),
        (("teams/one", "--suite", "nothing"), "suite nothing: nothing: no such directory or case"),
        (("teams/one", "--suite", "teams"), "there are no cases in teams"),
        (("--config", "no.toml"), "no.toml does not exist"),
        (
            ("teams/one", "--suite", "suite", "--out", "teams"),
            "teams is not empty, and there are no grades in it",
        ),
    ):
        done = harness(small, "grade", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_a_folder_of_teams_that_is_named_as_one_says_where_its_programs_are(small: Path) -> None:
    done = harness(small, "grade", "teams", "--suite", "suite", "--sandbox", "off")
    assert (
        "teams: xattack could not start: there is no executable xattack in the team's directory, "
        "but there is one/xattack; a team is the folder that its programs are in\n"
    ) in done.stdout


def test_without_teams_the_example_of_a_configuration_is_named_if_it_is_there(small: Path) -> None:
    assert "no teams: name their directories, or give a --config\n" in harness(small, "grade").stderr
    harness(small, "grade", "--init")
    assert "or give --config grade.toml\n" in harness(small, "grade").stderr


def test_a_broken_case_does_not_count_and_is_named(small: Path) -> None:
    (small / "suite" / "xattack" / "half-in.json").write_text("1")
    write_case(small / "suite" / "xattack", "bad", "1", "[1")
    done = grade(small)
    assert "suite xattack: half does not count: its expected output half-out.json is missing" in done.stdout
    assert "suite xattack: bad does not count: its expected output is not JSON" in done.stdout
    assert len(verdicts(small)) == 12


# --- what must not stop a grading, and what must -------------------------------------------------


@pytest.mark.long
def test_a_name_that_is_no_utf8_costs_nobody_anything(small: Path) -> None:
    hostile = Path(os.fsdecode(os.fsencode(small / "teams") + b"/caf\xe9\x1b[31m"))
    write_program(hostile / "xattack", "#!/bin/sh\necho 7\n")
    odd = Path(os.fsdecode(os.fsencode(small / "teams") + b"/odd\xff"))
    write_program(odd / "xfeed", ECHO)  # and no xattack
    for _ in range(2):
        done = grade(small)
        assert (done.returncode, done.stderr) == (0, "")
        assert "\\xe9\\x1b[31m" in done.stdout
        assert "\x1b" not in done.stdout
    found = verdicts(small)
    assert found["one", "case-1"] == PASS
    assert found["caf\\xe9\\x1b[31m", "case-1"] == "wrong answer"
    assert found["odd\\xff", "case-1"] == "could not start"
    assert started(grade(small, "--regrade", "--only", str(hostile))) == 6
    for path in (small / "out").rglob("*"):
        if path.is_file() and "store" not in path.parts:
            assert "\x1b" not in path.read_text(encoding="utf-8"), path


def test_the_second_of_two_gradings_in_one_directory_is_refused(small: Path) -> None:
    write_program(small / "teams" / "one" / "xattack", f"#!/bin/sh\ntouch {small}/runs\nsleep 300\n")
    command = [f"{BIN}/harness", "grade", "teams/one", "--suite", "suite", "--sandbox", "off", "--out", "out"]
    with subprocess.Popen(
        command, cwd=small, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as first:
        try:
            wait_until((small / "runs").exists)
            for more in ((), ("--out", "other", "--store", "out/store")):
                done = grade(small, *more)
                assert done.returncode == 2
                assert "another grading is writing there" in done.stderr
        finally:
            first.kill()
    write_program(small / "teams" / "one" / "xattack", ECHO)
    assert grade(small).returncode == 0


def test_a_team_within_another_is_refused(small: Path) -> None:
    write_program(small / "teams" / "one" / "late" / "xattack", ECHO)
    for command in (("grade", "--suite", "suite"), ("fest",)):
        done = harness(small, *command, "teams/one", "teams/two", "teams/one/late", "--out", "out")
        assert (done.returncode, done.stdout) == (2, "")
        assert "team late lies within the directory of team one" in done.stderr
    assert not (small / "out").exists()


@pytest.mark.every(3, "name")
@pytest.mark.parametrize("name", ["A=B", "", "A\\u0000"])
@pytest.mark.parametrize("table", ["environment", "build.environment", "team.environment"])
def test_the_name_of_a_variable_is_checked(small: Path, table: str, name: str) -> None:
    team = '[[team]]\npath = "teams/one"\n' if table.startswith("team") else 'teams = ["teams/*"]\n'
    (small / "grade.toml").write_text(f'{team}[{table}]\n"{name}" = "x"\n[[suite]]\npath = "suite"\n')
    done = harness(small, "grade", "--config", "grade.toml")
    assert (done.returncode, done.stdout) == (65, "")
    assert f'environment: "{name}" cannot be the name of a variable' in done.stderr


@pytest.mark.needs("sandbox")
def test_nothing_beside_a_team_can_be_seen() -> None:
    with visible_folder() as folder:
        beside = ("late-bob/xattack", ".old/xattack", "notes", "deep/er/xattack")
        for name in beside:
            write_program(folder / "subs" / name, ECHO)
        looked_at = " ".join(f"{folder}/subs/{name}" for name in beside)
        for team in ("team-1", "team-2"):
            write_program(folder / "subs" / team / "xattack", f"#!/bin/sh\ncat {looked_at}\n# {team}\n")
        write_program(folder / "subs" / "team-3" / "xattack", f"{ECHO}# {folder}\n")
        write_case(folder / "suite" / "xattack", "case", "1", "1")
        (folder / "grade.toml").write_text('teams = ["subs/team-*"]\n[[suite]]\npath = "suite"\n')
        done = harness(folder, "grade", "--config", "grade.toml", "--sandbox", "on")
        assert done.returncode == 0, done.stderr
        found = {r["team"]: r["verdict"] for r in lines(folder / "grades" / "results.jsonl")}
        assert found == {"team-1": "no output", "team-2": "no output", "team-3": PASS}


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_a_program_that_a_command_line_names_is_seen_wherever_it_lies() -> None:
    with visible_folder() as folder:
        tool = write_program(folder / "subs" / "tools" / "bin" / "run", '#!/bin/sh\nexec "$1"\n')
        write_program(folder / "subs" / "one" / "main", ECHO)
        write_case(folder / "suite" / "xattack", "case", "1", "1")
        (folder / "grade.toml").write_text(
            'teams = ["subs/o*"]\n[[suite]]\npath = "suite"\n'
            f"[programs]\nxattack = \"'{tool}' {{team}}/main\"\n"
        )
        done = harness(folder, "grade", "--config", "grade.toml", "--sandbox", "on")
        assert done.returncode == 0, done.stderr
        assert [r["verdict"] for r in lines(folder / "grades" / "results.jsonl")] == [PASS]


def test_what_failed_is_told_to_gradescope_and_in_the_feedback_with_all_that_helps(small: Path) -> None:
    write_program(small / "teams" / "one" / "xattack", "#!/bin/sh\necho 'no java' >&2\n")
    write_program(small / "teams" / "two" / "xattack", "#!/bin/sh\necho 41\n")
    write_case(small / "secret" / "xattack", "hidden-case", "77", "78")
    (small / "grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\n[[suite]]\nname = "xattack"\npath = "suite"\n'
        '[[suite]]\nname = "secret"\npath = "secret"\nhidden = true\n'
    )
    assert harness(small, "grade", "--config", "grade.toml").returncode == 0
    page = (small / "grades" / "feedback" / "one.md").read_text()
    told = "but printed nothing, and on standard error\n\n```text\nno java\n```"
    assert f"xattack was given\n\n```text\n0\n```\n\nand should print\n\n```text\n0\n```\n\n{told}" in page
    results = json.loads((small / "grades" / "gradescope" / "one.json").read_text())
    tests = {test["name"]: test for test in results["tests"]}
    first = tests["xattack: xattack/case-5"]
    assert first["tags"] == ["xattack"]
    assert first["output"].startswith(
        "it answers nothing to any case of xattack\n"
        "no output\n\nxattack was given\n5\n\nand should print\n5\n\nbut printed "
    )
    assert first["output"].endswith("nothing, and on standard error\nno java")
    results = json.loads((small / "grades" / "gradescope" / "two.json").read_text())
    outputs = {test["name"]: test["output"] for test in results["tests"]}
    assert outputs["xattack: xattack/case-3"].endswith("\n\nbut printed\n41")
    assert "was given" not in outputs["secret: xattack/hidden-case"]


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_what_the_sandbox_says_is_not_told_as_what_a_program_said(small: Path) -> None:
    shell = write_program(small / "teams" / "two" / "sh", '#!/bin/sh\nexec /bin/sh "$@"\n')
    write_program(small / "teams" / "one" / "xattack", f"#!{shell}\necho 1\n")  # which is hidden from it
    assert grade(small, "--sandbox", "on").returncode == 0
    assert verdicts(small)["one", "case-1"] == "could not start"
    record = next(one for one in lines(small / "out" / "results.jsonl") if one["team"] == "one")
    assert (record["exit"], record["stdout"], record["stderr"]) == (None, "", "")
    assert f"its #! line names {shell}, which the sandbox does not show" in record["detail"]
    page = (small / "out" / "feedback" / "one.md").read_text()
    assert "could not start" in page
    assert "printed nothing" not in page


@pytest.mark.long
def test_hidden_cases_wait_until_a_doubtful_time_out_among_the_open_ones_is_confirmed(small: Path) -> None:
    log = small / "log"
    asked = f"#!/bin/sh\nread n\necho $n >> {log}\ntest $n = 3 && exec sleep 9\necho $n\n"
    write_program(small / "teams" / "one" / "xattack", asked)
    for number in (77, 78):
        write_case(small / "secret" / "xattack", f"hidden-{number}", str(number), str(number))
    (small / "grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\ntimeout = 0.5\njobs = 2\n'
        '[[suite]]\nname = "xattack"\npath = "suite"\n'
        '[[suite]]\nname = "secret"\npath = "secret"\nhidden = true\n'
    )
    done = harness(small, "grade", "--config", "grade.toml")
    assert done.returncode == 0, done.stderr
    order = [line for line in log.read_text().splitlines() if line in ("3", "77", "78")]
    assert order.count("3") >= 2
    assert "3" not in order[min(map(order.index, ("77", "78"))) :]
    results = lines(small / "grades" / "results.jsonl")
    found = {os.path.basename(one["case"]): one["verdict"] for one in results if one["team"] == "one"}
    assert (found["case-3"], found["hidden-77"]) == ("timeout", PASS)


@pytest.mark.long
def test_the_time_for_judging_counts_as_the_time_of_the_team(small: Path) -> None:
    slow = (
        "import time\nfrom harness.running import worker\njudge = worker.judge\n"
        "def slow(*given, **more):\n    time.sleep(0.4)\n    return judge(*given, **more)\n"
        "worker.judge = slow"
    )
    line = ["grade", "teams/one", "--suite", "suite", "--sandbox", "off", "--out", "out", "-j", "1"]
    done = with_a_fault(small, slow, *line, "--team-budget", "1")
    assert done.returncode == 0, done.stderr
    told = [one.get("detail", "") for one in lines(small / "out" / "results.jsonl")]
    assert 3 <= sum("budget of 1 s was used up" in detail for detail in told) < 6
