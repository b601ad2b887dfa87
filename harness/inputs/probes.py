"""Probes: small inputs that show what a program reads, each with one generous form or none.

Whether a program answers is what counts, and not whether it is right: so there is little in a probe that a
wrong rule could make much of. Each is legal, and has something to answer.
"""

from harness.fixtures.forms import (
    EQUAL_CARDS,
    EQUAL_IDS,
    FAT_WITHOUT_TISSUE,
    LABELLED,
    LABELS,
    LEAST_PLAYERS,
    MIXED_LABELS,
    MOST_PLAYERS,
    NO_CARDS,
    NO_FAT,
    STATE,
    UNLABELLED,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    Json = Any

PLAIN, OTHER_PLAIN = "plain", "another plain one"
LONE_STATE = "a State of one player"
ENOUGH_TOKENS = 50  # beside which a huge number of them makes no difference
# Numbers that show a limit: each is broken by who keeps so many bits of it, and by nobody who keeps more.
HUGE_ONES = {31: 2**32 + 1, 53: 2**53 + 1, 63: 2**70 + 1}

TRAITS = ("climbing", "foraging", "horns", "scavenger", "fertile", "herding", "ambush", "symbiosis")
DECK_TRAIT = "long-neck"
FAT = (NO_FAT, FAT_WITHOUT_TISSUE)


def players_told(count: int) -> str:
    """The name of the probe with so many players."""
    return f"{count} player{'' if count == 1 else 's'}"


def probes(program: str, growth: str = LABELLED) -> dict[str, "Json"]:
    """The inputs to try a program with, by what is tried; growth is written in this way."""
    found: dict[str, Json] = {"xattack": _attacks, "xsilly": _choices, "xfeed": _feedings}.get(
        program, _configurations
    )()
    if program == "xstep4":
        for name, value in found.items():
            found[name] = [value, _actions(value, growth)]
        found[OTHER_PLAIN] = [found[PLAIN][0], _actions(found[PLAIN][0], "")]
        found[MIXED_LABELS] = [found[PLAIN][0], _actions(found[PLAIN][0], MIXED_LABELS)]
        del found[NO_CARDS]  # who has no card has none to reveal, which is illegal
    return found


def with_number(program: str, number: int, growth: str = LABELLED) -> "Json":
    """An input with a number that comes back in the answer, or decides about it; None if there is none."""
    if program == "xattack":
        return None
    if program == "xfeed":
        return _feeding([_board(5, 2, ["fat-tissue"], food=2), _board(1, 3)], tokens=number, bag=number)
    if program == "xsilly":
        return _choice(bag=number)
    value = _configuration(bag=number)
    return [value, _actions(value, growth)] if program == "xstep4" else value


# The parts


def _board(body: int, population: int, traits: "Sequence[str]" = (), food: int = 0) -> "Json":
    return [["food", food], ["body", body], ["population", population], ["traits", [*traits]]]


def _boards() -> "Json":
    """Two hungry vegetarians, of which one is larger."""
    return [_board(1, 2), _board(2, 3)]


def _with_fat(boards: "Json", form: str) -> "Json":
    """Boards like these with a fat-food that is either 0, or without fat-tissue."""
    more, fat = (["fat-tissue"], 0) if form == NO_FAT else ([], 1)
    return [[*board[:3], ["traits", [*board[3][1], *more]], ["fat-food", fat]] for board in boards]


def _hand(at: int) -> "Json":
    """Four cards that nobody else has."""
    return [[value, TRAITS[at]] for value in (1, 2, 3, 0)]


def _player(at: int, boards: "Json", hand: "Json" = None, number: int = 0, bag: int = 0) -> "Json":
    pairs = [["id", number or at + 1], ["species", boards], ["bag", bag]]
    return pairs if hand is None else [*pairs, ["cards", hand]]


def _others(count: int) -> "Json":
    """So many others with a board and a hand each."""
    return [_player(at, [_board(at % 3, 1 + at % 4)], _hand(at)) for at in range(1, count + 1)]


# The kinds of input


def _attacks() -> dict[str, "Json"]:
    worm, wolf = _board(1, 2), _board(4, 3, ["carnivore"])
    beside = _board(0, 1)
    return {
        PLAIN: [worm, wolf, False, False],
        OTHER_PLAIN: [worm, wolf, beside, beside],
        **{form: [*_with_fat([worm, wolf], form), False, False] for form in FAT},
        STATE: [[0, [wolf], [], 1, [[worm], [beside]]], [0, 0, 0]],
        LONE_STATE: [[0, [wolf, worm], [], 1, []], [0, 0, 1]],
    }


def _choice(boards: "Json" = None, hand: "Json" = None, bag: int = 0) -> "Json":
    asked = _player(1, _boards() if boards is None else boards, hand or [*_hand(0), *_hand(1)], bag=bag)
    return [asked, [[_board(0, 1)]], [[_board(1, 1)]]]


def _choices() -> dict[str, "Json"]:
    hand = [*_hand(0), *_hand(1)]
    return {
        PLAIN: _choice(),
        OTHER_PLAIN: _choice([]),
        EQUAL_CARDS: _choice(hand=[*hand, hand[0], hand[5]]),
        **{form: _choice(_with_fat(_boards(), form)) for form in FAT},
        STATE: [0, _boards(), hand, 1, [[_board(0, 1)], [_board(1, 1)]]],
        LONE_STATE: [0, _boards(), hand, 1, []],
    }


def _feeding(boards: "Json" = None, others: "Json" = None, tokens: int = 5, bag: int = 0) -> "Json":
    asked = _player(0, _boards() if boards is None else boards, _hand(0), bag=bag)
    return [asked, tokens, _others(2) if others is None else others]


def _feedings() -> dict[str, "Json"]:
    first, second = _others(2)
    return {
        PLAIN: _feeding(),
        OTHER_PLAIN: [_player(0, _boards()), 5, [_player(1, [_board(0, 1)])]],
        players_told(1): _feeding(others=[]),
        players_told(MOST_PLAYERS): _feeding(others=_others(MOST_PLAYERS - 1)),
        EQUAL_IDS: _feeding(others=[_player(1, [_board(1, 1)], number=1), second]),
        EQUAL_CARDS: _feeding(others=[_player(1, [_board(1, 1)], [*_hand(0), _hand(0)[0]]), second]),
        NO_CARDS: _feeding(others=[first, _player(2, [_board(1, 1)], [])]),
        **{form: _feeding(_with_fat(_boards(), form)) for form in FAT},
        STATE: [0, _boards(), _hand(0), 5, [[_board(0, 1)], [_board(1, 1)]]],
        LONE_STATE: [0, _boards(), _hand(0), 5, []],
    }


def _configuration(boards: "Json" = None, others: "Json" = None, bag: int = 0, deck: "Json" = None) -> "Json":
    asked = _player(0, _boards() if boards is None else boards, _hand(0), bag=bag)
    drawn = [[value, DECK_TRAIT] for value in (1, 2, 3)]
    return [
        [asked, *(_others(LEAST_PLAYERS - 1) if others is None else others)],
        5,
        drawn if deck is None else deck,
    ]


def _configurations() -> dict[str, "Json"]:
    first, second = _others(2)
    few = {players_told(count): _configuration(others=_others(count - 1)) for count in (1, 2, MOST_PLAYERS)}
    hand = _hand(1)
    return {
        PLAIN: _configuration(),
        OTHER_PLAIN: [[_player(at, [_board(1, 2)]) for at in range(LEAST_PLAYERS)], 5, []],
        **few,
        EQUAL_IDS: _configuration(others=[_player(1, [_board(1, 1)], hand, number=1), second]),
        EQUAL_CARDS: _configuration(
            others=[_player(1, [_board(1, 1)], [*hand, hand[3]]), second], deck=[hand[2], _hand(0)[3]]
        ),
        NO_CARDS: _configuration(others=[first, _player(2, [_board(1, 1)], [])]),
        **{form: _configuration(_with_fat(_boards(), form)) for form in FAT},
        STATE: [0, _boards(), _hand(0), 5, [[_board(0, 1)], [_board(1, 1)]]],
        LONE_STATE: [0, _boards(), _hand(0), 5, []],
    }


def _actions(value: "Json", growth: str) -> "Json":
    """Card 0 is everybody's food card; the first one's board 0 grows in both ways, if anything does."""
    nothing: Json = [0, [], [], [], []]
    labels = {LABELLED: (1, 2), UNLABELLED: (), MIXED_LABELS: (1,)}
    grows = [
        [] if not growth else [[*([LABELS[at]] if at in labels[growth] else []), 0, at]] for at in (1, 2)
    ]
    first = [0, *grows, [], []]
    return first if len(value) == 5 else [first, *[nothing] * (len(value[0]) - 1)]
