"""`harness cases`, and what other commands do with the cases that come along."""

import json
import os
import stat
import subprocess
from pathlib import Path

import pytest

from harness.fixtures.forms import growth_of, with_growth
from tests.helpers import BIN, PATIENCE, ROOT, Outcome, run

FIXTURES = ROOT / "test-fixtures"
PROGRAMS = sorted(
    folder.name for folder in FIXTURES.iterdir() if folder.is_dir() and folder.name != "generous"
)
COUNTS = {program: len(list((FIXTURES / program).glob("*-in.json"))) for program in PROGRAMS}
GENEROUS = {program: len(list(FIXTURES.glob(f"generous/{program}/*-in.json"))) for program in PROGRAMS}
TOTAL = len(list(FIXTURES.rglob("*-in.json")))


def harness(*arguments: str, cwd: Path, **environment: str) -> Outcome:
    done = subprocess.run(
        [BIN / "harness", *arguments],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        cwd=cwd,
        env={**os.environ, "XDG_CACHE_HOME": str(cwd / "cache"), **environment},
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def has_growth(name: str, content: bytes) -> bool:
    """Whether a file is an input of xstep4 in which something grows."""
    return "xstep4/" in name and name.endswith("-in.json") and growth_of(json.loads(content)) != ""


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_suites_are_listed_with_their_numbers() -> None:
    told = run("harness", "cases")
    *rows, total = told.out.decode().splitlines()
    assert {row.split()[0]: int(row.split()[1]) for row in rows} == COUNTS
    assert {row.split()[0]: int(row.split()[3]) for row in rows if row.endswith(" in generous forms")} == {
        program: number for program, number in GENEROUS.items() if number
    }
    assert total.split() == ["in", "all", str(TOTAL)]
    assert TOTAL > 400


def test_tools_get_the_same_as_json() -> None:
    told = json.loads(run("harness", "cases", "--json").out)
    for form, counts in (("common", COUNTS), ("generous", GENEROUS)):
        found = {suite["program"]: suite["cases"] for suite in told["suites"] if suite["form"] == form}
        assert found == {program: number for program, number in counts.items() if number}
    assert Path(told["path"]).samefile(FIXTURES)


@pytest.mark.parametrize("target", ["new", "made/on/the/way", "empty", "."])
def test_a_copy_has_all_files_and_can_be_edited_and_run(tmp_path: Path, target: str) -> None:
    (tmp_path / "here" / "empty").mkdir(parents=True)
    place = tmp_path / "here" / "empty" if target == "." else tmp_path / "here"
    told = harness("cases", "--copy", target, cwd=place)
    assert (told.status, told.err) == (0, b"")
    assert told.out.decode() == f"{TOTAL} cases written to {target}\n"
    assert files_below(place / target) == files_below(FIXTURES)
    for path in (place / target).rglob("*"):
        assert path.stat().st_mode & stat.S_IWUSR


def test_a_copy_is_run_like_the_cases_themselves(tmp_path: Path) -> None:
    assert harness("cases", "--copy", "mine", cwd=tmp_path).status == 0
    (tmp_path / "mine" / "xattack" / "climbing-defender-out.json").write_text("true\n")
    told = harness("run", "--failures-only", "mine/xattack", cwd=tmp_path)
    assert (told.status, told.out.decode().splitlines()[-1]) == (
        1,
        f"{COUNTS['xattack'] - 1} passed, 1 failed",
    )


def test_a_copy_can_have_its_growth_written_in_the_other_way(tmp_path: Path) -> None:
    assert harness("cases", "--copy", "mine", "--growth", "unlabelled", cwd=tmp_path).status == 0
    mine, ours = files_below(tmp_path / "mine"), files_below(FIXTURES)
    assert mine.keys() == ours.keys()
    changed = {name for name, content in ours.items() if mine[name] != content}
    assert changed == {name for name, content in ours.items() if has_growth(name, content)}
    for name in changed:
        assert with_growth(json.loads(mine[name]), "labelled") == json.loads(ours[name])
    assert harness("run", "mine/xstep4", cwd=tmp_path).status == 0


def test_a_copy_with_labels_is_what_comes_along(tmp_path: Path) -> None:
    assert harness("cases", "--copy", "mine", "--growth", "labelled", cwd=tmp_path).status == 0
    assert files_below(tmp_path / "mine") == files_below(FIXTURES)


@pytest.mark.parametrize("there", ["a-file", ".hidden"])
def test_a_folder_that_is_not_empty_is_never_written_over(tmp_path: Path, there: str) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / there).write_text("mine")
    told = harness("cases", "--copy", "mine", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert "--copy: mine is not empty, and nothing is written over; name another" in told.err.decode()
    assert files_below(tmp_path / "mine") == {there: b"mine"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--copy", "file"], "--copy: file is not a directory; name another"),
        (["--copy", ""], "the name is empty"),
        (["--cpy", "mine"], "Did you mean --copy?"),
        (["--growth", "unlabelled"], "--growth says how a copy is written; give --copy, too"),
        (["--copy", "mine", "--growth", "none"], "none is not one of"),
        (["mine"], "Got unexpected extra argument"),
    ],
)
def test_wrong_use_is_told_and_writes_nothing(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "file").write_text("mine")
    told = harness("cases", *arguments, cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert said.lower() in told.err.decode().lower().replace("'", "")
    assert files_below(tmp_path) == {"file": b"mine"}


def test_a_copy_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    # No file may be longer than this, and the README is.
    limited = 'ulimit -f 8; trap "" XFSZ; exec "$@"'
    done = subprocess.run(
        ["sh", "-c", limited, "sh", BIN / "harness", "cases", "--copy", "mine"],
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout) == (74, b"")
    assert done.stderr == b"harness: cannot write: mine/README.md: File too large\n"
    assert list(tmp_path.rglob("*")) == [tmp_path / "mine"]


# --- where no cases are named --------------------------------------------------------------------


def test_a_run_without_a_path_runs_what_comes_along(tmp_path: Path) -> None:
    told = harness("run", "-k", "hard-shell-difference", cwd=tmp_path)
    lines = told.out.decode().splitlines()
    assert (told.status, lines[-1]) == (0, "2 passed, 0 failed")
    assert "the cases that come with the harness (harness cases --copy DIR writes them out)" in lines


def test_test_fixtures_here_goes_before_what_comes_along(tmp_path: Path) -> None:
    mine = tmp_path / "test-fixtures" / "xstream"
    mine.mkdir(parents=True)
    (mine / "mine-in.json").write_text("[1]")
    (mine / "mine-out.json").write_text('[1]\n{"count": 1}\n')
    told = harness("run", cwd=tmp_path)
    assert told.out.decode().splitlines()[-1] == "1 passed, 0 failed"
    assert "come with the harness" not in told.out.decode()


def test_programs_of_others_are_run_on_what_comes_along(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "xattack"
    program.write_text("#!/bin/sh\necho true\n")
    program.chmod(0o755)
    told = harness("run", "--bin", "bin", "-k", "/xattack/hard-shell-difference", cwd=tmp_path)
    assert (told.status, told.out.decode().splitlines()[-1]) == (1, "1 passed, 1 failed")


def test_programs_of_others_are_asked_in_the_common_form_unless_more_is_named(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "xfeed").symlink_to(BIN / "xfeed")
    told = harness("run", "--bin", "bin", "-k", "xfeed/", cwd=tmp_path)
    lines = told.out.decode().splitlines()
    assert (told.status, lines[-1]) == (0, f"{COUNTS['xfeed']} passed, 0 failed")
    assert f"without {FIXTURES}/generous: forms that others need not read; name it to run it" in lines
    assert "the cases that come with the harness (harness cases --copy DIR writes them out)" in lines
    named = harness("run", "--bin", "bin", "-k", "xfeed/", str(FIXTURES), cwd=tmp_path)
    assert named.out.decode().splitlines()[-1] == f"{COUNTS['xfeed'] + GENEROUS['xfeed']} passed, 0 failed"
    assert "need not read" not in named.out.decode()


def test_our_own_programs_are_run_on_all_that_comes_along(tmp_path: Path) -> None:
    told = harness("run", "-k", "xsilly/", cwd=tmp_path)
    assert told.out.decode().splitlines()[-1] == f"{COUNTS['xsilly'] + GENEROUS['xsilly']} passed, 0 failed"


def test_a_folder_without_programs_is_not_run_on_what_comes_along(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    told = harness("run", "--bin", "tests", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert "there is none of the programs that the cases are for in tests" in told.err.decode()


def test_known_failures_are_not_written_beside_what_comes_along(tmp_path: Path) -> None:
    told = harness("run", "--write-known-failures", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert "there is no test-fixtures here; name a directory of cases" in told.err.decode()
    assert not (FIXTURES / "known-failures.txt").exists()


def test_a_report_says_which_cases_were_run(tmp_path: Path) -> None:
    assert harness("run", "-k", "climbing-defender", "--html", "page.html", cwd=tmp_path).status == 0
    assert f"cases: {FIXTURES}" in (tmp_path / "page.html").read_text()


def test_bless_writes_nothing_beside_what_comes_along(tmp_path: Path) -> None:
    told = harness("bless", "--overwrite", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert "test-fixtures: no such directory or case" in told.err.decode()


def test_grades_are_given_on_what_comes_along(tmp_path: Path) -> None:
    (tmp_path / "team" / "bin").mkdir(parents=True)
    program = tmp_path / "team" / "bin" / "xattack"
    program.write_text("#!/bin/sh\necho true\n")
    program.chmod(0o755)
    told = harness("grade", "team", "--sandbox", "off", "--out", "grades", cwd=tmp_path)
    lines = told.out.decode().splitlines()
    header, row = next(lines[at : at + 2] for at, line in enumerate(lines) if line.startswith("rank"))
    assert header.split()[3:] == list(COUNTS)
    right = sum(path.read_text() == "true\n" for path in (FIXTURES / "xattack").glob("*-out.json"))
    assert dict(zip(header.split(), row.split(), strict=True))["xattack"] == f"{right}/{COUNTS['xattack']}"


# --- one of them by its name ---------------------------------------------------------------------


def test_a_case_that_comes_along_is_explained_by_its_name(tmp_path: Path) -> None:
    told = harness("explain", "xattack/climbing-defender", cwd=tmp_path)
    assert told.out.decode() == (
        "the defender has climbing, and the attacker has not (rules 2.6)\nthe answer: false\n"
    )


def test_a_case_here_goes_before_one_that_comes_along(tmp_path: Path) -> None:
    (tmp_path / "xattack").mkdir()
    (tmp_path / "xattack" / "climbing-defender-in.json").write_text("[]")
    told = harness("explain", "xattack/climbing-defender", cwd=tmp_path)
    assert (told.status, told.err.decode()[:17]) == (65, "harness: xattack:")


def test_a_case_that_is_nowhere_is_wrong_use(tmp_path: Path) -> None:
    told = harness("explain", "xattack/no-such-case", cwd=tmp_path)
    assert (told.status, told.out) == (2, b"")
    assert "xattack/no-such-case: no such directory or case" in told.err.decode()
