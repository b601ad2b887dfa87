"""What came of a test: faults, each with the scenario that it belongs to, and the results of all scenarios.

Several scenarios can be seen in one run: a fault names the one that it is about. A run has a transcript
of all that was said in it. Without a fault, a scenario has passed only if what it is about was seen.
"""

import time

from harness.judging.result import Result
from harness.judging.sentences import recorded
from harness.judging.verdicts import CRASHED, MANNER, NOT_SHOWN, PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from harness.conformance.started import Started
    from harness.judging.difference import Difference

MOST_SAID = 2000  # characters of one message in a transcript
MOST_LINES = 2000
SIGNS_UP = "signs-up"
MOST_SHOWN = 4 << 10  # characters of what a program printed


class Fault(Exception):
    """What a program did wrong: the scenario that it fails, the verdict, and words.

    manner: what follows from it in practice, if it only differs from the documents in manner.
    """

    def __init__(
        self,
        scenario: str,
        verdict: str,
        detail: str,
        differences: "Sequence[Difference]" = (),
        manner: str = "",
    ) -> None:
        super().__init__(detail)
        self.scenario = scenario
        self.verdict = verdict
        self.detail = detail
        self.differences = differences
        self.manner = manner
        self.said: int | None = None  # how much of the transcript leads to it, if the game went on


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
        self.missing: dict[str, str] = {}  # scenarios of which too little was seen, and what is missing
        self.exit: int | None = None
        self.stdout = ""
        self.stderr = ""
        self.seconds = 0.0

    def fault_of(self, scenario: str) -> "Fault | None":
        """The first fault that fails this scenario, or else the first in manner."""
        faults = [fault for fault in self.faults if fault.scenario == scenario]
        return min(faults, key=lambda fault: bool(fault.manner), default=None)

    def keep_end_of(self, program: "Started") -> None:
        """End a program that has played, and keep how it ended and what it wrote."""
        self.exit = program.ended
        program.close()
        self.stdout, self.stderr = program.printed(), program.complained()
        program.forget()

    def settle(self, scenario: str, consequences: "Mapping[str, str]") -> None:
        """See that every fault has a scenario: the one that the run was for, or the first of all."""
        if scenario:
            self.adopt(scenario, consequences.get(scenario, ""))
        for fault in self.faults:
            fault.scenario = fault.scenario or SIGNS_UP
        self.seconds = self.transcript.seconds

    def adopt(self, scenario: str, consequence: str = "") -> None:
        """In a run for one scenario, whatever goes wrong or is missing is of that one.

        consequence: what follows from it in practice, if the scenario is about manner.
        """
        for fault in self.faults:
            fault.scenario = scenario
            if fault.verdict != CRASHED:
                fault.manner = fault.manner or consequence
        if self.missing:
            self.missing = {scenario: next(iter(self.missing.values()))}

    @property
    def is_shown(self) -> bool:
        """Whether all went well, and all was seen; of a run for one scenario."""
        return not self.faults and not self.missing


def found_out(runs: "dict[str, Run]") -> dict[str, bool]:
    """Of the scenarios of which enough was seen, whether all went well in them."""
    return {name: run.is_shown for name, run in runs.items() if run.faults or not run.missing}


def result_of(
    kind: str, program: str, scenario: str, run: Run, reproduce: str, strict: bool = False
) -> Result:
    """The result of a scenario; a fault in manner counts if the test is strict."""
    fault = run.fault_of(scenario)
    case = f"remote/{kind}/{scenario}"
    seconds = round(run.seconds, 6)
    if fault is None and scenario in run.missing:
        return Result(case, program, NOT_SHOWN, exit=run.exit, seconds=seconds, detail=run.missing[scenario])
    if fault is None:
        return Result(case, program, PASS, exit=run.exit, seconds=seconds)
    if fault.manner and not strict:
        detail = f"{fault.detail}: {fault.manner}"
        return Result(case, program, MANNER, exit=run.exit, seconds=seconds, detail=detail)
    return Result(
        case,
        program,
        fault.verdict,
        exit=run.exit,
        seconds=seconds,
        detail=fault.detail,
        **recorded(fault.differences),
        reproduce=reproduce,
        stdout=run.stdout[-MOST_SHOWN:],
        stderr=run.stderr,
        transcript=tuple(run.transcript.lines[: fault.said]),
    )
