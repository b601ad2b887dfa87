"""Misreadings of who can attack whom (rules 2)."""

from collections.abc import Iterator

from evolution.attack import (
    NOT_A_CARNIVORE,
    MissingBoard,
    allowed,
    attackable,
    obstacles,
    sides,
    targets,
)
from evolution.choices import Attack, State
from evolution.species import Species, fat_need, hungry, is_carnivore
from evolution.traits import MOST, TRAITS, Trait, attack_body
from evolution.wire.reading import situation
from harness.misreadings.decorators import (
    Holds,
    Side,
    Situation,
    also_blocked,
    blocked_instead,
    has,
    looks,
    not_blocked,
    obstructed,
    passing,
    prevents,
)
from harness.misreadings.planting import add, replaces

# Every defence, with the section of the rules that it stands in.
DEFENCES = {
    "hard-shell": "2.3",
    "herding": "2.4",
    "burrowing": "2.5",
    "climbing": "2.6",
    "symbiosis": "2.7",
    "warning-call": "2.8",
}

for defence, section in DEFENCES.items():
    add(section, f"{defence}-is-ignored", f"{defence} protects nobody", TRAITS[defence], Trait())


# --- how to decide (rules 2.1 and 2.9) -----------------------------------------------------------


@also_blocked("2.1")
def carnivores_are_never_attacked(on: Situation) -> bool:
    """A carnivore cannot be attacked."""
    return has(on.defender, "carnivore")


@also_blocked("2.1")
def prey_must_be_smaller(on: Situation) -> bool:
    """An attacker needs a larger body than its prey, even if that has no hard-shell."""
    return attack_body(on.attacker) <= on.defender.body


@obstructed("2.1")
def one_passed_defence_is_enough(on: Situation, met: list[str]) -> list[str]:
    """An attacker that overcomes one of the defender's traits need not overcome the others."""
    defences = [trait for trait in on.defender.traits if TRAITS[trait].prevents_attack]
    if all(trait in met for trait in defences):
        return met
    return [one for one in met if one not in on.defender.traits]


@replaces("2.1", situation)
def situations_begin_with_the_attacker(value: object) -> tuple[Species, Species, Side, Side]:
    """The first board of a situation is the attacker, the second one the defender."""
    attacker, defender, left, right = situation(value)
    return defender, attacker, left, right


@also_blocked("2.9")
def full_attackers_are_refused(on: Situation) -> bool:
    """A carnivore that has eaten its fill has no right to attack."""
    return on.attacker.food == on.attacker.population


@also_blocked("2.9")
def horns_frighten_a_lone_attacker(on: Situation) -> bool:
    """Horns block an attack that would cost the attacker its last population."""
    return has(on.defender, "horns") and on.attacker.population == 1


@also_blocked("2.9")
def fat_keeps_attackers_away(on: Situation) -> bool:
    """A board with stored fat cannot be attacked."""
    return on.defender.fat_food > 0


# --- carnivores (rules 2.2) ----------------------------------------------------------------------


@not_blocked("2.2", NOT_A_CARNIVORE)
def vegetarians_attack(on: Situation) -> bool:
    """A vegetarian can attack as well as a carnivore."""
    return True


@not_blocked("2.2", NOT_A_CARNIVORE)
def a_carnivore_as_defender_is_enough(on: Situation) -> bool:
    """A vegetarian can attack a carnivore."""
    return has(on.defender, "carnivore")


@not_blocked("2.2", NOT_A_CARNIVORE)
def hunting_traits_make_carnivores(on: Situation) -> bool:
    """A vegetarian with ambush or pack-hunting can attack."""
    return has(on.attacker, "ambush") or has(on.attacker, "pack-hunting")


# --- hard-shell and pack-hunting (rules 2.3 and 2.9) ---------------------------------------------


def _after_horns(on: Situation) -> int:
    """The attacker's population less what the defender's horns will cost it."""
    return on.attacker.population - has(on.defender, "horns")


@prevents("2.3", "hard-shell")
def hard_shell_gives_way_at_three(on: Situation) -> bool:
    """An attacker whose body is larger by 3 breaks a hard-shell."""
    return attack_body(on.attacker) - on.defender.body < 3


