"""The counts of several runs of pytest, added up: `python -m tests` hands each run the same file."""

import json
import os
from collections import Counter
from pathlib import Path
from typing import NamedTuple

FILE = "TESTS_TALLY"  # the variable that names the file


class Tally(NamedTuple):
    """How many tests passed and failed, and how many were not run, by the reason."""

    passed: int
    failed: int
    skipped: dict[str, int]


def is_collected() -> bool:
    """Whether somebody adds the counts up, and tells them at the end."""
    return FILE in os.environ


def record(tally: Tally) -> None:
    """Add the counts of one run to the file, if there is one."""
    if is_collected():
        with open(os.environ[FILE], "a") as file:
            file.write(json.dumps(tally) + "\n")


def collected(file: Path) -> Tally:
    """The sum of all runs."""
    tallies = [Tally(*json.loads(line)) for line in file.read_text().splitlines()]
    skipped: Counter[str] = Counter()
    for tally in tallies:
        skipped.update(tally.skipped)
    return Tally(sum(one.passed for one in tallies), sum(one.failed for one in tallies), dict(skipped))


def not_run(skipped: dict[str, int]) -> list[str]:
    """How many were not run, a line for each reason."""
    return [f"{many} not run: {reason}" for reason, many in sorted(skipped.items())]


def told(tally: Tally) -> list[str]:
    """The last lines of it all."""
    total = f"{tally.passed} passed, {tally.failed} failed, {sum(tally.skipped.values())} skipped"
    return [*not_run(tally.skipped), total]
