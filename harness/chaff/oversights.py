"""Misreadings that only show when things look alike, change on the way, or go on for long.

A board, a card or a player is looked for by what it looks like; something is worked out once that changes
later; a list loses an entry while somebody goes through it.
"""

from evolution import actions, attack, feeding, silly
from evolution.actions import Action4, IllegalAction
from evolution.attack import attackable
from evolution.choices import DECLINE, Attack, Decline, State
from evolution.species import Species, fat_need, hungry, is_carnivore
from evolution.table import CARDS_FOR_EXTINCTION, Player, Table
from evolution.wire import reading
from harness.chaff.attacks import ATTACKS, also_blocked, has
from harness.chaff.choosing import FED
from harness.chaff.eating import cooperation, feed_scavengers
from harness.chaff.exchanges import XSTEP4, exchanging
from harness.chaff.planting import Chaff, function, method
from harness.chaff.turns import cycle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from evolution.feeding import Feeder
    from harness.chaff.turns import Step

    Eating = list[tuple[Player, Feeder]]
    Target = tuple[int, int]

XFEED = ("xfeed",)
STEPS = ("xstep", "xstep4")

_targets, _attack, _feeding_step, _state_of = (
    attack.targets,
    feeding.attack,
    feeding.feeding_step,
    feeding.state_of,
)
_largest_target, _execute, _exchanged = silly._largest_target, actions.execute, actions._exchanged
_used_cards = actions._used_cards
_natural, _natural_plus = reading.natural, reading.natural_plus
_eat, _from_player = Table.eat, Table.from_player


# --- things that look alike (rules 1.3) ----------------------------------------------------------


def _looks(board: Species) -> tuple[object, ...]:
    return (board.food, board.body, board.population, board.traits, board.fat_food)


def _place(board: Species, boards: list[Species]) -> int:
    """Where the first board lies that looks like this one."""
    return next(at for at, other in enumerate(boards) if _looks(other) == _looks(board))


def _targets_unlike(attacker: Species, boards: list[Species]) -> "Iterator[int]":
    return (at for at in _targets(attacker, boards) if _looks(boards[at]) != _looks(attacker))


def _targets_beside_lookalikes(attacker: Species, boards: list[Species]) -> "Iterator[int]":
    for at, defender in enumerate(boards):
        place = _place(defender, boards)
        left = boards[place - 1] if place else None
        right = boards[place + 1] if place + 1 < len(boards) else None
        if defender is not attacker and attackable(attacker, defender, left, right):
            yield at


def _first_like_the_largest(attacker: Species, others: list[list[Species]]) -> "Target | None":
    found = _largest_target(attacker, others)
    return found and (found[0], _place(others[found[0]][found[1]], others[found[0]]))


