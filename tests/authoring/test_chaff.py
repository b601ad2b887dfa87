"""The library of misreadings, and what `harness chaff` makes of a directory of cases.

SOAK=1 in the environment looks at all smallest cases, not only at the first one of each misreading.
"""

import json
import os
import re
import subprocess
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from evolution import attack
from evolution.feeding import IllegalChoice
from evolution.table import Table
from evolution.traits import TRAITS, Trait
from evolution.wire.errors import Malformed
from harness.authoring.scoring import Score, catching, score
from harness.cli.commands.chaff import as_table
from harness.fixtures.forms import forms_of
from harness.inputs.kinds import is_well_formed
from harness.misreadings import LIBRARY, answer, planted, right_answer, same_answer, shows, smallest_cases
from harness.misreadings.extension_points import ENGINE, EXTENSION_POINTS
from harness.misreadings.planting import ADDED, add
from harness.programs.answering import PROGRAMS
from harness.search.shrink import smaller
from tests.support.helpers import BIN, ROOT, WOLF, WORM

Json = Any

NAMES = list(LIBRARY)
OF_RULE = {
    rule: [name for name in NAMES if LIBRARY[name].rule == rule]
    for rule in sorted({chaff.rule for chaff in LIBRARY.values()})
}
by_rule = pytest.mark.parametrize("names", OF_RULE.values(), ids=OF_RULE)
SECTIONS = set(re.findall(r"^#+ ([0-9.]+) ", (ROOT / "docs" / "rules.md").read_text(), re.MULTILINE))
CASES = smallest_cases()


# --- the library ---------------------------------------------------------------------------------


def test_there_are_many_misreadings_of_every_part_of_the_rules() -> None:
    assert len(LIBRARY) >= 70
    assert {chaff.rule.split(".")[0] for chaff in LIBRARY.values()} == {"1", "2", "3", "4", "5", "7"}
    assert {program for chaff in LIBRARY.values() for program in chaff.programs} == set(PROGRAMS)


@by_rule
def test_a_misreading_says_what_it_is_and_which_rule_it_misses(names: list[str]) -> None:
    for name in names:
        chaff = LIBRARY[name]
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name)
        assert chaff.rule in SECTIONS, name
        assert chaff.sentence[0].islower() or chaff.sentence.startswith(("State", "A State")), name
        assert not chaff.sentence.endswith("."), name
        assert chaff.programs, name
        assert set(chaff.programs) <= set(PROGRAMS), name


def test_no_two_misreadings_have_the_same_sentence() -> None:
    assert len({chaff.sentence for chaff in LIBRARY.values()}) == len(LIBRARY)


def test_the_library_is_in_the_order_of_the_rules() -> None:
    sections = [[int(number) for number in chaff.rule.split(".")] for chaff in LIBRARY.values()]
    assert sections == sorted(sections)


def test_extension_points_have_public_names_and_there_is_a_misreading_for_nearly_each() -> None:
    functions = {point.__qualname__ for point in EXTENSION_POINTS if isinstance(point, FunctionType)}
    assert not [name for name in functions if "_" in {part[0] for part in name.split(".")}]
    replaced = {
        (owner, name) for chaff in LIBRARY.values() for owner, name, _ in chaff.places if owner is not TRAITS
    }
    assert functions <= {name if owner is not Table else f"Table.{name}" for owner, name in replaced}


def test_a_name_can_be_taken_once() -> None:
    with pytest.raises(ValueError, match="two misreadings horns-are-ignored"):
        add("3.5", "horns-are-ignored", "horns cost nothing", TRAITS["horns"], Trait())


def test_what_is_no_extension_point_cannot_be_replaced() -> None:
    with pytest.raises(ValueError, match="no extension point"):
        add(
            "2.1",
            "everything-is-attackable",
            "everything can be attacked",
            attack.attackable,
            lambda *_: True,
        )
    assert "everything-is-attackable" not in ADDED


def state_of_the_engine() -> list[Any]:
    modules = [dict(vars(module)) for module in ENGINE]
    defaults = [getattr(one, "__defaults__", None) for module in modules for one in module.values()]
    return [modules, defaults, dict(vars(Table)), dict(TRAITS)]


