"""How results are shown: each report is one module here, drawn from the results of a run.

A report that goes to a file is the class `Report` of its module: it is made with the file and with
what is known of the run, is given one result after the other as they end, and finishes the file.
It keeps no result, so a run of any length costs no memory. Which reports there are is a table, and
none of their modules is loaded before somebody asks for it.
"""

import os
import sys
from functools import partial

from harness.errors import WrongUse
from harness.judging.verdicts import FINE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, BinaryIO, Protocol

    from harness.files import AtomicFile
    from harness.judging.result import Result
    from harness.report.words import CauseText
    from harness.running.pool import Listener, Summary

    Run = dict[str, Any]  # what the first result of a journal says of its run

    class Report(Protocol):
        """What every report does."""

        def __init__(self, file: BinaryIO, run: Run) -> None:
            """Begin the report in this file."""

        def add(self, result: Result) -> None:
            """Take in a case that has ended."""

        def finish(self, summary: Summary, causes: Sequence[CauseText] = ()) -> None:
            """All cases have ended, and this is why they failed: complete the file."""


# The reports that go to a file: the option's name, which is the module's, and what it makes. A module has a
# class `Report`, and START, the bytes that every such file begins with: no other file is overwritten.
FILES = {
    "junit": "JUnit XML, for Jenkins, GitLab and others that read it",
    "tap": "TAP 14, the Test Anything Protocol",
    "html": "a page for browsers, complete in one file",
}
# The report that goes to standard output, and says more to whom the environment names.
GITHUB = "Report to GitHub Actions: annotations on the cases' files, and a summary of the step."

FAILURES_ONLY = "Print only failures and the total; reports have only failures, too."

STANDARD_OUTPUT = "-"


class ReportError(WrongUse):
    """A report that cannot be written where it should be; str() says why."""


class Reports:
    """The reports that were asked for: a listener that hands every result on to each of them.

    A report is written under another name and gets its own when it is complete, so that whoever
    looks never sees half of one, and a run that fails leaves the last one in place.
    """

    def __init__(
        self,
        asked: "Mapping[str, object]",
        run: "Run",
        failures_only: bool = False,
        kept: "Sequence[str]" = (),
    ) -> None:
        """Begin the reports that the options ask for; the files in `kept` are none to write to."""
        directory = str(run.get("directory", ""))
        run = {**run, "directory": directory if os.path.isdir(directory) else os.getcwd()}
        self._failures_only = failures_only
        self._files: list[_File] = []
        self._reports: list[Report] = []
        # Whether a report is written to standard output, which is then for nothing else.
        self.takes_standard_output = STANDARD_OUTPUT in map(asked.get, FILES)
        self.is_cut_off = False  # whether nobody takes any more what goes to standard output
        if any(map(asked.get, FILES)):
            from harness.running.limits import interrupt_on_signals

            interrupt_on_signals()  # or what is begun would stay behind
        try:
            for kind in FILES:
                if asked.get(kind):
                    self._begin(kind, str(asked[kind]), run, kept)
            if asked.get("github"):
                if self.takes_standard_output:
                    raise ReportError("--github writes to standard output, so no report can go to -")
                self._reports.append(_module("github").Report(sys.stdout.buffer, run))
        except BaseException:
            self.abandon()
            raise

    def _begin(self, kind: str, path: str, run: "Run", kept: "Sequence[str]") -> None:
        for other, what in (
            *((file.path, f"the report of --{file.kind}") for file in self._files),
            *((name, "the journal") for name in kept),
        ):
            if _is_same(path, other):
                raise ReportError(f"--{kind}: {path} is for {what}; a report needs a file of its own")
        check_target(f"--{kind}", path, _module(kind).START)
        file = _File(kind, path)
        self._files.append(file)
        self._reports.append(_module(kind).Report(file.open(), run))

    def __bool__(self) -> bool:
        return bool(self._reports)

    @property
    def paths(self) -> list[str]:
        """The files that are being written, and those that they will replace."""
        return [name for file in self._files for name in (file.path, file.temporary) if name]

    def ended(self, result: "Result", summary: "Summary") -> None:
        """Hand a result on, unless only failures are wanted and it is none."""
        if self._failures_only and result.verdict in FINE:
            return
        try:
            for report in list(self._reports):
                self._unless_cut_off(report, partial(report.add, result))
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _unless_cut_off(self, report: "Report", act: "Callable[[], None]") -> None:
        """Do without a report that nobody takes any more, if there are files that others will take."""
        try:
            act()
        except BrokenPipeError:
            if not any(file.temporary for file in self._files):
                raise
            self._reports.remove(report)
            self.is_cut_off = True

    def missing(self, program: str, why: str) -> None:
        """A program cannot be started; every case that it concerns says so by itself."""

    def tick(self, summary: "Summary") -> None:
        """Time has passed, which concerns no report."""

    def finish(self, summary: "Summary", causes: "Sequence[CauseText]" = ()) -> None:
        """Complete all reports, and give them their names."""
        try:
            for report in list(self._reports):
                self._unless_cut_off(report, partial(report.finish, summary, causes))
            # Those first that cannot be cut off.
            self._files.sort(key=lambda file: not file.temporary)
            while self._files:
                self._files[0].keep()
                del self._files[0]
        except OSError as problem:
            raise self._unwritable(problem) from None
        finally:
            self.abandon()

    def _unwritable(self, problem: OSError) -> OSError:
        where = problem.filename or ", ".join(file.path for file in self._files) or "standard output"
        return OSError(problem.errno, problem.strerror, where)

    def abandon(self) -> None:
        """Remove what is not complete."""
        while self._files:
            self._files.pop().drop()


