"""Tables with many boards of few kinds: the answers are the model's, however the work is saved."""

import json
from random import Random

import pytest

from harness.programs.answering import PROGRAMS
from tests.support import model
from tests.support.helpers import Json, player, species
from tests.support.model import TRAITS


def kind(rng: Random) -> Json:
    population = rng.randint(1, 4)
    traits = rng.sample(TRAITS, rng.randint(0, 3))
    if rng.random() < 0.6 and "carnivore" not in traits:
        traits = ["carnivore", *traits[:2]]
    return species(rng.randint(0, population), rng.randint(0, 4), population, traits)


def table(seed: int) -> Json:
    """A table in which many boards look alike, and many carnivores have nobody to attack."""
    rng = Random(seed)
    kinds = [kind(rng) for _ in range(rng.randint(1, 4))]
    rows = [[rng.choice(kinds) for _ in range(rng.randint(0, 12))] for _ in range(rng.randint(1, 4))]
    players = [player(row, hand=[[2, "horns"]], number=at) for at, row in enumerate(rows, 1)]
    return [players, rng.randint(0, 60), [[1, "climbing"]] * rng.randint(0, 3)]


@pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 5000), marks=pytest.mark.long)])
def test_a_table_of_boards_that_look_alike_is_fed_by_the_rules(seeds: range) -> None:
    xstep, xstep4 = PROGRAMS["xstep"](), PROGRAMS["xstep4"]()
    for seed in seeds:
        there = table(seed)
        assert json.loads(xstep(there) or "") == model.xstep(there), seed
        step4 = [there, [[0, [], [], [], []]] * len(there[0])]
        assert json.loads(xstep4(step4) or "") == model.xstep4(step4), seed
