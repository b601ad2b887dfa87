"""The trait table: every trait of the game, and what each one reacts to.

A trait is one entry of `TRAITS`. The entry says when the trait acts: it prevents attacks,
reacts to an attack, to the food being revealed, or to eating; an entry without any of these
changes nothing by itself and is only asked for by name. The rule of each trait is one function
here. The engine never names these traits elsewhere: it walks the table, in the table's order.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from evolution.species import Species
    from evolution.table import Player, Table

    Fed = tuple[Player, Species, str]  # whose board is to be fed, and why

MOST = 7  # population and body of a board never exceed this


class Trait:
    """One row of the table. The owner of the trait is the board that has it.

    prevents_attack(attacker, defender, right): the owner is the defender, `right` its neighbour.
    protects_neighbour(attacker): the owner lies beside the defender.
    was_attacked(table, player, attacker): the owner was hit by this player's attacker.
    saw_attack(table, player, owner): some attacker has just been fed.
    food_revealed(table, player, owner): the food cards have been turned over.
    eats_more(table, player, owner): the owner has just eaten a token; says how many more it ate.
    food_eaten(table, player, owner, tokens): the owner has eaten this many tokens in a feeding; says who
        is to be fed because of it, each before the next one is asked for.
    most_food: the food values of its cards go from -most_food to most_food.
    """

    __slots__ = (
        "eats_more",
        "food_eaten",
        "food_revealed",
        "most_food",
        "prevents_attack",
        "protects_neighbour",
        "saw_attack",
        "was_attacked",
    )

    def __init__(
        self,
        *,
        prevents_attack: "Callable[[Species, Species, Species | None], bool] | None" = None,
        protects_neighbour: "Callable[[Species], bool] | None" = None,
        was_attacked: "Callable[[Table, Player, Species], None] | None" = None,
        saw_attack: "Callable[[Table, Player, Species], None] | None" = None,
        food_revealed: "Callable[[Table, Player, Species], None] | None" = None,
        eats_more: "Callable[[Table, Player, Species], int] | None" = None,
        food_eaten: "Callable[[Table, Player, Species, int], Iterable[Fed] | None] | None" = None,
        most_food: int = 3,
    ) -> None:
        self.prevents_attack = prevents_attack
        self.protects_neighbour = protects_neighbour
        self.was_attacked = was_attacked
        self.saw_attack = saw_attack
        self.food_revealed = food_revealed
        self.eats_more = eats_more
        self.food_eaten = food_eaten
        self.most_food = most_food


# --- traits that prevent attacks (rules 2) ---------------------------------------------------


def warning_call(attacker: "Species") -> bool:
    """A neighbour's warning-call protects, unless the attacker comes from an ambush."""
    return "ambush" not in attacker.traits


def burrowing(attacker: "Species", defender: "Species", right: "Species | None") -> bool:
    """A board that has eaten its fill is under the ground."""
    return defender.food == defender.population


def climbing(attacker: "Species", defender: "Species", right: "Species | None") -> bool:
    """Only climbers reach a climber."""
    return "climbing" not in attacker.traits


def attack_body(attacker: "Species") -> int:
    """The attacker's body as a hard shell feels it: a pack counts by its heads too."""
    pack = attacker.population if "pack-hunting" in attacker.traits else 0
    return attacker.body + pack


SHELL_LIMIT = 4  # by how much an attacker's body must be larger to break a shell


def hard_shell(attacker: "Species", defender: "Species", right: "Species | None") -> bool:
    """A shell holds unless the attacker's body is larger by the limit, or more."""
    return attack_body(attacker) - defender.body < SHELL_LIMIT


def herding(attacker: "Species", defender: "Species", right: "Species | None") -> bool:
    """A herd holds unless the attackers are more."""
    return attacker.population <= defender.population


def symbiosis(attacker: "Species", defender: "Species", right: "Species | None") -> bool:
    """A larger friend on the right protects."""
    return right is not None and right.body > defender.body


# --- traits that react to an attack (rules 3.5 and 3.6) ----------------------------------------------


def horns(table: "Table", player: "Player", attacker: "Species") -> None:
    """The attacker loses one population, and its life if that was the last."""
    table.wound(player, attacker, "horns")


def scavenger(table: "Table", player: "Player", owner: "Species") -> None:
    """Whoever scavenges is fed after every attack that fed its attacker."""
    table.feed(player, owner, "scavenger")


# --- traits that react to the revealed food (rules 5.8 to 5.10), in the order in which they act ------


def fertile(table: "Table", player: "Player", owner: "Species") -> None:
    """The population grows by one, up to 7, whatever the hole holds."""
    table.grow(player, owner)


def long_neck(table: "Table", player: "Player", owner: "Species") -> None:
    """The board is fed before all others."""
    table.feed(player, owner, "long-neck")


def fat_tissue(table: "Table", player: "Player", owner: "Species") -> None:
    """Stored fat becomes food as far as the board is hungry."""
    table.use_fat(player, owner)


# --- traits that react to eating (rules 3.2 and 3.3) -------------------------------------------------


def foraging(table: "Table", player: "Player", owner: "Species") -> int:
    """A forager that ate eats a second token if it still can."""
    return table.eat(player, owner, "foraging")


def cooperation(table: "Table", player: "Player", owner: "Species", tokens: int) -> "Iterator[Fed]":
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
    "cooperation": Trait(food_eaten=cooperation),
    # no reaction
    "carnivore": Trait(most_food=8),
    "ambush": Trait(),
    "pack-hunting": Trait(),
}
