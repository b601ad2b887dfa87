"""`harness cases`: the cases that come along, listed, or written out to edit."""

import os

import click

from harness.cli.group import subcommand
from harness.shipped import shipped_cases


@subcommand
@click.option("--copy", "target", metavar="DIR", help="Write them to DIR, which must be new or empty.")
@click.option("--json", "as_json", is_flag=True, help="The same as one JSON object, for tools.")
def command(target: "str | None", as_json: bool) -> int:
    """List the cases that come with the harness, or write them out to edit.

    There is a suite for each program. harness run runs them all where there is no test-fixtures. How
    their answers were worked out from the rules is told in the README.md that is written with them.

    \b
    Examples:
      harness cases
      harness cases --copy my-cases && harness run my-cases

    \b
    Exit status: 0; 2 the command line is wrong, or DIR is not empty; 74 DIR could not be written.
    """
    source = shipped_cases()
    counts = count_cases(source)
    if target is not None:
        copy_files(source, target)
    if as_json:
        import json

        suites = [{"program": program, "cases": number} for program, number in counts.items()]
        click.echo(json.dumps({"path": target or source, "suites": suites}))
    elif target is not None:
        click.echo(f"{sum(counts.values())} cases written to {target}")
    else:
        for program, number in counts.items():
            click.echo(f"{program:8} {number:4}")
        click.echo(f"{'in all':8} {sum(counts.values()):4}")
    return 0


def count_cases(folder: str) -> dict[str, int]:
    """How many cases there are for each program that has any."""
    from harness.fixtures.cases import find_cases

    programs = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
    counts = {program: sum(1 for _ in find_cases([os.path.join(folder, program)])) for program in programs}
    return {program: number for program, number in counts.items() if number}


def copy_files(source: str, target: str) -> None:
    """Write all files of a folder to another that is new or empty; all, or none if one cannot be written.

    They get new modes, since an installation may be such that nobody is to write to it.
    """
    if os.path.lexists(target) and not os.path.isdir(target):
        raise click.UsageError(f"--copy: {target} is not a directory; name another")
    if os.path.isdir(target) and os.listdir(target):
        raise click.UsageError(f"--copy: {target} is not empty, and nothing is written over; name another")
    made: list[str] = []
    try:
        for folder, _, files in list(os.walk(source)):
            copy = os.path.normpath(os.path.join(target, os.path.relpath(folder, source)))
            if not os.path.isdir(copy):
                os.makedirs(copy)
                made.append(copy)
            for name in files:
                _copy_file(os.path.join(folder, name), os.path.join(copy, name), made)
    except BaseException:
        for path in reversed(made):
            if os.path.isdir(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.unlink(path)
        raise


def _copy_file(source: str, target: str, made: list[str]) -> None:
    """Write a new file with the content of another. Raises OSError, which names the file."""
    with open(source, "rb") as file:
        content = file.read()
    try:
        with open(target, "xb") as file:
            made.append(target)
            file.write(content)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, target) from None
