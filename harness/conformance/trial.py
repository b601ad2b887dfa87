"""A whole test of a server or a client: which scenarios are run, in which order, and what is left out.

A plain game comes first. If that goes wrong in a way that lets nothing else be seen, the rest is not
shown; what is wrong in it without stopping the game is not looked at again in the games that follow.
"""

from concurrent.futures import ThreadPoolExecutor, as_completed

from harness.conformance import clients, servers
from harness.conformance.verdict import Run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType
    from typing import Any

SIDES: "dict[str, ModuleType]" = {"server": servers, "client": clients}
PROGRAMS = {"server": "xserver", "client": "xclient"}

MEANING = {
    "server": {
        "signs-up": 'a JSON string is answered "ok"',
        "messages-well-formed": "each message is a Start, [LOB, LOB] or a State",
        "messages-in-order": "start, choose, then any number of feed_next, turn after turn, and then the end",
        "plays-by-the-rules": "the messages are those of our own game with the same cards",
        "scores": "the result lines are those of our own game",
        "ends-cleanly": "after the game it closes all connections and ends with status 0",
        "numbers-and-a-space": "a number may be followed by a space",
        "numbers-alone": "a number may be followed by nothing",
        "numbers-and-a-line-end": "a number may be followed by a line end",
        "split-messages": "answers may come in pieces",
        "white-space": "answers may be pretty-printed, with blank lines around them",
        "labelled-growth": "growth may have its labels",
        "any-name": "a name may be empty, long, or have any characters in it",
        "refuses-bad-sign-up": 'a client that signs up without a string gets no "ok", and disturbs nobody',
        "turns-later-sign-ups-away": 'a client that comes during a game gets no "ok", and is asked nothing',
        "throws-out-illegal-action": "a client that uses a card that it does not have is thrown out",
        "throws-out-malformed-action": "a client that answers with an object is thrown out",
        "throws-out-illegal-feeding": "a client that feeds a board that it does not have is thrown out",
        "throws-out-no-json": "a client that answers with what is not JSON is thrown out",
        "throws-out-endless-answer": "a client that sends megabytes of brackets is thrown out",
        "throws-out-two-answers": "a client that answers twice is thrown out",
        "throws-out-disconnected": "a client that closes its connection is thrown out",
        "throws-out-silent": "a client that says nothing is thrown out after --timeout",
        "throws-out-unasked-answer": "a client that speaks while somebody else is asked is thrown out",
        "waits-for-slow-answers": "a client that answers slowly, but within --timeout, is not thrown out",
    },
    "client": {
        "signs-up": "it connects and sends one JSON string",
        "answers-well-formed": "its answers are Action4s and FeedingChoices",
        "legal-choices": "its answers are allowed by the rules",
        "unlabelled-growth": "growth is [board, card], without a label",
        "answers-in-time": "each answer comes within --timeout",
        "speaks-only-when-asked": "it sends nothing but white space before a question and after its answer",
        "ends-cleanly": "it ends with status 0 when the server closes the connection after the game",
        "split-messages": "messages may come in pieces",
        "joined-messages": "the ok, a start and the choose that follows it may come in one piece",
        "pretty-printed-messages": "messages may be spread over many lines",
        "messages-on-lines": "messages may have line ends around them",
        "messages-and-a-space": "messages may be followed by a space",
        "another-deck": "its answers are legal on a shuffled deck, as the second player",
        "yet-another-deck": "its answers are legal on another one, as the third player",
        "eight-players": "its answers are legal among eight",
        "bears-a-slow-player": "it waits while others are slow",
        "turned-away": 'it ends if the server closes the connection without "ok"',
    },
}


def names_of(side: str, quick: bool = False) -> list[str]:
    """The scenarios of a whole test, or of one without those that wait for a time-out."""
    return [name for name in MEANING[side] if not (quick and name in SIDES[side].TIMED)]


class Trial:
    """A test of one program."""

    def __init__(self, side: str, settings: "Any", jobs: int, wanted: "Callable[[str], bool]") -> None:
        self._side = SIDES[side]
        self._settings = settings
        self._jobs = jobs
        self._wanted = wanted
        self.runs: dict[str, Run] = {}  # of the scenarios that have ended

    def run(self) -> "Iterator[tuple[str, Run]]":
        """The scenarios as they end, each with the run that it was seen in."""
        for name, run in self._all():
            self.runs[name] = run
            yield name, run

    def manners(self) -> "list[tuple[str, str]]":
        """How the program reads and writes, as far as it was found out: what, and how it is."""
        rows: list[tuple[str, str]] = self._side.manners(self.runs, self._settings)
        return rows

    def _all(self) -> "Iterator[tuple[str, Run]]":
        honest = [name for name in self._side.HONEST if self._wanted(name)]
        variants = [name for name in self._side.VARIANTS if self._wanted(name)]
        known: set[str] = set()
        if honest:
            run, self._settings = self._side.honest_game(self._settings)
            yield from ((name, run) for name in honest)
            known = {fault.scenario for fault in run.faults}
            failed = {fault.scenario for fault in run.faults if not fault.manner}
            fatal = next((name for name in self._side.FATAL if name in failed), None)
            if fatal is not None:
                yield from ((name, _following(name, fatal)) for name in variants)
                return
        yield from self._variants(variants, frozenset(known))

    def _variants(self, names: list[str], known: "frozenset[str]") -> "Iterator[tuple[str, Run]]":
        together = [name for name in names if name not in self._side.TIMED]
        with ThreadPoolExecutor(self._jobs) as threads:
            runs = {threads.submit(self._variant, name, known): name for name in together}
            try:
                for done in as_completed(runs):
                    yield runs[done], done.result()
            except BaseException:
                for one in runs:
                    one.cancel()
                from harness.conformance.started import end_all

                end_all()
                raise
        for name in names:
            if name in self._side.TIMED:
                yield name, self._variant(name, known)

    def _variant(self, name: str, known: "frozenset[str]") -> Run:
        run: Run = self._side.VARIANTS[name](self._settings, name, known)
        return run


def _following(scenario: str, fatal: str) -> Run:
    """The run of a scenario that was not played, since an earlier failure leaves nothing to see."""
    run = Run()
    run.missing = {scenario: f"it follows from {fatal}, which failed"}
    return run
