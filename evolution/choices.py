"""What a player sees when it is asked what to feed next, and what it can answer."""

from evolution.cards import Card
from evolution.species import Species


class State:
    """The asking player's view in the feeding cycle: its own things, the hole, others' boards.

    bag: int, the food that the player has collected.
    boards: list[Species], its boards from left to right.
    hand: list[Card], its cards.
    hole: int, the tokens in the watering hole.
    others: list[list[Species]], the other players' boards in turn order, starting after the asking player.
    """

    __slots__ = ("bag", "boards", "hand", "hole", "others")

    def __init__(
        self,
        bag: int,
        boards: list[Species],
        hand: list[Card],
        hole: int,
        others: list[list[Species]],
    ) -> None:
        self.bag = bag
        self.boards = boards
        self.hand = hand
        self.hole = hole
        self.others = others


class Decline:
    """Feed nothing, and be out of this feeding cycle."""

    __slots__ = ()


class Eat:
    """Feed the own vegetarian at index `board`, an int."""

    __slots__ = ("board",)

    def __init__(self, board: int) -> None:
        self.board = board


class StoreFat:
    """Store so many `tokens` as fat on the own board at index `board`; both are an int."""

    __slots__ = ("board", "tokens")

    def __init__(self, board: int, tokens: int) -> None:
        self.board = board
        self.tokens = tokens


class Attack:
    """Attack with the own carnivore at index `board` the board `target` of the other `player`.

    Each is an int. The number of others itself, as `player`, means the asking player.
    """

    __slots__ = ("board", "player", "target")

    def __init__(self, board: int, player: int, target: int) -> None:
        self.board = board
        self.player = player
        self.target = target


FeedingChoice = Decline | Eat | StoreFat | Attack

DECLINE = Decline()
