"""Attacks, one feeding step and the feeding cycle, with players other than Silly (rules 3 and 4)."""

import pytest

from evolution import (
    DECLINE,
    Attack,
    Eat,
    FeedingChoice,
    IllegalChoice,
    Species,
    StoreFat,
    Table,
    feeding_cycle,
    feeding_step,
)
from evolution.choices import Decline
from evolution.feeding import attack, legal_choices, options, state_of
from tests.evolution.tools import Told, board, foods, look, table

# --- attacks (3.4 to 3.7) ---------------------------------------------------------------------


def test_the_attacker_eats_from_the_hole_and_the_victim_loses_an_animal_with_its_food() -> None:
    wolf, cow = board("carnivore", population=2), board(food=3, population=3)
    there = table([wolf], [cow], hole=4)
    attack(there, there.players[0], wolf, there.players[1], cow)
    assert (wolf.population, wolf.food, cow.population, cow.food, there.hole) == (2, 1, 2, 2, 3)


def test_a_dying_board_to_the_left_of_the_attacker_moves_it_but_the_attacker_still_eats() -> None:
    prey, wolf, friend = board(), board("carnivore", "cooperation", population=2), board()
    there = table([prey, wolf, friend], hole=5, deck=[(1, "horns"), (2, "horns")])
    attack(there, there.players[0], wolf, there.players[0], prey)
    assert there.players[0].boards == [wolf, friend]
    assert (foods([wolf, friend]), there.hole) == ([1, 1], 3)
    assert there.players[0].hand == [(1, "horns"), (2, "horns")]


def test_after_a_death_the_neighbours_are_those_that_have_moved_up() -> None:
    wolf, prey, beyond = board("carnivore", "cooperation"), board(), board()
    there = table([wolf, prey, beyond], hole=5)
    attack(there, there.players[0], wolf, there.players[0], prey)
    assert there.players[0].boards == [wolf, beyond]
    assert (wolf.food, beyond.food, there.hole) == (1, 1, 3)


def test_horns_of_an_own_board_kill_the_attacker_and_everything_stops() -> None:
    prey, wolf, vulture = board("horns"), board("carnivore"), board("scavenger")
    there = table([prey, wolf, vulture], hole=5, deck=[(at, "horns") for at in range(-3, 2)])
    attack(there, there.players[0], wolf, there.players[0], prey)
    assert there.players[0].boards == [vulture]
    assert (vulture.food, there.hole) == (0, 5)
    hand = [(-1, "horns"), (0, "horns"), (-3, "horns"), (-2, "horns")]
    assert (there.players[0].hand, there.deck) == (hand, [(1, "horns")])


def test_the_owner_of_the_victim_draws_before_the_owner_of_the_attacker() -> None:
    wolf, bull = board("carnivore"), board("horns")
    there = table([wolf], [bull], hole=5, deck=[(at, "horns") for at in range(4)])
    attack(there, there.players[0], wolf, there.players[1], bull)
    assert there.players[1].hand == [(0, "horns"), (1, "horns")]
    assert there.players[0].hand == [(2, "horns"), (3, "horns")]


def test_horns_work_although_the_horned_board_survives_and_the_scavengers_are_still_fed() -> None:
    wolf, bull, vulture = (
        board("carnivore", food=1, population=2),
        board("horns", population=2),
        board("scavenger"),
    )
    there = table([wolf], [bull, vulture], hole=5)
    attack(there, there.players[0], wolf, there.players[1], bull)
    assert (wolf.population, wolf.food) == (1, 1)
    assert (vulture.food, there.hole) == (1, 4)


def test_scavengers_are_fed_around_the_table_from_the_attacking_player_on() -> None:
    vultures = [board("scavenger") for _ in range(3)]
    wolf = board("carnivore", "scavenger", population=3)
    prey = board(population=2)
    there = table([vultures[0]], [wolf, prey, vultures[1]], [vultures[2]], hole=4)
    attack(there, there.players[1], wolf, there.players[1], prey)
    assert (wolf.food, foods(vultures), there.hole) == (2, [0, 1, 1], 0)


