"""The trait table: every trait of the game, and what each one reacts to.

A trait is one entry of `TRAITS`. The entry says when the trait acts, which is its kind: it prevents
attacks, reacts to an attack, to the food being revealed, or to eating; an entry without any of these
changes nothing by itself and is only asked for by name. The rule of each trait is one function
here. The engine never names these traits elsewhere: it walks the table, in the table's order.
Traits of your own are entries that `evolution.load_traits` reads from a file (docs/traits.md).
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, ClassVar

    from evolution.species import Species
    from evolution.table import Player, Table

    Fed = tuple[Player, Species, str]  # whose board is to be fed, and why
    Side = Species | None  # a neighbour, if there is one
    Prevents = Callable[[Species, Species, Species, Side, Side], bool]
    Attacked = Callable[[Species, Species, Species, Table, Player], object]
    Revealed = Callable[[int, Species, Table, Player], object]
    EatsMore = Callable[[Species, Table, Player], int]
    Eaten = Callable[[Species, int, Species, Table, Player], Iterable[Fed] | None]

MOST = 7  # population and body of a board never exceed this

# The hooks of each kind of trait. A trait without a hook is of the last kind.
KINDS: dict[str, tuple[str, ...]] = {
    "prevents attack": ("prevents_attack", "protects_neighbour"),
    "was attacked": ("was_attacked", "saw_attack"),
    "food revealed": ("food_revealed",),
    "food eaten": ("eats_more", "food_eaten"),
    "no reaction": (),
}
_KIND_OF = {hook: kind for kind, hooks in KINDS.items() for hook in hooks}


class Trait:
    """One row of the table: a trait, by what it reacts to. The owner is the board that has the trait.

    kind: "prevents attack", "was attacked", "food revealed", "food eaten" or "no reaction", as its hooks
        say. A trait has hooks of one kind only.

    The hooks, each a function or None; `player` is the one whose board the owner is:

    prevents_attack(attacker, attacked, owner, left, right): whether the attack on the owner is impossible;
        left and right lie beside the attacked, None where nothing does.
    protects_neighbour(attacker, attacked, owner, left, right): the same, for an attack on a board that the
        owner lies beside.
    was_attacked(attacker, attacked, owner, table, player): the owner has been hit.
    saw_attack(attacker, attacked, owner, table, player): some attacker has just been fed, perhaps the owner.
    food_revealed(tokens, owner, table, player): the food cards have been turned over, and the hole has so
        many tokens.
    eats_more(owner, table, player): the owner has just eaten a token; says how many more it ate.
    food_eaten(eater, tokens, owner, table, player): a board, perhaps the owner, has eaten so many tokens in
        a feeding; says who is to be fed because of it, each before the next one is asked for.

    own_eating: food_eaten is told only of what the owner itself eats.
    most_food: the food values of its cards go from -most_food to most_food.
    """

    __slots__ = (
        "eats_more",
        "food_eaten",
        "food_revealed",
        "kind",
        "most_food",
        "own_eating",
        "prevents_attack",
        "protects_neighbour",
        "saw_attack",
        "was_attacked",
    )

    # Whether there has been a trait that hears of what others eat: as long as there is none, nobody looks
    # for its owners.
    any_hears_others: "ClassVar[bool]" = False

    def __init__(
        self,
        *,
        prevents_attack: "Prevents | None" = None,
        protects_neighbour: "Prevents | None" = None,
        was_attacked: "Attacked | None" = None,
        saw_attack: "Attacked | None" = None,
        food_revealed: "Revealed | None" = None,
        eats_more: "EatsMore | None" = None,
        food_eaten: "Eaten | None" = None,
        own_eating: bool = False,
        most_food: int = 3,
    ) -> None:
        self.prevents_attack = prevents_attack
        self.protects_neighbour = protects_neighbour
        self.was_attacked = was_attacked
        self.saw_attack = saw_attack
        self.food_revealed = food_revealed
        self.eats_more = eats_more
        self.food_eaten = food_eaten
        self.own_eating = own_eating
        self.most_food = most_food
        kinds = [kind for hook, kind in _KIND_OF.items() if getattr(self, hook) is not None]
        if len(set(kinds)) > 1:
            raise ValueError(f"a trait is of one kind, not both {kinds[0]} and {kinds[-1]}")
        self.kind = kinds[0] if kinds else "no reaction"
        if food_eaten is not None and not own_eating:
            Trait.any_hears_others = True

    def hooks(self) -> "dict[str, Callable[..., Any]]":
        """The hooks that the trait has, by their names."""
        return {hook: function for hook in _KIND_OF if (function := getattr(self, hook)) is not None}

    def __repr__(self) -> str:
        hooks = [f"{hook}={getattr(it, '__name__', it)}" for hook, it in self.hooks().items()]
        return f"<{', '.join([f'trait: {self.kind}', *hooks])}>"


class TraitError(Exception):
    """A trait of somebody's own that is wrong, or has failed; str() says where and why."""


