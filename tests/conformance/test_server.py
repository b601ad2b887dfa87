"""xserver and xclient as processes: they agree with xmain, take every form of message, and leave nothing.

SOAK=1 in the environment plays 200 games in a row instead of 24.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from evolution.remote.proxy import RemoteDealer
from evolution.silly import Silly, choose
from evolution.wire.action4 import write_action4
from evolution.wire.messages import read_start
from harness import __version__
from tests.support.helpers import BIN, run
from tests.support.serving import PATIENCE, Peer, XServer, honest

GAMES = 200 if os.environ.get("SOAK") else 24
QUICK = ("--gap", "0", "--wait", "0.5")


def lines_of_xmain(*arguments: str) -> list[str]:
    return run("xmain", *arguments).out.decode().splitlines()


def without_names(lines: list[str]) -> list[str]:
    return [line.partition(" name: ")[0] for line in lines]


def names_in(lines: list[str]) -> list[str]:
    return [json.loads(line.partition(" name: ")[2]) for line in lines]


def ends(process: "subprocess.Popen[str]") -> tuple[str, str, int]:
    out, err = process.communicate(timeout=PATIENCE)
    return out, err, process.returncode


def patiently(work: Any) -> Any:
    async def in_time() -> Any:
        async with asyncio.timeout(PATIENCE):
            return await work

    return asyncio.run(in_time())


# --- whole games -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "seed"), [(3, None), pytest.param(8, None, marks=pytest.mark.long), (5, "11")]
)
def test_clients_and_a_server_agree_with_xmain(number: int, seed: str | None) -> None:
    deck = [] if seed is None else ["--seed", seed]
    with XServer("--max", str(number), *deck) as server:
        clients = [server.client("--name", f"number {at}") for at in range(number)]
        lines = server.results()
        assert [ends(client) for client in clients] == [("", "", 0)] * number
    assert without_names(lines) == lines_of_xmain(str(number), *deck)
    assert sorted(names_in(lines)) == [f"number {at}" for at in range(number)]


def test_the_first_player_is_who_signed_up_first_and_bots_come_last() -> None:
    async def sign_up(port: str) -> None:
        tasks = []
        for name in ('ä\n"b"', ""):
            signed_up = asyncio.Event()
            tasks.append(asyncio.create_task(honest(port, name, signed_up.set)))
            await signed_up.wait()
        await asyncio.gather(*tasks)

    with XServer("--max", "4", "--bots", "2", *QUICK) as server:
        patiently(sign_up(server.port))
        lines = server.results()
    assert without_names(lines) == lines_of_xmain("4")
    by_id = {line.split()[3]: name for line, name in zip(lines, names_in(lines), strict=True)}
    assert by_id == {"1": 'ä\n"b"', "2": "", "3": "bot 1", "4": "bot 2"}


def test_a_log_of_a_served_game_replays_and_further_games_have_logs_of_their_own(tmp_path: Path) -> None:
    log = tmp_path / "game.log"
    games = ("--games", "2", "--same-deck")
    with XServer("--max", "3", "--bots", "2", *games, "--log", str(log), *QUICK) as server:
        for _ in range(2):
            patiently(honest(server.port, "a", lambda: None))
        lines = without_names(server.results())
    assert lines == lines_of_xmain("3") * 2
    for file in (log, tmp_path / "game.log.2"):
        assert lines_of_xmain("--replay", str(file)) == lines_of_xmain("3")


def test_bots_that_are_enough_for_a_game_play_it_even_if_nobody_comes() -> None:
    with XServer("--bots", "3", "--min", "3", "--games", "2", "--same-deck", "--wait", "0.2") as server:
        lines = server.results()
    assert without_names(lines) == lines_of_xmain("3") * 2
    assert sorted(names_in(lines[:3])) == ["bot 1", "bot 2", "bot 3"]


def test_bots_that_are_not_enough_for_a_game_wait_for_a_client() -> None:
    with XServer("--bots", "3", "--min", "4", "--max", "5", "--wait", "0.2") as server:
        patiently(honest(server.port, "a", lambda: None))
        assert without_names(server.results()) == lines_of_xmain("4")


def test_any_argument_is_a_seed() -> None:
    seed = ("--seed", os.fsdecode(b"\xff"))
    with XServer("--max", "3", "--bots", "2", *seed, *QUICK) as server:
        patiently(honest(server.port, "a", lambda: None))
        assert without_names(server.results()) == lines_of_xmain("3", *seed)


def test_a_file_that_is_no_log_is_left_alone(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    outcome = run("xserver", "--port", "0", "--log", str(precious))
    assert outcome.status == 2
    assert b"is not the log of a game" in outcome.err
    assert precious.read_text() == "mine"


def test_twenty_tables_at_once() -> None:
    """Nobody answers before all sixty have been told that their game has begun."""

    async def player(port: str, everybody: asyncio.Barrier) -> None:
        peer = await Peer.at(port)
        await peer.sign_up("one of sixty")
        dealer = RemoteDealer(Silly())
        start = await peer.hear()
        await everybody.wait()
        dealer.reply(start)
        while True:
            try:
                answer = dealer.reply(await peer.hear())
            except AssertionError:  # the end
                break
            if answer:
                await peer.say(answer.encode() + b" ")
        peer.close()

    async def all_of_them(port: str) -> None:
        everybody = asyncio.Barrier(60)
        await asyncio.gather(*(player(port, everybody) for _ in range(60)))

    with XServer("--same-deck", "--max", "3", "--tables", "20", "--timeout", str(PATIENCE), *QUICK) as server:
        patiently(all_of_them(server.port))
        lines = server.results()
    assert without_names(lines) == lines_of_xmain("3") * 20


class Footprint:
    """What a process holds: its descriptors, its threads, its memory."""

    def __init__(self, pid: int) -> None:
        status = Path(f"/proc/{pid}/status").read_text()
        fields = dict(line.split(":", 1) for line in status.splitlines())
        self.threads = int(fields["Threads"])
        self.memory = int(fields["VmRSS"].split()[0])  # kB
        self.descriptors = len(os.listdir(f"/proc/{pid}/fd"))


def test_many_games_in_a_row_leave_nothing_behind() -> None:
    seen: list[Footprint] = []

    async def all_games(port: str, pid: int) -> None:
        for game in range(GAMES):
            gone = await Peer.at(port)  # at each game there is one who leaves, and one who is rude
            await gone.sign_up("gone")
            gone.close()
            rude = await Peer.at(port)
            await rude.sign_up("rude")
            await rude.say(b"[1, 2")
            seen.append(Footprint(pid))
            await asyncio.gather(*(honest(port, f"{game}", lambda: None) for _ in range(2)))
            rude.close()

    options = ("--max", "4", "--bots", "1", "--games", str(GAMES), *QUICK)
    with XServer(*options) as server:
        patiently(all_games(server.port, server.process.pid))
        lines = server.results()
    assert len(lines) == 4 * GAMES
    assert {*lines[3::4]} == {'- player id: 1 thrown out: start: it spoke without being asked name: "rude"'}
    early, late = seen[GAMES // 4], seen[-1]
    assert late.threads <= early.threads
    assert late.descriptors <= early.descriptors + 4  # one or two may be about to be closed
    assert late.memory - early.memory < 4096, "kB of memory have been lost"


# --- sign-up ---------------------------------------------------------------------------------------

STRANGERS: dict[str, bytes] = {
    "says nothing": b"",
    "a number": b"17 ",
    "null": b"null",
    "a list": b'["me"]',
    "an object": b'{"name":"me"}',
    "half a string": b'"me',
    "a word": b"me\n",
    "a byte-order mark": b'\xef\xbb\xbf"me"',
    "not UTF-8": b'"\xff\xfe"',
    "NaN": b"NaN",
    "blanks": b"\n\n\n",
    "deep": b"[" * 5000,
    "too long": b'"' + b"x" * 70_000 + b'"',
    "a request for a page": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


def test_whoever_does_not_sign_up_has_no_seat_and_harms_nobody() -> None:
    async def strangers(port: str) -> list[bytes]:
        peers = [await Peer.at(port) for _ in STRANGERS]
        for peer, text in zip(peers, STRANGERS.values(), strict=True):
            await peer.say(text)
        for leave in (Peer.close, Peer.half_close, Peer.reset):
            for text in (b"", b'"half', b'"whole"'):
                leaving = await Peer.at(port)
                await leaving.say(text)
                if text == b'"whole"':
                    assert await leaving.hear() == "ok"
                leave(leaving)
                peers.append(leaving)
        await asyncio.gather(*(honest(port, "honest", lambda: None) for _ in range(3)))
        heard = [await peer.end() for peer in peers[: len(STRANGERS)]]
        for peer in peers:
            peer.close()
        return heard

    with XServer("--max", "3", "--gap", "0", "--wait", "10") as server:
        heard = patiently(strangers(server.port))
        lines = server.results()
    assert heard == [b""] * len(STRANGERS)
    assert without_names(lines) == lines_of_xmain("3")
    assert names_in(lines) == ["honest"] * 3


def test_the_ninth_is_turned_away_and_so_is_who_comes_during_the_game() -> None:
    async def nine(port: str) -> None:
        eight = [await Peer.at(port) for _ in range(8)]
        ninth = await Peer.at(port)
        for at, peer in enumerate(eight):
            await peer.sign_up(f"{at}")
        await ninth.say(b'"ninth"')
        heard = await ninth.reader.read()
        assert heard in (b"", b'"the game has begun"')  # the game may begin before it has said its name
        late = await Peer.at(port)
        assert await late.reader.read() == b"", "it has not signed up, so it is told nothing"
        late.close()
        late = await Peer.at(port)
        await late.say(b'"late"')
        assert await late.reader.read() == b'"the game has begun"'
        for peer in (*eight, ninth, late):
            peer.close()

    with XServer(*QUICK) as server:
        patiently(nine(server.port))
        late = server.client("--wait", "0")
        lines = server.results()
        out, err, status = ends(late)
        assert (out, status) in {("", 1), ("", 69)}  # perhaps the server had ended when it came
        assert status == 69 or err == "xclient: not signed up: the server says: the game has begun\n"
    assert sorted(names_in(lines)) == [f"{at}" for at in range(8)]
    assert all("thrown out: " in line for line in lines)


@pytest.mark.long
def test_a_server_gives_up_with_a_status_of_its_own_and_closes_the_connections_of_those_who_wait() -> None:
    async def waiting(port: str) -> None:
        peer = await Peer.at(port)
        await peer.sign_up("waiting")
        assert await peer.reader.read() == b""
        peer.close()

    with XServer("--give-up", "1.5", "--min", "4", "--bots", "1") as server:
        patiently(waiting(server.port))
        out, err, status = ends(server.process)
    assert (out, status) == ("", 75)
    assert err == "xserver: gave up after 1.5 seconds: 2 of 4 players have signed up\n"


@pytest.mark.every(2, "design")
@pytest.mark.parametrize(
    ("design", "said"),
    [
        ("stepwise:docs/players/stepwise.py:Settler", "place 3 of 3, with 3 in the bag\n"),
        ("table:docs/players/table.py:Gardener", "3: 13, 2: 10, 1: 7\n"),
    ],
)
def test_with_results_players_of_the_designs_hear_of_the_end_over_the_network(design: str, said: str) -> None:
    word, file, name = design.split(":")
    with XServer("--max", "3", "--bots", "2", "--results") as server:
        client = server.client("--player", f"{word}:{BIN.parent / file}:{name}")
        lines = server.results()
        assert ends(client) == ("", said, 0)
    here = run("xmain", "3", "--players", f"{word}:{BIN.parent / file}:{name}")
    assert here.err.decode() == said, "as at home"
    assert without_names(lines) == here.out.decode().splitlines()


@pytest.mark.long
def test_more_connections_than_the_server_may_have_only_delay_it() -> None:
    async def crowd(port: str) -> None:
        idle = [await Peer.at(port) for _ in range(60)]
        await honest(port, "honest", lambda: None)
        for peer in idle:
            peer.close()

    with XServer("--max", "3", "--bots", "2", "--timeout", "2", *QUICK, files=40) as server:
        patiently(crowd(server.port))
        out, err = server.process.communicate(timeout=PATIENCE)
    assert without_names(out.splitlines()) == lines_of_xmain("3")
    assert err == "xserver: socket.accept() out of system resource: [Errno 24] Too many open files\n"


# --- the form of messages --------------------------------------------------------------------------


def segments(port: str, name: str, seconds: float) -> list[tuple[float, bytes]]:
    """What a client that never answers receives, piece by piece, and when."""
    found = []
    with socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE) as connected:
        connected.sendall(json.dumps(name).encode())
        while piece := connected.recv(1 << 16):
            found.append((time.monotonic(), piece))
    return found


@pytest.mark.long
@pytest.mark.parametrize(("separator", "end"), [("none", b""), ("space", b" "), ("newline", b"\n")])
def test_a_message_of_the_server_is_one_segment_and_then_there_is_a_gap(separator: str, end: bytes) -> None:
    options = ("--separator", separator, "--gap", "0.2", "--timeout", "0.5", "--max", "3", "--bots", "2")
    with XServer(*options) as server:
        received = segments(server.port, "silent", 0.5)
        server.results()
    assert [piece[len(piece) - len(end) :] for _, piece in received] == [end] * 3
    ok, start, choice = (json.loads(piece) for _, piece in received)
    assert ok == "ok"
    assert len(start) == 4
    assert choice[0] == []
    assert len(choice[1]) == 2
    if separator == "none":
        assert [piece.strip() for _, piece in received] == [piece for _, piece in received]
    times = [at for at, _ in received]
    # What is sent 0.2 s apart may be received a little less than that apart, on a busy machine.
    assert times[2] - times[0] > 0.2


Form = Callable[[str], list[bytes]]

FORMS: dict[str, tuple[Form, float]] = {
    "byte by byte": (lambda text: [bytes([byte]) for byte in text.encode() + b" "], 0.0),
    "pretty-printed": (lambda text: [b"\n\n" + json.dumps(json.loads(text), indent=4).encode() + b"\n"], 0.0),
    "without an end": (lambda text: [text.encode()], 0.0),
    "with its blanks in segments of their own": (lambda text: [b" ", text.encode(), b" ", b"\r\n"], 0.002),
    "cut in the middle": (lambda text: [text.encode()[:3], text.encode()[3:] + b"\t"], 0.01),
}


def labelled(text: str) -> list[bytes]:
    """An Action4 whose growth has labels."""
    value = json.loads(text)
    if isinstance(value, list) and len(value) == 5:
        value[1] = [["population", *growth] for growth in value[1]]
        value[2] = [["body", *growth] for growth in value[2]]
    return [json.dumps(value).encode() + b" "]


FORMS["labelled"] = (labelled, 0.0)


def test_answers_are_taken_in_every_form() -> None:
    async def player(port: str, form: Form, pause: float) -> None:
        peer = await Peer.at(port)
        await peer.sign_up("formal")
        dealer = RemoteDealer(Silly())
        while True:
            try:
                answer = dealer.reply(await peer.hear())
            except AssertionError:  # the end
                break
            if answer:
                await peer.say(*form(answer), pause=pause)
        peer.close()

    async def players(port: str) -> None:
        await asyncio.gather(*(player(port, *form) for form in FORMS.values()))

    number = len(FORMS)
    # A seed with which numbers are among the answers, and a moment that no answer is cut by.
    with XServer("--max", str(number), "--seed", "3", "--moment", "0.3", "--timeout", "30", *QUICK) as server:
        patiently(players(server.port))
        lines = server.results()
    assert without_names(lines) == lines_of_xmain(str(number), "--seed", "3")


BOARDS = '[[["food",0],["body",0],["population",1],["traits",[]]]]'
START = f'[0,0,{BOARDS},[[0,"horns"],[1,"horns"],[-1,"ambush"],[3,"climbing"],[2,"climbing"]]]'
HUNGRY = '[["food",0],["body",0],["population",2],["traits",[]]]'
STATE = f"[0,[{HUNGRY},{HUNGRY}],[],3,[]]"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(PATIENCE)
        yield listening


def xclient(port: int, *options: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [BIN / "xclient", "--port", str(port), *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(("separator", "end"), [("space", " "), ("auto", ""), ("newline", "\n")])
def test_a_client_takes_messages_in_every_form_and_ends_its_answers_as_told(
    listener: socket.socket, separator: str, end: str
) -> None:
    options = [] if separator == "auto" else ["--separator", separator]
    client = xclient(listener.getsockname()[1], "--name", "anna", *options)
    server, _ = listener.accept()
    server.settimeout(PATIENCE)
    server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    hand = read_start(json.loads(START))
    expected = write_action4(choose(hand.boards, hand.hand)) + end
    assert "population" not in expected
    with server:
        assert server.recv(1 << 16).decode() == f'"anna"{end}'
        server.sendall(f'"ok"{START}[[],[]]'.encode())  # all in one segment
        assert server.recv(1 << 16).decode() == expected
        for byte in f"{START}\n[[] ,\n []]".encode():  # each byte in a segment of its own
            server.sendall(bytes([byte]))
        assert server.recv(1 << 16).decode() == expected
        server.sendall(f" {STATE}".encode())
        assert server.recv(1 << 16).decode() == f"0{end}"
    out, err, status = ends(client)
    assert (out, status) == ("", 76)
    assert err.startswith("xclient: thrown out or cut off: it has closed the connection in turn 2, with ")


# --- players, options and ends ---------------------------------------------------------------------

PLAYERS = """
import os, sys, time
from evolution.silly import Silly

