"""Random inputs by program: which of the kinds that a program takes, and how often."""

from random import Random

from harness.inputs.actions import state_and_action, step4
from harness.inputs.boards import situation
from harness.inputs.chance import chance
from harness.inputs.kinds import (
    CHOICE,
    CONFIGURATION,
    FEEDING,
    SITUATION,
    STATE,
    STATE_AND_ACTION,
    STATE_AND_CHOICE,
    STATE_WITH_HAND,
    STEP4,
    kind_with_state,
    usual_kind,
)
from harness.inputs.tables import (
    choice,
    configuration,
    feeding,
    state,
    state_and_choice,
    state_with_hand,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.inputs.chance import Json

STATES = 0.25  # how many of the inputs that may have a State in them do
MAKERS: "dict[str, Callable[[Random], Json]]" = {
    SITUATION: situation,
    FEEDING: feeding,
    STATE: state,
    CONFIGURATION: configuration,
    STEP4: step4,
    CHOICE: choice,
    STATE_AND_CHOICE: state_and_choice,
    STATE_AND_ACTION: state_and_action,
    STATE_WITH_HAND: state_with_hand,
}


def random_input(program: str, rng: Random) -> "Json":
    """A well-formed input of a program, dense in what makes implementations of the rules differ."""
    with_state = kind_with_state(program)
    return MAKERS[with_state if with_state and chance(rng, STATES) else usual_kind(program)](rng)
