"""What happens at a server beside its tables, for its operator: as lines, and as JSON for scripts."""

import json
import os
import sys
import threading
import time

from evolution.game import one_line
from evolution.remote.server import ANSWERED, ASKED, GAME, LEFT, OVER, REFUSED, SIGNED_UP, WAITS, News
from harness import NO_OUTPUT
from harness.errors import WrongUse
from harness.programs.answering import complain
from harness.text import cut

LONGEST_NAME = 60  # characters
MOST_TRACED = 64 << 10  # bytes of a piece
BEGINNING = b'{"time":'


class RecordFile:
    """A file with one JSON object a line, each with its time. It can be read while it grows."""

    def __init__(self, path: str) -> None:
        """Begin it, in the place of an older one if there is one. Raises WrongUse."""
        try:
            self._file = open(path, "a+b", buffering=0)  # noqa: SIM115 (it is open as long as the server)
        except OSError as problem:
            raise WrongUse(f"{path}: {problem.strerror}") from None
        if self._file.seekable():
            self._file.seek(0)
            begins = self._file.read(len(BEGINNING))
            if begins and begins != BEGINNING:
                self._file.close()
                raise WrongUse(f"{path} exists and holds something else; it is left as it is")
            os.ftruncate(self._file.fileno(), 0)
        self.problem = ""

    def write(self, record: dict[str, object]) -> None:
        """Add a record, in one piece: threads write at the same time."""
        try:
            self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        except OSError as problem:
            self.problem = problem.strerror or str(problem)

    def trace(self, name: str, direction: str, data: bytes) -> None:
        """Add what has come from a peer, or was sent to it."""
        text = data[:MOST_TRACED].decode(errors="backslashreplace")
        self.write({"time": round(time.time(), 6), direction: name, "bytes": len(data), "text": text})

    def close(self) -> None:
        """No more records."""
        self._file.close()


def record_of(news: News, when: float) -> dict[str, object]:
    """The news as a JSON object: what they are, when, and all that is known."""
    known = {name: getattr(news, name) for name in ("game", "player", "name", "request", "reason", "names")}
    return {
        "time": round(when, 3),
        "news": news.kind,
        **{key: value for key, value in known.items() if value},
    }


class Operator:
    """Whoever runs a server: is told the news in lines on standard error, and has them written to a file."""

    def __init__(self, is_told: bool, path: "str | None", wire: "str | None" = None) -> None:
        """With a path, that file is begun at once, and one for the wire. Raises WrongUse if it cannot be."""
        self._lines = Lines() if is_told else None
        self._file = None if path is None else RecordFile(path)
        self._wire = None if wire is None else RecordFile(wire)
        self.trace = None if self._wire is None else self._wire.trace
        self.status = 0  # the exit status that follows from what could be written

    def tell(self, news: News) -> None:
        """Something has happened."""
        now = time.time()
        if self._lines is not None:
            print(self._lines.line(news, now), file=sys.stderr, flush=True)
        if self._file is not None:
            self._file.write(record_of(news, now))

    def close(self) -> None:
        """There are no more news."""
        for file in (self._file, self._wire):
            if file is not None:
                file.close()
                if file.problem:
                    complain("xserver", f"cannot write the news: {file.problem}")
                    self.status = NO_OUTPUT


class Lines:
    """Tells the news in words, with the names of players and since when they are asked."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._names: dict[int, tuple[str, ...]] = {}
        self._asked: dict[tuple[int, int], float] = {}

    def line(self, news: News, when: float) -> str:
        """The news in one line."""
        with self._lock:
            return f"{time.strftime('%H:%M:%S', time.localtime(when))} {self._words(news, when)}"

    def _words(self, news: News, when: float) -> str:
        if news.kind == GAME:
            self._names[news.game] = news.names
            return f"game {news.game} begins: {', '.join(map(_shown, news.names))}"
        if news.kind == OVER:
            self._names.pop(news.game, None)
            return f"game {news.game} is over"
        if news.kind in (ASKED, ANSWERED):
            return self._question(news, when)
        words = {SIGNED_UP: "has signed up", WAITS: "waits for the next game", LEFT: "has left"}
        who = _shown(news.name) if news.name else "somebody"
        return (
            f"{who} was refused: {one_line(news.reason)}"
            if news.kind == REFUSED
            else f"{who} {words[news.kind]}"
        )

    def _question(self, news: News, when: float) -> str:
        at = news.game, news.player
        names = self._names.get(news.game, ())
        name = _shown(names[news.player - 1]) if news.player <= len(names) else f"player {news.player}"
        who = f"game {news.game}: {name}"
        if news.kind == ASKED:
            self._asked[at] = when
            return f"{who} is asked: {news.request}"
        return f"{who} was asked for {when - self._asked.pop(at, when):.3f} s"


def _shown(name: str) -> str:
    return one_line(cut(json.dumps(name, ensure_ascii=False), LONGEST_NAME))
