"""The usual ways to write a misreading: each decorator turns a small function into a replacement.

What is imported by its name, such as `attack`, is the engine's own reading, which stays as it is while a
misreading is planted; `feeding.attack`, or `table.eat`, is whatever is planted at that moment. A replacement
that uses what it replaces is an `Around`, so that two of them can be planted at once.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple, TypeVar

from evolution import actions, feeding, silly, turn
from evolution import attack as attack_rules
from evolution.actions import Action4, exchanged, execute
from evolution.attack import obstacles
from evolution.cards import Card, card_order
from evolution.choices import Attack, Eat, State, StoreFat
from evolution.feeding import attack, feeding_cycle, feeding_step
from evolution.species import Species, fat_need, hungry, is_carnivore
from evolution.table import Player, Table
from evolution.traits import TRAITS, Trait
from evolution.turn import step4
from evolution.wire.reading import choice_or_state, configuration, is_state, natural, state
from harness.misreadings.planting import Around, adapted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from evolution.feeding import Feeder
    from evolution.traits import Fed

    Step = Callable[[Table, Player, Feeder], bool]
    Eating = list[tuple[Player, Feeder]]  # who is still in a feeding cycle

F = TypeVar("F", bound=Callable[..., object])
Decorator = Callable[[F], F]
Side = Species | None  # a neighbour, if there is one
Target = tuple[int, int]  # a player among the others, and one of its boards
Key = Callable[[Species], Any]  # something that can be compared


def has(board: Side, trait: str) -> bool:
    """Whether the board is there and has the trait."""
    return board is not None and trait in board.traits


def looks(board: Species) -> tuple[object, ...]:
    """All that can be seen of a board."""
    return (board.food, board.body, board.population, board.traits, board.fat_food)


# --- who can attack whom (rules 2) ---------------------------------------------------------------


class Situation(NamedTuple):
    """An attack that is thought of."""

    attacker: Species
    defender: Species
    left: Side
    right: Side


Holds = Callable[[Situation], bool]
Obstacles = Callable[[Situation, list[str]], list[str]]


def _obstructed(change: Obstacles) -> Around:
    def around(obstacles: Callable[..., list[str]]) -> object:
        return lambda *boards: change(Situation(*boards), obstacles(*boards))

    return Around(around)


def obstructed(rule: str) -> "Decorator[Obstacles]":
    """These obstacles stand in the way of an attack, given the right ones."""
    return adapted(rule, obstacles, _obstructed)


def also_blocked(rule: str) -> "Decorator[Holds]":
    """One more thing stands in the way of an attack: where this holds."""

    def adapt(holds: Holds) -> object:
        return _obstructed(lambda on, met: [*met, "misreading"] if holds(on) else met)

    return adapted(rule, obstacles, adapt)


def passing(obstacle: str, holds: Holds) -> object:
    """The obstacle does not count where something holds."""
    return _obstructed(lambda on, met: [one for one in met if one != obstacle] if holds(on) else met)


def not_blocked(rule: str, obstacle: str) -> "Decorator[Holds]":
    """The obstacle does not count where this holds."""
    return adapted(rule, obstacles, partial(passing, obstacle))


def blocked_instead(rule: str, obstacle: str) -> "Decorator[Holds]":
    """The obstacle counts where this holds, and nowhere else."""

    def adapt(holds: Holds) -> object:
        return _obstructed(
            lambda on, met: [*(one for one in met if one != obstacle), *[obstacle] * holds(on)]
        )

    return adapted(rule, obstacles, adapt)


def prevents(rule: str, trait: str) -> "Decorator[Holds]":
    """The defender's trait prevents an attack if this holds; of the neighbours it knows the right one."""

    def adapt(holds: Holds) -> object:
        return Trait(
            prevents_attack=lambda attacker, attacked, owner, left, right: holds(
                Situation(attacker, attacked, None, right)
            )
        )

    return adapted(rule, TRAITS[trait], adapt)


# --- eating (rules 3) ----------------------------------------------------------------------------


def feed_without(trait: str, reason: str) -> Around:
    """A board is fed, but foraging or cooperation does nothing if it is fed for this reason."""

    def around(before: "Callable[[Table, Player, Species, str], Iterator[Fed]]") -> object:
        def feeding(table: Table, player: Player, board: Species, why: str) -> "Iterator[Fed]":
            traits = board.traits
            board.traits = [one for one in traits if one != trait or why != reason]
            try:
                yield from before(table, player, board, why)
            finally:
                board.traits = traits

        return feeding

    return Around(around)


def forages(rule: str) -> "Decorator[Callable[[Table, Player, Species], int]]":
    """A forager that has eaten eats this many more."""

    def adapt(eats: Callable[[Table, Player, Species], int]) -> object:
        return Trait(eats_more=lambda owner, table, player: eats(table, player, owner))

    return adapted(rule, TRAITS["foraging"], adapt)


