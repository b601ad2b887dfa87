"""Step 4: food cards, the traits that react to revealed food, and feeding after that (rules 5.6 to 5.11)."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from evolution import DECLINE, Action4, Eat, IllegalAction, Player, Silly, Species, StoreFat, Table, step4
from evolution.feeding import attack
from evolution.turn import food_revealed
from tests.evolution.tools import Told, board, foods, look, table

if TYPE_CHECKING:
    from evolution.traits import Fed


def with_cards(there: Table, *food_values: int) -> Table:
    """The same table, where each player has one card, with this food value."""
    for player, food in zip(there.players, food_values, strict=True):
        player.hand = [(food, "horns")]
    return there


@pytest.mark.parametrize(
    ("hole", "cards", "after"),
    [(1, (2, 3), 6), (1, (-3, 4), 4), (4, (-3, -3), 0), (0, (-1, -2), 0), (3, (-3, 1), 1), (2, (-1, 0), 1)],
)
def test_the_hole_is_never_below_0_after_each_food_card(
    hole: int, cards: tuple[int, int], after: int
) -> None:
    there = with_cards(table([], [], hole=hole), *cards)
    step4(there, [Action4(0), Action4(0)], [Told(), Told()])
    assert there.hole == after


def test_fertile_boards_grow_up_to_7_even_if_the_hole_is_empty() -> None:
    row = [board("fertile", population=population) for population in (1, 6, 7)]
    food_revealed(table([*row, board()], hole=0))
    assert [each.population for each in row] == [2, 7, 7]


def test_long_necks_are_fed_once_with_all_that_follows_from_it() -> None:
    row = [board("foraging", "cooperation", "long-neck", population=3), board("carnivore", population=3)]
    there = table(row, [board("long-neck"), board()], hole=9)
    food_revealed(there)
    assert [foods(player.boards) for player in there.players] == [[2, 2], [1, 0]]
    assert there.hole == 4


@pytest.mark.parametrize(
    ("population", "food", "fat_food", "after"), [(4, 1, 2, (3, 0)), (2, 1, 3, (2, 2)), (2, 2, 3, (2, 3))]
)
def test_fat_becomes_food_as_far_as_the_board_is_hungry(
    population: int, food: int, fat_food: int, after: tuple[int, int]
) -> None:
    bear = board("fat-tissue", body=3, population=population, food=food, fat_food=fat_food)
    there = table([bear], hole=5)
    food_revealed(there)
    assert ((bear.food, bear.fat_food), there.hole) == (after, 5)


def test_all_boards_grow_before_any_is_fed_and_all_are_fed_before_any_uses_its_fat() -> None:
    friend = board("fat-tissue", "fertile", body=2, food=1, fat_food=2)
    giraffe = board("long-neck", "cooperation")
    there = table([giraffe, friend], [board("fertile", "long-neck", food=1)], hole=9)
    food_revealed(there)
    # The friend has grown, so the giraffe could feed it, and it needed no fat.
    assert (friend.population, friend.food, friend.fat_food) == (2, 2, 2)
    assert (foods(there.players[1].boards), there.hole) == ([2], 6)


def test_long_necks_are_fed_in_turn_order_while_tokens_last() -> None:
    there = table([board("long-neck")], [board("long-neck"), board("long-neck")], hole=2)
    food_revealed(there)
    assert [foods(player.boards) for player in there.players] == [[1], [1, 0]]


def test_each_player_is_asked_for_its_own_boards_after_the_exchanges() -> None:
    there = with_cards(table([board(), board()], [board(), board()], hole=1), 1, 2)
    there.players[1].hand.append((3, "climbing"))
    one, two = Told(Eat(1)), Told(DECLINE)
    step4(there, [Action4(0), Action4(0, grow_body=[(1, 1)])], [one, two])
    assert [foods(player.boards) for player in there.players] == [[1, 1], [0, 0]]
    assert (one.shown[0].hole, two.shown[0].hole, there.hole) == (4, 3, 2)
    assert [each.body for each in two.shown[0].boards] == [0, 1]


def test_an_illegal_action_is_placed_at_its_player_and_nobody_is_fed() -> None:
    there = with_cards(table([board()], [board()], hole=5), 1, 1)
    with pytest.raises(IllegalAction) as refused:
        step4(there, [Action4(0), Action4(0, grow_body=[(3, 0)])], [Silly(), Silly()])
    assert refused.value.place == (1, 2, 0)
    assert refused.value.reason == "card 0 is used twice"
    assert [foods(player.boards) for player in there.players] == [[0], [0]]


def test_there_is_one_action_and_one_player_to_ask_for_each_player() -> None:
    there = with_cards(table([board()], [board()], hole=5), 1, 1)
    before = look(there)
    with pytest.raises(ValueError, match="shorter"):
        step4(there, [], [Silly(), Silly()])
    assert look(there) == before
    with pytest.raises(ValueError, match="shorter"):
        step4(there, [Action4(0), Action4(0)], [Silly()])


# --- watching ---------------------------------------------------------------------------------------


class Watched(Table):
    """A table that notes what happens to which board of which player, and why."""

    def __init__(self, players: list[Player], hole: int) -> None:
        super().__init__(players, hole)
        self.noted: list[tuple[object, ...]] = []

    def note(self, what: str, player: Player, board: Species, why: object = "") -> None:
        self.noted.append((what, player.id, player.boards.index(board), why))

    def eat(self, player: Player, board: Species, why: str) -> int:
        self.note("eat", player, board, why)
        return super().eat(player, board, why)

    def feeding(self, player: Player, board: Species, why: str) -> "Iterator[Fed]":
        self.note("feed", player, board, why)
        return super().feeding(player, board, why)

    def wound(self, player: Player, board: Species, why: str) -> None:
        self.note("wound", player, board, why)
        super().wound(player, board, why)

    def grow(self, player: Player, board: Species) -> None:
        self.note("grow", player, board)
        super().grow(player, board)

    def use_fat(self, player: Player, board: Species) -> None:
        self.note("use_fat", player, board)
        super().use_fat(player, board)

    def reveal(self, player: Player, food: int) -> None:
        self.noted.append(("reveal", player.id, food))
        super().reveal(player, food)

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        self.note("store_fat", player, board, tokens)
        super().store_fat(player, board, tokens)


def test_whoever_watches_an_attack_hears_whom_it_hits_and_who_eats_why() -> None:
    wolf = board("carnivore", "foraging", "cooperation", population=3)
    bull = board("horns", population=2)
    there = Watched(table([board(), wolf, board()], [bull], [board("scavenger")]).players, hole=9)
    attack(there, there.players[0], wolf, there.players[1], bull)
    assert there.noted == [
        ("wound", 2, 0, "attack"),
        ("wound", 1, 1, "horns"),
        ("feed", 1, 1, "attack"),
        ("eat", 1, 1, "attack"),
        ("eat", 1, 1, "foraging"),
        ("feed", 1, 2, "cooperation"),
        ("eat", 1, 2, "cooperation"),
        ("feed", 1, 2, "cooperation"),
        ("eat", 1, 2, "cooperation"),
        ("feed", 3, 0, "scavenger"),
        ("eat", 3, 0, "scavenger"),
    ]


def test_whoever_watches_step_4_hears_of_everything_that_changes() -> None:
    bear = board("fat-tissue", body=2, population=2)
    plain = table([board("fertile"), board("long-neck")], [bear])
    there = Watched(with_cards(plain, -2, 3).players, hole=1)
    step4(there, [Action4(0), Action4(0)], [Told(), Told(StoreFat(0, 1))])
    assert there.noted == [
        ("reveal", 1, -2),
        ("reveal", 2, 3),
        ("grow", 1, 0, ""),
        ("feed", 1, 1, "long-neck"),
        ("eat", 1, 1, "long-neck"),
        ("use_fat", 2, 0, ""),
        ("feed", 1, 0, "choice"),
        ("eat", 1, 0, "choice"),
        ("store_fat", 2, 0, 1),
    ]
