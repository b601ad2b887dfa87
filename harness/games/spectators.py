"""Spectators of a server's games: a page that is served to browsers, and what is sent to it as games go on.

All of it is done by a process of its own, which is told what happens through a pipe. Whatever spectators do
is that process's business alone; if it does not keep up, or ends, the games go on without it.
"""

import asyncio
import json
import os
import resource
import signal
import socket
import threading
import time
from bisect import bisect_right
from ipaddress import ip_address
from itertools import pairwise

from evolution.remote.connection import looking_up
from harness.games.steps import LONGEST_NAME, GameSteps
from harness.programs.answering import complain
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.observed import Observer
    from evolution.remote.server import News
    from evolution.table import Player

MOST_UNSENT = 8 << 20  # bytes that wait for the process of the spectators
MOST_SPECTATORS = 256  # connections at once
LONGEST_HEAD = 8 << 10  # bytes of a request
LONGEST_LINE = 4 << 20  # bytes of a message through the pipe
PIECE = 64 << 10  # bytes that are sent to a spectator at once
PATIENCE = 5.0  # seconds for a request to come, and for a spectator to read a piece
PULSE = 10.0  # seconds after which a silent connection is written to
PAUSE = 0.05  # seconds in which messages are gathered
GOODBYE = 1.0  # seconds for spectators to read the end
MOST_NEWS = 200  # messages that belong to no game and are kept for those who come later
MOST_KEPT = 64 << 20  # bytes that are kept for them
LOWER_PRIORITY = 10
LONGEST_TEXT = {"name": LONGEST_NAME, "reason": 200, "request": LONGEST_NAME}  # characters

BEGINS, GOES_ON, ENDS = "+", "=", "-"  # what a message is to its game

HEADERS = (
    "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: frame-ancestors 'none'\r\n"
    "Connection: close\r\n"
)
REFUSALS = {
    400: "Bad Request",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    421: "Misdirected Request",
    431: "Request Header Fields Too Large",
    503: "Service Unavailable",
}


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises OSError."""
    with looking_up():
        family, _, _, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    return socket.create_server(address[:2], family=family)


class Spectators:
    """The process of the spectators, as the server sees it. What it is told is sent without waiting."""

    def __init__(self, listener: socket.socket, page: bytes, view: str) -> None:
        """Start it. It has the page, which shows what somebody with this view may see."""
        self._view = view
        self._lock = threading.Lock()
        self._unsent = bytearray()
        self._ended = False
        reading, self._pipe = os.pipe()
        self._pid = os.fork()
        if not self._pid:
            _live(listener, reading, page)  # which does not return
        listener.close()
        os.close(reading)
        os.set_blocking(self._pipe, False)

    def tell(self, news: "News") -> None:
        """Tell of something that happens beside the games."""
        value: dict[str, object] = {"news": news.kind, "time": round(time.time(), 2)}
        for key in ("name", "reason", "game", "player", "request"):
            part = getattr(news, key)
            if part:
                value[key] = cut(part, LONGEST_TEXT[key]) if isinstance(part, str) else part
        if news.names:
            value["names"] = [cut(name, LONGEST_NAME) for name in news.names]
        is_of_game = news.kind != "game" and news.game
        self._send(news.game if is_of_game else 0, ENDS if news.kind == "over" else GOES_ON, value)

    def of_game(self, number: int, names: list[str]) -> "Observer":
        """An observer of a game: whatever goes wrong with it is nothing to the game."""

        def take(step: "dict[str, Any]") -> None:
            mark = BEGINS if step["kind"] == "game" else GOES_ON
            self._send(number, mark, {"game": number, "step": step})

        steps = GameSteps(names, self._view, take)

        def observe(
            kind: str, player: "Player | None", board: "int | None", more: "dict[str, object]"
        ) -> None:
            if not self._ended:
                try:
                    steps(kind, player, board, more)
                except Exception as problem:  # the game goes on
                    self._give_up(f"{type(problem).__name__}: {problem}")

        return observe

    def _send(self, game: int, mark: str, value: "dict[str, object]") -> None:
        with self._lock:
            if self._ended:
                return
            self._unsent += f"{game} {mark} {json.dumps(value, separators=(',', ':'))}\n".encode()
            try:
                while self._unsent:
                    del self._unsent[: os.write(self._pipe, self._unsent[:PIECE])]
            except BlockingIOError:
                if len(self._unsent) <= MOST_UNSENT:
                    return
            except OSError:
                pass
            else:
                return
        self._give_up("their process does not keep up, or has ended")

    def _give_up(self, why: str) -> None:
        if not self._ended:
            self._ended = True
            complain("xserver", f"no more for spectators: {why}")

    def close(self) -> None:
        """Let the spectators read the end for a moment; then nothing of them is left."""
        self._send(0, GOES_ON, {"news": "closed"})
        self._ended = True
        os.close(self._pipe)
        deadline = time.monotonic() + 2 * GOODBYE
        while not os.waitpid(self._pid, os.WNOHANG)[0]:
            if time.monotonic() > deadline:
                os.kill(self._pid, signal.SIGKILL)
                os.waitpid(self._pid, 0)
                return
            time.sleep(0.01)


# --- the process of the spectators ----------------------------------------------------------------------


def _live(listener: socket.socket, pipe: int, page: bytes) -> None:
    """All that the process does. It holds nothing of the server's but the socket and the pipe."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the server does
        os.nice(LOWER_PRIORITY)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for standard in range(3):
            os.dup2(nowhere, standard)
        kept = sorted((listener.fileno(), pipe))
        ends = [2, *kept, resource.getrlimit(resource.RLIMIT_NOFILE)[0]]
        for below, above in pairwise(ends):
            os.closerange(below + 1, above)
        asyncio.run(Hall(page, _is_only_for_this_machine(listener)).run(listener, pipe))
    finally:
        os._exit(0)


