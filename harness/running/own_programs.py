"""The project's own programs, answering many cases from one process each through `--stream`.

A stream gives the same answer as a fresh start, so it may stand in for one; whatever a stream does
not take (several values, text that is not JSON, arguments) is left to the executor.
"""

import os
import select
import signal
import time

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED, TIMEOUT
from harness.programs.answering import PROGRAMS


class _Stream:
    """One program that is listening."""

    def __init__(self, path: str) -> None:
        self._path = path
        stdin, self._to = os.pipe()
        self._from, stdout = os.pipe()
        self._errors, stderr = os.pipe()
        self._pid = os.posix_spawn(
            path,
            [path, "--stream"],
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, stdin, 0),
                (os.POSIX_SPAWN_DUP2, stdout, 1),
                (os.POSIX_SPAWN_DUP2, stderr, 2),
            ],
            setpgroup=0,
        )
        for descriptor in (stdin, stdout, stderr):
            os.close(descriptor)
        os.set_blocking(self._to, False)
        os.set_blocking(self._errors, False)

    def ask(self, data: bytes, seconds: float) -> Outcome:
        """Send one value and take the line that answers it."""
        outcome = Outcome()
        started = time.monotonic()
        left = memoryview(data + b"\n")
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        poll.register(self._to, select.POLLOUT)
        line = bytearray()
        while not line.endswith(b"\n"):
            ready = poll.poll(max(0.0, started + seconds - time.monotonic()) * 1000)
            if not ready:
                outcome.ended = TIMEOUT
                break
            for descriptor, _ in ready:
                if descriptor == self._to:
                    left = left[os.write(self._to, left) :]
                    if not left:
                        poll.unregister(self._to)
                    continue
                piece = os.read(self._from, 1 << 16)
                if not piece:
                    outcome.ended, outcome.detail = CRASHED, "the stream ended"
                    line += b"\n"
                line += piece
        try:
            outcome.stderr = os.read(self._errors, 1 << 16)
        except BlockingIOError:
            pass
        outcome.stdout = bytes(line)
        outcome.printed = len(line) + len(outcome.stderr)
        outcome.exit = 65 if outcome.stderr else 0
        outcome.seconds = time.monotonic() - started
        return outcome

    def close(self) -> None:
        for descriptor in (self._to, self._from, self._errors):
            os.close(descriptor)
        try:
            os.kill(self._pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self._pid, 0)


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
        try:
            outcome = stream.ask(data, self._seconds)
        except BrokenPipeError:
            outcome = Outcome()
            outcome.ended, outcome.detail = CRASHED, "the stream ended"
        if outcome.ended is not None:
            stream.close()
            del self._streams[path]
        return outcome

    def close(self) -> None:
        """End all streams."""
        for stream in self._streams.values():
            stream.close()
        self._streams.clear()
