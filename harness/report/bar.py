"""How far something is, for whoever waits at a terminal: a bar, drawn by rich, or a line of text."""

import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

    from rich.progress import Progress, TaskID

OFTEN = 0.1  # seconds between two drawings
SOON = 0.5  # what is over within these seconds needs no bar


class StatusLine:
    """A line on standard error that is written again and again, if somebody looks."""

    def __init__(self) -> None:
        self._shows = sys.stderr.isatty()
        self._shown = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Whether it is time to write it again."""
        return self._shows and time.monotonic() - self._shown >= OFTEN

    def show(self, text: str) -> None:
        """Write this in the place of what was there."""
        if self._shows:
            self._shown = time.monotonic()
            sys.stderr.write(f"\r\033[K{text}")
            sys.stderr.flush()

    def clear(self) -> None:
        """Take it away."""
        self.show("")


class Bar:
    """A bar that is drawn now and then, if it shows at all. With a total it says how long it will take."""

    def __init__(self, stream: "TextIO", shows: bool, total: "int | None" = None) -> None:
        self.total = total
        self._stream = stream
        self._shows = shows
        self._drawn = 0.0
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    def is_due(self, started: float) -> bool:
        """Whether it is time to draw it, for something that began then."""
        now = time.monotonic()
        if not self._shows or now - self._drawn < OFTEN:
            return False
        self._drawn = now
        return self._progress is not None or now - started >= SOON

    def draw(self, done: int, text: str) -> None:
        """Draw it, with this text beside it."""
        if self._progress is None:
            self._progress = self._made()
            self._task = self._progress.add_task("", total=self.total)
            self._progress.start()
        assert self._task is not None
        self._progress.update(self._task, completed=done, description=text)
        self._progress.refresh()

    def _made(self) -> "Progress":
        from rich.console import Console
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        return Progress(
            BarColumn(bar_width=16),
            *([] if self.total is None else [MofNCompleteColumn()]),
            TextColumn("{task.description}"),
            TimeElapsedColumn() if self.total is None else TimeRemainingColumn(),
            console=Console(file=self._stream),
            auto_refresh=False,
            transient=True,
        )

    def close(self) -> None:
        """Take it away; it can be drawn again."""
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
