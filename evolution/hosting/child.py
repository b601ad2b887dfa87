"""A player that is talked to through pipes or a socket, and the process in which it may live.

The player may loop for ever, end its process, eat memory, or print: the game hears of none of it but
that no good answer came in time.
"""

import codecs
import os
import select
import signal
import sys
import time

from evolution.hosting.asked import Asked, NoAnswer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    ShutIn = Callable[[list[str]], tuple[list[str], Mapping[str, str]]]

LONGEST_ANSWER = 1 << 20  # bytes
MOST_PRINTED = 1 << 20  # bytes that a player may print in a game
MOST_SHOWN = 1 << 16  # bytes of these that are passed on


class Lost(NoAnswer):
    """The player is of no use any more."""


class Child(Asked):
    """A player at the other end of descriptors, with so much time for each answer."""

    def __init__(self, seconds: float, gone: "Callable[[], None] | None" = None) -> None:
        """Nothing is open yet. `gone` is called when its process has ended, to end what it has left."""
        super().__init__()
        self.pid = 0
        self._to = self._from = self._said = -1
        self._seconds = seconds
        self._gone = gone
        self._printed = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")
        self._failure: str | None = None  # why nothing more is to be expected from it
        self._end = "its process has ended"  # what it means that nothing more comes

    def start_process(self, command: list[str], shut_in: "ShutIn | None") -> None:
        """Start it, and be connected with its standard input and output.

        `shut_in` makes of the command one that shuts it in, and says its environment.
        """
        questions, self._to = os.pipe()
        self._from, answers = os.pipe()
        self._said, prints = os.pipe()
        environment: Mapping[str, str] = os.environ
        if shut_in is not None:
            command, environment = shut_in(command)
        try:
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
        except OSError:
            self.close()
            raise
        finally:
            for descriptor in (questions, answers, prints):
                os.close(descriptor)
        os.set_blocking(self._to, False)

    def ask(self, request: str, argument: str) -> object:
        """Send a question and wait for the answer to it; once the player is lost, all questions fail."""
        if self._failure is not None:
            raise NoAnswer(self._failure)
        try:
            return self._ask(request, argument)
        except Lost as lost:
            self._failure = str(lost)
            raise

    def _ask(self, request: str, argument: str) -> object:
        raise NotImplementedError

    def load(self, seconds: float = 0.0) -> None:
        """See that it is ready, before there is anything else to ask. Raises NoAnswer if it is not.

        It has the time of an answer, or so many seconds if these are more.
        """
        usual, self._seconds = self._seconds, max(seconds, self._seconds)
        try:
            self.ask("load", "null")
        finally:
            self._seconds = usual

    def thrown_out(self, reason: str) -> None:
        """Its game is over, and so is its process."""
        self.close()

    def _send(self, data: bytes, deadline: float) -> None:
        left = memoryview(data)
        while left:
            self._wait(self._to, select.POLLOUT, deadline)
            try:
                left = left[os.write(self._to, left) :]
            except ConnectionError:
                raise Lost(self._end) from None

    def _read(self, deadline: float) -> bytes:
        """Some bytes of it, when there are any."""
        self._wait(self._from, select.POLLIN, deadline)
        try:
            piece = os.read(self._from, 1 << 16)
        except ConnectionError:
            piece = b""
        if not piece:
            raise Lost(self._end)
        return piece

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
                raise Lost(f"no answer within {self._seconds:g} s")
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
            while self._said >= 0 and is_ready(self._said) and self._pass_on():
                pass
        except Lost:
            pass  # it has printed enough

    def close(self) -> None:
        """Hang up, and end its process and all that it started."""
        if self._to < 0:
            return
        self._pass_on_the_rest()
        for descriptor in {self._to, self._from, self._said} - {-1}:
            os.close(descriptor)
        self._to = self._from = self._said = -1
        self._failure = self._failure or self._end
        if self.pid:
            try:
                os.killpg(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self.pid, 0)
            self.pid = 0
            if self._gone is not None:
                self._gone()


def is_ready(descriptor: int) -> bool:
    """Whether there is something to read, if only an end."""
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def harmless(text: str) -> str:
    """The text with everything escaped that could do more to a terminal than be seen."""
    return "".join(one if one.isprintable() or one in "\n\t" else ascii(one)[1:-1] for one in text)
