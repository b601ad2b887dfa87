"""The pictures in pages, in a real browser: drawn as Python draws them, marked, and safe."""

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from bench.pictures import full_table
from evolution.picture import draw
from evolution.picture.values import answer_scene, scene
from evolution.wire import writing
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.report.page import FOLDER
from tests.report.test_page import DESKTOP, PHONE, WRONG, Opened
from tests.support.helpers import BIN, ROOT, run, species
from tests.support.results import harness

pytestmark = pytest.mark.needs("browser")

FIXTURES = ROOT / "test-fixtures"
CASES = [path for path in sorted(FIXTURES.rglob("*-in.json")) if "xstream" not in path.parts]
NAME = "attack-takes-population-and-feeds"
ATTACK = f"xstep/{NAME}"
UNCHANGED = (FIXTURES / f"{ATTACK}-in.json").read_text()
SCREENS: list[dict[str, Any]] = [{"viewport": PHONE}, {"color_scheme": "dark"}, {}]
HOSTILE = '<img src=x onerror="document.title=1">'


def opened(browser: Browser, path: Path, **more: Any) -> Opened:
    return Opened(browser, path, more.pop("viewport", DESKTOP), offline=True, **more)


def closed(page: Opened) -> None:
    """Whatever a test has done: nothing was fetched, and nothing was complained of."""
    page.context.close()
    assert len(page.requests) == 1
    assert page.complaints == []


# --- two hands that draw the same -------------------------------------------------------------------------

DRAW = """([input, output]) => {
  const before = Pictures.ofInput(input), after = output.trim() ? Pictures.ofAnswer(input, output) : null;
  const text = (scene, marks) => scene && Pictures.draw(scene, marks).outerHTML;
  const since = { since: before, columns: 2 }, unlike = { unlike: before, columns: 1 };
  return [text(before, {}), text(after, since), text(after, unlike)];
}"""


def drawing(svg: str | None) -> str | None:
    """A picture without what a page has elsewhere."""
    if svg is None:
        return None
    root = ET.fromstring(svg)
    for part in [*root]:
        if part.get("class") in ("e-style", "e-symbols"):
            root.remove(part)
    return ET.canonicalize(ET.tostring(root, encoding="unicode"))


def both(page: Opened, given: str, output: str) -> tuple[list[str | None], list[str | None]]:
    """What the page's script draws of an input and an answer to it, and what Python does."""
    by_script = page.page.evaluate(DRAW, [given, output])
    try:
        value = parse(given.encode())
        before = scene(value)
        after = answer_scene(value, parse(output.encode())) if output.strip() else None
    except BadInput:
        return [*map(drawing, by_script)], [None, None, None]
    by_python = [draw(before).svg]
    by_python += [draw(after, since=before, columns=2).svg] if after else [None]  # type: ignore[list-item]
    by_python += [draw(after, unlike=before, columns=1).svg] if after else [None]  # type: ignore[list-item]
    return [*map(drawing, by_script)], [*map(drawing, by_python)]


