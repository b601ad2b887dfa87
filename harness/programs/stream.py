"""`--stream`: any number of values in, one line of answer each, as soon as it can.

Lines that hold one value each, which is what most senders write, are cut at the newline and read
by orjson. Everything else, and every value that is refused, goes through the careful reader, so
that a value gets the same answer and the same error here as alone.
"""

import gc
import select
import sys

import orjson

from evolution.wire.errors import BadInput, Illegal, Malformed, NotJSON
from evolution.wire.stream import Reader, Value, check_depth
from harness.programs.stdio import CHUNK, Answers, chunks, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.programs.answering import Answer


def more_is_waiting() -> bool:
    """Whether standard input can be read without waiting."""
    poll = select.poll()
    poll.register(sys.stdin.fileno(), select.POLLIN)
    return bool(poll.poll(0))


class Stream:
    """One program answering a stream of values."""

    def __init__(self, program: str, answer: "Answer") -> None:
        self._answer = answer
        self._answers = Answers(program)
        self._reader = Reader()
        self._tail = b""  # of what came last: after its last newline, and not yet looked at

    def run(self) -> int:
        """Answer until the input ends; the exit status."""
        # Values come and go without cycles; looking for some would cost a fifth of the time.
        gc.set_threshold(100_000)
        try:
            self._answer_all()
            self._answers.flush()
        except OSError as problem:
            return failed(self._answers.program, problem)
        return self._answers.status

    def _answer_all(self) -> None:
        try:
            for data in chunks():
                self._take(data)
                if self._tail and not more_is_waiting():
                    self._take_tail()
                self._answers.flush()
            self._reader.close()
            self._take_tail()
        except NotJSON as problem:
            self._answers.refuse(problem)

    def _take(self, data: bytes) -> None:
        """Answer what these bytes complete, but for what may be the beginning of a line."""
        if self._reader.pending:
            # The value that was left open most often ends with its line.
            line, newline, data = data.partition(b"\n")
            self._take_carefully(line + newline)
        if self._reader.pending:
            self._take_carefully(data)
        else:
            self._take_lines(data)

    def _take_lines(self, data: bytes) -> None:
        """Answer what these bytes complete, the first of which begins a value."""
        first, *lines = data.split(b"\n")
        lines.insert(0, self._tail + first)
        self._tail = lines.pop()
        done = 0
        for at, line in enumerate(lines):
            try:
                value = orjson.loads(line)
            except orjson.JSONDecodeError:
                self._tail = b"\n".join([*lines[at:], self._tail])
                break
            self._reply(value, line, done)
            done += len(line) + 1
        self._reader.skip(done)
        if len(self._tail) > CHUNK or b"\n" in self._tail:
            self._take_tail()

    def _take_tail(self) -> None:
        tail, self._tail = self._tail, b""
        self._take_carefully(tail)

    def _take_carefully(self, data: bytes) -> None:
        self._reader.feed(data)
        for value in self._reader:
            self._reply_carefully(value)

    def _reply(self, value: object, line: bytes, done: int) -> None:
        """Answer a value that orjson has read; if it is refused, read it again with care."""
        try:
            self._answers.add((self._answer(value) or "").encode())
        except Illegal as problem:
            self._refuse(problem)
        except Malformed:
            start = len(line) - len(line.lstrip())
            self._reply_carefully(Value(line.strip(), self._reader.offset + done + start))

    def _reply_carefully(self, value: Value) -> None:
        parsed = value.parse()
        try:
            self._answers.add((self._answer(parsed) or "").encode())
        except Malformed as problem:
            check_depth(value.data, value.offset)
            self._refuse(problem)

    def _refuse(self, problem: BadInput) -> None:
        self._answers.refuse(problem)
        self._answers.add(b"")
