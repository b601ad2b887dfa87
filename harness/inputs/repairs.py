"""Inputs without generous forms: the same situation, written so that others can read it.

A form beyond the common one (`harness.fixtures.forms`) is taken out with as little change as possible: a
State becomes a table, missing players are added with nothing of their own, an equal card becomes another one
of the same trait or the same value, whichever matters more. What such an input shows, it shows afterwards,
too, unless the form itself was the point.
"""

from collections.abc import Callable
from typing import Any

from evolution.cards import full_deck
from harness.fixtures import forms
from harness.fixtures.dialect import COMMON, Dialect

Json = Any
Card = tuple[int, str]

DECK = full_deck()
WORM = [["food", 0], ["body", 0], ["population", 1], ["traits", []]]
FEEDING_PARTS = 3
ASIDE = [0, [], [], [], []]  # an action that uses the first card as food, and nothing else


def common(program: str, value: "Json") -> "Json":
    """An input of a program in the common form, with labels; None if there is no such way."""
    return fitted(program, value, COMMON)


def fitted(program: str, value: "Json", dialect: Dialect) -> "Json":
    """An input written so that a program of this dialect reads it; None if there is no such way."""
    for _ in REPAIRS:  # a repair may bring another form, which a later one takes away
        unread = dialect.withholds(program, value)
        if not unread:
            return dialect.write(program, value)
        form = next(form for form in REPAIRS if form in unread)
        value = REPAIRS[form](program, value)
    return None


def seated(program: str, value: "Json", least: int) -> "Json":
    """A Feeding at a table of at least so many players, for who wants them; any other input as it is.

    A Feeding of fewer is in the common form. The players who are added have no boards, and come last.
    """
    if program != "xfeed" or len(value) != FEEDING_PARTS:
        return value
    asked, tokens, others = value
    missing = least - 1 - len(others)
    more = [_player(number, []) for number in _free_ids([asked, *others], max(0, missing))]
    return [asked, tokens, [*others, *more]]


# Players


def _without_state(program: str, value: "Json") -> "Json":
    """The table that a State shows, its owner first, and nobody else with a hand."""
    if program == "xattack":
        return _situation(*value)
    state, action = value if program == "xstep4" else (value, None)
    bag, boards, hand, tokens, others = state
    first = _player(1, boards, bag, hand)
    rest = [_player(number, row) for number, row in enumerate(others, 2)]
    if program == "xfeed":
        return [first, tokens, rest]
    if program == "xsilly":
        return [first, [], others]
    if program == "xstep":
        return [[first, *rest], tokens, []]
    return [[[first, *map(_with_food_card, rest)], tokens, []], [action, *([ASIDE] * len(rest))]]


def _situation(state: "Json", choice: "Json") -> "Json":
    """The boards that a choice beside a State names, as a Situation; the nearest ones where it names none."""
    _, own, _, _, others = state
    rows = [*others, own]
    row = rows[min(choice[1], len(others))] or [WORM]
    at = min(choice[2], len(row) - 1)
    attacker = own[min(choice[0], len(own) - 1)] if own else WORM
    return [row[at], attacker, row[at - 1] if at else False, row[at + 1] if at + 1 < len(row) else False]


def _player(number: int, boards: "Json", bag: int = 0, hand: "Json" = ()) -> "Json":
    cards = [["cards", list(hand)]] if hand else []
    return [["id", number], ["species", boards], ["bag", bag], *cards]


def _with_food_card(player: "Json") -> "Json":
    return [*player[:3], ["cards", [[0, "ambush"]]]]


def _with_more_players(program: str, value: "Json") -> "Json":
    """The table with players at its end who have no boards, and but for a food card no hands."""
    table, actions = value if program == "xstep4" else (value, None)
    players, tokens, deck = table
    missing = forms.LEAST_PLAYERS - len(players)
    more = [_player(number, []) for number in _free_ids(players, missing)]
    if actions is None:
        return [[*players, *more], tokens, deck]
    return [[[*players, *map(_with_food_card, more)], tokens, deck], [*actions, *([ASIDE] * missing)]]


def _free_ids(players: "Json", count: int) -> list[int]:
    taken = {player[0][1] for player in players}
    return [number for number in range(1, len(players) + count + 1) if number not in taken][:count]


def _with_different_ids(program: str, value: "Json") -> "Json":
    """The value with different ids; of several players with one id the first keeps it."""
    players = _players(program, value)
    free = iter(_free_ids(players, len(players)))
    taken: set[int] = set()
    renamed = []
    for player in players:
        number = player[0][1] if player[0][1] not in taken else next(free)
        taken.add(number)
        renamed.append([["id", number], *player[1:]])
    return _with_players(program, value, renamed)


