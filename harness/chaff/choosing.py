"""Misreadings of the Silly player (rules 7 and 1.6)."""

from evolution import attack, cards, silly, species
from evolution.actions import Action4
from evolution.cards import Card, card_order
from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from harness.chaff.planting import Chaff, Patch, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Target = tuple[int, int]  # a player among the others, and one of its boards

FED = ("xfeed", "xstep", "xstep4")
XSILLY = ("xsilly",)

_feed, _store_fat, _eat, _attack = silly.feed, silly._store_fat, silly._eat, silly._attack
_hungry_carnivores, _largest_target = silly._hungry_carnivores, silly._largest_target


# --- what comes first (rules 7.1) ----------------------------------------------------------------


def _decline(state: State) -> "FeedingChoice | None":
    return DECLINE if _hungry_carnivores(state) else None


FIRST = [
    Chaff(
        "silly-feeds-before-it-stores",
        "the Silly player feeds a vegetarian before it stores fat",
        "7.1",
        FED,
        function(_feed, lambda state: _eat(state) or _store_fat(state) or _attack(state) or _decline(state)),
    ),
    Chaff(
        "silly-attacks-before-it-feeds",
        "the Silly player attacks before it feeds a vegetarian",
        "7.1",
        FED,
        function(_feed, lambda state: _store_fat(state) or _attack(state) or _eat(state) or _decline(state)),
    ),
    Chaff(
        "silly-stores-last",
        "the Silly player stores fat only if there is nothing else to do",
        "7.1",
        FED,
        function(_feed, lambda state: _eat(state) or _attack(state) or _store_fat(state) or _decline(state)),
    ),
    Chaff(
        "silly-says-nothing-instead-of-no",
        "without a target for its hungry carnivores the Silly player says nothing instead of false",
        "7.1",
        ("xfeed",),
        function(_feed, lambda state: _store_fat(state) or _eat(state) or _attack(state)),
    ),
    Chaff(
        "silly-says-no-instead-of-nothing",
        "with nothing to choose the Silly player says false instead of nothing",
        "7.1",
        ("xfeed",),
        function(_feed, lambda state: _store_fat(state) or _eat(state) or _attack(state) or DECLINE),
    ),
]


# --- size order (rules 1.6) ----------------------------------------------------------------------


def sizes(key: "Callable[[Species], Any]") -> Patch:
    """Boards are lined up by this."""
    return function(species.size, key)


SIZE_ORDER = [
    Chaff(
        "size-ignores-food",
        "of boards with equal populations the one with the larger body is the larger, whatever their food",
        "1.6",
        FED,
        sizes(lambda board: (board.population, board.body)),
    ),
    Chaff(
        "size-ignores-the-body",
        "boards with equal populations and food are equally large, whatever their bodies",
        "1.6",
        FED,
        sizes(lambda board: (board.population, board.food)),
    ),
    Chaff(
        "size-looks-at-the-body-before-the-food",
        "among equal populations the body counts before the food",
        "1.6",
        FED,
        sizes(lambda board: (board.population, board.body, board.food)),
    ),
    Chaff(
        "size-looks-at-the-food-first",
        "the food counts before the population",
        "1.6",
        FED,
        sizes(lambda board: (board.food, board.population, board.body)),
    ),
    Chaff(
        "size-looks-at-the-body-first",
        "the body counts before the population",
        "1.6",
        FED,
        sizes(lambda board: (board.body, board.population, board.food)),
    ),
    Chaff(
        "less-food-is-larger",
        "among equal populations the board with less food comes first",
        "1.6",
        FED,
        sizes(lambda board: (board.population, -board.food, board.body)),
    ),
    Chaff(
        "size-is-a-sum",
        "population, food and body are added up to compare boards",
        "1.6",
        FED,
        sizes(lambda board: board.population + board.food + board.body),
    ),
    Chaff(
        "size-counts-stored-fat",
        "stored fat counts as food when boards are compared",
        "1.6",
        FED,
        sizes(lambda board: (board.population, board.food + board.fat_food, board.body)),
    ),
    Chaff(
        "the-smallest-comes-first",
        "the smallest board comes first",
        "1.6",
        FED,
        sizes(lambda board: (-board.population, -board.food, -board.body)),
    ),
]


