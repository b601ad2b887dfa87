"""Why an attack is blocked, or only just is not, as values (rules 2).

`evolution.attack` decides. Here is what its decision depends on: for every trait that could protect the
defender, the numbers that count. Whoever explains an attack, or looks for attacks that are nearly blocked,
puts these values into words of its own.
"""

from typing import NamedTuple

from evolution.attack import NOT_A_CARNIVORE, blocked_by
from evolution.species import Species

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.choices import Attack, State

    Side = Species | None
    Parts = tuple[int | None, ...]

WARNING_CALL = "warning-call"
ANY_OBSTACLE = "2.1"  # the section for a trait that the rules do not have


class Reason(NamedTuple):
    """One thing that can decide an attack.

    rule: its section in docs/rules.md. code: the trait, or that the attacker is not a carnivore. parts: what
    it depends on, as `PROTECTION` says.
    """

    rule: str
    code: str
    parts: "Parts" = ()


def _shell(attacker: Species, defender: Species, left: "Side", right: "Side") -> "Parts":
    """The attacker's body, what its pack adds to it, and the defender's body."""
    pack = attacker.population if "pack-hunting" in attacker.traits else 0
    return attacker.body, pack, defender.body


def _friends(attacker: Species, defender: Species, left: "Side", right: "Side") -> "Parts":
    """The bodies of the defender and of its neighbours on the left and on the right, None for nobody."""
    return defender.body, None if left is None else left.body, None if right is None else right.body


# For each trait of a defender that can protect it: its section, and what that depends on.
PROTECTION: "dict[str, tuple[str, Callable[[Species, Species, Side, Side], Parts]]]" = {
    "burrowing": ("2.5", lambda attacker, defender, left, right: (defender.food, defender.population)),
    "climbing": ("2.6", lambda attacker, defender, left, right: ("climbing" in attacker.traits,)),
    "hard-shell": ("2.3", _shell),
    "herding": ("2.4", lambda attacker, defender, left, right: (attacker.population, defender.population)),
    "symbiosis": ("2.7", _friends),
}


# The section of everything that can decide an attack.
SECTIONS = {trait: rule for trait, (rule, _) in PROTECTION.items()} | {
    WARNING_CALL: "2.8",
    NOT_A_CARNIVORE: "2.2",
}


def conditions(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[Reason]:
    """Everything that could decide the attack, whether it blocks it or not."""
    found = []
    for trait in defender.traits:
        if trait in PROTECTION:
            rule, parts = PROTECTION[trait]
            found.append(Reason(rule, trait, parts(attacker, defender, left, right)))
    on_left = left is not None and WARNING_CALL in left.traits
    on_right = right is not None and WARNING_CALL in right.traits
    if on_left or on_right:
        found.append(
            Reason(SECTIONS[WARNING_CALL], WARNING_CALL, (on_left, on_right, "ambush" in attacker.traits))
        )
    if "carnivore" not in attacker.traits:
        found.append(Reason(SECTIONS[NOT_A_CARNIVORE], NOT_A_CARNIVORE))
    return found


def why_blocked(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[Reason]:
    """Every reason that blocks the attack, in the order of the trait table; none if it can happen."""
    known = {reason.code: reason for reason in conditions(attacker, defender, left, right)}
    codes = blocked_by(attacker, defender, left, right)
    return [known.get(code) or Reason(ANY_OBSTACLE, code) for code in codes]


def why_not_attacked(state: "State", attack: "Attack") -> list[Reason]:
    """Why the rules do not let the player of a state attack so; empty if traits are not what prevents it."""
    rows = [*state.others, state.boards]
    row = rows[attack.player] if attack.player < len(rows) else []
    if attack.board >= len(state.boards) or attack.target >= len(row):
        return []
    sides = [row[at] if 0 <= at < len(row) else None for at in (attack.target - 1, attack.target + 1)]
    return why_blocked(state.boards[attack.board], row[attack.target], *sides)
