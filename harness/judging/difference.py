"""A difference between two answers, as a value.

It has a place in the words of the game and a path in the JSON; what was expected there, and what was printed.
A sentence is made from it where one is needed (`harness.judging.sentences`), and for tools its record.
"""

from dataclasses import dataclass

from harness.judging.compare import ABSENT, is_number
from harness.judging.wording import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from harness.judging.compare import Path

# What is told first.
HOLE, COUNTS, WHICH, EATING, REST = range(5)

# What kind of difference it is, which says what its sentence looks like.
VALUE = "value"  # another value
WHOLE = "whole"  # another thing, which is told as a whole: a card, or a board that is none
ONE_SIDED = "one-sided"  # a thing of a row that only one side has
PAIR = "pair"  # a pair of a board or player that may be missing on one side
FAT_FOOD = "fat-food"  # the same of a board's fat-food, which is 0 without a pair
HAND = "hand"  # the same of a player's cards, which are none without a pair
TRAIT = "trait"  # a trait that only one side has
REPEATED = "repeated trait"  # a trait that both sides have, but not as often
COUNT = "count"  # so many things in a row
ORDER = "order"  # the right things in another order
ATTACKABLE = "attackable"  # the answer of xattack
CHOICE = "choice"  # a FeedingChoice
SHAPE = "shape"  # an answer of another kind
UNNAMED = "unnamed"  # a part of a value that has no name in the game
LINE = "line"  # of text
MORE = "more"  # stands for all differences that are not listed

COUNTED = (COUNT, REPEATED)  # of which the numbers are told, and not what stands there
NOWHERE = -1
OWN = "the player"  # of a State, whose owner has no number
MOST_KEPT = 1000  # characters of JSON in a record


@dataclass(frozen=True, slots=True)
class Spot:
    """One step of a place: a thing, its number in its row if it is in one, and whose it is.

    should: the number that it should have, if that is another one.
    """

    thing: str
    at: int = NOWHERE
    whose: str = ""
    should: int = NOWHERE

    def __str__(self) -> str:
        """The step in words, without the number it should have."""
        return f"{self.thing}{'' if self.at == NOWHERE else f' {self.at}'}{self.whose}"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing in which an answer differs from the expected one.

    path: the way to it in what was printed, or in what was expected if it is only there.
    expected, actual: what stands there; ABSENT for nothing.
    what: the pair, trait or sort of thing that its sentence names.
    """

    kind: str
    place: tuple[Spot, ...] = ()
    path: "Path" = ()
    expected: object = ABSENT
    actual: object = ABSENT
    what: str = ""
    rank: int = REST

    @property
    def where(self) -> str:
        """The place in words."""
        return ", ".join(map(str, self.place))

    @property
    def about(self) -> set[str]:
        """What it concerns: the place, and for a thing of a row also whose row it is."""
        if not self.place:
            return {OWN} if self.what == "own board" else set()
        if self.kind in (ONE_SIDED, WHOLE) and self.place[:-1]:
            return {self.where, ", ".join(map(str, self.place[:-1]))}
        return {self.where}

    @property
    def likeness(self) -> tuple[object, ...]:
        """What it has in common with others that probably have the same cause: all but the numbers."""
        things = tuple(spot.thing for spot in self.place)
        steps = tuple(step for step in self.path if type(step) is str)
        sides = _sort(self.expected), _sort(self.actual)
        fewer = self.kind in COUNTED and self.actual < self.expected  # type: ignore[operator]
        return self.kind, things, steps, self.what, sides, fewer


def _sort(value: object) -> object:
    """What sort of value it is; all numbers are one sort."""
    if value is ABSENT:
        return "absent"
    return value if type(value) is bool else "number" if is_number(value) else type(value).__name__


def about(differences: "Iterable[Difference]") -> set[str]:
    """The places that the differences concern, in words."""
    return {place for difference in differences for place in difference.about}


# As a record


def changes(differences: "Iterable[Difference]") -> "list[dict[str, Any]]":
    """The differences for tools, in the same order; docs/running.md says what each part means."""
    return [_change(difference) for difference in differences if difference.kind != MORE]


def _change(difference: Difference) -> "dict[str, Any]":
    path = [step if type(step) is int else _kept(step)[0] for step in difference.path]
    change: dict[str, Any] = {"path": path, "place": difference.where}
    if difference.kind in (*COUNTED, ORDER):
        change["of"] = ORDER if difference.kind == ORDER else COUNT
    as_text = []
    for side, value in (("expected", difference.expected), ("actual", difference.actual)):
        if value is not ABSENT:
            change[side], is_whole = _kept(value)
            as_text += [] if is_whole else [side]
    return {**change, "as_text": as_text} if as_text else change


def _kept(value: object) -> "tuple[object, bool]":
    """A value as it is recorded, and whether it is whole: else it is the beginning of its JSON text."""
    import orjson

    text = compact(value, MOST_KEPT)
    if len(text) <= MOST_KEPT:
        try:
            kept = orjson.loads(orjson.dumps(value))
            if compact(kept) == text:
                return kept, True
        except (TypeError, ValueError):  # a number beyond 64 bits, or half of a character
            pass
    return text[:MOST_KEPT], False


def is_change(value: object) -> bool:
    """Whether a value that was read can be one that `changes` has made."""
    if type(value) is not dict or type(value.get("path")) is not list or type(value.get("place")) is not str:
        return False
    return all(type(step) in (int, str) for step in value["path"]) and (
        value.keys() <= {"path", "place", "of", "expected", "actual", "as_text"}
    )
