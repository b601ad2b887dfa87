"""What a set of cases should reach: events, told in groups, without the detail that guidance needs.

A goal is a group and words. The events of an input become goals here: those of an attack lose the stage at
which they happened, and of two traits beside each other the margin goes.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Event = tuple[str, ...]
    Goal = tuple[str, str]  # a group, and what is reached in it

EDGES = "what blocks an attack, and its boundaries"
PAIRS = "pairs of traits in an attack"
BOTH = "two reasons that block at once"
TOKENS = "who eats, and why not"
EATERS = "eating, by traits"
ORDER = "what follows what"
WOUNDS = "animals that die"
CARDS = "cards that are drawn"
FOOD = "the hole, fertile, fat"
CHOICES = "options, and what decides between them"
ACTIONS = "exchanges of cards"
ILLEGAL = "illegal actions"
FORMS = "forms of the input"
HANDS = "hands in card order"
RULINGS = "rulings, where the rules could be read otherwise"
BRANCHES = "branches of the engine"
STAGES = ("situation", "chosen", "passed over")
EATING = ("carnivore", "cooperation", "foraging", "scavenger")
WHY = ("attack", "choice", "cooperation", "foraging", "long-neck", "scavenger")

# The group of an event by its first word; others begin with a reason to eat or with what happened before.
HEADS = {
    "wound": WOUNDS,
    "horns kill": WOUNDS,
    "draw": CARDS,
    "store": FOOD,
    "fertile": FOOD,
    "fat": FOOD,
    "reveal": FOOD,
    "asked": CHOICES,
    "unasked": CHOICES,
    "cycle": CHOICES,
    "the hole is empty": CHOICES,
    "action": ACTIONS,
    "stray fat": ACTIONS,
    "illegal": ILLEGAL,
    "form": FORMS,
    "ids": FORMS,
    "equal ids": FORMS,
    "named attack": FORMS,
    "hand": HANDS,
}


# The events in which a ruling decides; those of an attack without the stage.
RULING = {
    ("blocked only by", "not a carnivore", "at all"): "2.2: who is no carnivore attacks nobody",
    ("not blocked by", "hard-shell", "a difference of 4"): "2.3: a difference of 4 is enough",
    ("not blocked by", "herding", "one attacker more", "defender with horns"): (
        "2.4: horns do not change the count first"
    ),
    ("horns kill", "its own", "hungry scavenger"): "3.5: who dies by horns feeds no scavenger of its own",
    ("horns kill", "another", "hungry scavenger"): "3.5: who dies by horns feeds no scavenger of others",
    ("scavengers", "the attacker is not the first player"): "3.6: scavenging starts with the attacker",
    ("legal", "equal traits for a moment"): "5.5: only the boards after all exchanges count",
    ("cycle", "who is out could eat again"): "5.11: who is out stays out",
}


def goals(seen: "Iterable[Event]") -> "list[Goal]":
    """The goals that these events reach."""
    found: dict[Goal, None] = {}
    for event in seen:
        goal = _goal(event)
        if goal is not None:
            found[goal] = None
        ruling = RULING.get(event[1:] if event[0] in STAGES else event)
        if ruling is not None:
            found[(RULINGS, ruling)] = None
    return list(found)


def _goal(event: tuple[str, ...]) -> "Goal | None":
    head = event[0]
    if head in STAGES:
        return _attack(event)
    if head in WHY and event[1] != "then":
        return _eating(event)
    if head in HEADS:
        return _other(HEADS[head], event)
    if len(event) != 4 or event[1] != "then":
        return None
    return (ORDER, f"{head.partition(':')[0]}, then {event[2].partition(':')[0]} of {event[3]}")


def _attack(event: tuple[str, ...]) -> "Goal | None":
    _, verdict, *rest = event
    if verdict == "blocked by both":
        return (BOTH, f"blocked by {rest[0]} and {rest[1]}")
    if len(rest) == 2:
        return (EDGES, f"{verdict} {rest[0]}: {rest[1]}")
    if len(rest) == 3 and rest[2].startswith(("attacker", "defender")):
        return (PAIRS, f"{verdict} {rest[0]}: {rest[2]}")
    return None


def _eating(event: tuple[str, ...]) -> "Goal | None":
    why, outcome, *rest = event
    if not rest:
        return (TOKENS, f"{why}: {outcome}")
    if len(rest) == 1 and rest[0] in EATING:
        return (EATERS, f"{why}: {outcome}, with {rest[0]}")
    return None


def _other(group: str, event: tuple[str, ...]) -> "Goal | None":
    """Events of traits beside what happens to a board are for guidance only."""
    from evolution.traits import TRAITS

    if group in (WOUNDS, FOOD) and event[-1] in TRAITS:
        return None
    if group == ILLEGAL and len(event) != 3:
        return None
    return (group, ": ".join(event))
