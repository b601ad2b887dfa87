"""How two answers differ, in sentences.

Both answers are translated together into a named form, {place: {name: JSON text}}, in which a
name means the same thing on both sides; boards and cards are matched for that, so that one which
is missing does not shift all others. DeepDiff finds the names whose texts differ, and each name
has its sentence.
"""

from collections import Counter
from itertools import zip_longest

from evolution.wire.reading import SHOWN
from harness.judging.compare import ABSENT, is_number
from harness.judging.parts import (
    ACTION4,
    CHOICE,
    CONFIGURATION,
    LONG,
    STATE,
    attackable,
    board,
    choice_of,
    choices,
    growth,
    holdings,
    id_of,
    kind_of_answer,
    new_board,
    pairs,
    player,
    replacement,
    strings,
)
from harness.judging.wording import GAP, NONE, apart, compact, contrast, cut, matched, name, word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Say = Callable[[], str]
    Describe = Callable[[object], str]
    # Names what is in the pairs of one key: the place, the key, and both values.
    ComparePair = Callable[[str, str, object, object], None]

# What is said first.
HOLE, COUNTS, WHICH, EATING, REST = range(5)
RANKS = {"food": EATING, "population": EATING, "fat-food": EATING}

BOARD_GAP = 3 * GAP  # a board that is not there weighs as much as three wrong pairs

EXCHANGES: "list[tuple[str, str, Describe]]" = [
    ("population", "growth", growth),
    ("body", "growth", growth),
    ("new boards", "board", new_board),
    ("replacements", "replacement", replacement),
]


def _text(value: object) -> str:
    """The JSON text; what is ABSENT has the empty text, which is no JSON."""
    return "" if value is ABSENT else compact(value)


def _features(value: object) -> frozenset[str]:
    return frozenset(map(compact, value)) if type(value) is list else frozenset([compact(value)])


def _at(place: str, words: str) -> str:
    return f"{place}: {words}" if place else words


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count} times"


