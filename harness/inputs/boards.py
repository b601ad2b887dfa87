"""Boards by chance, dense in what makes implementations of the rules differ.

Traits that interact come together, sizes lie close to each other, so that there are ties, and
stores are filled in part.
"""

from dataclasses import dataclass, replace
from random import Random

from evolution.traits import MOST, TRAITS
from harness.inputs.chance import below, between, chance, pick, shuffle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.chance import Json

ATTACK = ["ambush", "climbing", "pack-hunting"]
DEFENCE = ["burrowing", "climbing", "hard-shell", "herding", "horns", "symbiosis", "warning-call"]
EATING = ["cooperation", "foraging", "scavenger", "cooperation", "foraging", "scavenger", "fat-tissue"]
GROWTH = ["fat-tissue", "fertile", "long-neck", "cooperation", "foraging"]
PLAIN = sorted(trait for trait in TRAITS if trait != "carnivore")
THEMES = [ATTACK + DEFENCE, DEFENCE, [*EATING, "horns"], EATING + DEFENCE, GROWTH, PLAIN, PLAIN]
COMMON = ["cooperation", "foraging", "hard-shell", "herding", "horns", "scavenger", "warning-call"]


@dataclass(slots=True)
class Style:
    """What the boards of one case, or of one player in it, look like."""

    populations: list[int]
    bodies: list[int]
    traits: list[str]  # drawn from, besides carnivore
    carnivores: float  # how likely a board is a carnivore
    full_vegetarians: float  # how likely a vegetarian is not hungry
    full_carnivores: float
    full_stores: float  # how likely a fat store has no need
    common: "str | None" = None  # a trait that nearly every board has
    stray_fat: float = 0.03  # how likely a board without fat-tissue has a fat-food pair


def style(rng: Random) -> Style:
    """Any style."""
    if chance(rng, 0.5):  # sizes near each other, for ties
        population = between(rng, 1, MOST - 1)
        body = between(rng, 0, MOST - 1)
        populations = [population, population, population + 1]
        bodies = [body, body, body + 1]
    elif chance(rng, 0.6):  # small
        populations = pick(rng, [[1, 1, 1, 2], [1, 2, 2, 3]])
        bodies = [0, 1, 2, 3, 4, 5]
    else:
        populations = list(range(1, MOST + 1))
        bodies = list(range(MOST + 1))
    look = Style(populations, bodies, pick(rng, THEMES), 0.4, 0.35, 0.25, 0.35)
    if chance(rng, 0.3):
        look.common = pick(rng, COMMON)
    if chance(rng, 0.1):
        look.stray_fat = 0.5
    return look


def hunting(rng: Random, base: Style) -> Style:
    """The style of a player to whom little but attacks is left: carnivores, full vegetarians, full stores."""
    traits = pick(rng, [[*ATTACK, "scavenger", "foraging", "cooperation"], EATING, base.traits, PLAIN])
    bodies = base.bodies
    if chance(rng, 0.3):  # near enough, or just not, to break a hard shell
        bodies = [min(MOST, body + more) for body in bodies for more in (3, 4)]
    full_carnivores = pick(rng, [0.0, 0.1, 0.2])
    return Style(base.populations, bodies, traits, 0.85, 0.97, full_carnivores, 0.97)


def cooperating(rng: Random, base: Style) -> Style:
    """The style of a player whose boards feed each other, and are hungry enough for that."""
    populations = pick(rng, [base.populations, [3, 4, 5], [4, 6, 7]])
    traits = ["cooperation", "cooperation", "foraging", "foraging", "scavenger", "long-neck"]
    return Style(populations, base.bodies, traits, pick(rng, [0.1, 0.9]), 0.1, 0.1, 0.9)


def storing(rng: Random, base: Style) -> Style:
    """The style of a player with many fat stores to fill."""
    traits = [*pick(rng, [EATING, GROWTH, base.traits]), "fat-tissue", "fat-tissue", "fat-tissue"]
    bodies = pick(rng, [base.bodies, [1, 2], [2, 3]])
    return Style(base.populations, bodies, traits, 0.3, 0.6, 0.4, 0.15)


def lot(rng: Random, look: Style) -> list[str]:
    """Up to three different traits, in any order."""
    traits: list[str] = []
    if chance(rng, look.carnivores):
        traits.append("carnivore")
    if look.common is not None and chance(rng, 0.85):
        traits.append(look.common)
    for _ in range(pick(rng, (0, 1, 1, 2, 2, 2, 3, 3))):
        trait = pick(rng, look.traits)
        if trait not in traits and len(traits) < 3:
            traits.append(trait)
    shuffle(rng, traits)
    return traits