@pytest.fixture(scope="module")
def blank(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    tmp_path = tmp_path_factory.mktemp("blank")
    scripts = "\n".join((Path(FOLDER) / f"{name}.js").read_text() for name in ("base", "picture"))
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><script>{scripts}</script>")
    page = opened(browser, tmp_path / "page.html")
    yield page
    closed(page)


SOME = CASES[::12]
OTHERS = [path for path in CASES if path not in SOME]


@pytest.mark.parametrize(
    "cases", [SOME, pytest.param(OTHERS, marks=pytest.mark.long)], ids=["some", "others"]
)
def test_the_script_of_a_page_draws_every_case_as_python_does(cases: list[Path], blank: Opened) -> None:
    for path in cases:
        output = Path(str(path).replace("-in.json", "-out.json")).read_text()
        by_script, by_python = both(blank, path.read_text(), output)
        assert by_script == by_python, path


def test_it_draws_numbers_that_a_script_would_round(blank: Opened) -> None:
    given = [[[["id", 2**53 + 1], ["species", [species()]], ["bag", 10**30]]], 10**25, []]
    text = json.dumps(given)
    by_script, by_python = both(blank, text, text)
    assert by_script == by_python
    assert "9007199254740993" in (by_script[0] or "")
    assert "100000000000… (31 digits)" in (by_script[0] or "")


def test_boards_that_cannot_be_are_drawn_in_an_answer_but_not_in_an_input(blank: Opened) -> None:
    given = (FIXTURES / f"{ATTACK}-in.json").read_text()
    dead = '[["food",0],["body",0],["population",0],["traits",[]]]'
    glutton = '[["food",5],["body",1],["population",2],["traits",["fat-tissue"]],["fat-food",3]]'
    table = f'[[[["id",1],["species",[{dead},{glutton}]],["bag",0]]],1,[]]'
    by_script, by_python = both(blank, given, table)
    assert by_script == by_python
    assert all(by_script)
    assert 'href="#e-po0"' in str(by_script[1])
    assert 'href="#e-fo5"' in str(by_script[1])
    assert blank.page.evaluate("(text) => Pictures.ofInput(text)", table) is None
    state = f"[0,[{glutton}],[],1,[[{dead}]]]"
    by_script, by_python = both(blank, given, state)
    assert by_script == by_python
    assert all(by_script)


NO_ANSWERS = [
    "[[],1,[]]",
    '[[[["id",1],["species",[[["food",9]]]],["bag",0]]],1,[]]',
    '[[[["id",1],["species",[]],["bag","0"]]],1,[]]',
    '[[[["id",1],["species",{"length":1}],["bag",0]]],1,[]]',
    '[[[["id",1],["species",[]],["bag",0]]],1,[[9,"horns"]]]',
    f'[[[["id",1],["species",[]],["bag",0]]],1,[[1,{json.dumps(HOSTILE)}]]]',
    '{"a":1}',
    '"text"',
    "null",
    "1e9",
    "[" * 500 + "]" * 500,
]


def test_what_is_no_answer_has_no_picture(blank: Opened) -> None:
    given = (FIXTURES / f"{ATTACK}-in.json").read_text()
    for output in NO_ANSWERS:
        by_script, _ = both(blank, given, output)
        assert by_script[0]
        assert by_script[1:] == [None, None], output


# --- the page of results ------------------------------------------------------------------------------------


def page_of(tmp_path: Path, *failures: tuple[str, str]) -> Path:
    """A page with these cases of ours, each with what was printed."""
    records: list[dict[str, Any]] = []
    for case, printed in failures:
        files = {
            half: str(FIXTURES / f"{case}-{ending}.json")
            for half, ending in (("input", "in"), ("expected", "out"))
        }
        records.append({**WRONG, "program": case.split("/")[0], "case": case, **files, "stdout": printed})
    records[0]["run"] = {"exact": False}
    (tmp_path / "journal").write_text("".join(f"{json.dumps(record)}\n" for record in records))
    assert harness(tmp_path, "report", "journal", "--html", "page.html").returncode == 1
    return tmp_path / "page.html"


def titles(page: Opened) -> list[str]:
    return page.page.locator("figcaption").all_inner_texts()


def test_a_difference_is_drawn_when_its_case_is_unfolded(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, page_of(tmp_path, (ATTACK, UNCHANGED)))
    assert page.page.locator(".e-board").count() == 0
    words = page.page.locator(".case .words")
    assert words.is_visible()
    page.unfold(NAME)
    assert not words.is_visible(), "the same stands below"
    assert titles(page) == ["Before", "Expected", "Printed"]
    printed = page.page.locator("figure").nth(2)
    assert printed.locator(".e-board.e-differs").count() > 0
    assert page.page.locator("figure").nth(0).locator(".e-differs").count() == 0
    assert page.page.locator("details.texts").evaluate("(one) => one.open") is False
    assert not page.page.locator(".expected pre").is_visible(), "the same is not shown twice"
    page.page.locator("details.texts summary").press("Enter")
    assert page.page.locator(".expected pre").is_visible()
    closed(page)


def test_a_choice_is_drawn_on_the_table_that_it_was_made_for(browser: Browser, tmp_path: Path) -> None:
    page = opened(browser, page_of(tmp_path, ("xfeed/carnivores-line-up", "false")))
    page.unfold("carnivores-line-up")
    assert titles(page) == ["Expected", "Printed"]
    notes = page.page.locator(".e-note").all_text_contents()
    assert notes[-1] == "feeds nothing"
    assert notes[0].startswith("board ")
    closed(page)


@pytest.mark.long
def test_pictures_fit_every_screen(browser: Browser, tmp_path: Path) -> None:
    path = page_of(tmp_path, (ATTACK, UNCHANGED))
    for more in SCREENS:
        page = opened(browser, path, **more)
        page.unfold(NAME)
        assert page.width() <= more.get("viewport", DESKTOP)["width"]
        paper = page.page.locator("figure .e-sheet").first.evaluate("(one) => getComputedStyle(one).fill")
        assert (paper == "rgb(255, 255, 255)") == (more.get("color_scheme") != "dark")
        title = page.page.locator("figure .e-title").first
        assert title.evaluate("(one) => one.getBoundingClientRect().height") >= 9, "it can be read"
        page.page.emulate_media(media="print")
        paper = page.page.locator("figure .e-sheet").first.evaluate("(one) => getComputedStyle(one).fill")
        assert paper == "rgb(255, 255, 255)", "it is printed on paper"
        closed(page)


def test_a_hostile_answer_stays_text(browser: Browser, tmp_path: Path) -> None:
    printed = UNCHANGED.replace("carnivore", HOSTILE.replace('"', "'"))
    page = opened(
        browser, page_of(tmp_path, (ATTACK, printed), ("xattack/hard-shell-difference-three", HOSTILE))
    )
    for name in (NAME, "hard-shell-difference-three"):
        page.unfold(name)
    assert titles(page) == ["Before", "Expected", "Before"]
    assert page.page.locator("img").count() == 0
    assert page.page.title() != "1"
    closed(page)


MARKED = """([one, other, exact]) => compared(one, other, exact).map((side) =>
  [...side.querySelectorAll("mark")].map((mark) => mark.textContent))"""
BOARD = '[["food",1],["body",0],["population",2],["traits",["horns","ambush"]]]'


def test_only_the_tokens_that_differ_are_marked(blank: Opened) -> None:
    def marks(one: str, other: str, exact: bool = False) -> Any:
        return blank.page.evaluate(MARKED, [one, other, exact])

    other = BOARD.replace("1", "2", 1).replace('"horns","ambush"', '"ambush","horns"')
    assert marks(BOARD, other) == [["1"], ["2"]], "the order of traits does not count"
    assert marks(BOARD, BOARD.replace('"horns"', '"horns","climbing"')) == [[], ['"climbing",']]
    assert marks("[0,[[1,2]],[],[],[]]", '[1,[["population",1,2]],[],[],[]]') == [["0"], ["1"]]
    assert marks("[0,[[1,2]]]", '[0,[["population",1,2]]]', exact=True) == [[], ['"population",']]
    assert marks("a few words", "a few other words") == [[], ["other"]]
    boards = f"[{BOARD},{other},{BOARD}]"
    without = f"[{BOARD},{BOARD}]"
    assert marks(boards, without)[1] == [], "what is missing marks nothing else"


# --- xgui and harness show ---------------------------------------------------------------------------------


def test_xgui_writes_a_page_with_both_views(browser: Browser, tmp_path: Path) -> None:
    given = (FIXTURES / "xstep4/carnivores-line-up-in.json").read_bytes()
    assert run("xgui", "--html", str(tmp_path / "page.html"), given=given) == (b"", b"", 0)
    for more in SCREENS:
        page = opened(browser, tmp_path / "page.html", **more)
        assert titles(page) == ["the dealer's view", "what player 0 (id 3) sees"]
        assert page.page.locator("figure").nth(0).locator(".e-card").count() == 3
        assert page.page.locator("figure").nth(1).locator(".e-card").count() == 1
        assert page.width() <= more.get("viewport", DESKTOP)["width"]
        page.page.set_viewport_size({"width": 700, "height": 600})
        assert page.width() <= 700
        closed(page)


def test_a_small_table_is_not_blown_up_and_its_views_stand_beside_each_other(
    browser: Browser, tmp_path: Path
) -> None:
    given = (FIXTURES / f"{ATTACK}-in.json").read_bytes()
    assert run("xgui", "--html", str(tmp_path / "page.html"), given=given) == (b"", b"", 0)
    page = opened(browser, tmp_path / "page.html")
    boxes = page.page.locator("figure").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().toJSON())"
    )
    dealer, player = boxes
    assert dealer["width"] < 300
    assert dealer["top"] == player["top"]
    assert dealer["right"] < player["left"]
    closed(page)


