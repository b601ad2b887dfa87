"""What is tested of a client: one plain game first, then the same in all manners that it must bear."""

import os
import socket
from dataclasses import dataclass

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.silly import Silly
from harness.conformance.seats import (
    IN_TIME,
    LEGAL,
    SIGNS_UP,
    UNLABELLED,
    WELL_FORMED,
    WHEN_ASKED,
    ClientSeat,
    Line,
    Times,
    joined,
    on_lines,
    plain,
    pretty,
    split,
)
from harness.conformance.started import Started, Terms, filled
from harness.conformance.verdict import Fault, Run
from harness.judging.verdicts import BROKEN, CRASHED, NO_START, TIMEOUT, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Writer = Callable[[list[str]], list[list[bytes]]]

ENDS = "ends-cleanly"
NAME = "Tester"
POLL = 0.05  # seconds between two looks at a client that has not connected


@dataclass(frozen=True, slots=True)
class Settings(Terms):
    """How a client is tested. `timeout` is for each answer, `patience` for connecting and for ending."""

    gap: float = 0.02

    @property
    def times(self) -> Times:
        """How long the other side waits for an answer, and between two messages."""
        return Times(self.timeout, self.gap)


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
    ) -> None:
        super().__init__()
        self._settings = settings
        self._known = known
        self._write = write
        self._seat = seat
        self._players = players or settings.players
        self._seed = seed
        self.scenario = scenario

    def play(self, game: "Callable[[ClientRun, Line], None] | None" = None) -> "ClientRun":
        """Start the client, let it sign up, play, and wait for its end; faults are kept."""
        try:
            with self._listener() as listener:
                port = listener.getsockname()[1]
                words = filled(self._settings.command, port=port, host=self._settings.host, name=NAME)
                with Started(words, self._settings.sandbox, port) as client:
                    try:
                        self._play(client, listener, game or ClientRun._game)
                    except Fault as fault:
                        client.explain(fault)
                        raise
                    finally:
                        self.exit = client.ended
                        client.close()
                        self.stdout, self.stderr = client.printed(), client.complained()
                        client.forget()
        except Fault as fault:
            self.faults.append(fault)
        for each in self.faults:  # in a run for one scenario, whatever goes wrong fails that one
            each.scenario = self.scenario or each.scenario or SIGNS_UP
        self.seconds = self.transcript.seconds
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
        line = Line(connection, self.transcript, self._settings.times)
        try:
            name = line.receive(self._settings.patience, SIGNS_UP, "sign-up")
            if not isinstance(name, str):
                raise Fault(SIGNS_UP, WRONG, f"the sign-up is not a string: {name!r}")
            game(self, line)
        finally:
            line.close()
        if ENDS not in self._known:
            any_status = game is not ClientRun._game
            client.check_end(ENDS, self._settings.patience, "the server closed the connection", any_status)

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
        seat = ClientSeat(line, self._settings.times, self._write)
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


def honest_game(settings: Settings) -> Run:
    """The plain game in which the first scenarios are seen."""
    return ClientRun(settings, "").play()


def _turned_away(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    """Close the connection instead of saying "ok": the client must end, whatever it then says."""
    return ClientRun(settings, scenario, known).play(_close)


def _close(run: ClientRun, line: Line) -> None:
    line.check_silence()


def _written(write: "Writer") -> "Callable[[Settings, str, frozenset[str]], Run]":
    return lambda settings, scenario, known: ClientRun(settings, scenario, known, write).play()


def _dealt(seed: str, seat: int, players: int = 0) -> "Callable[[Settings, str, frozenset[str]], Run]":
    return lambda settings, scenario, known: ClientRun(
        settings, scenario, known, seat=seat, players=players, seed=seed
    ).play()


# Each in a game of its own.
VARIANTS: "dict[str, Callable[[Settings, str, frozenset[str]], Run]]" = {
    "split-messages": _written(split),
    "joined-messages": _written(joined),
    "pretty-printed-messages": _written(pretty),
    "messages-on-lines": _written(on_lines),
    "another-deck": _dealt("1", 1),
    "yet-another-deck": _dealt("2", 2),
    "eight-players": _dealt("3", 4, 8),
    "turned-away": _turned_away,
}
TIMED: tuple[str, ...] = ()