@prevents("2.3", "hard-shell")
def hard_shell_needs_more_than_four(on: Situation) -> bool:
    """An attacker must be larger by more than 4 to break a hard-shell."""
    return attack_body(on.attacker) - on.defender.body < 5


@prevents("2.3", "hard-shell")
def hard_shell_needs_a_larger_body_only(on: Situation) -> bool:
    """Any attacker with a larger body breaks a hard-shell."""
    return attack_body(on.attacker) <= on.defender.body


@prevents("2.3", "hard-shell")
def hard_shell_asks_for_a_body_of_four(on: Situation) -> bool:
    """An attacker with a body of 4 breaks every hard-shell, whatever the defender's body."""
    return attack_body(on.attacker) < 4


@prevents("2.3", "hard-shell")
def hard_shell_measures_the_distance(on: Situation) -> bool:
    """An attacker that is smaller by 4 or more breaks a hard-shell too."""
    return abs(attack_body(on.attacker) - on.defender.body) < 4


@prevents("2.9", "hard-shell")
def hard_shell_of_the_attacker_counts(on: Situation) -> bool:
    """An attacker with hard-shell counts as four larger."""
    return attack_body(on.attacker) + 4 * has(on.attacker, "hard-shell") - on.defender.body < 4


@also_blocked("2.3")
def hard_shell_covers_the_neighbours(on: Situation) -> bool:
    """A hard-shell protects the boards beside it as well."""
    shells = [side.body for side in on[2:] if side and has(side, "hard-shell")]
    return any(attack_body(on.attacker) - body < 4 for body in shells)


@prevents("2.3", "hard-shell")
def stored_fat_thickens_the_shell(on: Situation) -> bool:
    """The defender's fat-food counts as body behind a hard-shell."""
    return attack_body(on.attacker) - on.defender.body - on.defender.fat_food < 4


@not_blocked("2.3", "hard-shell")
def stored_fat_strengthens_the_attacker(on: Situation) -> bool:
    """The attacker's fat-food counts as body against a hard-shell."""
    return attack_body(on.attacker) + on.attacker.fat_food - on.defender.body >= 4


@not_blocked("2.3", "hard-shell")
def a_hard_shell_asks_for_seven_at_most(on: Situation) -> bool:
    """A body of 7 breaks every hard-shell, because no body can be larger."""
    return attack_body(on.attacker) >= MOST


@replaces("2.3", attack_body)
def pack_hunting_is_ignored(attacker: Species) -> int:
    """Pack-hunting adds nothing to the attacker's body."""
    return attacker.body


@replaces("2.3", attack_body)
def pack_hunting_counts_heads_alone(attacker: Species) -> int:
    """With pack-hunting the population counts instead of the body, not on top of it."""
    return attacker.population if has(attacker, "pack-hunting") else attacker.body


@replaces("2.3", attack_body)
def pack_hunting_goes_without_saying(attacker: Species) -> int:
    """The population counts against a hard-shell even without pack-hunting."""
    return attacker.body + attacker.population


@replaces("2.3", attack_body)
def pack_hunting_doubles_the_body(attacker: Species) -> int:
    """With pack-hunting the body counts twice."""
    return attacker.body * 2 if has(attacker, "pack-hunting") else attacker.body


@replaces("2.3", attack_body)
def pack_hunting_stops_at_seven(attacker: Species) -> int:
    """Body and population together count no more than 7 for a pack."""
    return min(MOST, attack_body(attacker))


@prevents("2.9", "hard-shell")
def pack_hunting_of_the_defender_counts(on: Situation) -> bool:
    """A defender with pack-hunting adds its population to its shell."""
    return attack_body(on.attacker) - attack_body(on.defender) < 4


@prevents("2.3", "hard-shell")
def pack_hunting_counts_after_horns(on: Situation) -> bool:
    """The animal that horns will cost is missing from a pack that attacks a hard-shell."""
    pack = _after_horns(on) if has(on.attacker, "pack-hunting") else 0
    return on.attacker.body + pack - on.defender.body < 4


@prevents("2.3", "hard-shell")
def pack_hunting_counts_the_fed(on: Situation) -> bool:
    """With pack-hunting the food of the attacker is added to its body, not its population."""
    pack = on.attacker.food if has(on.attacker, "pack-hunting") else 0
    return on.attacker.body + pack - on.defender.body < 4


