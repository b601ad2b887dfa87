"""What is tested of a client: one plain game first, then the same in all manners that it must bear.

Each scenario says what must have been seen: above all a whole game, to the end of which the client played.
What works in practice and only differs from the documents is manner.
"""

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.silly import Silly
from harness.conformance.manner import between
from harness.conformance.seats import (
    IN_TIME,
    LEGAL,
    UNLABELLED,
    WELL_FORMED,
    WHEN_ASKED,
    ClientSeat,
    Line,
    Times,
    Writer,
    joined,
    on_lines,
    plain,
    pretty,
    spaced,
    split,
)
from harness.conformance.started import Started, Terms, filled
from harness.conformance.verdict import SIGNS_UP, Fault, Run, found_out
from harness.judging.verdicts import BROKEN, CRASHED, NO_OUTPUT, NO_START, TIMEOUT, WRONG

ENDS = "ends-cleanly"
NAME = "Tester"
SLOW = 5.0  # seconds in which nothing is said while another player is slow
LINGERS = 0.1  # seconds after which a client that was not answered still waits
POLL = 0.05  # seconds between two looks at a client that has not connected


@dataclass(frozen=True, slots=True)
class Settings(Terms):
    """How a client is tested. `timeout` is for each answer, `patience` for connecting and for ending."""

    gap: float = 0.02
    separator: str = ""

    @property
    def times(self) -> Times:
        """How long the other side waits for an answer, and between two messages, which end like this."""
        return Times(self.timeout, self.gap, end=self.separator)


class ClientRun(Run):
    """One game with the client that is tested."""

    def __init__(
        self,
        settings: Settings,
        scenario: str,
        known: "frozenset[str]" = frozenset(),
        write: "Writer" = plain,
        seat: int = 0,
        players: int = 0,
        seed: "str | None" = None,
        silence: float = 0.0,
    ) -> None:
        super().__init__()
        self._settings = settings
        self._known = known
        self._write = write
        self._seat = seat
        self._players = players or settings.players
        self._seed = seed
        self._silence = silence
        self.scenario = scenario
        self.name: str | None = None  # with which it has signed up
        self.line: Line | None = None
        self.seat: ClientSeat | None = None
        self.has_played = False  # the whole of what this run is about

    def play(self, game: "Callable[[ClientRun, Line], None] | None" = None) -> "ClientRun":
        """Start the client, let it sign up, play, and wait for its end; faults are kept."""
        try:
            with self._listener() as listener:
                port = listener.getsockname()[1]
                words = filled(self._settings.command, port=port, host=self._settings.host, name=NAME)
                with Started(words, self._settings, port) as client:
                    try:
                        self._play(client, listener, game or ClientRun._game)
                    except Fault as fault:
                        client.explain(fault)
                        raise
                    finally:
                        self.keep_end_of(client)
        except Fault as fault:
            self.faults.append(fault)
        self._note_missing()
        self.settle(self.scenario, CONSEQUENCES)
        return self

    def _listener(self) -> socket.socket:
        port = 0 if "{port}" in self._settings.command else self._settings.port
        try:
            return socket.create_server((self._settings.host, port))
        except OSError as problem:
            why = os.strerror(problem.errno or 0)  # its own words repeat the address
            raise Fault("", BROKEN, f"cannot listen on {self._settings.host}:{port}: {why}") from None

    def _play(
        self, client: Started, listener: socket.socket, game: "Callable[[ClientRun, Line], None]"
    ) -> None:
        connection = self._accepted(client, listener)
        line = self.line = Line(connection, self.transcript, self._settings.times)
        try:
            name = line.receive(self._settings.patience, SIGNS_UP, "sign-up")
            if not isinstance(name, str):
                raise Fault(SIGNS_UP, WRONG, f"the sign-up is not a string: {name!r}")
            self.name = name
            game(self, line)
            self.has_played = True
        finally:
            line.close()
        if ENDS not in self._known:
            any_status = game is not ClientRun._game
            try:
                client.check_end(
                    ENDS, self._settings.patience, "the server closed the connection", any_status
                )
            except Fault as fault:
                if fault.verdict == WRONG:
                    fault.manner = "who looks at its status takes a game that was played for a failure"
                raise

    def _note_missing(self) -> None:
        """Note what was not seen; a failure that comes before is the reason."""
        counted = [fault for fault in self.faults if not fault.manner]
        follows = f"it follows from {counted[0].scenario or SIGNS_UP}, which failed" if counted else ""
        if self.name is None:
            self.missing = dict.fromkeys(HONEST, follows)
            return
        answered = self.seat.answered if self.seat is not None else {"choose": 0, "feed_next": 0}
        unseen = [request for request, times in answered.items() if not times]
        if unseen and not self.scenario:
            why = follows or f"it was never asked to {unseen[0]}"
            self.missing = dict.fromkeys((WELL_FORMED, LEGAL, IN_TIME), why)
        if not self.scenario and (self.seat is None or not self.seat.grew):
            self.missing[UNLABELLED] = follows or "it never grew in the game"
        if not self.has_played:
            self.missing |= dict.fromkeys((WHEN_ASKED, ENDS), follows)
        elif not self.scenario and self.line is not None and self.line.client_left:
            self.missing[ENDS] = "it closed the connection before the server did"

    def _accepted(self, client: Started, listener: socket.socket) -> socket.socket:
        """The client's connection. Raises Fault if it does not come."""
        listener.settimeout(POLL)
        while self.transcript.seconds < self._settings.patience:
            try:
                return listener.accept()[0]
            except TimeoutError:
                if client.ended is not None:
                    verdict = CRASHED if client.ended < 0 else NO_START
                    raise Fault(SIGNS_UP, verdict, f"{client.how_it_ended()} without connecting") from None
        raise Fault(SIGNS_UP, TIMEOUT, f"no connection within {self._settings.patience:g} s")

    def _game(self, line: Line) -> None:
        """A whole game with Silly players at the other seats."""
        line.check_silence()
        seat = self.seat = ClientSeat(line, self._settings.times, self._write, self._silence)
        seat.welcome()
        players = [Silly() for _ in range(self._players)]
        deck = None if self._seed is None else shuffled_deck(self._seed)
        Game([*players[: self._seat], seat, *players[self._seat + 1 :]], deck).play()
        if seat.labelled is not None and not self.scenario:
            self.faults.append(seat.labelled)
        if seat.fault is not None:
            raise seat.fault
        line.check_silence()


