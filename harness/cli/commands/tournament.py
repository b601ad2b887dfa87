"""`harness tournament`: many games of the same players, and their standings."""

import os
import sys
import time
from itertools import islice

import click

from harness import INTERRUPTED, TOO_FEW
from harness.cli.group import subcommand
from harness.cli.parameters import (
    WAIT,
    file_option,
    flag,
    jobs_option,
    json_option,
    sandbox_option,
    seconds_option,
    timeout_option,
)
from harness.cli.remote_options import in_words
from harness.errors import Unavailable, WrongUse
from harness.text import number_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.tournament.outputs import Outcome
    from harness.tournament.record import Record, TournamentJournal
    from harness.tournament.terms import Terms
    from harness.tournament.waiting_room import WaitingRoom

USUAL_SIZE = 4
MOST_GAMES = 1_000_000


@subcommand
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@click.option(
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    default=100,
    show_default=True,
    metavar="N",
    help="How many games. A multiple of the number of players is fairest.",
)
@click.option(
    "--table-size",
    type=click.IntRange(3, 8),
    metavar="N",
    help="How many play at a table. Default: 4, or all players if they are fewer.",
)
@click.option(
    "--seed",
    default="0",
    show_default=True,
    metavar="S",
    help="A different number makes different decks and pairings.",
)
@timeout_option(5.0, "Seconds for each answer.")
@jobs_option("games are played")
@file_option(
    "--out",
    metavar="DIR",
    default="tournament",
    show_default=True,
    help="Where the journal, the logs of all games and the standings go. The same command continues with "
    "what is there.",
)
@click.option(
    "--listen",
    metavar="HOST:PORT",
    help="Where clients sign up, each under the NAME of its tcp:NAME. Port 0 is a free one.",
)
@seconds_option("--wait", WAIT, 30.0, "Seconds to wait for a client before it misses a game.")
@flag("--pages", help="Write each game as a page to watch it in, too: some 100 kB each.")
@sandbox_option("players")
@json_option("Print the standings as one JSON object.")
def command(
    players: tuple[str, ...],
    games: int,
    table_size: "int | None",
    seed: str,
    timeout: float,
    jobs: "int | None",
    out: str,
    listen: "str | None",
    wait: float,
    pages: bool,
    sandbox: str,
    show: tuple[str, ...],
    as_json: bool,
) -> int:
    """Hold a tournament: many games of the same players, fairly paired, and their standings.

    A PLAYER is described as for xmain: silly, FILE:CLASS, stepwise:, cardwise: or table:FILE:CLASS, or
    command:COMMAND for a program that speaks the remote protocol through standard input and output; or
    tcp:NAME, a client that signs up under that name at --listen for each of its games. NAME= before it
    gives it another name.

    Everybody plays every deck from every seat, and all pairs meet equally often, as nearly as the number of
    games allows. A player that cheats, hangs or crashes loses that game. What has been played is kept, even
    if the command is killed: the same command continues.

    \b
    Examples:
      harness tournament silly docs/modest.py:Modest mine.py:Mine --games 300
      harness tournament silly mine.py:Mine tcp:Anna --listen 0.0.0.0:45678

    \b
    Exit status: 0 it has been played; 2 the command line is wrong, or a player does not start; 65 what is
    in --out is of another tournament; 69 the address of --listen cannot be had; 70 the harness has failed;
    74 the results could not be written; 75 a client has not signed up; 130 interrupted (the same command
    continues).
    """
    from harness.tournament.outputs import lines, outcome, write_files
    from harness.tournament.terms import Terms, entrants

    entered = entrants(players)
    size = table_size or min(USUAL_SIZE, len(entered))
    if size > len(entered):
        raise WrongUse(f"--table-size: a table of {size} needs {size} players, and there are {len(entered)}")
    terms = Terms(entered, size, seed, timeout, wait, pages)
    status = _hold(terms, games, jobs, out, listen, sandbox, show)
    if isinstance(status, int):
        return status
    found = outcome(terms, status)
    write_files(found, out)
    _print(found, as_json, lines(found))
    return 0


def _print(found: "Outcome", as_json: bool, told: list[str]) -> None:
    import json

    from harness.tournament import outputs

    click.echo(json.dumps(outputs.as_json(found)) if as_json else "\n".join(told))


