"""What is remembered between two runs: which cases failed, and which were slow."""

import os

import orjson

MOST_FAILED = 2000
MOST_SLOW = 100
SLOW = 0.5  # seconds; what is faster is not worth starting with


def _path() -> str:
    """The file for runs from this directory."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = os.getcwd().replace("%", "%25").replace("/", "%2F")
    return os.path.join(cache, "evolution-harness", f"{name[-200:]}.json")


class Memory:
    """The failed and the slow cases of the last run from this directory."""

    def __init__(self) -> None:
        self.failed: list[str] = []
        self.slow: list[str] = []
        try:
            with open(_path(), "rb") as file:
                remembered = orjson.loads(file.read())
            self.failed = [str(name) for name in remembered["failed"]]
            self.slow = [str(name) for name in remembered["slow"]]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # nothing is remembered, and nothing depends on it

    @staticmethod
    def write(failed: list[str], slow: list[str]) -> None:
        """Remember this run; where that is not possible, do without."""
        path = _path()
        data = orjson.dumps({"failed": failed[:MOST_FAILED], "slow": slow[:MOST_SLOW]})
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(f"{path}.{os.getpid()}", "wb") as file:
                file.write(data)
            os.replace(f"{path}.{os.getpid()}", path)
        except OSError:
            pass
