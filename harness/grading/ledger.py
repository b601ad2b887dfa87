"""What became of all cases of all teams, in few bytes each: enough for marks, ranks and matrices.

The records themselves stay in the store.
"""

from array import array

from harness.judging.verdicts import GIVES_POINTS, PASS, VERDICTS, WITHHELD

UNKNOWN = 255  # not run: the team could not be built, or its time was over
PASSED = VERDICTS.index(PASS)
CODES = {verdict: code for code, verdict in enumerate(VERDICTS)}
RIGHT = frozenset(CODES[verdict] for verdict in GIVES_POINTS)


class Ledger:
    """The verdicts of one team, by case and repetition, with the times that they took."""

    __slots__ = ("codes", "repeat", "seconds")

    def __init__(self, cases: int, repeat: int) -> None:
        self.repeat = repeat
        self.codes = bytearray([UNKNOWN]) * (cases * repeat)
        self.seconds = array("f", bytes(4 * cases * repeat))

    def set(self, case: int, attempt: int, verdict: str, seconds: float) -> None:
        """Write down what became of a case."""
        at = case * self.repeat + attempt
        self.codes[at] = CODES[verdict]
        self.seconds[at] = seconds

    def replace(self, case: int, old: str, new: str) -> None:
        """Write another verdict wherever a case has this one."""
        for at in range(case * self.repeat, (case + 1) * self.repeat):
            if self.codes[at] == CODES[old]:
                self.codes[at] = CODES[new]

    def knows(self, case: int, attempt: int) -> bool:
        """Whether it is known what became of it."""
        return self.codes[case * self.repeat + attempt] != UNKNOWN

    def of(self, case: int) -> bytes:
        """The codes of all repetitions of a case."""
        return bytes(self.codes[case * self.repeat : (case + 1) * self.repeat])

    def code(self, case: int) -> int:
        """What became of a case: of its repetitions, the first one that did not pass."""
        return max(self.of(case), key=lambda code: (code not in RIGHT, code != PASSED))

    def verdict(self, case: int) -> str:
        """The verdict on a case; empty if it is not known."""
        code = self.code(case)
        return "" if code == UNKNOWN else VERDICTS[code]

    def passed(self, case: int) -> bool:
        """Whether it passed every time."""
        return self.code(case) in RIGHT

    def asked(self, case: int) -> bool:
        """Whether its program was asked, and not spared a form that it does not read."""
        return self.verdict(case) != WITHHELD

    def unsteady(self, case: int) -> bool:
        """Whether its repetitions did not end alike."""
        return len(set(self.of(case))) > 1

    def time(self, case: int) -> float:
        """The longest time that it took, in seconds."""
        return max(self.seconds[case * self.repeat : (case + 1) * self.repeat])

    @property
    def spent(self) -> float:
        """All the time that it took, in seconds."""
        return sum(self.seconds)

    @property
    def complete(self) -> bool:
        """Whether everything is known."""
        return UNKNOWN not in self.codes
