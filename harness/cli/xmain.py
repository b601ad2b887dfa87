"""xmain's command line."""

import click

from harness import FAILED, __version__
from harness.cli.group import subcommand
from harness.cli.parameters import (
    file_option,
    flag,
    is_given,
    named,
    page_option,
    sandbox_option,
    timeout_option,
)
from harness.cli.trait_option import traits_option
from harness.errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.player import Player
    from harness.games.play import Seats
    from harness.games.steps import GameSteps


class View(click.ParamType[str]):
    """Whose view of a game: the dealer's, the public's, or that of the player with an id."""

    name = "view"

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> str:
        """The view."""
        if value not in ("dealer", "public", *"12345678"):
            self.fail(f"{value!r} is not dealer, public or the id of a player, from 1 to 8.", param, ctx)
        return str(value)


@subcommand
@click.argument("number", required=False, type=click.IntRange(3, 8))
@click.option(
    "--seed", metavar="S", help="Shuffle the deck; the same seed, the same deck. Default: card order."
)
@click.option(
    "--players",
    metavar="WHO,WHO,…",
    help="Who sits at the table, in turn order: FILE:CLASS for a player of yours, silly for a Silly one, "
    "human for a person at this terminal; "
    "stepwise:FILE:CLASS, cardwise:FILE:CLASS or table:FILE:CLASS for a player of another design; "
    "command:COMMAND for a program that speaks the remote protocol through standard input and output. "
    "If fewer than NUMBER are named, Silly players follow.",
)
@timeout_option(5.0, "Time for each answer. A person has no limit unless this is given.")
@traits_option
@flag("--in-process", help="Trust the players: run them in this process, without limits.")
@sandbox_option("players")
@file_option(
    "--log",
    help="Write every event of the game to FILE, one JSON object per line. A file that is not a log is "
    "not overwritten.",
)
@file_option("--replay", help="Play the game of a log again, to the same end.")
@flag("--explain", help="Tell the game in words, with the rules, before its result.")
@click.option(
    "--check-player",
    metavar="FILE:CLASS",
    help="Instead of a game, try a player in the positions in which players go wrong, and say which rules "
    "it breaks there.",
)
@page_option("Write the game as a page to watch it in, step by step, complete in one file.")
@click.option(
    "--view",
    metavar="dealer|public|ID",
    type=View(),
    help="Who may see the page: nothing is in it that is hidden from everybody (public), or from the player "
    "with this id. Default: dealer, who sees everything and can choose any view in the page.",
)
@flag("--json", "as_json", help="Print the result as one JSON object.")
@flag("--log-schema", help="Print the JSON schema of a line of a log, and exit.")
@click.version_option(__version__, prog_name="xmain")
def xmain(
    number: "int | None",
    seed: "str | None",
    players: "str | None",
    timeout: float,
    in_process: bool,
    sandbox: str,
    show: tuple[str, ...],
    log: "str | None",
    replay: "str | None",
    explain: bool,
    check_player: "str | None",
    html: "str | None",
    view: "str | None",
    as_json: bool,
    log_schema: bool,
) -> int:
    """Play a whole game and print its result, one line per player.

    NUMBER, from 3 to 8, is how many play. A player of yours runs in a process of its own: whatever
    it does wrong costs it its seat, and nothing else.

    \b
    Examples:
      xmain 3
      xmain 4 --seed 7 --players mine.py:Mine --log game.log
      xmain 3 --players human
      xmain --replay game.log --explain
      xmain --replay game.log --html game.html
      xmain --check-player mine.py:Mine

    \b
    Exit status: 0 played; 1 --check-player has found something wrong; 65 the log is cut off, or does
    not agree with the rules, or a trait of --traits is wrong, and one line on standard error says
    where; 2 the command line is wrong, or a player cannot be loaded; 74 the result, the log or the
    page could not be written. With --html, a log that is cut off, or still being written, is shown as
    far as it goes.
    """
    if log_schema:
        import json

        from harness.games.log_schema import SCHEMA

        click.echo(json.dumps(SCHEMA, indent=1))
        return 0
    page = Page(html, view)
    if replay is not None:
        if number is not None or seed is not None or players is not None or log is not None:
            raise WrongUse("--replay plays what its log says: no NUMBER, --seed, --players or --log")
        return _replay(replay, as_json, explain, page)
    if check_player is not None:
        others = (number, seed, players, log, html)
        if explain or any(one is not None for one in others):
            raise WrongUse(
                "--check-player plays games of its own: no NUMBER, --seed, --players, --log, --html "
                "or --explain"
            )
        return _check(check_player, timeout, in_process, sandbox, show, as_json)
    described = players.split(",") if players else []
    wanted = number if number is not None else len(described)
    if len(described) > wanted:
        raise WrongUse(f"{len(described)} players are named for {wanted} seats")
    if not 3 <= wanted <= 8:
        raise WrongUse("a game has 3 to 8 players: say how many")
    described += ["silly"] * (wanted - len(described))
    page.check_view(wanted)
    with named("--players"):
        seats = _seats(described, timeout, in_process, sandbox, show)
    return _play(seats, seed, log, explain, as_json, page)


