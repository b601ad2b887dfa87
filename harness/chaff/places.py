"""Misreadings in one place of several (rules 1.6 and 7.1): where boards are compared, or counted.

The size order is needed in four places, and a program may have it right in three of them. What is found in
a list that was sorted or filtered must be told by its place among all boards.
"""

from functools import cmp_to_key

from evolution import attack, silly
from evolution.choices import Attack, Eat, State, StoreFat
from evolution.species import Species, fat_need, hungry, is_carnivore, size
from harness.chaff.choosing import FED
from harness.chaff.planting import Chaff, Patch, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Key = Callable[[Species], Any]  # something that can be compared
    Target = tuple[int, int]

XFEED = ("xfeed",)
_store_fat, _eat, _attack = silly._store_fat, silly._eat, silly._attack
_hungry_carnivores, _largest_target = silly._hungry_carnivores, silly._largest_target


# --- the size order in one place -----------------------------------------------------------------


def _storing(key: "Key") -> Patch:
    def store_fat(state: State) -> "StoreFat | None":
        needy = [at for at, board in enumerate(state.boards) if fat_need(board) > 0]
        if not needy:
            return None
        first = max(needy, key=lambda at: (fat_need(state.boards[at]), key(state.boards[at])))
        return StoreFat(first, min(fat_need(state.boards[first]), state.hole))

    return function(_store_fat, store_fat)


def _vegetarians(state: State) -> list[int]:
    return [at for at, board in enumerate(state.boards) if hungry(board) and not is_carnivore(board)]


def _eating(key: "Key") -> Patch:
    def eat(state: State) -> "Eat | None":
        first = max(_vegetarians(state), key=lambda at: key(state.boards[at]), default=None)
        return None if first is None else Eat(first)

    return function(_eat, eat)


def _hunting(key: "Key") -> Patch:
    def attack(state: State) -> "Attack | None":
        boards = state.boards
        for at in sorted(_hungry_carnivores(state), key=lambda at: key(boards[at]), reverse=True):
            target = _largest_target(boards[at], state.others)
            if target:
                return Attack(at, *target)
        return None

    return function(_attack, attack)


def _all_targets(attacker: Species, others: list[list[Species]]) -> "list[Target]":
    return [(player, at) for player, boards in enumerate(others) for at in attack.targets(attacker, boards)]


def _preying(key: "Key") -> Patch:
    def largest_target(attacker: Species, others: list[list[Species]]) -> "Target | None":
        found = _all_targets(attacker, others)
        return max(found, key=lambda target: key(others[target[0]][target[1]]), default=None)

    return function(_largest_target, largest_target)


def _larger(one: Species, other: Species) -> bool:
    """As a chain of conditions of which the last one forgets the first."""
    return (
        one.population > other.population
        or (one.population == other.population and one.food > other.food)
        or (one.food == other.food and one.body > other.body)
    )


