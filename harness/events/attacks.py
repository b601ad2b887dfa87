"""The events of one board looking at another as its prey: what blocks the attack, or only just does not.

An event speaks of one thing that could have decided, such as the shell that holds at a difference of 3,
and of one circumstance beside it, such as a trait of the attacker. So every pair of interacting traits
has events of its own.
"""

from collections.abc import Callable

from evolution.attack import NOT_A_CARNIVORE, blocked_by
from evolution.reasons import conditions
from evolution.species import Species
from evolution.traits import SHELL_LIMIT, TRAITS

Side = Species | None
Seen = dict[tuple[str, ...], None]

ROLES = ("attacker", "defender", "left", "right")
WITH = {role: {trait: f"{role} with {trait}" for trait in TRAITS} for role in ROLES}
FAT = {role: f"{role} with stored fat" for role in ROLES}
SHELL = ("below 2", "of 2", "of 3", "of 4", "of 5", "above 5")
HERD = ("fewer attackers", "as many attackers", "one attacker more", "many attackers more")
FRIEND = ("a smaller friend", "a friend as large", "a friend larger by one", "a much larger friend")


def _shell(body: int, pack: int, defender: int) -> list[str]:
    more = body + pack - defender
    margin = SHELL[min(max(more - SHELL_LIMIT + 3, 0), 5)]
    if not pack:
        return [f"a difference {margin}"]
    if more < SHELL_LIMIT:
        return [f"a pack with a difference {margin}"]
    needed = "needed" if body - defender < SHELL_LIMIT else "idle"
    return [f"a pack, {needed}, with a difference {margin}"]


def _friends(own: int, left: "int | None", right: "int | None") -> list[str]:
    return [
        f"nobody on the {side}" if body is None else f"{FRIEND[min(max(body - own + 1, 0), 3)]} on the {side}"
        for side, body in (("left", left), ("right", right))
    ]


def _call(left: bool, right: bool, ambush: bool) -> list[str]:
    sides = "left and right" if left and right else "left" if left else "right"
    return [f"{sides}, {'ambushed' if ambush else 'heard'}"]


# For each reason that can decide, how close it was, from its parts.
FACETS: "dict[str, Callable[..., list[str]]]" = {
    "hard-shell": _shell,
    "herding": lambda attackers, defenders: [HERD[min(max(attackers - defenders + 1, 0), 3)]],
    "burrowing": lambda food, population: [("full", "nearly full", "hungry")[min(population - food, 2)]],
    "climbing": lambda climbs: ["two climbers" if climbs else "one climber"],
    "symbiosis": _friends,
    "warning-call": _call,
    NOT_A_CARNIVORE: lambda: ["at all"],
}


def circumstances(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    """What else there is about the four boards."""
    found = []
    for role, board in zip(ROLES, (attacker, defender, left, right), strict=True):
        if board is not None:
            words = WITH[role]
            found += [words[trait] for trait in board.traits]
            if board.fat_food:
                found.append(FAT[role])
    return found


def pair_events(
    seen: "Seen", attacker: Species, defender: Species, left: "Side", right: "Side", stage: str
) -> bool:
    """Add the events of an attacker and a defender that matter to the answer; whether it can attack."""
    blocks = blocked_by(attacker, defender, left, right)
    if len(blocks) > 1:
        for at, one in enumerate(blocks):
            for other in blocks[at + 1 :]:
                seen[stage, "blocked by both", one, other] = None
        return False
    verdict = "blocked only by" if blocks else "not blocked by"
    deciding = conditions(attacker, defender, left, right)
    beside = circumstances(attacker, defender, left, right)
    for reason in deciding:
        if blocks and reason.code != blocks[0]:
            continue
        for facet in FACETS[reason.code](*reason.parts):
            seen[stage, verdict, reason.code, facet] = None
            for other in beside:
                seen[stage, verdict, reason.code, facet, other] = None
    if not deciding:
        seen[stage, "open"] = None
        for other in beside:
            seen[stage, "open", other] = None
    return not blocks