class Several:
    """Several listeners, as one."""

    def __init__(self, *listeners: "Listener") -> None:
        self._listeners = listeners

    def ended(self, result: "Result", summary: "Summary") -> None:
        """A case has ended for good."""
        for listener in self._listeners:
            listener.ended(result, summary)

    def missing(self, program: str, why: str) -> None:
        """A program cannot be started."""
        for listener in self._listeners:
            listener.missing(program, why)

    def tick(self, summary: "Summary") -> None:
        """Time has passed."""
        for listener in self._listeners:
            listener.tick(summary)


def _module(kind: str) -> "Any":
    from importlib import import_module

    return import_module(f"harness.report.{kind}")


def _atomic_file(path: str) -> "AtomicFile":
    from harness.files import AtomicFile

    return AtomicFile(path)


class _File:
    """What a report is written to: a file that is not there before it is complete, or something else."""

    def __init__(self, kind: str, path: str) -> None:
        """Nothing is made before `open`."""
        self.kind = kind
        self.path = path
        self._stream: BinaryIO | None = None
        # A pipe or a device is just written to.
        is_file = path != STANDARD_OUTPUT and (os.path.isfile(path) or not os.path.exists(path))
        self._atomic = _atomic_file(path) if is_file else None

    @property
    def temporary(self) -> str:
        """Its other name; empty if it has none."""
        return self._atomic.temporary if self._atomic else ""

    def open(self) -> "BinaryIO":
        """Begin; what others have begun and will never complete is removed."""
        try:
            if self._atomic is not None:
                from harness.files import remove_abandoned

                remove_abandoned(self.path)
                return self._atomic.open()
            to = os.dup(sys.stdout.fileno()) if self.path == STANDARD_OUTPUT else self.path
            self._stream = open(to, "wb")  # noqa: SIM115
            return self._stream
        except OSError as problem:
            raise ReportError(f"--{self.kind}: cannot write {self.path}: {problem.strerror}") from None

    def keep(self) -> None:
        """The report is complete."""
        if self._atomic is not None:
            self._atomic.keep()
        elif self._stream is not None:
            self._stream.close()

    def drop(self) -> None:
        """The report will never be complete."""
        if self._atomic is not None:
            self._atomic.drop()
        try:
            if self._stream is not None:
                self._stream.close()
        except OSError:
            pass  # what could not be written is not wanted any more


def write_file(kind: str, path: str, data: bytes) -> None:
    """Write what the option of this name asks for: a file, complete or not at all; or to what is no file."""
    if path == STANDARD_OUTPUT and sys.stdout is None:
        raise BrokenPipeError
    file = _File(kind, path)
    try:
        file.open().write(data)
        file.keep()
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, path) from None
    finally:
        file.drop()


def check_page(path: str, start: bytes) -> None:
    """See, before anything is done, that a page can be written and nothing is lost. Raises ReportError."""
    check_target("--html", path, start)
    if path != STANDARD_OUTPUT and (os.path.isfile(path) or not os.path.exists(path)):
        file = _File("html", path)
        try:
            file.open()
        finally:
            file.drop()


def check_target(option: str, path: str, start: bytes) -> None:
    """See that nothing is lost when a file is written that begins like this. Raises ReportError."""
    from harness.fixtures.cases import case_of

    if path == STANDARD_OUTPUT:
        return
    if os.path.isdir(path):
        raise ReportError(f"{option}: {path} is a directory")
    if case_of(path) is not None:
        raise ReportError(f"{option}: {path} has the name of a file of a case; choose another")
    if os.path.isfile(path) and os.path.getsize(path) and not _begins_with(start, path):
        raise ReportError(
            f"{option}: {path} exists already and is something else; remove it, or choose another name"
        )


def _begins_with(start: bytes, path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(len(start)) == start
    except OSError:
        return False


def _is_same(one: str, other: str) -> bool:
    if STANDARD_OUTPUT in (one, other):
        return one == other
    if os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other):
        return os.path.isfile(one)  # two may well go to /dev/null
    return os.path.realpath(one) == os.path.realpath(other) and not os.path.exists(one)
