"""The server: takes sign-ups, seats the players at tables, and has their games played.

Every connection lives in one event loop, every game in a thread of its own. The server prints
nothing: it tells its owner where it listens, who comes and goes, who is asked, and how each game has ended.
"""

import asyncio
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from evolution.game import Game
from evolution.hosting.unread import Unread
from evolution.remote.connection import MOMENT, Connection, Lost, looking_up, why_not
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
    from evolution.remote.connection import Trace

    class Recorder(Protocol):
        """Whoever is there to see one game."""

        observer: Observer | None

        def ended(self, result: Result | None) -> None:
            """The game has ended, with this result; None if it was broken off."""


MOST_STRANGERS = 64  # connections that have not signed up; of more, the oldest is closed
BACKLOG = 128
LATE = 1.0  # seconds to sign up for one that comes when no table is open: it is only told so
TOO_LATE = "the game has begun"
NO_GUEST = "not on the list of guests"
HAS_A_SEAT = "there is no other seat for this name"

# The kinds of news.
SIGNED_UP, WAITS, LEFT, REFUSED = "signed up", "waits", "left", "refused"
GAME, ASKED, ANSWERED, OVER = "game", "asked", "answered", "over"


@dataclass(frozen=True, slots=True)
class News:
    """Something that happens at a server, apart from what happens at its tables.

    A client has signed up, waits for the next game, has left before its game, or was refused, with its name
    as far as it is known; a game begins, with its number and the names of its players by id, or is over; a
    player of a game is asked
    to choose or to feed_next, and that question is over: it has answered, or was thrown out. A name is of
    any length and may have anything in it.
    """

    kind: str
    name: str = ""
    reason: str = ""  # why somebody was refused
    game: int = 0  # counted from 1
    player: int = 0
    request: str = ""
    names: tuple[str, ...] = ()


