"""Whether a program gives one and the same answer to everything, whatever is asked."""

from harness.files import read_file
from harness.judging.compare import meaning_key
from harness.judging.verdicts import CONSTANT, OTHER, RIGHT
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.judging.result import Result

MOST_KEPT = 16 << 10  # characters of an answer in a result
MOST_TOLD = 60  # characters of an answer


class Answers:
    """The answers of one program to a suite, as far as they tell whether it is always the same one.

    That a program has not ended in time, or has crashed, is no answer.
    """

    __slots__ = ("_answers", "_right", "count", "told")

    def __init__(self) -> None:
        self._answers: set[bytes] = set()
        self._right: set[bytes] = set()
        self.count = 0  # of cases that were answered
        self.told = ""  # the answer that was seen last, in few characters

    @property
    def differ(self) -> bool:
        """Whether two different answers have been given, so that nothing else matters any more."""
        return len(self._answers) > 1

    @property
    def constant(self) -> bool:
        """Whether one and the same answer was given to everything, though not everywhere it is right."""
        return len(self._answers) == 1 and len(self._right) > 1

    def add(self, result: "Result") -> None:
        """Take note of what a program did with a case; what was expected is read if it is needed."""
        if self.differ or result.verdict not in RIGHT | OTHER:
            return
        right = _content(result.expected)
        self._add(right if result.verdict in RIGHT else result.stdout.encode(), right)

    def add_right(self, expected: str) -> None:
        """Take note of a case that was answered as expected; what that is, is in a file."""
        right = _content(expected)
        self._add(right, right)

    def _add(self, answer: bytes, right: bytes) -> None:
        self.count += 1
        self._answers.add(meaning_key(answer))
        if len(self._right) < 2:
            self._right.add(meaning_key(right))
        text = " ".join(answer.decode(errors="backslashreplace").split())
        self.told = cut(text, MOST_TOLD) or "nothing"

    @property
    def sentence(self) -> str:
        """What is said of a program that is found to be constant."""
        return f"one and the same answer to all {self.count} cases: {self.told}"


def constant(result: "Result", told: str, again: str) -> "Result":
    """The result of a case that has passed, but by an answer that is given to all; again: how to see it."""
    printed = _content(result.expected).decode(errors="backslashreplace")[:MOST_KEPT]
    return result._replace(verdict=CONSTANT, detail=told, stdout=printed, reproduce=again)


def _content(path: str) -> bytes:
    """What is expected; nothing if that can no longer be read."""
    try:
        return read_file(path)
    except OSError:
        return b""
