"""Failures by their cause, as `harness run` and `harness grade` tell them, and nothing that is hidden."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.helpers import BIN, ROOT
from tests.support.keeper import write_program

CASES = ROOT / "test-fixtures" / "xattack"
NAME = "herding-gives-way-to-equals"
HEAD = "answers like *herding gives way to equals*"
SENTENCE = "an attacker with the same population can attack a herd"
MISREAD = f"""#!{sys.executable}
import sys
sys.path.insert(0, {str(ROOT)!r})
from harness.misreadings import LIBRARY, planted
from harness.programs.reference import reference
with planted(LIBRARY[{NAME!r}]):
    sys.stdout.write(reference("xattack", sys.stdin.buffer.read()).printed.decode())
"""


def harness(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "harness", *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300
    )


PASSING = [
    "herding-attacker-one-less",
    "herding-attacker-one-more",
    "herding-beside-another-herd",
    "herding-of-a-neighbour",
    "herding-of-the-attacker",
]
OPEN = ["herding-equal-population", "herding-holds-against-burrowing-and-horns"]
HIDDEN = ["ambush-does-not-pass-herding", "herding-not-passed-by-pack-hunting"]


def write_course(folder: Path, suite: list[str], secret: list[str]) -> Path:
    """One team that has misread a rule, a suite with these cases, and a hidden suite with those."""
    write_program(folder / "teams" / "one" / "xattack", MISREAD)
    for where, names in (("suite", suite), ("secret", secret)):
        (folder / where / "xattack").mkdir(parents=True)
        for name in names:
            for ending in ("-in.json", "-out.json"):
                shutil.copy(
                    ROOT / "test-fixtures" / "xattack" / f"{name}{ending}", folder / where / "xattack"
                )
    (folder / "grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\n[[suite]]\nname = "open"\npath = "suite"\n'
        '[[suite]]\nname = "secret"\npath = "secret"\nhidden = true\n'
    )
    return folder


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course in which open and hidden cases fail."""
    return write_course(tmp_path_factory.mktemp("course"), [*PASSING[:3], *OPEN], [*PASSING[3:], *HIDDEN])


def test_a_run_tells_causes_first_on_the_terminal_the_page_and_in_junit(course: Path) -> None:
    reports = ("--html", "r.html", "--junit", "r.xml", "--json", "r.jsonl")
    done = harness(course, "run", "--bin", "teams/one", "--sandbox", "off", "suite", "secret", *reports)
    assert done.returncode == 1
    assert f"why, as far as can be seen:\n  {HEAD} (" in done.stdout
    assert f"    {SENTENCE} (rules 2.4)\n    the smallest: " in done.stdout
    page = (course / "r.html").read_text()
    assert HEAD in page
    assert SENTENCE in page
    properties = ElementTree.parse(course / "r.xml").iter("property")
    told = [one.get("value", "") for one in properties if one.get("name") == "cause"]
    assert told
    assert all(one.startswith(HEAD) and "herding-equal-population" in one for one in told)
    again = harness(course, "report", "r.jsonl")
    assert HEAD in again.stdout
    for line in (course / "r.jsonl").read_text().splitlines():
        assert "cause" not in json.loads(line)


def test_a_run_that_passes_has_nothing_to_explain(course: Path) -> None:
    assert "why" not in harness(course, "run", "suite").stdout


def test_marks_come_with_causes_everywhere(course: Path) -> None:
    done = harness(course, "grade", "--config", "grade.toml", "--out", "staff")
    assert done.returncode == 0, done.stderr
    assert f"why cases fail, and whose:\n  {HEAD}: one\n    {SENTENCE} (rules 2.4)\n" in done.stdout
    folder = course / "staff"
    assert HEAD in (folder / "report.html").read_text()
    assert HEAD in (folder / "junit" / "one.xml").read_text()
    about = json.loads((folder / "grading.json").read_text())
    assert [one["cause"] for one in about["causes"]["one"]] == [HEAD]
    again = harness(course, "grade", "--config", "grade.toml", "--out", "staff")
    assert "programs started: 0" in again.stdout
    assert f"  {HEAD}: one\n" in again.stdout


@pytest.mark.parametrize("who", ["staff", "students"])
def test_what_a_team_is_told_speaks_of_open_cases_alone(course: Path, who: str) -> None:
    out = f"for-{who}"
    done = harness(course, "grade", "--config", "grade.toml", "--out", out, "--for", who)
    assert done.returncode == 0, done.stderr
    handed = {"staff": ("feedback/one.md", "gradescope/one.json")}
    files = handed.get(who, ("teams/one/feedback.md", "teams/one/gradescope.json"))
    page, told = ((course / out / file).read_text() for file in files)
    scope = json.loads(told)
    shown = [scope["output"], *(test["output"] for test in scope["tests"] if test["visibility"] == "visible")]
    for text in (page, *shown):
        assert not any(name in text for name in HIDDEN)
    assert f"### {HEAD.capitalize()} (" in page
    assert SENTENCE in page
    assert HEAD in scope["output"]
    if who == "students":
        handed_out = (course / out / "teams" / "one").iterdir()
        assert not any("secret" in file.read_text() for file in handed_out)


@pytest.mark.long
def test_a_cause_that_only_hidden_cases_show_is_not_told_to_the_team(tmp_path: Path) -> None:
    course = write_course(tmp_path, PASSING, [*OPEN, *HIDDEN])
    done = harness(course, "grade", "--config", "grade.toml", "--out", "out")
    assert done.returncode == 0, done.stderr
    assert HEAD in done.stdout
    page = (course / "out" / "feedback" / "one.md").read_text()
    scope = json.loads((course / "out" / "gradescope" / "one.json").read_text())
    for text in (page, scope["output"], *(test["output"] for test in scope["tests"])):
        assert "herd" not in text
