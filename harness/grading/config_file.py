"""The file grade.toml, read into typed values by msgspec.

Each table of the file is a class here, and each key a field of it, whose type says what may be its value.
Whatever else is found is an error that says where it stands, what would be right, and which key may have
been meant.
"""

import json
import os
import re
import shlex
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import fields

from harness import ranges
from harness.errors import UserError, did_you_mean
from harness.files import read_toml
from harness.fixtures.dialect import CHOICES, BadDialect, Dialect, DialectChoice, dialects_of
from harness.fixtures.naming import BadPattern, naming_of
from harness.grading.config import CASES, Build, Config, Late, OwnTests, Remote, SuiteSpec, TeamSpec, total_of
from harness.grading.degrees import Step
from harness.running.sandbox import why_not_shown
from harness.text import cut


class ConfigError(UserError):
    """A configuration file that cannot be used; str() says what is wrong, and where."""


# What a value may be. The description is what follows "must be" if it is something else.


def _within(numbers: "ranges.Whole | ranges.Number", what: str) -> Meta:
    return Meta(ge=numbers.least, le=numbers.most, description=f"{what} {numbers}")


FINITE = 1e308
Text = Annotated[str, Meta(pattern=r"^[^\x00]*$", description="a text")]
Name = Annotated[str, Meta(pattern=r"^[^\x00]*[^\x00\s][^\x00]*$", description="a text that is not empty")]
Names = Annotated[list[Name], Meta(min_length=1)]
Paths = Annotated[Names, Meta(description="a list of paths or patterns")]
Shown = Annotated[Names, Meta(description="a list of folders or files")]
Folders = Annotated[Names, Meta(description="a list of folders")]
Points = Annotated[float, Meta(ge=0, le=FINITE, description="a number of at least 0")]
Total = Annotated[float, Meta(gt=0, le=FINITE, description="a number of points above 0")]
Flag = Annotated[bool, Meta(description="true or false")]
Share = Annotated[float, Meta(ge=0, le=1, description="a number from 0 to 1")]
Count = Annotated[int, Meta(ge=0, description="a count")]
Seconds = Annotated[float, _within(ranges.SECONDS, "a number of seconds")]
Megabytes = Annotated[int, _within(ranges.MEGABYTES, "a whole number of megabytes")]
Kilobytes = Annotated[int, _within(ranges.KILOBYTES, "a whole number of kilobytes")]
Jobs = Annotated[int, _within(ranges.JOBS, "a whole number")]
Sandbox = Annotated[
    Literal["auto", "on", "strict", "off"], Meta(description='"auto", "on", "strict" or "off"')
]
Compare = Annotated[Literal["meaning", "exact"], Meta(description='"meaning" or "exact"')]
Texts = Annotated[dict[str, Text], Meta(description="a table of texts")]
Variable = Annotated[str, Meta(pattern=r"^[^=\x00]+$")]
Variables = Annotated[dict[Variable, Text], Meta(description="a table of texts")]
DialectTable = Annotated[dict[str, Any], Meta(description="a table, such as harness dialect prints")]
Dialects = Annotated[
    Literal["auto", "common", "generous"] | dict[str, Any],
    Meta(description='"auto", "common", "generous" or a table'),
]
Counts = Annotated[
    Annotated[float, Meta(gt=0, le=1)] | Name | Names,
    Meta(description="a fraction above 0 and at most 1, or patterns of the names of cases"),
]
Patterns = Annotated[
    Name | Names,
    Meta(description="a pattern of the names of files such as {name}.in:{name}.out, or a list of them"),
]
Degree = Annotated[
    Literal["points", "rule", "own output", "everything"],
    Meta(description='"points", "rule", "own output" or "everything"'),
]
Kind = Annotated[Literal["cases", "server", "client"], Meta(description='"cases", "server" or "client"')]
Deck = Annotated[Literal["order", "any"], Meta(description='"order" or "any"')]
Wait = Annotated[float, _within(ranges.WAIT, "a number of seconds")]
Players = Annotated[int, Meta(ge=3, le=8, description="a whole number from 3 to 8")]
Port = Annotated[int, Meta(ge=1, le=65535, description="a whole number from 1 to 65535")]
Day = Annotated[date, Meta(description="a date such as 2026-11-01")]