def _attack_the_lookalike(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    _attack(table, player, attacker, owner, owner.boards[_place(defender, owner.boards)])


def _wound_and_remove_the_lookalike(table: Table, player: Player, board: Species, why: str) -> None:
    boards = player.boards
    place = _place(board, boards)
    board.population -= 1
    board.food = min(board.food, board.population)
    if board.population == 0:
        boards[boards.index(board)] = boards[place]
        del boards[place]
        table.draw(player, CARDS_FOR_EXTINCTION)


def _first_cards_leave(player: Player, action: Action4) -> int:
    hand = player.hand[:]
    food = _execute(player, action)
    left = hand[:]
    for card, _ in action.cards():
        left.remove(hand[card])
    player.hand[:] = left
    return food


ALIKE = [
    Chaff(
        "lookalikes-of-the-attacker-are-safe",
        "a board that looks like the attacker cannot be attacked by it, as if it were the same one",
        "1.3",
        FED,
        function(_targets, _targets_unlike),
    ),
    Chaff(
        "lookalikes-have-the-same-neighbours",
        "whether a board can be attacked depends on the neighbours of the first board that looks like it",
        "1.5",
        FED,
        function(_targets, _targets_beside_lookalikes),
    ),
    Chaff(
        "silly-names-the-first-lookalike",
        "the Silly player names the first board that looks like its target, even if that is protected",
        "7.1",
        XFEED,
        function(_largest_target, _first_like_the_largest),
    ),
    Chaff(
        "the-first-lookalike-is-attacked",
        "of boards of a player that look the same the first one is attacked, whichever was chosen",
        "3.4",
        STEPS,
        function(_attack, _attack_the_lookalike),
    ),
    Chaff(
        "the-first-lookalike-dies",
        "of boards of a player that look the same the first one is removed, whichever dies",
        "3.4",
        STEPS,
        method("wound", _wound_and_remove_the_lookalike),
    ),
    Chaff(
        "of-equal-cards-the-first-leaves",
        "of equal cards in a hand the first one leaves, whichever was used",
        "5.4",
        XSTEP4,
        function(_execute, _first_cards_leave),
    ),
]


# --- the feeding cycle (rules 5.11) --------------------------------------------------------------


def _known_by_id(at: Table, eating: "Eating", step: "Step") -> None:
    still_in = {player.id for player, _ in eating}
    while still_in and at.hole:
        for player, feeder in eating:
            if player.id in still_in and not step(at, player, feeder):
                still_in.discard(player.id)


def _has_option(at: Table, player: Player) -> bool:
    return next(feeding.options(_state_of(at, player)), None) is not None


def _decliners_stay(at: Table, eating: "Eating", step: "Step") -> None:
    fed = True
    while fed and at.hole:
        fed = False
        for one in list(eating):
            if not _has_option(at, one[0]):
                eating.remove(one)
            elif step(at, *one):
                fed = True


def _skipping(at: Table, eating: "Eating", step: "Step") -> None:
    while eating and at.hole:
        for one in eating:
            if not step(at, *one):
                eating.remove(one)  # on purpose: whoever comes next is passed over


def _fixed_from_the_start(at: Table, eating: "Eating", step: "Step") -> None:
    eating = [(player, feeder) for player, feeder in eating if _has_option(at, player)]
    while eating and at.hole:
        eating = [(player, feeder) for player, feeder in eating if step(at, player, feeder)]


def _from_the_first_again(at: Table, eating: "Eating", step: "Step") -> None:
    while eating and at.hole:
        for one in list(eating):
            if not step(at, *one):
                eating.remove(one)
                break


def _out_without_attacker(at: Table, eating: "Eating", step: "Step") -> None:
    while eating and at.hole:
        for one in list(eating):
            boards = one[0].boards[:]
            if not step(at, *one) or len(one[0].boards) < len(boards):
                eating.remove(one)


def _others_as_they_were(at: Table, eating: "Eating", step: "Step") -> None:
    """Everybody chooses by what the others had when the round began; what cannot be done is not done."""
    while eating and at.hole:
        seen = {player: [board.copy() for board in player.boards] for player in at.players}
        for one in list(eating):
            if not at.hole or not _stale_step(at, *one, seen):
                eating.remove(one)


def _stale_step(at: Table, player: Player, feeder: "Feeder", seen: "dict[Player, list[Species]]") -> bool:
    state = _state_of(at, player)
    choice = feeding.forced_choice(state)
    if choice is None:
        others = [seen[other] for other in at.from_player(player)[1:]]
        choice = feeder.feed_next(State(state.bag, state.boards, state.hand, state.hole, others)) or DECLINE
        try:
            feeding.check_choice(state, choice)
        except feeding.IllegalChoice:
            return False
    if isinstance(choice, Decline):
        return False
    feeding.carry_out(at, player, choice)
    return True


CYCLE = [
    Chaff(
        "who-is-out-is-known-by-id",
        "with a player that is out, everybody is out who has the same id",
        "1.8",
        XSTEP4,
        cycle(_known_by_id),
    ),
    Chaff(
        "who-declines-comes-back",
        "a player that declined is asked again in the next round, unless nobody has eaten in this one",
        "4.4",
        XSTEP4,
        cycle(_decliners_stay),
    ),
    Chaff(
        "the-one-after-who-is-out-is-skipped",
        "whoever comes after a player that is just out is passed over in that round",
        "5.11",
        XSTEP4,
        cycle(_skipping),
    ),
    Chaff(
        "who-has-nothing-at-first-is-out",
        "a player without an option when the cycle begins is out, though attacks may give it one",
        "5.11",
        XSTEP4,
        cycle(_fixed_from_the_start),
    ),
    Chaff(
        "the-round-begins-again-when-somebody-is-out",
        "when a player is out, the first of the others is next",
        "5.11",
        XSTEP4,
        cycle(_from_the_first_again),
    ),
    Chaff(
        "who-loses-a-board-to-horns-is-out",
        "a player whose attacker dies of horns is out of the cycle",
        "5.11",
        XSTEP4,
        cycle(_out_without_attacker),
    ),
    Chaff(
        "players-see-the-table-of-the-last-round",
        "players choose by the boards that the others had when the round began",
        "4.2",
        XSTEP4,
        cycle(_others_as_they_were),
    ),
]


# --- fat that counts where it should not (rules 1.4 and 3.1) -------------------------------------


def _eat_or_store(table: Table, player: Player, board: Species, why: str) -> int:
    if table.hole > 0 and not hungry(board) and fat_need(board) > 0:
        table.hole -= 1
        board.fat_food += 1
        return 0
    return _eat(table, player, board, why)


FAT = [
    Chaff(
        "full-boards-store-their-token",
        "a full board that is fed stores the token as fat if it can",
        "3.1",
        STEPS,
        method("eat", _eat_or_store),
    ),
    Chaff(
        "burrowers-count-their-fat",
        "a burrower counts as full if its food and its fat together reach its population",
        "2.5",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: (
                has(defender, "burrowing") and defender.food + defender.fat_food >= defender.population
            )
        ),
    ),
    Chaff(
        "stored-fat-stills-hunger",
        "a board whose food and fat together reach its population is not hungry",
        "1.4",
        FED,
        function(hungry, lambda board: board.food + board.fat_food < board.population),
    ),
]


