"""The Silly player: simple, deterministic, and the yardstick of every harness case (rules 7)."""

from evolution.actions import Action4
from evolution.attack import looks, targets
from evolution.cards import Card, card_order
from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.player import Start
from evolution.species import Species, fat_need, hungry, is_carnivore, size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.game import Result


class Silly:
    """A player that always does the Silly thing. It remembers its own things from start to choose."""

    __slots__ = ("_boards", "_hand")

    def start(self, view: Start) -> None:
        """Remember what there is to choose with."""
        self._boards = view.boards
        self._hand = view.hand

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """The Silly use of one's cards; the others do not matter."""
        return choose(self._boards, self._hand)

    def feed_next(self, state: State) -> "FeedingChoice | None":
        """The Silly choice; None if there is no choice to make."""
        return feed(state)

    def game_over(self, result: "Result") -> None:
        """Take it as it is."""


def feed(state: State) -> "FeedingChoice | None":
    """Fat first, then a vegetarian, then an attack; DECLINE if only carnivores go hungry."""
    return without_attack(state) or attack(state) or (DECLINE if hungry_carnivores(state) else None)


def without_attack(state: State) -> "StoreFat | Eat | None":
    """Fat first, then a vegetarian; None if neither is to be fed."""
    return store_fat(state) or eat(state)


def store_fat(state: State) -> "StoreFat | None":
    """Fill the largest fat need as far as the hole allows; None if there is none."""
    boards = state.boards
    needy = [at for at, board in enumerate(boards) if fat_need(board) > 0]
    if not needy:
        return None
    # max takes the first of equals, and so does the size order.
    neediest = max(needy, key=lambda at: (fat_need(boards[at]), size(boards[at])))
    return StoreFat(neediest, min(fat_need(boards[neediest]), state.hole))


def eat(state: State) -> "Eat | None":
    """Feed the largest hungry vegetarian; None if there is none."""
    boards = state.boards
    vegetarians = [at for at, board in enumerate(boards) if hungry(board) and not is_carnivore(board)]
    return Eat(max(vegetarians, key=lambda at: size(boards[at]))) if vegetarians else None


def hungry_carnivores(state: State) -> list[int]:
    """The indexes of the own carnivores that can eat."""
    return [at for at, board in enumerate(state.boards) if hungry(board) and is_carnivore(board)]


def attack(state: State) -> "Attack | None":
    """Attack with the largest hungry carnivore that has a target; None if none has one."""
    boards = state.boards
    harmless = set()  # what those look like who have no target: many may look alike
    # sorted is stable, so of equal boards the earlier one comes first.
    for at in sorted(hungry_carnivores(state), key=lambda at: size(boards[at]), reverse=True):
        if looks(boards[at]) not in harmless:
            target = largest_target(boards[at], state.others)
            if target:
                return Attack(at, *target)
            harmless.add(looks(boards[at]))
    return None


def largest_target(attacker: Species, others: list[list[Species]]) -> "tuple[int, int] | None":
    """The largest board that can be attacked, as a player among the others and a board of it."""
    found = [(player, at) for player, boards in enumerate(others) for at in targets(attacker, boards)]
    return max(found, key=lambda target: size(others[target[0]][target[1]]), default=None)


def choose(boards: list[Species], hand: list[Card]) -> Action4:
    """The Silly use of a hand of at least three cards."""
    order = sorted(range(len(hand)), key=lambda at: card_order(hand[at]))
    new = len(boards)
    food, pays, trait, *rest = order
    return Action4(
        food,
        grow_population=[(new, card) for card in rest[:1]],
        grow_body=[(new, card) for card in rest[1:2]],
        new_boards=[[pays, trait]],
        replace_traits=[(new, 0, card) for card in rest[2:3]],
    )
