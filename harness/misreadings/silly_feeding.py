"""Misreadings of what the Silly player feeds (rules 7.1)."""

from collections.abc import Callable
from functools import cmp_to_key
from typing import Any

from evolution import attack, silly
from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from harness.misreadings.decorators import (
    Key,
    Target,
    all_targets,
    attacking,
    attacks_board,
    attacks_in_order,
    eating,
    feeds,
    looks,
    preying,
    stores,
    storing,
    vegetarians,
)
from harness.misreadings.planting import add, replaces

# The Silly player as it should be.
feed, store_fat, eat, attack_with = silly.feed, silly.store_fat, silly.eat, silly.attack
hungry_carnivores, largest_target = silly.hungry_carnivores, silly.largest_target


# --- what comes first ----------------------------------------------------------------------------


def _decline(state: State) -> FeedingChoice | None:
    return DECLINE if silly.hungry_carnivores(state) else None


@replaces("7.1", feed)
def silly_feeds_before_it_stores(state: State) -> FeedingChoice | None:
    """The Silly player feeds a vegetarian before it stores fat."""
    return silly.eat(state) or silly.store_fat(state) or silly.attack(state) or _decline(state)


@replaces("7.1", feed)
def silly_attacks_before_it_feeds(state: State) -> FeedingChoice | None:
    """The Silly player attacks before it feeds a vegetarian."""
    return silly.store_fat(state) or silly.attack(state) or silly.eat(state) or _decline(state)


@replaces("7.1", feed)
def silly_stores_last(state: State) -> FeedingChoice | None:
    """The Silly player stores fat only if there is nothing else to do."""
    return silly.eat(state) or silly.attack(state) or silly.store_fat(state) or _decline(state)


@replaces("7.1", feed)
def silly_says_nothing_instead_of_no(state: State) -> FeedingChoice | None:
    """Without a target for its hungry carnivores the Silly player says nothing instead of false."""
    return silly.store_fat(state) or silly.eat(state) or silly.attack(state)


@replaces("7.1", feed)
def silly_says_no_instead_of_nothing(state: State) -> FeedingChoice | None:
    """With nothing to choose the Silly player says false instead of nothing."""
    return silly.store_fat(state) or silly.eat(state) or silly.attack(state) or DECLINE


@replaces("7.1", feed)
def silly_declines_for_full_carnivores(state: State) -> FeedingChoice | None:
    """The Silly player says false if it has a carnivore, though none is hungry."""
    return feed(state) or (DECLINE if any(map(is_carnivore, state.boards)) else None)


# --- fat -----------------------------------------------------------------------------------------


@stores("7.1")
def the_largest_board_stores_first(state: State, at: int) -> Any:
    """The Silly player stores fat on the largest board with a need, however small the need."""
    return size(state.boards[at])


@stores("7.1")
def the_first_board_stores_first(state: State, at: int) -> Any:
    """The Silly player stores fat on its first board with a need."""
    return -at


@stores("7.1")
def the_smallest_need_comes_first(state: State, at: int) -> Any:
    """The Silly player stores fat where the need is smallest."""
    return -fat_need(state.boards[at]), size(state.boards[at])


@stores("7.1")
def equal_fat_needs_go_to_the_first_board(state: State, at: int) -> Any:
    """Among equal fat needs the first board is taken, not the largest."""
    return fat_need(state.boards[at])


@stores("7.1")
def fat_ties_go_to_the_last(state: State, at: int) -> Any:
    """Among equal fat needs of equally large boards the last one is taken."""
    return fat_need(state.boards[at]), size(state.boards[at]), at


@stores("7.1")
def fat_ties_go_to_the_smallest(state: State, at: int) -> Any:
    """Among equal fat needs the smallest board is taken."""
    return fat_need(state.boards[at]), [-part for part in size(state.boards[at])]


@stores("7.1")
def fat_needs_are_cut_before_they_are_compared(state: State, at: int) -> Any:
    """Fat needs are compared as far as the hole can fill them."""
    return min(fat_need(state.boards[at]), state.hole), size(state.boards[at])


@stores("7.1")
def equal_fat_needs_prefer_the_hungry(state: State, at: int) -> Any:
    """Among boards with equal fat needs a hungry one comes before a full one."""
    board = state.boards[at]
    return fat_need(board), hungry(board), size(board)


