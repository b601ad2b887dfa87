"""What is graded and what it is worth: the file grade.toml, read and checked.

Every key that there is stands in one table below, with what may be its value; whatever else is found is
an error that says where it stands and which key may have been meant.
"""

import os
from dataclasses import dataclass, field

from harness import ranges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Check = Callable[[Any], bool]

MEANINGS = ("meaning", "exact")


class ConfigError(Exception):
    """A configuration that cannot be used; str() says what is wrong, and where."""


@dataclass(slots=True)
class Build:
    """How a team's directory is built. An empty command means: its executable `compile`, if it has one."""

    command: str = ""
    timeout: float = 300.0
    network: bool = False
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class TeamSpec:
    """A team as it is configured; a path with * or ? in it stands for many.

    file: the one program that it consists of, if that is all that was named of the directory.
    """

    path: str
    name: str = ""
    factor: float = 1.0
    note: str = ""
    programs: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    build: Build = field(default_factory=Build)
    file: str = ""


@dataclass(slots=True)
class SuiteSpec:
    """A suite as it is configured.

    counts: the part of its cases that is enough for all points; or patterns of the names of those that
    count. program: which one all its cases are for, if no folder says it.
    """

    path: str
    name: str = ""
    points: "float | None" = None
    weight: "float | None" = None
    counts: "float | list[str]" = 1.0
    hidden: bool = False
    exact: bool = False
    program: str = ""


@dataclass(slots=True)
class OwnTests:
    """Points for a team's own tests; all of them for `enough` misreadings caught, 0 meaning all there are."""

    points: float = 0.0
    folders: list[str] = field(default_factory=lambda: ["tests", "test-fixtures"])
    enough: int = 0


@dataclass(slots=True)
class Config:
    """Everything that one run of grading is told."""

    title: str = ""
    out: str = "grades"
    total: float = 100.0
    teams: list[TeamSpec] = field(default_factory=list)
    suites: list[SuiteSpec] = field(default_factory=list)
    own_tests: OwnTests = field(default_factory=OwnTests)
    timeout: float = 10.0
    memory: int = 2048
    output: int = 16384
    jobs: int = 0
    team_budget: float = 0.0
    sandbox: str = "auto"
    folder: str = "."  # which relative paths begin at
    command: str = "grade"  # or fest


def _text(value: "Any") -> bool:
    return isinstance(value, str) and "\0" not in value


def _name(value: "Any") -> bool:
    return _text(value) and bool(value.strip())


def _positive(value: "Any") -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _not_negative(value: "Any") -> bool:
    return _positive(value) or (value == 0 and not isinstance(value, bool))


def _count(value: "Any") -> bool:
    return type(value) is int and value >= 0


def _flag(value: "Any") -> bool:
    return isinstance(value, bool)


def _texts(value: "Any") -> bool:
    return isinstance(value, list) and bool(value) and all(map(_name, value))


def _part(value: "Any") -> bool:
    return (_positive(value) and value <= 1) or _name(value) or _texts(value)


def _words(value: "Any") -> bool:
    return isinstance(value, dict) and all(_text(part) for part in value.values())


# A table of keys: what is checked, and what would be right.
TEXT = (_text, "a text")
NAME = (_name, "a text that is not empty")
POINTS = (_not_negative, "a number of at least 0")
SECONDS = (ranges.SECONDS.holds, f"a number of seconds {ranges.SECONDS}")
FLAG = (_flag, "true or false")
WORDS = (_words, "a table of texts")
MEANING = (lambda value: value in MEANINGS, '"meaning" or "exact"')

