"""What is tested of a server: an honest game first, then what it must bear, and whom it must throw out."""

import json
import re
import socket
import time
from dataclasses import dataclass
from functools import partial

from harness.conformance.manner import BETWEEN, pieces
from harness.conformance.peers import BY_THE_RULES, IN_ORDER, SIGNS_UP, WELL_FORMED, Loop, Peer, at_once
from harness.conformance.rehearsal import CHOOSE, FEED, Rehearsal
from harness.conformance.started import Started, Terms, filled, free_port
from harness.conformance.verdict import Fault, NotTried, Run
from harness.judging.compare import line_differences
from harness.judging.verdicts import CRASHED, NO_OUTPUT, NO_START, TIMEOUT, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.conformance.peers import Manner

SCORES = "scores"
ENDS = "ends-cleanly"

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fina", "Gus", "Hana")
RESULT = re.compile(r'^(\d+|-) player id: (\d+) (?:score: (\d+)|thrown out: .*?)(?: name: (".*"))?$')
MUCH = b"[" * (4 << 20)  # bytes of an answer without an end


@dataclass(frozen=True, slots=True)
class Settings(Terms):
    """How a server is tested.

    `timeout` and `wait` are the server's own; `patience` is what it may take for the rest.
    in_order: whether it deals the deck in card order, so that its game can be known beforehand.
    """

    wait: float = 10.0
    in_order: bool = True


# --- how answers are sent -------------------------------------------------------------------------


def in_pieces(peer: Peer, request: str, answer: str) -> None:
    """Send an answer in small pieces."""
    for at, piece in enumerate(pieces(answer.encode() + b" ")):
        peer.later(at * BETWEEN, partial(peer.send, piece))


def with_white_space(peer: Peer, request: str, answer: str) -> None:
    """Send an answer as a pretty printer writes it, with lines before and after it."""
    pretty = json.dumps(json.loads(answer), indent=2)
    peer.send(f"\n {pretty}\r\n\n".encode())


def labelled(peer: Peer, request: str, answer: str) -> None:
    """Send growth with its labels."""
    if request == CHOOSE:
        food, population, body, *rest = json.loads(answer)
        population = [["population", *growth] for growth in population]
        body = [["body", *growth] for growth in body]
        answer = json.dumps([food, population, body, *rest])
    at_once(peer, request, answer)


def slowly(seconds: float) -> "Manner":
    """Answer after a while, but in time; only the first question, since there are many."""

    def send(peer: Peer, request: str, answer: str) -> None:
        if peer.heard == 2:  # the start and the first choose
            peer.later(seconds, lambda: at_once(peer, request, answer))
        else:
            at_once(peer, request, answer)

    return send


class Rude:
    """What a client does that costs it its seat: when it is first asked something, or told it.

    exact: whether it is clear at which moment it loses its seat, so that the scores can be known.
    """

    __slots__ = ("act", "at", "exact", "what")

    def __init__(self, what: str, at: str, act: "Callable[[Peer, str], None]", exact: bool = True) -> None:
        self.what = what
        self.at = at
        self.act = act
        self.exact = exact


def _says(text: "str | bytes") -> "Callable[[Peer, str], None]":
    data = text if isinstance(text, bytes) else text.encode() + b" "
    return lambda peer, answer: peer.send(data)


RUDE = {
    "throws-out-illegal-action": Rude("uses a card that it does not have", CHOOSE, _says("[99,[],[],[],[]]")),
    "throws-out-malformed-action": Rude("answers with an object", CHOOSE, _says('{"all":"cards"}')),
    "throws-out-illegal-feeding": Rude("feeds a board that it does not have", FEED, _says("[99,1]")),
    "throws-out-no-json": Rude("answers with what is not JSON", CHOOSE, _says("everything, please")),
    "throws-out-endless-answer": Rude("sends an answer that does not end", CHOOSE, _says(MUCH)),
    "throws-out-two-answers": Rude(
        "answers twice", CHOOSE, lambda peer, answer: peer.send(f"{answer} {answer} ".encode()), exact=False
    ),
    "throws-out-disconnected": Rude("closes its connection", CHOOSE, lambda peer, answer: peer.leave()),
    "throws-out-silent": Rude("says nothing", CHOOSE, lambda peer, answer: None),
}


