"""What is handed out to students: in the folder of a team is nothing of any other team."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.support.capabilities import browser as installed_browser
from tests.support.grading_helpers import embedded, harness
from tests.support.helpers import json_text, species
from tests.support.keeper import write_case, write_program

# Each echoes what it is given, so it passes some of the cases; and says who and where it is.
TALKING = """\
#!/bin/sh
given=$(cat)
echo "WORD-err at $0" >&2
case $given in LIMIT) echo '"WORD-out"'; exit 3;; esac
echo "$given"
"""
TWIN = """#!/bin/sh
read -r given
echo "I am $(basename "$(dirname "$0")") at $0" >&2
case $given in 2) echo 2;; *) echo 1;; esac
"""
FAILING_BUILD = "#!/bin/sh\necho 'WORD-built in '$PWD\nexit 1\n"
CASES = 7


class Team(NamedTuple):
    """A team: what it fails, its factor, and words that only it has."""

    fails: str
    factor: float


TEAMS = {
    "aardvark": Team("[012]", 0.913),
    "bandicoot": Team("[0123]", 0.827),
    "capybara": Team("[6]", 0.771),
    "dormouse": Team("none", 0.613),
}
BROKEN = "dormouse"  # cannot be built
TWINS = ("echidna", "flamingo")


def words_of(name: str) -> set[str]:
    """What would betray a team, wherever it stands."""
    if name in TWINS:
        return {name, f"handed-in/{name}"}
    own = {name, f"{name}-note", f"{name}-test"}
    if name == BROKEN:
        return {*own, f"{name}-built"}
    team = TEAMS[name]
    passed = sum(not re.fullmatch(team.fails, str(number)) for number in range(CASES))
    return {
        *own,
        f"handed-in/{name}",
        f"{name}-err",
        f"{name}-out",
        f"{team.factor * 1000 * passed / CASES:.2f}",
    }


def write_class(folder: Path) -> None:
    for name, team in TEAMS.items():
        home = folder / "handed-in" / name
        write_program(home / "xattack", TALKING.replace("WORD", name).replace("LIMIT", team.fails))
        if name == BROKEN:
            write_program(home / "compile", FAILING_BUILD.replace("WORD", name))
        wolf, shell = species(0, 3, 2, ["carnivore"]), species(0, 0, 2, ["hard-shell"])
        write_case(home / "tests" / "xattack", f"{name}-test", json_text([shell, wolf, False, False]), "true")
    for name in TWINS:
        write_program(folder / "handed-in" / name / "xattack", TWIN)
    for number in range(CASES):
        write_case(folder / "suite" / "xattack", f"case-{number}", str(number), str(number))
    tables = "".join(
        f'[[team]]\npath = "handed-in/{name}"\nfactor = {team.factor}\nnote = "{name}-note"\n'
        for name, team in TEAMS.items()
    )
    twins = "".join(f'[[team]]\npath = "handed-in/{name}"\n' for name in TWINS)
    suite = '[[suite]]\npath = "suite"\npoints = 1000\n[own-tests]\npoints = 17\n'
    (folder / "grade.toml").write_text(f"class-page = true\n{tables}{twins}{suite}")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("course")
    write_class(folder)
    for who, out in (("staff", "grades"), ("students", "public")):
        done = harness(
            folder,
            *("grade", "--config", "grade.toml", "--sandbox", "off", "--for", who, "--out", out),
        )
        assert done.returncode == 0, done.stderr
    return folder


def texts(folder: Path) -> dict[Path, str]:
    return {path: path.read_text() for path in folder.rglob("*") if path.is_file()}


def beside_teams(folder: Path, names: set[str]) -> dict[str, set[str]]:
    """The files in a folder that are in no team's, and which of the names are in their paths or in them."""
    files = {path.relative_to(folder): text for path, text in texts(folder).items()}
    return {
        str(path): {name for name in names if name in f"{path} {text}"}
        for path, text in files.items()
        if path.parts[0] != "teams"
    }


@pytest.mark.parametrize("name", [*TEAMS, *TWINS])
def test_nothing_of_another_team_is_in_any_file_of_a_team(course: Path, name: str) -> None:
    found = texts(course / "public" / "teams" / name)
    assert {path.name for path in found} == {
        "feedback.md",
        "gradescope.json",
        "junit.xml",
        "results.jsonl",
        "report.html",
    }
    for other in {*TEAMS, *TWINS} - {name}:
        for word in words_of(other):
            assert [str(path) for path, text in found.items() if word in text] == [], word
    assert any(name in path.parent.name and name in text for path, text in found.items())


