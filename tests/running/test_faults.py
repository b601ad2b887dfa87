"""Faults of the machine, and of ours: they are nobody's verdict, and end no run."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import randrange
from shlex import quote
from tempfile import TemporaryDirectory

import pytest

from tests.support.helpers import ROOT
from tests.support.keeper import write_program

XFEED = ROOT / "bin" / "xfeed"
CASE = "carnivores-line-up"
HARNESS = [sys.executable, "-m", "harness"]
NOBODY = randrange(1 << 20, 1 << 30)  # a user of whom nothing else runs: limits of processes are each user's
NO_SPACE = 'mount -t tmpfs -o size=4k,nr_inodes=2 none full && TMPDIR=$PWD/full exec "$@"'


def with_processes(count: int) -> list[str]:
    """How to start a command whose user may have so many processes, the command among them."""
    limited = ["prlimit", f"--nproc={count}"]
    if os.geteuid():
        return ["unshare", "--user", *limited]
    reading = "-all,+dac_override,+dac_read_search"  # what belongs to root, and no more
    sets = [f"--{name}={reading}" for name in ("inh-caps", "ambient-caps", "bounding-set")]
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *sets, *limited]


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user may write to, with a case of xfeed and two teams."""
    with TemporaryDirectory() as folder:
        there = Path(folder)
        there.chmod(0o777)
        (there / "cases" / "xfeed").mkdir(parents=True)
        for end in ("in", "out"):
            name = f"{CASE}-{end}.json"
            (there / "cases/xfeed" / name).write_bytes((ROOT / "test-fixtures/xfeed" / name).read_bytes())
        for team in ("a", "b"):
            write_program(
                there / "teams" / team / "xfeed", f"#!/bin/sh\n# {team}\nexec {quote(str(XFEED))}\n"
            )
        (there / "full").mkdir()
        for above, folders, files in os.walk(there):  # whatever the umask
            for name in (*folders, *files):
                Path(above, name).chmod(0o755)
        yield there


def run(place: Path, *command: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(ROOT),
        "HOME": str(place),
        "XDG_CACHE_HOME": str(place / "cache"),
    }
    return subprocess.run(
        command, cwd=place, env=environment, capture_output=True, text=True, timeout=120, check=False
    )


RUN = [*HARNESS, "run", "cases", "--program", "teams/a/xfeed", "--sandbox", "off", "-j", "1"]
GRADE = [*HARNESS, "grade", "teams/a", "teams/b", "--suite", "cases", "--out", "out", "--sandbox", "off"]


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize(
    ("before", "why"),
    [
        (with_processes(2), "Resource temporarily unavailable"),
        (["unshare", "-Urm", "sh", "-c", NO_SPACE, "sh"], "No space left on device"),
    ],
)
def test_what_the_machine_has_no_more_of_is_nobodys_verdict(place: Path, before: list[str], why: str) -> None:
    done = run(place, *before, *RUN, "--json", "journal")
    assert (done.returncode, done.stderr) == (1, "")
    assert f"cases/xfeed/{CASE}: not graded (" in done.stdout
    assert why in done.stdout
    assert (place / "journal").read_text() == ""
    assert run(place, *RUN, "--resume", "journal").returncode == 0


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_without_any_process_nothing_is_run(place: Path) -> None:
    done = run(place, *with_processes(1), *RUN)
    assert (done.returncode, done.stdout) == (69, "")
    assert done.stderr.startswith("harness: no process can be started here: Resource temporarily unavailable")


@pytest.mark.needs("sandbox")
def test_a_team_that_was_not_graded_gets_no_mark_until_it_is(place: Path) -> None:
    done = run(place, *with_processes(2), *GRADE, "-j", "1")
    assert done.returncode == 70
    for team in ("a", "b"):
        assert f"not graded: {team}: Resource temporarily unavailable (1 case)" in done.stderr
    assert not (place / "out" / "scores.csv").exists()
    done = run(place, *GRADE)
    assert (done.returncode, done.stderr) == (0, "")
    assert (place / "out" / "scores.csv").read_text().count("1,1,1") == 2


def killing(place: Path, when: str) -> Path:
    """A program that kills the worker that runs it."""
    path = place / "killing" / "xfeed"
    write_program(path, f"#!/bin/sh\n{when} && kill -9 $PPID\nexec {quote(str(XFEED))}\n")
    return path


def test_a_worker_that_is_lost_costs_nobody_a_case(place: Path) -> None:
    killer = killing(place, f"mkdir {place}/once 2>/dev/null")
    done = run(place, *RUN, "--program", str(killer))
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert (place / "once").is_dir()


def test_who_brings_down_its_worker_again_when_it_is_alone_has_crashed(place: Path) -> None:
    done = run(place, *RUN, "--program", str(killing(place, "true")), "--json", "journal")
    assert done.returncode == 1
    (record,) = map(json.loads, (place / "journal").read_text().splitlines())
    assert (record["verdict"], record["detail"]) == (
        "crashed",
        "it brought down the worker that ran it (SIGKILL)",
    )


SLOW = """
import os, time
from harness.running import worker, worker_process
worker_process.LOST = 3.0
judge = worker.judge
def judged(*given, **more):
    if not os.path.exists("been"):
        os.mkdir("been")
        time.sleep(600)
    return judge(*given, **more)
worker.judge = judged
from harness.start import harness
harness()
"""


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_a_worker_that_we_give_up_costs_nobody_in_a_sandbox_a_case(place: Path) -> None:
    line = [*RUN[3:], "--program", str(XFEED), "--one-shot", "--sandbox", "on", "--timeout", "2"]
    done = run(place, sys.executable, "-c", SLOW, *line)
    assert (place / "been").is_dir()
    assert (done.returncode, done.stderr) == (0, ""), done.stdout


FAILING = """
from harness.running import worker
def judge(*given, **more):
    raise ZeroDivisionError("a fault of ours")
worker.judge = judge
from harness.start import harness
harness()
"""


def test_a_fault_of_ours_is_told_once_and_ends_no_run(place: Path) -> None:
    for name in ("second", "third"):
        for end in ("in", "out"):
            data = (place / "cases/xfeed" / f"{CASE}-{end}.json").read_bytes()
            (place / "cases/xfeed" / f"{name}-{end}.json").write_bytes(data)
    done = run(place, sys.executable, "-c", FAILING, *RUN[3:])
    assert done.returncode == 1
    assert done.stdout.count("not graded (the machine or the harness has failed: ZeroDivisionError(") == 3
    assert done.stderr.count("Traceback") == 1
