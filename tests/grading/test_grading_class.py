"""A class of twelve teams, graded by `harness grade`: what was planted is what comes out, in every form.

The class is graded once, so these tests do not run on several processes.
"""

import csv
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from playwright.sync_api import expect, sync_playwright

from harness.grading.teams import slug_of
from harness.judging.result import GRADED_SCHEMA
from harness.judging.verdicts import NO_START, PASS, VERDICTS
from tests.support.capabilities import browser as installed_browser
from tests.support.grading_class import HOSTILE, SECRET, mallory, planted, suites, write_class
from tests.support.grading_helpers import embedded, harness, lines, started
from tests.support.helpers import ROOT
from tests.support.keeper import visible_folder

pytestmark = [pytest.mark.alone, pytest.mark.long, pytest.mark.needs("sandbox")]

CONFIG = """
title = "Evolution <1>"
dialect = "generous"
teams = ["teams/*"]
[[team]]
path = "late/bob"
factor = 0.9
note = "two days late"
[limits]
timeout = 60
output = 64
sandbox = "on"
[build]
timeout = 120
[[suite]]
path = "suites/attack"
points = 14
[[suite]]
path = "suites/feed"
points = 10
counts = 0.8
[[suite]]
path = "suites/hushed"
points = 6
hidden = true
"""


