"""Cards, card order and the deck (rules 1.2)."""

from collections import Counter

import pytest

from evolution import TRAITS, card_order, full_deck
from evolution.cards import Card, shuffled_deck
from tests.support import model


def test_the_deck_has_122_different_cards() -> None:
    deck = full_deck()
    assert len(deck) == len(set(deck)) == 122
    assert Counter(trait for _, trait in deck) == {**dict.fromkeys(TRAITS, 7), "carnivore": 17}


def test_both_ends_of_a_range_of_food_values_belong_to_it() -> None:
    values = {trait: [food for food, other in full_deck() if other == trait] for trait in TRAITS}
    assert values.pop("carnivore") == list(range(-8, 9))
    assert all(others == [-3, -2, -1, 0, 1, 2, 3] for others in values.values())


def test_card_order_sorts_by_trait_and_then_by_food_value() -> None:
    cards = [(3, "climbing"), (-8, "carnivore"), (-3, "climbing"), (8, "carnivore"), (0, "ambush")]
    assert sorted(cards, key=card_order) == [
        (0, "ambush"),
        (-8, "carnivore"),
        (8, "carnivore"),
        (-3, "climbing"),
        (3, "climbing"),
    ]


def test_the_deck_is_in_card_order_from_ambush_to_warning_call() -> None:
    deck = full_deck()
    assert deck == sorted(deck, key=card_order) == model.full_deck()
    assert (deck[0], deck[-1]) == ((-3, "ambush"), (3, "warning-call"))


@pytest.mark.parametrize(
    ("seed", "first", "second", "last"),
    [
        (1, (-2, "pack-hunting"), (8, "carnivore"), (-3, "symbiosis")),
        (2, (2, "symbiosis"), (0, "horns"), (0, "foraging")),
        (3, (-1, "horns"), (-2, "long-neck"), (0, "cooperation")),
        ("x", (0, "foraging"), (2, "warning-call"), (3, "pack-hunting")),
    ],
)
def test_a_seed_gives_the_whole_deck_in_the_same_order_everywhere(
    seed: int | str, first: Card, second: Card, last: Card
) -> None:
    deck = shuffled_deck(seed)
    assert sorted(deck) == sorted(full_deck())
    assert (deck[0], deck[1], deck[-1]) == (first, second, last)
    assert shuffled_deck(seed) == deck