class RudePeer(Peer):
    """A client that is honest up to a moment."""

    def __init__(self, loop: Loop, name: str, how: Rude) -> None:
        super().__init__(loop, name, self._be_rude)
        self._how = how

    def _be_rude(self, peer: Peer, request: str, answer: str) -> None:
        if request == self._how.at:
            self._now(answer)
        else:
            at_once(peer, request, answer)

    def _now(self, answer: str) -> None:
        self.loop.transcript.note(f"{self.name} {self._how.what}")
        self._how.act(self, answer)
        self.rude = True


class UnaskedPeer(Peer):
    """A client that answers well, and later says something without being asked."""

    def speak(self) -> None:
        """Do so. Somebody else must be asked at this moment, who has not answered."""
        self.loop.transcript.note(f"{self.name} speaks without being asked")
        self.send(b"[0,[],[],[],[]] ")
        self.rude = True


def holding(speaker: UnaskedPeer, seconds: float) -> "Manner":
    """Let somebody speak while one's own first answer is still due."""

    def send(peer: Peer, request: str, answer: str) -> None:
        if peer.heard == 2:  # the start and the first choose: the speaker has answered its own
            speaker.speak()
            peer.later(seconds, lambda: at_once(peer, request, answer))
        else:
            at_once(peer, request, answer)

    return send


class Stranger(Peer):
    """A client that must not be signed up: nothing may be told to it, not even "ok"."""

    def __init__(self, loop: Loop, name: str, what: str) -> None:
        super().__init__(loop, name)
        self.rude = True
        self._what = what

    def _message(self, value: object, data: bytes) -> None:
        shown = data[:100].decode(errors="backslashreplace")
        raise Fault(self.loop.scenario, WRONG, f"{self.name}, who {self._what}, is told {shown}")


class Latecomer(Stranger):
    """A client that comes when the game has begun: it may be told why it is turned away, but never "ok"."""

    def _message(self, value: object, data: bytes) -> None:
        if type(value) is not str or value == "ok":
            super()._message(value, data)


# --- one run --------------------------------------------------------------------------------------


