"""What fuzzing has found, told so that one can act on it: to people, or to tools."""

import shlex
import time

from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.text import parse
from harness.fixtures.executables import executable
from harness.fixtures.layout import readable
from harness.inputs.kinds import SITUATION
from harness.inputs.scene import scene_of
from harness.judging.compare import parse_values
from harness.judging.difference import about
from harness.judging.sentences import recorded, sentences
from harness.misreadings import LIBRARY
from harness.report import dialects
from harness.report.colours import BOLD, DIM, GREEN, RED, painted
from harness.report.words import safe
from harness.running.results import line_to_type
from harness.search import boundaries
from harness.search.cause_words import headline
from harness.text import printed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.search.findings import Difference, Group
    from harness.search.fuzz import Fuzz

    Found = dict[str, Any]

MOST_LINES = 12  # of what the rules make of a case, or of what a program printed
FIRST_LINES = 3  # of these, at the beginning; the others are the last ones
MOST_PRINTED = 4000  # characters of what a program printed


def told(fuzz: "Fuzz", group: "Group", expected: bytes, path: str, stem: "str | None") -> "Found":
    """All that there is to say about a group, as data. stem: where it was written, if it could be."""
    program = fuzz.program
    case = group.smallest
    scene = scene_of(program, case.value)
    chaff = LIBRARY.get(group.name)
    names = group.cause.names[1:] if group.cause else ()
    return {
        "misreading": group.name or None,
        "sentence": chaff.sentence if chaff else None,
        "rule": chaff.rule if chaff else None,
        "or": [{"misreading": name, "rule": LIBRARY[name].rule} for name in names],
        "cause": fuzz.habit or (group.cause and headline(group.cause)),
        "habit": bool(fuzz.habit),
        "features": list(group.cause.words) if group.cause else [],
        "verdict": case.verdict,
        "detail": case.detail,
        "program": path,
        "cases": group.count,
        "players": len(scene.seats) if scene.kind != SITUATION else None,
        "boards": len(scene.boards) + scene.new_boards,
        "input": case.value,
        "expected": parse(expected) if expected else None,
        "printed": printed_text(case.printed, MOST_PRINTED),
        "stderr": printed_text(case.stderr, MOST_PRINTED),
        **recorded(case.differences),
        "by_the_rules": _by_the_rules(program, case.value, about(case.differences)),
        **boundaries.recorded(group.ranges),
        "smallest": fuzz.is_smallest(case),
        "fixture": stem,
        "reproduce": stem and line_to_type(executable(path), f"{stem}-in.json"),
        "explain": stem and f"harness explain {shlex.quote(stem)}",
    }


def _by_the_rules(program: str, value: object, places: set[str]) -> list[str]:
    from harness.explain.programs import explain

    try:
        lines = explain(program, value).lines_about(places)
    except BadInput as problem:  # an illegal action
        return [str(problem)]
    if len(lines) <= MOST_LINES:
        return lines
    return [*lines[:FIRST_LINES], "…", *lines[FIRST_LINES - MOST_LINES :]]


# For tools


def as_json(fuzz: "Fuzz", found: "list[Found]", interrupted: bool) -> str:
    """Everything as one JSON object."""
    import json

    return json.dumps(
        {
            "program": fuzz.program,
            "cases": fuzz.compared,
            "traps": fuzz.trapped,
            "seconds": round(time.monotonic() - fuzz.started, 3),
            "seconds_to_first_finding": None if fuzz.first_finding is None else round(fuzz.first_finding, 3),
            "dialect": {**fuzz.dialect.to_table(), "answered": fuzz.dialect.answered},
            "interrupted": interrupted,
            "stopped": fuzz.stopped or None,
            "found": found,
        }
    )


# For people


def announced(fuzz: "Fuzz", difference: "Difference", path: str) -> str:
    """A line about a case as soon as it is found, before it is known what is behind it."""
    cases = f"{fuzz.compared:,} case{'' if fuzz.compared == 1 else 's'}"
    after = f"after {time.monotonic() - fuzz.started:.1f} s, {cases}"
    what = next(iter(sentences(difference.differences[:1])), difference.detail)
    return safe(f"{after}: {path}: {difference.verdict}{f': {what}' if what else ''}")


class _Page:
    """Lines, painted or not."""

    def __init__(self, coloured: bool) -> None:
        self._coloured = coloured
        self.lines: list[str] = []

    def add(self, text: str, indent: int = 0, *codes: str) -> None:
        for line in text.rstrip("\n").split("\n"):
            self.lines.append(painted(self._coloured, " " * indent + safe(line), *codes))


