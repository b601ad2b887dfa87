"""The ways to shut programs in: the best one that works is taken, named, and holds what it says."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.judging.verdicts import CRASHED, PASS, WRONG
from harness.running.rungs import RUNGS
from tests.support.helpers import BIN, PATIENCE, ROOT
from tests.support.keeper import Run, give, ordinary_user, visible_folder, write_case, write_program

WITHOUT = (sys.executable, "-m", "tests.support.without_namespaces", BIN / "harness")
SYSTEM_PYTHON = "/usr/bin/python3"


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that everybody can reach."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        os.chmod(made, 0o755)
        yield Path(made)


def told_by(folder: Path, program: str, *options: str, command: tuple[str | Path, ...] = ()) -> Run:
    """A run of a program on a case, whose standard error says what it found."""
    write_program(folder / "bin" / "xstep", program)
    for name in ("one", "two"):
        write_case(folder / "cases" / "xstep", name, "[1]", "[2]")  # of a failure, all is kept
    run = Run(folder, "--bin", "bin", *options, "cases", command=command)
    run.temporary.chmod(0o755)
    return run


def ended(run: Run, **variables: str) -> tuple[str, list[str]]:
    """What the run printed, and what the program said on each case."""
    out, err, _ = run.start(**{"PYTHONPATH": str(ROOT), **variables}).end()
    assert (err, set(run.verdicts().values())) == ("", {WRONG}), out
    return out, [str(record.get("stderr", "")) for record in run.records().values()]


@pytest.mark.needs("landlock")
@pytest.mark.parametrize("mode", ["auto", "on"])
def test_where_namespaces_are_forbidden_landlock_is_taken_and_says_what_it_does_not_hold(
    folder: Path, mode: str
) -> None:
    out, _ = ended(told_by(folder, "#!/bin/sh\nexec cat\n", "--sandbox", mode, command=WITHOUT))
    assert "0 passed, 2 failed" in out
    assert "\nsandbox (Landlock): no network" in out
    assert "; but a program can tell by its name" in out


@pytest.mark.needs("landlock")
def test_a_way_that_does_not_work_is_not_gone(folder: Path) -> None:
    run = told_by(folder, "#!/bin/sh\nexec cat\n", "--sandbox", "bwrap", command=WITHOUT)
    _, err, status = run.start(PYTHONPATH=str(ROOT)).end()
    assert status == 2
    assert "--sandbox bwrap: bubblewrap: " in err
    assert "harness doctor" in err


CASE = ROOT / "test-fixtures" / "xattack" / "hard-shell-difference-three"


@pytest.mark.every(3, "line")
@pytest.mark.parametrize(
    "line",
    [
        "fuzz bin/xattack --cases 1",
        f"shrink {CASE} bin/xattack",
        f"show --bin bin {CASE}",
        "dialect bin/xattack",
        "generate xattack --for bin/xattack",
    ],
    ids=lambda line: line.split()[0],
)
def test_who_goes_on_without_a_sandbox_says_so(folder: Path, line: str) -> None:
    write_program(folder / "bin" / "xattack", "#!/bin/sh\necho true\n")
    nothing = (*WITHOUT[:-1], "--nor-landlock", WITHOUT[-1])
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(folder)}
    for mode, told in (("auto", 1), ("off", 0)):
        words: list[str | Path] = [*nothing, *line.split(), "--sandbox", mode]
        done = subprocess.run(
            words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.stderr.count("harness: NO SANDBOX: ") == told, done.stderr


@pytest.mark.long
@pytest.mark.needs("sandbox", "landlock")
def test_a_run_is_not_continued_in_another_sandbox_unless_it_is_said(folder: Path) -> None:
    write_program(folder / "bin" / "xstep", "#!/bin/sh\nexec cat\n")
    for name in ("one", "two"):
        write_case(folder / "cases" / "xstep", name, "[1]", "[1]")

    def harness(*words: str, command: tuple[str | Path, ...] = (BIN / "harness",)) -> tuple[int, str]:
        done = subprocess.run(
            [*command, "run", *words],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr

    assert harness("cases", "--bin", "bin", "--sandbox", "on", "--json", "j")[0] == 0
    first = (folder / "j").read_text().splitlines()[0]
    assert '"rung":"bubblewrap"' in first
    (folder / "j").write_text(f"{first}\n")
    status, told = harness("--resume", "j", command=WITHOUT)
    assert status == 2
    assert "j: its programs were run in another sandbox (bubblewrap, and now it would be landlock)" in told
    assert "--sandbox landlock continues all the same" in told
    assert (folder / "j").read_text() == f"{first}\n"
    assert harness("--resume", "j")[0] == 0
    (folder / "j").write_text(f"{first}\n")
    status, told = harness("--resume", "j", "--sandbox", "landlock", command=WITHOUT)
    assert (status, "2 passed, 0 failed" in told) == (0, True)


HOSTILE = {
    "reads what is not its own": ("cat /etc/passwd", "denied"),
    "reads the cases": ("cat {cases}/xstep/one-out.json", "denied"),
    "looks at processes": ("ls /proc", "denied"),
    "writes beside itself": ("echo > {bin}/new", "denied"),
    "writes for everybody": ("cp {bin}/xstep /tmp/{mark}; cp {bin}/xstep /dev/shm/{mark}", "denied"),
    "changes a mode": ("chmod 777 {bin}/xstep; ls -l {bin}/xstep", "rwxr-xr-x"),
    "uses the network": ("{python} -c 'import socket; socket.socket()'", "not supported"),
    "kills the runner": ("kill -9 {pid}", "not permitted"),
    "has root's rights": ("grep CapEff /proc/thread-self/status; ulimit -n", "denied"),
}


@pytest.mark.every(3, "action")
@pytest.mark.needs("landlock")
@pytest.mark.parametrize("action", HOSTILE)
def test_landlock_holds(folder: Path, action: str) -> None:
    line, said = HOSTILE[action]
    run = told_by(folder, "", "--sandbox", "landlock")
    words = {
        "cases": folder / "cases",
        "bin": folder / "bin",
        "mark": run.mark,
        "python": SYSTEM_PYTHON,
        "pid": os.getpid(),
    }
    write_program(folder / "bin" / "xstep", f"#!/bin/sh\n{{ {line.format(**words)}; }} >&2\nexec cat\n")
    out, found = ended(run)
    assert "0 passed, 2 failed" in out
    assert all(said in text for text in found), found
    assert run.left() == []


@pytest.mark.needs("landlock")
def test_two_cases_find_the_same_scratch_folder(folder: Path) -> None:
    program = "#!/bin/sh\nls -a >&2\ntouch left $HOME/too\nmkdir -m 0 locked\nexec cat\n"
    out, found = ended(told_by(folder, program, "--sandbox", "landlock", "-j", "1"))
    assert "0 passed, 2 failed" in out
    assert found == [".\n..\n"] * 2


@pytest.mark.needs("landlock")
def test_what_goes_on_after_a_case_is_ended(folder: Path) -> None:
    program = "#!/bin/sh\nsetsid sh -c 'while true; do sleep 0.01; done' > /dev/null 2>&1 &\nexec cat\n"
    run = told_by(folder, program, "--sandbox", "landlock")
    out, _ = ended(run)
    assert "0 passed, 2 failed" in out
    assert run.processes() == {}


@pytest.mark.needs("landlock")
@pytest.mark.parametrize(("action", "verdict"), [("kill -9 $PPID", CRASHED), ("kill -9 -1", CRASHED)])
def test_who_ends_the_process_that_starts_it_has_crashed(folder: Path, action: str, verdict: str) -> None:
    run = told_by(folder, f"#!/bin/sh\n{action}\nexec cat\n", "--sandbox", "landlock", "-j", "1")
    write_program(folder / "bin" / "honest", "#!/bin/sh\nexec cat\n")
    write_case(folder / "cases" / "honest", "one", "[1]", "[1]")
    run.start().end()
    assert set(run.verdicts().values()) == {verdict, PASS}


@pytest.mark.needs("landlock")
@pytest.mark.skipif(os.getuid() != 0, reason="is about root (sudo make test)")
def test_root_runs_programs_as_a_user_of_their_own(folder: Path) -> None:
    run = told_by(folder, "#!/bin/sh\nid -u >&2; id -G >&2; exec cat\n", "--sandbox", "landlock")
    for path in (folder, folder / "bin"):
        path.chmod(0o755)  # whatever the umask: what only root may read, only root can start
    _, found = ended(run)
    users = {int(line) for text in found for line in text.split()}
    assert all(user > 1_900_000_000 for user in users)


@pytest.mark.needs("landlock")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else (sudo make test)")
@pytest.mark.parametrize("rung", RUNGS)
def test_an_ordinary_user_has_it_as_well(rung: str) -> None:
    ordinary = ordinary_user()
    if ordinary is None:
        return
    with visible_folder() as folder:
        mode = {"bubblewrap": "bwrap"}.get(rung, rung)
        program = "#!/bin/sh\nid -u >&2; exec cat\n"
        run = told_by(folder, program, "--sandbox", mode, command=ordinary.command)
        give(folder, ordinary.user)
        out, _ = ended(run, **ordinary.variables, HOME=str(folder))
        assert "sandbox" in out
