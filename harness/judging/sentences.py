"""Sentences for differences, in the words of the game."""

from evolution.wire.reading import SHOWN
from harness.judging.compare import ABSENT, is_number
from harness.judging.difference import (
    ATTACKABLE,
    CHOICE,
    COUNT,
    FAT_FOOD,
    HAND,
    LINE,
    MORE,
    NOWHERE,
    ONE_SIDED,
    ORDER,
    PAIR,
    REPEATED,
    SHAPE,
    TRAIT,
    UNNAMED,
    VALUE,
    WHOLE,
    changes,
)
from harness.judging.parts import choice_of, id_of, pairs, strings
from harness.judging.wording import apart, compact, contrast, json_path, name, shown, word
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

    from harness.judging.difference import Difference, Spot

    Rows = tuple[list[str], list[str]]

LONG = 200  # characters of a row or a board in words


def sentences(differences: "Iterable[Difference]") -> list[str]:
    """All differences in words."""
    return [SAYS[difference.kind](difference) for difference in differences]


def recorded(differences: "Collection[Difference]") -> "dict[str, Any]":
    """The differences as a result has them: in words, and for tools."""
    return {"differences": tuple(sentences(differences)), "changes": tuple(changes(differences))}


def _where(place: "tuple[Spot, ...]") -> str:
    """A place in words, with the numbers that things should have."""
    return ", ".join(
        f"{spot}{'' if spot.should == NOWHERE else f' (should be {spot.thing} {spot.should})'}"
        for spot in place
    )


def _at(place: "tuple[Spot, ...]", words: str) -> str:
    return f"{_where(place)}: {words}" if place else words


# Values


def _value(difference: "Difference") -> str:
    should, does = contrast(difference.expected, difference.actual)
    what = f"{name(difference.what)} is " if difference.what else ""
    return _at(difference.place, f"{what}{does}, should be {should}")


def _whole(difference: "Difference") -> str:
    *around, last = difference.place
    describe = THINGS[difference.what][1]
    should, does = describe(difference.expected), describe(difference.actual)
    if should == does:
        should, does = contrast(difference.expected, difference.actual)
    return _at(tuple(around), f"{_where((last,))} is {does}, should be {should}")


def _one_sided(difference: "Difference") -> str:
    *around, last = difference.place
    describe = THINGS[difference.what][1]
    if difference.actual is ABSENT:
        return _at(tuple(around), f"{last} is missing: {describe(difference.expected)}")
    return _at(tuple(around), f"{last} should not be there: {describe(difference.actual)}")


def _count(difference: "Difference") -> str:
    expected, actual = difference.expected, difference.actual
    assert type(expected) is int
    assert type(actual) is int
    count = abs(expected - actual)
    thing = THINGS[difference.what][0]
    things = f"{count} {thing}{'' if count == 1 else 's'}"
    return _at(difference.place, f"{things} {'missing' if actual < expected else 'too many'}")


def _unnamed(difference: "Difference") -> str:
    place = json_path(difference.path)
    if difference.actual is ABSENT:
        return f"{place}: is missing, should be {word(difference.expected)}"
    if difference.expected is ABSENT:
        return f"{place}: is {word(difference.actual)}, should not be there"
    should, does = contrast(difference.expected, difference.actual)
    return f"{place}: is {does}, should be {should}" if place else f"{does}, should be {should}"


def _line(difference: "Difference") -> str:
    if difference.actual is ABSENT:
        return f"{difference.where} is missing: {shown(difference.expected)}"
    if difference.expected is ABSENT:
        return f"{difference.where} should not be there: {shown(difference.actual)}"
    should, does = contrast(difference.expected, difference.actual)
    return f"{difference.where}: {does}, should be {should}"


# Pairs and traits


def _one_side(difference: "Difference", too_much: str, missing: str) -> str:
    return _at(difference.place, missing if difference.actual is ABSENT else too_much)


