"""`harness shrink`: the smallest case on which a program differs from the rules."""

import os
import time
from dataclasses import dataclass

import click

from evolution.wire.errors import BadInput, Illegal
from evolution.wire.text import parse
from harness import FAILED as NO_DIFFERENCE
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    chosen_sandbox,
    dialect_option,
    file_option,
    json_option,
    name_option,
    names_in,
    names_option,
    page_option,
    program_meant,
    sandbox_option,
    timeout_option,
)
from harness.errors import WrongUse
from harness.files import read_file
from harness.fixtures.cases import case_at, program_of
from harness.fixtures.executables import check_executable, executable
from harness.fixtures.layout import compact, readable
from harness.fixtures.writing import check_free, write_case
from harness.judging.verdicts import PASS
from harness.programs.answering import PROGRAMS
from harness.running.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.fixtures.cases import Case
    from harness.fixtures.dialect import Dialect
    from harness.judging.judge import Judgement
    from harness.running.target import Target
    from harness.search.boundaries import Range

    Options = dict[str, Any]

BUDGET = 50.0  # seconds; programs that take long to answer are not shrunk to the end


@subcommand
@click.argument("case", type=FILE)
@click.argument("program_file", type=FILE)
@names_option
@name_option(
    "--program", "Which program PROGRAM_FILE is. Default: as the case's folder says, or its own name."
)
@file_option(
    "-o",
    "out",
    metavar="STEM",
    help="Write the shrunk case as STEM-in.json and STEM-out.json, if there are no such files.",
)
@page_option("Write a page for browsers that shows the shrunk case in pictures.")
@timeout_option(10.0)
@sandbox_option("the program")
@dialect_option("Default: auto.")
@json_option()
def command(**options: "Any") -> int:
    """Make a case on which a program differs from the rules as small as possible.

    CASE is any file of a case, or what the names of its files have in common; PROGRAM_FILE is an
    executable, or a command with arguments such as 'node xstep.js'. Players, boards, traits, cards
    and exchanges are left out and numbers made smaller as long as the program's answer still
    differs. The result is printed with both answers and with the differences in words, and with what
    in it could be anything: each number is changed by itself, as long as the program is wrong in the
    same way. All that is sent is in the program's dialect (harness dialect), and so is the result.

    \b
    Examples:
      harness shrink test-fixtures/xstep/horns-kill-both ../team7/bin/xstep
      harness shrink found-in.json ./step --program xstep -o tests/xstep/found-small

    \b
    Exit status: 0 shrunk; 1 there is no difference, or the program does not read the form that the case
    has; 2 the command line, the case or the program is wrong; 74 the shrunk case could not be written.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Shrink the case that the options say; the exit status."""
    from harness.fixtures.dialect import AUTO, dialect_choice
    from harness.report.dialects import line
    from harness.report.pictures import check_page
    from harness.running.probing import dialect_of
    from harness.running.target import Target

    case = case_at(options["case"], names_in(options))
    if options["out"]:
        check_free(options["out"])  # such as the case that it is made from
    check_page(options["html"])
    check_executable(options["program_file"])
    program = program_meant(
        options["program"], program_of(case.input), os.path.basename(options["program_file"])
    )
    value = _value(program, case)
    limits = Limits(seconds=options["timeout"])
    sandbox = chosen_sandbox(options, limits.memory)
    choice = dialect_choice(options["dialect"] or AUTO)
    dialect = dialect_of(choice, program, executable(options["program_file"]), limits, sandbox)
    unread = dialect.withholds(program, value)
    if unread:
        return _none(
            options,
            f"nothing was asked: the program does not read what the case has, {', '.join(unread)}; "
            "--dialect generous sends it all the same",
        )
    with Target(options["program_file"], limits, sandbox) as target:
        status = _shrink(program, dialect.write(program, value), target, options, dialect)
    if not options["as_json"]:
        click.echo(f"dialect: {line({program: dialect})}")
    return status


def _none(options: "Options", why: str) -> int:
    """Say that there is nothing to shrink; the exit status."""
    import json

    click.echo(json.dumps({"smallest": None, "why": why}) if options["as_json"] else why)
    return NO_DIFFERENCE


def _value(program: str, case: "Case") -> object:
    """The input of the case, which must be well-formed."""
    try:
        value = parse(read_file(case.input))
        expected_of(program, value)
    except OSError as problem:
        raise WrongUse(f"{case.input} cannot be read: {problem.strerror}") from None
    except BadInput as problem:
        raise WrongUse(f"{case.input} is not an input of {program}: {problem}") from None
    return value


