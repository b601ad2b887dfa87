"""What the parameters of commands take, and the parameters that several commands have in common."""

import math
import os
from contextlib import contextmanager

import click
from click.core import ParameterSource

from harness import ranges
from harness.errors import WrongUse, did_you_mean
from harness.programs.answering import PROGRAMS
from harness.report import FAILURES_ONLY, FILES, GITHUB

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from harness.cluster.address import Cluster
    from harness.fixtures.naming import Names
    from harness.running.sandbox import Sandbox

    Command = Callable[..., Any]
    Decorator = Callable[[Command], Command]


class File(click.Path):
    """The name of a file, a program or a host: an empty one, of a variable that is not set, is none."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> "Any":
        """The name."""
        if not value:
            self.fail("the name is empty.", param, ctx)
        return super().convert(value, param, ctx)


class ProgramName(click.Choice):  # type: ignore[type-arg]
    """The name of a program whose answers follow from the rules."""

    def __init__(self) -> None:
        super().__init__(tuple(PROGRAMS))

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> str:
        """The name."""
        if value not in self.choices:
            hint = did_you_mean(value, self.choices) or f"; there are {', '.join(self.choices)}"
            self.fail(f"there is no program {value}{hint}", param, ctx)
        return str(value)


class NamePattern(click.ParamType[str]):
    """A pattern of the names of a case's files."""

    name = "pattern"

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> str:
        """The pattern, which has been seen to be one."""
        from harness.fixtures.naming import BadPattern, naming_of

        try:
            return naming_of(value).pattern
        except BadPattern as problem:
            self.fail(str(problem), param, ctx)


class Shown(click.ParamType[str]):
    """A path that is shown in the sandbox; it must be there."""

    name = "path"

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> str:
        """The path as a whole."""
        from harness.running.sandbox import why_not_shown

        problem = why_not_shown(value)
        if problem:
            self.fail(problem, param, ctx)
        return os.path.abspath(str(value))


class ShardNumber(click.ParamType[str]):
    """One part of so many, as K/N."""

    name = "shard"

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> str:
        """The text, which has been seen to be a part."""
        from harness.grading.shards import shard_of

        try:
            return str(shard_of(value))
        except WrongUse as problem:
            self.fail(str(problem), param, ctx)


class Number(click.FloatRange):
    """A number in a range; click alone would take what is no number at all."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> float:
        """The number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return float(number)


@contextmanager
def named(option: str) -> "Iterator[None]":
    """Put the name of an option before what is found to be wrong with its value."""
    try:
        yield
    except WrongUse as problem:
        raise WrongUse(f"{option}: {problem}") from None


def _whole(numbers: ranges.Whole) -> click.IntRange:
    return click.IntRange(numbers.least, numbers.most)


SECONDS = Number(ranges.SECONDS.least, ranges.SECONDS.most)
WAIT = Number(ranges.WAIT.least, ranges.WAIT.most)
MEGABYTES = _whole(ranges.MEGABYTES)
KILOBYTES = _whole(ranges.KILOBYTES)
JOBS = _whole(ranges.JOBS)
SANDBOX = click.Choice(ranges.SANDBOX)
SHOWN = Shown()
SEED = click.INT
FILE = File()
PROGRAM_NAME = ProgramName()


def flag(*names: str, help: str) -> "Decorator":
    """An option without a value."""
    return click.option(*names, is_flag=True, help=help)


def file_option(*names: str, help: str, metavar: str = "FILE", **more: "Any") -> "Decorator":
    """An option that takes the name of a file, a folder or a program."""
    return click.option(*names, metavar=metavar, type=FILE, help=help, **more)


def seconds_option(name: str, type: "click.ParamType[Any]", default: float, help: str) -> "Decorator":
    """An option that takes seconds: SECONDS, or WAIT where none are some, too."""
    return click.option(name, type=type, default=default, show_default=True, metavar="SECONDS", help=help)


