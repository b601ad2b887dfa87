"""Results on a terminal, or in a pipe: failures as they come, and a summary at the end.

On a terminal there are colours and a progress bar (rich, loaded only then); in a pipe, plain text.
"""

import os
import sys
import time

from harness.verdicts import PASS, VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from rich.progress import Progress, TaskID

    from harness.judge import Record
    from harness.run import Summary

RED, GREEN, YELLOW, BOLD, DIM = "31", "32", "33", "1", "2"
LINES = 8  # of what a program printed, under a failure
WIDE = 400  # characters of one such line


def safe(text: str) -> str:
    """The text with everything escaped that could do something to a terminal."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def _in_common(one: str, other: str) -> int:
    """How many characters the texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _wants_colour(stream: "TextIO") -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


class Terminal:
    """A listener that tells a person how a run goes."""

    def __init__(self, stream: "TextIO", failures_only: bool = False, progress: bool = True) -> None:
        self._stream = stream
        self._colour = _wants_colour(stream)
        self._failures_only = failures_only
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._shows_bar = progress and stream.isatty() and not failures_only
        self._drawn = 0.0

    # --- what a run tells --------------------------------------------------------------------

    def ended(self, record: "Record", summary: "Summary") -> None:
        """A case has ended: say so if it has not passed."""
        if record["verdict"] != PASS:
            self._print(self.failure(record))
        self.tick(summary)

    def missing(self, program: str, why: str) -> None:
        """A program cannot be started: none of its cases can pass."""
        self._print(self._paint(f"{program} could not start: {safe(why)}", RED, BOLD))

    def tick(self, summary: "Summary") -> None:
        """Draw the progress bar anew, now and then."""
        now = time.monotonic()
        if not self._shows_bar or now - self._drawn < 0.1:
            return
        self._drawn = now
        if self._bar is None:
            if now - summary.started < 0.5:
                return  # what is over at once needs no bar
            self._start_bar()
        assert self._bar is not None
        assert self._task is not None
        failed = summary.total - summary.counts[PASS]
        rate = summary.total / max(now - summary.started, 0.001)
        self._bar.update(
            self._task,
            description=f"{summary.total} cases, [green]{summary.counts[PASS]} passed[/], "
            f"[{'red' if failed else 'dim'}]{failed} failed[/], {rate:.0f} a second",
        )
        self._bar.refresh()

    def close(self) -> None:
        """Take the progress bar away."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _start_bar(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar = Progress(
            BarColumn(bar_width=16),
            TextColumn("{task.description}"),
            TimeElapsedColumn(),
            console=Console(file=self._stream),
            auto_refresh=False,
            transient=True,
        )
        self._task = self._bar.add_task("", total=None)
        self._bar.start()

    # --- words -------------------------------------------------------------------------------

    def failure(self, record: "Record") -> str:
        """One failed case: what is wrong, the smallest part that differs, how to see it again."""
        head = f"{safe(record['case'])}: {record['verdict']}"
        if record["detail"]:
            head += f" ({safe(record['detail'])})"
        lines = [self._paint(head, RED, BOLD)]
        lines += [f"  {safe(line)}" for line in record["differences"]]
        if "smallest" in record:
            lines += self.side_by_side(*record["smallest"])
        elif record["verdict"] != PASS and record.get("stdout", "").strip():
            lines += self._quoted("stdout", record["stdout"])
        lines += [f"    by the rules: {safe(line)}" for line in record.get("explanation", [])]
        if record.get("stderr", "").strip():
            lines += self._quoted("stderr", record["stderr"])
        if record["reproduce"]:
            lines.append(self._paint(f"  see it again: {safe(record['reproduce'])}", DIM))
        return "\n".join(lines)

    def side_by_side(
        self, where: str, expected: str, printed: str, labels: tuple[str, str] = ("expected", "printed")
    ) -> list[str]:
        """The smallest part that differs, expected above printed, what is not alike in colour."""
        start = _in_common(expected, printed)
        tail = _in_common(expected[start:][::-1], printed[start:][::-1])
        lines = []
        for label, text, colour in ((labels[0], expected, GREEN), (labels[1], printed, RED)):
            end = len(text) - tail
            middle = self._paint(safe(text[start:end]), colour, BOLD)
            lines.append(f"    {label:9}{safe(text[:start])}{middle}{safe(text[end:])}")
        return lines

    @staticmethod
    def _quoted(label: str, text: str) -> list[str]:
        lines = text.strip("\n").split("\n")
        shown = [
            f"    {label} | {safe(line[:WIDE])}{'…' if len(line) > WIDE else ''}" for line in lines[:LINES]
        ]
        if len(lines) > LINES:
            shown.append(f"    {label} | … {len(lines) - LINES} more lines")
        return shown

    def summary(self, summary: "Summary", notes: list[str], slowest: int = 0) -> None:
        """The end of a run: counts by folder, notes on how it was run, and the total."""
        self.close()
        if not self._failures_only:
            self._table(summary)
        if slowest:
            self._slowest(summary, slowest)
        if not self._failures_only:
            for note in notes:
                self._print(self._paint(safe(note), DIM))
        if summary.interrupted:
            self._print(self._paint("interrupted; these are the results so far", YELLOW, BOLD))
        failed = summary.total - summary.counts[PASS]
        total = f"{summary.counts[PASS]} passed, {failed} failed"
        self._print(self._paint(total, RED if failed else GREEN, BOLD))

    def _table(self, summary: "Summary") -> None:
        used = [verdict for verdict in VERDICTS if verdict == PASS or summary.counts[verdict]]
        wide = max([len(folder) for folder in summary.folders] or [0])
        self._print(" ".join([f"{'':{wide}}", *(f"{verdict:>{max(5, len(verdict))}}" for verdict in used)]))
        for folder, counts in sorted(summary.folders.items()):
            cells = [f"{counts.get(verdict, 0) or '.':>{max(5, len(verdict))}}" for verdict in used]
            line = " ".join([f"{safe(folder):{wide}}", *cells])
            bad = any(counts.get(verdict, 0) for verdict in used if verdict != PASS)
            self._print(self._paint(line, RED) if bad else line)

    def _slowest(self, summary: "Summary", count: int) -> None:
        self._print("slowest:")
        for seconds, name in sorted(summary.slowest, reverse=True)[:count]:
            self._print(f"  {seconds:8.3f} s  {safe(name)}")

    def _paint(self, text: str, *codes: str) -> str:
        return f"\033[{';'.join(codes)}m{text}\033[0m" if self._colour and text else text

    def _print(self, text: str) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        print(text, file=self._stream, flush=True)


def painted(stream: "TextIO", text: str, *codes: str) -> str:
    """The text in colour, if the stream is a terminal that shows it."""
    return f"\033[{';'.join(codes)}m{text}\033[0m" if text and _wants_colour(stream) else text


def difference_lines(
    stream: "TextIO",
    differences: list[str],
    smallest: "tuple[str, str, str] | None",
    labels: tuple[str, str] = ("expected", "printed"),
) -> list[str]:
    """What differs, in words, and the smallest part of it, as lines for this stream."""
    terminal = Terminal(stream)
    shown = [] if smallest is None else terminal.side_by_side(*smallest, labels)
    return [*map(safe, differences), *shown]


def to_terminal(failures_only: bool) -> Terminal:
    """The terminal, or whatever standard output is."""
    return Terminal(sys.stdout, failures_only)
