"""`harness generate`: random cases with the right answers, and small sets that cover what is known.

SOAK=1 in the environment searches the sets of all programs, not only those that are found quickly.
"""

import json
import os
import subprocess
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evolution.traits import TRAITS
from harness.authoring.cover import Cover
from harness.authoring.generate import random_cases
from harness.events.branches import Engine
from harness.events.goals import BOTH, EDGES, PAIRS, goals
from harness.events.known import NEVER, cannot, known_goals
from harness.fixtures.forms import forms_of, growth_of
from harness.inputs.kinds import is_well_formed, usual_kind
from harness.inputs.scene import scene_of
from harness.programs.answering import PROGRAMS
from harness.programs.reference import watch
from tests.evolution.tools import meaning
from tests.support import model
from tests.support.helpers import BIN, ROOT, Outcome
from tests.support.picky import write_picky

Json = Any

SOAK = bool(os.environ.get("SOAK"))
QUICK = ["xattack", "xsilly"]
SLOW = [program for program in PROGRAMS if program not in QUICK] if SOAK else ["xstep"]
SEARCHED = [*QUICK, *(pytest.param(program, marks=pytest.mark.long) for program in SLOW)]


def generate(*arguments: str | Path, hash_seed: str = "0") -> Outcome:
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    command = [BIN / "harness", "generate", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False, capture_output=True)
    return Outcome(done.stdout, done.stderr, done.returncode)


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def expected(program: str, value: Json) -> Json:
    """What the model answers, None for nothing."""
    answer = meaning(getattr(model, program)(value))
    return None if answer == meaning(model.NOTHING) else answer


# --- by chance -----------------------------------------------------------------------------------


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_line_is_a_well_formed_input_with_the_answer_of_the_rules(program: str) -> None:
    out, err, status = generate(program, "-n", "100", "--seed", "7")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (len(lines), err, status) == (100, b"", 0)
    for case in lines:
        assert is_well_formed(program, case["in"])
        assert meaning(case["out"]) == expected(program, case["in"])


def test_the_same_seed_makes_the_same_cases_whatever_the_process() -> None:
    first = generate("xstep4", "-n", "50", hash_seed="1")
    assert first.status == 0
    assert generate("xstep4", "-n", "50", hash_seed="2") == first
    assert generate("xstep4", "-n", "50", "--seed", "1") != first


def test_fewer_cases_are_the_first_of_more() -> None:
    few, many = generate("xfeed", "-n", "5").out, generate("xfeed", "-n", "20").out
    assert many.startswith(few)
    assert len(many.splitlines()) == 20


def test_without_a_number_there_are_ten() -> None:
    assert len(generate("xsilly").out.splitlines()) == 10


