"""Misreadings that are one step further off: traits that do what others do, checks that are left out."""

from itertools import combinations_with_replacement

from evolution import actions, feeding, silly, turn
from evolution.actions import Action4, IllegalAction
from evolution.attack import NOT_A_CARNIVORE
from evolution.cards import card_order
from evolution.choices import Attack, Eat, FeedingChoice, State, StoreFat
from evolution.species import Species, fat_need, is_carnivore, size
from evolution.table import CARDS_FOR_EXTINCTION, Player, Table
from harness.chaff.attacks import ATTACKS, also_blocked, blocked_instead, has, not_blocked
from harness.chaff.choosing import choosing, sorting
from harness.chaff.eating import feed_scavengers, nobody
from harness.chaff.exchanges import XSTEP4, exchanging
from harness.chaff.planting import Chaff, Patch, function, method

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from evolution.feeding import Feeder

STEPS = ("xstep", "xstep4")
XFEED = ("xfeed",)
XSILLY = ("xsilly",)

_exchanged, _used_cards, _execute = actions._exchanged, actions._used_cards, actions.execute
_step4, _feeding_step, _carry_out, _attack = (
    turn.step4,
    feeding.feeding_step,
    feeding.carry_out,
    feeding.attack,
)
_eat, _wound = Table.eat, Table.wound


# --- attacks (rules 2) ---------------------------------------------------------------------------


def looks_like(one: "Species | None", other: Species) -> bool:
    """Whether two boards are the same to the eye."""
    return one is not None and all(getattr(one, name) == getattr(other, name) for name in Species.__slots__)


def _is_called(left: "Species | None", right: "Species | None", attacker: Species) -> bool:
    callers = [side for side in (left, right) if has(side, "warning-call") and not has(side, "ambush")]
    return bool(callers) and not has(attacker, "ambush")


ATTACKING = [
    Chaff(
        "full-boards-are-safe",
        "a board that has eaten its fill cannot be attacked, even without burrowing",
        "2.5",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: defender.food == defender.population),
    ),
    Chaff(
        "a-carnivore-as-defender-is-enough",
        "a vegetarian can attack a carnivore",
        "2.2",
        ("xattack",),
        not_blocked(NOT_A_CARNIVORE, lambda attacker, defender, left, right: has(defender, "carnivore")),
    ),
    Chaff(
        "hunting-traits-make-carnivores",
        "a vegetarian with ambush or pack-hunting can attack",
        "2.2",
        ("xattack",),
        not_blocked(
            NOT_A_CARNIVORE,
            lambda attacker, defender, left, right: has(attacker, "ambush") or has(attacker, "pack-hunting"),
        ),
    ),
    Chaff(
        "symbiosis-protects-the-last-board",
        "a board with symbiosis that has no right neighbour cannot be attacked",
        "2.7",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: has(defender, "symbiosis") and right is None),
    ),
    Chaff(
        "the-attacker-is-no-friend",
        "an attacker that lies to the right of the defender does not count as its larger neighbour",
        "2.7",
        ("xattack",),
        not_blocked("symbiosis", lambda attacker, defender, left, right: looks_like(right, attacker)),
    ),
    Chaff(
        "herding-protects-from-equals-only",
        "a herd is safe from attackers with just as many animals, but not from fewer",
        "2.4",
        ATTACKS,
        not_blocked(
            "herding", lambda attacker, defender, left, right: attacker.population != defender.population
        ),
    ),
    Chaff(
        "herding-counts-fed-attackers",
        "only the animals of the attacker that have eaten count against a herd",
        "2.4",
        ATTACKS,
        blocked_instead(
            "herding",
            lambda attacker, defender, left, right: (
                has(defender, "herding") and attacker.food <= defender.population
            ),
        ),
    ),
    Chaff(
        "herding-covers-the-neighbours",
        "a herd protects the boards beside it as well",
        "2.4",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: any(
                side is not None and has(side, "herding") and attacker.population <= side.population
                for side in (left, right)
            )
        ),
    ),
    Chaff(
        "burrowing-covers-the-neighbours",
        "a full board with burrowing protects the boards beside it as well",
        "2.5",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: any(
                side is not None and has(side, "burrowing") and side.food == side.population
                for side in (left, right)
            )
        ),
    ),
    Chaff(
        "packs-break-every-shell",
        "a hard-shell does not protect from pack-hunting",
        "2.3",
        ATTACKS,
        not_blocked("hard-shell", lambda attacker, defender, left, right: has(attacker, "pack-hunting")),
    ),
    Chaff(
        "stored-fat-strengthens-the-attacker",
        "the attacker's fat-food counts as body against a hard-shell",
        "2.3",
        ATTACKS,
        not_blocked(
            "hard-shell",
            lambda attacker, defender, left, right: (
                attacker.body
                + attacker.fat_food
                + (attacker.population if has(attacker, "pack-hunting") else 0)
                - defender.body
                >= 4
            ),
        ),
    ),
    Chaff(
        "fat-keeps-attackers-away",
        "a board with stored fat cannot be attacked",
        "2.9",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: defender.fat_food > 0),
    ),
    Chaff(
        "callers-with-ambush-do-not-warn",
        "the warning-call of a neighbour that has ambush protects nobody",
        "2.8",
        ATTACKS,
        blocked_instead(
            "warning-call", lambda attacker, defender, left, right: _is_called(left, right, attacker)
        ),
    ),
    Chaff(
        "climbers-pass-warning-calls",
        "climbing overcomes a warning-call",
        "2.8",
        ATTACKS,
        not_blocked("warning-call", lambda attacker, defender, left, right: has(attacker, "climbing")),
    ),
    Chaff(
        "ambush-passes-callers-on-the-right-only",
        "ambush overcomes the warning-call of a right neighbour, but not that of a left one",
        "2.8",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: has(left, "warning-call")),
    ),
    Chaff(
        "ambush-passes-callers-on-the-left-only",
        "ambush overcomes the warning-call of a left neighbour, but not that of a right one",
        "2.8",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: has(right, "warning-call")),
    ),
]


