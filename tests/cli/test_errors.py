"""What goes wrong is told in one line with the right status: a broken case, a wrong name, a fault of ours."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.running.results import from_here
from tests.support.grading_helpers import PATIENCE, harness, lines
from tests.support.helpers import ROOT, json_text, species
from tests.support.keeper import visible_folder, write_case, write_program

SHELL = [species(0, 0, 2, ["hard-shell"]), species(0, 3, 2, ["carnivore"]), False, False]  # false
CLIMBER = [species(), species(0, 0, 1, ["carnivore", "climbing"]), False, False]  # true
OURS = f'#!/bin/sh\nexec "{ROOT}/bin/xattack" "$@"\n'
BROKEN = {
    "[": "is not JSON",
    '{"a": 1}': "is not a list of strings",
    "[1, 2]": "is not a list of strings",
    '["a\\u0000b"]': "has a zero byte in an argument",
    '["\\ud83d"]': "has half of a character in an argument",
    "[" * 100_000: "is nested too deep",
}

FIRST, *OTHERS = BROKEN
# What reads arguments is one function, so that who uses it is tried with one kind of broken ones at first.
however_broken = pytest.mark.parametrize("place", BROKEN, ids=BROKEN.values(), indirect=True)
however_broken_if_long = pytest.mark.parametrize(
    "place",
    [FIRST, *(pytest.param(other, marks=pytest.mark.long) for other in OTHERS)],
    ids=BROKEN.values(),
    indirect=True,
)


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Two teams that bring one case each, and a suite of two; of both, one case has broken arguments."""
    for team in ("ada", "bob"):
        write_program(tmp_path / team / "xattack", f"{OURS}# {team}\n")
    write_case(tmp_path / "ada" / "tests" / "xattack", "shell", json_text(SHELL), "false")
    write_case(tmp_path / "suite" / "xattack", "shell", json_text(SHELL), "false")
    for folder in ("bob/tests/xattack", "suite/xattack"):
        write_case(tmp_path / folder, "bad", json_text(CLIMBER), "true")
        (tmp_path / folder / "bad-args.json").write_text(request.param)
    (tmp_path / "said").write_text(BROKEN[request.param])
    return tmp_path


# --- arguments that are none ---------------------------------------------------------------------


