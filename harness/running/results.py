"""The result of a case that has ended, made from what a program did and what that means."""

import os

from harness.judging.result import Result
from harness.judging.verdicts import PASS
from harness.text import printed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.fixtures.cases import Case
    from harness.judging.judge import Judgement
    from harness.judging.outcome import Outcome

KEPT_OUTPUT = 16 << 10  # characters of what a program printed, in a result
KEPT_ERRORS = 4 << 10
FAR = "../../../"  # what is further up, or shares nothing but the root, is told by its whole path


def result_of(
    case: "Case",
    program: str,
    command: list[str],
    judgement: "Judgement",
    outcome: "Outcome | None",
    sent: str = "",
) -> Result:
    """The result of a case on which this is the judgement; no outcome: nothing was started.

    sent: what the program got, if that is not what is in the case's file.
    """
    measured: tuple[int | None, float | None, float | None, int | None, int | None] = (None,) * 5
    if outcome is not None:
        seconds, cpu = round(outcome.seconds, 6), round(outcome.cpu, 6)
        measured = (outcome.exit, seconds, cpu, outcome.memory, outcome.printed)
    about = (case.name, program, judgement.verdict, case.input, case.expected)
    if judgement.verdict == PASS:
        return Result(*about, *measured)
    differences: "dict[str, Any]" = {}
    if judgement.differences:
        from harness.judging.sentences import recorded

        differences = recorded(judgement.differences)
    return Result(
        *about,
        *measured,
        detail=judgement.detail,
        **differences,
        sent=sent,
        reproduce=reproduce(case, command, sent),
        smallest=judgement.smallest,
        stdout="" if outcome is None else printed_text(outcome.stdout, KEPT_OUTPUT),
        stderr="" if outcome is None else printed_text(outcome.stderr, KEPT_ERRORS),
    )


def reproduce(case: "Case", command: list[str], sent: str = "") -> str:
    """The line to type to see what the program does with the case, or with what it was sent instead.

    Empty if there is none.
    """
    if sent and command:
        return f"echo {quoted(sent.rstrip())} | {_typed(command)}"
    return line_to_type(command, case.input) if command else ""


def reproduce_twin(command: list[str], twin: str) -> str:
    """The line to type to see what the program does with the twin of a case, given as JSON."""
    return f"echo {quoted(twin)} | {_typed(command)}"


def line_to_type(command: list[str], given: str) -> str:
    """The line that gives a file to a command, from where the user stands."""
    return f"{_typed(command)} < {quoted(from_here(os.path.abspath(given)))}"


def _typed(command: list[str]) -> str:
    program, *arguments = map(from_here, command)
    program = program if os.sep in program else os.path.join(os.curdir, program)
    return " ".join(map(quoted, (program, *arguments)))


def from_here(word: str) -> str:
    """A whole path as it is seen from the current directory, if it is not far; any other word as it is."""
    if not os.path.isabs(word):
        return word
    here = os.getcwd()
    path = os.path.relpath(word, here)
    is_far = path.startswith(FAR) or os.path.commonpath((word, here)) == os.sep
    return word if is_far else path


def quoted(word: str) -> str:
    """The word as a shell takes it; what cannot be shown is written as $'...' has it."""
    if word.isprintable():
        import shlex

        return shlex.quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(one: str) -> str:
    if one.isprintable():
        return f"\\{one}" if one in "\\'" else one
    return "".join(f"\\{byte:03o}" for byte in os.fsencode(one))