# Seen in one plain game, in the order in which they are told.
HONEST = (SIGNS_UP, WELL_FORMED, LEGAL, UNLABELLED, IN_TIME, WHEN_ASKED, ENDS)
FATAL = (SIGNS_UP, WELL_FORMED, LEGAL, IN_TIME, WHEN_ASKED)


def honest_game(settings: Settings) -> "tuple[Run, Settings]":
    """The plain game in which the first scenarios are seen, and how the others are played.

    Where no game comes about, messages are sent with another end: a client may read lines.
    """
    first = None
    for separator in dict.fromkeys([settings.separator, "\n", " "]):
        run = ClientRun(replace(settings, separator=separator), "").play()
        first = first or run
        failed = [fault for fault in run.faults if fault.scenario in FATAL and not fault.manner]
        if not failed:
            return run, replace(settings, separator=separator)
        if run.name is None or any(fault.verdict != TIMEOUT for fault in failed):
            break
    assert first is not None
    return first, settings


def _turned_away(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    """Close the connection instead of saying "ok": the client must end, whatever it then says."""
    return ClientRun(settings, scenario, known).play(_close)


def _close(run: ClientRun, line: Line) -> None:
    line.check_silence()
    if line.leaves_within(LINGERS):
        raise Fault(SIGNS_UP, NO_OUTPUT, "the client closes the connection before it is answered")


def _written(write: "Writer") -> "Callable[[Settings, str, frozenset[str]], Run]":
    return lambda settings, scenario, known: ClientRun(settings, scenario, known, write).play()


def _dealt(seed: str, seat: int, players: int = 0) -> "Callable[[Settings, str, frozenset[str]], Run]":
    return lambda settings, scenario, known: ClientRun(
        settings, scenario, known, seat=seat, players=players, seed=seed
    ).play()


def _with_a_slow_player(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    return ClientRun(settings, scenario, known, silence=SLOW).play()


# Each in a game of its own.
VARIANTS: "dict[str, Callable[[Settings, str, frozenset[str]], Run]]" = {
    "split-messages": _written(split),
    "joined-messages": _written(joined),
    "pretty-printed-messages": _written(pretty),
    "messages-on-lines": _written(on_lines),
    "messages-and-a-space": _written(spaced),
    "another-deck": _dealt("1", 1),
    "yet-another-deck": _dealt("2", 2),
    "eight-players": _dealt("3", 4, 8),
    "bears-a-slow-player": _with_a_slow_player,
    "turned-away": _turned_away,
}
TIMED = ("bears-a-slow-player",)
# What follows in practice where these fail: they are about manner.
CONSEQUENCES = {
    "pretty-printed-messages": "a server must send each message on one line, as xserver does",
    "messages-on-lines": "a server must send no line ends (xserver --separator none or space)",
    "messages-and-a-space": "a server must send no spaces after messages (xserver --separator none)",
}
ENDS_OF_MESSAGES = {"": "none", "\n": "newline", " ": "space"}  # as xserver names them


def manners(runs: "dict[str, Run]", settings: Settings) -> "list[tuple[str, str]]":
    """How the client reads and writes, as far as it was found out: what, and how it is."""
    shown = found_out(runs)
    rows = []
    honest = runs.get(SIGNS_UP)
    if isinstance(honest, ClientRun) and honest.line is not None and honest.seat is not None:
        rows += [
            ("between its answers", between(honest.line.raw)),
            ("its slowest answer", f"{honest.seat.slowest:.3f} s"),
            ("its name", repr(honest.name)),
        ]
    for what, scenario, right, wrong in (
        ("a message in pieces", "split-messages", "is read", "is not read"),
        ("messages in one piece", "joined-messages", "are told apart", "are lost but for the first"),
        ("a message on many lines", "pretty-printed-messages", "is read", "is not read"),
        ("a line end around a message", "messages-on-lines", "is skipped", "is not read"),
        ("a space after a message", "messages-and-a-space", "is skipped", "is not read"),
        ("silence", TIMED[0], f"is tolerated, {SLOW:g} s at least", f"is not tolerated for {SLOW:g} s"),
    ):
        if scenario in shown:
            rows.append((what, right if shown[scenario] else wrong))
    if rows:
        gap = "0" if shown.get("joined-messages") else f"{settings.gap:g}"
        rows.append(("so, for xserver", f"--separator {ENDS_OF_MESSAGES[settings.separator]} --gap {gap}"))
    return rows
