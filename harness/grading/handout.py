"""What is handed out: for each team a folder with nothing of any other team in it, and a page of the class.

The page of the class has no names, and is written only if the configuration says so.
"""

import os
from collections.abc import Iterable
from statistics import mean, median
from typing import Any

import orjson

from harness.files import AtomicFile
from harness.grading.audience import Audience, TeamReport
from harness.grading.feedback import write_feedback
from harness.grading.gradescope import write_gradescope
from harness.grading.overview import Overview
from harness.grading.page import Page
from harness.grading.places import TEAMS
from harness.grading.score import Mark, hardest, points
from harness.grading.tables import failed_build, write_junit
from harness.report.page import write_page

CLASS_PAGE = "class.html"
FILES = ("feedback.md", "gradescope.json", "junit.xml", "results.jsonl", "report.html")


def files_of(marks: "list[Mark]", class_page: bool) -> list[str]:
    """All that is handed out, by paths from where it is written to."""
    files = [os.path.join(TEAMS, mark.team.slug, name) for mark in marks for name in FILES]
    return [*files, CLASS_PAGE] if class_page else files


def write_handout(out: str, reports: "Iterable[TeamReport]", notes: list[str]) -> None:
    """Write the folder of each team; each file takes the place of an old one when it is complete."""
    for report in reports:
        folder = os.path.join(out, TEAMS, report.mark.team.slug)
        os.makedirs(folder, exist_ok=True)
        new = {name: os.path.join(folder, f".new-{name}") for name in FILES}
        write_feedback(new["feedback.md"], report)
        write_gradescope(new["gradescope.json"], report)
        write_junit(new["junit.xml"], report)
        with open(new["results.jsonl"], "wb") as results:
            write_results(results, report)
        with open(new["report.html"], "wb") as file:
            page = Page(file, report.audience, [report.mark], notes)
            page.add(report)
            page.close()
        for name in FILES:
            os.replace(new[name], os.path.join(folder, name))


def write_results(file: "Any", report: TeamReport) -> None:
    """Write the results of a team, a line each."""
    for result in [failed_build(report)] if report.problem else report.results:
        file.write(orjson.dumps(result.to_json(), option=orjson.OPT_APPEND_NEWLINE))


def write_class_page(
    path: str, audience: Audience, marks: "list[Mark]", notes: list[str], overview: Overview
) -> None:
    """Write what the class as a whole has reached: its points, its cases, and the rules behind them."""
    suites = audience.session.suites
    columns = [("total", [mark.total for mark in marks], marks[0].most)]
    for parts in zip(*(audience.parts(mark) for mark in marks), strict=True):
        columns.append((parts[0].name, [part.points for part in parts], parts[0].most))
    ledgers = [one.ledger for one in audience.session.known if not one.team.problem]
    cases = []
    told = dict(audience.cases)
    for index, passed, able in hardest(told, ledgers):
        case = told[index]
        cases.append((suites.suites[case.suite].name, case.name, passed, able))
    file = AtomicFile(path)
    try:
        write_page(
            file.open(),
            "class",
            ["base", "overview", "class"],
            title=audience.session.config.title or "Grades",
            teams=len(marks),
            notes=notes,
            rows=[
                (name, points(median(got)), points(mean(got)), points(most)) for name, got, most in columns
            ],
            cases=cases,
            overview=overview.for_everybody(),
        )
        file.keep()
    finally:
        file.drop()
