"""A team's results as Gradescope reads them (results.json of its autograder).

The schema of what is written here is docs/gradescope.schema.json.
"""

import orjson

from harness.grading.feedback import MOST_TOLD, what_happened
from harness.grading.score import OWN_TESTS, points
from harness.grading.tables import build_output, told_in_a_line
from harness.judging.verdicts import PASS, WITHHELD
from harness.report.words import safe_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.grading.audience import Audience, TeamReport
    from harness.grading.suites import GradedCase
    from harness.judging.result import Result

VISIBLE, HIDDEN = "visible", "hidden"
MOST_OUTPUT = 4000
MOST_TEXT = 800  # characters of an input, of an output


def write_gradescope(path: str, report: "TeamReport", audience: "Audience") -> None:
    """Write the results of a team."""
    with open(path, "wb") as file:
        file.write(orjson.dumps(results(report, audience), option=orjson.OPT_INDENT_2) + b"\n")


def results(report: "TeamReport", audience: "Audience") -> "dict[str, Any]":
    """The results of a team. The score counts; those of the tests say where it comes from."""
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
        "extra_data": {"team": report.name, **({} if audience.students else {"rank": mark.rank})},
        "tests": list(_tests(report, audience)),
        "leaderboard": [
            {"name": "points", "value": round(mark.total, 2), "order": "desc"},
            *(
                {"name": part.name, "value": round(part.points, 2), "order": "desc"}
                for part in report.parts
                if not part.hidden
            ),
        ],
    }


def _why(report: "TeamReport") -> "Iterator[str]":
    """Why cases fail that the team may know."""
    for cause in report.open_causes:
        if not cause.alone:
            told = "; ".join([*cause.lines, f"the smallest: {cause.names[0]}"])
            yield safe_lines(f"- {cause.head} ({cause.extent}): {told}")


def _tests(report: "TeamReport", audience: "Audience") -> "Iterator[dict[str, Any]]":
    if report.problem:
        output = f"{report.problem}\n{build_output(report)}"
        yield _test("compile", 0.0, 0.0, False, output, VISIBLE, ["compile"])
    causes = {place: cause.head for cause in report.open_causes if not cause.alone for place in cause.cases}
    at = 0
    for suite in audience.suites:
        visibility = HIDDEN if suite.hidden else VISIBLE
        cases = [case for _, case in audience.cases[at : at + suite.size]]
        results = report.results[at : at + suite.size]
        if not results:
            yield _test(suite.name, 0.0, suite.points, False, "not run", visibility, [suite.name])
            at += suite.size
            continue
        asked = [result.verdict != WITHHELD for result in results]
        worth = suite.points / max(1, sum(case.counts for case, one in zip(cases, asked, strict=True) if one))
        in_full = 0 if suite.hidden else MOST_TOLD
        for place, (case, result) in enumerate(zip(cases, results, strict=True), at):
            if result.verdict == WITHHELD:
                continue
            passed = result.verdict == PASS
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
        at += suite.size
    names = [suite.name for suite in audience.suites]
    for part in (part for part in report.parts if part.name not in names):
        output = f"{part.passed} of {part.of} misreadings caught" if part.name == OWN_TESTS else ""
        right = part.points >= part.most
        yield _test(part.name, part.points, part.most, right, output, VISIBLE, [part.name])


def _output(case: "GradedCase", result: "Result", in_full: bool, cause: str) -> str:
    """What a failed test is shown with: its cause, the failure in words, and in full what went in and out."""
    told = [*([f"it {cause}"] if cause else []), told_in_a_line(result), *result.differences]
    for words, text in what_happened(case, result) if in_full else ():
        shown = text.strip("\n")
        told += [
            "",
            words,
            *([shown if len(shown) <= MOST_TEXT else f"{shown[:MOST_TEXT]}…"] if shown else []),
        ]
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
