"""Misreadings of eating, attacks, drawn cards and fat (rules 1 and 3)."""

from evolution import feeding, species
from evolution.species import Species, is_carnivore
from evolution.table import CARDS_FOR_EXTINCTION, Player, Table
from evolution.traits import TRAITS, Trait
from harness.chaff.attacks import ignored
from harness.chaff.planting import Chaff, Patch, function, method, trait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

STEPS = ("xstep", "xstep4")

_eat, _feed, _draw, _store_fat, _wound = (
    Table.eat,
    Table.feed,
    Table.draw,
    Table.store_fat,
    Table.wound,
)


# --- feeding a board (rules 3.1) -----------------------------------------------------------------


def _eat_though_full(self: Table, player: Player, board: Species, why: str) -> int:
    if self.hole == 0:
        return 0
    self.hole -= 1
    board.food += 1
    return 1


def _eat_from_an_empty_hole(self: Table, player: Player, board: Species, why: str) -> int:
    if board.food == board.population:
        return 0
    self.hole = max(0, self.hole - 1)
    board.food += 1
    return 1


FEEDING = [
    Chaff(
        "full-boards-eat-on",
        "a board that is fed eats though it has eaten its fill",
        "3.1",
        STEPS,
        method("eat", _eat_though_full),
    ),
    Chaff(
        "an-empty-hole-feeds-on",
        "a board that is fed eats though the hole is empty",
        "3.1",
        STEPS,
        method("eat", _eat_from_an_empty_hole),
    ),
]


# --- foraging (rules 3.2) ------------------------------------------------------------------------


def feeding_where(forages: "Callable[[str], bool]", shares: "Callable[[str], bool]") -> Patch:
    """Foraging and cooperation work only where these hold of the reason for which a board is fed."""

    def feed(self: Table, player: Player, board: Species, why: str) -> None:
        eaten = self.eat(player, board, why)
        if eaten and forages(why) and "foraging" in board.traits:
            eaten += self.eat(player, board, "foraging")
        if eaten and shares(why) and "cooperation" in board.traits:
            TRAITS["cooperation"].food_eaten(self, player, board, eaten)  # type: ignore[misc]

    return method("feed", feed)


def always(why: str) -> bool:
    """Whatever the reason."""
    return True


def foraging(rule: "Callable[[Table, Player, Species], int]") -> Patch:
    """A forager that has eaten eats this many more."""
    return trait("foraging", Trait(eats_more=rule))


def _until_full(at: Table, player: Player, owner: Species) -> int:
    eaten = 0
    while at.eat(player, owner, "foraging"):
        eaten += 1
    return eaten


def _wasting(at: Table, player: Player, owner: Species) -> int:
    eaten = at.eat(player, owner, "foraging")
    if not eaten:
        at.hole = max(0, at.hole - 1)
    return eaten


FORAGING = [
    Chaff("foraging-is-ignored", "foraging adds no token", "3.2", STEPS, ignored("foraging")),
    Chaff(
        "foragers-eat-until-they-are-full",
        "a forager goes on eating until it is full or the hole is empty",
        "3.2",
        STEPS,
        foraging(_until_full),
    ),
    Chaff(
        "foragers-waste-the-second-token",
        "a forager takes two tokens from the hole though it needs one only",
        "3.2",
        STEPS,
        foraging(_wasting),
    ),
    Chaff(
        "carnivores-do-not-forage",
        "foraging does nothing for a carnivore",
        "3.2",
        STEPS,
        foraging(lambda at, player, owner: 0 if is_carnivore(owner) else at.eat(player, owner, "foraging")),
    ),
    Chaff(
        "attackers-do-not-forage",
        "foraging adds no token to what an attacker eats after its attack",
        "3.2",
        STEPS,
        feeding_where(forages=lambda why: why != "attack", shares=always),
    ),
    Chaff(
        "scavengers-do-not-forage",
        "foraging adds no token to what a scavenger eats",
        "3.2",
        STEPS,
        feeding_where(forages=lambda why: why != "scavenger", shares=always),
    ),
    Chaff(
        "fed-neighbours-do-not-forage",
        "foraging adds no token to what cooperation gives",
        "3.3",
        STEPS,
        feeding_where(forages=lambda why: why != "cooperation", shares=always),
    ),
]


