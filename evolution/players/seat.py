"""A seat for somebody's player class in a process of its own.

The class may loop for ever, end its process, eat memory, print, or change what it is given: the
game hears of none of it but that no good answer came in time. Questions and answers travel as one
line of JSON each.
"""

import os
import select
import signal
import sys
import time

from evolution.actions import Action4
from evolution.choices import FeedingChoice, State
from evolution.players import Start, View
from evolution.species import Species
from evolution.wire import messages
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.game import Result

LONGEST_ANSWER = 1 << 20  # bytes
HOST = "import sys; sys.path[:] = sys.argv[4].split(':'); from evolution.players.host import main; main()"


class NoAnswer(Exception):
    """The player gave no answer that can be read; str() says why."""


class Seat:
    """A player in a child process, as the game sees it."""

    def __init__(self, file: str, name: str, seconds: float = 5.0, memory: int = 1 << 30) -> None:
        """The class of this name in this file, with so much time for each answer."""
        self._seconds = seconds
        self._buffer = b""
        self._listens: bool | None = None  # not known before its process has said so
        self._failure: str | None = None  # why nothing more is to be expected from it
        questions, self._to = os.pipe()
        self._from, answers = os.pipe()
        path = ":".join(entry for entry in sys.path if entry)
        command = [sys.executable, "-I", "-S", "-c", HOST, file, name, str(memory), path]
        self._pid = os.posix_spawn(
            sys.executable,
            command,
            os.environ,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, questions, 0),
                (os.POSIX_SPAWN_DUP2, answers, 1),
            ],
            setsid=True,
        )
        os.close(questions)
        os.close(answers)
        os.set_blocking(self._to, False)

    def start(self, view: Start) -> None:
        """Tell it that a turn begins; it says that it has heard."""
        self._ask("start", messages.write_start(view))

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """What it does with its cards."""
        answer = self._ask("choose", messages.write_choose(before, after))
        try:
            return action4(answer)
        except BadInput as problem:
            raise NoAnswer(f"its answer is malformed: {problem}") from None

    def feed_next(self, state: State) -> FeedingChoice:
        """What it feeds next."""
        answer = self._ask("feed_next", messages.write_state(state))
        try:
            return messages.read_feeding_choice(answer)
        except BadInput as problem:
            raise NoAnswer(f"its answer is malformed: {problem}") from None

    @property
    def changed(self) -> "Callable[[View], None] | None":
        """The notice of every change; None if its class does not want it, which its process is asked once."""
        if self._listens is None:
            try:
                self._listens = self._ask("listens", "null") is True
            except NoAnswer as failure:
                self._listens = False
                self._failure = str(failure)
        return self._changed if self._listens else None

    def _changed(self, view: View) -> None:
        self._ask("changed", messages.write_view(view))

    def thrown_out(self, reason: str) -> None:
        """Its game is over, and so is its process."""
        self.close()

    def game_over(self, result: "Result") -> None:
        """Tell it how the game has ended, and let it go."""
        try:
            ranking = ",".join(f"[{number},{points}]" for number, points in result.ranking)
            self._ask("game_over", f"[{ranking}]")
        finally:
            self.close()

    def _ask(self, request: str, argument: str) -> object:
        """Send a question and wait for the answer to it."""
        if self._failure is not None:
            raise NoAnswer(self._failure)
        deadline = time.monotonic() + self._seconds
        self._send(f'["{request}",{argument}]\n'.encode(), deadline)
        line = self._receive(deadline)
        try:
            reply: Any = parse(line)
            kind, answer = reply
        except (BadInput, TypeError, ValueError):
            raise NoAnswer("its answer is not JSON") from None
        if kind == "failed":
            raise NoAnswer(str(answer))
        return answer

    def _send(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        poll = select.poll()
        poll.register(self._to, select.POLLOUT)
        while left:
            self._wait(poll, deadline)
            try:
                left = left[os.write(self._to, left) :]
            except BrokenPipeError:
                raise NoAnswer("its process has ended") from None

    def _receive(self, deadline: float) -> bytes:
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        while b"\n" not in self._buffer:
            self._wait(poll, deadline)
            piece = os.read(self._from, 1 << 16)
            if not piece:
                raise NoAnswer("its process has ended")
            self._buffer += piece
            if len(self._buffer) > LONGEST_ANSWER:
                raise NoAnswer("its answer is too long")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _wait(self, poll: "select.poll", deadline: float) -> None:
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            raise NoAnswer(f"no answer within {self._seconds:g} seconds")

    def close(self) -> None:
        """End its process and all that it started in its group."""
        if self._pid:
            for descriptor in (self._to, self._from):
                os.close(descriptor)
            try:
                os.killpg(self._pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self._pid, 0)
            self._pid = 0
            self._failure = self._failure or "its process has ended"
