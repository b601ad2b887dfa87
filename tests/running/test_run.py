"""`harness run` from the command line: what it finds, what it says, and how it ends."""

import json
import os
import random
import re
import shlex
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.running.results import quoted
from tests.support.keeper import write_program

ROOT = Path(__file__).resolve().parents[2]
HARNESS = str(ROOT / "bin" / "harness")

ECHO = "#!/bin/sh\ncat\n"
SILENT = "#!/bin/sh\nexit 0\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to run from, with a memory of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    here = tmp_path / "here"
    here.mkdir()
    return here


def case(stem: Path, given: str, expected: str) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_name(f"{stem.name}-in.json").write_text(given)
    stem.with_name(f"{stem.name}-out.json").write_text(expected)


def harness(place: Path, *arguments: str, **options: Any) -> "subprocess.CompletedProcess[str]":
    command = [HARNESS, "run", "--sandbox", "off", *arguments]
    return subprocess.run(
        command, cwd=place, capture_output=True, text=True, timeout=120, check=False, **options
    )


def records(journal: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in journal.read_text().splitlines()]


def verdicts(journal: Path) -> dict[str, str]:
    return {record["case"]: record["verdict"] for record in records(journal)}


# --- what is found -------------------------------------------------------------------------------


def test_every_way_to_name_a_case_is_found(place: Path) -> None:
    write_program(place / "bin" / "echo", ECHO)
    folder = place / "cases" / "echo"
    (folder / "in").mkdir(parents=True)
    (folder / "out").mkdir()
    for given, expected in (
        ("one-in.json", "one-out.json"),
        ("two.in.json", "two.out.json"),
        ("in/three.json", "out/three.json"),
        ("four.in", "four.ans"),
    ):
        (folder / given).write_text("[1]")
        (folder / expected).write_text("[1]")
    (folder / "README.md").write_text("not a case")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 0, done.stdout + done.stderr
    assert verdicts(place / "j") == {f"cases/echo/{name}": "pass" for name in ("one", "two", "three", "four")}


def test_a_missing_half_is_a_broken_case_and_never_skipped(place: Path) -> None:
    write_program(place / "bin" / "echo", ECHO)
    folder = place / "cases" / "echo"
    case(folder / "whole", "1", "1")
    (folder / "input-only-in.json").write_text("1")
    (folder / "output-only-out.json").write_text("1")
    (folder / "judges.in").write_text("1")
    (folder / "arguments-only-args.json").write_text("[]")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 1
    assert Counter(verdicts(place / "j").values()) == {"pass": 1, "broken case": 4}
    assert (
        "cases/echo/input-only: broken case (its expected output input-only-out.json is missing)"
        in done.stdout
    )
    assert "cases/echo/output-only: broken case (its input output-only-in.json is missing)" in done.stdout
    assert done.stdout.endswith("1 passed, 4 failed\n")


@pytest.mark.parametrize("text", ["hello", "[1,", "[1]]", "1 x", "NaN", "{1:2}", "'a'"])
def test_an_expected_output_that_is_not_json_is_broken_even_if_it_is_printed(place: Path, text: str) -> None:
    write_program(place / "says", f"#!/bin/sh\ncat <<'.'\n{text}\n.\n")
    case(place / "cases" / "a", "1", text)
    done = harness(place, "--program", "says", "--json", "j", "cases")
    assert done.returncode == 1
    assert verdicts(place / "j") == {"cases/a": "broken case"}


@pytest.mark.parametrize("text", ["", "1 2", "1\n\n2", "1e3 1.50", "[" * 300 + "]" * 300, "9" * 5000])
def test_whatever_is_json_passes_if_it_is_printed_as_expected(place: Path, text: str) -> None:
    write_program(place / "says", f"#!/bin/sh\ncat <<'.'\n{text}\n.\n")
    case(place / "cases" / "a", "1", text)
    assert harness(place, "--program", "says", "cases").returncode == 0


