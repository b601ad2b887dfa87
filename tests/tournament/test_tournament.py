"""Tournaments from the command line: players of every kind, killed and taken up again."""

import csv
import json
import os
import random
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from harness.errors import WrongUse
from harness.running.limits import children
from harness.tournament.schedule import Meeting
from harness.tournament.tables import TableProcess
from harness.tournament.terms import Terms, entrants
from harness.tournament.waiting_room import WaitingRoom
from tests.support.capabilities import browser as installed_browser
from tests.support.helpers import BIN, ROOT
from tests.support.keeper import wait_until

PATIENCE = 300
SILLY = ("silly", "silly", "silly", "silly")
CLOCKS = {"seconds", "longest"}  # what is not the same each time

BAD = """
import os, time
from evolution.silly import Silly

class Raises(Silly):
    def feed_next(self, state):
        return state.boards[99]

class Hangs(Silly):
    def choose(self, before, after):
        time.sleep(3600)

class Exits(Silly):
    def choose(self, before, after):
        if os.fork() == 0:
            os.setsid()
            time.sleep(3600)
        os._exit(3)

class Cheats(Silly):
    def choose(self, before, after):
        return [99, [], [], [], []]
"""


def words(*arguments: "str | Path") -> list[str]:
    return [str(BIN / "harness"), "tournament", *map(str, arguments)]


def tournament(*arguments: "str | Path") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        words(*arguments), cwd=ROOT, capture_output=True, text=True, check=False, timeout=PATIENCE
    )


def standings(out: Path) -> Any:
    """The standings without what a clock says."""
    found = json.loads((out / "standings.json").read_text())
    for one in found["standings"]:
        for key in CLOCKS:
            del one[key]
    return found


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def test_a_tournament_is_told_in_a_terminal_as_csv_as_json_and_as_a_page(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = tournament(*SILLY, "--games", "12", "-j", "2", "--out", out)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.startswith(
        "4 players, 12 games, 4 at a table, decks by seed 0\n"
        "shared out: 12 games each, 3 in each seat; each pair 12 times, each deck 4 times\n"
    )
    assert "who beats whom" in done.stdout
    found = standings(out)
    assert found["spread"] == {"games": [12, 12], "seats": [3, 3], "pairs": [12, 12], "decks": [4, 4]}
    assert sorted(one["player"] for one in found["standings"]) == ["silly", "silly 2", "silly 3", "silly 4"]
    assert sum(one["points"] for one in found["standings"]) == 12 * 6
    assert sum(one["wins"] for one in found["standings"]) == pytest.approx(12)
    assert [row["player"] for row in rows(out / "standings.csv")] == [
        one["player"] for one in found["standings"]
    ]
    games = rows(out / "games.csv")
    assert len(games) == 12 * 4
    page = (out / "index.html").read_text()
    assert all(f'href="{game["log"]}"' in page for game in games)


@pytest.mark.long
def test_every_game_can_be_played_again_and_the_same_command_plays_none_again(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = tournament(*SILLY, "--games", "8", "--out", out)
    games = rows(out / "games.csv")
    replayed = subprocess.run(
        [BIN / "xmain", "--replay", out / games[0]["log"]], capture_output=True, text=True, check=False
    )
    scores = sorted((int(game["score"]) for game in games[:4]), reverse=True)
    assert [int(line.rpartition(" ")[2]) for line in replayed.stdout.splitlines()] == scores
    journal = (out / "journal.jsonl").read_bytes()
    again = tournament(*SILLY, "--games", "8", "--out", out)
    assert (again.stdout, (out / "journal.jsonl").read_bytes()) == (done.stdout, journal)
    more = json.loads(tournament(*SILLY, "--games", "10", "--out", out, "--json").stdout)
    assert more["games"] == 10
    assert (out / "journal.jsonl").read_bytes().startswith(journal)


@pytest.mark.parametrize(
    ("players", "problem"),
    [
        (["silly", "silly"], "needs 3 players or more, not 2"),
        (["silly", "human", "silly"], "a person cannot play a tournament"),
        (["silly", "sily", "silly"], "did you mean silly?"),
        (["silly", "tcp:", "silly"], "expected tcp:NAME"),
        (["tcp:Anna", "silly", "tcp:Anna"], "Anna is named twice"),
        (["silly", "command: ", "silly"], "expected command:COMMAND"),
        (["silly", "a\nb=silly", "silly"], "characters that can be printed"),
    ],
)
def test_players_that_are_none_are_wrong_use(players: list[str], problem: str) -> None:
    with pytest.raises(WrongUse) as wrong:
        entrants(players)
    assert problem in str(wrong.value)


def test_players_are_called_after_what_they_are_unless_they_are_given_a_name() -> None:
    words = ["silly", "silly", "stepwise:docs/players/stepwise.py:Settler", "tcp:Anna", "me=mine.py:Mine"]
    assert [one.name for one in entrants([*words, "command:/bin/cat -u", "x:Silly"])] == [
        "silly",
        "silly 2",
        "Settler",
        "Anna",
        "me",
        "cat",
        "Silly",
    ]


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "status", "problem"),
    [
        (["silly", "silly", "docs/modest.py:Modst"], 2, "there is no class Modst"),
        (["silly", "silly", "docs/modst.py:Modest"], 2, "docs/modst.py is not a file"),
        (["silly", "silly", "command:/bin/true"], 2, "command:/bin/true: its process has ended"),
        (["silly", "silly", "command:no-such-program at all"], 2, "no-such-program is not installed"),
        ([*SILLY, "--table-size", "5"], 2, "a table of 5 needs 5 players, and there are 4"),
        ([*SILLY, "--listen", "127.0.0.1:0"], 2, "no player is a client"),
        ([*SILLY, "tcp:Anna"], 2, "say where, as --listen HOST:PORT"),
        ([*SILLY, "tcp:Anna", "--listen", "45678"], 2, "expected HOST:PORT"),
        ([*SILLY, "tcp:Anna", "--listen", "192.0.2.1:1"], 69, "cannot listen on 192.0.2.1:1"),
        (
            [*SILLY, "tcp:Anna", "--listen", "127.0.0.1:0", "--wait", "0.1"],
            75,
            "nobody has signed up as Anna",
        ),
    ],
)
def test_what_cannot_be_played_is_said_before_anything_is_played(
    tmp_path: Path, arguments: list[str], status: int, problem: str
) -> None:
    done = tournament(*arguments, "--out", tmp_path / "out")
    assert done.returncode == status, done.stderr
    assert problem in done.stderr
    assert not (tmp_path / "out" / "games").exists()