# Misreadings of a rule that the engine follows in several places, and in how many.
IN_SEVERAL_PLACES = {
    "the-last-board-is-nobodys-right-neighbour": 2,  # attacks, and cooperation
    "ties-go-to-the-later-board": 4,  # fat, vegetarians, carnivores, targets
    "a-fat-store-takes-the-whole-need": 2,  # the dealer, and the Silly player
    "traits-of-new-boards-are-written-as-cards": 2,  # what is kept, and how it is written
    "eight-is-legal": 2,  # for an action, and for a fertile board afterwards
}


@by_rule
def test_planting_changes_one_thing_and_leaves_no_trace(names: list[str]) -> None:
    before = state_of_the_engine()
    for name in names:
        with planted(LIBRARY[name]):
            assert state_of_the_engine() != before, name
            replaced = {id(new) for _, key, new in LIBRARY[name].places if key != "__defaults__"}
            assert len(replaced) == IN_SEVERAL_PLACES.get(name, 1), name
        assert state_of_the_engine() == before, name


@pytest.mark.long
def test_a_misreading_is_not_planted_while_somebody_goes_through_what_catches_it() -> None:
    before = state_of_the_engine()
    for _ in catching(LIBRARY["horns-are-ignored"], shipped().right):
        assert state_of_the_engine() == before
        break
    else:
        pytest.fail("no case catches it")


def test_planting_leaves_no_trace_if_something_goes_wrong() -> None:
    before = state_of_the_engine()
    with pytest.raises(Malformed):
        answer(LIBRARY["horns-are-ignored"], "xstep", [])
    assert state_of_the_engine() == before


def test_every_misreading_has_smallest_cases_and_they_are_in_the_order_of_the_library() -> None:
    assert list(CASES) == NAMES


# Programs that show a misreading and yet have no smallest case for it. Misreadings of one feeding step become
# others in a cycle, which may never end; two are about what a program hardly needs; and one names boards that
# xstep cannot always feed.
SHOWN_ELSEWHERE = {
    ("everybody-feeds-in-a-step", "xstep4"),
    ("the-next-player-feeds-instead", "xstep4"),
    ("a-feeding-step-turns-the-table", "xstep4"),
    ("food-is-revealed-in-every-step", "xstep4"),
    ("equal-boards-are-one", "xsilly"),
    ("a-state-begins-with-its-tokens", "xfeed"),
    ("vegetarians-are-counted-in-size-order", "xstep"),
}


def shown_without_a_smallest_case(name: str) -> set[tuple[str, str]]:
    """The programs that are not said to show a misreading, but answer shipped cases wrongly with it.

    A program that breaks down because a player chooses what it may not has no wrong answers to tell of.
    """
    others = {*PROGRAMS} - {*LIBRARY[name].programs} - {two for one, two in SHOWN_ELSEWHERE if one == name}
    wrong, broken = set(), set()
    cases = shipped().right
    with planted(LIBRARY[name]):
        for case in cases:
            if case.program in others:
                try:
                    if not same_answer(right_answer(case.program, case.value), case.answer):
                        wrong.add((name, case.program))
                except IllegalChoice:
                    broken.add((name, case.program))
    return wrong - broken


@pytest.mark.long
def test_no_other_program_shows_a_misreading() -> None:
    assert set().union(*map(shown_without_a_smallest_case, NAMES)) == set()


@by_rule
def test_every_smallest_case_is_well_formed_and_shows_its_misreading(names: list[str]) -> None:
    for name in names:
        for program, value in CASES[name].items():
            assert is_well_formed(program, value), name
            assert shows(LIBRARY[name], program, value), name


@pytest.mark.long
@by_rule
def test_no_part_of_a_smallest_case_can_go(names: list[str]) -> None:
    for name in names:
        chaff = LIBRARY[name]
        for program in chaff.programs if os.environ.get("SOAK") else chaff.programs[:1]:
            candidates = smaller(program, CASES[name][program])
            still = [candidate for candidate in candidates if shows(chaff, program, candidate)]
            assert still == [], name