def test_an_unreadable_half_is_a_broken_case(place: Path) -> None:
    write_program(place / "bin" / "echo", ECHO)
    folder = place / "cases" / "echo"
    case(folder / "bad", "1", "[1, ")
    case(folder / "loop", "1", "1")
    (folder / "loop-in.json").unlink()
    (folder / "loop-in.json").symlink_to("loop-in.json")
    (folder / "folder-in.json").mkdir()
    (folder / "folder-out.json").write_text("1")
    case(folder / "arguments", "1", "1")
    (folder / "arguments-args.json").write_text('{"no": "list"}')
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 1
    found = verdicts(place / "j")
    assert found == {f"cases/echo/{name}": "broken case" for name in ("bad", "loop", "folder", "arguments")}
    assert "bad: broken case (its expected output is not JSON at byte 4: the value is cut off)" in done.stdout


def test_the_nearest_folder_named_like_an_executable_says_which_program(place: Path) -> None:
    write_program(place / "bin" / "one", "#!/bin/sh\necho 1\n")
    write_program(place / "bin" / "two", "#!/bin/sh\necho 2\n")
    case(place / "cases" / "one" / "deep" / "down" / "a", "", "1")
    case(place / "cases" / "one" / "two" / "b", "", "2")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 0, done.stdout
    assert {record["case"]: record["program"] for record in records(place / "j")} == {
        "cases/one/deep/down/a": "one",
        "cases/one/two/b": "two",
    }


def test_a_case_that_no_folder_assigns_to_a_program_is_broken(place: Path) -> None:
    write_program(place / "bin" / "one", SILENT)
    case(place / "cases" / "other" / "a", "", "")
    done = harness(place, "--bin", "bin", "cases")
    assert done.returncode == 1
    assert "broken case (no folder above it has a program's name" in done.stdout


def test_one_program_for_every_case(place: Path) -> None:
    case(place / "anything" / "a", "[1]", "[1]")
    done = harness(place, "--program", "/bin/cat", "anything")
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", ["cases/cat/a-in.json", "cases/cat/a-out.json", "cases/cat/a"])
def test_a_single_case_can_be_named_by_any_of_its_files(place: Path, path: str) -> None:
    case(place / "cases" / "cat" / "a", "1", "1")
    case(place / "cases" / "cat" / "b", "1", "2")
    done = harness(place, "--program", "/bin/cat", path)
    assert done.returncode == 0
    assert done.stdout.endswith("1 passed, 0 failed\n")


def test_arguments_and_plain_text_for_programs_that_print_no_json(place: Path) -> None:
    write_program(place / "bin" / "say", '#!/bin/sh\necho "1 player id: $1 score: $2"\n')
    case(place / "cases" / "say" / "right", "", "1 player id: 3 score: 7\n")
    case(place / "cases" / "say" / "wrong", "", "1 player id: 3 score: 8\n")
    for name in ("right", "wrong"):
        (place / "cases" / "say" / f"{name}-args.json").write_text('["3", "7"]')
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert verdicts(place / "j") == {"cases/say/right": "pass", "cases/say/wrong": "wrong answer"}
    assert 'line 1: "1 player id: 3 score: 7", should be "1 player id: 3 score: 8"' in done.stdout


# --- verdicts ------------------------------------------------------------------------------------

VERDICTS = [
    ("right", "echo '[1, 2]'", "[1,2]", "pass"),
    ("right-but-status-3", "echo 1; exit 3", "1", "pass"),
    ("right-over-many-lines", "printf '\\n[\\n1\\n]\\n\\n'", "[1]", "pass"),
    ("nothing-where-nothing-is-expected", ":", " \n", "pass"),
    ("wrong", "echo 2", "1", "wrong answer"),
    ("true-is-not-one", "echo true", "1", "wrong answer"),
    ("nothing", ":", "1", "no output"),
    ("words", "echo hello", "1", "not JSON"),
    ("nan", "echo NaN", "1", "not JSON"),
    ("two-values", "echo 1 1", "1", "too many values"),
    ("a-value-where-nothing-is-expected", "echo 1", "", "too many values"),
    ("endless", "while :; do :; done", "1", "timeout"),
    ("sleeping", "sleep 60", "1", "timeout"),
    ("flood", "yes", "1", "too much output"),
    ("killed", "kill -SEGV $$", "1", "crashed"),
]