def test_the_files_are_cases_that_the_programs_pass(tmp_path: Path) -> None:
    assert generate("xattack", "-n", "12", "-o", tmp_path / "cases").status == 0
    assert len(content(tmp_path)) == 24
    done = subprocess.run(
        [BIN / "harness", "run", "--bin", BIN, tmp_path / "cases"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )
    assert b"12 passed, 0 failed" in done.stdout


def test_a_case_whose_answer_is_nothing_has_an_empty_output_and_prints_null(tmp_path: Path) -> None:
    number = next(
        number for number, case in enumerate(random_cases("xstep4", 0, 1000), 1) if case.answer is None
    )
    assert generate("xstep4", "-n", str(number), "-o", tmp_path).status == 0
    assert (tmp_path / "xstep4" / f"seed-0-{number:05}-out.json").read_bytes() == b""
    last = generate("xstep4", "-n", str(number)).out.splitlines()[-1]
    assert json.loads(last)["out"] is None


def test_files_that_are_there_with_the_same_content_are_left_as_they_are(tmp_path: Path) -> None:
    generate("xfeed", "-n", "4", "-o", tmp_path)
    before = content(tmp_path)
    assert generate("xfeed", "-n", "6", "-o", tmp_path).status == 0
    after = content(tmp_path)
    assert len(after) == 12
    assert before.items() <= after.items()


def test_nothing_is_written_over_a_file_with_another_content_and_nothing_beside_it(tmp_path: Path) -> None:
    mine = tmp_path / "xfeed" / "seed-0-00003-in.json"
    mine.parent.mkdir()
    mine.write_text("mine")
    out, err, status = generate("xfeed", "-n", "6", "-o", tmp_path)
    assert (out, status) == (b"", 1)
    assert err.count(b"\n") == 1
    assert b"seed-0-00003-in.json exists already" in err
    assert content(tmp_path) == {"xfeed/seed-0-00003-in.json": b"mine"}


def test_a_folder_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    out, err, status = generate("xfeed", "-o", tmp_path / "file")
    assert (out, status, err.count(b"\n")) == (b"", 1, 1)
    assert b"cannot be written" in err


@pytest.mark.parametrize("program", PROGRAMS)
def test_cases_are_in_the_common_form_unless_somebody_asks_for_more(program: str) -> None:
    found = [json.loads(line)["in"] for line in generate(program, "-n", "60").out.splitlines()]
    assert all(forms_of(program, value) == () for value in found)
    out, _, _ = generate(program, "-n", "60", "--form", "generous")
    more = [json.loads(line)["in"] for line in out.splitlines()]
    assert any(forms_of(program, value) for value in more)


@pytest.mark.parametrize(
    ("program", "form"), [("xfeed", "common"), ("xstep4", "common"), ("xstep", "generous")]
)
def test_tables_have_as_many_players_as_were_asked_for(program: str, form: str) -> None:
    out, _, _ = generate(program, "-n", "30", "--players", "4-5", "--form", form)
    counts = {len(scene_of(program, json.loads(line)["in"]).seats) for line in out.splitlines()}
    assert counts == {4, 5}


def test_cases_for_a_program_are_in_its_dialect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    picky = write_picky(tmp_path / "team", "xstep4", tmp_path / "last")
    for dialect, growth in {"common": "labelled", "auto": "unlabelled"}.items():
        options = ("--for", picky, "--dialect", dialect, "--sandbox", "off")
        out, _, _ = generate("xstep4", "-n", "30", *options)
        assert {growth_of(json.loads(line)["in"]) for line in out.splitlines()} == {"", growth}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("xattack", "--players", "3-4"), b"--players cannot be combined with xattack"),
        (("xstep", "--players", "1-2"), b"tables of this form have at least 3"),
        (("xstep", "--players", "5-3"), b"5-3 is not within 1-8"),
        (("xstep", "--players", "few"), b"few is not a range such as 3-8"),
        (("xstep", "--players", "3-" + "9" * 5000), b"is not within 1-8"),
        (("xstep", "--dialect", "auto"), b"--dialect auto needs --for FILE"),
        (("xstep", "--form", "common", "--dialect", "generous"), b"exclude each other"),
    ],
)
def test_what_does_not_go_together_is_said(arguments: tuple[str, ...], complaint: bytes) -> None:
    out, err, status = generate(*arguments)
    assert (out, status, complaint in err) == (b"", 2, True)


@pytest.mark.long
def test_a_set_in_the_common_form_says_what_only_other_forms_show(tmp_path: Path) -> None:
    out, _, status = generate("xsilly", "--cover", "-o", tmp_path)
    assert status == 0
    assert b"not reached in such forms: hands in card order: hand: card 0: equal cards\n" in out
    for path in tmp_path.rglob("*-in.json"):
        assert forms_of("xsilly", json.loads(path.read_bytes())) == ()


@pytest.mark.parametrize("arguments", [(), ("xmain",), ("xstep", "-n", "0"), ("xstep", "--seed", "x")])
def test_a_wrong_command_line_is_answered_with_the_usage(arguments: tuple[str, ...]) -> None:
    out, err, status = generate(*arguments)
    assert (out, status) == (b"", 2)
    assert err.startswith(b"Usage:")


# --- to cover all that is known ------------------------------------------------------------------


@cache
def covering(program: str) -> Cover:
    """A set that was searched for once."""
    cover = Cover(program, 0)
    cover.run()
    return cover