def test_a_misreading_that_is_not_planted_does_nothing() -> None:
    situation = [WORM, WOLF, False, False]
    with planted(LIBRARY["carnivores-are-never-attacked"]):
        assert attack.obstacles.__module__ != "evolution.attack"
    assert right_answer("xattack", situation) == "true"


# --- scores --------------------------------------------------------------------------------------


def write(folder: Path, name: str, given: Json, expected: str | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}-in.json").write_text(json.dumps(given))
    if expected is not None:
        (folder / f"{name}-out.json").write_text(expected)


def case_of(name: str, program: str) -> tuple[Json, str]:
    value = CASES[name][program]
    return value, right_answer(program, value) or ""


@lru_cache(maxsize=1)
def shipped() -> Score:
    return score(str(ROOT / "test-fixtures"))


@pytest.mark.long
def test_the_shipped_cases_catch_every_misreading() -> None:
    found = shipped()
    assert [chaff.name for chaff in found.survivors] == []
    assert found.wrong == []
    assert found.broken == []


@pytest.mark.long
def test_they_do_so_program_by_program() -> None:
    assert [(program, chaff.name) for program, chaff in shipped().missed] == []


@pytest.mark.long
def test_none_of_them_is_redundant() -> None:
    assert shipped().redundant == []
    assert len(shipped().right) >= 150


def in_common_form(case: str) -> bool:
    return "generous" not in Path(case).parts


# What cannot show in the common form, by what a case needs to show it.
SHOWN_BY_GENEROUS_FORMS_ONLY = {
    "equal ids": {
        "others-have-other-ids",
        "players-are-found-by-id",
        "players-with-an-equal-id-are-one",
        "who-has-the-same-id-is-not-seen",
        "who-has-the-same-id-is-not-there",
        "who-is-out-is-known-by-id",
    },
    "equal cards": {
        "equal-cards-have-one-number",
        "equal-cards-leave-together",
        "equal-cards-of-a-hand-are-one",
        "equal-cards-of-the-deck-are-one",
        "of-equal-cards-the-first-leaves",
        "of-equal-cards-the-last-comes-first",
    },
    "a State": {
        "a-board-may-attack-itself",
        "a-choice-counts-the-carnivores-only",
        "a-choice-names-its-carnivore-last",
        "a-choice-names-the-board-before-the-player",
        "a-state-becomes-a-configuration",
        "a-state-begins-with-its-tokens",
        "a-state-is-fed-in-one-round",
        "a-state-loses-its-bag",
        "a-state-loses-its-empty-rows",
        "a-state-loses-its-hand",
        "a-state-without-others-is-refused",
        "a-state-without-tokens-is-refused",
        "all-boards-of-a-state-are-counted",
        "an-attack-that-is-not-allowed-is-illegal",
        "an-attacker-is-nobodys-neighbour",
        "an-illegal-action-leaves-a-state-as-it-is",
        "an-owner-without-boards-gets-one-first",
        "boards-that-are-missing-cannot-be-attacked",
        "carnivores-of-a-state-are-not-counted",
        "fat-of-others-in-a-state-is-lost",
        "food-values-of-a-state-have-no-sign",
        "full-boards-of-a-state-are-not-counted",
        "nobody-attacks-without-tokens",
        "only-the-owner-of-a-state-is-fed",
        "own-boards-are-never-attackable",
        "own-boards-cannot-be-named",
        "own-fat-in-a-state-is-lost",
        "starving-boards-of-a-state-are-not-counted",
        "the-bag-of-a-state-counts-its-boards",
        "the-boards-of-the-last-player-are-counted",
        "the-boards-of-the-next-player-are-counted",
        "the-food-card-of-a-state-is-not-revealed",
        "the-hand-of-a-state-begins-at-its-end",
        "the-hand-of-a-state-ends-after-six-cards",
        "the-hand-of-a-state-is-sorted-first",
        "the-neighbours-of-the-attacker-count",
        "the-others-of-a-state-come-in-reverse",
        "the-others-of-a-state-do-not-react",
        "the-others-of-a-state-must-act",
        "the-owner-of-a-state-is-fed-last",
        "the-owner-of-a-state-is-player-zero",
        "the-players-of-a-state-are-counted",
        "the-rows-of-players-lie-side-by-side",
        "the-tokens-of-a-state-count-its-boards",
        "three-cards-of-a-state-are-too-few",
        "who-has-eaten-its-fill-attacks-nobody",
        "who-has-no-boards-is-not-counted",
    },
    "huge numbers": {"bags-are-doubles", "ids-are-doubles"},
    "fat-food 0": {"an-empty-store-that-came-is-written"},
    "empty cards": {"an-empty-hand-that-came-is-written"},
    "fat-food without fat-tissue": {"stray-fat-is-kept"},
}
# A Situation shows the neighbours of one board, but no row of boards: for xattack a State is needed.
SHOWN_BY_ROWS_ONLY = {
    "equal-boards-are-one",
    "lookalikes-of-the-attacker-are-safe",
    "rows-are-rings",
    "the-first-board-is-right-of-the-last",
    "the-last-board-is-left-of-the-first",
    "the-last-board-is-nobodys-right-neighbour",
    "warning-call-reaches-the-whole-row",
}