def test_what_lies_beside_the_folders_of_the_teams_names_none_of_them(course: Path) -> None:
    assert beside_teams(course / "public", {*TEAMS, *TWINS}) == {"class.html": set()}
    told = json.loads((course / "public.grading.json").read_text())
    assert set(told["teams"]) == {*TEAMS, *TWINS}


@pytest.mark.parametrize("name", [*TEAMS, *TWINS])
def test_the_words_that_are_looked_for_are_in_what_is_for_staff(course: Path, name: str) -> None:
    everything = "".join(texts(course / "grades").values())
    assert {word for word in words_of(name) if word not in everything} == set()


def test_a_team_reads_what_its_own_programs_printed(course: Path) -> None:
    for name in ("aardvark", "bandicoot", "capybara"):
        folder = course / "public" / "teams" / name
        for file in ("feedback.md", "results.jsonl", "report.html", "junit.xml", "gradescope.json"):
            assert f"{name}-out" in (folder / file).read_text(), file
    assert "dormouse-built" in (course / "public" / "teams" / "dormouse" / "feedback.md").read_text()


@pytest.mark.parametrize("name", TWINS)
def test_who_has_handed_in_the_same_reads_its_own_name_and_path(course: Path, name: str) -> None:
    place = course / "handed-in" / name / "xattack"
    for line in (course / "public" / "teams" / name / "results.jsonl").read_text().splitlines():
        record = json.loads(line)
        if record["verdict"] != "pass":
            assert record["stderr"] == f"I am {name} at {place}\n"


def test_a_team_is_told_no_rank(course: Path) -> None:
    for name in TEAMS:
        found = texts(course / "public" / "teams" / name)
        for path, text in found.items():
            if path.name == "report.html":
                (team,) = embedded(text)["teams"]
                assert "r" not in team
            else:
                assert "rank" not in text
                assert "place " not in text
    assert ", place 1 of 6." in "".join(texts(course / "grades" / "feedback").values())


def test_the_page_of_the_class_has_no_names_and_says_what_is_hard(course: Path) -> None:
    page = (course / "public" / "class.html").read_text()
    for name in (*TEAMS, *TWINS):
        for word in words_of(name):
            assert word not in page
    assert "6 teams" in page
    told = json.loads(page.partition('id="overview-data">')[2].partition("</script>")[0])
    assert sum(count for *_, count in told["marks"]) == 6
    assert told.keys() == {"teams", "marks", "cases", "rules"}
    assert "handed-in" not in page
    assert "xattack/case-0" in page


def test_the_class_as_a_whole_is_shown_to_staff_and_in_no_page_of_a_team(course: Path) -> None:
    assert ' id="overview"' in (course / "grades" / "report.html").read_text()
    for page in (course / "public" / "teams").glob("*/report.html"):
        assert "verview" not in re.sub(r"(?s)<script>.*?</script>", "", page.read_text())


def test_the_page_of_the_class_is_there_only_if_the_configuration_says_so(course: Path) -> None:
    config = (course / "grade.toml").read_text()
    (course / "quiet.toml").write_text(config.replace("class-page = true", ""))
    done = harness(
        course,
        *("grade", "--config", "quiet.toml", "--sandbox", "off", "--for", "students", "--out", "other"),
    )
    assert done.returncode == 0
    assert sorted(path.name for path in (course / "other").iterdir()) == ["teams"]
    assert (course / "other.grading.json").is_file()


@pytest.mark.long
def test_who_is_no_longer_there_has_no_folder_any_more(course: Path) -> None:
    config = (course / "grade.toml").read_text()
    (course / "few.toml").write_text(config)
    options = ("--sandbox", "off", "--for", "students", "--out", "few-out")
    assert harness(course, "grade", "--config", "few.toml", *options).returncode == 0
    (course / "few-out" / "teams" / "flamingo" / "mine.txt").write_text("mine")
    (course / "few.toml").write_text(
        config.replace('[[team]]\npath = "handed-in/echidna"\n', "").replace(
            '[[team]]\npath = "handed-in/flamingo"\n', ""
        )
    )
    assert harness(course, "grade", "--config", "few.toml", *options).returncode == 0
    assert {path.name for path in (course / "few-out" / "teams").iterdir()} == {*TEAMS, "flamingo"}
    assert [path.name for path in (course / "few-out" / "teams" / "flamingo").iterdir()] == ["mine.txt"]


