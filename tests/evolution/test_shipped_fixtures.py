"""Every case of test-fixtures/ that concerns the rules, run in process."""

import json
from pathlib import Path

import pytest

from tests.evolution.tools import answer, meaning
from tests.support import model
from tests.support.model import NOTHING

FIXTURES = Path(__file__).parents[2] / "test-fixtures"
INPUTS = sorted(
    path
    for program in ("xattack", "xfeed", "xstep", "xstep4", "xsilly")
    for path in FIXTURES.rglob(f"{program}/*-in.json")
)


@pytest.mark.parametrize(
    "path", INPUTS, ids=lambda path: str(path.relative_to(FIXTURES)).removesuffix("-in.json")
)
def test_a_fixture_is_answered_as_it_says(path: Path) -> None:
    expected = path.with_name(path.name.replace("-in.json", "-out.json")).read_text()
    found = answer(path.parent.name, json.loads(path.read_text()))
    assert found == (meaning(json.loads(expected)) if expected.strip() else NOTHING)


@pytest.mark.parametrize("program", ["xattack", "xfeed", "xstep", "xstep4", "xsilly"])
def test_the_model_agrees_with_every_fixture(program: str) -> None:
    for path in FIXTURES.rglob(f"{program}/*-in.json"):
        expected = path.with_name(path.name.replace("-in.json", "-out.json")).read_text()
        found = getattr(model, program)(json.loads(path.read_text()))
        if found is NOTHING:
            assert expected == "", path
        else:
            assert meaning(found) == meaning(json.loads(expected)), path