# --- herding (rules 2.4) -------------------------------------------------------------------------


@prevents("2.4", "herding")
def herding_gives_way_to_equals(on: Situation) -> bool:
    """An attacker with the same population can attack a herd."""
    return on.attacker.population < on.defender.population


@prevents("2.4", "herding")
def herding_needs_two_more(on: Situation) -> bool:
    """An attacker needs two more population than a herd."""
    return on.attacker.population <= on.defender.population + 1


@prevents("2.4", "herding")
def herding_protects_from_the_larger(on: Situation) -> bool:
    """A herd is safe from attackers with at least its own population."""
    return on.attacker.population >= on.defender.population


@prevents("2.4", "herding")
def herding_compares_after_horns(on: Situation) -> bool:
    """A herd with horns is compared with the attacker's population less one."""
    return _after_horns(on) <= on.defender.population


@prevents("2.4", "herding")
def pack_hunting_passes_a_herd(on: Situation) -> bool:
    """With pack-hunting the body is added to the attacker's population against a herd."""
    pack = on.attacker.body * has(on.attacker, "pack-hunting")
    return on.attacker.population + pack <= on.defender.population


@prevents("2.4", "herding")
def herding_compares_bodies(on: Situation) -> bool:
    """Herding compares bodies instead of populations."""
    return on.attacker.body <= on.defender.body


@prevents("2.4", "herding")
def herding_counts_the_fed(on: Situation) -> bool:
    """Only the animals of a herd that have eaten count."""
    return on.attacker.population <= on.defender.food


@prevents("2.4", "herding")
def herding_counts_fed_attackers(on: Situation) -> bool:
    """Only the animals of the attacker that have eaten count against a herd."""
    return on.attacker.food <= on.defender.population


@prevents("2.4", "herding")
def herding_protects_from_equals_only(on: Situation) -> bool:
    """A herd is safe from attackers with just as many animals, but not from fewer."""
    return on.attacker.population == on.defender.population


@also_blocked("2.4")
def attackers_with_herding_need_the_majority(on: Situation) -> bool:
    """An attacker with herding cannot attack a board with as much population as its own."""
    return has(on.attacker, "herding") and on.attacker.population <= on.defender.population


@also_blocked("2.4")
def herds_side_by_side_are_one(on: Situation) -> bool:
    """A herd counts the populations of neighbours with herding as its own."""
    beside = sum(side.population for side in on[2:] if side and has(side, "herding"))
    return has(on.defender, "herding") and on.attacker.population <= on.defender.population + beside


@also_blocked("2.4")
def herding_covers_the_neighbours(on: Situation) -> bool:
    """A herd protects the boards beside it as well."""
    herds = [side.population for side in on[2:] if side and has(side, "herding")]
    return on.attacker.population <= max(herds, default=0)


# --- burrowing (rules 2.5) -----------------------------------------------------------------------


@prevents("2.5", "burrowing")
def burrowing_protects_the_hungry(on: Situation) -> bool:
    """Burrowing protects while the board is hungry, not when it has eaten its fill."""
    return on.defender.food < on.defender.population


@prevents("2.5", "burrowing")
def burrowing_protects_always(on: Situation) -> bool:
    """Burrowing protects however little the board has eaten."""
    return True


@prevents("2.5", "burrowing")
def burrowing_protects_whoever_has_eaten(on: Situation) -> bool:
    """Burrowing protects a board that has any food."""
    return on.defender.food > 0


@prevents("2.5", "burrowing")
def burrowing_protects_one_short(on: Situation) -> bool:
    """Burrowing protects a board that lacks one token."""
    return on.defender.food >= on.defender.population - 1


@prevents("2.5", "burrowing")
def burrowing_wants_a_full_store(on: Situation) -> bool:
    """Burrowing protects only a board that has eaten its fill and needs no fat either."""
    return on.defender.food == on.defender.population and not fat_need(on.defender)


@prevents("2.5", "burrowing")
def burrowing_compares_food_with_body(on: Situation) -> bool:
    """Burrowing protects a board whose food equals its body."""
    return on.defender.food == on.defender.body


@also_blocked("2.5")
def burrowers_count_their_fat(on: Situation) -> bool:
    """A burrower counts as full if its food and its fat together reach its population."""
    full = on.defender.food + on.defender.fat_food >= on.defender.population
    return has(on.defender, "burrowing") and full


