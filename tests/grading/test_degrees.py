"""Feedback by degrees: what a team is told of a suite, and that nothing more is in anything handed out."""

import json
import re
from base64 import b64decode
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect, sync_playwright

from harness.grading.degrees import DEGREES, Step, degree_on
from tests.support.capabilities import browser as installed_browser
from tests.support.grading_helpers import harness
from tests.support.helpers import json_text, species
from tests.support.keeper import write_case, write_program

POINTS, RULE, OWN_OUTPUT, EVERYTHING = DEGREES
HARD_SHELL = "hard-shell protects nobody"
# Thinks that hard shells protect nobody, and prints a word of its own to one other case.
PROGRAM = """\
#!/bin/sh
read -r given
echo "WORD-err" >&2
case $given in
  *hard-shell*) echo true;;
  *'"body",7'*) echo '["WORD-out"]';;
  *) echo true;;
esac
"""


def write_suite(folder: Path, number: int) -> None:
    """Cases that show a misreading, an odd answer, and a pass; their numbers are nowhere else."""
    shell, wolf = species(0, 0, 2, ["hard-shell"]), species(0, 3, 2, ["carnivore"])
    secret = species(0, 7, 2, ["horns"])
    cases = [(shell, "false"), (secret, f"[{number}7070717]"), (species(), "true"), (shell, "false")]
    for at, (prey, answer) in enumerate(cases):
        given = [prey, wolf, species(0, at, number, ["climbing"]), False]
        write_case(folder / "xattack", f"name{number}{at}", json_text(given), answer)


def words(number: int) -> dict[str, list[str]]:
    """What a suite of this number tells, by the degree at which it may first be told."""
    return {
        RULE: [HARD_SHELL, "case 1"],
        OWN_OUTPUT: [f"name{number}0", f"name{number}1", "word-out", "word-err", f'"population",{number}'],
        EVERYTHING: [f"{number}7070717", "should be"],
    }


def course(folder: Path) -> None:
    """A suite of each degree, and a team for each number of submissions."""
    suites = ""
    for at, degree in enumerate(DEGREES):
        write_suite(folder / f"suite{at}", at + 3)
        suites += f'[[suite]]\nname = "suite{at}"\npath = "suite{at}"\npoints = 10\nfeedback = "{degree}"\n'
    write_program(folder / "teams" / "one" / "xattack", PROGRAM.replace("WORD", "word"))
    (folder / "grade.toml").write_text(
        f'class-page = true\nteams = ["teams/*"]\n[limits]\nsandbox = "off"\ntimeout = 2\n{suites}'
    )


def only(folder: Path, degree: str) -> str:
    """A configuration in which all suites but one are gone."""
    at = DEGREES.index(degree)
    whole = (folder / "grade.toml").read_text()
    head, *suites = whole.split("[[suite]]")
    return f"{head}[[suite]]{suites[at]}"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("degrees")
    course(folder)
    return folder


