"""The tables of a tournament: processes that play one game after the other.

A table is a process of its own, so that all cores play, and so that it can end whatever its players have
left behind. Each game has new players: nothing that one of them remembers, or has broken, is there in its
next game.
"""

import json
import os
import signal
import socket
import sys
import time
from contextlib import suppress

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.hosting.asked import Asked, NoAnswer
from evolution.hosting.child import Child
from evolution.hosting.speaker import Speaker
from evolution.wire.log import Log
from harness.errors import HarnessError
from harness.files import replace_file
from harness.games.play import SeatError, Seats, seat, told_to_all
from harness.games.steps import GameSteps
from harness.report.game import game_page
from harness.running.limits import adopt_orphans, end_children, end_with_parent
from harness.tournament.record import Record, read_record
from harness.tournament.schedule import Meeting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from evolution.actions import Action4
    from evolution.choices import FeedingChoice, State
    from evolution.observed import Observer
    from evolution.player import Player
    from evolution.species import Species
    from harness.running.sandbox import Sandbox
    from harness.tournament.terms import Terms

LONGEST_MESSAGE = 1 << 16
START = 30.0  # seconds for a player to start: on a busy machine that is not its fault
CLIENTS = 8  # descriptors that come with a message, at most


class Absent(Asked):
    """A player that did not come: it loses its seat at the first question."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self._why = why

    def ask(self, request: str, argument: str) -> object:
        """Raises NoAnswer."""
        raise NoAnswer(self._why)


class Clocked:
    """A player whose time for its answers is taken."""

    def __init__(self, player: "Player") -> None:
        self._player = player
        self.questions = 0
        self.seconds = self.longest = 0.0

    def choose(self, before: "list[list[Species]]", after: "list[list[Species]]") -> "Action4":
        """What the player does with its cards."""
        began = time.perf_counter()
        try:
            return self._player.choose(before, after)
        finally:
            self._took(time.perf_counter() - began)

    def feed_next(self, state: "State") -> "FeedingChoice | None":
        """What the player feeds next."""
        began = time.perf_counter()
        try:
            return self._player.feed_next(state)
        finally:
            self._took(time.perf_counter() - began)

    def _took(self, seconds: float) -> None:
        self.questions += 1
        self.seconds += seconds
        self.longest = max(self.longest, seconds)

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._player, name)


def log_name(number: int) -> str:
    """The name of the log of a game, in the folder of the tournament."""
    return os.path.join("games", f"{number:05}.log")


def page_name(number: int) -> str:
    """The name of the page on which a game can be watched, if there is one."""
    return os.path.join("games", f"{number:05}.html")


class Table:
    """What a table's process knows."""

    def __init__(self, terms: "Terms", folder: str, sandbox: "Sandbox | None") -> None:
        self._terms = terms
        self._folder = folder
        self._sandbox = sandbox
        self._players: list[Player] = []

    def play(self, meeting: Meeting, clients: "dict[int, int]") -> Record:
        """Play a game, and write its log. `clients` are descriptors of who has signed up, by player."""
        try:
            for player in meeting.seats:
                self._players.append(self._seated(player, clients))
            for seated in self._players:
                if isinstance(seated, Child):
                    try:
                        seated.load(START)
                    except NoAnswer:
                        pass  # it will be asked again in the game, and thrown out
            return self._played(meeting)
        finally:
            self._clear()

    def _seated(self, player: int, clients: "dict[int, int]") -> "Player":
        entrant = self._terms.entrants[player]
        if player in clients:
            return Speaker.of_socket(clients[player], self._terms.timeout)
        if entrant.signs_up:
            return Absent(f"it did not sign up within {self._terms.wait:g} seconds")
        try:
            return seat(entrant.word, self._terms.timeout, gone=self._sweep, sandbox=self._sandbox)
        except SeatError as problem:
            return Absent(str(problem))

    def _played(self, meeting: Meeting) -> Record:
        clocked = [Clocked(player) for player in self._players]
        names = [self._terms.entrants[player].name for player in meeting.seats]
        seed = self._terms.deck_seed(meeting.deck)
        lines: list[str] = []
        steps: list[dict[str, object]] = []
        observers: list[Observer] = [Log(lines.append, names, seed)]
        if self._terms.pages:
            observers.append(GameSteps(names, "dealer", steps.append))
        players: Any = clocked  # the rest of a player's methods are its own
        result = Game(players, shuffled_deck(seed), told_to_all(observers)).play()
        replace_file(os.path.join(self._folder, log_name(meeting.number)), "".join(lines).encode())
        if self._terms.pages:
            page = game_page("dealer", steps)
            replace_file(os.path.join(self._folder, page_name(meeting.number)), page)
        scores, reasons = dict(result.ranking), dict(result.thrown_out)
        ids = range(1, len(names) + 1)
        return Record(
            *meeting,
            tuple(scores.get(number) for number in ids),
            tuple(reasons.get(number, "") for number in ids),
            tuple(one.questions for one in clocked),
            tuple(round(one.seconds, 6) for one in clocked),
            tuple(round(one.longest, 6) for one in clocked),
        )

    def _sweep(self) -> None:
        end_children(spared=[getattr(player, "pid", 0) for player in self._players])

    def _clear(self) -> None:
        """Let everybody go who is still there."""
        for player in self._players:
            if isinstance(player, Child):
                player.close()
        self._players.clear()


