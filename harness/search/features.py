"""Input features: what can be said of an input in a few words, and which of it tells failures from passes.

A feature is a clause that ends a sentence such as "it fails all tables in which ...". `features_of` finds all
that hold for an input: facts about it and about what the rules make of it, never about a program.
`separating` finds the feature, or two of them together, that the failures have and the passes have not. With
few cases some feature always fits by chance, so one is told only if chance would hardly bring it about among
all those that were tried.
"""

from dataclasses import dataclass
from functools import cache
from math import comb

from evolution.attack import NOT_A_CARNIVORE
from evolution.wire.errors import BadInput
from harness.fixtures.forms import (
    EQUAL_CARDS,
    EQUAL_IDS,
    FAT_WITHOUT_TISSUE,
    FEW_PLAYERS,
    HUGE_NUMBERS,
    LABELLED,
    LEAST_PLAYERS,
    MIXED,
    MIXED_LABELS,
    NO_CARDS,
    NO_FAT,
    STATE,
    UNLABELLED,
    growth_of,
)
from harness.fixtures.forms import forms_of as generous_forms_of
from harness.inputs.kinds import CHOICE, FEEDING, SITUATION, STATE_WITH_HAND, WITH_ACTIONS
from harness.inputs.scene import BT, GB, GP, RT, scene_of
from harness.programs.reference import watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

    from harness.inputs.scene import Action, Board, Scene, Seat

LEAST_FAILURES = 3  # that a feature is told of
LEAST_SHARE = 0.8  # of the cases with the feature, how many must fail
MOST_CHANCE = 0.01  # how likely it may be that some feature fits as well by chance
MOST_PAIRED = 150  # features that are tried in pairs

ROLES = ("the defender", "the attacker", "the left neighbour", "the right neighbour")

# What concerns the form of an input, which a program may not read at all.
GENEROUS = {
    STATE: "the input is a State",
    FEW_PLAYERS: "there are fewer than 3 players",
    EQUAL_IDS: "two players have the same id",
    EQUAL_CARDS: "there are equal cards",
    HUGE_NUMBERS: "there is a number of 2^31 or more",
    MIXED_LABELS: "some growth is labelled and some is not",
    NO_FAT: 'there is a pair ["fat-food",0]',
    NO_CARDS: 'there is a pair ["cards",[]]',
    FAT_WITHOUT_TISSUE: "a board without fat-tissue has fat-food",
}
GROWS = "something grows"
GROWTH = {LABELLED: "growth is labelled", UNLABELLED: "growth is not labelled"}
OF_FORM = frozenset((*GENEROUS.values(), GROWS, *GROWTH.values()))

WITH_HANDS = (CHOICE, STATE_WITH_HAND)  # the kinds in which a player chooses with its hand

# What an input is called.
NOUNS = {"xattack": "situations", "xsilly": "hands"}
TABLES = "tables"


@dataclass(frozen=True, slots=True)
class Separation:
    """How well a feature, or two at once, tells failures from passes.

    words: the clauses. failing: the places of the failures that have it. passing: how many passes have it.
    missed: how many failures do not.
    """

    words: tuple[str, ...]
    failing: tuple[int, ...]
    passing: int
    missed: int


def noun(program: str) -> str:
    """What the inputs of a program are called, many of them."""
    return NOUNS.get(program, TABLES)


# What holds for an input


def features_of(program: str, value: "Any") -> tuple[str, ...]:
    """The features of a well-formed input, the plainest first; none if it cannot be taken apart."""
    try:
        scene = scene_of(program, value)
        answer, events = watch(program, value)
    except (BadInput, ValueError, TypeError, KeyError, IndexError):
        return ()
    found: dict[str, None] = {}
    for clauses in (
        _forms(program, value),
        _roles(scene) if scene.kind == SITUATION else _table(scene),
        _actions(scene, answer is not None),
        _answers(program, answer),
        _events(events),
    ):
        found.update(dict.fromkeys(clauses))
    return tuple(found)


def _forms(program: str, value: "Any") -> "Iterator[str]":
    """What goes beyond the form that everybody reads."""
    yield from (GENEROUS[form] for form in generous_forms_of(program, value))
    if program == "xstep4" and (growth := growth_of(value)):
        yield GROWS
        if growth != MIXED:
            yield GROWTH[growth]


