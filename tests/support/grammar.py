"""The grammar of the values, told once more, and everything that can be done to a value to break it.

A check of the grammar takes a value and its place, and yields every place that is to blame.
"""

import json
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.programs import answering as programs
from tests.support.helpers import HERD, SAMPLES, Json, Place, Raw, changed, json_text, part_at, shown_path

TRAITS = ("ambush", "burrowing", "carnivore", "climbing", "cooperation", "fat-tissue", "fertile", "foraging",
          "hard-shell", "herding", "horns", "long-neck", "pack-hunting", "scavenger", "symbiosis",
          "warning-call")  # fmt: skip
LONG = Raw("9" * 5000)

# --- all places at which a value is wrong -------------------------------------------------------

Check = Callable[[Json, Place], Iterator[Place]]


def number(least: int, most: int | None = None) -> Check:
    def check(value: Json, at: Place) -> Iterator[Place]:
        if type(value) is not int or value < least or (most is not None and value > most):
            yield at

    return check


def record(*checks: Check) -> Check:
    def check(value: Json, at: Place) -> Iterator[Place]:
        if type(value) is not list or len(value) != len(checks):
            yield at
        else:
            for place, (part, check_part) in enumerate(zip(value, checks, strict=True)):
                yield from check_part(part, (*at, place))

    return check


def list_of(check_part: Check, least: int = 0, most: int | None = None) -> Check:
    def check(value: Json, at: Place) -> Iterator[Place]:
        if type(value) is not list:
            yield at
            return
        if len(value) < least or (most is not None and len(value) > most):
            yield at
        for place, part in enumerate(value):
            yield from check_part(part, (*at, place))

    return check


def pairs(*keys: tuple[str, Check]) -> Check:
    """Pairs with these keys, of which the last one may be missing."""

    def check(value: Json, at: Place) -> Iterator[Place]:
        if type(value) is not list or not len(keys) - 1 <= len(value) <= len(keys):
            yield at
            return
        for place, (pair, (key, check_part)) in enumerate(zip(value, keys, strict=False)):
            if type(pair) is not list or len(pair) != 2:
                yield (*at, place)
            elif pair[0] != key:
                yield (*at, place, 0)
            else:
                yield from check_part(pair[1], (*at, place, 1))

    return check


def a_trait(value: Json, at: Place) -> Iterator[Place]:
    if value not in TRAITS:
        yield at


def traits(value: Json, at: Place) -> Iterator[Place]:
    yield from list_of(a_trait, most=3)(value, at)
    if type(value) is list:
        for place, trait in enumerate(value):
            if trait in value[:place]:
                yield (*at, place)


def a_species(value: Json, at: Place) -> Iterator[Place]:
    nat = number(0, 7)
    shape = pairs(
        ("food", nat), ("body", nat), ("population", number(1, 7)), ("traits", traits), ("fat-food", nat)
    )
    wrong = list(shape(value, at))
    yield from wrong
    if not wrong:
        (_, food), (_, body), (_, population), _, *fat = value
        if food > population or (fat and fat[0][1] > body):
            yield at


def a_neighbour(value: Json, at: Place) -> Iterator[Place]:
    if value is not False:
        yield from a_species(value, at)


def a_card(value: Json, at: Place) -> Iterator[Place]:
    most = 8 if type(value) is list and value[1:] == ["carnivore"] else 3
    yield from record(number(-most, most), a_trait)(value, at)


def growth(label: str) -> Check:
    def check(value: Json, at: Place) -> Iterator[Place]:
        if type(value) is list and len(value) == 3:
            if value[0] != label:
                yield (*at, 0)
            yield from natural(value[1], (*at, 1))
            yield from natural(value[2], (*at, 2))
        else:
            yield from record(natural, natural)(value, at)

    return check


natural, natural_plus = number(0), number(1)
boards = list_of(a_species)
cards = list_of(a_card)
others_boards = list_of(boards, most=7)
a_player = pairs(("id", natural_plus), ("species", boards), ("bag", natural), ("cards", cards))
situation = record(a_species, a_species, a_neighbour, a_neighbour)
feeding = record(a_player, natural_plus, list_of(a_player, most=7))
state = record(natural, boards, cards, natural_plus, others_boards)
state_with_any_tokens = record(natural, boards, cards, natural, others_boards)
configuration = record(list_of(a_player, 1, 8), natural, cards)
an_action = record(
    natural,
    list_of(growth("population")),
    list_of(growth("body")),
    list_of(list_of(natural, 1, 4)),
    list_of(record(natural, natural, natural)),
)


def a_choice(value: Json, at: Place) -> Iterator[Place]:
    wrong = list(record(a_player, others_boards, others_boards)(value, at))
    yield from wrong
    if not wrong:
        owner, before, after = value
        if len(owner) < 4 or len(owner[3][1]) < 3:
            yield (*at, 0)
        if len(before) + len(after) > 7:
            yield at


def a_state_with_a_hand(value: Json, at: Place) -> Iterator[Place]:
    wrong = list(state_with_any_tokens(value, at))
    yield from wrong
    if not wrong and len(value[2]) < 3:
        yield (*at, 2)


def step4(value: Json, at: Place) -> Iterator[Place]:
    wrong = list(record(configuration, list_of(an_action))(value, at))
    yield from wrong
    if not wrong and len(value[1]) != len(value[0][0]):
        yield (*at, 1)


