"""Marks as tables: for spreadsheets, and for JUnit."""

from harness.grading.score import Mark, Part, points
from harness.judging.result import Result
from harness.judging.verdicts import CRASHED, NO_START
from harness.text import cell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from harness.grading.audience import Audience, TeamReport


def write_scores(path: str, marks: "Sequence[Mark]", audience: "Audience") -> None:
    """The marks of all teams, the best first, as comma-separated values."""
    import csv

    first: list[Part] = audience.parts(marks[0]) if marks else []
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        names = [cell(part.name) for part in first]
        writer.writerow(["rank", "team", "total", "of", *names, "factor", "note", "problem"])
        for mark in marks:
            given = [points(part.points) for part in audience.parts(mark)]
            row = [str(mark.rank), cell(mark.team.name), points(mark.total), points(mark.most)]
            told = [cell(mark.note), cell(mark.team.problem)]
            writer.writerow([*row, *given, points(mark.factor), *told])


# JUnit


def write_junit(path: str, report: "TeamReport") -> None:
    """A team's cases as a JUnit file, with one test suite for each suite."""
    from harness.report.junit import Report
    from harness.running.pool import Summary

    with open(path, "wb") as file:
        junit = Report(file, {})
        if report.problem:
            junit.add(failed_build(report)._replace(case="compile/compile"))
        for result, (_, case) in zip(report.results, report.audience.cases, strict=False):
            unsteady = result.unsteady
            often = f"unsteady: {in_numbers(unsteady)}" if unsteady else ""
            told = "; ".join(filter(None, [result.detail, often]))
            junit.add(result._replace(case=f"{result.suite}/{case.name}", detail=told))
        junit.finish(Summary(), report.causes)


def failed_build(report: "TeamReport") -> Result:
    """The one result of a team that could not be built."""
    build = report.build or Result("compile", "compile", CRASHED)
    verdict = NO_START if build.verdict == CRASHED else build.verdict
    return build._replace(verdict=verdict, detail=report.problem, team=report.name, suite="")


def build_output(report: "TeamReport") -> str:
    """What the build of a team printed, on both streams."""
    return f"{report.build.stdout}{report.build.stderr}" if report.build else ""


def in_numbers(unsteady: dict[str, int]) -> str:
    """How often which verdict, in words."""
    return ", ".join(f"{count}× {verdict}" for verdict, count in unsteady.items())


def told_in_a_line(result: Result) -> str:
    """A failure in one line."""
    detail = f": {result.detail}" if result.detail else ""
    unsteady = result.unsteady
    often = f" (unsteady: {in_numbers(unsteady)})" if unsteady else ""
    return f"{result.verdict}{detail}{often}"
