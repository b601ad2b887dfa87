"""Suites of cases, read once for all teams: which cases they have, for which programs, and worth how much."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from fnmatch import fnmatch
from hashlib import blake2b

from evolution.wire.errors import NotJSON
from harness.errors import WrongUse, did_you_mean
from harness.files import read_file
from harness.fixtures.arguments import BadArguments, arguments_of
from harness.fixtures.cases import NO_PROGRAM, Case, NoSuchPathError, find_cases, program_of
from harness.fixtures.naming import Names
from harness.fixtures.untaken import Untaken
from harness.grading.config import CASES, Config, SuiteSpec, total_of
from harness.grading.store import key_of
from harness.grading.teams import readable
from harness.judging.compare import parse_values
from harness.programs.answering import ALL


class GradedCase:
    """A case of a suite: its short name, its program, a hash of its content, and whether it gives points.

    tested: of a scenario of a server or client, which has no files, the suite that says how it is tested.
    """

    __slots__ = ("case", "counts", "exact", "hidden", "key", "name", "program", "suite", "tested")

    def __init__(
        self,
        case: Case,
        name: str,
        program: str,
        key: str,
        suite: int,
        exact: bool,
        counts: bool,
        hidden: bool = False,
        tested: "SuiteSpec | None" = None,
    ) -> None:
        self.hidden = hidden
        self.tested = tested
        self.case = case
        self.name = name
        self.program = program
        self.key = key
        self.suite = suite
        self.exact = exact
        self.counts = counts


class Suite:
    """A suite: its name, its points, and where its cases are in the list of all."""

    __slots__ = ("broken", "first", "hidden", "last", "name", "points", "spec", "untaken")

    def __init__(self, name: str, spec: SuiteSpec, first: int) -> None:
        self.name = name
        self.spec = spec
        self.hidden = spec.hidden
        self.points = 0.0
        self.first = first
        self.last = first  # one after the last one
        self.broken: list[tuple[str, str]] = []  # names of cases that say nothing, and why
        self.untaken = ""  # what is to be said of files that look like cases and are not taken

    @property
    def size(self) -> int:
        """How many cases it has."""
        return self.last - self.first


class Suites:
    """All suites, and all their cases in one list."""

    def __init__(self) -> None:
        self.suites: list[Suite] = []
        self.cases: list[GradedCase] = []

    def of(self, suite: Suite) -> list[GradedCase]:
        """The cases of a suite."""
        return self.cases[suite.first : suite.last]


def read_suites(config: Config, names: "Iterable[str]" = ()) -> Suites:
    """The suites of a configuration. Raises WrongUse.

    A case is for the program that the suite names, or the nearest folder above it. The names are those
    of programs that are not known to everybody.
    """
    found = Suites()
    known = {*ALL, *names}
    taken: set[str] = set()
    for spec in config.suites:
        usual = os.path.basename(os.path.normpath(os.path.abspath(spec.path))) if spec.path else spec.kind
        name = readable(spec.name or usual)
        if name in taken:
            raise WrongUse(f"two suites are called {name}; give them names")
        taken.add(name)
        found.suites.append(_read(spec, name, known, found.cases, len(found.suites)))
    _share_points(found, config)
    return found


def see_that_all_are_asked(suites: Suites, names: "Iterable[str]") -> None:
    """See that these programs, for which there are command lines, have cases. Raises WrongUse."""
    asked = {case.program for case in suites.cases}
    for name in sorted({*names} - asked.union(ALL)):
        hint = did_you_mean(name, sorted(asked.union(ALL)))
        raise WrongUse(f"programs: no suite has cases for {readable(name)}{hint}")


def _read(spec: SuiteSpec, name: str, known: set[str], cases: list[GradedCase], number: int) -> Suite:
    suite = Suite(name, spec, len(cases))
    counted = spec.counts if isinstance(spec.counts, list) else None
    names = Names(spec.names, Untaken(folder_of(spec.path)))
    if spec.kind != CASES:
        cases += _scenarios(spec, counted, number)
    try:
        for case in find_cases([os.path.normpath(spec.path)] if spec.path else [], names):
            short = short_name(case, spec.path)
            program = spec.program or program_of(case.input, known)
            key, problem = _key(case, program, spec.exact)
            if problem:
                suite.broken.append((short, problem))
                continue
            counts = counted is None or any(fnmatch(short, pattern) for pattern in counted)
            cases.append(GradedCase(case, short, program, key, number, spec.exact, counts, spec.hidden))
    except NoSuchPathError as problem:
        raise WrongUse(f"suite {name}: {problem}") from None
    suite.last = len(cases)
    suite.untaken = str(names.untaken)
    if not suite.size:
        why = f": {suite.broken[0][0]}: {suite.broken[0][1]}" if suite.broken else ""
        why = why or (suite.untaken and f"; {suite.untaken}")
        raise WrongUse(f"suite {name}: there are no cases in {spec.path}{why}")
    if not any(case.counts for case in cases[suite.first :]):
        raise WrongUse(f"suite {name}: none of its cases has a name like {', '.join(counted or [])}")
    return suite


def _scenarios(spec: SuiteSpec, counted: "list[str] | None", number: int) -> "Iterator[GradedCase]":
    """What a server or a client is tested with, each scenario as a case."""
    from harness.conformance.trial import PROGRAMS, names_of

    program = spec.program or PROGRAMS[spec.kind]
    for name in names_of(spec.kind, spec.remote.quick):
        key = key_of(spec.kind, name, program, asdict(spec.remote))
        counts = counted is None or any(fnmatch(name, pattern) for pattern in counted)
        files = Case(f"remote/{spec.kind}/{name}", "", "", "")
        yield GradedCase(files, name, program, key, number, False, counts, spec.hidden, spec)


def short_name(case: Case, path: str) -> str:
    """The name of a case as it is seen from its suite."""
    seen = os.path.relpath(case.name, folder_of(path))
    return readable(os.path.basename(os.path.abspath(path)) if seen == "." else seen)


def folder_of(path: str) -> str:
    """The folder that the cases of a suite are in."""
    return path if os.path.isdir(path) else os.path.dirname(path) or "."


def _key(case: Case, program: str, exact: bool) -> tuple[str, str]:
    """A hash of all that a verdict depends on; or else why there can be no verdict."""
    if case.problem:
        return "", case.problem
    if not program:
        return "", NO_PROGRAM
    digest = blake2b(f"{program} {exact}".encode(), digest_size=12)
    try:
        for path in (case.input, case.expected, case.arguments):
            data = read_file(path) if path else b""
            digest.update(b"%d:" % len(data) + data)
        arguments_of(case)
        if not case.arguments:
            parse_values(read_file(case.expected))
    except BadArguments as problem:
        return "", str(problem)
    except OSError as problem:
        return "", f"{os.path.basename(problem.filename)} cannot be read: {problem.strerror}"
    except NotJSON as problem:
        return "", f"its expected output is {problem}"
    return digest.hexdigest(), ""


def _share_points(found: Suites, config: Config) -> None:
    """Give every suite its points: those that are said, or one a case; or its part of a total.

    Of a total, points for teams' own tests are taken first, unless they are to be extra.
    """
    total = total_of(config)
    shares = [_share(suite, found) for suite in found.suites]
    scale = 1.0
    if total is not None and any(shares):
        own = 0.0 if config.own_tests.extra else config.own_tests.points
        scale = (total - own) / sum(shares)
    for suite, share in zip(found.suites, shares, strict=True):
        suite.points = share * scale


def _share(suite: Suite, found: Suites) -> float:
    """What a suite is worth beside the others."""
    said = [value for value in (suite.spec.weight, suite.spec.points) if value is not None]
    return said[0] if said else float(sum(1 for case in found.of(suite) if case.counts))


def suites_at(path: str, names: tuple[str, ...] = ()) -> list[SuiteSpec]:
    """The suites of a folder that is just named: one for each program that it has cases for, or one."""
    known = Names(names)
    if os.path.isdir(path):
        folders = sorted(name for name in os.listdir(path) if name in ALL)
        folders = [
            name for name in folders if any(True for _ in find_cases([os.path.join(path, name)], known))
        ]
        if folders:
            return [SuiteSpec(os.path.join(path, name), name, names=names) for name in folders]
    return [SuiteSpec(path, names=names)]
