"""Commands typed into a shell at the top of the checkout, and what they print."""

import os
import subprocess
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tests.support.helpers import ROOT

SERVICES = {"CI", "GITHUB_ACTIONS", "GITHUB_STEP_SUMMARY"}  # variables of those who run tests for others
MARK = "\x1e"  # stands between the outputs of two commands


class Command(NamedTuple):
    """A command that is typed, and the lines that it prints."""

    text: str
    output: list[str]


def outputs(typed: list[Command]) -> list[list[str]]:
    """What these commands print, run one after the other in one shell."""
    # Pages are about somebody at a shell of ordinary width, who has not run anything before.
    environment = {name: value for name, value in os.environ.items() if name not in SERVICES}
    # The mark must not change $?, which the next command may ask for.
    script = f"\n_status=$?; printf '{MARK}'; (exit $_status)\n".join(command.text for command in typed)
    with TemporaryDirectory() as cache:
        done = _typed_in(script, {**environment, "COLUMNS": "80", "XDG_CACHE_HOME": cache})
    return [lines(printed) for printed in done.stdout.split(MARK)]


def _typed_in(script: str, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["sh", "-c", script],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=300,
        check=False,
    )


def lines(printed: str) -> list[str]:
    """The lines that were printed; a last one that was not ended is not the same as one that was."""
    *ended, rest = printed.split("\n")
    return [*ended, f"{rest} (and no newline)"] if rest else ended
