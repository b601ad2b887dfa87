"""The layout of values for readers is the one of test-fixtures/."""

import json
from pathlib import Path

import pytest

from harness.fixtures.layout import compact, readable
from tests.helpers import ROOT

FILES = [
    path
    for program in ("xattack", "xfeed", "xstep", "xstep4", "xsilly")
    for path in sorted((ROOT / "test-fixtures").rglob(f"{program}/*.json"))
    if path.read_text().strip()
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_every_fixture_is_laid_out_as_readable_does_it(path: Path) -> None:
    text = path.read_text()
    assert readable(json.loads(text)) == text


@pytest.mark.parametrize(
    "value",
    [None, True, 0, "horns", [], [[]], {}, {"a": [1, {"b": "ü"}]}, [1, [2, []]], [["id", 1]], [["food", 1]]],
    ids=compact,
)
def test_any_value_can_be_laid_out(value: object) -> None:
    assert json.loads(readable(value)) == value
    assert readable(value).endswith("\n")
