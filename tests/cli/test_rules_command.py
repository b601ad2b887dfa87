"""`harness rules`: every number that something refers to can be looked up."""

import ast
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from harness.explain.programs import explain
from harness.misreadings import LIBRARY, shows
from harness.shipped.pages import pages, rule_sections
from tests.support.helpers import ROOT, Outcome, run

NUMBER = r"\d+(?:\.\d+)?"
CITED = re.compile(rf"\brules ({NUMBER}(?:(?:, | and | to ){NUMBER})*)")
ALONE = re.compile(r"[1-9]\.\d+")  # the number of a rule that is put into a message elsewhere


def harness(*arguments: str) -> Outcome:
    return run("harness", *arguments)


def texts_of(source: Path) -> Iterator[str]:
    """All texts of a Python file, those that are part of a larger one included."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def numbers_in(text: str) -> set[str]:
    return {number for cited in CITED.findall(text) for number in re.findall(NUMBER, cited)}


def cited_in_sources() -> set[str]:
    """The numbers of all rules that messages, explanations and help refer to."""
    found = {chaff.rule for chaff in LIBRARY.values()}
    for folder in ("evolution", "harness"):
        for source in (ROOT / folder).rglob("*.py"):
            for text in texts_of(source):
                found |= numbers_in(" ".join(text.split()))
                found |= {text} if ALONE.fullmatch(text) else set()
    return found


def cited_in_pages() -> set[str]:
    found: set[str] = set()
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "test-fixtures" / "README.md"):
        found |= numbers_in(" ".join(page.read_text(encoding="utf-8").split()))
    return found


def in_order(numbers: set[str]) -> list[str]:
    return sorted(numbers, key=lambda number: [int(part) for part in number.split(".")])


@pytest.mark.parametrize("cited", [cited_in_sources, cited_in_pages])
def test_every_number_that_is_cited_is_printed(cited: Callable[[], set[str]]) -> None:
    numbers = in_order(cited())
    assert {"2.3", "3.4", "7.1"} <= set(numbers)
    told = harness("rules", *numbers)
    assert (told.status, told.err) == (0, b"")
    lines = told.out.decode().split("\n")
    for number in numbers:
        heading = f"{number} {rule_sections()[number].title}"
        assert lines[lines.index(heading) + 1] == ""
        assert lines[lines.index(heading) + 2]


def test_a_subsection_is_printed_alone_and_a_section_with_its_subsections() -> None:
    alone = harness("rules", "2.4").out.decode()
    assert alone.startswith("2.4 Herding\n\nA defender with herding is safe from attackers whose population")
    assert "2.3 " not in alone
    assert "2.5 " not in alone
    whole = harness("rules", "2").out.decode()
    assert whole.startswith("2 Who can attack whom\n\n2.1 How to decide\n")
    assert "\n\n2.10 Own boards, and the attacker as a neighbour\n" in whole
    assert "\n3 Eating\n" not in whole


def test_without_a_number_all_rules_are_printed() -> None:
    told = harness("rules").out.decode()
    for section in rule_sections().values():
        assert f"\n{section.number} {section.title}\n" in told


def test_what_is_printed_is_text_and_no_markdown() -> None:
    told = harness("rules").out.decode()
    assert "|" not in told
    assert "**" not in told
    assert "](" not in told
    assert not re.search(r"^#", told, re.MULTILINE)
    assert not re.search(r"[ \t]$", told, re.MULTILINE)
    assert max(map(len, told.split("\n"))) <= 100


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("2.33", "the rules have no section '2.33'; did you mean 2.3 (Hard shell)"),
        ("herding", "the rules have no section 'herding'; did you mean 2.4 (Herding)?"),
        ("hard-shell", "did you mean 2.3 (Hard shell)?"),
        ("9", "the rules have no section '9'; there are sections 1 to 8; harness rules prints them all."),
        ("", "the rules have no section ''"),
    ],
)
def test_an_unknown_section_is_wrong_use_that_is_told_which_may_be_meant(typed: str, said: str) -> None:
    told = harness("rules", typed)
    assert (told.status, told.out) == (2, b"")
    assert said in told.err.decode()


def test_nothing_is_printed_if_one_of_several_is_unknown() -> None:
    told = harness("rules", "2.3", "2.77")
    assert (told.status, told.out) == (2, b"")


# --- the pages of the documentation --------------------------------------------------------------


def test_every_page_that_help_or_a_message_refers_to_can_be_read() -> None:
    cited = {
        page
        for source in (ROOT / "harness").rglob("*.py")
        for text in texts_of(source)
        for page in re.findall(r"docs/[a-z-]+\.md", text)
    }
    assert {"docs/formats.md", "docs/rules.md", "docs/running.md"} <= cited
    assert cited <= set(pages())


def test_help_prints_a_page_and_lists_them_all() -> None:
    told = harness("help", "docs/formats.md")
    assert (told.status, told.out.decode().split("\n")[0]) == (0, "The formats")
    assert "    $ echo '[1] [2]' | bin/xattack\n" in told.out.decode()  # code is as it was
    listed = " ".join(harness("help").out.decode().split())
    assert ", ".join(pages()) in listed


def test_a_page_that_is_not_there_is_wrong_use() -> None:
    told = harness("help", "docs/format.md")
    assert (told.status, told.out) == (2, b"")
    assert "did you mean docs/formats.md?" in told.err.decode()


def test_beside_the_sentences_of_a_section_stand_cases_that_rest_on_it() -> None:
    beside = {
        number: re.findall(r"\[([a-z0-9/-]+)\]\(\.\./test-fixtures/\1-in\.json\)", section.text)
        for number, section in rule_sections().items()
        if "." in number
    }
    # No program is asked for the end of a turn alone.
    assert {one.rule for one in LIBRARY.values()} - {number for number in beside if beside[number]} == {
        "5.12"
    }
    for number, name in ((number, name) for number, names in beside.items() for name in names):
        program = Path(name).parent.name
        value = json.loads((ROOT / "test-fixtures" / f"{name}-in.json").read_text())
        rules = explain(program, value).rules
        missed = (one for one in LIBRARY.values() if one.rule == number and program in one.programs)
        rests = number in rules or any(shows(one, program, value) for one in missed)
        assert rests or number.startswith("1."), (number, name)  # things are in every case
