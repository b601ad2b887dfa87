"""What could be anything in a smallest case: tried with misreadings in this process, and by the commands."""

import json
from pathlib import Path
from typing import Any

import pytest

from harness.inputs.kinds import is_well_formed
from harness.misreadings import LIBRARY, shows, smallest_cases
from harness.search.boundaries import RIGHT, SAME, UNKNOWN, Range, boundaries, lines, recorded
from tests.support.grading_helpers import harness
from tests.support.helpers import ROOT
from tests.support.keeper import write_program

Json = Any


class Asked:
    """A program with a misreading, and how many questions it was asked, each of them well-formed."""

    def __init__(self, name: str, program: str) -> None:
        self.program, self.count = program, 0
        self.misreading = LIBRARY[name]

    def __call__(self, values: list[Json]) -> list[str]:
        self.count += len(values)
        assert all(is_well_formed(self.program, value) for value in values)
        return [SAME if shows(self.misreading, self.program, value) else RIGHT for value in values]


def ranges(name: str, program: str, most: int = 60) -> dict[str, Range]:
    asked = Asked(name, program)
    found = boundaries(program, smallest_cases()[name][program], asked, most=most)
    assert 0 < asked.count <= most
    return {one.part: one for one in found}


def test_a_range_ends_where_the_rule_has_its_boundary() -> None:
    found = ranges("hard-shell-is-ignored", "xattack")
    body = found["the attacker's body"]
    assert (body.least, body.most, body.above) == (0, 3, (4, RIGHT))
    assert body.sentence == "the attacker's body: any from 0 to 3; with 4 the program is right"
    assert found["the defender's body"].sentence == "the defender's body: any from 0 to 7"
    assert found["the left neighbour"].sentence == "the left neighbour: none, or a plain board"


def test_players_and_tokens_that_do_not_matter_are_told_so() -> None:
    found = ranges("herding-gives-way-to-equals", "xfeed")
    assert found["the number of players"].sentence == "the number of players: any from 2 to 8"
    tokens = found["tokens in the watering hole"].sentence
    assert tokens == "tokens in the watering hole: any from 1 on (tried: 2, 3, 4, 11)"
    assert found["every bag"].sentence == "every bag: any from 0 on (tried: 1, 10)"
    assert "every bag" not in ranges("bags-of-others-are-lost", "xstep")
    told = recorded([*found.values()])
    assert "player 1, board 0, population" in told["must_be"]
    assert lines(told)[-1].startswith("must be as it is: player 0, board 0, population; ")


def test_values_of_cards_have_boundaries_too() -> None:
    found = ranges("the-hole-is-clamped-once", "xstep4")
    assert found["the value of player 0's card 0"].below is None
    assert found["the value of player 0's card 0"].above == (0, RIGHT)
    assert found["the number of players"].most == 8


def test_what_was_not_tried_is_not_told_as_known() -> None:
    body = ranges("hard-shell-is-ignored", "xattack", most=12)["the attacker's body"]
    assert body.above is not None
    assert body.above[1] == UNKNOWN
    assert body.sentence == f"the attacker's body: at least from 0 to {body.most}"


def test_nothing_is_asked_when_the_time_is_over() -> None:
    asked = Asked("hard-shell-is-ignored", "xattack")
    value = smallest_cases()["hard-shell-is-ignored"]["xattack"]
    found = boundaries("xattack", value, asked, until=0.0)
    assert asked.count == 0
    assert not any(one.is_free for one in found)
    assert lines(recorded(found)) == []


def test_the_ranges_do_not_depend_on_how_many_are_asked_at_once() -> None:
    asked = Asked("herding-gives-way-to-equals", "xfeed")
    value = smallest_cases()["herding-gives-way-to-equals"]["xfeed"]
    assert boundaries("xfeed", value, asked) == boundaries("xfeed", value, asked, ahead=7)


@pytest.mark.parametrize("program", ["xattack", "xfeed", "xstep", "xstep4", "xsilly"])
def test_every_kind_of_input_is_changed_to_well_formed_ones(program: str) -> None:
    for cases in [*smallest_cases().values()][::40]:
        if program in cases:
            boundaries(program, cases[program], Asked("hard-shell-is-ignored", program))


DEAF = f"""#!/bin/sh
sed 's/,"hard-shell"//g; s/"hard-shell",//g; s/"hard-shell"//g' | '{ROOT}/bin/xattack'
"""


@pytest.mark.long
def test_shrink_says_what_does_not_matter_to_people_tools_and_in_the_page(tmp_path: Path) -> None:
    write_program(tmp_path / "xattack", DEAF)
    case = ROOT / "test-fixtures" / "xattack" / "hard-shell-difference-three"
    command = ("shrink", case, "xattack", "--sandbox", "off")
    done = harness(tmp_path, *command, "--html", "page.html")
    boundary = "the attacker's body: any from 0 to 3; with 4 the program is right"
    assert "\ncould be anything, one at a time:\n" in done.stdout, done.stderr
    assert f"\n  {boundary}\n" in done.stdout
    assert boundary in (tmp_path / "page.html").read_text()
    told = json.loads(harness(tmp_path, *command, "--json").stdout)
    body = next(one for one in told["could_be"] if one["part"] == "the attacker's body")
    assert (body["from"], body["to"], body["above"]) == (0, 3, {"at": 4, "then": "right"})
    right = ("shrink", case, ROOT / "bin" / "xattack", "--sandbox", "off", "--json")
    done = harness(tmp_path, *right)
    assert (done.returncode, json.loads(done.stdout)["smallest"]) == (1, None)


@pytest.mark.long
def test_fuzz_says_it_of_what_it_has_found(tmp_path: Path) -> None:
    write_program(tmp_path / "xattack", DEAF)
    done = harness(tmp_path, "fuzz", "xattack", "--sandbox", "off", "--cases", "70", "--json")
    (found,) = json.loads(done.stdout)["found"]
    parts = {one["part"]: one for one in found["could_be"]}
    assert parts["the attacker's body"]["above"] == {"at": 4, "then": "right"}
    assert (parts["the defender's body"]["to"], parts["the defender's body"]["above"]) == (7, None)
