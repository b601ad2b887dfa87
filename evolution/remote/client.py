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


class NoGame(Exception):
    """There was no game, or it did not end as games do; str() says why."""


async def connect(
    host: str, port: int, wait: float, separator: str = " ", moment: float = MOMENT
) -> Connection:
    """A connection to the server, which may take so many seconds to be there. Raises OSError."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + wait
    while True:
        try:
            with looking_up():
                _, connection = await loop.create_connection(
                    lambda: Connection(separator, moment=moment, longest=LONGEST_MESSAGE), host, port
                )
        except OSError as problem:
            if loop.time() >= deadline or isinstance(problem, socket.gaierror):
                raise
            await asyncio.sleep(PAUSE)
        else:
            return connection


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
            if dealer.started and not connection.too_long:
                return
            raise NoGame(f"no game: {gone}") from None
        except NotJSON as problem:
            raise NoGame(f"the server: {why_not(problem)}") from None
        try:
            answer = await loop.run_in_executor(threads, dealer.reply, message)
        except BadServer as problem:
            raise NoGame(f"the server: {problem}") from None
        except NoAnswer as problem:
            raise NoGame(f"the player: {one_line(str(problem))}") from None
        if answer is None:
            continue
        if connection.lost:
            raise NoGame(f"the server did not wait for an answer: {connection.lost}")
        try:
            await connection.send(answer)
        except Lost as gone:
            raise NoGame(f"the server: {gone}") from None
