"""What a team is told: a page of Markdown, made of what the team may be told and of nothing else."""

import re
from functools import lru_cache

import orjson

from harness.fixtures.layout import compact
from harness.grading.dialects import told_to_team
from harness.grading.score import OWN_TESTS, points
from harness.grading.tables import build_output, told_in_a_line
from harness.judging.verdicts import (
    CONSTANT,
    FINE,
    LIMITED,
    MANNER,
    NO_START,
    NOT_SHOWN,
)
from harness.report.words import safe_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evolution.picture import Picture
    from harness.grading.audience import TeamReport
    from harness.grading.build import TestsScore
    from harness.grading.score import Part
    from harness.grading.suites import GradedCase
    from harness.judging.result import Result

MOST_TOLD = 12  # failed cases that are told in full, besides those of causes
MOST_NAMED = 100  # and that are named
MOST_TEXT = 1500  # characters of a value
MOST_OUTPUT = 3000  # characters of what a build printed
MOST_WRONG = 20  # of their own cases
MOST_LINES = 8  # of a value that is laid out; a longer one is written in one line
MOST_SAID = 12  # lines of what was said
MOST_PICTURE = 40  # lines of a table in text
MOST_FILES = 2000  # that are kept in mind: every team is told of the same ones


def write_feedback(path: str, report: "TeamReport", teams: int = 0) -> None:
    """Write the page of a team; its place among so many teams is told to staff only."""
    text = "\n\n".join(_paragraphs(report, teams)) + "\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def plain(text: str) -> str:
    """The text as it is in Markdown, on one line."""
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", safe_lines(text).replace("\n", " "))


def fenced(text: str, most: int = MOST_TEXT) -> str:
    """The text as a block that nothing in it can end."""
    text = safe_lines(text.strip("\n"))
    shown = text if len(text) <= most else f"{text[:most]}\n…"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{shown}\n{fence}"


def _paragraphs(report: "TeamReport", teams: int) -> "Iterator[str]":
    mark, parts = report.mark, report.parts
    yield f"# {plain(report.name)}"
    late = f" (multiplied by {points(mark.factor)})" if mark.factor != 1 else ""
    place = f", place {mark.rank} of {teams}" if teams else ""
    note = f" {plain(mark.note)}" if mark.note else ""
    yield f"**{points(mark.total)} of {points(mark.most)} points**{late}{place}.{note}"
    yield "\n".join(["| | passed | points |", "|---|---|---|", *(_row(part) for part in parts)])
    terms = [f"- {plain(part.name)}: {part.terms}" for part in parts if part.terms]
    if terms:
        yield "\n".join(terms)
    dialects = told_to_team(report.dialects, report.results)
    if dialects:
        yield plain(" ".join(dialects))
    if any(result.verdict in LIMITED for result in report.results):
        told = report.audience.session.limits_told
        yield f"{told[:1].upper()}{told[1:]}."
    if report.problem:
        yield f"## The build\n\nNothing could be run: {plain(report.problem)}."
        output = build_output(report)
        if output.strip():
            yield "It printed:\n\n" + fenced(output[-MOST_OUTPUT:], MOST_OUTPUT)
    yield from _suites(report)
    if report.tests:
        yield from _own_tests(report.tests)
    yield from report.extra


def _row(part: "Part") -> str:
    passed = f"{part.passed} of {part.of}" if part.of else ""
    return f"| {plain(part.name)} | {passed} | {points(part.points)} of {points(part.most)} |"


def _told(report: "TeamReport") -> "Iterator[tuple[GradedCase, Result]]":
    """The cases that the team may be told of, in their order; none if it could not be built."""
    return ((case, result) for (_, case), result in zip(report.audience.cases, report.results, strict=False))


