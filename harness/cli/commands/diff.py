"""`harness diff`: how two outputs differ, in the words of the game."""

import sys

import click

from harness import FAILED as DIFFERENT
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, flag, json_option
from harness.errors import UserError, WrongUse
from harness.files import read_file
from harness.programs.answering import read_input, say_who_waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.judging.judge import Judgement

    Options = dict[str, Any]


@subcommand
@click.argument("expected", metavar="EXPECTED", type=FILE)
@click.argument("actual", metavar="ACTUAL", type=FILE)
@flag("--exact", help="Compare JSON values as they are: the order of traits and labels of growth count.")
@json_option()
def command(**options: "Any") -> int:
    """Say how two outputs differ, in the words of the game.

    EXPECTED and ACTUAL are files with what a program should print and what it printed; one of them may
    be - for standard input. They are compared by meaning, as cases are: the order of a board's traits,
    the labels of growth, white space and the spelling of numbers do not count.

    \b
    Examples:
      harness diff test-fixtures/xstep/horns-kill-both-out.json mine.json
      ./xstep < case-in.json | harness diff case-out.json -

    \b
    Exit status: 0 they mean the same; 1 they differ; 65 one of them is not JSON; 2 the command line is
    wrong, or a file cannot be read.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Compare the two files; the exit status."""
    from evolution.wire.errors import NotJSON
    from harness.judging.compare import parse_values
    from harness.judging.judge import judge
    from harness.judging.outcome import Outcome
    from harness.judging.verdicts import PASS

    if options["expected"] == options["actual"] == "-":
        raise WrongUse("only one of EXPECTED and ACTUAL can be - for standard input")
    outputs = [_content(options[side]) for side in ("expected", "actual")]
    for side, output in zip(("expected", "actual"), outputs, strict=True):
        try:
            parse_values(output)
        except NotJSON as problem:
            raise UserError(f"{options[side]}: {problem}") from None
    outcome = Outcome()
    outcome.stdout = outputs[1]
    found = judge(outputs[0], outcome, options["exact"], as_text=False)
    if options["as_json"]:
        import json

        from harness.judging.sentences import recorded

        parts = {"same": found.verdict == PASS, "detail": found.detail, **recorded(found.differences)}
        click.echo(json.dumps({**parts, "smallest": found.smallest}))
    else:
        _tell(found)
    return 0 if found.verdict == PASS else DIFFERENT


def _content(path: str) -> bytes:
    try:
        if path == "-":
            say_who_waits("harness")
            return read_input()
        return read_file(path)
    except OSError as problem:
        raise WrongUse(f"{path}: {problem.strerror}") from None


def _tell(found: "Judgement") -> None:
    from harness.judging.verdicts import MEANING, PASS
    from harness.report.terminal import difference_lines

    if found.verdict == PASS:
        click.echo("no difference")
        return
    if not found.differences:
        click.echo(f"{found.verdict}: {found.detail or MEANING[found.verdict]}")
    for line in difference_lines(sys.stdout, found.differences, found.smallest):
        click.echo(line)