class Answers:
    """Two answers of the same kind in their named form, and the sentence for each name."""

    def __init__(self) -> None:
        self._expected: dict[str, dict[str, str]] = {}
        self._actual: dict[str, dict[str, str]] = {}
        self._says: dict[tuple[str, str], tuple[int, Say]] = {}

    def sentences(self) -> list[str]:
        """What differs, the most telling first."""
        from deepdiff import DeepDiff

        found = DeepDiff(self._expected, self._actual, view="tree", ignore_private_variables=False)
        differing = {tuple(level.path(output_format="list")) for level in found.get("values_changed", [])}
        says = [says for names, says in self._says.items() if names in differing]
        return [say() for _, say in sorted(says, key=lambda ranked: ranked[0])]

    def configuration(self, expected: list[object], actual: list[object]) -> None:
        """Name what is in two Configurations."""
        self._value("", "watering hole", expected[1], actual[1], HOLE)
        self._players(expected[0], actual[0])
        self._things("deck", "card", expected[2], actual[2])

    def state(self, expected: list[object], actual: list[object]) -> None:
        """Name what is in two States."""
        self._value("", "watering hole", expected[3], actual[3], HOLE)
        self._boards("", "own board", expected[1], actual[1])
        self._value("", "bag", expected[0], actual[0])
        self._things("hand", "card", expected[2], actual[2])
        for at, one, other in self._matched("others", "player", expected[4], actual[4], word, BOARD_GAP):
            self._boards(f"{at} of the others", "board", one, other)

    def action4(self, expected: list[object], actual: list[object]) -> None:
        """Name what is in two Action4s."""
        self._value("", "food card", expected[0], actual[0], EATING)
        for at, (place, thing, describe) in enumerate(EXCHANGES, 1):
            self._things(place, thing, expected[at], actual[at], describe)

    # Names

    def _add(self, place: str, called: str, expected: object, actual: object, rank: int, say: "Say") -> None:
        """A name in both answers, with the sentence for when it differs."""
        self._expected.setdefault(place, {})[called] = _text(expected)
        self._actual.setdefault(place, {})[called] = _text(actual)
        self._says[place, called] = rank, say

    def _value(self, place: str, called: str, expected: object, actual: object, rank: int = REST) -> None:
        """Something that has a value on both sides: a number, mostly."""

        def say() -> str:
            should, does = contrast(expected, actual)
            start = f"{place}: {called} is" if place else f"{called}:"
            return f"{start} {does}, should be {should}"

        self._add(place, called, expected, actual, rank, say)

    def _thing(self, place: str, expected: object, actual: object, describe: "Describe" = word) -> None:
        """Something that is said as a whole."""

        def say() -> str:
            should, does = describe(expected), describe(actual)
            if should == does:
                should, does = contrast(expected, actual)
            return f"{place} is {does}, should be {should}"

        self._add(place, "", expected, actual, REST, say)

    def _one_sided(
        self, place: str, expected: object, actual: object, too_much: str, missing: str, rank: int = REST
    ) -> None:
        """Something that may be ABSENT on one side, with the words for either case."""
        words = missing if actual is ABSENT else too_much
        self._add(place, words, expected, actual, rank, lambda: _at(place, words))

    def _count(self, place: str, thing: str, expected: int, actual: int) -> None:
        def say() -> str:
            count = abs(expected - actual)
            things = f"{count} {thing}" if count == 1 else f"{count} {thing}s"
            return _at(place, f"{things} {'missing' if actual < expected else 'too many'}")

        self._add(place, f"number of {thing}s", expected, actual, COUNTS, say)

    def _order(self, place: str, what: str, expected: list[str], actual: list[str]) -> None:
        def say() -> str:
            should, does = apart(", ".join(expected), ", ".join(actual), LONG)
            return _at(place, f"{what}: {does}, should be {should}")

        self._add(place, what, expected, actual, WHICH, say)

    # Rows of things

    def _matched(
        self, place: str, thing: str, expected: object, actual: object, describe: "Describe", gap: int
    ) -> "Iterator[tuple[str, object, object]]":
        """What belongs together in two rows but differs, and what it is called.

        What is to be said of the rows themselves is named: their order, number, what is missing.
        """
        assert type(expected) is list
        assert type(actual) is list
        right, found = [*map(compact, expected)], [*map(compact, actual)]
        if sorted(right) == sorted(found):
            if any(len(text) > SHOWN for text in right):
                # Too long to be listed: they are numbered as they should stand.
                numbers = {text: str(at) for at, text in reversed([*enumerate(right)])}
                order = [numbers[text] for text in right], [numbers[text] for text in found]
            else:
                order = [*map(describe, expected)], [*map(describe, actual)]
            self._order(place, f"the right {thing}s in another order", *order)
            return
        self._count(place, thing, len(right), len(found))
        for one, other in matched([*map(_features, expected)], [*map(_features, actual)], gap):
            if one == NONE:
                self._lone(place, f"{thing} {other}", ABSENT, actual[other], describe)
            elif other == NONE:
                self._lone(place, f"{thing} {one}", expected[one], ABSENT, describe)
            elif right[one] != found[other]:
                moved = "" if one == other else f" (should be {thing} {one})"
                yield f"{thing} {other}{moved}", expected[one], actual[other]

    def _lone(self, place: str, called: str, expected: object, actual: object, describe: "Describe") -> None:
        """A thing that only one row has."""
        words = describe(expected if actual is ABSENT else actual)
        self._one_sided(
            place, expected, actual, f"{called} is too much: {words}", f"{called} is missing: {words}", WHICH
        )

    def _things(
        self, place: str, thing: str, expected: object, actual: object, describe: "Describe" = word
    ) -> None:
        """Two rows of cards or the like."""
        for at, one, other in self._matched(place, thing, expected, actual, describe, GAP):
            self._thing(f"{place}: {at}", one, other, describe)

    def _boards(self, place: str, thing: str, expected: object, actual: object) -> None:
        """Two rows of boards."""
        keys: dict[str, ComparePair] = {"traits": self._traits, "fat-food": self._fat_food}
        for at, one, other in self._matched(place, thing, expected, actual, board, BOARD_GAP):
            self._pairs(f"{place}, {at}" if place else at, one, other, keys)

    # Players and boards

    def _players(self, expected: object, actual: object) -> None:
        """The players of two Configurations."""
        assert type(expected) is list
        assert type(actual) is list
        self._count("", "player", len(expected), len(actual))
        keys: dict[str, ComparePair] = {"species": self._species, "cards": self._hand}
        for one, other in self._matched_players(expected, actual):
            if one == NONE:
                self._lone("", player(other, actual[other], actual[other]), ABSENT, actual[other], holdings)
            elif other == NONE:
                self._lone("", player(one, expected[one], expected[one]), expected[one], ABSENT, holdings)
            else:
                place = player(other, expected[one], actual[other])
                self._pairs(place, expected[one], actual[other], keys)

    def _matched_players(self, expected: list[object], actual: list[object]) -> list[tuple[int, int]]:
        """The indexes of players that belong together: by their ids, if these tell them apart."""
        right = {_text(id_of(player)): at for at, player in enumerate(expected)}
        found = {_text(id_of(player)): at for at, player in enumerate(actual)}
        distinct = len(right) == len(expected) and len(found) == len(actual)
        if not distinct or (len(right) == len(found) and right.keys() != found.keys()):
            return list(zip_longest(range(len(expected)), range(len(actual)), fillvalue=NONE))
        self._order(
            "",
            "players in another order",
            [f"id {cut(number)}" for number in right if number in found],
            [f"id {cut(number)}" for number in found if number in right],
        )
        missing = [(at, NONE) for number, at in right.items() if number not in found]
        extra = [(NONE, at) for number, at in found.items() if number not in right]
        return [*missing, *extra, *((right[number], found[number]) for number in found if number in right)]

    def _pairs(self, place: str, expected: object, actual: object, keys: "dict[str, ComparePair]") -> None:
        """Two boards or players, pair by pair; some keys have a way of their own."""
        right, found = pairs(expected), pairs(actual)
        if right is None or found is None:
            self._thing(place, expected, actual)
            return
        for key in [*right, *(key for key in found if key not in right)]:
            keys.get(key, self._pair)(place, key, right.get(key, ABSENT), found.get(key, ABSENT))
        self._order(
            place,
            "pairs in another order",
            [name(key) for key in right if key in found],
            [name(key) for key in found if key in right],
        )

    def _pair(self, place: str, key: str, expected: object, actual: object) -> None:
        if expected is ABSENT or actual is ABSENT:
            has, lacks = f"has a pair {name(key)}, should not", f"lacks the pair {name(key)}"
            self._one_sided(place, expected, actual, has, lacks)
        else:
            self._value(place, name(key), expected, actual, RANKS.get(key, REST))

    def _fat_food(self, place: str, key: str, expected: object, actual: object) -> None:
        """Without a pair there is no fat-food, but a pair that says so is still a difference."""
        there = actual if expected is ABSENT else expected
        if not is_number(there) or (expected is not ABSENT and actual is not ABSENT):
            self._pair(place, key, expected, actual)
        elif there == 0:
            has, lacks = "has a fat-food pair of 0, should have none", "lacks the fat-food pair of 0"
            self._one_sided(place, expected, actual, has, lacks)
        else:
            right, found = (0 if value is ABSENT else value for value in (expected, actual))
            self._pair(place, key, right, found)

    def _traits(self, place: str, key: str, expected: object, actual: object) -> None:
        right, found = strings(expected), strings(actual)
        if right is None or found is None:
            self._pair(place, key, expected, actual)
        elif sorted(right) == sorted(found):
            self._order(place, "the right traits in another order", [*map(name, right)], [*map(name, found)])
        else:
            should, does = Counter(right), Counter(found)
            for trait in should | does:
                self._trait(place, name(trait), should[trait], does[trait])

    def _trait(self, place: str, trait: str, expected: int, actual: int) -> None:
        has = f"has {trait}, should not"
        if expected and actual:
            has = f"has {trait} {_times(actual)}, should have it {_times(expected)}"
        self._one_sided(place, expected or ABSENT, actual or ABSENT, has, f"lacks {trait}")

    def _species(self, place: str, key: str, expected: object, actual: object) -> None:
        if type(expected) is list and type(actual) is list:
            self._boards(place, "board", expected, actual)
        else:
            self._pair(place, key, expected, actual)

    def _hand(self, place: str, key: str, expected: object, actual: object) -> None:
        """Without a pair the hand is empty, but a pair that says so is still a difference."""
        there = actual if expected is ABSENT else expected
        if there == [] and (expected is ABSENT or actual is ABSENT):
            has, lacks = "has an empty cards pair, should have none", "lacks the empty cards pair"
            self._one_sided(place, expected, actual, has, lacks)
            return
        right, found = ([] if value is ABSENT else value for value in (expected, actual))
        if type(right) is list and type(found) is list:
            self._things(f"{place}, hand", "card", right, found)
        else:
            self._pair(place, key, expected, actual)


NAME: "dict[str, Callable[[Answers, list[object], list[object]], None]]" = {
    CONFIGURATION: Answers.configuration,
    STATE: Answers.state,
    ACTION4: Answers.action4,
}


def sentences(expected: object, actual: object) -> list[str]:
    """How two different answers differ, the most telling first.

    Empty if they have no words in common, so that only JSON paths can tell.
    """
    if type(expected) is bool and type(actual) is bool:
        return [f"answers {attackable(actual)}, should be {attackable(expected)}"]
    kinds = kind_of_answer(expected), kind_of_answer(actual)
    if kinds == (CHOICE, CHOICE):
        return [choices(choice_of(expected) or [], choice_of(actual) or [])]
    if type(expected) is not list or type(actual) is not list or "" in kinds:
        return []
    if kinds[0] != kinds[1]:
        return [f"{kinds[1]}, should be {kinds[0]}"]
    answers = Answers()
    NAME[kinds[0]](answers, expected, actual)
    return answers.sentences()