def as_text(
    fuzz: "Fuzz", found: "list[Found]", interrupted: bool, coloured: bool = False, isolation: str = ""
) -> str:
    """Everything for readers, the sum of it last. isolation: how the program was shut in, if it was."""
    page = _Page(coloured)
    for number, one in enumerate(found, 1):
        _tell(page, number, one)
        page.add("")
    page.add(f"dialect: {dialects.line({fuzz.program: fuzz.dialect})}")
    if not fuzz.dialect.answered:
        page.add(dialects.silent_line({fuzz.program: fuzz.dialect}))
    if fuzz.stopped:
        page.add(fuzz.stopped)
    if isolation:
        page.add(isolation)
    if interrupted:
        page.add("interrupted; this is what was found so far", 0, BOLD)
    if fuzz.alike:
        page.add(f"in {fuzz.alike:,} cases both programs differ from the rules in the same way")
    cases = f"{fuzz.compared:,} cases ({fuzz.trapped:,} traps), {time.monotonic() - fuzz.started:.0f} s"
    kinds = f"{len(found)} kind{'' if len(found) == 1 else 's'} of difference" if found else "no difference"
    page.add(f"{kinds} in {cases}", 0, RED if found else GREEN)
    return "\n".join(page.lines)


def _tell(page: _Page, number: int, one: "Found") -> None:
    page.add(f"{number}. {_headline(one)}", 0, BOLD)
    if one["misreading"]:
        page.add(f"{one['sentence']} (rules {one['rule']})", 3)
    for other in one["or"]:
        name = other["misreading"].replace("-", " ")
        page.add(f"or like *{name}* (rules {other['rule']}): no case that was asked tells them apart", 3)
    page.add(_counted(one), 3)
    page.add(readable(one["input"]), 5)
    page.add("the right answer:", 3)
    page.add("nothing" if one["expected"] is None else readable(one["expected"]), 5, GREEN)
    page.add("the answer of the program:", 3)
    page.add(_shortened(_printed(one["printed"])), 5, RED)
    if one["stderr"].strip():
        page.add("it said on standard error:", 3)
        page.add(_shortened(one["stderr"]), 5)
    for line in one["differences"]:
        page.add(line, 3)
    page.add("by the rules:", 3)
    for line in one["by_the_rules"]:
        page.add(line, 5, DIM)
    for line in boundaries.lines(one):
        page.add(line, 3)
    for note in _notes(one):
        page.add(note, 3)
    if one["fixture"]:
        page.add(f"see it again: {one['reproduce']}", 3)
        page.add(f"the whole story: {one['explain']}", 3)


def _counted(one: "Found") -> str:
    """How many cases there are, and what they say of a name."""
    if one["misreading"]:
        speak = "1 case speaks" if one["cases"] == 1 else f"{one['cases']:,} cases speak"
        return f"{speak} for it, and none against it; the smallest:"
    return f"{one['cases']:,} cases like this; the smallest:" if one["cases"] > 1 else "the case:"


def _headline(one: "Found") -> str:
    who = one["program"]
    if one["misreading"]:
        perhaps = "perhaps " if one["cases"] == 1 else ""
        return f"{who} {perhaps}answers like *{one['misreading'].replace('-', ' ')}*"
    if one["features"] or one["habit"]:
        return f"{who} {one['cause']}"
    detail = f" ({one['detail']})" if one["detail"] else ""
    if one["verdict"] == "wrong answer":
        return f"{who} gives a wrong answer{detail}, and no known misreading explains it"
    return f"{who}: {one['verdict']}{detail}"


def _printed(text: str) -> str:
    """What a program printed, laid out if it is JSON."""
    if not text.strip():
        return "nothing"
    try:
        return "".join(map(readable, parse_values(text.encode())))
    except NotJSON:
        return text


def _shortened(text: str) -> str:
    lines = text.rstrip("\n").split("\n")
    more = len(lines) - 3 * MOST_LINES
    return "\n".join(lines if more <= 1 else [*lines[: 3 * MOST_LINES], f"… {more} more lines"])


def _notes(one: "Found") -> list[str]:
    notes = []
    if not one["smallest"]:
        notes.append("it could be made smaller still, but the program takes too long to answer")
    if one.get("shows_again") is False:
        notes.append("started for this case alone, the program is right: it depends on what came before")
    return notes
