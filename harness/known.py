"""Known failures: cases of which a file in their directory says that they fail for now.

The file is known-failures.txt in a directory of cases, or in any directory above them; it names cases by
their path from where it lies. A case that is named and fails is a known failure, and fine; one that is
named and passes is an unexpected pass, which is not.
"""

import os
import sys

from harness.commandline import WrongUse
from harness.verdicts import KNOWN, PASS, UNEXPECTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.judge import Record

FILE = "known-failures.txt"
HEAD = """\
# Cases that are known to fail, by their paths from here. A run does not fail because of them; it fails
# when one of them passes: then strike it out.
"""


class KnownFailuresError(WrongUse):
    """A list of known failures that cannot be used; str() says why."""


class KnownFailures:
    """What the lists above a case say about it. Each list is read once."""

    def __init__(self) -> None:
        self._listed: dict[str, frozenset[str]] = {}  # the cases that a folder's own list names
        self._met: set[tuple[str, str]] = set()  # folders and names of cases that have been marked
        self._above: dict[str, list[str]] = {}  # the folders with a list above a folder

    def mark(self, record: "Record") -> None:
        """Give the record of a case that is known to fail the verdict that follows from that."""
        folder = os.path.abspath(os.path.dirname(record["case"]))
        name = os.path.join(folder, os.path.basename(record["case"]))
        for above in self._lists_above(folder):
            listed = os.path.relpath(name, above)
            if listed in self._names(above):
                self._met.add((above, listed))
                _mark(record, os.path.join(above, FILE))
                return

    def unmet(self) -> list[str]:
        """What is listed, but was no case of this run: each with the list that has it."""
        return [
            f"{os.path.relpath(os.path.join(folder, FILE))}: there is no case {name}"
            for folder, names in self._listed.items()
            for name in sorted(names)
            if (folder, name) not in self._met and not self._exists(os.path.join(folder, name))
        ]

    @staticmethod
    def _exists(name: str) -> bool:
        from harness.fixtures import NoSuchPathError, case_at

        try:
            return bool(case_at(name).name == name)
        except NoSuchPathError:
            return False

    def _lists_above(self, folder: str) -> list[str]:
        """The folders with a list among this one and those above it, the nearest first."""
        unknown = []
        while folder not in self._above and folder != os.path.dirname(folder):
            unknown.append(folder)
            folder = os.path.dirname(folder)
        found = self._above.get(folder, [])
        for below in reversed(unknown):
            if os.path.lexists(os.path.join(below, FILE)):
                found = [below, *found]
            self._above[below] = found
        return found

    def _names(self, folder: str) -> frozenset[str]:
        names = self._listed.get(folder)
        if names is None:
            names = self._listed[folder] = frozenset(read(os.path.join(folder, FILE)))
        return names

    def conclude(self, status: int) -> int:
        """The exit status of a run that has this one by its verdicts. What is listed in vain is said."""
        for line in self.unmet():
            print(f"harness: {line}", file=sys.stderr, flush=True)
        return status


class NewList(KnownFailures):
    """What fails in this run, to be known from then on; in the run itself nothing is."""

    def __init__(self, folders: list[str]) -> None:
        super().__init__()
        self._folders = folders
        self._verdicts: dict[str, str] = {}

    def mark(self, record: "Record") -> None:
        """Note the verdict."""
        self._verdicts[record["case"]] = record["verdict"]

    def conclude(self, status: int) -> int:
        """Write the list of each folder, and say so; then everything is as it should be."""
        for folder in self._folders:
            below = os.path.join(folder, "")
            ran = {name: verdict for name, verdict in self._verdicts.items() if name.startswith(below)}
            failed = [(name, verdict) for name, verdict in ran.items() if verdict != PASS]
            path = write(folder, failed, ran)
            print(f"{len(failed)} known to fail from now on, listed in {path}", flush=True)
        return 0


def _mark(record: "Record", path: str) -> None:
    if record["verdict"] == PASS:
        record["verdict"] = UNEXPECTED
        record["detail"] = f"strike it from {os.path.relpath(path)}"
        record.setdefault("differences", [])
    else:
        detail = record.get("detail")
        record["detail"] = f"{record['verdict']}: {detail}" if detail else record["verdict"]
        record["verdict"] = KNOWN


def read(path: str) -> list[str]:
    """The names that a list has."""
    return [name for line in _lines(path) if (name := _name(line))]


def _lines(path: str) -> list[str]:
    try:
        if not os.path.isfile(path):
            raise KnownFailuresError(f"{path} is not a file")
        with open(path, encoding="utf-8-sig") as file:
            return file.read().splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        why = problem.strerror if isinstance(problem, OSError) else "it is not UTF-8"
        raise KnownFailuresError(f"{path} cannot be read: {why}") from None


def _name(line: str) -> str:
    """The case that a line names; empty if it names none."""
    name = line.partition("#")[0].strip()
    return os.path.normpath(name) if name else ""


def write(folder: str, failed: "Iterable[tuple[str, str]]", ran: "Iterable[str]") -> str:
    """Write the list of a folder from the names and verdicts of the cases that have failed; its path.

    Names are paths that begin like the folder's own. Lines stay as they are, remarks and all, but for
    those of cases that were run and have passed.
    """
    from harness.whole import replace_file

    path = os.path.join(folder, FILE)
    new = {os.path.relpath(name, folder): verdict for name, verdict in failed}
    mended = {os.path.relpath(name, folder) for name in ran} - set(new)
    lines = _lines(path) if os.path.lexists(path) else HEAD.splitlines()
    kept = [line for line in lines if _name(line) not in mended]
    added = sorted(set(new) - set(map(_name, kept)))
    kept += [f"{name}  # {new[name]}" for name in added]
    replace_file(path, "".join(f"{line}\n" for line in kept).encode())
    return path
