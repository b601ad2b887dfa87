"""The clients that a server is tested with: honest ones, and ones that are rude when they are asked to.

All connections of a run are served by one loop. An honest client answers as the Silly player does and
sees that what it is told has the right form and comes in the right order.
"""

import heapq
import json
import math
import selectors
import socket
import time
from itertools import count
from typing import NamedTuple

from evolution.feeding import state_of
from evolution.wire import messages
from evolution.wire.action4 import write_action4
from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.reading import configuration_or_state
from evolution.wire.stream import Reader
from evolution.wire.writing import feeding_choice
from harness.conformance.rehearsal import CHOOSE, FEED, START, Player
from harness.conformance.verdict import SIGNS_UP, Fault, Transcript
from harness.judging.verdicts import NO_OUTPUT, NOT_JSON, TIMEOUT, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from evolution.cards import Card

    # How an answer is sent: the peer, the request, and the answer's text.
    Manner = Callable[["Peer", str, str], None]

WELL_FORMED = "messages-well-formed"
IN_ORDER = "messages-in-order"

# What may come after what; a turn begins with a start.
AFTER = {"": (START,), START: (CHOOSE,), CHOOSE: (FEED, START), FEED: (FEED, START)}
PIECE = 1 << 16
MOST_RAW = 1 << 16  # bytes that are kept as they came


class Heard(NamedTuple):
    """A message that a client was told: what it is, the hand in it, and how much had been said by then."""

    request: str
    value: "Any"
    hand: "tuple[Card, ...]"
    said: int


def _state(value: "Any") -> "Any":
    table = configuration_or_state(value)
    return state_of(table, table.players[0])


# By the number of its parts: what a message is, and how it is read.
REQUESTS: "dict[int, tuple[str, Callable[[Any], Any]]]" = {
    4: (START, messages.read_start),
    2: (CHOOSE, messages.read_choose),
    5: (FEED, _state),
}


def at_once(peer: "Peer", request: str, answer: str) -> None:
    """Send an answer as most clients do: in one piece, with the separator at its end."""
    peer.send(answer.encode() + peer.loop.separator)


