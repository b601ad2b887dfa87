"""The result of a case: one value, and one way to JSON and back."""

import json
import marshal
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.judging.result import GRADED_SCHEMA, SCHEMA, BadResult, Result
from harness.judging.verdicts import PASS, VERDICTS, WRONG

TEXTS = st.lists(st.text(), max_size=3).map(tuple)
NUMBERS = st.none() | st.floats(0, 1e6)
COUNTS = st.none() | st.integers(0, 1 << 40)
CHANGES = st.fixed_dictionaries(
    {"path": st.lists(st.integers(0, 9) | st.text(max_size=3), max_size=3), "place": st.text()},
    optional={"expected": st.integers() | st.text(), "actual": st.none(), "of": st.just("count")},
)
RESULTS = st.builds(
    Result,
    case=st.text(),
    program=st.text(),
    verdict=st.sampled_from(VERDICTS),
    input=st.text(),
    expected=st.text(),
    exit=st.none() | st.integers(-64, 255),
    seconds=NUMBERS,
    cpu=NUMBERS,
    memory=COUNTS,
    printed=COUNTS,
    detail=st.text(),
    differences=TEXTS,
    changes=st.lists(CHANGES, max_size=2).map(tuple),
    reproduce=st.text(),
    smallest=st.none() | st.tuples(st.text(), st.text(), st.text()),
    stdout=st.text(),
    stderr=st.text(),
    explanation=TEXTS,
    transcript=TEXTS,
    run=st.none() | st.just({"paths": ["cases"]}),
    team=st.none(),
    suite=st.none(),
    unsteady=st.none(),
)
OLD = {  # as a journal of an earlier version has it
    "v": 1,
    "case": "cases/a",
    "program": "xattack",
    "verdict": PASS,
    "input": "cases/a-in.json",
    "expected": "cases/a-out.json",
    "exit": 0,
    "seconds": 0.01,
    "cpu": 0.01,
    "memory": 1,
    "printed": 5,
}
FAILED = {
    **OLD,
    "verdict": WRONG,
    "detail": "",
    "differences": ["a"],
    "reproduce": "x",
    "stdout": "",
    "stderr": "",
}


@given(RESULTS)
def test_a_result_survives_json_and_fits_the_schema(result: Result) -> None:
    record = json.loads(json.dumps(result.to_json()))
    jsonschema.validate(record, SCHEMA)
    assert Result.from_json(record) == result


@given(RESULTS)
def test_a_result_survives_the_way_from_a_worker(result: Result) -> None:
    assert Result._make(marshal.loads(marshal.dumps(tuple(result)))) == result


@given(RESULTS)
def test_so_does_a_graded_one(result: Result) -> None:
    graded = result._replace(team="a", suite="", unsteady={PASS: 1, WRONG: 2})
    record = json.loads(json.dumps(graded.to_json()))
    jsonschema.validate(record, GRADED_SCHEMA)
    assert Result.from_json(record) == graded


@pytest.mark.parametrize("record", [OLD, FAILED], ids=["passed", "failed"])
def test_what_an_earlier_version_has_written_is_read_and_written_again_alike(record: dict[str, Any]) -> None:
    assert json.dumps(Result.from_json(record).to_json()) == json.dumps(record)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"v": 2}, "v"),
        ({"case": None}, "case"),
        ({"verdict": "fine"}, "verdict"),
        ({"seconds": -1}, "seconds"),
        ({"memory": 1e19}, "memory"),
        ({"differences": ["a", 1]}, "differences"),
        ({"smallest": ["a", "b"]}, "smallest"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(change: dict[str, Any], part: str) -> None:
    with pytest.raises(BadResult) as caught:
        Result.from_json({**OLD, **change})
    assert caught.value.part == part


@pytest.mark.parametrize("record", [None, [], "a", {}])
def test_what_is_no_result_at_all_is_refused(record: object) -> None:
    with pytest.raises(BadResult):
        Result.from_json(record)


def test_a_result_cannot_be_changed() -> None:
    result = Result.from_json(FAILED)
    with pytest.raises(AttributeError):
        result.verdict = PASS  # type: ignore[misc]
    assert result._replace(verdict=PASS).verdict == PASS
