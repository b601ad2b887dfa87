"""xclient's command line: a client of the remote protocol, for a Silly player or for yours."""

import click

from harness import CUT_OFF, FAILED, __version__
from harness.cli.group import subcommand
from harness.cli.parameters import WAIT, file_option, is_given, named, seconds_option, timeout_option
from harness.cli.remote_options import address_options, in_words, message_options, run_until_interrupted
from harness.errors import Unavailable


@subcommand
@address_options("The server's address.", "The port that the server listens on.")
@click.option("--name", help="The name to sign up with. Default: that of the player.")
@click.option(
    "--player",
    "described",
    metavar="FILE:CLASS",
    default="silly",
    help="A player of yours, in a process of its own; as for xmain, stepwise:, cardwise: or table: in front "
    "of it names another design, and human is a person at this terminal. Default: a Silly player.",
)
@timeout_option(5.0, "Seconds that the player has for each answer; a person has no limit unless given.")
@seconds_option("--wait", WAIT, 3.0, "Seconds to keep trying if no server is there yet.")
@click.option(
    "--games",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Sign up again after a game, N times in all.",
)
@file_option("--trace", help="Write all that is sent and received to FILE.")
@message_options("what the server turns out to need")
@click.version_option(__version__, prog_name="xclient")
def xclient(
    host: str,
    port: int,
    name: "str | None",
    described: str,
    timeout: float,
    wait: float,
    games: int,
    trace: "str | None",
    moment: float,
    separator: str,
) -> int:
    """Sign up at a server, play a game, and end when the server closes the connection.

    \b
    Examples:
      xclient --name Anna
      xclient --host 192.0.2.7 --port 45678 --player mine.py:Mine
      xclient --player stepwise:mine.py:Mine

    \b
    Exit status: 0 the server closed the connection after a game; 1 it turned the player away, or
    something is wrong with it or with the player; 2 the command line is wrong, or the player cannot
    be loaded; 69 there is no server; 76 the player was thrown out, or cut off before the game can
    have been over; 130 interrupted. One line says why.
    """
    from evolution.remote.client import CutOff, NoGame, connect, play
    from evolution.remote.connection import SEPARATORS
    from harness.games.news import RecordFile
    from harness.games.play import Seats
    from harness.programs.answering import complain

    with named("--player"):
        people = timeout if is_given("timeout") else None
        seats = Seats([described], timeout, False, seconds_of_people=people)
    with named("--trace"):
        wire = None if trace is None else RecordFile(trace)
    known_as = described.rpartition(":")[2] if name is None else name

    async def sign_up_and_play() -> None:
        for _ in range(games):
            connection = await connect(host, port, wait, SEPARATORS.get(separator), moment)
            connection.trace = None if wire is None else wire.trace
            connection.known_as = "server"
            await play(connection, known_as, seats.players[0])

    try:
        run_until_interrupted("xclient", sign_up_and_play)
    except NoGame as problem:
        complain("xclient", problem)
        return CUT_OFF if isinstance(problem, CutOff) else FAILED
    except OSError as problem:
        raise Unavailable(f"no server at {host}:{port}: {in_words(problem)}") from None
    finally:
        seats.close()
        if wire is not None:
            wire.close()
    return 0
