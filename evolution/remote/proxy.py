"""The proxies: a player that is a connection, and a dealer that is one (design 5).

The game runs in a thread of its own and asks a RemotePlayer as it asks any other; the connections
all live in one event loop. A player that is rude, silent or gone raises, which costs it its seat.
"""

import asyncio

from evolution.cards import full_deck
from evolution.choices import FeedingChoice, State
from evolution.game import CARDS_PER_TURN
from evolution.hosting.asked import Asked, NoAnswer
from evolution.remote.connection import Connection, Lost, why_not
from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.messages import RESULTS, write_results

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.game import Result


class RemotePlayer(Asked):
    """A player behind a connection, as the game sees it."""

    def __init__(
        self,
        connection: Connection,
        seconds: float,
        names: "list[str] | None" = None,
        asked: "Callable[[str], object] | None" = None,
    ) -> None:
        """With this many seconds for each answer; made in the connection's event loop.

        With the names of all players, by id, it is told the results. `asked` hears, in the game's thread, of
        each question when it is asked, and of an empty one when that is over.
        """
        super().__init__()
        self._names = names
        self._asked = asked or (lambda request: None)
        self._listens = False  # the protocol has no notice of changes
        self._connection = connection
        self._seconds = seconds
        self._loop = asyncio.get_running_loop()

    def ask(self, request: str, argument: str) -> object:
        """Its answer, for which the game's thread waits; a start has none."""
        if request == "start":
            return asyncio.run_coroutine_threadsafe(self._say(argument), self._loop).result()
        self._asked(request)
        try:
            return asyncio.run_coroutine_threadsafe(self._answer(argument), self._loop).result()
        finally:
            self._asked("")

    def feed_next(self, state: State) -> FeedingChoice:
        """What it feeds next: of a number it is known how large it can be."""
        self._connection.largest = len(state.boards) - 1
        try:
            return super().feed_next(state)
        finally:
            self._connection.largest = None

    def game_over(self, result: "Result") -> None:
        """Tell it the results, if it is to know; otherwise it learns of the end by the closed connection."""
        if self._names is not None:
            names = self._names
            message = write_results(result, lambda number: names[number - 1])
            asyncio.run_coroutine_threadsafe(self._say(message), self._loop).result()

    def thrown_out(self, reason: str) -> None:
        """It has lost its seat: nothing more is said."""
        self._loop.call_soon_threadsafe(self._connection.abort)

    async def _say(self, message: str) -> None:
        """Tell it something, unless it has spoken unasked or is gone."""
        await self._connection.gap()
        if not self._connection.silent:
            raise NoAnswer("it spoke without being asked")
        if self._connection.lost:
            raise NoAnswer(self._connection.lost)
        try:
            self._connection.write(message)
        except Lost as gone:
            raise NoAnswer(str(gone)) from None

    async def _answer(self, question: str) -> object:
        """Its answer to the question, and nothing but its answer."""
        await self._say(question)
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._connection.receive()
        except TimeoutError:
            raise NoAnswer(f"no answer within {self._seconds:g} s") from None
        except (NotJSON, Lost) as problem:
            raise NoAnswer(why_not(problem)) from None
        if not self._connection.silent:
            raise NoAnswer("it said more than its answer")
        return answer


# A message tells what it is by its number of parts: a Start, two LOBs, a State. Results say their name.
REQUESTS = {4: "start", 2: "choose", 5: "feed_next"}


FEWEST_CARDS = 3  # in a hand at the start of a turn (rules 5.1): a choice takes that many
NEW_BOARDS = 2  # that a player may buy in a turn; hardly anybody buys more
CARDS_FOR_A_DEATH = 2


class BadServer(Exception):
    """The server sent what the protocol does not allow; str() says what."""


class RemoteDealer:
    """The other side: takes the server's messages to a player, and gives what is to be sent back."""

    def __init__(self, player: "Any") -> None:
        self._player = player
        self.started = False  # whether a turn has begun
        self._over = False  # whether results have been told
        self._cards = 0  # in the hand with which it began
        self._boards = 0  # of its own then
        self._asks = False  # whether anything was asked since
        self._turns = 0
        self._left = len(full_deck())  # cards in the deck, if as many boards have died as can have
        self._most_due = 0  # cards that another turn can take
        self._most_boards = 0  # of all players together, before any of them died

    @property
    def unfinished(self) -> str:
        """Why the game cannot be over yet, in words; empty if it can be."""
        if self._over:
            return ""
        if not self._asks:
            return f"in turn {self._turns}, before anything was asked"
        if self._left >= self._most_due:
            return f"in turn {self._turns}, with {self._left} cards or more in the deck"
        return ""

    def _count(self, request: str, message: "Any") -> None:
        """Keep what tells whether the game can be over: how many cards were dealt, and how many are due."""
        self._asks = request != "start"
        if request == "start":
            self.started = True
            self._turns += 1
            self._cards = len(message[3])
            self._boards = len(message[2])
        elif request == "choose":
            boards = [self._boards, *map(len, message[0]), *map(len, message[1])]
            died = max(0, self._most_boards - sum(boards))
            dealt = sum(CARDS_PER_TURN + max(1, count) for count in boards)
            self._left -= dealt + CARDS_FOR_A_DEATH * died
            self._most_boards = sum(boards) + NEW_BOARDS * len(boards)
            self._most_due = CARDS_PER_TURN * len(boards) + (1 + CARDS_FOR_A_DEATH) * self._most_boards

    def reply(self, message: object) -> "str | None":
        """The player's answer in JSON; None if none is due."""
        from evolution.hosting.host import answer_of, reason

        if not isinstance(message, list) or len(message) not in REQUESTS:
            raise BadServer("expected a Start, a pair of LOBs or a State")
        if self._over:
            raise BadServer("it goes on after the results")
        request = "game_over" if message[0] == RESULTS else REQUESTS[len(message)]
        if request in ("choose", "game_over") and not self.started:
            what = "asks for a choice" if request == "choose" else "tells results"
            raise BadServer(f"it {what} before a turn has begun")
        if request == "choose" and self._cards < FEWEST_CARDS:
            raise BadServer(
                f"it asks for a choice from a hand of {self._cards}, but that takes {FEWEST_CARDS} cards"
            )
        try:
            answer = answer_of(self._player, request, message)
        except BadInput as problem:
            raise BadServer(f"{request}: {problem}") from None
        except NoAnswer:
            raise
        except Exception as problem:  # a player inside this process may fail in any way
            raise NoAnswer(reason(problem)) from problem
        if request == "game_over":
            self._over = True
            return None
        self._count(request, message)
        return answer if request != "start" else None
