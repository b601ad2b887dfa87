"""The two ends of a stream: standard input in pieces as they come, and answers line by line."""

import os
import select
import sys

from harness import NO_OUTPUT, REFUSED
from harness.programs.answering import complain, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evolution.wire.errors import BadInput

CHUNK = 1 << 16


def chunks() -> "Iterator[bytes]":
    """Standard input as it comes; a closed one is empty, and one that does not block is waited for."""
    while sys.stdin:
        try:
            data = os.read(sys.stdin.fileno(), CHUNK)
        except BlockingIOError:
            select.select([sys.stdin], [], [])
            continue
        if not data:
            break
        yield data


def failed(program: str, problem: OSError) -> int:
    """Say why a stream ended before its end, unless nobody takes its answers; the exit status."""
    if not isinstance(problem, BrokenPipeError):
        complain(program, f"cannot read standard input: {problem.strerror}")
    return NO_OUTPUT


class Answers:
    """The answers of one stream: collected while input is at hand, written before waiting."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.status = 0
        self._lines: list[bytes] = []

    def add(self, line: bytes) -> None:
        """The next answer; an empty line for nothing."""
        self._lines.append(line)

    def refuse(self, problem: "BadInput") -> None:
        """Something in the stream is wrong; what came before it is said first."""
        self.flush()
        complain(self.program, problem)
        self.status = REFUSED

    def flush(self) -> None:
        """Write what has been collected. Raises BrokenPipeError if nobody takes it any more."""
        if self._lines:
            self._lines.append(b"")
            if write(self.program, b"\n".join(self._lines)):
                raise BrokenPipeError
            self._lines.clear()