@pytest.mark.long
def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert tournament(*SILLY, "--games", "4", "--out", out).returncode == 0
    journal = (out / "journal.jsonl").read_bytes()
    for other in (["--seed", "1"], ["--table-size", "3"], ["silly"]):
        done = tournament(*SILLY, *other, "--games", "4", "--out", out)
        assert done.returncode == 65, done.stderr
        assert f"{out}/journal.jsonl:1: another tournament" in done.stderr
    (out / "journal.jsonl").write_bytes(journal.replace(b'"seats":[', b'"seats":[7,', 1))
    assert tournament(*SILLY, "--games", "4", "--out", out).returncode == 65
    (out / "journal.jsonl").write_bytes(journal[:-20])  # the last game was cut off
    assert tournament(*SILLY, "--games", "4", "--out", out).returncode == 0
    assert len((out / "journal.jsonl").read_bytes().splitlines()) == 5
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "mine.txt").touch()
    assert tournament(*SILLY, "--out", tmp_path / "notes").returncode == 2
    assert os.listdir(tmp_path / "notes") == ["mine.txt"]


@pytest.mark.long
def test_a_player_whose_file_has_changed_is_not_the_same_player(tmp_path: Path) -> None:
    player = tmp_path / "mine.py"
    player.write_text((ROOT / "docs" / "modest.py").read_text())
    arguments = ("silly", "silly", f"{player}:Modest", "--games", "3", "--out", tmp_path / "out")
    assert tournament(*arguments).returncode == 0
    player.write_text(player.read_text() + "# better\n")
    done = tournament(*arguments)
    assert done.returncode == 65
    assert "another tournament: files" in done.stderr


