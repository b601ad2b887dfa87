"""Action4s: what the exchanges do, and which ones are illegal (rules 5.2 to 5.5)."""

from collections.abc import Sequence

import pytest

from evolution import Action4, IllegalAction, Player, Species, Table
from evolution.actions import execute
from tests.evolution.tools import board, look

HAND = ["horns", "climbing", "fat-tissue", "foraging", "herding", "ambush"]


def player(*boards: Species, hand: Sequence[str] = HAND) -> Player:
    """A player whose cards have the food values 0, 1, 2 and so on."""
    return Player(1, list(boards), hand=list(enumerate(hand)))


def left(one: Player) -> list[int]:
    """Where the cards that are left in the hand were."""
    return [food for food, _ in one.hand]


def test_the_food_card_gives_its_value_and_leaves_the_hand() -> None:
    one = player(board())
    assert execute(one, Action4(2)) == 2
    assert left(one) == [0, 1, 3, 4, 5]


def test_used_cards_leave_the_hand_and_the_others_keep_their_order() -> None:
    one = player(board("horns", population=2))
    action = Action4(5, grow_population=[(0, 1)], grow_body=[(0, 0)], replace_traits=[(0, 0, 3)])
    assert execute(one, action) == 5
    assert left(one) == [2, 4]


def test_population_and_body_grow_by_one_for_each_card() -> None:
    one = player(board(), board(body=1, population=3))
    execute(one, Action4(0, grow_population=[(1, 1), (0, 2), (1, 3)], grow_body=[(1, 4)]))
    assert [(each.population, each.body) for each in one.boards] == [(2, 0), (5, 2)]


def test_a_new_board_goes_to_the_right_end_with_the_traits_of_its_cards() -> None:
    old = board("ambush")
    one = player(old)
    execute(one, Action4(0, new_boards=[[1], [2, 3, 4, 5]]))
    assert [each.traits for each in one.boards] == [["ambush"], [], ["foraging", "herding", "ambush"]]
    new = one.boards[2]
    assert (new.food, new.body, new.population, new.fat_food) == (0, 0, 1, 0)


def test_boards_bought_in_the_same_answer_have_the_next_numbers() -> None:
    one = player(board(), hand=[*HAND, "burrowing", "scavenger"])
    action = Action4(
        0,
        grow_population=[(1, 1)],
        grow_body=[(2, 2)],
        new_boards=[[3], [4, 5]],
        replace_traits=[(2, 0, 6)],
    )
    execute(one, action)
    assert [(each.population, each.body, each.traits) for each in one.boards] == [
        (1, 0, []),
        (2, 0, []),
        (1, 1, ["burrowing"]),
    ]


def test_a_trait_is_replaced_in_its_slot_and_the_last_replacement_counts() -> None:
    one = player(board("warning-call", "burrowing", "scavenger"))
    execute(one, Action4(0, replace_traits=[(0, 1, 1), (0, 2, 2), (0, 1, 3)]))
    assert one.boards[0].traits == ["warning-call", "foraging", "fat-tissue"]


def test_a_board_that_loses_fat_tissue_loses_its_fat_for_good() -> None:
    one = player(board("fat-tissue", "horns", body=3, fat_food=3))
    execute(one, Action4(0, replace_traits=[(0, 0, 1)]))
    assert one.boards[0].fat_food == 0
    execute(one, Action4(0, replace_traits=[(0, 1, 1)]))
    assert (one.boards[0].traits, one.boards[0].fat_food) == (["climbing", "foraging"], 0)


def test_a_board_that_has_fat_tissue_in_the_end_keeps_its_fat() -> None:
    one = player(board("fat-tissue", "horns", body=3, fat_food=3))
    execute(one, Action4(0, replace_traits=[(0, 0, 1), (0, 1, 2)]))
    assert (one.boards[0].traits, one.boards[0].fat_food) == (["climbing", "fat-tissue"], 3)


def test_two_traits_may_change_places() -> None:
    one = player(board("climbing", "horns"))
    execute(one, Action4(5, replace_traits=[(0, 0, 0), (0, 1, 1)]))
    assert one.boards[0].traits == ["horns", "climbing"]


