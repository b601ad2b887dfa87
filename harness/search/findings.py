"""What fuzzing has found, in groups: one for each thing that a program seems to do wrong.

While the search goes on, a group is named by the misreading that answers as the program does: the library is
asked about every case that is kept, and the misreading that most of them speak for gets them, then the next
one gets what is left. As more cases come, groups get other names. What no misreading explains is grouped by
its differences, and what is no answer at all, such as a crash, by its verdict. At the end, all that was asked
decides (`harness.search.causes`): a name stays only if no case contradicts it.
"""

import re
from collections import Counter, deque
from contextlib import ExitStack
from dataclasses import replace
from itertools import islice

from evolution.wire.errors import NotJSON
from harness.fixtures.layout import compact
from harness.inputs.reductions import size
from harness.inputs.scene import scene_of
from harness.judging.compare import parse_values, same
from harness.judging.verdicts import (
    CRASHED,
    NO_OUTPUT,
    NO_START,
    PASS,
    UNREADABLE,
)
from harness.misreadings import LIBRARY, planted, right_answer, same_answer
from harness.search.causes import MISREADING, SILENCE, Answered, Memory, causes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from harness.inputs.reductions import Size
    from harness.judging.judge import Judgement
    from harness.judging.outcome import Outcome
    from harness.search.boundaries import Range
    from harness.search.causes import Cause

    Right = tuple[Any, str | None]  # an input that was answered rightly, and the answer
    Key = tuple[
        int, str, object
    ]  # the side that is to blame, a verdict, and what tells it from others like it

KEPT = 400  # differences that are kept in all
EVIDENCE = 8  # cases of a group that are asked whether they speak for another misreading
MOST_RIGHT = 5000  # right answers that are kept, to refute misreadings with,
SAMPLED = 1000  # and how many of them are looked at for the causes of the differences, as are of these
SMALLEST, LATEST = 120, 80  # the smallest, and the last
ROUNDS = 8  # of looking for causes, each with the cases that contradict the round before
LONGEST = 100  # characters of a line of standard error that tell one crash from another


class Difference:
    """A case on which one side is wrong, and how.

    side: 0 for the program, 1 for the one that it is compared with. alike: the names of the misreadings
    that answer the case as that side does. more: how many other cases were like it.
    """

    __slots__ = (
        "alike",
        "detail",
        "differences",
        "exit",
        "more",
        "printed",
        "side",
        "size",
        "stderr",
        "traits",
        "traps",
        "value",
        "verdict",
    )

    def __init__(
        self, program: str, value: "Any", side: int, judgement: "Judgement", outcome: "Outcome"
    ) -> None:
        self.value = value
        scene = scene_of(program, value)
        self.size: Size = size(scene)
        self.traits = frozenset(trait for _, _, board in scene.boards for trait in board.traits)
        self.side = side
        self.verdict = judgement.verdict
        self.detail = judgement.detail
        self.differences = judgement.differences
        self.printed = outcome.stdout
        self.stderr = outcome.stderr
        self.exit = outcome.exit
        self.alike: frozenset[str] = frozenset()
        self.traps: frozenset[str] = frozenset()  # the misreadings whose smallest case this is
        self.more = 0

    @property
    def is_answer(self) -> bool:
        """Whether it is wrong in a way that a misreading can be wrong in."""
        return self.verdict not in UNREADABLE

    @property
    def key(self) -> "Key":
        """What it has in common with others that no misreading explains."""
        if self.verdict in (CRASHED, NO_START) and self.detail:
            return self.side, self.verdict, self.detail
        if self.verdict == NO_OUTPUT:
            lines = self.stderr.decode(errors="backslashreplace").strip().splitlines()
            return self.side, self.verdict, _numberless(lines[-1]) if lines else ""
        if self.verdict in UNREADABLE:
            return self.side, self.verdict, ""
        return self.side, self.verdict, self.differences[0].likeness if self.differences else ""