# --- cooperation (rules 3.3) ---------------------------------------------------------------------


def cooperation(rule: "Callable[[Table, Player, Species, int], None]") -> Patch:
    """A cooperator that has eaten so many tokens does this."""
    return trait("cooperation", Trait(food_eaten=rule))


def _share(at: Table, player: Player, boards: "Iterable[Species]", tokens: int) -> None:
    """Feed all these boards once for each token."""
    for board in boards:
        for _ in range(tokens):
            at.feed(player, board, "cooperation")


def _right_of(player: Player, owner: Species) -> list[Species]:
    """All boards to the right of one."""
    return player.boards[player.boards.index(owner) + 1 :]


def _left_of(player: Player, owner: Species) -> list[Species]:
    """The board directly to the left of one, if there is one."""
    at = player.boards.index(owner)
    return player.boards[max(0, at - 1) : at]


def _share_across_the_table(at: Table, player: Player, owner: Species, tokens: int) -> None:
    right = _right_of(player, owner)[:1]
    if right:
        _share(at, player, right, tokens)
    else:
        neighbour = (at.from_player(player) * 2)[1]
        _share(at, neighbour, [board for board in neighbour.boards[:1] if board is not owner], tokens)


def _share_own_food(at: Table, player: Player, owner: Species, tokens: int) -> None:
    for right in _right_of(player, owner)[:1]:
        for _ in range(tokens):
            if right.food < right.population and owner.food:
                owner.food -= 1
                right.food += 1


def _feed_sharing_each_token(self: Table, player: Player, board: Species, why: str) -> None:
    """The neighbour is fed after the first token already, before the forager's second one."""
    shares = TRAITS["cooperation"].food_eaten if "cooperation" in board.traits else None
    if self.eat(player, board, why):
        if shares:
            shares(self, player, board, 1)
        if "foraging" in board.traits and self.eat(player, board, "foraging") and shares:
            shares(self, player, board, 1)


def _feed_sharing_nothing_too(self: Table, player: Player, board: Species, why: str) -> None:
    """A cooperator that could not eat feeds its neighbour all the same."""
    full = self.hole > 0 and board.food == board.population
    _feed(self, player, board, why)
    if full and "cooperation" in board.traits:
        _share(self, player, _right_of(player, board)[:1], 1)


def _feed_sharing_in_rounds(self: Table, player: Player, board: Species, why: str) -> None:
    """A board that is fed twice shares only when it has had both shares."""
    eaten = self.eat(player, board, why)
    if eaten and "foraging" in board.traits:
        eaten += self.eat(player, board, "foraging")
    for right in _right_of(player, board):
        if not eaten or "cooperation" not in board.traits:
            return
        shares, eaten = eaten, 0
        for _ in range(shares):
            share = self.eat(player, right, "cooperation")
            eaten += share
            if share and "foraging" in right.traits:
                eaten += self.eat(player, right, "foraging")
        board = right


def free(reason: str) -> Patch:
    """What is eaten for this reason does not come from the hole."""

    def eat(self: Table, player: Player, board: Species, why: str) -> int:
        hole = self.hole
        eaten = _eat(self, player, board, why)
        if why == reason:
            self.hole = hole
        return eaten

    return method("eat", eat)


