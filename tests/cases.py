"""The seeded generators of well-formed inputs, by the names that the tests use.

Each takes a random.Random and returns a JSON value as json.loads would give it.
"""

from harness.cases.actions import step4
from harness.cases.boards import make_species, situation
from harness.cases.tables import choice, configuration, feeding, make_player, state

__all__ = ["choice", "configuration", "feeding", "make_player", "make_species", "situation", "state", "step4"]
