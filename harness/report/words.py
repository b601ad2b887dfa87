"""The words for a case that has ended: the same in every report, and drawn from its result alone.

A failure is told in lines, and a line is made of pieces that each have a style. A report that knows
no styles joins the pieces. No piece can disturb a terminal, whatever a program has printed.
"""

import re
from typing import NamedTuple

from harness.judging.verdicts import (
    BROKEN,
    FINE,
    KNOWN,
    MANNER,
    NO_START,
    NOT_SHOWN,
    PASS,
    VERDICTS,
    WITHHELD,
)
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.judging.result import Result
    from harness.running.pool import Summary

    Line = list[tuple[str, str]]  # style and text of each piece

# The styles of pieces.
PLAIN, HEAD, RIGHT, WRONG_PART, ASIDE = "", "head", "right", "wrong", "aside"

# A token of JSON or of other text, or the space between two.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},:]|\s+|[^][\s"{},:]+|"', re.DOTALL)

LINES = 8  # of what a program printed, under a failure
WIDE = 400  # characters of one such line
LONGEST_MESSAGE = 500
MOST_LISTED = 10

MOST_NAMED = 12  # cases of a cause that are named in a line

PASSED, FAILED, ERROR = "passed", "failed", "error"  # and KNOWN: what a result can be at all
ERRORS = (NO_START, BROKEN)  # these say nothing about the answers of a program


class CauseText(NamedTuple):
    """Why some cases fail, in words (`harness.search.cause_words` makes them).

    head: what the program does. lines: more about it. extent: how many cases of which programs. cases: their
    places among all, the smallest first. names: what they are called. alone: whether it is a single failure
    that has nothing in common with others. rules: the sections of docs/rules.md that are misread, if any are.
    kind: which sort of cause it is (`harness.search.causes`).
    """

    head: str
    lines: tuple[str, ...]
    extent: str
    cases: tuple[int, ...]
    names: tuple[str, ...]
    alone: bool = False
    rules: tuple[str, ...] = ()
    kind: str = ""


def safe(text: str) -> str:
    """The text with everything escaped that disturbs a terminal, or is an order to GitHub (`##[`)."""
    text = text.replace("##[", "#\\x23[")
    return text if text.isprintable() else "".join(map(_safe_character, text))


def safe_line(text: str) -> str:
    """A line that others have printed, made safe: `::` at its beginning is an order to GitHub, too."""
    text = safe(text)
    return text.replace("::", "\\x3a:", 1) if text.lstrip().startswith("::") else text


def _safe_character(one: str) -> str:
    if one.isprintable():
        return one
    # A byte of a file name that is no UTF-8 is half of a character here.
    return f"\\x{ord(one) - 0xDC00:02x}" if "\udc80" <= one <= "\udcff" else ascii(one)[1:-1]


def safe_lines(text: str) -> str:
    """A text of several lines, made safe; they stay lines."""
    return "\n".join(map(safe, text.split("\n")))


def listed(names: list[str]) -> str:
    """The first of these names."""
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return f"{', '.join(map(safe, names[:MOST_LISTED]))}{more}"


def folder_of(result: "Result") -> str:
    """The folder that a case is in."""
    return safe(result.case.rpartition("/")[0])


def name_of(result: "Result") -> str:
    """The name of a case within its folder."""
    return safe(result.case.rpartition("/")[2])


def standing(result: "Result") -> str:
    """What a case means for those who only know four kinds of results; a withheld one is no failure."""
    verdict = result.verdict
    if verdict in FINE:
        return PASSED if verdict == PASS else KNOWN
    return ERROR if verdict in ERRORS else FAILED


def message(result: "Result") -> str:
    """A failure in one line: the verdict, and the most telling thing about it."""
    differences = result.differences
    told = safe(differences[0] if differences else result.detail)
    if not told.startswith(result.verdict):
        told = f"{result.verdict}: {told}" if told else result.verdict
    told = cut(told, LONGEST_MESSAGE)
    return f"{told} (and {len(differences) - 1} more)" if len(differences) > 1 else told


def failure(result: "Result", lines: int = LINES) -> "Iterator[Line]":
    """One failed case: what is wrong, the smallest part that differs, how to see it again.

    Of what the program printed, so many lines are quoted, and each is cut where it is too wide.
    """
    head = f"{safe(result.case)}: {result.verdict}"
    if result.detail:
        head += f" ({safe(result.detail)})"
    yield [(HEAD, head)]
    for line in result.differences:
        yield [(PLAIN, f"  {safe(line)}")]
    if result.smallest is not None:
        yield from side_by_side(*result.smallest)
    elif result.verdict != PASS and result.stdout.strip():
        yield from _quoted("stdout", result.stdout, lines)
    if result.explanation:
        yield [(PLAIN, "    by the rules:")]
        yield from ([(PLAIN, f"      {safe(line)}")] for line in result.explanation)
    if result.transcript:
        yield from _last(result.transcript, 2 * lines)
    if result.stderr.strip():
        quoted = _quoted_end if result.transcript else _quoted
        yield from quoted("stderr", result.stderr, lines)
    if result.reproduce:
        yield [(ASIDE, f"  see it again: {safe(result.reproduce)}")]