@also_blocked("2.5")
def burrowing_covers_the_neighbours(on: Situation) -> bool:
    """A full board with burrowing protects the boards beside it as well."""
    return any(side and has(side, "burrowing") and side.food == side.population for side in on[2:])


@also_blocked("2.5")
def full_burrowers_do_not_attack(on: Situation) -> bool:
    """A carnivore with burrowing that has eaten its fill cannot attack."""
    return has(on.attacker, "burrowing") and on.attacker.food == on.attacker.population


@also_blocked("2.5")
def full_boards_are_safe(on: Situation) -> bool:
    """A board that has eaten its fill cannot be attacked, even without burrowing."""
    return on.defender.food == on.defender.population


# --- climbing (rules 2.6) ------------------------------------------------------------------------


@prevents("2.6", "climbing")
def climbing_protects_from_climbers_too(on: Situation) -> bool:
    """Climbing protects even from attackers with climbing."""
    return True


@prevents("2.6", "climbing")
def climbing_protects_from_climbers_only(on: Situation) -> bool:
    """Climbing protects from attackers that have climbing, and from no others."""
    return has(on.attacker, "climbing")


@also_blocked("2.6")
def climbing_attackers_stay_in_the_trees(on: Situation) -> bool:
    """An attacker with climbing can attack climbers only."""
    return has(on.attacker, "climbing") and not has(on.defender, "climbing")


@also_blocked("2.6")
def climbing_covers_the_neighbours(on: Situation) -> bool:
    """Climbing protects the boards beside it as well."""
    return not has(on.attacker, "climbing") and (has(on.left, "climbing") or has(on.right, "climbing"))


# --- symbiosis (rules 2.7) -----------------------------------------------------------------------


def _larger(side: Side, defender: Species) -> bool:
    return side is not None and side.body > defender.body


@prevents("2.7", "symbiosis")
def symbiosis_with_an_equal(on: Situation) -> bool:
    """A right neighbour with an equal body protects."""
    return on.right is not None and on.right.body >= on.defender.body


@prevents("2.7", "symbiosis")
def symbiosis_with_a_smaller(on: Situation) -> bool:
    """A right neighbour with a smaller body protects."""
    return on.right is not None and on.right.body < on.defender.body


@prevents("2.7", "symbiosis")
def symbiosis_with_anybody(on: Situation) -> bool:
    """Any right neighbour protects, whatever its body."""
    return on.right is not None


@prevents("2.7", "symbiosis")
def symbiosis_compares_with_the_attacker(on: Situation) -> bool:
    """The right neighbour protects if its body is larger than the attacker's."""
    return _larger(on.right, on.attacker)


@prevents("2.7", "symbiosis")
def symbiosis_compares_populations(on: Situation) -> bool:
    """The right neighbour protects if its population is larger."""
    return on.right is not None and on.right.population > on.defender.population


@prevents("2.7", "symbiosis")
def symbiosis_counts_packs(on: Situation) -> bool:
    """Symbiosis compares bodies to which pack-hunting adds the population."""
    return on.right is not None and attack_body(on.right) > attack_body(on.defender)


@prevents("2.7", "symbiosis")
def symbiosis_needs_two(on: Situation) -> bool:
    """The right neighbour protects only if it has symbiosis as well."""
    return _larger(on.right, on.defender) and has(on.right, "symbiosis")


@blocked_instead("2.7", "symbiosis")
def symbiosis_looks_left(on: Situation) -> bool:
    """The left neighbour protects in symbiosis, not the right one."""
    return has(on.defender, "symbiosis") and _larger(on.left, on.defender)


@also_blocked("2.7")
def symbiosis_looks_both_ways(on: Situation) -> bool:
    """A larger neighbour on either side protects in symbiosis."""
    return has(on.defender, "symbiosis") and _larger(on.left, on.defender)


@blocked_instead("2.7", "symbiosis")
def symbiosis_makes_do_with_the_left(on: Situation) -> bool:
    """A board with symbiosis that has no right neighbour is protected by a larger left one."""
    return has(on.defender, "symbiosis") and _larger(on.right or on.left, on.defender)


