"""The twin of an input: as like it as can be, but for the one thing that keeps the rules from answering.

Where nothing is the right answer, a program that never answers is right; where the table stays as it is, one
that prints what it reads. Only what a program does with the twin tells it from one that knows the rules: the
twin of an illegal input is legal, that of a feeding without a choice has one, and that of a table that
nothing happens to is one that something happens to. Twins are made by small changes, the smallest first, each
of which is put to the rules. The same input always has the same twin.
"""

from dataclasses import replace

from evolution.actions import IllegalAction
from evolution.silly import Silly
from evolution.traits import MOST, TRAITS
from evolution.turn import step4
from evolution.wire.action4 import table_and_actions
from evolution.wire.errors import BadInput
from harness.fixtures.forms import forms_of
from harness.inputs.kinds import (
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE,
    STATE_AND_CHOICE,
    STEP4,
    WITH_ACTIONS,
    usual_kind,
)
from harness.inputs.scene import BT, GB, GP, RT, Action, Board, Hunt, Scene, copy, scene_of, value_of
from harness.inputs.scene import without as scene_without
from harness.judging.compare import parse_values, same
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    Json = Any
    Card = tuple[int, str]

# Why an answer may be right without any knowledge of the rules: nothing is printed, since an action is
# illegal or for another reason, as when there is no choice to make; or the table is printed as it was read.
ILLEGAL, NOTHING, UNCHANGED = "illegal", "nothing", "unchanged"

MOST_TRIED = 400  # changed inputs that are put to the rules
MOST_CHANGES = 3  # of one input, one after the other
WORM = Board(0, 0, 1, [], None)  # a board that always eats


def table_of(program: str, value: "Json") -> "Json":
    """The part of an input that comes back changed: the table. None if the program answers otherwise."""
    form = usual_kind(program)
    if form == CONFIGURATION:
        return value
    return value[0] if form == STEP4 and type(value) is list and value else None


def is_answer(program: str, value: "Json", answer: object) -> bool:
    """Whether a program may have meant this as an answer to an input: it has the form of one, right or not.

    Of a table only its parts count: a case fails for its own reason, not for how boards are printed.
    """
    table = table_of(program, value)
    if table is not None:
        return type(answer) is list and list(map(type, answer)) == list(map(type, table))
    if usual_kind(program) == FEEDING:
        numbers = answer if type(answer) is list and len(answer) in (2, 3) else [answer]
        return answer is False or all(type(number) is int for number in numbers)
    return True


def why_easy(program: str, value: "Json", expected: "list[object]") -> str:
    """Why the right answer to an input takes no knowledge of the rules; empty if it does."""
    if program not in PROGRAMS:
        return "" if expected else NOTHING
    if not expected:
        return ILLEGAL if usual_kind(program) in (STEP4, SITUATION) else NOTHING
    table = table_of(program, value)
    return UNCHANGED if len(expected) == 1 and table is not None and same(table, expected[0]) else ""


def twin_of(program: str, value: "Json") -> "Json":
    """The twin of an input whose right answer is easy; None if it is not, or if none can be made.

    It has no form beyond the common one that the input has not.
    """
    if program not in PROGRAMS or _is_hard(program, value) is not False:
        return None
    known = {*forms_of(program, value)}
    scenes, tried = [scene_of(program, value)], {repr(value)}
    for _ in range(MOST_CHANGES):
        changed = [other for scene in scenes for other in _changes(scene)]
        scenes = []
        for scene in changed:
            twin = value_of(scene)
            if repr(twin) in tried:
                continue
            tried.add(repr(twin))
            hard = _is_hard(program, twin)
            if hard and known.issuperset(forms_of(program, twin)):
                return twin
            if len(tried) >= MOST_TRIED:
                return None
            if hard is False:
                scenes.append(scene)
    return None


def _is_hard(program: str, value: "Json") -> "bool | None":
    """Whether the rules have an answer to an input that is not easy; None if it is no input."""
    answer = reference(program, value)
    if answer.refused:
        return None
    if answer.text is None:
        return False
    table = table_of(program, value)
    return table is None or not same(table, parse_values(answer.printed)[0])


def _changes(scene: Scene) -> "Iterator[Scene]":
    """A scene with one small change, the smaller ones first, that may keep its answer from being so easy."""
    illegal = _illegal(scene) if scene.kind in WITH_ACTIONS else None
    if illegal is not None:
        yield from _mended(scene, illegal)
    elif scene.kind == STATE_AND_CHOICE:
        yield from _of_existing_boards(scene)
    elif scene.kind in (FEEDING, STATE, CONFIGURATION, *WITH_ACTIONS):
        yield from _hungrier(scene)


# Feeding


