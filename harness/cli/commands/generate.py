"""`harness generate`: cases with the right answers, by chance or chosen for what they cover."""

import os
import sys

import click

from harness.cli.group import subcommand
from harness.cli.parameters import seed_option
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from harness.authoring.generate import Made

    Options = dict[str, Any]

COUNT = 10
INCOMPLETE = 1


@subcommand
@click.argument("program", type=click.Choice(list(PROGRAMS)), metavar="PROGRAM")
@click.option(
    "-n",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help=f"How many cases. Default: {COUNT}; with --cover: as many as it takes, and at most N.",
)
@seed_option("Other numbers, other cases.")
@click.option(
    "-o",
    "out",
    metavar="DIR",
    help="Write DIR/PROGRAM/NAME-in.json and NAME-out.json instead of printing. Nothing is written over.",
)
@click.option(
    "--cover", is_flag=True, help="A small set of cases that covers all that is known, and what it covers."
)
def command(**options: "Any") -> int:
    """Make well-formed cases of a program, with the right answers.

    PROGRAM is xattack, xfeed, xstep, xstep4 or xsilly. Without -o each case is printed as a line of JSON,
    {"in": ..., "out": ...}, where out is null if the right answer is to print nothing. The cases are
    random, but dense in what makes implementations of the rules differ. The same seed makes the same
    cases everywhere, and those of a smaller -n are the first of them.

    With --cover the cases are searched for: a small set that reaches every rule, every pair of
    interacting traits, every boundary and every branch of the engine, and what it covers is told: on
    standard output with -o, on standard error without. The names of the files say what the cases show.

    \b
    Examples:
      harness generate xstep -n 500 -o cases
      harness generate xattack --cover -o cases

    \b
    Exit status: 0 done; 1 a file is in the way or cannot be written, or --cover left something out;
    2 the command line is wrong; 130 interrupted.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Make the cases that the options ask for; the exit status."""
    if options["cover"]:
        return _cover(options)
    from harness.authoring.generate import random_cases

    program, seed, count = options["program"], options["seed"], options["count"] or COUNT
    _give(lambda: random_cases(program, seed, count), options)
    return 0


def _cover(options: "Options") -> int:
    """Search for a set that covers all, give it, and say what it covers."""
    from harness.authoring.cover import Cover

    cover = Cover(options["program"], options["seed"], _progress)
    cover.run(options["count"])
    _progress("")
    _give(lambda: cover.cases, options)
    for line in cover.report():
        click.echo(line, err=options["out"] is None)
    return INCOMPLETE if cover.missing else 0


def _progress(text: str) -> None:
    """Say on a terminal how far it is; the line is written again and again."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


def _give(cases: "Callable[[], Iterable[Made]]", options: "Options") -> None:
    """Print the cases, or write them."""
    from harness.authoring.generate import check_free, line, write_cases
    from harness.fixtures.writing import Taken

    if options["out"] is None:
        for case in cases():
            sys.stdout.buffer.write(line(case))
        sys.stdout.buffer.flush()
        return
    folder = os.path.join(options["out"], options["program"])
    try:
        check_free(cases(), folder)
        write_cases(cases(), folder)
    except Taken as problem:
        raise click.ClickException(str(problem)) from None
    except OSError as problem:
        raise click.ClickException(f"{problem.filename} cannot be written: {problem.strerror}") from None
