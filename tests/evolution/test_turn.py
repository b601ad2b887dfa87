"""Step 4: food cards, the traits that react to revealed food, and feeding after that (rules 5.6 to 5.11)."""

import pytest

from evolution import DECLINE, Action4, Eat, IllegalAction, Silly, Table, step4
from evolution.turn import food_revealed
from tests.evolution.tools import Told, board, foods, look, table


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