class Mine(Silly):
    def start(self, view):
        super().start(view)
        print("a turn begins")

class Loops(Silly):
    def choose(self, before, after):
        with open(os.environ["PID_FILE"], "w") as file:
            file.write(str(os.getpid()))
        while True:
            pass

class Raises(Silly):
    def choose(self, before, after):
        raise RuntimeError("no idea")
"""


@pytest.fixture
def players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "players.py"
    file.write_text(PLAYERS)
    monkeypatch.setenv("PID_FILE", str(tmp_path / "pid"))
    return file


def test_ones_own_player_plays_over_the_network(players: Path) -> None:
    with XServer("--max", "3", "--bots", "2") as server:
        client = server.client("--player", f"{players}:Mine")
        lines = server.results()
        out, err, status = ends(client)
    assert without_names(lines) == lines_of_xmain("3")
    assert names_in(lines)[2] == "Mine"
    assert (out, status) == ("", 0)
    assert {*err.splitlines()} == {"a turn begins"}


def test_a_player_that_fails_ends_its_client_and_not_the_game(players: Path) -> None:
    with XServer("--max", "4", "--bots", "2") as server:
        raising = server.client("--player", f"{players}:Raises")
        looping = server.client("--player", f"{players}:Loops", "--timeout", "0.5")
        lines = server.results()
        where = 'players.py, line 19: raise RuntimeError("no idea")'
        assert ends(raising) == ("", f"xclient: the player: RuntimeError: no idea ({where})\n", 1)
        assert ends(looping) == ("", "xclient: the player: no answer within 0.5 s\n", 1)
    assert sorted(names_in(lines)[2:]) == ["Loops", "Raises"]
    assert all("thrown out: choose: it has closed the connection" in line for line in lines[2:])


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.every(2, "number")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_server_and_a_client_that_are_interrupted_end_quietly(
    players: Path, number: signal.Signals
) -> None:
    pid_file = players.parent / "pid"
    with XServer("--max", "3", "--bots", "2", "--timeout", str(PATIENCE)) as server:
        client = server.client("--player", f"{players}:Loops", "--timeout", str(PATIENCE))
        end = time.monotonic() + PATIENCE
        while not (pid_file.exists() and pid_file.read_text()):
            assert time.monotonic() < end
            time.sleep(0.01)
        client.send_signal(number)
        assert ends(client) == ("", "", 130)
        assert not is_alive(int(pid_file.read_text()))
        assert len(server.results()) == 3
    with XServer("--max", "3", "--bots", "2", "--timeout", str(PATIENCE)) as server:
        waiting = socket.create_connection(("127.0.0.1", int(server.port)), timeout=PATIENCE)
        with waiting:
            waiting.sendall(b'"silent"')
            assert waiting.recv(1 << 16) == b'"ok"'
            assert waiting.recv(1 << 16)  # the game has begun
            server.process.send_signal(number)
            assert ends(server.process) == ("", "", 130)


@pytest.mark.every(3, "said")
@pytest.mark.parametrize(
    "said",
    [
        b'"ok"[0,0,[],[[0,"horns"]]][[],[]]',
        b'"ok"[0,0,[],[]][[],[]]',
        b'"ok"[[],[]]',
        b'"ok"{}',
        b'"ok"' + b"[" * 100_000,
        b'"ok"[' + b"9" * 10_000 + b",0,[],[]]",
        b'"ok"[0,0,[],[]][0,[],[],0,[[]]]]',
        b'"ok"\xff',
        b'"ok"[0,0,[[["food",1e400]]],[]]',
        b"17 ",
    ],
    ids=range(10),
)
@pytest.mark.parametrize("player", ["silly", pytest.param("docs/modest.py:Modest", marks=pytest.mark.long)])
def test_whatever_a_server_sends_ends_the_client_with_one_line(
    listener: socket.socket, said: bytes, player: str
) -> None:
    described = player if player == "silly" else f"{BIN.parent / player}"
    client = xclient(listener.getsockname()[1], "--player", described, "--timeout", str(PATIENCE))
    with listener.accept()[0] as server:
        server.settimeout(PATIENCE)
        server.recv(100)
        server.sendall(said)
        out, err, status = ends(client)
    assert (out, status) == ("", 1)
    assert err.startswith("xclient: ")
    assert err.count("\n") == 1


def test_a_port_that_is_taken_and_a_server_that_is_not_there_are_told_in_one_line(
    listener: socket.socket,
) -> None:
    port = str(listener.getsockname()[1])
    taken = run("xserver", "--port", port)
    said = f"xserver: cannot listen on 127.0.0.1:{port}: Address already in use\n"
    assert taken == (b"", said.encode(), 69)
    listener.close()
    missing = run("xclient", "--port", port, "--wait", "0")
    assert missing == (b"", f"xclient: no server at 127.0.0.1:{port}: Connection refused\n".encode(), 69)


@pytest.mark.every(5, "host")
@pytest.mark.parametrize("host", ["a" * 300, "x..y", os.fsdecode(b"\xff"), "ä" * 70, "[::1", "256.0.0.1"])
@pytest.mark.parametrize(
    ("program", "problem"), [("xserver", "cannot listen on"), ("xclient", "no server at")]
)
def test_a_host_that_cannot_be_is_told_in_one_line(program: str, problem: str, host: str) -> None:
    outcome = run(program, "--port", "45678", "--host", host)
    assert (outcome.out, outcome.status) == (b"", 69)
    [line] = outcome.err.decode().splitlines()
    assert line.startswith(f"{program}: {problem} ")


@pytest.mark.every(3, "arguments")
@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("xserver", "--min 2"),
        ("xserver", "--max 9"),
        ("xserver", "--min 5 --max 4"),
        ("xserver", "--bots 8"),
        ("xserver", "--host="),
        ("xclient", "--host="),
        ("xserver", "--max 3 --bots 3"),
        ("xserver", "--port 65536"),
        ("xserver", "--separator tab"),
        ("xserver", "--wait nan"),
        ("xserver", "--give-up nan"),
        ("xserver", "--give-up soon"),
        ("xserver", "--results yes"),
        ("xserver", "--games 0"),
        ("xserver", "3"),
        ("xclient", "--player nonsense"),
        ("xclient", "--player none.py:None"),
        ("xclient", "--separator tab"),
        ("xclient", "--timeout nan"),
    ],
)
def test_a_wrong_command_line_is_answered_with_the_usage(program: str, arguments: str) -> None:
    outcome = run(program, *arguments.split())
    assert (outcome.out, outcome.status) == (b"", 2)
    assert outcome.err.decode().startswith(f"Usage: {program} [OPTIONS]\n")


@pytest.mark.parametrize("program", ["xserver", "xclient"])
def test_help_and_version(program: str) -> None:
    told = run(program, "--help")
    assert told.status == 0
    for part in ("Examples:", "Exit status: 0", "--port", "--separator", "--moment"):
        assert part in told.out.decode()
    assert run(program, "--version") == (f"{program}, version {__version__}\n".encode(), b"", 0)


def test_results_that_nobody_reads_end_the_server_with_a_status() -> None:
    with XServer("--max", "3", "--bots", "2", *QUICK) as server:
        assert server.process.stdout is not None
        server.process.stdout.close()
        patiently(honest(server.port, "a", lambda: None))
        assert server.process.wait(PATIENCE) == 74
        assert server.process.stderr is not None
        assert server.process.stderr.read() == ""
        server.process.stdout = None


# --- several games, guests, and what the operator sees ---------------------------------------------


@pytest.mark.long
def test_who_signs_up_during_a_game_waits_for_the_next_one_which_has_another_deck(tmp_path: Path) -> None:
    (tmp_path / "guests").write_text("# who may come\nAnna\nBen\t2\n")
    files = {name: tmp_path / name for name in ("news", "wire", "log")}
    options = ["--max", "3", "--games", "2", "--guests", str(tmp_path / "guests"), "--verbose"]
    more = ["--json", str(files["news"]), "--trace", str(files["wire"]), "--log", str(files["log"])]
    with XServer(*options, *more, *QUICK) as server:
        bens = [server.client("--name", "Ben", "--games", "2") for _ in range(2)]
        news = files["news"]
        while news.read_text().count("signed up") < 2:
            time.sleep(0.01)
        for name, why in (
            ("Eve", "not on the list of guests"),
            ("Ben", "there is no other seat for this name"),
        ):
            refused = ends(server.client("--name", name))
            assert refused == ("", f"xclient: not signed up: the server says: {why}\n", 1)
        anna = server.client("--name", "Anna", "--games", "2")
        out, err, status = ends(server.process)
        assert [ends(client)[2] for client in (*bens, anna)] == [0, 0, 0]
    assert (len(out.splitlines()), status) == (6, 0)
    assert '"Eve" was refused: not on the list of guests\n' in err
    assert 'game 2: "Anna" is asked: choose\n' in err
    records = [json.loads(line) for line in news.read_text().splitlines()]
    assert [each["names"].count("Ben") for each in records if each["news"] == "game"] == [2, 2]
    assert {each["news"] for each in records} >= {"signed up", "refused", "asked", "answered", "over"}
    wire = [json.loads(line) for line in files["wire"].read_text().splitlines()]
    assert any(each.get("to") == "Anna" and each["text"] == '"ok"' for each in wire)
    decks = [
        json.loads(files["log"].with_name(name).read_text().splitlines()[0]) for name in ("log", "log.2")
    ]
    assert decks[0]["deck"] != decks[1]["deck"]
    assert decks[1]["seed"] == "2"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Anna\nAnna\n", ":2: this name is listed twice"),
        ("Anna\tmany\n", ":1: expected 1 to 8 seats after the tab"),
        ("\n# nobody\n", ": there is no name in it"),
    ],
)
def test_a_list_of_guests_that_cannot_be_used_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    file = tmp_path / "guests"
    file.write_text(text)
    outcome = run("xserver", "--port", "0", "--guests", str(file))
    assert outcome == (b"", f"xserver: {file}{problem}\n".encode(), 65)


def test_news_are_not_written_over_something_else(tmp_path: Path) -> None:
    file = tmp_path / "mine"
    file.write_text("mine")
    outcome = run("xserver", "--port", "0", "--json", str(file))
    assert (outcome.status, file.read_text()) == (2, "mine")
