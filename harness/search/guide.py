"""Inputs that go after rule events that have not happened yet.

A guide makes several candidates for each input, new ones by chance and small changes of earlier ones,
sees with the reference engine which rule events happen in each (`harness.events`), and gives the one
whose events are the rarest so far. The same program, seed and settings give the same inputs on every
machine.
"""

from heapq import heappop, heappush
from random import Random

import orjson

from evolution.wire.errors import Malformed
from harness.fixtures.dialect import GENEROUS, Dialect
from harness.inputs.chance import below, chance, pick
from harness.inputs.duels import duel
from harness.inputs.kinds import CONFIGURATION, FEEDING, STEP4, usual_kind
from harness.inputs.line_ups import line_up
from harness.inputs.mutation import mutate
from harness.inputs.random_inputs import random_input
from harness.inputs.repairs import fitted
from harness.programs.reference import watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.chance import Json

    Event = tuple[str, ...]
    # What it is worth, negative; a number that no other has; the input, the answer, and its events.
    Candidate = tuple[int, int, bytes, str | None, list[int]]

CANDIDATES = 2  # for each input
CANDIDATES_OF_STEP4 = 6  # the same where an input takes long anyway
AHEAD = 400  # candidates that are made before the first input
FRESH = 0.4  # how many candidates are new ones; the others are changes of earlier inputs
DUELS = 0.5  # how many of the new ones are small tables on which one attack decides
DUELS_OF_STEP4 = 0.2  # the same where much more than attacks happens
LINE_UPS = 0.2  # how many of the others are small tables on which the order of boards decides
KEPT = 400  # earlier inputs that are changed
WAITING = 1000  # candidates that may still be given some day
ONE = 1 << 20  # the weight of an event that has not happened yet
# Events of which a table of any size has only a few. They would be lost among those of pairs of traits.
HEAVY = {"action", "cycle", "draw", "equal ids", "form", "horns kill", "ids", "illegal", "stray fat"}
HEAVY |= {"gap", "looks alike", "named attack", "on a board", "order", "the hole is empty"}
FED = (FEEDING, CONFIGURATION, STEP4)  # the kinds in which somebody chooses what to feed


def weight(event: "Event", happened: int) -> int:
    """What an event is worth that has happened so often."""
    return 8 * ONE // (1 + happened) ** 2 if event[0] in HEAVY else ONE // (1 + happened) ** 3


class Guide:
    """Inputs of one program, without end.

    `next` gives an input; `next_case` gives it with the engine's answer as JSON text, or None if the
    program prints nothing, which costs no more; `next_watched` adds the events. `happened` says how often
    each event has been given out.
    More candidates find more with fewer inputs, and take longer for each. All inputs are such that a program
    of the dialect reads them.
    """

    def __init__(
        self,
        program: str,
        seed: object = 0,
        candidates: int = 0,
        ahead: int = AHEAD,
        dialect: Dialect = GENEROUS,
    ) -> None:
        self.program = program
        self._dialect = dialect
        self._rng = Random(f"guide {program} {seed}")
        self._kind = usual_kind(program)
        self._candidates = candidates or (CANDIDATES_OF_STEP4 if self._kind == STEP4 else CANDIDATES)
        self._ahead = ahead
        self._numbers: dict[Event, int] = {}  # of the events
        self._events: list[Event] = []  # by number
        self._happened: list[int] = []  # by number
        self._weights: list[int] = []  # by number
        self._kept: list[bytes] = []
        self._waiting: list[Candidate] = []  # a heap, the worthiest first
        self._made = 0

    @property
    def happened(self) -> "dict[Event, int]":
        """How often each event has happened in the inputs that were given."""
        return {event: count for event, count in zip(self._events, self._happened, strict=True) if count}

    def next(self) -> "Json":
        """The next input."""
        return self.next_case()[0]

    def next_case(self) -> "tuple[Json, str | None]":
        """The next input, and the right answer to it."""
        value, answer, _ = self.next_watched()
        return value, answer

    def next_watched(self) -> "tuple[Json, str | None, list[Event]]":
        """The next input, the right answer to it, and its events."""
        for _ in range(self._candidates if self._made else self._ahead):
            self._make()
        while not self._waiting:
            self._make()
        _, _, text, answer, events = self._worthiest()
        self._count(events)
        self._keep(text)
        return orjson.loads(text), answer, [self._events[event] for event in events]

    def _make(self) -> None:
        """One more candidate, unless it is not well-formed."""
        self._made += 1
        value = self._candidate()
        if self._dialect is not GENEROUS:
            value = fitted(self.program, value, self._dialect)
        try:
            answer, seen = watch(self.program, value)
        except Malformed:  # or None, where nothing fits
            return
        numbers = self._numbers
        events = [numbers[event] if event in numbers else self._add(event) for event in seen]
        heappush(self._waiting, (-self._worth(events), self._made, orjson.dumps(value), answer, events))
        if len(self._waiting) > WAITING:
            self._weed()

    def _candidate(self) -> "Json":
        rng = self._rng
        kept = self._kept
        if kept and not chance(rng, FRESH):
            return mutate(self.program, rng, orjson.loads(pick(rng, kept)))
        if chance(rng, DUELS_OF_STEP4 if self._kind == STEP4 else DUELS):
            return duel(self.program, rng)
        if self._kind in FED and chance(rng, LINE_UPS):
            return line_up(self.program, rng)
        return random_input(self.program, rng)

    def _add(self, event: "Event") -> int:
        """The number of an event that has never been seen."""
        number = self._numbers[event] = len(self._events)
        self._events.append(event)
        self._happened.append(0)
        self._weights.append(weight(event, 0))
        return number

    def _worth(self, events: list[int]) -> int:
        """How rare the events are, taken together."""
        return sum(map(self._weights.__getitem__, events))

    def _worthiest(self) -> "Candidate":
        """Take the best candidate. What one is worth only ever falls, so the heap need not be in order."""
        waiting = self._waiting
        while True:
            _, made, text, answer, events = heappop(waiting)
            now = -self._worth(events)
            if not waiting or now <= waiting[0][0]:
                return now, made, text, answer, events
            heappush(waiting, (now, made, text, answer, events))

    def _weed(self) -> None:
        """Forget the worse half of the candidates."""
        now = sorted((-self._worth(one[4]), *one[1:]) for one in self._waiting)
        self._waiting = now[: WAITING // 2]

    def _count(self, events: list[int]) -> None:
        for event in events:
            self._happened[event] += 1
            self._weights[event] = weight(self._events[event], self._happened[event])

    def _keep(self, text: bytes) -> None:
        """Keep an input, to make candidates from it."""
        if len(self._kept) < KEPT:
            self._kept.append(text)
        else:
            self._kept[below(self._rng, KEPT)] = text
