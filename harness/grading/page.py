"""The report as one page that needs no network: written team by team, drawn by the browser when looked at.

The details of a failure are kept once if several teams fail alike, and the page as a whole stays small
enough for a browser, however many teams there are; what does not fit is in results.jsonl.
"""

import tempfile

import orjson

from harness.grading.audience import Audience, TeamReport
from harness.grading.feedback import MOST_SAID, read_text
from harness.grading.ledger import UNKNOWN
from harness.grading.overview import Overview, codes_of
from harness.grading.score import Mark
from harness.grading.tables import build_output, in_numbers
from harness.judging.verdicts import PASS, VERDICTS
from harness.report.page import embedded_bytes, write_page
from harness.report.words import safe_lines
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, BinaryIO

    from markupsafe import Markup

    from harness.judging.result import Result

MOST_DETAILS = 12 << 20  # bytes of failures in the whole page
MOST_CASES = 4 << 20  # bytes of inputs and expected outputs
MOST_TEXT = 6000  # characters of one of these, and of what a program printed
MOST_ERRORS = 2000
MOST_LINES = 12

EDITIONS = {True: "Results for students", False: "Results for staff"}


class Page:
    """A page that is being written. With an overview it begins with the class as a whole."""

    def __init__(
        self,
        file: "BinaryIO",
        audience: Audience,
        marks: "Sequence[Mark]",
        notes: list[str],
        overview: "Overview | None" = None,
    ) -> None:
        self._file = file
        self._audience = audience
        self._teams: list[dict[str, Any]] = []
        self._seen: dict[int, int] = {}  # hashes of details, and the team that has them in the page
        self._left = MOST_DETAILS
        self._share = MOST_DETAILS // max(1, len(marks))
        self._marks = marks
        self._alone = audience.students  # a page for students is that of one team
        self._notes = notes
        self._overview = overview
        self._waiting = tempfile.TemporaryFile()  # noqa: SIM115 (closed at the end)
        if not self._alone:
            self._cases(range(len(audience.cases)))

    def _script(self, name: str, value: "Any") -> int:
        """Put data into the page, where they wait until it is written; how many bytes they are."""
        data = embedded_bytes(value)
        self._waiting.write(name.encode() + b"\t" + data + b"\n")
        return len(data)

    def _scripts(self) -> "Iterator[tuple[str, Markup]]":
        from markupsafe import Markup

        self._waiting.seek(0)
        for line in self._waiting:
            name, _, data = line.decode().rstrip("\n").partition("\t")
            yield name, Markup(data)  # noqa: S704 (nothing in it is markup any more)

    def _cases(self, numbers: "Iterable[int]") -> None:
        left = MOST_CASES
        for number in numbers:
            _, case = self._audience.cases[number]
            texts = {
                name: safe_lines(cut(read_text(path, 4 * MOST_TEXT), MOST_TEXT))
                for name, path in (("i", case.case.input), ("o", case.case.expected))
                if path
            }
            left -= sum(map(len, texts.values()))
            if left > 0:
                self._script(f"c{number}", texts)

    def _times(self, report: TeamReport) -> "Iterator[int | None]":
        """How many milliseconds each case took, as far as that may be told."""
        for index, case in self._audience.cases:
            told = self._audience.tells_time(case)
            yield round(report.ledger.time(index) * 1000) if told else None

    def add(self, report: TeamReport) -> None:
        """Put a team into the page."""
        number = len(self._teams)
        mark, ledger = report.mark, report.ledger
        indexes = [index for index, _ in self._audience.cases]
        codes = codes_of(report, self._audience)
        told: dict[str, Any] = {
            "n": report.name,
            "r": mark.rank,
            "t": round(mark.total, 4),
            "p": report.problem,
            "f": mark.factor,
            "note": mark.note,
            "parts": [[round(p.points, 4), round(p.most, 4), p.passed, p.of] for p in report.parts],
            "v": "".join(map(_letter, codes)),
            "ms": [] if report.problem else [*self._times(report)],
        }
        if report.given_up:
            told["l"] = report.given_up
        unsteady = [at for at, index in enumerate(indexes) if ledger.unsteady(index)]
        if unsteady and not report.problem:
            told["u"] = unsteady
        if self._alone:
            del told["r"]
            self._cases(at for at, result in enumerate(report.results) if result.verdict != PASS)
        if self._overview:
            self._overview.add(report, codes)
            change = self._overview.change_of(report)
            if change is not None:
                told["d"] = change
        self._teams.append(told)
        details = self._details(number, report)
        if details:
            self._left -= self._script(f"t{number}", details)

    def _details(self, number: int, report: TeamReport) -> "dict[str, Any]":
        if report.problem:
            output = cut(build_output(report), MOST_TEXT)
            return {"build": safe_lines(output)} if output else {}
        found: dict[str, Any] = {"why": _why(report)} if report.causes else {}
        used = 0
        for at, result in enumerate(report.results):
            if result.verdict == PASS:
                continue
            detail = _detail(result)
            own = detail.pop("r", "")  # where it lies differs from team to team
            known = hash((at, orjson.dumps(detail)))
            if known in self._seen:
                found[str(at)] = self._seen[known]
                continue
            size = len(orjson.dumps(detail))
            if used + size > max(self._share, 20_000) or size > self._left - used:
                continue
            used += size
            self._seen[known] = number
            if own and len(self._marks) <= 100:
                detail["r"] = own
            found[str(at)] = detail
        return found

    def close(self) -> None:
        """Write what is known only at the end, and what draws the page."""
        audience = self._audience
        suites = []
        first = 0
        for suite in audience.suites:
            told = audience.degree(audience.session.suites.suites.index(suite))
            last = first + suite.size
            suites.append(
                {"name": suite.name, "first": first, "last": last, "told": told, "kind": suite.spec.kind}
            )
            first += suite.size
        names = [suite.name for suite in audience.suites]
        parts = audience.parts(self._marks[0]) if self._marks else []
        brought = audience.session.brought
        self._script(
            "data",
            {
                "teams": self._teams,
                "cases": [case.name for _, case in audience.cases],
                "suites": suites,
                "parts": [
                    {
                        "name": part.name,
                        "hidden": part.hidden,
                        "suite": names.index(part.name) if part.name in names else None,
                    }
                    for part in parts
                ],
                "most": self._marks[0].most if self._marks else 0,
                "verdicts": VERDICTS,
                "staff": not audience.students,
                "alone": self._alone,
                "brought": [{"name": name, "cases": cases} for name, cases in brought.items()],
                "factor": any(mark.factor != 1 for mark in self._marks),
            },
        )
        if self._overview:
            self._script("overview", self._overview.for_staff())
        write_page(
            self._file,
            "grades",
            ["base", "picture", *(["overview"] if self._overview else []), "grades"],
            title=audience.session.config.title or ("A test fest" if brought else "Grades"),
            edition=EDITIONS[audience.students],
            notes=self._notes,
            scripts=self._scripts(),
        )
        self._waiting.close()