# --- fat (rules 7.1) -----------------------------------------------------------------------------


def neediest(key: "Callable[[State, int], Any]") -> Patch:
    """Of the boards with a fat need the one with the largest key is taken, the first among equals."""

    def store_fat(state: State) -> "StoreFat | None":
        needy = [at for at, board in enumerate(state.boards) if fat_need(board) > 0]
        if not needy:
            return None
        at = max(needy, key=lambda at: key(state, at))
        return StoreFat(at, min(fat_need(state.boards[at]), state.hole))

    return function(_store_fat, store_fat)


def _whole_need(state: State) -> "StoreFat | None":
    choice = _store_fat(state)
    return choice and StoreFat(choice.board, fat_need(state.boards[choice.board]))


def _one_token(state: State) -> "StoreFat | None":
    choice = _store_fat(state)
    return choice and StoreFat(choice.board, 1)


FAT = [
    Chaff(
        "the-largest-board-stores-first",
        "the Silly player stores fat on the largest board with a need, however small the need",
        "7.1",
        FED,
        neediest(lambda state, at: size(state.boards[at])),
    ),
    Chaff(
        "the-first-board-stores-first",
        "the Silly player stores fat on its first board with a need",
        "7.1",
        FED,
        neediest(lambda state, at: -at),
    ),
    Chaff(
        "the-smallest-need-comes-first",
        "the Silly player stores fat where the need is smallest",
        "7.1",
        FED,
        neediest(lambda state, at: (-fat_need(state.boards[at]), size(state.boards[at]))),
    ),
    Chaff(
        "equal-fat-needs-go-to-the-first-board",
        "among equal fat needs the first board is taken, not the largest",
        "7.1",
        FED,
        neediest(lambda state, at: fat_need(state.boards[at])),
    ),
    Chaff(
        "fat-ties-go-to-the-last",
        "among equal fat needs of equally large boards the last one is taken",
        "7.1",
        FED,
        neediest(lambda state, at: (fat_need(state.boards[at]), size(state.boards[at]), at)),
    ),
    Chaff(
        "fat-ties-go-to-the-smallest",
        "among equal fat needs the smallest board is taken",
        "7.1",
        FED,
        neediest(
            lambda state, at: (fat_need(state.boards[at]), tuple(-part for part in size(state.boards[at])))
        ),
    ),
    Chaff(
        "fat-needs-are-cut-before-they-are-compared",
        "fat needs are compared as far as the hole can fill them",
        "7.1",
        FED,
        neediest(lambda state, at: (min(fat_need(state.boards[at]), state.hole), size(state.boards[at]))),
    ),
    Chaff(
        "silly-stores-more-than-there-is",
        "the Silly player stores its whole fat need, even if the hole has less",
        "7.1",
        ("xfeed",),
        function(_store_fat, _whole_need),
    ),
    Chaff(
        "silly-stores-one-token",
        "the Silly player stores one token of fat at a time",
        "7.1",
        FED,
        function(_store_fat, _one_token),
    ),
]


# --- vegetarians (rules 7.1) ---------------------------------------------------------------------


def hungriest(key: "Callable[[State, int], Any]") -> Patch:
    """Of the hungry vegetarians the one with the largest key is fed, the first among equals."""

    def eat(state: State) -> "Eat | None":
        boards = enumerate(state.boards)
        vegetarians = [at for at, board in boards if hungry(board) and not is_carnivore(board)]
        return Eat(max(vegetarians, key=lambda at: key(state, at))) if vegetarians else None

    return function(_eat, eat)


