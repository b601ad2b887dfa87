"""The journal: one JSON object per case, on a line of its own, written as the case ends.

The first object of a run also says how the run was started, under "run", so that it can be
continued from the journal alone. A line that was cut off by a crash is dropped when it is read.
"""

import json
import os
import stat

from harness.errors import WrongUse
from harness.judging.verdicts import VERDICTS
from harness.running.results import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from io import BufferedRandom
    from typing import Any

    from harness.judging.judge import Record

_TEXT = {"type": "string"}
_NUMBER = {"type": "number", "minimum": 0}
_COUNT = {"type": "integer", "minimum": 0}

_CHANGE: "dict[str, Any]" = {
    "type": "object",
    "required": ["path", "place"],
    "properties": {
        "path": {
            "type": "array",
            "items": {"type": ["integer", "string"]},
            "description": "the way to it in what was printed; in what was expected if it is only there",
        },
        "place": {**_TEXT, "description": "the same in words; empty for the answer as a whole"},
        "expected": {"description": "what should be there; not given if nothing should"},
        "actual": {"description": "what is there; not given if nothing is"},
        "of": {
            "enum": ["count", "order"],
            "description": "what differs is the number of things, which is given, or their order",
        },
        "as_text": {
            "type": "array",
            "items": {"enum": ["expected", "actual"]},
            "description": "which of these is but the beginning of its JSON text, because it is too long",
        },
    },
    "additionalProperties": False,
}

SCHEMA: "dict[str, Any]" = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "One line of a journal of `harness run`",
    "type": "object",
    "required": ["v", "case", "program", "verdict", "input", "expected"],
    "properties": {
        "v": {"const": VERSION, "description": "version of this schema"},
        "case": {**_TEXT, "description": "the case: the path of its files without their endings"},
        "program": {**_TEXT, "description": "the program's name; empty if no folder says it"},
        "verdict": {"enum": list(VERDICTS)},
        "input": {**_TEXT, "description": "the file with the input"},
        "expected": {**_TEXT, "description": "the file with the expected output"},
        "exit": {
            "type": ["integer", "null"],
            "description": "exit status; minus the signal's number if a signal ended the program",
        },
        "seconds": {**_NUMBER, "description": "from start to end"},
        "cpu": {**_NUMBER, "description": "seconds of processor time"},
        "memory": {
            **_COUNT,
            "description": "peak resident memory of the largest process, in bytes; at least the worker's own",
        },
        "printed": {**_COUNT, "description": "bytes printed, standard error included"},
        "detail": {**_TEXT, "description": "more about the verdict, if there is more to say"},
        "differences": {"type": "array", "items": _TEXT, "description": "in words, most telling first"},
        "changes": {
            "type": "array",
            "items": _CHANGE,
            "description": "the same differences for tools, in the same order",
        },
        "smallest": {
            "type": "array",
            "items": _TEXT,
            "minItems": 3,
            "maxItems": 3,
            "description": "the smallest part that differs: where, expected, printed",
        },
        "explanation": {"type": "array", "items": _TEXT, "description": "with --explain: by the rules"},
        "transcript": {
            "type": "array",
            "items": _TEXT,
            "description": "of `harness remote`: what was said up to the failure, with the seconds",
        },
        "reproduce": {**_TEXT, "description": "the line to type to see it again"},
        "stdout": {**_TEXT, "description": "what was printed, cut, bad bytes escaped"},
        "stderr": {**_TEXT, "description": "the same of standard error"},
        "run": {"type": "object", "description": "in the first object: how the run was started"},
    },
    "additionalProperties": False,
}


_KINDS: "dict[object, Any]" = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "array": list,
    "object": dict,
    None: (int, str),  # a constant, or one of several words
}
# Which Python values a part of a record may be.
KINDS: "dict[str, Any]" = {
    name: (int, type(None)) if name == "exit" else _KINDS[part.get("type")]
    for name, part in SCHEMA["properties"].items()
}


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
MOST = 1e18  # of anything that is counted or measured
BEGINNING = b'{"v":'  # of every line


class JournalError(WrongUse):
    """A journal that cannot be used; str() says why."""


class Journal:
    """A journal that is being written. Every record is on its way to the disk before the next."""

    def __init__(self, path: str, run: "dict[str, Any]", append: bool) -> None:
        """Start a journal, or go on with one behind its last whole record; no other run writes to it."""
        self._path = path
        self._descriptor = _locked(path)
        # A worker that outlives its run must not keep the next one from the journal.
        os.register_at_fork(after_in_child=self.close)
        if append:
            drop_cut_off_line(path)
        elif stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            os.ftruncate(self._descriptor, 0)
        is_begun = append and os.fstat(self._descriptor).st_size > 0
        self._run: dict[str, Any] | None = None if is_begun else run

    def write(self, record: "Record") -> None:
        """Add the record of a case that has ended."""
        if self._run is not None:
            record = {**record, "run": self._run}
            self._run = None
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


def _locked(path: str) -> int:
    """A descriptor of a journal that nobody else writes to; what is in it is left alone."""
    import fcntl

    if path == "-":
        raise JournalError("--json: a journal goes to a file, and - is none")
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


def _line(record: "Record") -> bytes:
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


def read_journal(path: str) -> "Iterator[Record]":
    """The records of a journal, but for a last one that was cut off."""
    try:
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n"):
                    yield _record(path, number, line)
                elif not line.startswith(BEGINNING) and not BEGINNING.startswith(line):
                    raise JournalError(f"{path}:{number}: not a line of a journal")
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None


def _record(path: str, number: int, line: bytes) -> "Record":
    try:
        record = json.loads(line)
        if record["v"] != VERSION:
            raise JournalError(f"{path}:{number}: a journal of version {record['v']}, not {VERSION}")
    except (ValueError, KeyError, TypeError, RecursionError):
        raise JournalError(f"{path}:{number}: not a line of a journal") from None
    wrong = _misfit(record)
    if wrong:
        raise JournalError(f"{path}:{number}: not a line of a journal: its {wrong} is not as it should be")
    return dict(record)


def _misfit(record: "Record") -> str:
    """The first part of a record that the schema does not allow; empty if there is none.

    The schema's own library takes a hundred times as long for the same.
    """
    for name in SCHEMA["required"]:
        if name not in record:
            return str(name)
    for name, part in record.items():
        if name not in KINDS or not isinstance(part, KINDS[name]):
            return str(name)
        if isinstance(part, list) and not _are_well_formed(name, part):
            return str(name)
        if name in ("seconds", "cpu", "memory", "printed") and not 0 <= part < MOST:
            return str(name)
    if record["verdict"] not in VERDICTS:
        return "verdict"
    return "smallest" if len(record.get("smallest", "abc")) != 3 else ""


def _are_well_formed(name: str, parts: "list[Any]") -> bool:
    if name == "changes" and parts:
        from harness.judging.difference import is_change

        return all(map(is_change, parts))
    return all(isinstance(text, str) for text in parts)


def drop_cut_off_line(path: str) -> None:
    """Remove what was written of a last record that is not whole."""
    try:
        with open(path, "r+b") as journal:
            journal.truncate(_end_ofwhole_lines(journal))
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None


def _end_ofwhole_lines(journal: "BufferedRandom") -> int:
    size = journal.seek(0, os.SEEK_END)
    while size:
        start = max(0, size - (1 << 16))
        journal.seek(start)
        newline = journal.read(size - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        size = start
    return 0
