"""Who a report is for: staff see everything, students no other team, and of suites what their degrees allow.

All reports take what they tell from a `TeamReport` and the cases of an `Audience`, and for students these are
made without what is hidden or above the degree, so that no report has to think of leaving something out.
"""

import os
import re
from dataclasses import dataclass, field, replace
from datetime import datetime

from harness.fixtures.cases import Case
from harness.grading.degrees import EVERYTHING, OWN_OUTPUT, POINTS, RULE, allows, degree_on, least_of
from harness.grading.ledger import Ledger
from harness.grading.places import STUDENTS
from harness.grading.score import Mark, Part
from harness.grading.suites import GradedCase, Suite
from harness.judging.result import Result
from harness.judging.verdicts import BROKEN, COMPARED, CONSTANT
from harness.search.causes import ALIKE, ALONE, MISREADING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from harness.fixtures.dialect import Dialect
    from harness.grading.build import TestsScore
    from harness.grading.findings import SuiteFinding
    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.grading.teams import Team
    from harness.report.words import CauseText

HIDDEN = "hidden tests"


@dataclass(slots=True)
class TeamReport:
    """All that may be told of a team: its marks, the results of its cases in order, build and own tests."""

    audience: "Audience"
    number: int
    mark: Mark
    parts: list[Part]
    ledger: Ledger
    results: list[Result]
    build: Result | None
    tests: "TestsScore | None"
    extra: list[str]  # paragraphs, in Markdown
    given_up: int = 0  # how many cases its time was not enough for
    causes: "list[CauseText]" = field(default_factory=list)  # why cases fail that may be told
    dialects: "dict[str, Dialect]" = field(default_factory=dict)  # of its programs

    @property
    def name(self) -> str:
        """What the team is called."""
        return self.mark.team.name

    @property
    def problem(self) -> str:
        """Why nothing of it could be run."""
        return self.mark.team.problem


# What in a result may hold words of the program.
PRINTED = ("detail", "differences", "changes", "smallest", "stdout", "stderr", "transcript")


def _mapped(value: "Any", words: "re.Pattern[str]", instead: "Callable[[re.Match[str]], str]") -> "Any":
    """The value with all such words in its texts replaced."""
    if isinstance(value, str):
        return words.sub(instead, value)
    if isinstance(value, list | tuple):
        return type(value)(_mapped(part, words, instead) for part in value)
    if isinstance(value, dict):
        return {key: _mapped(part, words, instead) for key, part in value.items()}
    return value


class Audience:
    """What may be told to whom: which suites and cases there are, and what a team's report holds.

    degrees: of each suite, what students are told; for all of them, what each may be told. A case is told as
    its degree says: what may not be told of it has no name and no file here.
    """

    def __init__(self, session: "Session", who: str, degrees: "Sequence[str]" = ()) -> None:
        self.session = session
        self.who = who
        self.students = who == STUDENTS
        suites = session.suites.suites
        if not self.students:
            degrees = [EVERYTHING] * len(suites)
        elif not degrees:
            degrees = least_today(suites, session.teams)
        self.degrees = tuple(degrees)
        self.suites: list[Suite] = []
        self.cases: list[tuple[int, GradedCase]] = []
        for suite, degree in zip(suites, degrees, strict=True):
            if self.students and (suite.hidden or degree == POINTS):
                continue
            self.suites.append(suite)
            own = enumerate(session.suites.of(suite), 1)
            self.cases += ((suite.first + at - 1, _case_told(case, degree, at)) for at, case in own)
        self._told: dict[tuple[str, ...], Audience] = {}

    def told(self, team: "Team") -> "Audience":
        """What the team itself may be told, whoever this is."""
        degrees = degrees_today(self.session.suites.suites, team)
        if degrees not in self._told:
            self._told[degrees] = Audience(self.session, STUDENTS, degrees)
        return self._told[degrees]

    def degree(self, suite: int) -> str:
        """What is told of a suite, by its number."""
        return self.degrees[suite]

    def tells_time(self, case: GradedCase) -> bool:
        """Whether it may be told how long a case took, by which a program can tell what it was given."""
        return allows(self.degree(case.suite), OWN_OUTPUT)

    @property
    def findings(self) -> "list[SuiteFinding]":
        """What is wrong with the suites, as far as students may be told everything of these."""
        suites = self.session.suites.suites
        names = {suite.name for suite in self.suites if self.degree(suites.index(suite)) == EVERYTHING}
        return [one for one in self.session.findings if one.suite in names and one.twin in {"", *names}]

    def parts(self, mark: Mark) -> list[Part]:
        """The points of a team, in which hidden suites are one number, and of some are only points."""
        if not self.students:
            return mark.parts
        told = {suite.name for suite in self.suites}
        suites = {suite.name for suite in self.session.suites.suites} - told
        return [
            replace(part, passed=0, of=0, terms="", withheld=0) if part.name in suites else part
            for part in open_parts(mark.parts)
        ]

    def results(self, standing: "Standing") -> list[Result]:
        """The results that may be told."""
        found = self.session.results(standing)
        if not found:
            return []
        told = [found[index] for index, _ in self.cases]
        if not self.students:
            return told
        own = self._own_words(standing.team)
        return [
            own(_result_told(result, case.name, self.degree(case.suite)))
            for result, (_, case) in zip(told, self.cases, strict=True)
        ]

    def causes(self, team: "Team", degree: str, causes: "Iterable[CauseText]") -> "Iterator[CauseText]":
        """What may be told of causes that are shown by cases of suites of this degree; places are as here."""
        mapped = self._mapper(team)
        for cause in causes:
            told = _cause_told(cause, degree)
            head, lines = mapped((told.head, told.lines))
            names = tuple(self._name(self.cases[place][1]) for place in cause.cases)
            yield told._replace(head=head, lines=lines, names=names)

    def _name(self, case: GradedCase) -> str:
        return f"{self.session.suites.suites[case.suite].name}/{case.name}"

    def build(self, team: "Team") -> Result | None:
        """What became of the build of a team."""
        built = self.session.builds.get(team.name)
        return self._own_words(team)(built) if built and self.students else built

    def _own_words(self, team: "Team") -> "Callable[[Result], Result]":
        """What takes the names of others who have handed in the same out of a team's results."""
        mapped = self._mapper(team)
        return lambda result: result._replace(**{field: mapped(getattr(result, field)) for field in PRINTED})

    def _mapper(self, team: "Team") -> "Callable[[Any], Any]":
        """What takes the paths and names of others who have handed in the same out of a value.

        They are run once for all of them, so what was printed may name any.
        """
        twins = [one for one in self.session.teams if one.content == team.content and one is not team]
        if not twins:
            return lambda value: value
        words = {word for twin in twins for word in (twin.path, os.path.basename(twin.path), twin.name)}
        longest_first = sorted(map(re.escape, words), key=len, reverse=True)
        anybody = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")

        def own(found: "re.Match[str]") -> str:
            return team.path if "/" in found[0] else team.name

        return lambda value: _mapped(value, anybody, own)