VEGETARIANS = [
    Chaff(
        "the-first-vegetarian-is-fed",
        "the Silly player feeds its first hungry vegetarian, not the largest",
        "7.1",
        FED,
        hungriest(lambda state, at: -at),
    ),
    Chaff(
        "vegetarian-ties-go-to-the-last",
        "of equally large vegetarians the last one is fed",
        "7.1",
        FED,
        hungriest(lambda state, at: (size(state.boards[at]), at)),
    ),
    Chaff(
        "the-hungriest-vegetarian-is-fed",
        "the Silly player feeds the vegetarian that lacks most food",
        "7.1",
        FED,
        hungriest(lambda state, at: state.boards[at].population - state.boards[at].food),
    ),
]


# --- carnivores (rules 7.1) ----------------------------------------------------------------------


def attackers(order: "Callable[[State, list[int]], list[int]]") -> Patch:
    """The hungry carnivores are gone through in this order."""

    def attack_with(state: State) -> "Attack | None":
        for at in order(state, _hungry_carnivores(state)):
            target = silly._largest_target(state.boards[at], state.others)
            if target:
                return Attack(at, *target)
        return None

    return function(_attack, attack_with)


def _by_size(state: State, carnivores: list[int]) -> list[int]:
    return sorted(carnivores, key=lambda at: size(state.boards[at]), reverse=True)


def _last_of_equals_first(state: State, carnivores: list[int]) -> list[int]:
    return sorted(carnivores, key=lambda at: size(state.boards[at]))[::-1]


def prey(key: "Callable[[list[list[Species]], Target], Any]") -> Patch:
    """Of the possible targets the one with the largest key is attacked, the first among equals."""

    def largest(attacker: Species, others: list[list[Species]]) -> "Target | None":
        found = [
            (player, at) for player, boards in enumerate(others) for at in attack.targets(attacker, boards)
        ]
        return max(found, key=lambda target: key(others, target), default=None)

    return function(_largest_target, largest)


def _size_of(others: list[list[Species]], target: "Target") -> "Any":
    player, board = target
    return size(others[player][board])


def _neighbours_across_players(attacker: Species, others: list[list[Species]]) -> "Target | None":
    """The boards of all others form one row, in which a player's last lies beside the next one's first."""
    row = [board for boards in others for board in boards]
    places = [(player, at) for player, boards in enumerate(others) for at in range(len(boards))]
    found = list(attack.targets(attacker, row))
    best = max(found, key=lambda at: size(row[at]), default=None)
    return None if best is None else places[best]


def _among_players_with_boards(attacker: Species, others: list[list[Species]]) -> "Target | None":
    """Players without boards are not counted."""
    target = _largest_target(attacker, others)
    return target and (sum(1 for boards in others[: target[0]] if boards), target[1])


def _own_boards_too(state: State) -> "Attack | None":
    """The own boards come after those of the others."""
    everybody = State(state.bag, state.boards, state.hand, state.hole, [*state.others, state.boards])
    return _attack(everybody)


