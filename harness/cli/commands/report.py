"""`harness report`: from the journal of a run to any of its reports."""

import os

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, failures_only_option, pattern_option, report_options
from harness.errors import UserError, WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from harness.judging.result import Result
    from harness.report import Reports
    from harness.report.terminal import Terminal
    from harness.report.words import CauseText
    from harness.running.pool import Listener, Summary

    Options = dict[str, Any]


@subcommand
@click.argument("journal", metavar="JOURNAL", type=FILE)
@report_options
@pattern_option
@failures_only_option
def command(**options: "Any") -> int:
    """Make reports of a run from its journal.

    JOURNAL is what `harness run --json` has written. Without an option that asks for a report, what
    the run printed on the terminal is printed again. A report to - goes to standard output.

    Inputs and expected outputs are read from where they were during the run; a file that is gone by
    now is marked as missing.

    \b
    Examples:
      harness report journal.jsonl --html results.html        a page of everything
      harness report journal.jsonl -k xstep4 --failures-only  what failed of xstep4, on the terminal

    \b
    Exit status: 0 all these cases passed; 1 some did not; 2 the command line is wrong, or there are
    no such cases; 65 JOURNAL is not a journal; 74 a report could not be written.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Make what the options ask for; the exit status."""
    from harness.running.journal import JournalError

    path = options["journal"]
    if not os.path.exists(path):
        raise WrongUse(f"{path}: no such file; harness run --json FILE writes a journal")
    try:
        return _report(options, path)
    except JournalError as problem:
        raise UserError(str(problem)) from None  # it is an input here


def _report(options: "Options", path: str) -> int:
    from harness.report import Reports, Several
    from harness.report.terminal import FAILURES, USUAL, to_terminal
    from harness.running.journal import JournalError, read_journal
    from harness.search.collector import Collector

    results = read_journal(path)  # once: it may be a pipe
    first = next(results, None)
    if first is None:
        raise JournalError(f"{path}: no case is recorded in it")
    reports = Reports(options, first.run or {}, options["failures_only"], [path])
    try:
        how_much = FAILURES if options["failures_only"] else USUAL
        terminal = to_terminal(how_much, reports.takes_standard_output)
        chosen = _Chosen(options["pattern"])
        collector = Collector(str((first.run or {}).get("directory", "")))
        listener = Several(reports or terminal, collector)
        summary = _tell(chosen.of([first], results), listener)
        if not summary.total:
            raise WrongUse(f"-k {options['pattern']} matches none of the {chosen.met} cases in {path}")
        _conclude(summary, terminal, reports, collector.causes())
    finally:
        reports.abandon()
    return 0 if summary.passed else FAILED


class _Chosen:
    """The results that are asked for; what a continued run has recorded twice, once."""

    def __init__(self, pattern: "str | None") -> None:
        from harness.fixtures.cases import matching

        self._wanted = matching(pattern)
        self._seen: set[int] = set()

    @property
    def met(self) -> int:
        """How many cases there were, asked for or not."""
        return len(self._seen)

    def of(self, *parts: "Iterable[Result]") -> "Iterator[Result]":
        """Those of these results."""
        from itertools import chain

        for result in chain(*parts):
            key = hash((result.case, result.program))
            if key not in self._seen:
                self._seen.add(key)
                if self._wanted(result.case):
                    yield result


def _tell(results: "Iterable[Result]", listener: "Listener") -> "Summary":
    """Tell somebody of every result, as a run does; the counts."""
    from harness.running.pool import Summary

    summary = Summary()
    for result in results:
        summary.add(result)
        listener.ended(result, summary)
    return summary


def _conclude(
    summary: "Summary", terminal: "Terminal", reports: "Reports", causes: "list[CauseText]"
) -> None:
    from harness.report.words import total

    reports.finish(summary, causes)
    if reports:
        click.echo(total(summary), err=reports.takes_standard_output)
    else:
        terminal.summary(summary, [], causes=causes)
