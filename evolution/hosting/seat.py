"""A seat for somebody's player class in a process of its own.

The class may loop for ever, end its process, eat memory, print, or change what it is given: the
game hears of none of it but that no good answer came in time. Questions and answers travel as one
line of JSON each.
"""

import codecs
import os
import select
import signal
import sys
import time

from evolution.game import one_line
from evolution.hosting.asked import Asked, NoAnswer
from evolution.trait_file import LOADED
from evolution.wire.errors import BadInput
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from evolution.game import Result

    ShutIn = Callable[[list[str]], tuple[list[str], Mapping[str, str]]]

LONGEST_ANSWER = 1 << 20  # bytes
MOST_REQUESTS = 200  # of another design's interface, for one answer; a long hand takes some dozens
LONGEST_TIMES = 10  # the time of one request: so much is there for all of one answer
MOST_REMARKS = 5  # beside one answer
MOST_PRINTED = 1 << 20  # bytes that a player may print in a game
MOST_SHOWN = 1 << 16  # bytes of these that are passed on
HOST = """import sys
sys.path[:] = sys.argv[4].split(':')
if sys.argv[6:]:
    from evolution import load_traits
    [*map(load_traits, sys.argv[6:])]
from evolution.hosting.host import main
main()"""


class Seat(Asked):
    """A player in a child process, as the game sees it."""

    def __init__(
        self,
        file: str,
        name: str,
        seconds: float = 5.0,
        memory: int = 1 << 30,
        gone: "Callable[[], None] | None" = None,
        design: str = "",
        shut_in: "ShutIn | None" = None,
    ) -> None:
        """The class of this name in this file, with so much time for each answer.

        `design` says by which interface it is written, if it is not the native one; then each request
        of that interface is a question of its own, with its own time.
        `gone` is called when its process has ended, to end what it may have left behind.
        `shut_in` makes of the command that starts it one that shuts it in, and says its environment.
        """
        super().__init__()
        self._seconds = seconds
        self._gone = gone
        self._most_requests = MOST_REQUESTS if design else 0
        self._buffer = b""
        self._printed = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._failure: str | None = None  # why nothing more is to be expected from it
        questions, self._to = os.pipe()
        self._from, answers = os.pipe()
        self._said, prints = os.pipe()
        path = ":".join(os.path.abspath(entry) for entry in sys.path if entry)
        command = [sys.executable, "-I", "-S", "-c", HOST, file, name, str(memory), path, design, *LOADED]
        environment: Mapping[str, str] = os.environ
        if shut_in is not None:
            command, environment = shut_in(command)
        self.pid = os.posix_spawn(
            command[0],
            command,
            environment,
            file_actions=[
                (os.POSIX_SPAWN_DUP2, questions, 0),
                (os.POSIX_SPAWN_DUP2, answers, 1),
                (os.POSIX_SPAWN_DUP2, prints, 2),
            ],
            setsid=True,
        )
        for descriptor in (questions, answers, prints):
            os.close(descriptor)
        os.set_blocking(self._to, False)

    def ask(self, request: str, argument: str) -> object:
        """Send a question and wait for the answer to it; once one has failed, all do."""
        if self._failure is not None:
            raise NoAnswer(self._failure)
        try:
            return self._ask(request, argument)
        except Lost as lost:
            self._failure = str(lost)
            raise

    def load(self) -> None:
        """Have its class loaded, before there is anything else to ask. Raises NoAnswer if that fails."""
        self.ask("load", "null")

    def thrown_out(self, reason: str) -> None:
        """Its game is over, and so is its process."""
        self.close()

    def game_over(self, result: "Result") -> None:
        """Tell it how the game has ended, and let it go."""
        try:
            super().game_over(result)
        finally:
            self.close()

    def _ask(self, request: str, argument: str) -> object:
        began = time.monotonic()
        deadline = began + self._seconds
        self._send(f'["{request}",{argument}]\n'.encode(), deadline)
        asked = ""  # the request of its own interface that is open
        for _ in range(self._most_requests + 1):
            try:
                kind, answer, remarks = self._reply(deadline)
            except Lost as lost:
                raise Lost(f"{asked}{lost}") from None
            if kind == "failed":
                raise NoAnswer(str(answer))
            if kind == "answer":
                self._remarks += [str(remark) for remark in remarks[:MOST_REMARKS]]
                return answer
            asked = f"{one_line(str(answer))}: "
            deadline = time.monotonic() + self._seconds
            if deadline - began > (LONGEST_TIMES + 1) * self._seconds:
                raise Lost(f"{asked}its requests took {LONGEST_TIMES * self._seconds:g} seconds together")
        raise Lost("its answer does not come to an end")

    def _reply(self, deadline: float) -> "tuple[str, object, list[object]]":
        """What it says next: that it asks something, the answer with remarks, or why there is none."""
        line = self._receive(deadline)
        try:
            reply: Any = parse(line)
            kind, answer, *remarks = reply
        except (BadInput, TypeError, ValueError):
            raise Lost("its answer is not JSON") from None
        return kind, answer, remarks[0] if remarks and type(remarks[0]) is list else []

    def _send(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._to, select.POLLOUT, deadline)
            try:
                left = left[os.write(self._to, left) :]
            except BrokenPipeError:
                raise Lost("its process has ended") from None

    def _receive(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            self._wait(self._from, select.POLLIN, deadline)
            piece = os.read(self._from, 1 << 16)
            if not piece:
                raise Lost("its process has ended")
            self._buffer += piece
            if len(self._buffer) > LONGEST_ANSWER:
                raise Lost("its answer is too long")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        """Wait until the pipe is ready; meanwhile, what the player prints is passed on."""
        poll = select.poll()
        poll.register(descriptor, event)
        if self._said >= 0:
            poll.register(self._said, select.POLLIN)
        while True:
            left = deadline - time.monotonic()
            ready = poll.poll(left * 1000) if left > 0 else []
            if not ready:
                raise Lost(f"no answer within {self._seconds:g} seconds")
            if self._said in dict(ready) and not self._pass_on():
                poll.unregister(self._said)
                os.close(self._said)
                self._said = -1
            if descriptor in dict(ready):
                return

    def _pass_on(self) -> bool:
        """Show what the player has printed, as much as is bearable; False when there is no more."""
        piece = os.read(self._said, 1 << 16)
        shown = piece[: max(0, MOST_SHOWN - self._printed)]
        self._printed += len(piece)
        if shown and sys.stderr:
            try:
                sys.stderr.write(harmless(self._decoder.decode(shown)))
                sys.stderr.flush()
            except OSError:
                pass
        if self._printed > MOST_PRINTED:
            raise Lost(f"it prints more than {MOST_PRINTED >> 20} MB")
        return bool(piece)

    def _pass_on_the_rest(self) -> None:
        """Show what was printed with the last answer."""
        try:
            while self._said >= 0 and _is_ready(self._said) and self._pass_on():
                pass
        except Lost:
            pass  # it has printed enough

    def close(self) -> None:
        """End its process and all that it started."""
        if self.pid:
            self._pass_on_the_rest()
            for descriptor in (self._to, self._from, self._said):
                if descriptor >= 0:
                    os.close(descriptor)
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self.pid, 0)
            self.pid = 0
            self._failure = self._failure or "its process has ended"
            if self._gone is not None:
                self._gone()


def _is_ready(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


class Lost(NoAnswer):
    """The player's process is of no use any more."""


def harmless(text: str) -> str:
    """The text with everything escaped that could do more to a terminal than be seen."""
    return "".join(one if one.isprintable() or one in "\n\t" else ascii(one)[1:-1] for one in text)
