"""Action4: what a player does with its cards in steps 2 and 3 of a turn (rules 5.2 to 5.5).

All indexes mean the hand and the boards before anything is done; boards bought in the same
answer follow the existing ones.
"""

from evolution.species import Species
from evolution.table import Player
from evolution.traits import MOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Place = tuple[int, ...]


class Action4:
    """One food card and any number of exchanges. Boards, trait slots and cards are named by their index.

    food_card: int, the card that goes to the watering hole.
    grow_population, grow_body: list[tuple[int, int]], pairs of a board and a card.
    new_boards: list[list[int]], for each the card that pays, and up to three cards whose traits it gets.
    replace_traits: list[tuple[int, int, int]], triples of a board, a trait slot and a card.
    """

    __slots__ = ("food_card", "grow_body", "grow_population", "new_boards", "replace_traits")

    def __init__(
        self,
        food_card: int,
        grow_population: "list[tuple[int, int]] | None" = None,
        grow_body: "list[tuple[int, int]] | None" = None,
        new_boards: "list[list[int]] | None" = None,
        replace_traits: "list[tuple[int, int, int]] | None" = None,
    ) -> None:
        self.food_card = food_card
        self.grow_population = grow_population or []
        self.grow_body = grow_body or []
        self.new_boards = new_boards or []
        self.replace_traits = replace_traits or []

    def cards(self) -> "Iterator[tuple[int, Place]]":
        """Every card index of the action with its place in the Action4."""
        yield self.food_card, (0,)
        for at, (_, card) in enumerate(self.grow_population):
            yield card, (1, at)
        for at, (_, card) in enumerate(self.grow_body):
            yield card, (2, at)
        for at, cards in enumerate(self.new_boards):
            for slot, card in enumerate(cards):
                yield card, (3, at, slot)
        for at, (_, _, card) in enumerate(self.replace_traits):
            yield card, (4, at)


# Why an Action4 is illegal (rules 5.5): each code in words. The first part of the last four is the board.
REASONS = {
    "missing card": "card {} does not exist: the hand has {}",
    "card used twice": "card {} is used twice",
    "cards of a new board": "a new board takes 1 to 4 cards, not {}",
    "missing board": "board {} does not exist: the row has {}",
    "missing trait slot": "board {} has no trait slot {}: it has {} traits",
    "trait twice": "board {} would have {} twice",
    "population above 7": "board {} would have population {}",
    "body above 7": "board {} would have body {}",
}


class IllegalAction(Exception):
    """An Action4 that the rules forbid; `place` leads to the part of it that is to blame.

    code, parts: why, as in `REASONS`; a code that is not there says why itself. reason: why, in words.
    """

    def __init__(self, code: str, place: "Place" = (), *parts: "Any") -> None:
        self.code = code
        self.parts = parts
        self.place = place
        self.reason = REASONS.get(code, code).format(*parts)
        super().__init__(self.reason)

    def below(self, *place: int) -> "IllegalAction":
        """The error with its place as it is seen from further up."""
        return IllegalAction(self.code, (*place, *self.place), *self.parts)


def execute(player: Player, action: Action4) -> int:
    """Carry out the action and say the food value of its food card.

    Raises IllegalAction, with the player unchanged, if the rules forbid any part of it: only
    the boards as they are after all exchanges count.
    """
    used = used_cards(player, action)
    boards = exchanged(player, action)
    for at, board in enumerate(boards):
        check_board(at, board)
    card = player.hand[action.food_card]
    player.face_down = [card]
    player.boards[:] = boards
    player.hand[:] = [card for at, card in enumerate(player.hand) if at not in used]
    return card[0]


def used_cards(player: Player, action: Action4) -> set[int]:
    """The indexes of all cards that the action uses, each of them there and used once."""
    used: set[int] = set()
    for card, place in action.cards():
        if not 0 <= card < len(player.hand):
            raise IllegalAction("missing card", place, card, len(player.hand))
        if card in used:
            raise IllegalAction("card used twice", place, card)
        used.add(card)
    return used


def exchanged(player: Player, action: Action4) -> list[Species]:
    """Copies of the player's boards after all exchanges of the action."""
    boards = [board.copy() for board in player.boards]
    for at, cards in enumerate(action.new_boards):
        if not 1 <= len(cards) <= 4:
            raise IllegalAction("cards of a new board", (3, at), len(cards))
        boards.append(Species(traits=[player.hand[card][1] for card in cards[1:]]))
    for at, (index, slot, card) in enumerate(action.replace_traits):
        traits = _board(boards, index, (4, at)).traits
        if not 0 <= slot < len(traits):
            raise IllegalAction("missing trait slot", (4, at), index, slot, len(traits))
        traits[slot] = player.hand[card][1]
    for board in boards:
        if "fat-tissue" not in board.traits:
            board.fat_food = 0
    for at, (index, _) in enumerate(action.grow_population):
        _board(boards, index, (1, at)).population += 1
    for at, (index, _) in enumerate(action.grow_body):
        _board(boards, index, (2, at)).body += 1
    return boards


def _board(boards: list[Species], at: int, place: "Place") -> Species:
    if not 0 <= at < len(boards):
        raise IllegalAction("missing board", place, at, len(boards))
    return boards[at]


def check_board(at: int, board: Species) -> None:
    """Raises IllegalAction unless the board at this index may be like this after all exchanges."""
    if len(set(board.traits)) < len(board.traits):
        twice = next(trait for trait in board.traits if board.traits.count(trait) > 1)
        raise IllegalAction("trait twice", (), at, twice)
    if board.population > MOST:
        raise IllegalAction("population above 7", (), at, board.population)
    if board.body > MOST:
        raise IllegalAction("body above 7", (), at, board.body)