@replaces("7.1", store_fat)
def silly_stores_more_than_there_is(state: State) -> StoreFat | None:
    """The Silly player stores its whole fat need, even if the hole has less."""
    choice = store_fat(state)
    return choice and StoreFat(choice.board, fat_need(state.boards[choice.board]))


@replaces("7.1", store_fat)
def silly_stores_one_token(state: State) -> StoreFat | None:
    """The Silly player stores one token of fat at a time."""
    choice = store_fat(state)
    return choice and StoreFat(choice.board, 1)


@replaces("7.1", store_fat)
def full_stores_are_filled(state: State) -> StoreFat | None:
    """The Silly player stores fat on any board with fat-tissue, though all are full."""
    boards = state.boards
    tissues = [at for at, board in enumerate(boards) if "fat-tissue" in board.traits]
    if not tissues:
        return None
    neediest = max(tissues, key=lambda at: (fat_need(boards[at]), size(boards[at])))
    return StoreFat(neediest, min(fat_need(boards[neediest]), state.hole))


@replaces("7.1", store_fat)
def the_fat_of_carnivores_comes_last(state: State) -> StoreFat | None:
    """The Silly player feeds a hungry vegetarian before it fills the fat need of a carnivore."""
    boards = state.boards
    needy = [at for at, board in enumerate(boards) if fat_need(board) > 0]
    if vegetarians(state):
        needy = [at for at in needy if not is_carnivore(boards[at])]
    first = max(needy, key=lambda at: (fat_need(boards[at]), size(boards[at])), default=None)
    return None if first is None else StoreFat(first, min(fat_need(boards[first]), state.hole))


# --- vegetarians ---------------------------------------------------------------------------------


@feeds("7.1")
def the_first_vegetarian_is_fed(state: State, at: int) -> Any:
    """The Silly player feeds its first hungry vegetarian, not the largest."""
    return -at


@feeds("7.1")
def vegetarian_ties_go_to_the_last(state: State, at: int) -> Any:
    """Of equally large vegetarians the last one is fed."""
    return size(state.boards[at]), at


@feeds("7.1")
def the_hungriest_vegetarian_is_fed(state: State, at: int) -> Any:
    """The Silly player feeds the vegetarian that lacks most food."""
    return state.boards[at].population - state.boards[at].food


@replaces("7.1", eat)
def silly_feeds_the_full(state: State) -> Eat | None:
    """The Silly player feeds its largest vegetarian, be it hungry or not."""
    found = [at for at, board in enumerate(state.boards) if not is_carnivore(board)]
    return Eat(max(found, key=lambda at: size(state.boards[at]))) if found else None


@replaces("7.1", eat)
def vegetarians_with_fat_tissue_do_not_eat(state: State) -> Eat | None:
    """The Silly player looks for a vegetarian to feed only among boards without fat-tissue."""
    lean = [at for at in vegetarians(state) if "fat-tissue" not in state.boards[at].traits]
    return Eat(max(lean, key=lambda at: size(state.boards[at]))) if lean else None


# --- carnivores ----------------------------------------------------------------------------------


@attacks_in_order("7.1")
def the_first_carnivore_attacks(state: State, carnivores: list[int]) -> list[int]:
    """The first hungry carnivore with a target attacks, not the largest."""
    return carnivores


@attacks_in_order("7.1")
def carnivore_ties_go_to_the_last(state: State, carnivores: list[int]) -> list[int]:
    """Of equally large carnivores the last one attacks."""
    return sorted(carnivores, key=lambda at: size(state.boards[at]))[::-1]


@attacks_in_order("7.1")
def only_the_largest_carnivore_tries(state: State, carnivores: list[int]) -> list[int]:
    """If the largest hungry carnivore has no target, the Silly player declines."""
    return sorted(carnivores, key=lambda at: size(state.boards[at]), reverse=True)[:1]


@replaces("7.1", hungry_carnivores)
def silly_attacks_with_the_full(state: State) -> list[int]:
    """The Silly player attacks with its largest carnivore, be it hungry or not."""
    return [at for at, board in enumerate(state.boards) if is_carnivore(board)]


