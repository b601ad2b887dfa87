"""Seats a player of design 4, the table and its turn sequence: at most three cards are used in a turn.

Boards have names, "ID.N", that last as long as they do. What grows is the leftmost board that can. Fat
needs and vegetarians are not asked for; the Silly player's choice is taken.
"""

from evolution.actions import Action4
from evolution.attack import targets
from evolution.choices import DECLINE, Attack, FeedingChoice, State
from evolution.designs.adapter import AttackAdapter, blaming
from evolution.designs.convert import below
from evolution.designs.draft import Draft, Forbidden
from evolution.designs.sight import LEFT, Sight, follow
from evolution.designs.tablewise_tables import (
    name_of_board,
    read_card,
    write_board,
    write_player,
    write_state,
)
from evolution.player import View
from evolution.species import Species
from evolution.traits import MOST
from evolution.wire.errors import Malformed
from evolution.wire.reading import list_of, natural, parts, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.game import Result

    Value = dict[str, object]

MOST_MOVES = 3


class NamedSight(Sight):
    """A picture of the table in which every board has a name."""

    def __init__(self) -> None:
        """Nothing has been seen, and nothing named."""
        super().__init__()
        self.names: dict[int, list[str]] = {}
        self.attacked: tuple[int, int] | None = None  # whose board one attacks, and which
        self._boards_so_far: dict[int, int] = {}

    def new_names(self, number: int, count: int) -> list[str]:
        """The names that the next boards of this player will have."""
        last = self._boards_so_far.get(number, 0)
        return [name_of_board(number, last + at) for at in range(1, count + 1)]

    def _see(self, number: int, row: list[Species]) -> None:
        if number:  # nobody yet, as long as one's own id is not known
            names = self.names.get(number, [])
            kept = [names[at] for at in self._earlier(number, row) if at is not None]
            new = self.new_names(number, len(row) - len(kept))
            self._boards_so_far[number] = self._boards_so_far.get(number, 0) + len(new)
            self.names[number] = kept + new
        super()._see(number, row)

    def _earlier(self, number: int, row: list[Species]) -> "list[int | None]":
        """Which earlier board each is; of boards that look alike, the one that was attacked is gone."""
        before = self.rows.get(number, [])
        cost, earlier = follow(before, row)
        if self.attacked is None or self.attacked[0] != number:
            return earlier
        at = self.attacked[1]
        self.attacked = None
        without, spared = follow(before[:at] + before[at + 1 :], row)
        if without + LEFT != cost:
            return earlier
        return [one + 1 if one is not None and one >= at else one for one in spared]


class Tablewise(AttackAdapter):
    """A player of design 4, as the game sees it."""

    sight: NamedSight

    def __init__(self, player: "Any") -> None:
        """An object of somebody's class."""
        super().__init__(player, NamedSight())
        self._answered = False  # whether it has just said whom to attack
        self._attacks = False  # whether the last attack was one that it had chosen

    def changed(self, view: View) -> None:
        """Who has `fed` hears of each token that a board of its own eats without its being asked."""
        super().changed(view)
        kind, whose, why = view.event
        if why == "attack" and kind != "eat":  # somebody is attacked
            self._attacks, self._answered = self._answered, False
        if kind != "eat" or whose != self.sight.me or (why == "attack" and self._attacks):
            return
        if callable(getattr(self._player, "fed", None)):
            self.tell("fed", self._player_state(Draft(self.sight.boards, self.sight.hand)))

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """The food card, up to three moves, the order of the boards, and what makes room on them."""
        self.sight.choose(before, after)
        draft = Draft(self.sight.boards, self.sight.hand)
        self._food_card(draft)
        replacing = self._moves(draft)
        self._arrange(draft)
        if replacing:
            self._discards(draft, replacing)
        return draft.action()

    def attack(self, state: State, hunter: int) -> FeedingChoice:
        """Whom to attack, by one of the boards shown; None declines."""
        answer = self.ask("attack", self._game_state(state))
        if answer is None:
            return DECLINE
        with blaming("attack"):
            attack = self._attack(state, hunter, _name(answer))
        self._answered = True
        return attack

    def game_over(self, result: "Result") -> None:
        """Name and score of each player, the best one first."""
        self.tell("scoreboard", [(str(number), points) for number, points in result.ranking])

    # --- what it is shown ----------------------------------------------------------------------------

    def _names(self, draft: Draft) -> list[str]:
        sight = self.sight
        return sight.names[sight.me] + sight.new_names(sight.me, len(draft.boards) - draft.old)

    def _player_state(self, draft: Draft) -> "Value":
        boards = [
            write_board(name, board) for name, board in zip(self._names(draft), draft.boards, strict=True)
        ]
        return write_player(str(self.sight.me), self.sight.bag, boards, draft.cards())

    def _game_state(self, state: State) -> "Value":
        players = []
        for number in self.sight.order:
            names, row = self.sight.names[number], self.sight.rows[number]
            boards = [write_board(name, board) for name, board in zip(names, row, strict=True)]
            mine = number == self.sight.me
            players.append(
                write_player(str(number), state.bag if mine else 0, boards, state.hand if mine else [])
            )
        return write_state(players, state.hole, placed=self.sight.placed)

    def _attack(self, state: State, hunter: int, name: str) -> Attack:
        attack = Attack(hunter, *self._found(name))
        attacker_name = self.sight.names[self.sight.me][hunter]
        if name == attacker_name:
            raise Forbidden(f"{name} attacks itself")
        if attack.target not in targets(state.boards[hunter], [*state.others, state.boards][attack.player]):
            raise Forbidden(f"{attacker_name} cannot attack {name}")
        numbers = [*self.sight.others(), self.sight.me]
        self.sight.attacked = numbers[attack.player], attack.target
        return attack

    def _found(self, name: str) -> tuple[int, int]:
        """Design 5's index of the player who has the board of this name, and the board's index."""
        sight = self.sight
        for player, number in enumerate([*sight.others(), sight.me]):
            if name in sight.names[number]:
                return player, sight.names[number].index(name)
        raise Forbidden(f"there is no board {shown(name)}")

    # --- the requests of one choice ------------------------------------------------------------------

    def _food_card(self, draft: Draft) -> None:
        answer = self.ask("food_card", self._player_state(draft))
        with blaming("food_card"):
            draft.feed_hole(draft.take(read_card(answer)))

    def _moves(self, draft: Draft) -> dict[int, list[int]]:
        """Carry out the moves; the cards that were placed on old boards, for which others must go."""
        answer = self.ask("moves", self._player_state(draft))
        replacing: dict[int, list[int]] = {}
        with blaming("moves"):
            moves = list_of(_move, answer, "(card, action) tuples")
            if len(moves) > MOST_MOVES:
                raise Forbidden(f"there are at most {MOST_MOVES} moves, found {len(moves)}")
            cards = [draft.take(card) for card, _ in moves]
            told = list(zip(cards, [action for _, action in moves], strict=True))
            for card, action in told:
                if action == ["trade", "sb"]:
                    draft.buy(card)
            for card, (kind, what) in told:
                if kind == "place":
                    _place(draft, what, card, replacing)
                elif what != "sb":
                    _grow(draft, what, card)
        return replacing

    def _arrange(self, draft: Draft) -> None:
        """The player is asked for an order; by the rules there is only one."""
        answer = self.ask("arrange", self._player_state(draft))
        names = self._names(draft)
        with blaming("arrange"):
            if list_of(_name, answer, "species boards") != names:
                raise Forbidden(f"the boards stay in their order, {', '.join(names)}")

    def _discards(self, draft: Draft, replacing: dict[int, list[int]]) -> None:
        """The player says which trait goes for each card that was placed on an old board."""
        answer = self.ask("discards", self._player_state(draft))
        names = self._names(draft)
        with blaming("discards"):
            slots: dict[int, list[int]] = {board: [] for board in replacing}
            for name, trait in list_of(_discard, answer, "(board, card) tuples"):
                board = names.index(name) if name in names else -1
                if board not in slots:
                    raise Forbidden(f"no card was placed on a board {shown(name)}")
                slots[board].append(_slot(draft.boards[board], trait, slots[board]))
            for board, cards in replacing.items():
                if len(slots[board]) != len(cards):
                    raise Forbidden(
                        f"{len(cards)} cards were placed on {names[board]}, so {len(cards)} must go, "
                        f"not {len(slots[board])}"
                    )
                for slot, card in zip(slots[board], cards, strict=True):
                    draft.replace_trait(board, slot, card)
                draft.check_traits(board)


