"""`harness generate`: cases with the right answers, by chance or chosen for what they cover."""

import os
import sys

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import (
    PROGRAM_NAME,
    chosen_sandbox,
    dialect_option,
    file_option,
    flag,
    sandbox_option,
    seed_option,
)
from harness.errors import WrongUse
from harness.fixtures.forms import COMMON, FORMS, MOST_PLAYERS
from harness.programs.answering import complain
from harness.text import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from harness.authoring.generate import Made
    from harness.fixtures.dialect import Dialect

    Options = dict[str, Any]

COUNT = 10


class Players(click.ParamType[range]):
    """Numbers of players, such as 3-8."""

    name = "players"

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> range:
        """The numbers."""
        if isinstance(value, range):
            return value
        least, dash, most = str(value).partition("-")
        if not least.isdecimal() or (dash and not most.isdecimal()):
            self.fail(f"{value} is not a range such as 3-8.", param, ctx)
        fewest, greatest = number_in(least), number_in(most or least)
        if not 1 <= fewest <= greatest <= MOST_PLAYERS:
            self.fail(f"{value} is not within 1-{MOST_PLAYERS}.", param, ctx)
        return range(fewest, greatest + 1)


PLAYERS = Players()


@subcommand
@click.argument("program", type=PROGRAM_NAME, metavar="PROGRAM")
@click.option(
    "-n",
    "count",
    type=click.IntRange(1),
    metavar="N",
    help=f"How many cases. Default: {COUNT}; with --cover: as many as it takes, and at most N.",
)
@seed_option("A different number makes different cases.")
@file_option(
    "-o",
    "out",
    metavar="DIR",
    help="Write DIR/PROGRAM/NAME-in.json and NAME-out.json instead of printing. Existing files are "
    "never overwritten.",
)
@click.option(
    "--form",
    type=click.Choice(FORMS),
    help="common, the default: what every program must read; generous: also what a program need not read.",
)
@click.option(
    "--players",
    type=PLAYERS,
    metavar="A-B",
    help="Tables of A to B players. Default: as many as the form allows, 3-8 in the common form of xstep "
    "and xstep4.",
)
@file_option("--for", "program_file", help="Make cases that this executable can read.")
@dialect_option("Default: auto with --for FILE.")
@sandbox_option("the program of --for")
@flag(
    "--cover", help="Make a small set of cases that covers everything that is known, and say what it covers."
)
def command(**options: "Any") -> int:
    """Make well-formed cases of a program, with the right answers.

    PROGRAM is xattack, xfeed, xstep, xstep4 or xsilly. Without -o each case is printed as a line of JSON,
    {"in": ..., "out": ...}, where out is null if the right answer is to print nothing. The cases are
    random, but dense in what makes implementations of the rules differ. The same seed makes the same
    cases everywhere, and those of a smaller -n are the first of them.

    With --cover, a small set of cases is searched for that reaches every rule, every pair of
    interacting traits, every boundary and every branch of the engine. What it covers is printed on
    standard output with -o, else on standard error. The names of the files say what the cases show.

    \b
    Examples:
      harness generate xstep -n 500 -o cases
      harness generate xstep -n 500 --players 5-8 --form generous
      harness generate xstep4 --for ../team7/bin/xstep4 -o cases
      harness generate xattack --cover -o cases

    \b
    Exit status: 0 done; 1 a file is in the way or cannot be written, or --cover left something out;
    2 the command line is wrong; 130 interrupted.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Make the cases that the options ask for; the exit status."""
    program, players = options["program"], options["players"]
    if players and (options["cover"] or program == "xattack"):
        other = "--cover" if options["cover"] else program
        raise WrongUse(f"--players cannot be combined with {other}")
    dialect = _dialect(options)
    if options["cover"]:
        return _cover(options, dialect)
    from harness.authoring.generate import random_cases

    if program in ("xstep", "xstep4"):  # where few players are a form of their own
        most = range(dialect.least_players, dialect.most_players + 1)
        players = players or most
        if players.start not in most:
            raise WrongUse(
                f"--players: tables of this form have at least {most.start}; --form generous has smaller ones"
            )
    seed, count = options["seed"], options["count"] or COUNT
    return _give(lambda: random_cases(program, seed, count, dialect, players), options)


def _dialect(options: "Options") -> "Dialect":
    """What whoever gets the cases reads."""
    from harness.fixtures.dialect import AUTO, dialect_choice
    from harness.fixtures.executables import check_executable, executable
    from harness.running.limits import Limits
    from harness.running.probing import dialect_of

    program, file = options["program"], options["program_file"]
    if options["form"] and (options["dialect"] or file):
        raise WrongUse("--form and --dialect or --for exclude each other")
    told = options["dialect"] or (AUTO if file else options["form"] or COMMON)
    choice = dialect_choice(told)
    if not file:
        found = choice.of(program)
        if found is None:
            where = "needs --for FILE" if told == AUTO else f"says nothing about {program}"
            raise WrongUse(f"--dialect {told} {where}")
        return found
    check_executable(file, "--for")
    limits = Limits()
    sandbox = chosen_sandbox(options, limits.memory)
    return dialect_of(choice, program, executable(file), limits, sandbox)


def _cover(options: "Options", dialect: "Dialect") -> int:
    """Search for a set that covers all, give it, and say what it covers."""
    from harness.authoring.cover import Cover
    from harness.report.bar import StatusLine

    line = StatusLine()
    cover = Cover(options["program"], options["seed"], line.show, dialect)
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
