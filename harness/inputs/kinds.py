"""The kinds of input that programs take: which one a value has, and what reads it.

A program's row in `harness.programs.answering` names its kinds, the usual one first. What is made at random
(`random_inputs`), changed (`mutation`) or taken apart (`scene`) depends on the kind only.
"""

from evolution.wire import action4, reading
from evolution.wire.errors import BadInput
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SITUATION = "situation"
FEEDING = "feeding"
STATE = "state"
CONFIGURATION = "configuration"
STEP4 = "step4"
CHOICE = "choice"
# What programs take instead of their usual kind: a State, perhaps with what its owner does there.
STATE_AND_CHOICE = "state and choice"
STATE_AND_ACTION = "state and action"
STATE_WITH_HAND = "state with a hand"
STATES = (STATE, STATE_AND_CHOICE, STATE_AND_ACTION, STATE_WITH_HAND)
WITH_ACTIONS = (STEP4, STATE_AND_ACTION)

# What reads an input whose usual kind this is; where a State may stand instead, that too.
READERS: "dict[str, Callable[[object], object]]" = {
    SITUATION: lambda value: (reading.state_and_choice if has_state(value) else reading.situation)(value),
    FEEDING: reading.feeding_or_state,
    CONFIGURATION: reading.configuration_or_state,
    STEP4: action4.table_and_actions,
    CHOICE: reading.choice_or_state,
}


def usual_kind(program: str) -> str:
    """The kind that most inputs of a program have."""
    return PROGRAMS[program].kinds[0]


def kind_with_state(program: str) -> str:
    """The kind of a program's inputs that have a State in them; empty if it takes none."""
    last = PROGRAMS[program].kinds[-1]
    return last if last in STATES else ""


def kind_of(program: str, value: object) -> str:
    """The kind of an input of a program."""
    return (has_state(value) and kind_with_state(program)) or usual_kind(program)


def has_state(value: object) -> bool:
    """Whether an input is a State, or begins with one."""
    if type(value) is list and len(value) == 2:
        value = value[0]
    return type(value) is list and len(value) == 5


def is_well_formed(program: str, value: object) -> bool:
    """Whether this is an input that the program takes, be it legal or not."""
    try:
        READERS[usual_kind(program)](value)
    except BadInput:
        return False
    return True
