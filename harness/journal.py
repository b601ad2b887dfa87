"""The journal: one JSON object per case, on a line of its own, written as the case ends.

The first object of a run also says how the run was started, under "run", so that it can be
continued from the journal alone. A line that was cut off by a crash is dropped when it is read.
"""

import os

import orjson

from harness.judge import VERSION
from harness.verdicts import VERDICTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.judge import Record

_TEXT = {"type": "string"}
_NUMBER = {"type": "number", "minimum": 0}
_COUNT = {"type": "integer", "minimum": 0}

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
        "smallest": {
            "type": "array",
            "items": _TEXT,
            "minItems": 3,
            "maxItems": 3,
            "description": "the smallest part that differs: where, expected, printed",
        },
        "explanation": {"type": "array", "items": _TEXT, "description": "with --explain: by the rules"},
        "reproduce": {**_TEXT, "description": "the line to type to see it again"},
        "stdout": {**_TEXT, "description": "what was printed, cut, bad bytes escaped"},
        "stderr": {**_TEXT, "description": "the same of standard error"},
        "run": {"type": "object", "description": "in the first object: how the run was started"},
    },
    "additionalProperties": False,
}


class JournalError(Exception):
    """A journal that cannot be used; str() says why."""


class Journal:
    """A journal that is being written. Every record is on its way to the disk before the next."""

    def __init__(self, path: str, run: "dict[str, Any]", append: bool) -> None:
        """Start a journal, or go on with one."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | (os.O_APPEND if append else os.O_TRUNC)
        try:
            self._descriptor = os.open(path, flags, 0o644)
        except OSError as problem:
            raise JournalError(f"{path}: {problem.strerror}") from None
        is_begun = append and os.fstat(self._descriptor).st_size > 0
        self._run: dict[str, Any] | None = None if is_begun else run

    def write(self, record: "Record") -> None:
        """Add the record of a case that has ended."""
        if self._run is not None:
            record = {**record, "run": self._run}
            self._run = None
        data = memoryview(orjson.dumps(record, option=orjson.OPT_APPEND_NEWLINE))
        while data:
            data = data[os.write(self._descriptor, data) :]

    def close(self) -> None:
        """No more records."""
        os.close(self._descriptor)


def read_journal(path: str) -> "Iterator[Record]":
    """The records of a journal, but for a last one that was cut off."""
    try:
        with open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):
                if line.endswith(b"\n"):
                    yield _record(path, number, line)
    except OSError as problem:
        raise JournalError(f"{path}: {problem.strerror}") from None


def _record(path: str, number: int, line: bytes) -> "Record":
    try:
        record = orjson.loads(line)
        if record["v"] != VERSION:
            raise JournalError(f"{path}:{number}: a journal of version {record['v']}, not {VERSION}")
        record["case"], record["verdict"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        raise JournalError(f"{path}:{number}: not a line of a journal") from None
    return dict(record)


def drop_cut_off_line(path: str) -> None:
    """Remove what was written of a last record that is not whole."""
    with open(path, "r+b") as journal:
        size = journal.seek(0, os.SEEK_END)
        while size:
            start = max(0, size - (1 << 16))
            journal.seek(start)
            newline = journal.read(size - start).rfind(b"\n")
            if newline >= 0:
                journal.truncate(start + newline + 1)
                return
            size = start
        journal.truncate(0)
