"""`harness watch`: what a change concerns, run again as it happens."""

import os
import subprocess
import sys

import click

from harness import INTERRUPTED
from harness.cli.group import subcommand
from harness.cli.parameters import (
    bin_option,
    case_paths,
    cases_argument,
    flag,
    folders_of,
    names_in,
    names_option,
    pattern_option,
    program_option,
    sandbox_option,
)
from harness.errors import Unavailable, command_to_install
from harness.shipped import suites_for_others, usual_cases

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from harness.fixtures.cases import Case
    from harness.fixtures.naming import Names

    Options = dict[str, Any]

ROUND = 500  # milliseconds
MOST_NAMED = 50  # cases that are named on a command line; of more, all are run


@subcommand
@cases_argument
@bin_option("The directory with the executables. Default: the project's own.")
@program_option("Run this one executable on every case.")
@pattern_option
@names_option
@flag("--explain", help="Under each failed case, explain by the rules the part that differs.")
@sandbox_option("programs")
def command(**options: "Any") -> int:
    """Run cases again whenever they, or the programs that they are for, change.

    Runs everything once, as harness run does, and then waits. When a case changes, that case is run
    again; when an executable changes, the cases for that program; when another file beside the
    executables changes, everything. Ctrl-C ends it. It needs the package watchfiles; without it, the
    message says what to type.

    \b
    Examples:
      harness watch --bin bin tests
      harness watch --program ./xstep test-fixtures/xstep

    \b
    Exit status: 130 when it is interrupted; 2 the command line or a path is wrong; 69 watchfiles is
    not installed.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Run, watch and run again until somebody has had enough; the exit status."""
    try:
        from watchfiles import watch
    except ImportError:
        install = command_to_install("evolution-harness[watch]")
        raise Unavailable(f"harness watch needs watchfiles; type: {install}") from None
    paths = case_paths(options) if options["paths"] else _usual_paths(options)
    status = _run(paths, options)
    if status > 1:
        return status
    watched = folders_of(paths)
    watched += [options["folder"]] if options["folder"] else []
    watched += [os.path.dirname(_file_of(options["program"]))] if options["program"] else []
    said = False
    try:
        # It comes round without a change, too, and the first time tells that it is looking.
        for changes in watch(*dict.fromkeys(watched), rust_timeout=ROUND, yield_on_timeout=True):
            if not said:
                said = True
                click.echo("watching; Ctrl-C ends it", err=True)
            concerned = affected((path for _, path in changes), paths, options)
            if concerned:
                click.echo(f"\n{_told(concerned, paths)}", err=True)
                if _run(concerned, options) == INTERRUPTED:
                    break
    except KeyboardInterrupt:
        pass
    return INTERRUPTED


def _usual_paths(options: "Options") -> list[str]:
    """What is run as no path is named: what harness run would run."""
    of_others = options["folder"] or options["program"]
    return [*suites_for_others(usual_cases())] if of_others else [usual_cases()]


def _told(concerned: list[str], paths: list[str]) -> str:
    if concerned == paths:
        return "running everything again"
    return f"running again: {', '.join(concerned[:3])}{' …' if len(concerned) > 3 else ''}"


def _run(paths: list[str], options: "Options") -> int:
    """One run of these cases, in a process of its own; its exit status."""
    command = [sys.executable, "-c", "from harness.start import harness; harness()", "run"]
    for name in ("folder", "program", "pattern", "sandbox"):
        if options[name]:
            command += [{"folder": "--bin", "pattern": "-k"}.get(name, f"--{name}"), options[name]]
    for path in options["show"]:
        command += ["--show", path]
    for pattern in options["names"]:
        command += ["--names", pattern]
    command += ["--explain"] if options["explain"] else []
    try:
        return subprocess.run([*command, "--", *paths], check=False).returncode
    except KeyboardInterrupt:
        return INTERRUPTED


def affected(changed: "Iterable[str]", paths: list[str], options: "Options") -> list[str]:
    """The cases that these changed files concern; everything, if that cannot be told or is too much."""
    from harness.fixtures.cases import find_cases

    files: dict[str, None] = {}  # a file of each case
    programs: set[str] = set()
    names = names_in(options)
    for path in changed:
        case = _case_below(path, paths, names)
        if case is not None:
            there = [file for file in (case.input, case.expected) if os.path.exists(file)]
            files |= dict.fromkeys(there[:1])
        elif program := _program_at(path, options):
            programs.add(program)
        elif not _below(path, paths):
            return paths
    if programs and options["program"]:
        return paths
    for found in find_cases(paths, names) if programs else ():
        if programs & set(os.path.dirname(os.path.abspath(found.input)).split(os.sep)):
            files[found.input] = None
    return list(files) if len(files) <= MOST_NAMED else paths


def _file_of(program: str) -> str:
    """The file that stands for a program which may be a command with arguments."""
    from harness.fixtures.executables import executable, subject

    return subject(executable(program))


def _below(path: str, folders: list[str]) -> bool:
    return any(path.startswith(os.path.join(os.path.abspath(folder), "")) for folder in folders)


def _case_below(path: str, paths: list[str], names: "Names") -> "Case | None":
    """The case that a file below the paths belongs to, named as a run would name it."""
    from harness.fixtures.cases import case_of

    for folder in paths:
        above = os.path.normpath(folder if os.path.isdir(folder) else os.path.dirname(folder))
        if _below(path, [above]):
            below = os.path.relpath(path, os.path.abspath(above))
            return case_of(os.path.normpath(os.path.join(above, below)), names)
    return None


def _program_at(path: str, options: "Options") -> str:
    """The name of the program whose executable this is; empty if it is none."""
    if options["program"] and _file_of(options["program"]) == path:
        return os.path.basename(path)
    folder = options["folder"]
    if folder and os.path.dirname(path) == os.path.abspath(folder) and os.access(path, os.X_OK):
        return os.path.basename(path)
    return ""