T = TypeVar("T")
Maybe: TypeAlias = T | UnsetType  # a key that need not be there


class Table(Struct, frozen=True, forbid_unknown_fields=True, rename="kebab"):
    """A table of the file."""

    def given(self) -> dict[str, Any]:
        """What the file says, by the names that the values have here."""
        told = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in told.items() if value is not UNSET}


class LimitsTable(Table, frozen=True):
    """What a case, and a team, may use."""

    timeout: Maybe[Seconds] = UNSET
    memory: Maybe[Megabytes] = UNSET
    output: Maybe[Kilobytes] = UNSET
    jobs: Maybe[Jobs] = UNSET
    team_budget: Maybe[Seconds] = UNSET
    sandbox: Maybe[Sandbox] = UNSET
    show: Maybe[Shown] = UNSET


class BuildTable(Table, frozen=True):
    """How teams are built."""

    command: Maybe[Text] = UNSET
    timeout: Maybe[Seconds] = UNSET
    network: Maybe[Flag] = UNSET
    environment: Maybe[Variables] = UNSET


class OwnTestsTable(Table, frozen=True):
    """What teams get for their own tests."""

    points: Maybe[Points] = UNSET
    folders: Maybe[Folders] = UNSET
    enough: Maybe[Count] = UNSET
    extra: Maybe[Flag] = UNSET
    names: Maybe[Patterns] = UNSET


class LateTable(Table, frozen=True):
    """What late submissions lose."""

    per_day: Maybe[Share] = UNSET
    grace_minutes: Maybe[Points] = UNSET


class TeamTable(Table, frozen=True):
    """A team, or several that a pattern names."""

    name: Maybe[Name] = UNSET
    path: Maybe[Name] = UNSET
    glob: Maybe[Name] = UNSET
    factor: Maybe[Points] = UNSET
    note: Maybe[Text] = UNSET
    programs: Texts = msgspec.field(default_factory=dict)
    environment: Variables = msgspec.field(default_factory=dict)
    build: Annotated[BuildTable, Meta(description="a table")] = msgspec.field(default_factory=BuildTable)
    dialect: DialectTable = msgspec.field(default_factory=dict)
    submissions: Maybe[Count] = UNSET


class StepTable(Table, frozen=True):
    """A degree of feedback, and when it counts."""

    degree: Degree
    until: Maybe[Day] = UNSET
    after_submissions: Maybe[Count] = UNSET


Feedback = Annotated[
    Degree | Annotated[list[StepTable], Meta(min_length=1)],
    Meta(description='"points", "rule", "own output" or "everything", or a list of steps'),
]


class RemoteTable(Table, frozen=True):
    """How a server or a client is tested."""

    port: Maybe[Port] = UNSET
    players: Maybe[Players] = UNSET
    timeout: Maybe[Seconds] = UNSET
    wait: Maybe[Wait] = UNSET
    patience: Maybe[Seconds] = UNSET
    gap: Maybe[Wait] = UNSET
    deck: Maybe[Deck] = UNSET
    strict: Maybe[Flag] = UNSET
    quick: Maybe[Flag] = UNSET


class SuiteTable(Table, frozen=True):
    """A suite of cases, or a test of servers or clients."""

    path: Maybe[Name] = UNSET
    kind: Maybe[Kind] = UNSET
    remote: Maybe[Annotated[RemoteTable, Meta(description="a table")]] = UNSET
    name: Maybe[Name] = UNSET
    points: Maybe[Points] = UNSET
    weight: Maybe[Points] = UNSET
    counts: Maybe[Counts] = UNSET
    hidden: Maybe[Flag] = UNSET
    compare: Maybe[Compare] = UNSET
    program: Maybe[Name] = UNSET
    names: Maybe[Patterns] = UNSET
    feedback: Maybe[Feedback] = UNSET