def only_in_generous_forms(program: str) -> dict[str, list[str]]:
    """What no case in the common form catches for a program, with the cases that do."""
    caught = shipped().caught_by(program)
    return {name: cases for name, cases in caught.items() if not any(map(in_common_form, cases))}


@pytest.mark.long
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_can_show_in_the_common_form_is_caught_in_it(program: str) -> None:
    forms = {case.name: forms_of(case.program, case.value) for case in shipped().right}
    needed = {name: (form,) for form, names in SHOWN_BY_GENEROUS_FORMS_ONLY.items() for name in names}
    if program == "xattack":
        needed |= dict.fromkeys(SHOWN_BY_ROWS_ONLY, ("a State",))
    for name, cases in only_in_generous_forms(program).items():
        assert {forms[case] for case in cases} == {needed.get(name)}, name


@pytest.mark.long
def test_a_case_in_a_generous_form_catches_what_no_common_one_does() -> None:
    for case in shipped().right:
        if not in_common_form(case.name):
            assert any(case.name in cases for cases in only_in_generous_forms(case.program).values()), (
                case.name
            )


@pytest.mark.long
def test_none_of_the_cases_in_the_common_form_is_redundant_among_them() -> None:
    for program in PROGRAMS:
        assert score(str(ROOT / "test-fixtures" / program)).redundant == []


# What many programs misread, and the words of which a case that it fails has one in its name.
MEANT = {
    "drawn-cards-go-to-the-end": "draw|card",
    "ties-go-to-the-later-board": "tie|earlier|line-up|lookalike|open-to|equal|left-to-right",
    "cooperation-passes-on-once": "cooperat|share|twice|both",
    "the-attacker-does-not-scavenge": "scaveng",
    "long-neck-comes-before-fertile": "fertile",
    "hard-shell-gives-way-at-three": "shell|pack|open-to",
    "cards-are-sorted-by-trait-alone": "food-value",
    "who-is-out-comes-back": "out|declin",
}


@pytest.mark.long
@pytest.mark.parametrize("name", MEANT)
def test_no_case_fails_for_a_reason_that_its_name_does_not_say(name: str) -> None:
    names = [Path(case).name for case in shipped().caught[name]]
    assert [case for case in names if not re.search(MEANT[name], case)] == []


@pytest.mark.long
def test_their_table_is_up_to_date() -> None:
    page = (ROOT / "test-fixtures" / "README.md").read_text()
    made = page.split("`bin/harness chaff test-fixtures --table` made these tables.\n\n")[1]
    assert made == as_table(shipped(), str(ROOT / "test-fixtures")) + "\n"


def test_a_case_catches_its_misreading(tmp_path: Path) -> None:
    write(tmp_path / "xattack", "four", *case_of("hard-shell-needs-more-than-four", "xattack"))
    found = score(str(tmp_path))
    assert found.caught["hard-shell-needs-more-than-four"] == [str(tmp_path / "xattack" / "four")]
    assert found.caught["hard-shell-gives-way-at-three"] == []
    assert found.caught["horns-are-ignored"] == []
    assert not found.perfect


