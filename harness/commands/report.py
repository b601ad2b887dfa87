"""`harness report`: from the journal of a run to any of its reports."""

import os

import click

from harness.cli import CONTEXT
from harness.programs import REFUSED
from harness.report import report_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.judge import Record
    from harness.report import Reports
    from harness.report.terminal import Terminal
    from harness.run import Summary

    Options = dict[str, Any]

FAILED = 1


@click.command(context_settings=CONTEXT)
@click.argument("journal", metavar="JOURNAL")
@report_options
@click.option(
    "-k",
    "pattern",
    metavar="PATTERN",
    help="Only cases whose path contains this; with * or ? in it, cases whose path matches.",
)
@click.option("--failures-only", is_flag=True, help="List failures only; the total is that of all cases.")
@click.pass_context
def command(context: click.Context, /, **options: object) -> None:
    """Make reports of a run from its journal.

    JOURNAL is what `harness run --json` has written. Without an option that asks for a report, what
    the run has said on the terminal is said again. A report to - goes to standard output.

    Inputs and expected outputs are read from their files where they were when the cases ran; what
    has gone by now is said to be missing.

    \b
    Examples:
      harness report journal.jsonl --html results.html        a page of everything
      harness report journal.jsonl -k xstep4 --failures-only  what failed of xstep4, on the terminal

    \b
    Exit status: 0 all these cases passed; 1 some did not; 2 the command line is wrong, or there are
    no such cases; 65 JOURNAL is no journal; 74 a report could not be written.
    """
    context.exit(execute(options))


def execute(options: "Options") -> int:
    """Make what the options ask for; the exit status."""
    from harness.journal import JournalError
    from harness.report import ReportError

    path = options["journal"]
    if not os.path.exists(path):
        raise click.UsageError(f"{path}: no such file; harness run --json FILE writes a journal")
    try:
        return _report(options, path)
    except ReportError as problem:
        raise click.UsageError(str(problem)) from None
    except JournalError as problem:
        click.echo(f"harness: {problem}", err=True)
        return REFUSED


def _report(options: "Options", path: str) -> int:
    from harness.journal import JournalError, read_journal
    from harness.report import Reports
    from harness.report.terminal import to_terminal

    first = next(read_journal(path), None)
    if first is None:
        raise JournalError(f"{path}: no case is recorded in it")
    reports = Reports(options, first.get("run", {}), options["failures_only"], [path])
    try:
        terminal = to_terminal(options["failures_only"], reports.takes_standard_output)
        summary = _told(options, path, terminal, reports)
    finally:
        reports.abandon()
    return 0 if summary.passed else FAILED


def _told(options: "Options", path: str, terminal: "Terminal", reports: "Reports") -> "Summary":
    """Everything that the journal has recorded, told to the reports; to the terminal if there are none."""
    from harness.fixtures import matching
    from harness.journal import read_journal
    from harness.report.words import total
    from harness.run import Summary

    summary = Summary()
    wanted = matching(options["pattern"])
    told: set[int] = set()  # what a continued run has recorded twice counts once
    for record in read_journal(path):
        if hash(_key(record)) not in told and wanted(record["case"]):
            told.add(hash(_key(record)))
            summary.add(record)
            (reports or terminal).ended(record, summary)
    if not summary.total:
        raise click.UsageError(f"no case in {path} matches {options['pattern']}")
    reports.finish(summary)
    if not reports:
        terminal.summary(summary, [])
    else:
        click.echo(total(summary), err=reports.takes_standard_output)
    return summary


def _key(record: "Record") -> tuple[str, str]:
    return record["case"], record["program"]