def free_port() -> int:
    """A port that nobody has, and that the system gives to nobody who does not ask for it."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(1024, max(first, 2048)), 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


def wait_for_lines(journal: Path, count: int, process: "subprocess.Popen[Any]") -> None:
    """Return when a tournament has so many lines in its journal; fail if it ends before."""

    def has_them() -> bool:
        has = journal.exists() and journal.read_bytes().count(b"\n") >= count
        assert has or process.poll() is None
        return has

    wait_until(has_them, PATIENCE)


@contextmanager
def clients(port: int, **players: str) -> Iterator[None]:
    """Clients that sign up again and again, each under its name, as long as this holds."""
    loop = 'while :; do "$@" 2> /dev/null; sleep 0.1; done'
    started = [
        subprocess.Popen(
            [
                "sh",
                "-c",
                loop,
                "sh",
                BIN / "xclient",
                "--port",
                str(port),
                "--name",
                name,
                "--player",
                player,
            ],
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        for name, player in players.items()
    ]
    try:
        yield
    finally:
        for process in started:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def running(mark: str) -> list[str]:
    """The command lines of processes that name this."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            line = (entry / "cmdline").read_bytes() if entry.name.isdigit() else b""
        except OSError:
            continue
        if mark.encode() in line and int(entry.name) != os.getpid():
            found.append(line.replace(b"\0", b" ").decode(errors="replace"))
    return found


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_twelve_players_of_every_kind_and_five_kills_end_as_undisturbed(tmp_path: Path) -> None:
    bad = tmp_path / "bad.py"
    bad.write_text(BAD)
    port = free_port()
    everybody = [
        "silly",
        "docs/modest.py:Modest",
        "stepwise:docs/players/stepwise.py:Settler",
        "cardwise:docs/players/cardwise.py:Breeder",
        "table:docs/players/table.py:Gardener",
        f"command:{shlex.join([sys.executable, str(ROOT / 'docs' / 'players' / 'speaks.py')])}",
        "tcp:Anna",
        "tcp:Bob",
        *(f"{bad}:{name}" for name in ("Raises", "Hangs", "Exits", "Cheats")),
        *("--games", "36", "--timeout", "5", "--listen", f"127.0.0.1:{port}"),
    ]
    with clients(port, Anna="silly", Bob="docs/modest.py:Modest"):
        undisturbed = tournament(*everybody, "-j", "8", "--out", tmp_path / "undisturbed")
        assert undisturbed.returncode == 0, undisturbed.stderr
        killed = tmp_path / "killed"
        for kill in range(5):
            process = subprocess.Popen(
                words(*everybody, "-j", "4", "--out", killed), cwd=ROOT, stderr=subprocess.DEVNULL
            )
            wait_for_lines(killed / "journal.jsonl", 2 + 5 * kill, process)
            process.kill()
            process.wait()
        played = len((killed / "journal.jsonl").read_bytes().splitlines()) - 1
        assert 21 <= played < 36
        finished = tournament(*everybody, "-j", "6", "--out", killed)
        assert finished.returncode == 0, finished.stderr
    assert standings(killed) == standings(tmp_path / "undisturbed")
    lines = (killed / "journal.jsonl").read_text().splitlines()
    numbers = [json.loads(line)["number"] for line in lines[1:]]
    assert sorted(numbers) == list(range(1, 37))
    found = {one["player"]: one for one in standings(killed)["standings"]}
    assert {one["games"] for one in found.values()} == {12}
    reasons = {name: {one["reason"]: one["times"] for one in found[name]["thrown out"]} for name in found}
    assert reasons["Hangs"] == {"choose: no answer within 5 s": 12}
    assert reasons["Exits"] == {"choose: its process has ended": 12}
    assert reasons["Cheats"] == {"choose: card 99 does not exist: the hand has 4": 12}
    raised = "feed_next: IndexError: list index out of range (bad.py, line 7: return state.boards[99])"
    assert reasons["Raises"].keys() <= {raised}
    honest = found.keys() - {"Raises", "Hangs", "Exits", "Cheats"}
    assert all(reasons[name] == {} for name in honest)
    assert all(found[name]["points"] > found["Hangs"]["points"] == 0 for name in honest)
    wait_until(lambda: not running(str(tmp_path)), PATIENCE)


