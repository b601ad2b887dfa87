"""What came of a test: faults, each with the scenario that it belongs to, and the results of all scenarios.

Several scenarios can be seen in one run: a fault names the one that it is about. A run has a transcript
of all that was said in it.
"""

import time

from harness.judging.result import Result
from harness.judging.sentences import recorded
from harness.judging.verdicts import PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.judging.difference import Difference

MOST_SAID = 2000  # characters of one message in a transcript
MOST_LINES = 2000


class Fault(Exception):
    """What a program did wrong: the scenario that it fails, the verdict, and words."""

    def __init__(
        self, scenario: str, verdict: str, detail: str, differences: "Sequence[Difference]" = ()
    ) -> None:
        super().__init__(detail)
        self.scenario = scenario
        self.verdict = verdict
        self.detail = detail
        self.differences = differences
        self.said: int | None = None  # how much of the transcript leads to it, if the game went on


class NotTried(Exception):
    """A scenario that could not be come to; str() says why."""


class Transcript:
    """All that was said in one run, with the time since its beginning."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self.lines: list[str] = []

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._began

    def say(self, who: str, data: bytes) -> None:
        """Somebody has sent these bytes."""
        text = data[: 4 * MOST_SAID].decode(errors="backslashreplace")
        more = f"… ({len(data)} bytes)" if len(text) > MOST_SAID or len(data) > 4 * MOST_SAID else ""
        self.note(f"{who}: {text[:MOST_SAID]}{more}")

    def note(self, text: str) -> None:
        """Something has happened."""
        if len(self.lines) < MOST_LINES:
            self.lines.append(f"{self.seconds:7.3f} s  {text}")
        elif len(self.lines) == MOST_LINES:
            self.lines.append("… and more")


class Run:
    """One run of the program: what was said, what it printed, how it ended, and its faults."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        self.faults: list[Fault] = []
        self.exit: int | None = None
        self.stdout = ""
        self.stderr = ""
        self.seconds = 0.0

    def fault_of(self, scenario: str) -> "Fault | None":
        """The first fault that fails this scenario."""
        return next((fault for fault in self.faults if fault.scenario == scenario), None)


def result_of(kind: str, program: str, scenario: str, run: Run, reproduce: str) -> Result:
    """The result of a scenario."""
    fault = run.fault_of(scenario)
    case = f"remote/{kind}/{scenario}"
    seconds = round(run.seconds, 6)
    if fault is None:
        return Result(case, program, PASS, exit=run.exit, seconds=seconds)
    return Result(
        case,
        program,
        fault.verdict,
        exit=run.exit,
        seconds=seconds,
        detail=fault.detail,
        **recorded(fault.differences),
        reproduce=reproduce,
        stderr=run.stderr,
        transcript=tuple(run.transcript.lines[: fault.said]),
    )
