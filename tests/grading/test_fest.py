"""`harness fest` and `harness vote` from the command line, with teams that are a line of shell each."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_errors import with_a_fault
from tests.search.test_fuzz import misreading, program_with
from tests.support.grading_helpers import harness, lines, started
from tests.support.helpers import ROOT, Json, species
from tests.support.keeper import write_case, write_program

OURS = f'#!/bin/sh\nexec "{ROOT}/bin/xattack" "$@"\n'
# It takes every hard-shell for a soft one.
NEARLY = f"""#!/bin/sh
cat > $TMPDIR/in
if grep -q hard-shell $TMPDIR/in; then echo true; else "{ROOT}"/bin/xattack < $TMPDIR/in; fi
"""


WOLF = species(0, 3, 2, ["carnivore"])
SHELL = [species(0, 0, 2, ["hard-shell"]), WOLF, False, False]  # false
CLIMBER = [species(), species(0, 0, 1, ["carnivore", "climbing"]), False, False]  # true
CALL = [species(), WOLF, species(0, 0, 1, ["warning-call"]), False]  # false


def bring(team: Path, name: str, value: Json, expected: str, indent: int | None = None) -> None:
    """Put a case among those of a team."""
    write_case(team / "tests" / "xattack", name, json.dumps(value, indent=indent), expected)


@pytest.fixture
def teams(tmp_path: Path) -> Path:
    return three_teams(tmp_path)


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Json]:
    """Such teams, and what came out of their fest."""
    teams = three_teams(tmp_path_factory.mktemp("teams"))
    return teams, fest(teams)


def three_teams(tmp_path: Path) -> Path:
    """Three teams: two are right, and one takes hard shells for soft."""
    write_program(tmp_path / "ada" / "xattack", OURS)
    write_program(tmp_path / "bob" / "bin" / "xattack", f"{OURS}# bob\n")
    write_program(tmp_path / "cyd" / "xattack", NEARLY)
    bring(tmp_path / "ada", "shell", SHELL, "false")
    bring(tmp_path / "ada", "herd", CLIMBER, "true")
    bring(tmp_path / "bob", "call", CALL, "false")
    bring(tmp_path / "bob", "same-herd", CLIMBER, "true", indent=3)
    bring(tmp_path / "cyd", "soft", SHELL, "true")
    write_case(tmp_path / "asked" / "xattack", "shell", json.dumps(SHELL), "")
    return tmp_path


def fest(folder: Path, *arguments: str) -> Json:
    done = harness(folder, "fest", "ada", "bob", "cyd", "--sandbox", "off", "--out", "out", *arguments)
    assert done.returncode == 0, done.stdout + done.stderr
    return {
        **json.loads((folder / "out" / "fest.json").read_text()),
        "printed": done.stdout,
        "started": started(done),
    }


def status(found: Json) -> dict[str, bool]:
    return {f"{one['author']}/{one['case'].rpartition('/')[2]}": one["admitted"] for one in found["cases"]}


def test_the_rules_admit_what_they_agree_with(held: tuple[Path, Json]) -> None:
    teams, found = held
    assert status(found) == {
        "ada/herd": True,
        "ada/shell": True,
        "bob/call": True,
        "bob/same-herd": True,
        "cyd/soft": False,
    }
    rejected = "answers true (attackable), should be false (not attackable)"
    assert f"rejected: cyd: tests/xattack/soft: {rejected}" in found["printed"]
    assert f"soft: {rejected}" in (teams / "out" / "feedback" / "cyd.md").read_text().replace("\\", "")


@pytest.mark.long
@pytest.mark.every(2, "judge")
@pytest.mark.parametrize("judge", ["reference", "majority"])
def test_teams_may_call_their_cases_as_they_like(teams: Path, judge: str) -> None:
    tests = teams / "cyd" / "tests" / "xattack"
    for name, value in (("1_in.json", CALL), ("2.given", SHELL), ("3/in.json", CLIMBER)):
        (tests / name).parent.mkdir(exist_ok=True)
        (tests / name).write_text(json.dumps(value))
    for name, answer in (("1_out.json", "false"), ("2.wanted", "false"), ("3/out.json", "true")):
        (tests / name).write_text(answer)
    (tests / "4-input.json").write_text("[]")
    arguments = ("ada", "bob", "cyd", "--sandbox", "off", "--out", "out", "--judge", judge)
    done = harness(teams, "fest", *arguments, "--names", "{name}.given:{name}.wanted")
    assert done.returncode == 0, done.stderr
    found = status(json.loads((teams / "out" / "fest.json").read_text()))
    assert [found[f"cyd/{number}"] for number in (1, 2, 3)] == [True, True, True]
    assert (
        "harness: cyd: 1 file looks like a case and is not taken: tests/xattack/4-input.json" in done.stderr
    )


def test_cases_of_the_same_meaning_count_once(held: tuple[Path, Json]) -> None:
    teams, found = held
    doubled = {one["case"]: one["duplicate_of"] for one in found["cases"] if one["duplicate_of"]}
    assert doubled == {"tests/xattack/same-herd": "ada: tests/xattack/herd"}
    records = lines(teams / "out" / "results.jsonl")
    assert len(records) == 3 * 3
    assert found["started"] == 9


def test_points_are_for_finding_and_for_withstanding(held: tuple[Path, Json]) -> None:
    teams, found = held
    assert found["found"] == [["ada", "cyd", "xattack"]]
    assert found["withstood"] == [
        ["ada", "bob", "xattack"],
        ["bob", "ada", "xattack"],
        ["bob", "cyd", "xattack"],
    ]
    assert found["unique"] == [["ada", "tests/xattack/shell", "cyd"]]
    scores = (teams / "out" / "scores.csv").read_text().splitlines()
    assert scores[0] == "rank,team,total,of,finding,withstanding,factor,note,problem"
    assert sorted(scores[1:]) == ["1,ada,2,4,1,1,1,,", "2,bob,1,4,0,1,1,,", "2,cyd,1,4,0,1,1,,"]
    # What bob brought, too, counts as his as well.
    assert re.search(r"^cyd +1/2  2/2$", found["printed"], re.MULTILINE)
    assert "  ada: tests/xattack/shell in cyd" in found["printed"]


def test_the_majority_admits_what_most_agree_with(teams: Path) -> None:
    write_program(teams / "bob" / "bin" / "xattack", f"{NEARLY}# bob\n")
    found = fest(teams, "--judge", "majority")
    assert status(found)["cyd/soft"]
    assert not status(found)["ada/shell"]
    assert "1 of 3 implementations agree; answers false (not attackable), should be true" in found["printed"]
    assert fest(teams, "--judge", "majority")["started"] == 0


@pytest.mark.long
def test_a_judge_that_fails_is_not_taken_for_one_that_disagrees(teams: Path) -> None:
    write_program(teams / "judge", "#!/bin/sh\necho out of order >&2\nexit 9\n")
    done = harness(teams, "fest", "ada", "bob", "--sandbox", "off", "--out", "out", "--judge", "judge")
    assert (done.returncode, "Error: no case is admitted" in done.stderr) == (2, True)
    told = "rejected: ada: tests/xattack/shell: the judge failed: no output (exit status 9); out of order\n"
    assert told in done.stdout


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_a_judge_may_lie_beside_the_teams_and_the_results(teams: Path) -> None:
    write_program(teams / "judge", "#!/bin/sh\ncat > /dev/null\necho true\n")
    done = harness(teams, "fest", "ada", "bob", "--sandbox", "on", "--judge", "./judge")
    assert "4 cases brought, 2 admitted" in done.stdout, done.stdout + done.stderr


@pytest.mark.long
def test_a_judge_whose_files_cannot_be_used_admits_nothing(teams: Path) -> None:
    write_program(teams / "judge", "#!/bin/sh\necho true\n")
    (teams / "/".join("d" * 102)).mkdir(parents=True)
    done = harness(teams, "fest", "ada", "bob", "--sandbox", "off", "--judge", "./judge")
    assert done.returncode == 2
    assert "--judge: its files cannot be used: its directories go more than 100 levels" in done.stderr


@pytest.mark.long
def test_a_fest_leaves_marks_alone(teams: Path) -> None:
    """Wherever they are configured to be, and whoever else is told to write there."""
    (teams / "grade.toml").write_text(
        'out = "marks"\nteams = ["ada", "bob"]\n[[suite]]\npath = "ada/tests"\n'
    )
    common = ("--config", "grade.toml", "--sandbox", "off")
    assert harness(teams, "grade", *common).returncode == 0
    marks = (teams / "marks" / "scores.csv").read_bytes()
    assert harness(teams, "fest", *common).returncode == 0
    assert (teams / "fest" / "fest.json").exists()
    refused = harness(teams, "fest", *common, "--out", "marks")
    assert (refused.returncode, "--out: marks is from harness grade; name another" in refused.stderr) == (
        2,
        True,
    )
    assert (teams / "marks" / "scores.csv").read_bytes() == marks


def test_another_program_can_judge(teams: Path) -> None:
    write_program(teams / "judge", "#!/bin/sh\ncat > /dev/null\necho true\n")
    admitted = {name for name, is_admitted in status(fest(teams, "--judge", "judge")).items() if is_admitted}
    outputs = {path: path.read_text().strip() for path in teams.glob("*/tests/xattack/*-out.json")}
    expected = {
        f"{path.parts[-4]}/{path.name.removesuffix('-out.json')}"
        for path in outputs
        if outputs[path] == "true"
    }
    assert admitted == expected
    wrong = harness(teams, "fest", "ada", "bob", "--judge", "nobody")
    assert (wrong.returncode, "--judge: there is no nobody" in wrong.stderr) == (2, True)


@pytest.mark.long
def test_links_and_broken_cases_are_not_taken(teams: Path) -> None:
    folder = teams / "cyd" / "tests" / "xattack"
    for half in ("in", "out"):
        (folder / f"stolen-{half}.json").symlink_to(
            teams / "ada" / "tests" / "xattack" / f"shell-{half}.json"
        )
    (folder / "half-in.json").write_text("1")
    (folder / "refused-in.json").write_text("[1]")
    (folder / "refused-out.json").write_text("true")
    found = fest(teams)
    assert {name for name in status(found) if name.startswith("cyd")} == {
        "cyd/half",
        "cyd/refused",
        "cyd/soft",
    }
    assert "rejected: cyd: tests/xattack/refused: its input is refused: " in found["printed"]


def test_a_fest_needs_cases(teams: Path) -> None:
    for team in ("ada", "bob", "cyd"):
        shutil.rmtree(teams / team / "tests")
    done = harness(teams, "fest", "ada", "bob", "cyd")
    assert (done.returncode, "no team has cases in tests/ or test-fixtures/" in done.stderr) == (2, True)


# --- vote ----------------------------------------------------------------------------------------


def vote(folder: Path, *arguments: str | Path) -> tuple[int, str]:
    done = harness(folder, "vote", "--sandbox", "off", *arguments)
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_answers_are_grouped_by_meaning_with_the_group_of_the_rules_marked(teams: Path) -> None:
    status_, told = vote(teams, "asked/xattack/shell", "ada", "bob", "cyd")
    assert status_ == 1
    assert "shell (xattack): 2 answers\n  2: the rules, ada, bob\n     false\n  1: cyd\n     true\n" in told
    assert "- answers true (attackable), should be false (not attackable)" in told
    assert "hard-shell-is-ignored (rules 2.3)" in told


def test_all_agree(teams: Path) -> None:
    status_, told = vote(teams, "ada", "bob", "asked/xattack/shell")
    assert (status_, "shell (xattack): all agree\n  2: the rules, ada, bob" in told) == (0, True)


@pytest.mark.long
def test_random_inputs_say_on_which_rules_the_teams_are_split(teams: Path) -> None:
    status_, told = vote(teams, "--random", "40", "--program", "xattack", "--json", "ada", "bob", "cyd")
    found = json.loads(told)
    assert status_ == 1
    assert found["like_the_rules"] == ["ada", "bob"]
    assert found["divided"] > 0
    assert {tuple(split["teams"]) for split in found["splits"]} == {("cyd",)}
    named = [split for split in found["splits"] if split["misreading"]]
    assert any("hard-shell" in split["misreading"] for split in named)
    for split in found["splits"]:
        assert split["example"]["rules"] != split["example"]["answer"]


@pytest.mark.long
def test_an_example_for_several_teams_is_answered_so_by_each_of_them(tmp_path: Path) -> None:
    misread = {
        "one": ["herding-gives-way-to-equals"],
        "two": ["herding-gives-way-to-equals", "ties-go-to-the-later-board"],
        "three": ["the-smallest-target-is-attacked"],
    }
    for team, names in misread.items():
        (tmp_path / team).mkdir()
        misreading(tmp_path / team / "xfeed", "xfeed", *names)
    _, told = vote(tmp_path, "--random", "120", "--program", "xfeed", "--json", *misread)
    splits = json.loads(told)["splits"]
    for split in splits:
        assert all(split["misreading"] in misread[team] for team in split["teams"])
        value = json.dumps(split["example"]["input"]).encode()
        for team in split["teams"]:
            done = subprocess.run([tmp_path / team / "xfeed"], input=value, capture_output=True, check=True)
            assert json.loads(done.stdout) == json.loads(split["example"]["answer"])
    assert {tuple(sorted(split["teams"])) for split in splits} == {("one", "two"), ("two",), ("three",)}


@pytest.mark.long
def test_of_several_names_only_those_are_told_that_answer_the_example_so(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    misreading(tmp_path / "one" / "xattack", "xattack", "hard-shell-gives-way-at-three")
    _, told = vote(tmp_path, "--random", "120", "--program", "xattack", "one")
    assert "(hard-shell-gives-way-at-three)" in told
    assert "ambush-breaks-shells" not in told  # there is no ambush in the example


# Hard shells are ignored by large packs only.
SOMETIMES = """
from evolution import traits
shell = traits.TRAITS["hard-shell"]
def prevents(attacker, *others):
    return attacker.population < 3 and shell.prevents_attack(attacker, *others)