def test_each_verdict_is_given_where_it_is_due(place: Path) -> None:
    for name, text, expected, _ in VERDICTS:
        write_program(place / "bin" / name, f"#!/bin/sh\n{text}\n")
        case(place / "cases" / name / "case", "0", expected)
    done = harness(place, "--bin", "bin", "--timeout", "1", "--output", "64", "--json", "j", "cases")
    assert done.returncode == 1
    assert verdicts(place / "j") == {f"cases/{name}/case": verdict for name, _, _, verdict in VERDICTS}
    assert "cases/killed/case: crashed (SIGSEGV)" in done.stdout


def test_the_exit_status_is_recorded_but_does_not_decide(place: Path) -> None:
    write_program(place / "bin" / "three", "#!/bin/sh\necho 1; exit 3\n")
    case(place / "cases" / "three" / "a", "", "1")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 0
    assert records(place / "j")[0]["exit"] == 3


@pytest.mark.parametrize("how", ["missing", "not executable", "directory"])
def test_a_program_that_is_not_there_is_said_once_and_at_once(place: Path, how: str) -> None:
    (place / "bin").mkdir()
    if how == "not executable":
        (place / "bin" / "xstep").write_text(ECHO)
    if how == "directory":
        (place / "bin" / "xstep").mkdir()
    for number in range(5):
        case(place / "cases" / "xstep" / f"a{number}", "1", "1")
    done = harness(place, "--bin", "bin", "--timeout", "100", "--json", "j", "cases")
    assert done.returncode == 1
    assert set(verdicts(place / "j").values()) == {"could not start"}
    assert done.stdout.count("xstep could not start:") == 1


def test_a_program_without_a_first_line_cannot_be_started(place: Path) -> None:
    write_program(place / "bin" / "odd", "echo 1\n")
    write_program(place / "bin" / "lost", "#!/no/such/interpreter\n")
    case(place / "cases" / "odd" / "a", "", "1")
    case(place / "cases" / "lost" / "a", "", "1")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert set(verdicts(place / "j").values()) == {"could not start"}
    assert "it does not begin with a #! line" in done.stdout
    assert "needs /no/such/interpreter, which its #! line names" in done.stdout


# --- what is said --------------------------------------------------------------------------------


def board(food: int) -> str:
    species = f'[["food",{food}],["body",0],["population",3],["traits",["horns","climbing"]]]'
    return f'[[[["id",7],["species",[{species}]],["bag",0]]],{4 - food},[]]'


def test_a_difference_is_said_in_the_games_words_with_the_line_to_see_it_again(place: Path) -> None:
    write_program(place / "bin" / "xstep", f"#!/bin/sh\necho '{board(1)}'\n")
    case(place / "cases" / "xstep" / "it's a case", board(0), board(2))
    done = harness(place, "--bin", "bin", "cases")
    assert done.returncode == 1
    assert "  player 0 (id 7), board 0: food is 1, should be 2" in done.stdout
    assert "  watering hole: 3, should be 2" in done.stdout
    again = re.search(r"see it again: (.*)", done.stdout)
    assert again is not None
    shown = subprocess.run(again[1], shell=True, cwd=place, capture_output=True, text=True, check=True)
    assert shown.stdout == board(1) + "\n"


def test_traits_are_a_set_unless_exactly_is_asked_for(place: Path) -> None:
    other = board(2).replace('"horns","climbing"', '"climbing","horns"')
    write_program(place / "bin" / "xstep", f"#!/bin/sh\necho '{other}'\n")
    case(place / "cases" / "xstep" / "a", board(0), board(2))
    assert harness(place, "--bin", "bin", "cases").returncode == 0
    assert harness(place, "--bin", "bin", "--exact", "cases").returncode == 1