def _hungrier(scene: Scene) -> "Iterator[Scene]":
    """The scene in which somebody who feeds may have more to do."""
    feeding = range(len(scene.seats)) if scene.kind in WITH_ACTIONS else (0,)
    if scene.hole == 0:
        yield replace(copy(scene), hole=1)
    for at, place, board in scene.boards:
        for slot, _ in enumerate(board.traits):  # one that may have kept an attacker away
            if at not in feeding:
                yield from _kept(scene_without(scene, [("trait", at, place, slot)]))
    for at, place, board in scene.boards:
        if at in feeding:
            for other in _hungrier_board(board):
                yield _with_board(scene, at, place, other)
    for at in feeding:
        changed = copy(scene)
        changed.seats[at].boards.append(replace(WORM, traits=[]))
        yield changed


def _hungrier_board(board: Board) -> "Iterator[Board]":
    if board.food:
        yield replace(board, food=board.food - 1)
    if board.population < MOST:
        yield replace(board, population=board.population + 1)
    if board.fat:
        yield replace(board, fat=board.fat - 1 or None)
    if board.body < MOST:
        yield replace(board, body=board.body + 1)
    if "carnivore" in board.traits:
        yield replace(board, traits=[trait for trait in board.traits if trait != "carnivore"])


# Attacks


def _of_existing_boards(scene: Scene) -> "Iterator[Scene]":
    """The scene in which the attack names boards that are there; where there is none, with one."""
    assert scene.hunt is not None
    changed = copy(scene)
    if not scene.seats[0].boards:
        changed.seats[0].boards.append(replace(WORM, traits=["carnivore"]))
    seat = min(scene.hunt.seat, len(scene.seats) - 1)
    row = changed.seats[seat].boards
    if not row:
        row.append(replace(WORM, traits=[]))
    board = min(scene.hunt.board, len(changed.seats[0].boards) - 1)
    changed.hunt = Hunt(board, seat, min(scene.hunt.target, len(row) - 1))
    yield changed


# Actions


def _illegal(scene: Scene) -> "IllegalAction | None":
    """Why the rules forbid an action of the scene; None if they forbid none."""
    try:
        table, actions = table_and_actions(value_of(scene))
        step4(table, actions, [Silly()] * len(table.players))
    except IllegalAction as illegal:
        return illegal
    except BadInput:
        pass
    return None


def _mended(scene: Scene, illegal: IllegalAction) -> "Iterator[Scene]":
    """The scene without what is forbidden: only the part of the action that is to blame is changed, if so."""
    at, *place = illegal.place
    blamed = _at(scene, at, place[:2])
    if illegal.code in ("missing card", "card used twice"):
        yield from _with_other_card(scene, at, blamed, illegal.parts[0])
    elif illegal.code == "missing board" and blamed is not None:
        yield from _with_other_board(scene, at, blamed, illegal.parts[1])
    elif illegal.code == "missing trait slot" and blamed is not None:
        yield from _with_other_slot(scene, at, blamed, illegal.parts[2])
    elif illegal.code == "trait twice":
        yield from _with_other_trait(scene, at, *illegal.parts)
    elif illegal.code in ("population above 7", "body above 7"):
        kind = GP if illegal.code == "population above 7" else GB
        yield from _with_smaller_board(scene, at, kind, *illegal.parts)
    if blamed is not None:
        yield from _kept(scene_without(scene, [("exchange", at, blamed)]))
    everything = range(len(_action(scene, at).exchanges))
    for exchange in reversed(everything):
        yield from _kept(scene_without(scene, [("exchange", at, exchange)]))
    yield from _kept(scene_without(scene, [("exchange", at, exchange) for exchange in everything]))


def _at(scene: Scene, at: int, place: "list[int]") -> "int | None":
    """Which exchange of a player is at a place in its Action4; None if that is its food card, or none."""
    if len(place) < 2:
        return None
    kind, number = place
    exchanges = _action(scene, at).exchanges
    return [index for index, exchange in enumerate(exchanges) if exchange.kind == kind][number]


def _with_other_card(scene: Scene, at: int, blamed: "int | None", wrong: int) -> "Iterator[Scene]":
    """The scene in which a free card takes the place of one; a new one if the player has no free one."""
    for card in _free_cards(scene, at, wrong):
        yield _with_card(copy(scene), at, blamed, wrong, card)
    for new in _like((0, ""), _new_cards(scene)):
        changed = copy(scene)
        hand = changed.seats[at].hand = [*(changed.seats[at].hand or []), new]
        yield _with_card(changed, at, blamed, wrong, len(hand) - 1)


def _with_card(scene: Scene, at: int, blamed: "int | None", wrong: int, card: int) -> Scene:
    """The scene, changed: the last card of this number that the part to blame uses is another one."""
    action = _action(scene, at)
    if blamed is None:
        action.food = card
        return scene
    cards = action.exchanges[blamed].cards
    last = max(place for place, one in enumerate(cards) if one == wrong)
    cards[last] = card
    return scene


