"""What is said between a game and a player in another process: questions out, answers in (design 5).

The messages are those of the remote protocol: a Start, a pair of LOBs, a State; an Action4 and a
FeedingChoice come back. A View, [own position, tokens, LOB, ids, food cards, own hand, event], is for those
who hear of every change. Results, ["results", own place, players, thrown out], end a game where they are
told.
"""

from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.game import Result
from evolution.player import Start, View
from evolution.species import Species
from evolution.table import Player
from evolution.wire import writing
from evolution.wire.errors import Malformed
from evolution.wire.reading import at, boards, cards, list_of, natural, natural_plus, parts, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

RESULTS = "results"
LONGEST_NAME = 64  # characters of it that are told


def write_start(view: Start) -> str:
    """A Start."""
    return f"[{view.hole},{view.bag},{writing.boards(view.boards)},{writing.cards(view.hand)}]"


def read_start(value: object) -> Start:
    """A Start."""
    found = parts(value, 4, "a start [tokens, bag, boards, hand]")
    return Start(at(0, natural, found), at(1, natural, found), at(2, boards, found), at(3, cards, found))


def write_choose(before: list[list[Species]], after: list[list[Species]]) -> str:
    """The two LOBs of a choose."""
    return f"[{_write_rows(before)},{_write_rows(after)}]"


def read_choose(value: object) -> tuple[list[list[Species]], list[list[Species]]]:
    """The two LOBs of a choose."""
    found = parts(value, 2, "[boards before, boards after]")
    return at(0, _rows, found), at(1, _rows, found)


def _rows(value: object) -> list[list[Species]]:
    return list_of(boards, value, "players' boards")


def _write_rows(rows: list[list[Species]]) -> str:
    return "[" + ",".join([writing.boards(row) for row in rows]) + "]"


def write_view(view: View) -> str:
    """A View."""
    ids = ",".join(map(str, view.ids))
    kind, whose, why = view.event
    cards = f"{writing.cards(view.placed)},{writing.cards(view.hand)}"
    rows = _write_rows(view.boards)
    return f'[{view.position},{view.hole},{rows},[{ids}],{cards},["{kind}",{whose},"{why}"]]'


def read_view(value: object) -> View:
    """A View, whose position is that of one of its rows, and which has an id for each of them."""
    found = parts(value, 7, "a view [position, tokens, players' boards, ids, food cards, hand, event]")
    position, hole, rows = at(0, natural, found), at(1, natural, found), at(2, _rows, found)
    if position >= len(rows):
        raise Malformed(f"position {position} is none of the {len(rows)} players'", 0)
    ids = at(3, lambda part: list_of(natural_plus, parts(part, len(rows), "ids"), "ids"), found)
    return View(rows, hole, position, ids, at(4, cards, found), at(5, cards, found), at(6, _event, found))


def _event(value: object) -> tuple[str, int, str]:
    found = parts(value, 3, "an event [what, player, why]")
    return at(0, _string, found), at(1, natural, found), at(2, _string, found)


def _string(value: object) -> str:
    if type(value) is not str:
        raise Malformed(f"expected a string, found {shown(value)}")
    return value


def write_results(result: Result, name: "Callable[[int], str]" = str) -> str:
    """The results of a game; `name` gives the name of the player with an id."""
    from json import dumps

    ranked = []
    for (number, points), player in zip(result.ranking, result.players, strict=True):
        things = f"{player.bag},{writing.boards(player.boards)},{writing.cards(player.hand)}"
        ranked.append(f"[{number},{dumps(name(number)[:LONGEST_NAME])},{points},{things}]")
    return f'["{RESULTS}",{result.place},[{",".join(ranked)}],{dumps(result.thrown_out)}]'


def read_results(value: object) -> Result:
    """The results of a game, one of whose players is the one that is told."""
    found = parts(value, 4, f'["{RESULTS}", own place, players, thrown out]')
    if found[0] != RESULTS:
        raise Malformed(f'expected "{RESULTS}", found {shown(found[0])}', 0)
    place = at(1, natural, found)
    players = at(2, lambda part: list_of(_ranked, part, "players"), found)
    if place >= len(players):
        raise Malformed(f"place {place} is none of the {len(players)} players'", 1)
    ranking = [(player.id, points) for player, points in players]
    gone = at(3, lambda part: list_of(_gone, part, "those thrown out"), found)
    return Result(ranking, gone, [player for player, _ in players], place)


def _ranked(value: object) -> tuple[Player, int]:
    """A player at the end, and its score."""
    found = parts(value, 6, "[id, name, score, bag, boards, hand]")
    number, points, bag = at(0, natural_plus, found), at(2, natural, found), at(3, natural, found)
    at(1, _string, found)
    return Player(number, at(4, boards, found), bag, at(5, cards, found)), points


def _gone(value: object) -> tuple[int, str]:
    found = parts(value, 2, "[id, reason]")
    return at(0, natural_plus, found), at(1, _string, found)


def write_state(state: State) -> str:
    """A State."""
    own = f"{state.bag},{writing.boards(state.boards)},{writing.cards(state.hand)}"
    return f"[{own},{state.hole},{_write_rows(state.others)}]"


def read_feeding_choice(value: object) -> FeedingChoice:
    """A FeedingChoice; whether the rules offer it is for the engine to say."""
    if value is False:
        return DECLINE
    if type(value) is int:
        return Eat(natural(value))
    if type(value) is list and len(value) == 2:
        return StoreFat(at(0, natural, value), at(1, natural_plus, value))
    if type(value) is list and len(value) == 3:
        return Attack(at(0, natural, value), at(1, natural, value), at(2, natural, value))
    raise Malformed(
        f"expected false, a board, [board, tokens] or [board, player, board], found {shown(value)}"
    )