@pytest.mark.long
def test_a_client_that_does_not_come_back_misses_its_games_and_no_others(tmp_path: Path) -> None:
    port = free_port()
    # It is there before it is waited for.
    once = subprocess.Popen([BIN / "xclient", "--port", str(port), "--name", "Anna", "--wait", str(PATIENCE)])
    listening = ("--wait", "5", "--listen", f"127.0.0.1:{port}")
    process = subprocess.Popen(
        words(*SILLY, "tcp:Anna", "--games", "10", *listening, "--out", tmp_path / "out"),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert once.wait(PATIENCE) == 0
    stranger = subprocess.run(
        [BIN / "xclient", "--port", str(port), "--name", "Carl"],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert "there is no player 'Carl' in this tournament" in stranger.stderr
    assert process.wait(PATIENCE) == 0
    anna, *others = sorted(standings(tmp_path / "out")["standings"], key=lambda one: str(one["player"]))
    assert [(one["reason"], one["times"]) for one in anna["thrown out"]] == [
        ("start: it did not sign up within 5 seconds", 7)
    ]
    assert all(one["thrown out"] == [] for one in others)


@pytest.mark.long
def test_an_interrupted_tournament_keeps_what_was_played(tmp_path: Path) -> None:
    process = subprocess.Popen(
        words(*SILLY, "--games", "20000", "--out", tmp_path / "out"),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
    )
    journal = tmp_path / "out" / "journal.jsonl"
    wait_for_lines(journal, 10, process)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert "which are kept: the same command continues" in said


@pytest.mark.long
@pytest.mark.needs("browser")
def test_the_page_fetches_nothing_complains_of_nothing_and_shows_the_games_of_a_player(
    tmp_path: Path,
) -> None:
    assert (
        tournament(*SILLY, "x<b>=silly", "--games", "10", "--pages", "--out", tmp_path / "out").returncode
        == 0
    )
    said: list[str] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        page = browser.new_page()
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url))
        page.goto((tmp_path / "out" / "index.html").as_uri())
        assert page.locator("#games tbody tr:visible").count() == 10
        assert page.locator("circle").count() == page.locator("polyline").count() == 5
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        text = page.locator(".plot text").first
        assert text.evaluate("(one) => one.getBoundingClientRect().height") >= 9, "it can be read on a phone"
        page.fill("#search", "X<B>")
        assert page.locator("#games tbody tr:visible").count() == 8
        assert page.locator("table.matrix th", has_text="x<b>").count() == 1
        page.click("#games tbody tr:visible a")
        assert page.url.endswith(".html")
        assert page.locator("body", has_text="x<b>").count() == 1
        browser.close()
    assert [one for one in said if not one.startswith("file:")] == []


def test_the_waiting_room_takes_names_in_pieces_and_lets_go_who_is_rude() -> None:
    room = WaitingRoom("127.0.0.1", 0, ["Anna", "Bob"], 20)

    def client(*pieces: bytes) -> socket.socket:
        made = socket.create_connection(room.address)
        for piece in pieces:
            made.sendall(piece)
            for _ in range(3):
                room.serve()
        return made

    anna, again = client(b'"An', b'na"', b"\n"), client(b'"Anna"')
    rude = client(b'"Bob"', b"[1]")
    others = [client(b'"Carl"'), client(b"[] "), client(b"x"), client(b'"' + 5000 * b"x")]
    assert room.missing(["Anna", "Bob"]) == ["Bob"]
    assert anna.recv(100) == again.recv(100) == b'"ok"\n'
    assert [one.recv(200).split(b"\n")[0] for one in others] == [
        b"\"there is no player 'Carl' in this tournament\"",
        b'"a sign-up is a string"',
        b"",
        b'"a sign-up is a name"',
    ]
    taken = room.take("Anna")
    assert taken.getpeername() == anna.getsockname()
    again.close()
    room.serve()
    assert room.missing(["Anna"]) == ["Anna"]
    for one in (taken, anna, rude, *others):
        one.close()
    room.close()


def test_a_table_that_is_killed_before_its_game_is_not_waited_for(tmp_path: Path) -> None:
    terms = Terms(entrants(SILLY), 4, "1", 5, 5)
    before = set(children(os.getpid()))
    table = TableProcess(terms, str(tmp_path), None)
    (pid,) = set(children(os.getpid())) - before
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    table.give(Meeting(1, 1, (0, 1, 2, 3)), {})
    with pytest.raises(EOFError):
        table.take()
    table.close()


@pytest.mark.long
def test_a_game_whose_process_was_killed_is_played_again(tmp_path: Path) -> None:
    process = subprocess.Popen(
        words(*SILLY, "--games", "1000", "-j", "2", "--out", tmp_path / "out"),
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
    )
    killed = 0
    while killed < 2 and process.poll() is None:
        for table in children(process.pid):
            os.kill(table, signal.SIGKILL)
            killed += 1
        time.sleep(0.1)
    assert killed >= 2
    assert process.wait(PATIENCE) == 0
    assert standings(tmp_path / "out")["games"] == 1000
