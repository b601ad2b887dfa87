"""What an outcome means for a case: the verdict, and what there is to say about it."""

import gc

from evolution.wire.errors import NotJSON
from harness.judging.compare import (
    differences,
    is_json_at_first_sight,
    parse_values,
    same_at_first_sight,
    smallest_difference,
    text_differences,
)
from harness.judging.verdicts import BROKEN, NO_OUTPUT, NOT_JSON, PASS, TOO_MANY, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.judging.difference import Difference
    from harness.judging.outcome import Outcome


LARGE = 100_000  # bytes of an answer of which the parts are many


class Judgement:
    """A verdict with what there is to say about it."""

    __slots__ = ("detail", "differences", "smallest", "verdict")

    def __init__(self, verdict: str, detail: str = "") -> None:
        self.verdict = verdict
        self.detail = detail
        self.differences: list[Difference] = []
        self.smallest: tuple[str, str, str] | None = None  # where, expected, actual


def judge(expected: bytes, outcome: "Outcome", exact: bool, as_text: bool) -> Judgement:
    """The verdict on what a program did where this was expected.

    Output is compared as JSON; as text where that is allowed and what is expected is no JSON.
    """
    if outcome.ended is not None:
        return Judgement(outcome.ended, outcome.detail)
    if max(len(expected), len(outcome.stdout)) < LARGE or not gc.isenabled():
        return _judge(expected, outcome, exact, as_text)
    gc.disable()  # it would look for cycles in values that have none, again and again
    try:
        return _judge(expected, outcome, exact, as_text)
    finally:
        gc.enable()


def _judge(expected: bytes, outcome: "Outcome", exact: bool, as_text: bool) -> Judgement:
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
        found_differences = differences(one, other, exact)
        if found_differences:
            judgement = Judgement(WRONG, f"value {at}" if len(wanted) > 1 else "")
            judgement.differences = found_differences
            judgement.smallest = smallest_difference(one, other, exact)
            return judgement
    return Judgement(PASS)
