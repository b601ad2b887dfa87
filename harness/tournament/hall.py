"""The hall of a tournament: gives games to tables, clients to games, and writes down how they end."""

import os
import selectors
import time

from harness.errors import HarnessError
from harness.tournament.tables import TableProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterable

    from harness.running.sandbox import Sandbox
    from harness.tournament.record import Record
    from harness.tournament.schedule import Meeting
    from harness.tournament.terms import Terms
    from harness.tournament.waiting_room import WaitingRoom

OFTEN = 0.2  # seconds between two looks at who has not come
MOST_LOST = 3  # tables that may be lost with one game
MOST_WAITS = 3  # games that wait in a row for a client that does not come; later ones do not


class Hall:
    """Everything that a tournament holds while it is played."""

    def __init__(
        self,
        terms: "Terms",
        folder: str,
        sandbox: "Sandbox | None",
        room: "WaitingRoom | None",
        ended: "Callable[[Record], None]",
    ) -> None:
        """`ended` is told of every game that has ended."""
        self._terms = terms
        self._folder = folder
        self._sandbox = sandbox
        self._room = room
        self._ended = ended
        self._tables: list[TableProcess] = []
        self._selector = selectors.DefaultSelector()
        self._left: list[Meeting] = []
        self._lost: dict[int, int] = {}  # how many tables were, by the number of the game
        self._since: float | None = None  # when games began to wait for clients
        self._misses: dict[str, int] = {}  # for how many games in a row nobody came
        if room is not None:
            self._selector.register(room, selectors.EVENT_READ)

    def play(self, meetings: "Iterable[Meeting]", jobs: int) -> None:
        """Play all these games, so many at once."""
        self._left = list(meetings)
        os.makedirs(os.path.join(self._folder, "games"), exist_ok=True)
        for _ in range(min(jobs, len(self._left))):
            self._open_table()
        while self._left or any(table.meeting for table in self._tables):
            self._give_games()
            for key, _ in self._selector.select(OFTEN if self._room and self._left else None):
                if key.fileobj is self._room:
                    self._room.serve()
                else:
                    self._hear(key.data)
            if self._room is not None:
                self._room.serve()

    def close(self) -> None:
        """End all tables, whatever is played there."""
        for table in self._tables:
            table.close()
        self._tables.clear()
        self._selector.close()

    def _open_table(self) -> None:
        table = TableProcess(self._terms, self._folder, self._sandbox)
        self._tables.append(table)
        self._selector.register(table, selectors.EVENT_READ, table)

    def _hear(self, table: TableProcess) -> None:
        """A game has ended, or its table."""
        meeting = table.meeting
        try:
            record = table.take()
        except EOFError:
            self._selector.unregister(table)
            self._tables.remove(table)
            table.close()
            if meeting is not None:
                self._again(meeting)
            self._open_table()
            return
        if record is not None:
            self._ended(record)

    def _again(self, meeting: "Meeting") -> None:
        """A game whose table was lost is played again, unless that has happened too often."""
        lost = self._lost[meeting.number] = self._lost.get(meeting.number, 0) + 1
        if lost == MOST_LOST:
            raise HarnessError(f"the process that plays game {meeting.number} has ended {lost} times")
        self._left.insert(0, meeting)

    # --- who plays next ----------------------------------------------------------------------------

    def _give_games(self) -> None:
        """Give a game to each table that is free, as far as its clients are there."""
        for table in self._tables:
            if table.meeting is None and self._left:
                meeting = self._next()
                if meeting is None:
                    return
                self._left.remove(meeting)
                table.give(meeting, self._clients(meeting))

    def _names(self, meeting: "Meeting") -> dict[str, int]:
        """The names under which clients of a game sign up, and which players they are."""
        entrants = self._terms.entrants
        return {entrants[player].name: player for player in meeting.seats if entrants[player].signs_up}

    def _next(self) -> "Meeting | None":
        """The first game for which everybody is there; or, after a while, one that has to do without."""
        if self._room is None:
            return self._left[0]
        busy = {name for table in self._tables if table.meeting for name in self._names(table.meeting)}
        late = None  # a game whose clients are neither here nor at another table
        for meeting in self._left:
            missing = self._room.missing(self._names(meeting))
            if all(self._misses.get(name, 0) >= MOST_WAITS for name in missing):
                self._since = None
                return meeting
            if late is None and not busy.intersection(missing):
                late = meeting
        now = time.monotonic()
        self._since = None if late is None else self._since or now
        if self._since is None or now - self._since < self._terms.wait:
            return None
        self._since = None
        return late

    def _clients(self, meeting: "Meeting") -> "dict[int, socket.socket]":
        """The clients of a game, by player, as far as they are there."""
        if self._room is None:
            return {}
        names = self._names(meeting)
        missing = self._room.missing(names)
        for name in names:
            self._misses[name] = self._misses.get(name, 0) + 1 if name in missing else 0
        return {player: self._room.take(name) for name, player in names.items() if name not in missing}
