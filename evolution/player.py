"""Players: whoever decides what to do with cards and whom to feed.

The game asks a player object; whether that is a Silly player, somebody's class, an adapter or a
socket is not its business.
"""

from evolution.actions import Action4
from evolution.cards import Card
from evolution.choices import FeedingChoice, State
from evolution.species import Species

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from evolution.game import Result

    class Player(Protocol):
        """What the game asks of a player.

        A player may also have `changed(view)`, which is then told, with a View, of the beginning of
        the game and of every change of a board or of the hole, and `thrown_out(reason)`, which is told
        that it has lost its seat.
        """

        def start(self, view: "Start") -> None:
            """A turn begins."""

        def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
            """What to do with one's cards, given the boards of those before and after oneself."""

        def feed_next(self, state: State) -> FeedingChoice | None:
            """What to feed next; None counts as declining."""

        def game_over(self, result: Result) -> None:
            """The game has ended."""


class Start:
    """What a player is told at the start of a turn: the hole, and its own things.

    hole: int, the tokens in the watering hole.
    bag: int, the food that the player has collected.
    boards: list[Species], its boards from left to right.
    hand: list[Card], its cards.
    """

    __slots__ = ("bag", "boards", "hand", "hole")

    def __init__(self, hole: int, bag: int, boards: list[Species], hand: list[Card]) -> None:
        self.hole = hole
        self.bag = bag
        self.boards = boards
        self.hand = hand


class View:
    """What lies open on the table: all boards in turn order, the hole, and one's own position and hand.

    boards: list[list[Species]], one row for each player; boards[position] are one's own.
    hole: int, the tokens in the watering hole.
    position: int, which row is one's own.
    ids: list[int], whose the rows are.
    placed: list[Card], the food cards that lie face up.
    hand: list[Card], one's own cards.
    event: tuple[str, int, str], what has happened: a word, as in the log of a game, the id of the player to
        whom it has (0: nobody), and why ("" where there is nothing to say).
    """

    __slots__ = ("boards", "event", "hand", "hole", "ids", "placed", "position")

    def __init__(
        self,
        boards: list[list[Species]],
        hole: int,
        position: int,
        ids: "list[int] | None" = None,
        placed: "list[Card] | None" = None,
        hand: "list[Card] | None" = None,
        event: tuple[str, int, str] = ("", 0, ""),
    ) -> None:
        self.boards = boards
        self.hole = hole
        self.position = position
        self.ids = list(range(1, len(boards) + 1)) if ids is None else ids
        self.placed: list[Card] = [] if placed is None else placed
        self.hand: list[Card] = [] if hand is None else hand
        self.event = event