@blocked_instead("2.7", "symbiosis")
def symbiosis_of_the_neighbour_counts(on: Situation) -> bool:
    """A larger right neighbour protects if it has symbiosis itself."""
    return has(on.right, "symbiosis") and _larger(on.right, on.defender)


@also_blocked("2.7")
def symbiosis_protects_the_last_board(on: Situation) -> bool:
    """A board with symbiosis that has no right neighbour cannot be attacked."""
    return has(on.defender, "symbiosis") and on.right is None


@obstructed("2.7")
def lonely_symbiosis_is_open_to_attack(on: Situation, met: list[str]) -> list[str]:
    """A board with symbiosis and no right neighbour can be attacked, whatever else protects it."""
    lonely = has(on.defender, "symbiosis") and not on.right
    return [one for one in met if one == NOT_A_CARNIVORE or not lonely]


@not_blocked("2.7", "symbiosis")
def the_attacker_is_no_friend(on: Situation) -> bool:
    """An attacker that lies to the right of the defender does not count as its larger neighbour."""
    return on.right is not None and looks(on.right) == looks(on.attacker)


# --- warning-call and ambush (rules 2.8) ---------------------------------------------------------


def _calls(attacker: Species, *boards: Side) -> int:
    """How many of these boards give warning of the attacker."""
    return 0 if has(attacker, "ambush") else sum(has(board, "warning-call") for board in boards)


@also_blocked("2.8")
def warning_call_protects_its_owner(on: Situation) -> bool:
    """A board is protected by its own warning-call too."""
    return _calls(on.attacker, on.defender) > 0


@blocked_instead("2.8", "warning-call")
def warning_call_reaches_right_only(on: Situation) -> bool:
    """A warning-call protects the board to its right, but not the one to its left."""
    return _calls(on.attacker, on.left) > 0


@blocked_instead("2.8", "warning-call")
def warning_call_reaches_left_only(on: Situation) -> bool:
    """A warning-call protects the board to its left, but not the one to its right."""
    return _calls(on.attacker, on.right) > 0


@also_blocked("2.8")
def warning_call_of_the_attacker_counts(on: Situation) -> bool:
    """An attacker with warning-call and no ambush gives itself away."""
    return _calls(on.attacker, on.attacker) > 0


@not_blocked("2.8", "warning-call")
def ambush_of_the_defender_counts(on: Situation) -> bool:
    """A warning-call does not protect a board that has ambush itself."""
    return has(on.defender, "ambush")


@blocked_instead("2.8", "warning-call")
def warning_call_needs_two_callers(on: Situation) -> bool:
    """A board is protected only if both its neighbours have warning-call."""
    return _calls(on.attacker, on.left, on.right) == 2


@replaces("2.8", targets)
def warning_call_reaches_the_whole_row(attacker: Species, boards: list[Species]) -> "Iterator[int]":
    """A warning-call protects all other boards of its player, however far away."""
    return (at for at in targets(attacker, boards) if not _calls(attacker, *boards[:at], *boards[at + 1 :]))


@blocked_instead("2.8", "warning-call")
def ambush_is_ignored(on: Situation) -> bool:
    """Ambush does not overcome a warning-call."""
    return has(on.left, "warning-call") or has(on.right, "warning-call")


@also_blocked("2.8")
def ambush_passes_one_caller_only(on: Situation) -> bool:
    """Ambush does not help if both neighbours have warning-call."""
    return has(on.left, "warning-call") and has(on.right, "warning-call")


@also_blocked("2.8")
def ambush_passes_callers_on_the_right_only(on: Situation) -> bool:
    """Ambush overcomes the warning-call of a right neighbour, but not that of a left one."""
    return has(on.left, "warning-call")


@also_blocked("2.8")
def ambush_passes_callers_on_the_left_only(on: Situation) -> bool:
    """Ambush overcomes the warning-call of a left neighbour, but not that of a right one."""
    return has(on.right, "warning-call")


@blocked_instead("2.8", "warning-call")
def carnivores_do_not_warn(on: Situation) -> bool:
    """The warning-call of a carnivore protects nobody."""
    return _calls(on.attacker, *(side for side in on[2:] if not has(side, "carnivore"))) > 0


