"""Seats a player of design 3, the cardwise interface: one action for each card of the hand.

The player learns of the table through game_state_updated alone. If its use of the cards breaks a
constraint or a rule, the game makes the Silly player's choice for it.
"""

from evolution.actions import Action4
from evolution.attack import targets
from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.designs.adapter import Adapter, NotPlain, WrongAnswer, blaming, plain
from evolution.designs.cardwise_tables import write_cards, write_state
from evolution.designs.draft import Draft, Forbidden
from evolution.feeding import check_choice
from evolution.game import CARDS_PER_TURN
from evolution.player import Start, View
from evolution.silly import choose
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from evolution.table import CARDS_FOR_EXTINCTION
from evolution.wire.errors import Malformed
from evolution.wire.reading import at, list_of, natural, parts, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.game import Result

SIDES = ("left", "right")

# The parts of each card action, its name included.
ACTIONS = {
    "add-trait": 2,
    "replace-trait": 3,
    "exchange-for-species": 1,
    "exchange-for-body": 2,
    "exchange-for-population": 2,
    "keep": 1,
    "discard": 1,
}


class Cardwise(Adapter):
    """A player of design 3, as the game sees it."""

    def __init__(self, player: "Any") -> None:
        """An object of somebody's class."""
        super().__init__(player)
        self._told: object = None  # the last game state that it was told
        self._hears = False  # whether changes are told; over a network they are not
        self._first_board = False  # whether it still has to place one
        self._after_choice: tuple[int, int] | None = None  # its boards and cards after the last one

    def changed(self, view: View) -> None:
        """Every change of what a game state shows is told."""
        super().changed(view)
        self._hears = True
        self._tell()

    def start(self, view: Start) -> None:
        """A first board has to be placed: now, or as soon as the player can be told of the table."""
        self._first_board = self._got_first_board(view)
        super().start(view)
        if self._hears:
            self._place_first_board()

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """An action for each card; a side for each new board."""
        self.sight.choose(before, after)
        if self._told is None and self._first_board:  # the game has begun, and nobody has told
            self._tell_state([[] for _ in self.sight.order], 0)
        self._tell()
        self._place_first_board()
        hand = self.sight.hand
        answer = self.tell("use_cards", write_cards(hand))
        try:
            action = _action(plain(answer), Draft(self.sight.boards, hand))
        except (NotPlain, Malformed, Forbidden) as why:
            self.remarks.append(f"use_cards: {_reason(why)}: the game has chosen instead")
            action = choose(self.sight.boards, hand)
        for _ in action.new_boards:
            self._place(("right",))
        boards = len(self.sight.boards) + len(action.new_boards)
        self._after_choice = boards, len(hand) - len(list(action.cards()))
        return action

    def feed_next(self, state: State) -> FeedingChoice:
        """The board that the player names is fed as it can be: it eats, attacks, or stores fat."""
        self.sight.feed(state)
        self._tell()
        answer = self.ask("feed")
        if answer is False:
            return DECLINE
        with blaming("feed"):
            choice = self._choice(state, answer)
            check_choice(state, choice)
        return choice

    def game_over(self, result: "Result") -> None:
        """Design 3 has no word for it."""

    def _choice(self, state: State, answer: object) -> FeedingChoice:
        found = parts(answer, 3, "[species, player, species] or False")
        index = at(0, natural, found)
        if index >= len(state.boards):
            raise Forbidden(f"there is no own board {index}")
        board = state.boards[index]
        if hungry(board) and is_carnivore(board):
            return self._attack(state, index, at(1, natural, found), at(2, natural, found))
        if not hungry(board) and fat_need(board) > 0:
            return StoreFat(index, fat_need(board))
        return Eat(index)

    def _attack(self, state: State, index: int, place: int, target: int) -> Attack:
        """The attack on a board of the player in this place of the turn order."""
        number = len(self.sight.order)
        if place >= number:
            raise Forbidden(f"there is no player {place}: the table has {number}")
        rival = (place - self.sight.position - 1) % number  # as the native interface counts
        theirs = [*state.others, state.boards][rival]
        if target >= len(theirs):
            raise Forbidden(f"there is no board {target} of player {place}")
        if theirs[target] is not state.boards[index] and target not in targets(state.boards[index], theirs):
            raise Forbidden(f"board {index} cannot attack board {target} of player {place}")
        return Attack(index, rival, target)

    def _tell(self) -> None:
        """Tell the game state, unless it is the one that was told last."""
        sight = self.sight
        self._tell_state([sight.rows[number] for number in sight.order], sight.hole)

    def _tell_state(self, rows: list[list[Species]], hole: int) -> None:
        place = self.sight.position
        state = write_state(rows, place, hole)
        if state != self._told:
            self._told = write_state(rows, place, hole)  # the player may change its own
            self.tell("game_state_updated", state)

    def _got_first_board(self, view: Start) -> bool:
        """Whether this turn began without a board: as many cards came as for the end of all boards."""
        if len(view.boards) != 1 or size(view.boards[0]) != size(Species()) or view.boards[0].traits:
            return False
        if self._after_choice is None:
            return True
        boards, cards = self._after_choice
        return len(view.hand) == cards + CARDS_PER_TURN + 1 + CARDS_FOR_EXTINCTION * boards

    def _place_first_board(self) -> None:
        if self._first_board:
            self._first_board = False
            self._place(SIDES)

    def _place(self, allowed: tuple[str, ...]) -> None:
        """The player is asked for a side; where there are boards already, the rules know one only."""
        request = "place_species"
        answer = self.ask(request)
        if answer not in SIDES:
            raise WrongAnswer(request, f'expected "left" or "right", found {shown(answer)}')
        if answer not in allowed:
            raise WrongAnswer(request, "a new board goes to the right end")


