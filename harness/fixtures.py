"""Directories of cases: which files make a case, and which program it is for.

Folders are read as they are walked, so a tree of any size costs no memory and the first case is
there at once. Folders of ordinary size are walked in the order of their names.
"""

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

SORTED_UP_TO = 5000  # entries of a folder that are put in order before they are walked

# The endings of a case's three files: input, expected output, arguments.
ENDINGS = (
    ("-in.json", "-out.json", "-args.json"),
    (".in.json", ".out.json", ".args.json"),
    (".in", ".ans", ".args"),
)


class Case:
    """The files of one case. `problem` says what is wrong if it is broken."""

    __slots__ = ("arguments", "expected", "input", "name", "problem")

    def __init__(self, name: str, input: str, expected: str, arguments: str, problem: str = "") -> None:
        self.name = name
        self.input = input
        self.expected = expected
        self.arguments = arguments
        self.problem = problem


class NoSuchPathError(Exception):
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
    for file in (name, *(name + endings[0] for endings in ENDINGS)):
        case = _case_of(folder, file)
        if case is not None and os.path.exists(os.path.join(folder, file)):
            return case
    raise NoSuchPathError(f"{path}: no such directory or case")


def case_of(file: str) -> "Case | None":
    """The case that a file belongs to by its name, be it there or not; None if it belongs to none."""
    return _case_of(*os.path.split(file))


def matching(pattern: "str | None") -> "Callable[[str], bool]":
    """Whether the path of a case contains the pattern, or matches it if there is a * or ? in it."""
    if not pattern:
        return lambda name: True
    if any(one in pattern for one in "*?["):
        from fnmatch import fnmatch

        return lambda name: fnmatch(name, pattern) or fnmatch(name, f"*{pattern}*")
    return lambda name: pattern.lower() in name.lower()


def _walk(folder: str) -> "Iterator[Case]":
    folders = []
    for name, is_folder in _entries(folder):
        if is_folder:
            folders.append(name)
            continue
        case = _case_of(folder, name)
        # A case is met once for each of its files; it counts where its first one is met.
        if case is not None and (name == os.path.basename(case.input) or not os.path.isfile(case.input)):
            if _is_argument_file(case, name):
                continue
            yield case
    for name in folders:
        yield from _walk(os.path.join(folder, name))


def _is_argument_file(case: Case, name: str) -> bool:
    """Whether the name is that of the arguments of a case whose other files are met as well."""
    return name == os.path.basename(case.arguments) and os.path.exists(case.expected)


def _entries(folder: str) -> "Iterator[tuple[str, bool]]":
    """Names in the folder, and whether they are folders; in order unless there are very many."""
    with os.scandir(folder) as entries:
        first: list[tuple[str, bool]] = []
        for entry in entries:
            first.append((entry.name, _is_folder(entry)))
            if len(first) > SORTED_UP_TO:
                break
        first.sort()
        yield from first
        for entry in entries:
            yield entry.name, _is_folder(entry)


def _is_folder(entry: "os.DirEntry[str]") -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a symbolic link that leads to itself
        return False


def _case_of(folder: str, name: str) -> "Case | None":
    """The case that the file of this name belongs to, or None if it belongs to none."""
    for endings in ENDINGS:
        for ending in endings:
            if name.endswith(ending) and len(name) > len(ending):
                stem = os.path.join(folder, name[: -len(ending)])
                return _case(stem, *(stem + other for other in endings))
    above, last = os.path.split(folder)
    if name.endswith(".json") and last in ("in", "out", "args"):
        files = (os.path.join(above, part, name) for part in ("in", "out", "args"))
        return _case(os.path.join(above, name.removesuffix(".json")), *files)
    return None


def _case(name: str, input: str, expected: str, arguments: str) -> Case:
    problem = ""
    for what, file in (("input", input), ("expected output", expected)):
        if not os.path.isfile(file) and not problem:
            state = "not a file" if os.path.exists(file) else "missing"
            problem = f"its {what} {os.path.basename(file)} is {state}"
    return Case(name, input, expected, arguments if os.path.exists(arguments) else "", problem)


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


def own_programs() -> str:
    """Where the project's own programs are: in the checkout's bin/, or beside the interpreter."""
    checkout = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "bin")
    if os.path.exists(os.path.join(checkout, "xattack")):
        return checkout
    return os.path.dirname(sys.executable)
