"""A seat for somebody's player class in a process of its own.

Questions and answers travel as one line of JSON each.
"""

import os
import sys
import time

from evolution.game import one_line
from evolution.hosting.asked import NoAnswer
from evolution.hosting.child import LONGEST_ANSWER, Child, Lost
from evolution.trait_file import LOADED
from evolution.wire.errors import BadInput
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.game import Result
    from evolution.hosting.child import ShutIn

MOST_REQUESTS = 200  # of another design's interface, for one answer; a long hand takes some dozens
LONGEST_TIMES = 10  # the time of one request: so much is there for all of one answer
MOST_REMARKS = 5  # beside one answer
HOST = """import sys
sys.path[:] = sys.argv[4].split(':')
if sys.argv[6:]:
    from evolution import load_traits
    [*map(load_traits, sys.argv[6:])]
from evolution.hosting.host import main
main()"""


class Seat(Child):
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
        super().__init__(seconds, gone)
        self._most_requests = MOST_REQUESTS if design else 0
        self._buffer = b""
        path = ":".join(os.path.abspath(entry) for entry in sys.path if entry)
        command = [sys.executable, "-I", "-S", "-c", HOST, file, name, str(memory), path, design, *LOADED]
        self.start_process(command, shut_in)

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
        raise Lost("its answer does not end")

    def _reply(self, deadline: float) -> "tuple[str, object, list[object]]":
        """What it says next: that it asks something, the answer with remarks, or why there is none."""
        line = self._receive(deadline)
        try:
            reply: Any = parse(line)
            kind, answer, *remarks = reply
        except (BadInput, TypeError, ValueError):
            raise Lost("its answer is not JSON") from None
        return kind, answer, remarks[0] if remarks and type(remarks[0]) is list else []

    def _receive(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            self._buffer += self._read(deadline)
            if len(self._buffer) > LONGEST_ANSWER:
                raise Lost("its answer is too long")
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line
