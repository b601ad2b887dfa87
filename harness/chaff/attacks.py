"""Misreadings of who can attack whom (rules 2)."""

from evolution import attack, traits
from evolution.attack import NOT_A_CARNIVORE
from evolution.species import Species, fat_need
from evolution.traits import MOST, Trait, attack_body
from harness.chaff.planting import Chaff, Patch, function, trait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Side = Species | None
    Holds = Callable[[Species, Species, Side, Side], bool]  # of attacker, defender, left and right

ATTACKS = ("xattack", "xfeed", "xstep", "xstep4")
CHOSEN = ("xfeed", "xstep", "xstep4")  # programs in which somebody looks for a target

_obstacles = attack._obstacles


def prevents(name: str, rule: "Callable[[Species, Species, Side], bool]") -> Patch:
    """The defender's trait prevents an attack if this holds of attacker, defender and right neighbour."""
    return trait(name, Trait(prevents_attack=rule))


def ignored(name: str) -> Patch:
    """The trait does nothing."""
    return trait(name, Trait())


def also_blocked(holds: "Holds") -> Patch:
    """There is one more thing that stands in the way of an attack."""

    def obstacles(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
        met = _obstacles(attacker, defender, left, right)
        return [*met, "misreading"] if holds(attacker, defender, left, right) else met

    return function(_obstacles, obstacles)


def not_blocked(obstacle: str, holds: "Holds") -> Patch:
    """The obstacle does not count where this holds."""

    def obstacles(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
        met = _obstacles(attacker, defender, left, right)
        if holds(attacker, defender, left, right):
            return [one for one in met if one != obstacle]
        return met

    return function(_obstacles, obstacles)


def blocked_instead(obstacle: str, holds: "Holds") -> Patch:
    """The obstacle counts where this holds, and nowhere else."""

    def obstacles(attacker: Species, defender: Species, left: "Side", right: "Side") -> list[str]:
        met = [one for one in _obstacles(attacker, defender, left, right) if one != obstacle]
        return [*met, obstacle] if holds(attacker, defender, left, right) else met

    return function(_obstacles, obstacles)


def has(board: "Side", name: str) -> bool:
    """Whether the board is there and has the trait."""
    return board is not None and name in board.traits


# --- carnivores (rules 2.2 and 2.9) --------------------------------------------------------------

CARNIVORES = [
    Chaff(
        "vegetarians-attack",
        "a vegetarian can attack as well as a carnivore",
        "2.2",
        ("xattack",),
        not_blocked(NOT_A_CARNIVORE, lambda attacker, defender, left, right: True),
    ),
    Chaff(
        "carnivores-are-never-attacked",
        "a carnivore cannot be attacked",
        "2.1",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: has(defender, "carnivore")),
    ),
    Chaff(
        "prey-must-be-smaller",
        "an attacker needs a larger body than its prey, even if that has no hard-shell",
        "2.1",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: attack_body(attacker) <= defender.body),
    ),
    Chaff(
        "full-attackers-are-refused",
        "a carnivore that has eaten its fill has no right to attack",
        "2.9",
        ("xattack",),
        also_blocked(lambda attacker, defender, left, right: attacker.food == attacker.population),
    ),
    Chaff(
        "horns-frighten-a-lone-attacker",
        "horns block an attack that would cost the attacker its last population",
        "2.9",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: has(defender, "horns") and attacker.population == 1
        ),
    ),
]


# --- hard-shell and pack-hunting (rules 2.3) -----------------------------------------------------


def _after_horns(attacker: Species, defender: Species) -> int:
    """The attacker's population less what the defender's horns will cost it."""
    return attacker.population - has(defender, "horns")


