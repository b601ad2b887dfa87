"""The Configuration as one of the table formats between which `harness convert` translates."""

from evolution.designs.cardwise_tables import write_cards, write_species
from evolution.designs.convert import Board, Seat, Tableau
from evolution.species import Species
from evolution.wire import reading


def read_table(value: object) -> Tableau:
    """A Configuration."""
    table = reading.configuration(value)
    seats = [
        Seat([Board(species) for species in player.boards], player.bag, player.hand, player.id)
        for player in table.players
    ]
    return Tableau(seats, table.hole, table.deck)


def write_table(table: Tableau) -> list[object]:
    """A Configuration."""
    return [[_write_seat(seat) for seat in table.seats], table.hole, write_cards(table.deck)]


def _write_seat(seat: Seat) -> list[object]:
    boards: list[Species] = [board.species for board in seat.boards]
    pairs: list[object] = [
        ["id", seat.id],
        ["species", [write_species(board) for board in boards]],
        ["bag", seat.bag],
    ]
    return [*pairs, ["cards", write_cards(seat.hand)]] if seat.hand else pairs