CARNIVORES = [
    Chaff(
        "the-first-carnivore-attacks",
        "the first hungry carnivore with a target attacks, not the largest",
        "7.1",
        FED,
        attackers(lambda state, carnivores: carnivores),
    ),
    Chaff(
        "carnivore-ties-go-to-the-last",
        "of equally large carnivores the last one attacks",
        "7.1",
        FED,
        attackers(_last_of_equals_first),
    ),
    Chaff(
        "only-the-largest-carnivore-tries",
        "if the largest hungry carnivore has no target, the Silly player declines",
        "7.1",
        FED,
        attackers(lambda state, carnivores: _by_size(state, carnivores)[:1]),
    ),
    Chaff(
        "the-first-target-is-attacked",
        "the first possible target is attacked, not the largest",
        "7.1",
        FED,
        prey(lambda others, target: 0),
    ),
    Chaff(
        "the-smallest-target-is-attacked",
        "the smallest possible target is attacked",
        "7.1",
        FED,
        prey(lambda others, target: tuple(-part for part in _size_of(others, target))),
    ),
    Chaff(
        "the-next-players-targets-come-first",
        "the largest target of the first player that has one is attacked, even if others have larger ones",
        "7.1",
        FED,
        prey(lambda others, target: (-target[0], _size_of(others, target))),
    ),
    Chaff(
        "target-ties-go-to-the-last-player",
        "of equally large targets the one of the last player is attacked",
        "7.1",
        FED,
        prey(lambda others, target: (_size_of(others, target), target[0])),
    ),
    Chaff(
        "target-ties-go-to-the-last-board",
        "of equally large targets of a player the last one is attacked",
        "7.1",
        FED,
        prey(lambda others, target: (_size_of(others, target), -target[0], target[1])),
    ),
    Chaff(
        "target-ties-go-to-the-leftmost-board",
        "of equally large targets the one with the lowest number is attacked, whoever owns it",
        "7.1",
        FED,
        prey(lambda others, target: (_size_of(others, target), -target[1])),
    ),
    Chaff(
        "silly-attacks-its-own",
        "the Silly player attacks a board of its own if that is the largest target",
        "7.1",
        FED,
        function(_attack, _own_boards_too),
    ),
    Chaff(
        "players-without-boards-are-not-counted",
        "the number of an attacked player counts only players that have boards",
        "4.3",
        ("xfeed",),
        function(_largest_target, _among_players_with_boards),
    ),
    Chaff(
        "silly-sees-neighbours-across-players",
        "the Silly player takes the boards of two players that follow each other for neighbours",
        "1.5",
        FED,
        function(_largest_target, _neighbours_across_players),
    ),
]


# --- cards (rules 7.2) ---------------------------------------------------------------------------


def sorting(key: "Callable[[Card], Any]") -> Patch:
    """Cards are sorted by this."""
    return function(cards.card_order, key)


def choosing(choose: "Callable[[int, list[int]], Action4]") -> Patch:
    """This is made of the number of the new board and the cards in card order."""

    def other(boards: list[Species], hand: list[Card]) -> Action4:
        order = sorted(range(len(hand)), key=lambda at: card_order(hand[at]))
        return choose(len(boards), order)

    return function(_choose, other)


def _used(
    new: int, food: int, pays: int, trait: int, *rest: int, body_first: bool = False, slot: int = 0
) -> Action4:
    """The Silly use of cards in this order."""
    population, body = (rest[1:2], rest[:1]) if body_first else (rest[:1], rest[1:2])
    return Action4(
        food,
        grow_population=[(new, card) for card in population],
        grow_body=[(new, card) for card in body],
        new_boards=[[pays, trait]],
        replace_traits=[(new, slot, card) for card in rest[2:3]],
    )


def _last_of_equals(boards: list[Species], hand: list[Card]) -> Action4:
    order = sorted(range(len(hand)), key=lambda at: (card_order(hand[at]), -at))
    return _used(len(boards), *order)


def _in_the_sorted_hand(boards: list[Species], hand: list[Card]) -> Action4:
    return _used(len(boards), *range(len(hand)))


def _everything_grows(new: int, order: list[int]) -> Action4:
    action = _used(new, *order)
    action.grow_population += [(new, card) for card in order[6:]]
    return action


_choose = silly.choose

