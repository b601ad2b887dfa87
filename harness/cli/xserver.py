"""xserver's command line: a server of the remote protocol, and the results of its games."""

import resource

import click

from harness import TOO_FEW, __version__
from harness.cli.group import subcommand
from harness.cli.parameters import FILE, WAIT, named, seconds_option, timeout_option
from harness.cli.remote_options import address_options, in_words, message_options, run_until_interrupted
from harness.errors import Unavailable, WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PLAYERS = click.IntRange(3, 8)


@subcommand
@address_options(
    "The address to listen on; 0.0.0.0 is every address of this machine.",
    "The port to listen on. 0 chooses a free one, and standard error says which.",
)
@click.option(
    "--min", "fewest", type=PLAYERS, default=3, show_default=True, help="Players that a game needs."
)
@click.option("--max", "most", type=PLAYERS, default=8, show_default=True, help="Most players at a table.")
@seconds_option(
    "--wait",
    WAIT,
    10.0,
    "Once --min have signed up, start after so many seconds, or when --max are there.",
)
@click.option(
    "--give-up",
    type=WAIT,
    metavar="SECONDS",
    help="End if fewer than --min players have signed up after so many seconds. Default: keep waiting.",
)
@timeout_option(5.0, "Seconds for each answer, and for a sign-up.")
@click.option(
    "--seed", metavar="S", help="Shuffle the deck; the same seed, the same deck. Default: card order."
)
@click.option(
    "--bots",
    type=click.IntRange(0, 7),
    default=0,
    metavar="N",
    help="Seat N Silly players of the server's own at each table, after the others. They count: where they "
    "are --min or more, the game starts after --wait even if nobody comes.",
)
@click.option(
    "--log",
    metavar="FILE",
    type=FILE,
    help="Write every event of the game to FILE, as xmain does; of further games to FILE.2, FILE.3 …",
)
@click.option("--games", type=click.IntRange(1), default=1, metavar="N", help="Play N games in a row.")
@click.option(
    "--tables",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Play at N tables at once, --games at each.",
)
@click.option("--results", is_flag=True, help="Tell the clients how the game has ended; see docs/remote.md.")
@seconds_option("--gap", WAIT, 0.02, "Seconds, at least, between two messages to the same client.")
@message_options("none")
@click.version_option(__version__, prog_name="xserver")
def xserver(seed: "str | None", log: "str | None", separator: str, **options: "Any") -> int:
    """Play games with clients that sign up over TCP, and print the results.

    Players sign up until --max are there or, once --min have signed up, for another --wait seconds;
    whoever comes later is turned away. After each game, one line per player says how it ended. A client
    that is slow, rude or gone, or that cheats, is thrown out, and the others play on.

    \b
    Examples:
      xserver
      xserver --port 0 --min 4 --max 4 --bots 2 --seed 7

    \b
    Exit status: 0 all games were played; 2 the command line is wrong; 69 the server cannot listen
    at that address and port, and one line says why; 74 the results or a log could not be written;
    75 too few players had signed up when it was time to --give-up; 130 interrupted.
    """
    from evolution.cards import full_deck, shuffled_deck
    from evolution.remote.connection import SEPARATORS
    from evolution.remote.server import Server, Terms, TooFew
    from harness.games.recorder import Recorders
    from harness.programs.answering import complain

    terms = Terms(separator=SEPARATORS[separator], **options)
    if terms.fewest > terms.most:
        raise WrongUse(f"--min {terms.fewest} is more than --max {terms.most}")
    if terms.bots >= terms.most:
        raise WrongUse(f"--bots {terms.bots} leaves no seat of --max {terms.most} to a client")
    with named("--log"):
        recorders = Recorders(log, seed)

    def listening(addresses: list[tuple[str, int]]) -> None:
        complain("xserver", "listening on " + ", ".join(f"{where}:{number}" for where, number in addresses))

    async def serve() -> None:
        deck = full_deck if seed is None else lambda: shuffled_deck(seed)
        await Server(terms, deck, listening, recorders.of_game).run()

    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))  # a connection is a file
    try:
        run_until_interrupted("xserver", serve)
    except TooFew as problem:
        complain("xserver", problem)
        return recorders.status or TOO_FEW
    except OSError as problem:
        raise Unavailable(f"cannot listen on {terms.host}:{terms.port}: {in_words(problem)}") from None
    return recorders.status
