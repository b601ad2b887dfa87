"""Cards, card order and the deck.

A card is a pair of its food value and its trait. Which traits there are, and how far their
food values go, is in the trait table.
"""

from evolution.traits import TRAITS

Card = tuple[int, str]


def card_order(card: Card) -> tuple[str, int]:
    """The sort key of card order (rules 1.2): by trait name, then by food value."""
    food, trait = card
    return (trait, food)


def full_deck() -> list[Card]:
    """Every card of the game once, in card order."""
    return [
        (food, trait)
        for trait in sorted(TRAITS)
        for food in range(-TRAITS[trait].most_food, TRAITS[trait].most_food + 1)
    ]