def _roles(scene: "Scene") -> "Iterator[str]":
    """The four boards of a situation."""
    for role, seat in zip(ROLES, scene.seats, strict=True):
        if not seat.boards:
            yield f"there is no {role.removeprefix('the ')}"
        for board in seat.boards:
            yield from (f"{role} has {trait}" for trait in board.traits)
            yield from (f"{role} has {pair}" for pair in _pairs(board))
            if board.fat:
                yield f"{role} has stored fat"
    defender, attacker = (seat.boards[0] for seat in scene.seats[:2])
    yield f"the attacker's body is {_compared(attacker.body, defender.body)} the defender's"
    yield f"the attacker's population is {_compared(attacker.population, defender.population)} the defender's"
    if defender.food == defender.population:
        yield "the defender has eaten its fill"


def _compared(one: int, other: int) -> str:
    return "larger than" if one > other else "smaller than" if one < other else "as large as"


def _pairs(board: "Board") -> "Iterator[str]":
    """The pairs of traits on a board."""
    traits = sorted(board.traits)
    yield from (f"{one} and {other}" for at, one in enumerate(traits) for other in traits[at + 1 :])


def _table(scene: "Scene") -> "Iterator[str]":
    """The boards and players of a table."""
    asked = scene.seats[scene.asked]
    others = [seat for seat in scene.seats if seat is not asked]
    boards = [board for _, _, board in scene.boards]
    owner = "the first player" if scene.kind not in WITH_HANDS else "the player"
    yield from (f"a board has {trait}" for board in boards for trait in board.traits)
    for trait in _traits(asked):
        yield f"{owner} has a board with {trait}"
    for trait in {trait for seat in others for trait in _traits(seat)}:
        yield f"another player has a board with {trait}"
    yield from (f"a board has {pair}" for board in boards for pair in _pairs(board))
    if len(scene.seats) > LEAST_PLAYERS:
        yield "there are more than 3 players"
    if len(scene.seats) < LEAST_PLAYERS and scene.kind == FEEDING:  # which everybody should read
        yield GENEROUS[FEW_PLAYERS]
    if not scene.hole and scene.kind not in WITH_HANDS:
        yield "the watering hole is empty"
    if scene.hole == 1:
        yield "there is one token in the watering hole"
    if scene.deck:
        yield "there are cards in the deck"
    yield from _of_boards(asked, boards, owner)
    yield from _of_hands(scene, asked)


def _traits(seat: "Seat") -> set[str]:
    return {trait for board in seat.boards for trait in board.traits}


def _of_boards(asked: "Seat", boards: "list[Board]", owner: str) -> "Iterator[str]":
    if any(board.fat for board in boards):
        yield "a board has stored fat"
    if any("fat-tissue" in board.traits and board.body > (board.fat or 0) for board in boards):
        yield "a board can store more fat"
    hungry = [board for board in asked.boards if board.food < board.population]
    hunters = sum("carnivore" in board.traits for board in hungry)
    if hunters:
        yield f"{owner} has a hungry carnivore"
    if hunters > 1:
        yield f"{owner} has several hungry carnivores"
    if len(hungry) - hunters > 1:
        yield f"{owner} has several hungry vegetarians"
    if not asked.boards:
        yield f"{owner} has no boards"
    if any(board.population == 7 for board in boards):
        yield "a board has a population of 7"
    if any(board.body == 7 for board in boards):
        yield "a board has a body of 7"
    looks = [(board.food, board.body, board.population, tuple(board.traits)) for board in boards]
    if len(set(looks)) < len(looks):
        yield "two boards look the same"


def _of_hands(scene: "Scene", asked: "Seat") -> "Iterator[str]":
    if any(seat.hand for seat in scene.seats) and scene.kind not in (*WITH_HANDS, *WITH_ACTIONS):
        yield "a player has cards"
    if scene.kind not in WITH_HANDS:
        return
    hand = asked.hand or []
    yield f"there are {len(hand)} cards" if len(hand) < 7 else "there are 7 cards or more"
    traits = [trait for _, trait in hand]
    if len(set(traits)) < len(traits):
        yield "two cards have the same trait"
    if any(value < 0 for value, _ in hand):
        yield "a card has a value below 0"
    if asked.boards:
        yield "the player has boards"


def _actions(scene: "Scene", legal: bool) -> "Iterator[str]":
    """The exchanges that the players of a step 4 want, and whether they get them."""
    actions = [(seat, seat.action) for seat in scene.seats if seat.action]
    for seat, action in actions:
        for clause in _exchanges(action, len(seat.boards)):
            yield clause
            if legal:
                yield f"{clause} legally"
        value = seat.hand[action.food][0] if seat.hand and action.food < len(seat.hand) else 0
        if value < 0:
            yield "a food card takes tokens away"
    if sum(bool(action.exchanges) for _, action in actions) > 1:
        yield "several players exchange cards"


