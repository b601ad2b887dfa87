"""From the JSON of an input or an answer to the scene that it describes.

Shape and ranges are checked by `evolution.wire`, whose complaints are the same as those of the programs.
"""

from evolution.choices import DECLINE, Attack, Eat, StoreFat
from evolution.picture import scene as scenes
from evolution.picture.scene import Scene
from evolution.wire import reading
from evolution.wire.errors import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.actions import Action4
    from evolution.choices import FeedingChoice, State
    from evolution.species import Species
    from evolution.table import Table

SITUATION, STATE, FEEDING, CHOICE = "situation", "state", "feeding", "choice"
CONFIGURATION, STEP4 = "configuration", "step4"
STATE_AND_CHOICE, STATE_AND_ACTION = "state and choice", "state and action"

# The program that an input looks like one of.
PROGRAM = {
    SITUATION: "xattack",
    STATE_AND_CHOICE: "xattack",
    FEEDING: "xfeed",
    STATE: "xstep",
    CONFIGURATION: "xstep",
    STEP4: "xstep4",
    STATE_AND_ACTION: "xstep4",
    CHOICE: "xsilly",
}
KEYS_OF_A_PLAYER = {"id", "species", "bag", "cards"}


def program_for(value: object) -> str:
    """The program that an input looks like one of, however much may be wrong with it."""
    kind = kind_of(value)
    if kind == STATE and type(value) is list and _is_zero(value[3]):
        return "xsilly"  # the others want tokens
    return PROGRAM[kind]


def kind_of(value: object) -> str:
    """What kind of input a value looks like, however much may be wrong with it."""
    if type(value) is not list or not value:
        return CONFIGURATION
    if _is_player(value[0]):
        return CHOICE if len(value) > 1 and type(value[1]) is list else FEEDING
    if len(value) == 2:
        if not reading.is_state(value[0]):
            return STEP4
        return STATE_AND_CHOICE if _is_choice(value[1]) else STATE_AND_ACTION
    if len(value) == 4 and type(value[0]) is not int:
        return SITUATION
    return STATE if len(value) == 5 else CONFIGURATION


def _is_player(value: object) -> bool:
    return type(value) is list and any(
        type(pair) is list and pair and type(pair[0]) is str and pair[0] in KEYS_OF_A_PLAYER for pair in value
    )


def _is_choice(value: object) -> bool:
    """Whether what stands beside a State is meant as a CarnivoreChoice: all numbers, unlike an Action4."""
    return (
        type(value) is list
        and bool(value)
        and (len(value) == 3 or not any(type(part) is list for part in value))
    )


def _is_zero(value: object) -> bool:
    return type(value) is int and value == 0


# --- the dealer's view --------------------------------------------------------------------------------


def scene(value: object) -> Scene:
    """The scene of an input of any program: all that it tells. Raises BadInput."""
    return DEALER[kind_of(value)](value)


def _state(value: list[object]) -> "State":
    """A State, which is known to be a list of 5. Some programs read and print one without tokens."""
    return reading.state(value, reading.natural if _is_zero(value[3]) else reading.natural_plus)


def _table(value: object) -> "Table":
    if type(value) is not list or len(value) != 3:
        return reading.configuration_or_state(value)  # which complains
    return reading.configuration(value)


def _state_scene(value: object) -> Scene:
    assert type(value) is list
    return scenes.of_state(_state(value))


def _attack_scene(value: object) -> Scene:
    state, choice = reading.state_and_choice(value)
    return scenes.attack(scenes.of_state(state), choice)


def _action_scene(value: object) -> Scene:
    from evolution.wire.action4 import action4

    found = reading.parts(value, 2, "[state, action]")
    shown = scenes.of_state(reading.at(0, reading.any_state, found))
    scenes.act(shown.seats[0], reading.at(1, action4, found))
    return shown


def _step4(value: object) -> "tuple[Table, list[Action4]]":
    from evolution.wire.action4 import table_and_actions

    return table_and_actions(value)


def _step4_scene(value: object) -> Scene:
    table, actions = _step4(value)
    shown = scenes.of_table(table, acting=None)
    for seat, action in zip(shown.seats, actions, strict=True):
        scenes.act(seat, action)
    return shown


def _feeding_scene(value: object) -> Scene:
    assert type(value) is list
    reading.feeding_or_state(value)  # which complains
    asking, hole, others = value
    return scenes.of_feeding(reading.player(asking), hole, [*map(reading.player, others)])


def _choice_scene(value: object) -> Scene:
    player = reading.choice_or_state(value)
    assert type(value) is list
    before, after = ([*map(reading.boards, lists)] for lists in value[1:])
    return scenes.of_choice(player, before, after)


def _situation_scene(value: object) -> Scene:
    return scenes.of_situation(*reading.situation(value))


DEALER: "dict[str, Callable[[object], Scene]]" = {
    SITUATION: _situation_scene,
    STATE: _state_scene,
    FEEDING: _feeding_scene,
    CHOICE: _choice_scene,
    CONFIGURATION: lambda value: scenes.of_table(_table(value)),
    STEP4: _step4_scene,
    STATE_AND_CHOICE: _attack_scene,
    STATE_AND_ACTION: _action_scene,
}


# --- a player's view ------------------------------------------------------------------------------------


