"""A table that holds whatever any of the table formats holds, and what is lost between two formats.

The formats are the Configuration, the State and the tables of designs 1, 3 and 4. Each is read into a
Tableau and written from one; which fields a format holds, and where they stand in it, are the tables below.
"""

from evolution.cards import Card
from evolution.species import Species
from evolution.wire.errors import Malformed, shown_path
from evolution.wire.reading import MOST_PLAYERS, MOST_TRAITS, shown, shown_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from types import ModuleType
    from typing import TypeVar

    T = TypeVar("T")

    Place = tuple[int, ...]


class Board:
    """A species board with what some designs add: food values of its traits, and a name."""

    __slots__ = ("name", "species", "values")

    def __init__(
        self, species: Species, values: "list[int] | None" = None, name: "str | None" = None
    ) -> None:
        self.species = species
        self.values = [0] * len(species.traits) if values is None else values
        self.name = name


class Seat:
    """A player of a Tableau. Without a name and an id of its own it has the number of its place."""

    __slots__ = ("bag", "boards", "hand", "id", "name")

    def __init__(
        self,
        boards: list[Board],
        bag: int = 0,
        hand: "list[Card] | None" = None,
        id: "int | None" = None,
        name: "str | None" = None,
    ) -> None:
        self.boards = boards
        self.bag = bag
        self.hand: list[Card] = [] if hand is None else hand
        self.id = id
        self.name = name


class Tableau:
    """A table as any of the formats tells it: what a format leaves out is empty, 0 or None."""

    __slots__ = ("deck", "hole", "looking", "placed", "seats")

    def __init__(
        self,
        seats: list[Seat],
        hole: int = 0,
        deck: "list[Card] | None" = None,
        placed: "list[Card] | None" = None,
        looking: int = 0,
    ) -> None:
        self.seats = seats
        self.hole = hole
        self.deck: list[Card] = [] if deck is None else deck
        self.placed: list[Card] = [] if placed is None else placed
        self.looking = looking
        for number, seat in enumerate(seats, 1):
            if seat.id is None:
                seat.id = number


def check_seats(seats: list[Seat]) -> list[Seat]:
    """The seats, if they are as many as a table can have."""
    if not 1 <= len(seats) <= MOST_PLAYERS:
        raise Malformed(f"expected 1 to {MOST_PLAYERS} players, found {len(seats)}")
    return seats


def check_number(value: object, what: str, least: int, most: int) -> int:
    """The value as a whole number from least to most."""
    if type(value) is not int or not least <= value <= most:
        raise Malformed(f"{what} must be a whole number from {least} to {most}, found {shown_number(value)}")
    return value


def objects_fields(value: object, keys: tuple[str, ...], what: str) -> list[object]:
    """The parts of a JSON object with exactly these keys, in the order of the keys."""
    if type(value) is not dict:
        raise Malformed(f"expected {what}, an object, found {shown(value)}")
    for key in keys:
        if key not in value:
            raise Malformed(f'the key "{key}" of {what} is missing')
    for key in value:
        if key not in keys:
            raise Malformed(f"{what} has no key {shown(key)}")
    return [value[key] for key in keys]


def below(key: str, read: "Callable[[object], T]", value: object) -> "T":
    """The part of an object at this key, read; the key goes into the path of what is wrong with it."""
    try:
        return read(value)
    except Malformed as wrong:
        raise wrong.below(key) from None


# --- what each format holds --------------------------------------------------------------------------

# These stand for indexes in the paths below.
PLAYER, BOARD, SLOT, OTHER = "the player", "the board", "the slot", "the player among the others"