def _reason(why: "NotPlain | Malformed | Forbidden") -> str:
    return why.why if isinstance(why, Malformed) and not why.path else str(why)


def _action(answer: object, draft: Draft) -> Action4:
    """The action that these card actions make. Raises Malformed or Forbidden."""
    count = len(draft.left)
    found = list_of(_card_action, answer, "card actions")
    if len(found) != count:
        raise Forbidden(f"the hand has {count} cards, but there are {len(found)} actions")
    cards: dict[str, list[tuple[int, list[Any]]]] = {name: [] for name in ACTIONS}
    for card, (name, *places) in enumerate(found):
        cards[name].append((card, places))
    if len(cards["discard"]) != 1:
        raise Forbidden(f'exactly one action must be "discard", found {len(cards["discard"])}')
    draft.feed_hole(cards["discard"][0][0])
    for card, _ in cards["exchange-for-species"]:
        draft.buy(card)
    for card, (board,) in cards["add-trait"]:
        draft.add_trait(board, card)
    _replace_traits(draft, cards["replace-trait"])
    for card, (board,) in cards["exchange-for-body"]:
        draft.grow_body(board, card)
    for card, (board,) in cards["exchange-for-population"]:
        draft.grow_population(board, card)
    for board in range(len(draft.boards)):
        draft.check_traits(board)
    return draft.action()


def _replace_traits(draft: Draft, cards: "list[tuple[int, list[Any]]]") -> None:
    """Each names the trait that goes by what the board had before any was replaced."""
    before = [board.traits[:] for board in draft.boards]
    for card, (board, trait) in cards:
        draft.board(board)
        if trait not in before[board]:
            raise Forbidden(f"board {board} has no trait {shown(trait)} to replace")
        draft.replace_trait(board, before[board].index(trait), card)


def _card_action(value: object) -> "list[Any]":
    """A CardAction: a list that begins with a known name and has its parts."""
    if type(value) is not list or not value or type(value[0]) is not str or value[0] not in ACTIONS:
        raise Malformed(f"expected a card action, a list that begins with its name, found {shown(value)}")
    name = value[0]
    found = parts(value, ACTIONS[name], f'a "{name}"')
    if len(found) > 1:
        at(1, natural, found)
    return found