def _is_only_for_this_machine(listener: socket.socket) -> bool:
    return ip_address(listener.getsockname()[0]).is_loopback


class Messages:
    """What has been told, for those who come later as well: numbered, and never more than is allowed."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._parts: list[tuple[int, bytes]] = []  # the game, or 0, and the message
        self._bytes = 0
        self._last = 0
        self._over: set[int] = set()

    def add(self, game: int, mark: str, data: bytes) -> None:
        """One more."""
        if mark == BEGINS:
            self._forget()
        elif mark == ENDS:
            self._over.add(game)
        self._last += 1
        self._numbers.append(self._last)
        self._parts.append((game, data))
        self._bytes += len(data)
        if self._bytes > MOST_KEPT:
            self._keep(range(len(self._parts) // 2, len(self._parts)))

    def _forget(self) -> None:
        """Forget the games that are over, and news of long ago."""
        news = [at for at, (game, _) in enumerate(self._parts) if not game][-MOST_NEWS:]
        games = [at for at, (game, _) in enumerate(self._parts) if game and game not in self._over]
        self._keep(sorted(news + games))
        self._over.clear()

    def _keep(self, places: "range | list[int]") -> None:
        self._numbers = [self._numbers[at] for at in places]
        self._parts = [self._parts[at] for at in places]
        self._bytes = sum(len(data) for _, data in self._parts)

    def after(self, number: int) -> "tuple[list[tuple[int, bytes]], int]":
        """What follows this number, as much as is sent at once, and the number to go on from."""
        found: list[tuple[int, bytes]] = []
        size = 0
        for at in range(bisect_right(self._numbers, number), len(self._numbers)):
            found.append((self._numbers[at], self._parts[at][1]))
            size += len(found[-1][1])
            if size > PIECE:
                break
        return found, found[-1][0] if found else number


class Hall:
    """Where spectators are: requests are answered, and messages are sent to those who listen."""

    def __init__(self, page: bytes, is_only_for_this_machine: bool) -> None:
        self._page = page
        self._is_only_for_this_machine = is_only_for_this_machine
        self._server = f"{os.getpid()}-{time.time_ns()}"  # tells this server from another one at its port
        self.messages = Messages()
        self._news = asyncio.Event()
        self._closing = False
        self.present: set[asyncio.Task[None]] = set()
        self._listening: set[asyncio.Task[None]] = set()  # those of them who are sent what happens

    async def run(self, listener: socket.socket, pipe: int) -> None:
        """Until the pipe is closed, and then for a moment."""
        reader = asyncio.StreamReader(LONGEST_LINE)
        await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(pipe, "rb", 0)
        )
        server = await asyncio.start_server(self._meet, sock=listener, limit=LONGEST_HEAD)
        try:
            while line := await reader.readline():
                game, mark, data = line.rstrip(b"\n").split(b" ", 2)
                self.messages.add(int(game), mark.decode(), data)
                self._wake()
        finally:
            server.close()
            self._closing = True
            self._wake()
            if self._listening:
                await asyncio.wait(self._listening, timeout=GOODBYE)

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, from its request to its end."""
        task = asyncio.current_task()
        assert task is not None
        writer.transport.set_write_buffer_limits(high=PIECE)
        try:
            if len(self.present) >= MOST_SPECTATORS:
                await _refuse(writer, 503)
                return
            self.present.add(task)
            await self._answer(reader, writer)
            await _written(writer)
            writer.close()
            async with asyncio.timeout(PATIENCE):
                await writer.wait_closed()
        except (OSError, TimeoutError, asyncio.IncompleteReadError):
            pass  # it is gone, or too slow
        finally:
            self.present.discard(task)
            self._listening.discard(task)
            writer.transport.abort()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
        except TimeoutError:
            await _refuse(writer, 408)
            return
        except asyncio.LimitOverrunError:
            await _refuse(writer, 431)
            return
        request, *lines = head.decode("latin-1").split("\r\n")
        fields = {
            name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)
        }
        method, _, rest = request.partition(" ")
        path, _, version = rest.partition(" ")
        path = path.partition("?")[0]
        if not version.startswith("HTTP/1."):
            await _refuse(writer, 400)
        elif self._is_only_for_this_machine and not _names_this_machine(fields.get("host", "")):
            await _refuse(writer, 421)  # another name for this address: a page of somebody else's asks
        elif method not in ("GET", "HEAD"):
            await _refuse(writer, 405)
        elif path == "/":
            await _respond(writer, "text/html; charset=utf-8", b"" if method == "HEAD" else self._page)
        elif path == "/events" and method == "GET":
            await self._stream(reader, writer, fields.get("last-event-id", ""))
        else:
            await _refuse(writer, 404)

    async def _stream(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, last: str) -> None:
        """Send what has been told and what is told, until one of both sides has enough."""
        task = asyncio.current_task()
        assert task is not None
        self._listening.add(task)
        server, _, number = last.rpartition("/")
        at = int(number) if server == self._server and number.isdecimal() and len(number) < 20 else 0
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n{HEADERS}\r\n".encode())
        hello = json.dumps({"now": time.time(), "server": self._server})
        writer.write(f"retry: 2000\ndata: {hello}\n\n".encode())
        gone = asyncio.ensure_future(reader.read(1))
        try:
            while not gone.done():
                news = self._news
                messages, at = self.messages.after(at)
                for number_of_one, data in messages:
                    writer.write(b"id: %s/%d\ndata: %s\n\n" % (self._server.encode(), number_of_one, data))
                await _written(writer)
                if messages:
                    continue
                if self._closing:
                    return
                waiting = asyncio.ensure_future(news.wait())
                await asyncio.wait({gone, waiting}, timeout=PULSE, return_when=asyncio.FIRST_COMPLETED)
                if not waiting.done():
                    waiting.cancel()
                    writer.write(b":\n\n")
                elif not self._closing:
                    await asyncio.sleep(PAUSE)
        finally:
            gone.cancel()


def _names_this_machine(host: str) -> bool:
    name = host.rpartition(":")[0] if not host.endswith("]") and ":" in host else host
    try:
        return name.lower() == "localhost" or ip_address(name.strip("[]")).is_loopback
    except ValueError:
        return False


async def _written(writer: asyncio.StreamWriter) -> None:
    """Wait until most is written. Raises TimeoutError if the other side does not read."""
    async with asyncio.timeout(PATIENCE):
        await writer.drain()


async def _respond(writer: asyncio.StreamWriter, kind: str, body: bytes, status: str = "200 OK") -> None:
    writer.write(
        f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{HEADERS}\r\n".encode()
    )
    for start in range(0, len(body), PIECE):
        writer.write(body[start : start + PIECE])
        await _written(writer)


async def _refuse(writer: asyncio.StreamWriter, status: int) -> None:
    await _respond(writer, "text/plain", f"{REFUSALS[status]}\n".encode(), f"{status} {REFUSALS[status]}")
