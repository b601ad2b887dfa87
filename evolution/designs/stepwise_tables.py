"""Design 1's data definitions as plain JSON values: traits in its spelling, species, players, the dealer.

Its boards hold neither food nor fat, and its traits are cards. Nothing here asks a player.
"""

from evolution.cards import Card
from evolution.designs.convert import Board, Seat, Tableau, check_number, check_seats, check_traits
from evolution.species import Species
from evolution.traits import MOST, TRAITS
from evolution.wire.errors import Malformed
from evolution.wire.reading import at, list_of, natural, parts, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    Value = list[object]

SPELLED = {trait: trait.replace("-", " ").title() for trait in TRAITS}
TRAIT_OF = {spelled: trait for trait, spelled in SPELLED.items()}


# --- writing -----------------------------------------------------------------------------------------


def write_card(card: Card) -> "Value":
    """A Trait, which is a card."""
    food, trait = card
    return [food, SPELLED[trait]]


def write_cards(cards: list[Card]) -> "Value":
    """An LTrait."""
    return [write_card(card) for card in cards]


def write_species(board: Species, values: "list[int] | None" = None) -> "Value":
    """A Species; the food values of its traits are 0 unless they are known."""
    known = values or [0] * len(board.traits)
    traits = write_cards(list(zip(known, board.traits, strict=True)))
    return [traits, board.body, board.population]


def write_boards(boards: list[Species]) -> "Value":
    """An LSpecies."""
    return [write_species(board) for board in boards]


def write_player(boards: list[Species], hand: list[Card], bag: int) -> "Value":
    """A Player."""
    return [write_boards(boards), write_cards(hand), bag]


def write_table(table: Tableau) -> "Value":
    """A Dealer."""
    players = [
        [
            [write_species(board.species, board.values) for board in seat.boards],
            write_cards(seat.hand),
            seat.bag,
        ]
        for seat in table.seats
    ]
    return [players, write_cards(table.deck), [write_cards(table.placed), table.hole]]


# --- reading -----------------------------------------------------------------------------------------


def read_card(value: object) -> Card:
    """A Trait."""
    food, spelled = parts(value, 2, "a trait [tokens, name]")
    if type(spelled) is not str or spelled not in TRAIT_OF:
        raise Malformed(f'expected a trait such as "Fat Tissue", found {shown(spelled)}', 1)
    trait = TRAIT_OF[spelled]
    most = TRAITS[trait].most_food
    if type(food) is not int or not -most <= food <= most:
        raise Malformed(f"{spelled} cards have tokens from {-most} to {most}, found {shown(food)}", 0)
    return (food, trait)


def read_cards(value: object) -> list[Card]:
    """An LTrait."""
    return list_of(read_card, value, "traits")


def _traits(value: object) -> list[Card]:
    return check_traits(read_cards(value), SPELLED)


def _species(value: object) -> Board:
    found = parts(value, 3, "a species [traits, body size, population]")
    traits = at(0, _traits, found)
    body = at(1, lambda part: check_number(part, "body size", 0, MOST), found)
    population = at(2, lambda part: check_number(part, "population", 1, MOST), found)
    board = Species(0, body, population, [trait for _, trait in traits])
    return Board(board, [food for food, _ in traits])


def _boards(value: object) -> list[Board]:
    return list_of(_species, value, "species")


def _player(value: object) -> Seat:
    found = parts(value, 3, "a player [species, discarded cards, food bag]")
    return Seat(at(0, _boards, found), at(2, natural, found), at(1, read_cards, found))


def _hole(value: object) -> tuple[list[Card], int]:
    found = parts(value, 2, "a watering hole [cards, tokens]")
    return at(0, read_cards, found), at(1, natural, found)


def read_table(value: object) -> Tableau:
    """A Dealer."""
    found = parts(value, 3, "a dealer [players, deck, watering hole]")
    seats = at(0, lambda part: check_seats(list_of(_player, part, "players")), found)
    deck = at(1, read_cards, found)
    placed, hole = at(2, _hole, found)
    return Tableau(seats, hole, deck, placed)
