"""Directories of cases: which files make a case, and which program it is for.

Folders are read as they are walked, so a tree of any size costs no memory and the first case is
there at once. Folders of ordinary size are walked in the order of their names.
"""

import os
from itertools import chain, islice
from stat import S_ISDIR, S_ISREG

from harness.commandline import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    KindOf = Callable[[str], str | None]  # None if there is nothing

SORTED_UP_TO = 5000  # entries of a folder that are put in order before they are walked

# The endings of a case's three files: input, expected output, arguments.
ENDINGS = (
    ("-in.json", "-out.json", "-args.json"),
    (".in.json", ".out.json", ".args.json"),
    (".in", ".ans", ".args"),
)
INPUT_ENDINGS = [endings[0] for endings in ENDINGS]
FOLDERS = ("in", "out", "args")  # in which they may be instead, as NAME.json
FILE, FOLDER, OTHER = "file", "folder", "other"


class Case:
    """The files of one case. `problem` says what is wrong if it is broken."""

    __slots__ = ("arguments", "expected", "input", "name", "problem")

    def __init__(self, name: str, input: str, expected: str, arguments: str, problem: str = "") -> None:
        self.name = name
        self.input = input
        self.expected = expected
        self.arguments = arguments
        self.problem = problem


class NoSuchPathError(WrongUse):
    """A path that leads to no case; str() says so."""


def find_cases(paths: "Iterable[str]") -> "Iterator[Case]":
    """Every case in these folders, or named by these files, in order."""
    for path in paths:
        if os.path.isdir(path):
            yield from _walk(path)
        else:
            yield case_at(path)


def case_at(path: str) -> Case:
    """The case that a path names: one of its files, or what their names have in common."""
    folder, name = os.path.split(path)
    with_endings = [path + ending for endings in ENDINGS for ending in endings[:2]]
    in_folders = [os.path.join(folder, part, f"{name}.json") for part in FOLDERS[:2]]
    for file in (path, *with_endings, *in_folders):
        files = _files_of(file)
        if files is not None and os.path.lexists(file):
            return _case(*files, _kind_at)
    raise NoSuchPathError(f"{path}: no such directory or case")


def case_of(file: str) -> "Case | None":
    """The case that a file belongs to by its name, be it there or not; None if it belongs to none."""
    files = _files_of(file)
    return None if files is None else _case(*files, _kind_at)


def matching(pattern: "str | None") -> "Callable[[str], bool]":
    """Whether the path of a case contains the pattern, or matches it if there is a * or ? in it."""
    if not pattern:
        return lambda name: True
    if any(one in pattern for one in "*?["):
        from fnmatch import fnmatch

        return lambda name: fnmatch(name, pattern) or fnmatch(name, f"*{pattern}*")
    return lambda name: pattern.lower() in name.lower()


def _walk(root: str) -> "Iterator[Case]":
    """The cases in a folder, and then those in the folders below it."""
    unread = [root]
    while unread:
        folder = unread.pop()
        below: list[str] = []
        try:
            for entry, kind_of in _entries(folder):
                kind = _kind(entry)
                if kind != FOLDER:
                    yield from _met_at(entry.path, kind, kind_of)
                elif not (entry.is_symlink() and _leads_back(entry.path, root)):
                    below.append(entry.path)
        except OSError as problem:
            nowhere = os.path.join(folder, "")
            yield Case(folder, nowhere, nowhere, "", f"the folder cannot be read: {problem.strerror}")
        unread += reversed(below)


def _entries(folder: str) -> "Iterator[tuple[os.DirEntry[str], KindOf]]":
    """What is in a folder, in order unless that is very much, and what tells of which kind it is."""
    with os.scandir(folder) as entries:
        first = sorted(islice(entries, SORTED_UP_TO), key=lambda entry: entry.name)
        rest = list(islice(entries, 1))
        # What a whole listing tells need not be asked file by file.
        kind_of = _kind_at if rest else {entry.path: _kind(entry) for entry in first}.get
        for entry in chain(first, rest, entries):
            yield entry, kind_of


def _kind(entry: "os.DirEntry[str]") -> str:
    try:
        return FILE if entry.is_file() else FOLDER if entry.is_dir() else OTHER
    except OSError:  # a symbolic link that leads to itself
        return OTHER


def _kind_at(path: str) -> "str | None":
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return OTHER if os.path.islink(path) else None
    return FILE if S_ISREG(mode) else FOLDER if S_ISDIR(mode) else OTHER