KEYS: "dict[str, dict[str, tuple[Check, str]]]" = {
    "": {
        "title": TEXT,
        "out": NAME,
        "total": (_positive, "a number of points above 0"),
        "compare": MEANING,
        "teams": (_texts, "a list of paths or patterns"),
        "team": (lambda value: isinstance(value, list), "tables that begin with [[team]]"),
        "suite": (lambda value: isinstance(value, list), "tables that begin with [[suite]]"),
        "build": (lambda value: isinstance(value, dict), "a table"),
        "programs": WORDS,
        "environment": WORDS,
        "limits": (lambda value: isinstance(value, dict), "a table"),
        "own-tests": (lambda value: isinstance(value, dict), "a table"),
    },
    "limits": {
        "timeout": SECONDS,
        "memory": (ranges.MEGABYTES.holds, f"a whole number of megabytes {ranges.MEGABYTES}"),
        "output": (ranges.KILOBYTES.holds, f"a whole number of kilobytes {ranges.KILOBYTES}"),
        "jobs": (ranges.JOBS.holds, f"a whole number {ranges.JOBS}"),
        "team-budget": SECONDS,
        "sandbox": (ranges.SANDBOX.__contains__, '"auto", "on", "strict" or "off"'),
    },
    "build": {"command": TEXT, "timeout": SECONDS, "network": FLAG, "environment": WORDS},
    "own-tests": {"points": POINTS, "folders": (_texts, "a list of folders"), "enough": (_count, "a count")},
    "team": {
        "name": NAME,
        "path": NAME,
        "glob": NAME,
        "factor": POINTS,
        "note": TEXT,
        "programs": WORDS,
        "environment": WORDS,
        "build": (lambda value: isinstance(value, dict), "a table"),
    },
    "suite": {
        "name": NAME,
        "path": NAME,
        "points": POINTS,
        "weight": POINTS,
        "counts": (_part, "a part above 0 and at most 1, or patterns of the names of cases"),
        "hidden": FLAG,
        "compare": MEANING,
        "program": NAME,
    },
}


