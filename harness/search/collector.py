"""What a run keeps of its results, so that the causes of failures can be told when it has ended."""

import os

from harness.files import read_file
from harness.judging.verdicts import PASSES, SAY_NOTHING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.judging.result import Result
    from harness.report.words import CauseText
    from harness.running.pool import Summary

MOST_FAILURES = 1000
MOST_PASSES = 2000  # of each program; more of them would hardly contradict more


class Collector:
    """A listener that keeps the first failures, and of each program the first passes."""

    def __init__(self, directory: str = "") -> None:
        """The paths of cases are seen from this directory."""
        self._directory = directory
        self.failures: list[Result] = []
        self._passes: dict[str, list[Result]] = {}

    def ended(self, result: "Result", summary: "Summary") -> None:
        """Keep a result."""
        if result.verdict in PASSES:
            passes = self._passes.setdefault(result.program, [])
            if len(passes) < MOST_PASSES:
                passes.append(result)
        elif result.verdict not in SAY_NOTHING and len(self.failures) < MOST_FAILURES:
            self.failures.append(result)

    def missing(self, program: str, why: str) -> None:
        """A program that cannot be started answers nothing."""

    def tick(self, summary: "Summary") -> None:
        """Time has passed, which has no cause."""

    def causes(self) -> "list[CauseText]":
        """Why cases failed, in words."""
        if not self.failures:
            return []
        from harness.search.cause_words import told
        from harness.search.causes import answered, causes

        # What another program of the same people answers rightly contradicts a misreading as well.
        results = [*self.failures, *(result for passes in self._passes.values() for result in passes)]
        found = causes([answered(result, self._read) for result in results])
        return told(found, lambda at: results[at].case)

    def _read(self, path: str) -> bytes:
        return read_file(os.path.join(self._directory, path))