HARD_SHELL = [
    Chaff("hard-shell-is-ignored", "hard-shell protects nobody", "2.3", ATTACKS, ignored("hard-shell")),
    Chaff(
        "hard-shell-gives-way-at-three",
        "an attacker whose body is larger by 3 breaks a hard-shell",
        "2.3",
        ATTACKS,
        prevents("hard-shell", lambda attacker, defender, right: attack_body(attacker) - defender.body < 3),
    ),
    Chaff(
        "hard-shell-needs-more-than-four",
        "an attacker must be larger by more than 4 to break a hard-shell",
        "2.3",
        ATTACKS,
        prevents("hard-shell", lambda attacker, defender, right: attack_body(attacker) - defender.body < 5),
    ),
    Chaff(
        "hard-shell-needs-a-larger-body-only",
        "any attacker with a larger body breaks a hard-shell",
        "2.3",
        ATTACKS,
        prevents("hard-shell", lambda attacker, defender, right: attack_body(attacker) <= defender.body),
    ),
    Chaff(
        "hard-shell-asks-for-a-body-of-four",
        "an attacker with a body of 4 breaks every hard-shell, whatever the defender's body",
        "2.3",
        ATTACKS,
        prevents("hard-shell", lambda attacker, defender, right: attack_body(attacker) < 4),
    ),
    Chaff(
        "hard-shell-measures-the-distance",
        "an attacker that is smaller by 4 or more breaks a hard-shell too",
        "2.3",
        ATTACKS,
        prevents(
            "hard-shell", lambda attacker, defender, right: abs(attack_body(attacker) - defender.body) < 4
        ),
    ),
    Chaff(
        "hard-shell-of-the-attacker-counts",
        "an attacker with hard-shell counts as four larger",
        "2.9",
        ATTACKS,
        prevents(
            "hard-shell",
            lambda attacker, defender, right: (
                attack_body(attacker) + 4 * has(attacker, "hard-shell") - defender.body < 4
            ),
        ),
    ),
    Chaff(
        "hard-shell-covers-the-neighbours",
        "a hard-shell protects the boards beside it as well",
        "2.3",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: any(
                side is not None and has(side, "hard-shell") and attack_body(attacker) - side.body < 4
                for side in (left, right)
            )
        ),
    ),
    Chaff(
        "stored-fat-thickens-the-shell",
        "the defender's fat-food counts as body behind a hard-shell",
        "2.3",
        ATTACKS,
        prevents(
            "hard-shell",
            lambda attacker, defender, right: attack_body(attacker) - defender.body - defender.fat_food < 4,
        ),
    ),
    Chaff(
        "pack-hunting-is-ignored",
        "pack-hunting adds nothing to the attacker's body",
        "2.3",
        ATTACKS,
        function(traits.attack_body, lambda attacker: attacker.body),
    ),
    Chaff(
        "pack-hunting-counts-heads-alone",
        "with pack-hunting the population counts instead of the body, not on top of it",
        "2.3",
        ATTACKS,
        function(
            traits.attack_body,
            lambda attacker: attacker.population if has(attacker, "pack-hunting") else attacker.body,
        ),
    ),
    Chaff(
        "pack-hunting-goes-without-saying",
        "the population counts against a hard-shell even without pack-hunting",
        "2.3",
        ATTACKS,
        function(traits.attack_body, lambda attacker: attacker.body + attacker.population),
    ),
    Chaff(
        "pack-hunting-doubles-the-body",
        "with pack-hunting the body counts twice",
        "2.3",
        ATTACKS,
        function(
            traits.attack_body,
            lambda attacker: attacker.body * 2 if has(attacker, "pack-hunting") else attacker.body,
        ),
    ),
    Chaff(
        "pack-hunting-stops-at-seven",
        "body and population together count no more than 7 for a pack",
        "2.3",
        ATTACKS,
        function(traits.attack_body, lambda attacker: min(MOST, attack_body(attacker))),
    ),
    Chaff(
        "pack-hunting-of-the-defender-counts",
        "a defender with pack-hunting adds its population to its shell",
        "2.9",
        ATTACKS,
        prevents(
            "hard-shell", lambda attacker, defender, right: attack_body(attacker) - attack_body(defender) < 4
        ),
    ),
    Chaff(
        "pack-hunting-counts-after-horns",
        "the animal that horns will cost is missing from a pack that attacks a hard-shell",
        "2.3",
        ATTACKS,
        prevents(
            "hard-shell",
            lambda attacker, defender, right: (
                attacker.body
                + _after_horns(attacker, defender) * has(attacker, "pack-hunting")
                - defender.body
                < 4
            ),
        ),
    ),
]


# --- herding (rules 2.4) -------------------------------------------------------------------------


def _herds_beside(left: "Side", right: "Side") -> int:
    return sum(side.population for side in (left, right) if side is not None and "herding" in side.traits)


