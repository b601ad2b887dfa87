"""xserver's command line: a server of the remote protocol, and the results of its games."""

import resource
from contextlib import contextmanager

import click

from harness import TOO_FEW, __version__
from harness.cli.group import subcommand
from harness.cli.parameters import (
    WAIT,
    file_option,
    flag,
    is_given,
    named,
    seconds_option,
    timeout_option,
)
from harness.cli.remote_options import address_options, in_words, message_options, run_until_interrupted
from harness.errors import Unavailable, UserError, WrongUse
from harness.text import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from evolution.cards import Card
    from evolution.remote.server import News, Terms
    from harness.games.news import Operator
    from harness.games.spectators import Spectators

    Address = tuple[str, int]
    Watching = tuple[Spectators, str] | None  # and where they watch

PLAYERS = click.IntRange(3, 8)
LOOPBACK = "127.0.0.1"
VIEWS = {"all": "dealer", "public": "public"}  # what spectators may see, as the view of a page


class AddressType(click.ParamType["Address"]):
    """A port of this machine, or an address and a port."""

    name = "address"

    def convert(
        self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None"
    ) -> "Address":
        """The address and the port."""
        host, colon, port = str(value).rpartition(":")
        if not 0 <= number_in(port) <= 65535 or (colon and not host):
            self.fail(f"{value!r} is neither PORT nor HOST:PORT, with a port from 0 to 65535.", param, ctx)
        return host.removeprefix("[").removesuffix("]") or LOOPBACK, int(port)


@subcommand
@address_options(
    "The address to listen on; 0.0.0.0 is every address of this machine.",
    "The port to listen on. 0 chooses a free one, and standard error says which.",
)
@click.option(
    "--min", "fewest", type=PLAYERS, default=3, show_default=True, help="Players that a game needs."
)
@click.option(
    "--max", "most", type=PLAYERS, default=8, show_default=True, help="The most players at a table."
)
@seconds_option(
    "--wait",
    WAIT,
    10.0,
    "Once --min have signed up, start after this many seconds, or when --max are there.",
)
@click.option(
    "--give-up",
    type=WAIT,
    metavar="SECONDS",
    help="End if fewer than --min players have signed up after this many seconds. Default: keep waiting.",
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
@file_option(
    "--log", help="Write every event of the game to FILE, as xmain does; of further games to FILE.2, FILE.3 …"
)
@click.option(
    "--watch",
    metavar="[HOST:]PORT",
    type=AddressType(),
    help="Serve a page there on which browsers can watch the games. Without HOST, only those of this machine "
    "can. 0 chooses a free port, and standard error says which.",
)
@click.option(
    "--spectators",
    type=click.Choice([*VIEWS]),
    default="public",
    show_default=True,
    help="What those who watch may see: everything, or boards and the watering hole only.",
)
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="N games, one after the other, each with another deck. Whoever signs up meanwhile waits for the "
    "next.",
)
@flag("--same-deck", help="All --games with the same deck.")
@file_option(
    "--guests",
    help="Only the names in FILE may sign up: one per line, for one seat in a game, or for as many as a "
    "number after a tab says.",
)
@flag("-v", "--verbose", help="Say on standard error who comes, goes and is asked.")
@file_option("--json", "news", help="Write who comes, goes and is asked to FILE, one JSON object per line.")
@file_option("--trace", help="Write all that is sent and received to FILE.")
@click.option(
    "--tables",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Play at N tables at once, --games at each.",
)
@flag("--results", help="Tell the clients how the game has ended; see docs/remote.md.")
@click.option(
    "--gap",
    type=WAIT,
    metavar="SECONDS",
    help="Seconds, at least, between two messages to the same client. Default: until it has read the first, "
    "or 0.02 if that cannot be seen.",
)
@message_options("newline for those who sign up with one, else none")
@click.version_option(__version__, prog_name="xserver")
def xserver(
    seed: "str | None",
    log: "str | None",
    separator: str,
    watch: "Address | None",
    spectators: str,
    same_deck: bool,
    guests: "str | None",
    verbose: bool,
    news: "str | None",
    trace: "str | None",
    **options: "Any",
) -> int:
    """Play games with clients that sign up over TCP, and print the results.

    Players sign up until --max are there or, once --min have signed up, for another --wait seconds;
    whoever comes later waits for the next game, or is turned away if there is none. After each game,
    one line per player says how it ended. A client that is slow, rude or gone, or that cheats, is
    thrown out, and the others play on.

    \b
    Examples:
      xserver
      xserver --port 0 --min 4 --max 4 --bots 2 --seed 7
      xserver --watch 8000 --spectators all
      xserver --games 20 --guests names.txt --verbose --json news.jsonl

    \b
    Exit status: 0 all games were played; 2 the command line is wrong; 65 the list of guests is
    refused; 69 the server cannot listen at that address and port, and one line says why; 74 results,
    news or a log could not be written; 75 too few players had signed up when it was time to
    --give-up; 130 interrupted.
    """
    from evolution.remote.connection import SEPARATORS
    from evolution.remote.server import Terms
    from harness.games.news import Operator
    from harness.games.recorder import seed_of

    terms = Terms(
        separator=SEPARATORS.get(separator), guests=None if guests is None else _guests(guests), **options
    )
    if terms.fewest > terms.most:
        raise WrongUse(f"--min {terms.fewest} is more than --max {terms.most}")
    if terms.bots >= terms.most:
        raise WrongUse(f"--bots {terms.bots} leaves no seat of --max {terms.most} to a client")
    if is_given("spectators") and watch is None:
        raise WrongUse("--spectators is for those who watch: it takes --watch PORT")
    with named("--json or --trace"):
        operator = Operator(verbose, news, trace)
    with _spectators(watch, VIEWS[spectators]) as watching:
        return _serve(terms, lambda game: seed_of(seed, game, same_deck), log, watching, operator)


