"""Differential testing: a program against the rules, or against another one, until something differs.

First come the traps, the smallest cases of all misreadings that are known; then cases near them, and
random ones that are guided to what has not happened yet. All of them are such that the program can read them:
they are in its dialect. What differs is made as small as possible and put into a group
(`harness.search.findings`). A case that the groups explain already is only counted, so that the first mistake
of a program does not hide the others. At the end, all that was asked decides what the causes are.
"""

import time
from collections import Counter, deque
from functools import partial
from itertools import combinations, islice
from random import Random

from harness.fixtures.dialect import GENEROUS, Dialect
from harness.fixtures.layout import compact
from harness.inputs.chance import below, chance, pick
from harness.inputs.kinds import SITUATION, is_well_formed
from harness.inputs.mutation import mutate
from harness.inputs.repairs import fitted, seated
from harness.inputs.scene import copy, scene_of, value_of
from harness.judging.compare import meaning_key
from harness.judging.judge import judge
from harness.judging.verdicts import NO_START, PASS, TIMEOUT
from harness.misreadings import LIBRARY, answer, shows, smallest_cases
from harness.misreadings.seen import SEEN
from harness.programs.reference import reference
from harness.search.boundaries import OTHER, RIGHT, SAME, boundaries
from harness.search.findings import Difference, Findings, answers_alike, by_weight
from harness.search.shrink import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Protocol

    from harness.judging.outcome import Outcome
    from harness.misreadings import Misreading
    from harness.search.findings import Group

    class Asker(Protocol):
        """A program that can be asked many inputs."""

        ahead: int

        def answers(self, inputs: Sequence[bytes]) -> list[Outcome]:
            """What it does with each."""

        def outcomes(self, inputs: Iterator[bytes]) -> Iterator[Outcome]:
            """What it does with each, one after the other."""


BUDGET = 12.0  # seconds for making one case smaller,
OVERTIME = 8.0  # of which so many may lie behind the end of the time
TRIALS = 40  # changes of a smallest case, to see whether the program has its misreading
MAKING, MOST_MADE, TELLING = 10.0, 2000, 4  # seconds, inputs made, and asked of them to tell two names apart
BOUNDING = 4.0  # seconds for seeing what could be anything in all smallest cases
MOST_GROUPS = 20  # after which there is enough to do
MOST_TIMEOUTS = 6  # after which the program is not asked any more,
MOST_FAILURES = 3  # as when it could not be started so often,
MOST_IDLE = 40  # or when it has done the same with all of the first cases, so many of them,
MOST_SILENT = 100  # or when it has not answered the first cases, so many of them, in its own dialect


def traps(program: str, dialect: Dialect = GENEROUS) -> "dict[str, tuple[Any, frozenset[str]]]":
    """The smallest cases of all misreadings that the program can show, by their text, with their names.

    First comes what real teams were seen to misread, then one of each section of the rules, and so on, each
    time the smallest. Written in the dialect, some show nothing any more.
    """
    found: dict[str, tuple[Any, set[str]]] = {}
    for name, cases in smallest_cases().items():
        if program in cases:
            value = _read_by(program, cases[program], dialect)
            names = found.setdefault(compact(value), (value, set()))[1] if value is not None else set()
            if value == cases[program] or (value is not None and _shows(LIBRARY[name], program, value)):
                names.add(name)
    shown = {text: (value, frozenset(names)) for text, (value, names) in found.items() if names}
    sections: Counter[str] = Counter()
    turn: dict[str, tuple[bool, int, int]] = {}
    for text in sorted(shown, key=len):
        section = min(LIBRARY[name].rule for name in shown[text][1])
        sections[section] += 1
        turn[text] = shown[text][1].isdisjoint(SEEN), sections[section], len(text)
    return {text: shown[text] for text in sorted(shown, key=turn.__getitem__)}


def wild(program: str, seed: object, dialect: Dialect = GENEROUS) -> "Iterator[Any]":
    """Inputs without end: guided ones, and traps that were changed or got a board of another trap."""
    from harness.search.guide import Guide

    guide = Guide(program, seed, dialect=dialect)
    rng = Random(f"traps {program} {seed}")
    small = [value for value, _ in traps(program, dialect).values()]
    while True:
        yield guide.next()
        if not small:
            continue
        value = near(program, rng, pick(rng, small), pick(rng, small), dialect)
        if value is not None:
            yield value


