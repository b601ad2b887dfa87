"""JUnit XML, as Jenkins, GitLab and most other services read it: a suite for each folder.

A suite begins with its counts, which are known when all is over, so the cases wait in a file
without a name until then.
"""

import json
import tempfile

from harness.judging.verdicts import KNOWN
from harness.report.words import (
    ERROR,
    FAILED,
    PASSED,
    folder_of,
    message,
    name_of,
    plain_failure,
    safe,
    safe_lines,
    standing,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import BinaryIO

    from harness.judging.result import Result
    from harness.report import Run
    from harness.report.words import CauseText
    from harness.running.pool import Summary

START = b'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="harness"'
PIECE = 1 << 16
LINES = 100  # of what a program printed, in the body of a failure
ELEMENTS = {PASSED: "", FAILED: "failure", ERROR: "error", KNOWN: "skipped"}


class _Suite:
    """The cases of a folder: their counts, and where they wait."""

    __slots__ = ("counts", "parts", "seconds")

    def __init__(self) -> None:
        self.counts = dict.fromkeys(ELEMENTS, 0)
        self.seconds = 0.0
        self.parts: list[list[int]] = []  # from byte, to byte


class Report:
    """One such file."""

    def __init__(self, file: "BinaryIO", run: "Run") -> None:
        self._file = file
        self._waiting = tempfile.TemporaryFile()  # noqa: SIM115 (closed at the end)
        self._size = 0
        self._suites: dict[str, _Suite] = {}

    def add(self, result: "Result") -> None:
        """Write a case to where it waits."""
        folder = folder_of(result)
        suite = self._suites.setdefault(folder, _Suite())
        suite.counts[standing(result)] += 1
        suite.seconds += result.seconds or 0.0
        data = _case(folder, result).encode()
        self._waiting.write(data)
        if suite.parts and suite.parts[-1][1] == self._size:
            suite.parts[-1][1] += len(data)
        else:
            suite.parts.append([self._size, self._size + len(data)])
        self._size += len(data)

    def finish(self, summary: "Summary", causes: "Sequence[CauseText]" = ()) -> None:
        """Write the suites, in the order of their names; each begins with the causes of its failures."""
        suites = self._suites.values()
        counts = {kind: sum(suite.counts[kind] for suite in suites) for kind in ELEMENTS}
        attributes = _attributes(counts, sum(suite.seconds for suite in suites))
        self._file.write(START + f" {attributes}>\n".encode())
        for folder, suite in sorted(self._suites.items()):
            attributes = f'{_attributes(suite.counts, suite.seconds)} skipped="{suite.counts[KNOWN]}"'
            self._file.write(f'  <testsuite name="{_quoted(folder)}" {attributes}>\n'.encode())
            self._file.write(_causes(folder, causes).encode())
            for start, end in suite.parts:
                self._copy(start, end)
            self._file.write(b"  </testsuite>\n")
        self._file.write(b"</testsuites>\n")
        self._waiting.close()

    def _copy(self, start: int, end: int) -> None:
        self._waiting.seek(start)
        for at in range(start, end, PIECE):
            self._file.write(self._waiting.read(min(PIECE, end - at)))


def _causes(folder: str, causes: "Sequence[CauseText]") -> str:
    """Why cases of a folder failed, each cause a property."""
    told = [
        f'      <property name="cause" value="{_quoted(_told(cause))}"/>\n'
        for cause in causes
        if not cause.alone and any(safe(name.rpartition("/")[0]) == folder for name in cause.names)
    ]
    return f"    <properties>\n{''.join(told)}    </properties>\n" if told else ""


def _told(cause: "CauseText") -> str:
    lines = [f"{cause.head} ({cause.extent})", *cause.lines, f"cases: {', '.join(cause.names)}"]
    return "; ".join(map(safe, lines))


def _attributes(counts: dict[str, int], seconds: float) -> str:
    tests = sum(counts.values())
    return f'tests="{tests}" failures="{counts[FAILED]}" errors="{counts[ERROR]}" time="{seconds:.3f}"'


def _case(folder: str, result: "Result") -> str:
    seconds = result.seconds or 0.0
    case = (
        f'    <testcase classname="{_quoted(folder)}" name="{_quoted(name_of(result))}" time="{seconds:.3f}"'
    )
    kind = ELEMENTS[standing(result)]
    if not kind:
        return f"{case}/>\n"
    about = f'type="{result.verdict}" message="{_quoted(message(result))}"'
    told = f"<{kind} {about}>{_quoted(_body(result))}</{kind}>"
    return f"{case}>\n{_properties(result)}      {told}\n    </testcase>\n"


def _properties(result: "Result") -> str:
    """The differences for tools, each of them as JSON."""
    lines = [
        f'        <property name="difference" value="{_quoted(json.dumps(change))}"/>\n'
        for change in result.changes
    ]
    return f"      <properties>\n{''.join(lines)}      </properties>\n" if lines else ""


def _body(result: "Result") -> str:
    """What is to be said of a failure, with the output and the line that shows it again."""
    told = plain_failure(result, LINES)
    if result.smallest is not None and result.stdout:
        told += f"\n\n  all that it printed:\n{safe_lines(result.stdout)}"
    return told


def _quoted(text: str) -> str:
    """The text as XML; what is not legal there has been escaped with what is not printable."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