# --- the options (4.1) and when the player is asked (4.2) --------------------------------------


def shown(choice: FeedingChoice) -> tuple[object, ...]:
    return (type(choice).__name__, *(getattr(choice, name) for name in choice.__slots__))


def test_the_options_are_fat_needs_hungry_vegetarians_and_attacks_also_on_own_boards() -> None:
    wolf = board("carnivore", "fat-tissue", body=2, fat_food=1)
    there = table([board(), wolf, board(food=1)], [board("climbing")], [board(), board()])
    assert [shown(option) for option in options(state_of(there, there.players[0]))] == [
        ("StoreFat", 1, 1),
        ("Eat", 0),
        ("Attack", 1, 1, 0),
        ("Attack", 1, 1, 1),
        ("Attack", 1, 2, 0),
        ("Attack", 1, 2, 2),
    ]


def test_a_full_carnivore_and_a_full_store_give_no_option() -> None:
    there = table([board("carnivore", food=1), board("fat-tissue", food=1, body=1, fat_food=1)], [board()])
    assert list(options(state_of(there, there.players[0]))) == []


@pytest.mark.parametrize(
    "only",
    [
        board(population=2),
        board("fat-tissue", food=1, body=2),
        board("carnivore", population=2),
    ],
    ids=["a vegetarian", "a fat need", "an attack on another player"],
)
def test_a_single_option_is_carried_out_without_asking(only: Species) -> None:
    there = table([only.copy()], [board()], hole=1)
    assert feeding_step(there, there.players[0], Told())
    assert there.hole == 0


def test_a_fat_need_is_filled_unasked_as_far_as_the_hole_allows() -> None:
    for hole, stored in [(5, 3), (2, 2)]:
        bear = board("fat-tissue", food=1, body=3)
        there = table([bear], hole=hole)
        assert feeding_step(there, there.players[0], Told())
        assert (bear.fat_food, there.hole) == (stored, hole - stored)


def test_a_single_attack_on_an_own_board_is_asked_and_may_be_declined() -> None:
    there = table([board("carnivore"), board(food=1)], [board("climbing")], hole=3)
    before, asked = look(there), Told(DECLINE)
    assert not feeding_step(there, there.players[0], asked)
    assert len(asked.shown) == 1
    assert look(there) == before


def test_a_single_attack_on_an_own_board_happens_when_it_is_chosen() -> None:
    wolf, cow = board("carnivore"), board(food=2, population=2)
    there = table([wolf, cow], [board("climbing")], hole=3)
    assert feeding_step(there, there.players[0], Told(Attack(0, 1, 1)))
    assert (wolf.food, cow.population, there.hole) == (1, 1, 2)


def test_without_other_players_the_number_0_means_the_player_itself() -> None:
    wolf, cow = board("carnivore"), board(food=2, population=2)
    there = table([cow, wolf], hole=3)
    assert feeding_step(there, there.players[0], Told(Attack(1, 0, 0)))
    assert (wolf.food, cow.population) == (1, 1)


def test_an_own_board_that_protects_itself_is_no_reason_to_ask() -> None:
    there = table([board("carnivore"), board("climbing", food=1)], [board()], hole=3)
    assert feeding_step(there, there.players[0], Told())


def test_of_two_options_the_player_chooses() -> None:
    there = table([board(), board()], hole=3)
    asked = Told(Eat(1))
    assert feeding_step(there, there.players[0], asked)
    assert foods(there.players[0].boards) == [0, 1]


@pytest.mark.parametrize("hole", [0, 3])
def test_without_tokens_or_without_options_the_player_is_out_and_not_asked(hole: int) -> None:
    eater = board(food=1 if hole else 0)
    there = table([eater, eater.copy()], [board()], hole=hole)
    before = look(there)
    assert not feeding_step(there, there.players[0], Told())
    assert look(there) == before


