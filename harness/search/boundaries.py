"""What does not matter in a smallest case: which of its numbers could be others, and where the boundary is.

A smallest case says what is needed, but a reader takes a body of 0 for a part of the matter, too. So each
number is changed by itself, step by step away from what it is, as long as the program is wrong in the same
way: bodies, populations, tokens, how many players, boards and cards there are. Nothing is told that was not
tried.
"""

import time
from dataclasses import dataclass, replace
from functools import partial

from evolution.cards import full_deck
from evolution.traits import MOST, TRAITS
from harness.inputs.kinds import CHOICE, CONFIGURATION, SITUATION, STATES, STEP4, is_well_formed
from harness.inputs.scene import Action, Board, Scene, Seat, copy, scene_of, value_of
from harness.judging.verdicts import PASS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from harness.inputs.scene import Card
    from harness.judging.judge import Judgement

    # The scene with another number; None if that cannot be.
    Change = Callable[[Scene, int], Scene | None]
    # What becomes of inputs: one of the words below for each, or nothing if it was not asked.
    Ask = Callable[[list[Any]], list[str]]

MOST_ASKED = 60  # questions about one case
SAME = "same"  # wrong in the same way
RIGHT = "right"
OTHER = "other"  # wrong in another way
UNKNOWN = "unknown"  # how it goes on was not tried

MOST_PLAYERS = 8
STEPS = (1, 2, 3, 10)  # how much more is tried of what has no end
FEW = (1, 2)  # and of what is hardly ever special
ROLES = ("the defender", "the attacker", "the left neighbour", "the right neighbour")


@dataclass(frozen=True, slots=True)
class Part:
    """A number of a case: what it is called, what it is, which others there are to try, nearest first.

    endless: whether there is no largest one. either: what is said if it can be 0 and 1, and nothing else.
    """

    words: str
    value: int
    below: "Sequence[int]"
    above: "Sequence[int]"
    change: "Change"
    endless: bool = False
    either: str = ""


@dataclass(frozen=True, slots=True)
class Range:
    """The numbers that a part may have, all else as it is, with the program wrong in the same way.

    most: None if there is no end, and of what is above only some were tried. below, above: what becomes of
    the case beyond that, and from which number on; nothing if there is no number beyond it.
    """

    part: str
    least: int
    most: "int | None"
    below: "tuple[int, str] | None" = None
    above: "tuple[int, str] | None" = None
    either: str = ""
    tried: "tuple[int, ...]" = ()

    @property
    def is_free(self) -> bool:
        """Whether it could be another number at all."""
        return self.most is None or self.least < self.most

    @property
    def sentence(self) -> str:
        """The range and its boundaries in words."""
        if self.either:
            return f"{self.part}: {self.either}"
        ends = [end for end in (self.below, self.above) if end]
        surely = "at least " if any(how == UNKNOWN for _, how in ends) else "any "
        to = f"on (tried: {', '.join(map(str, self.tried))})" if self.most is None else f"to {self.most}"
        beyond = [f"with {at} the program is {WORDS[how]}" for at, how in ends if how in WORDS]
        return "; ".join([f"{self.part}: {surely}from {self.least} {to}", *beyond])

    def to_json(self) -> "dict[str, Any]":
        """The range for tools."""
        ends = {"below": self.below, "above": self.above}
        told = {name: end and {"at": end[0], "then": end[1]} for name, end in ends.items()}
        return {"part": self.part, "from": self.least, "to": self.most, **told, "sentence": self.sentence}


def likeness(judgement: "Judgement", other: "Judgement") -> str:
    """Whether a program is wrong in the same way as in another case, in another way, or right."""
    if judgement.verdict == PASS:
        return RIGHT
    kinds = [
        (one.verdict, one.differences[0].likeness if one.differences else None) for one in (judgement, other)
    ]
    return SAME if kinds[0] == kinds[1] else OTHER


WORDS = {RIGHT: "right", OTHER: "wrong in another way"}


