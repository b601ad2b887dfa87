"""xmain: a whole game on this machine, of Silly players or of anybody's, and its result."""

from evolution.cards import shuffled_deck
from evolution.game import FEWEST_PLAYERS, MOST_PLAYERS, Game
from evolution.players.silly import Silly
from harness.programs import write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.game import Result
    from evolution.players import Player


def is_number_of_players(text: str) -> bool:
    """Whether this is a number of players for a game."""
    return text in {str(number) for number in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)}


def play_silly(number: int) -> int:
    """A game of Silly players on the deck in card order; prints the result, gives the exit status."""
    return print_lines(Game([Silly() for _ in range(number)]).play())


def print_lines(result: "Result") -> int:
    """The result, one line a player; the exit status."""
    return write("xmain", ("\n".join(result.lines()) + "\n").encode())


def print_json(result: "Result") -> int:
    """The result as one JSON object; the exit status."""
    import json

    ranking = [
        {"rank": rank, "id": number, "score": points}
        for rank, (number, points) in enumerate(result.ranking, 1)
    ]
    thrown_out = [{"id": number, "reason": reason} for number, reason in result.thrown_out]
    text = json.dumps({"ranking": ranking, "thrown out": thrown_out})
    return write("xmain", f"{text}\n".encode())


class SeatError(Exception):
    """A player that cannot be seated; str() says why."""


def seat(described: str, seconds: float, in_process: bool) -> "Player":
    """The player that a word of --players describes: FILE:CLASS, or silly."""
    if described == "silly":
        return Silly()
    file, _, name = described.rpartition(":")
    if not file or not name.isidentifier():
        raise SeatError(f"{described!r} is not FILE:CLASS")
    from evolution.players.host import CannotLoad, load
    from evolution.players.seat import Seat

    if not in_process:
        import os

        if not os.path.isfile(file):
            raise SeatError(f"{file} is not a file")
        return Seat(file, name, seconds)
    try:
        return load(file, name)  # type: ignore[no-any-return]
    except CannotLoad as problem:
        raise SeatError(str(problem)) from None


def play(players: "list[Player]", seed: "str | None", as_json: bool) -> int:
    """A game of these players; prints the result, gives the exit status."""
    deck = None if seed is None else shuffled_deck(seed)
    try:
        result = Game(players, deck).play()
    finally:
        for player in players:
            close = getattr(player, "close", None)
            if close is not None:
                close()
    return print_json(result) if as_json else print_lines(result)
