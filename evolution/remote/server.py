"""The server: takes sign-ups, seats the players at tables, and has their games played.

Every connection lives in one event loop, every game in a thread of its own. The server prints
nothing: it tells its owner where it listens and how each game has ended.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from evolution.game import Game
from evolution.remote.connection import MOMENT, Connection, Lost, looking_up
from evolution.remote.proxy import RemotePlayer
from evolution.silly import Silly
from evolution.wire.errors import NotJSON

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from evolution.cards import Card
    from evolution.game import Result
    from evolution.observed import Observer

    class Recorder(Protocol):
        """Whoever is there to see one game."""

        observer: Observer | None

        def ended(self, result: Result | None) -> None:
            """The game has ended, with this result; None if it was broken off."""


MOST_STRANGERS = 64  # connections that have not signed up; of more, the oldest is closed
BACKLOG = 128


@dataclass(frozen=True, slots=True)
class Terms:
    """How a server plays. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = 45678
    fewest: int = 3  # players at a table, the server's own included
    most: int = 8
    wait: float = 10.0  # for another sign-up, once there are enough
    timeout: float = 5.0  # for a sign-up, and for each answer
    bots: int = 0  # Silly players of the server's own at each table
    games: int = 1  # one after the other
    tables: int = 1  # at once, each with as many games
    gap: float = 0.02  # between messages to one client
    moment: float = MOMENT
    separator: str = ""


@dataclass(frozen=True, slots=True)
class Guest:
    """A client that has signed up."""

    name: str
    connection: Connection


class Server:
    """All tables of one server."""

    def __init__(
        self,
        terms: Terms,
        deck: "Callable[[], list[Card]]",
        listening: "Callable[[list[tuple[str, int]]], None]",
        recorder: "Callable[[list[str]], Recorder]",
    ) -> None:
        """`deck` makes the deck of a game, `recorder` its recorder from the players' names by id."""
        self._terms = terms
        self._deck = deck
        self._listening = listening
        self._recorder = recorder
        self._left = terms.games * terms.tables  # games that have not begun
        self._free = asyncio.Semaphore(terms.tables)
        self._playing = 0  # games that have begun and not ended
        self._signed_up: list[Guest] = []  # who has not been given a seat yet
        self._guests: list[Guest] = []  # at the table that takes sign-ups
        self._news = asyncio.Event()  # somebody has signed up
        self._strangers: dict[Connection, asyncio.Task[None]] = {}
        self._seated: set[Connection] = set()
        self._games: set[asyncio.Task[None]] = set()
        self._stopped = False

    async def run(self) -> None:
        """Play all games. Raises OSError if the server cannot listen."""
        terms = self._terms
        with looking_up():
            listener = await asyncio.get_running_loop().create_server(
                self._connection, terms.host, terms.port, backlog=BACKLOG
            )
        threads = ThreadPoolExecutor(terms.tables)
        try:
            self._listening([address.getsockname()[:2] for address in listener.sockets])
            await self._play_all(threads)
        finally:
            listener.close()
            threads.shutdown(wait=False)  # a thread that still plays needs this loop to come to its end
            await self._stop()

    async def _play_all(self, threads: ThreadPoolExecutor) -> None:
        while self._left:
            await self._free.acquire()
            guests = await self._gather()
            self._left -= 1
            self._playing += 1
            if not self._open:
                self._turn_away()
            game = asyncio.create_task(self._play(guests, threads))
            self._games.add(game)
            game.add_done_callback(self._games.discard)
        await asyncio.gather(*self._games)

    async def _stop(self) -> None:
        """Let everybody go; games that still run end for lack of players."""
        self._stopped = True
        self._turn_away()
        for connection in [guest.connection for guest in self._guests] + list(self._seated):
            connection.abort()
        await asyncio.gather(*self._games, return_exceptions=True)

    # --- sign-up -----------------------------------------------------------------------------------

    @property
    def _open(self) -> bool:
        """Whether there is a table for those who sign up."""
        return self._left > 0 and self._playing < self._terms.tables

    def _connection(self) -> Connection:
        terms = self._terms
        return Connection(terms.separator, terms.gap, terms.moment, made=self._meet)

    def _meet(self, stranger: Connection) -> None:
        """Somebody has connected: let it sign up, if a table is open."""
        if not self._open:
            stranger.close()
            return
        if len(self._strangers) >= MOST_STRANGERS:
            self._dismiss(next(iter(self._strangers)))
        self._strangers[stranger] = asyncio.create_task(self._sign_up(stranger))

    def _dismiss(self, stranger: Connection) -> None:
        """Send somebody away who has not signed up, at once: more may come before its task has ended."""
        self._strangers.pop(stranger).cancel()
        stranger.close()

    async def _sign_up(self, stranger: Connection) -> None:
        """A JSON string in time is a sign-up; anything else is not."""
        name: object = None
        try:
            async with asyncio.timeout(self._terms.timeout):
                name = await stranger.receive()
        except (TimeoutError, NotJSON, Lost):
            pass
        finally:
            self._strangers.pop(stranger, None)
            if not isinstance(name, str):
                stranger.close()
        if isinstance(name, str):
            # They may come faster than they are seated, but no more than there can be seats for, and some.
            if len(self._signed_up) >= MOST_STRANGERS + self._terms.most * self._terms.tables:
                stranger.close()
                return
            self._signed_up.append(Guest(name, stranger))
            self._news.set()

    async def _gather(self) -> list[Guest]:
        """Those who play at the next table: it is full, or nobody new has come for a while."""
        seats = self._terms.most - self._terms.bots
        enough = self._terms.fewest - self._terms.bots  # none, if there are bots enough for a game
        while self._seat(seats) < seats:
            self._news.clear()
            try:
                async with asyncio.timeout(self._terms.wait if len(self._guests) >= enough else None):
                    await self._news.wait()
            except TimeoutError:
                if self._seat(seats) >= enough:
                    break
        guests, self._guests = self._guests, []
        return guests

    def _seat(self, seats: int) -> int:
        """Give a free seat to each who has signed up, as far as there are any; how many are taken."""
        for guest in self._guests[:]:
            if guest.connection.lost:
                guest.connection.abort()
                self._guests.remove(guest)
        while self._signed_up and len(self._guests) < seats:
            guest = self._signed_up.pop(0)
            try:
                guest.connection.write('"ok"')
                self._guests.append(guest)
            except Lost:
                guest.connection.abort()
        return len(self._guests)

    def _turn_away(self) -> None:
        """There is no table for those who have no seat yet."""
        for stranger in list(self._strangers):
            self._dismiss(stranger)
        for guest in self._signed_up:
            guest.connection.close()
        self._signed_up.clear()

    # --- games -------------------------------------------------------------------------------------

    async def _play(self, guests: list[Guest], threads: ThreadPoolExecutor) -> None:
        """One game, from the first turn to the goodbye."""
        connections = {guest.connection for guest in guests}
        self._seated |= connections
        bots = range(1, self._terms.bots + 1)
        players = [RemotePlayer(guest.connection, self._terms.timeout) for guest in guests]
        recorder = self._recorder([guest.name for guest in guests] + [f"bot {number}" for number in bots])
        result = None
        try:
            game = Game([*players, *(Silly() for _ in bots)], self._deck(), recorder.observer)
            result = await asyncio.get_running_loop().run_in_executor(threads, game.play)
        finally:
            self._seated -= connections
            self._playing -= 1  # before they know that it is over: some come back at once
            self._free.release()
            for connection in connections:
                connection.close()
            recorder.ended(None if self._stopped else result)
