"""The client: signs a player up at a server and plays until the server closes the connection."""

import asyncio
import socket
from concurrent.futures import ThreadPoolExecutor

from evolution.game import one_line
from evolution.hosting.asked import NoAnswer
from evolution.remote.connection import MOMENT, Connection, Lost, looking_up, why_not
from evolution.remote.proxy import BadServer, RemoteDealer
from evolution.wire.errors import NotJSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_MESSAGE = 1 << 22  # bytes; a server may have much to tell
PAUSE = 0.1  # seconds between two attempts to connect
NO_OK = 3.0  # seconds after which a server may be waiting for something after a name, and not for others
NO_REACTION = 0.5  # seconds after which it may be waiting for something behind another message
REACTION = 0.25  # seconds in which it goes on if it was


class NoGame(Exception):
    """There was no game, or it did not end as games do; str() says why."""


class CutOff(NoGame):
    """The server ended the connection before the game can have been over."""


async def connect(
    host: str, port: int, wait: float, separator: "str | None" = None, moment: float = MOMENT
) -> "Adapting":
    """A connection to the server, which may take so many seconds to be there. Raises OSError."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + wait
    while True:
        try:
            with looking_up():
                _, connection = await loop.create_connection(
                    lambda: Adapting(separator, moment, LONGEST_MESSAGE), host, port
                )
        except OSError as problem:
            if loop.time() >= deadline or isinstance(problem, socket.gaierror):
                raise
            await asyncio.sleep(PAUSE)
        else:
            return connection


class Adapting(Connection):
    """A connection to a server, of which it is found out what it needs after a message.

    There are servers that wait for something after a number, which could go on, and others that take
    whatever follows for a second answer. So a number goes out alone; if nothing comes for a while, a space
    is sent after it, and if that helps, with all that follow. A sign-up gets a line end, for some read lines,
    but late, for others say "ok" when all have signed up. If that comes later still, it may be both: a line
    end is sent after the next answer, too, unless it is not needed, and from then on.
    """

    def __init__(self, separator: "str | None", moment: float, longest: int) -> None:
        """With a separator there is nothing to find out."""
        super().__init__(separator or "", moment=moment, longest=longest)
        self._learns = separator is None
        self._after_number = ""
        self._missing = ""  # what the server may still wait for
        self._patience = NO_OK
        self._may_read_lines = True

    def write(self, message: str) -> None:
        """Send a message now. Raises Lost if the peer does not read."""
        is_number = message.isdigit()
        if self._learns:
            self._missing = "\n" if self._may_read_lines else " " if is_number else ""
        super().write(message + (self._after_number if is_number else ""))

    async def receive(self) -> object:
        """The next message. Raises NotJSON, or Lost if there are no more."""
        missing, self._missing = self._missing, ""
        if not missing:
            return await super().receive()
        patience, self._patience = self._patience, NO_REACTION
        try:
            async with asyncio.timeout(patience):
                value = await super().receive()
        except TimeoutError:
            return await self._received_after(missing, is_sign_up=patience == NO_OK)
        self._learns = missing != " "  # or it needs nothing after a number
        self._may_read_lines = False
        return value

    async def _received_after(self, missing: str, is_sign_up: bool) -> object:
        """The next message, after the server was sent what it may have been waiting for."""
        if not self.lost:
            self.write_raw(missing)
        when = self._loop.time()
        value = await super().receive()
        helped = self._loop.time() - when < REACTION
        if missing == " ":
            self._learns = not helped
            self._after_number = missing if helped else ""
        elif helped or not is_sign_up:
            self._learns = False
            self.separator = missing
        return value


async def play(connection: Connection, name: str, player: "Any") -> None:
    """Sign up and play one game. Raises NoGame unless the server closes after a game."""
    threads = ThreadPoolExecutor(1)
    try:
        await _sign_up(connection, name)
        await _play(connection, RemoteDealer(player), threads)
    finally:
        connection.abort()
        threads.shutdown(wait=False)


async def _sign_up(connection: Connection, name: str) -> None:
    import json

    try:
        await connection.send(json.dumps(name))
        answer = await connection.receive()
    except (NotJSON, Lost) as problem:
        raise NoGame(f"not signed up: {why_not(problem)}") from None
    if answer != "ok":
        said = f"says: {one_line(answer)}" if isinstance(answer, str) else 'did not answer "ok"'
        raise NoGame(f"not signed up: the server {said}")


async def _play(connection: Connection, dealer: RemoteDealer, threads: ThreadPoolExecutor) -> None:
    """Answer every question. The player thinks in a thread, so that it can be interrupted."""
    loop = asyncio.get_running_loop()
    while True:
        try:
            message = await connection.receive()
        except Lost as gone:
            if not dealer.started or connection.too_long:
                raise NoGame(f"no game: {gone}") from None
            if dealer.unfinished:
                raise CutOff(f"thrown out or cut off: {gone} {dealer.unfinished}") from None
            return
        except NotJSON as problem:
            raise NoGame(f"the server: {why_not(problem)}") from None
        try:
            answer = await loop.run_in_executor(threads, dealer.reply, message)
        except BadServer as problem:
            raise NoGame(f"the server: {problem}") from None
        except NoAnswer as problem:
            raise NoGame(f"the player: {one_line(str(problem))}") from None
        if answer is not None:
            await _give(connection, answer)


async def _give(connection: Connection, answer: str) -> None:
    """Send an answer to a server that should be waiting for it."""
    if connection.lost:
        raise CutOff(f"the server did not wait for an answer: {connection.lost}")
    try:
        await connection.send(answer)
    except Lost as gone:
        raise CutOff(f"the server: {gone}") from None
