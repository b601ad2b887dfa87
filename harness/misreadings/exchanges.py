"""Misreadings of what players do with their cards, and of what is illegal (rules 5.2 to 5.5)."""

from collections.abc import Callable
from itertools import combinations_with_replacement

from evolution import actions
from evolution.actions import Action4, IllegalAction, check_board, exchanged, execute, used_cards
from evolution.cards import Card, card_order
from evolution.species import Species
from evolution.table import Player, Table
from evolution.traits import MOST, TRAITS
from evolution.wire.action4 import action4
from evolution.wire.writing import species as write_species
from harness.misreadings.decorators import (
    Step4,
    but,
    changes,
    chooses,
    exchanges,
    leaves,
    means,
    plays,
    rearranges,
    revealing,
    used,
)
from harness.misreadings.planting import adapted, add, add_in_several_places, replaces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

Growth = list[tuple[int, int]]
MOST_TRAITS = 3


# --- choosing (rules 5.2) ------------------------------------------------------------------------


@means("5.2")
def growth_lists_are_swapped(player: Player, action: Action4) -> Action4:
    """The first list of growth grows bodies, the second one populations."""
    return but(action, grow_population=action.grow_body, grow_body=action.grow_population)


@means("5.2")
def growth_names_the_card_first(player: Player, action: Action4) -> Action4:
    """The first number of a growth is the card, the second one the board."""
    population = [(board, card) for card, board in action.grow_population]
    body = [(board, card) for card, board in action.grow_body]
    return but(action, grow_population=population, grow_body=body)


@means("5.2")
def two_new_boards_are_too_many(player: Player, action: Action4) -> Action4:
    """An action that buys two boards is illegal."""
    if len(action.new_boards) > 1:
        raise IllegalAction("one new board a turn")
    return action


@plays("5.2")
def actions_come_in_reverse(step: Step4) -> None:
    """The first action is that of the last player."""
    step.actions = step.actions[::-1]
    step.as_it_is()