def test_bad_bytes_cannot_garble_the_terminal(place: Path) -> None:
    text = (
        r"#!/bin/sh" + "\n" + r"printf '\033[2J\007\377\302\205'" + "\n" + r"printf '\033]0;x\007' >&2" + "\n"
    )
    write_program(place / "bin" / "xstep", text)
    case(place / "cases" / "xstep" / "a", "1", "1")
    done = subprocess.run(
        [HARNESS, "run", "--sandbox", "off", "--bin", "bin", "cases"],
        cwd=place,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 1
    assert not set(done.stdout) - set(range(32, 127)) - {10}, done.stdout


def test_the_summary_counts_by_folder_and_says_isolation_and_limits(place: Path) -> None:
    case(place / "cases" / "cat" / "a", "1", "1")
    case(place / "cases" / "dog" / "b", "1", "2")
    done = harness(place, "--program", "/bin/cat", "--timeout", "7", "--memory", "300", "cases")
    lines = done.stdout.splitlines()
    assert any(re.fullmatch(r"cases/cat +1 +\.", line) for line in lines)
    assert any(re.fullmatch(r"cases/dog +\. +1", line) for line in lines)
    assert any(line.startswith("no sandbox") for line in lines)
    assert any(line.startswith("limits per case: 7 s, 300 MB") for line in lines)
    assert lines[-1] == "1 passed, 1 failed"


def test_only_failures_and_the_total(place: Path) -> None:
    case(place / "cases" / "cat" / "a", "1", "1")
    case(place / "cases" / "cat" / "b", "1", "2")
    lines = harness(place, "--program", "/bin/cat", "--failures-only", "cases").stdout.splitlines()
    assert lines[0].startswith("cases/cat/b: wrong answer")
    assert lines[-1] == "1 passed, 1 failed"
    assert not any("limits" in line for line in lines)


def test_the_slowest_are_listed(place: Path) -> None:
    write_program(place / "bin" / "slow", "#!/bin/sh\nread n\nsleep 0.$n\necho 1\n")
    for number in (1, 3, 5):
        case(place / "cases" / "slow" / f"a{number}", f"{number}\n", "1")
    lines = harness(place, "--bin", "bin", "--slowest", "2", "cases").stdout.splitlines()
    at = lines.index("slowest:")
    assert [line.split()[-1] for line in lines[at + 1 : at + 3]] == ["cases/slow/a5", "cases/slow/a3"]


@pytest.mark.needs("terminal")
def test_colours_on_a_terminal_only_and_not_against_the_users_will(place: Path) -> None:
    case(place / "cases" / "cat" / "a", "1", "2")
    command = f"{shlex.quote(str(HARNESS))} run --sandbox off --program /bin/cat cases"
    shown = {}
    for name, setting in (("colour", {}), ("plain", {"NO_COLOR": "1"})):
        environment = {**os.environ, "TERM": "xterm", **setting}
        environment.pop("NO_COLOR", None) if name == "colour" else None
        done = subprocess.run(
            ["script", "-qec", command, "/dev/null"],
            cwd=place,
            capture_output=True,
            env=environment,
            check=False,
        )
        shown[name] = done.stdout
    assert b"\x1b[31;1m" in shown["colour"]
    assert b"\x1b[31;1m" not in shown["plain"]
    assert "\x1b" not in harness(place, "--program", "/bin/cat", "cases").stdout


@pytest.mark.needs("terminal")
def test_a_progress_bar_counts_on_a_terminal_while_it_runs(place: Path) -> None:
    write_program(place / "bin" / "slow", "#!/bin/sh\nsleep 0.3\necho 1\n")
    for number in range(6):
        case(place / "cases" / "slow" / f"a{number}", "1", "1")
    command = f"{shlex.quote(str(HARNESS))} run --sandbox off --bin bin -j 2 cases"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    shown = subprocess.run(
        ["script", "-qec", command, "/dev/null"], cwd=place, capture_output=True, env=environment, check=True
    ).stdout.decode()
    plain = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown)
    assert re.search(r"[1-5] cases, [1-5] passed, 0 failed, \d+ a second \d:\d\d:\d\d", plain)
    assert plain.replace("\r", "").endswith("\n6 passed, 0 failed\n")
    assert "a second" not in harness(place, "--bin", "bin", "-j", "2", "cases").stdout


# --- choosing ------------------------------------------------------------------------------------


def test_a_pattern_chooses_cases(place: Path) -> None:
    for name in ("horns-one", "horns-two", "climbing"):
        case(place / "cases" / "cat" / name, "1", "1")
    for pattern, count in (("horns", 2), ("HORNS", 2), ("*two", 1), ("c?imb*", 1)):
        done = harness(place, "--program", "/bin/cat", "-k", pattern, "cases")
        assert done.stdout.endswith(f"{count} passed, 0 failed\n"), pattern
    assert harness(place, "--program", "/bin/cat", "-k", "nothing-like-it", "cases").returncode == 2


