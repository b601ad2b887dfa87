"""xmain's command line."""

import click

from harness import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 96}


@click.command(context_settings=CONTEXT)
@click.argument("number", required=False, type=click.IntRange(3, 8))
@click.option(
    "--seed", metavar="S", help="Shuffle the deck; the same seed, the same deck. Default: card order."
)
@click.option(
    "--players",
    metavar="WHO,WHO,…",
    help="Who sits at the table, in turn order: FILE:CLASS for a player of yours, silly for a Silly one. "
    "Where they are fewer than NUMBER, Silly players follow.",
)
@click.option(
    "--timeout", type=click.FloatRange(0.01), default=5.0, show_default=True, help="Seconds for each answer."
)
@click.option(
    "--in-process", is_flag=True, help="Trust the players: run them in this process, without limits."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
@click.version_option(__version__, prog_name="xmain")
def xmain(
    number: "int | None",
    seed: "str | None",
    players: "str | None",
    timeout: float,
    in_process: bool,
    as_json: bool,
) -> int:
    """Play a whole game and print its result, one line a player.

    NUMBER, from 3 to 8, is how many play. A player of yours runs in a process of its own: whatever
    it does wrong costs it its seat, and nothing else.

    \b
    Examples:
      xmain 3
      xmain 4 --seed 7 --players mine.py:Mine
    """
    from harness.play import SeatError, play, seat

    described = players.split(",") if players else []
    wanted = number if number is not None else len(described)
    if len(described) > wanted:
        raise click.UsageError(f"{len(described)} players are named for {wanted} seats")
    if not 3 <= wanted <= 8:
        raise click.UsageError("a game has 3 to 8 players: say how many")
    described += ["silly"] * (wanted - len(described))
    try:
        seated = [seat(word, timeout, in_process) for word in described]
    except SeatError as problem:
        raise click.UsageError(f"--players: {problem}") from None
    return play(seated, seed, as_json)
