"""Marks: what the verdicts of a team are worth, who comes before whom, and which cases are hard."""

from dataclasses import dataclass

from harness.grading.config import Config
from harness.grading.ledger import Ledger
from harness.grading.suites import Suite, Suites
from harness.grading.teams import Team
from harness.judging.verdicts import GIVES_POINTS, NO_START, WITHHELD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.grading.build import TestsScore

OWN_TESTS = "own tests"


@dataclass(slots=True)
class Part:
    """The points of one column: so many of so many, for that many things passed."""

    name: str
    points: float
    most: float
    passed: int
    of: int
    hidden: bool = False
    terms: str = ""  # what is asked for all points, if that is not everything
    withheld: int = 0  # how many more were not asked, since the program does not read such a form


@dataclass(slots=True)
class Mark:
    """What a team gets, and from what."""

    team: Team
    parts: list[Part]
    factor: float = 1.0
    note: str = ""
    rank: int = 0

    @property
    def total(self) -> float:
        """All points, with the factor."""
        return round(self.factor * sum(part.points for part in self.parts), 6)

    @property
    def most(self) -> float:
        """All points that there are, without a factor."""
        return round(sum(part.most for part in self.parts), 6)


def part_of(suite: Suite, suites: Suites, ledger: Ledger) -> Part:
    """What a team's verdicts on a suite are worth."""
    cases = [index for index in range(suite.first, suite.last) if ledger.asked(index)]
    passed = sum(ledger.passed(index) for index in cases)
    counted = [index for index in cases if suites.cases[index].counts]
    right = sum(ledger.passed(index) for index in counted)
    enough = suite.spec.counts if isinstance(suite.spec.counts, float | int) else 1.0
    share = min(1.0, right / (len(counted) * enough)) if counted else 0.0
    terms = [f"{points(100 * enough)} % of the cases are enough for all points"] if enough < 1 else []
    if len(counted) < len(cases):
        terms = [f"{len(counted)} of the {len(cases)} cases give points; {right} of these passed"]
    withheld = suite.size - len(cases)
    if withheld:
        terms.append(f"{withheld} of the {suite.size} cases were withheld and do not count")
    told = "; ".join(terms)
    return Part(
        suite.name, suite.points * share, suite.points, passed, len(cases), suite.hidden, told, withheld
    )


def share_out(parts: list[Part]) -> None:
    """Give the points of suites of which nothing was asked to the others, as if those were all there are."""
    idle = [part for part in parts if part.withheld and not part.of]
    others = [part for part in parts if part not in idle]
    total = sum(part.most for part in others)
    if not idle or not total:
        return
    more = 1 + sum(part.most for part in idle) / total
    for part in others:
        part.points, part.most = part.points * more, part.most * more
    for part in idle:
        part.most = 0.0
        part.terms += "; its points are shared out among the others"


def own_part(config: Config, tests: "TestsScore | None") -> Part:
    """What a team's own tests are worth."""
    from harness.misreadings import LIBRARY

    caught = tests.caught if tests else 0
    enough = min(config.own_tests.enough or len(LIBRARY), len(LIBRARY))
    most = config.own_tests.points
    terms = f"{enough} misreadings caught are enough for all points" if enough < len(LIBRARY) else ""
    return Part(OWN_TESTS, most * min(1.0, caught / enough), most, caught, len(LIBRARY), terms=terms)


def mark_all(
    config: Config,
    teams: "Sequence[Team]",
    suites: Suites,
    ledgers: "dict[str, Ledger]",
    tests: "dict[str, TestsScore]",
) -> list[Mark]:
    """The marks of all teams, in the order in which the teams were given, with ranks."""
    marks = []
    for team in teams:
        parts = [part_of(suite, suites, ledgers[team.name]) for suite in suites.suites]
        share_out(parts)
        if config.own_tests.points:
            parts.append(own_part(config, tests.get(team.name)))
        marks.append(Mark(team, parts, team.spec.factor, team.spec.note))
    give_ranks(marks)
    return marks


def give_ranks(marks: list[Mark]) -> None:
    """Who has the same total has the same rank."""
    rank = 0
    before: float | None = None
    for place, mark in enumerate(ranked(marks), 1):
        if mark.total != before:
            rank, before = place, mark.total
        mark.rank = rank


def ranked(marks: list[Mark]) -> list[Mark]:
    """The marks, the best first."""
    return sorted(marks, key=lambda mark: (-mark.total, mark.team.name))


def hardest(cases: "Iterable[int]", ledgers: "Sequence[Ledger]") -> list[tuple[int, int, int]]:
    """The cases that not all teams pass who have the program, the hardest first.

    Each with the number of teams that pass it, and of those that have the program.
    """
    found = []
    for index in cases:
        verdicts = [ledger.verdict(index) for ledger in ledgers]
        able = len(verdicts) - verdicts.count(NO_START) - verdicts.count(WITHHELD)
        passed = sum(verdict in GIVES_POINTS for verdict in verdicts)
        if passed < able:
            found.append((passed / able, index, passed, able))
    return [(index, passed, able) for _, index, passed, able in sorted(found)]


def points(value: float) -> str:
    """Points as they are written."""
    return f"{round(value, 2):.2f}".rstrip("0").rstrip(".")
