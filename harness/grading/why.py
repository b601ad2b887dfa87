"""Why a team's cases fail: found once for each state of a team, and kept with its results.

All teams are asked the same cases, so what the library of misreadings answers to them is asked once for all.
"""

from dataclasses import asdict
from hashlib import blake2b

from harness.files import read_file
from harness.grading.store import key_of, version_key
from harness.judging.verdicts import PASS, SAY_NOTHING
from harness.search.cause_words import told
from harness.search.causes import Cause, Memory, answered, causes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.grading.suites import GradedCase
    from harness.judging.result import Result
    from harness.report.words import CauseText

NOTES = "causes"  # under which they are kept


class Why:
    """The causes of all teams' failures."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._memory = Memory()
        self._files: dict[str, bytes] = {}
        self._library = ""

    def of(
        self, standing: "Standing", cases: "Sequence[tuple[int, GradedCase]]", results: "Sequence[Result]"
    ) -> "list[CauseText]":
        """Why a team fails some of these cases, in words, from their results and from nothing else."""
        asked = [
            at
            for at, result in enumerate(results)
            if result.ran and result.verdict not in SAY_NOTHING and not cases[at][1].tested
        ]
        if all(results[at].verdict == PASS for at in asked):
            return []
        suites = self._session.suites.suites

        def name_of(place: int) -> str:
            case = cases[asked[place]][1]
            return f"{suites[case.suite].name}/{case.name}"

        found = told(
            self._causes(standing, [cases[at] for at in asked], [results[at] for at in asked]), name_of
        )
        return [one._replace(cases=tuple(asked[place] for place in one.cases)) for one in found]

    def _causes(
        self, standing: "Standing", cases: "list[tuple[int, GradedCase]]", results: "list[Result]"
    ) -> list[Cause]:
        verdicts = [
            [index, case.key, result.verdict] for (index, case), result in zip(cases, results, strict=True)
        ]
        key = key_of(version_key(), self._library_key(), standing.key, verdicts)
        kept = self._session.store.note(NOTES, key)
        if kept is not None:
            return [_from_json(one) for one in kept]
        answers = [
            answered(result._replace(input=case.case.input, expected=case.case.expected), self._read)
            for (_, case), result in zip(cases, results, strict=True)
        ]
        found = causes(answers, self._memory)
        self._session.store.write_note(NOTES, key, [asdict(one) for one in found])
        return found

    def _library_key(self) -> str:
        """What stands for the library of misreadings as it is now."""
        if not self._library:
            from harness.misreadings import LIBRARY

            names = "\n".join(f"{name} {one.rule} {one.sentence}" for name, one in LIBRARY.items())
            self._library = blake2b(names.encode(), digest_size=12).hexdigest()
        return self._library

    def _read(self, path: str) -> bytes:
        if path not in self._files:
            self._files[path] = read_file(path)
        return self._files[path]


def _from_json(record: "dict[str, Any]") -> Cause:
    pairs = tuple((program, count) for program, count in record["programs"])
    lists = {name: tuple(record[name]) for name in ("cases", "names", "words")}
    return Cause(**{**record, **lists, "programs": pairs})