def test_wrong_ill_formed_and_unpaired_cases_do_not_count(tmp_path: Path) -> None:
    value, right = case_of("hard-shell-needs-more-than-four", "xattack")
    assert right == "true"
    write(tmp_path / "xattack", "wrong", value, "false")
    write(tmp_path / "xattack", "nothing", value, "")
    write(tmp_path / "xattack", "refused", [], "true")
    write(tmp_path / "xattack", "unpaired", value, None)
    write(tmp_path / "xattack", "no-json", value, "{")
    write(tmp_path / "elsewhere", "stray", value, "true")
    write(tmp_path / "xstream", "other", value, "true")
    found = score(str(tmp_path))
    problems = {os.path.basename(name): reasons for name, reasons in [*found.wrong, *found.broken]}
    assert problems == {
        "wrong": ["answers false (not attackable), should be true (attackable)"],
        "nothing": ["the rules print one value, and the case expects nothing"],
        "refused": [
            "its input is refused: input: expected a situation [defender, attacker, left, right], "
            "a list of 4, or [state, choice], a list of 2, found a list of 0"
        ],
        "unpaired": ["its expected output unpaired-out.json is missing"],
        "no-json": ["its expected output is not JSON at byte 1: the value is cut off"],
        "stray": ["no folder above it has a program's name, so it is not known which program it is for"],
    }
    assert (len(found.right), found.others) == (0, 1)
    assert str(found).endswith("0 right cases, 3 wrong, 3 broken, 0 redundant")


def test_an_illegal_action_must_be_expected_to_print_nothing(tmp_path: Path) -> None:
    player = [["id", 1], ["species", []], ["bag", 0], ["cards", [[0, "ambush"]]]]
    value = [[[player], 0, []], [[1, [], [], [], []]]]
    write(tmp_path / "xstep4", "wrong", value, json.dumps(value[0]))
    write(tmp_path / "xstep4", "right", value, "")
    found = score(str(tmp_path))
    assert [os.path.basename(case.name) for case in found.right] == ["right"]
    assert [reasons for _, reasons in found.wrong] == [
        ["the rules print nothing, because [1][0][0]: card 1 does not exist: the hand has 1"]
    ]


def test_cases_for_one_program_do_not_make_those_for_another_redundant(tmp_path: Path) -> None:
    name = "hard-shell-needs-more-than-four"
    for program in ("xattack", "xfeed"):
        write(tmp_path / program, "four", *case_of(name, program))
    found = score(str(tmp_path))
    assert found.redundant == []
    assert found.caught_by("xfeed")[name] == [str(tmp_path / "xfeed" / "four")]
    assert ("xattack", LIBRARY[name]) not in found.missed
    assert ("xattack", LIBRARY["herding-gives-way-to-equals"]) in found.missed
    assert "xstep" not in {program for program, _ in found.missed}


def test_a_case_is_redundant_if_smaller_ones_catch_all_that_it_catches(tmp_path: Path) -> None:
    value, right = case_of("hard-shell-needs-more-than-four", "xattack")
    larger = json.loads(json.dumps(value))
    larger[1][2][1] = 2
    write(tmp_path / "xattack", "a-larger", larger, right)
    write(tmp_path / "xattack", "b-smaller", value, right)
    found = score(str(tmp_path))
    assert [os.path.basename(name) for name in found.redundant] == ["a-larger"]


# --- the command ---------------------------------------------------------------------------------


