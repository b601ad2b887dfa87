"""In what two answers of the game differ: the differences as values.

Both answers are translated together into a named form, {place: {name: value}}, in which a name means the
same thing on both sides; players, boards and cards are matched for that, so that one which is missing does
not shift all others. Only the parts that differ are put into it, however large the answers are. DeepDiff
then finds out how: what is on one side only, what has another value or type, and which traits are missing
or too many, in whatever order they stand.
"""

from dataclasses import dataclass
from itertools import zip_longest

from harness.judging.compare import ABSENT, meaning
from harness.judging.difference import (
    ATTACKABLE,
    CHOICE,
    COUNT,
    COUNTS,
    EATING,
    FAT_FOOD,
    HAND,
    HOLE,
    NOWHERE,
    ONE_SIDED,
    ORDER,
    PAIR,
    REPEATED,
    REST,
    SHAPE,
    TRAIT,
    VALUE,
    WHICH,
    WHOLE,
    Difference,
    Spot,
)
from harness.judging.matching import GAP, NONE, matched
from harness.judging.parts import (
    ACTION4,
    CONFIGURATION,
    STATE,
    choice_of,
    id_of,
    identity,
    kind_of_answer,
    pairs,
    part_at,
    strings,
)
from harness.judging.parts import CHOICE as FEEDING_CHOICE
from harness.judging.wording import compact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from harness.judging.compare import Path

    Place = tuple[Spot, ...]
    Name = tuple[str, str, bool]  # a kind of difference, what it is about, and whether it is missing
    # Finds the differences in the pairs of one key.
    ComparePair = Callable[["Place", str, "Part", "Part"], None]

RANKS = {"food": EATING, "population": EATING, "fat-food": EATING}
BOARD_GAP = 3 * GAP  # a board that is not there weighs as much as three wrong pairs

