"""The journal of a tournament: a line that says which tournament it is, and one for each game that has ended.

A line is whole or not there: a tournament that was killed continues after the last game that had ended.
"""

import json
import os
from typing import NamedTuple

from harness.errors import UserError
from harness.running.journal import RecordFile, whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from harness.tournament.schedule import Meeting

VERSION = 1
NAME = "journal.jsonl"


class Record(NamedTuple):
    """A game that has ended. What is listed is listed by seats."""

    number: int
    deck: int
    seats: tuple[int, ...]  # which players sat there
    scores: tuple["int | None", ...]  # None: thrown out
    reasons: tuple[str, ...]  # why; empty for who was not
    questions: tuple[int, ...]  # how many were asked
    seconds: tuple[float, ...]  # how long all answers to them took
    longest: tuple[float, ...]  # how long the slowest one took

    def to_json(self) -> "dict[str, Any]":
        """The record as it stands in the journal."""
        return {"v": VERSION, **self._asdict()}


def _list_of(of: "Callable[[Any], bool]") -> "Callable[[Any], bool]":
    return lambda value: isinstance(value, list) and all(map(of, value))


def _is_whole(value: "Any") -> bool:
    return type(value) is int and value >= 0


def _is_time(value: "Any") -> bool:
    return type(value) in (int, float) and value >= 0


FIELDS: "dict[str, Callable[[Any], bool]]" = {
    "number": _is_whole,
    "deck": _is_whole,
    "seats": _list_of(_is_whole),
    "scores": _list_of(lambda value: value is None or _is_whole(value)),
    "reasons": _list_of(lambda value: isinstance(value, str)),
    "questions": _list_of(_is_whole),
    "seconds": _list_of(_is_time),
    "longest": _list_of(_is_time),
}


class BadJournal(UserError):
    """A journal that is not of this tournament; str() says where and why."""


class TournamentJournal:
    """The journal of a tournament that is being played, and what it held when it was opened."""

    def __init__(self, folder: str, terms: "Mapping[str, object]", meetings: "Mapping[int, Meeting]") -> None:
        """Begin it in a folder, or go on with the one that is there.

        Raises BadJournal, with everything left as it is, if that is of a tournament with other terms.
        """
        path = os.path.join(folder, NAME)
        self.records: dict[int, Record] = {}
        if os.path.exists(path):
            for record in _read(path, json.loads(json.dumps(whole(terms))), meetings):
                self.records[record.number] = record
        self._file = RecordFile(path, append=True)
        if not self._file.is_begun:
            self._file.add({"v": VERSION, "tournament": terms})

    def add(self, record: Record) -> None:
        """Add a game that has ended."""
        self._file.add(record.to_json())
        self.records[record.number] = record

    def close(self) -> None:
        """No more games."""
        self._file.close()


def _read(path: str, terms: "dict[str, Any]", meetings: "Mapping[int, Meeting]") -> "Iterator[Record]":
    """The games in the journal of the tournament with these terms, those that are still wanted."""
    with open(path, "rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return  # it was cut off
            try:
                value = json.loads(line)
            except ValueError:
                value = None
            if not isinstance(value, dict) or value.get("v") != VERSION:
                raise BadJournal(f"{path}:{number}: not a line of the journal of a tournament")
            if number == 1:
                _compare(path, value.get("tournament"), terms)
                continue
            record = read_record(value)
            if record is None:
                raise BadJournal(f"{path}:{number}: not a game of a tournament")
            meeting = meetings.get(record.number)
            if meeting is not None:
                if (record.deck, record.seats) != (meeting.deck, meeting.seats):
                    raise BadJournal(f"{path}:{number}: game {record.number} is of another tournament")
                yield record


def _compare(path: str, there: object, terms: "dict[str, Any]") -> None:
    """Raises BadJournal unless the journal is of the tournament with these terms."""
    if not isinstance(there, dict):
        raise BadJournal(f"{path}:1: not the journal of a tournament")
    for key, value in terms.items():
        if there.get(key) != value:
            raise BadJournal(
                f"{path}:1: another tournament: {key} was {json.dumps(there.get(key), ensure_ascii=False)}, "
                f"and is {json.dumps(value, ensure_ascii=False)}; name another folder with --out"
            )


def read_record(value: "dict[str, Any]") -> "Record | None":
    """The game of a line; None if it is none."""
    if not all(name in value and is_right(value[name]) for name, is_right in FIELDS.items()):
        return None
    parts: list[Any] = [
        tuple(value[name]) if isinstance(value[name], list) else value[name] for name in FIELDS
    ]
    record = Record(*parts)
    return record if len({len(part) for part in parts if isinstance(part, tuple)}) == 1 else None