# --- traits that prevent attacks (rules 2) ---------------------------------------------------


def warning_call(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """A neighbour's warning-call protects, unless the attacker comes from an ambush."""
    return "ambush" not in attacker.traits


def burrowing(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """A board that has eaten its fill is under the ground."""
    return owner.food == owner.population


def climbing(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """Only climbers reach a climber."""
    return "climbing" not in attacker.traits


def attack_body(attacker: "Species") -> int:
    """The attacker's body as a hard shell feels it: a pack counts by its heads too."""
    pack = attacker.population if "pack-hunting" in attacker.traits else 0
    return attacker.body + pack


SHELL_LIMIT = 4  # by how much an attacker's body must be larger to break a shell


def hard_shell(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """A shell holds unless the attacker's body is larger by the limit, or more."""
    return attack_body(attacker) - owner.body < SHELL_LIMIT


def herding(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """A herd holds unless the attackers are more."""
    return attacker.population <= owner.population


def symbiosis(
    attacker: "Species",
    attacked: "Species",
    owner: "Species",
    left: "Species | None",
    right: "Species | None",
) -> bool:
    """A larger friend on the right protects."""
    return right is not None and right.body > owner.body


# --- traits that react to an attack (rules 3.5 and 3.6) ----------------------------------------------


def horns(
    attacker: "Species", attacked: "Species", owner: "Species", table: "Table", player: "Player"
) -> None:
    """The attacker loses one population, and its life if that was the last."""
    table.wound(table.player_of(attacker), attacker, "horns")


def scavenger(
    attacker: "Species", attacked: "Species", owner: "Species", table: "Table", player: "Player"
) -> None:
    """Whoever scavenges is fed after every attack that fed its attacker."""
    table.feed(player, owner, "scavenger")


# --- traits that react to the revealed food (rules 5.8 to 5.10), in the order in which they act ------


def fertile(tokens: int, owner: "Species", table: "Table", player: "Player") -> None:
    """The population grows by one, up to 7, whatever the hole holds."""
    table.grow(player, owner)


def long_neck(tokens: int, owner: "Species", table: "Table", player: "Player") -> None:
    """The board is fed before all others."""
    table.feed(player, owner, "long-neck")


def fat_tissue(tokens: int, owner: "Species", table: "Table", player: "Player") -> None:
    """Stored fat becomes food as far as the board is hungry."""
    table.use_fat(player, owner)


# --- traits that react to eating (rules 3.2 and 3.3) -------------------------------------------------


def foraging(owner: "Species", table: "Table", player: "Player") -> int:
    """A forager that ate eats a second token if it still can."""
    return table.eat(player, owner, "foraging")


def cooperation(
    eater: "Species", tokens: int, owner: "Species", table: "Table", player: "Player"
) -> "Iterator[Fed]":
    """The right neighbour is fed once for every token eaten."""
    right = player.right_of(owner)
    if right is not None:
        for _ in range(tokens):
            yield player, right, "cooperation"


TRAITS: dict[str, Trait] = {
    # prevents an attack
    "warning-call": Trait(protects_neighbour=warning_call),
    "burrowing": Trait(prevents_attack=burrowing),
    "climbing": Trait(prevents_attack=climbing),
    "hard-shell": Trait(prevents_attack=hard_shell),
    "herding": Trait(prevents_attack=herding),
    "symbiosis": Trait(prevents_attack=symbiosis),
    # was attacked
    "horns": Trait(was_attacked=horns),
    "scavenger": Trait(saw_attack=scavenger),
    # food revealed
    "fertile": Trait(food_revealed=fertile),
    "long-neck": Trait(food_revealed=long_neck),
    "fat-tissue": Trait(food_revealed=fat_tissue),
    # food eaten
    "foraging": Trait(eats_more=foraging),
    "cooperation": Trait(food_eaten=cooperation, own_eating=True),
    # no reaction
    "carnivore": Trait(most_food=8),
    "ambush": Trait(),
    "pack-hunting": Trait(),
}
