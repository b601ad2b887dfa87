"""The result of a case as it is written down: the record that every report is drawn from."""

import os

from harness.judging.verdicts import PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.fixtures.cases import Case
    from harness.judging.judge import Judgement, Record
    from harness.judging.outcome import Outcome

VERSION = 1  # of the records in a journal
KEPT_OUTPUT = 16 << 10  # characters of what a program printed, in a record
KEPT_ERRORS = 4 << 10


def record_of(
    case: "Case", program: str, command: list[str], judgement: "Judgement", outcome: "Outcome | None"
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
            "differences": [],
            "reproduce": reproduce(case, command),
        }
        if judgement.differences:
            from harness.judging.sentences import recorded

            record |= recorded(judgement.differences)
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
