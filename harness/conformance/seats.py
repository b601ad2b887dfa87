"""The seat of a client that is tested: a player of our own game, at the other end of a connection.

It writes what the game asks in the manner that is tested, and sees that the client speaks when it is
asked, in time, and answers well.
"""

import json
import select
import socket
import time
from collections.abc import Callable
from typing import Any, TypeVar

from evolution.actions import Action4
from evolution.choices import FeedingChoice, State
from evolution.game import Result
from evolution.player import Start
from evolution.species import Species
from evolution.wire import messages
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.stream import Reader
from harness.conformance.manner import BETWEEN, pieces
from harness.conformance.verdict import Fault, Transcript
from harness.judging.verdicts import NO_OUTPUT, NOT_JSON, TIMEOUT, TOO_MANY, WRONG

Answer = TypeVar("Answer")
Writer = Callable[[list[str], str], list[list[bytes]]]

WELL_FORMED = "answers-well-formed"
LEGAL = "legal-choices"
UNLABELLED = "unlabelled-growth"
IN_TIME = "answers-in-time"
WHEN_ASKED = "speaks-only-when-asked"
LABELS = "a server that reads growth as [board, card] throws it out"

PIECE = 1 << 16
MOST_RAW = 1 << 16  # bytes that are kept as they came
LONGEST_ANSWER = 1 << 20  # bytes


class Times:
    """How patient the seat is, in seconds: for an answer, between messages, and for a number's end.

    end: what is sent behind each message.
    """

    __slots__ = ("end", "gap", "moment", "timeout")

    def __init__(self, timeout: float, gap: float = 0.02, moment: float = 0.05, end: str = "") -> None:
        self.timeout = timeout
        self.gap = gap
        self.moment = moment
        self.end = end


class Line:
    """A connection to the client: what is sent in pieces, and values read as they come."""

    def __init__(self, connection: socket.socket, transcript: Transcript, times: Times) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.settimeout(times.timeout)
        self._socket = connection
        self._transcript = transcript
        self._times = times
        self._reader = Reader()
        self._taken = 0
        self.raw = b""  # the first of what came
        self.client_left = False  # whether the client has closed the connection first

    def send(self, *segments: bytes) -> None:
        """Send these segments, a moment apart. Raises Fault if the client does not take them."""
        if len(segments) == 1:
            self._transcript.say("server to client", segments[0])
        else:
            self._transcript.say(f"server to client, in {len(segments)} pieces", b"".join(segments))
        try:
            for segment in segments:
                self._socket.sendall(segment)
                if len(segments) > 1:
                    time.sleep(BETWEEN)
        except TimeoutError:
            raise Fault(IN_TIME, TIMEOUT, "the client does not read what it is told") from None
        except OSError:
            self._note_end("closed")
            raise Fault(WELL_FORMED, NO_OUTPUT, "the client has closed the connection") from None

    def receive(self, seconds: float, scenario: str, what: str) -> object:
        """The next value that the client sends. Raises Fault if there is none in time."""
        deadline = time.monotonic() + seconds
        self._taken = 0
        while True:
            values = self._value(scenario, what)
            if values:
                return values[0]
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault(self._late(scenario), TIMEOUT, f"no {what} within {seconds:g} s")
            self._take(left, scenario, what)

    def _late(self, scenario: str) -> str:
        return IN_TIME if scenario == WELL_FORMED else scenario

    def _value(self, scenario: str, what: str) -> "list[object]":
        """The value that has come, if one has."""
        try:
            found = next(iter(self._reader), None)
            return [] if found is None else [found.parse()]
        except NotJSON as problem:
            raise Fault(scenario, NOT_JSON, f"the {what} is {problem}") from None

    def _take(self, seconds: float, scenario: str, what: str) -> None:
        """More bytes; after a moment of silence a number is complete."""
        unsettled = self._reader.unsettled
        if not self._ready(min(seconds, self._times.moment) if unsettled else seconds):
            if unsettled:
                self._reader.settle()
            return
        data = self._received()
        if not data:
            raise Fault(scenario, NO_OUTPUT, f"the client closes the connection instead of its {what}")
        self._taken += len(data)
        if self._taken > LONGEST_ANSWER:
            raise Fault(scenario, WRONG, f"the {what} does not end within {LONGEST_ANSWER >> 20} MB")

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self._socket], [], [], seconds)[0])

    def _received(self) -> bytes:
        """What has come, already in the hands of the reader; nothing at the end."""
        how = "closed"
        try:
            data = self._socket.recv(PIECE)
        except OSError:
            data, how = b"", "reset"
        if not data:
            self._note_end(how)
            return b""
        self._transcript.say("client to server", data)
        self.raw += data[: MOST_RAW - len(self.raw)]
        self._reader.feed(data)
        return data

    def _note_end(self, how: str) -> None:
        if not self.client_left:
            self._transcript.note(f"the client has {how} the connection")
        self.client_left = True

    @property
    def said(self) -> int:
        """How much has been said so far, in lines of the transcript."""
        return len(self._transcript.lines)

    def check_silence(self) -> None:
        """See that the client has said nothing unasked. Raises Fault if it has."""
        while self._ready(0) and self._received():
            pass
        if not self._reader.blank:
            raise Fault(WHEN_ASKED, TOO_MANY, "the client speaks without being asked")

    def leaves_within(self, seconds: float) -> bool:
        """Whether the client closes the connection by itself in this time."""
        return self._ready(seconds) and not self._received()

    def close(self) -> None:
        """Close the connection, as a server does after the game."""
        if not self.client_left:
            self._transcript.note("the server closes the connection")
        self._socket.close()


