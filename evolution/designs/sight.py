"""What a player has seen of the table, put together from all that a native player is told.

Players of other designs are shown more at a time than one native question tells, so an adapter keeps
this picture. A View tells who is who. Without views, as over a network, ids are counted in the order of
the first turn, and when players have left, those whose boards fit best are taken to be still there.
"""

from itertools import combinations

from evolution.cards import Card
from evolution.choices import State
from evolution.player import Start, View
from evolution.species import Species

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LEFT = BOUGHT = 10  # how unlikely it is that a board has gone or come, beside a change of one
IMPOSSIBLE = 1000


def _change(before: Species, now: Species) -> int:
    """How unlikely it is that one board has become the other one."""
    if len(before.traits) != len(now.traits) or now.body < before.body:
        return IMPOSSIBLE  # bodies do not shrink, and traits are only replaced
    replaced = sum(trait not in now.traits for trait in before.traits)
    return 2 * replaced + now.body - before.body + abs(now.population - before.population)


def follow(before: list[Species], now: list[Species]) -> "tuple[int, list[int | None]]":
    """Which of a player's earlier boards each of its present ones is; None for one that it has bought.

    Boards keep their order, and bought ones lie at the right end. Of boards that look alike, the
    leftmost is taken to be the one that is gone. The number says how unlikely it all is.
    """
    known: dict[tuple[int, int], tuple[int, list[int | None]]] = {}

    def best(old: int, new: int) -> "tuple[int, list[int | None]]":
        if (old, new) not in known:
            gone, come = len(before) - old, len(now) - new
            ways: list[tuple[int, list[int | None]]] = [(LEFT * gone + BOUGHT * come, [None] * come)]
            if gone and come:
                cost, rest = best(old + 1, new)
                ways.append((LEFT + cost, rest))
                cost, rest = best(old + 1, new + 1)
                ways.append((_change(before[old], now[new]) + cost, [old, *rest]))
            known[old, new] = min(ways, key=lambda way: way[0])
        return known[old, new]

    return best(0, 0)


class Sight:
    """The table as one player knows it. `order` has the ids of all players in turn order."""

    def __init__(self) -> None:
        """Nothing has been seen."""
        self.me = 0  # one's own id; 0 before it is known
        self.order: list[int] = []
        self.rows: dict[int, list[Species]] = {}
        self.hole = 0
        self.bag = 0
        self.hand: list[Card] = []
        self.placed: list[Card] = []  # the food cards that lie face up, as far as they are told

    @property
    def boards(self) -> list[Species]:
        """One's own boards."""
        return self.rows.get(self.me, [])

    @property
    def position(self) -> int:
        """One's own place in the turn order."""
        return self.order.index(self.me)

    def others(self) -> list[int]:
        """The ids of the other players in turn order, from the one after oneself on."""
        at = self.position
        return self.order[at + 1 :] + self.order[:at]

    def changed(self, view: View) -> None:
        """Something has changed, and all is told."""
        self.hole, self.placed, self.hand = view.hole, view.placed[:], view.hand[:]
        self.me = view.ids[view.position]
        self.order = view.ids[:]
        for number, row in zip(view.ids, view.boards, strict=True):
            self._see(number, row)

    def start(self, view: Start) -> None:
        """A turn begins, and one's own things are told."""
        self.hole, self.bag, self.hand = view.hole, view.bag, view.hand
        self._see(self.me, view.boards)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> None:
        """All boards are told, in the order of this turn."""
        at = len(before)
        if not self.order:
            self.order = list(range(1, at + 2 + len(after)))
            self._see(at + 1, self.rows.pop(0, []))
            self.me = at + 1
            rivals = self.others()
        else:
            rivals = self._who(after + before)
        around = [self.me, *rivals]
        self.order = around[len(around) - at :] + around[: len(around) - at]
        self._see_rivals(rivals, after + before)

    def feed(self, state: State) -> None:
        """The own things, the hole and all boards are told."""
        self.hole, self.bag, self.hand = state.hole, state.bag, state.hand
        rivals = self._who(state.others)
        self.order = [number for number in self.order if number == self.me or number in rivals]
        self._see(self.me, state.boards)
        self._see_rivals(rivals, state.others)

    def _who(self, rows: list[list[Species]]) -> list[int]:
        """The ids of the other players with these rows: all of them, or those who fit best."""
        rivals = self.others()
        if len(rows) >= len(rivals):
            return rivals
        return list(min(combinations(rivals, len(rows)), key=lambda some: self._distance(some, rows)))

    def _distance(self, numbers: "Iterable[int]", rows: list[list[Species]]) -> int:
        pairs = zip(numbers, rows, strict=True)
        return sum(follow(self.rows.get(number, []), row)[0] for number, row in pairs)

    def _see_rivals(self, numbers: list[int], rows: list[list[Species]]) -> None:
        for number, row in zip(numbers, rows, strict=True):
            self._see(number, row)

    def _see(self, number: int, row: list[Species]) -> None:
        """The boards of the player with this id lie like this now."""
        self.rows[number] = [board.copy() for board in row]  # they lie on the table and will change