def boundaries(
    program: str,
    value: "Any",
    ask: "Ask",
    *,
    until: "float | None" = None,
    ahead: int = 1,
    most: int = MOST_ASKED,
) -> list[Range]:
    """How far each number of a case can be changed by itself, as far as so many questions tell, and the time.

    Round by round the next number of every part is tried in both directions, so many at once as `ahead` says.
    """
    scene = scene_of(program, value)
    ways = [_Way(part, numbers) for part in parts(scene) for numbers in (part.below, part.above)]
    left = most
    while left > 0:
        tried = [(way, way.next(program, scene)) for way in ways]
        asked = [(way, new) for way, new in tried if new is not None]
        for at in range(0, len(asked), ahead):
            if until is not None and time.monotonic() > until:
                left = 0
            chunk = asked[at : at + min(ahead, left)]
            answers = ask([new for _, new in chunk]) if chunk else []
            for (way, _), answer in zip(chunk, answers, strict=True):
                way.take(answer)
            left -= len(chunk)
        if not asked:
            break
    return [_range(down.part, down, up) for down, up in zip(ways[::2], ways[1::2], strict=True)]


class _Way:
    """One direction in which a number is changed: how far it went, and how that ended."""

    def __init__(self, part: Part, numbers: "Sequence[int]") -> None:
        self.part = part
        self.reached = part.value
        self.end: tuple[int, str] | None = None
        self._left = [*numbers]

    def next(self, program: str, scene: Scene) -> "Any":
        """The case with the next number; None if there is none to try."""
        if not self._left or self.end:
            return None
        changed = self.part.change(copy(scene), self._left[0])
        value = None if changed is None else value_of(changed)
        if value is None or not is_well_formed(program, value):
            self._left = []  # there are no such numbers
            return None
        return value

    def take(self, answer: str) -> None:
        """Go on, or not, by what became of that case."""
        number = self._left.pop(0)
        if answer == SAME:
            self.reached = number
        elif answer:
            self.end = number, answer
        else:
            self._left = []

    @property
    def beyond(self) -> "tuple[int, str] | None":
        """The first number beyond what was reached, and what is known of it."""
        return (self._left[0], UNKNOWN) if self._left and not self.end else self.end


def _range(part: Part, down: _Way, up: _Way) -> Range:
    if part.endless and up.reached == part.above[-1]:
        return Range(part.words, down.reached, None, down.beyond, up.beyond, tried=tuple(part.above))
    return Range(part.words, down.reached, up.reached, down.beyond, up.beyond, part.either)


def recorded(found: "Sequence[Range]") -> "dict[str, Any]":
    """For tools: the parts that could be other numbers, and the names of those that could not."""
    fixed = [one.part for one in found if not one.is_free and _is_tried(one)]
    return {"could_be": [one.to_json() for one in found if one.is_free], "must_be": fixed}


def _is_tried(one: Range) -> bool:
    return any(end and end[1] in WORDS for end in (one.below, one.above))


def lines(record: "dict[str, Any]") -> list[str]:
    """Ranges that were recorded, in lines for people; nothing if nothing could be another number."""
    if not record["could_be"]:
        return []
    told = ["could be anything, one at a time:", *(f"  {one['sentence']}" for one in record["could_be"])]
    return [*told, f"must be as it is: {'; '.join(record['must_be'])}"] if record["must_be"] else told


def groups(record: "dict[str, Any]") -> "list[tuple[str, list[str]]]":
    """The same for a page: headings, each with its lines."""
    if not record["could_be"]:
        return []
    free = [one["sentence"] for one in record["could_be"]]
    return [("Could be anything, one at a time", free), ("Must be as it is", record["must_be"])]


# The parts of a case


def parts(scene: Scene) -> "Iterator[Part]":
    """The numbers of a scene that can be changed, the most telling first."""
    yield from _table_parts(scene)
    for at, place, board in scene.boards:
        yield from _board_parts(scene, at, place, board)
    for at, seat in enumerate(scene.seats):
        yield from _row_part(scene, at, seat)
    for at, seat in enumerate(scene.seats):
        for place, (_, trait) in enumerate(seat.hand or []):
            yield _card_part(_owner(scene, at), at, place, seat.hand or [], TRAITS[trait].most_food)
    bag = scene.seats[scene.asked].bag
    others_too = scene.kind != CHOICE and scene.kind not in STATES
    differ = others_too and any(seat.bag != bag for seat in scene.seats)  # then that matters
    if scene.kind != SITUATION and not differ:
        yield Part("every bag", bag, (), [bag + 1, bag + 10], _with_bags, endless=True)