def test_each_view_of_the_largest_table_is_printed_on_one_sheet(browser: Browser, tmp_path: Path) -> None:
    given = writing.configuration(full_table()).encode()
    assert run("xgui", "--html", str(tmp_path / "page.html"), given=given) == (b"", b"", 0)
    page = opened(browser, tmp_path / "page.html")
    paper = page.page.pdf(
        format="A4", margin={"top": "12mm", "right": "12mm", "bottom": "12mm", "left": "12mm"}
    )
    assert len(re.findall(rb"/Type */Page\b", paper)) == 2
    closed(page)


def test_harness_show_writes_a_page_of_a_case(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "xstep").write_text("#!/bin/sh\ncat\n")
    (tmp_path / "xstep").chmod(0o755)
    done = harness(tmp_path, "show", "--bin", ".", str(FIXTURES / ATTACK), "--html", "page.html")
    assert (done.returncode, done.stdout) == (1, "")
    page = opened(browser, tmp_path / "page.html")
    assert page.page.locator("h1").inner_text() == NAME
    assert titles(page) == ["Before", "Expected", "Printed"]
    assert page.page.locator(".item li").count() > 0
    assert page.page.locator("figure").nth(1).locator(".e-differs").count() > 0
    closed(page)


def test_a_browser_opens_the_svg_by_itself(browser: Browser, tmp_path: Path) -> None:
    done = harness(
        tmp_path, "show", "--program", str(BIN / "xstep"), str(FIXTURES / ATTACK), "--svg", "case.svg"
    )
    assert done.returncode == 0
    page = opened(browser, tmp_path / "case.svg")
    assert page.page.locator(".e-panel").count() == 3
    assert page.page.locator(".e-differs").count() == 0
    closed(page)