def _leads_back(link: str, root: str) -> bool:
    """Whether a link leads to a folder that it is in itself, so that a walk would never end."""
    folder = os.path.dirname(link)
    while not os.path.samefile(link, folder):
        if len(folder) <= len(root):
            return False
        folder = os.path.dirname(folder)
    return True


def _met_at(path: str, kind: str, kind_of: "KindOf") -> "Iterator[Case]":
    """The case that is met at this file: it has several, and counts at the first that is a file."""
    files = _files_of(path)
    if files is None:
        return
    name, *three = files
    if three[0].removeprefix(name) not in INPUT_ENDINGS:
        kind_of = _kind_at  # they are in several folders
    rivals = three[: three.index(path)] if kind == FILE else [file for file in three if file != path]
    if not any(kind_of(file) == FILE for file in rivals):
        yield _case(*files, kind_of)


def _files_of(path: str) -> "tuple[str, str, str, str] | None":
    """The name and the three files of the case that a file of this name belongs to, if it does to one."""
    for endings in ENDINGS:
        for ending in endings:
            stem = path.removesuffix(ending)
            if stem != path and stem and not stem.endswith("/"):
                return stem, stem + endings[0], stem + endings[1], stem + endings[2]
    folder, name = os.path.split(path)
    above, last = os.path.split(folder)
    if name.endswith(".json") and last in FOLDERS:
        given, expected, arguments = (os.path.join(above, part, name) for part in FOLDERS)
        return os.path.join(above, name.removesuffix(".json")), given, expected, arguments
    return None


def _case(name: str, input: str, expected: str, arguments: str, kind_of: "KindOf") -> Case:
    problem = ""
    for what, file in (("input", input), ("expected output", expected)):
        kind = kind_of(file)
        if kind != FILE and not problem:
            problem = f"its {what} {os.path.basename(file)} is {'not a file' if kind else 'missing'}"
    return Case(name, input, expected, arguments if kind_of(arguments) else "", problem)


class Programs:
    """Which executable a case is for."""

    def __init__(self, folder: str, names: "Iterable[str]", only: str = "") -> None:
        """The executables of a folder, some of which are expected; or one for every case."""
        self._folder = folder
        self._only = only
        self._names = set(names)
        if not only:
            self._names |= {entry.name for entry in os.scandir(folder) if _executable(entry.path)}
        self._of_folder: dict[str, str] = {}

    @property
    def names(self) -> set[str]:
        """The names that make a folder one with cases for a program."""
        return self._names

    def name_for(self, case: Case) -> str:
        """The name of the program that the case is for; empty if no folder above it says so."""
        if self._only:
            return os.path.basename(self._only)
        folder = os.path.dirname(case.input)
        name = self._of_folder.get(folder)
        if name is None:
            parts = os.path.abspath(folder).split(os.sep)
            name = next((part for part in reversed(parts) if part in self._names), "")
            self._of_folder[folder] = name
        return name

    def path_of(self, name: str) -> str:
        """The executable of this name."""
        return os.path.abspath(self._only or os.path.join(self._folder, name))

    def why_not(self, name: str) -> str:
        """Why the program of this name cannot be started; empty if it seems it can."""
        path = self.path_of(name)
        if not os.path.exists(path):
            return f"{path} does not exist"
        if os.path.isdir(path):
            return f"{path} is a directory"
        if not os.access(path, os.X_OK):
            return f"{path} is not executable; try: chmod +x {path}"
        problem = _format_problem(path)
        return f"{path} {problem}" if problem else ""


def _format_problem(path: str) -> str:
    """What forbids that the system executes the file, as far as its beginning shows."""
    try:
        with open(path, "rb") as file:
            start = file.read(256)
    except OSError:
        return ""  # who cannot read it may still execute it
    if not start.startswith(b"#!"):
        return "" if b"\0" in start else "is no program: it does not begin with a #! line"
    line, newline, _ = start[2:].partition(b"\n")
    interpreter = os.fsdecode((line.split() or [b""])[0])
    if newline and line.endswith(b"\r"):
        return "has a #! line that ends in a carriage return, as on Windows; that is taken for part of a name"
    if newline and not _executable(interpreter):
        return f"needs {interpreter or 'an interpreter'}, which its #! line names and which is not there"
    return ""


def _executable(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)
