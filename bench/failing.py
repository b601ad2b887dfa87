"""Failing: a one-shot Python program that fails all of 500 cases, beside one that passes them all.

Whatever is done about a failure (comparing, naming what differs, writing it down) is in the ratio,
which may be at most 2. The program is the same, and so are its inputs and what it prints; only what is
expected differs.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from bench import PYTHON, print_table, program

CASES = 500
ROUNDS = 5
MOST = 2.0  # times as long as passing

ECHO = f"#!{PYTHON}\nimport sys\nsys.stdout.write(sys.stdin.read())\n"
BOARD = '[["food",{food}],["body",2],["population",3],["traits",["horns","climbing"]]]'
TABLE = '[[[["id",1],["species",[%s]],["bag",{bag}]],[["id",2],["species",[%s]],["bag",0]]],{hole},[]]\n'


def table(number: int, more: int) -> str:
    """A small Configuration; more is added to three of its numbers."""
    text = TABLE % (BOARD, BOARD)
    return text.format(food=number % 3 + more, bag=number + more, hole=5 + more)


def write_cases(folder: Path, more: int) -> None:
    """All cases, which expect what they are given, or something else if more is not 0."""
    folder.mkdir()
    for number in range(CASES):
        (folder / f"case{number}-in.json").write_text(table(number, 0))
        (folder / f"case{number}-out.json").write_text(table(number, more))


def taken(echo: Path, cases: Path, failing: bool) -> float:
    """Seconds for the cases, all of which fail, or none."""
    command = [program("harness"), "run", "--program", str(echo), "-j", "2", "--sandbox", "off"]
    command += ["--json", f"{cases}.jsonl", str(cases)]
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    seconds = perf_counter() - start
    total = f"0 passed, {CASES} failed" if failing else f"{CASES} passed, 0 failed"
    if total not in done.stdout:
        sys.exit(f"bench: not {total}:\n{done.stdout[-2000:]}{done.stderr}")
    return seconds


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        folder = Path(name)
        echo = folder / "echo"
        echo.write_text(ECHO)
        echo.chmod(0o755)
        write_cases(folder / "passing", 0)
        write_cases(folder / "failing", 1)
        times: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(ROUNDS):
            for failing, measured in times.items():
                measured.append(taken(echo, folder / ("failing" if failing else "passing"), failing))
    passed, failed = median(times[False]), median(times[True])
    rows = [["all pass", f"{passed:.2f}", "1.00"], ["all fail", f"{failed:.2f}", f"{failed / passed:.2f}"]]
    print_table([f"{CASES} cases of a Python program, medians of {ROUNDS}", "s", "ratio"], rows)
    print(f"\nat most {MOST}: {'yes' if failed <= MOST * passed else 'NO'}")
