"""What the programs make of values that are wrong, asked in this process: the place is always to blame."""

import re
from collections.abc import Iterator

import pytest

from tests.support.grammar import (
    INSTEAD,
    INSTEAD_OF_NUMBERS,
    OF_A_LIST,
    all_changes,
    rearranged,
    replaced,
    verdict,
    with_a_number_replaced,
    wrong_places,
)
from tests.support.helpers import SAMPLES, json_bytes, json_text


def test_the_grammar_of_these_tests_takes_the_samples() -> None:
    for program, value in SAMPLES.values():
        assert wrong_places(program, json_text(value)) == set()


def disagreement(program: str, text: str) -> str | None:
    """What is wrong with the program's verdict on this text, if anything is."""
    _, error = verdict(program, text.encode())
    wrong = wrong_places(program, text)
    if error is None:
        return f"accepted, but wrong at {wrong}: {text}" if wrong else None
    found = re.fullmatch(rf"{program}: (input|(?:\[\d+\])+): \S.*", error)
    if found is None:
        return f"not one line with a place: {error!r}"
    if not wrong and program in ("xattack", "xstep4"):
        return None if found[1].startswith("[1]") else f"not the place of an action: {error}"
    return None if found[1] in wrong else f"{error}, but wrong at {wrong or 'no place'}: {text}"


def disagreements(program: str, texts: Iterator[str]) -> list[str]:
    return [problem for text in texts if (problem := disagreement(program, text))]


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.every(2, "new")
@pytest.mark.parametrize("new", INSTEAD)
def test_a_part_replaced_by_something_else_is_refused_at_its_place(kind: str, new: str) -> None:
    program, value = SAMPLES[kind]
    assert disagreements(program, replaced(value, INSTEAD[new])) == []


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.every(2, "new")
@pytest.mark.parametrize("new", INSTEAD_OF_NUMBERS)
def test_a_number_replaced_by_one_out_of_its_range_is_refused_at_its_place(kind: str, new: str) -> None:
    program, value = SAMPLES[kind]
    assert disagreements(program, with_a_number_replaced(value, INSTEAD_OF_NUMBERS[new])) == []


@pytest.mark.parametrize("kind", SAMPLES)
@pytest.mark.parametrize("change", OF_A_LIST)
def test_a_list_of_other_parts_is_refused_at_its_place(kind: str, change: str) -> None:
    program, value = SAMPLES[kind]
    assert disagreements(program, rearranged(value, OF_A_LIST[change])) == []


@pytest.mark.every(3, "kind")
@pytest.mark.parametrize("kind", SAMPLES)
def test_most_of_these_changes_are_refused_and_some_are_not(kind: str) -> None:
    texts = all_changes(kind)
    refused = sum(verdict(SAMPLES[kind].program, text.encode()).error is not None for text in texts)
    assert 0.6 * len(texts) < refused < len(texts)


@pytest.mark.parametrize("kind", SAMPLES)
def test_a_value_that_is_cut_off_anywhere_is_not_json(kind: str) -> None:
    program, value = SAMPLES[kind]
    text = json_bytes(value)
    for size in range(1, len(text)):
        error = verdict(program, text[:size]).error
        assert error is not None
        found = re.fullmatch(
            rf"{program}: not JSON at byte (\d+)(?: \(line \d+, column \d+\))?: [ -~]+", error
        )
        assert found, error
        assert int(found[1]) <= size
