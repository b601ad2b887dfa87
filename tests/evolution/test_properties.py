"""What always holds, whoever plays: nothing is made or lost, and what means the same is treated the same."""

import json
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from evolution import (
    DECLINE,
    Attack,
    FeedingChoice,
    IllegalAction,
    Player,
    Species,
    State,
    StoreFat,
    Table,
    feeding_cycle,
    feeding_step,
    read_configuration,
    step4,
    write_configuration,
)
from evolution.cards import Card
from evolution.feeding import forced_choice, options, state_of
from evolution.turn import food_revealed
from evolution.wire import reading, writing
from evolution.wire.action4 import action4, table_and_actions, write_action4
from tests.evolution.tools import Json, Told, answer, look, meaning
from tests.support import cases, model

patiently = settings(deadline=None, max_examples=150)


def made_by(generator: Callable[[Random], Json]) -> st.SearchStrategy[Json]:
    return st.integers(0, 2**32 - 1).map(lambda seed: generator(Random(seed)))


randoms = st.integers(0, 2**32 - 1).map(Random)
tables = made_by(cases.configuration).map(reading.configuration)


# --- tokens, cards and numbers --------------------------------------------------------------------


class Whim:
    """A player that chooses anything the rules offer, its own boards as targets included."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def feed_next(self, state: State) -> FeedingChoice:
        choice = self.rng.choice([*options(state), DECLINE])
        if isinstance(choice, StoreFat):
            choice.tokens = self.rng.randrange(choice.tokens) + 1
        return choice


def tokens_on(board: Species) -> int:
    return board.food + board.fat_food


def tokens(there: Table) -> int:
    """All tokens in the hole and on the boards."""
    return there.hole + sum(tokens_on(board) for player in there.players for board in player.boards)


def all_cards(there: Table) -> Counter[Card]:
    return Counter([*there.deck, *(card for player in there.players for card in player.hand)])


def is_sound(there: Table) -> bool:
    return there.hole >= 0 and all(
        0 <= board.food <= board.population <= 7
        and board.population >= 1
        and 0 <= board.fat_food <= board.body <= 7
        and (board.fat_food == 0 or "fat-tissue" in board.traits)
        for player in there.players
        for board in player.boards
    )


def taken_to_the_grave(there: Table, player: Player, choice: FeedingChoice) -> int:
    """The tokens that are lost with the animals that die of this choice (rules 3.4 and 3.5)."""
    if not isinstance(choice, Attack):
        return 0
    attacker = player.boards[choice.board]
    owner = [*there.from_player(player)[1:], player][choice.player]
    defender = owner.boards[choice.target]
    lost = 1 if defender.food == defender.population else 0
    if defender.population == 1:
        lost += defender.fat_food
    if "horns" in defender.traits and attacker.population == 1:
        lost += attacker.fat_food  # a hungry board of one animal has no other tokens
    return lost


@patiently
@given(tables, randoms)
def test_a_feeding_step_loses_no_tokens_but_those_of_the_animals_that_die(there: Table, rng: Random) -> None:
    assume(there.hole > 0)
    player = rng.choice(there.players)
    state = state_of(there, player)
    choice = forced_choice(state) or Whim(rng).feed_next(state)
    lost = taken_to_the_grave(there, player, choice)
    before, cards = tokens(there), all_cards(there)
    feeding_step(there, player, Told(choice))
    assert tokens(there) == before - lost
    assert all_cards(there) == cards
    assert is_sound(there)


class Graveyard(Table):
    """A table that counts the tokens that are lost with dying animals."""

    lost = 0

    def wound(self, player: Player, board: Species, why: str) -> None:
        before = tokens_on(board)
        super().wound(player, board, why)
        self.lost += before - (tokens_on(board) if board in player.boards else 0)


@patiently
@given(tables, randoms)
def test_a_feeding_cycle_makes_no_tokens_and_loses_none_to_anything_but_death(
    there: Table, rng: Random
) -> None:
    there = Graveyard(there.players, there.hole, there.deck)
    players, bags = list(there.players), [player.bag for player in there.players]
    before, cards = tokens(there), all_cards(there)
    feeding_cycle(there, [Whim(rng) for _ in players])
    assert tokens(there) + there.lost == before
    assert all_cards(there) == cards
    assert is_sound(there)
    assert (there.players, [player.bag for player in players]) == (players, bags)


@patiently
@given(tables)
def test_revealed_food_moves_tokens_but_neither_makes_nor_loses_any(there: Table) -> None:
    before = tokens(there)
    food_revealed(there)
    assert tokens(there) == before
    assert is_sound(there)


@patiently
@given(made_by(cases.step4), randoms)
def test_in_step_4_only_the_used_cards_leave_the_game(value: Json, rng: Random) -> None:
    there, actions = table_and_actions(value)
    cards = all_cards(there)
    used = Counter(
        player.hand[card]
        for player, action in zip(there.players, actions, strict=True)
        for card, _ in action.cards()
        if card < len(player.hand)
    )
    try:
        step4(there, actions, [Whim(rng) for _ in actions])
    except IllegalAction:
        return
    assert all_cards(there) + used == cards
    assert is_sound(there)


# --- writing and reading ---------------------------------------------------------------------------


@patiently
@given(made_by(cases.configuration))
def test_a_configuration_that_is_written_is_read_as_what_it_was(value: Json) -> None:
    there = read_configuration(json.dumps(value))
    text = write_configuration(there)
    assert json.loads(text) == model.write_configuration(model.read_configuration(value))
    assert write_configuration(read_configuration(text)) == text


@patiently
@given(made_by(cases.state))
def test_a_state_that_is_written_is_read_as_what_it_was(value: Json) -> None:
    text = writing.state(reading.configuration_or_state(value))
    assert json.loads(text) == model.write_state(model.read_state(value))
    assert writing.state(reading.configuration_or_state(json.loads(text))) == text


@patiently
@given(made_by(cases.step4), st.booleans())
def test_an_action_that_is_written_is_read_as_what_it_was(value: Json, labelled: bool) -> None:
    for action in value[1]:
        text = write_action4(action4(action), labelled)
        assert meaning(json.loads(text)) == meaning(action)
        assert write_action4(action4(json.loads(text)), labelled) == text


# --- what makes no difference -----------------------------------------------------------------------


def with_shuffled_traits(value: Json, rng: Random) -> Json:
    match value:
        case ["traits", [*traits]]:
            shuffled = list(traits)
            rng.shuffle(shuffled)
            return ["traits", shuffled]
        case [*parts]:
            return [with_shuffled_traits(part, rng) for part in parts]
    return value


@pytest.mark.parametrize(
    ("program", "generator"),
    [
        ("xattack", cases.situation),
        ("xfeed", cases.feeding),
        ("xfeed", cases.state),
        ("xstep", cases.configuration),
        ("xstep", cases.state),
        ("xsilly", cases.choice),
    ],
)
@patiently
@given(rng=randoms)
def test_the_order_of_traits_makes_no_difference(
    program: str, generator: Callable[[Random], Json], rng: Random
) -> None:
    value = generator(rng)
    assert answer(program, with_shuffled_traits(value, rng)) == answer(program, value)


@patiently
@given(made_by(cases.step4), randoms)
def test_the_order_of_traits_makes_no_difference_if_replacements_name_them_by_their_new_slots(
    value: Json, rng: Random
) -> None:
    shuffled = deepcopy(value)
    (players, _, _), actions = shuffled
    for player, action in zip(players, actions, strict=True):
        for at, board in enumerate(dict(player)["species"]):
            traits = dict(board)["traits"]
            order = list(range(len(traits)))  # the old slots, as they come to lie
            rng.shuffle(order)
            traits[:] = [traits[slot] for slot in order]
            for replacement in action[4]:
                if replacement[0] == at and replacement[1] in order:
                    replacement[1] = order.index(replacement[1])
    assert answer("xstep4", shuffled) == answer("xstep4", value)


@patiently
@given(made_by(cases.feeding))
def test_a_feeding_and_its_state_get_the_same_choice(value: Json) -> None:
    player, hole, others = value
    asking = dict(player)
    state = [
        asking["bag"],
        asking["species"],
        asking.get("cards", []),
        hole,
        [dict(other)["species"] for other in others],
    ]
    assert answer("xfeed", state) == answer("xfeed", value)


@patiently
@given(tables, randoms)
def test_to_look_at_the_options_changes_nothing(there: Table, rng: Random) -> None:
    before = look(there)
    list(options(state_of(there, rng.choice(there.players))))
    assert look(there) == before