# The rows of an Action4 behind its food card: where they are, what is in them, and what that is called.
EXCHANGES = [
    ("population", "growth", "growth"),
    ("body", "growth", "growth"),
    ("new boards", "new board", "board"),
    ("replacements", "replacement", "replacement"),
]
ACTS = ("decline", "feed", "store", "attack")  # a FeedingChoice, by its number of parts


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an answer, and the way to it."""

    value: object
    path: "Path" = ()

    def __getitem__(self, step: int) -> "Part":
        return Part(self.value[step], (*self.path, step))  # type: ignore[index]


NOTHING = Part(ABSENT)


class Traits(list[str]):
    """The traits of a board, of which the order does not count."""


class Answers:
    """Two answers of the same kind: what differs in them, in its named form."""

    def __init__(self, expected: object, actual: object) -> None:
        """The answers as they were given, with all their traits in order."""
        self._given = expected, actual
        self._forms: tuple[dict[Place, dict[Name, Any]], ...] = ({}, {})
        # With the way to it in the expected answer, which may be another one.
        self._named: dict[tuple[Place, Name], tuple[Difference, Path]] = {}

    def differences(self) -> list[Difference]:
        """What differs, the most telling first."""
        from deepdiff import DeepDiff

        tree = DeepDiff(
            self._forms[0],
            self._forms[1],
            view="tree",
            ignore_order_func=lambda level: type(level.t1) is Traits,
            report_repetition=True,
            threshold_to_diff_deeper=0,  # however little the sides have in common
            cutoff_intersection_for_pairs=0,  # a trait is never another one that has changed
        )
        found: dict[tuple[Place, Name], list[Difference]] = {name: [] for name in self._named}
        for report, levels in tree.items():
            for level in levels:
                place, name, *at = level.path(output_format="list")
                difference, expected_path = self._named[place, name]
                if difference.kind == TRAIT:
                    difference = _trait(difference, expected_path, report, level, at)
                found[place, name].append(difference)
        in_order = [difference for part in found.values() for difference in _distinct(part)]
        return sorted(in_order, key=lambda difference: difference.rank)

    def configuration(self, expected: Part, actual: Part) -> None:
        """Compare two Configurations."""
        self._add(VALUE, (Spot("watering hole"),), expected[1], actual[1], rank=HOLE)
        self._players(expected[0], actual[0])
        self._things((Spot("deck"),), "card", expected[2], actual[2])

    def state(self, expected: Part, actual: Part) -> None:
        """Compare two States."""
        self._add(VALUE, (Spot("watering hole"),), expected[3], actual[3], rank=HOLE)
        self._boards((), "own board", expected[1], actual[1])
        self._add(VALUE, (Spot("bag"),), expected[0], actual[0])
        self._things((Spot("hand"),), "card", expected[2], actual[2])
        rows = self._matched(
            (Spot("others"),), "other player", expected[4], actual[4], BOARD_GAP, called="player"
        )
        for spot, one, other in rows:
            self._boards((Spot("player", spot.at, " of the others", spot.should),), "board", one, other)

    def action4(self, expected: Part, actual: Part) -> None:
        """Compare two Action4s."""
        self._add(VALUE, (Spot("food card"),), expected[0], actual[0], rank=EATING)
        for at, (place, what, called) in enumerate(EXCHANGES, 1):
            self._things((Spot(place),), what, expected[at], actual[at], called)

    # Names

    def _add(
        self, kind: str, place: "Place", expected: Part, actual: Part, what: str = "", rank: int = REST
    ) -> None:
        """Give a name to something, if it differs: it is in the forms of the sides that have it."""
        texts = [None if part.value is ABSENT else compact(part.value) for part in (expected, actual)]
        if texts[0] == texts[1]:
            return
        name = kind, what, actual.value is ABSENT
        for form, part, text in zip(self._forms, (expected, actual), texts, strict=True):
            names = form.setdefault(place, {})
            if text is not None:
                # What is told as a whole is not looked into.
                names[name] = text if type(part.value) in (str, list, tuple, dict) else part.value
        path = expected.path if actual.value is ABSENT else actual.path
        difference = Difference(kind, place, path, expected.value, actual.value, what, rank)
        self._named[place, name] = difference, expected.path

    def _order(self, place: "Place", what: str, expected: Part, actual: Part) -> None:
        self._add(ORDER, place, expected, actual, what, WHICH)

    # Rows of things

    def _matched(
        self, place: "Place", what: str, expected: Part, actual: Part, gap: int, called: str = ""
    ) -> "Iterator[tuple[Spot, Part, Part]]":
        """What belongs together in two rows but differs, and what it is called.

        What is to be said of the rows themselves is named: their order, number, what is missing.
        """
        rows = expected.value, actual.value
        assert type(rows[0]) is list
        assert type(rows[1]) is list
        right, found = [*map(compact, rows[0])], [*map(compact, rows[1])]
        if sorted(right) == sorted(found):
            self._order(place, what, expected, actual)
            return
        called = called or what
        self._count(place, what, expected, actual)
        for one, other in matched([*map(_features, rows[0])], [*map(_features, rows[1])], gap):
            if one == NONE:
                self._one_sided((*place, Spot(called, other)), what, NOTHING, actual[other])
            elif other == NONE:
                self._one_sided((*place, Spot(called, one)), what, expected[one], NOTHING)
            elif right[one] != found[other]:
                should = NOWHERE if one == other else one
                yield Spot(called, other, should=should), expected[one], actual[other]

    def _one_sided(self, place: "Place", what: str, expected: Part, actual: Part) -> None:
        self._add(ONE_SIDED, place, expected, actual, what, WHICH)

    def _count(self, place: "Place", what: str, expected: Part, actual: Part) -> None:
        right, found = (Part(_size(part), part.path) for part in (expected, actual))
        self._add(COUNT, place, right, found, what, COUNTS)

    def _things(self, place: "Place", what: str, expected: Part, actual: Part, called: str = "") -> None:
        """Two rows of cards or the like."""
        for spot, one, other in self._matched(place, what, expected, actual, GAP, called):
            self._add(WHOLE, (*place, spot), one, other, what)

    def _boards(self, place: "Place", what: str, expected: Part, actual: Part) -> None:
        """Two rows of boards."""
        keys: dict[str, ComparePair] = {"traits": self._traits, "fat-food": self._fat_food}
        for spot, one, other in self._matched(place, what, expected, actual, BOARD_GAP):
            self._pairs((*place, spot), one, other, keys)

    # Players and boards

    def _players(self, expected: Part, actual: Part) -> None:
        """The players of two Configurations."""
        self._count((), "player", expected, actual)
        keys: dict[str, ComparePair] = {"species": self._species, "cards": self._hand}
        for at, other in self._matched_players(expected, actual):
            right = NOTHING if at == NONE else expected[at]
            found = NOTHING if other == NONE else actual[other]
            if NONE in (at, other):
                player = right if other == NONE else found
                spot = Spot("player", max(at, other), identity(player.value, player.value))
                self._one_sided((spot,), "player", right, found)
            else:
                spot = Spot("player", other, identity(right.value, found.value))
                self._pairs((spot,), right, found, keys)

    def _matched_players(self, expected: Part, actual: Part) -> list[tuple[int, int]]:
        """The indexes of players that belong together: by their ids, if these tell them apart."""
        right, found = _ids(expected), _ids(actual)
        if right is None or found is None or (len(right) == len(found) and right.keys() != found.keys()):
            return list(zip_longest(range(_size(expected)), range(_size(actual)), fillvalue=NONE))
        if [*filter(found.__contains__, right)] != [*filter(right.__contains__, found)]:
            self._order((), "player", expected, actual)
        missing = [(at, NONE) for number, at in right.items() if number not in found]
        extra = [(NONE, at) for number, at in found.items() if number not in right]
        return [*missing, *extra, *((right[number], found[number]) for number in found if number in right)]

    def _pairs(self, place: "Place", expected: Part, actual: Part, keys: "dict[str, ComparePair]") -> None:
        """Two boards or players, pair by pair; some keys have a way of their own."""
        right, found = _by_key(expected), _by_key(actual)
        if right is None or found is None:
            self._add(WHOLE, place, expected, actual)
            return
        for key in [*right, *(key for key in found if key not in right)]:
            keys.get(key, self._pair)(place, key, right.get(key, NOTHING), found.get(key, NOTHING))
        if [*filter(found.__contains__, right)] != [*filter(right.__contains__, found)]:
            self._order(place, "pair", expected, actual)

    def _pair(self, place: "Place", key: str, expected: Part, actual: Part, kind: str = PAIR) -> None:
        is_there = expected.value is not ABSENT and actual.value is not ABSENT
        self._add(kind, place, expected, actual, key, RANKS.get(key, REST) if is_there else REST)

    def _fat_food(self, place: "Place", key: str, expected: Part, actual: Part) -> None:
        self._add(FAT_FOOD, place, expected, actual, key, EATING)

    def _traits(self, place: "Place", key: str, expected: Part, actual: Part) -> None:
        right, found = strings(expected.value), strings(actual.value)
        if right is None or found is None:
            self._pair(place, key, expected, actual)
        elif sorted(right) == sorted(found):
            self._order(place, "trait", Part(right, expected.path), Part(found, actual.path))
        else:
            self._add(TRAIT, place, expected, actual, key)
            name = TRAIT, key, False
            for form, given, part in zip(self._forms, self._given, (expected, actual), strict=True):
                form[place][name] = Traits(strings(part_at(given, part.path)) or [])

    def _species(self, place: "Place", key: str, expected: Part, actual: Part) -> None:
        if type(expected.value) is list and type(actual.value) is list:
            self._boards(place, "board", expected, actual)
        else:
            self._pair(place, key, expected, actual)

    def _hand(self, place: "Place", key: str, expected: Part, actual: Part) -> None:
        """Without a pair the hand is empty, but a pair that says so is still a difference."""
        there = actual if expected.value is ABSENT else expected
        if there.value == [] and ABSENT in (expected.value, actual.value):
            self._pair(place, key, expected, actual, HAND)
            return
        right, found = (Part([], there.path) if part is NOTHING else part for part in (expected, actual))
        if type(right.value) is list and type(found.value) is list:
            self._things((*place, Spot("hand")), "card", right, found)
        else:
            self._pair(place, key, expected, actual)


def _size(row: Part) -> int:
    assert type(row.value) is list
    return len(row.value)


def _features(value: object) -> frozenset[str]:
    return frozenset(map(compact, value)) if type(value) is list else frozenset([compact(value)])


def _by_key(part: Part) -> "dict[str, Part] | None":
    """The values of a board or player by their keys, with the ways to them."""
    found = pairs(part.value)
    if found is None:
        return None
    return {key: Part(value, (*part.path, at, 1)) for at, (key, value) in enumerate(found.items())}


def _ids(players: Part) -> "dict[str, int] | None":
    """The indexes of players by their ids; None if these do not tell them apart."""
    assert type(players.value) is list
    numbers = map(id_of, players.value)
    found = {"" if number is ABSENT else compact(number): at for at, number in enumerate(numbers)}
    return found if len(found) == len(players.value) else None


def _trait(traits: Difference, expected_path: "Path", report: str, level: "Any", at: list[int]) -> Difference:
    """The difference in one trait of a board; the report is DeepDiff's word for what has become of it."""
    if report == "repetition_change":
        times = level.additional["repetition"]
        return Difference(
            REPEATED, traits.place, traits.path, times["old_repeat"], times["new_repeat"], level.t1
        )
    if report == "iterable_item_added":
        return Difference(TRAIT, traits.place, (*traits.path, *at), actual=level.t2, what=level.t2)
    return Difference(TRAIT, traits.place, (*expected_path, *at), level.t1, what=level.t1)