def near(program: str, rng: Random, value: "Any", other: "Any", dialect: Dialect) -> "Any":
    """A case near this one, perhaps with a board of the other one; None if it is none after all."""
    scene = copy(scene_of(program, value))
    boards = [board for _, _, board in scene_of(program, other).boards]
    seat = pick(rng, scene.seats)
    more = scene.kind != SITUATION and not (seat.action and seat.action.exchanges)
    if boards and more and chance(rng, 0.4):
        seat.boards.insert(below(rng, len(seat.boards) + 1), pick(rng, boards))
    changed = mutate(program, rng, value_of(scene))
    return _read_by(program, changed, dialect) if is_well_formed(program, changed) else None


def _read_by(program: str, value: "Any", dialect: Dialect) -> "Any":
    """An input written so that a program of the dialect reads it; None if there is no such way."""
    value = fitted(program, value, dialect)
    return None if value is None else seated(program, value, dialect.least_players)


class Habit:
    """What one side does whatever it is asked: always give the same answer, or print its input again."""

    def __init__(self) -> None:
        self._answers: set[bytes] = set()
        self._right: set[bytes] = set()
        self._echoes = True

    def add(self, value: "Any", expected: bytes, outcome: "Outcome") -> None:
        """Take note of an answer."""
        if len(self._answers) < 2:
            self._answers.add(meaning_key(outcome.stdout))
            self._right.add(meaning_key(expected))
        if self._echoes:
            self._echoes = meaning_key(compact(value).encode()) == meaning_key(outcome.stdout)

    @property
    def told(self) -> str:
        """The habit in words; empty if there is none."""
        if self._echoes:
            return "prints its input again, whatever it is asked"
        if len(self._answers) == 1 and len(self._right) > 1:
            return "gives one and the same answer to every case"
        return ""