traits.TRAITS["hard-shell"] = traits.Trait(prevents_attack=prevents)
"""


@pytest.mark.long
def test_a_name_is_not_told_of_who_answers_its_smallest_case_rightly(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    program_with(tmp_path / "one" / "xattack", "xattack", SOMETIMES)
    _, told = vote(tmp_path, "--random", "20", "--json", "one")
    found = json.loads(told)
    assert (found["program"], found["asked"], found["divided"]) == ("xattack", 20, 1)
    assert [(split["misreading"], split["teams"]) for split in found["splits"]] == [(None, ["one"])]


def test_a_file_is_a_team_and_who_cannot_be_built_is_not_asked(teams: Path) -> None:
    write_program(teams / "dan" / "compile", "#!/bin/sh\nexit 1\n")
    done = harness(teams, "vote", "--sandbox", "off", "cyd/xattack", "ada", "dan", "asked/xattack/shell")
    assert "not asked: dan: the build failed: status 1" in done.stderr
    assert "  1: cyd/xattack\n" in done.stdout


def test_two_files_of_one_directory_are_two_teams(teams: Path) -> None:
    write_program(teams / "drafts" / "first", "#!/bin/sh\necho true\n")
    write_program(teams / "drafts" / "second", "#!/bin/sh\necho false\n")
    status_, told = vote(
        teams, "--program", "xattack", "asked", "drafts/first", "drafts/second", "drafts/first"
    )
    assert status_ == 1
    assert "shell (xattack): 2 answers\n  1: drafts/first\n     true\n" in told
    assert "  1: the rules, drafts/second\n     false\n" in told


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["ada"], "no cases: name some, or say --random N --program NAME"),
        (["ada", "both", "--random", "3"], "--random needs a --program: xattack or xfeed"),
        (["--random", "3", "--program", "xstep", "tests"], "no teams"),
        (["ada", "--random", "3", "--program", "xwing"], "there is no program xwing; there are xattack"),
        (["ada", "nothing"], "nothing: no such directory or case"),
    ],
)
def test_mistakes_are_named(teams: Path, arguments: list[str], said: str) -> None:
    write_program(teams / "both" / "xfeed", OURS)
    done = harness(teams, "vote", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.long
@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("asked", ["wise/bin", "wise/bin/xattack"])
def test_a_program_in_a_bin_sees_the_folder_above(teams: Path, asked: str) -> None:
    write_program(teams / "wise" / "bin" / "xattack", '#!/bin/sh\ncat "$(dirname "$0")/../answer"\n')
    (teams / "wise" / "answer").write_text("false\n")
    done = harness(teams, "vote", "asked", asked, "--sandbox", "on")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all agree" in done.stdout


@pytest.mark.long
def test_no_answer_is_an_order_to_a_service(teams: Path) -> None:
    write_program(teams / "bossy" / "xattack", "#!/bin/sh\necho '::error::all is wrong'\n")
    done = harness(teams, "vote", "asked", "bossy", "--sandbox", "off")
    assert "\n     \\x3a:error::all is wrong\n" in done.stdout


@pytest.mark.long
def test_who_answers_nothing_says_why(teams: Path) -> None:
    loud = "printf 'no \\033[31mjava\\n2\\n3\\n4\\n5\\n' >&2"
    write_program(teams / "silent" / "xattack", f"#!/bin/sh\n{loud}\nexit 3\n")
    write_program(teams / "killed" / "xattack", "#!/bin/sh\necho ouch >&2\nkill -SEGV $$\n")
    write_program(teams / "airy" / "xattack", "#!/bin/sh\nprintf '[ 1,\\n     2 ]\\n'; echo quiet >&2\n")
    done = harness(teams, "vote", "asked", "silent", "killed", "airy", "--sandbox", "off")
    assert done.returncode == 1
    told = done.stdout.replace("\n     ", "\n")
    assert "1: silent\nnothing\nexit status 3\nstderr | no \\x1b[31mjava\nstderr | 2\n" in told
    assert "stderr | 3\nstderr | … 2 more lines\n" in told
    assert "1: killed\ncrashed (SIGSEGV)\nstderr | ouch\n" in told
    assert "1: airy\n[1,2]\n" in told
    assert "quiet" not in told
    done = harness(teams, "vote", "asked", "silent", "--sandbox", "off", "--json")
    [case] = json.loads(done.stdout)["cases"]
    assert [(one["exit"], one["stderr"][:2]) for one in case["groups"] if one["teams"]] == [(3, "no")]


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_a_judge_in_a_bin_sees_the_folder_above(teams: Path) -> None:
    write_program(teams / "wise" / "bin" / "xattack", '#!/bin/sh\ncat "$(dirname "$0")/../answer"\n')
    (teams / "wise" / "answer").write_text("false\n")
    done = harness(teams, "fest", "ada", "bob", "--judge", "wise/bin/xattack", "--sandbox", "on")
    assert "4 cases brought, 2 admitted" in done.stdout, done.stdout + done.stderr


SLOW_JUDGE = """
import harness.grading.fest as fests
judged, fests.JUDGING_SECONDS = fests.sort_in, 0.5
def slow(found, case, program):
    while "slow" in case.name: pass
    judged(found, case, program)