class ServerRun(Run):
    """One game on the server that is tested."""

    def __init__(self, settings: Settings, scenario: str, known: "frozenset[str]" = frozenset()) -> None:
        """`known` are the scenarios that the server fails anyway, which are not looked at again."""
        super().__init__()
        self._settings = settings
        self._known = known
        self.scenario = scenario
        self.loop = Loop(self.transcript, settings.patience, scenario)
        self.loop.comparing = settings.in_order and BY_THE_RULES not in known
        self.peers = [Peer(self.loop, name) for name in NAMES[: settings.players]]
        self.before: list[tuple[Stranger, bytes]] = []  # who comes before the others, and what it says
        self.late: Latecomer | None = None
        self.rehearsal = Rehearsal(settings.players)
        self.sign_up: Callable[[Peer], bytes] = _sign_up
        self.grace = settings.patience  # how long after the time-out the game must go on
        self.comparable = True  # whether the scores can be known

    def play(self) -> "ServerRun":
        """Start the server, sign up, play, and wait for its end; faults are kept."""
        try:
            chosen = "{port}" in self._settings.command
            port = free_port(self._settings.host) if chosen else self._settings.port
            words = filled(self._settings.command, port=port, host=self._settings.host, name="server")
            with Started(words, self._settings.sandbox, port) as server:
                try:
                    self._play(server, port)
                except Fault as fault:
                    server.explain(fault)
                    raise
                finally:
                    self.loop.close()
                    self.exit = server.ended
                    server.close()
                    self.stdout, self.stderr = server.printed(), server.complained()
                    server.forget()
        except Fault as fault:
            self.faults.append(fault)
        self.faults += self.loop.faults  # behind what has ended the game, if something has
        for each in self.faults:  # in a run for one scenario, whatever goes wrong fails that one
            each.scenario = self.scenario or each.scenario or SIGNS_UP
        self.seconds = self.transcript.seconds
        return self

    def _play(self, server: Started, port: int) -> None:
        for at, peer in enumerate(self.peers):
            peer.expected = self.rehearsal.told[at]
        for stranger, data in self.before:
            stranger.attach(self._connected(server, port))
            stranger.send(data)
        for peer in self.peers:
            peer.attach(self._connected(server, port))
            peer.send(self.sign_up(peer))
            self._await(partial(_is_signed_up, peer), SIGNS_UP, f'{peer.name} signed up and got no "ok"')
        if self.late is not None:
            self.loop.has_started = lambda: self._come_late(port)
        self._await_start()
        self._await(
            lambda: all(peer.closed for peer in self.peers),
            IN_ORDER,
            "the server says nothing more, and does not close the connections of "
            + ", ".join(NAMES[: self._settings.players]),
        )
        self._check_end(server)

    def _connected(self, server: Started, port: int) -> socket.socket:
        """A connection to the server, which may take a while to be there."""
        deadline = time.monotonic() + self._settings.patience
        while True:
            try:
                return socket.create_connection((self._settings.host, port), self._settings.patience)
            except OSError:
                if server.ended is not None:
                    verdict = CRASHED if server.ended < 0 else NO_START
                    raise Fault(
                        SIGNS_UP, verdict, f"{server.how_it_ended()}, and nobody listens on port {port}"
                    ) from None
                if time.monotonic() > deadline:
                    seconds = self._settings.patience
                    raise Fault(
                        SIGNS_UP, NO_START, f"nobody listens on port {port} after {seconds:g} s"
                    ) from None
                time.sleep(0.02)

    def _await(self, is_done: "Callable[[], bool]", scenario: str, words: str) -> None:
        self.loop.run(is_done, Fault(scenario, TIMEOUT, f"{words} within {self.loop.patience:g} s"))

    def _await_start(self) -> None:
        """The first turn begins, after the server has waited for more sign-ups."""
        patience, self.loop.patience = self.loop.patience, self._settings.wait + self._settings.patience
        some = [peer for peer in self.peers if not isinstance(peer, Stranger)]
        self._await(lambda: any(peer.heard or peer.closed for peer in some), IN_ORDER, "no game was started")
        # From now on, a server may wait for an answer as long as it says.
        self.loop.patience = min(patience, self.grace) + self._settings.timeout

    def _come_late(self, port: int) -> None:
        assert self.late is not None
        try:
            connection = socket.create_connection((self._settings.host, port), self._settings.patience)
        except OSError:
            self.transcript.note(f"{self.late.name} cannot connect any more")
            return
        self.late.attach(connection)
        self.late.send(json.dumps(self.late.name).encode() + b" ")

    # --- the end ---------------------------------------------------------------------------------

    def _check_end(self, server: Started) -> None:
        if ENDS not in self._known:
            try:
                server.check_end(ENDS, self._settings.patience, "the game")
            except Fault as fault:
                self.faults.append(fault)
        if SCORES not in self._known:
            self._check_results(self._printed(server))

    def _printed(self, server: Started) -> "list[re.Match[str]]":
        """The result lines; a server that does not end may need a moment to print them."""
        deadline = time.monotonic() + self._settings.patience
        while True:
            found = [match for line in server.printed().splitlines() if (match := RESULT.match(line))]
            if len(found) >= len(self.peers) or server.ended is not None or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def _check_results(self, found: "list[re.Match[str]]") -> None:
        """The result lines, compared with those of our own game."""
        if not found:
            raise Fault(SCORES, NO_OUTPUT, "the server prints no result lines")
        lines = [
            _line(match[1], int(match[2]), match[3], self._name(int(match[2]), match[4])) for match in found
        ]
        wanted = self._wanted()
        if not (self._settings.in_order and self.comparable):
            lines, wanted = sorted(map(_without_score, lines)), sorted(map(_without_score, wanted))
        if lines != wanted:
            found_lines = line_differences(wanted, lines)
            raise Fault(SCORES, WRONG, "the result lines are not those of our own game", found_lines[:10])

    def _name(self, number: int, written: "str | None") -> str:
        """The name that a result line has; one without a name is taken for right."""
        if written is None:
            return self.peers[number - 1].name if 0 < number <= len(self.peers) else ""
        try:
            return str(json.loads(written))
        except ValueError:
            return written

    def _wanted(self) -> list[str]:
        result = self.rehearsal.result
        ranked = [
            _line(str(rank), number, str(points), self.peers[number - 1].name)
            for rank, (number, points) in enumerate(result.ranking, 1)
        ]
        return ranked + [
            _line("-", number, None, self.peers[number - 1].name) for number, _ in result.thrown_out
        ]