@however_broken_if_long
def test_a_case_whose_arguments_are_broken_does_not_count_when_teams_are_graded(place: Path) -> None:
    done = harness(place, "grade", "ada", "bob", "--suite", "suite", "--sandbox", "off", "--out", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert "suite xattack: bad does not count: its arguments file bad-args.json " in done.stdout
    assert (place / "said").read_text() in done.stdout
    assert [(one["team"], one["verdict"]) for one in lines(place / "out" / "results.jsonl")] == [
        ("ada", "pass"),
        ("bob", "pass"),
    ]


@however_broken_if_long
@pytest.mark.parametrize("judge", ["reference", "majority"])
def test_a_test_whose_arguments_are_broken_is_rejected_and_the_fest_goes_on(place: Path, judge: str) -> None:
    done = harness(place, "fest", "ada", "bob", "--judge", judge, "--sandbox", "off", "--out", "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 cases brought, 1 admitted" in done.stdout
    assert "rejected: bob: tests/xattack/bad: its arguments file bad-args.json " in done.stdout
    assert (place / "said").read_text() in done.stdout


@however_broken_if_long
def test_a_case_whose_arguments_are_broken_is_not_asked_and_the_vote_goes_on(place: Path) -> None:
    done = harness(place, "vote", "suite", "ada", "bob", "--sandbox", "off")
    assert (done.returncode, done.stdout.splitlines()[-1].split(";")[0]) == (
        0,
        "1 case, 0 answered differently",
    )
    assert done.stderr.startswith("not asked: suite/xattack/bad: its arguments file bad-args.json ")
    alone = harness(place, "vote", "suite/xattack/bad", "ada", "bob", "--sandbox", "off")
    assert (alone.returncode, alone.stdout) == (2, "")
    assert "no case can be asked: suite/xattack/bad: its arguments file" in alone.stderr


@however_broken
def test_broken_arguments_are_found_by_a_run_and_by_a_check(place: Path) -> None:
    run = harness(place, "run", "suite", "--failures-only")
    assert "suite/xattack/bad: broken case (its arguments file bad-args.json " in run.stdout
    assert (place / "said").read_text() in run.stdout
    check = harness(place, "check", "suite")
    assert "suite/xattack/bad: unreadable\n  its arguments file bad-args.json " in check.stdout
    assert (run.returncode, check.returncode) == (1, 1)


# --- faults of ours ------------------------------------------------------------------------------


def with_a_fault(folder: Path, fault: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """One command of a harness in which something fails that nobody expects."""
    code = f"import sys\nfrom harness.start import harness\n{fault}\nharness()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    """A team that brings one case."""
    write_program(tmp_path / "ada" / "xattack", OURS)
    write_case(tmp_path / "ada" / "tests" / "xattack", "shell", json_text(SHELL), "false")
    return tmp_path


WORKER = """
from harness.running.worker import Worker
def fail(*given): raise AssertionError("oops")
Worker.outcome = fail
"""


@pytest.mark.every(2, "line")
@pytest.mark.parametrize(
    "line",
    [
        "run ada/tests --program ada/xattack",
        "vote ada/tests/xattack/shell ada",
        "grade ada --suite ada/tests",
        "fest ada --judge majority",
        "fest ada",
    ],
)
def test_a_worker_that_fails_by_itself_is_nobodys_verdict_and_no_success(teams: Path, line: str) -> None:
    done = with_a_fault(teams, WORKER, *line.split(), "--sandbox", "off")
    assert done.returncode in (1, 70)
    assert "AssertionError: oops" in done.stderr
    assert "not graded" in done.stdout + done.stderr or "not counted" in done.stderr


def test_what_nobody_expected_is_a_fault_of_ours_that_shows_where_it_is(teams: Path) -> None:
    fault = "from harness.authoring import check\ncheck.Check.findings = lambda self: 1 / 0"
    done = with_a_fault(teams, fault, "check", "ada/tests")
    assert (done.returncode, done.stdout) == (70, "")
    *trace, last = done.stderr.splitlines()
    assert trace[0] == "Traceback (most recent call last):"
    assert (
        last == "harness: internal error: ZeroDivisionError: division by zero; this is a fault of the harness"
    )


# --- programs ------------------------------------------------------------------------------------

NAMING = [
    "generate xatack",
    "fuzz ada/xattack --program xatack",
    "shrink ada/tests/xattack/shell ada/xattack --program xatack",
    "explain ada/tests/xattack/shell --program xatack",
    "check ada/tests --program xatack",
    "bless ada/tests --name xatack",
    "chaff ada/tests --program xatack",
    "vote ada ada/tests --program xatack",
]


@pytest.mark.parametrize("line", NAMING)
def test_a_program_whose_name_is_mistyped_is_suggested(teams: Path, line: str) -> None:
    done = harness(teams, *line.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(": there is no program xatack; did you mean xattack?\n")


RUNNING = [
    ("run ada/tests --program COMMAND", "1 passed, 0 failed\n"),
    ("bless ada/tests --program COMMAND --name xattack", "1 unchanged\n"),
    (
        "fuzz COMMAND --program xattack --cases 30",
        "see it again: /usr/bin/sh tools/never.sh false < fuzz-found/xattack/",
    ),
    ("vote ada/tests COMMAND ada --program xattack", "1 case, 0 answered differently"),
    ("fest ada --judge COMMAND --out fest", "1 cases brought, 1 admitted"),
]


@pytest.mark.every(2, "line")
@pytest.mark.parametrize(
    "sandbox",
    [pytest.param("on", marks=pytest.mark.needs("sandbox")), pytest.param("off", marks=pytest.mark.long)],
)
@pytest.mark.parametrize(("line", "said"), RUNNING)
def test_a_program_may_be_a_command_with_arguments(line: str, said: str, sandbox: str) -> None:
    with visible_folder() as place:
        write_program(place / "ada" / "xattack", "#!/bin/sh\necho false\n")
        write_case(place / "ada" / "tests" / "xattack", "shell", json_text(SHELL), "false")
        (place / "tools").mkdir()
        (place / "tools" / "never.sh").write_text("echo $1\n")
        words = ["sh tools/never.sh false" if word == "COMMAND" else word for word in line.split()]
        done = harness(place, *words, "--sandbox", sandbox)
        assert said in done.stdout, done.stdout + done.stderr
        assert (done.returncode, done.stderr) == (int(words[0] == "fuzz"), "")


def test_a_case_is_shrunk_for_a_command_with_arguments(teams: Path) -> None:
    (teams / "always.sh").write_text("echo $1\n")
    done = harness(teams, "shrink", "ada/tests/xattack/shell", "sh always.sh true", "--sandbox", "off")
    assert (done.returncode, done.stderr) == (0, "")
    assert "wrong answer\n  answers true (attackable)" in done.stdout


@pytest.mark.every(3, "line")
@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("nowhere", "/nowhere does not exist"),
        ("ada/xatack", "/ada/xatack does not exist; did you mean ada/xattack?"),
        ("no-such-tool x.js", "no-such-tool is not installed, or not on the PATH"),
        ("sh 'x.js", "/sh 'x.js does not exist"),
        ("./ada x", "/ada is a directory"),
    ],
)
@pytest.mark.parametrize("line", ["run ada/tests --program", "bless ada/tests --program", "fuzz"])
def test_a_program_that_is_not_there_is_said_to_be_missing(
    teams: Path, line: str, program: str, said: str
) -> None:
    done = harness(teams, *line.split(), program)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].endswith(said)


# --- cases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["explain", "shrink"])
@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("ada/tests", "ada/tests is a directory, not a case; name one of the cases in it"),
        ("ada/xattack", "ada/xattack is a program, not a case"),
        ("ada/nothing", "ada/nothing: no such directory or case"),
    ],
)
def test_what_is_given_instead_of_a_case_is_called_what_it_is(
    teams: Path, command: str, path: str, said: str
) -> None:
    done = harness(teams, command, path, *(["ada/xattack"] if command == "shrink" else []))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: {said}\n")


def test_a_pattern_that_matches_nothing_says_how_many_cases_there_were(teams: Path) -> None:
    write_case(teams / "ada" / "tests" / "xattack", "climber", json_text(CLIMBER), "true")
    harness(teams, "run", "ada/tests", "--json", "journal")
    for line, where in (("run ada/tests", "ada/tests"), ("report journal", "journal")):
        done = harness(teams, *line.split(), "-k", "xyz")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.endswith(f"Error: -k xyz matches none of the 2 cases in {where}\n")


# --- how much a run says -------------------------------------------------------------------------


@pytest.fixture
def three(teams: Path) -> Path:
    """Three cases for a program that gets one of them wrong."""
    folder = teams / "ada" / "tests" / "xattack"
    write_case(folder, "climber", json_text(CLIMBER), "true")
    write_case(folder, "wrong", json_text(CLIMBER), "false")
    return teams


def test_a_run_tells_every_case_or_only_the_total_or_runs_nothing(three: Path) -> None:
    names = [f"ada/tests/xattack/{name}" for name in ("climber", "shell", "wrong")]
    told = harness(three, "run", "-v", "ada/tests")
    passed = [line for line in told.stdout.splitlines() if line.endswith(": pass")]
    assert sorted(passed) == [f"{name}: pass" for name in names[:2]]
    assert f"{names[2]}: wrong answer\n  answers true" in told.stdout
    quiet = harness(three, "run", "-q", "ada/tests")
    assert (quiet.stdout, quiet.stderr) == ("2 passed, 1 failed\n", "")
    assert (told.returncode, quiet.returncode) == (1, 1)
    listed = harness(three, "run", "--list", "--program", "/nowhere", "ada/tests")
    assert (listed.stdout.splitlines(), listed.stderr, listed.returncode) == (names, "", 0)
    some = harness(three, "run", "--list", "-k", "sh*l", "ada/tests")
    assert some.stdout.splitlines() == names[1:2]
    both = harness(three, "run", "-q", "-v", "ada/tests")
    assert both.stderr.endswith("Error: --verbose, --quiet and --failures-only exclude each other\n")


def test_what_to_type_to_see_a_failure_again_works_from_where_one_stands(three: Path) -> None:
    write_program(three / "my programs" / "xattack", "#!/bin/sh\necho 7\n")
    (three / "ada" / "tests" / "sub").mkdir()
    for stand, prefix in ((three, ""), (three / "ada" / "tests", "../../")):
        cases, folder = f"{prefix}ada/tests/xattack", f"{prefix}my programs"
        harness(stand, "run", cases, "--bin", folder, "--sandbox", "off", "--json", "journal")
        line = next(one["reproduce"] for one in lines(stand / "journal") if one["case"].endswith("shell"))
        assert str(three) not in line
        again = subprocess.run(line, shell=True, cwd=stand, capture_output=True, text=True, check=False)
        assert (again.stdout, again.stderr) == ("7\n", "")
        (stand / "journal").unlink()


def test_a_program_in_the_same_directory_is_seen_again_too(three: Path) -> None:
    write_program(three / "xattack", "#!/bin/sh\necho 7\n")
    done = harness(three, "run", "ada/tests/xattack/shell", "--program", "xattack", "--sandbox", "off")
    assert "  see it again: ./xattack < ada/tests/xattack/shell-in.json\n" in done.stdout


def test_a_command_of_the_system_is_told_by_its_whole_path_wherever_one_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir("/usr/lib")
    assert [*map(from_here, ("/bin/sh", "/usr/bin/sh", "/usr/lib/x/y"))] == ["/bin/sh", "../bin/sh", "x/y"]


def test_a_journal_says_in_json_what_was_typed(three: Path) -> None:
    (three / "seven.sh").write_text("echo 7\n")
    line = ("run", "ada/tests/xattack/shell", "--program", "sh seven.sh", "--sandbox", "off")
    harness(three, *line, "--json", "journal")
    [record] = lines(three / "journal")
    assert record["reproduce"] == "/usr/bin/sh seven.sh < ada/tests/xattack/shell-in.json"
    assert json.loads((three / "journal").read_text())["run"]["program"] == "sh seven.sh"
