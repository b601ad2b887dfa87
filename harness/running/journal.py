"""The journal: one JSON object per case, on a line of its own, written as the case ends.

The first object of a run also says how the run was started, under "run", so that it can be
continued from the journal alone. A line that was cut off by a crash is dropped when it is read.
"""

import json
import os
import stat

from harness.errors import WrongUse
from harness.judging.result import VERSION, BadResult, Result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedRandom
    from typing import Any

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
BEGINNING = b'{"v":'  # of every line


class JournalError(WrongUse):
    """A journal that cannot be used; str() says why."""


class RecordFile:
    """A file of JSON objects, one a line, that is being written. Each is on its way before the next."""

    def __init__(self, path: str, append: bool) -> None:
        """Start a file, or go on with one behind its last whole record; nobody else writes to it."""
        self._path = path
        self._descriptor = _locked(path)
        # A worker that outlives its run must not keep the next one from the file.
        os.register_at_fork(after_in_child=self.close)
        if append:
            drop_cut_off_line(path)
        elif stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.ftruncate(self._descriptor, 0)
        self.is_begun = append and os.fstat(self._descriptor).st_size > 0

    def add(self, record: "dict[str, Any]") -> None:
        """Add a record."""
        data = memoryview(_line(record))
        try:
            while data:
                data = data[os.write(self._descriptor, data) :]
        except OSError as problem:
            raise OSError(problem.errno, problem.strerror, self._path) from None

    def close(self) -> None:
        """No more records."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Journal(RecordFile):
    """A journal that is being written."""

    def __init__(self, path: str, run: "dict[str, Any]", append: bool) -> None:
        """Start a journal, or go on with one behind its last whole record; no other run writes to it."""
        super().__init__(path, append)
        self._run: dict[str, Any] | None = None if self.is_begun else run

    def write(self, result: Result) -> None:
        """Add the result of a case that has ended."""
        if self._run is not None:
            result = result._replace(run=self._run)
            self._run = None
        self.add(result.to_json())


def _locked(path: str) -> int:
    """A descriptor of a journal that nobody else writes to; what is in it is left alone."""
    import fcntl

    if path == "-":
        raise JournalError("--json: a journal goes to a file, not to standard output (-)")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_APPEND, 0o644)
        if stat.S_ISREG(os.fstat(descriptor).st_mode):  # any number may write to a device
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise JournalError(f"{path}: another run is writing to it") from None
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None
    return descriptor


def _line(record: "dict[str, Any]") -> bytes:
    try:
        return f"{_encode(record)}\n".encode()
    except UnicodeEncodeError:  # halves of characters, as in a file name that is no UTF-8
        return f"{_encode(whole(record))}\n".encode()


def whole(value: "Any") -> "Any":
    """The value with all its texts as they are recorded: bytes escaped that are no UTF-8."""
    if isinstance(value, str):
        return as_recorded(value)
    if isinstance(value, (list, tuple)):
        return list(map(whole, value))
    return {key: whole(part) for key, part in value.items()} if isinstance(value, dict) else value


def as_recorded(text: str) -> str:
    """The text with bytes escaped that are no UTF-8."""
    return text.encode(errors="surrogateescape").decode(errors="backslashreplace")


def read_journal(path: str) -> "Iterator[Result]":
    """The results in a journal, but for a last one that was cut off."""
    try:
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n"):
                    yield _result(path, number, line)
                elif not line.startswith(BEGINNING) and not BEGINNING.startswith(line):
                    raise JournalError(f"{path}:{number}: not a line of a journal")
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None


def _result(path: str, number: int, line: bytes) -> Result:
    try:
        record = json.loads(line)
        if record["v"] != VERSION:
            raise JournalError(f"{path}:{number}: a journal of version {record['v']}, not {VERSION}")
        result = Result.from_json(record)
        if result.team is not None or result.suite is not None or result.unsteady is not None:
            raise BadResult("team")  # it is one of a grading
    except BadResult as problem:
        raise JournalError(f"{path}:{number}: not a line of a journal: {problem}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise JournalError(f"{path}:{number}: not a line of a journal") from None
    return result


def drop_cut_off_line(path: str) -> None:
    """Remove what was written of a last record that is not whole."""
    try:
        with open(path, "r+b") as journal:
            journal.truncate(_end_of_whole_lines(journal))
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None


def _end_of_whole_lines(journal: "BufferedRandom") -> int:
    size = journal.seek(0, os.SEEK_END)
    while size:
        start = max(0, size - (1 << 16))
        journal.seek(start)
        newline = journal.read(size - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        size = start
    return 0