def plain_failure(result: "Result", lines: int = LINES) -> str:
    """The lines of a failure, without styles."""
    return "\n".join("".join(text for _, text in line) for line in failure(result, lines))


def side_by_side(
    where: str, expected: str, printed: str, labels: tuple[str, str] = ("expected", "printed")
) -> "Iterator[Line]":
    """The smallest part that differs, expected above printed, the tokens marked that are not alike."""
    sides = TOKEN.findall(expected), TOKEN.findall(printed)
    for label, side, other, style in (
        (labels[0], sides[0], sides[1], RIGHT),
        (labels[1], sides[1], sides[0], WRONG_PART),
    ):
        yield [(PLAIN, f"    {label:9}"), *_marked(side, other, style)]


def _marked(tokens: list[str], other: list[str], style: str) -> "Line":
    """The tokens, those that the other side has not in a style of their own."""
    from difflib import SequenceMatcher

    found: Line = []
    at = 0
    for block in SequenceMatcher(None, tokens, other, autojunk=False).get_matching_blocks():
        differing, alike = tokens[at : block.a], tokens[block.a : block.a + block.size]
        found += [(kind, safe("".join(part))) for kind, part in ((style, differing), (PLAIN, alike)) if part]
        at = block.a + block.size
    return found


def _quoted(label: str, text: str, most: int) -> "Iterator[Line]":
    lines = text.strip("\n").split("\n")
    for line in lines[:most]:
        yield [(PLAIN, f"    {label} | {safe(cut(line, WIDE))}")]
    if len(lines) > most:
        yield [(PLAIN, f"    {label} | … {len(lines) - most} more lines")]


def _quoted_end(label: str, text: str, most: int) -> "Iterator[Line]":
    """The last lines: what a program that runs for long says when it fails."""
    lines = text.strip("\n").split("\n")
    if len(lines) > most:
        yield [(PLAIN, f"    {label} | … {len(lines) - most} earlier lines")]
    for line in lines[-most:]:
        yield [(PLAIN, f"    {label} | {safe(cut(line, WIDE))}")]


def _last(said: "Sequence[str]", most: int) -> "Iterator[Line]":
    """The last lines of a transcript: those that lead to the failure."""
    if len(said) > most:
        yield [(PLAIN, f"    … {len(said) - most} earlier lines, which a journal has in full")]
    for line in said[-most:]:
        yield [(PLAIN, f"    {safe_line(cut(line, WIDE))}")]


def why(causes: "Sequence[CauseText]") -> "Iterator[Line]":
    """Why cases fail: each cause with the smallest case and names of others, then what stands alone."""
    shared = [cause for cause in causes if not cause.alone]
    if not shared:
        return
    yield [(PLAIN, "why, as far as can be seen:")]
    for cause in shared:
        yield [(HEAD, f"  {safe(cause.head)}"), (PLAIN, f" ({cause.extent})")]
        yield from ([(PLAIN, f"    {safe_line(line)}")] for line in cause.lines)
        yield [(ASIDE, f"    the smallest: {safe(cause.names[0])}")]
        if len(cause.names) > 1:
            yield [(ASIDE, f"    also: {named([*map(shortened, cause.names[1:])])}")]
    alone = [shortened(name) for cause in causes if cause.alone for name in cause.names]
    if alone:
        yield [(PLAIN, f"  each for a reason of its own: {named(alone)}")]


def shortened(name: str) -> str:
    """The name of a case with the folder that it is in, and no more of its path."""
    return "/".join(name.split("/")[-2:])


def named(names: "Sequence[str]", most: int = MOST_NAMED) -> str:
    """These names in a line, or the first of them."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(map(safe, names[:most]))}{more}"


def total(summary: "Summary") -> str:
    """The one line that a run comes down to."""
    count = summary.counts[KNOWN]
    known = f", {count} known {'failure' if count == 1 else 'failures'}" if count else ""
    others = "".join(
        f", {summary.counts[verdict]} {verdict}"
        for verdict in (WITHHELD, NOT_SHOWN, MANNER)
        if summary.counts[verdict]
    )
    return f"{summary.counts[PASS]} passed, {summary.failures} failed{known}{others}"


def used_verdicts(summary: "Summary") -> list[str]:
    """The verdicts that a table of a run has columns for."""
    return [verdict for verdict in VERDICTS if verdict == PASS or summary.counts[verdict]]
