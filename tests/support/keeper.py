"""What the tests of the runner share: teams with programs, cases for them, and real runs of `harness run`.

A run is marked by a word in its environment, which every process that it starts inherits, so that
what has been left behind can be found whatever it has done to get away.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.support.helpers import BIN, ROOT, Json

VISIBLE = ROOT / ".pytest_cache"  # not below /tmp, which a sandbox hides as a whole
GROUPS = Path("/sys/fs/cgroup")
PATIENCE = 60.0  # seconds; for what takes one on a machine with nothing else to do


@contextmanager
def visible_folder() -> Iterator[Path]:
    """A new folder at a place that a sandbox shows if it is not told to hide it."""
    VISIBLE.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=VISIBLE, prefix="team-") as folder:
        yield Path(folder)


def write_program(path: Path, text: str) -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(_startable(text))
    path.chmod(0o755)
    return path


def _startable(text: str) -> str:
    """A program whose first line works also if there is white space in the path of this interpreter."""
    line, _, rest = text.partition("\n")
    if not line.startswith(f"#!{sys.executable}") or not any(map(str.isspace, sys.executable)):
        return text
    options = line.removeprefix(f"#!{sys.executable}")
    # For the shell a command, for Python a string.
    return f"#!/bin/sh\n''''exec '{sys.executable}'{options} \"$0\" \"$@\" # '''\n{rest}"


def write_case(folder: Path, name: str, given: str, expected: str) -> None:
    """A case."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-in.json").write_text(given)
    (folder / f"{name}-out.json").write_text(expected)


class Ordinary(NamedTuple):
    """Somebody without root's rights, as whom a run can be started: by a command, with variables."""

    user: int
    python: str  # one that everybody can start
    command: tuple[str, ...]
    variables: dict[str, str]


@cache
def ordinary_user() -> Ordinary | None:
    """Where the system has a Python that everybody can start, and everybody can read the packages."""
    user, python = 65_432, "/usr/bin/python3"
    packages = next((ROOT / ".venv" / "lib").glob("python*/site-packages"), ROOT)
    become = ("setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", python)
    variables = {"PYTHONPATH": f"{ROOT}:{packages}"}
    asked = [*become, "-c", "import click, msgspec"]
    tried = subprocess.run(asked, capture_output=True, env=variables, check=False, timeout=PATIENCE)
    return None if tried.returncode else Ordinary(user, python, (*become, "-m", "harness"), variables)


def give(folder: Path, user: int) -> None:
    """Let a folder and all that is in it belong to a user."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, user, user, follow_symlinks=False)


class Run:
    """One `harness run`, from its start to what is left of it."""

    def __init__(self, folder: Path, *options: str | Path, command: tuple[str | Path, ...] = ()) -> None:
        """Start it in a folder of its own, with the options and the folder's cases."""
        self.mark = f"zoo-{uuid.uuid4().hex}"
        self.folder = folder
        self.temporary = folder / "tmp"
        self.temporary.mkdir(exist_ok=True)
        self.journal = folder / "journal.jsonl"
        self._command = [*(command or (BIN / "harness",)), "run", *options, "--json", self.journal]
        self.process: subprocess.Popen[str]

    def environment(self) -> dict[str, str]:
        """What it and all that it starts will inherit."""
        return {
            **os.environ,
            "ZOO": self.mark,
            "TMPDIR": str(self.temporary),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
        }

    def start(self, *descriptors: int, **more: str) -> "Run":
        """Start it, with these descriptors, and more in its environment."""
        self.process = subprocess.Popen(
            self._command,
            cwd=self.folder,
            env=self.environment() | more,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=descriptors,
            text=True,
            errors="surrogateescape",
        )
        return self

    def end(self, within: float = PATIENCE) -> tuple[str, str, int]:
        """Wait for its end; what it printed, and its status."""
        try:
            out, err = self.process.communicate(timeout=within)
        finally:
            self.process.kill()
        return out, err, self.process.returncode

    def records(self) -> dict[str, Json]:
        """The journal, by case."""
        lines = self.journal.read_text().splitlines() if self.journal.exists() else []
        return {record["case"]: record for record in map(json.loads, lines)}

    def verdicts(self) -> dict[str, str]:
        """The verdicts, by case."""
        return {case: record["verdict"] for case, record in self.records().items()}

    def processes(self) -> dict[int, str]:
        """All living processes that carry the mark, or name the folder, with their names."""
        found = {}
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                environment = Path(f"/proc/{pid}/environ").read_bytes()
                words = Path(f"/proc/{pid}/cmdline").read_bytes()
                if self.mark.encode() in environment or f"{self.folder}/".encode() in words:
                    found[int(pid)] = Path(f"/proc/{pid}/comm").read_text().strip()
            except OSError:
                continue
        return found

    def workers(self) -> list[int]:
        """The processes of the workers."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return sorted(map(int, children.read_text().split()))

    def groups(self) -> list[Path]:
        """Its control groups."""
        return [Path(folder) for folder, _, _ in os.walk(GROUPS) if f"/harness-{self.process.pid}-" in folder]

    def left(self) -> list[object]:
        """Everything that is there though the run is over."""
        return [*self.processes().items(), *self.temporary.iterdir(), *self.groups()]


def wait_until(true: Callable[[], object], within: float = PATIENCE) -> None:
    """Return when it is true; fail if it never is."""
    end = time.monotonic() + within
    while not true():
        assert time.monotonic() < end, "this never came true"
        time.sleep(0.02)
