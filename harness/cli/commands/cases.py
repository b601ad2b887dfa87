"""`harness cases`: the cases that come along, listed, or written out to edit."""

import os

import click

from harness.cli.group import subcommand
from harness.cli.parameters import file_option, json_option
from harness.errors import WrongUse
from harness.files import read_file
from harness.fixtures.forms import COMMON, FORMS, GENEROUS, GROWTH
from harness.shipped import shipped_cases

Counts = dict[str, dict[str, int]]  # for each program, the number of cases of each form

ACTIONS = "xstep4"  # the program whose inputs have growth in them
INPUT_ENDING = "-in.json"


@subcommand
@file_option("--copy", "target", metavar="DIR", help="Write them to DIR, which must be new or empty.")
@click.option(
    "--growth",
    type=click.Choice(GROWTH),
    help="Write the growth in inputs of xstep4 in this way: a program may read only one of the two.",
)
@json_option()
def command(target: "str | None", growth: "str | None", as_json: bool) -> int:
    """List the cases that come with the harness, or write them out to edit.

    There is a suite for each program, in the common form, which every program must read. The cases
    in the folder generous are in forms that a program need not read. harness run runs them all if
    there is no test-fixtures. The README.md that is written with them tells how their answers
    follow from the rules. Growth is labelled unless --growth says otherwise.

    \b
    Examples:
      harness cases
      harness cases --copy my-cases && harness run my-cases
      harness cases --copy my-cases --growth unlabelled

    \b
    Exit status: 0; 2 the command line is wrong, or DIR is not empty; 74 DIR could not be written.
    """
    source = shipped_cases()
    counts = count_cases(source)
    total = sum(sum(numbers.values()) for numbers in counts.values())
    if growth and target is None:
        raise WrongUse("--growth says how the copy is written; give --copy, too")
    if target is not None:
        copy_files(source, target, growth or "")
    if as_json:
        import json

        suites = [
            {"program": program, "form": form, "cases": number}
            for program, numbers in counts.items()
            for form, number in numbers.items()
            if number
        ]
        click.echo(json.dumps({"path": target or source, "suites": suites}))
    elif target is not None:
        click.echo(f"{total} cases written to {target}")
    else:
        for program, numbers in counts.items():
            more = f"  and {numbers[GENEROUS]} in generous forms" if numbers[GENEROUS] else ""
            click.echo(f"{program:8} {numbers[COMMON]:4}{more}")
        click.echo(f"{'in all':8} {total:4}")
    return 0


def count_cases(folder: str) -> "Counts":
    """How many cases there are in each form for each program that has any."""
    from harness.fixtures.cases import find_cases

    counts: Counts = {}
    for form, place in zip(FORMS, (folder, os.path.join(folder, GENEROUS)), strict=True):
        for name in sorted(entry.name for entry in os.scandir(place) if entry.is_dir()):
            number = sum(1 for _ in find_cases([os.path.join(place, name)]))
            if number and name != GENEROUS:
                counts.setdefault(name, dict.fromkeys(FORMS, 0))[form] = number
    return counts


def copy_files(source: str, target: str, growth: str = "") -> None:
    """Write all files of a folder to another that is new or empty; all, or none if one cannot be written.

    They get new modes, since an installation may be such that nobody is to write to it. If a kind of
    growth is given, inputs with actions are written with it.
    """
    if os.path.lexists(target) and not os.path.isdir(target):
        raise WrongUse(f"--copy: {target} is not a directory; name another")
    if os.path.isdir(target) and os.listdir(target):
        raise WrongUse(
            f"--copy: {target} is not empty, and existing files are never overwritten; name another"
        )
    made: list[str] = []
    try:
        for folder, _, files in list(os.walk(source)):
            copy = os.path.normpath(os.path.join(target, os.path.relpath(folder, source)))
            if not os.path.isdir(copy):
                os.makedirs(copy)
                made.append(copy)
            for name in files:
                changed = (
                    growth if os.path.basename(folder) == ACTIONS and name.endswith(INPUT_ENDING) else ""
                )
                _copy_file(os.path.join(folder, name), os.path.join(copy, name), made, changed)
    except BaseException:
        for path in reversed(made):
            if os.path.isdir(path):
                os.rmdir(path)
            elif os.path.lexists(path):
                os.unlink(path)
        raise


def _copy_file(source: str, target: str, made: list[str], growth: str) -> None:
    """Write a new file with the content of another. Raises OSError, which names the file."""
    content = _with_growth(read_file(source), growth) if growth else read_file(source)
    try:
        with open(target, "xb") as file:
            made.append(target)
            file.write(content)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, target) from None


def _with_growth(content: bytes, growth: str) -> bytes:
    """An input with its growth written in this way, laid out as before."""
    from evolution.wire.text import parse
    from harness.fixtures.forms import with_growth
    from harness.fixtures.layout import readable

    return readable(with_growth(parse(content), growth)).encode()