def sharing(shares: "Callable[[Table, Player, Species, int], Iterable[Fed]]") -> Trait:
    """A cooperation that has these fed when its owner has eaten so many tokens."""
    return Trait(
        food_eaten=lambda eater, tokens, owner, table, player: shares(table, player, owner, tokens),
        own_eating=True,
    )


def cooperates(rule: str) -> "Decorator[Callable[[Table, Player, Species, int], Iterator[Fed]]]":
    """A cooperator that has eaten so many tokens has these fed."""
    return adapted(rule, TRAITS["cooperation"], sharing)


def revealing(reaction: Callable[[Table, Player, Species], None]) -> Trait:
    """A trait that reacts to the revealed food in this way."""
    return Trait(food_revealed=lambda tokens, owner, table, player: reaction(table, player, owner))


def reacts(rule: str, trait: str) -> "Decorator[Callable[[Table, Player, Species], None]]":
    """The trait reacts to the revealed food in this way."""
    return adapted(rule, TRAITS[trait], revealing)


def nobody(board: Species) -> bool:
    """No board at all."""
    return False


class Hunt:
    """An attack that happens: who attacks whom, and the parts that it is made of."""

    def __init__(
        self,
        before: Callable[[Table, Player, Species, Player, Species], None],
        table: Table,
        player: Player,
        attacker: Species,
        owner: Player,
        defender: Species,
    ) -> None:
        self.before = before
        self.table = table
        self.player = player
        self.attacker = attacker
        self.owner = owner
        self.defender = defender

    def hit(self) -> None:
        """The defender loses population."""
        self.table.wound(self.owner, self.defender, "attack")

    def horns(self) -> None:
        """The attacker loses population if the defender has horns."""
        if "horns" in self.defender.traits:
            self.table.wound(self.player, self.attacker, "horns")

    def eat(self) -> None:
        """The attacker is fed."""
        self.table.feed(self.player, self.attacker, "attack")

    def scavenge(
        self, players: "Iterable[Player] | None" = None, but: Callable[[Species], bool] = nobody
    ) -> None:
        """The scavengers of all players from the attacker's on, or of these, are fed, but for some."""
        for player in self.table.from_player(self.player) if players is None else players:
            for board in player.boards:
                if "scavenger" in board.traits and not but(board):
                    self.table.feed(player, board, "scavenger")

    def as_it_is(self) -> None:
        """The whole of it, as if this had not been planted."""
        self.before(self.table, self.player, self.attacker, self.owner, self.defender)


def hunts(rule: str) -> "Decorator[Callable[[Hunt], None]]":
    """An attack goes like this."""
    return adapted(
        rule, attack, lambda hunt: Around(lambda before: lambda *sides: hunt(Hunt(before, *sides)))
    )


def scavenges(rule: str) -> "Decorator[Callable[[Hunt], None]]":
    """An attack goes as it should up to the scavengers, who are fed by this."""

    def adapt(scavenge: Callable[[Hunt], None]) -> object:
        def misread(*sides: Any) -> None:
            hunt = Hunt(attack, *sides)
            hunt.hit()
            hunt.horns()
            if hunt.attacker.population:
                hunt.eat()
                scavenge(hunt)

        return misread

    return adapted(rule, attack, adapt)


# --- a feeding step, and the feeding cycle (rules 4 and 5.11) ------------------------------------


def cycles(rule: str) -> "Decorator[Callable[[Table, Eating, Step], None]]":
    """The feeding cycle is run in this way."""

    def adapt(run: "Callable[[Table, Eating, Step], None]") -> object:
        def misread(table: Table, feeders: "Sequence[Feeder]", step: "Step" = feeding_step) -> None:
            run(table, list(zip(table.players, feeders, strict=True)), step)

        return misread

    return adapted(rule, feeding_cycle, adapt)


# --- exchanges (rules 5.4 and 5.5) ---------------------------------------------------------------


def but(action: Action4, **lists: Any) -> Action4:
    """The action, but for these parts."""
    parts = {name: getattr(action, name) for name in Action4.__slots__}
    return Action4(**{**parts, **lists})


def _with_another_action(other: Callable[[Player, Action4], Action4]) -> Around:
    return Around(lambda carry_out: lambda player, action: carry_out(player, other(player, action)))


def means(rule: str) -> "Decorator[Callable[[Player, Action4], Action4]]":
    """An action means this other one."""
    return adapted(rule, execute, _with_another_action)


def exchanges(rule: str) -> "Decorator[Callable[[Player, Action4], Action4]]":
    """The exchanges of this other action are carried out; all cards of the action itself leave the hand."""
    return adapted(rule, exchanged, _with_another_action)


