"""`harness convert`: a table from one format into another."""

import click

from evolution.designs.convert import FORMATS, losses, read_table, write_table
from evolution.wire.errors import BadInput
from harness import NO_OUTPUT, REFUSED
from harness.cli.group import subcommand
from harness.cli.parameters import flag
from harness.programs.answering import complain, read_input, refused, say_who_waits, write

PROGRAM = "harness convert"


@subcommand
@click.option("--from", "source", type=click.Choice(FORMATS), required=True, help="What standard input is.")
@click.option("--to", "target", type=click.Choice(FORMATS), required=True, help="What is printed.")
@flag("--lossy", help="Drop what the target does not hold, and say what was dropped.")
def command(source: str, target: str, lossy: bool) -> int:
    """Translate a table between a Configuration, a State and the tables of other designs.

    Reads one JSON value from standard input and prints one. The formats (docs/convert.md) are
    configuration, state (what the first player sees), stepwise (design 1's Dealer), cardwise
    (design 3's GameState) and table (design 4's GameState). If the target cannot hold something,
    nothing is printed and standard error names every such field, unless --lossy is given. What the
    source lacks becomes 0 or empty; ids become 1 to N.

    \b
    Examples:
      harness convert --from configuration --to cardwise < table.json
      harness convert --from state --to configuration < state.json
      harness convert --from configuration --to stepwise --lossy < table.json

    \b
    Exit status: 0 converted; 65 the input is refused, or would lose something; 74 it could not be
    read, or the result could not be written; 2 the command line is wrong.
    """
    return execute(source, target, lossy)


def execute(source: str, target: str, lossy: bool) -> int:
    """Convert standard input; the exit status."""
    import json

    from evolution.wire.text import parse

    data = b""
    say_who_waits(PROGRAM)
    try:
        data = read_input()
        table = read_table(source, parse(data))
    except BadInput as problem:
        complain(PROGRAM, refused(data, problem))
        return REFUSED
    except OSError as problem:
        complain(PROGRAM, f"cannot read standard input: {problem.strerror}")
        return NO_OUTPUT
    lost = losses(table, source, target)
    for line in lost:
        complain(PROGRAM, f"{line} {'dropped' if lossy else 'would be dropped'}")
    if lost and not lossy:
        return REFUSED
    text = json.dumps(write_table(target, table), separators=(",", ":"))
    return write(PROGRAM, f"{text}\n".encode())
