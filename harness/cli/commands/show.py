"""`harness show`: a case in pictures, with what a program prints."""

import os
import sys

import click

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness import FAILED as DIFFERENT
from harness.cli.commands.explain import read_case
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    bin_option,
    chosen_sandbox,
    file_option,
    names_in,
    names_option,
    page_option,
    program_meant,
    program_option,
    sandbox_option,
    timeout_option,
)
from harness.errors import UserError, WrongUse
from harness.fixtures.cases import program_of
from harness.programs.answering import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.judging.outcome import Outcome
    from harness.report.pictures import Titled

    Options = dict[str, Any]

MOST_PRINTED = 4000  # characters of an answer without a picture


@subcommand
@click.argument("case", type=FILE)
@bin_option("Run the program of this directory that the case is for, and show what it prints, too.")
@program_option("Run this program, and show what it prints, too.")
@page_option()
@file_option("--svg", help="Write the pictures beside each other, as SVG.")
@names_option
@timeout_option(10.0)
@sandbox_option("the program")
def command(**options: "Any") -> int:
    """Show a case in pictures: input, expected and printed.

    CASE is any file of a case, or what the names of its files have in common; xstep/NAME for a case
    that comes with the harness; or - for an input on standard input. With --bin or --program the
    program is run, and what differs is marked in both pictures, with the other picture's value
    before ≠. Without --html and --svg, the pictures are text, one below the other.

    \b
    Examples:
      harness show xstep/attack-takes-population-and-feeds
      harness show --bin ../team7/bin tests/xstep/horns --html differs.html

    \b
    Exit status: 0 shown; 1 the program prints something else than expected; 65 the input is refused;
    2 the command line is wrong, or there is no such case.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Show the case that the options name; the exit status."""
    from harness.report.pictures import WHAT_DIFFERS, Item, pictures_of_case, write_page_of_pictures

    _check_files(options)
    data, expected, path = read_case(options["case"], names_in(options))
    try:
        value = parse(data)
        outcome = _outcome(options, data, path)
        printed = None if outcome is None else outcome.stdout
        pictures = pictures_of_case(value, expected, printed)
    except BadInput as problem:
        raise UserError(f"{path or 'standard input'}: {refused(data, problem)}") from None
    lines = [] if outcome is None or expected is None else _differences(expected, outcome)
    if options["svg"]:
        _write_svg(options["svg"], pictures)
    if options["html"]:
        item = Item(pictures, groups=[(WHAT_DIFFERS, lines)], texts=[data, expected, printed])
        write_page_of_pictures(options["html"], os.path.basename(options["case"]), "A case", [item])
    if not options["svg"] and not options["html"]:
        _tell(pictures, lines, expected, printed)
    return DIFFERENT if lines else 0


def _check_files(options: "Options") -> None:
    """See that what is to be written writes over nothing else."""
    from evolution.picture.svg import START as SVG_START
    from harness.report import check_target
    from harness.report.pictures import check_page

    if options["folder"] and options["program"]:
        raise WrongUse("--bin and --program exclude each other")
    if options["svg"]:
        check_target("--svg", options["svg"], SVG_START.encode())
    check_page(options["html"])


def _outcome(options: "Options", data: bytes, path: str) -> "Outcome | None":
    """What the program that was asked for does with the input; None if none was."""
    from harness.fixtures.executables import check_executable
    from harness.running.limits import Limits
    from harness.running.target import Target

    program = options["program"]
    if options["folder"]:
        program = os.path.join(options["folder"], program_meant(program_of(path)))
    if not program:
        return None
    check_executable(program)
    limits = Limits(seconds=options["timeout"])
    cases = [os.path.dirname(path) or "."]
    sandbox = chosen_sandbox(options, limits.memory, cases)
    with Target(program, limits, sandbox) as target:
        return target.answer(data)


def _differences(expected: bytes, outcome: "Outcome") -> list[str]:
    """In what the program's output differs from what is expected, in words."""
    from harness.judging.judge import judge
    from harness.judging.sentences import sentences
    from harness.judging.verdicts import PASS

    found = judge(expected, outcome, exact=False, as_text=False)
    if found.verdict == PASS:
        return []
    verdict = f"{found.verdict}: {found.detail}" if found.detail else found.verdict
    return [*sentences(found.differences)] or [verdict]


def _write_svg(path: str, pictures: "list[Titled]") -> None:
    from evolution.picture.svg import panels
    from harness.report import write_file
    from harness.report.pictures import compared_with

    write_file("svg", path, panels(compared_with(pictures), "a case in pictures").encode())


def _tell(
    pictures: "list[Titled]", lines: list[str], expected: "bytes | None", printed: "bytes | None"
) -> None:
    from evolution.picture import draw
    from harness.report.colours import BOLD, painted, wants_colour
    from harness.report.pictures import compared_with
    from harness.report.words import safe
    from harness.text import printed_text

    coloured = wants_colour(sys.stdout)
    texts = [
        f"{painted(coloured, title, BOLD)}\n\n{draw(scene, unlike=unlike).text(coloured)}\n"
        for title, scene, unlike in compared_with(pictures)
    ]
    shown = {title for title, _, _ in pictures}
    for title, output in (("Expected", expected), ("Printed", printed)):
        if output is not None and title not in shown:
            words = safe(printed_text(output.strip(), MOST_PRINTED)) or "nothing"
            texts.append(f"{painted(coloured, title, BOLD)}\n\n{words}\n")
    if lines:
        differing = "".join(f"  {safe(line)}\n" for line in lines)
        texts.append(f"{painted(coloured, 'What differs', BOLD)}\n\n{differing}")
    click.echo("\n".join(texts), nl=False)
