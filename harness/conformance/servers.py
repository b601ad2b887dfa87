"""What is tested of a server: an honest game first, then what it must bear, and whom it must throw out.

Each scenario says what must have been seen: above all a whole game, in which all honest clients kept their
seats to the end. What works in practice and only differs from the documents is manner.
"""

import json
import socket
import time
from dataclasses import dataclass, replace
from functools import partial

from harness.conformance.manner import BETWEEN, between, pieces
from harness.conformance.peers import IN_ORDER, WELL_FORMED, Loop, Peer, at_once
from harness.conformance.played import Played, cards_left, is_heeded, turns_of
from harness.conformance.rehearsal import CHOOSE, FEED, START, Rehearsal
from harness.conformance.result_lines import result_lines, wrong_results
from harness.conformance.started import Started, Terms, filled, free_port
from harness.conformance.verdict import SIGNS_UP, Fault, Run, found_out
from harness.judging.verdicts import CRASHED, NO_OUTPUT, NO_START, TIMEOUT, WRONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.conformance.peers import Manner
    from harness.conformance.result_lines import ResultLine

BY_THE_RULES = "plays-by-the-rules"
SCORES = "scores"
ENDS = "ends-cleanly"

NAMES = ("Anna", "Bert", "Cleo", "Dora", "Emil", "Fina", "Gus", "Hana")
ODD_NAMES = ("", 'Zoë "☃"', "L" + "o" * 197 + "ng")
OK_SOON = 1.0  # seconds after which the next client signs up even if this one was not answered
MUCH = b"[" * (4 << 20)  # bytes of an answer without an end
LONGEST = 30  # times as long as the server may take for one thing: a whole game
SLOW = 5.0  # seconds that a slow player takes, at most
SEPARATORS = {"space": b" ", "none": b"", "newline": b"\n"}  # as xclient names them; the first is tried first


@dataclass(frozen=True, slots=True)
class Settings(Terms):
    """How a server is tested.

    `timeout` and `wait` are the server's own; `patience` is what it may take for the rest.
    in_order: whether it deals the deck in card order. separator: what is sent after each answer.
    """

    wait: float = 10.0
    in_order: bool = True
    separator: bytes = b" "


# --- how answers are sent -------------------------------------------------------------------------


def in_pieces(peer: Peer, request: str, answer: str) -> None:
    """Send an answer in small pieces."""
    for at, piece in enumerate(pieces(answer.encode() + peer.loop.separator)):
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
        if len(peer.answers) == 1:
            peer.later(seconds, lambda: at_once(peer, request, answer))
        else:
            at_once(peer, request, answer)

    return send


class Rude:
    """What a client does that costs it its seat, when it is first asked something."""

    __slots__ = ("act", "at", "what")

    def __init__(self, what: str, at: str, act: "Callable[[Peer, str], None]") -> None:
        self.what = what
        self.at = at
        self.act = act


def _says(text: "str | bytes") -> "Callable[[Peer, str], None]":
    data = text if isinstance(text, bytes) else text.encode() + b" "
    return lambda peer, answer: peer.send(data)