def harness(*arguments: str | Path) -> tuple[int, str, str]:
    command = [BIN / "harness", "chaff", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.long
def test_what_is_suggested_catches_everything(tmp_path: Path) -> None:
    write(tmp_path / "few" / "xattack", "four", *case_of("hard-shell-needs-more-than-four", "xattack"))
    status, out, _ = harness(tmp_path / "few", "--suggest", tmp_path / "more", "--all")
    assert status == 1
    assert "survives: horns-are-ignored (rules 3.5): horns cost the attacker nothing\n" in out
    assert "  2.3   hard-shell-needs-more-than-four: xattack/four\n" in out
    assert re.search(
        r"misreadings caught \([0-9.]+ %\), [0-9]+ survive; 1 right case, 0 wrong, 0 redundant\n$", out
    )
    (tmp_path / "few" / "xattack").rename(tmp_path / "more" / "xattack" / "xattack")
    status, out, _ = harness(tmp_path / "more")
    assert f"{len(LIBRARY)} of {len(LIBRARY)} misreadings caught (100 %), 0 survive; " in out
    assert status == 0


@pytest.mark.long
def test_a_score_can_be_asked_for_program_by_program(tmp_path: Path) -> None:
    name = "hard-shell-needs-more-than-four"
    write(tmp_path / "few" / "xattack", "four", *case_of(name, "xattack"))
    write(tmp_path / "few" / "xfeed", "shell", *case_of("hard-shell-is-ignored", "xfeed"))
    status, out, _ = harness(tmp_path / "few", "--per-program", "--all", "--suggest", tmp_path / "more")
    assert status == 1
    assert f"survives in xfeed: {name} (rules 2.3): " in out
    assert f"survives in xattack: {name} " not in out
    assert "program by program: caught of what its cases can catch\n  xattack: " in out
    assert (tmp_path / "more" / "xfeed" / f"{name}-in.json").exists()
    _, out, _ = harness(tmp_path / "few", "--per-program", "--json")
    entry = next(one for one in json.loads(out)["misreadings"] if one["name"] == name)
    assert entry["missed_by"] == ["xfeed"]


def test_of_many_that_survive_the_nearest_are_shown_and_the_others_counted(tmp_path: Path) -> None:
    write(tmp_path / "xsilly", "one", *case_of(next(n for n in NAMES if "xsilly" in CASES[n]), "xsilly"))
    _, out, _ = harness(tmp_path)
    shown = re.findall(r"^  a case for (\w+) that would catch it:$", out, re.MULTILINE)
    assert shown == ["xsilly"] * 10
    *_, more, total = out.rstrip("\n").split("\n\n")
    survive = int(re.findall(r"([0-9]+) survive", total)[0])
    assert more == f"… and {survive - 10} more; --suggest OUT writes a case for each"
    _, out, _ = harness(tmp_path, "--all")
    assert (out.count("survives: "), "… and" in out) == (survive, False)


def test_nothing_that_is_suggested_is_written_over_a_file(tmp_path: Path) -> None:
    write(tmp_path / "few" / "xattack", "four", *case_of("hard-shell-needs-more-than-four", "xattack"))
    taken = tmp_path / "more" / "xattack" / "vegetarians-attack-in.json"
    taken.parent.mkdir(parents=True)
    taken.write_text("mine")
    harness(tmp_path / "few", "--suggest", tmp_path / "more")
    assert taken.read_text() == "mine"
    assert (tmp_path / "more" / "xattack" / "vegetarians-attack-2-in.json").exists()


def test_the_score_as_json(tmp_path: Path) -> None:
    write(tmp_path, "four", *case_of("hard-shell-needs-more-than-four", "xattack"))
    write(tmp_path, "wrong", case_of("hard-shell-needs-more-than-four", "xattack")[0], "false")
    status, out, _ = harness(tmp_path, "--json", "--program", "xattack")
    found = json.loads(out)
    assert status == 1
    assert found["score"] == {
        "misreadings": len(LIBRARY),
        "caught": sum(bool(one["caught_by"]) for one in found["misreadings"]),
        "right": 1,
        "wrong": 1,
        "broken": 0,
        "redundant": 0,
        "others": 0,
    }
    assert [one["name"] for one in found["misreadings"]] == NAMES
    survivor = next(one for one in found["misreadings"] if one["name"] == "horns-are-ignored")
    assert survivor["suggestion"]["input"] == CASES["horns-are-ignored"]["xstep"]


@pytest.mark.parametrize("path", ["nowhere", "tests/zoo"])
def test_where_there_are_no_cases_there_is_no_score(path: str) -> None:
    status, out, err = harness(ROOT / path)
    assert (status, out) == (2, "")
    assert "no such directory or case" in err or "no cases found" in err
