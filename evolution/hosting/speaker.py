"""A player that speaks the remote protocol: a command, through its standard input and output, or a socket.

It signs up with a string and is answered "ok"; a Start, a pair of LOBs or a State is a message of its own,
and so is each answer, with nothing to frame them but white space (design 5).
"""

import os
import socket
import time

from evolution.game import one_line
from evolution.hosting.asked import NoAnswer
from evolution.hosting.child import LONGEST_ANSWER, Child, Lost, is_ready
from evolution.hosting.unread import Unread
from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from evolution.game import Result
    from evolution.hosting.child import ShutIn

MOMENT = 0.05  # seconds of silence after which a number is complete
MEMORY = 1 << 20  # kilobytes of data that each process of a command may have
LIMITED = ["/bin/sh", "-c", f'ulimit -c 0; ulimit -d {MEMORY}; exec "$@"', "sh"]  # before a command


class Speaker(Child):
    """A player that speaks the remote protocol, as the game sees it."""

    def __init__(self, seconds: float, gone: "Callable[[], None] | None" = None) -> None:
        """Nobody is there yet: see `of_command` and `of_socket`."""
        super().__init__(seconds, gone)
        self._listens = False  # the protocol has no notice of changes
        self._reader = Reader()
        self._signed_up = False
        self._unread: Unread | None = None  # tells what the peer of a socket has read

    @classmethod
    def of_command(
        cls,
        command: list[str],
        seconds: float,
        gone: "Callable[[], None] | None" = None,
        shut_in: "ShutIn | None" = None,
    ) -> "Speaker":
        """A command that has been started. Raises OSError if it cannot be."""

        def limited(command: list[str]) -> "tuple[list[str], Mapping[str, str]]":
            words, environment = shut_in(command) if shut_in is not None else (command, os.environ)
            return [*LIMITED, *words], environment

        speaker = cls(seconds, gone)
        speaker.start_process(command, limited)
        return speaker

    @classmethod
    def of_socket(cls, descriptor: int, seconds: float) -> "Speaker":
        """Whoever is at the other end of a socket, and has signed up."""
        speaker = cls(seconds)
        speaker._to = speaker._from = descriptor
        speaker._end = "it has closed the connection"
        speaker._signed_up = True
        speaker._unread = Unread()
        os.set_blocking(descriptor, False)
        return speaker

    def game_over(self, result: "Result") -> None:
        """Let it go: the protocol ends with the connection."""
        self.close()

    def _ask(self, request: str, argument: str) -> object:
        deadline = time.monotonic() + self._seconds
        if not self._signed_up:
            if not isinstance(self._receive(deadline), str):
                raise Lost("it did not sign up with a string")
            self._signed_up = True
            self._send(b'"ok"\n', deadline)
        if request == "load":
            return None
        if not self._silent():
            raise Lost("it spoke without being asked")
        if request != "feed_next":  # else it has answered, and read, what it was sent before
            self._until_read()
        self._send(f"{argument}\n".encode(), deadline)
        if request == "start":
            return None
        answer = self._receive(deadline)
        if not self._silent():
            raise Lost("it said more than its answer")
        return answer

    def _until_read(self) -> None:
        """Wait until the peer of a socket has read the message before: some lose the second of two."""
        if self._unread is None:
            return
        peer = socket.socket(fileno=self._to)
        try:
            self._unread.wait(peer)
        finally:
            peer.detach()

    def close(self) -> None:
        """Let it go."""
        if self._unread is not None:
            self._unread.close()
        super().close()

    def _silent(self) -> bool:
        """Whether it has said nothing, white space aside, that was not received."""
        try:
            while self._reader.blank and is_ready(self._from):
                self._reader.feed(self._read(time.monotonic() + self._seconds))
        except Lost:
            pass  # it will not answer the next question, if there is one
        return self._reader.blank

    def _receive(self, deadline: float) -> object:
        """The next value that it says."""
        while True:
            try:
                value = next(iter(self._reader), None)
                if value is not None:
                    return value.parse()
            except NotJSON as problem:
                raise Lost(f"it sent what is not JSON: {one_line(problem.why)}") from None
            if self._reader.held > LONGEST_ANSWER:
                raise Lost("its answer is too long")
            try:
                number = self._reader.unsettled
                piece = self._read(min(deadline, time.monotonic() + MOMENT) if number else deadline)
            except NoAnswer:
                if not number or time.monotonic() >= deadline:
                    raise
                self._reader.settle()
            else:
                self._reader.feed(piece)
