"""The guide: inputs that go after rule events that have not happened yet."""

import os
import subprocess
import sys

import pytest

from harness.programs.answering import PROGRAMS
from harness.programs.reference import watch
from harness.search.guide import Guide
from tests.evolution.tools import answer, meaning
from tests.support import model
from tests.support.helpers import ROOT

PRINT = """
import sys
from harness.search.guide import Guide
for program in sys.argv[1:]:
    guide = Guide(program, "a seed")
    for _ in range(60):
        print(*guide.next_case())
"""


def printed(hash_seed: str) -> bytes:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", PRINT, *PROGRAMS]
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True).stdout


@pytest.mark.long
def test_the_same_seed_gives_the_same_inputs_in_every_process() -> None:
    first = printed("1")
    assert first.count(b"\n") == 60 * len(PROGRAMS)
    assert printed("2") == first


def test_another_seed_gives_other_inputs() -> None:
    one, other = Guide("xstep", 1), Guide("xstep", 2)
    assert [one.next() for _ in range(5)] != [other.next() for _ in range(5)]


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_every_input_comes_with_the_answer_of_the_rules(program: str) -> None:
    guide = Guide(program, "answers")
    for _ in range(300):
        value, told = guide.next_case()
        assert meaning(getattr(model, program)(value)) == answer(program, value)
        assert watch(program, value)[0] == told


@pytest.mark.parametrize("program", PROGRAMS)
def test_guided_inputs_meet_more_rule_events_than_those_without_a_choice(program: str) -> None:
    guided, unguided = Guide(program, 0), Guide(program, 0, candidates=1, ahead=1)
    for guide in (guided, unguided):
        for _ in range(15):
            guide.next()
    assert len(guided.happened) > len(unguided.happened)