HERDING = [
    Chaff("herding-is-ignored", "herding protects nobody", "2.4", ATTACKS, ignored("herding")),
    Chaff(
        "herding-gives-way-to-equals",
        "an attacker with the same population can attack a herd",
        "2.4",
        ATTACKS,
        prevents("herding", lambda attacker, defender, right: attacker.population < defender.population),
    ),
    Chaff(
        "herding-needs-two-more",
        "an attacker needs two more population than a herd",
        "2.4",
        ATTACKS,
        prevents("herding", lambda attacker, defender, right: attacker.population <= defender.population + 1),
    ),
    Chaff(
        "herding-protects-from-the-larger",
        "a herd is safe from attackers with at least its own population",
        "2.4",
        ATTACKS,
        prevents("herding", lambda attacker, defender, right: attacker.population >= defender.population),
    ),
    Chaff(
        "herding-compares-after-horns",
        "a herd with horns is compared with the attacker's population less one",
        "2.4",
        ATTACKS,
        prevents(
            "herding",
            lambda attacker, defender, right: _after_horns(attacker, defender) <= defender.population,
        ),
    ),
    Chaff(
        "pack-hunting-passes-a-herd",
        "with pack-hunting the body is added to the attacker's population against a herd",
        "2.4",
        ATTACKS,
        prevents(
            "herding",
            lambda attacker, defender, right: (
                attacker.population + attacker.body * has(attacker, "pack-hunting") <= defender.population
            ),
        ),
    ),
    Chaff(
        "herding-compares-bodies",
        "herding compares bodies instead of populations",
        "2.4",
        ATTACKS,
        prevents("herding", lambda attacker, defender, right: attacker.body <= defender.body),
    ),
    Chaff(
        "herding-counts-the-fed",
        "only the animals of a herd that have eaten count",
        "2.4",
        ATTACKS,
        prevents("herding", lambda attacker, defender, right: attacker.population <= defender.food),
    ),
    Chaff(
        "attackers-with-herding-need-the-majority",
        "an attacker with herding cannot attack a board with as much population as its own",
        "2.4",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: (
                has(attacker, "herding") and attacker.population <= defender.population
            )
        ),
    ),
    Chaff(
        "herds-side-by-side-are-one",
        "a herd counts the populations of neighbours with herding as its own",
        "2.4",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: (
                has(defender, "herding")
                and attacker.population <= defender.population + _herds_beside(left, right)
            )
        ),
    ),
]


# --- burrowing and climbing (rules 2.5 and 2.6) --------------------------------------------------

BURROWING = [
    Chaff("burrowing-is-ignored", "burrowing protects nobody", "2.5", ATTACKS, ignored("burrowing")),
    Chaff(
        "burrowing-protects-the-hungry",
        "burrowing protects while the board is hungry, not when it has eaten its fill",
        "2.5",
        ATTACKS,
        prevents("burrowing", lambda attacker, defender, right: defender.food < defender.population),
    ),
    Chaff(
        "burrowing-protects-always",
        "burrowing protects however little the board has eaten",
        "2.5",
        ATTACKS,
        prevents("burrowing", lambda attacker, defender, right: True),
    ),
    Chaff(
        "burrowing-protects-whoever-has-eaten",
        "burrowing protects a board that has any food",
        "2.5",
        ATTACKS,
        prevents("burrowing", lambda attacker, defender, right: defender.food > 0),
    ),
    Chaff(
        "burrowing-protects-one-short",
        "burrowing protects a board that lacks one token",
        "2.5",
        ATTACKS,
        prevents("burrowing", lambda attacker, defender, right: defender.food >= defender.population - 1),
    ),
    Chaff(
        "burrowing-wants-a-full-store",
        "burrowing protects only a board that has eaten its fill and needs no fat either",
        "2.5",
        ATTACKS,
        prevents(
            "burrowing",
            lambda attacker, defender, right: defender.food == defender.population and not fat_need(defender),
        ),
    ),
    Chaff(
        "burrowing-compares-food-with-body",
        "burrowing protects a board whose food equals its body",
        "2.5",
        ATTACKS,
        prevents("burrowing", lambda attacker, defender, right: defender.food == defender.body),
    ),
    Chaff(
        "full-burrowers-do-not-attack",
        "a carnivore with burrowing that has eaten its fill cannot attack",
        "2.5",
        ("xattack",),
        also_blocked(
            lambda attacker, defender, left, right: (
                has(attacker, "burrowing") and attacker.food == attacker.population
            )
        ),
    ),
    Chaff(
        "ambush-digs-burrowers-out",
        "ambush overcomes burrowing",
        "2.5",
        ATTACKS,
        not_blocked("burrowing", lambda attacker, defender, left, right: has(attacker, "ambush")),
    ),
]

