"""Spectators of a server: what they are sent, what they are refused, and that no game suffers from them."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.games import spectators
from harness.games.spectators import BEGINS, ENDS, GOES_ON, MOST_SPECTATORS, Hall, Messages
from tests.games.test_steps import watched
from tests.support.helpers import run
from tests.support.serving import PATIENCE, Peer, XServer

Message = dict[str, Any]
ONE = ("--bots", "2", "--max", "3", "--seed", "7")  # a game that begins when one client has signed up


class Watched(XServer):
    """An xserver whose games can be watched."""

    def __init__(self, *options: str) -> None:
        super().__init__("--watch", "0", *options)
        assert self.process.stderr is not None
        found = re.fullmatch(
            r"xserver: to be watched at http://127\.0\.0\.1:(\d+)/\n", self.process.stderr.readline()
        )
        assert found
        self.page = int(found[1])

    def connected(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.page), PATIENCE)

    def spectator(self) -> socket.socket:
        """One who has asked for what happens, and has not read anything."""
        connection = self.connected()
        connection.sendall(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        return connection

    def played(self) -> tuple[str, str]:
        """What it prints, and complains of, when a client has come to play."""
        client = self.client("--name", "Anna")
        said = self.process.communicate(timeout=PATIENCE)
        client.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        return said

    def of_spectators(self) -> int:
        """The process of the spectators."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text()
        return int(children.split()[0])


def heard(connection: socket.socket) -> list[Message]:
    """All that a spectator is sent, up to the end."""
    with connection, connection.makefile("rb") as file:
        text = file.read().decode()
    return [json.loads(line) for line in re.findall(r"^data: (.*)$", text, re.MULTILINE)]


def expected(number: int = 3) -> list[str]:
    return run("xmain", str(number), "--seed", "7").out.decode().splitlines()


def without_names(lines: list[str]) -> list[str]:
    return [line.partition(" name: ")[0] for line in lines]


def test_spectators_who_never_read_or_ask_too_much_change_nothing_and_others_see_it_all() -> None:
    with Watched(*ONE) as server:
        attentive = server.spectator()
        asleep = [server.spectator() for _ in range(20)]
        silent = [server.connected() for _ in range(20)]
        rude = server.connected()
        rude.sendall(b"GET / HTTP/1.1\r\nX: " + b"x" * 20_000)
        out, err = server.played()
        assert (without_names(out.splitlines()), err) == (expected(), "")
        messages = heard(attentive)
        for one in [*asleep, *silent, rude]:
            one.close()
    steps = [message["step"] for message in messages if "step" in message]
    told = watched("public")[0]
    assert steps[0].pop("names") == ["Anna", "bot 1", "bot 2"]
    told[0].pop("names")
    assert [step["kind"] for step in steps] == [step["kind"] for step in told]
    assert [step.get("seats") for step in steps] == [step.get("seats") for step in told]
    assert messages[-1] == {"news": "closed"}


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_the_game_goes_on_if_the_process_of_the_spectators_does_not(number: int) -> None:
    with Watched(*ONE) as server:
        os.kill(server.of_spectators(), number)
        out, err = server.played()
        assert without_names(out.splitlines()) == expected()
        assert ("no more for spectators" in err) == (number == signal.SIGKILL)


@pytest.mark.long
def test_spectators_hear_who_signed_up_who_was_refused_and_who_is_asked() -> None:
    with Watched("--bots", "2", "--max", "3", "--spectators", "all") as server:
        spectator = server.spectator()
        with socket.create_connection(("127.0.0.1", int(server.port)), PATIENCE) as stranger:
            stranger.sendall(b"{} ")
            assert stranger.recv(100) == b""
        client = server.client("--name", "<b>Anna</b>" + "a" * 100)
        server.results()
        client.communicate(timeout=PATIENCE)
        messages = heard(spectator)
    news = [message for message in messages if "news" in message]
    name = "<b>Anna</b>" + "a" * 29 + "…"
    assert [message["news"] for message in news[:4]] == ["refused", "signed up", "game", "asked"]
    assert news[0]["reason"] == "it sent something other than a name"
    assert news[1]["name"] == name
    assert news[2]["names"] == [name, "bot 1", "bot 2"]
    assert (news[3]["player"], news[3]["request"], news[3]["game"]) == (1, "choose", 1)
    assert abs(news[3]["time"] - time.time()) < PATIENCE
    assert news[4]["news"] == "answered"
    assert [message["news"] for message in news[-2:]] == ["over", "closed"]
    assert "cards" in next(message["step"] for message in messages if "step" in message)