class Fuzz:
    """One search."""

    def __init__(
        self,
        program: str,
        *,
        cases: "int | None" = None,
        seconds: "float | None" = None,
        dialect: Dialect = GENEROUS,
        probed: bool = True,
        tick: "Callable[[Fuzz], None]" = lambda fuzz: None,
        tell: "Callable[[Fuzz, Difference], None]" = lambda fuzz, difference: None,
    ) -> None:
        """Ask at most so many cases, or so long.

        probed: whether the dialect was found out by trying the program, or is its own for certain; a program
        that is silent in another one is not given up. tell: called with the first case of each kind, as
        soon as there is one.
        """
        self.program = program
        self.dialect = dialect
        self.findings = Findings(program)
        self.first_finding: float | None = None  # after how many seconds
        self.compared = 0
        self.trapped = 0  # of these, how many were traps
        self.alike = 0  # how often two programs were wrong in the same way
        self.timeouts = 0
        self.failures = 0  # to start the program
        self.answered = [False, False]  # whether the sides have ever printed anything
        self.stopped = ""  # why it ended before its time
        self.started = time.monotonic()
        self.shrinking = False
        self.habit = ""  # what the program does whatever it is asked
        self._habits = Habit(), Habit()
        self._not_shrunk: list[Difference] = []  # what was not made as small as possible
        self._askers: Sequence[Asker] = []
        self._shrinkers: Sequence[Asker] = []
        self._probed: set[tuple[int, str]] = set()
        self._told: set[object] = set()  # what the cases that were told look like
        self._patient = not probed
        self._most = cases
        self._end = None if seconds is None else self.started + seconds
        self._tick = tick
        self._tell = tell

    # --- the search ------------------------------------------------------------------------------

    def run(
        self,
        askers: "Sequence[Asker]",
        shrinkers: "Sequence[Asker]",
        first: "dict[str, tuple[Any, frozenset[str]]]",
        then: "Iterator[Any]",
    ) -> None:
        """Ask one program, or two, the first cases, then the others, until there is enough.

        The shrinkers are the same programs: while they are asked about smaller cases, the others wait.
        """
        self._askers, self._shrinkers = askers, shrinkers
        self._spring(first)
        if self.habit:
            return
        for value, expected, outcomes in self._compared(then):
            self._look(value, expected, outcomes)
        self.findings.regroup()
        self._probe()
        self.findings.conclude()
        self._tell_apart()
        self._find_boundaries()

    def _tell_apart(self) -> None:
        """Ask about inputs that misreadings answer differently which no case has told apart yet."""
        equal = [
            group.cause.names for group in self.findings.groups if group.cause and len(group.cause.names) > 1
        ]
        if not equal or (self._end is not None and time.monotonic() > self._end + OVERTIME):
            return
        for value, outcomes in self._again(self._telling(equal)):
            for one in self._differences(value, self.expected(value), outcomes):
                self.findings.witness(one)
        self.findings.conclude()

    def _telling(self, equal: "list[tuple[str, ...]]") -> "list[Any]":
        """A few inputs for each two of these misreadings, set by set, that they answer differently."""
        left = {pair: TELLING for names in equal for pair in combinations(names, 2)}
        found: list[Any] = []
        until = time.monotonic() + MAKING
        for value in islice(wild(self.program, "telling", self.dialect), MOST_MADE):
            said = {name: _said(name, self.program, value) for pair in left for name in pair}
            told = [(one, other) for one, other in left if said[one] != said[other]]
            if told:
                found.append(value)
            for pair in told:
                left[pair] -= 1
                if not left[pair]:
                    del left[pair]
            if not left or time.monotonic() > until:
                break
        return found

    def _find_boundaries(self) -> None:
        """See in the smallest case of each group what could be anything, while there is time."""
        until = time.monotonic() + BOUNDING
        ahead = min(one.ahead for one in self._shrinkers)
        if self._end is not None:
            until = min(until, self._end + OVERTIME)
        for group in by_weight(self.findings.groups):
            case = group.smallest
            if self.is_smallest(case) and case.verdict != TIMEOUT and time.monotonic() < until:
                ask = partial(self._likenesses, group)
                group.ranges = boundaries(self.program, case.value, ask, until=until, ahead=ahead)

    def _likenesses(self, group: "Group", values: "list[Any]") -> list[str]:
        """What becomes of changes of a group's smallest case; nothing of what the program does not read."""
        read = [value for value in values if not self.dialect.withholds(self.program, value)]
        again = self._again([self.dialect.write(self.program, value) for value in read])
        found = {
            compact(asked): self._likeness(group, value, outcomes[group.side])
            for asked, (value, outcomes) in zip(read, again, strict=True)
        }
        return [found.get(compact(value), "") for value in values]

    def _likeness(self, group: "Group", value: "Any", outcome: "Outcome") -> str:
        judgement = judge(self.expected(value), outcome, exact=False, as_text=False)
        if judgement.verdict == PASS:
            return RIGHT
        if group.name:
            return SAME if answers_alike(self.program, value, outcome.stdout, [group.name]) else OTHER
        one = Difference(self.program, value, group.side, judgement, outcome)
        return SAME if one.key == group.smallest.key else OTHER

    def _over(self) -> bool:
        if self._end is not None and time.monotonic() > self._end:
            return True
        return bool(self.stopped) or (self._most is not None and self.compared >= self._most)

    def _compared(self, values: "Iterator[Any]") -> "Iterator[tuple[Any, bytes, list[Outcome]]]":
        """Inputs with what the rules print and what becomes of them; some are being asked ahead."""
        asked: deque[tuple[Any, bytes]] = deque()

        def inputs() -> "Iterator[bytes]":
            for value in values:
                if self._over() or (self._most is not None and self.compared + len(asked) >= self._most):
                    return
                asked.append((value, self.expected(value)))
                yield compact(value).encode()

        for outcomes in _together(self._askers, inputs()):
            value, expected = asked.popleft()
            self.compared += 1
            for side, outcome in enumerate(outcomes):
                self.answered[side] |= bool(outcome.stdout)
                if self.compared <= MOST_IDLE:
                    self._habits[side].add(value, expected, outcome)
                self._give_up(outcome)
            self._tick(self)
            yield value, expected, outcomes

    def _give_up(self, outcome: "Outcome") -> None:
        """Stop if it is of no use to go on."""
        self.timeouts += outcome.ended == TIMEOUT
        self.failures += outcome.ended == NO_START
        if self.timeouts >= MOST_TIMEOUTS:
            self.stopped = f"stopped: {self.timeouts} cases were not answered in time"
        elif self.failures >= MOST_FAILURES:
            self.stopped = f"stopped: a program could not be started: {outcome.detail}"
        elif self.compared == MOST_IDLE and self.answered[0] and self._habits[0].told:
            self.habit = self._habits[0].told
            self.stopped = f"stopped after {MOST_IDLE} cases: that says it all"
        elif self.compared == MOST_SILENT and not self._is_answering():
            self.stopped = f"stopped: not one of the first {MOST_SILENT} cases was answered"

    def _is_answering(self) -> bool:
        """Whether there is reason to go on asking."""
        return self._patient or all(self.answered[: len(self._askers)])

    def expected(self, value: "Any") -> bytes:
        """What the rules print for an input."""
        return (reference(self.program, value).text or "").encode()

    def _spring(self, cases: "dict[str, tuple[Any, frozenset[str]]]") -> None:
        """Try the traps: they are small already, and what is right in one has not that misreading."""
        names = iter([names for _, names in cases.values()])
        sprung: list[tuple[Difference, frozenset[str]]] = []
        for value, expected, outcomes in self._compared(value for value, _ in cases.values()):
            self.trapped += 1
            told = next(names)
            found = self._differences(value, expected, outcomes)
            for side in {0, len(outcomes) - 1} - {one.side for one in found}:
                self.findings.refuted[side].update(told)
            sprung += [(one, told) for one in found]
        if self.habit:
            self.findings.put_together([one for one, _ in sprung])
            return
        for one, told in sprung:
            self._sort_in(one, told)
        self._probe()
        for group in list(self.findings.groups):
            if not group.name and not self._over():
                self._shrink(group.smallest)

    def _differences(self, value: "Any", expected: bytes, outcomes: "list[Outcome]") -> list[Difference]:
        """In what the sides are wrong, unless they are wrong in the same way."""
        judgements = [judge(expected, outcome, exact=False, as_text=False) for outcome in outcomes]
        if all(judgement.verdict == PASS for judgement in judgements):
            self.findings.right(value, expected.decode() or None)
            return []
        if len(outcomes) == 2 and _agree(*outcomes):
            self.alike += 1
            return []
        found = [
            Difference(self.program, value, side, judgement, outcome)
            for side, (judgement, outcome) in enumerate(zip(judgements, outcomes, strict=True))
            if judgement.verdict != PASS
        ]
        for one in found:
            self._announce(one)
        return found

    def _announce(self, difference: Difference) -> None:
        """Tell a case that looks like none before."""
        if self.first_finding is None:
            self.first_finding = time.monotonic() - self.started
        if difference.key not in self._told and len(self._told) < MOST_GROUPS:
            self._told.add(difference.key)
            self._tell(self, difference)

    def _look(self, value: "Any", expected: bytes, outcomes: "list[Outcome]") -> None:
        """See whether a case differs, and whether that is new."""
        for difference in self._differences(value, expected, outcomes):
            if not self._sort_in(difference):
                self.findings.add(self._smallest(difference))
                if len(self.findings.groups) >= MOST_GROUPS:
                    self.stopped = f"stopped: {MOST_GROUPS} different mistakes are enough to begin with"

    def _sort_in(self, difference: Difference, told: "frozenset[str] | None" = None) -> bool:
        """Put a difference where it belongs; False if it is new, and not yet as small as it can be.

        A trap, which is told whose it is, is small already.
        """
        group = self.findings.known(difference)
        if group is not None and not self.findings.needs_evidence(group):
            self.findings.count(difference, group)
        elif group is None and self.findings.is_familiar(difference):
            self.findings.count(difference)
        elif group is not None or told is not None:
            self.findings.add(difference, told or frozenset())
        else:
            return False
        return True

    # --- experiments -----------------------------------------------------------------------------

    def _probe(self) -> None:
        """Try the misreadings that name groups where they show; the program must not be right there."""
        while new := [
            (group.side, group.name)
            for group in self.findings.groups
            if group.name and (group.side, group.name) not in self._probed
        ]:
            for side, name in new:
                self._probed.add((side, name))
                self._try(side, name)
            self.findings.regroup()

    def _try(self, side: int, name: str) -> None:
        """Ask cases in which a misreading shows, while there is time; who is right there has it not."""
        values = list(self._showing(name))
        ahead = min(one.ahead for one in self._shrinkers)
        while values and (self._end is None or time.monotonic() < self._end + OVERTIME):
            for value, outcomes in self._again(values[:ahead]):
                wrong = self._differences(value, self.expected(value), outcomes)
                for one in wrong:
                    self.findings.witness(one)
                if all(one.side != side for one in wrong):
                    self.findings.refuted[side].add(name)
            del values[:ahead]

    def _showing(self, name: str) -> "Iterator[Any]":
        """A few cases near the smallest one of a misreading in which it shows."""
        chaff = LIBRARY[name]
        smallest = smallest_cases()[name].get(self.program)
        rng = Random(name)
        for _ in range(TRIALS if smallest is not None else 0):
            value = near(self.program, rng, smallest, smallest, self.dialect)
            if value is not None and _shows(chaff, self.program, value):
                yield value

    # --- smaller ---------------------------------------------------------------------------------

    def _shrink(self, difference: Difference) -> None:
        """Add a smaller case like this one, if there is one."""
        smaller = self._smallest(difference)
        if smaller is not difference:
            self.findings.add(smaller)

    def _smallest(self, difference: Difference) -> Difference:
        """A smallest case that differs in the same way and that the groups do not explain either."""
        best = {compact(difference.value): difference}
        left = BUDGET if self._end is None else min(BUDGET, self._end + OVERTIME - time.monotonic())

        is_read = self._is_read if self._is_read(difference.value) else lambda value: True

        def differ(values: "list[Any]") -> list[bool]:
            read = [
                value
                for value in values
                if not self.dialect.withholds(self.program, value) and is_read(value)
            ]
            texts = [compact(value) for value in read]
            again = self._again([self.dialect.write(self.program, value) for value in read])
            found = [self._like(difference, one, outcomes) for one, outcomes in again]
            best.update((text, one) for text, one in zip(texts, found, strict=True) if one is not None)
            self._tick(self)
            return [compact(value) in best for value in values]

        search = Search(
            self.program, difference.value, differ, left, min(one.ahead for one in self._shrinkers)
        )
        self.shrinking = True
        search.run()
        self.shrinking = False
        smallest = best.get(compact(value_of(search.best)), difference)
        if not search.complete:
            self._not_shrunk.append(smallest)
        return smallest

    def _is_read(self, value: "Any") -> bool:
        """Whether as many players are at the table as the program wants."""
        return bool(seated(self.program, value, self.dialect.least_players) == value)

    def is_smallest(self, difference: Difference) -> bool:
        """Whether it is as small as it can be made."""
        return all(difference is not one for one in self._not_shrunk)

    def _again(self, values: "list[Any]") -> "Iterator[tuple[Any, list[Outcome]]]":
        inputs = [compact(value).encode() for value in values]
        answers = [asker.answers(inputs) for asker in self._shrinkers]
        return zip(values, map(list, zip(*answers, strict=True)), strict=True)

    def _like(self, difference: Difference, value: "Any", outcomes: "list[Outcome]") -> "Difference | None":
        """The difference in this case, if it is like that one and no group explains it."""
        for one in self._differences(value, self.expected(value), outcomes):
            if one.side == difference.side and one.is_answer == difference.is_answer:
                if one.is_answer and self.findings.known(one) is None:
                    return one
                if not one.is_answer and one.key == difference.key:
                    return one
        return None


def _said(name: str, program: str, value: "Any") -> "str | None":
    """What a misreading answers."""
    try:
        return answer(LIBRARY[name], program, value)
    except Exception:  # a misread rule may lead where the engine never comes
        return "lost"


def _shows(chaff: "Misreading", program: str, value: "Any") -> bool:
    try:
        return shows(chaff, program, value)
    except Exception:  # a misread rule may lead where the engine never comes
        return False


def _together(askers: "Sequence[Asker]", inputs: "Iterator[bytes]") -> "Iterator[list[Outcome]]":
    """The outcomes of all askers for each input."""
    if len(askers) == 1:
        for outcome in askers[0].outcomes(inputs):
            yield [outcome]
        return
    from itertools import tee

    parts = tee(inputs, len(askers))
    asked = [asker.outcomes(part) for asker, part in zip(askers, parts, strict=True)]
    yield from map(list, zip(*asked, strict=True))


def _agree(one: "Outcome", other: "Outcome") -> bool:
    """Whether two programs have answered the same."""
    if one.ended is not None or other.ended is not None:
        return False
    return judge(one.stdout, other, exact=False, as_text=True).verdict == PASS
