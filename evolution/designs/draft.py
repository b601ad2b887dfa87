"""An Action4 that is put together piece by piece, with the boards as they would be after each piece.

Adapters use it to ask one thing after the other and to say at once, and of the right answer, that the
rules forbid it.
"""

from evolution.actions import Action4
from evolution.cards import Card, card_order
from evolution.species import Species
from evolution.traits import MOST

MOST_TRAITS = 3


class Forbidden(Exception):
    """A piece that cannot be part of the action; str() says why."""


class Draft:
    """What has been decided so far. Cards are named by their place in the hand."""

    def __init__(self, boards: list[Species], hand: list[Card]) -> None:
        """Nothing is decided; the boards and the hand are as they lie."""
        self.boards = [board.copy() for board in boards]
        self.old = len(boards)
        self.left = list(range(len(hand)))
        self._hand = hand
        self._food_card = 0
        self._bodies: list[tuple[int, int]] = []
        self._populations: list[tuple[int, int]] = []
        self._new_boards: list[list[int]] = []
        self._replaced: list[tuple[int, int, int]] = []

    def cards(self) -> list[Card]:
        """The cards that are still in the hand."""
        return [self._hand[at] for at in self.left]

    def card(self, at: int) -> Card:
        """The card in this place of the hand."""
        return self._hand[at]

    def first_card(self) -> int:
        """The place of the first card in card order."""
        return min(self.left, key=lambda at: card_order(self._hand[at]))

    def take(self, card: Card) -> int:
        """Take a card like this out of the hand, the first one if there are several."""
        for at in self.left:
            if self._hand[at] == card:
                self.left.remove(at)
                return at
        raise Forbidden(f"there is no such card in the hand: {card[0]} {card[1]}")

    def feed_hole(self, at: int) -> None:
        """This card, which is out of the hand or leaves it now, is the food card."""
        self._food_card = at
        if at in self.left:
            self.left.remove(at)

    def buy(self, at: int) -> None:
        """This card pays for a new board."""
        self.boards.append(Species())
        self._new_boards.append([at])

    def is_new(self, board: int) -> bool:
        """Whether this board is bought here."""
        return board >= self.old

    def add_trait(self, board: int, at: int) -> None:
        """This card becomes a trait of a board that is bought here."""
        traits = self.board(board).traits
        if not self.is_new(board):
            raise Forbidden(f"board {board} is not new: no trait can be added to it")
        if len(traits) == MOST_TRAITS:
            raise Forbidden(f"board {board} would have more than {MOST_TRAITS} traits")
        traits.append(self._hand[at][1])
        self._new_boards[board - self.old].append(at)

    def replace_trait(self, board: int, slot: int, at: int) -> None:
        """This card's trait comes into this slot of the board."""
        self.board(board).traits[slot] = self._hand[at][1]
        self._replaced.append((board, slot, at))

    def check_traits(self, board: int) -> None:
        """Raises Forbidden if the board has a trait twice."""
        traits = self.board(board).traits
        for trait in traits:
            if traits.count(trait) > 1:
                raise Forbidden(f"board {board} would have {trait} twice")

    def grow_body(self, board: int, at: int) -> None:
        """This card grows the body of the board."""
        grown = self.board(board)
        if grown.body == MOST:
            raise Forbidden(f"board {board} would have body {MOST + 1}")
        grown.body += 1
        self._bodies.append((board, at))

    def grow_population(self, board: int, at: int) -> None:
        """This card grows the population of the board."""
        grown = self.board(board)
        if grown.population == MOST:
            raise Forbidden(f"board {board} would have population {MOST + 1}")
        grown.population += 1
        self._populations.append((board, at))

    def board(self, at: int) -> Species:
        """The board with this number, as it would be now. Raises Forbidden if there is none."""
        if not 0 <= at < len(self.boards):
            raise Forbidden(f"board {at} does not exist: the row has {len(self.boards)}")
        return self.boards[at]

    def action(self) -> Action4:
        """All that has been decided."""
        return Action4(self._food_card, self._populations, self._bodies, self._new_boards, self._replaced)