def _free_cards(scene: Scene, at: int, near: int) -> list[int]:
    """The cards of a player that its action does not use, the nearest to this number first."""
    action = _action(scene, at)
    used = {action.food, *(card for exchange in action.exchanges for card in exchange.cards)}
    free = [card for card in range(len(scene.seats[at].hand or [])) if card not in used]
    return sorted(free, key=lambda card: (abs(card - near), card))


def _new_cards(scene: Scene) -> "Iterator[Card]":
    """Cards that nobody has and that are not in the deck."""
    there = {*scene.deck, *(card for seat in scene.seats for card in seat.hand or [])}
    for trait in sorted(TRAITS):
        most = TRAITS[trait].most_food
        yield from ((food, trait) for food in range(-most, most + 1) if (food, trait) not in there)


def _like(card: "Card", others: "Iterable[Card]") -> list["Card"]:
    """The first other cards of each trait, the nearest in food to this card first."""
    nearest: dict[str, Card] = {}
    for other in sorted(others, key=lambda other: (other[1] == "carnivore", abs(other[0] - card[0]), other)):
        nearest.setdefault(other[1], other)
    return list(nearest.values())


def _with_other_board(scene: Scene, at: int, blamed: int, count: int) -> "Iterator[Scene]":
    """The scene in which an exchange names another board of so many, the last one first; or has its board."""
    for board in reversed(range(count)):
        changed = copy(scene)
        _action(changed, at).exchanges[blamed].board = board
        yield changed
    changed = copy(scene)
    changed.seats[at].boards.append(replace(WORM, traits=[]))
    yield changed


def _with_other_slot(scene: Scene, at: int, blamed: int, count: int) -> "Iterator[Scene]":
    """The scene in which an exchange names another trait slot of so many; or in which there is one."""
    for slot in reversed(range(count)):
        changed = copy(scene)
        _action(changed, at).exchanges[blamed].slot = slot
        yield changed
    board = _action(scene, at).exchanges[blamed].board
    boards = scene.seats[at].boards
    for trait in sorted(TRAITS) if board < len(boards) else ():
        if trait not in boards[board].traits:
            traits = [*boards[board].traits, trait]
            yield _with_board(scene, at, board, replace(boards[board], traits=traits))


def _with_other_trait(scene: Scene, at: int, board: int, trait: str) -> "Iterator[Scene]":
    """The scene in which a board gets another trait than the one that it would have twice."""
    hand = scene.seats[at].hand or []
    giving = [(index, card) for index, card in _giving_traits(scene, at, board) if hand[card][1] == trait]
    for index, card in reversed(giving):
        for other in _free_cards(scene, at, card):
            yield _with_card(copy(scene), at, index, card, other)
    for _, card in reversed(giving):
        for new in _like(hand[card], _new_cards(scene)):
            changed = copy(scene)
            (changed.seats[at].hand or [])[card] = new
            yield changed


def _giving_traits(scene: Scene, at: int, board: int) -> "Iterator[tuple[int, int]]":
    """The exchanges that give traits to a board, each with a card whose trait that is."""
    bought = board - len(scene.seats[at].boards)
    for index, exchange in enumerate(_action(scene, at).exchanges):
        if exchange.kind == BT:
            yield from ((index, card) for card in exchange.cards[1:] if bought == 0)
            bought -= 1
        elif exchange.kind == RT and exchange.board == board:
            yield index, exchange.cards[0]


def _with_smaller_board(scene: Scene, at: int, kind: int, board: int, much: int) -> "Iterator[Scene]":
    """The scene in which a board that would grow too far was smaller before, or grows less."""
    boards = scene.seats[at].boards
    less = much - MOST
    if board < len(boards):
        old = boards[board]
        if kind == GP and old.population > less:
            fewer = old.population - less
            yield _with_board(scene, at, board, replace(old, population=fewer, food=min(old.food, fewer)))
        elif kind == GB and old.body >= less:
            body = old.body - less
            fat = None if old.fat is None else min(old.fat, body)
            yield _with_board(scene, at, board, replace(old, body=body, fat=fat))
    for index, exchange in reversed([*enumerate(_action(scene, at).exchanges)]):
        if exchange.kind == kind and exchange.board == board:
            yield from _kept(scene_without(scene, [("exchange", at, index)]))


# Scenes


def _action(scene: Scene, at: int) -> Action:
    action = scene.seats[at].action
    assert action is not None  # of a player in a step 4
    return action


def _with_board(scene: Scene, at: int, place: int, board: Board) -> Scene:
    changed = copy(scene)
    changed.seats[at].boards[place] = board
    return changed


def _kept(scene: "Scene | None") -> "Iterable[Scene]":
    return () if scene is None else (scene,)
