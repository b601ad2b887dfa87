"""The class at a glance, in numbers that the pages draw: marks, cases, time, change, and the rules.

Which sections of the rules a case rests on is known from its rule events and from the story of its answer,
once for all teams. A failure that a misreading explains counts against the section that is misread, and
against no other; one that nothing explains counts against every section that its case rests on.
"""

from collections import Counter
from functools import cached_property
from itertools import chain, pairwise
from math import ceil, floor, log10
from typing import NamedTuple

from evolution.reasons import SECTIONS
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.files import read_file
from harness.grading.history import IMPROVED, WORSE, moved
from harness.grading.ledger import CODES, RIGHT, UNKNOWN
from harness.grading.store import key_of, version_key
from harness.judging.verdicts import NO_START, WITHHELD
from harness.programs.answering import PROGRAMS
from harness.programs.reference import watch
from harness.shipped.pages import rule_order, rule_sections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from harness.grading.audience import Audience, TeamReport
    from harness.grading.history import Before
    from harness.grading.store import Store
    from harness.grading.suites import GradedCase

    # From, to, and who is there, by their numbers. If both are the same, only who is exactly there.
    Bar = tuple[float, float, list[int]]

MOST_INPUT = 100 << 10  # bytes of an input whose story is told
TENTHS = 10
NOT_TRIED = {CODES[NO_START], CODES[WITHHELD], UNKNOWN}
ROUND = (1, 2, 5)
STEPS = 4  # of change, below zero and above it; of time, about so many
FAR = 10  # times as much, and steps of time grow
LEAST_TIME = 0.001  # seconds


class RuleTold(NamedTuple):
    """A section of the rules: failures of all teams, of how many cases, and how many teams misread it."""

    number: str
    title: str
    failed: int
    of: int
    misread: int


