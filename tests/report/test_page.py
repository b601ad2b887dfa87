"""The page of results in a real browser."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request

from harness.running.results import KEPT_OUTPUT
from tests.support.results import KINDS, Results, harness, run_everything

pytestmark = pytest.mark.needs("browser")

DESKTOP = {"width": 1200, "height": 900}
PHONE = {"width": 375, "height": 812}

WRONG = {
    "v": 1,
    "program": "xstep",
    "verdict": "wrong answer",
    "detail": "",
    "differences": ["player 0 (id 1), board 0: food is 1, should be 2"],
    "smallest": ["player 0 (id 1), board 0", '[["food",2]]', '[["food",1]]'],
    "stdout": "1",
    "stderr": "",
    "exit": 0,
    "seconds": 0.5,
}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    return run_everything(tmp_path_factory.mktemp("page"))


class Opened:
    """A page that is open, and what it has asked for and complained of."""

    def __init__(self, browser: Browser, path: Path, viewport: dict[str, int], **more: Any) -> None:
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.context = browser.new_context(viewport=viewport, **more)  # type: ignore[arg-type]
        self.context.set_default_timeout(120_000)
        self.page: Page = self.context.new_page()
        self.page.on("request", self._asked)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", lambda said: self.complaints.append(said.text))
        self.page.goto(path.as_uri())

    def _asked(self, request: Request) -> None:
        self.requests.append(request.url)

    def names(self) -> list[str]:
        return [name.strip() for name in self.page.locator(".case .name").all_inner_texts()]

    def elements(self) -> int:
        return int(self.page.evaluate("document.querySelectorAll('*').length"))

    def width(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth"))

    def unfold(self, name: str) -> None:
        self.page.locator(".case button", has=self.page.get_by_text(name, exact=True)).click()


@pytest.fixture
def opened(browser: Browser, results: Results) -> Iterator[Opened]:
    found = Opened(browser, results.file("page.html"), DESKTOP)
    yield found
    found.context.close()
    # Whatever a test has done: nothing was fetched, and no script but the page's own has run.
    assert {url.partition(":")[0] for url in found.requests} == {"file"}
    assert len(found.requests) == 1
    assert found.complaints == []


def own(tmp_path: Path, expected: object, printed: object, exact: bool = False) -> Path:
    """A page of one failure."""
    (tmp_path / "i").write_text("[1]")
    (tmp_path / "e").write_text(json.dumps(expected, separators=(",", ":")))
    stdout = json.dumps(printed, separators=(",", ":"))
    stdout = stdout if len(stdout) <= KEPT_OUTPUT else f"{stdout[:KEPT_OUTPUT]}…"
    record = {**WRONG, "case": "c/one", "input": "i", "expected": "e", "stdout": stdout}
    record["run"] = {"exact": exact}
    (tmp_path / "j").write_text(json.dumps(record) + "\n")
    assert harness(tmp_path, "report", "j", "--html", "page.html").returncode == 1
    return tmp_path / "page.html"


def test_it_opens_on_the_failures(opened: Opened, results: Results) -> None:
    page = opened.page
    passed, known, withheld = (results.counts[name] for name in ("pass", "known failure", "withheld"))
    bad = 300 - passed - known - withheld
    assert page.locator("h1").inner_text() == (
        f"{passed} passed, {bad} failed, {known} known failures, {withheld} withheld"
    )
    assert page.title().startswith(page.locator("h1").inner_text())
    assert page.locator(".case").count() == bad
    page.get_by_role("button", name=re.compile("^All")).click()
    assert page.locator(".case").count() == 200
    page.get_by_role("button", name="Show 100 more of 100").click()
    assert page.locator(".case").count() == 300


def test_every_verdict_has_a_button_with_its_count(opened: Opened, results: Results) -> None:
    for verdict, count in results.counts.items():
        if verdict != "pass":
            opened.page.get_by_role("button", name=f"{verdict} {count}", exact=True).click()
            assert opened.page.locator(".case").count() == count


def test_it_filters_as_one_types(opened: Opened) -> None:
    search = opened.page.locator("#search")
    search.press_sequentially("crashed abort")
    assert sorted(opened.names()) == [f"aborts-{number}" for number in range(4)]
    assert opened.page.locator("#shown").inner_text() == "4 cases of 300"
    search.fill("no such case")
    assert opened.names() == []
    search.fill("")
    assert len(opened.names()) > 50


def test_it_sorts(opened: Opened) -> None:
    page = opened.page
    page.locator("#search").fill("odd/wrong/")
    page.locator("[data-sort=case]").click()
    names = opened.names()
    assert names == sorted(names)
    page.locator("[data-sort=case]").click()
    assert opened.names() == sorted(names, reverse=True)
    page.locator("#search").fill("")
    page.locator("[data-sort=time]").click()
    times = page.evaluate("[...document.querySelectorAll('.case')].map((row) => row.one.seconds ?? -1)")
    assert times == sorted(times, reverse=True), "the slowest is the first"
    assert times[0] > times[-1]
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("Time")


def test_a_failure_unfolds_and_folds(opened: Opened) -> None:
    page = opened.page
    opened.unfold("wrong-0")
    detail = page.locator(".detail")
    text = detail.inner_text()
    assert "position 0" in text or "[0]" in text, "the difference in words"
    assert '["wrong",0]' in detail.locator(".expected").inner_text()
    assert '["other",1]' in detail.locator(".printed").inner_text()
    assert detail.locator(".expected mark").all_inner_texts() == ['"wrong"', "0"]
    assert detail.locator(".printed mark").all_inner_texts() == ['"other"', "1"]
    for part in ("Input", "wrong-0-in.json", "See it again", "bin/odd <", "exit status 0", "took ", "ms"):
        assert part in text
    opened.unfold("wrong-0")
    assert page.locator(".detail").count() == 0
    opened.unfold("silent-0")
    assert "a reason, or none" in page.locator(".detail").inner_text()


def test_no_script_of_a_program_runs(opened: Opened) -> None:
    page = opened.page
    for kind in ("tags", "escapes", "cdata", "tap", "commands", "long"):
        for number in range(KINDS[kind][0]):
            opened.unfold(f"{kind}-{number}")
    opened.unfold("<b> & ]]> {{ name }}")
    text = page.locator("#list").inner_text()
    assert "<script>window.owned = 1</script></script><img src=x" in text
    assert r"\x1b[2J\x1b]0;owned\x07" in text
    assert r"\u{202e}" in text
    assert "]]>&amp;&lt;<!--{{ 7*7 }}" in text
    assert page.evaluate("window.owned") is None
    assert page.locator("main script, main img, main b:not(.chip b)").count() == 0
    assert opened.width() == DESKTOP["width"], "a megabyte on one line is no reason to scroll"


def test_a_page_would_not_run_a_script_even_if_one_got_in(browser: Browser, tmp_path: Path) -> None:
    path = own(tmp_path, [2], [1])
    path.write_text(path.read_text().replace("<main>", "<main><script>window.owned = 1</script>"))
    opened = Opened(browser, path, DESKTOP)
    assert opened.page.evaluate("window.owned") is None
    assert any("Content Security Policy" in said for said in opened.complaints)
    assert opened.names() == ["one"], "the page's own script runs"
    opened.context.close()


@pytest.mark.every(2, "scheme")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone(browser: Browser, results: Results, scheme: str) -> None:
    opened = Opened(browser, results.file("page.html"), PHONE, color_scheme=scheme)
    assert opened.width() == PHONE["width"]
    for name in ("long-0", "wrong-0", "new\\nline", "silent-0"):
        opened.unfold(name)
    opened.page.locator(".folders summary").click()
    assert opened.width() == PHONE["width"]
    dark = opened.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 26)"
    assert dark == (scheme == "dark")
    opened.context.close()


def test_it_prints_what_it_lists_unfolded(opened: Opened) -> None:
    page = opened.page
    page.locator("#search").fill("odd/aborts/")
    page.evaluate(
        "addEventListener('beforeprint', () => window.unfolded = document.querySelectorAll('.detail').length)"
    )
    page.pdf(format="A4")
    assert page.evaluate("window.unfolded") == 4
    assert page.locator(".detail").count() == 0, "and folds it again"


@pytest.mark.every(2, "exact")
@pytest.mark.parametrize("exact", [False, True])
def test_traits_in_another_order_differ_in_exact_runs_only(
    browser: Browser, tmp_path: Path, exact: bool
) -> None:
    expected, printed = (
        [["food", food], ["traits", traits], ["x" * 90, 0]]
        for food, traits in ((2, ["horns", "ambush"]), (1, ["ambush", "horns"]))
    )
    opened = Opened(browser, own(tmp_path, expected, printed, exact), DESKTOP)
    opened.unfold("one")
    missing = ['[["food",2],', ' ["traits",["horns","ambush"]],']
    assert opened.page.locator(".expected .missing").all_inner_texts() == missing[: 1 + exact]
    opened.context.close()


def test_long_answers_are_cut_and_still_laid_out(browser: Browser, tmp_path: Path) -> None:
    expected = [[number, "x" * 60] for number in range(2000)]
    path = own(tmp_path, expected, [[-1, ""], *expected[1:]])
    opened = Opened(browser, path, DESKTOP)
    opened.unfold("one")
    assert opened.page.locator(".expected .line.missing").count() < 10
    assert opened.page.locator(".expected .line").count() > 100
    assert "its beginning; it has " in opened.page.locator(".expected h3").inner_text()
    assert opened.complaints == []
    opened.context.close()


def test_a_link_names_a_case(browser: Browser, results: Results) -> None:
    opened = Opened(browser, results.file("page.html"), DESKTOP)
    opened.page.goto(f"{results.file('page.html').as_uri()}#cases/odd/aborts/aborts-1")
    opened.page.reload()
    assert opened.names() == ["aborts-1"]
    assert "SIGABRT" in opened.page.locator(".detail").inner_text()
    opened.context.close()


@pytest.mark.long
def test_thousands_of_cases_are_no_burden_before_somebody_clicks(browser: Browser, tmp_path: Path) -> None:
    record = {**WRONG, "input": "i", "expected": "e"}
    with (tmp_path / "j").open("w") as journal:
        for number in range(5000):
            verdict = "wrong answer" if number % 2 else "pass"
            journal.write(
                json.dumps({**record, "case": f"f{number % 150}/{number}", "verdict": verdict}) + "\n"
            )
    harness(tmp_path, "report", "j", "--html", "page.html")
    opened = Opened(browser, tmp_path / "page.html", DESKTOP)
    assert opened.elements() <= 5000
    opened.page.get_by_role("button", name=re.compile("^All")).click()
    assert opened.elements() <= 5000
    opened.page.locator("#search").fill("f7/4957")
    assert opened.names() == ["4957"]
    opened.context.close()
