"""What a person sees while teams are graded, and at the end: the ranking, and the hardest cases."""

import sys

from harness.grading.score import Mark, hardest, points, ranked
from harness.report.bar import Bar
from harness.report.words import safe
from harness.verdicts import PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.grading.audience import Audience
    from harness.judge import Record
    from harness.run import Summary

MOST_TEAMS = 60  # that are listed in full
MOST_HARD = 10


class Watching:
    """A listener that shows how far all teams are, on a terminal; in a pipe it is silent."""

    def __init__(self, what: str, total: int) -> None:
        self._what = what
        self.bar = Bar(sys.stderr, sys.stderr.isatty(), total)

    def ended(self, record: "Record", summary: "Summary") -> None:
        """A case has ended."""
        self.tick(summary)

    def missing(self, program: str, why: str) -> None:
        """Said at the end, once for each team."""

    def tick(self, summary: "Summary") -> None:
        """Draw the bar anew, now and then."""
        if self.bar.is_due(summary.started):
            failed = summary.total - summary.counts[PASS]
            self.bar.draw(summary.total, f"{self._what}, {failed} failed")

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
        rows.append([*row, safe(mark.team.problem)])
    names = [safe(part.name) for part in audience.parts(best[0])] if best else []
    lines = table([["rank", "team", "total", *names, ""], *rows])
    if len(best) > MOST_TEAMS:
        lines.append(f"… and {len(best) - MOST_TEAMS} more, in scores.csv")
    return lines


def table(rows: list[list[str]]) -> list[str]:
    """Rows in columns: the second and the last to the left, the others to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    last = len(widths) - 1
    lines = []
    for row in rows:
        cells = [
            cell.ljust(width) if at in (1, last) else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def hard_cases(audience: "Audience") -> list[str]:
    """The cases that the fewest teams pass."""
    session = audience.session
    ledgers = [one.ledger for one in session.known if not one.team.problem]
    told = {index for index, _ in audience.cases}
    found = [
        (index, passed)
        for index, passed in hardest(session.suites, ledgers, len(session.suites.cases))
        if index in told
    ][:MOST_HARD]
    if not found:
        return []
    lines = ["the hardest cases, and how many teams pass them:"]
    for index, passed in found:
        case = session.suites.cases[index]
        name = f"{session.suites.suites[case.suite].name}/{case.name}"
        lines.append(f"  {passed} of {len(ledgers)}  {safe(name)}")
    return lines


def problems(audience: "Audience") -> list[str]:
    """What is said once: failed builds, missing programs, unsteady cases, and cases that say nothing."""
    session = audience.session
    lines = []
    for standing in session.known:
        team = standing.team
        if team.problem:
            lines.append(f"{safe(team.name)}: {safe(team.problem)}")
            lines += _build_output(session.builds.get(team.name))
            continue
        programs = dict.fromkeys(case.program for _, case in audience.cases)
        for program in programs:
            why = team.program(program)[1]
            if why:
                lines.append(f"{safe(team.name)}: {safe(program)} could not start: {safe(why)}")
        shaky = [case.name for index, case in audience.cases if standing.ledger.unsteady(index)]
        if shaky:
            more = f" and {len(shaky) - 10} more" if len(shaky) > 10 else ""
            lines.append(f"{safe(team.name)}: unsteady: {', '.join(map(safe, shaky[:10]))}{more}")
        late = len(standing.todo)
        if late:
            lines.append(f"{safe(team.name)}: its time budget was used up, {late} cases were not run")
    for suite in audience.suites:
        for name, why in suite.broken:
            lines.append(f"suite {safe(suite.name)}: {safe(name)} does not count: {safe(why)}")
    return lines


def _build_output(record: "Record | None") -> list[str]:
    text = f"{(record or {}).get('stdout', '')}{(record or {}).get('stderr', '')}".strip()
    return [f"  {safe(line)}" for line in text.splitlines()[-5:]]
