"""Programs that give all cases of a suite one and the same answer, and so know nothing of what is asked."""

from harness.grading.ledger import Ledger
from harness.grading.suites import GradedCase
from harness.judging.constant import OTHER, RIGHT, Answers
from harness.judging.verdicts import CONSTANT, PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from harness.judging.result import Result

    Group = tuple[int, str]  # a suite, and a program that it has cases for

ALL_SUITES = -1


class Constants:
    """Looks for such programs, team by team."""

    def __init__(self, cases: list[GradedCase], together: bool) -> None:
        """together: all suites count as one."""
        self._cases = cases
        self._together = together
        self._groups: dict[Group, list[int]] = {}
        for index, case in enumerate(cases):
            self._groups.setdefault(self.group(case), []).append(index)

    def group(self, case: GradedCase) -> "Group":
        """What a case belongs to: those that must not all be given the same answer."""
        return ALL_SUITES if self._together else case.suite, case.program

    def take_passes(
        self, ledger: Ledger, results: "Callable[[], Iterable[tuple[int, Result]]]"
    ) -> "dict[Group, str]":
        """Take its passes from a team whose program always gives the same answer; where, and which.

        results: all that is known of the team, by the number of the case; asked for only if need be.
        """
        suspect = [group for group, indexes in self._groups.items() if self._is_suspect(ledger, indexes)]
        if not suspect:
            return {}
        answers = {group: Answers() for group in suspect}
        for index, result in results():
            group = self.group(self._cases[index])
            if group in answers:
                answers[group].add(result._replace(expected=self._cases[index].case.expected))
        found = {group: of_group.sentence for group, of_group in answers.items() if of_group.constant}
        for group in found:
            for index in self._groups[group]:
                ledger.replace(index, PASS, CONSTANT)
        return found

    def _is_suspect(self, ledger: Ledger, indexes: list[int]) -> bool:
        """Whether all that has passed of these cases has the same right answer, and not all has passed."""
        verdicts = {ledger.verdict(index) for index in indexes}
        if verdicts == {PASS} or not verdicts & (RIGHT | OTHER):
            return False
        answers = Answers()
        for index in indexes:
            if ledger.passed(index):
                answers.add_right(self._cases[index].case.expected)
                if answers.differ:
                    return False
        return True