# Where a format has each field; a State, those of its owner. Beyond these, all of them hold bodies,
# populations, traits and tokens.
PATHS: "dict[str, dict[str, tuple[int | str, ...]]]" = {
    "configuration": {
        "id": (0, PLAYER, 0, 1),
        "food": (0, PLAYER, 1, 1, BOARD, 0, 1),
        "fat-food": (0, PLAYER, 1, 1, BOARD, 4, 1),
        "bag": (0, PLAYER, 2, 1),
        "hand": (0, PLAYER, 3, 1),
        "deck": (2,),
    },
    "state": {
        "food": (1, BOARD, 0, 1),
        "fat-food": (1, BOARD, 4, 1),
        "bag": (0,),
        "hand": (2,),
    },
    "stepwise": {
        "food value of a trait": (0, PLAYER, 0, BOARD, 0, SLOT, 0),
        "bag": (0, PLAYER, 2),
        "hand": (0, PLAYER, 1),
        "deck": (1,),
        "placed cards": (2, 0),
    },
    "cardwise": {
        "food": ("players", PLAYER, BOARD, 0, 1),
        "fat-food": ("players", PLAYER, BOARD, 4, 1),
        "playerId": ("playerId",),
    },
    "table": {
        "id": ("players", PLAYER, "name"),
        "name": ("players", PLAYER, "name"),
        "name of a board": ("players", PLAYER, "species", BOARD, "name"),
        "food value of a trait": ("players", PLAYER, "species", BOARD, "traits", SLOT, "food"),
        "bag": ("players", PLAYER, "foodBag"),
        "hand": ("players", PLAYER, "traits"),
        "deck": ("traitDeck",),
        "placed cards": ("placedCards",),
    },
}
# The same for a State's players but its owner.
PATHS_OF_OTHERS = {"food": (4, OTHER, BOARD, 0, 1), "fat-food": (4, OTHER, BOARD, 4, 1)}
FORMATS = tuple(PATHS)
KINDS = {
    "configuration": "a Configuration",
    "state": "a State",
    "stepwise": "a stepwise table",
    "cardwise": "a cardwise table",
    "table": "design 4's table",
}


def _fields(table: Tableau) -> "Iterator[tuple[str, Place, object]]":
    """Every field that not all formats hold and that is not what the way back would fill in."""
    for player, seat in enumerate(table.seats):
        if seat.name is not None:
            yield "name", (player,), seat.name
        elif seat.id != player + 1:
            yield "id", (player,), seat.id
        for number, board in enumerate(seat.boards):
            yield from _fields_of_board(board, (player, number))
        yield "bag", (player,), seat.bag
        yield "hand", (player,), seat.hand
    yield "deck", (), table.deck
    yield "placed cards", (), table.placed
    yield "playerId", (), table.looking


def _fields_of_board(board: Board, place: "Place") -> "Iterator[tuple[str, Place, object]]":
    if board.name is not None:
        yield "name of a board", place, board.name
    yield "food", place, board.species.food
    yield "fat-food", place, board.species.fat_food
    for slot, value in enumerate(board.values):
        yield "food value of a trait", (*place, slot), value


def losses(table: Tableau, source: str, target: str) -> list[str]:
    """A line for each field that the target does not hold: its path in the source, and what is lost."""
    return [
        f"{_path(source, field, place)}: {_lacks(target, field)}: {_amount(value)}"
        for field, place, value in _fields(table)
        if value not in (0, []) and field not in _paths(target, place)
    ]


def _paths(form: str, place: "Place") -> "Mapping[str, tuple[int | str, ...]]":
    """Where a format has the fields of the player at this place."""
    return PATHS_OF_OTHERS if form == "state" and place and place[0] > 0 else PATHS[form]


def _lacks(form: str, field: str) -> str:
    """That a format does not hold a field, or only that of the first player."""
    whose = " of another player" if field in PATHS[form] else ""
    return f"{KINDS[form]} holds no {field}{whose}"


def _amount(value: object) -> str:
    return f"{len(value)} cards" if type(value) is list else shown(value)


def _path(source: str, field: str, place: "Place") -> str:
    indexes: dict[int | str, int] = dict(zip((PLAYER, BOARD, SLOT), place, strict=False))
    if place:
        indexes[OTHER] = place[0] - 1
    return shown_path([indexes.get(step, step) for step in _paths(source, place)[field]])


# --- reading and writing -----------------------------------------------------------------------------


def check_traits(cards: list[Card], spelled: "dict[str, str] | None" = None) -> list[Card]:
    """The cards on a board, which are few enough and all of different traits."""
    if len(cards) > MOST_TRAITS:
        raise Malformed(f"a board has at most {MOST_TRAITS} traits, found {len(cards)}")
    for slot, (_, trait) in enumerate(cards):
        if trait in [other for _, other in cards[:slot]]:
            raise Malformed(f"{(spelled or {}).get(trait, trait)} occurs here twice", slot)
    return cards


def read_table(form: str, value: object) -> Tableau:
    """The table that this value of this format tells. Raises Malformed, with the path, if it is none."""
    table: Tableau = _module(form).read_table(value)
    return table


def write_table(form: str, table: Tableau) -> object:
    """The value of this format that tells the table, without what the format does not hold."""
    return _module(form).write_table(table)


def _module(form: str) -> "ModuleType":
    from importlib import import_module

    return import_module(f"evolution.designs.{'tablewise' if form == 'table' else form}_tables")
