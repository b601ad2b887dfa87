"""`harness bless`: expected outputs written by the reference engine, each difference shown first."""

import os
import sys

import click

from harness import FAILED as NOT_ALL
from harness.cli.group import subcommand
from harness.cli.parameters import (
    case_paths,
    cases_argument,
    chosen_sandbox,
    flag,
    folders_of,
    name_option,
    names_in,
    names_option,
    program_option,
    sandbox_option,
    tell_untaken,
    timeout_option,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.authoring.bless import Blessing

    Options = dict[str, Any]

LABELS = ("answer", "file")  # what is answered, and what the file says now


@subcommand
@cases_argument
@names_option
@program_option("Take the answers of this executable for all cases. Default: those of the rules.")
@name_option("--name", "Which program the cases are for, if no folder says so.")
@flag("--overwrite", help="Replace expected outputs that differ.")
@flag("--dry-run", help="Say what would be written, and write nothing.")
@timeout_option(10.0, "Time for one answer of FILE.")
@sandbox_option("FILE")
def command(**options: "Any") -> int:
    """Write the answers of the rules as the expected outputs of cases.

    PATHs are directories or single cases; without any, test-fixtures. A case that has no expected
    output yet, only NAME-in.json, gets one. If it has one that differs, the difference is shown and
    nothing is written, unless --overwrite is given. An input that the rules refuse gets no output.

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
    from harness.fixtures.cases import find_cases, none_found
    from harness.fixtures.executables import check_executable
    from harness.running.limits import Limits

    paths, names = case_paths(options), names_in(options)
    executable = options["program"] or ""
    if executable:
        check_executable(executable, "--program")
    limits = Limits(seconds=options["timeout"])
    sandbox = chosen_sandbox(options, limits.memory, folders_of(paths)) if executable else None
    counts = dict.fromkeys((NEW, REPLACED, SAME, OTHER, FAILED), 0)
    with Blesser(_namer(options["name"] or "", executable), executable, limits, sandbox) as blesser:
        for case in find_cases(paths, names):
            done = blesser.bless(case, options["overwrite"], write=not options["dry_run"])
            counts[done.what] += 1
            _tell(done)
    if not sum(counts.values()):
        raise none_found(paths, names=names)
    tell_untaken(names)
    _sum_up(counts, options["dry_run"])
    return NOT_ALL if counts[OTHER] or counts[FAILED] else 0


def _namer(name: str, executable: str) -> "Any":
    """What says which program a case is for; any name will do where one executable answers all."""
    from harness.fixtures.cases import program_of

    return lambda case: name or program_of(case.input) or os.path.basename(executable)


def _tell(done: "Blessing") -> None:
    """Say what became of a case, unless nothing did."""
    from harness.authoring.bless import FAILED, NEW, OTHER, SAME
    from harness.report.colours import GREEN, RED, YELLOW, painted, wants_colour
    from harness.report.terminal import difference_lines
    from harness.report.words import safe

    if done.what == SAME:
        return
    colour = {NEW: GREEN, OTHER: RED, FAILED: RED}.get(done.what, YELLOW)
    why = f" ({safe(done.why)})" if done.why else ""
    click.echo(painted(wants_colour(sys.stdout), f"{safe(done.case)}: {done.what}{why}", colour))
    for line in difference_lines(sys.stdout, done.differences, done.smallest, LABELS):
        click.echo(f"  {line}")


def _sum_up(counts: dict[str, int], dry_run: bool) -> None:
    from harness.authoring.bless import OTHER

    words = {OTHER: "differ" if counts[OTHER] > 1 else OTHER}
    told = ", ".join(f"{count} {words.get(what, what)}" for what, count in counts.items() if count)
    hint = "; --overwrite replaces what differs" if counts[OTHER] else ""
    click.echo(f"{told}{' (nothing was written)' if dry_run else ''}{hint}")
