"""Small tables on which the order of boards decides: two or three of a kind that are nearly alike.

They need fat alike, or are hungry alike, or lie before a hunter, and differ in few numbers, in which now the
one is ahead and now the other; or they look the same, and only what lies beside them differs.
"""

from random import Random

from harness.inputs.boards import copy, make_species
from harness.inputs.chance import below, between, chance, pick, shuffle
from harness.inputs.duels import FEW, table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.chance import Json

FAT, PLANTS, HUNTERS, PREY, LOOKALIKES = range(5)
KINDS = (FAT, FAT, PLANTS, HUNTERS, PREY, PREY, LOOKALIKES)
SPICES = ("foraging", "cooperation", "scavenger", "horns", "ambush", "climbing", "burrowing", "hard-shell")


def line_up(program: str, rng: Random) -> "Json":
    """An input of a program that feeds, in which the order of boards decides, as a rule."""
    kind = pick(rng, KINDS)
    if kind in (FAT, PLANTS):
        rows = [_alike(rng, kind)]
        for _ in range(below(rng, 2)):
            rows.append([_plain(rng, 2)])
    elif kind == HUNTERS:
        rows = [_alike(rng, kind), [_plain(rng, 2)]]
    else:
        rows = _before_a_hunter(rng, _lookalikes(rng) if kind == LOOKALIKES else _alike(rng, kind))
    return table_of(program, rng, rows, pick(rng, FEW))


def _plain(rng: Random, most: int) -> "Json":
    population = 1 + below(rng, most)
    return make_species(below(rng, population + 1), below(rng, 3), population, [], None)


def _alike(rng: Random, kind: int) -> "list[Json]":
    """Two or three boards of a kind whose numbers differ a little, and perhaps one that is none of them."""
    population, body = between(rng, 2, 4), between(rng, 1, 4)
    food = below(rng, population)
    need = between(rng, 1, body)
    boards = [
        _one(rng, kind, need, *(number + pick(rng, (0, 0, 0, 1, -1)) for number in (food, body, population)))
        for _ in range(pick(rng, (2, 2, 3)))
    ]
    if chance(rng, 0.3):
        full = between(rng, 1, 4)
        boards.insert(below(rng, len(boards) + 1), make_species(full, below(rng, 4), full, [], None))
    return boards


def _one(rng: Random, kind: int, need: int, food: int, body: int, population: int) -> "Json":
    population = max(1, population)
    most = population if kind in (FAT, PREY) else population - 1
    traits = {FAT: ["fat-tissue"], HUNTERS: ["carnivore"]}.get(kind, [])
    spice = pick(rng, SPICES)
    if chance(rng, 0.2):
        traits = [*traits, spice]
    body = max(need if kind == FAT else 0, body)
    return make_species(
        min(most, max(0, food)),
        body,
        population,
        traits,
        body - need if kind == FAT and body > need else None,
    )


def _lookalikes(rng: Random) -> "list[Json]":
    """Boards that look the same, of which what lies beside them protects some."""
    protected = chance(rng, 0.5)
    population = between(rng, 1, 3)
    board = make_species(
        below(rng, population), below(rng, 2), population, ["symbiosis"] if protected else [], None
    )
    guard = make_species(0, 3, 1, [] if protected else ["warning-call"], None)
    row = [board, guard, copy(board)]
    if chance(rng, 0.6):
        row.insert(between(rng, 1, 2), _plain(rng, 1))
    if chance(rng, 0.3):
        shuffle(rng, row)
    return row


def _before_a_hunter(rng: Random, boards: "list[Json]") -> "list[list[Json]]":
    population = between(rng, 1, 3)
    traits = ["carnivore", *([pick(rng, SPICES)] if chance(rng, 0.3) else [])]
    hunter = make_species(below(rng, population), below(rng, 6), population, traits, None)
    if len(boards) > 1 and chance(rng, 0.4):
        at = between(rng, 1, len(boards) - 1)
        return [[hunter], boards[:at], boards[at:]]
    return [[hunter], boards]