def _suites(report: "TeamReport") -> "Iterator[str]":
    """What failed: first why, with the smallest case of each cause, then the rest."""
    yield from _not_started(report)
    failed = {
        at: (case, result)
        for at, (case, result) in enumerate(_told(report))
        if result.verdict not in FINE | {NOT_SHOWN} and result.ran
    }
    yield from _scenarios(report)
    if not failed:
        return
    yield f"## Why {'a case fails' if len(failed) == 1 else f'{len(failed)} cases fail'}"
    for cause in (one for one in report.causes if not one.alone):
        yield f"### {_sentence(cause.head)} ({cause.extent})"
        if cause.lines:
            yield "\n".join(f"- {plain(line)}" for line in cause.lines)
        yield f"The smallest is {plain(cause.names[0])}: {plain(told_in_a_line(failed[cause.cases[0]][1]))}."
        yield from _case(*failed[cause.cases[0]])
        if len(cause.names) > 1:
            yield f"So {'does' if len(cause.names) == 2 else 'do'}: {_named([*map(plain, cause.names[1:])])}."
    yield from _alone(report, failed)


def _scenarios(report: "TeamReport") -> "Iterator[str]":
    """Of servers and clients, what differs in manner only, and what was not shown, by the reason."""
    told = list(_told(report))
    manner = [f"- {plain(case.name)}: {plain(one.detail)}" for case, one in told if one.verdict == MANNER]
    if manner:
        yield "\n".join(["## Manner, which costs no points", "", *manner])
    unseen = [(case, result) for case, result in told if result.verdict == NOT_SHOWN]
    reasons = dict.fromkeys(result.detail for _, result in unseen)
    names = {why: [plain(case.name) for case, result in unseen if result.detail == why] for why in reasons}
    if unseen:
        lines = (f"- {plain(why)}{': ' * bool(why)}{_named(names[why])}" for why in reasons)
        yield "\n".join(["## Not shown, which is no pass", "", *lines])


def _sentence(head: str) -> str:
    return f"{head[:1].upper()}{plain(head[1:])}" if "*" not in head else f"{head[:1].upper()}{head[1:]}"


def _alone(report: "TeamReport", failed: "dict[int, tuple[GradedCase, Result]]") -> "Iterator[str]":
    """Failures that have nothing in common with others: some in full, the others by their names."""
    grouped = {at for cause in report.causes if not cause.alone for at in cause.cases}
    single = [(case, result) for at, (case, result) in failed.items() if at not in grouped]
    if not single:
        return
    if grouped:
        yield "### Each for a reason of its own"
    suites = report.audience.session.suites.suites
    for case, result in single[:MOST_TOLD]:
        name = f"{suites[case.suite].name}/{case.name}"
        yield f"{'####' if grouped else '###'} {plain(name)}: {plain(told_in_a_line(result))}"
        yield from _case(case, result)
    rest = [plain(f"{suites[case.suite].name}/{case.name}") for case, _ in single[MOST_TOLD:]]
    if rest:
        yield f"Also failed: {_named(rest)}."


def _not_started(report: "TeamReport") -> "Iterator[str]":
    """The cases whose programs could not be started, by suite."""
    suites = report.audience.session.suites.suites
    missing = [(case, result) for case, result in _told(report) if not result.ran]
    for suite in report.audience.suites:
        own = [(case, result) for case, result in missing if suites[case.suite] is suite]
        for told in dict.fromkeys(told_in_a_line(result) for _, result in own):
            names = [plain(case.name) for case, result in own if told_in_a_line(result) == told]
            which = "All of them" if len(names) == suite.size else _named(names)
            yield f"## {plain(suite.name)}: {len(names)} of {suite.size} not run\n\n{which}: {plain(told)}."


def _named(names: list[str]) -> str:
    more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
    return f"{', '.join(names[:MOST_NAMED])}{more}"


def _case(case: "GradedCase", result: "Result") -> "Iterator[str]":
    """What differs in a case, what went in and what came out."""
    if result.differences:
        yield "\n".join(f"- {plain(line)}" for line in result.differences)
    picture = picture_of(case, result)
    text = picture.text() if picture else ""
    if text and text.count("\n") < MOST_PICTURE:
        yield f"What it printed, as a picture, with the expected value before ≠:\n\n{fenced(text)}"
    for words, text in what_happened(case, result):
        yield f"{words}\n\n{fenced(_in_few_lines(text))}" if text else words