def player_scene(value: object) -> Scene:
    """An input as its first player sees it; one that is a player's view anyway is drawn as it is."""
    kind = kind_of(value)
    if kind == CONFIGURATION:
        return scenes.of_player(_table(value))
    if kind == STEP4:
        table, actions = _step4(value)
        shown = scenes.of_player(table)
        scenes.act(shown.seats[0], actions[0])
        return shown
    shown = scene(value)
    if kind == FEEDING:
        for seat in shown.seats[1:]:
            seat.bag = seat.hand = None
    return shown


def views(value: object) -> list[tuple[str, Scene]]:
    """The dealer's view of an input and the first player's, with titles; one if both see the same."""
    dealer = scene(value)
    if kind_of(value) not in (CONFIGURATION, STEP4, FEEDING):
        return [("the table", dealer)]
    return [("the dealer's view", dealer), (f"what {dealer.seats[0].title} sees", player_scene(value))]


# --- answers --------------------------------------------------------------------------------------------


def answer_scene(value: object, answer: object) -> "Scene | None":
    """The scene of an answer to an input: a table of its own, or what is chosen on the input's.

    None for an answer that is no picture: true, false of xattack, or something that no program prints.
    """
    try:
        return _answer_scene(value, answer)
    except Malformed:
        return None


def _answer_scene(value: object, answer: object) -> "Scene | None":
    kind = kind_of(value)
    if kind in (FEEDING, STATE) and not _is_table(answer):
        choice = _feeding_choice(answer)
        if choice is not None:
            return scenes.feed(scene(value), choice)
    if kind in (CHOICE, STATE) and type(answer) is list and len(answer) == 5 and type(answer[3]) is list:
        from evolution.wire.action4 import action4

        shown = scene(value)
        scenes.act(shown.seats[shown.acting or 0], action4(answer))
        return shown
    if type(answer) is not list or not _is_table(answer):
        return None
    possible, beyond = _possible(answer)
    shown = scenes.of_state(_state(possible)) if len(answer) == 5 else scenes.of_table(_table(possible))
    for board, numbers in zip([board for seat in shown.seats for board in seat.boards], beyond, strict=True):
        if numbers:
            board.population, board.food, board.fat_food = numbers
    shown.acting = None if kind == STEP4 else shown.acting
    return shown


def _possible(answer: "list[Any]") -> "tuple[list[Any], list[tuple[int, int, int] | None]]":
    """A table on which every board can lie, and for each board what it has if that cannot be.

    A wrong answer has species that died out and stayed, or ate more than they can: that is to be seen.
    """
    beyond: list[tuple[int, int, int] | None] = []

    def board(value: "Any") -> object:
        (food_key, food), body_pair, (population_key, population), (traits_key, traits), *rest = value
        body, fat = body_pair[1], rest[0][1] if rest else 0
        numbers = (population, food, fat if "fat-tissue" in traits else 0)
        is_board = all(type(one) is int and 0 <= one <= reading.MOST_NAT for one in (*numbers, body, fat))
        is_possible = not is_board or (population and food <= population and fat <= body)
        beyond.append(None if is_possible else numbers)
        if is_possible:
            return value
        return [[food_key, 0], body_pair, [population_key, 1], [traits_key, traits]]

    def player(value: "Any") -> object:
        name, (key, boards), *rest = value
        return [name, [key, [*map(board, boards)]], *rest]

    try:
        if len(answer) == 5:
            own, others = [*map(board, answer[1])], [[*map(board, boards)] for boards in answer[4]]
            return [answer[0], own, *answer[2:4], others], beyond
        return [[*map(player, answer[0])], *answer[1:]], beyond
    except (LookupError, TypeError, ValueError):
        raise Malformed("this is no table") from None


def _is_table(answer: object) -> bool:
    """Whether an answer looks like a Configuration or a State, rather than a choice of numbers."""
    return type(answer) is list and any(type(part) is list for part in answer)


def _feeding_choice(answer: object) -> "FeedingChoice | None":
    if answer is False:
        return DECLINE
    if type(answer) is int and answer >= 0:
        return Eat(answer)
    if type(answer) is not list or len(answer) not in (2, 3):
        return None
    numbers = reading.list_of(reading.natural, answer, "numbers")
    return StoreFat(*numbers) if len(numbers) == 2 else Attack(*numbers)


# --- for pages ------------------------------------------------------------------------------------------


def board_as_json(board: "Species") -> list[object]:
    """A board as the script of a page draws it."""
    return [board.population, board.food, board.body, board.fat_food, [*board.traits]]


def scene_as_json(shown: Scene) -> dict[str, object]:
    """The scene as the script of a page draws it; numbers that are too long for a script are texts."""
    return {
        "seats": [
            {
                "title": seat.title,
                "boards": [*map(board_as_json, seat.boards)],
                "bag": None if seat.bag is None else scenes.number(seat.bag),
                "hand": seat.hand,
                "names": seat.names,
                "roles": {str(at): role for at, role in seat.roles.items() if at < len(seat.boards)},
                "notes": seat.notes,
            }
            for seat in shown.seats
        ],
        "hole": None if shown.hole is None else scenes.number(shown.hole),
        "deck": shown.deck,
        "acting": shown.acting,
    }