class TableProcess:
    """A table as those see it who give it games."""

    def __init__(self, terms: "Terms", folder: str, sandbox: "Sandbox | None") -> None:
        """Start its process."""
        self._socket, other = socket.socketpair()
        self._data = b""
        self.meeting: Meeting | None = None  # that is being played
        parent = os.getpid()
        self._pid = os.fork()
        if self._pid == 0:
            keep = other.fileno()
            os.closerange(3, keep)
            os.closerange(keep + 1, os.sysconf("SC_OPEN_MAX"))
            _live(other, parent, Table(terms, folder, sandbox), sandbox)
        other.close()

    def fileno(self) -> int:
        """The descriptor that is ready when a game has ended."""
        return self._socket.fileno()

    def give(self, meeting: Meeting, clients: "dict[int, socket.socket]") -> None:
        """Have a game played, with these clients, who are the table's from now on.

        If the process has ended meanwhile, that is seen by `take`.
        """
        self.meeting = meeting
        message = f"{json.dumps([*meeting, list(clients)])}\n".encode()
        sent = [client.fileno() for client in clients.values()]
        with suppress(ConnectionError):
            socket.send_fds(self._socket, [message], sent)
        for client in clients.values():
            client.close()

    def take(self) -> "Record | None":
        """The game that has ended; None if it has not yet. Raises EOFError if the process has ended."""
        try:
            data = self._socket.recv(LONGEST_MESSAGE)
        except ConnectionError:
            data = b""
        if not data:
            raise EOFError
        self._data += data
        if not self._data.endswith(b"\n"):
            return None
        answer, self._data, self.meeting = json.loads(self._data), b"", None
        if "failed" in answer:
            number, text, file = answer["failed"]
            raise OSError(number, text, file) if number else HarnessError(text)
        return read_record(answer)

    def close(self) -> None:
        """End the process, and its players."""
        self._socket.close()
        try:
            os.kill(self._pid, signal.SIGTERM)
        except ProcessLookupError:
            pass
        os.waitpid(self._pid, 0)


def _live(to: socket.socket, parent: int, table: Table, sandbox: "Sandbox | None") -> None:
    """Play what is asked for, until nobody asks any more; then the process ends."""
    status = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # who has started this says when it ends
        end_with_parent(parent)
        adopt_orphans()
        sys.stderr = None  # what players print in some hundred games is for nobody
        while True:
            data, descriptors, _, _ = socket.recv_fds(to, LONGEST_MESSAGE, CLIENTS)
            if not data:
                break
            number, deck, seats, clients = json.loads(data)
            meeting = Meeting(number, deck, tuple(seats))
            answer: dict[str, Any]
            try:
                answer = table.play(meeting, dict(zip(clients, descriptors, strict=True))).to_json()
            except OSError as problem:
                answer = {"failed": [problem.errno, problem.strerror, problem.filename]}
            except Exception as problem:
                answer = {"failed": [0, f"game {number}: {type(problem).__name__}: {problem}", None]}
            to.sendall(f"{json.dumps(answer)}\n".encode())
        status = 0
    except (KeyboardInterrupt, OSError):
        pass
    finally:
        if sandbox is not None:
            sandbox.leave()
        end_children()
        os._exit(status)


def try_out(words: "Sequence[str]", seconds: float, sandbox: "Sandbox | None") -> None:
    """Start every player once, and let it go. Raises SeatError if one of them does not start."""
    for word in words:
        Seats([word], max(START, seconds), False, sandbox).close()
