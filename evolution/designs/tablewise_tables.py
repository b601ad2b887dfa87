"""Design 4's data definitions as plain JSON values: objects with the keys of its figures.

Its boards have names and hold neither food nor fat; its traits are cards.
"""

from evolution.cards import Card
from evolution.designs.convert import (
    Board,
    Seat,
    Tableau,
    below,
    check_number,
    check_seats,
    check_traits,
    objects_fields,
)
from evolution.species import Species
from evolution.traits import MOST, TRAITS
from evolution.wire.errors import Malformed
from evolution.wire.reading import list_of, natural, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = dict[str, object]

LONGEST_ID = 4300  # digits that Python reads as a number
CARD = ("name", "food")
BOARD = ("name", "population", "bodySize", "traits")
PLAYER = ("name", "foodBag", "species", "traits")
STATE = ("players", "traitDeck", "wateringHole", "placedCards")


def name_of_board(owner: object, number: int) -> str:
    """The name of the board that was this player's first, second and so on, counted from 1."""
    return f"{owner}.{number}"


# --- writing -----------------------------------------------------------------------------------------


def write_card(card: Card) -> "Value":
    """A TraitCard."""
    food, trait = card
    return {"name": trait, "food": food}


def write_cards(cards: list[Card]) -> list["Value"]:
    """A list of TraitCards."""
    return [write_card(card) for card in cards]


def write_board(name: str, board: Species, values: "list[int] | None" = None) -> "Value":
    """A SpeciesBoard; the food values of its traits are 0 unless they are known."""
    known = values or [0] * len(board.traits)
    traits = write_cards(list(zip(known, board.traits, strict=True)))
    return {"name": name, "population": board.population, "bodySize": board.body, "traits": traits}


def write_player(name: str, bag: int, boards: list["Value"], hand: list[Card]) -> "Value":
    """A PlayerState of these SpeciesBoards."""
    return {"name": name, "foodBag": bag, "species": boards, "traits": write_cards(hand)}


def write_state(
    players: list["Value"], hole: int, deck: "list[Card] | None" = None, placed: "list[Card] | None" = None
) -> "Value":
    """A GameState of these PlayerStates."""
    return {
        "players": players,
        "traitDeck": write_cards(deck or []),
        "wateringHole": hole,
        "placedCards": write_cards(placed or []),
    }


def write_table(table: Tableau) -> "Value":
    """A GameState."""
    return write_state([_write_seat(seat) for seat in table.seats], table.hole, table.deck, table.placed)


def _write_seat(seat: Seat) -> "Value":
    owner = str(seat.id) if seat.name is None else seat.name
    boards = [
        write_board(board.name or name_of_board(owner, number), board.species, board.values)
        for number, board in enumerate(seat.boards, 1)
    ]
    return write_player(owner, seat.bag, boards, seat.hand)


# --- reading -----------------------------------------------------------------------------------------


def _name(value: object) -> str:
    if type(value) is not str or not value:
        raise Malformed(f"expected a name, found {shown(value)}")
    return value


def read_card(value: object) -> Card:
    """A TraitCard."""
    name, food = objects_fields(value, CARD, "a trait card")
    if type(name) is not str or name not in TRAITS:
        raise Malformed(f"expected a trait, found {shown(name)}", "name")
    most = TRAITS[name].most_food
    return below("food", lambda part: check_number(part, f"food of {name}", -most, most), food), name


def read_cards(value: object) -> list[Card]:
    """A list of TraitCards."""
    return list_of(read_card, value, "trait cards")


def _traits(value: object) -> list[Card]:
    return check_traits(read_cards(value))


def _board(value: object) -> Board:
    name, population, body, traits = objects_fields(value, BOARD, "a species board")
    named = below("name", _name, name)
    grown = below("population", lambda part: check_number(part, "population", 1, MOST), population)
    size = below("bodySize", lambda part: check_number(part, "body size", 0, MOST), body)
    cards = below("traits", _traits, traits)
    return Board(Species(0, size, grown, [trait for _, trait in cards]), [food for food, _ in cards], named)


def _boards(value: object) -> list[Board]:
    return list_of(_board, value, "species boards")


def _player(value: object) -> Seat:
    name, bag, species, traits = objects_fields(value, PLAYER, "a player state")
    owner = below("name", _name, name)
    seat = Seat(
        below("species", _boards, species),
        below("foodBag", natural, bag),
        below("traits", read_cards, traits),
    )
    if owner.isascii() and owner.isdecimal() and owner[0] != "0" and len(owner) <= LONGEST_ID:
        seat.id = int(owner)
    else:
        seat.name = owner
    for number, board in enumerate(seat.boards, 1):
        if board.name == name_of_board(owner, number):
            board.name = None  # as it would be named anyway
    return seat


def _players(value: object) -> list[Seat]:
    return check_seats(list_of(_player, value, "players"))


def read_table(value: object) -> Tableau:
    """A GameState."""
    players, deck, hole, placed = objects_fields(value, STATE, "a game state")
    return Tableau(
        below("players", _players, players),
        below("wateringHole", natural, hole),
        below("traitDeck", read_cards, deck),
        below("placedCards", read_cards, placed),
    )
