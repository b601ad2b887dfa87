"""`harness explain`: from a case to the story of its answer."""

import os
from typing import Any

import click

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness import FAILED as CONTRADICTED
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, json_option, name_option, names_in, names_option, program_meant
from harness.cli.trait_option import traits_option
from harness.errors import UserError, WrongUse
from harness.files import read_file
from harness.fixtures.cases import program_of
from harness.fixtures.naming import Names
from harness.programs.answering import read_input, refused, say_who_waits


@subcommand
@click.argument("case", type=FILE)
@names_option
@name_option("--program", "Which program the case is for, if its folder does not say so.")
@traits_option
@json_option("Print the steps as one JSON object instead of text.")
def command(**options: "Any") -> int:
    """Explain the answer to a case by the rules, step by step.

    CASE is any file of a case, or what the names of its files have in common; xstep/NAME for a case
    that comes with the harness; or - for an input on standard input. Every step names its section
    of the rules, which harness rules prints. If the case has an expected output that the rules
    contradict, the difference follows at the end.

    \b
    Examples:
      harness explain xstep/forager-cooperates-twice
      harness explain --program xattack - < situation.json

    \b
    Exit status: 0 explained; 1 the rules contradict the expected output; 65 the input is refused;
    2 the command line is wrong, or there is no such case.
    """
    return execute(options)


def execute(options: "dict[str, Any]") -> int:
    """Tell the story of a case; the exit status."""
    data, expected, path = read_case(options["case"], names_in(options))
    program = program_meant(options["program"], program_of(path))
    from harness.explain.programs import explain
    from harness.programs.reference import Reference, contradictions

    try:
        story = explain(program, parse(data))
    except BadInput as problem:
        raise UserError(f"{program}: {refused(data, problem)}") from None
    found = [] if expected is None else contradictions(Reference(story.answer), expected)[0]
    if options["as_json"]:
        import json

        click.echo(json.dumps({**story.data(), "contradictions": found}))
    else:
        for line in story.lines():
            click.echo(line)
        if found:
            click.echo("but the case expects something else:")
        for line in found:
            click.echo(f"  {line}")
    return CONTRADICTED if found else 0


def read_case(path: str, names: "Names") -> "tuple[bytes, bytes | None, str]":
    """The input, the expected output if there is one, and where they lie."""
    if path == "-":
        say_who_waits("harness")
        return read_input(), None, ""
    given, expected = _files(path, names)
    try:
        return read_file(given), read_file(expected) if os.path.isfile(expected) else None, given
    except OSError as problem:
        raise WrongUse(f"{problem.filename}: {problem.strerror}") from None


def _files(path: str, names: "Names") -> tuple[str, str]:
    """The files of a case's input and expected output; those of a case here go before the shipped."""
    from harness.fixtures.cases import NoSuchPathError, case_at
    from harness.fixtures.executables import is_executable
    from harness.shipped import shipped_cases

    try:
        case = case_at(path, names)
    except NoSuchPathError as problem:
        if os.path.isfile(path) and not is_executable(path):
            return path, ""
        try:
            case = case_at(os.path.join(shipped_cases(), path))
        except NoSuchPathError:
            raise problem from None
    return case.input, case.expected
