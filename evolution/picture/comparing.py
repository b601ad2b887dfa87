"""Two scenes side by side: which board, card or number of one stands for which of the other."""

from evolution.picture.scene import Scene, Seat
from evolution.species import Species

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    T = TypeVar("T")

NONE = -1
GAP = 3  # a board that is gone or new differs as much as this many of its numbers and traits
MOST_COMPARED = 2500  # pairs of boards or cards; beyond, they are compared place by place


def board_cost(one: Species, other: Species) -> int:
    """In how many numbers and traits two boards differ."""
    numbers = (
        (one.population != other.population)
        + (one.food != other.food)
        + (one.body != other.body)
        + (one.fat_food != other.fat_food)
    )
    return numbers + len(set(one.traits) ^ set(other.traits))


def card_cost(one: object, other: object) -> int:
    """Cards are the same or not at all: two that differ are never one that has changed."""
    return 0 if one == other else 2 * GAP + 1


def aligned(left: "Sequence[T]", right: "Sequence[T]", cost: "Callable[[T, T], int]") -> list[int]:
    """For each thing on the left the place of the one on the right that stands for it, or NONE."""
    if left == right:
        return [*range(len(left))]
    start, ends = 0, (len(left), len(right))
    while start < min(ends) and not cost(left[start], right[start]):
        start += 1
    stop, other_stop = ends
    while min(stop, other_stop) > start and not cost(left[stop - 1], right[other_stop - 1]):
        stop, other_stop = stop - 1, other_stop - 1
    tail = range(other_stop, ends[1])
    rows, columns = stop - start, other_stop - start
    if rows * columns > MOST_COMPARED:
        middle = [start + at if at < columns else NONE for at in range(rows)]
    else:
        middle = _cheapest(left[start:stop], right[start:other_stop], cost)
        middle = [at if at == NONE else start + at for at in middle]
    return [*range(start), *middle, *tail]


def _cheapest(left: "Sequence[T]", right: "Sequence[T]", cost: "Callable[[T, T], int]") -> list[int]:
    rows, columns = len(left), len(right)
    best = [[GAP * (rows - i + columns - j) for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            paired = cost(left[i], right[j]) + best[i + 1][j + 1]
            best[i][j] = min(paired, GAP + best[i + 1][j], GAP + best[i][j + 1])
    found = []
    i = j = 0
    while i < rows:
        if j < columns and best[i][j] == cost(left[i], right[j]) + best[i + 1][j + 1]:
            found.append(j)
            i, j = i + 1, j + 1
        elif j < columns and best[i][j] == GAP + best[i][j + 1]:
            j += 1
        else:
            found.append(NONE)
            i += 1
    return found


class Counterpart:
    """What another scene has where a seat stands.

    seat: the other seat, if there is one. boards: for each board the one that stands for it, or None.
    gone: the numbers of boards that only the other seat has. new_cards: the places of cards that it has not.
    """

    __slots__ = ("boards", "gone", "new_cards", "seat")

    def __init__(self, seat: Seat, other: "Seat | None") -> None:
        self.seat = other
        boards = other.boards if other else []
        places = aligned(seat.boards, boards, board_cost)
        self.boards = [None if at == NONE else boards[at] for at in places]
        taken = set(places)
        self.gone = [at for at in range(len(boards)) if at not in taken]
        self.new_cards = new_cards(seat.hand, other.hand if other else None)


def new_cards(hand: "list[tuple[int, str]] | None", other: "list[tuple[int, str]] | None") -> set[int]:
    """The places of the cards that another hand or deck has not."""
    places = aligned(hand or [], other or [], card_cost)
    return {at for at, place in enumerate(places) if place == NONE}


def counterparts(scene: Scene, other: Scene) -> list[Counterpart]:
    """For each seat what stands for it: the seat of the same title, or else the one at its place."""
    by_title = {seat.title: seat for seat in reversed(other.seats)}
    titles = {seat.title for seat in scene.seats}
    found = []
    for at, seat in enumerate(scene.seats):
        there = other.seats[at] if at < len(other.seats) else None
        if there is not None and there.title != seat.title and there.title in titles:
            there = None
        found.append(Counterpart(seat, by_title.get(seat.title, there)))
    return found