def changes(rule: str) -> "Decorator[Callable[[list[Species], Player, Action4], None]]":
    """After the exchanges the boards are changed like this, before it is known whether they are legal."""

    def adapt(change: Callable[[list[Species], Player, Action4], None]) -> Around:
        def around(exchanged: Callable[[Player, Action4], list[Species]]) -> object:
            def misread(player: Player, action: Action4) -> list[Species]:
                boards = exchanged(player, action)
                change(boards, player, action)
                return boards

            return misread

        return Around(around)

    return adapted(rule, exchanged, adapt)


def rearranges(rule: str) -> "Decorator[Callable[[Player, int], None]]":
    """After the exchanges a player's things are rearranged, given how many boards it had before."""

    def adapt(arrange: Callable[[Player, int], None]) -> Around:
        def around(execute: Callable[[Player, Action4], int]) -> object:
            def misread(player: Player, action: Action4) -> int:
                old = len(player.boards)
                food = execute(player, action)
                arrange(player, old)
                return food

            return misread

        return Around(around)

    return adapted(rule, execute, adapt)


def leaves(rule: str) -> "Decorator[Callable[[list[Card], Action4, list[Card]], Iterable[Card]]]":
    """This is left of a hand, given the hand before, the action, and what should be left."""

    def adapt(left: Callable[[list[Card], Action4, list[Card]], Iterable[Card]]) -> Around:
        def around(execute: Callable[[Player, Action4], int]) -> object:
            def misread(player: Player, action: Action4) -> int:
                hand = player.hand[:]
                food = execute(player, action)
                player.hand[:] = left(hand, action, player.hand[:])
                return food

            return misread

        return Around(around)

    return adapted(rule, execute, adapt)


# --- step 4 of a turn (rules 5.6) ----------------------------------------------------------------


class Step4:
    """Step 4 of a turn, and the parts that it is made of."""

    def __init__(
        self,
        before: "Callable[[Table, list[Action4], Sequence[Feeder]], None]",
        table: Table,
        actions: list[Action4],
        feeders: "Sequence[Feeder]",
    ) -> None:
        self.before = before
        self.table = table
        self.actions = actions
        self.feeders = feeders

    @property
    def pairs(self) -> list[tuple[Player, Action4]]:
        """All players that act, with their actions."""
        return list(zip(self.table.players, self.actions, strict=False))

    @property
    def others(self) -> list[Player]:
        """The players beside the owner of a State, who do not act; none where everybody does."""
        return self.table.players[len(self.actions) :]

    @property
    def feeding(self) -> "Eating":
        """All players with those who are asked for them."""
        return list(zip(self.table.players, self.feeders, strict=True))

    def exchange(self) -> list[int]:
        """All exchanges are carried out; the values of the food cards."""
        return [actions.execute(player, action) for player, action in self.pairs]

    def turn_over(self, foods: Iterable[int]) -> None:
        """The values of food cards change the hole one after the other; it never goes below 0."""
        for food in foods:
            self.table.hole = max(0, self.table.hole + food)

    def reveal(self, *traits: str) -> None:
        """These traits react to the revealed food, or all that do so."""
        if not traits:
            turn.food_revealed(self.table)
        react(self.table, traits)

    def cycle(self) -> None:
        """The feeding cycle."""
        feeding.feeding_cycle(self.table, self.feeders)

    def as_it_is(self) -> None:
        """The whole of it, as if this had not been planted."""
        self.before(self.table, self.actions, self.feeders)


def react(table: Table, traits: Iterable[str]) -> None:
    """Let these traits react to the revealed food, one after the other."""
    for trait in traits:
        for player in table.players:
            for board in player.boards:
                if trait in board.traits:
                    TRAITS[trait].food_revealed(table.hole, board, table, player)  # type: ignore[misc]


def plays(rule: str) -> "Decorator[Callable[[Step4], None]]":
    """Step 4 goes like this."""
    return adapted(
        rule, step4, lambda play: Around(lambda before: lambda *parts: play(Step4(before, *parts)))
    )


def turns_over(rule: str) -> "Decorator[Callable[[Table, list[int]], Iterable[int]]]":
    """These values of food cards change the hole, given all of them in turn order."""

    def adapt(values: Callable[[Table, list[int]], Iterable[int]]) -> object:
        def misread(*parts: Any) -> None:
            step = Step4(step4, *parts)
            step.turn_over(values(step.table, step.exchange()))
            step.reveal()
            step.cycle()

        return misread

    return adapted(rule, step4, adapt)


# --- the Silly player (rules 7) ------------------------------------------------------------------


