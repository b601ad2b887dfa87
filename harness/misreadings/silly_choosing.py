"""Misreadings of how the Silly player uses its cards (rules 7.2)."""

from evolution.actions import Action4
from evolution.cards import Card, card_order
from evolution.silly import choose
from evolution.species import Species
from harness.misreadings.decorators import but, chooses, used
from harness.misreadings.planting import replaces


@replaces("7.2", choose)
def of_equal_cards_the_last_comes_first(boards: list[Species], hand: list[Card]) -> Action4:
    """Equal cards are taken from the end of the hand."""
    order = sorted(range(len(hand)), key=lambda at: (card_order(hand[at]), -at))
    return used(len(boards), *order)


@replaces("7.2", choose)
def equal_cards_have_one_number(boards: list[Species], hand: list[Card]) -> Action4:
    """A card is looked up by its value, so that equal cards all have the number of the first one."""
    order = sorted(range(len(hand)), key=lambda at: card_order(hand[at]))
    return used(len(boards), *(hand.index(hand[at]) for at in order))


@replaces("7.2", choose)
def card_numbers_mean_the_sorted_hand(boards: list[Species], hand: list[Card]) -> Action4:
    """The Silly player names cards by their places in the sorted hand."""
    return used(len(boards), *range(len(hand)))


@chooses("7.2")
def the_last_card_is_food(new: int, order: list[int]) -> Action4:
    """The last card in card order is the food card."""
    return used(new, order[-1], *order[:-1])


@chooses("7.2")
def the_second_card_is_the_trait(new: int, order: list[int]) -> Action4:
    """The second card is the trait of the new board, and the third one pays."""
    return used(new, order[0], order[2], order[1], *order[3:])


@chooses("7.2")
def body_grows_before_population(new: int, order: list[int]) -> Action4:
    """The fourth card grows the body, the fifth one the population."""
    action = used(new, *order)
    return but(action, grow_population=action.grow_body, grow_body=action.grow_population)


@chooses("7.2")
def the_sixth_card_is_kept(new: int, order: list[int]) -> Action4:
    """The sixth card stays in the hand."""
    return used(new, *order[:5])


@chooses("7.2")
def the_sixth_card_fills_slot_one(new: int, order: list[int]) -> Action4:
    """The sixth card goes into trait slot 1 of the new board."""
    return but(used(new, *order), replace_traits=[(new, 1, card) for card in order[5:6]])


@chooses("7.2")
def the_sixth_card_is_a_second_trait(new: int, order: list[int]) -> Action4:
    """The sixth card is a second trait of the new board."""
    return but(used(new, *order[:5]), new_boards=[[*order[1:3], *order[5:6]]])


@chooses("7.2")
def the_rest_grows_the_population(new: int, order: list[int]) -> Action4:
    """All cards after the sixth grow the population of the new board."""
    return but(used(new, *order), grow_population=[(new, card) for card in (*order[3:4], *order[6:])])


@replaces("7.2", choose)
def equal_traits_are_not_replaced(boards: list[Species], hand: list[Card]) -> Action4:
    """The Silly player keeps its sixth card if its new board has that trait already."""
    action = choose(boards, hand)
    bought = hand[action.new_boards[0][1]][1]
    return but(action, replace_traits=[one for one in action.replace_traits if hand[one[2]][1] != bought])


@chooses("7.2")
def silly_keeps_its_last_card(new: int, order: list[int]) -> Action4:
    """The Silly player keeps the last card of its hand in card order, however few it has."""
    if len(order) > 3:
        return used(new, *order[:-1])
    return Action4(order[0], new_boards=[order[1:2]])


@chooses("7.2")
def growth_comes_in_pairs(new: int, order: list[int]) -> Action4:
    """The fourth card stays in the hand if there is no fifth one."""
    return used(new, *(order if len(order) > 4 else order[:3]))


@chooses("7.2")
def growth_needs_six_cards(new: int, order: list[int]) -> Action4:
    """With fewer than six cards the Silly player only buys a board."""
    return used(new, *(order if len(order) > 5 else order[:3]))
