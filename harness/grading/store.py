"""What has been graded is kept here, so that nothing is graded twice, and an interrupted run goes on.

A result is found by the content of the team's files and everything else that it depends on. There is one
file for each state of a team, to which every result is added as it comes.
"""

import os

import orjson

from harness import __version__
from harness.journal import drop_cut_off_line
from harness.judge import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.judge import Record


def key_of(*parts: "Any") -> str:
    """A hash of plain values."""
    from hashlib import blake2b

    return blake2b(orjson.dumps(parts, option=orjson.OPT_SORT_KEYS), digest_size=12).hexdigest()


def version_key() -> str:
    """What stands for the harness itself."""
    return f"{__version__}/{VERSION}"


class Store:
    """A folder of results."""

    def __init__(self, folder: str) -> None:
        self.folder = os.path.abspath(folder)
        os.makedirs(os.path.join(folder, "results"), mode=0o700, exist_ok=True)

    def _path(self, team: str) -> str:
        return os.path.join(self.folder, "results", f"{team}.jsonl")

    def records(self, team: str) -> "Iterator[tuple[str, Record]]":
        """What is known of a state of a team: keys and records."""
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
                    yield record.pop("key"), record
                except (orjson.JSONDecodeError, KeyError, AttributeError):
                    continue  # a line that somebody has spoilt costs one result, which is found anew

    def add(self, team: str, key: str, record: "Record") -> None:
        """Keep a result; it is on its way to the disk when this returns."""
        data = orjson.dumps({"key": key, **record}, option=orjson.OPT_APPEND_NEWLINE)
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
            with open(os.path.join(self.folder, kind, f"{key}.json"), "rb") as file:
                return orjson.loads(file.read())
        except (OSError, orjson.JSONDecodeError):
            return None

    def write_note(self, kind: str, key: str, value: "Any") -> None:
        """Write something down under a key."""
        folder = os.path.join(self.folder, kind)
        os.makedirs(folder, mode=0o700, exist_ok=True)
        path = os.path.join(folder, f"{key}.json")
        with open(f"{path}.{os.getpid()}", "wb") as file:
            file.write(orjson.dumps(value))
        os.replace(f"{path}.{os.getpid()}", path)