def make_species(food: int, body: int, population: int, traits: list[str], fat_food: "int | None") -> "Json":
    """A Species+; without a fat-food pair if that is None."""
    pairs: list[Json] = [["food", food], ["body", body], ["population", population], ["traits", traits]]
    if fat_food is not None:
        pairs.append(["fat-food", fat_food])
    return pairs


def species(rng: Random, look: Style) -> "Json":
    """A board of this style."""
    population = pick(rng, look.populations)
    body = pick(rng, look.bodies)
    traits = lot(rng, look)
    full = look.full_carnivores if "carnivore" in traits else look.full_vegetarians
    return make_species(_food(rng, population, full), body, population, traits, _fat(rng, body, traits, look))


def _food(rng: Random, population: int, full: float) -> int:
    if chance(rng, full):
        return population
    if chance(rng, 0.4):
        return population - 1
    return 0 if chance(rng, 0.4) else below(rng, population)


def _fat(rng: Random, body: int, traits: list[str], look: Style) -> "int | None":
    if "fat-tissue" in traits:
        fat_food = body if chance(rng, look.full_stores) else below(rng, body + 1)
        return None if fat_food == 0 and chance(rng, 0.5) else fat_food
    if chance(rng, look.stray_fat):
        return pick(rng, [0, below(rng, body + 1)])
    return None


def copy(board: "Json") -> "Json":
    """An equal board that shares nothing with this one."""
    return [[key, list(value) if key == "traits" else value] for key, value in board]


def los(rng: Random, look: Style, low: int, high: int) -> "list[Json]":
    """From low to high boards; now and then two equal ones."""
    boards: list[Json] = []
    for _ in range(between(rng, low, high)):
        if boards and chance(rng, 0.12):
            boards.append(copy(pick(rng, boards)))
        else:
            boards.append(species(rng, look))
    return boards


def fields(pairs: "Json") -> "dict[str, Json]":
    """A Species+ or Player+ by its keys."""
    return dict(pairs)


def put(pairs: "Json", key: str, value: "Json") -> None:
    """Give a pair that is there a new value."""
    for pair in pairs:
        if pair[0] == key:
            pair[1] = value


def besieged(rng: Random, count: int) -> "list[list[Json]]":
    """Boards of so many players, all protected, so that who can attack whom changes with each attack."""
    population = between(rng, 2, MOST - 1)
    return [_fortress(rng, population, pick(rng, [0.4, 0.7, 1.0])) for _ in range(count)]


def _fortress(rng: Random, population: int, carnivores: float) -> "list[Json]":
    walls = ["herding", "herding", "herding", "burrowing", "warning-call", "climbing", "hard-shell"]
    own: list[Json] = []
    for _ in range(pick(rng, [1, 1, 2, 3])):
        traits = [pick(rng, walls)]
        if chance(rng, carnivores):
            traits.insert(below(rng, 2), "carnivore")
            helpful = pick(rng, ATTACK)
            if helpful not in traits and chance(rng, 0.3):
                traits.insert(below(rng, 3), helpful)
        near = population + pick(rng, [0, 0, 0, 1])
        own.append(make_species(0, between(rng, 0, 5), near, traits, None))
    return own


def situation(rng: Random) -> "Json":
    """A Situation: nearly half of the defenders are attackable, the others mostly blocked for one reason."""
    look = replace(style(rng), traits=pick(rng, [DEFENCE, DEFENCE, PLAIN]))
    defender = species(rng, look)
    attacking = Style(look.populations, look.bodies, pick(rng, [ATTACK, ATTACK, PLAIN]), 0.9, 0.5, 0.3, 0.5)
    attacker = species(rng, attacking)
    if chance(rng, 0.4):
        _near_the_shell(rng, attacker, fields(defender)["body"])
    neighbours: list[Json] = [
        False if chance(rng, 0.4) else species(rng, pick(rng, [look, look, style(rng)])) for _ in range(2)
    ]
    if chance(rng, 0.05):  # the attacker lies next to the defender
        neighbours[below(rng, 2)] = copy(attacker)
    return [defender, attacker, *neighbours]


def _near_the_shell(rng: Random, attacker: "Json", body: int) -> None:
    """Bring the attacker's strength to where a hard shell of this body just holds, or just breaks."""
    its = fields(attacker)
    grown = body + between(rng, 3, 5)
    if "pack-hunting" in its["traits"]:
        grown -= its["population"]
    put(attacker, "body", min(MOST, max(grown, its.get("fat-food", 0))))