def _players(program: str, value: "Json") -> "Json":
    """All players of an input that is no State."""
    if program == "xfeed":
        return [value[0], *value[2]]
    if program == "xsilly":
        return [value[0]]
    return value[0][0] if program == "xstep4" else value[0]


def _with_players(program: str, value: "Json", players: "Json") -> "Json":
    """The value with other players."""
    if program == "xfeed":
        return [players[0], value[1], players[1:]]
    if program == "xsilly":
        return [players[0], *value[1:]]
    if program == "xstep4":
        return [[players, *value[0][1:]], *value[1:]]
    return [players, *value[1:]]


# Cards


def _with_different_cards(program: str, value: "Json") -> "Json":
    """The value with other cards in place of equal ones; a card that gives its trait keeps it."""
    if forms.STATE in forms.forms_of(program, value):
        value = _without_state(program, value)
    pile = _Pile()
    players = _players(program, value)
    giving = [_giving(action) for action in value[1]] if program == "xstep4" else [set()] * len(players)
    hands: list[dict[int, Json]] = [{} for _ in players]
    for first in (True, False):  # those that give their trait have the choice
        for player, places, hand in zip(players, giving, hands, strict=True):
            for at, card in enumerate(player[3][1] if len(player) > 3 else ()):
                if (at in places) == first:
                    hand[at] = pile.take(card, first)
    renewed = [
        [*player[:3], ["cards", [hand[at] for at in sorted(hand)]]] if len(player) > 3 else player
        for player, hand in zip(players, hands, strict=True)
    ]
    value = _with_players(program, value, renewed)
    if program == "xstep":
        return [*value[:2], pile.take_all(value[2])]
    if program == "xstep4":
        players, tokens, deck = value[0]
        return [[players, tokens, pile.take_all(deck)], value[1]]
    return value


def _giving(action: "Json") -> set[int]:
    """The places of the cards whose traits an action uses."""
    _, _, _, new_boards, replaced = action
    return {card for _, *cards in new_boards for card in cards} | {card for *_, card in replaced}


class _Pile:
    """The cards of the game, each of which can be taken once."""

    def __init__(self) -> None:
        self._left: dict[Card, None] = dict.fromkeys(DECK)

    def take(self, card: "Json", for_its_trait: bool) -> "Json":
        """This card, or if it is gone the one that is most like it; itself if all are gone."""
        food, trait = card
        if not self._left:
            return card
        if (food, trait) not in self._left:
            food, trait = min(self._left, key=lambda one: _unlike(one, food, trait, for_its_trait))
        del self._left[food, trait]
        return [food, trait]

    def take_all(self, cards: "Json") -> "Json":
        """These cards of a deck, or those most like them; no more than are left."""
        return [self.take(card, False) for card in cards[: len(self._left)]]


def _unlike(card: "Card", food: int, trait: str, for_its_trait: bool) -> "tuple[object, ...]":
    if for_its_trait:
        return card[1] != trait, abs(card[0] - food)
    return abs(card[0] - food), card[1] == "carnivore"


# Parts


def _with_labels(program: str, value: "Json") -> "Json":
    return forms.with_growth(value, forms.LABELLED)


def _changed(value: "Json", change: "Callable[[Json], Json]") -> "Json":
    """The value with every part of it changed, the smallest parts first."""
    return change([_changed(part, change) for part in value] if type(value) is list else value)


def _with_smaller_numbers(program: str, value: "Json") -> "Json":
    return _changed(value, lambda part: min(part, forms.HUGE - 1) if type(part) is int else part)


def _without_pair(pair: "Json") -> "Callable[[str, Json], Json]":
    """A repair that takes a pair away wherever it stands."""
    return lambda program, value: _changed(
        value, lambda part: [one for one in part if one != pair] if type(part) is list else part
    )


def _without_useless_fat(program: str, value: "Json") -> "Json":
    def lean(part: "Json") -> "Json":
        is_board = type(part) is list and len(part) == 5 and part[4][:1] == ["fat-food"]
        return part[:4] if is_board and "fat-tissue" not in part[3][1] else part

    return _changed(value, lean)


# Pairs that say nothing go before cards are looked at, and a State becomes a table before its players count.
REPAIRS: "dict[str, Callable[[str, Json], Json]]" = {
    forms.NO_FAT: _without_pair(["fat-food", 0]),
    forms.NO_CARDS: _without_pair(["cards", []]),
    forms.FAT_WITHOUT_TISSUE: _without_useless_fat,
    forms.HUGE_NUMBERS: _with_smaller_numbers,
    forms.STATE: _without_state,
    forms.FEW_PLAYERS: _with_more_players,
    forms.EQUAL_IDS: _with_different_ids,
    forms.EQUAL_CARDS: _with_different_cards,
    forms.MIXED_LABELS: _with_labels,
}
