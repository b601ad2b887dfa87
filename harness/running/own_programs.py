"""The project's own programs, answering many cases from one process each through `--stream`.

A stream gives the same answer as a fresh start, so it may stand in for one; whatever a stream does
not take (several values, text that is not JSON, arguments) is left to the executor.
"""

import os
import sys
import time

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED
from harness.programs.answering import PROGRAMS
from harness.running.process import LineProcess


class _Stream(LineProcess):
    """One program that is listening."""

    def __init__(self, path: str) -> None:
        self._errors, stderr = os.pipe()
        try:
            super().__init__([path, "--stream"], stderr)
        finally:
            os.close(stderr)
        os.set_blocking(self._errors, False)

    def ask(self, data: bytes, seconds: float) -> Outcome:
        """Send one value and take the line that answers it."""
        outcome = Outcome()
        started = time.monotonic()
        lines, ended = self.answers([data], seconds, sys.maxsize)
        if ended:
            outcome.ended, outcome.detail = ended, "the stream ended" if ended == CRASHED else ""
        try:
            outcome.stderr = os.read(self._errors, 1 << 16)
        except BlockingIOError:
            pass
        outcome.stdout = b"".join(line + b"\n" for line in lines)
        outcome.printed = len(outcome.stdout) + len(outcome.stderr)
        outcome.exit = 65 if outcome.stderr else 0
        outcome.seconds = time.monotonic() - started
        return outcome

    def close(self) -> None:
        """End it."""
        os.close(self._errors)
        super().close()


class OwnPrograms:
    """The streams of one worker, started when they are first needed."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._streams: dict[str, _Stream] = {}

    def answer(self, command: list[str], data: bytes) -> "Outcome | None":
        """What the program makes of the data; None if a stream is not the way to ask it."""
        path, *arguments = command
        if arguments or os.path.basename(path) not in PROGRAMS:
            return None
        try:
            parse(data)
        except BadInput:
            return None
        stream = self._streams.get(path)
        if stream is None:
            stream = self._streams[path] = _Stream(path)
        outcome = stream.ask(data, self._seconds)
        if outcome.ended is not None:
            stream.close()
            del self._streams[path]
        return outcome

    def close(self) -> None:
        """End all streams."""
        for stream in self._streams.values():
            stream.close()
        self._streams.clear()