@pytest.fixture(scope="module")
def waiting() -> Iterator[Watched]:
    """A server that waits for clients."""
    with Watched() as server:
        yield server


@pytest.mark.parametrize(
    ("method", "path", "host", "status"),
    [
        ("GET", "/", "localhost", 200),
        ("HEAD", "/", "127.0.0.1:8000", 200),
        ("GET", "/", "[::1]:8000", 200),
        ("GET", "/", "somebody.example", 421),
        ("GET", "/../etc/passwd", "localhost", 404),
        ("POST", "/", "localhost", 405),
    ],
)
def test_requests_are_answered(waiting: Watched, method: str, path: str, host: str, status: int) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", waiting.page, timeout=PATIENCE)
    connection.request(method, path, headers={"Host": host})
    answer = connection.getresponse()
    assert answer.status == status
    assert answer.getheader("X-Content-Type-Options") == "nosniff"
    assert ("<!-- harness: game -->" in answer.read().decode()) == (method == "GET" and status == 200)


def test_a_port_that_is_taken_is_said_before_anything_is_done(waiting: Watched, tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    outcome = run("xserver", "--port", "0", "--log", str(log), "--watch", str(waiting.page))
    assert outcome.status == 69
    assert outcome.err == (
        f"xserver: --watch: cannot listen on 127.0.0.1:{waiting.page}: Address already in use\n".encode()
    )
    assert not log.exists()


@pytest.mark.parametrize(
    "options",
    [["--watch", "65536"], ["--watch", ":80"], ["--watch", "web"], ["--spectators", "all"]],
    ids=" ".join,
)
def test_wrong_use(options: list[str]) -> None:
    assert run("xserver", *options).status == 2


@pytest.mark.long
def test_a_crowd_of_spectators_takes_no_connections_from_clients() -> None:
    with Watched(*ONE) as server:
        crowd = [server.spectator() for _ in range(MOST_SPECTATORS + 50)]
        late = crowd[-1].recv(100)
        out, _ = server.played()
        assert without_names(out.splitlines()) == expected()
        for one in crowd:
            one.close()
    assert late.startswith(b"HTTP/1.1 503 ")


def test_nothing_is_left_of_a_server_that_is_killed() -> None:
    with Watched() as server:
        server.process.kill()
        server.process.wait()
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                server.connected().close()
            except OSError:
                return
            time.sleep(0.05)
    pytest.fail("somebody still listens")


@pytest.mark.long
def test_a_spectator_who_does_not_read_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "PATIENCE", 0.5)

    async def crowded() -> None:
        reading, writing = os.pipe()
        listener = socket.create_server(("127.0.0.1", 0))
        hall = Hall(b"", True)
        for _ in range(30):
            hall.messages.add(1, GOES_ON, b"x" * (1 << 20))  # which no socket takes in at once
        running = asyncio.create_task(hall.run(listener, reading))
        asleep = await Peer.at(str(listener.getsockname()[1]), room=4096)
        asleep.writer.transport.pause_reading()  # type: ignore[attr-defined]
        await asleep.say(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        async with asyncio.timeout(PATIENCE):
            while not hall.present:
                await asyncio.sleep(0.01)
            while hall.present:
                await asyncio.sleep(0.01)
        os.close(writing)
        await running
        asleep.reset()

    asyncio.run(crowded())


def test_games_that_are_over_are_forgotten_when_the_next_one_begins() -> None:
    messages = Messages()
    for game, mark in [(0, GOES_ON), (1, BEGINS), (1, GOES_ON), (2, BEGINS), (1, ENDS), (3, BEGINS)]:
        messages.add(game, mark, f"{game}{mark}".encode())
    kept, last = messages.after(0)
    assert [data for _, data in kept] == [b"0=", b"2+", b"3+"]
    assert messages.after(last) == ([], last)
    messages.add(3, GOES_ON, b"more")
    assert [data for _, data in messages.after(last)[0]] == [b"more"]


@pytest.mark.long
def test_a_log_and_spectators_see_the_same_games(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    with Watched("--bots", "3", "--max", "4", "--games", "2", "--wait", "1", "--log", str(log)) as server:
        spectator = server.spectator()
        server.process.communicate(timeout=PATIENCE)
        messages = heard(spectator)
    for game, path in ((1, log), (2, Path(f"{log}.2"))):
        kinds = [
            message["step"]["kind"]
            for message in messages
            if message.get("game") == game and "step" in message
        ]
        assert kinds == [json.loads(line)["event"] for line in path.read_text().splitlines()]