def _exchanges(action: "Action", old: int) -> "Iterator[str]":
    kinds = {GP: "a population grows", GB: "a body grows", BT: "a board is bought", RT: "a trait is replaced"}
    for exchange in action.exchanges:
        yield kinds[exchange.kind]
        if exchange.kind in (GP, GB) and exchange.board >= old:
            yield "a new board grows"
        if exchange.kind == RT and exchange.board >= old:
            yield "a trait of a new board is replaced"
        if exchange.kind == BT:
            yield (
                "a board is bought with traits"
                if len(exchange.cards) > 1
                else "a board is bought without traits"
            )
    if len(action.of_kind(BT)) > 1:
        yield "a player buys several boards"


def _answers(program: str, answer: "str | None") -> "Iterator[str]":
    """What the right answer is like."""
    if answer is None:
        yield "the right answer is nothing"
    elif answer in ("true", "false"):
        yield f"the right answer is {answer}"
    elif program == "xfeed":
        kind = (
            "an attack"
            if answer.count(",") == 2
            else "to store fat"
            if "," in answer
            else "to feed a vegetarian"
        )
        yield f"the right answer is {kind}"


REASONS = {
    "attack": "an attacker",
    "choice": "a vegetarian of the player's choice",
    "cooperation": "a board beside one with cooperation",
    "foraging": "a forager, once more,",
    "long-neck": "a board with long-neck",
    "scavenger": "a scavenger",
}
HAPPENS: "dict[tuple[str, ...], str]" = {
    ("fertile", "hungry"): "a fertile board grows",
    ("fertile", "full"): "a fertile board grows",
    ("fertile", "at the most"): "a fertile board cannot grow",
    ("fat", "all"): "a board eats its stored fat",
    ("fat", "exact"): "a board eats its stored fat",
    ("fat", "part"): "a board eats a part of its stored fat",
    ("fat", "no need"): "a full board keeps its stored fat",
    ("store", "fewer"): "a board needs more fat than there are tokens",
    ("wound", "horns"): "horns wound an attacker",
    ("wound", "attack"): "a board is attacked",
    ("horns kill",): "horns kill an attacker while a scavenger is hungry",
    ("cycle", "who is out could eat again"): "a player that is out could eat again later",
    ("cycle", "2 out already"): "several players are out while another one feeds",
    ("scavengers",): "scavengers are fed after an attack of another player than the first",
    ("ids", "not in order"): "the ids of the players are not in order",
    ("legal",): "a board has a trait twice until all its traits are replaced",
    ("unasked", "attacks"): "a player must attack without being asked",
}
DECIDED = {
    "its place": "their place decides",
    "population": "the population decides",
    "food": "the food decides",
    "body": "the body decides",
}
CHOSEN = {
    "stores": "boards that could store fat",
    "eats": "vegetarians that could be fed",
    "attacks": "carnivores that could attack",
}


def _events(seen: "Iterable[tuple[str, ...]]") -> "Iterator[str]":
    """What happens on the way to the right answer."""
    for event in seen:
        happens = HAPPENS.get(event[:2]) or HAPPENS.get(event[:1])
        if happens is not None:
            yield happens
        if event[0] in TELLING and event[1] != "then":
            yield from TELLING[event[0]](event)
        elif len(event) == 4 and event[1] in ("blocked only by", "not blocked by"):
            yield from _edges(event)


def _eaten(event: tuple[str, ...]) -> "Iterator[str]":
    why, outcome = event[:2]
    who = REASONS[why]
    if outcome.startswith("eats"):
        yield f"{who} eats"
        if "last token" in outcome:
            yield f"{who} eats the last token"
        if why == "cooperation" and event[-1] == "nobody on its right":
            yield "the last board of a row eats because its neighbour has cooperation"
    elif outcome == "finds nothing":
        yield f"{who} finds the hole empty"
    else:
        yield f"{who} could eat but is full"


def _wounded(event: tuple[str, ...]) -> "Iterator[str]":
    if event[2].startswith("0 left"):
        yield "an attacker dies of horns" if event[1] == "horns" else "an attacked board dies out"


def _drawn(event: tuple[str, ...]) -> "Iterator[str]":
    if event[1] != "deck 0":
        yield "a player draws cards for a board that has died out"


def _revealed(event: tuple[str, ...]) -> "Iterator[str]":
    if event[3] == "below 0":
        yield "a food card takes more tokens than there are"


def _replaced(event: tuple[str, ...]) -> "Iterator[str]":
    if event[1] == "replace" and event[-1] == "with fat":
        yield "fat-tissue is replaced on a board with stored fat"


def _illegal(event: tuple[str, ...]) -> "Iterator[str]":
    reason = event[1]
    yield f"an action is illegal ({reason})"
    if reason.endswith("above 7"):
        yield "a board would grow beyond 7"
    if reason.endswith(" twice") and reason != "card used twice":
        yield "a board would have a trait twice"


