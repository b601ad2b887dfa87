"""What is said between a game and a player in another process: questions out, answers in (design 5).

The messages are those of the remote protocol: a Start, a pair of LOBs, a State; an Action4 and a
FeedingChoice come back. A View, [own position, tokens, LOB], is for those who hear of every change.
"""

from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.player import Start, View
from evolution.species import Species
from evolution.wire import writing
from evolution.wire.errors import Malformed
from evolution.wire.reading import at, boards, cards, list_of, natural, natural_plus, parts, shown


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
    return f"[{view.position},{view.hole},{_write_rows(view.boards)},[{ids}]]"


def read_view(value: object) -> View:
    """A View, whose position is that of one of its rows, and which has an id for each of them."""
    found = parts(value, 4, "a view [position, tokens, players' boards, ids]")
    position, hole, rows = at(0, natural, found), at(1, natural, found), at(2, _rows, found)
    if position >= len(rows):
        raise Malformed(f"position {position} is none of the {len(rows)} players'", 0)
    ids = at(3, lambda part: list_of(natural_plus, parts(part, len(rows), "ids"), "ids"), found)
    return View(rows, hole, position, ids)


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
