"""What options of click commands take, and the options that several commands have in common."""

import math

import click

from harness import ranges
from harness.report import FILES, GITHUB

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Command = Callable[..., Any]
    Decorator = Callable[[Command], Command]


class File(click.Path):
    """The name of a file, a program or a host: an empty one, of a variable that is not set, is none."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> "Any":
        """The name."""
        if not value:
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


class Number(click.FloatRange):
    """A number in a range; click alone would take what is no number at all."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> float:
        """The number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return float(number)


def _whole(numbers: ranges.Whole) -> click.IntRange:
    return click.IntRange(numbers.least, numbers.most)


SECONDS = Number(ranges.SECONDS.least, ranges.SECONDS.most)
WAIT = Number(ranges.WAIT.least, ranges.WAIT.most)
MEGABYTES = _whole(ranges.MEGABYTES)
KILOBYTES = _whole(ranges.KILOBYTES)
JOBS = _whole(ranges.JOBS)
SANDBOX = click.Choice(ranges.SANDBOX)
SEED = click.INT


def seconds_option(name: str, type: "click.ParamType[Any]", default: float, help: str) -> "Decorator":
    """An option that takes seconds: SECONDS, or WAIT where none are some, too."""
    return click.option(name, type=type, default=default, show_default=True, metavar="SECONDS", help=help)


def timeout_option(default: float, help: str = "Time for one answer.") -> "Decorator":
    """--timeout, with this default."""
    return seconds_option("--timeout", SECONDS, default, help)


def sandbox_option(whom: str) -> "Decorator":
    """--sandbox, which shuts these in."""
    return click.option(
        "--sandbox",
        type=SANDBOX,
        default="auto",
        show_default=True,
        help=f"Shut {whom} in with bubblewrap. auto: if it works here; on: or fail; strict: as on, and with "
        "this harness hidden.",
    )


def jobs_option(command: "Command") -> "Command":
    """-j, how many cases run at once."""
    return click.option(
        "-j", "--jobs", type=JOBS, metavar="N", help="Cases at once. Default: the number of cores."
    )(command)


def seed_option(help: str) -> "Decorator":
    """--seed, of what is random."""
    return click.option("--seed", type=SEED, default=0, show_default=True, metavar="S", help=help)


def report_options(command: "Command") -> "Command":
    """An option for each report."""
    command = click.option("--github", is_flag=True, help=GITHUB)(command)
    for kind, what in reversed(FILES.items()):
        command = click.option(f"--{kind}", metavar="FILE", help=f"Write {what}.")(command)
    return command
