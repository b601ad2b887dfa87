"""Cards, card order and the deck.

A card is a pair of its food value and its trait. Which traits there are, and how far their
food values go, is in the trait table.
"""

from evolution.traits import TRAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    Card = tuple[int, str]
else:

    class _Described(type(tuple[int, str])):
        # So that help(evolution.Card) tells what a card is, and not what a tuple is.
        __doc__ = property(lambda self: CARD)

    CARD = """A card: a pair of its food value and its trait (rules 1.2).

    food, trait = card

    food: int, card[0]. What it does to the watering hole as a food card: -8 to 8 for carnivore, -3 to 3 for
        every other trait.
    trait: str, card[1]. One of the names in evolution.TRAITS, such as "carnivore" or "fat-tissue".

    A hand is a list of cards. An Action4 names them by their place in the hand, counted from 0.
    """
    Card = _Described(tuple, (int, str))


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
