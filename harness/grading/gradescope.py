"""A team's results as Gradescope reads them (results.json of its autograder).

The schema of what is written here is docs/gradescope.schema.json.
"""

import orjson

from harness.files import replace_file
from harness.grading.feedback import MOST_TOLD, what_happened
from harness.grading.ledger import UNKNOWN
from harness.grading.score import OWN_TESTS, points
from harness.grading.tables import build_output, told_in_a_line
from harness.judging.verdicts import GIVES_POINTS, WITHHELD
from harness.report.words import safe_lines
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.grading.audience import TeamReport
    from harness.grading.session import Session
    from harness.grading.suites import GradedCase, Suite
    from harness.judging.result import Result

VISIBLE, HIDDEN = "visible", "hidden"
MOST_OUTPUT = 4000
MOST_TEXT = 800  # characters of an input, of an output


def write_gradescope(path: str, report: "TeamReport", full: "TeamReport | None" = None) -> None:
    """Write the results of a team, over what was known of them while programs ran."""
    _write(path, results(report, full))


def results(report: "TeamReport", full: "TeamReport | None" = None) -> "dict[str, Any]":
    """The results of a team, from what the team may be told. The score counts; those of the tests say why.

    full: what staff are told, who see what is hidden: then cases of hidden suites are tests, too.
    """
    mark = report.mark
    late = f", multiplied by {points(mark.factor)}" if mark.factor != 1 else ""
    terms = [f"{part.name}: {part.terms}" for part in report.parts if part.terms and not part.hidden]
    note = "".join(f"\n{line}" for line in (mark.note, *terms, *_why(report)) if line)
    return {
        "score": round(mark.total, 2),
        "execution_time": int(sum(result.seconds or 0.0 for result in report.results) + 0.5),
        "output": f"{points(mark.total)} of {points(mark.most)} points{late}{note}",
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": VISIBLE,
        "stdout_visibility": HIDDEN,
        "extra_data": {"team": report.name, **({"rank": mark.rank} if full else {})},
        "tests": [*_tests(report, VISIBLE, bool(full)), *(_tests(full, HIDDEN) if full else ())],
        "leaderboard": [
            {"name": "points", "value": round(mark.total, 2), "order": "desc"},
            *(
                {"name": part.name, "value": round(part.points, 2), "order": "desc"}
                for part in report.parts
                if not part.hidden
            ),
        ],
    }


def write_partial(path: str, session: "Session") -> None:
    """Write what a team has so far, by suite, in case that the grading is ended before it is complete."""
    from harness.grading.audience import Audience
    from harness.grading.places import STUDENTS
    from harness.grading.score import mark_all

    (standing,) = session.standings
    team, ledger = standing.team, standing.ledger
    (mark,) = mark_all(session.config, [team], session.suites, {team.name: ledger}, session.tests)
    audience = Audience(session, STUDENTS)
    parts = audience.parts(mark)
    known = sum(UNKNOWN not in ledger.of(index) for index, _ in audience.cases)
    told = {
        "score": round(mark.total, 2),
        "output": f"The grading has not ended: {known} of {len(audience.cases)} open cases have been run.",
        "visibility": VISIBLE,
        "stdout_visibility": HIDDEN,
        "tests": [
            _test(part.name, part.points, part.most, part.points >= part.most, "", VISIBLE, [part.name])
            for part in parts
        ],
    }
    _write(path, told)


def _write(path: str, value: "dict[str, Any]") -> None:
    replace_file(path, orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n")


def _why(report: "TeamReport") -> "Iterator[str]":
    """Why cases fail that the team may know."""
    for cause in report.causes:
        if not cause.alone:
            told = "; ".join([*cause.lines, f"the smallest: {cause.names[0]}"])
            yield safe_lines(f"- {cause.head} ({cause.extent}): {told}")


def _tests(report: "TeamReport", visibility: str, with_hidden: bool = False) -> "Iterator[dict[str, Any]]":
    """The cases of open suites, or of hidden ones, and what else gives points."""
    is_open = visibility == VISIBLE
    if report.problem and is_open:
        output = f"{report.problem}\n{build_output(report)}"
        yield _test("compile", 0.0, 0.0, False, output, VISIBLE, ["compile"])
    causes = {place: cause.head for cause in report.causes if not cause.alone for place in cause.cases}
    at = 0
    for suite in report.audience.suites:
        if suite.hidden != is_open:
            yield from _suite(report, suite, at, causes if is_open else {}, visibility)
        at += suite.size
    names = {suite.name for suite in report.audience.suites}
    for part in report.parts if is_open else ():
        if part.name in names or (with_hidden and part.hidden):
            continue
        output = f"{part.passed} of {part.of} misreadings caught" if part.name == OWN_TESTS else ""
        right = part.points >= part.most
        yield _test(part.name, part.points, part.most, right, output, VISIBLE, [part.name])


def _suite(
    report: "TeamReport", suite: "Suite", at: int, causes: dict[int, str], visibility: str
) -> "Iterator[dict[str, Any]]":
    """The cases of a suite, which begin at a place among all; causes: why those at some places fail."""
    cases = [case for _, case in report.audience.cases[at : at + suite.size]]
    results = report.results[at : at + suite.size]
    if not results:
        yield _test(suite.name, 0.0, suite.points, False, "not run", visibility, [suite.name])
        return
    asked = [result.verdict != WITHHELD for result in results]
    worth = suite.points / max(1, sum(case.counts for case, one in zip(cases, asked, strict=True) if one))
    in_full = MOST_TOLD if visibility == VISIBLE else 0
    for place, (case, result) in enumerate(zip(cases, results, strict=True), at):
        if result.verdict == WITHHELD:
            continue
        passed = result.verdict in GIVES_POINTS
        most = worth if case.counts else 0.0
        output = "" if passed else _output(case, result, in_full > 0, causes.get(place, ""))
        in_full -= not passed
        yield _test(
            f"{suite.name}: {case.name}",
            most if passed else 0.0,
            most,
            passed,
            output,
            visibility,
            list(dict.fromkeys([suite.name, case.program])),
        )


def _output(case: "GradedCase", result: "Result", in_full: bool, cause: str) -> str:
    """What a failed test is shown with: its cause, the failure in words, and in full what went in and out."""
    told = [*([f"it {cause}"] if cause else []), told_in_a_line(result), *result.differences]
    for words, text in what_happened(case, result) if in_full else ():
        shown = text.strip("\n")
        told += ["", words, *([cut(shown, MOST_TEXT)] if shown else [])]
    return "\n".join(told)


def _test(
    name: str, score: float, most: float, passed: bool, output: str, visibility: str, tags: list[str]
) -> "dict[str, Any]":
    return {
        "name": name,
        "name_format": "text",
        "score": round(score, 4),
        "max_score": round(most, 4),
        "status": "passed" if passed else "failed",
        "output": safe_lines(output[:MOST_OUTPUT]),
        "output_format": "text",
        "tags": tags,
        "visibility": visibility,
    }