@pytest.mark.needs("browser")
def test_the_page_of_a_team_leads_to_its_cases_and_to_no_other_team(course: Path) -> None:
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(120_000)
        expect.set_options(timeout=120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto((course / "public" / "teams" / "capybara" / "report.html").as_uri())
        app = page.locator("#app")
        expect(page.locator("nav a")).to_have_text(["Results"])
        expect(app).to_contain_text("660.86")
        expect(app).not_to_contain_text("rank")
        expect(app).not_to_contain_text("passed by")
        page.get_by_role("link", name="xattack/case-6").click()
        expect(app).to_contain_text("capybara-out")
        expect(app).to_contain_text("input6")
        expect(app).not_to_contain_text("passed by")
        page.get_by_role("link", name="Results").click()
        page.get_by_role("link", name="xattack/case-0").click()
        expect(app).to_contain_text("what is expected")
        page.goto((course / "public" / "class.html").as_uri())
        expect(page.locator("main")).to_contain_text("half of the teams have at least")
        expect(page.get_by_role("img", name="Points")).to_be_visible()
        expect(page.get_by_role("link")).to_have_count(0)
        browser.close()
    assert complaints == []


@pytest.mark.parametrize(("out", "who"), [("grades", "students"), ("public", "staff")])
def test_what_is_for_others_is_not_written_over(course: Path, out: str, who: str) -> None:
    before = texts(course / out)
    done = harness(course, "grade", "--config", "grade.toml", "--sandbox", "off", "--for", who, "--out", out)
    assert done.returncode == 2
    assert f"name another for {who}" in done.stderr
    assert texts(course / out) == before


def test_what_has_not_changed_is_not_written_again_and_what_has_gone_is(course: Path) -> None:
    command = ("--config", "grade.toml", "--sandbox", "off", "--for", "students", "--out", "public")
    gone = course / "public" / "teams" / "capybara" / "feedback.md"
    was = gone.read_text()
    (course / "public" / "teams" / "aardvark" / "feedback.md").write_text("mine")
    assert harness(course, "grade", *command).returncode == 0
    assert (course / "public" / "teams" / "aardvark" / "feedback.md").read_text() == "mine"
    gone.unlink()
    assert harness(course, "grade", *command).returncode == 0
    assert gone.read_text() == was
    assert (course / "public" / "teams" / "aardvark" / "feedback.md").read_text() != "mine"


@pytest.mark.parametrize("judge", ["reference", "majority"])
def test_in_a_fest_for_students_nobody_reads_whose_cases_and_programs_these_are(
    tmp_path: Path, judge: str
) -> None:
    wolf, bear = species(0, 3, 2, ["carnivore"]), species(0, 4, 2, ["carnivore"])
    shell, prey = species(0, 0, 2, ["hard-shell"]), species()
    cases = {"open": ([prey, wolf, False, False], "true"), "shell": ([shell, wolf, False, False], "false")}
    for name, (right, wrong) in {
        "aardvark": ("true", [shell, bear, False, False]),
        "bandicoot": ("false", [prey, bear, False, False]),
        "capybara": ("true", [wolf, bear, False, False]),
    }.items():
        other = "false" if right == "true" else "true"
        program = (
            f"#!/bin/sh\nread -r given\necho {name}-err at $0 >&2\n"
            f"case $given in *'\"body\",4'*) echo {other};; *) echo {right};; esac\n"
        )
        write_program(tmp_path / "teams" / name / "xattack", program)
        tests = tmp_path / "teams" / name / "tests" / "xattack"
        for case, (value, answer) in cases.items():
            write_case(tests, f"{name}-{case}", json_text(value), answer)
        write_case(tests, f"{name}-wrong", json_text(wrong), '"neither"')
        write_case(
            tests,
            f"{name}-own",
            json_text([prey, species(0, len(name), 2, ["carnivore"]), False, False]),
            "true",
        )
    teams = [f"teams/{name}" for name in ("aardvark", "bandicoot", "capybara")]
    options = ("--sandbox", "off", "--judge", judge, "--for", "students", "--out", "fest")
    done = harness(tmp_path, "fest", *teams, *options)
    assert done.returncode == 0, done.stderr
    for name in ("aardvark", "bandicoot", "capybara"):
        found = texts(tmp_path / "fest" / "teams" / name)
        assert len(found) == 5
        for other in {"aardvark", "bandicoot", "capybara"} - {name}:
            assert [str(path) for path, text in found.items() if other in text] == []
        feedback = (tmp_path / "fest" / "teams" / name / "feedback.md").read_text()
        assert re.search(r"The cases of team \d are yours", feedback)
        assert f"{name}-wrong" in feedback
    found_beside = beside_teams(tmp_path / "fest", {"aardvark", "bandicoot", "capybara"})
    assert any(path.startswith("cases/") for path in found_beside)
    assert set().union(*found_beside.values()) == set()
    assert "aardvark" in (tmp_path / "fest.fest.json").read_text()
