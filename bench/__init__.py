"""Benchmarks: everything side by side in one run, as ratios. None of them judges seconds.

A benchmark is a module of this package with a docstring, whose first line is its title, and a
function main() that prints what it measured. `python -m bench` finds it by itself. What
benchmarks share is here: starting a program with as little as possible round it, and printing.
"""

import os
import platform
import sys
from pathlib import Path
from time import perf_counter

from harness.programs.answering import PROGRAMS as ANSWERING

ROOT = Path(__file__).resolve().parent.parent
PYTHON = str(ROOT / ".venv" / "bin" / "python")
PROGRAMS = [*ANSWERING, "xstream"]


def program(name: str) -> str:
    """The path of one of the programs in bin/."""
    return str(ROOT / "bin" / name)


def seconds(command: list[str], stdin: Path) -> float:
    """How long the command takes from its start to its end, reading this file and silent.

    A refused input, status 65, is an answer. Any other failure ends the benchmark: a program
    that does not work is fast for the wrong reason.
    """
    files = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    start = perf_counter()
    pid = os.posix_spawn(command[0], command, os.environ, file_actions=files)
    _, status = os.waitpid(pid, 0)
    taken = perf_counter() - start
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 65):
        sys.exit(f"bench: {' '.join(command)} < {stdin} ended with status {code}")
    return taken


def machine() -> str:
    """Where this was measured, in one line."""
    return (
        f"{os.cpu_count()} cores, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}"
    )


def print_table(head: list[str], rows: list[list[str]]) -> None:
    """Columns as wide as they need to be: the first to the left, the others to the right."""
    widths = [max(len(row[at]) for row in [head, *rows]) for at in range(len(head))]
    for row in [head, ["-" * width for width in widths], *rows]:
        first, *others = (
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        print("  ".join([first, *others]), flush=True)
