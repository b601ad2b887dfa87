"""The class at a glance: what the numbers behind the charts say."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import expect, sync_playwright

from harness.grading.audience import Audience, TeamReport
from harness.grading.config import Config, SuiteSpec
from harness.grading.history import Before, remember, run_before
from harness.grading.ledger import Ledger
from harness.grading.overview import MOST_INPUT, Overview, bars, codes_of, rules_of_cases
from harness.grading.score import Mark, Part
from harness.grading.session import Session
from harness.grading.store import Store
from harness.grading.suites import read_suites
from harness.grading.teams import Team
from harness.judging.verdicts import NO_START, PASS, WRONG
from harness.report.words import CauseText
from tests.support.capabilities import browser as installed_browser
from tests.support.grading_helpers import harness
from tests.support.helpers import json_text, species
from tests.support.keeper import write_case, write_program

WOLF = species(0, 3, 2, ["carnivore"])
BEAR = species(0, 4, 2, ["carnivore"])
CASES = {
    "climber": [species(0, 0, 1, ["climbing"]), WOLF, False, False],
    "shell-breaks": [species(0, 0, 2, ["hard-shell"]), BEAR, False, False],
    "shell-holds": [species(0, 0, 2, ["hard-shell"]), WOLF, False, False],
    "spoilt": "no input at all",
}
CLIMBER, BREAKS, HOLDS, SPOILT = range(4)


class Class:
    """A class that is asked four cases about attacks; what becomes of them is told, and not run."""

    def __init__(self, folder: Path, before: Before | None = None) -> None:
        for name, value in CASES.items():
            write_case(folder / "cases" / "xattack", name, json_text(value), "true")
        config = Config(suites=(SuiteSpec(str(folder / "cases" / "xattack"), "attack"),), sandbox="off")
        self.session = Session(config, [], read_suites(config), str(folder), Store(str(folder / "store")))
        self.audience = Audience(self.session, "staff")
        self.overview = Overview(self.audience, before)

    def add(
        self, name: str, points: float, verdicts: dict[int, str], causes: tuple[CauseText, ...] = ()
    ) -> None:
        """Take in a team that passes all cases but these."""
        ledger = Ledger(len(CASES), 1)
        for at in range(len(CASES)):
            ledger.set(at, 0, verdicts.get(at, PASS), 0.25)
        team = Team.__new__(Team)
        team.name, team.problem = name, ""
        mark = Mark(team, [Part("attack", points, 10, 0, 0)])
        report = TeamReport(
            self.audience, 0, mark, mark.parts, ledger, [], None, None, [], causes=list(causes)
        )
        self.overview.add(report, codes_of(report, self.audience))

    def rules(self) -> dict[str, tuple[int, int, int]]:
        """What the class makes of each section: failures, of how many, and teams that misread it."""
        told = self.overview.for_everybody()["rules"]
        return {rule.number: (rule.failed, rule.of, rule.misread) for rule in told}


def misread(rule: str, *cases: int) -> CauseText:
    return CauseText("answers like something", (), "", cases, (), rules=(rule,))


def test_a_case_rests_on_the_sections_that_decide_it_or_nearly_do(tmp_path: Path) -> None:
    found = Class(tmp_path).overview.rules
    assert found[CLIMBER] == ["2.6"]
    assert "2.3" in found[HOLDS]
    assert "2.3" in found[BREAKS]  # only just not blocked
    assert found[SPOILT] == []


def test_which_sections_those_are_is_found_out_once(tmp_path: Path) -> None:
    course = Class(tmp_path)
    cases = [case for _, case in course.audience.cases]
    first = rules_of_cases(cases, course.session.store)
    for path in (tmp_path / "cases").rglob("*-in.json"):
        path.unlink()
    assert rules_of_cases(cases, course.session.store) == first


def test_the_story_of_a_huge_input_is_not_told(tmp_path: Path) -> None:
    course = Class(tmp_path)
    large = json_text(CASES["climber"]) + " " * MOST_INPUT
    (tmp_path / "cases" / "xattack" / "climber-in.json").write_text(large)
    assert course.overview.rules[CLIMBER] == []


def test_a_failure_that_a_misreading_explains_counts_against_its_section_alone(tmp_path: Path) -> None:
    course = Class(tmp_path)
    course.add("ada", 10, {})
    course.add("bo", 5, {BREAKS: WRONG, HOLDS: WRONG}, (misread("2.3", HOLDS, BREAKS),))
    course.add("cleo", 5, {CLIMBER: WRONG}, (CauseText("stands alone", (), "", (CLIMBER,), (), alone=True),))
    assert course.rules() == {"2": (0, 3, 0), "2.3": (2, 6, 1), "2.6": (1, 3, 0)}
    ada, bo, cleo = course.overview.for_staff()["byTeam"]
    assert ada == [0, 1, 0, 0, 2, 0, 0, 1, 0]
    assert bo == [0, 1, 0, 2, 2, 2, 0, 1, 0]
    assert cleo == [0, 1, 0, 0, 2, 0, 1, 1, 0]


def test_on_a_section_that_no_story_names_rest_all_cases_of_its_programs(tmp_path: Path) -> None:
    course = Class(tmp_path)
    course.add("ada", 10, {})
    course.add("bo", 5, {CLIMBER: WRONG}, (misread("1.5", CLIMBER),))
    assert course.rules()["1.5"] == (1, 8, 1)
    assert course.rules()["2.6"] == (0, 2, 0)


def test_who_does_not_have_the_program_is_not_asked(tmp_path: Path) -> None:
    course = Class(tmp_path)
    course.add("ada", 10, {})
    course.add("gus", 0, dict.fromkeys(range(4), NO_START))
    assert course.rules()["2.3"] == (0, 2, 0)
    assert course.overview.for_everybody()["cases"][-1] == (100, 100, 4)


def test_marks_and_cases_are_counted_in_tenths_and_name_nobody(tmp_path: Path) -> None:
    course = Class(tmp_path)
    for name, points in (("ada", 10.4567), ("bo", 9), ("cleo", 0)):
        course.add(name, points, {HOLDS: WRONG} if name == "bo" else {})
    told = course.overview.for_everybody()
    assert [count for *_, count in told["marks"]] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]
    assert [(low, count) for low, _, count in told["cases"] if count] == [(60, 1), (100, 3)]
    assert told["marks"][-1][:2] == (9, 10)  # and not the points of the best
    assert "byTeam" not in told
    assert [who for *_, who in course.overview.for_staff()["marks"]][-1] == [0, 1]


def test_change_is_told_since_an_earlier_run(tmp_path: Path) -> None:
    course = Class(tmp_path, Before("run 3", {"ada": (10.0, {}), "bo": (9.0, {})}))
    course.add("ada", 10, {})
    course.add("bo", 5, {})
    course.add("cleo", 5, {})
    told = course.overview.for_staff()
    assert [(low, high, who) for low, high, who in told["change"] if who] == [(-4, -3, [1]), (0, 0, [0])]
    assert (told["since"], told["new"]) == ("run 3", 1)


def test_the_run_before_is_the_last_one_in_which_something_else_came_out(tmp_path: Path) -> None:
    session = Class(tmp_path).session
    assert run_before(session, []) is None
    remember(session, [])
    assert run_before(session, []) is None
    runs = tmp_path / "store" / "runs"
    (runs / "2.json").write_text('{"cases": [["attack", "climber"]], "teams": {"ada": [3.5, "a"]}}')
    (runs / "3.json").write_text('{"cases": [["atta')  # cut off
    assert run_before(session, []) == ("run 2", {"ada": (3.5, {("attack", "climber"): "a"})})


@pytest.mark.parametrize("steps", [[(0, 0), (0, 5), (5, 10), (10, 10)], [(0, 5), (5, 10)]])
@given(values=st.lists(st.floats(0, 10)))
def test_everybody_stands_in_one_bar(steps: list[tuple[float, float]], values: list[float]) -> None:
    found = bars(dict(enumerate(values)), steps)
    assert sorted(who for *_, members in found for who in members) == list(range(len(values)))
    assert all(low <= values[who] <= high for low, high, members in found for who in members)


def test_no_team_is_needed(tmp_path: Path) -> None:
    told = Class(tmp_path).overview.for_staff()
    assert (told["marks"], told["time"], told["byTeam"]) == ([], [], [])


ANSWERS = ("true", "false", "1", "")
MANY = 500


HEIGHT = "(one) => one.getBoundingClientRect().height"
# Of a chart whose last two labels would stand on each other.
LABELS = """() => {
  const drawn = Overview.chart("time", [0.35, 0.4, 0.45, 0.5, 0.55].map((from) => [from, from + 0.05, 1]));
  return [...drawn.querySelectorAll(".tick")].map((label) => label.textContent);
}"""


@pytest.mark.long
@pytest.mark.needs("browser")
def test_a_class_of_500_teams_can_be_looked_at(tmp_path: Path) -> None:
    Class(tmp_path)
    for number in range(MANY):
        answer = ANSWERS[number % len(ANSWERS)]
        write_program(tmp_path / "teams" / f"<b>{number:03}" / "xattack", f"#!/bin/sh\necho '{answer}'\n")
    teams = sorted((tmp_path / "teams").iterdir())
    done = harness(tmp_path, "grade", *teams, "--suite", "cases", "--sandbox", "off", "--out", "out")
    assert done.returncode == 0, done.stderr
    complaints: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 375, "height": 812}, color_scheme="dark")
        expect.set_options(timeout=120_000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.goto((tmp_path / "out" / "report.html").as_uri())
        expect(page.locator(".heat-map path.h0")).not_to_have_attribute("d", "")
        assert page.evaluate("document.querySelectorAll('.overview *').length") < 400
        assert page.evaluate("document.documentElement.scrollWidth") == 375
        page.set_viewport_size({"width": 1200, "height": 900})
        assert page.locator(".heat-map text").first.evaluate(HEIGHT) < 25, "however few rules there are"
        assert page.evaluate(LABELS) == ["350 ms", "400 ms", "450 ms", "500 ms", "600 ms"]
        page.set_viewport_size({"width": 375, "height": 812})
        page.get_by_role("link", name="as a table").click()
        rows = page.locator("table").nth(1).locator("tbody tr")
        expect(rows).to_have_count(60)
        page.locator(".scroll").nth(1).evaluate("(box) => box.scrollTo(0, box.scrollHeight)")
        expect(rows).to_have_count(120)
        page.get_by_role("button", name="2.3", exact=True).click()
        expect(rows.first).to_contain_text("<b>")
        page.pdf()
        expect(rows).to_have_count(MANY)  # all teams are on paper
        browser.close()
    assert complaints == []
