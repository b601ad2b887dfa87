"""Misreadings that show only where two things come together: equal boards, equal cards, rare traits."""

from evolution import actions, feeding, silly
from evolution.actions import Action4, IllegalAction
from evolution.attack import targets
from evolution.choices import DECLINE, Attack, FeedingChoice, State, StoreFat
from evolution.species import Species, is_carnivore, size
from evolution.table import Player, Table
from evolution.traits import fertile
from harness.chaff.attacks import ATTACKS, CHOSEN, blocked_instead, has, not_blocked
from harness.chaff.choosing import prey
from harness.chaff.eating import cooperation, feed_scavengers, foraging, nobody
from harness.chaff.exchanges import XSTEP4, exchanging, meaning
from harness.chaff.planting import Chaff, function, method
from harness.chaff.turns import reaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.cards import Card

STEPS = ("xstep", "xstep4")
XSILLY = ("xsilly",)
MOST_TRAITS_BOUGHT = 2

_exchanged, _execute = actions._exchanged, actions.execute
_attack, _forced_choice = feeding.attack, feeding.forced_choice
_feed, _choose, _wound = silly.feed, silly.choose, Table.wound
_hungry_carnivores = silly._hungry_carnivores


# --- attacks (rules 2) ---------------------------------------------------------------------------

OBSTACLES = [
    Chaff(
        "ambush-breaks-shells",
        "ambush overcomes a hard-shell",
        "2.3",
        ATTACKS,
        not_blocked("hard-shell", lambda attacker, defender, left, right: has(attacker, "ambush")),
    ),
    Chaff(
        "ambush-passes-a-herd",
        "ambush overcomes herding",
        "2.4",
        ATTACKS,
        not_blocked("herding", lambda attacker, defender, left, right: has(attacker, "ambush")),
    ),
    Chaff(
        "ambush-parts-friends",
        "ambush overcomes symbiosis",
        "2.7",
        ATTACKS,
        not_blocked("symbiosis", lambda attacker, defender, left, right: has(attacker, "ambush")),
    ),
    Chaff(
        "pack-hunting-counts-the-fed",
        "with pack-hunting the food of the attacker is added to its body, not its population",
        "2.3",
        ATTACKS,
        blocked_instead(
            "hard-shell",
            lambda attacker, defender, left, right: (
                has(defender, "hard-shell")
                and attacker.body + (attacker.food if has(attacker, "pack-hunting") else 0) - defender.body
                < 4
            ),
        ),
    ),
    Chaff(
        "symbiosis-needs-two",
        "the right neighbour protects only if it has symbiosis as well",
        "2.7",
        ATTACKS,
        not_blocked("symbiosis", lambda attacker, defender, left, right: not has(right, "symbiosis")),
    ),
    Chaff(
        "carnivores-do-not-warn",
        "the warning-call of a carnivore protects nobody",
        "2.8",
        ATTACKS,
        blocked_instead(
            "warning-call",
            lambda attacker, defender, left, right: (
                not has(attacker, "ambush")
                and any(has(side, "warning-call") and not has(side, "carnivore") for side in (left, right))
            ),
        ),
    ),
    Chaff(
        "callers-do-not-hear",
        "a board with warning-call is not protected by that of a neighbour",
        "2.8",
        ATTACKS,
        not_blocked("warning-call", lambda attacker, defender, left, right: has(defender, "warning-call")),
    ),
]


# --- eating (rules 3) ----------------------------------------------------------------------------


def _leave_the_last_token(table: Table, player: Player, owner: Species) -> int:
    return table.eat(player, owner, "foraging") if table.hole > 1 else 0


def _left_if_right_is_full(table: Table, player: Player, owner: Species, tokens: int) -> None:
    right = player.right_of(owner)
    if right is not None and right.food == right.population:
        at = player.boards.index(owner)
        right = player.boards[at - 1] if at else None
    for _ in range(tokens if right is not None else 0):
        assert right is not None
        table.feed(player, right, "cooperation")


def _looks(board: Species) -> tuple[int, int, int, tuple[str, ...], int]:
    return board.food, board.body, board.population, tuple(board.traits), board.fat_food


def _right_of_its_like(table: Table, player: Player, owner: Species, tokens: int) -> None:
    for _ in range(tokens):
        at = [_looks(board) for board in player.boards].index(_looks(owner)) + 1
        if at < len(player.boards):
            table.feed(player, player.boards[at], "cooperation")


def _wound_fat_first(self: Table, player: Player, board: Species, why: str) -> None:
    if board.population == 1 and board.fat_food:
        board.fat_food -= 1
    else:
        _wound(self, player, board, why)


def _unless_attacker_has_horns(self: Table, player: Player, board: Species, why: str) -> None:
    if why != "horns" or "horns" not in board.traits:
        _wound(self, player, board, why)


def _horns_take_food(self: Table, player: Player, board: Species, why: str) -> None:
    if why == "horns":
        board.food = max(0, board.food - 1)
    _wound(self, player, board, why)


