"""What one run of grading is told: which teams, which suites of cases, and what they are worth.

The values here are made from a file by `harness.grading.config_file`, or from a command line.
"""

from dataclasses import dataclass, field
from datetime import tzinfo

from harness.fixtures.dialect import Dialect, DialectChoice
from harness.grading.degrees import EVERYTHING, Step

CASES = "cases"  # the kind of a suite that is no server or client


@dataclass(frozen=True, slots=True)
class Build:
    """How a team's directory is built. An empty command means: its executable `compile`, if it has one."""

    command: str = ""
    timeout: float = 300.0
    network: bool = False
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TeamSpec:
    """A team as it is configured; a path with * or ? in it stands for many.

    file: the one program that it consists of, if that is all that was named of the directory. dialects:
    what its programs read, by their names, as far as that is configured. submissions: how often it has
    handed in, if that is not to be counted. zone: where its days begin, if not as on this machine.
    """

    path: str
    name: str = ""
    factor: float = 1.0
    note: str = ""
    programs: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    build: Build = field(default_factory=Build)
    file: str = ""
    dialects: dict[str, Dialect] = field(default_factory=dict)
    submissions: int = 0
    zone: "tzinfo | None" = None


@dataclass(frozen=True, slots=True)
class Remote:
    """How servers and clients are tested: the options of `harness remote` that have these names."""

    port: int = 45678
    players: int = 3
    timeout: float = 5.0
    wait: float = 10.0
    patience: float = 10.0
    gap: float = 0.02
    deck: str = "order"
    strict: bool = False
    quick: bool = False


@dataclass(frozen=True, slots=True)
class SuiteSpec:
    """A suite as it is configured.

    kind: what it consists of, cases in files, or the scenarios by which a server or a client is tested,
    which have no path. remote: how that is done.
    counts: the part of its cases that is enough for all points; or patterns of the names of those that
    count. program: which one all its cases are for, if no folder says it. names: patterns of what their
    files are called, besides the usual ones. feedback: what teams are told of it, and when.
    """

    path: str = ""
    name: str = ""
    kind: str = CASES
    points: "float | None" = None
    weight: "float | None" = None
    counts: "float | list[str]" = 1.0
    hidden: bool = False
    exact: bool = False
    program: str = ""
    names: tuple[str, ...] = ()
    feedback: tuple[Step, ...] = (Step(EVERYTHING),)
    remote: Remote = field(default_factory=Remote)


@dataclass(frozen=True, slots=True)
class OwnTests:
    """Points for a team's own tests; all of them for `enough` misreadings caught, 0 meaning all there are.

    extra: whether they come on top of the total of a run, and not out of it.
    """

    points: float = 0.0
    folders: tuple[str, ...] = ("tests", "test-fixtures")
    enough: int = 0
    extra: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Late:
    """What a late submission loses: a part of its points for every day that has begun, after some minutes."""

    per_day: float = 0.0
    grace_minutes: float = 0.0


@dataclass(frozen=True, slots=True)
class Config:
    """Everything that one run of grading is told."""

    title: str = ""
    out: str = "grades"
    total: "float | None" = None  # 100 where suites have weights
    teams: tuple[TeamSpec, ...] = ()
    suites: tuple[SuiteSpec, ...] = ()
    own_tests: OwnTests = field(default_factory=OwnTests)
    late: Late = field(default_factory=Late)
    timeout: float = 10.0
    memory: int = 2048
    output: int = 16384
    jobs: int = 0
    team_budget: float = 0.0
    sandbox: str = "on"
    show: tuple[str, ...] = ()  # what programs see besides the usual
    dialect: DialectChoice = field(default_factory=DialectChoice)
    folder: str = "."  # which relative paths begin at
    command: str = "grade"  # or fest
    class_page: bool = False  # for students, without names
    check: bool = True  # the cases of the suites, before they are asked


def total_of(config: Config) -> "float | None":
    """The points in all: those that are said, or 100 if suites have weights; None if neither."""
    weighted = any(suite.weight is not None for suite in config.suites)
    return 100.0 if config.total is None and weighted else config.total


def limits_told(config: Config) -> str:
    """The limits, in words."""
    budget = f", {config.team_budget:g} s for a team" if config.team_budget else ""
    return f"limits per case: {config.timeout:g} s, {config.memory} MB, {config.output} KB of output{budget}"
