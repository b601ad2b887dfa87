"""The reasons that block an attack, in words."""

from collections.abc import Callable

from evolution.attack import NOT_A_CARNIVORE
from evolution.reasons import Reason
from evolution.traits import SHELL_LIMIT


def _warning_call(left: bool, right: bool, ambush: bool) -> str:
    callers = [side for side, calls in (("left", left), ("right", right)) if calls]
    return f"the {' and the '.join(callers)} neighbour has warning-call, and the attacker has no ambush"


def _hard_shell(body: int, pack: int, defender: int) -> str:
    heads = f" + population {pack} (pack-hunting)" if pack else ""
    return (
        f"the defender has hard-shell, and the attacker's body {body}{heads} minus the defender's body "
        f"{defender} is {body + pack - defender}; it must be at least {SHELL_LIMIT}"
    )


# A sentence for each reason, from its parts.
WORDS: "dict[str, Callable[..., str]]" = {
    NOT_A_CARNIVORE: lambda: "the attacker is not a carnivore",
    "warning-call": _warning_call,
    "burrowing": lambda food, population: (
        f"the defender has burrowing and has eaten its fill: food {food} of population {population}"
    ),
    "climbing": lambda climbs: "the defender has climbing, and the attacker has not",
    "hard-shell": _hard_shell,
    "herding": lambda attackers, defenders: (
        f"the defender has herding, and the attacker's population {attackers} is not larger than the "
        f"defender's {defenders}"
    ),
    "symbiosis": lambda own, left, right: (
        f"the defender has symbiosis, and its right neighbour's body {right} is larger than its own {own}"
    ),
}


def in_words(reason: Reason) -> str:
    """What blocks an attack, as a sentence without its rule."""
    words = WORDS.get(reason.code)
    return words(*reason.parts) if words else f"{reason.code} prevents the attack"
