"""What an outcome means for a case: the verdict, and the record of it that every report is drawn from."""

import os

from evolution.wire.errors import NotJSON
from harness.judging.compare import (
    differences,
    is_json_at_first_sight,
    parse_values,
    same,
    same_at_first_sight,
    smallest_difference,
    text_differences,
)
from harness.judging.verdicts import BROKEN, NO_OUTPUT, NOT_JSON, PASS, TOO_MANY, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.fixtures.cases import Case
    from harness.running.executor import Outcome

    Record = dict[str, Any]

VERSION = 1  # of the records in a journal
KEPT_OUTPUT = 16 << 10  # characters of what a program printed, in a record
KEPT_ERRORS = 4 << 10


class Judgement:
    """A verdict with what there is to say about it."""

    __slots__ = ("detail", "differences", "smallest", "verdict")

    def __init__(self, verdict: str, detail: str = "") -> None:
        self.verdict = verdict
        self.detail = detail
        self.differences: list[str] = []
        self.smallest: tuple[str, str, str] | None = None  # where, expected, actual


def judge(expected: bytes, outcome: "Outcome", exact: bool, as_text: bool) -> Judgement:
    """The verdict on what a program did where this was expected.

    Output is compared as JSON; as text where that is allowed and what is expected is no JSON.
    """
    if outcome.ended is not None:
        return Judgement(outcome.ended, outcome.detail)
    printed = outcome.stdout.strip()
    if printed == expected.strip():
        if as_text or is_json_at_first_sight(printed):
            return Judgement(PASS)
    elif same_at_first_sight(expected, printed):
        return Judgement(PASS)
    try:
        wanted = parse_values(expected)
    except NotJSON as problem:
        if as_text:
            return _judge_text(expected, printed)
        return Judgement(BROKEN, f"its expected output is {problem}")
    if not printed:
        return Judgement(NO_OUTPUT)
    try:
        found = parse_values(printed)
    except NotJSON as problem:
        return Judgement(NOT_JSON, str(problem))
    return _judge_values(wanted, found, exact)


def _judge_text(expected: bytes, printed: bytes) -> Judgement:
    found = text_differences(expected.decode(errors="replace"), printed.decode(errors="replace"))
    judgement = Judgement(WRONG if found else PASS)
    judgement.differences = found
    return judgement


def _judge_values(wanted: list[object], found: list[object], exact: bool) -> Judgement:
    if len(found) > len(wanted):
        return Judgement(TOO_MANY, f"{len(found)} printed, {len(wanted) or 'nothing'} expected")
    if len(found) < len(wanted):
        return Judgement(WRONG, f"{len(found)} values printed, {len(wanted)} expected")
    for at, (one, other) in enumerate(zip(wanted, found, strict=True)):
        if not same(one, other, exact):
            judgement = Judgement(WRONG, f"value {at}" if len(wanted) > 1 else "")
            judgement.differences = differences(one, other, exact)
            judgement.smallest = smallest_difference(one, other, exact)
            return judgement
    return Judgement(PASS)


def record_of(
    case: "Case", program: str, command: list[str], judgement: Judgement, outcome: "Outcome | None"
) -> "Record":
    """What is written down of a case that has ended. The schema is in `harness.running.journal`."""
    record: Record = {
        "v": VERSION,
        "case": case.name,
        "program": program,
        "verdict": judgement.verdict,
        "input": case.input,
        "expected": case.expected,
    }
    if outcome is not None:
        record |= {
            "exit": outcome.exit,
            "seconds": round(outcome.seconds, 6),
            "cpu": round(outcome.cpu, 6),
            "memory": outcome.memory,
            "printed": outcome.printed,
        }
    if judgement.verdict != PASS:
        record |= {
            "detail": judgement.detail,
            "differences": judgement.differences,
            "reproduce": reproduce(case, command),
        }
        if judgement.smallest is not None:
            record["smallest"] = judgement.smallest
        if outcome is not None:
            record["stdout"] = _readable(outcome.stdout, KEPT_OUTPUT)
            record["stderr"] = _readable(outcome.stderr, KEPT_ERRORS)
    return record


def _readable(data: bytes, most: int) -> str:
    text = data[: most * 4].decode(errors="backslashreplace")
    return text if len(text) <= most and len(data) <= most * 4 else f"{text[:most]}…"


def reproduce(case: "Case", command: list[str]) -> str:
    """The line to type to see what the program does with the case."""
    if not command:
        return ""
    return f"{' '.join(map(quoted, command))} < {quoted(os.path.abspath(case.input))}"


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