def test_the_player_sees_its_things_and_the_others_around_the_table() -> None:
    there = table([board()], [board()], [board(), board()], [board()], hole=3)
    a, b, c, d = there.players
    c.bag, c.hand = 4, [(1, "horns")]
    asked = Told(DECLINE)
    feeding_step(there, c, asked)
    state = asked.shown[0]
    assert (state.bag, state.boards, state.hand, state.hole) == (4, c.boards, [(1, "horns")], 3)
    assert state.others == [d.boards, a.boards, b.boards]


# --- the answer (4.3 and 4.4) -------------------------------------------------------------------


@pytest.mark.parametrize("answer", [DECLINE, Decline(), None])
def test_declining_changes_nothing_and_the_player_is_out(answer: FeedingChoice | None) -> None:
    there = table([board(), board()], hole=3)
    before = look(there)
    assert not feeding_step(there, there.players[0], Told(answer))
    assert look(there) == before


@pytest.mark.parametrize(("hole", "tokens", "stored"), [(9, 1, 1), (9, 3, 3), (2, 3, 2)])
def test_a_fat_store_may_be_smaller_than_the_need_or_larger_than_the_hole(
    hole: int, tokens: int, stored: int
) -> None:
    bear = board("fat-tissue", body=4, fat_food=1)
    there = table([board(), bear], hole=hole)
    assert feeding_step(there, there.players[0], Told(StoreFat(1, tokens)))
    assert (bear.fat_food, there.hole) == (1 + stored, hole - stored)


def test_an_attack_names_the_target_by_its_place_after_the_player_that_is_asked() -> None:
    there = table(*([board("carnivore"), board("carnivore", population=2)] for _ in range(4)), hole=3)
    a, b, c, d = there.players
    assert feeding_step(there, c, Told(Attack(0, 1, 1)))
    assert [player.boards[1].population for player in (a, b, c, d)] == [1, 2, 2, 2]


def plains() -> Table:
    """Own boards: a cow, a wolf, a bear that is full but for its fat, and a full wolf."""
    own = [
        board(population=2),
        board("carnivore", population=2),
        board("fat-tissue", food=1, body=3, fat_food=1),
        board("carnivore", food=1),
    ]
    return table(own, [board("climbing"), board()], [], hole=5)


LEGAL: list[FeedingChoice] = [
    *(StoreFat(2, 2), StoreFat(2, 1), Eat(0)),
    *(Attack(1, 0, 1), Attack(1, 2, 0), Attack(1, 2, 2), Attack(1, 2, 3)),
]


@pytest.mark.parametrize("choice", LEGAL, ids=lambda choice: str(shown(choice)))
def test_what_the_rules_offer_is_legal(choice: FeedingChoice) -> None:
    there = plains()
    assert feeding_step(there, there.players[0], Told(choice))


