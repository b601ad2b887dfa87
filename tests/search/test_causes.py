"""Failures by their cause: misreadings that nothing contradicts, features, or what else is common to them."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cache

import pytest

from evolution.wire.text import parse
from harness.files import read_file
from harness.fixtures.cases import find_cases, program_of
from harness.inputs.twins import twin_of
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.judging.result import Result
from harness.judging.verdicts import CONSTANT as CONSTANT_ANSWER
from harness.judging.verdicts import CRASHED, NO_OUTPUT, PASS, UNDESERVED, WRONG
from harness.judging.wording import compact
from harness.misreadings import LIBRARY, planted
from harness.programs.reference import reference
from harness.report.words import why
from harness.search.cause_words import told
from harness.search.causes import (
    ALIKE,
    ALONE,
    CONSTANT,
    ECHO,
    FEATURE,
    MESSAGE,
    MISREADING,
    RULES,
    SILENCE,
    Answered,
    Cause,
    Memory,
    answered,
    causes,
)
from harness.search.features import features_of
from tests.support.helpers import ANSWERING, ROOT

MEMORY = Memory()  # of all tests: they ask the same cases


@cache
def suite(program: str) -> list[Answered]:
    """The cases of a program, as somebody passes them who has read the rules."""
    return [
        Answered(case.name, program_of(case.input), PASS, read_file(case.input), read_file(case.expected))
        for case in find_cases([str(ROOT / "test-fixtures" / program)])
    ]


def judged(case: Answered, printed: str, stderr: str = "") -> Answered:
    """The case, if this was printed."""
    outcome = Outcome()
    outcome.stdout = printed.encode()
    verdict = judge(case.expected, outcome, exact=False, as_text=False).verdict
    return Answered(case.name, case.program, verdict, case.data, case.expected, printed, stderr)


def misread(names: Sequence[str], programs: Sequence[str] = ANSWERING) -> list[Answered]:
    """The cases of some programs, as somebody answers them who has all of these misreadings."""
    cases = []
    with ExitStack() as planting:
        for name in names:
            planting.enter_context(planted(LIBRARY[name]))
        for program in programs:
            cases += [judged(case, reference(program, case.data).text or "") for case in suite(program)]
    return cases


def named(found: Sequence[Cause]) -> list[tuple[str, ...]]:
    return [cause.names for cause in found if cause.kind == MISREADING]


def in_words(cases: Sequence[Answered], found: Sequence[Cause]) -> str:
    lines = why(told(found, lambda at: cases[at].name.rpartition("/")[2]))
    return "\n".join("".join(text for _, text in line) for line in lines)


def test_who_passes_everything_has_no_causes() -> None:
    assert causes(suite("xfeed"), MEMORY) == []


def test_one_misreading_explains_the_failures_of_all_programs() -> None:
    cases = misread(["herding-gives-way-to-equals"])
    (cause,) = causes(cases, MEMORY)
    assert cause.names == ("herding-gives-way-to-equals",)
    assert {program for program, _ in cause.programs} == {"xattack", "xfeed", "xstep", "xstep4"}
    assert len(cause.cases) == sum(case.verdict != PASS for case in cases)


def test_the_smallest_case_of_a_cause_comes_first_and_its_sentence_is_told() -> None:
    cases = misread(["warning-call-protects-its-owner"], ["xattack", "xfeed"])
    found = causes(cases, MEMORY)
    words = in_words(cases, found)
    assert "answers like *warning call protects its owner* (" in words
    assert "a board is protected by its own warning-call too (rules 2.8)" in words
    assert "the smallest: own-warning-call-does-not-protect" in words


def test_misreadings_that_these_cases_cannot_tell_apart_are_told_as_one() -> None:
    cases = misread(["hard-shell-gives-way-at-three"], ["xattack"])
    (names,) = named(causes(cases, MEMORY))
    assert "hard-shell-gives-way-at-three" in names
    assert len(names) > 1
    assert " or *" in in_words(cases, causes(cases, MEMORY))


def test_several_mistakes_are_all_named() -> None:
    wrong = ["cooperation-passes-on-once", "size-looks-at-the-food-first", "the-hole-is-clamped-once"]
    found = named(causes(misread(wrong), MEMORY))
    assert sorted(names[0] for names in found) == sorted(wrong)


def test_a_case_in_which_two_misreadings_meet_is_explained_by_both() -> None:
    wrong = ["horns-strike-after-the-meal", "cooperation-passes-on-once"]
    cases = misread(wrong, ["xstep", "xstep4"])
    found = causes(cases, MEMORY)
    assert {name for names in named(found) for name in names} == set(wrong)
    assert all(cause.kind == MISREADING for cause in found)


@pytest.mark.parametrize(
    ("program", "wrong"),
    [
        ("xattack", ["symbiosis-looks-left", "ambush-passes-a-herd"]),
        ("xstep", ["cooperation-is-not-handed-on", "fed-neighbours-do-not-forage"]),
        ("xstep4", ["a-population-of-eight-is-cut", "a-body-of-eight-is-cut"]),
    ],
)
def test_misreadings_of_one_function_are_told_beside_each_other(program: str, wrong: list[str]) -> None:
    found = named(causes(misread(wrong, [program]), MEMORY))
    assert sorted(names[0] for names in found) == sorted(wrong)


@pytest.mark.long
def test_who_cannot_name_a_new_board_in_any_way_is_told_so_by_one_name() -> None:
    found = causes(
        misread(["new-boards-cannot-be-grown", "new-boards-keep-their-traits"], ["xstep4"]), MEMORY
    )
    assert [(cause.kind, cause.names) for cause in found] == [(MISREADING, ("new-boards-cannot-be-named",))]


def test_a_misreading_that_shows_where_the_program_is_right_is_not_named() -> None:
    cases = misread(["herding-gives-way-to-equals"], ["xattack", "xfeed"])
    right = next(case for case in cases if case.program == "xattack" and case.verdict != PASS)
    mended = [suite("xattack")[cases.index(case)] if case is right else case for case in cases]
    assert named(causes(mended, MEMORY)) == []


@pytest.mark.long
def test_names_that_explain_hardly_anything_each_are_not_told() -> None:
    """Together these two answer as many misreadings do, each in a case or two."""
    found = causes(misread(["situations-begin-with-the-attacker", "vegetarians-attack"], ["xattack"]), MEMORY)
    assert named(found) == []


def test_a_name_for_one_failure_beside_one_that_nothing_explains_is_not_told() -> None:
    """Who has boards grow before the exchanges answers one of two cases as if a new board did nothing."""
    cases = suite("xstep4")[:]
    misread_cases = misread(["new-boards-wait-a-turn"], ["xstep4"])
    for at, case in enumerate(cases):
        if case.name.endswith("/fertile-on-a-new-board"):
            cases[at] = misread_cases[at]
        elif case.name.endswith("/fertile-after-growth-to-seven"):
            cases[at] = judged(case, "")
    assert [cause.kind for cause in causes(cases, MEMORY)] == [ALONE, ALONE]


def test_a_refusal_counts_as_the_answer_nothing_whatever_is_said_beside_it() -> None:
    cases = misread(["silly-says-nothing-instead-of-no"], ["xfeed"])
    assert {case.verdict for case in cases} == {PASS, NO_OUTPUT}
    loud = [judged(case, case.printed, "Traceback: no choice") for case in cases if case.verdict != PASS]
    rest = [case for case in cases if case.verdict == PASS]
    assert named(causes([*loud, *rest], MEMORY)) == [("silly-says-nothing-instead-of-no",)]


def test_who_never_answers_is_said_to() -> None:
    cases = [judged(case, "") for case in suite("xfeed")]
    (cause,) = causes(cases, MEMORY)
    assert cause.kind == SILENCE
    assert "answers nothing to any case of xfeed (" in in_words(cases, [cause])


def test_who_has_never_answered_a_case_has_misread_nothing_by_that() -> None:
    cases = [
        judged(case, "")
        for case in suite("xstep4")
        if case.name.endswith(("/carnivore-card-of-eight", "/population-of-eight"))
    ]
    assert sorted(case.verdict for case in cases) == [NO_OUTPUT, PASS]
    assert [cause.kind for cause in causes(cases, MEMORY)] == [ALONE]


@pytest.mark.parametrize(("program", "constant"), [("xattack", "false"), ("xfeed", "0"), ("xstep", "[1]")])
def test_who_always_answers_the_same_is_said_to_and_no_misreading_is_named(
    program: str, constant: str
) -> None:
    cases = [judged(case, constant) for case in suite(program)]
    (cause,) = causes(cases, MEMORY)
    assert cause.kind == CONSTANT
    assert f"answers {constant} to every case of {program} (" in in_words(cases, [cause])


def test_who_prints_its_input_again_is_said_to() -> None:
    cases = [judged(case, case.data.decode()) for case in suite("xstep")]
    assert any(case.verdict == PASS for case in cases)
    (cause,) = causes(cases, MEMORY)
    assert cause.kind == ECHO


def refusing(clause: str, stderr: str = "") -> list[Answered]:
    """The cases of xstep4, as somebody answers them who refuses some of them."""
    cases = []
    for case in suite("xstep4"):
        refused = clause in features_of("xstep4", MEMORY.question("xstep4", case.data).value)  # type: ignore[union-attr]
        cases.append(judged(case, "", stderr) if refused else case)
    return cases


def test_what_is_refused_for_its_form_is_described_by_it_and_named_by_no_misreading() -> None:
    cases = refusing("something grows")
    found = causes(cases, MEMORY)
    assert [cause.kind for cause in found] == [FEATURE]
    assert found[0].words == ("something grows",)
    assert "answers nothing to exactly the tables in which something grows" in in_words(cases, found)


def test_a_mistake_that_the_library_does_not_know_is_described_by_a_feature() -> None:
    cases = []
    for case in suite("xstep"):
        words = features_of("xstep", MEMORY.question("xstep", case.data).value)  # type: ignore[union-attr]
        unknown = "a board has fat-tissue" in words
        cases.append(judged(case, "[[],77,[]]") if unknown else case)
    found = causes(cases, MEMORY)
    assert [cause.kind for cause in found] == [FEATURE]
    assert found[0].words == ("a board has fat-tissue",)
    assert "fails exactly the tables in which a board has fat-tissue" in in_words(cases, found)


def test_without_anything_to_compare_with_it_is_told_how_answers_differ() -> None:
    cases = [judged(case, f"[[],{70 + at},[]]") for at, case in enumerate(suite("xstep")[:5])]
    found = causes(cases, MEMORY)
    assert {cause.kind for cause in found} <= {ALIKE, ALONE}


def test_crashes_are_put_together_by_what_they_say() -> None:
    cases = [
        Answered(case.name, case.program, CRASHED, case.data, case.expected, "", f"at line {at}\nno memory")
        for at, case in enumerate(suite("xstep")[:4])
    ]
    (cause,) = causes(cases, MEMORY)
    assert (cause.kind, cause.text) == (MESSAGE, "no memory")


def test_a_single_failure_that_nothing_explains_stands_alone() -> None:
    first, *rest = suite("xstep")
    cases = [judged(first, "[[],77,[]]"), *rest]
    (cause,) = causes(cases, MEMORY)
    assert (cause.kind, cause.cases) == (ALONE, (0,))
    assert in_words(cases, [cause]) == ""


def test_a_case_that_the_rules_contradict_is_not_held_against_the_program() -> None:
    case = suite("xattack")[0]
    other = b"false" if case.expected.strip() == b"true" else b"true"
    wrong = Answered(case.name, case.program, WRONG, case.data, other, case.expected.decode())
    (cause,) = causes([wrong, *suite("xattack")[1:]], MEMORY)
    assert cause.kind == RULES


def test_inputs_that_the_rules_refuse_and_unknown_programs_stand_alone() -> None:
    found = causes(
        [Answered("a", "xfeed", WRONG, b"[]", b"1", "2"), Answered("b", "xother", WRONG, b"1", b"1", "2")],
        MEMORY,
    )
    assert [cause.kind for cause in found] == [ALONE, ALONE]


def test_an_answer_that_looks_like_what_stands_for_another_is_not_taken_for_it() -> None:
    """What stands for the answer 1 is the text [1], which somebody may have printed, too."""
    memory = Memory()
    name = "the-smallest-comes-first"
    cases = misread([name], ["xfeed"])
    causes([replace(case, printed="[1]", verdict=WRONG) for case in cases], memory)
    assert named(causes(cases, memory)) == [(name,)]


SAMPLE = list(LIBRARY)[::97]


@pytest.mark.long
@pytest.mark.parametrize(
    "name", [name if name in SAMPLE else pytest.param(name, marks=pytest.mark.long) for name in LIBRARY]
)
def test_a_planted_misreading_is_named_and_no_other(name: str) -> None:
    """Two are not named: who has them refuses all growth or all actions, as who cannot read them does."""
    programs = [program for program in ANSWERING if program in LIBRARY[name].programs]
    cases = misread([name], programs)
    if all(case.verdict == PASS for case in cases):
        return  # it shows only in forms that not everybody reads
    found = causes(cases, MEMORY)
    assert named(found) or {cause.kind for cause in found} <= {FEATURE, SILENCE}
    assert [names for names in named(found) if name not in names] == []


def test_a_mistake_that_hides_another_in_some_cases_does_not_speak_against_it() -> None:
    wrong = ["herding-gives-way-to-equals", "ties-go-to-the-later-board"]
    found = causes(misread(wrong, ["xfeed"]), MEMORY)
    assert sorted(named(found)) == [(name,) for name in wrong]


@pytest.mark.long
def test_a_mistake_that_shows_everywhere_does_not_hide_another() -> None:
    wrong = ["a-feeding-step-turns-the-table", "size-looks-at-the-food-first"]
    found = causes(misread(wrong, ["xstep"]), MEMORY)
    assert {name for names in named(found) for name in names} >= set(wrong)
    assert all(cause.kind == MISREADING for cause in found)


def test_a_single_case_that_needs_another_misreading_as_well_gives_no_name() -> None:
    """Who writes traits as cards finds none of them again, and there is no misreading for that."""
    known, chance = "traits-of-new-boards-are-written-as-cards", "new-boards-wait-a-turn"
    alone, beside = misread([known], ["xstep4"]), misread([known, chance], ["xstep4"])
    place = next(at for at, case in enumerate(alone) if case.name.endswith("/fertile-on-a-new-board"))
    assert alone[place] != beside[place]
    found = causes([*alone[:place], beside[place], *alone[place + 1 :]], MEMORY)
    assert named(found) == [(known,)]


def test_a_pass_that_is_not_deserved_has_the_cause_of_the_answer_to_its_twin() -> None:
    """Who takes the fat need for what the population lacks fills no store of a board that has eaten."""
    name = "fat-need-is-what-the-population-lacks"
    cases = misread([name], ["xstep"])
    place = next(at for at, case in enumerate(cases) if case.name.endswith("/empty-hole-no-fat-store"))
    case = cases[place]
    twin = twin_of("xstep", parse(case.data))
    with planted(LIBRARY[name]):
        printed = reference("xstep", twin).text or ""
    files = {"in": case.data, "out": case.expected}
    result = Result(case.name, "xstep", UNDESERVED, "in", "out", stdout=printed, twin=compact(twin))
    cases[place] = answered(result, files.__getitem__)
    (cause,) = causes(cases, MEMORY)
    assert cause.names == (name,)
    assert place in cause.cases


def test_easy_cases_belong_to_the_others_of_who_always_answers_the_same() -> None:
    cases = [
        replace(case, verdict=CONSTANT_ANSWER, printed="false") if case.passed else case
        for case in (judged(case, "false") for case in suite("xattack"))
    ]
    (cause,) = causes(cases, MEMORY)
    assert (cause.kind, len(cause.cases)) == (CONSTANT, len(cases))