@blocked_instead("2.8", "warning-call")
def callers_with_ambush_do_not_warn(on: Situation) -> bool:
    """The warning-call of a neighbour that has ambush protects nobody."""
    return _calls(on.attacker, *(side for side in on[2:] if not has(side, "ambush"))) > 0


@not_blocked("2.8", "warning-call")
def callers_do_not_hear(on: Situation) -> bool:
    """A board with warning-call is not protected by that of a neighbour."""
    return has(on.defender, "warning-call")


@blocked_instead("2.8", "warning-call")
def a_left_neighbour_drowns_the_right_one(on: Situation) -> bool:
    """The warning-call of a right neighbour is not heard if there is a left one."""
    return _calls(on.attacker, on.left or on.right) > 0


@blocked_instead("2.8", "warning-call")
def a_right_neighbour_drowns_the_left_one(on: Situation) -> bool:
    """The warning-call of a left neighbour is not heard if there is a right one."""
    return _calls(on.attacker, on.right or on.left) > 0


# --- one trait does away with another ------------------------------------------------------------
#
# Programs that ask one question after the other often stop asking too early, and a trait that helps in one
# way is soon taken to help in others.


def _passes(defence: str) -> Holds:
    """Whether the defence is there, and does not stop the attacker."""

    def holds(on: Situation) -> bool:
        owners = (on.left, on.right) if defence == "warning-call" else (on.defender,)
        return defence not in obstacles(*on) and any(has(board, defence) for board in owners)

    return holds


def _attacker_has(trait: str) -> Holds:
    return lambda on: has(on.attacker, trait)


for defence, section in DEFENCES.items():
    for passed in DEFENCES:
        if passed != defence:
            add(
                section,
                f"passing-{passed}-passes-{defence}",
                f"an attacker that {passed} does not stop is not stopped by {defence} either",
                obstacles,
                passing(defence, _passes(passed)),
            )
    add(
        section,
        f"carnivores-have-no-use-for-{defence}",
        f"{defence} does not protect a board that is a carnivore itself",
        obstacles,
        passing(defence, lambda on: has(on.defender, "carnivore")),
    )

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

for trait, defences in USELESS.items():
    for defence in defences:
        add(
            DEFENCES[defence],
            f"{trait}-gets-past-{defence}",
            f"{defence} does not stop an attacker that has {trait}",
            obstacles,
            passing(defence, _attacker_has(trait)),
        )

# The same by other names: the trait, the defence that it overcomes, the name and the sentence.
for trait, defence, name, sentence in (
    ("ambush", "hard-shell", "ambush-breaks-shells", "ambush overcomes a hard-shell"),
    ("ambush", "herding", "ambush-passes-a-herd", "ambush overcomes herding"),
    ("ambush", "burrowing", "ambush-digs-burrowers-out", "ambush overcomes burrowing"),
    ("ambush", "climbing", "ambush-reaches-climbers", "ambush overcomes climbing"),
    ("ambush", "symbiosis", "ambush-parts-friends", "ambush overcomes symbiosis"),
    (
        "pack-hunting",
        "hard-shell",
        "packs-break-every-shell",
        "a hard-shell does not protect from pack-hunting",
    ),
    ("climbing", "warning-call", "climbers-pass-warning-calls", "climbing overcomes a warning-call"),
):
    add(DEFENCES[defence], name, sentence, obstacles, passing(defence, _attacker_has(trait)))


# --- an attack that the owner of a State names (rules 2.9 and 2.10) ------------------------------


@replaces("2.9", allowed)
def who_has_eaten_its_fill_attacks_nobody(state: State, choice: Attack) -> bool:
    """A named attack is not allowed if the attacker is not hungry."""
    attacker, _ = sides(state, choice)
    return hungry(attacker) and allowed(state, choice)


@replaces("2.9", allowed)
def nobody_attacks_without_tokens(state: State, choice: Attack) -> bool:
    """A named attack is not allowed if there is no token to eat."""
    return allowed(state, choice) and state.hole > 0


