"""The log of a game: everything that happens in it, one JSON object a line.

The first line is the game, the last one its end; between them stand the turns, what the players
answered, and what that did to the table. The answers and the deck are enough to play the game
again, and all else can be compared with it. docs/games.md describes every line.
"""

from evolution.choices import FeedingChoice
from evolution.table import Player
from evolution.wire import writing
from evolution.wire.action4 import action4, write_action4
from evolution.wire.errors import BadInput
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.actions import Action4
    from evolution.game import Result

VERSION = 2


def text(value: object) -> str:
    """A string, number or list as JSON."""
    import json

    return json.dumps(value, separators=(",", ":"))


def _action(action: "Action4") -> str:
    """An Action4; null if it is made of something else than numbers."""
    written = write_action4(action)
    try:
        action4(parse(written.encode()))
    except (BadInput, UnicodeEncodeError):
        return "null"
    return written


def _choice(choice: "FeedingChoice | None") -> str:
    """A FeedingChoice; null if the dealer leaves the choice to the player."""
    return "null" if choice is None else writing.feeding_choice(choice)


def _result(result: "Result") -> str:
    return text({"ranking": result.ranking, "thrown out": result.thrown_out})


# How each part of an event is written; what is not here is a string, a number, or a list of them.
WRITERS: "dict[str, Callable[[Any], str]]" = {
    "action": _action,
    "boards": writing.boards,
    "cards": writing.cards,
    "choice": _choice,
    "deck": writing.cards,
    "forced": _choice,
    "hand": writing.cards,
    "result": _result,
    "table": writing.configuration,
}


def line(kind: str, player: "Player | None", board: "int | None", more: "dict[str, object]") -> str:
    """An event as a line of the log, without its end."""
    parts = [f'"event":{text(kind)}']
    if player is not None:
        parts.append(f'"player":{player.id}')
    if board is not None:
        parts.append(f'"board":{board}')
    parts += [f"{text(key)}:{WRITERS.get(key, text)(value)}" for key, value in more.items()]
    return f"{{{','.join(parts)}}}"


class Log:
    """An observer of a game that writes down all that it is told."""

    def __init__(self, write: "Callable[[str], object]", players: list[str], seed: "str | None") -> None:
        """Lines go to `write`, each with its end; who plays, and what shuffled the deck, is for readers."""
        self._write = write
        self._players = players
        self._seed = seed

    def __call__(
        self, kind: str, player: "Player | None", board: "int | None", more: "dict[str, object]"
    ) -> None:
        """Write the event down."""
        if kind == "game":
            more = {"v": VERSION, "players": self._players, "seed": self._seed, **more}
        self._write(line(kind, player, board, more) + "\n")
