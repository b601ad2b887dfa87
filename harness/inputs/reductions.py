"""What makes a scene simpler without leaving anything of it out, and what counts as smaller.

Every function takes a scene and gives scenes like it, each with one thing changed. Not every one of them
is smaller or well-formed: that is for the shrinker to see.
"""

from dataclasses import replace
from itertools import combinations

from evolution.traits import MOST, TRAITS
from harness.fixtures.layout import compact
from harness.inputs.kinds import CHOICE, SITUATION, STATES
from harness.inputs.scene import (
    BT,
    GB,
    GP,
    Action,
    Board,
    Exchange,
    Scene,
    Seat,
    copy,
    copy_seat,
    value_of,
    without,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.inputs.scene import Card

    Size = tuple[int, int, int, int, int, int, int, int, str]

PLAINEST: "Card" = (0, "ambush")
RANK = {trait: rank for rank, trait in enumerate(sorted(TRAITS))}
FEW = 8  # small numbers that are tried in place of a large one


# Smaller


def size(scene: Scene) -> "Size":
    """The size of a scene; the first things count most.

    Boards, players, exchanges, traits, cards, what could be left unsaid, how far the cards are from the
    plainest, all numbers, and at last the text.
    """
    seats = scene.seats
    boards = [board for _, _, board in scene.boards]
    exchanges = [one for seat in seats if seat.action for one in seat.action.exchanges]
    cards = [card for seat in seats for card in seat.hand or []] + scene.deck
    return (
        len(boards) + scene.new_boards,
        len(seats),
        sum(len(one.cards) if one.kind == BT else 1 for one in exchanges),
        sum(len(board.traits) for board in boards),
        len(cards),
        _unsaid(scene),
        sum(_oddness(card) for card in cards),
        scene.hole + sum(map(_numbers, boards)) + sum(map(_numbers_of_seat, seats)) + _numbers_of_hunt(scene),
        compact(value_of(scene)),
    )


def _numbers(board: Board) -> int:
    return board.food + board.body + board.population + (board.fat or 0)


def _numbers_of_hunt(scene: Scene) -> int:
    return scene.hunt.board + scene.hunt.seat + scene.hunt.target if scene.hunt else 0


def _numbers_of_seat(seat: Seat) -> int:
    named = [seat.action.food] if seat.action else []
    for one in seat.action.exchanges if seat.action else ():
        named += [one.board, one.slot, *one.cards]
    return seat.id + seat.bag + sum(named)


def _oddness(card: "Card") -> int:
    """How far a card is from the plainest one."""
    food, trait = card
    return 4 * RANK[trait] + 2 * abs(food) + (food < 0)


def _unsaid(scene: Scene) -> int:
    """How many things are said that need not be: labels, idle pairs, ids that are no places."""
    found = sum(board.fat is not None and _is_idle(board) for _, _, board in scene.boards)
    for at, seat in enumerate(scene.seats):
        found += seat.id != _plain_id(scene, at)
        found += seat.hand == [] and scene.kind not in STATES
        found += sum(exchange.labelled for exchange in seat.action.exchanges) if seat.action else 0
    return found


def _is_idle(board: Board) -> bool:
    """Whether a fat-food pair of the board would say nothing."""
    return not board.fat or "fat-tissue" not in board.traits


def _plain_id(scene: Scene, at: int) -> int:
    """The id that says nothing: the place at the table; 1 where ids are not shown or nobody else has one."""
    return 1 if scene.kind in (SITUATION, CHOICE, *STATES) else at + 1


# Plain


def tidied(scene: Scene) -> "Iterator[Scene]":
    """The scene with everything plain that need not be special, then with one such thing plain."""
    everything = copy(scene)
    for at, seat in enumerate(everything.seats):
        seat.id, seat.bag = _plain_id(scene, at), 0
        seat.hand = seat.hand or None
        for board in seat.boards:
            _tidy_board(board)
        if seat.action:
            seat.action.exchanges = [replace(one, labelled=False) for one in seat.action.exchanges]
    yield everything
    for at, _ in enumerate(scene.seats):
        yield from _tidied_seat(scene, at)
    for at, place, _ in scene.boards:
        board_only = copy(scene)
        _tidy_board(board_only.seats[at].boards[place])
        yield board_only


def _tidy_board(board: Board) -> None:
    if _is_idle(board):
        board.fat = None


def _tidied_seat(scene: Scene, at: int) -> "Iterator[Scene]":
    seat = scene.seats[at]
    yield _with_seat(scene, at, replace(copy_seat(seat), id=_plain_id(scene, at)))
    yield _with_seat(scene, at, replace(copy_seat(seat), hand=seat.hand or None))
    if seat.action:
        plain = [replace(one, labelled=False) for one in seat.action.exchanges]
        yield _with_action(scene, at, Action(seat.action.food, plain))
        for place, exchange in enumerate(plain):
            one = [*seat.action.exchanges[:place], exchange, *seat.action.exchanges[place + 1 :]]
            yield _with_action(scene, at, Action(seat.action.food, one))


def _with_seat(scene: Scene, at: int, seat: Seat) -> Scene:
    """The scene with another seat at this place."""
    changed = copy(scene)
    changed.seats[at] = seat
    return changed


def _with_action(scene: Scene, at: int, action: Action) -> Scene:
    return _with_seat(scene, at, replace(copy_seat(scene.seats[at]), action=action))


def _with_board(scene: Scene, at: int, place: int, board: Board) -> Scene:
    """The scene with another board at this place."""
    changed = copy(scene)
    changed.seats[at].boards[place] = board
    return changed


# Boards


def simpler_boards(scene: Scene) -> "Iterator[Scene]":
    """The scene with smaller numbers on a board, or with its traits in order."""
    for at, place, board in scene.boards:
        for simpler in _simpler_board(board):
            yield _with_board(scene, at, place, simpler)
    for at, seat in enumerate(scene.seats):
        if not seat.action or not any(one.slot for one in seat.action.exchanges):
            for place, board in enumerate(seat.boards):
                yield _with_board(scene, at, place, replace(board, traits=sorted(board.traits)))


def _simpler_board(board: Board) -> "Iterator[Board]":
    for population, food in ((1, 0), (1, 1)):
        yield replace(board, population=population, food=food, body=0, fat=None)
    for population in range(1, board.population):
        less = board.population - population
        for food in sorted({min(board.food, population), max(0, board.food - less)}):
            yield replace(board, population=population, food=food)
    for body in range(board.body):
        less = board.body - body
        for fat in sorted({min(board.fat or 0, body), max(0, (board.fat or 0) - less)}):
            yield replace(board, body=body, fat=None if board.fat is None else fat)
    for food in range(board.food):
        yield replace(board, food=food)
    for fat in range(board.fat or 0):
        yield replace(board, fat=fat or None)


# Cards


def simpler_cards(scene: Scene) -> "Iterator[Scene]":
    """The scene with plainer cards: all at once, then one by one."""
    plain = copy(scene)
    plain.deck = [PLAINEST] * len(plain.deck)
    for seat in plain.seats:
        seat.hand = seat.hand and [PLAINEST] * len(seat.hand)
    yield plain
    for at, card in enumerate(scene.deck):
        for plainer in _plainer(card):
            yield replace(copy(scene), deck=[*scene.deck[:at], plainer, *scene.deck[at + 1 :]])
    for at, seat in enumerate(scene.seats):
        yield from _food_in_the_hole(scene, at)
        for place, card in enumerate(seat.hand or []):
            for plainer in _plainer(card):
                changed = copy(scene)
                (changed.seats[at].hand or [])[place] = plainer
                yield changed


def _plainer(card: "Card") -> "Iterator[Card]":
    """Plainer cards that may do as well, the plainest first."""
    food, trait = card
    values = sorted(
        {0, 1, 2, 3, -1, food - 1 if food > 0 else food + 1, food}, key=lambda value: (abs(value), value < 0)
    )
    near = sorted(TRAITS)[:4]
    for other in (*near, trait) if trait not in near else near[: near.index(trait) + 1]:
        for value in values:
            if abs(value) <= TRAITS[other].most_food and _oddness((value, other)) < _oddness(card):
                yield (value, other)


def _food_in_the_hole(scene: Scene, at: int) -> "Iterator[Scene]":
    """The scene in which a food card is worth nothing and its tokens have been there before."""
    seat = scene.seats[at]
    if seat.action and seat.hand and seat.action.food < len(seat.hand):
        food, trait = seat.hand[seat.action.food]
        changed = copy(scene)
        (changed.seats[at].hand or [])[seat.action.food] = (0, trait)
        changed.hole = max(0, scene.hole + food)
        yield changed


# Numbers of the table and its players


def simpler_numbers(scene: Scene) -> "Iterator[Scene]":
    """The scene with fewer tokens, or with a smaller bag or id, or with a smaller number in an attack."""
    for hole in _lower(scene.hole):
        yield replace(copy(scene), hole=hole)
    if scene.hunt:
        for name in ("board", "seat", "target"):
            for number in _lower(getattr(scene.hunt, name)):
                yield replace(copy(scene), hunt=replace(scene.hunt, **{name: number}))
    for at, seat in enumerate(scene.seats):
        for bag in _lower(seat.bag):
            yield _with_seat(scene, at, replace(copy_seat(seat), bag=bag))
        for number in _lower(seat.id):
            yield _with_seat(scene, at, replace(copy_seat(seat), id=number))


def _lower(number: int) -> list[int]:
    """Numbers to try in place of this one: small ones, half of it, one less."""
    if number <= 0:
        return []
    return sorted({*range(min(number, FEW)), number // 2, number - 1})


def decreased(scene: Scene) -> "Iterator[Scene]":
    """The scene with one number less by one; a board that loses population may lose food with it."""
    if scene.hole:
        yield replace(copy(scene), hole=scene.hole - 1)
    for at, place, board in scene.boards:
        for less in _decreased_board(board):
            yield _with_board(scene, at, place, less)


def _decreased_board(board: Board) -> "Iterator[Board]":
    if board.population > 1:
        population = board.population - 1
        if board.food <= population:
            yield replace(board, population=population)
        if board.food:
            yield replace(board, population=population, food=board.food - 1)
    if board.body and (board.fat or 0) < board.body:
        yield replace(board, body=board.body - 1)
    if board.body and board.fat:
        yield replace(board, body=board.body - 1, fat=board.fat - 1 or None)
    if board.food:
        yield replace(board, food=board.food - 1)


def changed_numbers(scene: Scene) -> "Iterator[Scene]":
    """The scene with one number more or less by one, or with far fewer tokens."""
    yield from decreased(scene)
    for hole in (*_lower(scene.hole), scene.hole + 1):
        yield replace(copy(scene), hole=hole)
    for at, place, board in scene.boards:
        if board.food < board.population:
            yield _with_board(scene, at, place, replace(board, food=board.food + 1))
        if board.population < MOST:
            yield _with_board(scene, at, place, replace(board, population=board.population + 1))
        if board.body < MOST:
            yield _with_board(scene, at, place, replace(board, body=board.body + 1))


# Actions


def less_of_actions(scene: Scene) -> "Iterator[Scene | None]":
    """The scene in which an exchange is done already, or in which actions have smaller numbers."""
    for at, seat in enumerate(scene.seats):
        if not seat.action:
            continue
        for place, exchange in enumerate(seat.action.exchanges):
            yield _done_before(scene, at, place, exchange)
        yield _in_order(scene, at)
        yield from _smaller_indexes(scene, at)


def _done_before(scene: Scene, at: int, place: int, exchange: Exchange) -> "Scene | None":
    """The scene in which the exchange has been carried out beforehand; None if it is not that simple."""
    seat = scene.seats[at]
    hand, boards = seat.hand or [], seat.boards
    if any(card >= len(hand) for card in exchange.cards):
        return None
    if exchange.kind == BT:
        return _bought_before(scene, at, place, exchange)
    if exchange.board >= len(boards):
        return None
    board = replace(boards[exchange.board], traits=boards[exchange.board].traits[:])
    if exchange.kind == GP:
        board.population += 1
    elif exchange.kind == GB:
        board.body += 1
    elif exchange.slot < len(board.traits):
        board.traits[exchange.slot] = hand[exchange.cards[0]][1]
    else:
        return None
    return without(_with_board(scene, at, exchange.board, board), [("exchange", at, place)])


def _bought_before(scene: Scene, at: int, place: int, exchange: Exchange) -> "Scene | None":
    """The scene with the first bought board there beforehand: its number stays the same."""
    seat = copy_seat(scene.seats[at])
    assert seat.action is not None
    if seat.action.of_kind(BT)[0] != exchange:
        return None
    traits = [(seat.hand or [])[card][1] for card in exchange.cards[1:]]
    seat.boards.append(Board(0, 0, 1, traits, None))
    del seat.action.exchanges[place]
    return _with_seat(scene, at, seat)


def _in_order(scene: Scene, at: int) -> Scene:
    """The scene in which a hand begins with the cards of the action, in the order in which it names them."""
    seat = copy_seat(scene.seats[at])
    assert seat.action is not None
    hand = seat.hand or []
    named = [seat.action.food, *(card for one in seat.action.exchanges for card in one.cards)]
    order = list(dict.fromkeys(card for card in [*named, *range(len(hand))] if card < len(hand)))
    place = {card: at for at, card in enumerate(order)}
    seat.hand = seat.hand and [hand[card] for card in order]
    seat.action.food = place.get(seat.action.food, seat.action.food)
    for exchange in seat.action.exchanges:
        exchange.cards = [place.get(card, card) for card in exchange.cards]
    return _with_seat(scene, at, seat)


def _smaller_indexes(scene: Scene, at: int) -> "Iterator[Scene]":
    """The scene with a smaller number in an action."""
    action = scene.seats[at].action
    assert action is not None
    for food in _lower(action.food):
        yield _with_action(scene, at, replace(action, food=food))
    for place, exchange in enumerate(action.exchanges):
        for simpler in _simpler_exchange(exchange):
            exchanges = [*action.exchanges[:place], simpler, *action.exchanges[place + 1 :]]
            yield _with_action(scene, at, Action(action.food, exchanges))


def _simpler_exchange(exchange: Exchange) -> "Iterator[Exchange]":
    for board in _lower(exchange.board):
        yield replace(exchange, board=board)
    for slot in _lower(exchange.slot):
        yield replace(exchange, slot=slot)
    for at, card in enumerate(exchange.cards):
        if at and exchange.kind == BT:
            yield replace(exchange, cards=exchange.cards[:at] + exchange.cards[at + 1 :])
        for other in _lower(card):
            yield replace(exchange, cards=[*exchange.cards[:at], other, *exchange.cards[at + 1 :]])


# Players


def merged(scene: Scene) -> "Iterator[Scene | None]":
    """The scene in which one player has given all boards to another, on either side of the other's."""
    if scene.kind == SITUATION:
        return
    for kept, gone in combinations(range(len(scene.seats)), 2):
        for first, second in ((kept, gone), (gone, kept)):
            if scene.kind != CHOICE or scene.asked != gone:
                together = _together(scene.seats[first], scene.seats[second], scene.seats[kept])
                yield without(_with_seat(scene, kept, together), [("seat", gone)])


def _together(left: Seat, right: Seat, kept: Seat) -> Seat:
    """A seat with the boards of both, left ones first; all else is that of the one that is kept."""
    seat = copy_seat(kept)
    seat.boards = copy_seat(left).boards + copy_seat(right).boards
    if seat.action:
        more = len(right.boards if kept is left else left.boards)
        before = 0 if kept is left else len(left.boards)
        old = len(kept.boards)
        for exchange in seat.action.exchanges:
            if exchange.kind != BT:
                exchange.board += before if exchange.board < old else more
    return seat


def moved(scene: Scene) -> "Iterator[Scene]":
    """The scene in which a board lies at the right end of another player's row."""
    if scene.kind == SITUATION:
        return
    for at, place, board in scene.boards:
        for other, _ in enumerate(scene.seats):
            left = without(scene, [("board", at, place)])
            if other != at and left is not None:
                left.seats[other] = _together(left.seats[other], Seat([board]), left.seats[other])
                yield left