@leaves("5.2")
def all_cards_leave_the_hand(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """Cards that are not used leave the hand too."""
    return []


@replaces("5.2", action4)
def labelled_growth_is_ignored(value: "Any") -> Action4:
    """Growth that is labelled is passed over."""
    food, *growths, boards, traits = value
    bare = [[one for one in growth if len(one) == 2] for growth in growths]
    return action4([food, *bare, boards, traits])


# --- what the numbers mean (rules 5.3) -----------------------------------------------------------


@means("5.3")
def new_boards_are_numbered_first(player: Player, action: Action4) -> Action4:
    """The boards bought in an answer have the numbers before those of the old ones."""
    new, old = len(action.new_boards), len(player.boards)

    def board(at: int) -> int:
        return at + old if at < new else at - new if at < new + old else at

    return but(
        action,
        grow_population=[(board(at), card) for at, card in action.grow_population],
        grow_body=[(board(at), card) for at, card in action.grow_body],
        replace_traits=[(board(at), slot, card) for at, slot, card in action.replace_traits],
    )


@means("5.3")
def new_boards_cannot_be_grown(player: Player, action: Action4) -> Action4:
    """An action that grows a board bought in the same answer is illegal."""
    if any(board >= len(player.boards) for board, _ in (*action.grow_population, *action.grow_body)):
        raise IllegalAction("a new board cannot be named")
    return action


@means("5.3")
def new_boards_cannot_be_named(player: Player, action: Action4) -> Action4:
    """An action that grows a board bought in the same answer, or replaces its traits, is illegal."""
    return new_boards_keep_their_traits(player, new_boards_cannot_be_grown(player, action))


@exchanges("5.3")
def exchanges_on_new_boards_are_ignored(player: Player, action: Action4) -> Action4:
    """What should grow a board bought in the same answer, or replace its traits, does nothing."""
    old = len(player.boards)
    new = range(old, old + len(action.new_boards))
    return but(
        action,
        grow_population=[one for one in action.grow_population if one[0] not in new],
        grow_body=[one for one in action.grow_body if one[0] not in new],
        replace_traits=[one for one in action.replace_traits if one[0] not in new],
    )


@means("5.3")
def new_boards_keep_their_traits(player: Player, action: Action4) -> Action4:
    """An action that replaces a trait of a board bought in the same answer is illegal."""
    if any(board >= len(player.boards) for board, _, _ in action.replace_traits):
        raise IllegalAction("a new board cannot be named")
    return action


def _with_cards(action: Action4, card: Callable[[int], int], food: int) -> Action4:
    """The action with another number for each card."""
    return Action4(
        food,
        [(board, card(at)) for board, at in action.grow_population],
        [(board, card(at)) for board, at in action.grow_body],
        [[card(at) for at in cards] for cards in action.new_boards],
        [(board, slot, card(at)) for board, slot, at in action.replace_traits],
    )


@means("5.3")
def card_numbers_count_without_the_food_card(player: Player, action: Action4) -> Action4:
    """The card numbers of exchanges count in the hand after the food card has left it."""
    return _with_cards(action, lambda at: at + (at >= action.food_card), action.food_card)


@means("5.3")
def card_numbers_count_as_cards_leave(player: Player, action: Action4) -> Action4:
    """Each card number counts in the hand that the cards named before it have left."""
    left = list(range(len(player.hand)))

    def card(at: int) -> int:
        return left.pop(at) if at < len(left) else len(player.hand)

    return _with_cards(action, card, card(action.food_card))


@chooses("5.3")
def the_new_board_is_board_zero(new: int, order: list[int]) -> Action4:
    """The new board has number 0."""
    return used(0, *order)


@chooses("5.3")
def the_new_board_is_board_one(new: int, order: list[int]) -> Action4:
    """The new board has number 1."""
    return used(1, *order)


@chooses("5.3")
def the_new_board_is_board_one_at_most(new: int, order: list[int]) -> Action4:
    """The new board has number 0 if it is the first, else 1."""
    return used(min(1, new), *order)


@chooses("5.3")
def the_first_board_is_board_one(new: int, order: list[int]) -> Action4:
    """The new board of a player without boards has number 1, as if it had got a board in step 1."""
    return used(max(1, new), *order)


# --- new boards (rules 5.4) ----------------------------------------------------------------------


@rearranges("5.4")
def new_boards_go_to_the_left(player: Player, old: int) -> None:
    """A new board is put at the left end of the row."""
    player.boards[:] = player.boards[old:] + player.boards[:old]


@rearranges("5.4")
def new_boards_come_in_reverse(player: Player, old: int) -> None:
    """Of two new boards the second one lies to the left of the first."""
    player.boards[old:] = reversed(player.boards[old:])


@means("5.4")
def the_last_card_pays(player: Player, action: Action4) -> Action4:
    """The last card of a new board pays for it, and the others are its traits."""
    return but(action, new_boards=[[cards[-1], *cards[:-1]] for cards in action.new_boards])


@changes("5.4")
def the_payment_is_a_trait_too(boards: list[Species], player: Player, action: Action4) -> None:
    """A new board also gets the trait of the card that pays for it."""
    for board, (pays, *_) in zip(boards[len(player.boards) :], action.new_boards, strict=True):
        if len(board.traits) < MOST_TRAITS and player.hand[pays][1] not in board.traits:
            board.traits.append(player.hand[pays][1])


@rearranges("5.4")
def new_boards_come_fed(player: Player, old: int) -> None:
    """A new board has eaten one token already."""
    for board in player.boards[old:]:
        board.food = 1


@changes("5.4")
def new_boards_come_with_fat(boards: list[Species], player: Player, action: Action4) -> None:
    """A new board with fat-tissue has a token in its store."""
    for board in boards[len(player.boards) :]:
        board.fat_food = int("fat-tissue" in board.traits)


@changes("5.4")
def new_boards_have_a_body_of_one(boards: list[Species], player: Player, action: Action4) -> None:
    """A new board has body 1."""
    for board in boards[len(player.boards) :]:
        board.body += 1


@means("5.4")
def three_traits_are_too_many(player: Player, action: Action4) -> Action4:
    """A new board with three traits is illegal."""
    if any(len(cards) - 1 == MOST_TRAITS for cards in action.new_boards):
        raise IllegalAction("a new board takes no more than two traits")
    return action


@exchanges("5.4")
def traits_of_new_boards_come_in_reverse(player: Player, action: Action4) -> Action4:
    """The first slot of a new board has the trait of its last card."""
    return but(action, new_boards=[[cards[0], *reversed(cards[1:])] for cards in action.new_boards])


class _TraitCard(str):
    """A trait that is still a card when it is written."""

    __slots__ = ("food",)
    food: int


def _with_cards_as_traits(player: Player, action: Action4) -> list[Species]:
    """What is exchanged, with the cards of new boards as their traits."""
    bought = [[player.hand[card] for card in cards] for _, *cards in action.new_boards]
    replaced = {(board, slot) for board, slot, _ in action.replace_traits}
    boards = exchanged(player, action)
    for at, cards in enumerate(bought, len(player.boards)):
        for slot, (food, trait) in enumerate(cards):
            if (at, slot) not in replaced:
                boards[at].traits[slot] = card = _TraitCard(trait)
                card.food = food
    return boards


def _write_trait_cards(board: Species) -> str:
    text = write_species(board)
    for trait in board.traits:
        if isinstance(trait, _TraitCard):
            text = text.replace(f'"{trait}"', f'[{trait.food},"{trait}"]')
    return text


add_in_several_places(
    "5.4",
    "traits-of-new-boards-are-written-as-cards",
    "a trait of a new board is written as the card that it came from",
    {exchanged: _with_cards_as_traits, write_species: _write_trait_cards},
)


@changes("5.4")
def blank_new_boards_grow_together(boards: list[Species], player: Player, action: Action4) -> None:
    """What one new board without traits grows, all such boards of that action grow."""
    new = zip(boards[len(player.boards) :], action.new_boards, strict=True)
    blank = [board for board, cards in new if len(cards) == 1]
    population, body = sum(board.population - 1 for board in blank), sum(board.body for board in blank)
    for board in blank:
        board.population, board.body = 1 + population, body


# --- growth (rules 5.4) --------------------------------------------------------------------------


@exchanges("5.4")
def growth_counts_once_a_board(player: Player, action: Action4) -> Action4:
    """Two cards that grow one board in the same way let it grow by one."""
    population, body = dict(action.grow_population), dict(action.grow_body)
    return but(action, grow_population=[*population.items()], grow_body=[*body.items()])


# --- replaced traits (rules 5.4) -----------------------------------------------------------------


@exchanges("5.4")
def the_first_replacement_wins(player: Player, action: Action4) -> Action4:
    """Of two replacements in one slot the first one counts."""
    first: dict[tuple[int, int], tuple[int, int, int]] = {}
    for one in action.replace_traits:
        first.setdefault(one[:2], one)
    return but(action, replace_traits=[*first.values()])


@replaces("5.4", exchanged)
def replacements_go_to_the_end(player: Player, action: Action4) -> list[Species]:
    """A new trait is put behind the others of its board, so that slots behind the old one move up."""
    boards = exchanged(player, but(action, replace_traits=[]))
    fat = {at: board.fat_food for at, board in enumerate(player.boards)}
    for board, slot, card in action.replace_traits:
        if board >= len(boards) or slot >= len(boards[board].traits):
            return exchanged(player, action)  # which says that it is illegal
        del boards[board].traits[slot]
        boards[board].traits.append(player.hand[card][1])
    for at, left in enumerate(boards):
        left.fat_food = fat.get(at, 0) if "fat-tissue" in left.traits else 0
    return boards


def _traits_before(player: Player, action: Action4) -> list[int]:
    """How many traits each board has, the new ones included."""
    return [len(board.traits) for board in player.boards] + [len(cards) - 1 for cards in action.new_boards]


@replaces("5.4", exchanged)
def replacements_add_traits(player: Player, action: Action4) -> list[Species]:
    """A replacement in the slot after the last one adds a trait."""
    room = {at: count for at, count in enumerate(_traits_before(player, action)) if count < MOST_TRAITS}
    added = [one for one in action.replace_traits if room.get(one[0]) == one[1]]
    others = [one for one in action.replace_traits if one not in added]
    boards = exchanged(player, but(action, replace_traits=others))
    for board, _, card in added[:1]:
        boards[board].traits.append(player.hand[card][1])
    if added[1:]:
        raise IllegalAction("more than one trait is added")
    return boards


@replaces("5.4", exchanged)
def replacements_add_traits_to_new_boards(player: Player, action: Action4) -> list[Species]:
    """A replacement in the slot after the last one of a board bought in the same answer adds a trait."""
    if any(board < len(player.boards) for board, _, _ in action.replace_traits):
        return exchanged(player, action)
    return replacements_add_traits(player, action)


@means("5.4")
def two_replacements_of_a_slot_are_illegal(player: Player, action: Action4) -> Action4:
    """An action that replaces one trait twice is illegal."""
    slots = [(board, slot) for board, slot, _ in action.replace_traits]
    if len(set(slots)) < len(slots):
        raise IllegalAction("a slot is named twice")
    return action


@changes("5.4")
def fat_outlives_fat_tissue(boards: list[Species], player: Player, action: Action4) -> None:
    """A board keeps its fat-food when its fat-tissue is replaced."""
    for board, old in zip(boards, player.boards, strict=False):
        board.fat_food = old.fat_food


@changes("5.4")
def fat_is_lost_for_a_moment_without_fat_tissue(
    boards: list[Species], player: Player, action: Action4
) -> None:
    """Fat-food is lost when fat-tissue goes, though another replacement brings it back."""
    for at, (board, old) in enumerate(zip(boards, player.boards, strict=False)):
        traits = old.traits[:]
        for index, slot, card in action.replace_traits:
            if index == at:
                traits[slot] = player.hand[card][1]
                if "fat-tissue" not in traits:
                    board.fat_food = 0


@changes("5.4")
def replacing_fat_tissue_empties_the_store(boards: list[Species], player: Player, action: Action4) -> None:
    """Fat-food is lost when fat-tissue is replaced, even by fat-tissue."""
    for at, (board, old) in enumerate(zip(boards, player.boards, strict=False)):
        traits = old.traits[:]
        for index, slot, card in action.replace_traits:
            if index == at:
                if traits[slot] == "fat-tissue":
                    board.fat_food = 0
                traits[slot] = player.hand[card][1]


@changes("5.4")
def any_replacement_costs_the_fat(boards: list[Species], player: Player, action: Action4) -> None:
    """A board loses its fat-food whenever one of its traits is replaced."""
    for board, _, _ in action.replace_traits:
        boards[board].fat_food = 0


# --- one of several exchanges (rules 5.4) --------------------------------------------------------


def _cut(name: str, part: slice) -> object:
    """Of one list of an action only a part is done; all of its cards leave the hand."""
    return lambda player, action: exchanged(player, but(action, **{name: getattr(action, name)[part]}))


for exchange, several, done, name in (
    ("population", "several cards for population", "counts", "grow_population"),
    ("body", "several cards for body", "counts", "grow_body"),
    ("new-board", "several new boards", "is bought", "new_boards"),
    ("replacement", "several replacements", "is done", "replace_traits"),
):
    for which, part in (("first", slice(0, 1)), ("last", slice(-1, None))):
        add(
            "5.4",
            f"the-{which}-{exchange}-only",
            f"of {several} only the {which} one {done}",
            exchanged,
            _cut(name, part),
        )


# --- the hand (rules 5.4) ------------------------------------------------------------------------


@leaves("5.4")
def exchanged_cards_stay(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """Only the food card leaves the hand."""
    return [card for at, card in enumerate(hand) if at != action.food_card]


@leaves("5.4")
def the_food_card_stays(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """The food card stays in the hand."""
    gone = {card for card, _ in action.cards()} - {action.food_card}
    return [card for at, card in enumerate(hand) if at not in gone]


@leaves("5.4")
def the_rest_of_the_hand_is_sorted(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """The cards that are left are put in card order."""
    return sorted(rest, key=card_order)


@leaves("5.4")
def the_rest_of_the_hand_is_turned_around(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """The cards that are left are in reverse order."""
    return rest[::-1]


@leaves("5.4")
def equal_cards_leave_together(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """With a used card all cards like it leave the hand."""
    gone = {hand[card] for card, _ in action.cards()}
    return [card for card in rest if card not in gone]


@leaves("5.4")
def of_equal_cards_the_first_leaves(hand: list[Card], action: Action4, rest: list[Card]) -> list[Card]:
    """Of equal cards in a hand the first one leaves, whichever was used."""
    left = hand[:]
    for card, _ in action.cards():
        left.remove(hand[card])
    return left


@plays("5.4")
def used_cards_go_under_the_deck(step: Step4) -> None:
    """Cards that are used go under the deck and can be drawn again."""
    table = step.table
    hands = [player.hand[:] for player in table.players]
    step.turn_over(step.exchange())
    for hand, action in zip(hands, step.actions, strict=False):
        table.deck += [hand[card] for card, _ in action.cards()]
    step.reveal()
    step.cycle()


# --- boards and slots that do not exist (rules 5.5) ----------------------------------------------


def _boards_after(player: Player, action: Action4) -> int:
    return len(player.boards) + len(action.new_boards)


def _of_existing(player: Player, action: Action4, growth: Growth) -> Growth:
    return [one for one in growth if one[0] < _boards_after(player, action)]


@exchanges("5.5")
def missing_slots_are_ignored(player: Player, action: Action4) -> Action4:
    """A replacement in a slot that does not exist is skipped, not illegal."""
    traits = dict(enumerate(_traits_before(player, action)))
    found = [one for one in action.replace_traits if one[1] < traits.get(one[0], one[1] + 1)]
    return but(action, replace_traits=found)


@exchanges("5.5")
def replacements_on_missing_boards_are_ignored(player: Player, action: Action4) -> Action4:
    """A replacement on a board that does not exist is skipped, not illegal."""
    count = _boards_after(player, action)
    return but(action, replace_traits=[one for one in action.replace_traits if one[0] < count])


@exchanges("5.5")
def growth_of_missing_boards_is_ignored(player: Player, action: Action4) -> Action4:
    """Growth of a board that does not exist is skipped, not illegal."""
    population = _of_existing(player, action, action.grow_population)
    return but(action, grow_population=population, grow_body=_of_existing(player, action, action.grow_body))


@exchanges("5.5")
def population_of_missing_boards_is_ignored(player: Player, action: Action4) -> Action4:
    """Growth of the population of a board that does not exist is skipped, not illegal."""
    return but(action, grow_population=_of_existing(player, action, action.grow_population))


@exchanges("5.5")
def bodies_of_missing_boards_are_ignored(player: Player, action: Action4) -> Action4:
    """Growth of the body of a board that does not exist is skipped, not illegal."""
    return but(action, grow_body=_of_existing(player, action, action.grow_body))


@plays("5.5")
def boards_are_counted_in_the_first_row(step: Step4) -> None:
    """A board does not exist if the first player has none with its number."""
    for action in step.actions:
        named = [board for board, *_ in (*action.grow_population, *action.grow_body, *action.replace_traits)]
        if max(named, default=-1) >= _boards_after(step.table.players[0], action):
            raise IllegalAction("a board does not exist")
    step.as_it_is()


# --- numbers that are too large (rules 5.5) ------------------------------------------------------


@replaces("5.5", check_board)
def a_population_of_eight_is_cut(at: int, board: Species) -> None:
    """A population that grows above 7 stays at 7, and the action is legal."""
    board.population = min(MOST, board.population)
    check_board(at, board)


@replaces("5.5", check_board)
def a_body_of_eight_is_cut(at: int, board: Species) -> None:
    """A body that grows above 7 stays at 7, and the action is legal."""
    board.body = min(MOST, board.body)
    check_board(at, board)


def _check_for_nine(at: int, board: Species) -> None:
    """A board may have a population and a body of 8."""
    too_large = board.copy()
    too_large.population -= board.population == MOST + 1
    too_large.body -= board.body == MOST + 1
    check_board(at, too_large)


def _grow_below_seven(table: Table, player: Player, owner: Species) -> None:
    """A fertile board grows up to 7, and one of 8 stays as it is."""
    owner.population += owner.population < MOST


add_in_several_places(
    "5.5",
    "eight-is-legal",
    "an action may grow a population or a body to 8, and 8 it stays",
    {check_board: _check_for_nine, TRAITS["fertile"]: revealing(_grow_below_seven)},
)


@changes("5.5")
def new_boards_are_not_checked_for_seven(boards: list[Species], player: Player, action: Action4) -> None:
    """A new board may be grown beyond 7, and then has 7."""
    for board in boards[len(player.boards) :]:
        board.population, board.body = min(board.population, MOST), min(board.body, MOST)


@changes("5.5")
def a_population_of_seven_is_illegal(boards: list[Species], player: Player, action: Action4) -> None:
    """An action that grows a population to 7 is illegal."""
    if any(boards[board].population == MOST for board, _ in action.grow_population):
        raise IllegalAction("a population is too large")


@changes("5.5")
def a_body_of_seven_is_illegal(boards: list[Species], player: Player, action: Action4) -> None:
    """An action that grows a body to 7 is illegal."""
    if any(boards[board].body == MOST for board, _ in action.grow_body):
        raise IllegalAction("a body is too large")


# --- equal traits (rules 5.5) --------------------------------------------------------------------


@replaces("5.5", check_board)
def equal_traits_are_legal(at: int, board: Species) -> None:
    """A board may have the same trait twice."""
    traits = board.traits
    board.traits = list(dict.fromkeys(traits))
    check_board(at, board)
    board.traits = traits


@replaces("5.5", check_board)
def equal_traits_become_one(at: int, board: Species) -> None:
    """A trait that a board would have twice is there once, and the action is legal."""
    board.traits = list(dict.fromkeys(board.traits))
    check_board(at, board)


@changes("5.5")
def equal_traits_for_a_moment_are_illegal(boards: list[Species], player: Player, action: Action4) -> None:
    """An action is illegal if a board has a trait twice between two of its replacements."""
    traits = [board.traits[:] for board in player.boards] + _bought(player, action)
    for board, slot, card in action.replace_traits:
        traits[board][slot] = player.hand[card][1]
        if len(set(traits[board])) < len(traits[board]):
            raise IllegalAction("a trait would be there twice")


def _bought(player: Player, action: Action4) -> list[list[str]]:
    """The traits of the new boards, before anything is replaced."""
    return [[player.hand[card][1] for card in cards] for _, *cards in action.new_boards]


@changes("5.5")
def equal_traits_on_two_boards_are_illegal(boards: list[Species], player: Player, action: Action4) -> None:
    """An action is illegal if a board gets a trait that another board of the player has."""
    touched = {board for board, _, _ in action.replace_traits} | {*range(len(player.boards), len(boards))}
    for at in touched:
        others = [trait for board in boards if board is not boards[at] for trait in board.traits]
        if set(boards[at].traits) & set(others):
            raise IllegalAction("the player has that trait already")


@replaces("5.5", exchanged)
def replacing_a_trait_by_itself_is_illegal(player: Player, action: Action4) -> list[Species]:
    """An action that replaces a trait by the same one is illegal."""
    for board, slot, card in action.replace_traits:
        old = player.boards[board].traits[slot : slot + 1] if board < len(player.boards) else []
        if old == [player.hand[card][1]]:
            raise IllegalAction("that trait is there already")
    return exchanged(player, action)


@changes("5.5")
def new_boards_are_checked_when_bought(boards: list[Species], player: Player, action: Action4) -> None:
    """Equal traits of a new board are illegal even if one of them is replaced in the same action."""
    if any(len(set(traits)) < len(traits) for traits in _bought(player, action)):
        raise IllegalAction("a new board would have a trait twice")


@changes("5.5")
def replacements_on_new_boards_are_not_checked(
    boards: list[Species], player: Player, action: Action4
) -> None:
    """A replacement may give a new board a trait that it has already, and the board then has it once."""
    for board, bought in zip(boards[len(player.boards) :], _bought(player, action), strict=True):
        if len(set(bought)) == len(bought):
            board.traits[:] = dict.fromkeys(board.traits)


# --- cards that do not exist, or are used twice (rules 5.5) --------------------------------------


@means("5.5")
def exchanges_with_missing_cards_are_ignored(player: Player, action: Action4) -> Action4:
    """An exchange with a card that is not in the hand is skipped, not illegal."""
    count = len(player.hand)
    return Action4(
        action.food_card,
        [one for one in action.grow_population if one[1] < count],
        [one for one in action.grow_body if one[1] < count],
        [cards for cards in action.new_boards if max(cards) < count],
        [one for one in action.replace_traits if one[2] < count],
    )


@replaces("5.5", execute)
def a_missing_food_card_is_worth_nothing(player: Player, action: Action4) -> int:
    """A food card that is not in the hand is legal and brings no tokens."""
    if action.food_card < len(player.hand):
        return execute(player, action)
    player.hand.append((0, "ambush"))
    try:
        return execute(player, but(action, food_card=len(player.hand) - 1))
    except IllegalAction:
        player.hand.pop()
        raise


@plays("5.5")
def cards_are_counted_in_the_first_hand(step: Step4) -> None:
    """A card does not exist if the hand of the first player has no card with its number."""
    count = len(step.table.players[0].hand)
    if any(card >= count for action in step.actions for card, _ in action.cards()):
        raise IllegalAction("a card does not exist")
    step.as_it_is()


@plays("5.5")
def cards_that_others_used_are_used(step: Step4) -> None:
    """An action is illegal if it uses a card with a number that another player's action uses."""
    seen: set[int] = set()
    for action in step.actions:
        own = {card for card, _ in action.cards()}
        if own & seen:
            raise IllegalAction("a card was used before")
        seen |= own
    step.as_it_is()


Reuse = Callable[[list[tuple[int, ...]]], bool]  # whether a card may be used in all these places of an action


def _used_where(may_be: Reuse) -> object:
    def misread(player: Player, action: Action4) -> set[int]:
        places: dict[int, list[tuple[int, ...]]] = {}
        for card, place in action.cards():
            places.setdefault(card, []).append(place)
        if max(places) >= len(player.hand) or any(
            len(one) > 1 and not may_be(one) for one in places.values()
        ):
            raise IllegalAction("a card does not exist or is used twice")
        return set(places)

    return misread


def reuses(rule: str) -> "Callable[[Reuse], Reuse]":
    """A card may be used several times where this holds of the places of its uses."""
    return adapted(rule, used_cards, _used_where)


@reuses("5.5")
def a_card_may_be_used_twice(places: list[tuple[int, ...]]) -> bool:
    """An action that uses a card twice is legal."""
    return True


@reuses("5.5")
def the_food_card_may_be_used_again(places: list[tuple[int, ...]]) -> bool:
    """The food card may be used for an exchange as well."""
    return len(places) == 2 and (0,) in places


@reuses("5.5")
def a_payment_may_be_a_trait_of_another_board(places: list[tuple[int, ...]]) -> bool:
    """A card that pays for a new board may be a trait of another new board as well."""
    pays = [place for place in places if len(place) == 3 and place[2] == 0]
    traits = [place for place in places if len(place) == 3 and place[2]]
    return (
        len(pays) == 1 and len(places) == 1 + len(traits) and all(place[1] != pays[0][1] for place in traits)
    )


USES = ("as food", "for population", "for a body", "for a new board", "as a replacement")  # by their places


def _once_each(one: int, other: int) -> Reuse:
    return lambda places: sorted(place[0] for place in places) == [one, other]


for one, other in combinations_with_replacement(range(len(USES)), 2):
    if other:  # there is one food card only
        both = f"twice {USES[one]}" if one == other else f"{USES[one]} and {USES[other]}"
        add(
            "5.5",
            f"a-card-may-be-used-{both.replace(' ', '-')}",
            f"an action that uses one card {both} is legal",
            used_cards,
            _used_where(_once_each(one, other)),
        )


# --- what becomes of illegal actions (rules 5.5) -------------------------------------------------


def _is_legal(player: Player, action: Action4) -> bool:
    boards = [board.copy() for board in player.boards]
    try:
        actions.execute(Player(player.id, boards, player.bag, player.hand[:]), action)
    except IllegalAction:
        return False
    return True


def _without_cheaters(step: Step4) -> None:
    """Players with illegal actions leave the table, and the others go on."""
    honest = [(player, action) for player, action in step.pairs if _is_legal(player, action)]
    step.table.players[:] = [*(player for player, _ in honest), *step.others]
    step.actions = [action for _, action in honest]
    step.feeders = step.feeders[: len(step.table.players)]
    if not step.table.players:
        raise IllegalAction("nobody is left")
    step.as_it_is()


def _with_legal_actions(step: Step4) -> None:
    """Illegal actions are not carried out, but the others are."""
    for player, action in step.pairs:
        if _is_legal(player, action):
            step.turn_over([actions.execute(player, action)])
    step.reveal()
    step.cycle()


@plays("5.5")
def illegal_actions_are_skipped(step: Step4) -> None:
    """An illegal action is not carried out, but the others are."""
    _with_legal_actions(step)


@plays("5.5")
def cheaters_are_thrown_out(step: Step4) -> None:
    """A player with an illegal action leaves the table, and the others go on."""
    _without_cheaters(step)


@plays("5.5")
def one_cheater_among_several_is_thrown_out(step: Step4) -> None:
    """Nothing is printed only if all actions are illegal; else those players leave, and the others go on."""
    if not any(_is_legal(*pair) for pair in step.pairs):
        raise IllegalAction("too many cheaters")
    _without_cheaters(step)


@plays("5.5")
def only_the_first_action_is_judged(step: Step4) -> None:
    """Nothing is printed only if the first action is illegal; illegal ones of others are skipped."""
    if not _is_legal(*step.pairs[0]):
        raise IllegalAction("the first player cheats")
    _with_legal_actions(step)


@plays("5.5")
def only_the_last_action_is_judged(step: Step4) -> None:
    """Nothing is printed only if the last action is illegal; illegal ones of others are skipped."""
    if not _is_legal(*step.pairs[-1]):
        raise IllegalAction("the last player cheats")
    _with_legal_actions(step)


@plays("5.5")
def an_illegal_action_changes_nothing(step: Step4) -> None:
    """If an action is illegal, the table is printed as it was."""
    if all(_is_legal(*pair) for pair in step.pairs):
        step.as_it_is()
