"""The seeded generators of well-formed inputs, by the names that the tests use.

Each takes a random.Random and returns a JSON value as json.loads would give it.
"""

from harness.inputs.actions import state_and_action, step4
from harness.inputs.boards import make_species, situation
from harness.inputs.tables import (
    choice,
    configuration,
    feeding,
    make_player,
    state,
    state_and_choice,
    state_with_hand,
)

__all__ = [
    "choice",
    "configuration",
    "feeding",
    "make_player",
    "make_species",
    "situation",
    "state",
    "state_and_action",
    "state_and_choice",
    "state_with_hand",
    "step4",
]