@pytest.mark.long
@pytest.mark.parametrize("program", SEARCHED)
def test_a_set_reaches_everything_that_is_known_and_only_with_right_cases(program: str) -> None:
    cover = covering(program)
    assert cover.missing == []
    reached = {goal for case in cover.cases for goal in goals(watch(program, case.value)[1])}
    assert set(known_goals(program)) <= reached
    for case in cover.cases:
        assert is_well_formed(program, case.value)
        answer = None if case.answer is None else json.loads(case.answer)
        assert meaning(answer) == expected(program, case.value)
    names = [case.name for case in cover.cases]
    assert len(set(names)) == len(names)


@pytest.mark.long
@pytest.mark.parametrize("program", SEARCHED)
def test_no_case_of_a_set_can_be_left_out(program: str) -> None:
    cover = covering(program)
    engine = Engine()
    known = set(known_goals(program))
    counts: dict[object, int] = {}
    reached: list[set[object]] = []
    for case in cover.cases:
        found = known.intersection(goals(watch(program, case.value)[1]))
        reached.append({*found, *engine.taken(PROGRAMS[program].load, case.value)})
        for goal in reached[-1]:
            counts[goal] = counts.get(goal, 0) + 1
    assert all(any(counts[goal] == 1 for goal in found) for found in reached)


@pytest.mark.long
def test_the_command_writes_the_set_and_tells_what_it_covers(tmp_path: Path) -> None:
    out, err, status = generate("xattack", "--cover", "-o", tmp_path)
    assert (err, status) == (b"", 0)
    files = content(tmp_path)
    last = out.decode().splitlines()[-1]
    assert last.startswith(f"{len(files) // 2} cases reach ")
    assert "pairs of traits in an attack" in out.decode()
    assert any("hard-shell" in name for name in files)


@pytest.mark.long
def test_a_set_is_the_same_whatever_the_process(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "other"]
    told = [
        generate("xattack", "--cover", "-o", folder, hash_seed=str(number))
        for number, folder in enumerate(folders)
    ]
    assert told[0].out == told[1].out
    assert content(folders[0]) == content(folders[1])


@pytest.mark.long
def test_too_few_cases_leave_something_out_and_it_is_named() -> None:
    out, err, status = generate("xattack", "--cover", "-n", "3")
    assert (len(out.splitlines()), status) == (3, 1)
    assert b"not reached: two reasons that block at once: " in err


@pytest.mark.parametrize("program", ["xattack", "xfeed", "xstep", "xstep4"])
def test_every_pair_of_traits_in_an_attack_is_known_to_be_reachable_or_said_not_to_be(program: str) -> None:
    known = known_goals(program)
    impossible = cannot(usual_kind(program))
    blocking = [
        "hard-shell",
        "herding",
        "burrowing",
        "climbing",
        "symbiosis",
        "warning-call",
        "not a carnivore",
    ]
    for verdict in ("blocked only by", "not blocked by"):
        for reason in blocking:
            for beside in (*TRAITS, "stored fat"):
                for role in ("attacker", "defender"):
                    words = f"{verdict} {reason}: {role} with {beside}"
                    is_impossible = any(fnmatch(words, pattern) for pattern in impossible)
                    assert ((PAIRS, words) in known) != is_impossible, words


@pytest.mark.parametrize("program", ["xattack", "xfeed", "xstep", "xstep4"])
def test_all_reasons_that_can_block_together_are_known(program: str) -> None:
    reasons = ["warning-call", "burrowing", "climbing", "hard-shell", "herding", "symbiosis"]
    reasons = ["not a carnivore", *reasons] if program == "xattack" else reasons
    known = known_goals(program)
    for at, one in enumerate(reasons):
        for other in reasons[at + 1 :]:
            assert (BOTH, f"blocked by {one} and {other}") in known
    assert (EDGES, "not blocked by hard-shell: a difference of 4") in known
    assert (EDGES, "blocked only by hard-shell: a difference of 3") in known


def test_what_can_never_be_taken_are_branches_of_the_engine() -> None:
    assert set(NEVER) <= set(Engine().branches)


def test_a_rare_goal_comes_with_an_input_that_reaches_it() -> None:
    for program in PROGRAMS:
        for goal, witness in known_goals(program).items():
            if witness is not None:
                assert goal in goals(watch(program, witness)[1])
