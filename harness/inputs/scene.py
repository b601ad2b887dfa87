"""An input of an x-program taken apart, so that things can be left out of it or made smaller.

What is left stays consistent: where a board, a trait or a card goes, the numbers of the others in an
Action4 change with their places, and an exchange that speaks of what is gone goes too. A scene keeps
everything that can be read, labels and idle pairs included. Whether it is well-formed is not its business.
"""

from dataclasses import dataclass, field, replace

from harness.inputs.kinds import (
    CHOICE,
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE_AND_ACTION,
    STATE_AND_CHOICE,
    STATES,
    STEP4,
    kind_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    Item = tuple[str, int] | tuple[str, int, int] | tuple[str, int, int, int]
    Card = tuple[int, str]

GP, GB, BT, RT = range(1, 5)  # the places of the exchanges in an Action4
LABELS = {GP: "population", GB: "body"}


@dataclass(slots=True)
class Board:
    """A Species+; fat is None where there is no fat-food pair."""

    food: int
    body: int
    population: int
    traits: list[str]
    fat: "int | None"


@dataclass(slots=True)
class Exchange:
    """A GP, GB, BT or RT. A BT has no board: its cards are the one that pays and those of its traits."""

    kind: int
    board: int
    slot: int
    cards: list[int]
    labelled: bool = False


@dataclass(slots=True)
class Action:
    """An Action4; its exchanges are in the order of its lists."""

    food: int
    exchanges: list[Exchange]

    def of_kind(self, kind: int) -> list[Exchange]:
        """The exchanges of one list."""
        return [exchange for exchange in self.exchanges if exchange.kind == kind]


@dataclass(slots=True)
class Seat:
    """A player, or as much of one as the kind shows. The hand is None where there is no cards pair."""

    boards: list[Board]
    id: int = 1
    bag: int = 0
    hand: "list[Card] | None" = None
    action: "Action | None" = None


@dataclass(slots=True)
class Hunt:
    """The attack that the owner of a State thinks of: its board, and a seat and a board of it as the target.

    The owner has the first seat. A seat or a board that does not exist has a number beyond the last one.
    """

    board: int
    seat: int
    target: int


@dataclass(slots=True)
class Scene:
    """An input: its kind, who sits there, which of them is asked in a Choice, the hole and the deck.

    The seats of a situation are the defender, the attacker and the two neighbours, with a board or none.
    hunt: the attack that is asked about, beside a State.
    """

    kind: str
    seats: list[Seat]
    asked: int = 0
    hole: int = 0
    deck: "list[Card]" = field(default_factory=list)
    hunt: "Hunt | None" = None

    @property
    def boards(self) -> list[tuple[int, int, Board]]:
        """All boards with their places."""
        return [
            (at, place, board)
            for at, seat in enumerate(self.seats)
            for place, board in enumerate(seat.boards)
        ]

    @property
    def new_boards(self) -> int:
        """How many boards are bought."""
        return sum(len(seat.action.of_kind(BT)) for seat in self.seats if seat.action)


def copy(scene: Scene) -> Scene:
    """An equal scene that shares nothing with this one that could be changed."""
    seats = [copy_seat(seat) for seat in scene.seats]
    return replace(scene, seats=seats, deck=scene.deck[:], hunt=scene.hunt and replace(scene.hunt))


def copy_seat(seat: Seat) -> Seat:
    """An equal seat that shares nothing with this one that could be changed."""
    return Seat(
        [replace(board, traits=board.traits[:]) for board in seat.boards],
        seat.id,
        seat.bag,
        None if seat.hand is None else seat.hand[:],
        seat.action
        and Action(seat.action.food, [replace(one, cards=one.cards[:]) for one in seat.action.exchanges]),
    )


# From a value


def scene_of(program: str, value: "Any") -> Scene:
    """The scene that a well-formed input of a program describes."""
    kind = kind_of(program, value)
    if kind == SITUATION:
        return Scene(kind, [Seat([_board(part)] if part else []) for part in value])
    if kind == CHOICE:
        asking, before, after = value
        seats = [*map(_boards_only, before), _seat(asking), *map(_boards_only, after)]
        return Scene(kind, seats, asked=len(before))
    if kind in STATES:
        return _scene_of_state(kind, value)
    if kind == FEEDING:
        asking, hole, others = value
        return Scene(kind, [_seat(player) for player in (asking, *others)], hole=hole)
    (players, hole, deck), actions = value if kind == STEP4 else (value, [])
    seats = [_seat(player) for player in players]
    for seat, action in zip(seats, actions, strict=kind == STEP4):
        seat.action = _action(action)
    return Scene(kind, seats, hole=hole, deck=_cards(deck))


def _scene_of_state(kind: str, value: "Any") -> Scene:
    """A State, and what its owner does there, if it is followed by that."""
    state, then = value if kind in (STATE_AND_CHOICE, STATE_AND_ACTION) else (value, [])
    bag, boards, hand, hole, others = state
    first = Seat([_board(board) for board in boards], bag=bag, hand=_cards(hand))
    scene = Scene(kind, [first, *map(_boards_only, others)], hole=hole)
    if kind == STATE_AND_ACTION:
        first.action = _action(then)
    elif kind == STATE_AND_CHOICE:
        board, player, target = then
        seat = 0 if player == len(others) else player + 1 if player < len(others) else player
        scene.hunt = Hunt(board, seat, target)
    return scene


def _board(value: "Any") -> Board:
    pairs = dict(value)
    return Board(pairs["food"], pairs["body"], pairs["population"], pairs["traits"][:], pairs.get("fat-food"))


def _boards_only(value: "Any") -> Seat:
    return Seat([_board(board) for board in value])


def _cards(value: "Any") -> "list[Card]":
    return [(food, trait) for food, trait in value]


def _seat(value: "Any") -> Seat:
    pairs = dict(value)
    hand = _cards(pairs["cards"]) if "cards" in pairs else None
    return Seat([_board(board) for board in pairs["species"]], pairs["id"], pairs["bag"], hand)


def _action(value: "Any") -> Action:
    food, growth, body, new, replacements = value
    exchanges = [_growth(GP, one) for one in growth] + [_growth(GB, one) for one in body]
    exchanges += [Exchange(BT, 0, 0, cards[:]) for cards in new]
    exchanges += [Exchange(RT, board, slot, [card]) for board, slot, card in replacements]
    return Action(food, exchanges)


def _growth(kind: int, value: "Any") -> Exchange:
    *_, board, card = value
    return Exchange(kind, board, 0, [card], labelled=len(value) == 3)


# To a value


def value_of(scene: Scene) -> "Any":
    """The input that the scene describes, as a JSON parser would give it."""
    seats = scene.seats
    if scene.kind == SITUATION:
        return [board_value(seat.boards[0]) if seat.boards else False for seat in seats]
    if scene.kind == CHOICE:
        others = [_boards_value(seat) for seat in seats]
        return [_player_value(seats[scene.asked]), others[: scene.asked], others[scene.asked + 1 :]]
    if scene.kind in STATES:
        return _value_of_state(scene)
    players = [_player_value(seat) for seat in seats]
    if scene.kind == FEEDING:
        return [players[0], scene.hole, players[1:]]
    configuration = [players, scene.hole, _cards_value(scene.deck)]
    if scene.kind == CONFIGURATION:
        return configuration
    return [configuration, [_action_value(seat.action) for seat in seats]]


def _value_of_state(scene: Scene) -> "Any":
    first, *rest = scene.seats
    hand = _cards_value(first.hand or [])
    state = [first.bag, _boards_value(first), hand, scene.hole, [_boards_value(seat) for seat in rest]]
    if scene.kind == STATE_AND_ACTION:
        return [state, _action_value(first.action)]
    if scene.hunt is None:
        return state
    seat = scene.hunt.seat
    player = len(rest) if seat == 0 else seat - 1 if seat <= len(rest) else seat
    return [state, [scene.hunt.board, player, scene.hunt.target]]


def board_value(board: Board) -> "Any":
    """The Species+ that a board is."""
    pairs: list[Any] = [["food", board.food], ["body", board.body], ["population", board.population]]
    pairs.append(["traits", board.traits[:]])
    return pairs if board.fat is None else [*pairs, ["fat-food", board.fat]]


def _boards_value(seat: Seat) -> "Any":
    return [board_value(board) for board in seat.boards]


def _cards_value(cards: "list[Card]") -> "Any":
    return [list(card) for card in cards]


def _player_value(seat: Seat) -> "Any":
    pairs: list[Any] = [["id", seat.id], ["species", _boards_value(seat)], ["bag", seat.bag]]
    return pairs if seat.hand is None else [*pairs, ["cards", _cards_value(seat.hand)]]


def _action_value(action: "Action | None") -> "Any":
    assert action is not None  # of a player in a step 4
    lists: list[Any] = [[_exchange_value(one) for one in action.of_kind(kind)] for kind in (GP, GB, BT, RT)]
    return [action.food, *lists]


def _exchange_value(exchange: Exchange) -> "Any":
    if exchange.kind == BT:
        return exchange.cards[:]
    if exchange.kind == RT:
        return [exchange.board, exchange.slot, *exchange.cards]
    label = [LABELS[exchange.kind]] if exchange.labelled else []
    return [*label, exchange.board, *exchange.cards]


# What can be left out


def items(scene: Scene) -> "list[Item]":
    """Everything that can be left out of the scene, the large things first."""
    seats = list(enumerate(scene.seats))
    found: list[Item] = [("seat", at) for at, _ in seats]
    found += [("board", at, place) for at, place, _ in scene.boards]
    found += [
        ("exchange", at, place)
        for at, seat in seats
        if seat.action
        for place in range(len(seat.action.exchanges))
    ]
    found += [
        ("trait", at, place, slot) for at, place, board in scene.boards for slot in range(len(board.traits))
    ]
    found += [("card", at, place) for at, seat in seats for place in range(len(seat.hand or []))]
    return found + [("deck", at) for at in range(len(scene.deck))]


def without(scene: Scene, gone: "Iterable[Item]") -> "Scene | None":
    """The scene without these items; None if that cannot be, because somebody needs one of them."""
    gone = set(gone)
    left = [at for at in range(len(scene.seats)) if ("seat", at) not in gone]
    if not left or (_needs_asked(scene) and scene.asked not in left):
        return None
    seats: list[Seat] = []
    for at in left:
        seat = _seat_without(at, scene.seats[at], gone)
        if seat is None:
            return None
        seats.append(seat)
    deck = [card for at, card in enumerate(scene.deck) if ("deck", at) not in gone]
    hunt = scene.hunt and _hunt_without(scene.hunt, gone)
    if scene.hunt and not hunt:
        return None
    return Scene(scene.kind, seats, sum(at < scene.asked for at in left), scene.hole, deck, hunt)


def _needs_asked(scene: Scene) -> bool:
    """Whether nobody can take the place of the player that is asked."""
    return scene.kind in (CHOICE, STATE_AND_CHOICE, STATE_AND_ACTION)


def _hunt_without(hunt: Hunt, gone: "set[Item]") -> "Hunt | None":
    """The attack with new numbers; None if a board of it is among what goes, or its seat."""
    boards = [places for kind, *places in gone if kind == "board"]
    own, theirs = (Places(place for at, place in boards if at == row) for row in (0, hunt.seat))
    board, target = own.new(hunt.board), theirs.new(hunt.target)
    seat = Places(at for kind, at, *_ in gone if kind == "seat").new(hunt.seat)
    return None if board is None or target is None or seat is None else Hunt(board, seat, target)


def _seat_without(at: int, old: Seat, gone: "set[Item]") -> "Seat | None":
    seat = copy_seat(old)
    kept = [place for place in range(len(old.boards)) if ("board", at, place) not in gone]
    for place, board in enumerate(seat.boards):
        board.traits = [
            trait for slot, trait in enumerate(board.traits) if ("trait", at, place, slot) not in gone
        ]
        if "fat-tissue" in old.boards[place].traits and "fat-tissue" not in board.traits:
            board.fat = None
    seat.boards = [seat.boards[place] for place in kept]
    if seat.hand is not None:
        seat.hand = [card for place, card in enumerate(seat.hand) if ("card", at, place) not in gone]
    if old.action is not None:
        seat.action = _action_without(at, old, gone)
        if seat.action is None:
            return None
    return seat


class Places:
    """How the numbers of things change when some of them go. A number beyond the last stays beyond it."""

    def __init__(self, gone: "Iterable[int]") -> None:
        self._gone = set(gone)

    def new(self, at: int) -> "int | None":
        """The new number of a thing; None if it has gone."""
        return None if at in self._gone else at - sum(other < at for other in self._gone)


def _action_without(at: int, old: Seat, gone: "set[Item]") -> "Action | None":
    """The action of a seat from which things go; None if its food card is among them."""
    assert old.action is not None
    cards = Places(place for place in range(len(old.hand or [])) if ("card", at, place) in gone)
    food = cards.new(old.action.food)
    if food is None:
        return None
    exchanges = [
        exchange
        for place, exchange in enumerate(old.action.exchanges)
        if ("exchange", at, place) not in gone and cards.new(exchange.cards[0]) is not None
    ]
    boards, slots = _boards_and_slots(at, old, exchanges, gone, cards)
    found = (_renumbered(exchange, boards, slots, cards) for exchange in exchanges)
    return Action(food, [exchange for exchange in found if exchange is not None])


def _boards_and_slots(
    at: int, old: Seat, exchanges: list[Exchange], gone: "set[Item]", cards: Places
) -> tuple[Places, dict[int, Places]]:
    """How the numbers of a seat's boards change, and those of the trait slots of each of them."""
    assert old.action is not None
    count = len(old.boards)
    lost = [place for place in range(count) if ("board", at, place) in gone]
    slots = {
        place: Places(slot for slot in range(len(board.traits)) if ("trait", at, place, slot) in gone)
        for place, board in enumerate(old.boards)
    }
    for number, bought in enumerate(old.action.of_kind(BT), count):
        if not any(bought is exchange for exchange in exchanges):
            lost.append(number)
        slots[number] = Places(slot for slot, card in enumerate(bought.cards[1:]) if cards.new(card) is None)
    return Places(lost), slots


def _renumbered(
    exchange: Exchange, boards: Places, slots: dict[int, Places], cards: Places
) -> "Exchange | None":
    """The exchange with new numbers; None if what it speaks of has gone."""
    kept = [new for card in exchange.cards if (new := cards.new(card)) is not None]
    if exchange.kind == BT:
        return replace(exchange, cards=kept)
    board = boards.new(exchange.board)
    slot = exchange.slot
    if exchange.kind == RT and exchange.board in slots:
        found = slots[exchange.board].new(slot)
        if found is None:
            return None
        slot = found
    return None if board is None else replace(exchange, board=board, slot=slot, cards=kept)
