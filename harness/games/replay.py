"""Playing a game again from its log: to the same end, or to the first line that does not agree.

The players of a replay repeat what the log says that they answered; the game tells what happens as it
did when the log was written, and line by line both must say the same.
"""

from evolution.actions import Action4
from evolution.cards import Card, shuffled_deck
from evolution.choices import FeedingChoice, State
from evolution.game import FEWEST_PLAYERS, MOST_PLAYERS, Game
from evolution.player import Start, View
from evolution.species import Species
from evolution.table import Player
from evolution.wire import messages
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput, Malformed, NotJSON
from evolution.wire.log import VERSION, line, text
from evolution.wire.reading import cards
from evolution.wire.text import parse
from harness.errors import UserError
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from evolution.game import Result
    from evolution.observed import Observer

    Event = dict[str, Any]

LONGEST_LOG = 64 << 20  # bytes; a game of eight players takes about a hundred thousand
SHOWN = 200  # characters of a part of a line in an error


class BadLog(UserError):
    """A log that cannot be replayed, or does not agree with the rules; `line` counts from 1.

    is_cut: whether the log agrees with the rules as far as it goes, but ends before the game does.
    """

    def __init__(self, line: int, problem: str, is_cut: bool = False) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line
        self.is_cut = is_cut


def read_log(data: bytes) -> "list[Event]":
    """The events of a log. Raises BadLog where it is not one."""
    events: list[Event] = []
    lines = data.split(b"\n")
    cut = lines.pop()  # whatever follows the last line end
    for number, one in enumerate(lines, 1):
        events.append(_event(number, one))
    if cut:
        raise BadLog(len(lines) + 1, "the log is cut off in this line")
    if not events:
        raise BadLog(1, "the log is empty")
    return events


def _event(number: int, data: bytes) -> "Event":
    try:
        value = parse(data)
    except NotJSON as problem:
        raise BadLog(number, str(problem)) from None
    except Malformed:
        raise BadLog(number, "more than one value in a line") from None
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        raise BadLog(number, 'not an event: expected an object with "event"')
    if number == 1 and value["event"] != "game":
        raise BadLog(1, f'not the log of a game: expected the event "game", found {text(value["event"])}')
    if number == 1 and value.get("v") != VERSION:
        raise BadLog(1, f"a log of version {text(value.get('v'))}, not {VERSION}")
    return value


class Header:
    """The first line of a log: who plays, on which deck, and who listens."""

    __slots__ = ("deck", "listening", "players", "seed")

    def __init__(self, event: "Event") -> None:
        """Raises BadLog unless a game can be begun with it."""
        self.players = _strings(event.get("players"))
        self.seed = event.get("seed")
        if self.seed is not None and not isinstance(self.seed, str):
            raise BadLog(1, "the seed is neither a string nor null")
        listening = event.get("listening")
        if not isinstance(listening, list):
            raise BadLog(1, "expected a list of those who listen")
        self.listening: list[object] = listening
        try:
            self.deck: list[Card] = cards(event.get("deck"))
        except BadInput as problem:
            raise BadLog(1, f"the deck: {problem}") from None
        if self.seed is not None and self.deck != shuffled_deck(self.seed):
            raise BadLog(1, f"the deck is not the one that the seed {text(self.seed)} makes")


def _strings(value: object) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise BadLog(1, "expected a list of the players' names")
    if not FEWEST_PLAYERS <= len(value) <= MOST_PLAYERS:
        raise BadLog(1, f"{len(value)} players, where a game has {FEWEST_PLAYERS} to {MOST_PLAYERS}")
    return value


class Repeated(Exception):
    """What a player failed with when the log was written."""


