"""The programs against an independent model of the rules, on seeded cases.

MODEL_CASES says how many cases there are for each program and generator.
"""

import os
from collections.abc import Callable
from random import Random

import pytest

from tests.evolution.tools import Json, answer, meaning
from tests.support import cases, model

CASES = int(os.environ.get("MODEL_CASES", "2000"))
A_FEW = 400


@pytest.mark.parametrize(
    "seeds", [range(A_FEW), pytest.param(range(A_FEW, CASES), marks=pytest.mark.long)], ids=["few", "many"]
)
@pytest.mark.parametrize(
    ("program", "generator"),
    [
        (model.xattack, cases.situation),
        (model.xattack, cases.state_and_choice),
        (model.xfeed, cases.feeding),
        (model.xfeed, cases.state),
        (model.xstep, cases.configuration),
        (model.xstep, cases.state),
        (model.xstep4, cases.step4),
        (model.xstep4, cases.state_and_action),
        (model.xsilly, cases.choice),
        (model.xsilly, cases.state_with_hand),
    ],
    ids=lambda part: part.__name__,
)
def test_a_program_answers_as_the_model_does(
    program: Callable[[Json], Json], generator: Callable[[Random], Json], seeds: range
) -> None:
    for seed in seeds:
        value = generator(Random(seed))
        assert answer(program.__name__, value) == meaning(program(value)), f"seed {seed}"
