"""What a class misunderstands: clusters of wrong answers and wrong cases, new misreadings, a pick of them.

The class of twelve answers in this process, as its programs would, with misreadings planted in the engine;
what `harness grade` would have written of it is written here. One course is graded for real.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from harness.files import read_file
from harness.fixtures.cases import find_cases
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.judging.result import Result
from harness.misreadings import LIBRARY, planted, right_answer
from tests.support.grading_helpers import harness
from tests.support.helpers import ROOT
from tests.support.keeper import write_program

Json = Any
Answer = Callable[[str, Json], str | None]

SHELL, HERD, CALL = "hard-shell-is-ignored", "herding-gives-way-to-equals", "warning-call-protects-its-owner"
FAT, SIZE = "fat-need-is-what-the-population-lacks", "size-looks-at-the-food-first"
# Who has which mistakes in the first, second and third submission; UNKNOWN is none of the library.
UNKNOWN = "unknown"
CLASS: dict[str, tuple[list[str], list[str], list[str]]] = {
    "ada": ([], [], []),
    "bo": ([SHELL], [SHELL], []),
    "cleo": ([SHELL], [], []),
    "dan": ([SHELL, FAT], [FAT], [FAT]),
    "eve": ([HERD], [HERD], [HERD]),
    "fay": ([HERD], [HERD], []),
    "gus": ([CALL], [CALL], [CALL]),
    "hal": ([FAT], [], []),
    "ida": ([SIZE], [SIZE], []),
    "jo": ([UNKNOWN], [UNKNOWN], [UNKNOWN]),
    "kim": ([UNKNOWN], [UNKNOWN], []),
    "lou": ([], [], [HERD]),
}


def answer_with(mistakes: list[str], program: str, value: Json) -> str | None:
    with ExitStack() as planting:
        for name in mistakes:
            if name != UNKNOWN:
                planting.enter_context(planted(LIBRARY[name]))
        said = right_answer(program, value)
    if UNKNOWN in mistakes and program == "xattack" and "horns" in json.dumps(value[:1]):
        return "true" if said == "false" else "false"
    return said


def results(folder: Path, team: str, mistakes: list[str]) -> Iterator[Result]:
    for program in ("xattack", "xfeed"):
        for case in find_cases([str(folder / "suite" / program)]):
            value = json.loads(read_file(case.input))
            outcome = Outcome()
            outcome.stdout = (answer_with(mistakes, program, value) or "").encode()
            found = judge(read_file(case.expected), outcome, exact=False, as_text=False)
            yield Result(
                case.name,
                program,
                found.verdict,
                case.input,
                case.expected,
                seconds=0.1,
                stdout=outcome.stdout.decode(),
                team=team,
                suite="all",
            )


def write_grades(folder: Path, name: str, mistakes: dict[str, list[str]]) -> None:
    (folder / name).mkdir()
    with open(folder / name / "results.jsonl", "w") as file:
        for team, own in mistakes.items():
            for result in results(folder, team, own):
                file.write(json.dumps(result.to_json()) + "\n")


def write_suite(folder: Path, *programs: str, every: int = 1) -> None:
    for program in programs:
        (folder / "suite" / program).mkdir(parents=True)
        for path in sorted((ROOT / "test-fixtures" / program).glob("*-in.json"))[::every]:
            for ending in ("-in.json", "-out.json"):
                name = path.name.replace("-in.json", ending)
                shutil.copy(path.with_name(name), folder / "suite" / program / name)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    write_suite(folder, "xattack", "xfeed")
    for at in range(3):
        write_grades(folder, f"grades-{at + 1}", {team: mistakes[at] for team, mistakes in CLASS.items()})
    return folder


def has(name: str, at: int) -> list[str]:
    return [team for team, mistakes in CLASS.items() if name in mistakes[at]]


@pytest.mark.long
def test_the_clusters_are_the_planted_mistakes(course: Path) -> None:
    folders = ("grades-1", "grades-2", "grades-3")
    done = harness(course, "misreadings", *folders, "--json", "--pick", "4", "-o", "picked.toml")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["submissions"] == [*folders]
    assert len(told["teams"]) == 12
    named = {one["name"]: one["teams"] for one in told["misreadings"] if not one["new"]}
    assert named == {name: [has(name, at) for at in range(3)] for name in (SHELL, HERD, CALL, FAT, SIZE)}
    (new,) = [one for one in told["misreadings"] if one["new"]]
    assert new["teams"] == [has(UNKNOWN, at) for at in range(3)]
    assert "the defender has horns" in new["sentence"]
    # Of four, each meets teams that no other one does.
    met = {team for one in told["misreadings"] if one["name"] in told["picked"] for team in one["teams"][0]}
    assert len(told["picked"]) == 4
    assert len(met) >= 8
    # The instructor gives the new one a name, and it is known by that name from then on.
    file = course / "misreadings.toml"
    file.write_text(file.read_text().replace(f"name = '{new['name']}'", "name = 'horns-turn-it-round'"))
    again = harness(course, "misreadings", *folders)
    assert "2 → 2 → 1  horns-turn-it-round\n" in again.stdout, again.stdout + again.stderr
    assert "(new)" not in again.stdout
    assert "3 → 1 → 0  hard-shell-is-ignored\n" in again.stdout
    # Students test their cases against what the class has misunderstood.
    scored = harness(course, "chaff", "suite", "--only", "picked.toml")
    assert scored.returncode == 0, scored.stdout + scored.stderr
    assert "4 of 4 misreadings caught (100 %)" in scored.stdout
    kept = harness(course, "chaff", "suite", "--only", "misreadings.toml", "--json")
    (own,) = json.loads(kept.stdout)["misreadings"]
    assert own["name"] == "horns-turn-it-round"
    assert own["caught_by"]


@pytest.mark.long
def test_the_pick_has_no_input_of_a_hidden_suite_nor_one_above_the_degree(tmp_path: Path) -> None:
    write_suite(tmp_path, "xattack", "xfeed")
    write_grades(tmp_path, "grades", {"jo": [UNKNOWN], "kim": [UNKNOWN], "bo": [SHELL]})
    for hidden, told in (
        (False, {}),
        (False, {"hidden": False, "feedback": "own output"}),
        (True, {"hidden": True}),
        (True, {"feedback": "rule"}),
        (True, {"feedback": "points"}),
    ):
        about = {"suites": [{"name": "all", "hidden": False, **told}]}
        (tmp_path / "grades" / "grading.json").write_text(json.dumps(about))
        picked = f"picked-{len([*tmp_path.iterdir()])}.toml"
        done = harness(tmp_path, "misreadings", "--pick", "9", "-o", picked)
        assert done.returncode == 0, done.stderr
        assert f"'{SHELL}'" in (tmp_path / picked).read_text()
        assert ('"food"' in (tmp_path / picked).read_text()) is not hidden, told
    assert (tmp_path / "misreadings.toml").read_text().count("[[misreading]]") == 1


MISREAD = """#!{python}
import sys
sys.path.insert(0, {root!r})
from harness.misreadings import LIBRARY, planted
from harness.programs.reference import reference
with planted(LIBRARY[{name!r}]):
    sys.stdout.write(reference("xattack", sys.stdin.buffer.read()).printed.decode())
