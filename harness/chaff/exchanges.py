"""Misreadings of what players do with their cards (rules 5.2 to 5.5)."""

from evolution import actions
from evolution.actions import Action4, IllegalAction
from evolution.cards import card_order
from evolution.species import Species
from evolution.table import Player
from evolution.traits import MOST
from harness.chaff.planting import Chaff, Patch, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.cards import Card

XSTEP4 = ("xstep4",)
MOST_TRAITS = 3

_execute = actions.execute
_exchanged = actions._exchanged
_used_cards = actions._used_cards
_check_board = actions._check_board


def rearranged(arrange: "Callable[[Player, int], None]") -> Patch:
    """After the exchanges a player's things are rearranged, given how many boards it had before."""

    def execute(player: Player, action: Action4) -> int:
        old = len(player.boards)
        food = _execute(player, action)
        arrange(player, old)
        return food

    return function(_execute, execute)


def meaning(other: "Callable[[Player, Action4], Action4]") -> Patch:
    """The action means this other one."""
    return function(_execute, lambda player, action: _execute(player, other(player, action)))


def exchanging(exchange: "Callable[[Player, Action4], list[Species]]") -> Patch:
    """The exchanges leave these boards."""
    return function(_exchanged, exchange)


# --- new boards (rules 5.4) ----------------------------------------------------------------------


def _put_on_the_left(player: Player, old: int) -> None:
    player.boards[:] = player.boards[old:] + player.boards[:old]


def _turn_new_ones_around(player: Player, old: int) -> None:
    player.boards[old:] = reversed(player.boards[old:])


def _with_boards(action: Action4, new_boards: list[list[int]]) -> Action4:
    return Action4(
        action.food_card, action.grow_population, action.grow_body, new_boards, action.replace_traits
    )


def _last_card_pays(player: Player, action: Action4) -> Action4:
    return _with_boards(action, [[cards[-1], *cards[:-1]] for cards in action.new_boards])