def _hold(
    terms: "Terms",
    games: int,
    jobs: "int | None",
    out: str,
    listen: "str | None",
    sandbox: str,
    show: tuple[str, ...],
) -> "list[Record] | int":
    """Play what has not been played; all games, or the exit status if they cannot all be."""
    from harness.games.play import sandbox_of_players
    from harness.running.limits import cores, interrupt_on_signals
    from harness.tournament.hall import Hall
    from harness.tournament.record import TournamentJournal
    from harness.tournament.schedule import meetings
    from harness.tournament.tables import try_out

    _see_that_it_can_be_written(out)
    words = {entrant.word: 0 for entrant in terms.entrants if entrant.file}
    shut_in, note = sandbox_of_players(sandbox, show) if words else (None, "")
    try_out(list(words), terms.timeout, shut_in)
    room = _waiting_room(terms, listen)
    if note and sandbox != "off":
        click.echo(f"harness: {note}", err=True)
    planned = {
        meeting.number: meeting
        for meeting in islice(meetings(len(terms.entrants), terms.size, terms.seed), games)
    }
    os.makedirs(out, exist_ok=True)
    journal = TournamentJournal(out, terms.identity(), planned)
    interrupt_on_signals()
    left = [meeting for number, meeting in planned.items() if number not in journal.records]
    try:
        if room is not None and left and (missing := room.await_all(terms.wait)):
            click.echo(f"harness: nobody has signed up as {', '.join(missing)}", err=True)
            return TOO_FEW
        hall = Hall(terms, out, shut_in, room, _Progress(journal, games).ended)
        try:
            hall.play(left, jobs or cores())
        finally:
            hall.close()
    except KeyboardInterrupt:
        click.echo(
            f"interrupted after {len(journal.records)} of {games} games, which are kept: the same command "
            "continues",
            err=True,
        )
        return INTERRUPTED
    finally:
        journal.close()
        if room is not None:
            room.close()
    return list(journal.records.values())


def _see_that_it_can_be_written(out: str) -> None:
    """Raises WrongUse if there is something else than a tournament in the folder."""
    from harness.tournament.record import NAME

    if os.path.exists(out) and not os.path.isdir(out):
        raise WrongUse(f"--out: {out} is not a folder")
    if os.path.isdir(out) and os.listdir(out) and not os.path.exists(os.path.join(out, NAME)):
        raise WrongUse(f"--out: {out} is not empty, and there is no tournament in it; name another")


def _waiting_room(terms: "Terms", listen: "str | None") -> "WaitingRoom | None":
    """Where clients sign up, if there are any. Raises WrongUse, or Unavailable."""
    from harness.tournament.waiting_room import WaitingRoom

    names = [entrant.name for entrant in terms.entrants if entrant.signs_up]
    if not names and listen is None:
        return None
    if not names:
        raise WrongUse("--listen: no player is a client; name one as tcp:NAME")
    if listen is None:
        raise WrongUse(f"tcp:{names[0]} signs up somewhere: say where, as --listen HOST:PORT")
    host, colon, port = listen.rpartition(":")
    if not colon or not host or not 0 <= number_in(port) <= 65535:
        raise WrongUse(f"--listen: expected HOST:PORT, such as 127.0.0.1:45678, found {listen!r}")
    try:
        room = WaitingRoom(host.strip("[]"), int(port), names, terms.timeout)
    except OSError as problem:
        raise Unavailable(f"--listen: cannot listen on {listen}: {in_words(problem)}") from None
    click.echo("harness: waiting for clients on {}:{}".format(*room.address), err=True)
    return room


class _Progress:
    """Writes games down as they end, and shows how far they are to who looks."""

    def __init__(self, journal: "TournamentJournal", games: int) -> None:
        from harness.report.bar import Bar

        self._journal = journal
        self._bar = Bar(sys.stderr, sys.stderr.isatty(), games)
        self._games = games
        self._began = time.monotonic()

    def ended(self, record: "Record") -> None:
        """A game has ended."""
        self._journal.add(record)
        done = len(self._journal.records)
        if done == self._games:
            self._bar.close()
        elif self._bar.is_due(self._began):
            self._bar.draw(done, "games")