def _why(report: TeamReport) -> "list[dict[str, Any]]":
    """Why the cases of a team fail."""
    return [
        {"h": safe_lines(one.head), "e": one.extent, "l": [*map(safe_lines, one.lines)], "c": one.cases}
        for one in report.causes
        if not one.alone
    ]


def _letter(code: int) -> str:
    return "-" if code == UNKNOWN else chr(97 + code)


def _detail(result: "Result") -> "dict[str, Any]":
    """What the page tells of a failure."""
    unsteady = result.unsteady
    often = in_numbers(unsteady) if unsteady else ""
    told = {
        "w": safe_lines(". ".join(filter(None, [result.detail, often and f"unsteady: {often}"]))),
        "d": [safe_lines(line) for line in result.differences[:MOST_LINES]],
        "s": [safe_lines(text) for text in result.smallest or ()],
        "o": safe_lines(cut(result.stdout, MOST_TEXT)),
        "t": safe_lines(cut(result.twin, MOST_TEXT)),
        "e": safe_lines(cut(result.stderr, MOST_ERRORS)),
        "c": safe_lines("\n".join(result.transcript[-MOST_SAID:])),
        "i": safe_lines(cut(result.sent, MOST_TEXT)),
        "r": result.reproduce,
        "x": max(0, result.exit or 0),
    }
    return {name: value for name, value in told.items() if value}
