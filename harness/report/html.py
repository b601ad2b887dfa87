"""A page with all results, complete in one file: to look at, to filter, to send to somebody.

The rows of the list and what is to be unfolded under them wait in files without names until the
counts are known, and go into the page as data. The inputs and expected outputs of failed cases are
read from their files when the report is made.
"""

import os
import tempfile

from harness.judging.verdicts import FINE, KNOWN, MEANING, PASS, VERDICTS, WITHHELD
from harness.report.page import embedded_bytes, start_of, write_page
from harness.report.words import folder_of, message, name_of, safe, total, used_verdicts
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO, Any, BinaryIO

    from markupsafe import Markup

    from harness.judging.result import Result
    from harness.report import Run
    from harness.report.words import CauseText
    from harness.running.pool import Summary

START = start_of("results")
MOST_TEXT = 16 << 10  # characters of a file
MOST_DETAILS = 24 << 20  # bytes of what can be unfolded; beyond, every text is cut to
SHORT_TEXT = 400  # characters
MOST_FOLDERS = 100  # in the table
MOST_LINKS = 200  # to cases of one cause
COPIED = (
    "detail",
    "differences",
    "explanation",
    "smallest",
    "program",
    "reproduce",
    "stdout",
    "stderr",
    "twin",
)


class Report:
    """One such page."""

    def __init__(self, file: "BinaryIO", run: "Run") -> None:
        self._file = file
        self._run = run
        self._root = str(run.get("directory", ""))
        self._folders: dict[str, int] = {}
        self._seconds = 0.0
        self._rows = tempfile.TemporaryFile()  # noqa: SIM115 (closed at the end)
        self._details = tempfile.TemporaryFile()  # noqa: SIM115 (closed at the end)
        self._size = 0  # of the details

    def add(self, result: "Result") -> None:
        """Keep a row, and under it the details if it has failed."""
        has_passed = result.verdict == PASS
        self._seconds += result.seconds or 0.0
        row = [
            self._folders.setdefault(folder_of(result), len(self._folders)),
            name_of(result),
            VERDICTS.index(result.verdict),
            result.seconds,
            "" if has_passed else message(result),
            result.cpu,
            result.memory,
            result.exit,
            result.printed,
        ]
        self._rows.write(embedded_bytes(row) + b"\n")
        if not has_passed:
            most = MOST_TEXT if self._size < MOST_DETAILS else SHORT_TEXT
            data = embedded_bytes(self._details_of(result, most)) + b"\n"
            self._details.write(data)
            self._size += len(data)

    def _details_of(self, result: "Result", most: int) -> "dict[str, Any]":
        told = {key: getattr(result, key) for key in COPIED}
        shown = {key: _cut(part, most) for key, part in told.items() if part}
        for half in ("input", "expected"):
            shown[half] = self._content(getattr(result, half), most)
        if result.sent:
            shown["input"]["text"] = _cut(result.sent, most)
        return shown

    def _content(self, path: str, most: int) -> dict[str, str]:
        """What is in a file, or why that is not known."""
        shown = {"file": safe(path)}
        try:
            with open(os.path.join(self._root, path), "rb") as file:
                data = file.read(4 * most + 1)
                size = os.fstat(file.fileno()).st_size
        except OSError as problem:
            return {**shown, "problem": f"cannot be read: {problem.strerror}"}
        text = data.decode(errors="backslashreplace")
        if len(text) > most or len(data) > 4 * most:
            return {**shown, "text": f"{text[:most]}…", "problem": f"its beginning; it has {size} bytes"}
        return {**shown, "text": text}

    def finish(self, summary: "Summary", causes: "Sequence[CauseText]" = ()) -> None:
        """Put the page together."""
        folders = sorted(summary.folders.items())
        write_page(
            self._file,
            "results",
            ("base", "picture", "results"),
            total=total(summary),
            summary=summary,
            shares=_shares(summary),
            used=used_verdicts(summary),
            meaning=MEANING,
            folders=[(safe(folder), counts) for folder, counts in folders[:MOST_FOLDERS]],
            more_folders=max(0, len(folders) - MOST_FOLDERS),
            facts=self._facts(),
            causes=[_shown(cause) for cause in causes if not cause.alone],
            alone=sum(cause.alone for cause in causes),
            known={
                "verdicts": VERDICTS,
                "meaning": [MEANING[verdict] for verdict in VERDICTS],
                "fine": [VERDICTS.index(verdict) for verdict in sorted(FINE)],
                "folders": list(self._folders),
                "exact": bool(self._run.get("exact")),
            },
            rows=_lines(self._rows),
            details=_lines(self._details),
        )
        self._rows.close()
        self._details.close()

    def _facts(self) -> list[str]:
        """How the run was started, as far as that is known."""
        programs = self._run.get("program") or self._run.get("folder")
        facts = [f"programs: {safe(str(programs))}" if programs else "the project's own programs"]
        paths = self._run.get("paths") or []
        facts.append("cases: " + safe(", ".join(map(str, paths)) or "test-fixtures"))
        if self._run.get("pattern"):
            facts.append(f"only those with {safe(str(self._run['pattern']))}")
        if self._run.get("started"):
            facts.append(safe(str(self._run["started"])))
        facts.append(f"{self._seconds:.1f} s in programs")
        return facts if self._run else facts[-1:]


def _shown(cause: "CauseText") -> "dict[str, object]":
    """A cause for the page, where each of its cases is a link."""
    return {
        "head": safe(cause.head),
        "extent": cause.extent,
        "lines": [*map(safe, cause.lines)],
        "smallest": safe(cause.names[0]),
        "others": [safe(name) for name in cause.names[1 : MOST_LINKS + 1]],
        "more": max(0, len(cause.names) - MOST_LINKS - 1),
    }


def _shares(summary: "Summary") -> "list[tuple[str, float, float]]":
    """The bar under the total: each stretch with where it begins and how long it is, in percent."""
    share = 100 / max(1, summary.total)
    passed, known = summary.counts[PASS] * share, (summary.counts[KNOWN] + summary.counts[WITHHELD]) * share
    failed = summary.failures * share
    return [("pass", 0.0, passed), ("known", passed, known), ("fail", passed + known, failed)]


def _cut(value: "Any", most: int) -> "Any":
    if isinstance(value, str):
        return cut(value, most)
    return [_cut(part, most) for part in value]


def _lines(file: "IO[bytes]") -> "Iterator[Markup]":
    """The lines of a file that holds data for a page."""
    from markupsafe import Markup

    file.seek(0)
    for line in file:
        yield Markup(line.rstrip(b"\n").decode())  # noqa: S704 (safe by how it was written)