def read_config(path: str) -> Config:
    """The configuration in a file. Raises ConfigError."""
    import tomllib

    try:
        with open(path, "rb") as file:
            found = tomllib.load(file)
    except OSError as problem:
        raise ConfigError(f"{path}: {problem.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ConfigError(f"{path}: not TOML: {problem}") from None
    except RecursionError:
        raise ConfigError(f"{path}: not TOML that anybody could read: it is nested too deep") from None
    try:
        return _config(found, os.path.dirname(path) or ".")
    except ConfigError as problem:
        raise ConfigError(f"{path}: {problem}") from None


def _checked(found: "Any", table: str, where: str) -> "dict[str, Any]":
    """The table, of which every key is known and every value is right."""
    place = f"{where}: " if where else ""
    if not isinstance(found, dict):
        raise ConfigError(f"{place}must be a table")
    keys = KEYS[table]
    for key, value in found.items():
        if key not in keys:
            raise ConfigError(f'{place}unknown key "{key}"{_hint(key, table)}')
        check, right = keys[key]
        if not check(value):
            raise ConfigError(f"{place}{key} must be {right}, not {_shown(value)}")
        for name in value if key == "environment" else ():
            if not name or "=" in name or "\0" in name:
                raise ConfigError(
                    f"{place}environment: {_shown(name)} cannot be the name of a variable: "
                    "that is a text that is not empty, without = and NUL"
                )
    return found


def _hint(key: str, table: str) -> str:
    """Which key may have been meant, or where this one belongs."""
    from difflib import get_close_matches

    near = get_close_matches(key.lower().replace("_", "-"), KEYS[table], n=1)
    if near:
        return f"; did you mean {near[0]}?"
    homes = [f"[{name}]" if name else "the top" for name, keys in KEYS.items() if key in keys]
    return f"; it belongs to {homes[0]}" if homes else f"; there are {', '.join(KEYS[table])}"


def _shown(value: object) -> str:
    import json

    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _config(found: "dict[str, Any]", folder: str) -> Config:
    top = _checked(found, "", "")
    limits = _checked(top.get("limits", {}), "limits", "[limits]")
    own = _checked(top.get("own-tests", {}), "own-tests", "[own-tests]")
    config = Config(folder=folder, own_tests=OwnTests(**own))
    for name in ("title", "out", "total"):
        if name in top:
            setattr(config, name, top[name])
    for name, value in limits.items():
        setattr(config, name.replace("-", "_"), value)
    _checked(top.get("build", {}), "build", "[build]")
    config.teams = _teams(top, folder)
    exact = top.get("compare") == "exact"
    for number, table in enumerate(top.get("suite", []), 1):
        config.suites.append(_suite(table, f"[[suite]] {number}", exact, folder))
    _see_that_points_agree(config.suites)
    return config


def _teams(top: "dict[str, Any]", folder: str) -> list[TeamSpec]:
    usual = {name: top.get(name, {}) for name in ("programs", "environment", "build")}
    tables = [({"path": path}, f"teams, {path}") for path in top.get("teams", [])]
    tables += [(table, f"[[team]] {number}") for number, table in enumerate(top.get("team", []), 1)]
    return [_team(table, where, usual, folder) for table, where in tables]


def _team(table: "Any", where: str, usual: "dict[str, Any]", folder: str) -> TeamSpec:
    found = dict(_checked(table, "team", where))
    if ("path" in found) == ("glob" in found):
        raise ConfigError(f"{where}: needs either path or glob")
    for name in ("programs", "environment"):
        found[name] = {**usual[name], **found.get(name, {})}
    build = {**usual["build"], **found.get("build", {})}
    found["build"] = Build(**_checked(build, "build", f"{where}, build"))
    for name, line in (*found["programs"].items(), ("build", found["build"].command)):
        _see_that_words_end(name, line, where)
    path = found.pop("glob", None) or found.pop("path")
    return TeamSpec(os.path.join(folder, path), **found)


def _see_that_words_end(name: str, line: str, where: str) -> None:
    import shlex

    try:
        shlex.split(line)
    except ValueError:
        raise ConfigError(f"{where}: the command line of {name} has a quote that is not closed") from None


def _suite(table: "Any", where: str, exact: bool, folder: str) -> SuiteSpec:
    found = dict(_checked(table, "suite", where))
    if "path" not in found:
        raise ConfigError(f"{where}: needs a path")
    if "points" in found and "weight" in found:
        raise ConfigError(f"{where}: has points and weight; choose one of them")
    compare = found.pop("compare", None)
    if isinstance(found.get("counts"), str):
        found["counts"] = [found["counts"]]
    path = os.path.join(folder, found.pop("path"))
    return SuiteSpec(path, exact=compare == "exact" if compare else exact, **found)


def _see_that_points_agree(suites: list[SuiteSpec]) -> None:
    """Weights say how a total is shared, so that they do not go together with points."""
    weighted = [suite for suite in suites if suite.weight is not None]
    if weighted and len(weighted) < len(suites):
        raise ConfigError("some suites have a weight and others not; give all of them a weight, or none")
    if weighted and not any(suite.weight for suite in weighted):
        raise ConfigError("the weights of the suites are all 0")


EXAMPLE = """\
# How teams are graded: harness grade --config grade.toml
# Every line that begins with # is a comment; remove the # to use what stands behind it.
# Relative paths begin at the folder of this file.

title = "Evolution"
# out = "grades"            # where everything is written to (--out)
# compare = "meaning"       # "exact": the order of traits and the labels of growth count

# Teams are directories. Their programs are the executables xattack, xfeed, xstep, xstep4, xsilly …
# in them or in their bin/.
teams = ["submissions/*"]

# A team of which there is more to say. What is said here goes before what is said for all.
# [[team]]
# name = "Ada and Grace"
# path = "late/ada-grace"   # or glob = "late/*"
# factor = 0.9              # the total is multiplied by this: 0.9 for late, 1.05 for a bonus
# note = "two days late"
# [team.programs]
# xstep = "java -cp {team}/build Step"
# [team.environment]
# JAVA_TOOL_OPTIONS = "-Xmx512m"

# An executable `compile` in a team's directory is run once, on a copy of it, before anything else.
[build]
# command = "make"          # instead of ./compile; it runs in the copy
timeout = 300               # seconds
network = false             # true: the build may use the network
# [build.environment]
# CARGO_HOME = "/opt/cargo"

# Command lines for all teams, where an executable of that name is not enough. {team} is the directory.
# [programs]
# xattack = "node {team}/src/attack.js"
# [environment]
# LANG = "C.UTF-8"

[limits]
timeout = 10                # seconds for one case
memory = 2048               # megabytes
output = 16384              # kilobytes
# team-budget = 600         # seconds for all cases of one team
# jobs = 2                  # cases at once; the number of cores if this is not said
# sandbox = "strict"        # or fail, with this harness hidden, too; "on": or fail; "auto": where it works

# Suites are directories of cases, see docs/running.md. Points, or weights of a total:
# total = 100 above, and weight = 3 instead of points in each suite.
[[suite]]
name = "attacks"
path = "tests/xattack"
points = 20
# counts = 0.9              # this part of the cases is enough for all points
# counts = ["basic-*"]      # or: only these cases give points
# compare = "exact"
# program = "xattack"       # if no folder is named like the program

[[suite]]
name = "feeding"
path = "tests/xstep"
points = 30
hidden = true               # students see the points, and nothing else

# Points for a team's own cases, by the misreadings that they catch (harness chaff).
# [own-tests]
# points = 10
# folders = ["tests", "test-fixtures"]
# enough = 150              # misreadings for all points; without it, all there are
"""