def picture_of(case: "GradedCase", result: "Result") -> "Picture | None":
    """A wrong table, in which is marked what differs from the right one; None if it is none."""
    if not (result.differences and case.case.expected) or result.twin:
        return None
    from evolution.picture import draw
    from evolution.picture.values import answer_scene
    from evolution.wire.errors import BadInput
    from evolution.wire.text import parse

    texts = result.sent or read_text(case.case.input), read_text(case.case.expected), result.stdout
    try:
        given, expected, printed = (parse(text.encode()) for text in texts)
        right, wrong = answer_scene(given, expected), answer_scene(given, printed)
    except BadInput:
        return None
    return None if right is None or wrong is None else draw(wrong, unlike=right)


def _in_few_lines(text: str) -> str:
    """The text, or if it is JSON that takes many lines, all of it in one."""
    if text.count("\n") < MOST_LINES:
        return text
    try:
        return compact(orjson.loads(text))
    except (orjson.JSONDecodeError, TypeError, ValueError):
        return text


def what_happened(case: "GradedCase", result: "Result") -> "Iterator[tuple[str, str]]":
    """What a program did with a case, as a sentence: its parts, and the text that follows each, or none."""
    if case.tested:
        yield from _what_was_said(case, result)
    if not result.ran or result.verdict == NO_START:
        return
    if not case.case.input:  # it may not be told
        return
    yield f"{case.program} was given", result.sent or read_text(case.case.input)
    right = "and answered it rightly"
    if case.case.expected:
        expected, right = read_text(case.case.expected), "which it did"
        yield ("and should print", expected) if expected.strip() else ("and should print nothing,", "")
    if result.verdict == CONSTANT:
        yield f"{right}, but it does so for every case.", ""
        return
    if result.twin:
        yield f"{right}. But it was also given this twin of the case,", result.twin
    printed, errors = result.stdout, result.stderr
    said = errors if errors.strip() else ""
    status = f" (exit status {result.exit})" if (result.exit or 0) > 0 else ""
    but = "and" if result.twin or not case.case.expected else "but"
    if printed.strip():
        yield f"{but} printed{status}", printed
        if said:
            yield "and on standard error", said
    else:
        yield (f"{but} printed nothing{status}{', and on standard error' if said else '.'}", said)


def _what_was_said(case: "GradedCase", result: "Result") -> "Iterator[tuple[str, str]]":
    """What was said in a game up to a failure, and what the program wrote."""
    said = "\n".join(result.transcript[-MOST_SAID:])
    wrote = {
        "What was said up to then": said,
        "Standard output": result.stdout,
        "Standard error": result.stderr,
    }
    yield from ((f"{words}:", text) for words, text in wrote.items() if text.strip())


@lru_cache(MOST_FILES)
def read_text(path: str, most: int = 4 * MOST_TEXT) -> str:
    """The beginning of a file."""
    try:
        with open(path, "rb") as file:
            return file.read(most).decode(errors="backslashreplace")
    except OSError:
        return ""


def _own_tests(tests: "TestsScore") -> "Iterator[str]":
    yield f"## {OWN_TESTS.capitalize()}"
    if not tests.of:
        yield "Your tests could not be looked at: that took too long, or too much memory."
        return
    right = f"{tests.right} right {'case, which catches' if tests.right == 1 else 'cases, which catch'}"
    redundant = tests.redundant
    catch = "catches" if redundant == 1 else "catch"
    idle = f"; {redundant} of them {catch} nothing that smaller ones do not catch" if redundant else ""
    yield f"{right} {tests.caught} of {tests.of} misreadings of the rules{idle}."
    wrong = tests.wrong
    if wrong:
        lines = [f"- {plain(name)}: {plain('; '.join(why))}" for name, why in wrong[:MOST_WRONG]]
        more = [f"- and {len(wrong) - MOST_WRONG} more"] if len(wrong) > MOST_WRONG else []
        count = (
            "1 case does not count, because it is"
            if len(wrong) == 1
            else (f"{len(wrong)} cases do not count, because they are")
        )
        yield "\n".join([f"{count} wrong:", "", *lines, *more])