def _numberless(line: str) -> str:
    return re.sub(r"-?[0-9]+", "#", line)[:LONGEST]


class Printed:
    """What a program has printed, to compare answers with; equal answers are compared once."""

    def __init__(self, printed: bytes) -> None:
        self._alike: dict[str | None, bool] = {}
        try:
            self._values: list[object] | None = parse_values(printed)
        except NotJSON:
            self._values = None

    def is_answered(self, program: str, value: "Any", names: "Iterable[str]") -> bool:
        """Whether an engine with all of these misreadings at once answers the input like that."""
        if self._values is None:
            return False
        try:
            with ExitStack() as planting:
                for name in names:
                    planting.enter_context(planted(LIBRARY[name]))
                answer = right_answer(program, value)
        except Exception:  # a misread rule may lead where the engine never comes
            return False
        alike = self._alike.get(answer)
        if alike is None:
            values = [] if answer is None else parse_values(answer.encode())
            alike = self._alike[answer] = same(values, self._values)
        return alike


def answers_alike(program: str, value: "Any", printed: bytes, names: "Iterable[str]") -> bool:
    """Whether an engine with all of these misreadings at once prints the same."""
    return Printed(printed).is_answered(program, value, names)


def explanations(program: str, value: "Any", printed: bytes) -> frozenset[str]:
    """The names of all misreadings that answer the input with what was printed."""
    answers = Printed(printed)
    return frozenset(
        name
        for name, chaff in LIBRARY.items()
        if program in chaff.programs and answers.is_answered(program, value, [name])
    )


class Group:
    """Differences that seem to have one reason.

    name: the misreading that answers all of them as the program does, and that shows nowhere where the
    program is right; empty if there is none. cause: what they have in common, once all was asked. ranges:
    how far each number of the smallest case can be changed, if that was tried.
    """

    def __init__(
        self, side: int, name: str, differences: list[Difference], cause: "Cause | None" = None
    ) -> None:
        self.side = side
        self.name = name
        self.differences = sorted(differences, key=lambda one: one.size)
        self.cause = cause
        self.ranges: list[Range] = []

    @property
    def smallest(self) -> Difference:
        """The case to look at."""
        return self.differences[0]

    @property
    def count(self) -> int:
        """How many cases belong to it."""
        return sum(1 + one.more for one in self.differences)

    @property
    def title(self) -> str:
        """A short name, fit for a file."""
        if self.name:
            return self.name
        return "-".join([*self.smallest.verdict.lower().split(), *sorted(self.smallest.traits)])

    def takes(self, difference: Difference) -> bool:
        """Whether this belongs to it, if it is a group of what is not explained."""
        first = self.smallest
        return not self.name and first.key == difference.key and first.traits <= difference.traits


def by_weight(groups: "Iterable[Group]") -> list[Group]:
    """Those with most cases first."""
    return sorted(groups, key=lambda group: (-group.count, group.smallest.size))


