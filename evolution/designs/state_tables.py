"""The State as one of the table formats between which `harness convert` translates.

It is what its owner, the first player, sees: of the others it holds nothing but their boards.
"""

from evolution.designs.cardwise_tables import write_cards, write_species
from evolution.designs.convert import Board, Seat, Tableau
from evolution.wire import reading


def read_table(value: object) -> Tableau:
    """A State."""
    state = reading.any_state(value)
    owner = Seat([Board(species) for species in state.boards], state.bag, state.hand)
    others = [Seat([Board(species) for species in row]) for row in state.others]
    return Tableau([owner, *others], state.hole)


def write_table(table: Tableau) -> list[object]:
    """A State."""
    rows = [[write_species(board.species) for board in seat.boards] for seat in table.seats]
    owner = table.seats[0]
    return [owner.bag, rows[0], write_cards(owner.hand), table.hole, rows[1:]]