def _check(
    described: str, timeout: float, in_process: bool, sandbox: str, show: tuple[str, ...], as_json: bool
) -> int:
    """Try a player in all positions, and say what it does wrong; the exit status."""
    import json

    from harness.games.check_player import as_json as in_json
    from harness.games.check_player import check, lines
    from harness.games.play import HUMAN

    if described == HUMAN:
        raise WrongUse("--check-player: a person is not checked; name a player as FILE:CLASS")

    def seated() -> "tuple[Player, Callable[[], None]]":
        with named("--check-player"):
            seats = _seats([described], timeout, in_process, sandbox, show)
        return seats.players[0], seats.close

    found = []
    for one in check(seated):
        found.append(one)
        if not as_json:
            click.echo("\n".join(lines(one)))
    wrong = sum(bool(one.faults) for one in found)
    if as_json:
        click.echo(
            json.dumps({"player": described, "wrong": wrong, "checks": [in_json(one) for one in found]})
        )
    else:
        click.echo(f"{len(found) - wrong} of {len(found)} right")
    return FAILED if wrong else 0


def _seats(
    described: list[str], timeout: float, in_process: bool, sandbox: str, show: tuple[str, ...]
) -> "Seats":
    """The players, shut in if they are somebody's and can be; it is said if they cannot."""
    from harness.games.play import HUMAN, SILLY, Seats, sandbox_of_players

    people = timeout if is_given("timeout") else None
    if in_process or set(described) <= {SILLY, HUMAN}:
        return Seats(described, timeout, in_process, seconds_of_people=people)
    shut_in, note = sandbox_of_players(sandbox, show)
    if note and sandbox != "off":
        click.echo(f"xmain: {note}", err=True)
    return Seats(described, timeout, in_process, shut_in, people)


def _play(
    seats: "Seats", seed: "str | None", log: "str | None", explain: bool, as_json: bool, page: "Page"
) -> int:
    """Begin the log, play, and write the page."""
    from harness.games.log_file import LogFile
    from harness.games.play import play

    try:
        with named("--log"):
            file = None if log is None else LogFile(log)
    except WrongUse:
        seats.close()
        raise
    status = play(seats, seed, as_json, explain, file, page.watch if page.is_wanted else None)
    page.write()
    return status


def _replay(path: str, as_json: bool, explain: bool, page: "Page") -> int:
    """Play a log again, and write the page, as far as the log goes."""
    from harness.games.play import replay_file
    from harness.programs.answering import complain

    status, end = replay_file(path, as_json, explain, page.watch if page.is_wanted else None)
    if end:
        complain(
            "xmain",
            f"{path}: {end}; "
            + ("the page shows the game up to there" if page.is_wanted else "this is the game up to there"),
        )
    page.write(end if not end or "the log ends here" in end else f"the log ends here: {end}")
    return status


class Page:
    """The page of a game, if one is wanted."""

    def __init__(self, path: "str | None", view: "str | None") -> None:
        """Raises WrongUse if it cannot be written there."""
        self.is_wanted = path is not None
        self._path = path or ""
        self._view = view or "dealer"
        self._steps: list[dict[str, object]] = []
        if path is None and view is not None:
            raise WrongUse("--view is that of a page: it takes --html FILE")
        if path == "-":
            raise WrongUse("--html: standard output has the result; name a file")
        if path is not None:
            from harness.report import check_page
            from harness.report.game import START

            check_page(path, START)

    def check_view(self, players: int) -> None:
        """Raises WrongUse if the view is that of somebody who does not play."""
        if self._view.isdigit() and int(self._view) > players:
            raise WrongUse(f"--view: there is no player {self._view} in a game of {players}")

    def watch(self, names: list[str]) -> "GameSteps":
        """An observer that keeps the steps of the game."""
        from harness.games.steps import GameSteps

        self.check_view(len(names))
        return GameSteps(names, self._view, self._steps.append)

    def write(self, note: str = "") -> None:
        """Write the page, if one is wanted."""
        if self.is_wanted:
            from harness.report import write_file
            from harness.report.game import game_page

            write_file("html", self._path, game_page(self._view, self._steps, note))
