"""A team's results as Classroom 50 and PrairieLearn read them, from what the team may be told.

The schemas of what is written are docs/classroom50.schema.json and docs/prairielearn.schema.json.
"""

import os
from datetime import UTC, datetime
from math import floor

import orjson

from harness.files import replace_file
from harness.grading import gradescope
from harness.grading.feedback import picture_of, write_feedback
from harness.grading.score import points
from harness.grading.tables import build_output
from harness.judging.verdicts import PASS, WITHHELD
from harness.report.words import safe, safe_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from harness.grading.audience import TeamReport

    Written = dict[str, Any]

SUBMIT = "submit/"  # what the names of submissions begin with in Classroom 50
RELEASE_BODY = "release-body.md"
# Variables of Classroom 50's runner, by the keys that they are the values of.
GIVEN = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}
MOST_BYTES = 1_000_000  # of a results.json of PrairieLearn
MOST_IMAGES = 20


# Points that have to be integers


def rounded(value: float) -> int:
    """The nearest integer; a half counts for the team, also one that was lost in computing."""
    return floor(value + 0.5 + 1e-9)


def apportioned(values: "Sequence[float]", total: int, most: "Sequence[int] | None" = None) -> list[int]:
    """The values as integers whose sum is the total, by largest remainders; above most only if need be."""
    whole = [floor(value + 1e-9) for value in values]
    by_remainder = sorted(range(len(values)), key=lambda at: whole[at] - values[at])
    while values and sum(whole) < total:
        free = [at for at in by_remainder if most is None or whole[at] < most[at]] or by_remainder
        for at in free[: total - sum(whole)]:
            whole[at] += 1
    return whole


# Classroom 50


def write_classroom50(path: str, report: "TeamReport", given: "Mapping[str, str] | None" = None) -> None:
    """Write result.json, and beside it what the student reads; given: the runner's environment."""
    write_feedback(os.path.join(os.path.dirname(path), RELEASE_BODY), report)
    _write(path, classroom50(report, os.environ if given is None else given))


def classroom50(report: "TeamReport", given: "Mapping[str, str]") -> "Written":
    """The results of a team by the schema classroom50/result/v1: a test for each suite, in whole points."""
    parts, mark = report.parts, report.mark
    most, score = rounded(mark.most), rounded(mark.total)
    mosts = apportioned([part.most for part in parts], most)
    scores = apportioned([mark.factor * part.points for part in parts], score, mosts)
    told = {key: safe(given.get(variable, "")) for key, variable in GIVEN.items()}
    tag = safe(given.get("SUBMISSION_TAG") or "unknown")
    return {
        "schema": "classroom50/result/v1",
        **told,
        "submission": tag if tag.startswith(SUBMIT) else f"{SUBMIT}{tag}",
        "datetime": datetime.now(UTC).isoformat(timespec="seconds"),
        "score": score,
        "max-score": most,
        "tests": [
            {
                "test-name": part.name,
                "passed": part.points >= part.most and not report.problem,
                "score": got,
                "max-score": of,
                "points": round(part.points, 4),
                "max-points": round(part.most, 4),
                **({"passed-cases": part.passed, "cases": part.of} if part.of else {}),
            }
            for part, got, of in zip(parts, scores, mosts, strict=True)
        ],
    }


# PrairieLearn


def write_prairielearn(path: str, report: "TeamReport") -> None:
    """Write results.json."""
    _write(path, within(prairielearn(report), MOST_BYTES, lambda: [*_part_tests(report)]))


def prairielearn(report: "TeamReport") -> "Written":
    """The results of a team; one that could not be built costs no attempt."""
    mark = report.mark
    told = gradescope.results(report)
    share = mark.total / mark.most if mark.most else 0.0
    whole = {
        "gradable": not report.problem,
        "score": round(min(1.0, max(0.0, share)), 6),
        "message": f"{points(mark.total)} of {points(mark.most)} points",
        "output": told["output"],
        "images": [*_images(report)],
        "tests": [_test(one) for one in told["tests"]],
    }
    if report.problem:
        whole["format_errors"] = [safe_lines(f"{report.problem}\n{build_output(report)}".strip())]
    return whole


def _test(told: "Written") -> "Written":
    """A test of Gradescope as one of PrairieLearn."""
    message = "" if told["status"] == "passed" else told["output"].partition("\n")[0]
    return {
        "name": told["name"],
        "description": ", ".join(told["tags"]),
        "points": told["score"],
        "max_points": told["max_score"],
        "message": message,
        "output": told["output"],
    }


def _part_tests(report: "TeamReport") -> "Iterator[Written]":
    """The points of suites, where there is no room for those of cases."""
    for part in report.parts:
        given, most = round(part.points, 4), round(part.most, 4)
        yield {"name": part.name, "points": given, "max_points": most}


def _images(report: "TeamReport") -> "Iterator[Written]":
    """Pictures of wrong tables, in which is marked what differs, of the first cases that have one."""
    from base64 import b64encode

    left = MOST_IMAGES
    for (_, case), result in zip(report.audience.cases, report.results, strict=False):
        picture = picture_of(case, result) if result.verdict not in (PASS, WITHHELD) and left else None
        if picture:
            left -= 1
            url = f"data:image/svg+xml;base64,{b64encode(picture.svg.encode()).decode()}"
            yield {"label": f"{result.suite}: {case.name}", "url": url}


def within(whole: "Written", most: int, fewer: "Callable[[], list[Written]]") -> "Written":
    """The results in so many bytes: without pictures, then texts, then cases, but with every mark."""
    whole = {**whole, "images": list(whole["images"]), "tests": [dict(test) for test in whole["tests"]]}
    while len(_data(whole)) > most and whole["images"]:
        over = len(_data(whole)) - most
        while over > 0 and whole["images"]:
            over -= len(whole["images"].pop()["url"])
    for key in ("output", "message", "description"):
        over = len(_data(whole)) - most
        for test in reversed(whole["tests"]):
            if over <= 0:
                break
            over -= len(orjson.dumps(test.pop(key, "")))
    if len(_data(whole)) > most:
        whole["tests"] = fewer()
    for key in ("format_errors", "output"):
        if len(_data(whole)) > most and key in whole:
            whole[key] = ["the build failed"] if key == "format_errors" else ""
    return whole


def _data(value: "Written") -> bytes:
    return orjson.dumps(value, option=orjson.OPT_INDENT_2) + b"\n"


def _write(path: str, value: "Written") -> None:
    replace_file(path, _data(value))