@pytest.mark.parametrize(
    ("command", "status"),
    [
        (["shrink", str(FIXTURES / "xattack/hard-shell-difference-three"), "./xattack"], 0),
        pytest.param(["fuzz", "./xattack", "--cases", "30", "-o", "found"], 1, marks=pytest.mark.long),
    ],
    ids=["shrink", "fuzz"],
)
def test_what_is_found_is_a_page(command: list[str], status: int, browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "xattack").write_text("#!/bin/sh\ncat > /dev/null\necho true\n")
    (tmp_path / "xattack").chmod(0o755)
    assert harness(tmp_path, *command, "--html", "xattack").returncode == 2, "which is no page"
    assert harness(tmp_path, *command, "--html", "no/page.html").returncode == 2, "nor is there a folder"
    assert not (tmp_path / "found").exists(), "before anything is tried"
    assert harness(tmp_path, *command, "--html", "found.html").returncode == status
    page = opened(browser, tmp_path / "found.html")
    assert titles(page)[0] == "Before"
    assert "answers true (attackable), should be false" in page.page.locator(".item li").first.inner_text()
    headings = page.page.locator(".item h3").all_inner_texts()
    assert headings[0] == "What differs"
    assert "Could be anything, one at a time" in headings
    closed(page)


@pytest.mark.long
def test_grades_show_a_difference_in_pictures(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "team/bin").mkdir(parents=True)
    (tmp_path / "team/bin/xstep").write_text("#!/bin/sh\ncat\n")
    (tmp_path / "team/bin/xstep").chmod(0o755)
    suite = str(ROOT / "docs/example/cases/xstep")
    assert harness(tmp_path, "grade", "team", "--suite", suite, "--out", "out").returncode == 0
    feedback = (tmp_path / "out/feedback/team.md").read_text()
    assert "watering hole ●●● 2≠3" in feedback
    page = opened(browser, tmp_path / "out/report.html")
    assert page.page.locator(".e-board").count() == 0
    page.page.evaluate("location.hash = 'team=0&case=0'")
    page.page.locator("figure").nth(2).wait_for()
    assert titles(page) == ["Before", "Expected", "Printed"]
    assert page.page.locator("figure").nth(2).locator(".e-board.e-differs").count() == 2
    page.page.locator("details.texts summary").click()
    assert page.page.locator(".wrong mark").count() > 0
    closed(page)
