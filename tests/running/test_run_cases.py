"""Which cases `harness run` finds, wherever and however they are kept."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.running.test_run import case, harness, place, records, verdicts
from tests.support.keeper import write_program

__all__ = ["place"]

ARGUED = f"#!{sys.executable} -IS\nimport json, sys\nprint(json.dumps(sys.argv[1:]))\n"


def names(journal: Path) -> Counter[str]:
    """How often each case was run."""
    return Counter(record["case"] for record in records(journal))


def test_cases_in_folders_for_each_of_their_files_are_met_once_with_their_arguments(place: Path) -> None:
    write_program(place / "bin" / "argued", ARGUED)
    folder = place / "cases" / "argued"
    for part, text in (("in", ""), ("out", '["-n", "3"]'), ("args", '["-n", "3"]')):
        (folder / part).mkdir(parents=True)
        (folder / part / "both.json").write_text(text)
    (folder / "out" / "none.json").write_text("[]")
    (folder / "in" / "none.json").write_text("")
    done = harness(place, "--bin", "bin", "--json", "j", "cases")
    assert done.returncode == 0, done.stdout
    assert names(place / "j") == {"cases/argued/both": 1, "cases/argued/none": 1}


@pytest.mark.parametrize("part", ["in", "out", "args"])
def test_a_lone_file_in_a_folder_for_its_kind_is_a_broken_case(place: Path, part: str) -> None:
    (place / "cases" / part).mkdir(parents=True)
    (place / "cases" / part / "lone.json").write_text("[]")
    done = harness(place, "--program", "/bin/cat", "--json", "j", "cases")
    assert done.returncode == 1
    assert verdicts(place / "j") == {"cases/lone": "broken case"}


@pytest.mark.parametrize("stem", ["cases/a", "cases/b", "cases/c", "cases/in/c.json", "cases/a-out.json"])
def test_a_single_case_is_named_by_any_of_its_files_or_by_what_they_have_in_common(
    place: Path, stem: str
) -> None:
    case(place / "cases" / "a", "1", "1")
    for name in ("b.in", "b.ans", "in/c.json", "out/c.json"):
        (place / "cases" / name).parent.mkdir(exist_ok=True)
        (place / "cases" / name).write_text("1")
    done = harness(place, "--program", "/bin/cat", stem)
    assert done.stdout.endswith("1 passed, 0 failed\n"), done.stderr


def test_a_link_back_to_a_folder_above_is_not_followed(place: Path) -> None:
    case(place / "cases" / "one" / "a", "1", "1")
    (place / "cases" / "one" / "up").symlink_to("..")
    (place / "cases" / "self").symlink_to(".")
    (place / "elsewhere").mkdir()
    (place / "elsewhere" / "back").symlink_to(place / "cases")
    (place / "cases" / "out-of-it").symlink_to(place / "elsewhere")
    done = harness(place, "--program", "/bin/cat", "--json", "j", "cases")
    assert done.returncode == 0
    assert names(place / "j") == {"cases/one/a": 1}


def test_a_linked_folder_of_cases_is_found(place: Path) -> None:
    case(place / "elsewhere" / "a", "1", "1")
    (place / "cases").mkdir()
    (place / "cases" / "linked").symlink_to(place / "elsewhere")
    assert harness(place, "--program", "/bin/cat", "--json", "j", "cases").returncode == 0
    assert names(place / "j") == {"cases/linked/a": 1}


def test_a_case_that_is_found_by_several_paths_is_run_once(place: Path) -> None:
    case(place / "cases" / "one" / "a", "1", "1")
    paths = ["cases", "cases/one", "./cases/one/a-in.json", "cases/", "."]
    assert harness(place, "--program", "/bin/cat", "--json", "j", *paths).returncode == 0
    assert sum(names(place / "j").values()) == 1


@pytest.mark.long
def test_folders_may_be_nested_deeper_than_functions(place: Path) -> None:
    deep = place / "cases" / "/".join(["d"] * 1100)
    at = place / "cases"
    at.mkdir()
    here = os.open(at, os.O_RDONLY)
    for _ in range(1100):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    for half in ("in", "out"):
        with open(os.open(f"a-{half}.json", os.O_CREAT | os.O_WRONLY, dir_fd=here), "w") as file:
            file.write("1")
    os.close(here)
    done = harness(place, "--program", "/bin/cat", "--json", "j", "cases")
    subprocess.run(["rm", "-rf", at], check=True)  # which is more than Python's own tools can do
    assert done.returncode == 0, done.stderr
    assert names(place / "j") == {str(deep.relative_to(place) / "a"): 1}


def test_names_that_are_longer_than_a_page_together_are_handed_out_all_the_same(place: Path) -> None:
    folder = place / "cases" / "/".join(["d" * 200] * 6)
    for number in range(3):
        case(folder / f"{number}{'n' * 200}", "1", "1")
    assert harness(place, "--program", "/bin/cat", "--json", "j", "cases").returncode == 0
    assert len(names(place / "j")) == 3


def test_names_that_are_not_utf8_are_run_once_and_resumed(place: Path) -> None:
    folder = os.fsencode(place / "cases")
    os.mkdir(folder)
    for stem in (b"odd-\xff", b"plain"):
        for half in (b"in", b"out"):
            Path(os.fsdecode(folder + b"/" + stem + b"-" + half + b".json")).write_text("1")
    done = harness(place, "--program", "/bin/cat", "--json", "j", "cases")
    assert done.returncode == 0, done.stderr
    resumed = harness(place, "--resume", "j")
    assert resumed.stdout.endswith("2 passed, 0 failed\n"), resumed.stderr
    assert names(place / "j") == {"cases/odd-\\xff": 1, "cases/plain": 1}


def test_a_pipe_is_no_file_of_a_case_and_is_not_waited_for(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    (place / "cases" / "a-in.json").unlink()
    os.mkfifo(place / "cases" / "a-in.json")
    done = harness(place, "--program", "/bin/cat", "cases")
    assert done.returncode == 1
    assert "cases/a: broken case (its input a-in.json is not a file)" in done.stdout


def test_no_case_waits_behind_a_slow_one(place: Path) -> None:
    """One that ends when all others have ended can only end if the others are run meanwhile."""
    ended = place / "ended"
    ended.mkdir()
    waits = (
        f"#!/bin/sh\nread n\nwhile [ $n = last ] && [ $(ls {ended} | wc -l) -lt 59 ]; do sleep 0.05; done\n"
    )
    write_program(place / "bin" / "waits", f"#!/bin/sh\nread n\n{waits}\n[ $n = last ] || touch {ended}/$n\n")
    for number in range(60):
        case(place / "cases" / "waits" / f"{number:02}", f"{'last' if number == 30 else number}\n", "")
    done = harness(place, "--bin", "bin", "-j", "2", "--timeout", "60", "cases")
    assert done.stdout.endswith("60 passed, 0 failed\n")