def test_the_legal_choices_are_listed_with_fat_in_part_and_declining_last() -> None:
    there = plains()
    listed = legal_choices(state_of(there, there.players[0]))
    assert [*map(shown, listed)] == [*map(shown, [*LEGAL, DECLINE])]
    assert legal_choices(state_of(there, there.players[2])) == []


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (Eat(4), "there is no own board 4"),
        (Eat(9), "there is no own board 9"),
        (Eat(-1), "there is no own board -1"),
        (Eat(2), "board 2 is not hungry"),
        (Eat(1), "board 1 is a carnivore and must attack to eat"),
        (StoreFat(4, 1), "there is no own board 4"),
        (StoreFat(-2, 1), "there is no own board -2"),
        (StoreFat(2, 0), "stores 0 as fat on board 2, whose need is 2"),
        (StoreFat(2, -1), "stores -1 as fat on board 2, whose need is 2"),
        (StoreFat(2, 3), "stores 3 as fat on board 2, whose need is 2"),
        (StoreFat(0, 1), "stores 1 as fat on board 0, whose need is 0"),
        (Attack(4, 0, 1), "there is no own board 4"),
        (Attack(-3, 0, 1), "there is no own board -3"),
        (Attack(3, 0, 1), "board 3 is not hungry"),
        (Attack(0, 0, 1), "board 0 cannot attack board 1 of player 0"),
        (Attack(1, 3, 0), "there is no player 3"),
        (Attack(1, -1, 0), "there is no player -1"),
        (Attack(1, 0, 2), "there is no board 2 of player 0"),
        (Attack(1, 0, -1), "there is no board -1 of player 0"),
        (Attack(1, 1, 0), "there is no board 0 of player 1"),
        (Attack(1, 2, 4), "there is no board 4 of player 2"),
        (Attack(1, 0, 0), "board 1 cannot attack board 0 of player 0"),
        (Attack(1, 2, 1), "board 1 attacks itself"),
    ],
    ids=lambda part: "" if isinstance(part, str) else str(shown(part)),
)
def test_any_other_answer_is_refused_with_a_reason_and_changes_nothing(
    choice: FeedingChoice, reason: str
) -> None:
    there = plains()
    before = look(there)
    with pytest.raises(IllegalChoice) as refused:
        feeding_step(there, there.players[0], Told(choice))
    assert str(refused.value) == reason
    assert look(there) == before


# --- the feeding cycle (5.11) --------------------------------------------------------------------


def test_players_take_one_step_each_until_all_are_out() -> None:
    there = table([board(), board()], [board()], hole=5)
    asked = Told(Eat(1))
    feeding_cycle(there, [asked, Told()])
    assert [foods(player.boards) for player in there.players] == [[1, 1], [1]]
    assert there.hole == 2


def test_tokens_go_around_the_table_one_step_at_a_time() -> None:
    there = table([board(population=3)], [board(population=3)], [board(population=3)], hole=5)
    feeding_cycle(there, [Told(), Told(), Told()])
    assert [player.boards[0].food for player in there.players] == [2, 2, 1]
    assert there.hole == 0


def test_a_player_that_has_declined_stays_out_while_the_others_go_on() -> None:
    there = table([board(), board()], [board(population=3)], hole=9)
    feeding_cycle(there, [Told(DECLINE), Told()])
    assert [foods(player.boards) for player in there.players] == [[0, 0], [3]]
    assert there.hole == 6


def test_a_player_that_had_no_option_stays_out_although_it_would_have_one_later() -> None:
    wolf, lynx = board("carnivore", population=2), board("carnivore", "climbing", population=3)
    herd = board("herding", food=2, population=2)
    there = table([wolf], [lynx, herd], hole=9)
    # The herd is too many for the wolf, until the lynx has eaten from it.
    feeding_cycle(there, [Told(), Told(Attack(0, 1, 1), DECLINE)])
    assert (herd.population, wolf.food, lynx.food, there.hole) == (1, 0, 1, 8)


def test_a_player_that_has_declined_is_still_attacked_and_its_scavengers_eat() -> None:
    vulture, friend = board("scavenger", "cooperation"), board(population=2)
    wolf = board("carnivore", population=2)
    there = table([vulture, friend], [wolf], hole=4)
    feeding_cycle(there, [Told(DECLINE), Told(Attack(0, 0, 1), DECLINE)])
    assert (friend.population, foods([vulture, friend, wolf]), there.hole) == (1, [1, 1, 1], 1)


def test_the_players_are_asked_in_turn_order_and_the_order_stays() -> None:
    there = table([board(), board()], [board(), board()], hole=9)
    order = list(there.players)
    first, second = Told(Eat(0)), Told(Eat(1))
    feeding_cycle(there, [first, second])
    assert [foods(player.boards) for player in there.players] == [[1, 1], [1, 1]]
    assert there.players == order
    assert (first.shown[0].hole, second.shown[0].hole) == (9, 8)
