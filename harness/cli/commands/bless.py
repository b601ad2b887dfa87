"""`harness bless`: expected outputs written by the reference engine, each difference shown first."""

import os
import sys

import click

from harness.cli.group import subcommand
from harness.cli.parameters import sandbox_option, timeout_option
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.authoring.bless import Blessing
    from harness.fixtures.cases import Case

    Options = dict[str, Any]

NOT_ALL = 1
RED, GREEN, YELLOW = "31", "32", "33"
LABELS = ("answer", "file")  # what is answered, and what the file says now


@subcommand
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--program",
    metavar="FILE",
    help="Take the answers of this executable for all cases. Default: those of the rules.",
)
@click.option(
    "--name",
    type=click.Choice(tuple(PROGRAMS)),
    help="Which program they are for, if no folder says so.",
)
@click.option("--overwrite", is_flag=True, help="Replace expected outputs that say something else.")
@click.option("--dry-run", is_flag=True, help="Say what would be written, and write nothing.")
@timeout_option(10.0, "Time for one answer of FILE.")
@sandbox_option("FILE")
def command(**options: "Any") -> int:
    """Write what the rules answer as the expected outputs of cases.

    PATHs are directories or single cases; without any, test-fixtures. A case that has no expected output
    yet, only NAME-in.json, gets one. Where there is one that says something else, the difference is shown
    and nothing is written, unless --overwrite is given. What the rules refuse is not blessed.

    \b
    Examples:
      harness bless test-fixtures/xstep/my-new-case-in.json
      harness bless --program ../team7/bin/xstep --dry-run tests/xstep

    \b
    Exit status: 0 every case expects what is answered; 1 some do not, or have no answer; 2 the command
    line or a path is wrong, or there are no cases; 74 a file could not be written.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Bless what the options say; the exit status."""
    from harness.authoring.bless import FAILED, NEW, OTHER, REPLACED, SAME, Blesser
    from harness.running.limits import Limits
    from harness.running.sandbox import SandboxError
    from harness.running.target import sandbox_for

    paths = [os.path.normpath(path) for path in options["paths"]] or ["test-fixtures"]
    executable = options["program"] or ""
    _must_be_executable(executable)
    limits = Limits(seconds=options["timeout"])
    hidden = [path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths]
    try:
        sandbox = sandbox_for(options["sandbox"], hidden, limits.memory) if executable else None
    except SandboxError as problem:
        raise click.UsageError(str(problem)) from None
    counts = dict.fromkeys((NEW, REPLACED, SAME, OTHER, FAILED), 0)
    with Blesser(_namer(options["name"] or "", executable), executable, limits, sandbox) as blesser:
        for case in _cases(paths):
            done = blesser.bless(case, options["overwrite"], write=not options["dry_run"])
            counts[done.what] += 1
            _tell(done)
    if not sum(counts.values()):
        raise click.UsageError(f"no cases found in {', '.join(paths)}")
    _sum_up(counts, options["dry_run"])
    return NOT_ALL if counts[OTHER] or counts[FAILED] else 0


def _must_be_executable(path: str) -> None:
    from harness.fixtures.cases import Programs

    problem = Programs("", (), only=path).why_not("") if path else ""
    if problem:
        raise click.UsageError(f"--program: {problem}")


def _namer(name: str, executable: str) -> "Any":
    """What says which program a case is for; any name will do where one executable answers all."""
    from harness.fixtures.cases import program_of

    return lambda case: name or program_of(case.input) or os.path.basename(executable)


def _cases(paths: list[str]) -> "Iterator[Case]":
    from harness.fixtures.cases import NoSuchPathError, find_cases

    try:
        yield from find_cases(paths)
    except NoSuchPathError as problem:
        raise click.UsageError(str(problem)) from None


def _tell(done: "Blessing") -> None:
    """Say what became of a case, unless nothing did."""
    from harness.authoring.bless import FAILED, NEW, OTHER, SAME
    from harness.report.terminal import difference_lines, painted
    from harness.report.words import safe

    if done.what == SAME:
        return
    colour = {NEW: GREEN, OTHER: RED, FAILED: RED}.get(done.what, YELLOW)
    why = f" ({safe(done.why)})" if done.why else ""
    click.echo(painted(sys.stdout, f"{safe(done.case)}: {done.what}{why}", colour))
    for line in difference_lines(sys.stdout, done.differences, done.smallest, LABELS):
        click.echo(f"  {line}")


def _sum_up(counts: dict[str, int], dry_run: bool) -> None:
    from harness.authoring.bless import OTHER

    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count)
    hint = "; --overwrite replaces what differs" if counts[OTHER] else ""
    click.echo(f"{told}{' (nothing was written)' if dry_run else ''}{hint}")