fests.sort_in = slow
"""
LOST_JUDGE = """
import os
import harness.grading.fest as fests
judged = fests.sort_in
def lost(found, case, program):
    if "slow" in case.name: os.kill(os.getpid(), 9)
    judged(found, case, program)
fests.sort_in = lost
"""


@pytest.mark.every(2, "fault")
@pytest.mark.parametrize(
    ("fault", "status", "told", "herd"),
    [
        (SLOW_JUDGE, 0, "the rules took more than 0.5 s for the cases of its team", True),
        (LOST_JUDGE, 70, "it could not be judged: the machine or the harness has failed", False),
    ],
)
def test_a_team_whose_cases_cannot_be_judged_holds_nobody_up(
    teams: Path, fault: str, status: int, told: str, herd: bool
) -> None:
    bring(teams / "ada", "slow", SHELL, "false")
    line = ["fest", "ada", "bob", "cyd", "--sandbox", "off", "--out", "out"]
    done = with_a_fault(teams, fault, *line)
    assert done.returncode == status, done.stdout + done.stderr
    assert ("not graded: ada: " in done.stderr) == (status == 70)
    found = {one["case"]: one for one in json.loads((teams / "out" / "fest.json").read_text())["cases"]}
    assert told in found["tests/xattack/slow"]["reasons"][0]
    assert found["tests/xattack/herd"]["admitted"] == herd  # it is asked before
    assert found["tests/xattack/call"]["admitted"]
