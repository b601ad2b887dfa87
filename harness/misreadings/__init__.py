"""The library of misreadings: wrong implementations of the rules, each right but for one thing.

A fixture directory is as good as the misreadings that it catches (`harness.authoring.scoring`), and a
program that answers like one of them has most likely misread that rule.

There is one module for each part of docs/rules.md: things (1), attacks (2), eating (3), feeding_step (4),
exchanges (5.2 to 5.5), step4 (5.6 to 5.12), silly_feeding (7.1), silly_choosing (7.2). The page tells the
section of each trait. A misreading is in the module whose section it misses: as a decorated function, whose
name and docstring are those of the misreading, or as a row of a table. It replaces one of the engine's
`extension_points`; `decorators` has the usual ways to do so. Which programs show it is known from its
smallest cases, which `python -m tests.smallest_cases NAME` finds and keeps.
"""

from harness.misreadings import (  # noqa: F401 (they fill the library)
    attacks,
    eating,
    exchanges,
    feeding_step,
    silly_choosing,
    silly_feeding,
    step4,
    things,
)
from harness.misreadings.planting import (
    ADDED,
    Misreading,
    answer,
    planted,
    right_answer,
    same_answer,
    shows,
    smallest_cases,
)
from harness.shipped.pages import rule_order

__all__ = [
    "LIBRARY",
    "Misreading",
    "answer",
    "planted",
    "right_answer",
    "same_answer",
    "shows",
    "smallest_cases",
]


LIBRARY = {one.name: one for one in sorted(ADDED.values(), key=lambda one: rule_order(one.rule))}
