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


def shuffled_deck(seed: "int | str") -> list[Card]:
    """Every card once, in an order that the seed decides: the same on any machine."""
    from random import Random

    deck = full_deck()
    random = Random(f"deck {seed}".encode(errors="surrogatepass"))  # any string is a seed
    for last in range(len(deck) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        deck[last], deck[other] = deck[other], deck[last]
    return deck
