"""Who can attack whom, and all that stands in the way (rules 2)."""

import pytest

from evolution import Species, attackable, blocked_by
from evolution.attack import targets
from tests.evolution.tools import board

PACK = ("carnivore", "pack-hunting")
WOLF = board("carnivore", body=3, population=3)
CALLER = board("warning-call")


def test_a_carnivore_can_attack_a_board_that_nothing_protects() -> None:
    assert attackable(WOLF, board(), None, None)
    assert attackable(WOLF, board(), board(), board())


@pytest.mark.parametrize(
    ("attacker", "defender", "blocked"),
    [
        (board(body=7, population=7), board(), ["not a carnivore"]),
        (board("carnivore", body=5), board("hard-shell", body=2), ["hard-shell"]),
        (board("carnivore", body=6), board("hard-shell", body=2), []),
        (board("carnivore", body=2, population=3), board("hard-shell", body=1), ["hard-shell"]),
        (board(*PACK, body=2, population=2), board("hard-shell", body=1), ["hard-shell"]),
        (board(*PACK, body=2, population=3), board("hard-shell", body=1), []),
        (board("carnivore", population=3), board("herding", population=3), ["herding"]),
        (board("carnivore", population=4), board("herding", population=3), []),
        (board(*PACK, body=7), board("herding"), ["herding"]),
        (WOLF, board("burrowing", population=3, food=3), ["burrowing"]),
        (WOLF, board("burrowing", population=3, food=2), []),
        (board("carnivore", body=7), board("climbing"), ["climbing"]),
        (board("carnivore", "climbing"), board("climbing"), []),
        (WOLF, board("horns"), []),
        (WOLF, board("warning-call"), []),
        (WOLF, board("pack-hunting", population=7), []),
        (board("carnivore", "hard-shell"), board(body=7), []),
    ],
)
def test_a_defender_is_protected_by_its_own_traits(
    attacker: Species, defender: Species, blocked: list[str]
) -> None:
    assert blocked_by(attacker, defender, None, None) == blocked
    assert attackable(attacker, defender, None, None) == (not blocked)


def test_only_a_larger_right_neighbour_protects_by_symbiosis() -> None:
    clown_fish = board("symbiosis", body=2)
    assert blocked_by(WOLF, clown_fish, None, board(body=3)) == ["symbiosis"]
    assert attackable(WOLF, clown_fish, None, board(body=2))
    assert attackable(WOLF, clown_fish, board(body=3), None)


def test_a_warning_call_on_either_side_protects_unless_the_attacker_has_ambush() -> None:
    assert blocked_by(WOLF, board(), CALLER, None) == ["warning-call"]
    assert blocked_by(WOLF, board(), None, CALLER) == ["warning-call"]
    assert attackable(board("carnivore", "ambush"), board(), CALLER, CALLER)


def test_all_reasons_are_listed_once_each_in_the_order_of_the_trait_table() -> None:
    # Five traits are more than a board can have, but so all reasons are seen at once.
    fortress = board("symbiosis", "herding", "hard-shell", "climbing", "burrowing", food=1)
    assert blocked_by(board(), fortress, CALLER, board("warning-call", body=1)) == [
        "not a carnivore",
        "warning-call",
        "burrowing",
        "climbing",
        "hard-shell",
        "herding",
        "symbiosis",
    ]


def test_targets_are_counted_from_the_left_and_see_their_neighbours() -> None:
    assert list(targets(WOLF, [board(), board("warning-call"), board(), board()])) == [1, 3]
    assert list(targets(WOLF, [board("symbiosis"), board(body=1), board("symbiosis")])) == [1, 2]
    assert list(targets(WOLF, [])) == []


def test_the_ends_of_a_row_are_not_neighbours() -> None:
    assert list(targets(WOLF, [board(), board(), CALLER])) == [0, 2]
    assert list(targets(WOLF, [CALLER, board(), board()])) == [0, 2]


def test_a_species_never_attacks_itself_but_may_attack_its_twin() -> None:
    wolf, twin = board("carnivore"), board("carnivore")
    assert list(targets(wolf, [wolf])) == []
    assert list(targets(wolf, [twin, wolf, twin])) == [0, 2]


def test_the_attacker_is_a_neighbour_like_any_other() -> None:
    howler = board("carnivore", "warning-call", body=4)
    assert list(targets(howler, [board(), howler, board(), board()])) == [3]
    whale = board("carnivore", body=4)
    assert list(targets(whale, [board("symbiosis"), whale, board("symbiosis")])) == [2]
