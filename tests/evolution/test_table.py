"""The things on the table and what they do: eating, feeding, losing animals, drawing (rules 1 and 3)."""

import pytest

from evolution import Player, Species, Table, fat_need, hungry
from evolution.species import is_carnivore, size
from tests.evolution.tools import board, foods, table


def test_a_new_board_is_one_animal_without_body_food_or_traits() -> None:
    new = Species()
    assert (new.food, new.body, new.population, new.traits, new.fat_food) == (0, 0, 1, [], 0)


def test_a_board_says_what_it_is() -> None:
    shown = "Species(food=1, body=2, population=3, traits=['fat-tissue'], fat_food=2)"
    assert repr(board("fat-tissue", food=1, body=2, population=3, fat_food=2)) == shown


def test_a_copy_is_equal_and_shares_nothing() -> None:
    old = board("fat-tissue", food=1, body=3, population=2, fat_food=3)
    new = old.copy()
    assert repr(new) == repr(old)
    assert new != old
    new.traits[0] = "horns"
    assert old.traits == ["fat-tissue"]


def test_new_boards_and_players_share_nothing() -> None:
    Species().traits.append("horns")
    Player(1, []).hand.append((1, "horns"))
    Table([]).deck.append((1, "horns"))
    assert (Species().traits, Player(1, []).hand, Table([]).deck) == ([], [], [])
    assert (Player(1, []).bag, Table([]).hole) == (0, 0)


def test_a_board_is_hungry_while_it_has_less_food_than_population() -> None:
    assert [hungry(board(food=food, population=2)) for food in range(3)] == [True, True, False]


def test_fat_need_is_what_fat_tissue_can_still_store() -> None:
    assert fat_need(board("fat-tissue", body=4, population=3, food=3, fat_food=1)) == 3
    assert fat_need(board("horns", body=4)) == 0


def test_a_species_without_carnivore_is_a_vegetarian() -> None:
    assert is_carnivore(board("horns", "carnivore"))
    assert not is_carnivore(board("horns"))


def test_size_looks_at_population_then_food_then_body() -> None:
    assert size(board(population=3, body=1)) > size(board(population=2, food=2, body=7))
    assert size(board(population=2, food=2)) > size(board(population=2, food=1, body=7))
    assert size(board(population=2, food=1, body=2)) > size(board(population=2, food=1, body=1))


def test_the_right_neighbour_is_found_among_equal_boards() -> None:
    row = [board(), board(), board()]
    player = Player(1, row)
    assert [player.right_of(each) for each in row] == [row[1], row[2], None]


def test_players_are_told_apart_by_their_place_and_not_by_their_id() -> None:
    one, two, three = (Player(7, []) for _ in range(3))
    around = Table([one, two, three])
    assert around.from_player(one) == [one, two, three]
    assert around.from_player(two) == [two, three, one]
    assert around.from_player(three) == [three, one, two]


@pytest.mark.parametrize(("hole", "food", "eaten"), [(2, 1, 1), (1, 1, 1), (0, 1, 0), (2, 2, 0)])
def test_eating_takes_one_token_if_there_is_one_and_the_board_is_hungry(
    hole: int, food: int, eaten: int
) -> None:
    cow = board(food=food, population=2)
    there = table([cow], hole=hole)
    assert there.eat(there.players[0], cow, "test") == eaten
    assert (there.hole, cow.food) == (hole - eaten, food + eaten)