class File(Table, frozen=True):
    """The whole file."""

    title: Maybe[Text] = UNSET
    out: Maybe[Name] = UNSET
    total: Maybe[Total] = UNSET
    compare: Maybe[Compare] = UNSET
    check: Maybe[Flag] = UNSET
    class_page: Maybe[Flag] = UNSET
    teams: Maybe[Paths] = UNSET
    team: Annotated[list[TeamTable], Meta(description="tables that begin with [[team]]")] = []
    suite: Annotated[list[SuiteTable], Meta(description="tables that begin with [[suite]]")] = []
    build: Annotated[BuildTable, Meta(description="a table")] = msgspec.field(default_factory=BuildTable)
    programs: Texts = msgspec.field(default_factory=dict)
    environment: Variables = msgspec.field(default_factory=dict)
    dialect: Dialects = msgspec.field(default_factory=dict)
    limits: Annotated[LimitsTable, Meta(description="a table")] = msgspec.field(default_factory=LimitsTable)
    late: Annotated[LateTable, Meta(description="a table")] = msgspec.field(default_factory=LateTable)
    own_tests: Annotated[OwnTestsTable, Meta(description="a table")] = msgspec.field(
        default_factory=OwnTestsTable
    )


# What tables are called where somebody looks for a key.
TABLES: dict[str, type[Table]] = {
    "the top": File,
    "[limits]": LimitsTable,
    "[build]": BuildTable,
    "[own-tests]": OwnTestsTable,
    "[late]": LateTable,
    "[[team]]": TeamTable,
    "[[suite]]": SuiteTable,
    "a step of feedback": StepTable,
    "remote of a [[suite]]": RemoteTable,
}


def read_config(path: str, teams: "Sequence[str]" = (), alone: bool = False) -> Config:
    """The configuration in a file. Raises ConfigError.

    teams: more folders, to be graded as the file says for all teams; alone: without those that it names.
    """
    try:
        found = read_toml(path, ConfigError)
    except OSError as problem:
        raise ConfigError(f"{path}: {problem.strerror}") from None
    try:
        file = msgspec.convert(found, File)
        if alone:
            file = msgspec.structs.replace(file, team=[], teams=[])
        config = _config(file, os.path.dirname(path) or ".")
        more = [_team(TeamTable(path=team), f"team {team}", file, "") for team in teams]
        return replace(config, teams=(*config.teams, *more))
    except msgspec.ValidationError as problem:
        raise ConfigError(f"{path}: {_in_words(str(problem), found)}") from None
    except ConfigError as problem:
        raise ConfigError(f"{path}: {problem}") from None


# What is wrong, in words


def _in_words(problem: str, found: dict[str, Any]) -> str:
    """What msgspec complains about, with the table and the key as they are in the file."""
    complaint, _, at = problem.partition(" - at ")
    table: type[Table] = File
    labels: list[str] = []
    value: Any = found
    key, right, kind = "", "", None
    for name, index in re.findall(r"\.([\w-]+)(?:\[(\d+)\])?", at):
        field = next(field for field in fields(table) if field.encode_name == name)
        key, right, kind, value = name, _description(field.type), field.type, value[name]
        below = _table_in(field.type)
        if below is None or not isinstance(value, list if index else dict):
            break
        if index and not isinstance(value[int(index)], dict):
            value = value[int(index)]
            break
        label = name if labels else f"[[{name}]]" if index else f"[{name}]"
        labels.append(f"{label} {int(index) + 1}" if index else label)
        table, key, value = below, "", value[int(index)] if index else value
    place = f"{', '.join(labels)}: " if labels else ""
    if at.startswith("`key`"):
        wrong = next(name for name in value if not re.fullmatch(r"[^=\0]+", name))
        return (
            f"{place}{key}: {_shown(wrong)} cannot be the name of a variable: "
            "a name is not empty, and has no = or NUL in it"
        )
    if key:
        near = did_you_mean(value.lower(), _literals(kind)) if isinstance(value, str) else ""
        return f"{place}{key} must be {right}, not {_shown(value)}{near}"
    named = complaint.rpartition("`")[0].rpartition("`")[2]
    if "missing" in complaint:
        return f"{place}needs a {named}"
    return f'{place}unknown key "{named}"{_hint(named, table)}'