class Overview:
    """What a class looks like, gathered team by team."""

    def __init__(self, audience: "Audience", before: "Before | None" = None) -> None:
        self.audience = audience
        self._before = before
        self._marks: list[float] = []
        self._seconds: dict[int, float] = {}
        self._changes: dict[int, float] = {}
        self._new = 0
        self._most = 0.0
        self._passed = [0] * len(audience.cases)
        self._tried = [0] * len(audience.cases)
        self._by_team: list[dict[str, list[int]]] = []
        self._programs: list[Counter[str]] = []  # for each team, how many cases of each it has tried
        self._unnamed: dict[str, set[str]] = {}  # sections that no story names, and programs that show them

    @cached_property
    def rules(self) -> list[list[str]]:
        """The sections of the rules that each case rests on."""
        session = self.audience.session
        cases = [session.suites.cases[index] for index, _ in self.audience.cases]
        return rules_of_cases(cases, session.store)

    def add(self, report: "TeamReport", codes: bytes) -> None:
        """Take a team in, with the codes of its verdicts, none if nothing of it was run."""
        team = len(self._marks)
        mark = report.mark
        self._marks.append(mark.total)
        self._most = mark.most
        if codes:
            self._seconds[team] = sum(report.ledger.time(index) for index, _ in self.audience.cases)
        for at, code in enumerate(codes):
            if code not in NOT_TRIED:
                self._tried[at] += 1
                self._passed[at] += code in RIGHT
        cases = self.audience.cases
        self._programs.append(
            Counter(cases[at][1].program for at, code in enumerate(codes) if code not in NOT_TRIED)
        )
        self._by_team.append(self._rules_of_team(report, codes) if codes else {})
        if self._before:
            if report.name in self._before.run:
                self._changes[team] = _points(mark.total - self._before.run[report.name][0])
            else:
                self._new += 1

    def _rules_of_team(self, report: "TeamReport", codes: bytes) -> dict[str, list[int]]:
        """By section: the failures that count against it, of how many cases, and how many are misread."""
        misread: dict[int, set[str]] = {}
        for cause in report.causes:
            for at in cause.cases if cause.rules else ():
                misread.setdefault(at, set()).update(cause.rules)
        counts = {rule: [0, of, 0] for rule, of in self._named.items()}
        for at in (at for at, code in enumerate(codes) if code not in RIGHT):
            on = self.rules[at]
            if codes[at] in NOT_TRIED:
                for rule in on:
                    counts[rule][1] -= 1
                continue
            for rule in misread.get(at, on):
                count = counts.setdefault(rule, [0, 0, 0])
                count[0] += 1
                count[1] += rule not in on
                count[2] += at in misread
                if rule not in self._named:
                    self._unnamed.setdefault(rule, set()).add(self.audience.cases[at][1].program)
        return counts

    @cached_property
    def _named(self) -> "Counter[str]":
        """How many cases rest on each section, as far as their stories name it."""
        return Counter(chain(*self.rules))

    def _counts(self, team: int, rule: str) -> "Sequence[int]":
        """What a team makes of a section, as `_rules_of_team` counts it.

        On one that no story names, such as the order of sizes, rest all cases of the programs that show it.
        """
        failed, of, misread = self._by_team[team].get(rule, (0, 0, 0))
        if rule in self._unnamed:
            of = sum(self._programs[team][program] for program in self._unnamed[rule])
        return failed, of, misread

    def change_of(self, report: "TeamReport") -> "list[float] | None":
        """By how many points a team has changed, and how many cases have improved and got worse."""
        before = self._before.run.get(report.name) if self._before else None
        if before is None:
            return None
        kinds = [kind for _, kind in moved(before[1], self.audience.session.suites, report.ledger)]
        return [_points(report.mark.total - before[0]), kinds.count(IMPROVED), kinds.count(WORSE)]

    def for_everybody(self) -> "dict[str, Any]":
        """What may be told of a class to everybody in it: of how many something is true, and of no one."""
        charts = {"marks": self._marks_chart(), "cases": self._cases_chart()}
        counted = {
            name: [(low, high, len(who)) for low, high, who in chart] for name, chart in charts.items()
        }
        return {"teams": len(self._marks), **counted, "rules": self._rules_of_class()}

    def for_staff(self) -> "dict[str, Any]":
        """Everything, and who is where."""
        rules = self._rules_of_class()
        places = {rule.number: at for at, rule in enumerate(rules)}
        told: dict[str, Any] = {
            "teams": len(self._marks),
            "marks": self._marks_chart(),
            "cases": self._cases_chart(),
            "time": bars(self._seconds, _spread(self._seconds.values())),
            "rules": rules,
            "on": [
                [places[rule] for rule in (*on, *self._unnamed_of(at)) if rule in places]
                for at, on in enumerate(self.rules)
            ],
            "byTeam": [
                [*chain(*(self._counts(team, rule) for rule in places))] for team in range(len(self._marks))
            ],
        }
        if self._before and self._changes:
            told["change"] = bars(self._changes, _around_zero(self._changes.values()))
            told["since"], told["new"] = self._before.name, self._new
        return told

    def _marks_chart(self) -> "list[Bar]":
        """How many teams have how many points, by tenths of all points; more than all belong to the last."""
        return bars(dict(enumerate(self._marks)), _tenths(self._most) if self._most else [])

    def _cases_chart(self) -> "list[Bar]":
        """How many cases are passed by how many of a hundred teams that have the program."""
        shares = {
            at: 100 * passed / tried
            for at, (passed, tried) in enumerate(zip(self._passed, self._tried, strict=True))
            if tried
        }
        return bars(shares, [(0.0, 0.0), *_tenths(100.0), (100.0, 100.0)])

    def _unnamed_of(self, at: int) -> list[str]:
        program = self.audience.cases[at][1].program
        return [rule for rule, programs in self._unnamed.items() if program in programs]

    def _rules_of_class(self) -> "list[RuleTold]":
        titles = rule_sections()
        found = []
        for number in sorted({*self._named, *self._unnamed}, key=rule_order):
            counts = [self._counts(team, number) for team in range(len(self._marks))]
            failed, of = sum(count[0] for count in counts), sum(count[1] for count in counts)
            misread = sum(count[2] > 0 for count in counts)
            if of:
                found.append(RuleTold(number, titles[number].title, failed, of, misread))
        return found