COOPERATION = [
    Chaff("cooperation-is-ignored", "cooperation feeds nobody", "3.3", STEPS, ignored("cooperation")),
    Chaff(
        "cooperation-passes-on-once",
        "a forager that eats two tokens feeds its neighbour only once",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(at, player, _right_of(player, owner)[:1], min(1, tokens))
        ),
    ),
    Chaff(
        "cooperation-feeds-to-the-left",
        "cooperation feeds the left neighbour instead of the right one",
        "3.3",
        STEPS,
        cooperation(lambda at, player, owner, tokens: _share(at, player, _left_of(player, owner), tokens)),
    ),
    Chaff(
        "cooperation-feeds-both-sides",
        "cooperation feeds the right and then the left neighbour",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(
                at, player, [*_right_of(player, owner)[:1], *_left_of(player, owner)], tokens
            )
        ),
    ),
    Chaff(
        "cooperation-feeds-the-whole-row",
        "cooperation feeds all boards to the right",
        "3.3",
        STEPS,
        cooperation(lambda at, player, owner, tokens: _share(at, player, _right_of(player, owner), tokens)),
    ),
    Chaff(
        "cooperation-skips-full-neighbours",
        "cooperation feeds the next board to the right that is hungry",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(
                at, player, [board for board in _right_of(player, owner) if species.hungry(board)][:1], tokens
            )
        ),
    ),
    Chaff(
        "cooperation-wraps-around",
        "a cooperator at the right end feeds the first board of its row",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(
                at,
                player,
                (_right_of(player, owner) or [one for one in player.boards if one is not owner])[:1],
                tokens,
            )
        ),
    ),
    Chaff(
        "cooperation-crosses-the-table",
        "a cooperator at the right end feeds the first board of the next player",
        "3.3",
        STEPS,
        cooperation(_share_across_the_table),
    ),
    Chaff(
        "cooperation-is-not-handed-on",
        "a board that is fed by cooperation does not cooperate itself",
        "3.3",
        STEPS,
        feeding_where(forages=always, shares=lambda why: why != "cooperation"),
    ),
    Chaff(
        "cooperation-comes-before-foraging",
        "a forager feeds its neighbour after its first token, before it eats the second one",
        "3.3",
        STEPS,
        method("feed", _feed_sharing_each_token),
    ),
    Chaff(
        "cooperation-gives-own-food",
        "the neighbour's token comes from the cooperator's own food, not from the hole",
        "3.3",
        STEPS,
        cooperation(_share_own_food),
    ),
    Chaff(
        "cooperation-is-free",
        "the neighbour's token comes from a supply of its own, not from the hole",
        "3.3",
        STEPS,
        free("cooperation"),
    ),
    Chaff(
        "cooperation-shares-in-rounds",
        "a neighbour that is fed twice shares with the next board only after its second feeding",
        "3.3",
        STEPS,
        method("feed", _feed_sharing_in_rounds),
    ),
    Chaff(
        "cooperation-feeds-vegetarians-only",
        "cooperation does not feed a carnivore",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(
                at, player, [one for one in _right_of(player, owner)[:1] if not is_carnivore(one)], tokens
            )
        ),
    ),
    Chaff(
        "carnivores-do-not-cooperate",
        "a carnivore with cooperation shares nothing",
        "3.3",
        STEPS,
        cooperation(
            lambda at, player, owner, tokens: _share(
                at, player, [] if is_carnivore(owner) else _right_of(player, owner)[:1], tokens
            )
        ),
    ),
    Chaff(
        "scavengers-do-not-cooperate",
        "a scavenger with cooperation shares nothing of what it scavenges",
        "3.3",
        STEPS,
        feeding_where(forages=always, shares=lambda why: why != "scavenger"),
    ),
    Chaff(
        "cooperation-passes-on-what-was-not-eaten",
        "a full board with cooperation that is fed hands the token on",
        "3.3",
        STEPS,
        method("feed", _feed_sharing_nothing_too),
    ),
]


# --- attacks (rules 3.4) -------------------------------------------------------------------------


def _wound_keeping_food(self: Table, player: Player, board: Species, why: str) -> None:
    food = board.food
    _wound(self, player, board, why)
    board.food = food


def _wound_taking_food(self: Table, player: Player, board: Species, why: str) -> None:
    board.food = max(0, board.food - 1)
    _wound(self, player, board, why)


def _wound_leaving_the_dead(self: Table, player: Player, board: Species, why: str) -> None:
    """An extinct board stays where it is, with population 0."""
    if board.population:
        board.population -= 1
        board.food = min(board.food, board.population)
        if board.population == 0:
            self.draw(player, CARDS_FOR_EXTINCTION)


