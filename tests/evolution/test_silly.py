"""The Silly player (rules 7)."""

import pytest

from evolution import Attack, Eat, Silly, Species, State, StoreFat
from evolution.cards import Card
from evolution.choices import DECLINE
from evolution.silly import choose, feed
from tests.evolution.tools import board


def state(*own: Species, hole: int = 9, others: list[list[Species]] | None = None) -> State:
    return State(0, list(own), [], hole, others or [])


def test_it_fills_the_largest_fat_need_as_far_as_the_hole_allows() -> None:
    bears = [board("fat-tissue", body=body) for body in (1, 5, 3)]
    for hole, tokens in [(9, 5), (5, 5), (2, 2)]:
        choice = feed(state(board(), *bears, hole=hole))
        assert isinstance(choice, StoreFat)
        assert (choice.board, choice.tokens) == (2, tokens)


def test_of_equal_fat_needs_it_takes_the_first_in_size_order() -> None:
    small, large = board("fat-tissue", body=3), board("fat-tissue", body=4, fat_food=1, population=2)
    for own, index in [([small, large], 1), ([large, small], 0), ([small, small.copy()], 0)]:
        choice = feed(state(*own))
        assert isinstance(choice, StoreFat)
        assert choice.board == index


def test_it_feeds_the_first_hungry_vegetarian_in_size_order() -> None:
    herd = [
        board(food=1, population=2),
        board(food=1, population=3),
        board("carnivore", food=7, population=7),
    ]
    for own, index in [(herd, 1), ([board(), board()], 0), ([board("carnivore", population=5), board()], 1)]:
        choice = feed(state(*own))
        assert isinstance(choice, Eat)
        assert choice.board == index


def attacked(*own: Species, others: list[list[Species]]) -> tuple[int, int, int]:
    choice = feed(state(*own, others=others))
    assert isinstance(choice, Attack)
    return (choice.board, choice.player, choice.target)


def test_its_largest_hungry_carnivore_attacks_the_largest_board_of_all_others() -> None:
    wolves = [
        board("carnivore", population=2),
        board("carnivore", population=3),
        board("carnivore", population=3),
    ]
    others = [[board()], [], [board(), board(body=3), board(body=3)], [board(body=3)]]
    assert attacked(*wolves, others=others) == (1, 2, 1)
    assert attacked(board("carnivore", food=3, population=3), *wolves[:1], others=others) == (1, 2, 1)


def test_a_carnivore_that_can_attack_nobody_makes_room_for_the_next() -> None:
    lynx = board("carnivore", "climbing")
    assert attacked(board("carnivore", population=4), lynx, others=[[board("climbing")]]) == (1, 0, 0)


def test_it_declines_rather_than_attack_a_board_of_its_own() -> None:
    assert feed(state(board("carnivore"), board(food=1), others=[[board("climbing")]])) is DECLINE
    assert feed(state(board("carnivore"), board(food=1), others=[])) is DECLINE


def test_without_a_fat_need_and_a_hungry_board_there_is_no_choice() -> None:
    assert feed(state(board(food=1), board("carnivore", food=1), others=[[board()]])) is None
    assert feed(state(others=[[board()]])) is None


def test_as_a_player_it_answers_the_same() -> None:
    choice = Silly().feed_next(state(board(food=1), board()))
    assert isinstance(choice, Eat)
    assert choice.board == 1


CARDS: list[Card] = [
    (3, "horns"),
    (-1, "ambush"),
    (0, "carnivore"),
    (3, "symbiosis"),
    (-3, "symbiosis"),
    (2, "warning-call"),
    (3, "warning-call"),
]


@pytest.mark.parametrize(
    ("cards", "population", "body", "replaced"),
    [
        (3, [], [], []),
        (4, [(2, 3)], [], []),
        (5, [(2, 4)], [(2, 3)], []),
        (6, [(2, 4)], [(2, 3)], [(2, 0, 5)]),
        (7, [(2, 4)], [(2, 3)], [(2, 0, 5)]),
    ],
)
def test_it_uses_its_cards_in_card_order_for_one_new_board(
    cards: int,
    population: list[tuple[int, int]],
    body: list[tuple[int, int]],
    replaced: list[tuple[int, int, int]],
) -> None:
    action = choose([board(), board()], CARDS[:cards])
    assert (action.food_card, action.new_boards) == (1, [[2, 0]])
    assert (action.grow_population, action.grow_body, action.replace_traits) == (population, body, replaced)


def test_equal_cards_stay_in_the_order_of_the_hand() -> None:
    action = choose([], [(1, "horns"), (0, "ambush"), (1, "horns"), (0, "ambush")])
    assert (action.food_card, action.new_boards, action.grow_population) == (1, [[3, 0]], [(0, 2)])
