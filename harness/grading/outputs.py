"""Everything that a run of grading writes, in one pass over the teams."""

import os
import sys
from dataclasses import astuple, dataclass

import orjson

from harness import __version__
from harness.files import read_file
from harness.grading.audience import Audience, TeamReport, least_today
from harness.grading.degrees import DEGREES, EVERYTHING
from harness.grading.feedback import write_feedback
from harness.grading.findings import findings_told
from harness.grading.gradescope import write_gradescope
from harness.grading.handout import (
    CLASS_PAGE,
    FILES,
    files_of,
    write_class_page,
    write_handout,
    write_results,
)
from harness.grading.history import run_before
from harness.grading.overview import Overview, codes_of
from harness.grading.page import Page
from harness.grading.places import ABOUT, STUDENTS, TEAMS, about_file, place_for_staff
from harness.grading.score import Mark, ranked
from harness.grading.store import key_of, version_key
from harness.grading.tables import write_junit, write_scores
from harness.report.words import safe
from harness.running.limits import child

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.grading.why import Why
    from harness.judging.result import Result
    from harness.report.words import CauseText

    # Why each team fails what may be told here, and what the team itself may be told.
    CausesOf = dict[str, tuple[list[CauseText], list[CauseText]]]

FOLDERS = ("feedback", "gradescope", "junit")
ENDINGS = ("md", "json", "xml")
WHOLE = ("scores.csv", "results.jsonl", "report.html")


@dataclass(frozen=True, slots=True)
class Reporting:
    """What the reports of a session are made of: the marks best first, and paragraphs by team."""

    session: "Session"
    audience: Audience
    marks: list[Mark]
    notes: list[str]
    extra: "dict[str, list[str]]"
    why: "CausesOf"
    overview: Overview

    @property
    def slugs(self) -> set[str]:
        """What the pages of the teams are called."""
        return {mark.team.slug for mark in self.marks}


def write_all(
    session: "Session", marks: list[Mark], who: str, notes: list[str], extra: "dict[str, list[str]]"
) -> None:
    """Write every report of all teams whose marks these are, into the folder of the session.

    What is written is complete before it takes the place of what was there; what is there already, because
    nothing has changed, is not written again. extra: paragraphs for the pages of feedback, by team.
    """
    before = run_before(session, marks)
    audience = Audience(session, who)
    fingerprint = _fingerprint(audience, marks, notes, extra, before.name if before else "")
    if _is_there(session.out, who, fingerprint, _files(session, marks, who)):
        return
    best_first = ranked(marks)
    why = find_causes(audience, best_first)
    write = _write_for_students if audience.students else _write_for_staff
    write(Reporting(session, audience, best_first, notes, extra, why, Overview(audience, before)))
    told = {**about(audience, marks), "causes": _causes_told(why), "fingerprint": fingerprint}
    place = place_for_staff(session.out, ABOUT, who)
    with open(place, "wb") as file:
        file.write(orjson.dumps(told, option=orjson.OPT_INDENT_2) + b"\n")
    if about_file(session.out) != place:  # an earlier version wrote it into what is handed out
        _remove(os.path.join(session.out, ABOUT))


def _files(session: "Session", marks: list[Mark], who: str) -> list[str]:
    """All that is written, by paths from the folder of the session."""
    if who == STUDENTS:
        return files_of(marks, session.config.class_page)
    by_team = [
        os.path.join(folder, f"{mark.team.slug}.{ending}")
        for mark in marks
        for folder, ending in zip(FOLDERS, ENDINGS, strict=True)
    ]
    return [*WHOLE, *by_team]


def _write_for_staff(given: Reporting) -> None:
    out = given.session.out
    for folder in FOLDERS:
        os.makedirs(os.path.join(out, folder), exist_ok=True)
    beside = _started_beside(lambda: _write_whole(given))
    _write_by_team(given)
    _see_that_it_is_done(beside)
    for name in WHOLE:
        os.replace(_new(out, name), os.path.join(out, name))
    _remove_old(out, given.slugs)


def _write_for_students(given: Reporting) -> None:
    out = given.session.out
    page = os.path.join(out, CLASS_PAGE)
    if given.session.config.class_page:
        write_handout(out, _looked_over(given), given.notes)
        write_class_page(page, given.audience, given.marks, given.notes, given.overview)
    else:
        write_handout(out, _reports(given, told=True), given.notes)
        _remove(page)
    _remove_old(out, given.slugs)
    # Earlier versions wrote these for students, too.
    for slug in given.slugs:
        _remove_flat(out, slug)
    for name in WHOLE:
        _remove(os.path.join(out, name))


def _causes_told(why: "CausesOf") -> "dict[str, list[dict[str, Any]]]":
    """Why each team fails, as far as that may be told, for tools and for who asks again."""
    return {
        team: [
            {"cause": safe(one.head), "about": [*map(safe, one.lines)], "cases": len(one.cases)}
            for one in causes
            if not one.alone
        ]
        for team, (causes, _) in why.items()
    }


