"""Results on a terminal, or in a pipe: failures as they come, and a summary at the end.

On a terminal there are colours and a progress bar; in a pipe, plain text.
"""

import sys
import time

from harness.judging.verdicts import FINE, NO_START, PASS
from harness.report.bar import Bar
from harness.report.colours import BOLD, DIM, GREEN, RED, YELLOW, painted, wants_colour
from harness.report.words import (
    ASIDE,
    HEAD,
    PLAIN,
    RIGHT,
    WRONG_PART,
    failure,
    safe,
    side_by_side,
    total,
    used_verdicts,
    why,
)
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TextIO

    from harness.judging.difference import Difference
    from harness.judging.result import Result
    from harness.report.words import CauseText, Line
    from harness.running.pool import Summary

# How much is said of a run: every case; what did not pass and a summary; that and the total; the total.
ALL_CASES, USUAL, FAILURES, TOTAL = "all cases", "usual", "failures", "total"
STYLES: "dict[str, tuple[str, ...]]" = {
    PLAIN: (),
    HEAD: (RED, BOLD),
    RIGHT: (GREEN, BOLD),
    WRONG_PART: (RED, BOLD),
    ASIDE: (DIM,),
}


class Terminal:
    """A listener that tells a person how a run goes."""

    def __init__(self, stream: "TextIO", how_much: str = USUAL, patient: bool = False) -> None:
        """A patient one says nothing more when nobody listens any more; others raise BrokenPipeError."""
        self._stream = stream
        self._patient = patient
        self.is_cut_off = False  # whether nobody listens any more
        self._colour = wants_colour(stream)
        self._how_much = how_much
        self._has_summary = how_much in (ALL_CASES, USUAL)
        self._bar = Bar(stream, stream.isatty() and self._has_summary)
        self._told: set[tuple[str, str]] = set()  # programs that cannot be started, and why

    # --- what a run tells --------------------------------------------------------------------

    def ended(self, result: "Result", summary: "Summary") -> None:
        """A case has ended: say so if it has not passed, or if every case is told."""
        if result.verdict in FINE:
            if self._how_much == ALL_CASES:
                self._print(f"{safe(result.case)}: {self._paint(result.verdict, GREEN)}")
        elif self._how_much != TOTAL and not self._is_told(result):
            self._print(self.failure(result))
        self.tick(summary)

    def _is_told(self, result: "Result") -> bool:
        """Whether a case has failed only because its program cannot be started, as was said before."""
        what = (result.program, result.detail)
        told = result.verdict == NO_START and what in self._told and self._how_much != ALL_CASES
        if result.verdict == NO_START:
            self._told.add(what)
        return told

    def missing(self, program: str, why: str) -> None:
        """A program cannot be started: none of its cases can pass."""
        if self._how_much != TOTAL:
            self._print(self._paint(f"{program} could not start: {safe(why)}", RED, BOLD))

    def tick(self, summary: "Summary") -> None:
        """Draw the progress bar anew, now and then."""
        if self._bar.is_due(summary.started):
            failed = summary.failures
            rate = summary.total / max(time.monotonic() - summary.started, 0.001)
            self._bar.draw(
                summary.total,
                f"{counted(summary.total, 'case')}, [green]{summary.counts[PASS]} passed[/], "
                f"[{'red' if failed else 'dim'}]{failed} failed[/], {rate:.0f} a second",
            )

    def close(self) -> None:
        """Take the progress bar away."""
        self._bar.close()

    # --- words -------------------------------------------------------------------------------

    def failure(self, result: "Result") -> str:
        """One failed case, with colours if there are any."""
        return "\n".join(map(self.line, failure(result)))

    def line(self, pieces: "Line") -> str:
        """A line, each of its pieces in the colour of its style."""
        return "".join(self._paint(text, *STYLES[style]) for style, text in pieces)

    def summary(
        self, summary: "Summary", notes: list[str], slowest: int = 0, causes: "Sequence[CauseText]" = ()
    ) -> None:
        """The end of a run: why cases failed, counts by folder, how it was run, and the total."""
        self.close()
        if self._has_summary:
            for line in why(causes):
                self._print(self.line(line))
            self._table(summary)
        if slowest:
            self._slowest(summary, slowest)
        if self._has_summary:
            for note in notes:
                self._print(self._paint(safe(note), DIM))
        if summary.interrupted:
            self._print(self._paint("interrupted; these are the results so far", YELLOW, BOLD))
        self._print(self._paint(total(summary), GREEN if summary.passed else RED, BOLD))

    def _table(self, summary: "Summary") -> None:
        used = used_verdicts(summary)
        wide = max([len(folder) for folder in summary.folders] or [0])
        self._print(" ".join([f"{'':{wide}}", *(f"{verdict:>{max(5, len(verdict))}}" for verdict in used)]))
        for folder, counts in sorted(summary.folders.items()):
            cells = [f"{counts.get(verdict, 0) or '.':>{max(5, len(verdict))}}" for verdict in used]
            line = " ".join([f"{safe(folder):{wide}}", *cells])
            bad = any(counts.get(verdict, 0) for verdict in used if verdict not in FINE)
            self._print(self._paint(line, RED) if bad else line)

    def _slowest(self, summary: "Summary", count: int) -> None:
        self._print("slowest:")
        for seconds, name in sorted(summary.slowest, reverse=True)[:count]:
            self._print(f"  {seconds:8.3f} s  {safe(name)}")

    def _paint(self, text: str, *codes: str) -> str:
        return painted(self._colour, text, *codes)

    def _print(self, text: str) -> None:
        self._bar.close()
        try:
            if not self.is_cut_off:
                print(text, file=self._stream, flush=True)
        except BrokenPipeError:
            if not self._patient:
                raise
            self.is_cut_off = True


def difference_lines(
    stream: "TextIO",
    differences: "list[Difference]",
    smallest: "tuple[str, str, str] | None",
    labels: tuple[str, str] = ("expected", "printed"),
) -> list[str]:
    """What differs, in words, and the smallest part of it, as lines for this stream."""
    from harness.judging.sentences import sentences

    terminal = Terminal(stream)
    shown = [] if smallest is None else map(terminal.line, side_by_side(*smallest, labels))
    return [*sentences(differences), *shown]


def to_terminal(how_much: str, aside: bool = False, patient: bool = False) -> Terminal:
    """The terminal, or whatever standard output is; standard error if that is taken."""
    return Terminal(sys.stderr if aside else sys.stdout, how_much, patient)