class Course:
    """The class, graded once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_class(folder)
        (folder / "grade.toml").write_text(CONFIG)
        self.done = harness(folder, "grade", "--config", "grade.toml", "--out", "out")
        self.out = folder / "out"
        self.planted = planted()


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    with visible_folder() as folder:
        yield Course(folder)


def total(title: str, verdicts: dict[str, dict[str, str]]) -> float:
    """The points that were planted."""
    passed = {suite: sum(one == PASS for one in found.values()) for suite, found in verdicts.items()}
    points = 14 * passed["attack"] / 7 + 10 * min(1, passed["feed"] / 4) + 6 * passed["hushed"] / 3
    return points * 0.9 if title == "bob (2)" else points


def rounded(points: float) -> str:
    return f"{round(points, 2):.2f}".rstrip("0").rstrip(".")


def test_the_results_are_what_was_planted(course: Course) -> None:
    assert course.done.returncode == 0, course.done.stdout + course.done.stderr
    found: dict[str, dict[str, dict[str, str]]] = {}
    for record in lines(course.out / "results.jsonl"):
        jsonschema.validate(record, GRADED_SCHEMA)
        if record["team"] != "ida":
            name = os.path.basename(record["case"])
            found.setdefault(record["team"], {}).setdefault(record["suite"], {})[name] = record["verdict"]
    assert found == course.planted


def test_a_build_that_fails_is_said_once(course: Course) -> None:
    (record,) = [record for record in lines(course.out / "results.jsonl") if record["team"] == "ida"]
    assert (record["case"], record["suite"], record["verdict"]) == ("compile", "", NO_START)
    assert "cannot find <symbol>" in record["stderr"]
    assert course.done.stdout.count("ida: the build failed: status 3") == 1
    feedback = (course.out / "feedback" / "ida.md").read_text()
    assert feedback.count("the build failed") == 1
    assert "cannot find <symbol>" in feedback


def test_a_team_is_built_on_a_copy(course: Course) -> None:
    assert not (course.folder / "teams" / "hal" / "bin").exists()


def test_the_scores_are_what_was_planted(course: Course) -> None:
    with (course.out / "scores.csv").open(newline="") as file:
        rows = {row["team"].removeprefix("'"): row for row in csv.DictReader(file)}
    assert {title: row["total"] for title, row in rows.items()} == {
        **{title: rounded(total(title, verdicts)) for title, verdicts in course.planted.items()},
        "ida": "0",
    }
    assert rows["ida"]["problem"] == "the build failed: status 3"
    assert rows["bob (2)"]["note"] == "two days late"
    totals = [float(row["total"]) for row in rows.values()]
    assert totals == sorted(totals, reverse=True)


def test_the_page_holds_what_was_planted(course: Course) -> None:
    page = (course.out / "report.html").read_text()
    data = embedded(page)
    names = [suite["name"] for suite in data["suites"]]
    assert names == ["attack", "feed", "hushed"]
    for team in data["teams"]:
        if team["n"] == "ida":
            assert team["p"] == "the build failed: status 3"
            continue
        found: dict[str, dict[str, str]] = {}
        for suite in data["suites"]:
            for at in range(suite["first"], suite["last"]):
                verdict = VERDICTS[ord(team["v"][at]) - 97]
                found.setdefault(suite["name"], {})[os.path.basename(data["cases"][at])] = verdict
        assert found == course.planted[team["n"]]
    assert "<script>alert" not in page
    assert "\x1b" not in page


@pytest.mark.needs("browser")
def test_the_page_leads_from_the_matrix_to_a_case(course: Course) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(120_000)
        expect.set_options(timeout=120_000)
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto((course.out / "report.html").as_uri())
        # What a click leads to is there a moment after it.
        app, rows = page.locator("#app"), page.locator("#app tbody tr")
        first = rows.locator("td:first-child")
        expect(rows).to_have_count(12)
        page.get_by_role("button", name="team", exact=True).click()
        expect(first.nth(1)).to_have_text("ada")
        assert first.all_inner_texts()[1:4] == ["ada", "bob", "bob (2)"]
        page.get_by_label("filter").fill("CARL")
        expect(first).to_have_text(["carl"])
        page.get_by_role("link", name="12 (6/7)").click()  # of attack
        page.get_by_label("failures only").check()
        expect(first).to_have_text(["xattack/shell-difference-three"])
        rows.get_by_role("link", name="xattack/shell-difference-three").click()
        expect(app).to_contain_text("answers true (attackable), should be false (not attackable)")
        expect(app).to_contain_text("I was given [[")  # on standard error
        expect(app).to_contain_text('["hard-shell"]')
        page.get_by_role("link", name="Cases", exact=True).click()
        expect(app).to_contain_text("Which cases separate the teams")
        page.get_by_role("link", name="Teams", exact=True).click()
        page.get_by_role("link", name="ida", exact=True).click()
        expect(app).to_contain_text("cannot find <symbol>")
        browser.close()
    assert complaints == []
    assert [url for url in asked if not url.startswith("file:")] == []


@pytest.mark.needs("browser")
def test_the_page_begins_with_the_class_as_a_whole(course: Course) -> None:
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1200, "height": 800})
        page.set_default_timeout(120_000)
        expect.set_options(timeout=120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto((course.out / "report.html").as_uri())
        rows = page.locator("#app tbody tr")
        expect(page.locator(".heat-map path.misread")).not_to_have_count(0)
        expect(page.locator(".heat-map")).to_contain_text(mallory()[:17])
        # From a bar to the teams that stand in it, by the keyboard.
        bar = page.get_by_role("group", name="Points").get_by_role("link").last
        bar.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".some")).to_contain_text("27 points or more")
        expect(rows).to_have_count(int(re.findall(r"\d+", page.locator(".some").inner_text())[0]))
        expect(rows.locator("td:first-child").first).to_have_text("ada")
        # From a section of the rules to the teams, and on to the cases of the one that misreads it.
        page.get_by_role("link", name="2.3 Hard shell").click()
        carl = page.get_by_role("row").filter(has_text="carl")
        expect(carl.get_by_title("carl, 2.3 Hard shell: fails 1 of 2 cases, misreads it")).to_have_text("●1")
        carl.get_by_role("link", name="●1").click()
        expect(page.locator("#app")).to_contain_text("carl · cases that rest on rule 2.3 Hard shell")
        expect(page.locator("#app")).to_contain_text("shell-difference-three")
        browser.close()
    assert complaints == []


def test_junit_holds_what_was_planted(course: Course) -> None:
    for file in (course.out / "junit").iterdir():
        found: dict[str, dict[str, str]] = {}
        for case in ElementTree.parse(file).iter("testcase"):
            problems = [*case.iter("failure"), *case.iter("error")]
            suite = case.attrib["classname"].split("/")[0]
            verdict = problems[0].attrib["type"] if problems else PASS
            found.setdefault(suite, {})[case.attrib["name"]] = verdict
        titles = [title for title in course.planted if slug_of(title) == file.stem]
        if file.stem == "bob_2":
            titles = ["bob (2)"]
        expected = course.planted[titles[0]] if titles else {"compile": {"compile": NO_START}}
        assert found == expected, file


def test_gradescope_files_follow_the_schema_and_hold_what_was_planted(course: Course) -> None:
    rules = json.loads((ROOT / "docs" / "gradescope.schema.json").read_text())
    teams = set()
    for file in (course.out / "gradescope").iterdir():
        found = json.loads(file.read_text())
        jsonschema.validate(found, rules)
        title = found["extra_data"]["team"]
        teams.add(title)
        if title == "ida":
            assert found["score"] == 0
            assert [test["name"] for test in found["tests"]] == ["compile", "attack", "feed", "hushed"]
            continue
        assert found["score"] == pytest.approx(total(title, course.planted[title]), abs=0.01)
        for test in found["tests"]:
            suite, case = test["name"].split(": ")
            verdict = course.planted[title][suite][os.path.basename(case)]
            assert test["status"] == ("passed" if verdict == PASS else "failed")
            assert test["visibility"] == ("hidden" if suite == "hushed" else "visible")
    assert teams == {*course.planted, "ida"}


def test_the_terminal_ranks_the_teams(course: Course) -> None:
    ranking = re.findall(r"^ *(\d+)  (.+?)  +([\d.]+)/30 ", course.done.stdout, re.MULTILINE)
    assert {team: points for _, team, points in ranking} == {
        **{title: rounded(total(title, verdicts)) for title, verdicts in course.planted.items()},
        "ida": "0",
    }
    assert "the hardest cases, and how many teams pass them:" in course.done.stdout
    assert "gus: xstep could not start: there is no executable xstep in the team's directory" in (
        course.done.stdout
    )
    assert "\x1b" not in course.done.stdout


def test_feedback_names_what_failed_and_nothing_that_is_hidden(course: Course) -> None:
    carl = (course.out / "feedback" / "carl.md").read_text()
    assert "shell-difference-three: wrong answer" in carl
    assert "answers true (attackable), should be false (not attackable)" in carl
    assert "| hidden tests |  | " in carl
    for file in (course.out / "feedback").iterdir():
        text = file.read_text()
        assert "secret" not in text
        assert str(SECRET) not in text
        assert "hushed" not in text
        assert "<script>" not in re.sub(r"(?ms)^```text$.*?^```$", "", text)


def test_nothing_is_graded_twice(course: Course) -> None:
    before = {path: path.read_bytes() for path in course.out.glob("*.*")}
    again = harness(course.folder, "grade", "--config", "grade.toml", "--out", "out", "--since", "last")
    assert started(course.done) > 100
    assert started(again) == 0
    assert "nothing has changed since run 1" in again.stdout
    assert {path: path.read_bytes() for path in course.out.glob("*.*")} == before
    for name in ("report.html", "results.jsonl", "scores.csv"):  # what has gone comes back the same
        (course.out / name).unlink()
    again = harness(course.folder, "grade", "--config", "grade.toml", "--out", "out")
    assert started(again) == 0
    assert {path: path.read_bytes() for path in course.out.glob("*.*")} == before


def test_nothing_of_a_hidden_suite_is_in_anything_for_students(course: Course) -> None:
    arguments = ("--config", "grade.toml", "--out", "public", "--for", "students")
    done = harness(course.folder, "grade", *arguments, "--store", "out/store")
    assert started(done) == 0
    hidden = suites()["hushed"].cases
    told = [done.stdout.encode(), done.stderr.encode()]
    told += [path.read_bytes() for path in (course.folder / "public").rglob("*") if path.is_file()]
    assert len(told) > 30
    for text in told:
        for word in ("secret", str(SECRET), "hushed", "suites/", *hidden):
            assert word.encode() not in text, text[:2000]
    for name, points in (("ada", [6, 6, 0, 0]), ("dora", [4, 6, 0, 0])):
        data = embedded((course.folder / "public" / "teams" / name / "report.html").read_text())
        assert [suite["name"] for suite in data["suites"]] == ["attack", "feed"]
        assert data["parts"][-1]["name"] == "hidden tests"
        assert [team["n"] for team in data["teams"]] == [name]
        assert data["teams"][0]["parts"][-1] == points
    # The same search finds all of it in what is for staff, so it can find something.
    staff = (course.out / "report.html").read_bytes()
    assert b"secret" in staff
    assert str(SECRET).encode() in staff


def test_only_the_team_that_changed_is_graded_again(course: Course) -> None:
    program = course.folder / "teams" / "gus" / "xstep"
    source = (course.folder / "teams" / "gus" / "xfeed").read_text()
    program.write_text(source.replace("'xfeed'", "'xstep'"))
    program.chmod(0o755)
    try:
        done = harness(course.folder, "grade", "--config", "grade.toml", "--out", "out", "--since", "1")
    finally:
        program.unlink()
    assert started(done) == 15
    assert re.search(
        r"since run 1:\n  gus: \d+ → 30 points\n    improved: hushed/xstep/secret-climbing, ", done.stdout
    )


def test_the_hostile_name_is_harmless_everywhere(course: Course) -> None:
    assert (course.folder / "teams" / HOSTILE).is_dir()
    text = (course.out / "scores.csv").read_text()
    assert f"'{mallory()}" in text.replace('""', '"')
    slugs = {path.stem for path in (course.out / "feedback").iterdir()}
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", slug) for slug in slugs)