@pytest.mark.parametrize(
    ("hole", "a_traits", "b_traits", "eaten", "left"),
    [
        (5, [], [], [1, 0], 4),
        (5, ["foraging"], [], [2, 0], 3),
        (5, ["cooperation"], [], [1, 1], 3),
        (5, ["foraging", "cooperation"], [], [2, 2], 1),
        (5, ["cooperation", "foraging"], [], [2, 2], 1),
        (3, ["foraging", "cooperation"], [], [2, 1], 0),
        (2, ["foraging", "cooperation"], [], [2, 0], 0),
        (1, ["foraging", "cooperation"], [], [1, 0], 0),
        (0, ["foraging", "cooperation"], [], [0, 0], 0),
        (7, ["foraging", "cooperation"], ["foraging"], [2, 3], 2),
        (5, ["cooperation"], ["carnivore"], [1, 1], 3),
        (5, ["carnivore", "cooperation"], [], [1, 1], 3),
    ],
)
def test_foraging_eats_twice_and_cooperation_feeds_the_right_once_for_each_token(
    hole: int, a_traits: list[str], b_traits: list[str], eaten: list[int], left: int
) -> None:
    row = [board(*a_traits, population=3), board(*b_traits, population=3)]
    there = table(row, hole=hole)
    there.feed(there.players[0], row[0], "test")
    assert (foods(row), there.hole) == (eaten, left)


def test_a_forager_that_is_full_after_one_token_leaves_the_second() -> None:
    forager = board("foraging", "cooperation", food=1, population=2)
    there = table([forager, board(population=2)], hole=5)
    there.feed(there.players[0], forager, "test")
    assert (foods(there.players[0].boards), there.hole) == ([2, 1], 3)


def test_a_full_board_passes_nothing_on() -> None:
    there = table([board("cooperation", food=1), board()], hole=5)
    there.feed(there.players[0], there.players[0].boards[0], "test")
    assert (foods(there.players[0].boards), there.hole) == ([1, 0], 5)


def test_food_travels_along_the_row_but_not_around_it() -> None:
    row = [board("cooperation", population=2) for _ in range(4)]
    there = table(row, hole=9)
    there.feed(there.players[0], row[1], "test")
    assert (foods(row), there.hole) == ([0, 1, 1, 1], 6)


def test_a_row_of_cooperators_may_be_as_long_as_it_likes() -> None:
    row = [board("cooperation", "foraging", population=2) for _ in range(5000)]
    there = table(row, hole=20_000)
    there.feed(there.players[0], row[0], "test")
    assert (set(foods(row)), there.hole) == ({2}, 10_000)


def test_a_board_loses_food_with_its_population_only_if_it_has_too_much() -> None:
    full, hungry_one = board(food=3, population=3), board(food=1, population=3)
    there = table([full, hungry_one], deck=[(1, "horns")])
    there.wound(there.players[0], full, "test")
    there.wound(there.players[0], hungry_one, "test")
    assert (full.population, full.food) == (2, 2)
    assert (hungry_one.population, hungry_one.food) == (2, 1)
    assert there.players[0].hand == []


def test_the_extinct_board_itself_is_taken_away_and_not_its_twin() -> None:
    twin, last_animal = board(), board()
    there = table([twin, last_animal], deck=[(1, "horns"), (2, "horns"), (3, "horns")])
    there.wound(there.players[0], last_animal, "test")
    assert there.players[0].boards == [twin]
    assert there.players[0].hand == [(1, "horns"), (2, "horns")]
    assert there.deck == [(3, "horns")]


def test_drawn_cards_go_in_deck_order_in_front_of_the_hand() -> None:
    player = Player(1, [], hand=[(0, "ambush"), (1, "ambush")])
    there = Table([player], deck=[(0, "horns"), (1, "horns"), (2, "horns")])
    there.draw(player, 2)
    assert player.hand == [(0, "horns"), (1, "horns"), (0, "ambush"), (1, "ambush")]
    assert there.deck == [(2, "horns")]
    there.draw(player, 2)
    assert player.hand[:2] == [(2, "horns"), (0, "horns")]
    assert there.deck == []


@pytest.mark.parametrize(("hole", "stored"), [(4, 3), (3, 3), (2, 2), (0, 0)])
def test_a_fat_store_takes_what_the_hole_allows(hole: int, stored: int) -> None:
    bear = board("fat-tissue", body=5, food=1, fat_food=1)
    there = table([bear], hole=hole)
    there.store_fat(there.players[0], bear, 3)
    assert (bear.fat_food, there.hole, bear.food) == (1 + stored, hole - stored, 1)
