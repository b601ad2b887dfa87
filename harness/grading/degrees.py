"""Degrees of feedback: how much a team is told of a suite, by the date and by how often it has handed in.

What each degree leaves out is decided in `harness.grading.audience`, and nowhere else.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

# From the least to the most.
POINTS = "points"  # the points of the suite, and nothing of its cases
RULE = "rule"  # what became of each case, by its number, and which rules are misread
OWN_OUTPUT = "own output"  # also the cases' names and inputs, and what the programs printed
EVERYTHING = "everything"  # also what is expected, and what differs from it
DEGREES = (POINTS, RULE, OWN_OUTPUT, EVERYTHING)


@dataclass(frozen=True, slots=True)
class Step:
    """A degree, and when it counts.

    until: the last day. after_submissions: how often a team must have handed in before.
    """

    degree: str
    until: "date | None" = None
    after_submissions: int = 0

    @property
    def always(self) -> bool:
        """Whether it counts whatever the day and the number of submissions."""
        return self.until is None and not self.after_submissions


def degree_on(steps: "Sequence[Step]", day: date, submissions: int) -> str:
    """The degree of the first step that counts on a day, for who has handed in so often; else points."""
    for step in steps:
        if (step.until is None or day <= step.until) and submissions > step.after_submissions:
            return step.degree
    return POINTS


def allows(degree: str, least: str) -> bool:
    """Whether a degree tells as much as another one, or more."""
    return DEGREES.index(degree) >= DEGREES.index(least)


def least_of(degrees: "Sequence[str]") -> str:
    """The degree that tells the least of these; everything if there are none."""
    return min(degrees, key=DEGREES.index, default=EVERYTHING)