def _description(kind: Any) -> str:
    """What a type says that its values must be."""
    for part in (*getattr(kind, "__metadata__", ())[::-1], *get_args(kind)):
        if isinstance(part, Meta) and part.description:
            return part.description
        if not isinstance(part, Meta) and (found := _description(part)):
            return found
    return ""


def _literals(kind: Any) -> list[str]:
    """The words that a type allows, if it allows only some."""
    if get_origin(kind) is Literal:
        return list(get_args(kind))
    return [word for part in get_args(kind) for word in _literals(part)]


def _table_in(kind: Any) -> "type[Table] | None":
    """The table that a type is made of, if it is."""
    if isinstance(kind, type) and issubclass(kind, Table):
        return kind
    return next((found for part in get_args(kind) if (found := _table_in(part))), None)


def _keys(table: type[Table]) -> list[str]:
    return [field.encode_name for field in fields(table)]


def _hint(key: str, table: type[Table]) -> str:
    """Which key may have been meant, or where this one belongs."""
    homes = [name for name, other in TABLES.items() if key in _keys(other)]
    if homes:
        return f"; it belongs to {homes[0]}"
    near = did_you_mean(key.lower().replace("_", "-"), _keys(table))
    return near or f"; there are {', '.join(_keys(table))}"


def _shown(value: object) -> str:
    return cut(json.dumps(value, default=str), 60)


# From the file's tables to what a run is told
ONLY_OF_CASES = ("path", "compare", "names")  # keys of suites
PLAIN = ("title", "out", "total", "check", "class_page")  # what is the same here and there


def _config(file: File, folder: str) -> Config:
    own = file.own_tests.given()
    if "folders" in own:
        own["folders"] = tuple(own["folders"])
    own["names"] = _names(file.own_tests.names, "[own-tests]")
    plain = {name: value for name, value in file.given().items() if name in PLAIN}
    config = Config(
        **plain,
        **_limits(file.limits, folder),
        late=Late(**file.late.given()),
        own_tests=OwnTests(**own),
        teams=tuple(_teams(file, folder)),
        suites=tuple(
            _suite(table, f"[[suite]] {number}", file.compare == "exact", folder)
            for number, table in enumerate(file.suite, 1)
        ),
        dialect=_dialect(file),
        folder=folder,
    )
    _see_that_points_agree(config.suites)
    total = total_of(config)
    own_points = config.own_tests.points
    if total is not None and not config.own_tests.extra and own_points >= total:
        raise ConfigError(
            f"[own-tests]: points, {own_points:g}, leave nothing of the total, {total:g}, for the suites; "
            "give fewer, or say extra = true to have them on top of it"
        )
    return config


def _limits(table: LimitsTable, folder: str) -> dict[str, Any]:
    """The limits that are said; paths begin at the folder of the file."""
    told = table.given()
    if "show" in told:
        told["show"] = tuple(os.path.join(os.path.abspath(folder), path) for path in told["show"])
        for path in told["show"]:
            if problem := why_not_shown(path):
                raise ConfigError(f"[limits]: show: {problem}")
    return told