def _place(draft: Draft, board: int, card: int, replacing: dict[int, list[int]]) -> None:
    """Place a card on a board: a new one gets its trait, an old one has to give one for it."""
    traits = draft.board(board).traits
    if draft.is_new(board) or len(traits) == len(replacing.get(board, [])):
        draft.add_trait(board, card)
        draft.check_traits(board)
    else:
        replacing.setdefault(board, []).append(card)


def _grow(draft: Draft, what: str, card: int) -> None:
    """Trade a card for the body size or the population of the leftmost board that can grow."""
    body = what == "bs"
    sizes = [board.body if body else board.population for board in draft.boards]
    if min(sizes) == MOST:
        raise Forbidden(f"no board has a {'body size' if body else 'population'} below {MOST}")
    leftmost = next(at for at, size in enumerate(sizes) if size < MOST)
    (draft.grow_body if body else draft.grow_population)(leftmost, card)


def _slot(board: Species, trait: str, taken: list[int]) -> int:
    if trait not in board.traits:
        raise Forbidden(f"the board has no {shown(trait)} to discard")
    slot = board.traits.index(trait)
    if slot in taken:
        raise Forbidden(f"{trait} is discarded twice")
    return slot


def _name(value: object) -> str:
    """The name of something with a name, which is all that it is known by."""
    if type(value) is not dict or type(value.get("name")) is not str:
        raise Malformed(f'expected an object with a "name", found {shown(value)}')
    name: str = value["name"]
    return name


def _discard(value: object) -> tuple[str, str]:
    """A (SpeciesBoard, TraitCard) tuple: the name of the board and the name of the trait."""
    board, card = list_of(_name, parts(value, 2, "a (board, card) tuple"), "boards and cards")
    return board, card


def _move(value: object) -> "tuple[tuple[int, str], list[Any]]":
    """A (TraitCard, Action) tuple: the card, and the two parts of the action."""
    card, action = parts(value, 2, "a (card, action) tuple")
    try:
        found = read_card(card)
    except Malformed as wrong:
        raise wrong.below(0) from None
    try:
        return found, _action(action)
    except Malformed as wrong:
        raise wrong.below(1) from None


def _action(value: object) -> "list[Any]":
    """An Action: ("trade", "sb", "bs" or "ps") or ("place", index of a board)."""
    if type(value) is not dict or list(value) != ["action"]:
        raise Malformed(f'expected an action, an object with the one key "action", found {shown(value)}')
    return below("action", _tuple_of_action, value["action"])


def _tuple_of_action(value: object) -> "list[Any]":
    kind, what = parts(value, 2, '("trade", "sb", "bs" or "ps") or ("place", board)')
    if kind == "trade" and what in ("sb", "bs", "ps"):
        return [kind, what]
    if kind == "place":
        return [kind, natural(what)]
    raise Malformed(f"there is no action ({shown(kind)}, {shown(what)})")