def expected_of(program: str, value: object) -> bytes:
    """What the rules print for an input; nothing for an illegal one. Raises BadInput if it is none."""
    try:
        answer = PROGRAMS[program]()(value)
    except Illegal:
        return b""
    return b"" if answer is None else answer.encode()


def judged(program: str, value: object, target: "Target") -> "tuple[Judgement, bytes]":
    """The verdict on what the target does with an input, and what it printed."""
    from harness.judging.judge import judge

    outcome = target.answer(compact(value).encode())
    return judge(expected_of(program, value), outcome, exact=False, as_text=False), outcome.stdout


def _shrink(program: str, value: object, target: "Target", options: "Options", dialect: "Dialect") -> int:
    from harness.inputs.scene import value_of
    from harness.search.boundaries import boundaries, likeness
    from harness.search.shrink import Search

    first, _ = judged(program, value, target)
    if first.verdict == PASS:
        return _none(options, "there is no difference: the program answers this case as the rules do")

    # What began as a wrong answer shall not end as a crash, nor the other way round.
    def differs(value: object) -> bool:
        if dialect.withholds(program, value):
            return False
        return judged(program, dialect.write(program, value), target)[0].verdict == first.verdict

    until = time.monotonic() + BUDGET
    search = Search(program, value, lambda values: [*map(differs, values)], BUDGET)
    search.run()
    smallest = dialect.write(program, value_of(search.best))
    judgement, printed = judged(program, smallest, target)

    def like(value: object) -> str:
        if dialect.withholds(program, value):
            return ""
        return likeness(judged(program, dialect.write(program, value), target)[0], judgement)

    # Of a case that could be made smaller still, nothing is known to be needed.
    ranges = (
        boundaries(program, smallest, lambda values: [*map(like, values)], until=until)
        if search.complete
        else []
    )
    _tell(Shrunk(program, smallest, judgement, printed, ranges, search.complete), options)
    if options["out"]:
        write_case(options["out"], smallest, expected_of(program, smallest))
    return 0


@dataclass(frozen=True, slots=True)
class Shrunk:
    """A case that was made small: what the program makes of it, and what in it could be anything."""

    program: str
    value: object
    judgement: "Judgement"
    printed: bytes
    ranges: "list[Range]"
    complete: bool

    @property
    def expected(self) -> bytes:
        """What the rules print."""
        return expected_of(self.program, self.value)


def _laid_out(printed: bytes) -> str:
    """What a program printed, for readers if it is JSON."""
    if not printed.strip():
        return "nothing\n"
    try:
        return readable(parse(printed))
    except BadInput:
        return f"{printed.decode(errors='backslashreplace').rstrip()}\n"


def _tell(shrunk: Shrunk, options: "Options") -> None:
    """Print the case, what should come of it, what the program makes of it, and how they differ."""
    from harness.judging.sentences import sentences
    from harness.search.boundaries import groups, lines, recorded

    judgement = shrunk.judgement
    verdict = f"{judgement.verdict}: {judgement.detail}" if judgement.detail else judgement.verdict
    differences = sentences(judgement.differences)
    ranges = recorded(shrunk.ranges)
    if options["as_json"]:
        click.echo(_as_json(shrunk))
    else:
        click.echo(f"input:\n{readable(shrunk.value)}")
        click.echo(f"expected:\n{_laid_out(shrunk.expected)}")
        click.echo(f"printed:\n{_laid_out(shrunk.printed)}")
        click.echo("\n".join([verdict, *(f"  {line}" for line in differences), *lines(ranges)]))
    if not shrunk.complete:
        click.echo("\nnot shrunk to the end: the program takes too long", err=True)
    if options["html"]:
        from harness.report.pictures import WHAT_DIFFERS, case_item, write_page_of_pictures

        told = [(WHAT_DIFFERS, differences or [verdict]), *groups(ranges)]
        item = case_item("", told, shrunk.value, shrunk.expected, shrunk.printed)
        title = f"A case of {shrunk.program}, made small"
        write_page_of_pictures(options["html"], title, "harness shrink", [item])


def _as_json(shrunk: Shrunk) -> str:
    import json

    from harness.judging.sentences import recorded
    from harness.search import boundaries

    return json.dumps(
        {
            "program": shrunk.program,
            "smallest": shrunk.value,
            "complete": shrunk.complete,
            "expected": parse(shrunk.expected) if shrunk.expected else None,
            "printed": shrunk.printed.decode(errors="backslashreplace"),
            "verdict": shrunk.judgement.verdict,
            "detail": shrunk.judgement.detail,
            **recorded(shrunk.judgement.differences),
            **boundaries.recorded(shrunk.ranges),
        }
    )