# --- feeding (rules 3 and 4) ---------------------------------------------------------------------


def _eat_into_the_bag(self: Table, player: Player, board: Species, why: str) -> int:
    eaten = _eat(self, player, board, why)
    player.bag += eaten
    return eaten


def _draw_for_every_wound(self: Table, player: Player, board: Species, why: str) -> None:
    _wound(self, player, board, why)
    if board.population:
        self.draw(player, CARDS_FOR_EXTINCTION)


def _remove_the_last(self: Table, player: Player, board: Species, why: str) -> None:
    last = player.boards[-1]
    if board.population == 1 and board is not last:
        board.food, board.body, board.population = last.food, last.body, last.population
        board.traits, board.fat_food = last.traits, last.fat_food
        player.boards.pop()
        self.draw(player, CARDS_FOR_EXTINCTION)
    else:
        _wound(self, player, board, why)


def _strike_with_horns(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    if "horns" in attacker.traits and defender.population > 1:
        table.wound(owner, defender, "attack")
    _attack(table, player, attacker, owner, defender)


def _the_dead_eat_too(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    _attack(table, player, attacker, owner, defender)
    if not defender.population and attacker.population and "scavenger" in defender.traits:
        table.hole = max(0, table.hole - 1)


def _scavenge_after_everything(table: Table, player: Player, choice: "Eat | StoreFat | Attack") -> None:
    _carry_out(table, player, choice)
    if isinstance(choice, Eat):
        feed_scavengers(table, table.from_player(player), nobody)


def _reveal_in_every_step(table: Table, player: Player, feeder: "Feeder") -> bool:
    turn.food_revealed(table)
    return _feeding_step(table, player, feeder)


def _full_ones_too(state: State) -> "Eat | None":
    vegetarians = [at for at, board in enumerate(state.boards) if not is_carnivore(board)]
    return Eat(max(vegetarians, key=lambda at: size(state.boards[at]))) if vegetarians else None


def _full_hunters_too(state: State) -> list[int]:
    return [at for at, board in enumerate(state.boards) if is_carnivore(board)]


def _any_fat_tissue(state: State) -> "FeedingChoice | None":
    boards = state.boards
    tissues = [at for at, board in enumerate(boards) if "fat-tissue" in board.traits]
    if not tissues:
        return None
    neediest = max(tissues, key=lambda at: (fat_need(boards[at]), size(boards[at])))
    return StoreFat(neediest, min(fat_need(boards[neediest]), state.hole))


FEEDING = [
    Chaff(
        "food-goes-to-the-bag",
        "what a board eats is put into the bag at once",
        "5.12",
        STEPS,
        method("eat", _eat_into_the_bag),
    ),
    Chaff(
        "every-wound-brings-cards",
        "cards are drawn for every board that is attacked, even if it survives",
        "3.4",
        STEPS,
        method("wound", _draw_for_every_wound),
    ),
    Chaff(
        "the-last-board-takes-the-place-of-the-dead",
        "the last board of the row moves to the place of an extinct one",
        "3.4",
        STEPS,
        method("wound", _remove_the_last),
    ),
    Chaff(
        "horns-of-the-attacker-strike",
        "an attacker with horns costs its prey two population",
        "3.5",
        STEPS,
        function(_attack, _strike_with_horns),
    ),
    Chaff(
        "the-dead-scavenge",
        "an extinct scavenger takes its token from the hole all the same",
        "3.6",
        STEPS,
        function(_attack, _the_dead_eat_too),
    ),
    Chaff(
        "scavengers-eat-after-every-feeding",
        "scavengers are fed whenever a vegetarian was, not only after attacks",
        "3.6",
        STEPS,
        function(_carry_out, _scavenge_after_everything),
    ),
    Chaff(
        "food-is-revealed-in-every-step",
        "fertile, long-neck and fat-tissue act before each feeding step",
        "4.1",
        ("xstep",),
        function(_feeding_step, _reveal_in_every_step),
    ),
    Chaff(
        "silly-feeds-the-full",
        "the Silly player feeds its largest vegetarian, be it hungry or not",
        "7.1",
        XFEED,
        function(silly._eat, _full_ones_too),
    ),
    Chaff(
        "silly-attacks-with-the-full",
        "the Silly player attacks with its largest carnivore, be it hungry or not",
        "7.1",
        XFEED,
        function(silly._hungry_carnivores, _full_hunters_too),
    ),
    Chaff(
        "full-stores-are-filled",
        "the Silly player stores fat on any board with fat-tissue, though all are full",
        "7.1",
        XFEED,
        function(silly._store_fat, _any_fat_tissue),
    ),
]


# --- the Silly player's cards (rules 7.2) --------------------------------------------------------


def _grows_in_pairs(new: int, order: list[int]) -> Action4:
    food, pays, bought, *rest = order
    if len(rest) < 2:
        return Action4(food, new_boards=[[pays, bought]])
    replaced = [(new, 0, card) for card in rest[2:3]]
    return Action4(food, [(new, rest[0])], [(new, rest[1])], [[pays, bought]], replaced)


def _grows_with_all_six(new: int, order: list[int]) -> Action4:
    food, pays, bought, *rest = order
    if len(rest) < 3:
        return Action4(food, new_boards=[[pays, bought]])
    return Action4(food, [(new, rest[0])], [(new, rest[1])], [[pays, bought]], [(new, 0, rest[2])])


def _keeps_one(new: int, order: list[int]) -> Action4:
    food, pays, *rest = order[:-1]
    return Action4(
        food,
        [(new, card) for card in rest[1:2]],
        [(new, card) for card in rest[2:3]],
        [[pays, *rest[:1]]],
        [(new, 0, card) for card in rest[3:4]],
    )


CARDS = [
    Chaff(
        "silly-keeps-its-last-card",
        "the Silly player keeps the last card of its hand in card order, however few it has",
        "7.2",
        XSILLY,
        choosing(_keeps_one),
    ),
    Chaff(
        "cards-are-sorted-by-their-first-letter",
        "of a trait's name only the first letter counts in card order",
        "1.2",
        XSILLY,
        sorting(lambda card: (card_order(card)[0][0], card[0])),
    ),
    Chaff(
        "growth-comes-in-pairs",
        "the fourth card stays in the hand if there is no fifth one",
        "7.2",
        XSILLY,
        choosing(_grows_in_pairs),
    ),
    Chaff(
        "growth-needs-six-cards",
        "with fewer than six cards the Silly player only buys a board",
        "7.2",
        XSILLY,
        choosing(_grows_with_all_six),
    ),
]


# --- a turn (rules 5) ----------------------------------------------------------------------------

USES = ("as food", "for population", "for a body", "for a new board", "as a replacement")  # by their places


def _twice(one: int, other: int) -> Patch:
    """A card may be used once in each of these two ways."""

    def used_cards(player: Player, action: Action4) -> set[int]:
        ways: dict[int, list[int]] = {}
        for card, place in action.cards():
            if not 0 <= card < len(player.hand):
                raise IllegalAction("no such card", place)
            ways.setdefault(card, []).append(place[0])
        for way in ways.values():
            if len(way) > 1 and sorted(way) != [one, other]:
                raise IllegalAction("used twice")
        return set(ways)

    return function(_used_cards, used_cards)


def _both(one: str, other: str) -> str:
    return f"twice {one}" if one == other else f"{one} and {other}"


def _reuses() -> list[Chaff]:
    return [
        Chaff(
            f"a-card-may-be-used-{_both(USES[one], USES[other]).replace(' ', '-')}",
            f"an action that uses one card {_both(USES[one], USES[other])} is legal",
            "5.5",
            XSTEP4,
            _twice(one, other),
        )
        for one, other in combinations_with_replacement(range(len(USES)), 2)
        if other
    ]


def _different_everywhere(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    touched = {board for board, _, _ in action.replace_traits} | {*range(len(player.boards), len(boards))}
    for at in touched:
        others = [one for board in boards if board is not boards[at] for one in board.traits]
        if set(boards[at].traits) & set(others):
            raise IllegalAction("the player has that trait already")
    return boards


def _exchanges_last(table: Table, found: list[Action4], feeders: "Sequence[Feeder]") -> None:
    """The food is revealed while the boards are still as they were."""
    foods = []
    for player, action in zip(table.players, found, strict=True):
        _used_cards(player, action)
        foods.append(player.hand[action.food_card][0])
    for player, food in zip(table.players, foods, strict=True):
        table.reveal(player, food)
    turn.food_revealed(table)
    for player, action in zip(table.players, found, strict=True):
        actions.execute(player, action)
    feeding.feeding_cycle(table, feeders)


def _new_boards_wait(table: Table, found: list[Action4], feeders: "Sequence[Feeder]") -> None:
    """What is bought neither eats nor can be attacked in this turn."""
    for at, (player, action) in enumerate(zip(table.players, found, strict=True)):
        try:
            table.reveal(player, actions.execute(player, action))
        except IllegalAction as illegal:
            raise IllegalAction(illegal.reason, (at, *illegal.place)) from None
    waiting = []
    for player, action in zip(table.players, found, strict=True):
        old = len(player.boards) - len(action.new_boards)
        waiting.append(player.boards[old:])
        del player.boards[old:]
    turn.food_revealed(table)
    feeding.feeding_cycle(table, feeders)
    for player, boards in zip(table.players, waiting, strict=True):
        player.boards += boards


def _dealt_first(table: Table, found: list[Action4], feeders: "Sequence[Feeder]") -> None:
    for player in table.players:
        table.draw(player, 3 + max(1, len(player.boards)))
    _step4(table, found, feeders)


def _actions_in_reverse(table: Table, found: list[Action4], feeders: "Sequence[Feeder]") -> None:
    _step4(table, found[::-1], feeders)


def _missing_boards(population: bool) -> Patch:
    """Growth of a missing board is skipped, of populations or of bodies."""

    def exchange(player: Player, action: Action4) -> list[Species]:
        count = len(player.boards) + len(action.new_boards)
        growth = [action.grow_population, action.grow_body]
        at = 0 if population else 1
        growth[at] = [one for one in growth[at] if one[0] < count]
        return _exchanged(
            player,
            Action4(action.food_card, growth[0], growth[1], action.new_boards, action.replace_traits),
        )

    return exchanging(exchange)


def _no_food_card(player: Player, action: Action4) -> int:
    """A food card that is not there is worth nothing."""
    if action.food_card < len(player.hand):
        return _execute(player, action)
    player.hand.append((0, "ambush"))
    try:
        found = Action4(
            len(player.hand) - 1,
            action.grow_population,
            action.grow_body,
            action.new_boards,
            action.replace_traits,
        )
        return _execute(player, found)
    except IllegalAction:
        player.hand.pop()
        raise


TURNS = [
    *_reuses(),
    Chaff(
        "population-of-missing-boards-is-ignored",
        "growth of the population of a board that does not exist is skipped, not illegal",
        "5.5",
        XSTEP4,
        _missing_boards(population=True),
    ),
    Chaff(
        "bodies-of-missing-boards-are-ignored",
        "growth of the body of a board that does not exist is skipped, not illegal",
        "5.5",
        XSTEP4,
        _missing_boards(population=False),
    ),
    Chaff(
        "a-missing-food-card-is-worth-nothing",
        "a food card that is not in the hand is legal and brings no tokens",
        "5.5",
        XSTEP4,
        function(_execute, _no_food_card),
    ),
    Chaff(
        "equal-traits-on-two-boards-are-illegal",
        "an action is illegal if a board gets a trait that another board of the player has",
        "5.5",
        XSTEP4,
        exchanging(_different_everywhere),
    ),
    Chaff(
        "exchanges-come-after-the-food",
        "the food is revealed before the exchanges are carried out",
        "5.6",
        XSTEP4,
        function(_step4, _exchanges_last),
    ),
    Chaff(
        "new-boards-wait-a-turn",
        "boards that were bought neither act nor are attacked in the same turn",
        "5.6",
        XSTEP4,
        function(_step4, _new_boards_wait),
    ),
    Chaff(
        "cards-are-dealt-before-step-4",
        "the cards of step 1 are dealt before the exchanges",
        "5.6",
        XSTEP4,
        function(_step4, _dealt_first),
    ),
    Chaff(
        "actions-come-in-reverse",
        "the first action is that of the last player",
        "5.2",
        XSTEP4,
        function(_step4, _actions_in_reverse),
    ),
]

MISREADINGS = [*ATTACKING, *FEEDING, *CARDS, *TURNS]
