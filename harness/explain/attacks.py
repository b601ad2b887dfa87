"""The rules in words: why an attack can or cannot happen."""

from evolution.attack import NOT_A_CARNIVORE, blocked_by
from evolution.species import Species
from evolution.traits import SHELL_LIMIT, attack_body

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Situation = tuple[Species, Species, Species | None, Species | None]


def _warning_call(
    attacker: Species, defender: Species, left: "Species | None", right: "Species | None"
) -> str:
    callers = [
        side
        for side, neighbour in (("left", left), ("right", right))
        if neighbour is not None and "warning-call" in neighbour.traits
    ]
    who = " and the ".join(callers)
    return f"the {who} neighbour has warning-call, and the attacker has no ambush (rules 2.8)"


def _hard_shell(attacker: Species, defender: Species, left: "Species | None", right: "Species | None") -> str:
    pack = f" + population {attacker.population} (pack-hunting)" if "pack-hunting" in attacker.traits else ""
    more = attack_body(attacker) - defender.body
    return (
        f"the defender has hard-shell, and the attacker's body {attacker.body}{pack} minus the "
        f"defender's body {defender.body} is {more}; it must be at least {SHELL_LIMIT} (rules 2.3)"
    )


def _symbiosis(attacker: Species, defender: Species, left: "Species | None", right: "Species | None") -> str:
    body = 0 if right is None else right.body
    return (
        f"the defender has symbiosis, and its right neighbour's body {body} is larger than "
        f"its own {defender.body} (rules 2.7)"
    )


WORDS: "dict[str, Callable[[Species, Species, Species | None, Species | None], str]]" = {
    NOT_A_CARNIVORE: lambda attacker, defender, left, right: "the attacker is not a carnivore (rules 2.2)",
    "warning-call": _warning_call,
    "burrowing": lambda attacker, defender, left, right: (
        f"the defender has burrowing and has eaten its fill: food {defender.food} of "
        f"population {defender.population} (rules 2.5)"
    ),
    "climbing": lambda attacker, defender, left, right: (
        "the defender has climbing, and the attacker has not (rules 2.6)"
    ),
    "hard-shell": _hard_shell,
    "herding": lambda attacker, defender, left, right: (
        f"the defender has herding, and the attacker's population {attacker.population} is not "
        f"larger than the defender's {defender.population} (rules 2.4)"
    ),
    "symbiosis": _symbiosis,
}


def why_blocked(
    attacker: Species, defender: Species, left: "Species | None", right: "Species | None"
) -> list[str]:
    """A sentence for every reason that blocks the attack; none if it can happen."""
    return [
        WORDS[reason](attacker, defender, left, right) if reason in WORDS else f"{reason} prevents the attack"
        for reason in blocked_by(attacker, defender, left, right)
    ]
