"""docs/harness.md has every command and every option; what it shows is run with the other pages."""

import click
import pytest

from harness.cli.group import COMMANDS, harness
from tests.harness_page import EXAMPLES, PAGE
from tests.support.helpers import ROOT

TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_its_section_with_all_its_options(name: str) -> None:
    start = TEXT.index(f"\n## harness {name}\n")
    end = TEXT.find("\n## harness ", start + 1)
    part = TEXT[start : end if end > 0 else None]
    assert f"$ bin/harness {name} --help\n" in part
    command = harness.get_command(click.Context(harness), name)
    assert command is not None
    for parameter in command.params:
        for option in (*parameter.opts, *parameter.secondary_opts):
            assert not option.startswith("-") or f" {option}" in part, f"{option} is not documented"


def test_the_page_has_no_section_of_a_command_that_is_not_there() -> None:
    sections = [line.removeprefix("## harness ") for line in TEXT.splitlines() if line.startswith("## ")]
    assert sections == list(COMMANDS)


def test_every_command_has_an_example_or_runs_for_ever() -> None:
    assert [name for name in COMMANDS if not EXAMPLES.get(name)] == ["watch"]
