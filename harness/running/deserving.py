"""Whether a pass is deserved: a program that is right without having to know anything is given a twin, too.

Which answers are as easy as that, and what the twin of their input is, `harness.inputs.twins` says. The
answer to the twin need not be right, which is for a case of its own to judge; but the program must not treat
the twin like the case.
"""

from typing import NamedTuple

from harness.fixtures.cases import program_of
from harness.judging.judge import Judgement
from harness.judging.verdicts import CRASHED, PASS, UNDESERVED
from harness.programs.answering import PROGRAMS
from harness.running.results import reproduce_twin, result_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.judging.outcome import Outcome
    from harness.judging.result import Result
    from harness.running.worker import Task

NO_TWIN = "it counts as it is: the harness can make no twin of it"
TABLES = ("configuration", "step4")  # forms of input in which there may be the answer
MOST_KEPT = 2000  # twins that a worker keeps in mind: in a grading, every team is given the same
MOST_SHOWN = 16 << 10  # characters of a twin

# What a program does with a case, how its twin is called, and what doing the same with that is, by why the
# case is easy.
WORDS = {
    "illegal": ("refuses", "the legal twin", "refuses the legal twin, too"),
    "nothing": (
        "prints nothing",
        "the twin that has an answer",
        "prints nothing for the twin that has an answer, too",
    ),
    "unchanged": (
        "prints the table unchanged",
        "the twin that changes",
        "does so for the twin that changes, too",
    ),
}


class Twin(NamedTuple):
    """What a program is given besides an easy case, and why that is easy; no text if it cannot be made."""

    why: str
    value: object = None
    text: str = ""


class Deserving:
    """Asks programs for the twins of easy cases, and knows those that it has made."""

    def __init__(self) -> None:
        self._twins: dict[tuple[str, bytes, bytes], Twin | None] = {}

    def result(
        self,
        task: "Task",
        command: list[str],
        expected: bytes,
        outcome: "Outcome",
        data: bytes,
        ask: "Callable[[bytes], Outcome]",
    ) -> "Result":
        """The result of a case that has passed: a failure if its twin is treated alike.

        data: what the program was given. ask: what it does with anything else.
        """
        case = task.case
        program = task.program if task.program in PROGRAMS else program_of(case.input, PROGRAMS)
        may_be_easy = not expected.strip() or (program and PROGRAMS[program].kinds[0] in TABLES)
        twin = self._twin(program, data, expected) if may_be_easy and not case.arguments else None
        if twin is None or not twin.text:
            result = result_of(case, task.program, command, Judgement(PASS), outcome)
            return result if twin is None else result._replace(detail=NO_TWIN)
        of_twin = ask(twin.text.encode())
        judgement = judge_twin(program, twin, of_twin)
        told = outcome if judgement.verdict == PASS else of_twin
        told.seconds = outcome.seconds + of_twin.seconds
        told.cpu = outcome.cpu + of_twin.cpu
        told.memory = max(outcome.memory, of_twin.memory)
        result = result_of(case, task.program, command, judgement, told)
        if judgement.verdict == PASS or len(twin.text) > MOST_SHOWN:
            return result
        return result._replace(twin=twin.text, reproduce=reproduce_twin(command, twin.text))

    def _twin(self, program: str, data: bytes, expected: bytes) -> "Twin | None":
        key = (program, data, expected)
        if key not in self._twins:
            if len(self._twins) >= MOST_KEPT:
                self._twins.clear()
            self._twins[key] = _made(program, data, expected)
        return self._twins[key]


def _made(program: str, data: bytes, expected: bytes) -> "Twin | None":
    """The twin of an input that has this right answer; None if it needs none."""
    from evolution.wire.errors import BadInput
    from evolution.wire.text import parse
    from harness.inputs.twins import NOTHING, twin_of, why_easy
    from harness.judging.compare import parse_values
    from harness.judging.wording import compact

    try:
        value = parse(data)
    except BadInput:
        return None if expected.strip() else Twin(NOTHING)
    why = why_easy(program, value, parse_values(expected))
    if not why:
        return None
    twin = twin_of(program, value)
    return Twin(why) if twin is None else Twin(why, twin, compact(twin))


def judge_twin(program: str, twin: Twin, outcome: "Outcome") -> Judgement:
    """The verdict on a case by what the program did with its twin: a pass if it treats that otherwise."""
    from evolution.wire.errors import NotJSON
    from harness.inputs.twins import UNCHANGED, is_answer, table_of
    from harness.judging.compare import parse_values, same

    does, name, alike = WORDS[twin.why]
    if outcome.ended == CRASHED:
        return Judgement(UNDESERVED, f"{does}, but crashes on {name} ({outcome.detail})")
    if outcome.ended is not None:
        detail = f", {outcome.detail}" if outcome.detail else ""
        return Judgement(outcome.ended, f"not on the case itself, but on {name}{detail}")
    if not outcome.stdout.strip():
        told = f"prints nothing for {name}" if twin.why == UNCHANGED else alike
        return Judgement(UNDESERVED, f"{does}, but {told}")
    try:
        answers = parse_values(outcome.stdout)
    except NotJSON:
        answers = []
    if len(answers) != 1 or not is_answer(program, twin.value, answers[0]):
        return Judgement(UNDESERVED, f"{does}, but prints no answer to {name}")
    if same(table_of(program, twin.value), answers[0]):
        told = alike if twin.why == UNCHANGED else f"prints the table of {name} unchanged"
        return Judgement(UNDESERVED, f"{does}, but {told}")
    return Judgement(PASS)
