"""One connection: JSON values in both directions, with nothing to frame them.

What comes in is read as it comes, however it is cut into segments; what goes out is one send a
message. A connection knows nothing of the game: what may be said when is for its owner to judge.
"""

import asyncio
import socket
from contextlib import contextmanager

from evolution.hosting.unread import GAP, LONGEST_LOOK, LOOK, Unread
from evolution.wire.errors import NotJSON
from evolution.wire.stream import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    # Hears of bytes: the peer's name, whether they are "from" or "to" it, and what they are.
    Trace = Callable[[str, str, bytes], object]

SEPARATORS = {"none": "", "space": " ", "newline": "\n"}
MOMENT = 0.05  # seconds of silence after which a number is complete
LONGEST_MESSAGE = 1 << 16  # bytes, the white space before it included
MOST_UNREAD = 1 << 20  # bytes that wait for a peer to read them
GOODBYE = 1.0  # seconds for a peer to read what it was sent last


class Lost(Exception):
    """There is no more to be had from the peer; str() says why."""


class Connection(asyncio.Protocol):
    """The messages to and from one peer."""

    def __init__(
        self,
        separator: str = "",
        gap: "float | Unread" = 0.0,
        moment: float = MOMENT,
        longest: int = LONGEST_MESSAGE,
        made: "Callable[[Connection], None] | None" = None,
    ) -> None:
        """Messages go out `gap` seconds apart or more, each with the separator at its end.

        With an Unread instead of a gap, a message goes out when the one before has been read. A message of
        more than `longest` bytes is not read. `made` is told when there is a connection.
        """
        self.separator = separator
        self.trace: Trace | None = None
        self.known_as = ""  # in a trace
        self.largest: int | None = None  # the largest number that the peer can mean
        self._gap = gap
        self._moment = moment
        self._longest = longest
        self._made = made
        self._loop = asyncio.get_running_loop()
        self._reader = Reader()
        self._taken_in = 0  # bytes since the last message was handed out
        self._heard = 0.0  # when the last bytes came
        self._silence: asyncio.TimerHandle | None = None
        self._waiting: asyncio.Future[None] | None = None
        self._written = 0.0  # when the last message went out
        self._is_answered = True  # whether the peer has said something since
        self._heard_all = False  # whether the peer has said that it will say no more
        self._leaving = False
        self._gone = asyncio.Event()
        self.too_long = False  # whether a message was
        self.ends_lines = False  # whether what came last was followed by a line end
        self.lost = ""  # why there is no more to be had from the peer, if so

    # --- what comes in -----------------------------------------------------------------------------

    async def receive(self) -> object:
        """The next message, when it is complete. Raises NotJSON, or Lost if there are no more."""
        while True:
            value = next(iter(self._reader), None)
            if value is not None:
                self._taken_in = self._reader.held
                self._is_answered = True
                self._await_silence()
                return value.parse()
            if self.lost:
                raise Lost(self.lost)
            self._waiting = self._loop.create_future()
            await self._waiting

    @property
    def silent(self) -> bool:
        """Whether the peer has said nothing, white space aside, that was not received."""
        return self._reader.blank

    def data_received(self, data: bytes) -> None:
        """Bytes have come."""
        if self.trace is not None:
            self.trace(self.known_as, "from", data)
        self._taken_in += len(data)
        if self.lost:
            return
        if self._taken_in > self._longest:
            self._transport.pause_reading()
            self.too_long = True
            self._lose(f"it sent a message of more than {self._longest} bytes")
            return
        self._heard = self._loop.time()
        self.ends_lines = data.endswith(b"\n")
        self._reader.feed(data)
        if self.largest is not None and self._reader.is_beyond(self.largest):
            self._reader.settle()  # with another digit it could not be meant
        self._await_silence()
        self._wake()

    def eof_received(self) -> bool:
        """The peer will say no more."""
        self._reader.close()
        self._heard_all = True
        self._lose("it has closed the connection")
        return not self._leaving  # it may still listen

    def connection_lost(self, problem: "Exception | None") -> None:
        """The connection is gone."""
        self._lose("the connection was reset" if problem else "the connection is closed")
        self._gone.set()

    def _lose(self, why: str) -> None:
        self.lost = self.lost or why
        self._stop_timer()
        self._wake()

    def _wake(self) -> None:
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(None)

    def _await_silence(self) -> None:
        """A number may be complete, or not: the peer's silence decides."""
        self._stop_timer()
        if self._reader.in_number and not self.lost:
            self._silence = self._loop.call_at(self._heard + self._moment, self._settle)

    def _settle(self) -> None:
        self._reader.settle()
        self._wake()

    def _stop_timer(self) -> None:
        if self._silence:
            self._silence.cancel()
            self._silence = None

    # --- what goes out -----------------------------------------------------------------------------

    async def send(self, message: str) -> None:
        """Send a message, as soon as it may follow the one before."""
        await self.gap()
        self.write(message)

    async def gap(self) -> None:
        """Wait until a message may follow the one before."""
        if isinstance(self._gap, Unread):
            await self._until_read(self._gap)
        else:
            await self._until(self._written + self._gap)

    async def _until(self, when: float) -> None:
        wait = when - self._loop.time()
        if wait > 0:
            await asyncio.sleep(wait)

    async def _until_read(self, unread: Unread) -> None:
        """Wait until the peer has read the message before, for there are some who lose the second of two.

        One that has answered it has read it. Of another machine's it is not known: there is a pause.
        """
        await self._until(self._written + LOOK if not self._is_answered else 0.0)
        while not self._is_answered and not self.lost:
            waiting = unread.by_peer(self._transport.get_extra_info("socket"))
            if waiting is None:
                await self._until(self._written + GAP)
                return
            if not waiting or self._loop.time() > self._written + LONGEST_LOOK:
                return
            await asyncio.sleep(LOOK)

    def write(self, message: str) -> None:
        """Send a message now, without waiting for anything. Raises Lost if the peer does not read."""
        self.write_raw(message + self.separator)
        self._is_answered = False

    def write_raw(self, text: str) -> None:
        """Send this, which need not be a message."""
        if self._leaving or self._transport.is_closing():
            raise Lost(self.lost or "the connection is closed")
        data = text.encode()
        if self.trace is not None:
            self.trace(self.known_as, "to", data)
        self._transport.write(data)
        self._written = self._loop.time()
        if self._transport.get_write_buffer_size() > MOST_UNREAD:
            raise Lost("it does not read what it is sent")

    # --- its beginning and its end -----------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """There is a connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._made:
            self._made(self)

    def close(self) -> None:
        """Say no more; the connection ends when the peer has read it all and closes its side, too.

        Until then what it still says is taken in and forgotten: a connection that is closed over unread
        bytes is reset, and the peer may lose what it was sent last.
        """
        if self._heard_all:
            self._transport.close()
        elif not self._leaving and not self._transport.is_closing():
            self._leaving = True
            self._lose("the connection is closed")
            self._transport.write_eof()
            self._transport.resume_reading()

    async def goodbye(self) -> None:
        """Close the connection, and end it in a while if the peer does not."""
        self.close()
        try:
            async with asyncio.timeout(GOODBYE):
                await self._gone.wait()
        except TimeoutError:
            self._transport.abort()

    def abort(self) -> None:
        """End the connection at once."""
        self._transport.abort()


@contextmanager
def looking_up() -> "Iterator[None]":
    """A name that no host can have is one that is not found: socket.gaierror, as for any other."""
    try:
        yield
    except UnicodeError:
        raise socket.gaierror(socket.EAI_NONAME, "No host can have this name") from None


def why_not(problem: Exception) -> str:
    """Why no message could be received, in words about the peer."""
    return f"it sent what is not JSON: {problem.why}" if isinstance(problem, NotJSON) else str(problem)
