"""A table that tells an observer of everything that happens to it, as it happens.

A game is played on one only where somebody wants to know: a player that hears of every change, or a
log. On a plain table nothing is spent on it.
"""

from evolution.cards import Card
from evolution.species import Species
from evolution.table import Player, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    # What happened, to whom, to which of its boards if to one, and more about it.
    Observer = Callable[[str, "Player | None", "int | None", dict[str, object]], None]


class ObservedTable(Table):
    """A table whose observer is told of each change after it has been made."""

    __slots__ = ("observer",)

    def __init__(
        self, players: list[Player], hole: int, deck: "list[Card] | None", observer: "Observer"
    ) -> None:
        super().__init__(players, hole, deck)
        self.observer = observer

    def _tell(self, kind: str, player: Player, board: Species, **more: object) -> None:
        self.observer(kind, player, player.boards.index(board), more)

    def first_board(self, player: Player) -> None:
        """Tell of a player that gets its first board."""
        super().first_board(player)
        self._tell("first board", player, player.boards[0])

    def draw(self, player: Player, count: int) -> None:
        """Tell of the cards that are drawn."""
        drawn = self.deck[:count]
        super().draw(player, count)
        self.observer("draw", player, None, {"cards": drawn})

    def reveal(self, player: Player, food: int) -> None:
        """Tell of a food card that is turned over."""
        before = self.hole
        super().reveal(player, food)
        self.observer("reveal", player, None, {"food": food, "before": before, "hole": self.hole})

    def eat(self, player: Player, board: Species, why: str) -> int:
        """Tell of a token, if it is eaten."""
        eaten = super().eat(player, board, why)
        if eaten:
            self._tell("eat", player, board, why=why, hole=self.hole)
        return eaten

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        """Tell of tokens that are stored."""
        before = self.hole
        super().store_fat(player, board, tokens)
        self._tell("store fat", player, board, tokens=before - self.hole, hole=self.hole)

    def use_fat(self, player: Player, board: Species) -> None:
        """Tell of fat, if any is eaten."""
        before = board.food
        super().use_fat(player, board)
        if board.food > before:
            self._tell("use fat", player, board, tokens=board.food - before)

    def grow(self, player: Player, board: Species) -> None:
        """Tell of a population, if it grows."""
        before = board.population
        super().grow(player, board)
        if board.population > before:
            self._tell("grow", player, board, population=board.population)

    def wound(self, player: Player, board: Species, why: str) -> None:
        """Tell of an animal that dies; if it is the last one, the board's end is told instead."""
        super().wound(player, board, why)
        if board.population:
            self._tell("wound", player, board, why=why, population=board.population)

    def remove(self, player: Player, board: Species, why: str) -> None:
        """Tell of a species that is extinct."""
        at = player.boards.index(board)
        super().remove(player, board, why)
        self.observer("extinct", player, at, {"why": why})

    def end_turn(self, player: Player, board: Species) -> None:
        """Tell of a board that loses its hungry and brings its food home."""
        hungry = board.population - board.food
        super().end_turn(player, board)
        if board.population:
            self._tell("end of turn", player, board, starved=hungry, bag=player.bag)
