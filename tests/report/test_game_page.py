"""A game to watch, in a real browser: from disk with the network off, and live from a server."""

import json
import re
import socket
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.games.test_spectators import Watched
from tests.report.test_page import DESKTOP, PHONE, Opened
from tests.support.helpers import run
from tests.support.serving import PATIENCE

pytestmark = [pytest.mark.needs("browser"), pytest.mark.long]

HOSTILE = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
MOST_BYTES = 2_000_000


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game of 8 players: its log, and its page."""
    folder = tmp_path_factory.mktemp("game")
    files = ["--log", str(folder / "game.log"), "--html", str(folder / "game.html")]
    assert run("xmain", "8", "--seed", "7", *files).status == 0
    return folder


def opened(browser: Browser, path: Path, **more: Any) -> Opened:
    found = Opened(browser, path, more.pop("viewport", DESKTOP), offline=True, **more)
    found.context.set_default_timeout(30_000)
    return found


def closed(page: Opened) -> None:
    """Whatever a test has done: nothing was fetched but the page, and nothing was complained of."""
    page.context.close()
    assert {url.partition("#")[0] for url in page.requests} == {page.requests[0].partition("#")[0]}
    assert page.complaints == []


@pytest.fixture
def page(browser: Browser, game: Path) -> Iterator[Opened]:
    found = opened(browser, game / "game.html")
    yield found
    closed(found)


def events(game: Path) -> list[Any]:
    return [json.loads(line) for line in (game / "game.log").read_text().splitlines()]


def at_step(page: Page, number: int) -> None:
    expect(page.locator("#count")).to_have_text(re.compile(rf"^step {number} of "))


def test_a_page_of_eight_players_is_small(game: Path) -> None:
    assert (game / "game.html").stat().st_size < MOST_BYTES


def test_keys_move_through_the_game(page: Opened, game: Path) -> None:
    last = len(events(game)) - 1
    turns = [at for at, event in enumerate(events(game)) if event["event"] == "turn"]
    at_step(page.page, 0)
    for key, step in [
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("End", last),
        ("ArrowRight", last),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("Shift+ArrowRight", turns[0]),
        ("Shift+ArrowRight", turns[1]),
        ("Shift+ArrowLeft", turns[0]),
    ]:
        page.page.keyboard.press(key)
        at_step(page.page, step)
    page.page.locator("#slider").fill("40")
    at_step(page.page, 40)
    page.page.locator("#slider").press("ArrowRight")
    at_step(page.page, 41)
    page.page.get_by_role("button", name="One step back").click()
    at_step(page.page, 40)


def test_it_plays_and_pauses(page: Opened) -> None:
    page.page.locator("#speed").select_option("20")
    page.page.locator("h1").click()
    page.page.keyboard.press(" ")
    expect(page.page.locator("#count")).to_have_text(re.compile("^step (1[0-9]|[2-9][0-9]) of "))
    page.page.get_by_role("button", name="Pause", exact=True).click()
    shown = page.page.locator("#count").inner_text()
    page.page.wait_for_timeout(300)
    assert page.page.locator("#count").inner_text() == shown
    assert page.page.get_by_role("button", name="Play", exact=True).count() == 1


def test_a_step_has_a_link(page: Opened) -> None:
    page.page.evaluate("location.hash = 'step=41'")
    at_step(page.page, 41)
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_url("**/game.html#step=42")
    page.page.locator("#view").select_option("3")
    page.page.wait_for_url("**/game.html#step=42&view=3")
    page.page.reload()
    at_step(page.page, 42)
    assert page.page.locator("#view").input_value() == "3"
    for wrong in ("step=99999999999999999999999", "step=-1", "step=x&view=constructor", "%"):
        page.page.evaluate("(hash) => { location.hash = hash; }", wrong)
    expect(page.page.locator("#count")).to_have_text(re.compile(r"^step \d+ of "))


def test_what_a_step_changes_is_marked_and_told_with_its_rule(page: Opened, game: Path) -> None:
    at, event = next((at, event) for at, event in enumerate(events(game)) if event["event"] == "eat")
    page.page.evaluate("(at) => go(at)", at)
    changed = page.page.locator(".e-board.e-changed")
    assert changed.count() == 1
    title = page.page.locator("figure", has=changed).locator(".e-title").text_content()
    assert title is not None
    assert title.startswith(f"player {event['player']} · silly bag ")
    told = page.page.locator("#story [aria-current]")
    assert "eats one token" in told.inner_text()
    assert "rules 3.1" in told.inner_text()
    told.locator("xpath=../preceding-sibling::li[1]/button").click()
    at_step(page.page, at - 1)


def test_a_view_shows_what_it_may_and_the_plot_follows(page: Opened, game: Path) -> None:
    page.page.evaluate("(at) => go(at)", len(events(game)) // 2)
    assert page.page.locator(".e-hand").count() == 8
    page.page.locator("#deck summary").click()
    expect(page.page.locator(".e-deck")).to_have_count(1)
    assert page.page.locator("#plot path").count() == 8
    page.page.locator("#view").select_option("2")
    assert page.page.locator(".e-hand").count() == 1
    assert page.page.locator(".e-deck").count() == 0
    assert page.page.locator("#plot-title").inner_text() == "Scores, without the bags of others"
    page.page.locator("#view").select_option("public")
    assert page.page.locator(".e-hand").count() == 0
    assert page.page.locator("text=/bag \\d/").count() == 0
    page.page.locator("#plot svg").click(position={"x": 60, "y": 50})
    expect(page.page.locator("#count")).not_to_have_text(re.compile(f"^step {len(events(game)) // 2} "))


ONE_AHEAD = """() => {
  const frame = game().frames.at(-1), seats = Object.keys(frame.seats).map((id) => [id, { boards: [], bag: id === "1" ? "99" : "0" }]);
  frame.seats = Object.fromEntries(seats);
  drawPlot();
  return [...document.querySelectorAll("#plot text.end")].map((label) => Number(label.getAttribute("y"))).sort((a, b) => a - b);
}"""  # noqa: E501


def test_a_line_of_the_plot_has_its_label_beside_it_though_others_end_together(page: Opened) -> None:
    first, *others = page.page.evaluate(ONE_AHEAD)
    assert first == 12, "beside the line at the top"
    assert others == [*range(176 - 6 * 11, 177, 11)], "apart from each other, and above the bottom"


TURNS = """() => {
  for (const step of game().steps.slice(0, 20)) step.turn = 12;
  drawPlot();
  return [...document.querySelectorAll("#plot text")].filter((one) => one.textContent.startsWith("turn")).map((one) => one.getBBox());
}"""  # noqa: E501


def test_all_of_the_plot_is_seen_above_the_controls(page: Opened) -> None:
    page.page.set_viewport_size({"width": 1280, "height": 800})
    page.page.evaluate("go(0)")
    plot, controls = (
        page.page.locator(part).evaluate("(one) => one.getBoundingClientRect().toJSON()")
        for part in ("#plot", ".controls")
    )
    assert plot["bottom"] < controls["top"]


def test_the_names_of_short_turns_do_not_stand_on_each_other(page: Opened) -> None:
    boxes = page.page.evaluate(f"({TURNS})().map(({{ x, width }}) => [x, x + width])")
    assert len(boxes) > 1
    assert all(end <= start for (_, end), (start, _) in pairwise(boxes))


@pytest.mark.parametrize("more", [{"viewport": PHONE}, {"color_scheme": "dark"}, {}], ids=str)
def test_it_fits_every_screen(more: dict[str, Any], browser: Browser, game: Path) -> None:
    page = opened(browser, game / "game.html", **more)
    page.page.evaluate("go(60)")
    assert page.width() <= more.get("viewport", DESKTOP)["width"]
    lefts = {figure.bounding_box()["x"] for figure in page.page.locator("#table figure").all()[1:]}  # type: ignore[index]
    assert len(lefts) == (1 if "viewport" in more else 2), "players stand beside each other where they can"
    paper = page.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (paper == "rgb(22, 24, 26)") == ("color_scheme" in more)
    assert page.page.locator(".controls").is_visible()
    acting = page.page.locator("figure.acting").bounding_box()
    bar = page.page.locator(".controls").bounding_box()
    assert acting
    assert bar
    assert acting["y"] + acting["height"] <= bar["y"] + 1, "who acts is not hidden"
    page.page.emulate_media(media="print")
    assert not page.page.locator("#slider").is_visible()
    assert page.page.locator("#story").is_visible()
    closed(page)


def test_hostile_names_run_nothing_and_break_nothing(browser: Browser, game: Path, tmp_path: Path) -> None:
    first, *rest = (game / "game.log").read_text().splitlines(keepends=True)
    header = json.loads(first)
    header["players"] = [HOSTILE, "x" * 10_000_000, "\ud800\u202e\0</script>", "__proto__", "", "6", "7", "8"]
    log = tmp_path / "hostile.log"
    log.write_text("".join([json.dumps(header, separators=(",", ":")) + "\n", *rest]))
    path = tmp_path / "hostile.html"
    outcome = run("xmain", "--replay", str(log), "--html", str(path))
    assert (outcome.status, outcome.err) == (0, b"")
    assert path.stat().st_size < MOST_BYTES
    page = opened(browser, path)
    for key in ("ArrowRight", "End", "Home"):
        page.page.keyboard.press(key)
    page.page.locator("#view").select_option("1")
    assert page.page.title() == "A game of Evolution"
    assert page.page.locator("img").count() == 0
    expect(page.page.locator(".e-title", has_text="player 1")).to_contain_text("player 1 · <img src=x")
    assert page.width() <= DESKTOP["width"]
    closed(page)


# --- live -----------------------------------------------------------------------------------------------


def test_a_live_page_follows_the_games_of_a_server(browser: Browser) -> None:
    with Watched("--bots", "2", "--max", "3", "--games", "2", "--seed", "7", "--spectators", "all") as server:
        context = browser.new_context()
        context.set_default_timeout(30_000)
        page, complaints, requests = context.new_page(), [], []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(f"http://127.0.0.1:{server.page}/")
        expect(page.locator("#lobby")).to_contain_text("Server: live")
        expect(page.locator("#facts")).to_have_text("no game has begun yet")
        with socket.create_connection(("127.0.0.1", int(server.port)), PATIENCE) as client:
            client.sendall(json.dumps(HOSTILE).encode())
            expect(page.locator("#lobby")).to_contain_text("Asked: player 1 · <img src=x")
            expect(page.locator("#lobby")).to_contain_text("what to do with its cards")
            assert page.locator(".e-hand").count() == 3
            client.sendall(b"no answer")
            expect(page.locator("#now")).to_contain_text("the game ends")
        second = server.client("--name", "Second")
        expect(page.locator("#facts")).to_contain_text("game 2")
        expect(page.locator("#lobby")).to_contain_text("all games are over")
        expect(page.locator("#now")).to_contain_text("the game ends")
        second.communicate(timeout=PATIENCE)
        page.locator("#game").select_option("1")
        expect(page.locator("#facts")).to_contain_text("game 1")
        assert page.locator("img").count() == 0
        context.close()
    assert complaints == []
    assert all(url.startswith(f"http://127.0.0.1:{server.page}/") for url in requests)


def test_the_public_is_not_sent_what_is_hidden(browser: Browser) -> None:
    with Watched("--bots", "2", "--max", "3", "--seed", "7") as server:
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.page}/")
        expect(page.locator("#lobby")).to_contain_text("Server: live")
        server.played()
        expect(page.locator("#now")).to_contain_text("the game ends", timeout=30_000)
        assert page.locator(".e-hand").count() == 0
        assert not page.locator("#views").is_visible()
        page.close()
