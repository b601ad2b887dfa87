"""`harness report`: from the journal of a run to any of its reports."""

import os

import click

from harness import REFUSED
from harness.cli.group import subcommand
from harness.cli.parameters import report_options
from harness.report import FAILURES_ONLY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from harness.judging.result import Result
    from harness.report import Reports
    from harness.report.terminal import Terminal
    from harness.running.pool import Summary

    Options = dict[str, Any]

FAILED = 1


@subcommand
@click.argument("journal", metavar="JOURNAL")
@report_options
@click.option(
    "-k",
    "pattern",
    metavar="PATTERN",
    help="Only cases whose path contains this; with * or ? in it, cases whose path matches.",
)
@click.option("--failures-only", is_flag=True, help=FAILURES_ONLY)
def command(**options: "Any") -> int:
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
    return execute(options)


def execute(options: "Options") -> int:
    """Make what the options ask for; the exit status."""
    from harness.report import ReportError
    from harness.running.journal import JournalError

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
    from harness.report import Reports
    from harness.report.terminal import to_terminal
    from harness.running.journal import JournalError, read_journal

    results = read_journal(path)  # once: it may be a pipe
    first = next(results, None)
    if first is None:
        raise JournalError(f"{path}: no case is recorded in it")
    reports = Reports(options, first.run or {}, options["failures_only"], [path])
    try:
        terminal = to_terminal(options["failures_only"], reports.takes_standard_output)
        summary = _tell(_chosen(options, [first], results), reports or terminal)
        if not summary.total:
            raise click.UsageError(f"no case in {path} matches {options['pattern']}")
        _conclude(summary, terminal, reports)
    finally:
        reports.abandon()
    return 0 if summary.passed else FAILED


def _chosen(options: "Options", *parts: "Iterable[Result]") -> "Iterator[Result]":
    """The results that are asked for; what a continued run has recorded twice, once."""
    from itertools import chain

    from harness.fixtures.cases import matching

    wanted = matching(options["pattern"])
    seen: set[int] = set()
    for result in chain(*parts):
        key = hash((result.case, result.program))
        if key not in seen and wanted(result.case):
            seen.add(key)
            yield result


def _tell(results: "Iterable[Result]", listener: "Reports | Terminal") -> "Summary":
    """Tell somebody of every result, as a run does; the counts."""
    from harness.running.pool import Summary

    summary = Summary()
    for result in results:
        summary.add(result)
        listener.ended(result, summary)
    return summary


def _conclude(summary: "Summary", terminal: "Terminal", reports: "Reports") -> None:
    from harness.report.words import total

    reports.finish(summary)
    if reports:
        click.echo(total(summary), err=reports.takes_standard_output)
    else:
        terminal.summary(summary, [])