def _but_the_one_behind(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    """The board that has moved to the place of an extinct one is passed over."""
    at, count = owner.boards.index(defender), len(owner.boards)
    table.wound(owner, defender, "attack")
    skipped = owner.boards[at] if len(owner.boards) < count and at < len(owner.boards) else None
    if "horns" in defender.traits:
        table.wound(player, attacker, "horns")
    if attacker.population == 0:
        return
    table.feed(player, attacker, "attack")
    feed_scavengers(table, table.from_player(player), lambda board: board is skipped)


def _attack_leaving_a_gap(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    """An extinct board keeps its place until everybody has eaten."""
    at = owner.boards.index(defender)
    table.wound(owner, defender, "attack")
    if defender.population == 0:
        owner.boards.insert(at, defender)
    if "horns" in defender.traits:
        table.wound(player, attacker, "horns")
    if attacker.population:
        table.feed(player, attacker, "attack")
        feed_scavengers(table, table.from_player(player), nobody)
    if defender.population == 0:
        owner.boards.remove(defender)


EATING = [
    Chaff(
        "foragers-leave-the-last-token",
        "a forager does not eat a second token if that is the last one in the hole",
        "3.2",
        STEPS,
        foraging(_leave_the_last_token),
    ),
    Chaff(
        "cooperation-turns-left",
        "a cooperator whose right neighbour is full feeds the left one",
        "3.3",
        STEPS,
        cooperation(_left_if_right_is_full),
    ),
    Chaff(
        "neighbours-are-found-by-looks",
        "of boards that look the same the first one is taken when a neighbour is looked for",
        "1.5",
        STEPS,
        cooperation(_right_of_its_like),
    ),
    Chaff(
        "the-dead-leave-a-gap",
        "an extinct board keeps its place until the scavengers have eaten, so nobody shares over it",
        "3.4",
        STEPS,
        function(_attack, _attack_leaving_a_gap),
    ),
    Chaff(
        "fat-saves-the-last-population",
        "a board loses stored fat instead of its last population",
        "3.4",
        STEPS,
        method("wound", _wound_fat_first),
    ),
    Chaff(
        "horns-spare-the-horned",
        "an attacker that has horns itself loses nothing to horns",
        "3.5",
        STEPS,
        method("wound", _unless_attacker_has_horns),
    ),
    Chaff(
        "horns-take-food-too",
        "horns cost the attacker a token of food besides its population",
        "3.5",
        STEPS,
        method("wound", _horns_take_food),
    ),
    Chaff(
        "the-board-behind-the-dead-does-not-scavenge",
        "the board that moves to the place of an extinct one is passed over when scavengers are fed",
        "3.6",
        STEPS,
        function(_attack, _but_the_one_behind),
    ),
]


# --- a feeding step and the Silly player (rules 4 and 7) -----------------------------------------


def _whole_needs_only(state: State) -> "FeedingChoice | None":
    choice = _forced_choice(state)
    if isinstance(choice, StoreFat) and choice.tokens > state.hole:
        return DECLINE
    return choice


def _others_by_id(table: Table, player: Player) -> State:
    others = [one.boards if one.id != player.id else [] for one in table.from_player(player)[1:]]
    return State(player.bag, player.boards, player.hand, table.hole, others)


def _no_for_full_carnivores(state: State) -> "FeedingChoice | None":
    return _feed(state) or (DECLINE if any(map(is_carnivore, state.boards)) else None)


def _largest_prey_first(state: State) -> "Attack | None":
    boards = state.boards
    found = [
        Attack(at, player, target)
        for at in sorted(_hungry_carnivores(state), key=lambda at: size(boards[at]), reverse=True)
        for player, theirs in enumerate(state.others)
        for target in targets(boards[at], theirs)
    ]
    return max(found, key=lambda one: size(state.others[one.player][one.target]), default=None)


def _keep_equal_traits(boards: list[Species], hand: "list[Card]") -> Action4:
    action = _choose(boards, hand)
    bought = hand[action.new_boards[0][1]][1]
    kept = [one for one in action.replace_traits if hand[one[2]][1] != bought]
    return Action4(action.food_card, action.grow_population, action.grow_body, action.new_boards, kept)


def _second_trait(boards: list[Species], hand: "list[Card]") -> Action4:
    action = _choose(boards, hand)
    bought = [*action.new_boards[0], *(card for _, _, card in action.replace_traits)]
    return Action4(action.food_card, action.grow_population, action.grow_body, [bought], [])


CHOICES = [
    Chaff(
        "whole-fat-needs-only",
        "a sole fat need is not filled if the hole has fewer tokens",
        "4.2",
        STEPS,
        function(_forced_choice, _whole_needs_only),
    ),
    Chaff(
        "players-with-an-equal-id-are-one",
        "players who have the id of the asking player do not count as others",
        "1.8",
        STEPS,
        function(feeding.state_of, _others_by_id),
    ),
    Chaff(
        "silly-declines-for-full-carnivores",
        "the Silly player says false if it has a carnivore, though none is hungry",
        "7.1",
        ("xfeed",),
        function(_feed, _no_for_full_carnivores),
    ),
    Chaff(
        "the-largest-target-chooses-its-attacker",
        "the largest target of any hungry carnivore is attacked, not that of the largest carnivore",
        "7.1",
        CHOSEN,
        function(silly._attack, _largest_prey_first),
    ),
    Chaff(
        "target-ties-go-to-the-fatter",
        "of equally large targets the one with more stored fat is attacked",
        "7.1",
        CHOSEN,
        prey(
            lambda others, target: (
                size(others[target[0]][target[1]]),
                others[target[0]][target[1]].fat_food,
            )
        ),
    ),
    Chaff(
        "equal-traits-are-not-replaced",
        "the Silly player keeps its sixth card if its new board has that trait already",
        "7.2",
        XSILLY,
        function(_choose, _keep_equal_traits),
    ),
    Chaff(
        "the-sixth-card-is-a-second-trait",
        "the sixth card is a second trait of the new board",
        "7.2",
        XSILLY,
        function(_choose, _second_trait),
    ),
]


# --- a turn (rules 5) ----------------------------------------------------------------------------


def _once_a_board(player: Player, action: Action4) -> list[Species]:
    """Growth counts once, but all its cards are used."""
    population, body = (
        list(dict(reversed(growth)).items()) for growth in (action.grow_population, action.grow_body)
    )
    once = Action4(action.food_card, population, body, action.new_boards, action.replace_traits)
    return _exchanged(player, once)


def _two_traits_at_most(player: Player, action: Action4) -> list[Species]:
    if any(len(cards) - 1 > MOST_TRAITS_BOUGHT for cards in action.new_boards):
        raise IllegalAction("a new board takes no more than two traits")
    return _exchanged(player, action)


def _one_board_at_most(player: Player, action: Action4) -> Action4:
    if len(action.new_boards) > 1:
        raise IllegalAction("one new board a turn")
    return action


def _new_traits_only(player: Player, action: Action4) -> list[Species]:
    for board, slot, card in action.replace_traits:
        old = player.boards[board].traits[slot : slot + 1] if board < len(player.boards) else []
        if old == [player.hand[card][1]]:
            raise IllegalAction("that trait is there already")
    return _exchanged(player, action)


def _one_replacement_a_slot(player: Player, action: Action4) -> Action4:
    slots = [(board, slot) for board, slot, _ in action.replace_traits]
    if len(set(slots)) < len(slots):
        raise IllegalAction("a slot is named twice")
    return action


def _equal_cards_leave(player: Player, action: Action4) -> int:
    used = {player.hand[card] for card, _ in action.cards() if card < len(player.hand)}
    food = _execute(player, action)
    player.hand[:] = [card for card in player.hand if card not in used]
    return food


def _grow_carnivores_not(table: Table, player: Player, owner: Species) -> None:
    if not is_carnivore(owner):
        fertile(table, player, owner)


def _grow_fed(table: Table, player: Player, owner: Species) -> None:
    before = owner.population
    fertile(table, player, owner)
    owner.food += owner.population - before


def _burn_carnivores_not(table: Table, player: Player, owner: Species) -> None:
    if not is_carnivore(owner):
        table.use_fat(player, owner)


TURNS = [
    Chaff(
        "growth-counts-once-a-board",
        "two cards that grow one board in the same way let it grow by one",
        "5.4",
        XSTEP4,
        exchanging(_once_a_board),
    ),
    Chaff(
        "three-traits-are-too-many",
        "a new board with three traits is illegal",
        "5.4",
        XSTEP4,
        exchanging(_two_traits_at_most),
    ),
    Chaff(
        "two-new-boards-are-too-many",
        "an action that buys two boards is illegal",
        "5.2",
        XSTEP4,
        meaning(_one_board_at_most),
    ),
    Chaff(
        "replacing-a-trait-by-itself-is-illegal",
        "an action that replaces a trait by the same one is illegal",
        "5.5",
        XSTEP4,
        exchanging(_new_traits_only),
    ),
    Chaff(
        "two-replacements-of-a-slot-are-illegal",
        "an action that replaces one trait twice is illegal",
        "5.4",
        XSTEP4,
        meaning(_one_replacement_a_slot),
    ),
    Chaff(
        "equal-cards-leave-together",
        "with a used card all cards like it leave the hand",
        "5.4",
        XSTEP4,
        function(_execute, _equal_cards_leave),
    ),
    Chaff(
        "fertile-carnivores-do-not-grow",
        "fertile does nothing for a carnivore",
        "5.8",
        XSTEP4,
        reaction("fertile", _grow_carnivores_not),
    ),
    Chaff(
        "fertile-boards-grow-fed",
        "the population that fertile brings has eaten already",
        "5.8",
        XSTEP4,
        reaction("fertile", _grow_fed),
    ),
    Chaff(
        "carnivores-do-not-eat-their-fat",
        "the stored fat of a carnivore does not become food",
        "5.10",
        XSTEP4,
        reaction("fat-tissue", _burn_carnivores_not),
    ),
]

MISREADINGS = [*OBSTACLES, *EATING, *CHOICES, *TURNS]