class Script:
    """A log as it is played again: the line that is due, and the first thing that was wrong."""

    def __init__(self, events: "list[Event]", header: Header) -> None:
        self._events = events
        self._header = header
        self._at = 0
        self.wrong: BadLog | None = None

    @property
    def due(self) -> "Event":
        """The event of the line that is due; an empty one at the end of the log."""
        return self._events[self._at] if self._at < len(self._events) and not self.wrong else {}

    def is_due(self, kind: str, player: int) -> bool:
        """Whether the line that is due tells this of the player."""
        return self.due.get("event") == kind and self.due.get("player") == player

    def fail(self, problem: str) -> None:
        """The line that is due is wrong, unless one before it was."""
        is_cut = self._at == len(self._events)
        self.wrong = self.wrong or BadLog(self._at + 1, problem, is_cut)

    def failure(self, player: int, request: str) -> Repeated:
        """What the player failed with, since the line that is due has no answer of it."""
        if not self.is_due("thrown out", player):
            found = _shown(self.due["event"]) if self.due else "the end of the log"
            self.fail(f"player {player} is asked to {request}, but instead of its answer there is {found}")
        return Repeated(self.reason_of(player, request))

    def reason_of(self, player: int, request: str) -> str:
        """Why the player was thrown out when it was asked this, as the next line that tells of it says."""
        prefix = f"{request}: "
        for event in self._events[self._at :]:
            reason = event.get("reason")
            if event.get("event") == "thrown out" and event.get("player") == player:
                if isinstance(reason, str) and reason.startswith(prefix):
                    return reason.removeprefix(prefix)
                break
        return ""

    def __call__(
        self, kind: str, player: "Player | None", board: "int | None", more: "dict[str, object]"
    ) -> None:
        """Compare what happens with the line that is due."""
        if self.wrong:
            return
        if kind == "game":
            more = {"v": VERSION, "players": self._header.players, "seed": self._header.seed, **more}
        if self._at == len(self._events):
            self.fail(f"the log ends here, but the game goes on with {text(kind)}")
            return
        told: Any = parse(line(kind, player, board, more).encode())
        difference = _difference(self._events[self._at], told)
        if difference:
            self.fail(difference)
        self._at += 1

    def finish(self) -> None:
        """Raises BadLog if a line was wrong, or if some are left."""
        if not self.wrong and self._at < len(self._events):
            self.fail("the game is over, but the log goes on")
        if self.wrong:
            raise self.wrong


def _difference(logged: "Event", told: "Event") -> str:
    """How a line differs from what happens; empty if it does not."""
    if text(logged.get("event")) != text(told["event"]):
        return f"the log says {_shown(logged.get('event'))} where by the rules {_shown(told['event'])} comes"
    for key in (*told, *(key for key in logged if key not in told)):
        if key not in logged:
            return f"{_shown(told['event'])} without {_shown(key)}"
        if key not in told:
            return f"{_shown(told['event'])} has no {_shown(key)}"
        if text(logged[key]) != text(told[key]):
            return (
                f"{told['event']}: {key} is {_shown(logged[key])}, but by the rules it is {_shown(told[key])}"
            )
    return ""


def _shown(value: object) -> str:
    return cut(text(value), SHOWN)


class _Malformed(Action4):
    """Stands for an Action4 that was made of something else than numbers: it fails as that one did."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        super().__init__(None)  # type: ignore[arg-type]  # it is not a number
        self.reason = reason

    def cards(self) -> "Iterator[tuple[int, tuple[int, ...]]]":
        """Raises what the log says."""
        raise Repeated(self.reason)


class Repeats:
    """A player that answers, or fails, as the log says that it did."""

    def __init__(self, number: int, script: Script) -> None:
        self._number = number
        self._script = script

    def start(self, view: Start) -> None:
        """Hear of the turn, or fail to."""
        reason = self._script.reason_of(self._number, "start")
        if reason and self._script.is_due("thrown out", self._number):
            raise Repeated(reason)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """The action that the log has."""
        script = self._script
        if not script.is_due("choose", self._number):
            raise script.failure(self._number, "choose")
        value = script.due.get("action")
        if value is None:
            return _Malformed(script.reason_of(self._number, "choose"))
        try:
            return action4(value)
        except BadInput as problem:
            script.fail(f"not an action: {problem}")
            raise

    def feed_next(self, state: State) -> FeedingChoice:
        """The choice that the log has."""
        script = self._script
        value = script.due.get("choice")
        if not script.is_due("feed", self._number):
            raise script.failure(self._number, "feed_next")
        try:
            return messages.read_feeding_choice(value)
        except BadInput as problem:
            script.fail(f"not a choice: {problem}")
            raise

    def game_over(self, result: "Result") -> None:
        """Take it as it is."""

    def take_remarks(self) -> list[str]:
        """The remarks that the log has beside the answer."""
        script = self._script
        return [str(script.due.get("remark"))] if script.is_due("remark", self._number) else []


class ListeningRepeats(Repeats):
    """A player that repeats its answers, and that listened."""

    def changed(self, view: View) -> None:
        """Hear of a change, or fail to where the log says so."""
        if self._script.is_due("deaf", self._number):
            reason = self._script.due.get("reason")
            raise Repeated(str(reason).removeprefix("changed: "))


def replay(data: bytes, watch: "Callable[[Header], Observer | None] | None" = None) -> "Result":
    """Play a game again from its log; `watch` gives an observer who hears of it too. Raises BadLog."""
    events = read_log(data)
    header = Header(events[0])
    script = Script(events, header)
    observer = watch(header) if watch is not None else None
    agents = [
        (ListeningRepeats if number in header.listening else Repeats)(number, script)
        for number in range(1, len(header.players) + 1)
    ]

    def told(kind: str, player: "Player | None", board: "int | None", more: "dict[str, object]") -> None:
        script(kind, player, board, more)
        if observer is not None and not script.wrong:
            observer(kind, player, board, more)

    result = Game(list(agents), header.deck, told).play()
    script.finish()
    return result