def test_population_and_body_may_reach_7() -> None:
    one = player(board(body=6, population=6))
    execute(one, Action4(0, grow_population=[(0, 1)], grow_body=[(0, 2)]))
    assert (one.boards[0].population, one.boards[0].body) == (7, 7)


SLOT_3 = "board 1 has no trait slot 3: it has 3 traits"
GREAT = board("scavenger", "horns", "herding", body=7, population=7)


@pytest.mark.parametrize(
    ("action", "reason", "place"),
    [
        (Action4(6), "card 6 does not exist: the hand has 6", (0,)),
        (Action4(9), "card 9 does not exist: the hand has 6", (0,)),
        (Action4(-1), "card -1 does not exist: the hand has 6", (0,)),
        (Action4(0, [(0, 1), (0, 6)]), "card 6 does not exist: the hand has 6", (1, 1)),
        (Action4(0, [], [(0, 1), (0, 6)]), "card 6 does not exist: the hand has 6", (2, 1)),
        (Action4(0, [], [], [[1], [2, 6]]), "card 6 does not exist: the hand has 6", (3, 1, 1)),
        (Action4(0, [], [], [], [(1, 0, 1), (1, 0, 6)]), "card 6 does not exist: the hand has 6", (4, 1)),
        (Action4(0, [(0, 0)]), "card 0 is used twice", (1, 0)),
        (Action4(0, [(0, 1)], [(0, 1)]), "card 1 is used twice", (2, 0)),
        (Action4(0, [], [], [[1, 2, 1]]), "card 1 is used twice", (3, 0, 2)),
        (Action4(0, [], [], [[1]], [(1, 0, 1)]), "card 1 is used twice", (4, 0)),
        (Action4(0, [], [], [[1], []]), "a new board takes 1 to 4 cards, not 0", (3, 1)),
        (Action4(0, [], [], [[1, 2, 3, 4, 5]]), "a new board takes 1 to 4 cards, not 5", (3, 0)),
        (Action4(0, [(0, 1), (2, 2)]), "board 2 does not exist: the row has 2", (1, 1)),
        (Action4(0, [(9, 1)]), "board 9 does not exist: the row has 2", (1, 0)),
        (Action4(0, [(-1, 1)]), "board -1 does not exist: the row has 2", (1, 0)),
        (Action4(0, [], [(0, 1), (2, 2)]), "board 2 does not exist: the row has 2", (2, 1)),
        (Action4(0, [], [], [[1]], [(1, 0, 2), (3, 0, 3)]), "board 3 does not exist: the row has 3", (4, 1)),
        (Action4(0, [], [], [], [(1, 0, 2), (1, 3, 1)]), SLOT_3, (4, 1)),
        (Action4(0, [], [], [], [(0, 9, 1)]), "board 0 has no trait slot 9: it has 0 traits", (4, 0)),
        (Action4(0, [], [], [], [(1, -1, 1)]), "board 1 has no trait slot -1: it has 3 traits", (4, 0)),
        (Action4(0, [], [], [], [(0, 0, 1)]), "board 0 has no trait slot 0: it has 0 traits", (4, 0)),
        (Action4(0, [], [], [], [(1, 1, 4)]), "board 1 would have herding twice", ()),
        (Action4(0, [(1, 1)]), "board 1 would have population 8", ()),
        (Action4(0, [], [(1, 1)]), "board 1 would have body 8", ()),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)
def test_an_illegal_action_is_refused_with_its_reason_and_place_and_changes_nothing(
    action: Action4, reason: str, place: tuple[int, ...]
) -> None:
    one = player(board(), GREAT)
    boards, before = list(one.boards), look(Table([one]))
    with pytest.raises(IllegalAction) as refused:
        execute(one, action)
    assert (refused.value.reason, str(refused.value), refused.value.place) == (reason, reason, place)
    assert one.boards == boards
    assert look(Table([one])) == before


def test_a_new_board_must_not_have_a_trait_twice_either() -> None:
    one = player(hand=["horns", "climbing", "ambush", "climbing"])
    with pytest.raises(IllegalAction, match=r"^board 0 would have climbing twice$"):
        execute(one, Action4(0, new_boards=[[2, 1, 3]]))
    assert (one.boards, len(one.hand)) == ([], 4)


def test_without_a_place_the_whole_action_is_to_blame() -> None:
    assert IllegalAction("no").place == ()