def _sign_up(peer: Peer) -> bytes:
    return json.dumps(peer.name).encode() + b" "


def _is_signed_up(peer: Peer) -> bool:
    return peer.signed_up


def _line(rank: str, number: int, points: "str | None", name: str) -> str:
    what = "thrown out" if points is None else f"score: {points}"
    return f"{rank} player id: {number} {what} name: {json.dumps(name)}"


def _without_score(line: str) -> str:
    return re.sub(r"^\d+ (.*) score: \d+ ", r"\1 ", line)


# --- the scenarios --------------------------------------------------------------------------------

# Seen in one honest game, in the order in which a fault in one hides the next.
HONEST = (SIGNS_UP, WELL_FORMED, IN_ORDER, BY_THE_RULES, SCORES, ENDS)
FATAL = (SIGNS_UP, WELL_FORMED, IN_ORDER)


def honest_game(settings: Settings) -> Run:
    """The game of honest clients in which the first scenarios are seen."""
    return ServerRun(settings, "").play()


def _in_a_manner(manner: "Manner", sign_up: "Callable[[Peer], bytes] | None" = None) -> "Callable[..., Run]":
    def run(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
        one = ServerRun(settings, scenario, known)
        one.peers = [Peer(one.loop, peer.name, manner) for peer in one.peers]
        if sign_up is not None:
            one.sign_up = sign_up
        return one.play()

    return run


def _slow(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.peers[0] = Peer(one.loop, one.peers[0].name, slowly(0.6 * settings.timeout))
    return one.play()


def _late(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.late = Latecomer(one.loop, "Late", "signed up when the game had begun")
    return one.play()


def _bad_sign_up(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.before = [(Stranger(one.loop, "Number", "signed up with a number"), b"42 ")]
    return one.play()


def _unasked(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.comparable = one.loop.comparing = False
    one.rehearsal = Rehearsal(settings.players, 0, CHOOSE)
    speaker = UnaskedPeer(one.loop, one.peers[0].name)
    one.peers[0] = speaker
    one.peers[-1] = Peer(one.loop, one.peers[-1].name, holding(speaker, 0.1 * settings.timeout))
    return one.play()


def _with_rude(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    how = RUDE[scenario]
    one = ServerRun(settings, scenario, known)
    rude = one.rehearsal.last_asked(how.at)
    if rude < 0:
        raise NotTried(f"nobody is asked to {how.at} in a game of {settings.players}")
    one.rehearsal = Rehearsal(settings.players, rude, how.at)
    one.comparable = how.exact
    if scenario in TIMED:
        one.grace = 1.0 + settings.timeout
    one.loop.comparing = one.loop.comparing and how.exact
    peer = RudePeer(one.loop, one.peers[rude].name, how)
    one.peers[rude] = peer
    one.play()
    if not one.faults and not peer.rude:
        raise NotTried(f"{peer.name} was never asked to {how.at}")
    return one


# Each in a game of its own.
VARIANTS: "dict[str, Callable[[Settings, str, frozenset[str]], Run]]" = {
    "split-messages": _in_a_manner(in_pieces),
    "white-space": _in_a_manner(with_white_space, lambda peer: f'\n\n  "{peer.name}"\r\n'.encode()),
    "labelled-growth": _in_a_manner(labelled),
    "refuses-bad-sign-up": _bad_sign_up,
    "turns-later-sign-ups-away": _late,
    **dict.fromkeys(RUDE, _with_rude),
    "throws-out-unasked-answer": _unasked,
    "waits-for-slow-answers": _slow,
}
# These are about time, and run alone.
TIMED = ("throws-out-silent", "waits-for-slow-answers")
