"""Who a report is for: staff see everything, students no other team, and of a hidden suite only its points.

All reports take what they tell from a `TeamReport`, and for students that is made without what is hidden,
so that no report has to think of leaving something out.
"""

import os
import re
from dataclasses import dataclass, field

from harness.grading.ledger import Ledger
from harness.grading.places import STUDENTS
from harness.grading.score import Mark, Part
from harness.grading.suites import GradedCase, Suite

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from harness.fixtures.dialect import Dialect
    from harness.grading.build import TestsScore
    from harness.grading.findings import SuiteFinding
    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.grading.teams import Team
    from harness.judging.result import Result
    from harness.report.words import CauseText

HIDDEN = "hidden tests"


@dataclass(slots=True)
class TeamReport:
    """All that may be told of a team: its marks, the results of its cases in order, build and own tests."""

    number: int
    mark: Mark
    parts: list[Part]
    ledger: Ledger
    results: "list[Result]"
    build: "Result | None"
    tests: "TestsScore | None"
    extra: list[str]  # paragraphs, in Markdown
    given_up: int = 0  # how many cases its time was not enough for
    causes: "list[CauseText]" = field(default_factory=list)  # why cases that may be told fail,
    open_causes: "list[CauseText]" = field(default_factory=list)  # and the same without hidden suites
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
PRINTED = ("detail", "differences", "changes", "smallest", "stdout", "stderr")


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
    """What may be told to whom: which suites and cases there are, and what a team's report holds."""

    def __init__(self, session: "Session", who: str) -> None:
        self.session = session
        self.who = who
        self.students = who == STUDENTS
        self.suites: list[Suite] = [
            suite for suite in session.suites.suites if not (self.students and suite.hidden)
        ]
        self.cases: list[tuple[int, GradedCase]] = [
            (index, session.suites.cases[index])
            for suite in self.suites
            for index in range(suite.first, suite.last)
        ]

    @property
    def findings(self) -> "list[SuiteFinding]":
        """What is wrong with the suites, as far as nothing of a hidden one is told to students."""
        names = {suite.name for suite in self.suites}
        return [one for one in self.session.findings if one.suite in names and one.twin in {"", *names}]

    @property
    def is_open(self) -> "list[bool]":
        """Of each case that may be told, whether the team may be told of it, too."""
        suites = self.session.suites.suites
        return [not suites[case.suite].hidden for _, case in self.cases]

    def parts(self, mark: Mark) -> list[Part]:
        """The points of a team, in which hidden suites are one number."""
        return open_parts(mark.parts) if self.students else mark.parts

    def results(self, standing: "Standing") -> "list[Result]":
        """The results that may be told."""
        results = self.session.results(standing)
        if not results:
            return []
        told = [results[index] for index, _ in self.cases]
        if not self.students:
            return told
        names = [case.name for _, case in self.cases]
        results = [_for_students(result, name) for result, name in zip(told, names, strict=True)]
        own = self._own_words(standing.team)
        return list(map(own, results))

    def build(self, team: "Team") -> "Result | None":
        """What became of the build of a team."""
        built = self.session.builds.get(team.name)
        return self._own_words(team)(built) if built and self.students else built

    def _own_words(self, team: "Team") -> "Callable[[Result], Result]":
        """What takes the paths and names of others who have handed in the same out of a team's results.

        They are run once for all of them, so what was printed may name any.
        """
        twins = [one for one in self.session.teams if one.content == team.content and one is not team]
        if not twins:
            return lambda result: result
        words = {word for twin in twins for word in (twin.path, os.path.basename(twin.path), twin.name)}
        longest_first = sorted(map(re.escape, words), key=len, reverse=True)
        anybody = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")

        def own(found: "re.Match[str]") -> str:
            return team.path if "/" in found[0] else team.name

        return lambda result: result._replace(
            **{field: _mapped(getattr(result, field), anybody, own) for field in PRINTED}
        )


def _for_students(result: "Result", name: str) -> "Result":
    """A result without what concerns nobody but staff: it names places on our machine."""
    return result._replace(case=name, input="", expected="", reproduce="")


def open_parts(parts: list[Part]) -> list[Part]:
    """The parts, of which those that are hidden are added up to one that says nothing but points."""
    told = [part for part in parts if not part.hidden]
    hidden = [part for part in parts if part.hidden]
    if hidden:
        points = sum(part.points for part in hidden)
        told.append(Part(HIDDEN, points, sum(part.most for part in hidden), 0, 0, True))
    return told
