"""A table that tells an observer of everything that happens to it, as it happens.

Logs, explanations and rule events are three observers of the same table. A game is played on one only
where somebody wants to know: a player that hears of every change, or a log. On a plain table nothing is
spent on it.
"""

from evolution.cards import Card
from evolution.species import Species
from evolution.table import Player, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # What happened, to whom, to which of its boards if to one, and more about it.
    Observer = Callable[[str, "Player | None", "int | None", dict[str, object]], None]

# What an observer hears of besides changes: what is to happen to a board, and chances of a change that came
# to nothing.
BEFORE_WOUND = "before wound"
BEFORE_STORE_FAT = "before store fat"
NOTHING_EATEN = "nothing eaten"
NO_FAT_USED = "no fat used"
NOT_GROWN = "not grown"
NO_CHANGES = frozenset({BEFORE_WOUND, BEFORE_STORE_FAT, NOTHING_EATEN, NO_FAT_USED, NOT_GROWN})


class ObservedTable(Table):
    """A table whose observer is told of each change after it has been made."""

    __slots__ = ("observer",)

    def __init__(
        self, players: list[Player], hole: int, deck: "list[Card] | None", observer: "Observer"
    ) -> None:
        super().__init__(players, hole, deck)
        self.observer = observer

    def first_board(self, player: Player) -> None:
        """Tell of a player that gets its first board."""
        Table.first_board(self, player)
        self.observer("first board", player, 0, {})

    def draw(self, player: Player, count: int) -> None:
        """Tell of the cards that are drawn."""
        drawn = self.deck[:count]
        Table.draw(self, player, count)
        self.observer("draw", player, None, {"cards": drawn})

    def reveal(self, player: Player, food: int) -> None:
        """Tell of a food card that is turned over."""
        before = self.hole
        Table.reveal(self, player, food)
        self.observer("reveal", player, None, {"food": food, "before": before, "hole": self.hole})

    def eat(self, player: Player, board: Species, why: str) -> int:
        """Tell of a token that is eaten, or of none."""
        eaten = Table.eat(self, player, board, why)
        kind = "eat" if eaten else NOTHING_EATEN
        self.observer(kind, player, player.place_of(board), {"why": why, "hole": self.hole})
        return eaten

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        """Tell of tokens that are to be stored, and of those that are: the hole may have fewer."""
        at = player.place_of(board)
        before = self.hole
        self.observer(BEFORE_STORE_FAT, player, at, {"tokens": tokens, "hole": before})
        Table.store_fat(self, player, board, tokens)
        self.observer("store fat", player, at, {"tokens": before - self.hole, "hole": self.hole})

    def use_fat(self, player: Player, board: Species) -> None:
        """Tell of fat that is eaten, or of none."""
        before = board.food
        Table.use_fat(self, player, board)
        kind = "use fat" if board.food > before else NO_FAT_USED
        self.observer(kind, player, player.place_of(board), {"tokens": board.food - before})

    def grow(self, player: Player, board: Species) -> None:
        """Tell of a population that grows, or does not."""
        before = board.population
        Table.grow(self, player, board)
        kind = "grow" if board.population > before else NOT_GROWN
        self.observer(kind, player, player.place_of(board), {"population": board.population})

    def wound(self, player: Player, board: Species, why: str) -> None:
        """Tell of an animal that is to die; and that it has, unless the board's end is told instead."""
        at = player.place_of(board)
        self.observer(BEFORE_WOUND, player, at, {"why": why})
        Table.wound(self, player, board, why)
        if board.population:
            self.observer("wound", player, at, {"why": why, "population": board.population})

    def remove(self, player: Player, board: Species, why: str) -> None:
        """Tell of a species that is extinct."""
        at = player.place_of(board)
        Table.remove(self, player, board, why)
        self.observer("extinct", player, at, {"why": why})

    def end_turn(self, player: Player, board: Species) -> None:
        """Tell of a board that loses its hungry and brings its food home."""
        hungry = board.population - board.food
        Table.end_turn(self, player, board)
        if board.population:
            at = player.place_of(board)
            self.observer("end of turn", player, at, {"starved": hungry, "bag": player.bag})