def _table_parts(scene: Scene) -> "Iterator[Part]":
    if scene.kind == SITUATION:
        return
    hole, seats, deck = scene.hole, len(scene.seats), len(scene.deck)
    if scene.kind != CHOICE:
        yield Part(
            "tokens in the watering hole",
            hole,
            range(hole - 1, -1, -1),
            [hole + step for step in STEPS],
            lambda scene, number: replace(scene, hole=number),
            endless=True,
        )
    yield Part("the number of players", seats, (), range(seats + 1, MOST_PLAYERS + 1), _with_players)
    if scene.kind in (CONFIGURATION, STEP4):
        more = [deck + step for step in FEW]
        yield Part("the number of cards in the deck", deck, (), more, _with_cards, endless=True)


def _owner(scene: Scene, at: int) -> str:
    """What a seat is called: as in the sentences on how answers differ."""
    if scene.kind == SITUATION:
        return ROLES[at]
    if scene.kind in STATES:
        return "the player" if not at else f"player {at - 1} of the others"
    return f"player {at}"


def _board_parts(scene: Scene, at: int, place: int, board: Board) -> "Iterator[Part]":
    owner = _owner(scene, at)
    where = f"{owner}'s" if scene.kind == SITUATION else f"{owner}, board {place},"
    numbers = {
        "body": (board.body, 0, MOST),
        "population": (board.population, 1, MOST),
        "food": (board.food, 0, board.population),
    }
    if "fat-tissue" in board.traits:
        numbers["fat"] = (board.fat or 0, 0, board.body)
    for name, (value, least, most) in numbers.items():
        below, above = range(value - 1, least - 1, -1), range(value + 1, most + 1)
        yield Part(f"{where} {name}", value, below, above, partial(_with_number, at, place, name))


def _row_part(scene: Scene, at: int, seat: Seat) -> "Iterator[Part]":
    """How many boards a row has. Where boards are bought, their numbers would become others."""
    owner, count = _owner(scene, at), len(seat.boards)
    change = partial(_with_boards, at)
    if scene.kind == SITUATION:
        if not count:
            yield Part(owner, 0, (), [1], change, either="none, or a plain board")
    elif not (seat.action and seat.action.exchanges):
        more = [count + step for step in FEW]
        yield Part(f"the number of boards of {owner}", count, (), more, change, endless=True)


def _card_part(owner: str, at: int, place: int, hand: "list[Card]", most: int) -> Part:
    value = hand[place][0]
    below, above = range(value - 1, -most - 1, -1), range(value + 1, most + 1)
    return Part(f"the value of {owner}'s card {place}", value, below, above, partial(_with_card, at, place))


# The same scene with another number; each gets a copy that it may change


def _with_number(at: int, place: int, name: str, scene: Scene, number: int) -> Scene:
    setattr(scene.seats[at].boards[place], name, number)
    return scene


def _with_boards(at: int, scene: Scene, number: int) -> Scene:
    boards = scene.seats[at].boards
    boards += [_plain() for _ in range(number - len(boards))]
    return scene


def _plain() -> Board:
    return Board(0, 0, 1, [], None)


def _with_bags(scene: Scene, number: int) -> Scene:
    for seat in scene.seats:
        seat.bag = number
    return scene


def _with_card(at: int, place: int, scene: Scene, number: int) -> Scene:
    hand = scene.seats[at].hand or []
    hand[place] = (number, hand[place][1])
    return scene


def _with_cards(scene: Scene, number: int) -> "Scene | None":
    scene.deck += _unused(scene)[: number - len(scene.deck)]
    return scene if len(scene.deck) == number else None


def _with_players(scene: Scene, number: int) -> "Scene | None":
    """The scene with players at its end; in a step 4 each has a food card that is worth nothing."""
    cards = _unused(scene)
    while len(scene.seats) < number:
        seat = Seat([_plain()], id=max(seat.id for seat in scene.seats) + 1)
        if scene.kind == STEP4:
            if not cards:
                return None
            seat.hand, seat.action = [cards.pop()], Action(0, [])
        scene.seats.append(seat)
    return scene


def _unused(scene: Scene) -> "list[Card]":
    """Cards without value that are nowhere in the scene."""
    used = {*scene.deck, *(card for seat in scene.seats for card in seat.hand or [])}
    return [card for card in full_deck() if not card[0] and card not in used]
