"""Misreadings of the formats: inputs read and answers written in the wrong way (docs/formats.md)."""

from evolution.actions import Action4
from evolution.cards import card_order
from evolution.choices import State
from evolution.species import Species
from evolution.table import Player, Table
from evolution.wire import action4, reading, writing
from harness.chaff.planting import Chaff, Patch, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Situation = tuple[Species, Species, Species | None, Species | None]

STEPS = ("xstep", "xstep4")

_species, _player, _configuration = writing.species, writing.player, writing.configuration
_read_species, _situation = reading.species, reading.situation
_read_state, _feeding_or_state = reading._state, reading.feeding_or_state
_state, _action4 = writing.state, action4.action4


def written(change: "Callable[[str, Species], str]") -> Patch:
    """A board is written like this, given how it should be."""
    return function(_species, lambda board: change(_species(board), board))


def _with_empty_store(text: str, board: Species) -> str:
    empty = "fat-tissue" in board.traits and not board.fat_food
    return f'{text[:-1]},["fat-food",0]]' if empty else text


def _without_store(text: str, board: Species) -> str:
    return text.replace(f',["fat-food",{board.fat_food}]', "")


def _with_empty_hand(one: Player) -> str:
    text = _player(one)
    return text if one.hand else f'{text[:-1]},["cards",[]]]'


def _with_sorted_hand(one: Player) -> str:
    return _player(Player(one.id, one.boards, one.bag, sorted(one.hand, key=card_order)))


def _players_with_boards(table: Table) -> str:
    return _configuration(Table([one for one in table.players if one.boards], table.hole, table.deck))


def _players_by_id(table: Table) -> str:
    return _configuration(Table(sorted(table.players, key=lambda one: one.id), table.hole, table.deck))


def _attacker_first(value: "Any") -> "Situation":
    attacker, defender, left, right = _situation(value)
    return defender, attacker, left, right


def _keep_stray_fat(value: "Any") -> Species:
    board = _read_species(value)
    board.fat_food = dict(value).get("fat-food", 0)
    return board


def _others_in_reverse(value: "Any") -> State:
    found = _read_state(value)
    return State(found.bag, found.boards, found.hand, found.hole, found.others[::-1])


def _bag_for_tokens(value: "Any") -> State:
    found = _read_state(value)
    return State(found.hole, found.boards, found.hand, found.bag, found.others)


def _without_empty_rows(table: Table) -> str:
    first, *others = table.players
    return _state(Table([first, *(one for one in others if one.boards)], table.hole))


def _without_the_hand(table: Table) -> str:
    first, *others = table.players
    return _state(Table([Player(first.id, first.boards, first.bag), *others], table.hole))


def _others_with_other_ids(value: "Any") -> State:
    if len(value) == 3:
        asking, tokens, others = value
        value = [asking, tokens, [one for one in others if one[0] != asking[0]]]
    return _feeding_or_state(value)


def _without_labels(value: "Any") -> Action4:
    """Growth that has a label is passed over."""
    food, population, body, *rest = value
    return _action4(
        [food, *([one for one in growth if len(one) == 2] for growth in (population, body)), *rest]
    )


MISREADINGS = [
    Chaff(
        "an-empty-store-is-written",
        "an empty fat store is written as fat-food 0",
        "1.3",
        STEPS,
        written(_with_empty_store),
    ),
    Chaff(
        "fat-food-is-not-written",
        "fat-food is missing from the answer",
        "1.3",
        STEPS,
        written(_without_store),
    ),
    Chaff(
        "stray-fat-is-kept",
        "fat-food is kept on a board that has no fat-tissue",
        "1.3",
        STEPS,
        function(_read_species, _keep_stray_fat),
    ),
    Chaff(
        "an-empty-hand-is-written",
        "an empty hand is written as an empty list of cards",
        "1.7",
        STEPS,
        function(_player, _with_empty_hand),
    ),
    Chaff(
        "hands-are-written-in-card-order",
        "hands are written in card order",
        "1.7",
        STEPS,
        function(_player, _with_sorted_hand),
    ),
    Chaff(
        "players-without-boards-are-left-out",
        "a player that has lost its last board is missing from the answer",
        "1.7",
        STEPS,
        function(_configuration, _players_with_boards),
    ),
    Chaff(
        "players-are-written-in-the-order-of-their-ids",
        "players are written in the order of their ids",
        "1.8",
        STEPS,
        function(_configuration, _players_by_id),
    ),
    Chaff(
        "situations-begin-with-the-attacker",
        "the first board of a situation is the attacker, the second one the defender",
        "2.1",
        ("xattack",),
        function(_situation, _attacker_first),
    ),
    Chaff(
        "a-state-becomes-a-configuration",
        "a State is answered with a Configuration",
        "4.5",
        ("xstep",),
        function(reading.is_state, lambda value: False),
    ),
    Chaff(
        "the-others-of-a-state-come-in-reverse",
        "the last list of boards in a State is that of the next player",
        "4.3",
        ("xfeed", "xstep"),
        function(_read_state, _others_in_reverse),
    ),
    Chaff(
        "a-state-begins-with-its-tokens",
        "the first number of a State is taken for the hole, the fourth one for the bag",
        "4.5",
        ("xstep",),
        function(_read_state, _bag_for_tokens),
    ),
    Chaff(
        "a-state-loses-its-empty-rows",
        "a player that has lost its last board is missing from a State",
        "4.5",
        ("xstep",),
        function(_state, _without_empty_rows),
    ),
    Chaff(
        "a-state-loses-its-hand",
        "the hand of a State is empty in the answer",
        "4.5",
        ("xstep",),
        function(_state, _without_the_hand),
    ),
    Chaff(
        "others-have-other-ids",
        "players who have the id of the feeding player are left out of the others",
        "1.8",
        ("xfeed",),
        function(_feeding_or_state, _others_with_other_ids),
    ),
    Chaff(
        "labelled-growth-is-ignored",
        "growth that is labelled is passed over",
        "5.2",
        ("xstep4",),
        function(_action4, _without_labels),
    ),
]
