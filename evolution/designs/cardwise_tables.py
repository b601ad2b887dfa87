"""Design 3's data definitions as plain JSON values: species and cards as everywhere, and its GameState.

A GameState shows boards only: it holds no hands, bags or deck.
"""

from evolution.cards import Card
from evolution.designs.convert import Board, Seat, Tableau, below, check_seats, objects_fields
from evolution.species import Species
from evolution.wire.errors import Malformed
from evolution.wire.reading import boards, list_of, natural

KEYS = ("players", "playerId", "wateringHoleTokens")


def write_species(board: Species) -> list[object]:
    """A Species+."""
    pairs: list[object] = [
        ["food", board.food],
        ["body", board.body],
        ["population", board.population],
        ["traits", board.traits[:]],
    ]
    return [*pairs, ["fat-food", board.fat_food]] if board.fat_food else pairs


def write_cards(hand: list[Card]) -> list[object]:
    """A hand."""
    return [[food, trait] for food, trait in hand]


def write_state(rows: list[list[Species]], looking: int, hole: int) -> dict[str, object]:
    """A GameState, as the player in this place sees it."""
    players = [[write_species(board) for board in row] for row in rows]
    return {"players": players, "playerId": looking, "wateringHoleTokens": hole}


def write_table(table: Tableau) -> dict[str, object]:
    """A GameState."""
    rows = [[board.species for board in seat.boards] for seat in table.seats]
    return write_state(rows, table.looking, table.hole)


def _seats(value: object) -> list[Seat]:
    rows = list_of(boards, value, "players' boards")
    return check_seats([Seat([Board(species) for species in row]) for row in rows])


def read_table(value: object) -> Tableau:
    """A GameState."""
    players, looking, hole = objects_fields(value, KEYS, "a game state")
    seats = below("players", _seats, players)
    place = below("playerId", natural, looking)
    if place >= len(seats):
        raise Malformed(f"there is no player {place}: the table has {len(seats)}", "playerId")
    return Tableau(seats, below("wateringHoleTokens", natural, hole), looking=place)