def handed_out(folder: Path) -> Iterator[tuple[Path, str]]:
    """Every file that a student may get, with quotes as they are without an encoding."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            text = path.read_text()
            for picture in re.findall(r"data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)", text):
                text += b64decode(picture).decode()
            yield path, text.replace("\\u0022", '"').replace("&quot;", '"').replace("\\", "")


@pytest.mark.long
@pytest.mark.parametrize("who", ["students", "staff", "platforms"])
@pytest.mark.parametrize("degree", DEGREES)
def test_nothing_above_the_degree_is_in_anything_handed_out(graded: Path, who: str, degree: str) -> None:
    at = DEGREES.index(degree)
    (graded / f"{at}.toml").write_text(only(graded, degree))
    out = f"{who}-{at}"
    platforms = graded / f"files-{at}"
    platforms.mkdir(exist_ok=True)
    files = [f"--{name}={platforms / name}.json" for name in ("gradescope", "prairielearn", "classroom50")]
    audience = ("--for", "students" if who == "students" else "staff")
    command = ("grade", "--config", f"{at}.toml", *audience, "--out", out, "--store", "store", *files)
    done = harness(graded, *command)
    assert done.returncode == 0, done.stderr
    if who == "platforms":
        found = dict(handed_out(platforms))
        own = {path.name: text for path, text in found.items()}
        assert len(own) == 4
    elif who == "students":
        found = dict(handed_out(graded / out))
        own = {path.name: text for path, text in found.items() if path.parent.name == "one"}
        assert len(own) == 5
    else:
        assert json.loads((graded / out / "grading.json").read_text())["suites"][0]["feedback"] == degree
        own_files = [graded / out / "feedback" / "one.md", graded / out / "gradescope" / "one.json"]
        found = {path: text for path, text in handed_out(graded / out) if path in own_files}
        own = {path.name: text for path, text in found.items()}
    for least, told in words(at + 3).items():
        for word in told:
            if DEGREES.index(least) > at:
                assert [str(path) for path, text in found.items() if word in text] == [], word
            elif word not in ("case 1" if degree != RULE else "", "should be"):
                assert any(word in text for text in own.values()), word
    assert "of 10" in next(text for name, text in own.items() if name.endswith(".md"))


@pytest.mark.long
def test_suites_of_all_degrees_in_one_course_tell_nothing_of_each_other(graded: Path) -> None:
    command = ("grade", "--config", "grade.toml", "--for", "students", "--out", "all", "--store", "store")
    assert harness(graded, *command).returncode == 0
    found = dict(handed_out(graded / "all"))
    assert any(path.name == "class.html" for path in found)
    for at in range(len(DEGREES)):
        for least, told in words(at + 3).items():
            if DEGREES.index(least) > at:
                for word in (one for one in told if any(digit in one for digit in str(at + 3))):
                    assert [str(path) for path, text in found.items() if word in text] == [], (at, word)


def test_each_team_is_told_by_its_own_degree_and_the_class_by_the_least(graded: Path) -> None:
    steps = [f'{{ after-submissions = {at}, degree = "{DEGREES[at]}" }}' for at in (3, 2, 1)]
    teams = ""
    for at, degree in enumerate(DEGREES):
        program = PROGRAM.replace("WORD", "word")
        write_program(graded / "class" / f"team{at}" / "xattack", f"{program}# {degree}\n")
        teams += f'[[team]]\npath = "class/team{at}"\nsubmissions = {at + 1}\n'
    (graded / "class.toml").write_text(
        f'class-page = true\n{teams}[limits]\nsandbox = "off"\n'
        f'[[suite]]\nname = "steps"\npath = "suite2"\npoints = 10\nfeedback = [{", ".join(steps)}]\n'
    )
    out = ("--for", "students", "--out", "class-out", "--dialect", "generous")
    done = harness(graded, "grade", "--config", "class.toml", *out)
    assert done.returncode == 0, done.stderr
    everything = dict(handed_out(graded / "class-out"))
    for at, degree in enumerate(DEGREES):
        found = {path: text for path, text in everything.items() if path.parent.name == f"team{at}"}
        for least, told in words(5).items():
            for word in told:
                places = [str(path) for path, text in found.items() if word in text]
                if DEGREES.index(least) > at:
                    assert places == [], (degree, word)
                elif word not in ("case 1", "should be"):
                    assert places, (degree, word)
        # By how long it takes, a program could tell what it is given.
        files = {path.name: path.read_text() for path in found}
        times = [json.loads(line)["seconds"] for line in files["results.jsonl"].splitlines()]
        (shown,) = re.findall(r'"ms":\[(.*?)\]', files["report.html"])
        count = 4 if degree != POINTS else 0
        is_told = DEGREES.index(degree) >= DEGREES.index(OWN_OUTPUT)
        assert [bool(time) for time in times] == [is_told] * count
        assert [time != "null" for time in shown.split(",") if time] == [is_told] * count
    page = next(text for path, text in everything.items() if path.name == "class.html")
    assert "steps" in page
    assert not any(word in page for told in words(5).values() for word in told)


@pytest.mark.long
@pytest.mark.needs("browser")
def test_a_page_shows_of_a_case_what_may_be_told(graded: Path) -> None:
    shown = {RULE: [], OWN_OUTPUT: ["input", "printed"], EVERYTHING: ["input", "expected output", "printed"]}
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        for degree, heads in shown.items():
            at = DEGREES.index(degree)
            (graded / f"page{at}.toml").write_text(only(graded, degree))
            out = ("--for", "students", "--out", f"page{at}", "--store", "store")
            assert harness(graded, "grade", "--config", f"page{at}.toml", *out).returncode == 0
            page.goto((graded / f"page{at}" / "teams" / "one" / "report.html").as_uri() + "#team=0&case=1")
            expect(page.locator("#app h2").first).to_contain_text(f"suite{at}")
            expect(page.locator("#app")).to_contain_text("wrong answer")
            columns = page.locator("#app .sides > div").all()
            assert [column.evaluate("one => one.firstChild.textContent") for column in columns] == heads
        browser.close()
    assert complaints == []


@pytest.mark.parametrize(
    ("steps", "submissions", "degree"),
    [
        ([Step(RULE, until=date(2026, 11, 1)), Step(EVERYTHING)], 1, RULE),
        ([Step(RULE, until=date(2026, 10, 31)), Step(EVERYTHING)], 1, EVERYTHING),
        ([Step(EVERYTHING, after_submissions=3), Step(RULE)], 3, RULE),
        ([Step(EVERYTHING, after_submissions=3), Step(RULE)], 4, EVERYTHING),
        ([Step(EVERYTHING, until=date(2026, 10, 1))], 9, POINTS),
    ],
)
def test_the_first_step_that_counts_is_the_degree(steps: list[Step], submissions: int, degree: str) -> None:
    assert degree_on(steps, date(2026, 11, 1), submissions) == degree


def write_steps(tmp_path: Path) -> Path:
    """A course in which a second submission is told everything; the program of its team."""
    write_suite(tmp_path / "suite", 3)
    program = write_program(tmp_path / "teams" / "one" / "xattack", "#!/bin/sh\necho true\n")
    (tmp_path / "grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\n[[suite]]\npath = "suite"\n'
        'feedback = [{ after-submissions = 1, degree = "everything" }, { degree = "rule" }]\n'
    )
    return program


def test_a_dry_run_tells_what_each_team_would_be_told_and_writes_nothing(tmp_path: Path) -> None:
    write_steps(tmp_path)
    told = harness(tmp_path, "grade", "--config", "grade.toml", "--dry-run")
    assert told.stdout.splitlines()[1].split() == ["1", "one", "rule"]
    assert not (tmp_path / "grades").exists()


@pytest.mark.long
def test_what_was_handed_in_is_counted_and_decides_the_degree(tmp_path: Path) -> None:
    program = write_steps(tmp_path)
    assert harness(tmp_path, "grade", "--config", "grade.toml").returncode == 0
    assert "name30" not in (tmp_path / "grades" / "feedback" / "one.md").read_text()
    program.write_text("#!/bin/sh\n\necho true\n")
    told = harness(tmp_path, "grade", "--config", "grade.toml", "--dry-run", "--json")
    assert json.loads(told.stdout) == {
        "teams": [{"team": "one", "submissions": 2, "suites": {"suite": "everything"}}],
        "hidden": [],
    }
    assert harness(tmp_path, "grade", "--config", "grade.toml").returncode == 0
    assert "name30" in (tmp_path / "grades" / "feedback" / "one.md").read_text()