def is_given(option: str) -> bool:
    """Whether an option of the command that is carried out was typed, and is not its default."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def timeout_option(default: float, help: str = "Time for one answer.") -> "Decorator":
    """--timeout, with this default."""
    return seconds_option("--timeout", SECONDS, default, help)


def chosen_sandbox(options: "dict[str, Any]", memory: int, cases: "Sequence[str]" = ()) -> "Sandbox | None":
    """The sandbox that --sandbox and --show ask for; if nobody said off and there is none, that is told."""
    from harness.running.rungs import none_told
    from harness.running.target import sandbox_for

    mode = options["sandbox"]
    sandbox = sandbox_for(mode, memory, options["show"], cases)
    if sandbox is None and mode != "off":
        click.echo(f"harness: {none_told(mode)}", err=True)
    return sandbox


def sandbox_option(whom: str, default: "str | None" = "auto") -> "Decorator":
    """--sandbox, which shuts these in, and --show, which shows them more. No default: as configured."""

    def both(command: "Command") -> "Command":
        return shown(shutting(command))

    told = "" if default else " Default: on, or as configured."
    shutting = click.option(
        "--sandbox",
        type=SANDBOX,
        default=default,
        show_default=bool(default),
        help=f"Run {whom} in a sandbox: no network, nothing to write to, no files but their own and the "
        f"system's. auto: if one works here; on: always, or fail (strict means the same).{told}",
    )
    shown = click.option(
        "--show",
        metavar="PATH",
        type=SHOWN,
        multiple=True,
        help="A file or folder that programs in the sandbox may read as well, such as that of an "
        "interpreter. Can be repeated.",
    )
    return both


def jobs_option(what: str = "cases run") -> "Decorator":
    """-j, how much is done at once."""
    told = f"How many {what} at once. Default: the number of cores."
    return click.option("-j", "--jobs", type=JOBS, metavar="N", help=told)


def seed_option(help: str) -> "Decorator":
    """--seed, of what is random."""
    return click.option("--seed", type=SEED, default=0, show_default=True, metavar="S", help=help)


# Cases and programs


def cases_argument(command: "Command") -> "Command":
    """PATHs, which are directories or single cases."""
    return click.argument("paths", metavar="[PATH]...", nargs=-1, type=FILE)(command)


def case_paths(options: "dict[str, Any]") -> list[str]:
    """The PATHs that were given, or where cases are if none were."""
    return [os.path.normpath(path) for path in options["paths"]] or ["test-fixtures"]


def names_option(command: "Command") -> "Command":
    """--names, which says how the files of cases are called."""
    return click.option(
        "--names",
        metavar="PATTERN",
        type=NamePattern(),
        multiple=True,
        help="How case files are named, if not in a usual way (see harness help cases), such as "
        "'{name}.input:{name}.expected'. Can be repeated.",
    )(command)


def names_in(options: "dict[str, Any]") -> "Names":
    """The namings that are understood, with those that --names says before the others."""
    from harness.fixtures.naming import Names
    from harness.fixtures.untaken import Untaken

    return Names(options["names"], Untaken())


def tell_untaken(names: "Names") -> None:
    """Say which files look like cases and have not been taken, if there are any."""
    from harness.report.words import safe

    if str(names.untaken or ""):
        click.echo(safe(f"harness: {names.untaken}"), err=True)


def folders_of(paths: "Iterable[str]") -> list[str]:
    """The folders that the cases at these paths are in."""
    return [path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths]


def pattern_option(command: "Command") -> "Command":
    """-k, which picks cases by their names."""
    return click.option(
        "-k",
        "pattern",
        metavar="PATTERN",
        help="Only cases whose path contains this; with * or ? in it, cases whose path matches.",
    )(command)


def bin_option(help: str) -> "Decorator":
    """--bin, the directory with the programs."""
    return file_option("--bin", "folder", metavar="DIR", help=help)


def program_option(help: str) -> "Decorator":
    """--program, the one program that is run: its file, or a command with arguments."""
    return file_option("--program", help=f"{help} {COMMAND_LINE}")


COMMAND_LINE = "FILE may be a command with arguments, such as 'node xstep.js'."


def name_option(name: str, help: str) -> "Decorator":
    """An option that says which of the programs is meant."""
    return click.option(name, type=PROGRAM_NAME, help=help)


def program_meant(*names: "str | None") -> str:
    """The first of these names that there is, if it is that of a program. Raises WrongUse."""
    name = next(filter(None, names), "")
    if name not in PROGRAMS:
        raise WrongUse(f"say which program it is: --program {'|'.join(PROGRAMS)}")
    return name


def shard_option(help: str) -> "Decorator":
    """--shard, one part of so many."""
    return click.option("--shard", type=ShardNumber(), metavar="K/N", help=help)


def cluster_options(command: "Command") -> "Command":
    """--cluster, --cluster-tls and --insecure."""
    for option in reversed(
        (
            file_option(
                "--cluster",
                metavar="ADDRESS|FILE|local[:N]",
                help="Run cases on a cluster of Dask's: the address of its scheduler, a scheduler file, or N "
                "workers that are started here. Needs the package distributed.",
            ),
            *security_options,
        )
    ):
        command = option(command)
    return command


security_options = (
    file_option(
        "--cluster-tls",
        metavar="DIR",
        help="Speak TLS with the cluster, by the ca.pem, cert.pem and key.pem in DIR.",
    ),
    flag(
        "--insecure",
        help="Speak plain TCP with a cluster on other machines. Whoever reaches it can run code there.",
    ),
)


def cluster_meant(options: "dict[str, Any]") -> "Cluster":
    """The cluster that the options name. Raises WrongUse, or UserError for a file that is none."""
    from harness.cluster.address import cluster_at
    from harness.running.limits import cores

    return cluster_at(options["cluster"], options["cluster_tls"] or "", options["insecure"], cores())


def json_option(help: str = "Print one JSON object instead of text.") -> "Decorator":
    """--json, for tools."""
    return flag("--json", "as_json", help=help)


def failures_only_option(command: "Command") -> "Command":
    """--failures-only."""
    return flag("--failures-only", help=FAILURES_ONLY)(command)


# Dialects


def dialect_option(default: str) -> "Decorator":
    """--dialect, what programs are taken to read; the default is told in these words."""
    return file_option(
        "--dialect",
        metavar="auto|common|generous|FILE",
        help="What to send to a program: cases in the dialect that it is found to read (auto), only those in "
        "the form that every program reads (common), all as they are (generous), or what a file says (see "
        f"harness dialect). {default}",
    )


# Reports


def page_option(help: str = "Write a page for browsers, complete in one file.") -> "Decorator":
    """--html, a page of pictures."""
    return file_option("--html", help=help)


def journal_option(help: str) -> "Decorator":
    """--json, the journal of a run."""
    return file_option("--json", "journal", help=help)


def report_options(command: "Command") -> "Command":
    """An option for each report."""
    command = click.option("--github", is_flag=True, help=GITHUB)(command)
    for kind, what in reversed(FILES.items()):
        command = click.option(f"--{kind}", metavar="FILE", type=FILE, help=f"Write {what}.")(command)
    return command