def either(usual: Check, other: Check, parts: int = 5, at_first: bool = False) -> Check:
    """One of two shapes, which their number of parts tells apart, or that of their first part."""

    def check(value: Json, at: Place) -> Iterator[Place]:
        counted = value[0] if at_first and type(value) is list and len(value) == 2 else value
        is_other = type(counted) is list and len(counted) == parts
        yield from (other if is_other else usual)(value, at)

    return check


TAKES: dict[str, Check] = {
    "xattack": either(situation, record(state_with_any_tokens, record(natural, natural, natural)), parts=2),
    "xfeed": either(feeding, state),
    "xstep": either(configuration, state),
    "xstep4": either(step4, record(state_with_any_tokens, an_action), at_first=True),
    "xsilly": either(a_choice, a_state_with_a_hand),
}


def wrong_places(program: str, text: str) -> set[str]:
    """Every place at which this text is not what the program takes, as error lines show them."""
    value = json.loads(text, parse_int=lambda digits: int(digits) if len(digits) <= 4300 else None)
    return {shown_path(at) for at in TAKES[program](value, ())}


# --- every change of every place of a value ---------------------------------------------------


def places(value: Json, at: Place = ()) -> Iterator[Place]:
    yield at
    if isinstance(value, list):
        for place, part in enumerate(value):
            yield from places(part, (*at, place))


INSTEAD = {
    "null": None,
    "true": True,
    "false": False,
    "a string": "x",
    "a trait": "horns",
    "a key": "food",
    "a label": "population",
    "a fraction": 1.5,
    "one point nothing": Raw("1.0"),
    "one times ten to the nothing": Raw("1e0"),
    "minus one": -1,
    "zero": 0,
    "eight": 8,
    "an empty list": [],
    "a list in a list": [[]],
    "an empty object": {},
    "an object": {"food": 1, "body": 2},
    "a species": HERD,
    "a card": [1, "horns"],
    "the food of another": ["food", 7],
}


INSTEAD_OF_NUMBERS = {
    "minus nine": -9,
    "minus eight": -8,
    "minus four": -4,
    "minus three": -3,
    "minus nothing": Raw("-0"),
    "one": 1,
    "three": 3,
    "four": 4,
    "seven": 7,
    "nine": 9,
    "a number of 30 digits": Raw("1" + "0" * 29),
    "a number beyond all floats": Raw("1e999"),
    "a number of 4,300 digits": Raw("9" * 4300),
    "a negative number of 4,300 digits": Raw("-" + "9" * 4300),
    "a number of 5,000 digits": LONG,
    "a negative number of 5,000 digits": Raw(f"-{LONG}"),
}


def without_a_part(parts: list[Json]) -> Iterator[Json]:
    for place in range(len(parts)):
        yield parts[:place] + parts[place + 1 :]


def with_null_added(parts: list[Json]) -> Iterator[Json]:
    for place in range(len(parts) + 1):
        yield [*parts[:place], None, *parts[place:]]


def with_a_part_twice(parts: list[Json]) -> Iterator[Json]:
    for place, part in enumerate(parts):
        yield [*parts[:place], part, *parts[place:]]


def with_two_parts_exchanged(parts: list[Json]) -> Iterator[Json]:
    for place in range(len(parts) - 1):
        yield [*parts[:place], parts[place + 1], parts[place], *parts[place + 2 :]]


def with_too_many_parts(parts: list[Json]) -> Iterator[Json]:
    if parts:
        yield parts * 9


OF_A_LIST = {
    "without a part": without_a_part,
    "with null added": with_null_added,
    "with a part twice": with_a_part_twice,
    "with two parts exchanged": with_two_parts_exchanged,
    "nine times over": with_too_many_parts,
}


def replaced(value: Json, new: Json) -> Iterator[str]:
    """The value with one of its places replaced by the new part, for every place."""
    for at in places(value):
        yield json_text(changed(value, at, new))


def with_a_number_replaced(value: Json, new: Json) -> Iterator[str]:
    """The same for those places that have a number."""
    for at in places(value):
        if type(part_at(value, at)) is int:
            yield json_text(changed(value, at, new))


def rearranged(value: Json, rearrange: Callable[[list[Json]], Iterator[Json]]) -> Iterator[str]:
    """The value with one of its lists changed, for every list and every way to change it."""
    for at in places(value):
        parts = part_at(value, at)
        if isinstance(parts, list):
            for new in rearrange(parts):
                yield json_text(changed(value, at, new))


@cache
def all_changes(kind: str) -> list[str]:
    """The sample of this kind with everything done to it that is done here."""
    value = SAMPLES[kind].value
    texts = [text for new in INSTEAD.values() for text in replaced(value, new)]
    texts += [text for new in INSTEAD_OF_NUMBERS.values() for text in with_a_number_replaced(value, new)]
    texts += [text for rearrange in OF_A_LIST.values() for text in rearranged(value, rearrange)]
    return texts


class Verdict(NamedTuple):
    """What a program says to a value: a line on standard output, or one on standard error."""

    answer: str | None
    error: str | None


@cache
def answering(program: str) -> Callable[[object], str | None]:
    return programs.PROGRAMS[program]()


@cache
def verdict(program: str, data: bytes) -> Verdict:
    """The verdict of a program that runs in this process."""
    try:
        return Verdict(answering(program)(parse(data)), None)
    except BadInput as problem:
        return Verdict(None, f"{program}: {programs.refused(data, problem)}")
