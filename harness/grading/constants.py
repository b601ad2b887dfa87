"""Programs that give all their cases one and the same answer, and so know nothing of what is asked.

All suites count together: who answers every case of a small one alike may still know what is asked.
"""

from collections.abc import Callable, Iterable

from harness.grading.ledger import Ledger
from harness.grading.suites import GradedCase
from harness.judging.constant import Answers
from harness.judging.result import Result
from harness.judging.verdicts import CONSTANT, OTHER, PASS, RIGHT


class Constants:
    """Looks for such programs, team by team."""

    def __init__(self, cases: list[GradedCase]) -> None:
        self._cases = cases
        self._of_program: dict[str, list[int]] = {}
        for index, case in enumerate(cases):
            if case.tested:
                continue
            self._of_program.setdefault(case.program, []).append(index)

    def take_passes(
        self, ledger: Ledger, results: "Callable[[], Iterable[tuple[int, Result]]]"
    ) -> dict[str, str]:
        """Take its passes from each program of a team that always gives the same answer; which, and what.

        results: all that is known of the team, by the number of the case; asked for only if need be.
        """
        suspects = [name for name, indexes in self._of_program.items() if self._is_suspect(ledger, indexes)]
        if not suspects:
            return {}
        answers = {program: Answers() for program in suspects}
        for index, result in results():
            case = self._cases[index]
            if case.program in answers:
                answers[case.program].add(result._replace(expected=case.case.expected))
        found = {program: given.sentence for program, given in answers.items() if given.constant}
        for program in found:
            for index in self._of_program[program]:
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