"""


@pytest.mark.long
def test_runs_that_grades_remember_are_submissions_and_a_fests_wrong_cases_count(tmp_path: Path) -> None:
    write_suite(tmp_path, "xattack", every=4)
    (tmp_path / "grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\n[[suite]]\npath = "suite"\n'
    )
    program = MISREAD.format(python=sys.executable, root=str(ROOT), name=SHELL)
    for team in ("ada", "bo"):
        write_program(tmp_path / "teams" / team / "xattack", program)
    assert harness(tmp_path, "grade", "--config", "grade.toml").returncode == 0
    write_program(tmp_path / "teams" / "bo" / "xattack", f"#!/bin/sh\nexec '{ROOT}/bin/xattack'\n")
    assert harness(tmp_path, "grade", "--config", "grade.toml").returncode == 0
    told = json.loads(harness(tmp_path, "misreadings", "--json").stdout)
    assert told["submissions"] == ["run 1", "run 2"]
    assert [(one["name"], one["teams"]) for one in told["misreadings"]] == [(SHELL, [["ada", "bo"], ["ada"]])]
    # bo's program is right by now, but bo still writes cases as before.
    tests = tmp_path / "teams" / "bo" / "tests" / "xattack"
    shutil.copytree(tmp_path / "suite" / "xattack", tests)
    for given in tests.glob("*-in.json"):
        said = answer_with([SHELL], "xattack", json.loads(given.read_text()))
        given.with_name(given.name.replace("-in", "-out")).write_text(said or "")
    done = harness(tmp_path, "fest", "teams/ada", "teams/bo", "--sandbox", "off")
    assert done.returncode == 0, done.stderr
    told = json.loads(harness(tmp_path, "misreadings", "fest", "--json").stdout)
    (shell,) = [one for one in told["misreadings"] if one["in_cases"] != [[]]]
    assert (shell["name"], shell["in_cases"]) == (SHELL, [["bo"]])


ENTRY = """only = ["hard-shell-is-ignored"]
[[misreading]]
name = "mine"
sentence = "carnivores never attack"
rule = "2.1"
[[misreading.example]]
program = "xattack"
input = '[[["food",0],["body",0],["population",1],["traits",[]]],[["food",0],["body",0],["population",1],["traits",["carnivore"]]],false,false]'
answer = "false"
"""  # noqa: E501


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("only = [", "only = [,", "not TOML: "),
        (
            "shell-is-ignored",
            "shell-is-ignord",
            "no misreading hard-shell-is-ignord; did you mean",
        ),
        ("rule =", "rul =", '[[misreading]] 1: unknown key "rul"; did you mean rule?'),
        ("only =", "all =", 'mine.toml: unknown key "all"; there are only, misreading'),
        ('rule = "2.1"', "", "[[misreading]] 1: needs a rule"),
        ('["hard-shell-is-ignored"]', "3", "mine.toml: only: must be a list"),
        ('"mine"', '"Mine"', "[[misreading]] 1: name: must be small letters"),
        ('"mine"', '"herding-is-ignored"', "[[misreading]] 1: name: there is another misreading"),
        (
            '"xattack"',
            '"xatack"',
            "1: program: there is no program xatack; did you mean",
        ),
        ('"body",0', '"body",9', "[[misreading]] 1, [[misreading.example]] 1: input: [0][1][1]: "),
        ('answer = "false"', 'answer = "true"', "answer: this is the right answer"),
        (
            'answer = "false"',
            "answer = 3",
            "[[misreading.example]] 1: answer: must be text in quotes",
        ),
    ],
)
def test_a_file_of_misreadings_is_refused_with_its_key(
    tmp_path: Path, old: str, new: str, complaint: str
) -> None:
    from harness.errors import UserError
    from harness.misreadings.course import read_course

    path = tmp_path / "mine.toml"
    path.write_text(ENTRY)
    assert [*read_course(str(path)).library] == [SHELL, "mine"]
    path.write_text(ENTRY.replace(old, new))
    with pytest.raises(UserError) as refused:
        read_course(str(path))
    assert str(refused.value).startswith(f"{path}: ")
    assert complaint in str(refused.value)
    assert refused.value.status == 65


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (["misreadings"], 2, "grades has no results.jsonl: give folders that harness grade"),
        (["misreadings", "public"], 2, "public is for students"),
        (["misreadings", "elsewhere"], 65, "gone-in.json is not there: call harness misreadings where"),
        (["misreadings", "odd"], 65, "odd/fest.json: cases: not as harness fest writes it"),
        (["misreadings", "spoilt"], 65, "spoilt/results.jsonl: line 1: not JSON"),
        (["misreadings", "fine", "--pick", "3", "-o", "spoilt.toml"], 2, "spoilt.toml exists already"),
        (["misreadings", "fine", "--course", "spoilt.toml"], 65, "spoilt.toml: not TOML"),
        (["chaff", "fine", "--only", "spoilt.toml"], 65, "spoilt.toml: not TOML"),
        (["chaff", "fine", "--only", "nowhere.toml"], 2, "harness misreadings --pick writes one"),
    ],
)
def test_wrong_use_is_told_and_nothing_is_written(
    tmp_path: Path, arguments: list[str], status: int, complaint: str
) -> None:
    for name in ("fine", "odd", "spoilt"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.jsonl").write_text("{\n" if name == "spoilt" else "")
    (tmp_path / "odd" / "fest.json").write_text("{}")
    (tmp_path / "elsewhere").mkdir()
    lost = Result(
        "gone", "xattack", "pass", "gone-in.json", "gone-out.json", seconds=0.1, team="a", suite="s"
    )
    (tmp_path / "elsewhere" / "results.jsonl").write_text(json.dumps(lost.to_json()) + "\n")
    (tmp_path / "public" / "teams").mkdir(parents=True)
    (tmp_path / "spoilt.toml").write_text("only = [")
    before = sorted(tmp_path.iterdir())
    done = harness(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (status, "")
    assert complaint in " ".join(done.stderr.split())
    assert sorted(tmp_path.iterdir()) == before


def test_three_mistakes_with_a_feature_in_common_are_one_of_the_rule_about_it(tmp_path: Path) -> None:
    write_suite(tmp_path, "xattack")
    write_suite(tmp_path, "xfeed", every=50)
    write_grades(tmp_path, "grades", {"jo": [UNKNOWN]})
    done = harness(tmp_path, "misreadings", "grades", "--json")
    (new,) = json.loads(done.stdout)["misreadings"]
    assert new["teams"] == [["jo"]]
    assert new["rule"] in {one.rule for name, one in LIBRARY.items() if "horns" in name}
    assert "the defender has horns" in new["sentence"]


def test_a_new_misreading_tells_no_right_answer_that_students_may_not_be_told() -> None:
    from harness.grading.misreadings import Finding, _described
    from harness.judging.verdicts import WRONG
    from harness.search.causes import ALIKE, Answered, Cause, Memory

    memory = Memory()
    given = (ROOT / "test-fixtures" / "xattack" / "horns-never-block-in.json").read_bytes()
    wrong = [Answered("a", "xattack", WRONG, given, b"true", "false")]
    cause = Cause(ALIKE, (0,), (("xattack", 1),), text="answers false, should be true")
    findings = [Finding(0, "jo", cause, wrong, wrong, False)]
    open_one = _described(findings, memory, set(), set())
    secret_one = _described(findings, memory, set(), {("xattack", memory.key(given))})
    assert ("should be" in open_one.sentence, "should-be" in open_one.name) == (True, True)
    assert ("should be" in secret_one.sentence, "should-be" in secret_one.name) == (False, False)


def test_the_pick_meets_every_team_before_it_meets_one_again() -> None:
    from harness.grading.misreadings import Cluster, Finding, pick
    from harness.search.causes import MISREADING, Cause

    def cluster(name: str, *teams: str) -> Cluster:
        cause = Cause(MISREADING, (), (), (name,))
        return Cluster(LIBRARY[name], [Finding(0, team, cause, [], [], False) for team in teams])

    clusters = [cluster(SHELL, "a", "b", "c"), cluster(HERD, "a", "b"), cluster(CALL, "d")]
    assert [one.name for one in pick(clusters, 2)] == [SHELL, CALL]
    assert [one.name for one in pick(clusters, 9)] == [SHELL, CALL, HERD]
