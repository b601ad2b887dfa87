"""Misreadings of the formats: inputs read and answers written in the wrong way (docs/formats.md)."""

from evolution.cards import card_order
from evolution.species import Species
from evolution.table import Player, Table
from evolution.wire import reading, writing
from harness.chaff.planting import Chaff, Patch, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Situation = tuple[Species, Species, Species | None, Species | None]

STEPS = ("xstep", "xstep4")

_species, _player, _configuration = writing.species, writing.player, writing.configuration
_read_species, _situation = reading.species, reading.situation


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
]
