"""Misreadings of how the Silly player uses its cards (rules 7.2)."""

from evolution.actions import Action4
from evolution.cards import Card, card_order
from evolution.choices import State
from evolution.silly import choose
from evolution.species import Species, hungry, is_carnivore
from evolution.table import Player
from evolution.wire.errors import Illegal
from harness.misreadings.decorators import but, chooses, reads_owner, used
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


# --- the hand of a State -------------------------------------------------------------------------


@reads_owner("7.2")
def all_boards_of_a_state_are_counted(player: Player, state: State) -> None:
    """The new board has the number that follows the boards of all players of a State."""
    player.boards += [board for row in state.others for board in row]


@reads_owner("7.2")
def the_boards_of_the_next_player_are_counted(player: Player, state: State) -> None:
    """The new board has the number that follows the boards of the first other player of a State."""
    player.boards = state.others[0] if state.others else player.boards


@reads_owner("7.2")
def an_owner_without_boards_gets_one_first(player: Player, state: State) -> None:
    """The owner of a State who has no board is given one before it chooses."""
    player.boards = player.boards or [Species()]


@reads_owner("7.2")
def full_boards_of_a_state_are_not_counted(player: Player, state: State) -> None:
    """The new board has the number that follows the hungry boards of a State's owner."""
    player.boards = [board for board in player.boards if hungry(board)]


@reads_owner("7.2")
def carnivores_of_a_state_are_not_counted(player: Player, state: State) -> None:
    """The new board has the number that follows the vegetarians of a State's owner."""
    player.boards = [board for board in player.boards if not is_carnivore(board)]


@reads_owner("7.2")
def the_bag_of_a_state_counts_its_boards(player: Player, state: State) -> None:
    """The first number of a State is taken for the number of its owner's boards."""
    player.boards = [Species()] * state.bag


@reads_owner("7.2")
def the_tokens_of_a_state_count_its_boards(player: Player, state: State) -> None:
    """The fourth part of a State is taken for the number of its owner's boards."""
    player.boards = [Species()] * state.hole


@reads_owner("7.2")
def the_players_of_a_state_are_counted(player: Player, state: State) -> None:
    """The new board has the number of the other players of a State."""
    player.boards = [Species()] * len(state.others)


@reads_owner("7.2")
def three_cards_of_a_state_are_too_few(player: Player, state: State) -> None:
    """Nothing is printed for a State with a hand of 3 cards."""
    if len(player.hand) == 3:
        raise Illegal("there are too few cards")


@reads_owner("7.2")
def a_state_without_others_is_refused(player: Player, state: State) -> None:
    """Nothing is printed for a State in which nobody else plays."""
    if not state.others:
        raise Illegal("there is nobody else")


@reads_owner("7.2")
def the_hand_of_a_state_begins_at_its_end(player: Player, state: State) -> None:
    """The cards of a State are numbered from the end of the hand."""
    player.hand.reverse()


@reads_owner("7.2")
def the_hand_of_a_state_is_sorted_first(player: Player, state: State) -> None:
    """The cards of a State are named by their places in the sorted hand."""
    player.hand.sort(key=card_order)


@reads_owner("7.2")
def the_hand_of_a_state_ends_after_six_cards(player: Player, state: State) -> None:
    """Only the first six cards of a State's hand are looked at."""
    del player.hand[6:]


@reads_owner("7.2")
def food_values_of_a_state_have_no_sign(player: Player, state: State) -> None:
    """In the hand of a State a food value below 0 is taken for the same one above 0."""
    player.hand = [(abs(food), trait) for food, trait in player.hand]


@reads_owner("7.2")
def the_boards_of_the_last_player_are_counted(player: Player, state: State) -> None:
    """The new board has the number that follows the boards of the last other player of a State."""
    player.boards = state.others[-1] if state.others else player.boards


@reads_owner("7.2")
def starving_boards_of_a_state_are_not_counted(player: Player, state: State) -> None:
    """The new board has the number that follows those boards of a State's owner that have eaten something."""
    player.boards = [board for board in player.boards if board.food]
