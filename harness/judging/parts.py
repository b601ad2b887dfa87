"""What stands where in an answer, and what that is called in the game.

Answers are recognised loosely, by their shape, since it is the wrong ones that need words. How two
answers differ is for `harness.judging.structure` to say, and when they do for `harness.judging.compare`.
"""

from harness.judging.compare import ABSENT, is_number
from harness.judging.wording import compact, json_path, name, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.judging.compare import Path

CONFIGURATION = "a Configuration"
STATE = "a State"
ACTION4 = "an Action4"
CHOICE = "a FeedingChoice"


# What an answer is


def kind_of_answer(value: object) -> str:
    """Which of the game's answers a value looks like; empty if it looks like none."""
    if choice_of(value) is not None:
        return CHOICE
    if type(value) is not list or len(value) not in (3, 5):
        return ""
    lists = [type(part) is list for part in value]
    if lists == [True, False, True] and all(map(_is_list_of_lists, value[0])):
        return CONFIGURATION
    if lists == [False, True, True, False, True] and all(type(part) is list for part in value[4]):
        return STATE
    return ACTION4 if lists == [False, True, True, True, True] else ""


def _is_list_of_lists(value: object) -> bool:
    return type(value) is list and all(type(part) is list for part in value)


def choice_of(value: object) -> "list[object] | None":
    """The numbers of a FeedingChoice, none of them if it declines; None for what is no choice."""
    if value is False:
        return []
    if is_number(value):
        return [value]
    if type(value) is list and len(value) in (2, 3) and all(map(is_number, value)):
        return value
    return None


# Boards and players


def pairs(value: object) -> "dict[str, object] | None":
    """A board or a player by its keys; None if it is not a list of pairs with different keys."""
    if type(value) is not list:
        return None
    found = {}
    for pair in value:
        if type(pair) is not list or len(pair) != 2 or type(pair[0]) is not str:
            return None
        found[pair[0]] = pair[1]
    return found if len(found) == len(value) else None


def strings(value: object) -> "list[str] | None":
    """Traits, whether or not their order counts; None for anything but a list of strings."""
    if type(value) is not list and type(value) is not tuple:
        return None
    return list(value) if all(type(trait) is str for trait in value) else None


def id_of(player: object) -> object:
    """The id of a player, or ABSENT."""
    return (pairs(player) or {}).get("id", ABSENT)


def identity(expected: object, actual: object) -> str:
    """What is said of a player beside its index: its id, and only if that is right."""
    right, found = id_of(expected), id_of(actual)
    if ABSENT in (right, found) or compact(right) != compact(found):
        return ""
    return f" (id {word(found)})"


# Parts that can be read by themselves


def part_at(value: object, path: "Path") -> object:
    """The part of a value that a path leads to."""
    for step in path:
        value = value[step]  # type: ignore[index]
    return value


def readable_part(expected: object, actual: object, path: "Path") -> "tuple[str, Path]":
    """The smallest part around the end of a path that says something by itself: its place, its path."""
    kinds = {kind_of_answer(expected), kind_of_answer(actual)}
    kind = kinds.pop() if len(kinds) == 1 else ""
    if kind == CHOICE or not path:
        return "the whole answer", ()
    if kind == CONFIGURATION:
        return _part_of_configuration(expected, actual, path)
    if kind == STATE:
        return _part_of_state(path)
    if kind == ACTION4:
        return PARTS_OF_ACTION4[int(path[0])], path[:1]
    return json_path(path), path


PARTS_OF_CONFIGURATION = ["players", "watering hole", "deck"]
PARTS_OF_PLAYER = {"species": "boards", "cards": "hand"}
PARTS_OF_ACTION4 = ["food card", "population growth", "body growth", "new boards", "replacements"]
PARTS_OF_STATE = ["bag", "own boards", "hand", "watering hole", "others"]


def _part_of_state(path: "Path") -> "tuple[str, Path]":
    if path[0] == 1 and len(path) > 1:
        return f"own board {path[1]}", path[:2]
    if path[0] == 4 and len(path) > 1:
        board = f", board {path[2]}" if len(path) > 2 else ""
        return f"player {path[1]} of the others{board}", path[:3]
    return PARTS_OF_STATE[int(path[0])], path[:1]


def _part_of_configuration(expected: object, actual: object, path: "Path") -> "tuple[str, Path]":
    if path[0] != 0 or len(path) == 1:
        return PARTS_OF_CONFIGURATION[int(path[0])], path[:1]
    whose = f"player {path[1]}{identity(part_at(expected, path[:2]), part_at(actual, path[:2]))}"
    if len(path) < 4 or path[3] != 1:
        return whose, path[:2]
    key, other_key = (part_at(value, (*path[:3], 0)) for value in (expected, actual))
    if type(key) is not str or key != other_key:
        return whose, path[:2]
    if key == "species" and len(path) > 4 and type(path[4]) is int:
        return f"{whose}, board {path[4]}", path[:5]
    return f"{whose}, {PARTS_OF_PLAYER.get(key) or name(key)}", path[:4]
