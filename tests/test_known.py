"""Known failures: what is listed, what that does to a run, and how the list is written."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.test_run import ECHO, case, harness, place, program, verdicts

__all__ = ["place"]  # a fixture


@pytest.fixture
def cases(place: Path) -> Path:
    """Two cases that pass and two that fail, in two folders."""
    program(place / "bin" / "xstep", ECHO)
    program(place / "bin" / "xfeed", ECHO)
    for folder in ("xstep", "xfeed"):
        case(place / "cases" / folder / "good", "1", "1")
        case(place / "cases" / folder / "bad", "1", "2")
    return place / "cases"


def run(place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return harness(place, "--bin", "bin", *arguments, "cases")


def test_a_run_does_not_fail_because_of_known_failures(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("# not yet\nxstep/bad  # wrong answer\n\n./xfeed/bad\n")
    done = run(place, "--json", "journal")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "2 passed, 0 failed, 2 known failures"
    assert verdicts(place / "journal") == {
        "cases/xstep/good": "pass",
        "cases/xstep/bad": "known failure",
        "cases/xfeed/good": "pass",
        "cases/xfeed/bad": "known failure",
    }


def test_what_a_known_failure_is_stays_in_the_journal(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\n")
    run(place, "--json", "journal", "-k", "xstep/bad")
    record = json.loads((place / "journal").read_text())
    assert record["detail"] == "wrong answer"
    assert record["differences"] == ["feeds board 1, should feed board 2"]


def test_a_failure_that_is_not_listed_fails_the_run(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\n")
    done = run(place)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1] == "2 passed, 1 failed, 1 known failure"
    assert "cases/xfeed/bad: wrong answer" in done.stdout
    assert "cases/xstep/bad" not in done.stdout


def test_a_known_failure_that_passes_is_reported_and_fails_the_run(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\nxfeed/bad\nxfeed/good\n")
    done = run(place)
    assert done.returncode == 1
    assert "cases/xfeed/good: unexpected pass (strike it from cases/known-failures.txt)" in done.stdout
    assert done.stdout.splitlines()[-1] == "1 passed, 1 failed, 2 known failures"


def test_a_list_speaks_for_what_is_below_it_wherever_a_run_begins(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\n")
    (cases / "xfeed" / "known-failures.txt").write_text("bad\n")
    assert run(place).returncode == 0
    for path in ("cases/xstep", "cases/xstep/bad-in.json", str(cases / "xfeed")):
        assert harness(place, "--bin", "bin", path).returncode == 0, path


def test_the_list_is_written_from_what_fails_now(place: Path, cases: Path) -> None:
    done = run(place, "--write-known-failures")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "2 known to fail from now on, listed in cases/known-failures.txt"
    lines = (cases / "known-failures.txt").read_text().splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "xfeed/bad  # wrong answer",
        "xstep/bad  # wrong answer",
    ]
    assert run(place).returncode == 0


def test_writing_the_list_again_strikes_out_what_passes_and_keeps_what_was_not_run(
    place: Path, cases: Path
) -> None:
    (cases / "known-failures.txt").write_text("xstep/good\nxstep/bad\nxfeed/good\n")
    assert run(place, "--write-known-failures", "-k", "xstep").returncode == 0
    lines = (cases / "known-failures.txt").read_text().splitlines()
    assert lines == ["xstep/bad", "xfeed/good"]


def test_writing_the_list_again_keeps_remarks(place: Path, cases: Path) -> None:
    text = "# ours\nxstep/bad  # because of the moon\n\nxfeed/good # not run\n"
    (cases / "known-failures.txt").write_text(text)
    assert run(place, "--write-known-failures", "-k", "xstep").returncode == 0
    assert (cases / "known-failures.txt").read_text() == text


def test_what_is_listed_in_vain_is_said(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("\ufeffxstep/bad\nxfeed/bad-in.json\nxfeed/bad\nnobody\n")
    done = run(place)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        "harness: cases/known-failures.txt: there is no case nobody",
        "harness: cases/known-failures.txt: there is no case xfeed/bad-in.json",
    ]


def test_a_list_that_is_no_file_is_said(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").mkdir()
    done = run(place)
    assert done.returncode == 2
    assert "known-failures.txt is not a file" in done.stderr


@pytest.mark.parametrize("options", [["--resume", "journal"], ["--fail-fast"], ["cases/xstep/bad"]])
def test_a_list_is_written_of_whole_runs_of_folders_only(
    place: Path, cases: Path, options: list[str]
) -> None:
    run(place, "--json", "journal")
    done = run(place, "--write-known-failures", *options)
    assert done.returncode == 2
    assert "--write-known-failures" in done.stderr
    assert not (cases / "known-failures.txt").exists()


def test_a_list_that_cannot_be_read_is_said(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_bytes(b"\xff\n")
    done = run(place)
    assert done.returncode == 2
    assert f"{os.path.abspath(cases)}/known-failures.txt cannot be read: it is not UTF-8" in done.stderr


def test_fail_fast_goes_on_after_a_known_failure(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\nxfeed/bad\n")
    assert run(place, "-x", "-j", "1").returncode == 0


def test_an_interrupted_run_resumes_with_its_known_failures(place: Path, cases: Path) -> None:
    (cases / "known-failures.txt").write_text("xstep/bad\nxfeed/bad\n")
    run(place, "--json", "journal")
    lines = (place / "journal").read_text().splitlines(keepends=True)
    (place / "journal").write_text("".join(lines[:2]))
    done = harness(place, "--resume", "journal")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "2 passed, 0 failed, 2 known failures"
