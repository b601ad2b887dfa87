"""Our server and our client, with default options, play whole games with what other teams would write.

The teams are in tests/teams: each has its own manner of reading and writing. All scores are those of xmain.
"""

import socket
import subprocess
import sys
import time

import pytest

from tests.conformance.test_server import lines_of_xmain, names_in, without_names
from tests.support.helpers import BIN, PATIENCE, ROOT
from tests.support.serving import XServer
from tests.teams.client import MANNERS as CLIENTS
from tests.teams.server import MANNERS as SERVERS

TEAMS = ROOT / "tests" / "teams"


def team(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


@pytest.mark.long
def test_clients_of_all_manners_play_at_one_table_of_our_server() -> None:
    with XServer("--max", str(len(CLIENTS)), "--timeout", "30") as server:
        clients = [team(str(TEAMS / "client.py"), manner, server.port) for manner in CLIENTS]
        lines = server.results()
        for client in clients:
            client.communicate(timeout=PATIENCE)
    assert without_names(lines) == lines_of_xmain(str(len(CLIENTS)))
    assert sorted(names_in(lines)) == sorted(CLIENTS)


@pytest.mark.long
@pytest.mark.parametrize("manner", SERVERS)
def test_our_clients_play_with_a_server_of_every_manner(manner: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    server = team("-m", "tests.teams.server", manner, port, "3", "30")
    words = [str(BIN / "xclient"), "--port", port, "--wait", "20", "--name", "ours"]
    time.sleep(0.5)
    clients = [subprocess.Popen(words, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    out, _ = server.communicate(timeout=PATIENCE)
    ended = [(client.communicate(timeout=PATIENCE)[1], client.returncode) for client in clients]
    assert without_names(out.splitlines()) == lines_of_xmain("3"), ended
    assert ended == [("", 0)] * 3


def games_a_second(games: int, *options: str) -> float:
    """How fast three of our clients play on our server."""
    with XServer("--max", "3", "--games", str(games), "--same-deck", *options) as server:
        began = time.monotonic()
        clients = [server.client("--name", f"ours {at}", "--games", str(games)) for at in range(3)]
        assert len(server.results()) == 3 * games
        passed = time.monotonic() - began
        for client in clients:
            client.communicate(timeout=PATIENCE)
    return games / passed


@pytest.mark.long
@pytest.mark.alone
def test_with_no_options_games_are_hardly_slower_than_without_any_pause() -> None:
    ratios = [games_a_second(150) / games_a_second(150, "--gap", "0") for _ in range(5)]
    assert sorted(ratios)[2] >= 0.65, ratios
