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

# What reads an input whose usual kind this is; where a State may stand instead, that too.
READERS: "dict[str, Callable[[object], object]]" = {
    SITUATION: reading.situation,
    FEEDING: reading.feeding_or_state,
    CONFIGURATION: reading.configuration_or_state,
    STEP4: action4.configuration_and_step4,
    CHOICE: reading.choice,
}


def usual_kind(program: str) -> str:
    """The kind that most inputs of a program have."""
    return PROGRAMS[program].kinds[0]


def takes_states(program: str) -> bool:
    """Whether an input of the program may be a State instead."""
    return STATE in PROGRAMS[program].kinds


def kind_of(program: str, value: object) -> str:
    """The kind of an input of a program."""
    return STATE if takes_states(program) and reading.is_state(value) else usual_kind(program)


def is_well_formed(program: str, value: object) -> bool:
    """Whether this is an input that the program takes, be it legal or not."""
    try:
        READERS[usual_kind(program)](value)
    except BadInput:
        return False
    return True