class Peer:
    """One client."""

    def __init__(self, loop: "Loop", name: str, manner: "Manner" = at_once) -> None:
        self.name = name
        self.signed_up = False
        self.closed = False
        self.left = False  # whether it closed the connection itself, before the server did
        self.rude = False  # whether it has done what costs it its seat; nothing may be asked of it then
        self.heard: list[Heard] = []  # messages, the "ok" not counted
        self.answers: list[
            tuple[str, str]
        ] = []  # request and answer, whether they were sent like that or not
        self.raw = b""  # the first of what came
        self.loop = loop
        self._manner = manner
        self._player = Player(is_other=bool(loop.scenario))
        self._reader = Reader()
        self._socket: socket.socket | None = None
        self._unsent = bytearray()

    # --- the connection ----------------------------------------------------------------------------

    def attach(self, connection: socket.socket) -> None:
        """Take over a connection to the server."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setblocking(False)  # or who does not read one client would keep the others from answering
        self._socket = connection
        self.loop.watch(connection, self)

    def send(self, data: bytes) -> None:
        """Send bytes in one piece."""
        if self._socket is None or self.closed:
            return
        self.loop.transcript.say(f"{self.name} to server", data)
        self._unsent += data
        self.writable()

    def later(self, seconds: float, action: "Callable[[], None]") -> None:
        """Do something in a while."""
        self.loop.at(time.monotonic() + seconds, action)

    def leave(self) -> None:
        """Close the connection."""
        if self._socket is not None and not self.closed:
            self.loop.transcript.note(f"{self.name} closes its connection")
            self.left = True
            self.end()

    def end(self) -> None:
        """There is no connection any more."""
        self.closed = True
        if self._socket is not None:
            if self._unsent:
                self.loop.transcript.note(f"the server has not read all that {self.name} sent")
            self.loop.forget(self._socket)
            self._socket.close()
            self._socket = None

    def writable(self) -> None:
        """Send as much of what is to be sent as the connection takes now."""
        if self._socket is None:
            return
        try:
            del self._unsent[: self._socket.send(self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent.clear()  # it is closed, which is seen when it is read from
        self.loop.watch(self._socket, self, bool(self._unsent))

    # --- what comes from the server ----------------------------------------------------------------

    def readable(self) -> bool:
        """Bytes have come, or the end; whether a message is whole now, or there is no more. Raises Fault."""
        if self._socket is None:
            return False
        how = "closes"
        try:
            data = self._socket.recv(PIECE)
        except BlockingIOError:
            return False
        except OSError:
            data, how = b"", "resets"
        if not data:
            self.loop.transcript.note(f"the server {how} the connection to {self.name}")
            self.end()
            self._check_end()
            return True
        self.loop.transcript.say(f"server to {self.name}", data)
        self.raw += data[: MOST_RAW - len(self.raw)]
        self._reader.feed(data)
        is_whole = False
        try:
            for value in self._reader:
                is_whole = True
                self._message(value.parse(), value.data)
        except NotJSON as problem:
            raise Fault(self._stage(), NOT_JSON, f"what {self.name} is told is {problem}") from None
        return is_whole

    def _stage(self) -> str:
        return WELL_FORMED if self.signed_up else SIGNS_UP

    def _check_end(self) -> None:
        if self.rude:
            return
        if not self.signed_up:
            raise Fault(
                SIGNS_UP, NO_OUTPUT, f'{self.name} signed up, and the connection was closed without "ok"'
            )
        if self._reader.pending:
            raise Fault(WELL_FORMED, NOT_JSON, f"the last message to {self.name} is cut off")

    def _message(self, value: object, data: bytes) -> None:
        if not self.signed_up:
            if value != "ok":
                shown = data[:200].decode(errors="backslashreplace")
                raise Fault(SIGNS_UP, WRONG, f'{self.name} signed up and was answered {shown}, not "ok"')
            self.signed_up = True
            return
        if self.rude:
            raise Fault(self.loop.scenario, WRONG, f"{self.name} was not thrown out: it is told more")
        request, view = self._read(value)
        last = self.heard[-1].request if self.heard else ""
        if request not in AFTER[last]:
            before = f"after its {last}" if last else "after the sign-up"
            raise Fault(
                IN_ORDER, WRONG, f"{self.name} gets a {request} {before}, should get {AFTER[last][0]}"
            )
        hand = () if request == CHOOSE else tuple(view.hand)
        self.heard.append(Heard(request, value, hand, len(self.loop.transcript.lines)))
        answer = self._answer(request, view)
        if answer is not None:
            self.answers.append((request, answer))
            self._manner(self, request, answer)
        elif request == START:
            self.loop.started()

    def _read(self, value: object) -> "tuple[str, Any]":
        """The request that a message is, and what it shows. Raises Fault."""
        parts = len(value) if isinstance(value, list) else 0
        if parts not in REQUESTS:
            shown = json.dumps(value)[:200]
            raise Fault(
                WELL_FORMED,
                WRONG,
                f"a message to {self.name} is neither a Start, nor [LOB, LOB], nor a State: {shown}",
            )
        request, read = REQUESTS[parts]
        try:
            return request, read(value)
        except BadInput as problem:
            raise Fault(WELL_FORMED, WRONG, f"{request} to {self.name}: {problem}") from None

    def _answer(self, request: str, view: "Any") -> "str | None":
        if request == START:
            self._player.start(view)
            return None
        if request == CHOOSE:
            return write_action4(self._player.choose(*view))
        choice = self._player.feed_next(view)
        return "false" if choice is None else feeding_choice(choice)


class Loop:
    """The loop that serves all connections of a run."""

    def __init__(
        self, transcript: Transcript, patience: float, scenario: str, separator: bytes = b" "
    ) -> None:
        """`patience` is how long no message may come; `scenario` is what rude peers are there for."""
        self.transcript = transcript
        self.patience = patience
        self.scenario = scenario
        self.separator = separator  # at the end of each answer
        self.has_started: Callable[[], None] | None = None  # called when the first turn has begun
        self.longest = math.inf  # seconds that all may take together, from now on
        self._begun = time.monotonic()
        self._selector = selectors.DefaultSelector()
        self._later: list[tuple[float, int, Callable[[], None]]] = []
        self._count = count()

    def watch(self, connection: socket.socket, peer: Peer, writing: bool = False) -> None:
        """Serve a connection: read from it, and write to it if there is something to write."""
        events = selectors.EVENT_READ | (selectors.EVENT_WRITE if writing else 0)
        if connection not in self._selector.get_map():
            self._selector.register(connection, events, peer)
        else:
            self._selector.modify(connection, events, peer)

    def forget(self, connection: socket.socket) -> None:
        """Serve it no more."""
        self._selector.unregister(connection)

    def at(self, when: float, action: "Callable[[], None]") -> None:
        """Do something at this time."""
        heapq.heappush(self._later, (when, next(self._count), action))

    def started(self) -> None:
        """A turn has begun for somebody."""
        if self.has_started is not None:
            action, self.has_started = self.has_started, None
            action()

    def run(self, is_done: "Callable[[], bool]", fault: Fault, patience: "float | None" = None) -> None:
        """Serve the connections until it is done. Raises Fault: this one if no message comes for too long."""
        patience = self.patience if patience is None else patience
        silent_since = time.monotonic()
        while not is_done():
            now = time.monotonic()
            while self._later and self._later[0][0] <= now:
                heapq.heappop(self._later)[2]()
                silent_since = now  # the server waits for us
            wake = min(silent_since + patience, *(when for when, _, _ in self._later[:1]), now + 0.5)
            ready = self._selector.select(max(0.0, wake - now))
            for key, events in ready:
                if events & selectors.EVENT_WRITE:
                    key.data.writable()
                    silent_since = time.monotonic()
                if events & selectors.EVENT_READ and key.data.readable():
                    silent_since = time.monotonic()
            now = time.monotonic()
            if not self._later and now - silent_since > patience:
                raise fault
            if now - self._begun > self.longest:
                raise Fault(fault.scenario, TIMEOUT, f"the game is not over after {self.longest:g} s")

    def close(self) -> None:
        """Close everything."""
        for key in list(self._selector.get_map().values()):
            key.data.end()
        self._selector.close()