def _payment_counts(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for board, (pays, *_) in zip(boards[len(player.boards) :], action.new_boards, strict=True):
        if len(board.traits) < MOST_TRAITS and player.hand[pays][1] not in board.traits:
            board.traits.append(player.hand[pays][1])
    return boards


def _newborn_is_fed(player: Player, old: int) -> None:
    for board in player.boards[old:]:
        board.food = 1


def _newborn_has_a_body(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for board in boards[len(player.boards) :]:
        board.body += 1
    return boards


def _newborn_has_fat(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for board in boards[len(player.boards) :]:
        board.fat_food = int("fat-tissue" in board.traits)
    return boards


def _old_boards_only(player: Player, boards: "list[int]") -> None:
    for board in boards:
        if board >= len(player.boards):
            raise IllegalAction("a new board cannot be named")


def _no_growth_of_new_boards(player: Player, action: Action4) -> Action4:
    _old_boards_only(player, [board for board, _ in (*action.grow_population, *action.grow_body)])
    return action


def _no_replacement_on_new_boards(player: Player, action: Action4) -> Action4:
    _old_boards_only(player, [board for board, _, _ in action.replace_traits])
    return action


def _new_boards_numbered_first(player: Player, action: Action4) -> Action4:
    new, old = len(action.new_boards), len(player.boards)

    def board(at: int) -> int:
        return at + old if at < new else at - new if at < new + old else at

    return Action4(
        action.food_card,
        [(board(at), card) for at, card in action.grow_population],
        [(board(at), card) for at, card in action.grow_body],
        action.new_boards,
        [(board(at), slot, card) for at, slot, card in action.replace_traits],
    )


NEW_BOARDS = [
    Chaff(
        "new-boards-go-to-the-left",
        "a new board is put at the left end of the row",
        "5.4",
        XSTEP4,
        rearranged(_put_on_the_left),
    ),
    Chaff(
        "new-boards-come-in-reverse",
        "of two new boards the second one lies to the left of the first",
        "5.4",
        XSTEP4,
        rearranged(_turn_new_ones_around),
    ),
    Chaff(
        "the-last-card-pays",
        "the last card of a new board pays for it, and the others are its traits",
        "5.4",
        XSTEP4,
        meaning(_last_card_pays),
    ),
    Chaff(
        "the-payment-is-a-trait-too",
        "a new board also gets the trait of the card that pays for it",
        "5.4",
        XSTEP4,
        exchanging(_payment_counts),
    ),
    Chaff(
        "new-boards-come-fed",
        "a new board has eaten one token already",
        "5.4",
        XSTEP4,
        rearranged(_newborn_is_fed),
    ),
    Chaff(
        "new-boards-come-with-fat",
        "a new board with fat-tissue has a token in its store",
        "5.4",
        XSTEP4,
        exchanging(_newborn_has_fat),
    ),
    Chaff(
        "new-boards-have-a-body-of-one",
        "a new board has body 1",
        "5.4",
        XSTEP4,
        exchanging(_newborn_has_a_body),
    ),
    Chaff(
        "new-boards-are-numbered-first",
        "the boards bought in an answer have the numbers before those of the old ones",
        "5.3",
        XSTEP4,
        meaning(_new_boards_numbered_first),
    ),
    Chaff(
        "new-boards-cannot-be-grown",
        "an action that grows a board bought in the same answer is illegal",
        "5.3",
        XSTEP4,
        meaning(_no_growth_of_new_boards),
    ),
    Chaff(
        "new-boards-keep-their-traits",
        "an action that replaces a trait of a board bought in the same answer is illegal",
        "5.3",
        XSTEP4,
        meaning(_no_replacement_on_new_boards),
    ),
]


# --- replaced traits (rules 5.4) -----------------------------------------------------------------


def replacing(replacements: "Callable[[Player, Action4], list[tuple[int, int, int]]]") -> Patch:
    """Other replacements are carried out than the action says."""

    def other(player: Player, action: Action4) -> Action4:
        found = replacements(player, action)
        return Action4(action.food_card, action.grow_population, action.grow_body, action.new_boards, found)

    return exchanging(lambda player, action: _exchanged(player, other(player, action)))


def _traits_before(player: Player, action: Action4) -> list[int]:
    """How many traits each board has, the new ones included."""
    return [len(board.traits) for board in player.boards] + [len(cards) - 1 for cards in action.new_boards]


def _first_of_a_slot(player: Player, action: Action4) -> list[tuple[int, int, int]]:
    first: dict[tuple[int, int], tuple[int, int, int]] = {}
    for one in action.replace_traits:
        first.setdefault(one[:2], one)
    return list(first.values())


def _existing_slots(player: Player, action: Action4) -> list[tuple[int, int, int]]:
    traits = _traits_before(player, action)
    return [one for one in action.replace_traits if one[0] >= len(traits) or one[1] < traits[one[0]]]


def _existing_boards(player: Player, action: Action4) -> list[tuple[int, int, int]]:
    count = len(player.boards) + len(action.new_boards)
    return [one for one in action.replace_traits if one[0] < count]


def _adding_traits(player: Player, action: Action4) -> list[Species]:
    """A replacement in the slot after the last one adds a trait."""
    room = {at: count for at, count in enumerate(_traits_before(player, action)) if count < MOST_TRAITS}
    added = [one for one in action.replace_traits if room.get(one[0]) == one[1]]
    others = [one for one in action.replace_traits if one not in added]
    rest = Action4(action.food_card, action.grow_population, action.grow_body, action.new_boards, others)
    boards = _exchanged(player, rest)
    for board, _, card in added[:1]:
        boards[board].traits.append(player.hand[card][1])
    if added[1:]:
        raise IllegalAction("more than one trait is added")
    return boards


def _adding_to_new_boards(player: Player, action: Action4) -> list[Species]:
    """The same on boards that were bought in the action."""
    if any(board < len(player.boards) for board, _, _ in action.replace_traits):
        return _exchanged(player, action)
    return _adding_traits(player, action)


def _to_the_end(player: Player, action: Action4) -> list[Species]:
    """The old trait is taken out and the new one put behind the others."""
    boards = _exchanged(player, _with_replacements(action, []))
    fat = {at: board.fat_food for at, board in enumerate(player.boards)}
    for board, slot, card in action.replace_traits:
        if board >= len(boards) or slot >= len(boards[board].traits):
            return _exchanged(player, action)  # which says that it is illegal
        del boards[board].traits[slot]
        boards[board].traits.append(player.hand[card][1])
    for at, left in enumerate(boards):
        left.fat_food = fat.get(at, 0) if "fat-tissue" in left.traits else 0
    return boards


def _with_replacements(action: Action4, replacements: list[tuple[int, int, int]]) -> Action4:
    return Action4(
        action.food_card, action.grow_population, action.grow_body, action.new_boards, replacements
    )


def _keeping_fat(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for board, old in zip(boards, player.boards, strict=False):
        board.fat_food = old.fat_food
    return boards


def _losing_fat_at_once(player: Player, action: Action4) -> list[Species]:
    """Fat is lost as soon as a replacement takes the fat-tissue away, even if another brings it back."""
    boards = _exchanged(player, action)
    for at, board in enumerate(boards):
        traits = player.boards[at].traits[:] if at < len(player.boards) else []
        for index, slot, card in action.replace_traits:
            if index == at and traits:
                traits[slot] = player.hand[card][1]
                if "fat-tissue" not in traits:
                    board.fat_food = 0
    return boards


def _losing_fat_by_any_replacement(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for index, _, _ in action.replace_traits:
        boards[index].fat_food = 0
    return boards


REPLACEMENTS = [
    Chaff(
        "the-first-replacement-wins",
        "of two replacements in one slot the first one counts",
        "5.4",
        XSTEP4,
        replacing(_first_of_a_slot),
    ),
    Chaff(
        "replacements-go-to-the-end",
        "a new trait is put behind the others of its board, so that slots behind the old one move up",
        "5.4",
        XSTEP4,
        exchanging(_to_the_end),
    ),
    Chaff(
        "replacements-add-traits",
        "a replacement in the slot after the last one adds a trait",
        "5.4",
        XSTEP4,
        exchanging(_adding_traits),
    ),
    Chaff(
        "replacements-add-traits-to-new-boards",
        "a replacement in the slot after the last one of a board bought in the same answer adds a trait",
        "5.4",
        XSTEP4,
        exchanging(_adding_to_new_boards),
    ),
    Chaff(
        "missing-slots-are-ignored",
        "a replacement in a slot that does not exist is skipped, not illegal",
        "5.5",
        XSTEP4,
        replacing(_existing_slots),
    ),
    Chaff(
        "replacements-on-missing-boards-are-ignored",
        "a replacement on a board that does not exist is skipped, not illegal",
        "5.5",
        XSTEP4,
        replacing(_existing_boards),
    ),
    Chaff(
        "fat-outlives-fat-tissue",
        "a board keeps its fat-food when its fat-tissue is replaced",
        "5.4",
        XSTEP4,
        exchanging(_keeping_fat),
    ),
    Chaff(
        "fat-is-lost-for-a-moment-without-fat-tissue",
        "fat-food is lost when fat-tissue goes, though another replacement brings it back",
        "5.4",
        XSTEP4,
        exchanging(_losing_fat_at_once),
    ),
    Chaff(
        "any-replacement-costs-the-fat",
        "a board loses its fat-food whenever one of its traits is replaced",
        "5.4",
        XSTEP4,
        exchanging(_losing_fat_by_any_replacement),
    ),
]


# --- growth (rules 5.4 and 5.5) ------------------------------------------------------------------


def _grown_kinds_swapped(player: Player, action: Action4) -> Action4:
    return Action4(
        action.food_card, action.grow_body, action.grow_population, action.new_boards, action.replace_traits
    )


def _card_first(player: Player, action: Action4) -> Action4:
    population = [(board, card) for card, board in action.grow_population]
    body = [(board, card) for card, board in action.grow_body]
    return Action4(action.food_card, population, body, action.new_boards, action.replace_traits)


def _growth_of_existing(player: Player, action: Action4) -> Action4:
    count = len(player.boards) + len(action.new_boards)
    population = [one for one in action.grow_population if one[0] < count]
    body = [one for one in action.grow_body if one[0] < count]
    return Action4(action.food_card, population, body, action.new_boards, action.replace_traits)


def _population_cut(at: int, board: Species) -> None:
    board.population = min(MOST, board.population)
    _check_board(at, board)


def _body_cut(at: int, board: Species) -> None:
    board.body = min(MOST, board.body)
    _check_board(at, board)


def _grown_below_seven(grown: "Callable[[Action4], list[tuple[int, int]]]", number: str) -> Patch:
    """An action is illegal if it grows this number of a board to 7."""

    def exchanged(player: Player, action: Action4) -> list[Species]:
        boards = _exchanged(player, action)
        if any(getattr(boards[board], number) == MOST for board, _ in grown(action)):
            raise IllegalAction(f"a {number} is too large")
        return boards

    return exchanging(exchanged)


GROWTH = [
    Chaff(
        "growth-lists-are-swapped",
        "the first list of growth grows bodies, the second one populations",
        "5.2",
        XSTEP4,
        meaning(_grown_kinds_swapped),
    ),
    Chaff(
        "growth-names-the-card-first",
        "the first number of a growth is the card, the second one the board",
        "5.2",
        XSTEP4,
        meaning(_card_first),
    ),
    Chaff(
        "growth-of-missing-boards-is-ignored",
        "growth of a board that does not exist is skipped, not illegal",
        "5.5",
        XSTEP4,
        exchanging(lambda player, action: _exchanged(player, _growth_of_existing(player, action))),
    ),
    Chaff(
        "a-population-of-eight-is-cut",
        "a population that grows above 7 stays at 7, and the action is legal",
        "5.5",
        XSTEP4,
        function(_check_board, _population_cut),
    ),
    Chaff(
        "a-body-of-eight-is-cut",
        "a body that grows above 7 stays at 7, and the action is legal",
        "5.5",
        XSTEP4,
        function(_check_board, _body_cut),
    ),
    Chaff(
        "a-population-of-seven-is-illegal",
        "an action that grows a population to 7 is illegal",
        "5.5",
        XSTEP4,
        _grown_below_seven(lambda action: action.grow_population, "population"),
    ),
    Chaff(
        "a-body-of-seven-is-illegal",
        "an action that grows a body to 7 is illegal",
        "5.5",
        XSTEP4,
        _grown_below_seven(lambda action: action.grow_body, "body"),
    ),
]


# --- equal traits (rules 5.5) --------------------------------------------------------------------


def _equal_traits_pass(at: int, board: Species) -> None:
    traits = board.traits
    board.traits = list(dict.fromkeys(traits))
    _check_board(at, board)
    board.traits = traits


def _equal_traits_merge(at: int, board: Species) -> None:
    board.traits = list(dict.fromkeys(board.traits))
    _check_board(at, board)


def _never_equal_in_between(player: Player, action: Action4) -> list[Species]:
    boards = [board.traits[:] for board in player.boards]
    boards += [[player.hand[card][1] for card in cards] for _, *cards in action.new_boards]
    result = _exchanged(player, action)
    for board, slot, card in action.replace_traits:
        boards[board][slot] = player.hand[card][1]
        if len(set(boards[board])) < len(boards[board]):
            raise IllegalAction("a trait would be there twice")
    return result


EQUAL_TRAITS = [
    Chaff(
        "equal-traits-are-legal",
        "a board may have the same trait twice",
        "5.5",
        XSTEP4,
        function(_check_board, _equal_traits_pass),
    ),
    Chaff(
        "equal-traits-become-one",
        "a trait that a board would have twice is there once, and the action is legal",
        "5.5",
        XSTEP4,
        function(_check_board, _equal_traits_merge),
    ),
    Chaff(
        "equal-traits-for-a-moment-are-illegal",
        "an action is illegal if a board has a trait twice between two of its replacements",
        "5.5",
        XSTEP4,
        exchanging(_never_equal_in_between),
    ),
]


# --- cards (rules 5.3 and 5.4) -------------------------------------------------------------------


def _without_food_card(player: Player, action: Action4) -> Action4:
    """Card numbers of exchanges count in the hand that is left when the food card has gone."""

    def card(at: int) -> int:
        return at + (at >= action.food_card)

    return Action4(
        action.food_card,
        [(board, card(at)) for board, at in action.grow_population],
        [(board, card(at)) for board, at in action.grow_body],
        [[card(at) for at in cards] for cards in action.new_boards],
        [(board, slot, card(at)) for board, slot, at in action.replace_traits],
    )


def _as_cards_leave(player: Player, action: Action4) -> Action4:
    """Each card number counts in the hand that the cards named before it have left."""
    left = list(range(len(player.hand)))

    def card(at: int) -> int:
        return left.pop(at) if at < len(left) else len(player.hand)

    return Action4(
        card(action.food_card),
        [(board, card(at)) for board, at in action.grow_population],
        [(board, card(at)) for board, at in action.grow_body],
        [[card(at) for at in cards] for cards in action.new_boards],
        [(board, slot, card(at)) for board, slot, at in action.replace_traits],
    )


def _with_existing_cards(player: Player, action: Action4) -> Action4:
    """Exchanges with cards that are not in the hand are left out."""
    count = len(player.hand)
    return Action4(
        action.food_card,
        [one for one in action.grow_population if one[1] < count],
        [one for one in action.grow_body if one[1] < count],
        [cards for cards in action.new_boards if max(cards) < count],
        [one for one in action.replace_traits if one[2] < count],
    )


def _in_range(player: Player, action: Action4) -> set[int]:
    """The cards that are used; that one is used twice is nobody's concern."""
    used = {card for card, _ in action.cards()}
    if max(used) >= len(player.hand):
        raise IllegalAction("a card does not exist")
    return used


def _food_card_twice(player: Player, action: Action4) -> set[int]:
    """The cards that are used; the food card may be used once more."""
    cards = [card for card, _ in action.cards()]
    if max(cards) >= len(player.hand) or len(set(cards[1:])) < len(cards[1:]):
        raise IllegalAction("a card does not exist or is used twice")
    return set(cards)


def hand_left(left: "Callable[[list[Card], Action4, list[Card]], list[Card]]") -> Patch:
    """This is left of the hand, given the hand before, the action, and what should be left."""

    def execute(player: Player, action: Action4) -> int:
        hand = player.hand[:]
        food = _execute(player, action)
        player.hand[:] = left(hand, action, player.hand[:])
        return food

    return function(_execute, execute)


HANDS = [
    Chaff(
        "card-numbers-count-without-the-food-card",
        "the card numbers of exchanges count in the hand after the food card has left it",
        "5.3",
        XSTEP4,
        meaning(_without_food_card),
    ),
    Chaff(
        "card-numbers-count-as-cards-leave",
        "each card number counts in the hand that the cards named before it have left",
        "5.3",
        XSTEP4,
        meaning(_as_cards_leave),
    ),
    Chaff(
        "exchanges-with-missing-cards-are-ignored",
        "an exchange with a card that is not in the hand is skipped, not illegal",
        "5.5",
        XSTEP4,
        meaning(_with_existing_cards),
    ),
    Chaff(
        "a-card-may-be-used-twice",
        "an action that uses a card twice is legal",
        "5.5",
        XSTEP4,
        function(_used_cards, _in_range),
    ),
    Chaff(
        "the-food-card-may-be-used-again",
        "the food card may be used for an exchange as well",
        "5.5",
        XSTEP4,
        function(_used_cards, _food_card_twice),
    ),
    Chaff(
        "all-cards-leave-the-hand",
        "cards that are not used leave the hand too",
        "5.2",
        XSTEP4,
        hand_left(lambda hand, action, rest: []),
    ),
    Chaff(
        "exchanged-cards-stay",
        "only the food card leaves the hand",
        "5.4",
        XSTEP4,
        hand_left(
            lambda hand, action, rest: [card for at, card in enumerate(hand) if at != action.food_card]
        ),
    ),
    Chaff(
        "the-food-card-stays",
        "the food card stays in the hand",
        "5.4",
        XSTEP4,
        hand_left(
            lambda hand, action, rest: [
                card
                for at, card in enumerate(hand)
                if at == action.food_card or at not in {used for used, _ in action.cards()}
            ]
        ),
    ),
    Chaff(
        "the-rest-of-the-hand-is-sorted",
        "the cards that are left are put in card order",
        "5.4",
        XSTEP4,
        hand_left(lambda hand, action, rest: sorted(rest, key=card_order)),
    ),
    Chaff(
        "the-rest-of-the-hand-is-turned-around",
        "the cards that are left are in reverse order",
        "5.4",
        XSTEP4,
        hand_left(lambda hand, action, rest: rest[::-1]),
    ),
]

MISREADINGS = [*NEW_BOARDS, *REPLACEMENTS, *GROWTH, *EQUAL_TRAITS, *HANDS]