@replaces("7.1", hungry_carnivores)
def carnivores_with_fat_tissue_never_attack(state: State) -> list[int]:
    """The Silly player does not attack with a carnivore that has fat-tissue."""
    return [at for at in hungry_carnivores(state) if "fat-tissue" not in state.boards[at].traits]


@replaces("7.1", attack_with)
def the_largest_target_chooses_its_attacker(state: State) -> Attack | None:
    """The largest target of any hungry carnivore is attacked, not that of the largest carnivore."""
    return _attacks(state, lambda carnivore, target: (size(target), size(carnivore)))


@replaces("7.1", attack_with)
def of_equal_carnivores_the_larger_target_decides(state: State) -> Attack | None:
    """Of hungry carnivores of equal size the one that can attack the largest board attacks."""
    return _attacks(state, lambda carnivore, target: (size(carnivore), size(target)))


def _attacks(state: State, key: "Callable[[Species, Species], Any]") -> Attack | None:
    """Of all attacks that are possible the one with the largest key, the first among equals."""
    found = [
        Attack(at, player, target)
        for at in hungry_carnivores(state)
        for player, target in all_targets(state.boards[at], state.others)
    ]
    return max(
        found,
        key=lambda one: key(state.boards[one.board], state.others[one.player][one.target]),
        default=None,
    )


@replaces("7.1", attack_with)
def silly_attacks_its_own(state: State) -> Attack | None:
    """The Silly player attacks a board of its own if that is the largest target."""
    others = [*state.others, state.boards]
    return attack_with(State(state.bag, state.boards, state.hand, state.hole, others))


# --- targets -------------------------------------------------------------------------------------


def _size(others: list[list[Species]], target: Target) -> tuple[int, int, int]:
    return size(others[target[0]][target[1]])


@attacks_board("7.1")
def the_first_target_is_attacked(others: list[list[Species]], target: Target) -> Any:
    """The first possible target is attacked, not the largest."""
    return 0


@attacks_board("7.1")
def the_smallest_target_is_attacked(others: list[list[Species]], target: Target) -> Any:
    """The smallest possible target is attacked."""
    return [-part for part in _size(others, target)]


@attacks_board("7.1")
def the_next_players_targets_come_first(others: list[list[Species]], target: Target) -> Any:
    """The largest target of the first player that has one is attacked, even if others have larger ones."""
    return -target[0], _size(others, target)


@attacks_board("7.1")
def target_ties_go_to_the_last_player(others: list[list[Species]], target: Target) -> Any:
    """Of equally large targets the one of the last player is attacked."""
    return _size(others, target), target[0]


@attacks_board("7.1")
def target_ties_go_to_the_last_board(others: list[list[Species]], target: Target) -> Any:
    """Of equally large targets of a player the last one is attacked."""
    return _size(others, target), -target[0], target[1]


@attacks_board("7.1")
def target_ties_go_to_the_leftmost_board(others: list[list[Species]], target: Target) -> Any:
    """Of equally large targets the one with the lowest number is attacked, whoever owns it."""
    return _size(others, target), -target[1]


@attacks_board("7.1")
def target_ties_go_to_the_fatter(others: list[list[Species]], target: Target) -> Any:
    """Of equally large targets the one with more stored fat is attacked."""
    return _size(others, target), others[target[0]][target[1]].fat_food


# --- the size order in one place of four ---------------------------------------------------------


def _larger(one: Species, other: Species) -> bool:
    """As a chain of conditions of which the last one forgets the first."""
    return (
        one.population > other.population
        or (one.population == other.population and one.food > other.food)
        or (one.food == other.food and one.body > other.body)
    )


