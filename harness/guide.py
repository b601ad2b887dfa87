"""Inputs that go after rule events that have not happened yet.

A guide makes several candidates for each input, new ones by chance and small changes of earlier ones,
sees with the reference engine which rule events happen in each (`harness.events`), and gives the one
whose events are the rarest so far. The same program, seed and settings give the same inputs on every
machine.
"""

from random import Random

import orjson

from evolution.wire.errors import Malformed
from harness.cases.chance import below, chance
from harness.cases.mutation import mutate
from harness.cases.random_inputs import random_input
from harness.events import watch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.cases.chance import Json
    from harness.events.attacks import Seen

CANDIDATES = 3  # for each input
FRESH = 0.4  # how many candidates are new ones
KEPT = 400  # earlier inputs that are changed
ONE = 1 << 20  # the weight of an event that has not happened yet


class Guide:
    """Inputs of one program, without end.

    `next` gives an input; `next_case` gives it with the engine's answer as JSON text, or None if the
    program prints nothing, which costs no more. `happened` says how often each event has been given out.
    More candidates find more with fewer inputs, and take longer for each.
    """

    def __init__(self, program: str, seed: object = 0, candidates: int = CANDIDATES) -> None:
        self.program = program
        self.happened: dict[tuple[str, ...], int] = {}
        self._rng = Random(f"guide {program} {seed}")
        self._candidates = candidates
        self._kept: list[bytes] = []

    def next(self) -> "Json":
        """The next input."""
        return self.next_case()[0]

    def next_case(self) -> "tuple[Json, str | None]":
        """The next input, and the right answer to it."""
        best: tuple[int, Json, str | None, Seen] | None = None
        while best is None:
            for _ in range(self._candidates):
                value = self._candidate()
                try:
                    answer, seen = watch(self.program, value)
                except Malformed:
                    continue
                worth = self._worth(seen)
                if best is None or worth > best[0]:
                    best = worth, value, answer, seen
        worth, value, answer, seen = best
        self._keep(value, worth, seen)
        return value, answer

    def _candidate(self) -> "Json":
        rng = self._rng
        kept = self._kept
        if not kept or chance(rng, FRESH):
            return random_input(self.program, rng)
        return mutate(self.program, rng, orjson.loads(kept[below(rng, len(kept))]))

    def _worth(self, seen: "Seen") -> int:
        """How rare the events are, taken together."""
        happened = self.happened
        return sum([ONE // (1 + happened.get(event, 0)) ** 2 for event in seen])

    def _keep(self, value: "Json", worth: int, seen: "Seen") -> None:
        """Count the events; keep the input for changes if one of them is new."""
        happened = self.happened
        for event in seen:
            happened[event] = happened.get(event, 0) + 1
        if worth >= ONE:
            text = orjson.dumps(value)
            if len(self._kept) < KEPT:
                self._kept.append(text)
            else:
                self._kept[below(self._rng, KEPT)] = text
