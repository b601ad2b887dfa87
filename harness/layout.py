"""JSON values laid out for reading: one board or action a line, the pairs of a player under each other.

This is the layout of the files in test-fixtures/. White space is all that it adds.
"""

import json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def compact(value: object) -> str:
    """The value as JSON on one line, without any white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def readable(value: object) -> str:
    """The value as JSON for readers; a newline ends it."""
    return f"{_laid_out(value, 0)}\n"


def _laid_out(value: "Any", column: int) -> str:
    """The value as it stands at this column; its first line is not indented."""
    if not _has_lines(value):
        return compact(value)
    if _is_player(value):
        pairs = [_boards_of_player(pair, column + 1) for pair in value]
        return _under_each_other(pairs, column)
    return _under_each_other([_laid_out(part, column + 1) for part in value], column)


def _boards_of_player(pair: "Any", column: int) -> str:
    """A pair of a player; boards begin on a line of their own."""
    if pair[0] != "species" or not _has_lines(pair[1]):
        return compact(pair)
    indent = "\n" + " " * (column + 2)
    return f'["species",[{indent}' + f",{indent}".join(compact(board) for board in pair[1]) + "]]"


def _under_each_other(parts: list[str], column: int) -> str:
    return "[" + (",\n" + " " * (column + 1)).join(parts) + "]"


def _has_lines(value: "Any") -> bool:
    """Whether the value is more than what fits on a line: boards, players or actions in a list."""
    if type(value) is not list or _is_pairs(value, "food") or _is_action4(value):
        return False
    return _is_player(value) or any(_is_line(part) or _has_lines(part) for part in value)


def _is_line(value: "Any") -> bool:
    return _is_pairs(value, "food") or _is_action4(value)


def _is_player(value: "Any") -> bool:
    return _is_pairs(value, "id")


def _is_pairs(value: "Any", key: str) -> bool:
    """Whether the value is a list of pairs, the first of them with this key."""
    return (
        type(value) is list
        and len(value) > 0
        and all(type(pair) is list and len(pair) == 2 for pair in value)
        and value[0][0] == key
    )


def _is_action4(value: "Any") -> bool:
    return (
        type(value) is list
        and len(value) == 5
        and type(value[0]) is int
        and all(type(part) is list for part in value[1:])
        and not any(map(_has_lines, value[1:]))
    )