def degrees_today(suites: "Sequence[Suite]", team: "Team") -> tuple[str, ...]:
    """What a team is told of each suite, today, by the days of its course; of what is hidden, points."""
    today = datetime.now(team.spec.zone).date()
    return tuple(
        POINTS if suite.hidden else degree_on(suite.spec.feedback, today, team.submissions)
        for suite in suites
    )


def least_today(suites: "Sequence[Suite]", teams: "Sequence[Team]") -> list[str]:
    """What each of the teams may be told of each suite, today."""
    each = [degrees_today(suites, team) for team in teams]
    return [least_of(of_all) for of_all in zip(*each, strict=True)]


# What the degrees leave out

ANOTHER_REASON = "fails for a reason that has no name"


def _case_told(case: GradedCase, degree: str, number: int) -> GradedCase:
    """A case with the files and the name that may be told; number: its place in its suite."""
    if degree == EVERYTHING:
        return case
    is_named = allows(degree, OWN_OUTPUT)
    name, given = (case.name, case.case.input) if is_named else (f"case {number}", "")
    files = Case(name, given, "", "")
    return GradedCase(
        files, name, case.program, "", case.suite, case.exact, case.counts, case.hidden, case.tested
    )


def _result_told(result: Result, name: str, degree: str) -> Result:
    """A result as a team may read it; places on our machine concern nobody but staff."""
    told = result._replace(case=name, input="", expected="", reproduce="")
    if degree == EVERYTHING:
        return told
    if not allows(degree, OWN_OUTPUT):
        said = "" if result.ran or result.verdict == BROKEN else result.detail
        return Result(
            name,
            result.program,
            result.verdict,
            seconds=0.0 if result.ran else None,
            detail=said,
            team=result.team,
            suite=result.suite,
            unsteady=result.unsteady,
        )
    # The output of a program that gives all cases the same answer was taken from what is expected.
    return told._replace(
        detail="" if result.verdict in COMPARED else result.detail,
        differences=(),
        changes=(),
        smallest=None,
        explanation=(),
        stdout="" if result.verdict == CONSTANT else result.stdout,
    )


def _cause_told(cause: "CauseText", degree: str) -> "CauseText":
    """A cause without words that tell more than the degree."""
    if degree == EVERYTHING:
        return cause
    if degree == RULE and cause.kind != MISREADING:
        return cause._replace(head=ANOTHER_REASON, lines=())
    if cause.kind == ALONE:  # its words are those of a difference
        return cause._replace(head=ANOTHER_REASON, lines=())
    return cause._replace(lines=()) if cause.kind == ALIKE else cause


def open_parts(parts: list[Part]) -> list[Part]:
    """The parts, of which those that are hidden are added up to one that says nothing but points."""
    told = [part for part in parts if not part.hidden]
    hidden = [part for part in parts if part.hidden]
    if hidden:
        points = sum(part.points for part in hidden)
        told.append(Part(HIDDEN, points, sum(part.most for part in hidden), 0, 0, True))
    return told