# --- meals (rules 3.3 and 3.6) -------------------------------------------------------------------


def _share_as_foragers(table: Table, player: Player, owner: Species, tokens: int) -> None:
    right = player.right_of(owner)
    for _ in range((2 if has(owner, "foraging") else 1) if right else 0):
        table.feed(player, right, "cooperation")  # type: ignore[arg-type]


def _attack_and_pass_over_the_fed(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    table.wound(owner, defender, "attack")
    if has(defender, "horns"):
        table.wound(player, attacker, "horns")
        if attacker.population == 0:
            return
    food = {board: board.food for one in table.players for board in one.boards}
    table.feed(player, attacker, "attack")
    fed = {board for board, before in food.items() if board.food > before and board is not attacker}
    feed_scavengers(table, table.from_player(player), lambda board: board in fed)


def _attack_and_pass_over_those_fed_by_scavengers(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    table.wound(owner, defender, "attack")
    if has(defender, "horns"):
        table.wound(player, attacker, "horns")
        if attacker.population == 0:
            return
    table.feed(player, attacker, "attack")
    food = {board: board.food for one in table.players for board in one.boards}
    feed_scavengers(table, table.from_player(player), lambda board: board.food > food[board])


def _attack_with_the_attacker_scavenging_first(
    table: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    table.wound(owner, defender, "attack")
    if has(defender, "horns"):
        table.wound(player, attacker, "horns")
        if attacker.population == 0:
            return
    table.feed(player, attacker, "attack")
    if has(attacker, "scavenger"):
        table.feed(player, attacker, "scavenger")
    feed_scavengers(table, table.from_player(player), lambda board: board is attacker)


def _share_but_not_on(table: Table, player: Player, owner: Species, tokens: int) -> None:
    """Carnivores do not hand on what they were given: only what they ate as attackers or scavengers."""
    right = player.right_of(owner)
    for _ in range(tokens if right else 0):
        assert right is not None
        before = right.traits
        if is_carnivore(right):
            right.traits = [trait for trait in before if trait != "cooperation"]
        table.feed(player, right, "cooperation")
        right.traits = before


def _from_player_by_id(table: Table, player: Player) -> list[Player]:
    return [one for one in _from_player(table, player) if one is player or one.id != player.id]


def _step_among_other_ids(table: Table, player: Player, feeder: "Feeder") -> bool:
    """Who is asked does not see players with its own id, though the dealer counts what they offer."""
    if table.hole == 0:
        return False
    state = _state_of(table, player)
    choice = feeding.forced_choice(state)
    if choice is None:
        everybody = table.from_player(player)[1:]
        others = [one for one in everybody if one.id != player.id]
        seen = State(state.bag, state.boards, state.hand, state.hole, [one.boards for one in others])
        choice = feeder.feed_next(seen) or DECLINE
        if isinstance(choice, Attack):
            choice = Attack(choice.board, everybody.index(others[choice.player]), choice.target)
    if isinstance(choice, Decline):
        return False
    feeding.carry_out(table, player, choice)
    return True


MEALS = [
    Chaff(
        "foragers-always-share-two-tokens",
        "a forager that cooperates feeds its neighbour twice even if it ate one token only",
        "3.3",
        STEPS,
        cooperation(_share_as_foragers),
    ),
    Chaff(
        "who-was-fed-does-not-scavenge",
        "a scavenger that cooperation has fed after an attack is not fed once more for that attack",
        "3.6",
        STEPS,
        function(_attack, _attack_and_pass_over_the_fed),
    ),
    Chaff(
        "who-was-fed-by-a-scavenger-does-not-scavenge",
        "a scavenger that another one has fed by cooperation is not fed once more for that attack",
        "3.6",
        STEPS,
        function(_attack, _attack_and_pass_over_those_fed_by_scavengers),
    ),
    Chaff(
        "the-attacker-scavenges-first",
        "an attacker with scavenger is fed before the scavengers to its left",
        "3.6",
        STEPS,
        function(_attack, _attack_with_the_attacker_scavenging_first),
    ),
    Chaff(
        "carnivores-do-not-hand-on",
        "a carnivore that cooperation has fed does not feed its own neighbour by cooperation",
        "3.3",
        STEPS,
        cooperation(_share_but_not_on),
    ),
    Chaff(
        "who-has-the-same-id-is-not-there",
        "other players with the id of the one that feeds are neither attacked nor do they scavenge",
        "1.8",
        STEPS,
        method("from_player", _from_player_by_id),
    ),
    Chaff(
        "who-has-the-same-id-is-not-seen",
        "a player that is asked does not see the boards of others with its own id",
        "1.8",
        STEPS,
        function(_feeding_step, _step_among_other_ids),
    ),
]


# --- new boards (rules 5.4 and 5.5) --------------------------------------------------------------


def _checked_when_bought(player: Player, action: Action4) -> list[Species]:
    for at, cards in enumerate(action.new_boards):
        traits = [player.hand[card][1] for card in cards[1:]]
        if len(set(traits)) < len(traits):
            raise IllegalAction("a new board would have a trait twice", (3, at))
    return _exchanged(player, action)


def _replacements_unchecked(player: Player, action: Action4) -> list[Species]:
    """Equal traits that a replacement has brought to a new board become one, so that nobody objects."""
    boards = _exchanged(player, action)
    for board, cards in zip(boards[len(player.boards) :], action.new_boards, strict=True):
        bought = [player.hand[card][1] for card in cards[1:]]
        if len(set(bought)) == len(bought):
            board.traits[:] = dict.fromkeys(board.traits)
    return boards


def _used_cards_with_trait_payments(player: Player, action: Action4) -> set[int]:
    """As it is, but a card that pays for a new board may be a trait of another one."""
    pays = {cards[0]: at for at, cards in enumerate(action.new_boards) if cards}
    shared = [
        (3, at, slot)
        for at, cards in enumerate(action.new_boards)
        for slot, card in enumerate(cards)
        if slot and pays.get(card, at) != at
    ]
    lean = Action4(action.food_card, action.grow_population, action.grow_body)
    lean.replace_traits = action.replace_traits
    lean.new_boards = [
        [card for slot, card in enumerate(cards) if (3, at, slot) not in shared]
        for at, cards in enumerate(action.new_boards)
    ]
    return _used_cards(player, lean)


def _traits_turned_around(player: Player, action: Action4) -> list[Species]:
    turned = [[cards[0], *reversed(cards[1:])] for cards in action.new_boards]
    return _exchanged(
        player,
        Action4(action.food_card, action.grow_population, action.grow_body, turned, action.replace_traits),
    )


def _grown_without_limit(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    for board in boards[len(player.boards) :]:
        board.population = min(board.population, 7)
        board.body = min(board.body, 7)
    return boards


def _one_blank_board(player: Player, action: Action4) -> list[Species]:
    boards = _exchanged(player, action)
    old = len(player.boards)
    blank = [old + at for at, cards in enumerate(action.new_boards) if len(cards) == 1]
    for name in ("population", "body"):
        start = 1 if name == "population" else 0
        grown = sum(getattr(boards[at], name) - start for at in blank)
        for at in blank:
            setattr(boards[at], name, start + grown)
    return boards


NEW_BOARDS = [
    Chaff(
        "new-boards-are-checked-when-bought",
        "equal traits of a new board are illegal even if one of them is replaced in the same action",
        "5.5",
        XSTEP4,
        exchanging(_checked_when_bought),
    ),
    Chaff(
        "replacements-on-new-boards-are-not-checked",
        "a replacement may give a new board a trait that it has already, and the board then has it once",
        "5.5",
        XSTEP4,
        exchanging(_replacements_unchecked),
    ),
    Chaff(
        "a-payment-may-be-a-trait-of-another-board",
        "a card that pays for a new board may be a trait of another new board as well",
        "5.5",
        XSTEP4,
        function(_used_cards, _used_cards_with_trait_payments),
    ),
    Chaff(
        "traits-of-new-boards-come-in-reverse",
        "the first slot of a new board has the trait of its last card",
        "5.4",
        XSTEP4,
        exchanging(_traits_turned_around),
    ),
    Chaff(
        "new-boards-are-not-checked-for-seven",
        "a new board may be grown beyond 7, and then has 7",
        "5.5",
        XSTEP4,
        exchanging(_grown_without_limit),
    ),
    Chaff(
        "blank-new-boards-grow-together",
        "what one new board without traits grows, all such boards of that action grow",
        "5.4",
        XSTEP4,
        exchanging(_one_blank_board),
    ),
]


# --- numbers (rules 1.7) -------------------------------------------------------------------------


def _as_double(value: object) -> int:
    return int(float(_natural(value)))


def _positive_as_double(value: object) -> int:
    return int(float(_natural_plus(value)))


NUMBERS = [
    Chaff(
        "bags-are-doubles",
        "a bag is kept as a floating-point number, which a large one does not fit",
        "1.7",
        STEPS,
        function(_natural, _as_double),
    ),
    Chaff(
        "ids-are-doubles",
        "an id is kept as a floating-point number, which a large one does not fit",
        "1.8",
        STEPS,
        function(_natural_plus, _positive_as_double),
    ),
]

MISREADINGS = [*ALIKE, *CYCLE, *FAT, *MEALS, *NEW_BOARDS, *NUMBERS]
