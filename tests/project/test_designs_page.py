"""docs/designs.md: every row of it names tests, and they exist."""

import re

import pytest

from tests.games.test_designs import EVERYTHING
from tests.support.helpers import ROOT

PAGE = (ROOT / "docs" / "designs.md").read_text(encoding="utf-8")
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
HEADS = {"the document says", "---"}


def rows() -> list[list[str]]:
    """The cells of every row that is neither a heading nor the line below one."""
    lines = [line for line in PAGE.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0] not in HEADS]


def test_every_row_says_how_it_is_served_and_names_a_test_that_exists() -> None:
    defined: dict[str, set[str]] = {}
    for row in rows():
        assert len(row) == 3, row
        says, here, shown_by = row
        assert says
        assert here
        tests = TEST.findall(shown_by)
        assert [f"`{file}::{name}`" for file, name in tests] == shown_by.split("<br>"), says
        for file, name in tests:
            if file not in defined:
                text = (ROOT / file).read_text(encoding="utf-8")
                defined[file] = set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))
            assert name in defined[file], f"{says}: {file} has no {name}"


def test_no_row_stands_there_twice_and_all_five_documents_have_theirs() -> None:
    sections = PAGE.split("\n## ")[1:]
    assert [section[:8] for section in sections] == [f"Design {number}" for number in range(1, 6)]
    for section in sections:
        assert section.count("\n| ") > 30
    for part in PAGE.split("\n### ")[1:]:
        lines = [line for line in part.splitlines() if line.startswith("| ") and "its arguments" not in line]
        assert len(set(lines)) == len(lines)


@pytest.mark.parametrize("design", EVERYTHING)
def test_every_request_and_action_of_an_interface_has_its_row(design: str) -> None:
    told = " ".join(" ".join(row[:2]) for row in rows()).replace('("', "").replace('", "', " ")
    for name in EVERYTHING[design]:
        assert name in told, name
