"""What is wrong with the suites that teams are graded on: told before anybody disputes a mark.

The cases are checked once, by the same rules as `harness check`; what was found is kept by their content.
"""

from typing import NamedTuple

from harness.grading.store import Store, key_of, version_key
from harness.grading.suites import Suites

MOST_TOLD = 10


class SuiteFinding(NamedTuple):
    """Something wrong with a case of a suite; twin: the suite of the case that it doubles, if it does one."""

    suite: str
    case: str
    kind: str
    words: "list[str]"
    twin: str = ""

    @property
    def line(self) -> str:
        """It, in a line."""
        return f"suite {self.suite}: {self.case}: {self.kind}: {'; '.join(self.words)}"


def findings_of(suites: Suites, store: Store) -> list[SuiteFinding]:
    """What is ill-formed, doubled, or contradicted by the rules in all cases that are asked."""
    names = [suite.name for suite in suites.suites]
    key = key_of(version_key(), [[names[case.suite], case.name, case.key] for case in suites.cases])
    known = store.note("checks", key)
    if known is not None:
        return [SuiteFinding(*finding) for finding in known]
    found = list(_checked(suites, names))
    store.write_note("checks", key, found)
    return found


def _checked(suites: Suites, names: list[str]) -> "list[SuiteFinding]":
    from harness.authoring.check import Check
    from harness.fixtures.cases import Case

    check = Check()
    suite_of: dict[str, str] = {}  # by the names that cases have in what is found
    found = []
    for graded in suites.cases:
        if graded.tested:
            continue
        suite = names[graded.suite]
        case = graded.case
        title = f"{suite}/{graded.name}"
        suite_of[title] = suite
        named = Case(title, case.input, case.expected, case.arguments)
        for finding in check.of(named, graded.program):
            if not finding.is_remark:
                twin = suite_of.get(finding.twin, "")
                found.append(SuiteFinding(suite, graded.name, finding.kind, finding.words, twin))
    return found


def findings_told(findings: list[SuiteFinding], where: str) -> list[str]:
    """The first of them, a line each, and how many more there are and where."""
    lines = [finding.line for finding in findings[:MOST_TOLD]]
    if len(findings) > MOST_TOLD:
        lines.append(f"… and {len(findings) - MOST_TOLD} more findings in the suites, in {where}")
    return lines
