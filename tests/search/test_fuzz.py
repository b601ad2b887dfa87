"""Fuzzing: what is found in wrong programs, how it is grouped and told, and what is left behind."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from harness.fixtures.dialect import COMMON, GENEROUS
from harness.fixtures.forms import forms_of
from harness.fixtures.layout import compact
from harness.inputs.kinds import is_well_formed
from harness.inputs.scene import scene_of
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.misreadings import LIBRARY, answer, right_answer, smallest_cases
from harness.misreadings.seen import SEEN
from harness.running.limits import Limits
from harness.running.target_pool import WINDOW, Pipeline, TargetPool
from harness.search.findings import Difference, Findings, answers_alike, explanations
from harness.search.fuzz import traps, wild
from tests.support.helpers import BIN, ROOT
from tests.support.keeper import write_program

Json = Any

PROGRAM = """#!{python}
import sys
sys.path[:0] = [{root!r}]
{patch}
from harness.start import run
sys.exit(run({program!r}, {arguments}))
"""
PLANTED = """
from harness.misreadings import LIBRARY, planted
plantings = [planted(LIBRARY[name]) for name in {names!r}]
for planting in plantings:
    planting.__enter__()
"""
# Whoever has learnt to read this and nothing else.
CHOOSY = """
import json, os
from harness.fixtures.forms import UNLABELLED, forms_of, growth_of
asked = sys.stdin.buffer.read()
value = json.loads(asked)
if forms_of({program!r}, value) or ({program!r} == "xstep4" and growth_of(value) not in ("", UNLABELLED)):
    raise KeyError("what is this?")
reading, writing = os.pipe()
os.write(writing, asked)
os.close(writing)
os.dup2(reading, 0)
"""
# Not a misreading of the library: a table with a climber on it is left as it is.
NO_CLIMBERS = """
from evolution import feeding
from evolution.wire import reading
step = feeding.feeding_step
def feeding_step(table, player, feeder):
    if any("climbing" in board.traits for one in table.players for board in one.boards):
        return False
    return step(table, player, feeder)
import harness.programs.answering
from harness.misreadings.extension_points import places
for owner, name, new in places(step, feeding_step):
    setattr(owner, name, new)
"""
# Not a misreading of the library: a forager eats a second token only if an even number is left.
FRUGAL = """
from evolution import traits
def foraging(owner, table, player):
    return table.eat(player, owner, "foraging") if table.hole % 2 == 0 else 0