class TooFew(Exception):
    """Not enough players have signed up in time; str() says how many."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a server plays. Times are in seconds."""

    host: str = "127.0.0.1"
    port: int = 45678
    fewest: int = 3  # players at a table, the server's own included
    most: int = 8
    wait: float = 10.0  # for more sign-ups, once there are enough
    timeout: float = 5.0  # for a sign-up, and for each answer
    bots: int = 0  # Silly players of the server's own at each table
    games: int = 1  # one after the other
    tables: int = 1  # at once, each with as many games
    gap: float | None = None  # between messages to one client; None: until it has read the one before
    moment: float = MOMENT
    separator: str | None = None  # None: a line end for those who sign up with one
    give_up: float | None = None  # after so long without enough players
    results: bool = False  # whether the clients are told how the game has ended
    guests: "dict[str, int] | None" = None  # who may sign up, each for so many seats of a game; None: anybody


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
        deck: "Callable[[int], list[Card]]",
        listening: "Callable[[list[tuple[str, int]]], None]",
        recorder: "Callable[[list[str]], Recorder]",
        tell: "Callable[[News], object]" = lambda news: None,
        trace: "Trace | None" = None,
    ) -> None:
        """`deck` makes the deck of a game by its number, `recorder` its recorder from the names by id.

        `tell` hears of all news, in the thread of the event loop or of a game, which it must not hold up;
        `trace` of all bytes to and from clients, with the client's name once it has signed up.
        """
        self._terms = terms
        self._deck = deck
        self._listening = listening
        self._recorder = recorder
        self._tell = tell
        self._trace = trace
        self._unread: Unread | None = None  # tells what clients have read, while the server runs
        self._begun = 0  # games
        self._left = terms.games * terms.tables  # games that have not begun
        self._free = asyncio.Semaphore(terms.tables)
        self._playing = 0  # games that have begun and not ended
        self._signed_up: list[Guest] = []  # who has not been given a seat yet
        self._guests: list[Guest] = []  # at the table that takes sign-ups
        self._news = asyncio.Event()  # somebody has signed up
        self._strangers: dict[Connection, asyncio.Task[None]] = {}
        self._seated: set[Connection] = set()
        self._games: set[asyncio.Task[None]] = set()
        self._goodbyes: set[asyncio.Task[None]] = set()
        self._stopped = False

    async def run(self) -> None:
        """Play all games. Raises OSError if the server cannot listen, TooFew if it has given up."""
        terms = self._terms
        self._unread = Unread() if terms.gap is None else None
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
            if self._unread is not None:
                self._unread.close()

    async def _play_all(self, threads: ThreadPoolExecutor) -> None:
        while self._left:
            await self._free.acquire()
            try:
                guests = await self._gather()
            except TooFew:
                self._left = 0
                self._close_table()
                await asyncio.gather(*self._games)
                raise
            self._left -= 1
            self._playing += 1
            if not self._left:
                self._close_table()
            game = asyncio.create_task(self._play(guests, threads))
            self._games.add(game)
            game.add_done_callback(self._games.discard)
        await asyncio.gather(*self._games)

    async def _stop(self) -> None:
        """Let everybody go; games that still run end for lack of players."""
        self._stopped = True
        self._close_table()
        for connection in self._seated:
            connection.abort()
        await asyncio.gather(*self._games, *self._strangers.values(), return_exceptions=True)
        await asyncio.gather(*self._goodbyes)

    # --- sign-up -----------------------------------------------------------------------------------

    @property
    def _open(self) -> bool:
        """Whether there is a table for those who sign up, now or after a game that is being played."""
        return self._left > 0

    def _connection(self) -> Connection:
        terms = self._terms
        gap = terms.gap if self._unread is None else self._unread
        connection = Connection(terms.separator or "", gap or 0.0, terms.moment, made=self._meet)
        connection.trace = self._trace
        return connection

    def _meet(self, stranger: Connection) -> None:
        """Somebody has connected: let it sign up, if only to be told that it is too late."""
        if len(self._strangers) >= MOST_STRANGERS:
            self._dismiss(next(iter(self._strangers)))
        self._strangers[stranger] = asyncio.create_task(self._sign_up(stranger))

    def _dismiss(self, stranger: Connection) -> None:
        """Send somebody away who has not signed up, at once: more may come before its task has ended."""
        self._strangers.pop(stranger).cancel()
        stranger.close()
        self._tell(News(REFUSED, reason="too many clients connect without signing up"))

    async def _sign_up(self, stranger: Connection) -> None:
        """A JSON string in time is a sign-up; anything else is not."""
        name: object = None
        wrong = "it sent something other than a name"
        try:
            async with asyncio.timeout(self._terms.timeout if self._open else LATE):
                name = await stranger.receive()
        except TimeoutError:
            wrong = "it did not sign up in time"
        except (NotJSON, Lost) as problem:
            wrong = why_not(problem)
        finally:
            self._strangers.pop(stranger, None)
            if not isinstance(name, str):
                self._let_go(stranger)
        if not isinstance(name, str):
            self._tell(News(REFUSED, reason=wrong))
        else:
            # They may come faster than they are seated, but no more than there can be seats for, and some.
            if len(self._signed_up) >= MOST_STRANGERS + self._terms.most * self._terms.tables:
                stranger.close()
                self._tell(News(REFUSED, name, "too many sign up at once"))
                return
            stranger.known_as = name
            if self._terms.separator is None and stranger.ends_lines:
                stranger.separator = "\n"  # it may read lines as well
            refusal = self._refusal(name)
            if refusal:
                self._refuse(Guest(name, stranger), refusal)
                self._let_go(stranger)
                return
            self._signed_up.append(Guest(name, stranger))
            self._news.set()
            if self._playing == self._terms.tables:
                self._tell(News(WAITS, name))
            if not self._open:
                self._turn_away()

    def _refusal(self, name: str) -> str:
        """Why a name may not sign up, if so: it is no guest's, or has its seat."""
        if self._terms.guests is None:
            return ""
        if name not in self._terms.guests:
            return NO_GUEST
        taken = [guest.name for guest in self._guests + self._signed_up if not guest.connection.lost]
        return HAS_A_SEAT if taken.count(name) >= self._terms.guests[name] else ""

    def _refuse(self, guest: Guest, reason: str) -> None:
        try:
            guest.connection.write(f'"{reason}"')
        except Lost:
            pass
        self._tell(News(REFUSED, guest.name, reason))

    async def _gather(self) -> list[Guest]:
        """Those who play at the next table. Raises TooFew.

        Once enough have signed up, the time to the start is counted down, whoever comes and goes meanwhile.
        If too few are left at its end, it is counted down again when enough have signed up.
        """
        terms, clock = self._terms, asyncio.get_running_loop().time
        seats = terms.most - terms.bots
        enough = terms.fewest - terms.bots  # none, if there are bots enough for a game
        end = math.inf if terms.give_up is None else clock() + terms.give_up
        start = math.inf
        while (taken := self._seat(seats)) < seats:
            if clock() >= start:
                if taken >= enough:
                    break
                start = math.inf
            if taken >= enough:
                start = min(start, clock() + terms.wait)
            elif clock() >= end:
                raise TooFew(
                    f"gave up after {terms.give_up:g} seconds: {taken + terms.bots} of {terms.fewest} "
                    "players have signed up"
                )
            self._news.clear()
            wake = min(start, end if clock() < end else math.inf)
            try:
                async with asyncio.timeout_at(wake if wake < math.inf else None):
                    await self._news.wait()
            except TimeoutError:
                pass  # it is time for one or the other
        guests, self._guests = self._guests, []
        return guests

    def _seat(self, seats: int) -> int:
        """Give a free seat to each who has signed up, as far as there are any; how many are taken."""
        for waiting in (self._guests, self._signed_up):
            for guest in waiting[:]:
                if guest.connection.lost:
                    guest.connection.abort()
                    waiting.remove(guest)
                    self._tell(News(LEFT, guest.name))
        while self._signed_up and len(self._guests) < seats:
            guest = self._signed_up.pop(0)
            try:
                guest.connection.write('"ok"')
                self._guests.append(guest)
                self._tell(News(SIGNED_UP, guest.name))
            except Lost:
                guest.connection.abort()
        return len(self._guests)

    def _close_table(self) -> None:
        """Nobody can sign up any more."""
        for task in self._strangers.values():
            task.cancel()
        self._turn_away()

    def _turn_away(self) -> None:
        """There is no table for those who wait: who has signed up without an answer is told why."""
        for guest in self._signed_up:
            self._refuse(guest, TOO_LATE)
        for guest in self._guests:
            self._tell(News(LEFT, guest.name))
        for guest in self._guests + self._signed_up:
            self._let_go(guest.connection)
        self._guests, self._signed_up = [], []

    def _let_go(self, connection: Connection) -> None:
        task = asyncio.create_task(connection.goodbye())
        self._goodbyes.add(task)
        task.add_done_callback(self._goodbyes.discard)

    # --- games -------------------------------------------------------------------------------------

    async def _play(self, guests: list[Guest], threads: ThreadPoolExecutor) -> None:
        """One game, from the first turn to the goodbye."""
        connections = {guest.connection for guest in guests}
        self._seated |= connections
        bots = range(1, self._terms.bots + 1)
        names = [guest.name for guest in guests] + [f"bot {number}" for number in bots]
        told = names if self._terms.results else None
        self._begun += 1
        number = self._begun
        self._tell(News(GAME, game=number, names=tuple(names)))
        players = [
            RemotePlayer(guest.connection, self._terms.timeout, told, self._questions(number, player))
            for player, guest in enumerate(guests, 1)
        ]
        recorder = self._recorder(names)
        result = None
        try:
            game = Game([*players, *(Silly() for _ in bots)], self._deck(number), recorder.observer)
            result = await asyncio.get_running_loop().run_in_executor(threads, game.play)
        finally:
            self._seated -= connections
            self._playing -= 1  # before they know that it is over: some come back at once
            self._free.release()
            for connection in connections:
                self._let_go(connection)
            recorder.ended(None if self._stopped else result)
            self._tell(News(OVER, game=number))

    def _questions(self, game: int, player: int) -> "Callable[[str], object]":
        """Tells of the questions to a player of a game."""
        return lambda request: self._tell(
            News(ASKED if request else ANSWERED, game=game, player=player, request=request)
        )