RUDE = {
    "throws-out-illegal-action": Rude("uses a card that it does not have", CHOOSE, _says("[99,[],[],[],[]]")),
    "throws-out-malformed-action": Rude("answers with an object", CHOOSE, _says('{"all":"cards"}')),
    "throws-out-illegal-feeding": Rude("feeds a board that it does not have", FEED, _says("[99,1]")),
    "throws-out-no-json": Rude("answers with what is not JSON", CHOOSE, _says("everything, please")),
    "throws-out-endless-answer": Rude("sends an answer that does not end", CHOOSE, _says(MUCH)),
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
            self.loop.transcript.note(f"{self.name} {self._how.what}")
            self._how.act(self, answer)
            self.rude = True
        else:
            at_once(peer, request, answer)


class OutspokenPeer(Peer):
    """A client that says once what it was not asked, and is honest before and after."""

    spoke = -1  # after how many messages it did

    def speak(self, what: str, data: bytes) -> None:
        """Say it."""
        self.loop.transcript.note(f"{self.name} {what}")
        self.spoke = len(self.heard)
        self.send(data)

    @property
    def kept_its_seat(self) -> bool:
        """Whether it was told anything after that."""
        return len(self.heard) > self.spoke


def twice(peer: Peer, request: str, answer: str) -> None:
    """Give the first answer twice."""
    assert isinstance(peer, OutspokenPeer)
    if len(peer.answers) == 1:
        peer.speak("answers twice", f"{answer} {answer} ".encode())
    else:
        at_once(peer, request, answer)


def holding(speaker: OutspokenPeer, seconds: float) -> "Manner":
    """Let somebody speak while one's own first answer is still due."""

    def send(peer: Peer, request: str, answer: str) -> None:
        if len(peer.answers) == 1:  # the speaker has answered its own
            speaker.speak("speaks without being asked", b"[0,[],[],[],[]] ")
            peer.later(seconds, lambda: at_once(peer, request, answer))
        else:
            at_once(peer, request, answer)

    return send


class Stranger(Peer):
    """A client that must not be signed up: it may be told why, but never "ok", and nothing else."""

    def __init__(self, loop: Loop, name: str, what: str) -> None:
        super().__init__(loop, name)
        self.rude = True
        self._what = what

    def _message(self, value: object, data: bytes) -> None:
        if type(value) is not str or value == "ok":
            shown = data[:100].decode(errors="backslashreplace")
            raise Fault(self.loop.scenario, WRONG, f"{self.name}, who {self._what}, is told {shown}")


# --- one run --------------------------------------------------------------------------------------


class ServerRun(Run):
    """One game on the server that is tested."""

    def __init__(self, settings: Settings, scenario: str, known: "frozenset[str]" = frozenset()) -> None:
        """`known` are the scenarios that the server fails anyway, which are not looked at again."""
        super().__init__()
        self._settings = settings
        self._known = known
        self.scenario = scenario
        self.loop = Loop(self.transcript, settings.patience, scenario, settings.separator)
        self.loop.longest = LONGEST * (settings.timeout + settings.wait + settings.patience)
        self.peers = [Peer(self.loop, name) for name in NAMES[: settings.players]]
        self.before: list[tuple[Stranger, bytes]] = []  # who comes before the others, and what it says
        self.late: Stranger | None = None
        self.rude = -1  # which of the peers loses its seat, and when it is asked what
        self.rude_at = ""
        self.outspoken: OutspokenPeer | None = None
        self.lacks: Callable[[], str] = lambda: ""  # what else must have been seen, and was not
        self.sign_up: Callable[[Peer], bytes] = self._sign_up
        self.grace = settings.patience  # how long after the time-out the game must go on
        self.comparable = True  # whether the scores can be known
        self.played: Played | None = None
        self.only_the_deck = False  # whether the game is by the rules, but for the order of the deck

    def play(self) -> "ServerRun":
        """Start the server, sign up, play, and wait for its end; faults are kept."""
        try:
            chosen = "{port}" in self._settings.command
            port = free_port(self._settings.host) if chosen else self._settings.port
            words = filled(self._settings.command, port=port, host=self._settings.host, name="server")
            with Started(words, self._settings, port) as server:
                try:
                    self._play(server, port)
                finally:
                    self.keep_end_of(server)
        except Fault as fault:
            self.faults.append(fault)
        self._note_missing()
        self.settle(self.scenario, CONSEQUENCES)
        return self

    def _play(self, server: Started, port: int) -> None:
        is_over = False
        try:
            self._talk(server, port)
            is_over = True
        except Fault as fault:
            self.faults.append(fault)
        finally:
            self.loop.close()
        self.played = self._judged(is_over)
        for each in self.faults:
            server.explain(each)
        if is_over and self.played.is_whole:
            self._check_end(server, self.played)

    def _talk(self, server: Started, port: int) -> None:
        """Sign everybody up, and answer until all connections are closed. Raises Fault."""
        for stranger, data in self.before:
            stranger.attach(self._connected(server, port))
            stranger.send(data)
        self._sign_all_up(server, port)
        if self.late is not None:
            self.loop.has_started = lambda: self._come_late(port)
        self._await_start()
        self._await(
            lambda: all(peer.closed for peer in self.peers),
            IN_ORDER,
            "the server says nothing more, and does not close the connections of "
            + ", ".join(NAMES[: self._settings.players]),
        )

    def _sign_all_up(self, server: Started, port: int) -> None:
        """Sign up one after the other; the next one comes after an "ok", or after a while without it."""
        answered = False
        for peer in self.peers:
            answered = answered or any(map(_is_signed_up, self.peers))
            peer.attach(self._connected(server, port))
            peer.send(self.sign_up(peer))
            self._hear(partial(_is_signed_up, peer), min(OK_SOON, self._settings.patience))
        for peer in self.peers:
            self._await(partial(_is_signed_up, peer), SIGNS_UP, f'{peer.name} signed up and got no "ok"')
        if not answered and not self.scenario:
            words = 'nobody is told "ok" before all have signed up'
            self._fault(SIGNS_UP, WRONG, words, "a client that waits for it must say nothing more meanwhile")

    def _sign_up(self, peer: Peer) -> bytes:
        return json.dumps(peer.name).encode() + self._settings.separator

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
                self._hear(lambda: False, 0.02)

    def _hear(self, is_done: "Callable[[], bool]", seconds: float) -> None:
        """Hear those who are connected until it is done, or for a while. Raises Fault for what is wrong."""
        silent = Fault(SIGNS_UP, TIMEOUT, "")
        try:
            self.loop.run(is_done, silent, seconds)
        except Fault as fault:
            if fault is not silent:
                raise

    def _await(self, is_done: "Callable[[], bool]", scenario: str, words: str) -> None:
        self.loop.run(is_done, Fault(scenario, TIMEOUT, f"{words} within {self.loop.patience:g} s"))

    def _await_start(self) -> None:
        """The first turn begins, after the server has waited for more sign-ups."""
        patience, self.loop.patience = self.loop.patience, self._settings.wait + self._settings.patience
        self._await(
            lambda: any(peer.heard or peer.closed for peer in self.peers), IN_ORDER, "no game was started"
        )
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
        self.late.send(json.dumps(self.late.name).encode() + self._settings.separator)

    # --- what was played -------------------------------------------------------------------------

    def _judged(self, is_over: bool) -> Played:
        """The game that was played, as far as it was; faults are kept."""
        if self.outspoken is not None and self.outspoken.spoke >= 0 and is_over:
            return self._judged_outspoken(self.outspoken)
        was_rude = self.peers[self.rude].rude  # or it was never asked that
        played = Played(self.peers, self.rude if was_rude else -1, self.rude_at)
        if self.rude_at == CHOOSE and played.rude != len(self.peers) - 1:
            self.comparable = False  # those after it may be asked before or after it has lost its seat
        if is_over and not played.is_whole:
            self._fault(IN_ORDER, NO_OUTPUT, self._broken_off(played))
        if BY_THE_RULES not in self._known and self.comparable:
            self._check_rules(played)
        if not played.is_as_signed_up and not self.scenario:
            names = ", ".join(peer.name for peer in played.peers)
            consequence = "a game cannot be played again by its names alone"
            self._fault(IN_ORDER, WRONG, f"the seats are not in order of sign-up, but {names}", consequence)
        return played

    def _judged_outspoken(self, speaker: OutspokenPeer) -> Played:
        """The game of somebody who was to be thrown out for what it said unasked."""
        if not speaker.kept_its_seat:
            self.comparable = False  # when exactly it is noticed is left to the server
            played = Played(self.peers, self.peers.index(speaker), CHOOSE)
            if not played.is_whole:
                self._fault(IN_ORDER, NO_OUTPUT, self._broken_off(played))
            return played
        played = Played(self.peers)
        if played.departure is None and played.is_whole:
            consequence = "a client that speaks too early keeps its seat here, and loses it elsewhere"
            words = f"{speaker.name} was not thrown out: what it said unasked is ignored"
            self._fault(self.scenario, WRONG, words, consequence)
        else:
            self._fault(self.scenario, WRONG, f"{speaker.name} was not thrown out: it is told more")
        return played

    def _fault(self, scenario: str, verdict: str, detail: str, manner: str = "") -> None:
        self.faults.append(Fault(scenario, verdict, detail, manner=manner))

    def _broken_off(self, played: Played) -> str:
        """How the game ended too early."""
        if played.departure is None:
            return played.cut_short
        first = min(played.honest, key=lambda peer: len(peer.heard))
        return (
            f"the connection to {first.name} was closed after {len(first.heard)} messages, in turn "
            f"{turns_of(first)}, with {cards_left(played.peers)} cards left in the deck"
        )

    def _check_rules(self, played: Played) -> None:
        """See that the game is by the rules, and the deck in card order if it should be."""
        departure, more = played.departure, ""
        if departure is None and self._settings.in_order:
            departure = played.out_of_card_order()
            more = " with the deck in card order (--deck any takes the cards as they are dealt)"
        if departure is not None:
            fault = Fault(BY_THE_RULES, WRONG, departure.detail + more, departure.differences)
            fault.said = departure.said
            self.faults.append(fault)
            self.only_the_deck = played.departure is None

    # --- the end ---------------------------------------------------------------------------------

    def _check_end(self, server: Started, played: Played) -> None:
        if ENDS not in self._known:
            try:
                server.check_end(ENDS, self._settings.patience, "the game")
            except Fault as fault:
                self.faults.append(fault)
        if SCORES not in self._known:
            self._check_results(self._printed(server, played), played)

    def _printed(self, server: Started, played: Played) -> "list[ResultLine]":
        """The result lines; a server that does not end may need a moment to print them."""
        deadline = time.monotonic() + self._settings.patience
        while True:
            found = result_lines(server.printed())
            if len(found) >= len(played.honest) or server.ended is not None or time.monotonic() > deadline:
                return found
            time.sleep(0.02)

    def _check_results(self, lines: "list[ResultLine]", played: Played) -> None:
        """The result lines, compared with those of our own game."""
        if not lines:
            self._fault(SCORES, NO_OUTPUT, "the server prints no result lines")
            return
        if self.comparable and played.departure is None:
            names = [peer.name for peer in self.peers]
            wrong = wrong_results(lines, played.rehearsal.result, names, played.order)
        else:
            scored = sum(line.score is not None for line in lines)
            due = len(played.honest)
            wrong = "" if scored == due else f"{scored} result lines have a score, where {due} have played"
        if wrong:
            self._fault(SCORES, WRONG, wrong)

    def _note_missing(self) -> None:
        """Note what was not seen; a failure that comes before is the reason."""
        counted = [fault for fault in self.faults if not fault.manner]
        follows = f"it follows from {counted[0].scenario or SIGNS_UP}, which failed" if counted else ""
        if self.played is None or not all(peer.signed_up for peer in self.peers):
            self.missing = dict.fromkeys(HONEST, follows or "not everybody was signed up")
            return
        kinds = {each.request for peer in self.peers for each in peer.heard}
        unseen = [kind for kind in (START, CHOOSE, FEED) if kind not in kinds]
        if unseen and not self.scenario:
            self.missing[WELL_FORMED] = f"there was no {unseen[0]} in the game"
        if any(fault.scenario == BY_THE_RULES for fault in counted) and not self.only_the_deck:
            self.missing[SCORES] = f"it follows from {BY_THE_RULES}, which failed"
        if not self.played.is_whole:
            later = (IN_ORDER, BY_THE_RULES, SCORES, ENDS)
            self.missing |= dict.fromkeys(later, follows or "the game was not seen to its end")
        elif lack := self.lacks() or self._unheeded(self.played):
            self.missing = {self.scenario: lack}

    def _unheeded(self, played: Played) -> str:
        """Why a game for a scenario shows nothing of how answers are read, in words; empty if it does."""
        if not self.scenario or played.departure is None or any(map(is_heeded, played.honest)):
            return ""
        return "nothing shows that the server reads answers: no board got a trait of a card that was used"


def _is_signed_up(peer: Peer) -> bool:
    return peer.signed_up


# --- the scenarios --------------------------------------------------------------------------------

# Seen in one honest game, in the order in which a fault in one hides the next.
HONEST = (SIGNS_UP, WELL_FORMED, IN_ORDER, BY_THE_RULES, SCORES, ENDS)
FATAL = (SIGNS_UP, WELL_FORMED, IN_ORDER)


def honest_game(settings: Settings) -> "tuple[Run, Settings]":
    """The game of honest clients in which the first scenarios are seen, and how the others are played.

    Where no game comes about, answers are sent with another end: a server may need a byte after a number, or
    none.
    """
    first = None
    for separator in dict.fromkeys([settings.separator, *SEPARATORS.values()]):
        run = ServerRun(replace(settings, separator=separator), "").play()
        first = first or run
        failed = [fault for fault in run.faults if fault.scenario in FATAL and not fault.manner]
        if not failed:
            in_order = settings.in_order and not run.only_the_deck
            return run, replace(settings, separator=separator, in_order=in_order)
        if not any(fault.verdict in (TIMEOUT, NO_OUTPUT) for fault in failed):
            break
    assert first is not None
    return first, settings


def _in_a_manner(manner: "Manner", sign_up: "Callable[[Peer], bytes] | None" = None) -> "Callable[..., Run]":
    def run(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
        one = ServerRun(settings, scenario, known)
        one.peers = [Peer(one.loop, peer.name, manner) for peer in one.peers]
        if sign_up is not None:
            one.sign_up = sign_up
        return one.play()

    return run


def _labelled(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.peers = [Peer(one.loop, peer.name, labelled) for peer in one.peers]
    one.lacks = lambda: "" if any(map(_grows, one.peers)) else "nobody grew in the game"
    return one.play()


def _grows(peer: Peer) -> bool:
    return any(request == CHOOSE and any(json.loads(answer)[1:3]) for request, answer in peer.answers)


def _ending(separator: bytes) -> "Callable[..., Run]":
    """A game in which numbers, and all other answers, end like this."""

    def run(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
        one = ServerRun(replace(settings, separator=separator), scenario, known)
        one.lacks = lambda: "" if any(map(_answers_number, one.peers)) else "no answer was a number"
        return one.play()

    return run


def _answers_number(peer: Peer) -> bool:
    return any(answer.isdigit() for _, answer in peer.answers)


def _odd_names(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    for peer, name in zip(one.peers, ODD_NAMES, strict=False):
        peer.name = name
    return one.play()


def _slow(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.peers[2] = Peer(one.loop, one.peers[2].name, slowly(slow_answer(settings)))
    return one.play()


def slow_answer(settings: Settings) -> float:
    """The seconds that the slow player takes."""
    return min(SLOW, 0.6 * settings.timeout)


def _late(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.late = Stranger(one.loop, "Late", "signed up when the game had begun")
    return one.play()


def _bad_sign_up(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    wrong = {
        "Number": ("a number", b"42"),
        "List": ("an empty list", b"[]"),
        "Object": ("an object", json.dumps({"name": "Object " * 500}).encode()),
        "Numbers": ("a thousand numbers", json.dumps([*range(1000)]).encode()),
    }
    one.before = [
        (Stranger(one.loop, name, f"signed up with {what}"), data + settings.separator)
        for name, (what, data) in wrong.items()
    ]
    return one.play()


def _unasked(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.outspoken = OutspokenPeer(one.loop, one.peers[0].name)
    one.peers[0] = one.outspoken
    one.peers[-1] = Peer(one.loop, one.peers[-1].name, holding(one.outspoken, 0.1 * settings.timeout))
    return one.play()


def _answers_twice(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    one = ServerRun(settings, scenario, known)
    one.outspoken = OutspokenPeer(one.loop, one.peers[-1].name, twice)
    one.peers[-1] = one.outspoken
    return one.play()


def _with_rude(settings: Settings, scenario: str, known: "frozenset[str]") -> Run:
    how = RUDE[scenario]
    one = ServerRun(settings, scenario, known)
    one.rude = max(0, Rehearsal(settings.players, is_other=True).last_asked(how.at))
    one.rude_at = how.at
    if scenario in TIMED:
        one.grace = 1.0 + settings.timeout
    peer = RudePeer(one.loop, one.peers[one.rude].name, how)
    one.lacks = lambda: "" if peer.rude else f"{peer.name} was never asked to {how.at}"
    one.peers[one.rude] = peer
    return one.play()


ENDINGS = {"space": "numbers-and-a-space", "none": "numbers-alone", "newline": "numbers-and-a-line-end"}
ENDING_WORDS = {"space": "a space", "none": "nothing", "newline": "a line end"}

# Each in a game of its own.
VARIANTS: "dict[str, Callable[[Settings, str, frozenset[str]], Run]]" = {
    **{scenario: _ending(SEPARATORS[name]) for name, scenario in ENDINGS.items()},
    "split-messages": _in_a_manner(in_pieces),
    "white-space": _in_a_manner(with_white_space, lambda peer: f'\n\n  "{peer.name}"\r\n'.encode()),
    "labelled-growth": _labelled,
    "any-name": _odd_names,
    "refuses-bad-sign-up": _bad_sign_up,
    "turns-later-sign-ups-away": _late,
    **dict.fromkeys(RUDE, _with_rude),
    "throws-out-two-answers": _answers_twice,
    "throws-out-unasked-answer": _unasked,
    "waits-for-slow-answers": _slow,
}


def manners(runs: "dict[str, Run]", settings: Settings) -> "list[tuple[str, str]]":
    """How the server reads and writes, as far as it was found out: what, and how it is."""
    shown = found_out(runs)
    endings = [name for name, scenario in ENDINGS.items() if shown.get(scenario)]
    honest = runs.get(SIGNS_UP)
    raw = honest.peers[0].raw if isinstance(honest, ServerRun) else b""
    rows = [
        ("between its messages", between(raw) if raw else ""),
        ("after a number it takes", ", ".join(map(ENDING_WORDS.__getitem__, endings))),
        ("an answer in pieces", _told(shown, "split-messages", "is read", "is not read")),
        ("white space around an answer", _told(shown, "white-space", "is skipped", "is not read")),
        ("a player that is slow", _told(shown, "waits-for-slow-answers", *_silence(settings))),
        ("names", _told(shown, "any-name", "any", "short ones of plain letters")),
        ("so, for xclient", f"--separator {endings[0]}" if endings else ""),
    ]
    return [(what, how) for what, how in rows if how]


def _silence(settings: Settings) -> tuple[str, str]:
    seconds = slow_answer(settings)
    return f"is waited for, {seconds:g} s at least", f"is not waited for, not even {seconds:g} s"


def _told(shown: dict[str, bool], scenario: str, right: str, wrong: str) -> str:
    return "" if scenario not in shown else right if shown[scenario] else wrong


# These are about time, and run alone.
TIMED = ("throws-out-silent", "waits-for-slow-answers")
# What follows in practice where these fail: they are about manner.
CONSEQUENCES = {
    "numbers-and-a-space": "a client must not send a space after a number (xclient --separator none)",
    "numbers-alone": "a client must send something after a number (xclient --separator space)",
    "numbers-and-a-line-end": "a client must not send a line end after a number",
    "white-space": "a client must send its answers on one line, and nothing around them",
    "labelled-growth": "a client must send growth as [board, card]",
    "any-name": "a client must sign up with a short name of plain letters",
}
