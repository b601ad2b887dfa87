"""Misreadings in which one trait does away with another (rules 2).

Programs that ask one question after the other often stop asking too early, and a trait that helps in one
way is soon taken to help in others. There are many such pairs, so they come from tables.
"""

from evolution import attack
from evolution.attack import NOT_A_CARNIVORE
from evolution.species import Species
from evolution.traits import MOST, attack_body
from harness.chaff.attacks import ATTACKS, blocked_instead, has, not_blocked
from harness.chaff.planting import Chaff, function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.chaff.attacks import Holds, Side

_obstacles = attack._obstacles

# Every defence, with the section of the rules that it stands in.
DEFENCES = {
    "hard-shell": "2.3",
    "herding": "2.4",
    "burrowing": "2.5",
    "climbing": "2.6",
    "symbiosis": "2.7",
    "warning-call": "2.8",
}
# Traits of an attacker that do not help it here, but could be taken to.
USELESS = {
    "burrowing": tuple(DEFENCES),
    "climbing": ("hard-shell", "herding", "burrowing", "symbiosis"),
    "hard-shell": ("hard-shell",),
    "herding": ("herding",),
    "horns": tuple(DEFENCES),
    "long-neck": tuple(DEFENCES),
    "pack-hunting": ("burrowing", "climbing", "symbiosis", "warning-call"),
    "symbiosis": ("symbiosis",),
    "warning-call": ("warning-call",),
}


def _passes(defence: str) -> "Holds":
    """Whether the defence is there, and does not stop the attacker."""

    def holds(attacker: Species, defender: Species, left: "Side", right: "Side") -> bool:
        met = _obstacles(attacker, defender, left, right)
        owners = (left, right) if defence == "warning-call" else (defender,)
        return defence not in met and any(has(board, defence) for board in owners)

    return holds


def _attacker_has(trait: str) -> "Holds":
    return lambda attacker, defender, left, right: has(attacker, trait)


def _defender_hunts(attacker: Species, defender: Species, left: "Side", right: "Side") -> bool:
    return has(defender, "carnivore")


def _none_without_a_friend(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
    met = _obstacles(attacker, defender, left, right)
    return [NOT_A_CARNIVORE] * (NOT_A_CARNIVORE in met) if has(defender, "symbiosis") and not right else met


PASSED = [
    Chaff(
        f"passing-{one}-passes-{other}",
        f"an attacker that {one} does not stop is not stopped by {other} either",
        section,
        ATTACKS,
        not_blocked(other, _passes(one)),
    )
    for other, section in DEFENCES.items()
    for one in DEFENCES
    if one != other
]

HELPING = [
    Chaff(
        f"{trait}-gets-past-{defence}",
        f"{defence} does not stop an attacker that has {trait}",
        DEFENCES[defence],
        ATTACKS,
        not_blocked(defence, _attacker_has(trait)),
    )
    for trait, defences in USELESS.items()
    for defence in defences
]

HUNTERS = [
    Chaff(
        f"carnivores-have-no-use-for-{defence}",
        f"{defence} does not protect a board that is a carnivore itself",
        section,
        ATTACKS,
        not_blocked(defence, _defender_hunts),
    )
    for defence, section in DEFENCES.items()
]


def _pack(board: Species) -> int:
    return board.body + (board.population if has(board, "pack-hunting") else 0)


BODIES = [
    Chaff(
        "symbiosis-counts-packs",
        "symbiosis compares bodies to which pack-hunting adds the population",
        "2.7",
        ATTACKS,
        blocked_instead(
            "symbiosis",
            lambda attacker, defender, left, right: (
                has(defender, "symbiosis") and right is not None and _pack(right) > _pack(defender)
            ),
        ),
    ),
    Chaff(
        "symbiosis-makes-do-with-the-left",
        "a board with symbiosis that has no right neighbour is protected by a larger left one",
        "2.7",
        ATTACKS,
        blocked_instead(
            "symbiosis",
            lambda attacker, defender, left, right: (
                has(defender, "symbiosis") and (right or left or defender).body > defender.body
            ),
        ),
    ),
    Chaff(
        "a-hard-shell-asks-for-seven-at-most",
        "a body of 7 breaks every hard-shell, because no body can be larger",
        "2.3",
        ATTACKS,
        not_blocked("hard-shell", lambda attacker, defender, left, right: attack_body(attacker) >= MOST),
    ),
    Chaff(
        "lonely-symbiosis-is-open-to-attack",
        "a board with symbiosis and no right neighbour can be attacked, whatever else protects it",
        "2.7",
        ATTACKS,
        function(_obstacles, _none_without_a_friend),
    ),
]

MISREADINGS = [*PASSED, *HELPING, *HUNTERS, *BODIES]
