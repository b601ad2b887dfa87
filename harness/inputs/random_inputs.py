"""Random inputs by program: which of the kinds that a program takes, and how often."""

from random import Random

from harness.inputs.actions import step4
from harness.inputs.boards import situation
from harness.inputs.chance import chance
from harness.inputs.kinds import (
    CHOICE,
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE,
    STEP4,
    takes_states,
    usual_kind,
)
from harness.inputs.tables import choice, configuration, feeding, state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.inputs.chance import Json

STATES = 0.25  # how many of the inputs that may be a State are one
MAKERS: "dict[str, Callable[[Random], Json]]" = {
    SITUATION: situation,
    FEEDING: feeding,
    STATE: state,
    CONFIGURATION: configuration,
    STEP4: step4,
    CHOICE: choice,
}


def random_input(program: str, rng: Random) -> "Json":
    """A well-formed input of a program, dense in what makes implementations of the rules differ."""
    kind = STATE if takes_states(program) and chance(rng, STATES) else usual_kind(program)
    return MAKERS[kind](rng)