# Where boards are compared: the beginning of a name, the same for readers, what is replaced, and by what.
PLACES: "dict[str, tuple[str, object, Callable[[Key], object]]]" = {
    "equal-fat-needs": (
        "among boards with equal fat needs",
        store_fat,
        lambda key: storing(lambda state, at: (fat_need(state.boards[at]), key(state.boards[at]))),
    ),
    "hungry-vegetarians": (
        "among hungry vegetarians",
        eat,
        lambda key: eating(lambda state, at: key(state.boards[at])),
    ),
    "hungry-carnivores": (
        "among hungry carnivores",
        attack_with,
        lambda key: attacking(
            lambda state, carnivores: sorted(carnivores, key=lambda at: key(state.boards[at]), reverse=True)
        ),
    ),
    "targets": (
        "among the targets of an attack",
        largest_target,
        lambda key: preying(lambda others, target: key(others[target[0]][target[1]])),
    ),
}
# How they are compared: the end of a name, the same for readers, and by what.
KEYS: dict[str, tuple[str, Key]] = {
    "ignore-the-population": ("only food and body count", lambda board: (board.food, board.body)),
    "ignore-the-food": ("only population and body count", lambda board: (board.population, board.body)),
    "ignore-the-body": ("only population and food count", lambda board: (board.population, board.food)),
    "put-the-body-before-the-food": (
        "the body counts before the food",
        lambda board: (board.population, board.body, board.food),
    ),
    "put-the-food-first": (
        "the food counts before the population",
        lambda board: (board.food, board.population, board.body),
    ),
    "put-the-body-first": (
        "the body counts before the population",
        lambda board: (board.body, board.population, board.food),
    ),
    "prefer-less-food": (
        "the one with less food counts as larger if the populations are equal",
        lambda board: (board.population, -board.food, board.body),
    ),
    "forget-the-population-for-the-body": (
        "a larger body decides between boards with equal food, whatever their populations",
        cmp_to_key(lambda one, other: _larger(one, other) - _larger(other, one) * (not _larger(one, other))),
    ),
    "prefer-a-smaller-body": (
        "the one with the smaller body counts as larger if population and food are equal",
        lambda board: (board.population, board.food, -board.body),
    ),
}

for place, (where, point, misread) in PLACES.items():
    for how, (what, key) in KEYS.items():
        add("7.1", f"{place}-{how}", f"{where} {what}", point, misread(key))


# --- places in another list ----------------------------------------------------------------------


@replaces("7.1", store_fat)
def fat_is_stored_by_place_among_the_needy(state: State) -> StoreFat | None:
    """The board that stores fat is told by its place among those with a fat need."""
    choice = store_fat(state)
    needy = [at for at, board in enumerate(state.boards) if fat_need(board) > 0]
    return choice and StoreFat(needy.index(choice.board), choice.tokens)


@replaces("7.1", eat)
def vegetarians_are_counted_by_themselves(state: State) -> Eat | None:
    """The vegetarian that eats is told by its place among the hungry vegetarians."""
    choice = eat(state)
    return choice and Eat(vegetarians(state).index(choice.board))


@replaces("7.1", eat)
def vegetarians_are_counted_in_size_order(state: State) -> Eat | None:
    """The vegetarian that eats is told by its place in the size order."""
    choice = eat(state)
    order = sorted(range(len(state.boards)), key=lambda at: size(state.boards[at]), reverse=True)
    return choice and Eat(order.index(choice.board))


@replaces("7.1", attack_with)
def carnivores_are_counted_by_themselves(state: State) -> Attack | None:
    """The attacker is told by its place among the hungry carnivores."""
    choice = attack_with(state)
    return choice and Attack(hungry_carnivores(state).index(choice.board), choice.player, choice.target)


@replaces("7.1", largest_target)
def targets_are_counted_by_themselves(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The target is told by its place among those boards of its player that can be attacked."""
    found = largest_target(attacker, others)
    return found and (found[0], [*attack.targets(attacker, others[found[0]])].index(found[1]))


@replaces("7.1", largest_target)
def players_are_counted_by_their_targets(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The attacked player is told by its place among those who have a target."""
    found = largest_target(attacker, others)
    players = [*dict.fromkeys(player for player, _ in all_targets(attacker, others))]
    return found and (players.index(found[0]), found[1])


@replaces("7.1", largest_target)
def targets_are_counted_in_one_row(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The target is told by its place in one row of all other players' boards."""
    found = largest_target(attacker, others)
    return found and (found[0], sum(map(len, others[: found[0]])) + found[1])


@replaces("7.1", largest_target)
def silly_names_the_first_lookalike(attacker: Species, others: list[list[Species]]) -> Target | None:
    """The Silly player names the first board that looks like its target, even if that is protected."""
    found = largest_target(attacker, others)
    if found is None:
        return None
    boards = [looks(board) for board in others[found[0]]]
    return found[0], boards.index(boards[found[1]])
