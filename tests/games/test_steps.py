"""A game in steps: they add up to the tables of its log, and have nothing in them that a view hides."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.silly import Silly
from evolution.species import Species
from evolution.table import Player
from evolution.wire.log import Log
from harness.explain.games import GameStory
from harness.games.play import told_to_all
from harness.games.steps import GameSteps
from tests.support.helpers import BIN, run

Step = dict[str, Any]


def watched(view: str, seed: str = "7", number: int = 3) -> tuple[list[Step], list[Step]]:
    """The steps of a game for somebody with this view, and the lines of its log."""
    steps: list[Step] = []
    lines: list[str] = []
    names = ["silly"] * number
    observer = told_to_all([Log(lines.append, names, seed), GameSteps(names, view, steps.append)])
    Game([Silly() for _ in names], shuffled_deck(seed), observer).play()
    return json.loads(json.dumps(steps)), [json.loads(line) for line in lines]


def summed(steps: list[Step]) -> Step:
    """All that these steps have told of the table."""
    table: Step = {"seats": {}}
    for step in steps:
        table |= {key: step[key] for key in ("hole", "left", "cards") if key in step}
        for number, seat in step.get("seats", {}).items():
            if seat is None:
                del table["seats"][number]
            else:
                table["seats"].setdefault(number, {}).update(seat)
    return table


def seat_of(player: list[Any]) -> tuple[str, Step]:
    """A player of a Configuration as a seat."""
    found = dict(player)
    boards = [
        [board["population"], board["food"], board["body"], board.get("fat-food", 0), board["traits"]]
        for board in map(dict, found["species"])
    ]
    return str(found["id"]), {"boards": boards, "bag": str(found["bag"]), "hand": found.get("cards", [])}


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_the_steps_of_the_dealer_add_up_to_the_tables_of_the_log(seed: str) -> None:
    steps, lines = watched("dealer", seed, 4)
    assert [step["kind"] for step in steps] == [line["event"] for line in lines]
    turns = [at for at, line in enumerate(lines) if line["event"] == "turn"]
    assert len(turns) > 1
    for at in turns:
        players, hole, deck = lines[at]["table"]
        table = summed(steps[: at + 1])
        assert table["seats"] == dict(map(seat_of, players))
        assert table["hole"] == str(hole)
        assert table["cards"][len(table["cards"]) - table["left"] :] == deck


def test_every_step_tells_something() -> None:
    for view in ("dealer", "public", "2"):
        steps, _ = watched(view)
        assert all(step["story"] for step in steps)


CARD = re.compile(r'\[-?\d,"')  # a card as a story writes it


@pytest.mark.parametrize("view", ["public", "2"])
def test_a_view_has_nothing_that_is_hidden(view: str) -> None:
    steps, _ = watched(view)
    assert not {"cards", "left", "public"}.intersection(*map(set, steps), *steps)
    for step in steps:
        for number, seat in step.get("seats", {}).items():
            assert number == view or set(seat) == {"boards"}
        is_own = str(step.get("player")) == view
        told = " ".join(text for _, text, _ in step["story"])
        if not is_own:
            assert "notes" not in step or step["kind"] == "feed"
            assert not CARD.search(told)
            assert "deck" not in told
            assert "bag" not in told or step["kind"] == "end"
    assert any("hand" in seat for step in steps for seat in step.get("seats", {}).values()) == (view == "2")


def test_a_death_by_a_trait_of_ones_own_is_told() -> None:
    story = GameStory(["silly"])
    player = Player(1, [Species(population=2)])
    story("wound", player, 0, {"why": "poison", "population": 2})
    story("extinct", player, 0, {"why": "poison"})
    assert [step.text for step in story.story.steps] == [
        "player 1, board 0 loses one population (poison): 2 left",
        "player 1, board 0 is extinct (poison), and its board is removed",
    ]


# --- xmain ---------------------------------------------------------------------------------------


def data_of(page: Path) -> Any:
    found = re.search(
        r'<script type="application/json" id="data">(.*?)</script>', page.read_text(), re.DOTALL
    )
    assert found
    return json.loads(found[1])


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "game.log"
    assert run("xmain", "3", "--seed", "7", "--log", str(path)).status == 0
    return path


def test_a_page_of_a_log_has_a_step_for_every_line(log: Path, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    outcome = run("xmain", "--replay", str(log), "--html", str(page), "--view", "2")
    assert (outcome.status, outcome.err) == (0, b"")
    data = data_of(page)
    assert data["view"] == "2"
    assert len(data["steps"]) == len(log.read_text().splitlines())
    assert data["steps"] == watched("2")[0]


def test_a_log_that_is_cut_off_is_shown_as_far_as_it_goes(log: Path, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.log").write_bytes(b"".join(lines[:30]) + b'{"event":"st\xff')
    page = tmp_path / "game.html"
    outcome = run("xmain", "--replay", str(tmp_path / "cut.log"), "--html", str(page), "--json")
    assert outcome.status == 0
    assert json.loads(outcome.out)["ranking"] is None
    assert b"line 31: the log ends here" in outcome.err
    assert outcome.err.endswith(b"the page shows the game up to there\n")
    data = data_of(page)
    assert len(data["steps"]) == 30
    assert "line 31" in data["note"]


def test_a_log_that_does_not_agree_with_the_rules_has_no_page(log: Path, tmp_path: Path) -> None:
    (tmp_path / "altered.log").write_text(
        log.read_text().replace('"exchange","player":1', '"exchange","player":2')
    )
    outcome = run("xmain", "--replay", str(tmp_path / "altered.log"), "--html", str(tmp_path / "game.html"))
    assert outcome.status == 65
    assert not (tmp_path / "game.html").exists()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--view", "2"], "it takes --html FILE"),
        (["--html", "page.html", "--view", "4"], "there is no player 4 in a game of 3"),
        (["--html", "page.html", "--view", "bank"], "not dealer, public"),
        (["--html", "-"], "name a file"),
        (["--html", str(BIN / "xmain")], "something else"),
        (["--html", "/nowhere/page.html"], "cannot write /nowhere/page.html: No such file or directory"),
    ],
)
def test_a_page_that_cannot_be_is_wrong_use(options: list[str], said: str) -> None:
    outcome = run("xmain", "3", *options)
    assert outcome.status == 2
    assert said in outcome.err.decode()
    assert outcome.out == b""


def test_who_watches_does_not_change_what_a_player_is_thrown_out_for(tmp_path: Path) -> None:
    (tmp_path / "lost.py").write_text(
        "from evolution import Silly\nfrom evolution.choices import Attack\n\n\n"
        "class Lost(Silly):\n    def feed_next(self, state):\n        return Attack(0, 99, 0)\n"
    )
    game = ["3", "--players", f"{tmp_path}/lost.py:Lost", "--in-process"]
    plain = run("xmain", *game).out.decode()
    assert "there is no player 99" in plain
    watched_out = run("xmain", *game, "--explain", "--html", str(tmp_path / "game.html")).out.decode()
    assert watched_out.endswith(plain)