def _dialect(file: File) -> DialectChoice:
    """The dialects that are said for all teams."""
    if isinstance(file.dialect, str):
        return CHOICES[file.dialect]
    return DialectChoice(programs=_dialects(file.dialect, ""))


def _dialects(table: dict[str, Any], where: str) -> dict[str, Dialect]:
    try:
        return dialects_of(table, where)
    except BadDialect as problem:
        raise ConfigError(str(problem)) from None


def _teams(file: File, folder: str) -> list[TeamSpec]:
    tables = [(TeamTable(path=path), f"teams, {path}") for path in file.given().get("teams", [])]
    tables += [(table, f"[[team]] {number}") for number, table in enumerate(file.team, 1)]
    return [_team(table, where, file, folder) for table, where in tables]


def _team(table: TeamTable, where: str, file: File, folder: str) -> TeamSpec:
    """A team; what is said of it goes before what is said for all."""
    told = table.given()
    if ("path" in told) == ("glob" in told):
        raise ConfigError(f"{where}: needs either path or glob")
    told["programs"] = {**file.programs, **table.programs}
    told["environment"] = {**file.environment, **table.environment}
    told["build"] = Build(**{**file.build.given(), **table.build.given()})
    for name, line in (*told["programs"].items(), ("build", told["build"].command)):
        _see_that_words_end(name, line, where)
    told["dialects"] = _dialects(told.pop("dialect"), where)
    path = told.pop("glob", None) or told.pop("path")
    return TeamSpec(os.path.join(folder, path), **told)


def _see_that_words_end(name: str, line: str, where: str) -> None:
    try:
        shlex.split(line)
    except ValueError:
        raise ConfigError(f"{where}: the command line of {name} has a quote that is not closed") from None


def _suite(table: SuiteTable, where: str, exact: bool, folder: str) -> SuiteSpec:
    told = table.given()
    kind = told.get("kind", CASES)
    if kind == CASES and "remote" in told:
        raise ConfigError(f'{where}: remote goes with kind = "server" or kind = "client"')
    for key in (key for key in ONLY_OF_CASES if kind != CASES and key in told):
        raise ConfigError(f'{where}: {key} does not go with kind = "{kind}", which has no files of cases')
    if kind == CASES and "path" not in told:
        raise ConfigError(f"{where}: needs a path")
    if "points" in told and "weight" in told:
        raise ConfigError(f"{where}: has points and weight; choose one of them")
    compare = told.pop("compare", None)
    if isinstance(table.counts, str):
        told["counts"] = [table.counts]
    told["names"] = _names(table.names, where)
    if "feedback" in told:
        told["feedback"] = _steps(told["feedback"], where)
    if "remote" in told:
        told["remote"] = Remote(**told["remote"].given())
    suite = SuiteSpec(**told, exact=compare == "exact" if compare else exact)
    return replace(suite, path=os.path.join(folder, suite.path)) if suite.path else suite


def _steps(feedback: "str | list[StepTable]", where: str) -> tuple[Step, ...]:
    """The steps of feedback, of which each can be reached."""
    if isinstance(feedback, str):
        return (Step(feedback),)
    steps = tuple(Step(**table.given()) for table in feedback)
    for number, step in enumerate(steps[:-1], 1):
        if step.always:
            raise ConfigError(
                f"{where}, feedback {number}: holds always, so that the steps after it never count; "
                "give it until or after-submissions, or put it last"
            )
    return steps


def _names(patterns: "Maybe[Patterns]", where: str) -> tuple[str, ...]:
    """Patterns of the names of files, one or several, that have been seen to be some."""
    given = [] if patterns is UNSET else [patterns] if isinstance(patterns, str) else patterns
    try:
        return tuple(naming_of(pattern).pattern for pattern in given)
    except BadPattern as problem:
        raise ConfigError(f"{where}: names: {problem}") from None