def _guests(path: str) -> dict[str, int]:
    """Who may sign up. Raises UserError."""
    from harness.files import read_file
    from harness.games.guests import read_guests

    with named("--guests"):
        data = read_file(path)
    try:
        return read_guests(path, data.decode())
    except UnicodeDecodeError as problem:
        raise UserError(f"{path}: not UTF-8 at byte {problem.start}") from None


@contextmanager
def _spectators(address: "Address | None", view: str) -> "Iterator[Watching]":
    """Serve the page of those who watch, if they may, before anything else is done."""
    if address is None:
        yield None
        return
    from harness.games.spectators import Spectators, listening
    from harness.report.game import game_page

    host, port = address
    page = game_page(view, live=True)
    try:
        listener = listening(host, port)
        where, port = listener.getsockname()[:2]
        spectators = Spectators(listener, page, view)
    except OSError as problem:
        raise Unavailable(f"--watch: cannot listen on {host}:{port}: {in_words(problem)}") from None
    try:
        yield spectators, f"http://{f'[{where}]' if ':' in where else where}:{port}/"
    finally:
        spectators.close()


def _serve(
    terms: "Terms",
    seed: "Callable[[int], str | None]",
    log: "str | None",
    watching: "Watching",
    operator: "Operator",
) -> int:
    """Play all games, and print their results; the exit status. `seed` shuffles the deck of a game."""
    from evolution.cards import full_deck, shuffled_deck
    from evolution.remote.server import Server, TooFew
    from harness.games.recorder import Recorders
    from harness.programs.answering import complain

    spectators, url = watching or (None, "")
    with named("--log"):
        recorders = Recorders(log, seed, spectators.of_game if spectators else None)

    def listening(addresses: list[tuple[str, int]]) -> None:
        complain("xserver", "listening on " + ", ".join(f"{where}:{number}" for where, number in addresses))
        if url:
            complain("xserver", f"to be watched at {url}")

    def deck(game: int) -> "list[Card]":
        shuffled_by = seed(game)
        return full_deck() if shuffled_by is None else shuffled_deck(shuffled_by)

    def tell(news: "News") -> None:
        operator.tell(news)
        if spectators:
            spectators.tell(news)

    async def serve() -> None:
        await Server(terms, deck, listening, recorders.of_game, tell, operator.trace).run()

    most_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most_files, most_files))  # a connection is a file
    try:
        run_until_interrupted("xserver", serve)
    except TooFew as problem:
        complain("xserver", problem)
        return recorders.status or TOO_FEW
    except OSError as problem:
        raise Unavailable(f"cannot listen on {terms.host}:{terms.port}: {in_words(problem)}") from None
    finally:
        operator.close()
    return recorders.status or operator.status