def _pair(difference: "Difference") -> str:
    if difference.expected is not ABSENT and difference.actual is not ABSENT:
        return _value(difference)
    pair = name(difference.what)
    return _one_side(difference, f"has a pair {pair}, should not", f"lacks the pair {pair}")


def _fat_food(difference: "Difference") -> str:
    """Without a pair there is no fat-food, but a pair that says so is still a difference."""
    expected, actual = difference.expected, difference.actual
    there = actual if expected is ABSENT else expected
    if not is_number(there) or (expected is not ABSENT and actual is not ABSENT):
        return _pair(difference)
    if there == 0:
        has, lacks = "has a fat-food pair of 0, should have none", "lacks the fat-food pair of 0"
        return _one_side(difference, has, lacks)
    should, does = ("0" if value is ABSENT else word(value) for value in (expected, actual))
    return _at(difference.place, f"fat-food is {does}, should be {should}")


def _hand(difference: "Difference") -> str:
    return _one_side(difference, "has an empty cards pair, should have none", "lacks the empty cards pair")


def _trait(difference: "Difference") -> str:
    trait = name(difference.what)
    return _one_side(difference, f"has {trait}, should not", f"lacks {trait}")


def _repeated(difference: "Difference") -> str:
    does, should = ("once" if n == 1 else f"{n} times" for n in (difference.actual, difference.expected))
    return _at(difference.place, f"has {name(difference.what)} {does}, should have it {should}")


# Order


def _order(difference: "Difference") -> str:
    expected, actual = difference.expected, difference.actual
    assert type(expected) is list
    assert type(actual) is list
    words, rows = ORDERS.get(difference.what, ("the right {}s in another order", _things))
    right, found = rows(difference.what, expected, actual)
    should, does = apart(", ".join(right), ", ".join(found), LONG)
    what = words.format(THINGS[difference.what][0])
    return _at(difference.place, f"{what}: {does}, should be {should}")


def _things(what: str, expected: list[object], actual: list[object]) -> "Rows":
    """The things of two rows; numbered as they should stand if they are too long to be listed."""
    right, found = [*map(compact, expected)], [*map(compact, actual)]
    if any(len(text) > SHOWN for text in right):
        numbers = {text: str(at) for at, text in reversed([*enumerate(right)])}
        return [numbers[text] for text in right], [numbers[text] for text in found]
    describe = THINGS[what][1]
    return [*map(describe, expected)], [*map(describe, actual)]


def _keys(what: str, expected: list[object], actual: list[object]) -> "Rows":
    """The keys that both have."""
    right, found = pairs(expected) or {}, pairs(actual) or {}
    return [name(key) for key in right if key in found], [name(key) for key in found if key in right]


def _ids(what: str, expected: list[object], actual: list[object]) -> "Rows":
    """The ids that both have."""
    right, found = ([*map(_id, players)] for players in (expected, actual))
    return [number for number in right if number in found], [number for number in found if number in right]


def _id(player: object) -> str:
    number = id_of(player)
    return "no id" if number is ABSENT else f"id {cut(compact(number), SHOWN)}"


def _traits(what: str, expected: list[object], actual: list[object]) -> "Rows":
    return [*map(name, strings(expected) or [])], [*map(name, strings(actual) or [])]


ORDERS: "dict[str, tuple[str, Callable[[str, list[object], list[object]], Rows]]]" = {
    "pair": ("pairs in another order", _keys),
    "player": ("players in another order", _ids),
    "trait": ("the right traits in another order", _traits),
}


# Whole answers


def _attackable(difference: "Difference") -> str:
    """How answers to whether a board can be attacked differ."""
    does, should = (
        "true (attackable)" if value else "false (not attackable)"
        for value in (difference.actual, difference.expected)
    )
    return f"answers {does}, should be {should}"


# What each FeedingChoice does, by its number of parts: "feeds", "should feed".
DOES: "list[Callable[..., str]]" = [
    lambda s: f"decline{s}",
    lambda s, board: f"feed{s} board {board}",
    lambda s, board, tokens: f"store{s} {_tokens(tokens)} on board {board}",
    lambda s, board, player, target: f"attack{s} board {target} of player {player} with board {board}",
]