def test_stopping_at_the_first_failure(place: Path) -> None:
    for number in range(40):
        case(place / "cases" / "cat" / f"a{number:02}", "1", "2")
    done = harness(place, "--program", "/bin/cat", "-x", "-j", "1", "cases")
    assert done.returncode == 1
    assert done.stdout.endswith("0 passed, 1 failed\n")


def test_what_failed_last_time_is_run_alone_or_first(place: Path) -> None:
    for number in range(20):
        case(place / "cases" / "cat" / f"a{number:02}", "1", "2" if number == 17 else "1")
    assert harness(place, "--program", "/bin/cat", "cases").returncode == 1
    done = harness(place, "--program", "/bin/cat", "-j", "1", "--json", "j", "cases")
    assert records(place / "j")[0]["case"] == "cases/cat/a17"
    done = harness(place, "--program", "/bin/cat", "--last-failed", "cases")
    assert done.stdout.endswith("0 passed, 1 failed\n")
    case(place / "cases" / "cat" / "a17", "1", "1")
    assert harness(place, "--program", "/bin/cat", "--last-failed", "cases").returncode == 0
    done = harness(place, "--program", "/bin/cat", "--last-failed", "cases")
    assert "no failures of an earlier run from this directory are recorded" in done.stderr
    assert done.stdout.endswith("20 passed, 0 failed\n")


@pytest.mark.long
def test_what_was_slow_last_time_is_run_first(place: Path) -> None:
    write_program(place / "bin" / "slow", "#!/bin/sh\nread n\nsleep $n\necho 1\n")
    for number in range(6):
        case(place / "cases" / "slow" / f"a{number}", "0.6\n" if number == 4 else "0\n", "1")
    order = []
    for journal in ("first", "second"):
        assert harness(place, "--bin", "bin", "-j", "1", "--json", journal, "cases").returncode == 0
        order.append([record["case"][-1] for record in records(place / journal)])
    assert order[0] == list("012345")
    assert order[1][0] == "4"