CHOOSING = [
    Chaff(
        "cards-are-sorted-by-food-first",
        "cards are sorted by food value before trait",
        "1.2",
        XSILLY,
        sorting(lambda card: card),
    ),
    Chaff(
        "cards-are-sorted-by-trait-alone",
        "cards of one trait stay in the order of the hand",
        "1.2",
        XSILLY,
        sorting(lambda card: card[1]),
    ),
    Chaff(
        "larger-food-values-come-first",
        "among cards of one trait the largest food value comes first",
        "1.2",
        XSILLY,
        sorting(lambda card: (card[1], -card[0])),
    ),
    Chaff(
        "food-values-are-sorted-without-sign",
        "food values are compared without their sign",
        "1.2",
        XSILLY,
        sorting(lambda card: (card[1], abs(card[0]))),
    ),
    Chaff(
        "food-values-are-sorted-as-text",
        "food values are compared as text, so that −1 comes before −2",
        "1.2",
        XSILLY,
        sorting(lambda card: (card[1], str(card[0]))),
    ),
    Chaff(
        "carnivore-comes-first",
        "carnivore cards come before all others",
        "1.2",
        XSILLY,
        sorting(lambda card: (card[1] != "carnivore", *card_order(card))),
    ),
    Chaff(
        "the-alphabet-is-turned-around",
        "traits are sorted from the end of the alphabet",
        "1.2",
        XSILLY,
        sorting(lambda card: ([-ord(letter) for letter in card[1]], card[0])),
    ),
    Chaff(
        "of-equal-cards-the-last-comes-first",
        "equal cards are taken from the end of the hand",
        "7.2",
        XSILLY,
        function(_choose, _last_of_equals),
    ),
    Chaff(
        "card-numbers-mean-the-sorted-hand",
        "the Silly player names cards by their places in the sorted hand",
        "7.2",
        XSILLY,
        function(_choose, _in_the_sorted_hand),
    ),
    Chaff(
        "the-last-card-is-food",
        "the last card in card order is the food card",
        "7.2",
        XSILLY,
        choosing(lambda new, order: _used(new, order[-1], *order[:-1])),
    ),
    Chaff(
        "the-second-card-is-the-trait",
        "the second card is the trait of the new board, and the third one pays",
        "7.2",
        XSILLY,
        choosing(lambda new, order: _used(new, order[0], order[2], order[1], *order[3:])),
    ),
    Chaff(
        "body-grows-before-population",
        "the fourth card grows the body, the fifth one the population",
        "7.2",
        XSILLY,
        choosing(lambda new, order: _used(new, *order, body_first=True)),
    ),
    Chaff(
        "the-sixth-card-is-kept",
        "the sixth card stays in the hand",
        "7.2",
        XSILLY,
        choosing(lambda new, order: _used(new, *order[:5])),
    ),
    Chaff(
        "the-sixth-card-fills-slot-one",
        "the sixth card goes into trait slot 1 of the new board",
        "7.2",
        XSILLY,
        choosing(lambda new, order: _used(new, *order, slot=1)),
    ),
    Chaff(
        "the-rest-grows-the-population",
        "all cards after the sixth grow the population of the new board",
        "7.2",
        XSILLY,
        choosing(_everything_grows),
    ),
    Chaff(
        "the-new-board-is-board-zero",
        "the new board has number 0",
        "5.3",
        XSILLY,
        choosing(lambda new, order: _used(0, *order)),
    ),
    Chaff(
        "the-new-board-is-board-one",
        "the new board has number 1",
        "5.3",
        XSILLY,
        choosing(lambda new, order: _used(1, *order)),
    ),
    Chaff(
        "the-new-board-is-board-one-at-most",
        "the new board has number 0 if it is the first, else 1",
        "5.3",
        XSILLY,
        choosing(lambda new, order: _used(min(1, new), *order)),
    ),
    Chaff(
        "the-first-board-is-board-one",
        "the new board of a player without boards has number 1, as if it had got a board in step 1",
        "5.3",
        XSILLY,
        choosing(lambda new, order: _used(max(1, new), *order)),
    ),
    Chaff(
        "boards-are-counted-from-one",
        "boards are counted from 1",
        "1.7",
        XSILLY,
        choosing(lambda new, order: _used(new + 1, *order)),
    ),
]

MISREADINGS = [*FIRST, *SIZE_ORDER, *FAT, *VEGETARIANS, *CARNIVORES, *CHOOSING]
