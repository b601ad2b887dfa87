"""What a person sees while teams are graded, and at the end: the ranking, and the hardest cases."""

import sys

from harness.grading.findings import findings_told
from harness.grading.score import Mark, hardest, points, ranked
from harness.judging.verdicts import FINE, MUTE, SILENT
from harness.report.bar import Bar
from harness.report.dialects import silent_line
from harness.report.words import listed, safe, safe_line
from harness.running.sandbox import missed_told
from harness.text import cut, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.grading.audience import Audience
    from harness.grading.ledger import Ledger
    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.grading.suites import Suite
    from harness.judging.result import Result
    from harness.running.pool import Summary

MOST_TEAMS = 60  # that are listed in full
MOST_HARD = 10
MOST_CAUSES = 15
MOST_LINE = 200  # characters of what a build printed


class Watching:
    """A listener that shows how far all teams are, on a terminal; in a pipe it is silent."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self.more = ""  # what else is to be said
        self.bar = Bar(sys.stderr, sys.stderr.isatty(), total)

    def ended(self, result: "Result", summary: "Summary") -> None:
        """A case has ended."""
        self.tick(summary)

    def missing(self, program: str, why: str) -> None:
        """Said at the end, once for each team."""

    def tick(self, summary: "Summary") -> None:
        """Draw the bar anew, now and then."""
        if self.bar.is_due(summary.started):
            failed = summary.total - sum(summary.counts[verdict] for verdict in FINE)
            self.bar.draw(summary.total, f"{self._what}, {failed} failed{self.more}")

    def close(self) -> None:
        """Take the bar away."""
        self.bar.close()


def teams_told(count: int) -> str:
    """So many teams, in words."""
    return "1 team" if count == 1 else f"{count} teams"


def ranking(marks: list[Mark], audience: "Audience") -> list[str]:
    """The teams, the best first, with their points."""
    best = ranked(marks)
    rows = []
    for mark in best[:MOST_TEAMS]:
        parts = [f"{points(p.points)}/{points(p.most)}" for p in audience.parts(mark)]
        if mark.team.problem:
            parts = ["-"] * len(parts)
        row = [str(mark.rank), safe(mark.team.name), f"{points(mark.total)}/{points(mark.most)}", *parts]
        factor = f"× {points(mark.factor)}" if mark.factor != 1 else ""
        rows.append([*row, safe(mark.team.problem) or factor])
    names = [safe(part.name) for part in audience.parts(best[0])] if best else []
    lines = table([["rank", "team", "total", *names, ""], *rows])
    if len(best) > MOST_TEAMS:
        lines.append(f"… and {len(best) - MOST_TEAMS} more, in scores.csv")
    return lines


def hard_cases(audience: "Audience") -> list[str]:
    """The cases that the fewest teams pass."""
    session = audience.session
    ledgers = [one.ledger for one in session.known if not one.team.problem]
    told = dict(audience.cases)
    found = hardest(told, ledgers)[:MOST_HARD]
    if not found:
        return []
    lines = ["the hardest cases, and how many teams pass them:"]
    for index, passed, able in found:
        case = told[index]
        name = f"{session.suites.suites[case.suite].name}/{case.name}"
        lines.append(f"  {passed} of {able}  {safe(name)}")
    return lines


def common_causes(causes: "dict[str, list[dict[str, Any]]]") -> list[str]:
    """Why cases fail, what concerns most teams first, given the causes of each team."""
    teams: dict[tuple[str, ...], dict[str, None]] = {}
    for name, found in causes.items():
        for cause in found:
            teams.setdefault((cause["cause"], *cause["about"]), {})[name] = None
    lines = ["why cases fail, and whose:"] if teams else []
    for head, *about in sorted(teams, key=lambda cause: -len(teams[cause]))[:MOST_CAUSES]:
        lines.append(f"  {safe(head)}: {listed([*teams[head, *about]])}")
        lines += [f"    {safe(line)}" for line in about]
    if len(teams) > MOST_CAUSES:
        lines.append(f"  … and {len(teams) - MOST_CAUSES} more, in report.html")
    return lines


def problems(audience: "Audience") -> list[str]:
    """What is said once: failed builds, missing programs, unsteady cases, and cases that say nothing."""
    session = audience.session
    lines: list[str] = []
    missing: dict[tuple[str, str], list[str]] = {}  # program and why: whose
    programs = dict.fromkeys(case.program for _, case in audience.cases)
    for standing in session.known:
        lines += _problems_of(standing, audience)
        if not standing.team.problem:
            for program in programs:
                why = standing.team.program(program)[1]
                if why:
                    missing.setdefault((program, why), []).append(standing.team.name)
    for (program, why), teams in missing.items():
        lines.append(f"{listed(teams)}: {safe(program)} could not start: {safe(why)}")
    for suite in audience.suites:
        lines += _problems_of_suite(suite, session)
    lines += map(safe, findings_told(audience.findings, "grading.json"))
    return lines


def _problems_of_suite(suite: "Suite", session: "Session") -> "Iterator[str]":
    """What is to be said of the cases of a suite."""
    for name, why in suite.broken:
        yield f"suite {safe(suite.name)}: {safe(name)} does not count: {safe(why)}"
    easy = [at for at in session.without_twin if suite.first <= at < suite.last]
    if easy:
        names = listed([session.suites.cases[at].name for at in easy])
        yield f"suite {safe(suite.name)}: passed without a twin, which could not be made: {names}"
    if suite.untaken:
        yield f"suite {safe(suite.name)}: {safe(suite.untaken)}"


def _problems_of(standing: "Standing", audience: "Audience") -> "Iterator[str]":
    """What is to be said of one team."""
    session, team = audience.session, standing.team
    name = safe(team.name)
    if team.problem:
        yield f"{name}: {safe(team.problem)}"
        yield from _build_output(session.builds.get(team.name))
        return
    if team.has_idle_compile:
        yield f"{name}: its compile is not executable, and was not run; try: chmod +x compile"
    silent = silent_line(team.dialects)
    if silent:
        yield f"{name}: {silent}"
    for program in _mute(audience, standing.ledger) if session.isolation else ():
        said = [result.stderr for result in audience.results(standing) if result.program == program]
        path = session.missed(team, program, said)
        if path:
            yield f"{name}: {missed_told(safe(program), safe(path))}"
    told = {case.program for _, case in audience.cases}
    for program, constant in standing.constant.items():
        if program in told:
            yield f"{name}: {safe(program)} passes nothing, since it gave {safe(constant)}"
    shaky = [case.name for index, case in audience.cases if standing.ledger.unsteady(index)]
    if shaky:
        yield f"{name}: unsteady: {listed(shaky)}"
    if standing.given_up:
        yield f"{name}: its time budget was used up, {len(standing.given_up)} cases were not run"


def _mute(audience: "Audience", ledger: "Ledger") -> list[str]:
    """The programs that have hardly ever answered."""
    verdicts: dict[str, list[str]] = {}
    for index, case in audience.cases:
        if ledger.asked(index):
            verdicts.setdefault(case.program, []).append(ledger.verdict(index))
    return [name for name, told in verdicts.items() if sum(one in SILENT for one in told) > MUTE * len(told)]


def _build_output(result: "Result | None") -> list[str]:
    text = f"{result.stdout}{result.stderr}".strip() if result else ""
    return [f"  {safe_line(cut(line, MOST_LINE))}" for line in text.splitlines()[-5:]]