def _distinct(traits: list[Difference]) -> list[Difference]:
    """Each trait once, however often a board has it; those that it should have first."""
    by_name = {difference.what: difference for difference in reversed(traits)}
    return sorted(by_name.values(), key=lambda difference: (difference.expected is ABSENT, difference.what))


COMPARE: "dict[str, Callable[[Answers, Part, Part], None]]" = {
    CONFIGURATION: Answers.configuration,
    STATE: Answers.state,
    ACTION4: Answers.action4,
}


def named_differences(expected: object, actual: object, exact: bool) -> list[Difference]:
    """In what two different answers differ, the most telling first.

    Empty if they have no words in common, so that only JSON paths can tell.
    """
    answers = Answers(expected, actual)
    if not exact:
        expected, actual = meaning(expected), meaning(actual)
    if type(expected) is bool and type(actual) is bool:
        return [Difference(ATTACKABLE, (), (), expected, actual)]
    kinds = kind_of_answer(expected), kind_of_answer(actual)
    if kinds == (FEEDING_CHOICE, FEEDING_CHOICE):
        should, does = (ACTS[len(choice_of(value) or [])] for value in (expected, actual))
        return [Difference(CHOICE, (), (), expected, actual, f"{does}, should {should}")]
    if type(expected) is not list or type(actual) is not list or "" in kinds:
        return []
    if kinds[0] != kinds[1]:
        return [Difference(SHAPE, (), (), expected, actual, f"{kinds[1]}, should be {kinds[0]}")]
    COMPARE[kinds[0]](answers, Part(expected), Part(actual))
    return answers.differences()