def codes_of(report: "TeamReport", audience: "Audience") -> bytes:
    """The codes of a team's verdicts on the cases that may be told of; none if nothing of it was run."""
    return b"" if report.problem else bytes(report.ledger.code(index) for index, _ in audience.cases)


def _points(value: float) -> float:
    return round(value, 4)


# Charts of bars


def bars(values: "Mapping[int, float]", steps: "Sequence[tuple[float, float]]") -> "list[Bar]":
    """Who is in which step, by their numbers. A step has its beginning in it, and the last one all beyond it.

    A step without extent goes before all others.
    """
    found: list[Bar] = [(low, high, []) for low, high in steps]
    last = max((at for at, (low, high) in enumerate(steps) if low < high), default=-1)
    exact = {low: at for at, (low, high) in enumerate(steps) if low == high}
    for who, value in values.items():
        at = exact.get(value, -1)
        if at < 0:
            inside = (at for at, (low, high) in enumerate(steps) if low <= value < high)
            at = next(inside, last)
        if at >= 0:
            found[at][2].append(who)
    return found


def _tenths(most: float) -> list[tuple[float, float]]:
    return [(most * at / TENTHS, most * (at + 1) / TENTHS) for at in range(TENTHS)]


def _spread(values: "Iterable[float]") -> list[tuple[float, float]]:
    """Equal steps from the least to the greatest, or if these are far apart, 1 to 2, 5, 10, 20 and so on."""
    positive = [max(value, LEAST_TIME) for value in values]
    if not positive:
        return []
    least, most = min(positive), max(positive)
    if most < FAR * least:
        step = _round_step((most - least) / STEPS or least)
        first = floor(least / step)
        edges = [step * at for at in range(first, floor(most / step) + 2)]
        return list(pairwise(edges))
    powers = range(floor(log10(least)), floor(log10(most)) + 2)
    edges = [one * 10.0**power for power in powers for one in ROUND]
    first = max(at for at, edge in enumerate(edges) if edge <= least)
    last = min(at for at, edge in enumerate(edges) if edge > most)
    return list(pairwise(edges[first : last + 1]))


def _round_step(least: float) -> float:
    """The next number from here that is 1, 2 or 5 times a power of ten."""
    power = 10.0 ** floor(log10(least))
    return next(one * power for one in (*ROUND, 10) if one * power >= least * 0.999)


def _around_zero(values: "Iterable[float]") -> list[tuple[float, float]]:
    """As many equal steps below zero as above it, and zero itself between them."""
    most = max(map(abs, values), default=0.0)
    if not most:
        return [(0.0, 0.0)]
    step = _round_step(most / STEPS)
    count = ceil(most / step - 0.001)
    below = [(-step * (at + 1), -step * at) for at in reversed(range(count))]
    return [*below, (0.0, 0.0), *((-high, -low) for low, high in reversed(below))]


# The rules behind the cases


def rules_of_cases(cases: "Sequence[GradedCase]", store: "Store") -> list[list[str]]:
    """The sections of docs/rules.md that the answer to each case rests on; found once, and kept."""
    key = key_of(version_key(), [case.key for case in cases])
    known = store.note("rules", key)
    if known is None:
        known = [sorted(_rules_of(case), key=rule_order) for case in cases]
        store.write_note("rules", key, known)
    found: list[list[str]] = known
    return found


def _rules_of(case: "GradedCase") -> set[str]:
    from harness.explain.programs import explain

    if case.program not in PROGRAMS or case.case.arguments:
        return set()
    try:
        data = read_file(case.case.input)
        if len(data) > MOST_INPUT:
            return set()
        value = parse(data)
        _, events = watch(case.program, value)
        # The story tells what blocks an attack, the events also what only just does not.
        decides = {SECTIONS[words[2]] for words in events if len(words) > 3 and words[2] in SECTIONS}
        return explain(case.program, value).rules | decides
    except (BadInput, OSError, RecursionError):
        return set()