def storing(key: Callable[[State, int], Any]) -> object:
    """Of the boards with a fat need the one with the largest key stores, the first among equals."""

    def store_fat(state: State) -> StoreFat | None:
        boards = state.boards
        needy = [at for at, board in enumerate(boards) if fat_need(board) > 0]
        if not needy:
            return None
        at = max(needy, key=lambda at: key(state, at))
        return StoreFat(at, min(fat_need(boards[at]), state.hole))

    return store_fat


def vegetarians(state: State) -> list[int]:
    """The places of the hungry vegetarians."""
    return [at for at, board in enumerate(state.boards) if hungry(board) and not is_carnivore(board)]


def eating(key: Callable[[State, int], Any]) -> object:
    """Of the hungry vegetarians the one with the largest key is fed, the first among equals."""

    def eat(state: State) -> Eat | None:
        found = vegetarians(state)
        return Eat(max(found, key=lambda at: key(state, at))) if found else None

    return eat


def attacking(order: Callable[[State, list[int]], Iterable[int]]) -> object:
    """The hungry carnivores are gone through in this order."""

    def attack(state: State) -> Attack | None:
        for at in order(state, hungry_carnivores(state)):
            target = silly.largest_target(state.boards[at], state.others)
            if target:
                return Attack(at, *target)
        return None

    return attack


def all_targets(attacker: Species, others: list[list[Species]]) -> list[Target]:
    """All boards that the attacker can attack."""
    return [
        (player, at) for player, boards in enumerate(others) for at in attack_rules.targets(attacker, boards)
    ]


def preying(key: Callable[[list[list[Species]], Target], Any]) -> object:
    """Of the possible targets the one with the largest key is attacked, the first among equals."""

    def largest_target(attacker: Species, others: list[list[Species]]) -> Target | None:
        return max(all_targets(attacker, others), key=lambda target: key(others, target), default=None)

    return largest_target


def stores(rule: str) -> "Decorator[Callable[[State, int], Any]]":
    """The Silly player stores fat on the board for which this is the largest."""
    return adapted(rule, silly_store_fat, storing)


def feeds(rule: str) -> "Decorator[Callable[[State, int], Any]]":
    """The Silly player feeds the vegetarian for which this is the largest."""
    return adapted(rule, silly_eat, eating)


def attacks_in_order(rule: str) -> "Decorator[Callable[[State, list[int]], Iterable[int]]]":
    """The Silly player tries its hungry carnivores in this order."""
    return adapted(rule, silly_attack, attacking)


def attacks_board(rule: str) -> "Decorator[Callable[[list[list[Species]], Target], Any]]":
    """The Silly player attacks the target for which this is the largest."""
    return adapted(rule, largest_target, preying)


def used(
    new: int, food: int, pays: int, trait: int, *rest: int, body_first: bool = False, slot: int = 0
) -> Action4:
    """The Silly use of cards in this order, on a new board of this number."""
    population, body = (rest[1:2], rest[:1]) if body_first else (rest[:1], rest[1:2])
    return Action4(
        food,
        grow_population=[(new, card) for card in population],
        grow_body=[(new, card) for card in body],
        new_boards=[[pays, trait]],
        replace_traits=[(new, slot, card) for card in rest[2:3]],
    )


def chooses(rule: str) -> "Decorator[Callable[[int, list[int]], Action4]]":
    """The Silly player makes this of the number of its new board and its cards in card order."""

    def adapt(make: Callable[[int, list[int]], Action4]) -> object:
        def misread(boards: list[Species], hand: list[Card]) -> Action4:
            return make(len(boards), sorted(range(len(hand)), key=lambda at: card_order(hand[at])))

        return misread

    return adapted(rule, choose, adapt)


silly_store_fat, silly_eat, silly_attack = silly.store_fat, silly.eat, silly.attack
hungry_carnivores, largest_target, choose = silly.hungry_carnivores, silly.largest_target, silly.choose


# --- what is read (docs/formats.md) --------------------------------------------------------------


def _then(change: Callable[[Any], None]) -> Around:
    def around(read: Callable[..., object]) -> object:
        def misread(*given: Any) -> object:
            found = read(*given)
            change(found)
            return found

        return misread

    return Around(around)


def reads_configuration(rule: str) -> "Decorator[Callable[[Table], None]]":
    """A Configuration is changed like this when it is read."""
    return adapted(rule, configuration, _then)


def reads_owner(rule: str) -> "Decorator[Callable[[Player, State], None]]":
    """The owner of a State, which is to use its cards, is changed like this when it is read."""

    def adapt(change: Callable[[Player, State], None]) -> object:
        def misread(value: "Any") -> Player:
            player = choice_or_state(value)
            if is_state(value):
                change(player, state(value, natural))
            return player

        return misread

    return adapted(rule, choice_or_state, adapt)


def reads_state(rule: str) -> "Decorator[Callable[[State], None]]":
    """A State is changed like this when it is read."""
    return adapted(rule, state, _then)