CLIMBING = [
    Chaff("climbing-is-ignored", "climbing protects nobody", "2.6", ATTACKS, ignored("climbing")),
    Chaff(
        "climbing-protects-from-climbers-too",
        "climbing protects even from attackers with climbing",
        "2.6",
        ATTACKS,
        prevents("climbing", lambda attacker, defender, right: True),
    ),
    Chaff(
        "climbing-protects-from-climbers-only",
        "climbing protects from attackers that have climbing, and from no others",
        "2.6",
        ATTACKS,
        prevents("climbing", lambda attacker, defender, right: "climbing" in attacker.traits),
    ),
    Chaff(
        "climbing-attackers-stay-in-the-trees",
        "an attacker with climbing can attack climbers only",
        "2.6",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: (
                has(attacker, "climbing") and not has(defender, "climbing")
            )
        ),
    ),
    Chaff(
        "climbing-covers-the-neighbours",
        "climbing protects the boards beside it as well",
        "2.6",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: (
                not has(attacker, "climbing") and (has(left, "climbing") or has(right, "climbing"))
            )
        ),
    ),
    Chaff(
        "ambush-reaches-climbers",
        "ambush overcomes climbing",
        "2.6",
        ATTACKS,
        not_blocked("climbing", lambda attacker, defender, left, right: has(attacker, "ambush")),
    ),
]


# --- symbiosis (rules 2.7) -----------------------------------------------------------------------


def _larger(side: "Side", defender: Species) -> bool:
    return side is not None and side.body > defender.body


SYMBIOSIS = [
    Chaff("symbiosis-is-ignored", "symbiosis protects nobody", "2.7", ATTACKS, ignored("symbiosis")),
    Chaff(
        "symbiosis-with-an-equal",
        "a right neighbour with an equal body protects",
        "2.7",
        ATTACKS,
        prevents(
            "symbiosis", lambda attacker, defender, right: right is not None and right.body >= defender.body
        ),
    ),
    Chaff(
        "symbiosis-with-a-smaller",
        "a right neighbour with a smaller body protects",
        "2.7",
        ATTACKS,
        prevents(
            "symbiosis", lambda attacker, defender, right: right is not None and right.body < defender.body
        ),
    ),
    Chaff(
        "symbiosis-with-anybody",
        "any right neighbour protects, whatever its body",
        "2.7",
        ATTACKS,
        prevents("symbiosis", lambda attacker, defender, right: right is not None),
    ),
    Chaff(
        "symbiosis-compares-with-the-attacker",
        "the right neighbour protects if its body is larger than the attacker's",
        "2.7",
        ATTACKS,
        prevents(
            "symbiosis", lambda attacker, defender, right: right is not None and right.body > attacker.body
        ),
    ),
    Chaff(
        "symbiosis-compares-populations",
        "the right neighbour protects if its population is larger",
        "2.7",
        ATTACKS,
        prevents(
            "symbiosis",
            lambda attacker, defender, right: right is not None and right.population > defender.population,
        ),
    ),
    Chaff(
        "symbiosis-looks-left",
        "the left neighbour protects in symbiosis, not the right one",
        "2.7",
        ATTACKS,
        blocked_instead(
            "symbiosis",
            lambda attacker, defender, left, right: has(defender, "symbiosis") and _larger(left, defender),
        ),
    ),
    Chaff(
        "symbiosis-looks-both-ways",
        "a larger neighbour on either side protects in symbiosis",
        "2.7",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: has(defender, "symbiosis") and _larger(left, defender)
        ),
    ),
    Chaff(
        "symbiosis-of-the-neighbour-counts",
        "a larger right neighbour protects if it has symbiosis itself",
        "2.7",
        ATTACKS,
        blocked_instead(
            "symbiosis",
            lambda attacker, defender, left, right: has(right, "symbiosis") and _larger(right, defender),
        ),
    ),
]


# --- warning-call and ambush (rules 2.8) ---------------------------------------------------------


def _calls(attacker: Species, *boards: "Side") -> int:
    """How many of these boards give warning of the attacker."""
    return 0 if has(attacker, "ambush") else sum(has(board, "warning-call") for board in boards)


def _wrapping(to_the_left: bool, to_the_right: bool) -> Patch:
    """As in `evolution.attack`, but what lies beyond one end of a row, or both, is its other end."""

    def targets(attacker: Species, boards: list[Species]) -> "Iterator[int]":
        last = len(boards) - 1
        for at, defender in enumerate(boards):
            left = boards[at - 1] if at or (to_the_left and last) else None
            right = boards[(at + 1) % len(boards)] if at < last or (to_the_right and last) else None
            if defender is not attacker and attack.attackable(attacker, defender, left, right):
                yield at

    return function(_targets, targets)