@replaces("2.10", sides)
def the_owner_of_a_state_is_player_zero(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """In a named attack player 0 is the owner of the State, and the others follow."""
    return _own(state.boards, choice), _row([state.boards, *state.others], choice)


def _own(boards: list[Species], choice: Attack) -> Species:
    """The attacker that is named, of these boards. Raises MissingBoard."""
    if choice.board >= len(boards):
        raise MissingBoard("it does not exist", 0)
    return boards[choice.board]


def _row(rows: list[list[Species]], choice: Attack) -> list[Species]:
    """The row of the named player, which has the named board. Raises MissingBoard."""
    if choice.player >= len(rows) or choice.target >= len(rows[choice.player]):
        raise MissingBoard("it does not exist", 1)
    return rows[choice.player]


@replaces("2.10", sides)
def own_boards_cannot_be_named(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """The number of others is no player that could be attacked."""
    return _own(state.boards, choice), _row(state.others, choice)


@replaces("2.10", allowed)
def own_boards_are_never_attackable(state: State, choice: Attack) -> bool:
    """A named attack on a board of the owner itself is not allowed."""
    return allowed(state, choice) and choice.player < len(state.others)


def _named(state: State, choice: Attack) -> Situation:
    attacker, row = sides(state, choice)
    at = choice.target
    left, right = row[at - 1] if at else None, row[at + 1] if at + 1 < len(row) else None
    return Situation(attacker, row[at], left, right)


@replaces("2.10", allowed)
def a_board_may_attack_itself(state: State, choice: Attack) -> bool:
    """A named attack of a board on itself is like any other."""
    return attackable(*_named(state, choice))


@replaces("2.10", allowed)
def boards_that_are_missing_cannot_be_attacked(state: State, choice: Attack) -> bool:
    """An attack that names a board which does not exist is answered with false."""
    try:
        return allowed(state, choice)
    except MissingBoard:
        return False


@replaces("2.10", allowed)
def an_attack_that_is_not_allowed_is_illegal(state: State, choice: Attack) -> bool:
    """A named attack that something blocks is answered with nothing."""
    if not allowed(state, choice):
        raise MissingBoard("it cannot be attacked", 2)
    return True


@replaces("2.10", sides)
def a_choice_names_the_board_before_the_player(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """The second number of a named attack is the board, the third one the player."""
    choice.player, choice.target = choice.target, choice.player
    return sides(state, choice)


@replaces("2.10", sides)
def a_choice_names_its_carnivore_last(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """A named attack is the player, the board, and at last the own carnivore."""
    choice.player, choice.target, choice.board = choice.board, choice.player, choice.target
    return sides(state, choice)


@replaces("2.10", sides)
def a_choice_counts_the_carnivores_only(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """The first number of a named attack counts the carnivores of the owner only."""
    hunters = [board for board in state.boards if is_carnivore(board)]
    return _own(hunters, choice), _row([*state.others, state.boards], choice)


@replaces("2.10", sides)
def who_has_no_boards_is_not_counted(state: State, choice: Attack) -> tuple[Species, list[Species]]:
    """The player of a named attack is counted among those who have boards."""
    return _own(state.boards, choice), _row([*filter(None, state.others), state.boards], choice)


def _between(state: State, choice: Attack, left: Side, right: Side) -> bool:
    """Whether the named attack is allowed if these are the neighbours."""
    on = _named(state, choice)
    return on.attacker is not on.defender and attackable(on.attacker, on.defender, left, right)


@replaces("2.10", allowed)
def the_rows_of_players_lie_side_by_side(state: State, choice: Attack) -> bool:
    """In a named attack the last board of a player is a neighbour of the next player's first one."""
    sides(state, choice)
    rows = [*state.others, state.boards]
    table = [board for row in rows for board in row]
    at = sum(map(len, rows[: choice.player])) + choice.target
    return _between(
        state, choice, table[at - 1] if at else None, table[at + 1] if at + 1 < len(table) else None
    )


@replaces("2.10", allowed)
def the_neighbours_of_the_attacker_count(state: State, choice: Attack) -> bool:
    """In a named attack the boards beside the attacker protect the defender."""
    near = _named(state, Attack(choice.board, len(state.others), choice.board))
    sides(state, choice)
    return _between(state, choice, near.left, near.right)


@replaces("2.10", allowed)
def an_attacker_is_nobodys_neighbour(state: State, choice: Attack) -> bool:
    """In a named attack the attacker does not count as a neighbour of the defender."""
    on = _named(state, choice)
    left, right = (None if side is on.attacker else side for side in (on.left, on.right))
    return _between(state, choice, left, right)
