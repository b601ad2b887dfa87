"""What is remembered between two runs: which cases failed, and which were slow.

The names of cases stand one after the other, each after a letter for what it is and before a zero
byte, which no name contains.
"""

import os

from harness.files import read_file, replace_file

MOST_FAILED = 2000
MOST_SLOW = 100
SLOW = 0.5  # seconds; what is faster is not worth starting with
_FAILED, _SLOW = b"F", b"S"


def _path() -> str:
    """The file for runs from this directory."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = os.getcwd().replace("%", "%25").replace("/", "%2F")
    return os.path.join(cache, "evolution-harness", f"{name[-200:]}.last")


class LastRun:
    """The failed and the slow cases of the last run from this directory."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.slow: list[str] = []
        try:
            remembered = read_file(_path()).split(b"\0")
        except OSError:
            return  # nothing is remembered, and nothing depends on it
        for name in remembered:
            if name.startswith((_FAILED, _SLOW)):
                (self.failed if name.startswith(_FAILED) else self.slow).append(os.fsdecode(name[1:]))

    @staticmethod
    def write(failed: list[str], slow: list[str]) -> None:
        """Remember this run; where that is not possible, do without."""
        path = _path()
        names = [_FAILED + os.fsencode(name) for name in failed[:MOST_FAILED]]
        names += [_SLOW + os.fsencode(name) for name in slow[:MOST_SLOW]]
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, b"\0".join(names))
        except OSError:
            pass
