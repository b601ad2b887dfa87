"""What is known to be reachable, and what can never be, with the reasons."""

from importlib.resources import files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.events.branches import Branch
    from harness.events.goals import Goal

    Json = Any

NOT_SAID = "an input always says it"
NEVER_EMPTY = "there is always something to loop over"
NO_CHEATER = "a Silly player never chooses what it may not"
ASKED = "who is asked has something to choose"
HUNTERS = "only carnivores are looked at"
REFUSED = "the format refuses a new board without cards"

NEVER: "dict[Branch, str]" = {
    ("species.Species.__init__", "traits is None", "true"): NOT_SAID,
    ("table.Player.__init__", "hand is None", "true"): NOT_SAID,
    ("table.Table.__init__", "deck is None", "true"): NOT_SAID,
    ("attack.obstacles", "(left, right)", "none"): NEVER_EMPTY,
    ("attack.obstacles", '"carnivore" in attacker.traits', "false"): HUNTERS,
    ("attack.targets", "defender is not attacker", "false"): "a Silly player never looks at its own boards",
    ("attack.targets", "enumerate(boards)", "none"): "a board that is named lies in a row",
    ("traits.cooperation", "range(tokens)", "none"): "who passes on has eaten",
    ("table.Table.feeding", "Trait.any_hears_others", "true"): "no trait of the rules hears what others eat",
    ("table.Table.feeding", "food_eaten(board, eaten, board, self, player)", "false"): (
        "of the sixteen traits, the one that reacts to eating says who is to be fed"
    ),
    ("feeding.attack", "table.from_player(player)", "none"): NEVER_EMPTY,
    ("feeding._attacks", "enumerate(rows)", "none"): NEVER_EMPTY,
    ("feeding.feeding_step", "feeder.feed_next(state)", "false"): ASKED,
    ("feeding.check_choice", "not 1 <= choice.tokens <= need", "true"): NO_CHEATER,
    ("feeding.check_choice", "not hungry(board)", "true"): NO_CHEATER,
    ("feeding.check_choice", "is_carnivore(board)", "true"): NO_CHEATER,
    ("feeding._check_attack", "theirs[choice.target] is attacker", "true"): NO_CHEATER,
    ("feeding._check_attack", "choice.target not in targets(attacker, theirs)", "true"): NO_CHEATER,
    ("feeding._must_exist", "not 0 <= at < count", "true"): NO_CHEATER,
    ("silly.feed", "hungry_carnivores(state)", "false"): ASKED,
    (
        "silly.attack",
        "sorted(hungry_carnivores(state), key=lambda at: size(boards[at]), reverse=True)",
        "none",
    ): ASKED,
    ("actions.Action4.__init__", "new_boards", "false"): "the Silly player always buys a board",
    ("actions.Action4.cards", "enumerate(cards)", "none"): REFUSED,
    ("actions.exchanged", "not 1 <= len(cards) <= 4", "true"): REFUSED,
    ("actions.used_cards", "action.cards()", "none"): NEVER_EMPTY,
    ("turn.step4", "enumerate(zip(acting, actions, strict=True))", "none"): NEVER_EMPTY,
    ("turn.food_revealed", "TRAITS.items()", "none"): NEVER_EMPTY,
    ("turn.food_revealed", "table.players", "none"): NEVER_EMPTY,
}


# Goals that one would expect beside the known ones, and why there are none. An asterisk stands for any words.
NO_CARNIVORE = "not blocked by not a carnivore: *"
CANNOT: "dict[str, str]" = {
    NO_CARNIVORE: "who is no carnivore is always blocked (rules 2.2)",
    "blocked only by not a carnivore: attacker with carnivore": "it is one",
    "blocked only by climbing: attacker with climbing": "a climber reaches climbers (rules 2.6)",
    "blocked only by warning-call: attacker with ambush": "an ambush is not heard (rules 2.8)",
    "not blocked by hard-shell: a pack, idle, with a difference of 4": "a pack adds at least 1 (rules 2.3)",
    "not blocked by hard-shell: a difference of 3": "3 is not enough (rules 2.3)",
    "blocked only by hard-shell: a difference of 4": "4 is enough (rules 2.3)",
    "not blocked by herding: as many attackers": "they must be more (rules 2.4)",
    "blocked only by burrowing: nearly full": "only who is full is under the ground (rules 2.5)",
    "blocked only by symbiosis: a friend as large on the right": "it must be larger (rules 2.7)",
}
# The same for all inputs but a Situation, which may ask about any board.
CANNOT_AT_A_TABLE = {"blocked only by not a carnivore: *": "only carnivores look for prey (rules 4.1)"}


def cannot(form: str) -> dict[str, str]:
    """What no input of this form can reach, with the reasons, among the goals of an attack."""
    if form == "choice":
        return {}
    return CANNOT if form == "situation" else {**CANNOT, **CANNOT_AT_A_TABLE}


def known_goals(program: str) -> "dict[Goal, Json]":
    """The goals of a program that have been reached once; of rare ones an input that does, else None."""
    import orjson

    known = orjson.loads(files("harness.events").joinpath("known.json").read_bytes())
    found = known.get(program, {})  # a new program has none until they are searched for
    return {(group, words): witness for group, goals in found.items() for words, witness in goals.items()}