# --- wrong command lines -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "nowhere: no such directory or case"),
        (["empty"], "no cases found in empty"),
        (["--bin", "nowhere", "empty"], "nowhere is not a directory"),
        (["--program", "nowhere", "empty"], "does not exist"),
        (["--program", "/bin/cat", "--bin", "empty", "empty"], "exclude each other"),
        (["--resume", "nowhere"], "nowhere: No such file"),
        (["--json", "no/such/folder/j", "--program", "/bin/cat", "empty"], "no/such/folder/j"),
        (["--timeout", "0", "empty"], "--timeout"),
        (["--tiemout", "3", "empty"], "--timeout"),
    ],
)
def test_a_wrong_command_line_is_status_2_and_one_clear_message(
    place: Path, arguments: list[str], message: str
) -> None:
    (place / "empty").mkdir()
    done = harness(place, *arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert message in done.stderr
    assert "Traceback" not in done.stderr


# --- the journal ---------------------------------------------------------------------------------


def test_every_line_of_a_journal_fits_the_printed_schema(place: Path) -> None:
    from jsonschema import Draft202012Validator

    for name, text, expected, _ in VERDICTS:
        write_program(place / "bin" / name, f"#!/bin/sh\n{text}\n")
        case(place / "cases" / name / "case", "0", expected)
    (place / "cases" / "words" / "half-in.json").write_text("1")
    harness(place, "--bin", "bin", "--timeout", "0.5", "--output", "64", "--json", "j", "cases")
    schema = json.loads(harness(place, "--schema").stdout)
    validator = Draft202012Validator(schema)
    lines = records(place / "j")
    assert len(lines) == len(VERDICTS) + 1
    for line in lines:
        validator.validate(line)


def comparable(output: str) -> list[str]:
    return sorted(output.splitlines())


def big_run(place: Path, count: int) -> None:
    for number in range(count):
        case(place / "cases" / "cat" / f"f{number // 500}" / f"a{number}", str(number), str(number % 997))


@pytest.mark.long
def test_a_journal_cut_anywhere_resumes_to_the_same_report(place: Path) -> None:
    big_run(place, 300)
    whole = harness(place, "--program", "/bin/cat", "--json", "whole", "cases")
    data = (place / "whole").read_bytes()
    for cut in (0, 1, 200, len(data) // 2, len(data) - 1, len(data)):
        (place / "part").write_bytes(data[:cut])
        extra = [] if cut > 1000 else ["--program", "/bin/cat", "cases"]
        resumed = harness(place, "--resume", "part", *extra)
        assert comparable(resumed.stdout) == comparable(whole.stdout), cut
        assert verdicts(place / "part") == verdicts(place / "whole")
        assert len(records(place / "part")) == 300


@pytest.mark.parametrize(
    "word", ["plain", "two words", "it's", "a\nb", "it's\ta\\b\r", "na\xefve\n", "\udcff\x7f1"], ids=ascii
)
def test_what_is_typed_to_see_it_again_can_be_pasted(word: str) -> None:
    typed = quoted(word)
    assert typed.isprintable()
    told = subprocess.run(["bash", "-c", f"printf %s {typed}"], capture_output=True, check=True)
    assert told.stdout == os.fsencode(word)


# `make soak` kills 50 runs of 2,000 cases; `make test-all`, a few shorter ones; `make test`, one of them.
KILLS, CASES = (50, 2000) if os.environ.get("SOAK") else (5, 600)


@pytest.mark.alone
@pytest.mark.parametrize("kills", [1, pytest.param(KILLS, marks=pytest.mark.long)])
def test_killing_the_runner_at_any_moment_loses_only_cases_in_flight(place: Path, kills: int) -> None:
    big_run(place, CASES)
    whole = harness(place, "--program", "/bin/cat", "--json", "whole", "cases")
    moments = random.Random(kills)
    command = [HARNESS, "run", "--sandbox", "off", "--json", "part", "--program", "/bin/cat", "cases"]
    for attempt in range(kills):
        (place / "part").unlink(missing_ok=True)
        started = subprocess.Popen(command, cwd=place, stdout=subprocess.DEVNULL)
        time.sleep(0.1 + moments.random() * CASES / 1500)
        started.send_signal(signal.SIGKILL)
        started.wait()
        if not (place / "part").exists():
            continue
        before = (place / "part").read_bytes().count(b"\n")
        resumed = harness(place, "--resume", "part", "--program", "/bin/cat", "cases")
        assert comparable(resumed.stdout) == comparable(whole.stdout), attempt
        lines = records(place / "part")
        assert len(lines) == len({line["case"] for line in lines}) == CASES
        assert before <= CASES


@pytest.mark.alone
def test_an_interrupt_stops_at_once_and_shows_what_there_is(place: Path) -> None:
    write_program(place / "bin" / "slow", "#!/bin/sh\nread n\nsleep $n\necho 1\n")
    case(place / "cases" / "slow" / "a", "0", "1")
    for number in range(8):
        case(place / "cases" / "slow" / f"b{number}", "100", "1")
    command = [HARNESS, "run", "--sandbox", "off", "--bin", "bin", "--timeout", "200", "--json", "j", "cases"]
    started = subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not ((place / "j").exists() and (place / "j").read_bytes()):
        assert time.monotonic() < until
        time.sleep(0.05)
    started.send_signal(signal.SIGINT)
    output, _ = started.communicate(timeout=30)
    assert started.returncode == 130
    assert "interrupted" in output
    assert output.endswith("1 passed, 0 failed\n")


# --- our own programs ----------------------------------------------------------------------------


def test_our_own_programs_give_the_same_through_streams_and_one_by_one(place: Path) -> None:
    fixtures = str(ROOT / "test-fixtures")
    streamed = harness(place, "--json", "streamed", "-k", "xfeed", fixtures)
    assert "asked through --stream" in streamed.stdout
    single = harness(place, "--json", "single", "--one-shot", "-k", "xfeed", fixtures)
    assert "asked through --stream" not in single.stdout
    assert streamed.returncode == single.returncode == 0
    assert verdicts(place / "streamed") == verdicts(place / "single")


def test_what_a_stream_cannot_take_is_run_one_by_one(place: Path) -> None:
    case(place / "cases" / "xattack" / "two-values", "[] []", "")
    case(place / "cases" / "xattack" / "no-json", "[", "")
    case(place / "cases" / "xattack" / "nothing", "", "")
    case(place / "cases" / "xattack" / "refused", "[]", "")
    case(place / "cases" / "xstream" / "two-values", "[] 1", '[] 1 {"count":2}')
    done = harness(place, "cases")
    assert done.returncode == 0, done.stdout