# How messages are written, each with an end that the client needs: several may go out together.
def plain(texts: list[str], end: str) -> list[list[bytes]]:
    """Each message in one piece."""
    return [[(text + end).encode()] for text in texts]


def split(texts: list[str], end: str) -> list[list[bytes]]:
    """Each message in small pieces."""
    return [pieces((text + end).encode()) for text in texts]


def joined(texts: list[str], end: str) -> list[list[bytes]]:
    """All messages in one piece."""
    return [["".join(text + end for text in texts).encode()]]


def pretty(texts: list[str], end: str) -> list[list[bytes]]:
    """Each message as a pretty printer writes it."""
    return [[json.dumps(json.loads(text), indent=2).encode() + b"\n"] for text in texts]


def on_lines(texts: list[str], end: str) -> list[list[bytes]]:
    """Each message on a line of its own, with a blank line before it."""
    return [[f"\r\n{text}\r\n".encode()] for text in texts]


def spaced(texts: list[str], end: str) -> list[list[bytes]]:
    """Each message followed by a space."""
    return plain(texts, " ")


class ClientSeat:
    """The client as our own game sees it. Its first fault is kept, and costs it its seat."""

    def __init__(self, line: Line, times: Times, write: "Writer" = plain, silence: float = 0.0) -> None:
        """`silence` is how long nothing is said before the second question."""
        self._line = line
        self._times = times
        self._write = write
        self._silence = silence
        self._untold: list[str] = []  # what goes out together with the next question
        self.fault: Fault | None = None
        self.labelled: Fault | None = None  # this costs no seat
        self.answered = {"choose": 0, "feed_next": 0}  # questions
        self.grew = False  # whether an answer had growth in it
        self.slowest = 0.0  # seconds for an answer

    def welcome(self) -> None:
        """Say "ok", unless that goes out in one piece with what follows."""
        self._untold.append('"ok"')
        if self._write is not joined:
            self._send_untold()

    def _send_untold(self) -> None:
        for segments in self._write(self._untold, self._times.end):
            time.sleep(self._times.gap)
            self._line.send(*segments)
        self._untold.clear()

    def start(self, view: Start) -> None:
        """Keep it for the next question, with which it may go out in one piece."""
        self._untold.append(messages.write_start(view))

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """What it does with its cards."""
        return self._ask(messages.write_choose(before, after), "choose", self._action)

    def feed_next(self, state: State) -> FeedingChoice:
        """What it feeds next."""
        return self._ask(messages.write_state(state), "feed_next", messages.read_feeding_choice)

    def game_over(self, result: Result) -> None:
        """It learns of it when the connection is closed."""

    def thrown_out(self, reason: str) -> None:
        """The rules forbid what it chose, unless something else was wrong before."""
        if self.fault is None:
            self.fault = Fault(LEGAL, WRONG, reason)

    def _action(self, value: object) -> Action4:
        action = action4(value)
        growths: Any = value
        self.grew = self.grew or any(growths[1:3])
        if self.labelled is None and any(len(growth) == 3 for part in growths[1:3] for growth in part):
            self.labelled = Fault(
                UNLABELLED, WRONG, f"growth has labels: {json.dumps(value)[:300]}", manner=LABELS
            )
            self.labelled.said = self._line.said
        return action

    def _ask(self, question: str, request: str, read: "Callable[[object], Answer]") -> "Answer":
        self._untold.append(question)
        what = f"answer to {request}"
        try:
            if self._silence and sum(self.answered.values()) == 1:
                time.sleep(self._silence)
            self._line.check_silence()
            self._send_untold()
            began = time.monotonic()
            value = self._line.receive(self._times.timeout, WELL_FORMED, what)
            self.slowest = max(self.slowest, time.monotonic() - began)
            try:
                answer = read(value)
            except BadInput as problem:
                raise Fault(WELL_FORMED, WRONG, f"the {what}: {problem}") from None
        except Fault as fault:
            self.fault = self.fault or fault
            raise
        self.answered[request] += 1
        return answer