def _see_that_points_agree(suites: tuple[SuiteSpec, ...]) -> None:
    """Weights say how a total is shared, so that they do not go together with points."""
    weighted = [suite for suite in suites if suite.weight is not None]
    if weighted and len(weighted) < len(suites):
        raise ConfigError("some suites have a weight and others not; give all of them a weight, or none")
    if weighted and not any(suite.weight for suite in weighted):
        raise ConfigError("the weights of the suites are all 0")


EXAMPLE = """\
# How teams are graded: harness grade --config grade.toml
# Every line that begins with # is a comment; remove the # to use what follows it.
# Relative paths begin at the folder of this file.

title = "Evolution"
# out = "grades"            # where everything is written to (--out)
# compare = "meaning"       # "exact": the order of traits and the labels of growth count
# check = false             # do not look for cases that are ill-formed, doubled or against the rules
# class-page = true         # with --for students: a page of the whole class, too, without names
# dialect = "auto"          # "common": only what everybody reads; "generous": every case as it is

# Teams are directories. Their programs are the executables xattack, xfeed, xstep, xstep4, xsilly …
# in them or in their bin/.
teams = ["submissions/*"]

# A team with settings of its own, which override those for all teams.
# [[team]]
# name = "Ada and Grace"
# path = "late/ada-grace"   # or glob = "late/*"
# factor = 0.9              # the total is multiplied by this: 0.9 for late, 1.05 for a bonus
# note = "two days late"
# submissions = 3           # how often it has handed in, if that is not to be counted
# [team.programs]
# xstep = "java -cp {team}/build Step"
# [team.environment]
# JAVA_TOOL_OPTIONS = "-Xmx512m"
# [team.dialect]            # what its programs read, if that is not to be found out (harness dialect)
# xstep4 = { growth = "unlabelled", equal-cards = true }

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
# jobs = 2                  # cases at once; default: the number of cores
# sandbox = "on"            # or fail; "auto": only where it works; "off": programs see what you see
# show = ["/opt/jdk"]       # what programs may read besides the system's files and their own

# Suites are directories of cases: your own (docs/running.md), or those that come along, which
# harness cases --copy tests writes to tests. Points, or weights of a total:
# total = 100 above, and weight = 3 instead of points in each suite. A total stays what it is: own tests
# take their points out of it, and the suites share the rest.
[[suite]]
name = "attacks"
path = "tests/xattack"
points = 20
# counts = 0.9              # this part of the cases is enough for all points
# counts = ["basic-*"]      # or: only these cases give points
# compare = "exact"
# program = "xattack"       # if no folder is named after the program
# names = "{name}.input:{name}.expected"  # if files are named so; harness help cases lists the usual names
# feedback = "own output"   # what teams are told: "everything", "own output" without what is expected,
                            # "rule": which rules they misread, or "points"; or steps, the first that counts:
# feedback = [{ until = 2026-11-01, degree = "rule" }, { degree = "everything" }]
# feedback = [{ after-submissions = 3, degree = "everything" }, { degree = "points" }]

[[suite]]
name = "feeding"
path = "tests/xstep"
points = 30
hidden = true               # students see the points, and nothing else

# Servers and clients are tested as by harness remote, and every scenario is a case of the suite:
# [[suite]]
# kind = "server"           # or "client"; there is no path
# points = 20
# remote = { timeout = 2, quick = true }  # options of harness remote; see docs/conformance.md
# program = "xserver"       # the executable, if it is not called xserver or xclient

# What late submissions lose, where Gradescope says when they were due.
# [late]
# per-day = 0.1             # of the total, for every day that has begun
# grace-minutes = 15        # which cost nothing

# Points for a team's own cases, by the misreadings that they catch (harness chaff).
# [own-tests]
# points = 10
# folders = ["tests", "test-fixtures"]
# enough = 150              # misreadings for all points; without it, all there are
# extra = true              # these points come on top of the total, not out of it
# names = "{name}.input:{name}.expected"  # as for suites
"""
