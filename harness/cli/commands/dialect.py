"""`harness dialect`: what programs read beyond the common form, found out by trying them."""

import os

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    chosen_sandbox,
    flag,
    json_option,
    name_option,
    program_meant,
    sandbox_option,
    timeout_option,
)
from harness.errors import WrongUse
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.running.probing import Probed

    Options = dict[str, Any]
    Groups = dict[str, dict[str, list[str]]]  # the commands of each folder's programs, by the programs' names


@subcommand
@click.argument("programs", metavar="PROGRAM...", nargs=-1, required=True, type=FILE)
@name_option("--program", "Which program each PROGRAM is. Default: the one that it is named like.")
@flag("--toml", "as_toml", help="Print only the TOML, for grade.toml or --dialect FILE.")
@flag("--again", help="Try programs again even if they have not changed.")
@timeout_option(10.0)
@sandbox_option("the programs")
@json_option()
def command(**options: "Any") -> int:
    """Find out what programs read beyond the common form: their dialect.

    A PROGRAM is an executable, a command with arguments such as 'node xstep.js', or a directory
    with executables named like the programs. Each is given fewer than 30 small inputs. It reads a
    form if it answers, whether the answer is right or wrong. The findings are kept until something
    in the program's folder changes. After the table, what differs from the common form is printed
    as TOML, for grade.toml or for --dialect FILE of other commands.

    \b
    Examples:
      harness dialect ../team7/bin
      harness dialect ../team7/bin/xstep4 ../team8/bin/xstep4
      harness dialect ../team7/bin --toml > team7.toml && harness run --bin ../team7/bin --dialect team7.toml

    \b
    Exit status: 0 all have answered something; 1 a program has answered nothing; 2 the command line or a
    program is wrong.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Find out the dialects that the options ask for; the exit status."""
    groups = _groups(options["programs"], options["program"])
    found = {folder: _probed(commands, options) for folder, commands in groups.items()}
    if options["as_json"]:
        _print_json(found)
    else:
        _print(found, options["as_toml"])
    answered = all(one.dialect.answered for probed in found.values() for one in probed.values())
    return 0 if answered else FAILED


def _groups(paths: "tuple[str, ...]", program: "str | None") -> "Groups":
    """The programs that are meant, by the folders that they are in."""
    from harness.fixtures.executables import check_executable, executable, subject

    groups: Groups = {}
    for path in paths:
        if os.path.isdir(path):
            groups.setdefault(os.path.normpath(path), {}).update(programs_in(path))
            continue
        check_executable(path)
        words = executable(path)
        name = program_meant(program, os.path.basename(subject(words)))
        folder = os.path.dirname(path) or os.curdir
        if name in groups.setdefault(folder, {}):
            folder = path
        groups.setdefault(folder, {})[name] = words
    return groups


def programs_in(folder: str) -> dict[str, list[str]]:
    """The commands of the programs in a folder, or in its bin/. Raises WrongUse if there is none."""
    from harness.fixtures.executables import is_executable

    for place in (folder, os.path.join(folder, "bin")):
        paths = {name: os.path.abspath(os.path.join(place, name)) for name in PROGRAMS}
        found = {name: [path] for name, path in paths.items() if is_executable(path)}
        if found:
            return found
    raise WrongUse(f"{folder} has none of the programs {', '.join(PROGRAMS)} in it")


def _probed(commands: dict[str, list[str]], options: "Options") -> "dict[str, Probed]":

    from harness.running.limits import Limits
    from harness.running.probing import kept_probe

    limits = Limits(seconds=options["timeout"])
    sandbox = chosen_sandbox(options, limits.memory)
    return {
        name: kept_probe(name, words, limits, sandbox, again=options["again"])
        for name, words in commands.items()
    }


def _print(found: "dict[str, dict[str, Probed]]", only_toml: bool) -> None:
    """Print a table for each folder, and what to write into a configuration."""
    import json

    from harness.report.dialects import silent_line, table, toml
    from harness.report.words import safe

    for folder, probed in {} if only_toml else found.items():
        notes = [silent_line({name: one.dialect for name, one in probed.items()})]
        click.echo(
            "\n".join([safe(folder), *(f"  {line}" for line in table(probed)), *filter(None, notes), ""])
        )
    blocks = []
    for folder, probed in found.items():
        dialects = {name: one.dialect for name, one in probed.items()}
        if len(found) == 1:
            blocks.append(toml(dialects))
        else:
            blocks.append(["[[team]]", f"path = {json.dumps(safe(folder))}", *toml(dialects, "team.dialect")])
    click.echo("\n\n".join("\n".join(block) for block in blocks))


def _print_json(found: "dict[str, dict[str, Probed]]") -> None:
    import json

    told = [
        {
            "folder": folder,
            "program": name,
            **one.dialect._asdict(),
            "refusal": one.refusal,
            "starts": one.starts,
        }
        for folder, probed in found.items()
        for name, one in probed.items()
    ]
    click.echo(json.dumps({"dialects": told}, indent=1))