def causes_told(out: str) -> "dict[str, list[dict[str, Any]]]":
    """Why each team fails, from the reports in a folder."""
    found: dict[str, list[dict[str, Any]]] = _about(out).get("causes", {})
    return found


def find_causes(audience: Audience, marks: list[Mark]) -> "CausesOf":
    """Why each team fails: all that may be told, and what a team may know.

    What a team may know of suites is found from suites of the same degree alone.
    """
    from harness.grading.why import Why

    why = Why(audience.session)
    cases = [*enumerate(audience.session.suites.cases)]
    by_name = {standing.team.name: standing for standing in audience.session.standings}
    found: CausesOf = {}
    for mark in marks:
        standing = by_name[mark.team.name]
        results = audience.session.results(standing)
        told = _causes_to_team(why, audience.told(mark.team), standing, results)
        if audience.students:  # what may be told to all
            every = _causes_to_team(why, audience, standing, results)
        else:
            every = why.of(standing, cases, results) if results else []
        found[mark.team.name] = every, told
    return found


def _causes_to_team(
    why: "Why", told: Audience, standing: "Standing", results: "list[Result]"
) -> "list[CauseText]":
    """Why a team fails, as far as it may know; places are those of the cases that it may be told of."""
    cases = told.session.suites.cases
    found: list[CauseText] = []
    for degree in DEGREES[::-1] if results else ():
        at = [place for place, (_, case) in enumerate(told.cases) if told.degree(case.suite) == degree]
        indexes = [told.cases[place][0] for place in at]
        if not indexes:
            continue
        causes = why.of(standing, [(one, cases[one]) for one in indexes], [results[one] for one in indexes])
        placed = [one._replace(cases=tuple(at[place] for place in one.cases)) for one in causes]
        found += told.causes(standing.team, degree, placed)
    return found


def _write_whole(given: Reporting) -> None:
    """Write what all teams are in."""
    out, audience = given.session.out, given.audience
    write_scores(_new(out, "scores.csv"), given.marks, audience)
    with open(_new(out, "results.jsonl"), "wb") as results, open(_new(out, "report.html"), "wb") as file:
        notes = [*given.notes, *map(safe, findings_told(audience.findings, ABOUT))]
        page = Page(file, audience, given.marks, notes, given.overview)
        for report in _reports(given):
            write_results(results, report)
            page.add(report)
        page.close()


def _write_by_team(given: Reporting) -> None:
    """Write what each team has one of: what it may read itself, and for tools of the staff."""
    feedback, gradescope, junit = (os.path.join(given.session.out, folder) for folder in FOLDERS)
    for full, told in zip(_reports(given), _reports(given, told=True), strict=True):
        slug = full.mark.team.slug
        write_feedback(os.path.join(feedback, f"{slug}.md"), told, len(given.marks))
        write_gradescope(os.path.join(gradescope, f"{slug}.json"), told, full)
        write_junit(os.path.join(junit, f"{slug}.xml"), full)


def _started_beside(work: "Callable[[], None]") -> int:
    """Begin with some work in another process, since by now nobody else is working; its id."""

    def work_aloud() -> None:
        try:
            work()
        except OSError as problem:
            os.write(2, f"harness: {problem}\n".encode(errors="backslashreplace"))
            raise
        except BaseException:
            sys.excepthook(*sys.exc_info())
            raise

    sys.stdout.flush()
    sys.stderr.flush()
    return child(work_aloud)


def _see_that_it_is_done(pid: int) -> None:
    _, status = os.waitpid(pid, 0)
    if status:
        raise OSError("the reports could not be written")


def _fingerprint(
    audience: Audience, marks: list[Mark], notes: list[str], extra: "dict[str, list[str]]", before: str
) -> str:
    """A hash of everything that the reports are made of."""
    from hashlib import blake2b

    session = audience.session
    standings = blake2b(digest_size=16)
    for standing in session.standings:
        standings.update(standing.key.encode() + standing.ledger.codes + standing.ledger.seconds.tobytes())
        standings.update(repr(standing.team.dialects).encode())
    return key_of(
        version_key(),
        audience.who,
        [audience.told(mark.team).degrees for mark in marks],
        notes,
        extra,
        before,
        session.config.title,
        session.config.class_page,
        session.findings,
        session.config.team_budget,
        standings.hexdigest(),
        [[mark.team.name, mark.team.slug, mark.rank, mark.total, mark.factor, mark.note] for mark in marks],
        [[mark.team.home, mark.team.problem, [[*astuple(part)] for part in mark.parts]] for mark in marks],
        [[suite.name, suite.points, suite.hidden] for suite in session.suites.suites],
        [[case.suite, case.name, case.key, case.case.name, case.counts] for case in session.suites.cases],
        session.builds,
        session.tests,
    )