# Where boards are compared: the beginning of a name, the same for readers, and what is patched.
PLACES: "dict[str, tuple[str, Callable[[Key], Patch]]]" = {
    "equal-fat-needs": ("among boards with equal fat needs", _storing),
    "hungry-vegetarians": ("among hungry vegetarians", _eating),
    "hungry-carnivores": ("among hungry carnivores", _hunting),
    "targets": ("among the targets of an attack", _preying),
}
# How they are compared: the end of a name, the same for readers, and by what.
KEYS: "dict[str, tuple[str, Key]]" = {
    "ignore-the-population": (
        "only food and body count",
        lambda board: (board.food, board.body),
    ),
    "ignore-the-food": (
        "only population and body count",
        lambda board: (board.population, board.body),
    ),
    "ignore-the-body": (
        "only population and food count",
        lambda board: (board.population, board.food),
    ),
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

# A board that still has fat when the feeding cycle begins is full, so no other one has more food.
NOT_IN_STEP4 = {"equal-fat-needs-put-the-body-before-the-food"}

COMPARED = [
    Chaff(name, f"{where} {what}", "7.1", FED[:2] if name in NOT_IN_STEP4 else FED, patch(key))
    for place, (where, patch) in PLACES.items()
    for how, (what, key) in KEYS.items()
    for name in (f"{place}-{how}",)
]


def _in_base_seven(board: Species) -> tuple[int, ...]:
    return (49 * board.population + 7 * board.food + board.body,)


def _attack_with_the_best_of_equals(state: State) -> "Attack | None":
    boards = state.boards
    found: list[tuple[tuple[int, ...], tuple[int, ...], int, Target]] = []
    for at in _hungry_carnivores(state):
        target = _largest_target(boards[at], state.others)
        if target:
            prey = state.others[target[0]][target[1]]
            found.append((size(boards[at]), size(prey), -at, target))
    if not found:
        return None
    _, _, place, target = max(found)
    return Attack(-place, *target)


def _thin_carnivores(state: State) -> list[int]:
    return [at for at in _hungry_carnivores(state) if "fat-tissue" not in state.boards[at].traits]


def _eat_without_fat_tissue(state: State) -> "Eat | None":
    lean = [at for at in _vegetarians(state) if "fat-tissue" not in state.boards[at].traits]
    first = max(lean, key=lambda at: size(state.boards[at]), default=None)
    return None if first is None else Eat(first)


def _store_fat_of_carnivores_last(state: State) -> "StoreFat | None":
    needy = [at for at, board in enumerate(state.boards) if fat_need(board) > 0]
    if _vegetarians(state):
        needy = [at for at in needy if not is_carnivore(state.boards[at])]
    first = max(needy, key=lambda at: (fat_need(state.boards[at]), size(state.boards[at])), default=None)
    return None if first is None else StoreFat(first, min(fat_need(state.boards[first]), state.hole))


ELSEWHERE = [
    Chaff(
        "vegetarians-with-fat-tissue-do-not-eat",
        "the Silly player looks for a vegetarian to feed only among boards without fat-tissue",
        "7.1",
        FED,
        function(_eat, _eat_without_fat_tissue),
    ),
    Chaff(
        "the-fat-of-carnivores-comes-last",
        "the Silly player feeds a hungry vegetarian before it fills the fat need of a carnivore",
        "7.1",
        FED,
        function(_store_fat, _store_fat_of_carnivores_last),
    ),
    Chaff(
        "equal-fat-needs-prefer-the-hungry",
        "among boards with equal fat needs a hungry one comes before a full one",
        "7.1",
        FED,
        _storing(lambda board: (hungry(board), *size(board))),
    ),
    Chaff(
        "size-is-a-number-of-base-seven",
        "boards are compared by 49 times their population, 7 times their food and their body, added up",
        "1.6",
        FED,
        function(size, _in_base_seven),
    ),
    Chaff(
        "of-equal-carnivores-the-larger-target-decides",
        "of hungry carnivores of equal size the one that can attack the largest board attacks",
        "7.1",
        FED,
        function(_attack, _attack_with_the_best_of_equals),
    ),
    Chaff(
        "carnivores-with-fat-tissue-never-attack",
        "the Silly player does not attack with a carnivore that has fat-tissue",
        "7.1",
        FED,
        function(_hungry_carnivores, _thin_carnivores),
    ),
]


# --- places in another list ----------------------------------------------------------------------


def _store_by_need(state: State) -> "StoreFat | None":
    found = _store_fat(state)
    needy = [at for at, board in enumerate(state.boards) if fat_need(board) > 0]
    return found and StoreFat(needy.index(found.board), found.tokens)


def _eat_by_vegetarians(state: State) -> "Eat | None":
    found = _eat(state)
    return found and Eat(_vegetarians(state).index(found.board))


def _eat_by_size(state: State) -> "Eat | None":
    found = _eat(state)
    order = sorted(range(len(state.boards)), key=lambda at: size(state.boards[at]), reverse=True)
    return found and Eat(order.index(found.board))


def _attack_by_carnivores(state: State) -> "Attack | None":
    found = _attack(state)
    return found and Attack(_hungry_carnivores(state).index(found.board), found.player, found.target)


def _attack_by_targets(attacker: Species, others: list[list[Species]]) -> "Target | None":
    found = _largest_target(attacker, others)
    if found is None:
        return None
    return found[0], list(attack.targets(attacker, others[found[0]])).index(found[1])


def _attack_by_players(attacker: Species, others: list[list[Species]]) -> "Target | None":
    found = _largest_target(attacker, others)
    if found is None:
        return None
    players = [at for at, boards in enumerate(others) if any(True for _ in attack.targets(attacker, boards))]
    return players.index(found[0]), found[1]


def _attack_in_one_row(attacker: Species, others: list[list[Species]]) -> "Target | None":
    found = _largest_target(attacker, others)
    return found and (found[0], sum(map(len, others[: found[0]])) + found[1])


COUNTED = [
    Chaff(
        "fat-is-stored-by-place-among-the-needy",
        "the board that stores fat is told by its place among those with a fat need",
        "7.1",
        XFEED,
        function(_store_fat, _store_by_need),
    ),
    Chaff(
        "vegetarians-are-counted-by-themselves",
        "the vegetarian that eats is told by its place among the hungry vegetarians",
        "7.1",
        XFEED,
        function(_eat, _eat_by_vegetarians),
    ),
    Chaff(
        "vegetarians-are-counted-in-size-order",
        "the vegetarian that eats is told by its place in the size order",
        "7.1",
        XFEED,
        function(_eat, _eat_by_size),
    ),
    Chaff(
        "carnivores-are-counted-by-themselves",
        "the attacker is told by its place among the hungry carnivores",
        "7.1",
        XFEED,
        function(_attack, _attack_by_carnivores),
    ),
    Chaff(
        "targets-are-counted-by-themselves",
        "the target is told by its place among those boards of its player that can be attacked",
        "7.1",
        XFEED,
        function(_largest_target, _attack_by_targets),
    ),
    Chaff(
        "players-are-counted-by-their-targets",
        "the attacked player is told by its place among those who have a target",
        "7.1",
        XFEED,
        function(_largest_target, _attack_by_players),
    ),
    Chaff(
        "targets-are-counted-in-one-row",
        "the target is told by its place in one row of all other players' boards",
        "7.1",
        XFEED,
        function(_largest_target, _attack_in_one_row),
    ),
]

MISREADINGS = [*COMPARED, *ELSEWHERE, *COUNTED]
