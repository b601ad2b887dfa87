"""Everything that a run of grading writes, in one pass over the teams."""

import os
from dataclasses import astuple

import orjson

from harness import __version__
from harness.grading.audience import Audience, TeamReport
from harness.grading.feedback import write_feedback
from harness.grading.gradescope import write_gradescope
from harness.grading.page import Page
from harness.grading.score import Mark, ranked
from harness.grading.store import key_of, version_key
from harness.grading.tables import failed_build, write_junit, write_scores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.judge import Record

ABOUT = "grading.json"
FOLDERS = ("feedback", "gradescope", "junit")


def write_all(
    session: "Session", marks: list[Mark], who: str, notes: list[str], extra: "dict[str, list[str]]"
) -> None:
    """Write every report of all teams whose marks these are, into the folder of the session.

    What is written is complete before it takes the place of what was there; what is there already, because
    nothing has changed, is not written again. extra: paragraphs for the pages of feedback, by team.
    """
    out = session.out
    fingerprint = _fingerprint(session, marks, who, notes, extra)
    if _is_there(out, fingerprint, marks):
        return
    audience = Audience(session, who)
    for folder in FOLDERS:
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    by_name = {standing.team.name: standing for standing in session.standings}
    best_first = ranked(marks)
    write_scores(_new(out, "scores.csv"), best_first, audience)
    with open(_new(out, "results.jsonl"), "wb") as results, open(_new(out, "report.html"), "wb") as file:
        page = Page(file, audience, best_first, notes)
        for number, mark in enumerate(best_first):
            report = _report(session, audience, number, mark, by_name[mark.team.name], extra)
            _write_results(results, report)
            page.add(report)
            write_feedback(os.path.join(out, "feedback"), report, audience, len(marks))
            write_gradescope(os.path.join(out, "gradescope"), report, audience)
            write_junit(os.path.join(out, "junit"), report, audience)
        page.close()
    for name in ("scores.csv", "results.jsonl", "report.html"):
        os.replace(_new(out, name), os.path.join(out, name))
    _remove_old(out, {mark.team.slug for mark in marks})
    with open(os.path.join(out, ABOUT), "wb") as file:
        told = {**about(session, marks, who), "fingerprint": fingerprint}
        file.write(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")


def _fingerprint(
    session: "Session", marks: list[Mark], who: str, notes: list[str], extra: "dict[str, list[str]]"
) -> str:
    """A hash of everything that the reports are made of."""
    from hashlib import blake2b

    standings = blake2b(digest_size=16)
    for standing in session.standings:
        standings.update(standing.key.encode() + standing.ledger.codes + standing.ledger.seconds.tobytes())
    return key_of(
        version_key(),
        who,
        notes,
        extra,
        session.config.title,
        session.config.team_budget,
        standings.hexdigest(),
        [[mark.team.name, mark.team.slug, mark.rank, mark.total, mark.factor, mark.note] for mark in marks],
        [[mark.team.home, mark.team.problem, [[*astuple(part)] for part in mark.parts]] for mark in marks],
        [[suite.name, suite.points, suite.hidden] for suite in session.suites.suites],
        [[case.suite, case.name, case.key, case.case.name, case.counts] for case in session.suites.cases],
        session.builds,
        session.tests,
    )


def _is_there(out: str, fingerprint: str, marks: list[Mark]) -> bool:
    """Whether all reports of what has this fingerprint have been written, and are still there."""
    try:
        with open(os.path.join(out, ABOUT), "rb") as file:
            if orjson.loads(file.read()).get("fingerprint") != fingerprint:
                return False
    except (OSError, orjson.JSONDecodeError, AttributeError):
        return False
    files = ["scores.csv", "results.jsonl", "report.html"]
    files += [
        os.path.join(folder, f"{mark.team.slug}.{ending}")
        for mark in marks
        for folder, ending in zip(FOLDERS, ("md", "json", "xml"), strict=True)
    ]
    return all(os.path.isfile(os.path.join(out, name)) for name in files)


def _new(out: str, name: str) -> str:
    return os.path.join(out, f".new-{name}")


def _report(
    session: "Session",
    audience: Audience,
    number: int,
    mark: Mark,
    standing: "Standing",
    extra: "dict[str, list[str]]",
) -> TeamReport:
    name = mark.team.name
    return TeamReport(
        number,
        mark,
        audience.parts(mark),
        standing.ledger,
        audience.records(standing),
        session.builds.get(name),
        session.tests.get(name),
        extra.get(name, []),
    )


def _write_results(file: "Any", report: TeamReport) -> None:
    records: list[Record] = report.records
    if report.problem:
        records = [failed_build(report)]
    for record in records:
        file.write(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))


def _remove_old(out: str, slugs: set[str]) -> None:
    """Remove the pages of teams that there are no more: only such as were written by an earlier run."""
    try:
        with open(os.path.join(out, ABOUT), "rb") as file:
            old = {str(slug) for slug in orjson.loads(file.read())["pages"]}
    except (OSError, orjson.JSONDecodeError, KeyError, TypeError):
        return
    for slug in old - slugs:
        for folder, ending in (("feedback", ".md"), ("gradescope", ".json"), ("junit", ".xml")):
            path = os.path.join(out, folder, f"{os.path.basename(slug)}{ending}")
            if os.path.isfile(path):
                os.unlink(path)


def schema() -> "dict[str, Any]":
    """The JSON Schema of a line of results.jsonl: that of a journal, with a team and a suite."""
    from harness.journal import SCHEMA

    more = {
        "team": {"type": "string", "description": "whose program it is"},
        "suite": {"type": "string", "description": "empty for a build that failed"},
        "unsteady": {
            "type": "object",
            "additionalProperties": {"type": "integer", "minimum": 1},
            "description": "with --repeat: how often which verdict, if not always the same",
        },
    }
    return {
        **SCHEMA,
        "title": "One line of results.jsonl of `harness grade`",
        "required": [*SCHEMA["required"], "team", "suite"],
        "properties": {**SCHEMA["properties"], **more},
    }


def about(session: "Session", marks: list[Mark], who: str) -> "dict[str, Any]":
    """What somebody needs to know who has to defend a mark later."""
    config = session.config
    return {
        "harness": __version__,
        "for": who,
        "title": config.title,
        "limits": {"timeout": config.timeout, "memory": config.memory, "output": config.output},
        "isolation": session.note,
        "suites": [
            {"name": suite.name, "points": suite.points, "cases": suite.size, "hidden": suite.hidden}
            for suite in Audience(session, who).suites
        ],
        "teams": {mark.team.name: mark.team.content for mark in marks},
        "pages": [mark.team.slug for mark in marks],
    }