def _tokens(count: str) -> str:
    return f"{count} token" if count == "1" else f"{count} tokens"


def _choice(difference: "Difference") -> str:
    """How two FeedingChoices differ."""
    expected, actual = choice_of(difference.expected) or [], choice_of(difference.actual) or []
    should, does = [*map(word, expected)], [*map(word, actual)]
    if len(should) == len(does):
        both = [contrast(*numbers) for numbers in zip(expected, actual, strict=True)]
        should, does = [right for right, _ in both], [found for _, found in both]
    if len(should) == len(does) > 1 and expected[0] == actual[0]:
        if len(does) == 2:
            return f"stores {_tokens(does[1])} on board {does[0]}, should store {should[1]}"
        return (
            f"board {does[0]} attacks board {does[2]} of player {does[1]}, "
            f"should attack board {should[2]} of player {should[1]}"
        )
    return f"{DOES[len(does)]('s', *does)}, should {DOES[len(should)]('', *should)}"


# Things in words


def board(value: object) -> str:
    """A board as it appears in a sentence."""
    found = pairs(value)
    if found is None:
        return word(value)
    traits = strings(found.get("traits"))
    if traits is not None:
        del found["traits"]
    words = [f"{name(key)} {word(part)}" for key, part in found.items()]
    return cut(", ".join([*words, *map(name, traits or [])]), LONG)


def growth(value: object) -> str:
    """A GP or GB as it appears in a sentence."""
    if type(value) is list and len(value) == 3 and type(value[0]) is str:
        return f"{growth(value[1:])} (labelled {word(value[0])})"
    if type(value) is list and len(value) == 2:
        return f"board {word(value[0])} with card {word(value[1])}"
    return word(value)


def new_board(value: object) -> str:
    """A BT as it appears in a sentence."""
    if type(value) is not list or not 1 <= len(value) <= 4:
        return word(value)
    payment, *traits = map(word, value)
    if not traits:
        return f"paid by card {payment} without traits"
    *most, last = traits
    cards = f"cards {', '.join(most)} and {last}" if most else f"card {last}"
    return f"paid by card {payment} with the trait{'s' if most else ''} of {cards}"


def replacement(value: object) -> str:
    """An RT as it appears in a sentence."""
    if type(value) is not list or len(value) != 3:
        return word(value)
    board, slot, card = map(word, value)
    return f"card {card} into slot {slot} of board {board}"


def holdings(player: object) -> str:
    """What a player has, in few words."""
    found = pairs(player) or {}
    boards = found.get("species")
    number = len(boards) if type(boards) is list else 0
    return f"{'1 board' if number == 1 else f'{number} boards'}, bag {word(found.get('bag'))}"


# What a thing is called, and how one is put into words.
THINGS: "dict[str, tuple[str, Callable[[object], str]]]" = {
    "board": ("board", board),
    "own board": ("own board", board),
    "card": ("card", word),
    "player": ("player", holdings),
    "other player": ("player", word),
    "growth": ("growth", growth),
    "new board": ("board", new_board),
    "replacement": ("replacement", replacement),
    "pair": ("pair", word),
    "trait": ("trait", word),
    "": ("", word),
}

SAYS: "dict[str, Callable[[Difference], str]]" = {
    VALUE: _value,
    WHOLE: _whole,
    ONE_SIDED: _one_sided,
    PAIR: _pair,
    FAT_FOOD: _fat_food,
    HAND: _hand,
    TRAIT: _trait,
    REPEATED: _repeated,
    COUNT: _count,
    ORDER: _order,
    ATTACKABLE: _attackable,
    CHOICE: _choice,
    SHAPE: lambda difference: difference.what,
    UNNAMED: _unnamed,
    LINE: _line,
    MORE: lambda difference: f"… and {difference.what}",
}
