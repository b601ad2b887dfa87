"""The events of one board looking at another as its prey: what blocks the attack, or only just does not.

An event speaks of one thing that could have decided, such as the shell that holds at a difference of 3,
and of one circumstance beside it, such as a trait of the attacker. So every pair of interacting traits
has events of its own.
"""

from evolution.attack import NOT_A_CARNIVORE, blocked_by
from evolution.species import Species
from evolution.traits import SHELL_LIMIT, TRAITS, attack_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Side = Species | None
    Seen = dict[tuple[str, ...], None]

ROLES = ("attacker", "defender", "left", "right")
WITH = {role: {trait: f"{role} with {trait}" for trait in TRAITS} for role in ROLES}
FAT = {role: f"{role} with stored fat" for role in ROLES}
SHELL = ("below 2", "of 2", "of 3", "of 4", "of 5", "above 5")
HERD = ("fewer attackers", "as many attackers", "one attacker more", "many attackers more")
FRIEND = ("a smaller friend", "a friend as large", "a friend larger by one", "a much larger friend")


def _shell(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    more = attack_body(attacker) - defender.body
    margin = SHELL[min(max(more - SHELL_LIMIT + 3, 0), 5)]
    if "pack-hunting" not in attacker.traits:
        return [f"a difference {margin}"]
    if more < SHELL_LIMIT:
        return [f"a pack with a difference {margin}"]
    needed = "needed" if attacker.body - defender.body < SHELL_LIMIT else "idle"
    return [f"a pack, {needed}, with a difference {margin}"]


def _herd(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    more = attacker.population - defender.population
    return [HERD[min(max(more + 1, 0), 3)]]


def _burrow(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    hunger = defender.population - defender.food
    return ["full" if hunger == 0 else "nearly full" if hunger == 1 else "hungry"]


def _climb(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    return ["two climbers" if "climbing" in attacker.traits else "one climber"]


def _friends(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    found = []
    for side, friend in (("left", left), ("right", right)):
        if friend is None:
            found.append(f"nobody on the {side}")
        else:
            larger = FRIEND[min(max(friend.body - defender.body + 1, 0), 3)]
            found.append(f"{larger} on the {side}")
    return found


# For each trait of a defender that can protect it, what it depends on.
FACETS: "dict[str, Callable[[Species, Species, Side, Side], list[str]]]" = {
    "hard-shell": _shell,
    "herding": _herd,
    "burrowing": _burrow,
    "climbing": _climb,
    "symbiosis": _friends,
}


def _callers(left: "Side", right: "Side") -> str:
    calls = [
        side
        for side, neighbour in (("left", left), ("right", right))
        if neighbour is not None and "warning-call" in neighbour.traits
    ]
    return " and ".join(calls)


def facets(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[tuple[str, str]]:
    """Everything that could decide the attack, each with what it depends on."""
    found = [
        (trait, facet)
        for trait in defender.traits
        if trait in FACETS
        for facet in FACETS[trait](attacker, defender, left, right)
    ]
    callers = _callers(left, right)
    if callers:
        ambush = "ambushed" if "ambush" in attacker.traits else "heard"
        found.append(("warning-call", f"{callers}, {ambush}"))
    if "carnivore" not in attacker.traits:
        found.append((NOT_A_CARNIVORE, "at all"))
    return found


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
) -> None:
    """Add the events of an attacker and a defender that matter to the answer, at this stage."""
    blocks = blocked_by(attacker, defender, left, right)
    if len(blocks) > 1:
        for at, one in enumerate(blocks):
            for other in blocks[at + 1 :]:
                seen[stage, "blocked by both", one, other] = None
        return
    verdict = "blocked only by" if blocks else "not blocked by"
    deciding = facets(attacker, defender, left, right)
    beside = circumstances(attacker, defender, left, right)
    for trait, facet in deciding:
        if blocks and trait != blocks[0]:
            continue
        seen[stage, verdict, trait, facet] = None
        for other in beside:
            seen[stage, verdict, trait, facet, other] = None
    if not deciding:
        seen[stage, "open"] = None
        for other in beside:
            seen[stage, "open", other] = None