def _is_there(out: str, who: str, fingerprint: str, files: list[str]) -> bool:
    """Whether all reports of what has this fingerprint have been written, and are still there."""
    if about_file(out) != place_for_staff(out, ABOUT, who) or _about(out).get("fingerprint") != fingerprint:
        return False
    return all(os.path.isfile(os.path.join(out, name)) for name in files)


def _about(out: str) -> "dict[str, Any]":
    """What an earlier run has written about itself; empty if there was none."""
    try:
        found = orjson.loads(read_file(about_file(out)))
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _new(out: str, name: str) -> str:
    return os.path.join(out, f".new-{name}")


def _reports(given: Reporting, told: bool = False) -> "Iterator[TeamReport]":
    """All that may be told of the teams, of one after the other; told: to each team itself."""
    by_name = {standing.team.name: standing for standing in given.session.standings}
    for number, mark in enumerate(given.marks):
        name = mark.team.name
        standing = by_name[name]
        audience = given.audience.told(mark.team) if told else given.audience
        given_up = {at // standing.ledger.repeat for at in standing.given_up}
        yield TeamReport(
            audience,
            number,
            mark,
            audience.parts(mark),
            standing.ledger,
            audience.results(standing),
            audience.build(mark.team),
            given.session.tests.get(name),
            given.extra.get(name, []),
            len(given_up.intersection(index for index, _ in audience.cases)),
            given.why[name][told],
            mark.team.dialects,
        )


def reports_of(session: "Session", mark: Mark) -> tuple[TeamReport, TeamReport]:
    """What staff are told of a team, and what the team itself is told."""
    audience = Audience(session, "staff")
    why = find_causes(audience, [mark])
    given = Reporting(session, audience, [mark], [], {}, why, Overview(audience))
    (full,), (told,) = _reports(given), _reports(given, told=True)
    return full, told


def _looked_over(given: Reporting) -> "Iterator[TeamReport]":
    """What each team may be told; what all may be told of it is taken into the overview as well."""
    for shared, told in zip(_reports(given), _reports(given, told=True), strict=True):
        given.overview.add(shared, codes_of(shared, given.audience))
        yield told


def _remove_old(out: str, slugs: set[str]) -> None:
    """Remove the pages of teams that there are no more: only such as were written by an earlier run."""
    pages = _about(out).get("pages")
    old = {os.path.basename(str(slug)) for slug in pages} if isinstance(pages, list) else set()
    for slug in old - slugs:
        _remove_flat(out, slug)
        for name in FILES:
            _remove(os.path.join(out, TEAMS, slug, name))
        try:
            os.rmdir(os.path.join(out, TEAMS, slug))
        except OSError:
            continue  # there is none, or somebody has put something else into it


def _remove_flat(out: str, slug: str) -> None:
    for folder, ending in zip(FOLDERS, ENDINGS, strict=True):
        _remove(os.path.join(out, folder, f"{slug}.{ending}"))


def _remove(path: str) -> None:
    if os.path.isfile(path):
        os.unlink(path)


def command_of(out: str) -> str:
    """Which command has written the reports in a folder; empty if there are none."""
    return str(_about(out).get("command", ""))


def audience_of(out: str) -> str:
    """Whom the reports in a folder are for; empty if there are none."""
    return str(_about(out).get("for", ""))


def about(audience: Audience, marks: list[Mark]) -> "dict[str, Any]":
    """What somebody needs to know who has to defend a mark later."""
    session = audience.session
    config = session.config
    suites = session.suites.suites
    told = dict(zip((suite.name for suite in suites), least_today(suites, session.teams), strict=False))
    return {
        "harness": __version__,
        "command": config.command,
        "for": audience.who,
        "title": config.title,
        "limits": {
            "timeout": config.timeout,
            "memory": config.memory,
            "output": config.output,
            "team-budget": config.team_budget or None,
        },
        "repeat": max((one.ledger.repeat for one in session.known), default=1),
        "isolation": session.note,
        "suites": [
            {
                "name": suite.name,
                "points": suite.points,
                "cases": suite.size,
                "hidden": suite.hidden,
                "feedback": told.get(suite.name, EVERYTHING),  # to every team
                "compare": "exact" if suite.spec.exact else "meaning",
                "counts": suite.spec.counts,
            }
            for suite in audience.suites
        ],
        "own-tests": {"points": config.own_tests.points, "enough": config.own_tests.enough or None},
        "findings": [finding._asdict() for finding in audience.findings],
        "factors": {mark.team.name: mark.factor for mark in marks if mark.factor != 1},
        "teams": {mark.team.name: mark.team.content for mark in marks},
        "dialects": {
            standing.team.name: {name: one.to_table() for name, one in standing.team.dialects.items()}
            for standing in session.known
        },
        "pages": [mark.team.slug for mark in marks],
    }