traits.TRAITS["foraging"] = traits.Trait(eats_more=foraging)
"""


def program_with(path: Path, program: str, patch: str, stream: bool = True) -> Path:
    """One of our programs with a patch of the engine; with or without `--stream`."""
    arguments = "sys.argv[1:]" if stream else "[]"
    text = PROGRAM.format(
        python=sys.executable, root=str(ROOT), patch=patch, program=program, arguments=arguments
    )
    return write_program(path, text)


def misreading(path: Path, program: str, *names: str, stream: bool = True) -> Path:
    return program_with(path, program, PLANTED.format(names=names), stream)


def harness(*arguments: str | Path, cwd: Path) -> tuple[int, str, str]:
    command = [BIN / "harness", "fuzz", "--sandbox", "off", *arguments]
    done = subprocess.run(command, capture_output=True, check=False, timeout=300, text=True, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


def found_in(*arguments: str | Path, cwd: Path) -> Json:
    status, out, err = harness(*arguments, "--json", cwd=cwd)
    assert err == ""
    told = json.loads(out)
    assert status == (1 if told["found"] else 0)
    return told


# --- what is found ---------------------------------------------------------------------------------


def test_nothing_is_found_in_a_right_program(tmp_path: Path) -> None:
    status, out, err = harness(BIN / "xstep", "--cases", "600", cwd=tmp_path)
    assert (status, err) == (0, "")
    dialect, told = out.splitlines()
    assert dialect.startswith("dialect: tables of 1 player and more, a State, ")
    assert told.startswith(f"no difference in 600 cases ({len(traps('xstep'))} traps)")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("xattack", "herding-gives-way-to-equals"),
        pytest.param("xfeed", "target-ties-go-to-the-last-player", marks=pytest.mark.long),
        pytest.param("xstep", "scavengers-eat-though-the-attacker-died", marks=pytest.mark.long),
        pytest.param("xstep4", "the-hole-is-clamped-once", marks=pytest.mark.long),
        pytest.param("xsilly", "the-sixth-card-is-kept", marks=pytest.mark.long),
    ],
)
def test_a_misreading_is_named_and_its_smallest_case_shown(tmp_path: Path, program: str, name: str) -> None:
    path = misreading(tmp_path / program, program, name)
    [one] = found_in(path, "--cases", "500", cwd=tmp_path)["found"]
    assert (one["misreading"], one["sentence"]) == (name, LIBRARY[name].sentence)
    assert one["rule"] == LIBRARY[name].rule
    assert one["input"] == smallest_cases()[name][program]
    assert json.loads(answer(LIBRARY[name], program, one["input"]) or "null") == json.loads(one["printed"])
    assert one["fixture"] == f"fuzz-found/{program}/{name}"
    assert one["shows_again"]


@pytest.mark.long
def test_a_program_without_stream_is_started_for_each_case(tmp_path: Path) -> None:
    name = "the-sixth-card-is-kept"
    path = misreading(tmp_path / "silly", "xsilly", name, stream=False)
    told = found_in(path, "--program", "xsilly", "--cases", "30", "-j", "2", cwd=tmp_path)
    assert told["cases"] == 30
    assert [one["misreading"] for one in told["found"]] == [name]


@pytest.mark.long
def test_two_misreadings_are_told_apart(tmp_path: Path) -> None:
    names = ["vegetarian-ties-go-to-the-last", "foragers-eat-until-they-are-full"]
    path = misreading(tmp_path / "xstep", "xstep", *names)
    told = found_in(path, "--cases", "2000", cwd=tmp_path)["found"]
    assert sorted(one["misreading"] for one in told if one["misreading"]) == sorted(names)
    assert len(told) == 2


def choosy(path: Path, program: str, name: str) -> Path:
    """A program with a misreading that breaks down over all that is not in the common form, unlabelled."""
    return program_with(path, program, CHOOSY.format(program=program) + PLANTED.format(names=[name]), False)


@pytest.mark.long
@pytest.mark.parametrize(
    ("program", "name"),
    [("xstep4", "the-hole-is-clamped-once"), ("xfeed", "fat-need-is-what-the-population-lacks")],
)
def test_a_program_is_asked_in_its_own_dialect(tmp_path: Path, program: str, name: str) -> None:
    told = found_in(choosy(tmp_path / program, program, name), "--cases", "40", cwd=tmp_path)
    assert told["dialect"]["answered"]
    assert told["stopped"] is None
    assert [one["misreading"] for one in told["found"]] == [name]
    for one in told["found"]:
        assert forms_of(program, one["input"]) == ()
        assert one["verdict"] == "wrong answer"
        assert one["shows_again"]


# Whoever has learnt that at least three play, and says so.
SOCIABLE = CHOOSY.replace(
    "forms_of({program!r}, value) or", 'len(value[-1]) < 2 and exit("three, please") or'
)


def test_traps_are_for_as_many_players_as_a_program_wants() -> None:
    small = [value for value, _ in traps("xfeed", GENEROUS).values() if len(value) == 3]
    assert any(len(others) < 2 for _, _, others in small)
    for value, names in traps("xfeed", COMMON).values():
        assert len(value[2]) >= 2
        assert len({player[0][1] for player in [value[0], *value[2]]}) == 1 + len(value[2])
        assert all(right_answer("xfeed", value) != answer(LIBRARY[name], "xfeed", value) for name in names)


@pytest.mark.long
def test_who_refuses_small_tables_is_told_so_and_its_other_mistake_is_named(tmp_path: Path) -> None:
    name = "herding-gives-way-to-equals"
    patch = SOCIABLE.format(program="xfeed") + PLANTED.format(names=[name])
    found = found_in(program_with(tmp_path / "xfeed", "xfeed", patch, False), "--cases", "260", cwd=tmp_path)
    assert {one["misreading"] for one in found["found"]} == {name, None}
    [other] = [one for one in found["found"] if not one["misreading"]]
    assert other["features"] == ["there are fewer than 3 players"]


@pytest.mark.long
def test_names_that_the_traps_do_not_tell_apart_are_told_apart_in_the_end(tmp_path: Path) -> None:
    name = "the-others-come-in-the-order-of-the-table"
    path = misreading(tmp_path / "xstep4", "xstep4", name)
    [one] = found_in(path, "--cases", str(len(traps("xstep4"))), cwd=tmp_path)["found"]
    assert (one["misreading"], one["or"]) == (name, [])


def test_a_finding_is_told_as_soon_as_it_is_there(tmp_path: Path) -> None:
    path = misreading(tmp_path / "xattack", "xattack", "herding-gives-way-to-equals", stream=False)
    command: list[str | Path] = [BIN / "harness", "fuzz", "--sandbox", "off", path, "--for", "600"]
    fuzzing = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    assert fuzzing.stdout is not None
    line = fuzzing.stdout.readline()
    assert fuzzing.poll() is None
    fuzzing.send_signal(signal.SIGINT)
    fuzzing.communicate(timeout=120)
    assert re.match(r"after [0-9.]+ s, [0-9]+ cases?: .*: wrong answer: answers true", line)


def test_the_time_to_the_first_finding_is_told(tmp_path: Path) -> None:
    path = misreading(tmp_path / "xattack", "xattack", "herding-gives-way-to-equals")
    told = found_in(path, "--cases", "60", cwd=tmp_path)
    assert 0 < told["seconds_to_first_finding"] <= told["seconds"]
    assert found_in(BIN / "xattack", "--cases", "60", cwd=tmp_path)["seconds_to_first_finding"] is None


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("cat >/dev/null; echo true", "gives one and the same answer to every case"),
        ("cat", "prints its input again, whatever it is asked"),
    ],
)
def test_who_does_the_same_with_everything_is_told_so_and_has_misread_nothing(
    tmp_path: Path, text: str, says: str
) -> None:
    path = write_program(tmp_path / "xattack", f"#!/bin/sh\n{text}\n")
    told = found_in(path, "--cases", "600", cwd=tmp_path)
    assert [(one["cause"], one["misreading"]) for one in told["found"]] == [(says, None)]
    assert "that says it all" in told["stopped"]


@pytest.mark.long
def test_what_no_misreading_explains_is_described_by_its_inputs(tmp_path: Path) -> None:
    told = found_in(program_with(tmp_path / "xstep", "xstep", NO_CLIMBERS), "--cases", "900", cwd=tmp_path)
    assert "climbing" in " ".join(told["found"][0]["features"])
    assert told["found"][0]["misreading"] is None


@pytest.mark.long
def test_a_misreading_that_nobody_knows_is_found_and_made_small(tmp_path: Path) -> None:
    path = program_with(tmp_path / "xstep", "xstep", FRUGAL)
    told = found_in(path, "--cases", "1500", cwd=tmp_path)["found"]
    assert told
    for one in told:
        assert one["players"] <= 3
        assert one["boards"] <= 4
    assert "foraging" in compact(told[0]["input"])


def test_traps_are_not_needed_to_find_something(tmp_path: Path) -> None:
    chaff = LIBRARY["foragers-eat-until-they-are-full"]
    first = [value for value, _ in zip(wild("xstep", 3), range(600), strict=False)]
    assert all(is_well_formed("xstep", value) for value in first)
    wrong = [value for value in first if right_answer("xstep", value) != answer(chaff, "xstep", value)]
    assert len(wrong) > 3


@pytest.mark.parametrize("program", ["xsilly", pytest.param("xstep4", marks=pytest.mark.long)])
def test_what_real_teams_misread_is_tried_first_in_every_form_that_a_program_reads(program: str) -> None:
    dialect = COMMON._replace(equal_cards=True)
    tried = [names for _, names in traps(program, dialect).values()]
    seen = SEEN & frozenset().union(*tried)
    assert {name for name in seen if "equal-cards" in name}
    assert seen <= frozenset().union(*tried[: len(seen)])


@pytest.mark.long
def test_who_finds_cards_by_their_values_is_told_so_after_a_few_cases(tmp_path: Path) -> None:
    name = "of-equal-cards-the-first-leaves"
    told = found_in(misreading(tmp_path / "xstep4", "xstep4", name), "--cases", "42", cwd=tmp_path)
    assert [one["misreading"] for one in told["found"]] == [name]


# --- what is told and written ----------------------------------------------------------------------


def test_the_summary_can_be_acted_on(tmp_path: Path) -> None:
    name = "herding-gives-way-to-equals"
    misreading(tmp_path / "xattack", "xattack", name)
    status, out, err = harness("xattack", "--cases", "200", "-o", "found", cwd=tmp_path)
    assert (status, err) == (1, "")
    assert out.startswith("after ")
    assert "\n1. xattack answers like *herding gives way to equals*\n" in out
    assert " cases speak for it, and none against it; the smallest:\n" in out
    assert f"   {LIBRARY[name].sentence} (rules 2.4)\n" in out
    assert "   the right answer:\n     false\n   the answer of the program:\n     true\n" in out
    assert "   answers true (attackable), should be false (not attackable)\n" in out
    assert "   by the rules:\n" in out
    assert out.endswith(" s\n")
    line = next(line for line in out.splitlines() if "see it again: " in line).split(": ", 1)[1]
    again = subprocess.run(line, shell=True, capture_output=True, check=True, text=True, cwd=tmp_path)
    assert again.stdout == "true\n"
    assert (tmp_path / "found" / "xattack" / f"{name}-out.json").read_text() == "false\n"


def test_the_fixtures_are_right_and_catch_the_misreading(tmp_path: Path) -> None:
    path = misreading(tmp_path / "xfeed", "xfeed", "silly-stores-one-token")
    harness(path, "--cases", "150", cwd=tmp_path)
    done = subprocess.run(
        [BIN / "harness", "chaff", "fuzz-found", "--json"], capture_output=True, check=False, cwd=tmp_path
    )
    score = json.loads(done.stdout)
    caught = [one["name"] for one in score["misreadings"] if one["caught_by"]]
    assert score["score"]["right"] >= 1
    assert score["wrong"] == score["broken"] == []
    assert "silly-stores-one-token" in caught


@pytest.mark.long
def test_nothing_is_written_over_and_nothing_twice(tmp_path: Path) -> None:
    name = "herding-gives-way-to-equals"
    path = misreading(tmp_path / "xattack", "xattack", name)
    folder = tmp_path / "mine" / "xattack"
    folder.mkdir(parents=True)
    (folder / f"{name}-in.json").write_text("my own")
    for _ in range(2):
        [one] = found_in(path, "--cases", "100", "-o", "mine", cwd=tmp_path)["found"]
        assert one["fixture"] == f"mine/xattack/{name}-2"
        assert sorted(file.name for file in folder.iterdir()) == [
            f"{name}-2-in.json",
            f"{name}-2-out.json",
            f"{name}-in.json",
        ]
    assert (folder / f"{name}-in.json").read_text() == "my own"


@pytest.mark.long
def test_what_cannot_be_written_is_told_nevertheless(tmp_path: Path) -> None:
    name = "herding-gives-way-to-equals"
    path = misreading(tmp_path / "xattack", "xattack", name)
    (tmp_path / "mine").write_text("a file")
    status, out, err = harness(path, "--cases", "100", "-o", "mine", cwd=tmp_path)
    assert (status, err) == (74, "harness: what was found cannot be written: mine/xattack: Not a directory\n")
    assert "answers like *herding gives way to equals*" in out
    assert "see it again" not in out
    assert out.endswith("s\n")


@pytest.mark.long
def test_the_same_seed_finds_the_same(tmp_path: Path) -> None:
    path = program_with(tmp_path / "xstep", "xstep", FRUGAL)
    told = [
        found_in(path, "--cases", "400", "--seed", "5", "-o", folder, cwd=tmp_path)["found"]
        for folder in ("one", "two")
    ]
    for one in told[1]:
        one["fixture"] = one["fixture"].replace("two", "one")
        one["reproduce"] = one["reproduce"].replace("two", "one")
        one["explain"] = one["explain"].replace("two", "one")
    assert told[0] == told[1]


# --- programs that do not answer -------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "verdict", "says"),
    [
        ("echo oops >&2; exit 3", "no output", "     oops\n"),
        ("cat >/dev/null; echo '{'", "not JSON", "     {\n"),
        ("kill -SEGV $$", "crashed", "crashed (SIGSEGV)"),
        ("cat >/dev/null; echo 1; echo 2", "too many values", "2 printed, 1 expected"),
    ],
)
def test_what_is_no_answer_is_one_group(tmp_path: Path, text: str, verdict: str, says: str) -> None:
    path = write_program(tmp_path / "xsilly", f"#!/bin/sh\n{text}\n")
    status, out, _ = harness(path, "--cases", "25", cwd=tmp_path)
    assert status == 1
    assert f": {verdict}" in out
    assert says in out
    assert out.count("see it again") == 1
    assert "1 kind of difference in 25 cases" in out


@pytest.mark.long
def test_different_crashes_are_different_groups(tmp_path: Path) -> None:
    path = write_program(
        tmp_path / "xsilly",
        "#!/bin/sh\nread line\n"
        'case "$line" in *carnivore*) echo "KeyError: carnivore" >&2;; *) echo "IndexError: 7" >&2;; esac\n'
        "exit 1\n",
    )
    told = found_in(path, "--cases", "60", cwd=tmp_path)["found"]
    assert sorted(one["stderr"].strip() for one in told) == ["IndexError: 7", "KeyError: carnivore"]


@pytest.mark.long
def test_a_program_that_never_answers_is_given_up(tmp_path: Path) -> None:
    path = write_program(tmp_path / "xstep", "#!/bin/sh\nsleep 600\n")
    status, out, _ = harness(path, "--cases", "100000", "--timeout", "0.2", cwd=tmp_path)
    assert status == 1
    assert "xstep: timeout" in out
    assert "cases were not answered in time\n1 kind of difference in " in out


def test_a_program_that_never_says_anything_is_given_up(tmp_path: Path) -> None:
    path = write_program(tmp_path / "xsilly", "#!/bin/sh\necho oops >&2; exit 1\n")
    status, out, _ = harness(path, "--cases", "100000", cwd=tmp_path)
    assert status == 1
    assert "stopped: not one of the first 100 cases was answered\n1 kind of difference in 1" in out


@pytest.mark.long
@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("place", [None, "/tmp"])
def test_a_program_sees_in_the_sandbox_what_it_is_shown(tmp_path: Path, place: str | None) -> None:
    with tempfile.TemporaryDirectory(dir=place or tmp_path) as name:
        folder = Path(name)
        program = folder / "one" / "xattack"
        program.parent.mkdir()
        write_program(program, '#!/bin/sh\nexec sh "${0%/*}/../shared/answer"\n')
        (folder / "shared").mkdir()
        (folder / "shared" / "answer").write_text("cat >/dev/null; echo true\n")
        command: list[str | Path] = [BIN / "harness", "fuzz", program, "--cases", "20", "--sandbox", "on"]
        told = []
        shown: list[list[str]] = [[], ["--show", str(folder / "shared")]]
        for more in shown:
            done = subprocess.run(
                [*command, *more], capture_output=True, check=False, timeout=300, text=True, cwd=tmp_path
            )
            told.append("the answer of the program:\n     true\n" in done.stdout)
    assert told == [False, True]


def command_lines() -> list[str]:
    """Those of all processes."""
    found = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace").strip())
        except OSError:
            continue
    return found


def test_a_hostile_program_leaves_nothing_behind(tmp_path: Path) -> None:
    mark = f"sleep 31{os.getpid()}"
    path = write_program(tmp_path / "xsilly", f"#!/bin/sh\nsetsid {mark} >/dev/null 2>&1 &\necho 1\n")
    harness(path, "--cases", "10", cwd=tmp_path)
    assert mark not in command_lines()


def test_an_interrupt_gives_what_was_found_so_far(tmp_path: Path) -> None:
    started = tmp_path / "started"
    patch = PLANTED.format(names=["herding-gives-way-to-equals"])
    path = program_with(tmp_path / "xattack", "xattack", f"{patch}\nopen({str(started)!r}, 'w').close()\n")
    fuzzing = subprocess.Popen(
        [BIN / "harness", "fuzz", "--sandbox", "off", path, "--for", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
    )
    while not started.exists():
        assert fuzzing.poll() is None
        time.sleep(0.05)
    fuzzing.send_signal(signal.SIGINT)
    out, err = fuzzing.communicate(timeout=120)
    assert (fuzzing.returncode, err) == (130, "")
    assert "interrupted; this is what was found so far" in out


# --- two programs ----------------------------------------------------------------------------------


@pytest.mark.long
def test_two_programs_are_compared_with_each_other(tmp_path: Path) -> None:
    name = "herding-gives-way-to-equals"
    wrong = misreading(tmp_path / "wrong", "xattack", name)
    arguments = ["--program", "xattack", "--cases", "150"]
    [one] = found_in(wrong, "--against", BIN / "xattack", *arguments, cwd=tmp_path)["found"]
    assert (one["misreading"], one["program"]) == (name, str(wrong))
    [other] = found_in(BIN / "xattack", "--against", wrong, *arguments, cwd=tmp_path)["found"]
    assert (other["misreading"], other["program"]) == (name, str(wrong))
    status, out, _ = harness(wrong, "--against", wrong, *arguments, cwd=tmp_path)
    assert status == 0
    assert "both programs differ from the rules in the same way" in out


# --- the command line ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nowhere"], "does not exist"),
        ([str(BIN / "harness")], "say which program it is: --program xattack|xfeed|xstep|xstep4|xsilly"),
        ([str(BIN / "xstep"), "--cases", "5", "--for", "5"], "--cases and --for exclude each other"),
        ([str(BIN / "xstep"), "--against", "nowhere"], "does not exist"),
        ([str(BIN / "xstep"), "--cases", "0"], "0 is not in the range"),
    ],
)
def test_a_wrong_command_line_is_refused(tmp_path: Path, arguments: list[str], says: str) -> None:
    status, out, err = harness(*arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert says in " ".join(err.split())


# --- groups ----------------------------------------------------------------------------------------


def difference(program: str, value: Json, printed: str, status: int = 0) -> Difference:
    outcome = Outcome()
    outcome.exit, outcome.stdout = status, printed.encode()
    expected = (right_answer(program, value) or "").encode()
    return Difference(program, value, 0, judge(expected, outcome, exact=False, as_text=False), outcome)


def test_a_group_is_renamed_when_more_cases_speak_for_another_misreading() -> None:
    right, wrong = "fat-is-stored-when-full-only", "silly-feeds-before-it-stores"
    chaff = LIBRARY[wrong]
    cases = [value for value, _ in traps("xfeed").values()]
    shown = [
        (value, said)
        for value in cases
        if (said := answer(chaff, "xfeed", value)) is not None and said != right_answer("xfeed", value)
    ]
    findings = Findings("xfeed")
    names = []
    for value, said in shown:
        findings.add(difference("xfeed", value, said))
        names.append([group.name for group in findings.groups])
    assert names[0] == [right]
    assert names[-1] == [wrong]


def test_a_misreading_that_shows_where_the_program_is_right_names_nothing() -> None:
    name = "vegetarian-ties-go-to-the-last"
    value = smallest_cases()[name]["xfeed"]
    findings = Findings("xfeed")
    findings.add(difference("xfeed", value, answer(LIBRARY[name], "xfeed", value) or ""))
    named = findings.groups[0].name
    assert named in explanations("xfeed", value, b"1")
    for other in explanations("xfeed", value, b"1"):
        case = smallest_cases()[other]["xfeed"]
        findings.right(case, right_answer("xfeed", case))
    findings.regroup()
    [group] = findings.groups
    assert group.name == ""


def test_in_the_end_no_name_stays_that_a_case_contradicts() -> None:
    name = "herding-gives-way-to-equals"
    findings = Findings("xattack")
    for value, _ in traps("xattack").values():
        right, said = right_answer("xattack", value), answer(LIBRARY[name], "xattack", value)
        if said == right:
            findings.right(value, right)
        else:
            findings.add(difference("xattack", value, said or ""))
    findings.conclude()
    assert [(group.name, group.count > 1) for group in findings.groups] == [(name, True)]
    contradicting = smallest_cases()[name]["xattack"]
    findings.right(contradicting, right_answer("xattack", contradicting))
    findings.conclude()
    assert name not in [group.name for group in findings.groups]


def test_a_refusal_is_an_answer_whatever_the_exit_status() -> None:
    name = "a-population-of-seven-is-illegal"
    value = smallest_cases()[name]["xstep4"]
    refused = difference("xstep4", value, "", status=1)
    assert refused.is_answer
    findings = Findings("xstep4")
    findings.right(value, right_answer("xstep4", value))
    findings.add(refused)
    assert name in refused.alike


def test_misreadings_are_asked_for_together() -> None:
    names = ["vegetarian-ties-go-to-the-last", "horns-are-ignored"]
    value = smallest_cases()[names[0]]["xfeed"]
    assert answers_alike("xfeed", value, b"1", names)
    assert not answers_alike("xfeed", value, b"0", names)
    assert not answers_alike("xfeed", value, b"no JSON", names)


# --- many at once ----------------------------------------------------------------------------------


def test_outcomes_come_in_the_order_of_the_inputs(tmp_path: Path) -> None:
    path = write_program(
        tmp_path / "slow", '#!/bin/sh\nread line\n[ "$line" = 0 ] && sleep 0.5\necho "$line"\n'
    )
    targets = TargetPool(str(path), 3, Limits(seconds=20))
    inputs = [str(number).encode() for number in range(12)]
    assert [outcome.stdout.strip() for outcome in targets.outcomes(inputs)] == inputs
    targets.close()


def test_what_waits_for_a_slow_input_is_not_taken_for_the_end(tmp_path: Path) -> None:
    """The first input ends only after all others that may wait for it have ended."""
    slow = f"while [ ! -e {tmp_path}/go ]; do sleep 0.01; done; sleep 0.3"
    go = f"touch {tmp_path}/go"
    path = write_program(
        tmp_path / "slow",
        f'#!/bin/sh\nread line\ncase $line in 0) {slow};; {WINDOW - 1}) {go};; esac\necho "$line"\n',
    )
    targets = TargetPool(str(path), 2, Limits(seconds=60))
    inputs = [str(number).encode() for number in range(WINDOW + 10)]
    assert [outcome.stdout.strip() for outcome in targets.outcomes(inputs)] == inputs
    targets.close()


def test_a_pipeline_gives_an_outcome_for_each_input(tmp_path: Path) -> None:
    path = write_program(tmp_path / "echo", "#!/bin/sh\nexec cat\n")
    pipeline = Pipeline(str(path), Limits(seconds=20))
    inputs = [str(number).encode() for number in range(1000)]
    assert [outcome.stdout for outcome in pipeline.outcomes(iter(inputs))] == inputs
    pipeline.close()


def test_inputs_near_traps_are_well_formed_and_small() -> None:
    for program in ("xattack", "xfeed", "xstep", "xstep4", "xsilly"):
        source = wild(program, 0)
        for value in (next(source) for _ in range(200)):
            assert is_well_formed(program, value)
            assert len(scene_of(program, value).seats) <= 8