class Findings:
    """All differences that are kept, and their groups."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.groups: list[Group] = []
        # Misreadings that show where a side is right.
        self.refuted: tuple[set[str], set[str]] = (set(), set())
        self._answered = False  # whether there was a right answer that is not nothing
        self._right: deque[Right] = deque(maxlen=MOST_RIGHT)
        self._rights = 0  # how many there have been
        self._held: Counter[str] = Counter()  # with how many of them a misreading has been compared
        self._contradictions: dict[str, Right] = {}  # misreadings that show in one of them
        self._kept: list[Difference] = []
        self._others: deque[Difference] = deque(maxlen=MOST_RIGHT)  # that are not kept, only counted
        self._memory = Memory()
        self._seen: Counter[Key] = Counter()

    def right(self, value: "Any", answer: "str | None") -> None:
        """Nobody is wrong in this case; what shows in it is none of their misreadings."""
        self._answered = self._answered or answer is not None
        self._right.append((value, answer))
        self._rights += 1

    def known(self, difference: Difference) -> "Group | None":
        """The group of a misreading that explains the difference."""
        if not difference.is_answer:
            return None
        named = [group for group in self.groups if group.name and group.side == difference.side]
        for group in named:
            if self._speaks_for(difference, [group.name]):
                return group
        if len(named) > 1 and self._speaks_for(difference, [group.name for group in named]):
            return named[0]
        return None

    def _speaks_for(self, difference: Difference, names: list[str]) -> bool:
        return answers_alike(self.program, difference.value, difference.printed, names)

    def is_familiar(self, difference: Difference) -> bool:
        """Whether others look like this case; yet each time their number has doubled one is looked at."""
        seen = self._seen[difference.key]
        if not difference.is_answer:
            return seen >= EVIDENCE
        return len(self._kept) >= KEPT or (seen & (seen - 1) != 0 and seen > 1)

    def count(self, difference: Difference, group: "Group | None" = None) -> None:
        """Count a case that is not kept, with its group or with those that look like it."""
        self._seen[difference.key] += 1
        if group is not None:
            difference.alike = frozenset([group.name])
        self._others.append(difference)
        alike = group.differences if group else [one for one in self._kept if one.key == difference.key]
        (alike or self._kept)[0].more += 1

    def witness(self, difference: Difference) -> None:
        """Remember a case that was asked to see whether a name is right."""
        self._others.append(difference)

    def needs_evidence(self, group: Group) -> bool:
        """Whether more cases are to be asked which misreading they speak for."""
        return len(group.differences) < EVIDENCE and len(self._kept) < KEPT

    def add(self, difference: Difference, traps: "frozenset[str]" = frozenset()) -> None:
        """Keep a difference; groups may change their names by that."""
        difference.traps = traps
        if difference.is_answer:
            difference.alike = explanations(self.program, difference.value, difference.printed)
        self._kept.append(difference)
        self._seen[difference.key] += 1
        self.regroup()

    def regroup(self) -> None:
        """Find the groups anew; a misreading that shows where the program is right names none."""
        while True:
            self.groups = self._grouped()
            wrong = [group for group in self.groups if group.name and self._is_refuted(group.name)]
            if not wrong:
                return
            for group in wrong:
                self.refuted[group.side].add(group.name)

    def _is_refuted(self, name: str) -> bool:
        return self._against(name) is not None

    def _against(self, name: str) -> "Right | None":
        """A case that is answered rightly though the misreading shows in it; None if there is none."""
        if name not in self._contradictions:
            new = min(self._rights - self._held[name], len(self._right))
            with planted(LIBRARY[name]):
                for one in islice(self._right, len(self._right) - new, None):
                    if self._shows_in(one):
                        self._contradictions[name] = one
                        break
            self._held[name] = self._rights
        return self._contradictions.get(name)

    def _shows_in(self, right: "Right") -> bool:
        """Whether the engine, as it is now, answers a case otherwise than is right."""
        try:
            return not same_answer(right_answer(self.program, right[0]), right[1])
        except Exception:  # a misread rule may lead where the engine never comes
            return True

    def _grouped(self) -> list[Group]:
        """The groups of all that is kept."""
        answers = [one for one in self._kept if one.is_answer and self._speaks(one)]
        groups: list[Group] = []
        for side in sorted({one.side for one in self._kept}):
            groups += self._named(side, [one for one in answers if one.side == side])
        explained = {id(one) for group in groups for one in group.differences}
        named = len(groups)
        for one in sorted(self._kept, key=lambda one: one.size):
            if id(one) not in explained:
                group = next((group for group in groups[named:] if group.takes(one)), None)
                if group:
                    group.differences.append(one)
                else:
                    groups.append(Group(one.side, "", [one]))
        return groups[:named] + [Group(one.side, "", one.differences) for one in groups[named:]]

    def _speaks(self, difference: Difference) -> bool:
        """Whether it says something; a program that never answers does not by saying nothing."""
        return difference.verdict != NO_OUTPUT or self._answered

    def _named(self, side: int, left: list[Difference]) -> list[Group]:
        """Groups by the misreadings that most of the cases speak for."""
        groups = []
        while votes := Counter(name for one in left for name in one.alike if name not in self.refuted[side]):
            own = {name for one in left for name in one.traps}
            best = max(filter(votes.__contains__, LIBRARY), key=lambda name: (votes[name], name in own))
            groups.append(Group(side, best, [one for one in left if best in one.alike]))
            left = [one for one in left if best not in one.alike]
        return groups

    def put_together(self, differences: list[Difference]) -> None:
        """Make one group of all differences, as there is only one thing to say of them."""
        self.groups = [Group(differences[0].side, "", differences)] if differences else []

    # --- the end ---------------------------------------------------------------------------------

    def conclude(self) -> None:
        """Find the causes of all differences in all that was asked."""
        groups: list[Group] = []
        for side in sorted({one.side for one in self._kept}):
            groups += self._concluded(side)
        self.groups = groups

    def _concluded(self, side: int) -> list[Group]:
        """The groups of one side by their causes."""
        wrong = [one for one in (*self._kept, *self._others) if one.side == side]
        likely = sorted({name for one in wrong for name in one.alike})
        contradicting = [case for name in likely if (case := self._against(name))]
        for _ in range(ROUNDS):
            sample = _sample(wrong)
            found = self._causes(sample, contradicting)
            more = [case for one in found for name in one.names if (case := self._against(name))]
            if not more:
                break
            contradicting += more
        groups = [group for one in found for group in self._grouped_by(side, one, sample)]
        _count_others(groups, wrong, sample)
        return groups

    def _causes(self, wrong: list[Difference], contradicting: "list[Right]") -> "list[Cause]":
        right = [*self._right][-SAMPLED:]
        cases = [
            Answered(
                "",
                self.program,
                one.verdict,
                compact(one.value).encode(),
                b"",
                one.printed.decode(errors="replace"),
                one.stderr.decode(errors="replace"),
            )
            for one in wrong
        ]
        cases += [
            Answered("", self.program, PASS, compact(value).encode(), (answer or "").encode())
            for value, answer in (*right, *contradicting)
        ]
        return causes(cases, self._memory)

    def _grouped_by(self, side: int, cause: "Cause", sample: list[Difference]) -> list[Group]:
        """The group of a cause; of a program that never answers, one for each thing that it says instead."""
        differences = [sample[at] for at in cause.cases]
        if cause.kind == SILENCE:
            return [
                Group(side, "", [one for one in differences if one.key == key], cause)
                for key in dict.fromkeys(one.key for one in differences)
            ]
        own = {name for one in differences for name in one.traps}
        names = sorted(cause.names, key=lambda name: name not in own)
        name = names[0] if cause.kind == MISREADING else ""
        return [Group(side, name, differences, replace(cause, names=tuple(names)))]


def _count_others(groups: list[Group], wrong: list[Difference], sample: list[Difference]) -> None:
    """Count the differences that were not looked at with the groups that they seem to belong to."""
    looked_at = {id(one) for one in sample}
    for one in wrong:
        one.more = 0
    for one in wrong:
        if id(one) not in looked_at:
            named = (group for group in groups if group.name in one.alike)
            similar = (group for group in groups if group.smallest.key == one.key and not group.name)
            group = next(named, None) or next(similar, None)
            if group is not None:
                group.smallest.more += 1


def _sample(differences: list[Difference]) -> list[Difference]:
    """The smallest of many differences, and the last ones, each input once."""
    ordered = sorted(differences, key=lambda one: one.size)
    chosen = [*ordered[:SMALLEST], *differences[-LATEST:]]
    return [*{compact(one.value): one for one in reversed(chosen)}.values()]