def attacking(scavenge: "Callable[[Table, Player, Species, Player, Species], None]") -> Patch:
    """An attack as it is, up to the scavengers: they are fed by this."""

    def attack(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
        at.wound(owner, defender, "attack")
        if "horns" in defender.traits:
            at.wound(player, attacker, "horns")
        if attacker.population:
            at.feed(player, attacker, "attack")
            scavenge(at, player, attacker, owner, defender)

    return function(feeding.attack, attack)


def feed_scavengers(at: Table, players: "Iterable[Player]", left_out: "Callable[[Species], bool]") -> None:
    """Feed the scavengers of these players, in this order, but for some."""
    for player in players:
        for board in player.boards:
            if "scavenger" in board.traits and not left_out(board):
                at.feed(player, board, "scavenger")


def nobody(board: Species) -> bool:
    """Leave out nobody."""
    return False


def _scavengers_first(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        feed_scavengers(at, at.from_player(player), nobody)
        at.feed(player, attacker, "attack")


def _wound_taking_fat(self: Table, player: Player, board: Species, why: str) -> None:
    _wound(self, player, board, why)
    board.fat_food = max(0, board.fat_food - 1)


def _fed_by_the_dead(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        if defender.population == 0:
            at.feed(player, attacker, "attack")
        feed_scavengers(at, at.from_player(player), nobody)


def _fed_by_the_body(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        for _ in range(max(1, defender.body)):
            at.feed(player, attacker, "attack")
        feed_scavengers(at, at.from_player(player), nobody)


ATTACK = [
    Chaff(
        "food-stays-when-the-population-falls",
        "a board that loses population keeps food that no longer fits",
        "3.4",
        STEPS,
        method("wound", _wound_keeping_food),
    ),
    Chaff(
        "an-attack-takes-food-too",
        "a board that loses population always loses a token of food with it",
        "3.4",
        STEPS,
        method("wound", _wound_taking_food),
    ),
    Chaff(
        "the-token-comes-from-the-victim",
        "the attacker's token is its prey, and the hole loses nothing",
        "3.4",
        STEPS,
        free("attack"),
    ),
    Chaff(
        "extinct-boards-stay",
        "an extinct board stays on the table with population 0",
        "3.4",
        STEPS,
        method("wound", _wound_leaving_the_dead),
    ),
    Chaff(
        "an-attack-takes-fat-too",
        "a board that loses population loses a token of stored fat with it",
        "3.4",
        STEPS,
        method("wound", _wound_taking_fat),
    ),
    Chaff(
        "an-attacker-eats-the-dead-only",
        "the attacker is fed only if its prey died",
        "3.4",
        STEPS,
        function(feeding.attack, _fed_by_the_dead),
    ),
    Chaff(
        "an-attacker-eats-by-the-body-of-its-prey",
        "the attacker is fed once for each body size of its prey",
        "3.4",
        STEPS,
        function(feeding.attack, _fed_by_the_body),
    ),
    Chaff(
        "scavengers-eat-before-the-attacker",
        "the scavengers are fed before the attacker",
        "3.4",
        STEPS,
        function(feeding.attack, _scavengers_first),
    ),
]


# --- horns (rules 3.5) ---------------------------------------------------------------------------


def _horns_after_the_meal(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    at.wound(owner, defender, "attack")
    at.feed(player, attacker, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        feed_scavengers(at, at.from_player(player), nobody)


def _horns_of(survivors: bool) -> Patch:
    """Only the horns of those who survive, or only those of those who die, count."""

    def attack(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
        at.wound(owner, defender, "attack")
        if "horns" in defender.traits and (defender.population > 0) == survivors:
            at.wound(player, attacker, "horns")
        if attacker.population:
            at.feed(player, attacker, "attack")
            feed_scavengers(at, at.from_player(player), nobody)

    return function(feeding.attack, attack)


def _horns_spoil_the_meal(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    else:
        at.feed(player, attacker, "attack")
    if attacker.population:
        feed_scavengers(at, at.from_player(player), nobody)


def _scavenging_anyway(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        at.feed(player, attacker, "attack")
    feed_scavengers(at, at.from_player(player), nobody)


def _last_meal(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    _attack(at, player, attacker, owner, defender)
    if attacker.population == 0:
        at.hole = max(0, at.hole - 1)


def _scavenging_after_a_meal(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.food < attacker.population and at.hole:
        at.feed(player, attacker, "attack")
        feed_scavengers(at, at.from_player(player), nobody)


def _wound_without_cards_for_horns(self: Table, player: Player, board: Species, why: str) -> None:
    if why == "horns" and board.population == 1:
        board.population = board.food = 0
        player.boards.remove(board)
    else:
        _wound(self, player, board, why)


def _attackers_loss_first(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    at.wound(owner, defender, "attack")
    if attacker.population:
        at.feed(player, attacker, "attack")
        feed_scavengers(at, at.from_player(player), nobody)


_attack = feeding.attack

HORNS = [
    Chaff("horns-are-ignored", "horns cost the attacker nothing", "3.5", STEPS, ignored("horns")),
    Chaff(
        "horns-strike-after-the-meal",
        "the attacker eats before the horns cost it population",
        "3.5",
        STEPS,
        function(_attack, _horns_after_the_meal),
    ),
    Chaff(
        "horns-of-the-dying-are-harmless",
        "horns count only if the attacked board survives",
        "3.5",
        STEPS,
        _horns_of(survivors=True),
    ),
    Chaff(
        "horns-of-survivors-are-harmless",
        "horns count only if the attacked board dies",
        "3.5",
        STEPS,
        _horns_of(survivors=False),
    ),
    Chaff(
        "horns-spoil-the-meal",
        "an attacker that survives horns eats nothing",
        "3.5",
        STEPS,
        function(_attack, _horns_spoil_the_meal),
    ),
    Chaff(
        "scavengers-eat-though-the-attacker-died",
        "scavengers eat though the attacker died",
        "3.5",
        STEPS,
        function(_attack, _scavenging_anyway),
    ),
    Chaff(
        "a-dead-attacker-takes-its-token",
        "an attacker that dies of horns takes its token from the hole all the same",
        "3.5",
        STEPS,
        function(_attack, _last_meal),
    ),
    Chaff(
        "no-scavenging-without-a-meal",
        "scavengers are not fed if the attacker, wounded by horns, could not eat",
        "3.5",
        STEPS,
        function(_attack, _scavenging_after_a_meal),
    ),
    Chaff(
        "dead-attackers-draw-nothing",
        "the owner of an attacker that dies of horns draws no cards",
        "3.5",
        STEPS,
        method("wound", _wound_without_cards_for_horns),
    ),
    Chaff(
        "the-attackers-owner-draws-first",
        "if both boards die, the attacker's owner draws its cards first",
        "3.5",
        STEPS,
        function(_attack, _attackers_loss_first),
    ),
]


# --- scavengers (rules 3.6) ----------------------------------------------------------------------


def scavenger(eats: "Callable[[Species], bool]") -> Patch:
    """Only scavengers of which this holds are fed."""

    def saw_attack(at: Table, player: Player, owner: Species) -> None:
        if eats(owner):
            at.feed(player, owner, "scavenger")

    return trait("scavenger", Trait(saw_attack=saw_attack))


def _right_to_left(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    for witness in at.from_player(player):
        for board in reversed(witness.boards):
            if "scavenger" in board.traits:
                at.feed(witness, board, "scavenger")


def _first_scavengers(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    for witness in at.from_player(player):
        first = [board for board in witness.boards if "scavenger" in board.traits][:1]
        feed_scavengers(at, [witness], lambda board: board not in first)  # noqa: B023 (used at once)


def _if_it_died(at: Table, player: Player, attacker: Species, owner: Player, defender: Species) -> None:
    if defender.population == 0:
        feed_scavengers(at, at.from_player(player), nobody)


SCAVENGER = [
    Chaff("scavengers-are-ignored", "scavengers are never fed", "3.6", STEPS, ignored("scavenger")),
    Chaff(
        "the-attacker-does-not-scavenge",
        "an attacker with scavenger is not fed a second time",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, at.from_player(player), lambda board: board is attacker
            )
        ),
    ),
    Chaff(
        "the-victim-does-not-scavenge",
        "an attacked board with scavenger that survives is not fed",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, at.from_player(player), lambda board: board is defender
            )
        ),
    ),
    Chaff(
        "only-others-scavenge",
        "the scavengers of the attacker's own player are not fed",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, at.from_player(player)[1:], nobody
            )
        ),
    ),
    Chaff(
        "only-own-boards-scavenge",
        "the scavengers of other players are not fed",
        "3.6",
        STEPS,
        attacking(lambda at, player, attacker, owner, defender: feed_scavengers(at, [player], nobody)),
    ),
    Chaff(
        "scavenging-starts-with-the-first-player",
        "scavengers are fed from the first player of the table on, not from the attacker's",
        "3.6",
        ("xstep4",),
        attacking(lambda at, player, attacker, owner, defender: feed_scavengers(at, at.players, nobody)),
    ),
    Chaff(
        "scavenging-starts-after-the-attacker",
        "scavengers are fed from the player after the attacker's on, whose own come last",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, [*at.from_player(player)[1:], player], nobody
            )
        ),
    ),
    Chaff(
        "scavenging-starts-with-the-victim",
        "scavengers are fed from the attacked player on",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(at, at.from_player(owner), nobody)
        ),
    ),
    Chaff(
        "scavenging-goes-against-turn-order",
        "scavengers are fed player by player against turn order",
        "3.6",
        STEPS,
        attacking(
            lambda at, player, attacker, owner, defender: feed_scavengers(
                at, [player, *reversed(at.from_player(player)[1:])], nobody
            )
        ),
    ),
    Chaff(
        "scavenging-goes-right-to-left",
        "the scavengers of a player are fed from right to left",
        "3.6",
        STEPS,
        attacking(_right_to_left),
    ),
    Chaff(
        "scavengers-eat-for-free",
        "what scavengers eat does not come from the hole",
        "3.6",
        STEPS,
        free("scavenger"),
    ),
    Chaff(
        "one-scavenger-a-player",
        "only the first scavenger of each player is fed",
        "3.6",
        STEPS,
        attacking(_first_scavengers),
    ),
    Chaff(
        "scavengers-wait-for-a-death",
        "scavengers are fed only if the attacked board died",
        "3.6",
        STEPS,
        attacking(_if_it_died),
    ),
    Chaff(
        "carnivores-scavenge-only",
        "only carnivores scavenge",
        "3.6",
        STEPS,
        scavenger(is_carnivore),
    ),
    Chaff(
        "vegetarians-scavenge-only",
        "carnivores do not scavenge",
        "3.6",
        STEPS,
        scavenger(lambda owner: not is_carnivore(owner)),
    ),
]


# --- cards (rules 3.7 and 1.8) -------------------------------------------------------------------


def _draw_to_the_end(self: Table, player: Player, count: int) -> None:
    player.hand += self.deck[:count]
    del self.deck[:count]


def _draw_one_by_one(self: Table, player: Player, count: int) -> None:
    for _ in range(count):
        player.hand[:0] = self.deck[:1]
        del self.deck[:1]


def _draw_from_the_end(self: Table, player: Player, count: int) -> None:
    player.hand[:0] = self.deck[-count:]
    del self.deck[-count:]


def _draw_if_there_are_enough(self: Table, player: Player, count: int) -> None:
    if len(self.deck) >= count:
        _draw(self, player, count)


def _draw_for_the_last_board(self: Table, player: Player, count: int) -> None:
    if not player.boards:
        _draw(self, player, count)


def _draw_by_id(self: Table, player: Player, count: int) -> None:
    _draw(self, next(one for one in self.players if one.id == player.id), count)


def _cards_for_the_hunter(
    at: Table, player: Player, attacker: Species, owner: Player, defender: Species
) -> None:
    """As in `evolution.feeding`, but the attacker's owner draws for the attacked board."""
    if defender.population == 1:
        owner.boards.remove(defender)
        defender.population = defender.food = 0
        at.draw(player, CARDS_FOR_EXTINCTION)
    else:
        at.wound(owner, defender, "attack")
    if "horns" in defender.traits:
        at.wound(player, attacker, "horns")
    if attacker.population:
        at.feed(player, attacker, "attack")
        feed_scavengers(at, at.from_player(player), nobody)


def _wound_bringing_a_card_a_trait(self: Table, player: Player, board: Species, why: str) -> None:
    board.population -= 1
    board.food = min(board.food, board.population)
    if board.population == 0:
        player.boards.remove(board)
        self.draw(player, len(board.traits))


CARDS = [
    Chaff(
        "drawn-cards-go-to-the-end",
        "drawn cards go to the end of the hand",
        "3.7",
        STEPS,
        method("draw", _draw_to_the_end),
    ),
    Chaff(
        "drawn-cards-come-one-by-one",
        "each drawn card is put in front of the one before, which turns their order around",
        "3.7",
        STEPS,
        method("draw", _draw_one_by_one),
    ),
    Chaff(
        "cards-come-from-the-end-of-the-deck",
        "cards are drawn from the end of the deck",
        "3.7",
        STEPS,
        method("draw", _draw_from_the_end),
    ),
    Chaff(
        "an-extinct-board-brings-one-card",
        "one card is drawn for an extinct board",
        "3.4",
        STEPS,
        method("draw", lambda self, player, count: _draw(self, player, 1)),
    ),
    Chaff(
        "an-extinct-board-brings-three-cards",
        "three cards are drawn for an extinct board",
        "3.4",
        STEPS,
        method("draw", lambda self, player, count: _draw(self, player, 3)),
    ),
    Chaff(
        "an-extinct-board-brings-no-cards",
        "no cards are drawn for an extinct board",
        "3.4",
        STEPS,
        method("draw", lambda self, player, count: None),
    ),
    Chaff(
        "an-extinct-board-brings-a-card-a-trait",
        "one card is drawn for each trait of an extinct board",
        "3.4",
        STEPS,
        method("wound", _wound_bringing_a_card_a_trait),
    ),
    Chaff(
        "a-short-deck-brings-no-cards",
        "no card is drawn if the deck has fewer than two",
        "3.7",
        STEPS,
        method("draw", _draw_if_there_are_enough),
    ),
    Chaff(
        "only-the-last-board-brings-cards",
        "cards are drawn only when a player has lost its last board",
        "3.4",
        STEPS,
        method("draw", _draw_for_the_last_board),
    ),
    Chaff(
        "the-hunter-draws-the-cards",
        "the cards for an extinct prey go to the attacker's owner",
        "3.4",
        STEPS,
        function(_attack, _cards_for_the_hunter),
    ),
    Chaff(
        "players-are-found-by-id",
        "drawn cards go to the first player that has the same id",
        "1.8",
        STEPS,
        method("draw", _draw_by_id),
    ),
]


# --- fat (rules 1.4 and 3.8) ---------------------------------------------------------------------


def fat_need(need: "Callable[[Species], int]") -> Patch:
    """A board with fat-tissue needs this much."""
    return function(species.fat_need, lambda board: need(board) if "fat-tissue" in board.traits else 0)


def _store_and_share(self: Table, player: Player, board: Species, tokens: int) -> None:
    before = board.fat_food
    _store_fat(self, player, board, tokens)
    if "cooperation" in board.traits:
        _share(self, player, _right_of(player, board)[:1], board.fat_food - before)


def _store_out_of_nothing(self: Table, player: Player, board: Species, tokens: int) -> None:
    self.hole = max(0, self.hole - tokens)
    board.fat_food += tokens


FED = ("xfeed", *STEPS)

FAT = [
    Chaff(
        "fat-is-limited-by-the-population",
        "a board can store as much fat as it has population",
        "1.4",
        FED,
        fat_need(lambda board: max(0, board.population - board.fat_food)),
    ),
    Chaff(
        "fat-need-ignores-the-store",
        "the fat need is the whole body, however much fat there is already",
        "1.4",
        FED,
        fat_need(lambda board: board.body),
    ),
    Chaff(
        "fat-is-stored-when-full-only",
        "only a board that has eaten its fill stores fat",
        "3.8",
        FED,
        fat_need(lambda board: 0 if species.hungry(board) else board.body - board.fat_food),
    ),
    Chaff(
        "fat-is-stored-when-hungry-only",
        "a board that has eaten its fill stores no fat",
        "3.8",
        FED,
        fat_need(lambda board: board.body - board.fat_food if species.hungry(board) else 0),
    ),
    Chaff(
        "carnivores-store-no-fat",
        "a carnivore stores no fat",
        "4.1",
        FED,
        fat_need(lambda board: 0 if is_carnivore(board) else board.body - board.fat_food),
    ),
    Chaff(
        "fat-is-stored-token-by-token",
        "a feeding step stores one token of fat at a time",
        "3.8",
        STEPS,
        method("store_fat", lambda self, player, board, tokens: _store_fat(self, player, board, 1)),
    ),
    Chaff(
        "storing-fat-cooperates",
        "a board with cooperation that stores fat feeds its neighbour once for each token",
        "3.8",
        STEPS,
        method("store_fat", _store_and_share),
    ),
    Chaff(
        "fat-is-stored-out-of-nothing",
        "the dealer fills a fat need completely though the hole has less",
        "3.8",
        STEPS,
        method("store_fat", _store_out_of_nothing),
    ),
]

MISREADINGS = [
    *FEEDING,
    *FORAGING,
    *COOPERATION,
    *ATTACK,
    *HORNS,
    *SCAVENGER,
    *CARDS,
    *FAT,
]
