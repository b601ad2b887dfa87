"""`harness generate`: cases with the right answers, by chance or chosen for what they cover."""

import os
import sys

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, PROGRAM_NAME, seed_option
from harness.programs.answering import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from harness.authoring.generate import Made

    Options = dict[str, Any]

COUNT = 10


@subcommand
@click.argument("program", type=PROGRAM_NAME, metavar="PROGRAM")
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
    type=FILE,
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
    return _give(lambda: random_cases(program, seed, count), options)


def _cover(options: "Options") -> int:
    """Search for a set that covers all, give it, and say what it covers."""
    from harness.authoring.cover import Cover
    from harness.report.bar import StatusLine

    line = StatusLine()
    cover = Cover(options["program"], options["seed"], line.show)
    cover.run(options["count"])
    line.clear()
    if _give(lambda: cover.cases, options):
        return FAILED
    for told in cover.report():
        click.echo(told, err=options["out"] is None)
    return FAILED if cover.missing else 0


def _give(cases: "Callable[[], Iterable[Made]]", options: "Options") -> int:
    """Print the cases, or write them; the exit status."""
    from harness.authoring.generate import check_free, line, write_cases
    from harness.fixtures.writing import Taken

    if options["out"] is None:
        for case in cases():
            sys.stdout.buffer.write(line(case))
        sys.stdout.buffer.flush()
        return 0
    folder = os.path.join(options["out"], options["program"])
    try:
        check_free(cases(), folder)
        write_cases(cases(), folder)
    except Taken as problem:
        complain("harness", problem)
        return FAILED
    except OSError as problem:
        complain("harness", f"{problem.filename} cannot be written: {problem.strerror}")
        return FAILED
    return 0