def _chosen(event: tuple[str, ...]) -> "Iterator[str]":
    """What decides between boards that could be chosen."""
    if len(event) == 4 and event[1] in CHOSEN:
        decided = DECIDED.get(event[3] if event[1] == "attacks" else event[2])
        if decided is not None and (event[1] != "attacks" or event[2] == "hunter by"):
            yield f"of {CHOSEN[event[1]]} {decided}"


def _edges(event: tuple[str, ...]) -> "Iterator[str]":
    """A trait that alone stops an attack, or only just does not."""
    _, verdict, reason, facet = event
    if reason == NOT_A_CARNIVORE:
        yield "the attacker is no carnivore"
    elif verdict == "blocked only by":
        yield f"{reason} alone stops an attack"
        yield f"{reason} alone stops an attack ({facet})"
    else:
        yield f"an attack gets past {reason}"
        yield f"an attack gets past {reason} ({facet})"


# What is told of an event that begins with such a word.
TELLING: "dict[str, Callable[[tuple[str, ...]], Iterator[str]]]" = {
    **dict.fromkeys(REASONS, _eaten),
    "wound": _wounded,
    "draw": _drawn,
    "reveal": _revealed,
    "action": _replaced,
    "illegal": _illegal,
    "asked": _chosen,
    "unasked": _chosen,
}


# What tells failures from passes


def separating(failures: "Sequence[Iterable[str]]", passes: "Sequence[Iterable[str]]") -> "Separation | None":
    """The feature, or two, that the failures have and the passes have not; None if there is none to trust.

    Given the features of each failure and of each pass. It need not be one that all failures have.
    """
    if len(failures) < LEAST_FAILURES or not passes:
        return None
    failing, passing = _masks(failures), _masks(passes)
    every = _distinct(
        ((word,), failing.get(word, 0), passing.get(word, 0)) for word in dict.fromkeys((*failing, *passing))
    )
    # All that could have fitted count as tried, not only what does.
    tried = sum(mask.bit_count() + among.bit_count() >= LEAST_FAILURES for _, mask, among in every)
    simple = [one for one in every if one[1].bit_count() >= LEAST_FAILURES]
    best = _best(simple, tried, len(failures), len(passes))
    likely = sorted(simple, key=lambda one: one[2].bit_count() - one[1].bit_count())[:MOST_PAIRED]
    pairs = _distinct(
        ((*words, *more), mask & other, among & besides)
        for at, (words, mask, among) in enumerate(likely)
        for more, other, besides in likely[at + 1 :]
        if (mask & other).bit_count() >= LEAST_FAILURES
    )
    better = _best(pairs, tried * tried // 2, len(failures), len(passes))
    found = [one for one in (best, better) if one]
    if not found:
        return None
    _, words, mask, among = min(found, key=lambda one: (one[0], len(one[1])))
    at = tuple(place for place in range(len(failures)) if mask >> place & 1)
    return Separation(words, at, among.bit_count(), len(failures) - len(at))


def _masks(cases: "Sequence[Iterable[str]]") -> dict[str, int]:
    """For each feature, which of the cases have it, as bits."""
    found: dict[str, int] = {}
    for at, words in enumerate(cases):
        for word in words:
            found[word] = found.get(word, 0) | 1 << at
    return found


def _distinct(
    found: "Iterable[tuple[tuple[str, ...], int, int]]",
) -> "list[tuple[tuple[str, ...], int, int]]":
    """Of features that the same cases have, the first."""
    first: dict[tuple[int, int], tuple[str, ...]] = {}
    for words, failing, passing in found:
        first.setdefault((failing, passing), words)
    return [(words, failing, passing) for (failing, passing), words in first.items()]


def _best(
    found: "list[tuple[tuple[str, ...], int, int]]", tried: int, failures: int, passes: int
) -> "tuple[float, tuple[str, ...], int, int] | None":
    """The one that chance is least likely to bring about, with that chance; None if none can be trusted."""
    best = None
    for words, failing, passing in found:
        wrong, right = failing.bit_count(), passing.bit_count()
        if wrong < LEAST_SHARE * (wrong + right):
            continue
        chance = tried * _by_chance(wrong, right, failures, passes)
        if chance < MOST_CHANCE and (best is None or chance < best[0]):
            best = chance, words, failing, passing
    return best


@cache
def _by_chance(wrong: int, right: int, failures: int, passes: int) -> float:
    """How likely it is that of so many cases, drawn at random, so many or more are failures."""
    drawn = wrong + right
    ways = sum(
        comb(failures, count) * comb(passes, drawn - count)
        for count in range(wrong, min(drawn, failures) + 1)
    )
    return ways / comb(failures + passes, drawn)
