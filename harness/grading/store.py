"""What has been graded is kept here, so that nothing is graded twice, and an interrupted run goes on.

A result is found by the content of the team's files and everything else that it depends on. There is one
file for each state of a team, to which every result is added as it comes.
"""

import os
from collections.abc import Iterator
from typing import Any

import orjson

from harness import __version__
from harness.files import read_file, replace_file
from harness.judging.result import VERSION, Result
from harness.running.journal import drop_cut_off_line, whole

SHARD = "shard.json"  # beside a store: that it is but a part of a class, and which


def encoded(value: "Any", option: int = 0) -> bytes:
    """The value as JSON; what is no UTF-8 in it, as names of files may be, is escaped."""
    try:
        return orjson.dumps(value, option=option)
    except orjson.JSONEncodeError:
        return orjson.dumps(whole(value), option=option)


def key_of(*parts: "Any") -> str:
    """A hash of plain values."""
    from hashlib import blake2b

    return blake2b(encoded(parts, orjson.OPT_SORT_KEYS), digest_size=12).hexdigest()


def version_key() -> str:
    """What stands for the harness itself."""
    return f"{__version__}/{VERSION}"


_held: dict[str, int] = {}  # folders that this process alone writes to, and a descriptor of each


def hold(folder: str) -> bool:
    """Keep every other grading out of a folder until this process ends; False if one is in it."""
    import fcntl

    path = os.path.realpath(folder)
    if path in _held:
        return True
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return False
    except OSError:  # a file system without locks
        os.close(descriptor)
        return True
    _held[path] = descriptor
    # A worker that outlives its runner for a moment must not hold what the runner held.
    os.register_at_fork(after_in_child=lambda: os.close(descriptor))
    return True


def is_held(folder: str) -> bool:
    """Whether this process keeps every other grading out of a folder."""
    return os.path.realpath(folder) in _held


class Store:
    """A folder of results."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        os.makedirs(os.path.join(folder, "results"), mode=0o700, exist_ok=True)

    def _path(self, team: str) -> str:
        return os.path.join(self.folder, "results", f"{team}.jsonl")

    def results(self, team: str) -> "Iterator[tuple[str, Result]]":
        """What is known of a state of a team: keys and results."""
        path = self._path(team)
        if not os.path.exists(path):
            return
        with open(path, "rb") as lines:
            for line in lines:
                if not line.endswith(b"\n"):
                    drop_cut_off_line(path)
                    return
                try:
                    record = orjson.loads(line)
                    yield record.pop("key"), Result.from_json(record)
                except (ValueError, KeyError, AttributeError):
                    continue  # a line that somebody has spoilt costs one result, which is found anew

    def add(self, team: str, key: str, result: Result) -> None:
        """Keep a result; it is on its way to the disk when this returns."""
        data = encoded({"key": key, **result.to_json()}, orjson.OPT_APPEND_NEWLINE)
        descriptor = os.open(self._path(team), os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            while data:
                data = data[os.write(descriptor, data) :]
        finally:
            os.close(descriptor)

    def forget(self, team: str) -> None:
        """Grade this state of a team anew."""
        try:
            os.unlink(self._path(team))
        except FileNotFoundError:
            pass

    # --- other things, one file each ---------------------------------------------------------------

    def note(self, kind: str, key: str) -> "Any":
        """Something that was written down under a key; None if nothing was."""
        try:
            return orjson.loads(read_file(os.path.join(self.folder, kind, f"{key}.json")))
        except (OSError, orjson.JSONDecodeError):
            return None

    def write_note(self, kind: str, key: str, value: "Any") -> None:
        """Write something down under a key."""
        folder = os.path.join(self.folder, kind)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        replace_file(os.path.join(folder, f"{key}.json"), encoded(value))
