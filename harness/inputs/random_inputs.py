"""Random inputs by program: which of the shapes that a program takes, and how often."""

from random import Random

from harness.inputs.chance import chance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.inputs.chance import Json

STATES = 0.25  # how many of the inputs that may be a State are one


def random_input(program: str, rng: Random) -> "Json":
    """A well-formed input of a program, dense in what makes implementations of the rules differ."""
    return RANDOM[program](rng)


def _situation(rng: Random) -> "Json":
    from harness.inputs.boards import situation

    return situation(rng)


def _feeding_or_state(rng: Random) -> "Json":
    from harness.inputs.tables import feeding, state

    return state(rng) if chance(rng, STATES) else feeding(rng)


def _configuration_or_state(rng: Random) -> "Json":
    from harness.inputs.tables import configuration, state

    return state(rng) if chance(rng, STATES) else configuration(rng)


def _step4(rng: Random) -> "Json":
    from harness.inputs.actions import step4

    return step4(rng)


def _choice(rng: Random) -> "Json":
    from harness.inputs.tables import choice

    return choice(rng)


RANDOM: "dict[str, Callable[[Random], Json]]" = {
    "xattack": _situation,
    "xfeed": _feeding_or_state,
    "xstep": _configuration_or_state,
    "xstep4": _step4,
    "xsilly": _choice,
}