def _targets_out_of_earshot(attacker: Species, boards: list[Species]) -> "Iterator[int]":
    """As in `evolution.attack`, but every other board of the row gives warning."""
    for at in _targets(attacker, boards):
        if not _calls(attacker, *boards[:at], *boards[at + 1 :]):
            yield at


_targets = attack.targets

WARNING_CALL = [
    Chaff("warning-call-is-ignored", "warning-call protects nobody", "2.8", ATTACKS, ignored("warning-call")),
    Chaff(
        "warning-call-protects-its-owner",
        "a board is protected by its own warning-call too",
        "2.8",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: _calls(attacker, defender) > 0),
    ),
    Chaff(
        "warning-call-reaches-right-only",
        "a warning-call protects the board to its right, but not the one to its left",
        "2.8",
        ATTACKS,
        blocked_instead("warning-call", lambda attacker, defender, left, right: _calls(attacker, left) > 0),
    ),
    Chaff(
        "warning-call-reaches-left-only",
        "a warning-call protects the board to its left, but not the one to its right",
        "2.8",
        ATTACKS,
        blocked_instead("warning-call", lambda attacker, defender, left, right: _calls(attacker, right) > 0),
    ),
    Chaff(
        "warning-call-of-the-attacker-counts",
        "an attacker with warning-call and no ambush gives itself away",
        "2.8",
        ATTACKS,
        also_blocked(lambda attacker, defender, left, right: _calls(attacker, attacker) > 0),
    ),
    Chaff(
        "ambush-of-the-defender-counts",
        "a warning-call does not protect a board that has ambush itself",
        "2.8",
        ATTACKS,
        not_blocked("warning-call", lambda attacker, defender, left, right: has(defender, "ambush")),
    ),
    Chaff(
        "warning-call-needs-two-callers",
        "a board is protected only if both its neighbours have warning-call",
        "2.8",
        ATTACKS,
        blocked_instead(
            "warning-call", lambda attacker, defender, left, right: _calls(attacker, left, right) == 2
        ),
    ),
    Chaff(
        "warning-call-reaches-the-whole-row",
        "a warning-call protects all other boards of its player, however far away",
        "2.8",
        CHOSEN,
        function(_targets, _targets_out_of_earshot),
    ),
    Chaff(
        "ambush-is-ignored",
        "ambush does not overcome a warning-call",
        "2.8",
        ATTACKS,
        trait("warning-call", Trait(protects_neighbour=lambda attacker: True)),
    ),
    Chaff(
        "ambush-passes-one-caller-only",
        "ambush does not help if both neighbours have warning-call",
        "2.8",
        ATTACKS,
        also_blocked(
            lambda attacker, defender, left, right: has(left, "warning-call") and has(right, "warning-call")
        ),
    ),
    Chaff(
        "rows-are-rings",
        "the first and the last board of a row are neighbours",
        "1.5",
        CHOSEN,
        _wrapping(to_the_left=True, to_the_right=True),
    ),
    Chaff(
        "the-last-board-is-left-of-the-first",
        "the last board of a row is the left neighbour of the first, as a list index of -1 has it",
        "1.5",
        CHOSEN,
        _wrapping(to_the_left=True, to_the_right=False),
    ),
    Chaff(
        "the-first-board-is-right-of-the-last",
        "the first board of a row is the right neighbour of the last",
        "1.5",
        CHOSEN,
        _wrapping(to_the_left=False, to_the_right=True),
    ),
]


# --- several defences at once (rules 2.1) --------------------------------------------------------


def _one_passed_is_enough(attacker: Species, defender: Species, left: "Side", right: "Side") -> bool:
    """Whether one of the defender's own defences does not hold."""
    defences = [name for name in defender.traits if traits.TRAITS[name].prevents_attack]
    met = _obstacles(attacker, defender, left, right)
    return any(name not in met for name in defences)


def _obstacles_until_one_is_passed(
    attacker: Species, defender: Species, left: "Side", right: "Side"
) -> list[str]:
    met = _obstacles(attacker, defender, left, right)
    if _one_passed_is_enough(attacker, defender, left, right):
        return [one for one in met if one not in defender.traits]
    return met


DEFENCES = [
    Chaff(
        "one-passed-defence-is-enough",
        "an attacker that overcomes one of the defender's traits need not overcome the others",
        "2.1",
        ATTACKS,
        function(_obstacles, _obstacles_until_one_is_passed),
    ),
]

MISREADINGS = [
    *CARNIVORES,
    *HARD_SHELL,
    *HERDING,
    *BURROWING,
    *CLIMBING,
    *SYMBIOSIS,
    *WARNING_CALL,
    *DEFENCES,
]
