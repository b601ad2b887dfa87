"""What fuzzing has found, in groups: one for each thing that a program seems to do wrong.

A group is named by the misreading that answers as the program does: the library is asked about every case
that is kept, and the misreading that most of them speak for gets them, then the next one gets what is
left. As more cases come, groups get other names. What no misreading explains is grouped by its
differences, and what is no answer at all, such as a crash, by its verdict.
"""

import re
from collections import Counter, deque
from contextlib import ExitStack

from evolution.wire.errors import NotJSON
from harness.inputs.reductions import size
from harness.inputs.scene import scene_of
from harness.judging.compare import parse_values, same
from harness.judging.verdicts import CRASHED, MEMORY, NO_OUTPUT, NO_START, NOT_JSON, TIMEOUT, TOO_MUCH
from harness.misreadings import LIBRARY, planted, right_answer, same_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from harness.inputs.reductions import Size
    from harness.judging.judge import Judgement
    from harness.judging.outcome import Outcome

    Key = tuple[
        int, str, object
    ]  # the side that is to blame, a verdict, and what tells it from others like it

NO_ANSWER = {TIMEOUT, MEMORY, TOO_MUCH, CRASHED, NO_START, NOT_JSON}
REFUSED = (0, 65, None)  # exit statuses with which a program says on purpose that there is no answer
KEPT = 400  # differences that are kept in all
EVIDENCE = 8  # cases of a group that are asked whether they speak for another misreading
SAMPLED = 200  # right answers that are kept, to refute misreadings with
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
        if self.verdict == NO_OUTPUT:
            return self.exit in REFUSED
        return self.verdict not in NO_ANSWER

    @property
    def key(self) -> "Key":
        """What it has in common with others that no misreading explains."""
        if self.verdict in (CRASHED, NO_START) and self.detail:
            return self.side, self.verdict, self.detail
        if self.verdict == NO_OUTPUT:
            lines = self.stderr.decode(errors="backslashreplace").strip().splitlines()
            return self.side, self.verdict, _numberless(lines[-1]) if lines else ""
        if self.verdict in NO_ANSWER:
            return self.side, self.verdict, ""
        return self.side, self.verdict, self.differences[0].likeness if self.differences else ""


def _numberless(line: str) -> str:
    return re.sub(r"-?[0-9]+", "#", line)[:LONGEST]


def answers_alike(program: str, value: "Any", printed: bytes, names: "Iterable[str]") -> bool:
    """Whether an engine with all of these misreadings at once prints the same."""
    try:
        said = parse_values(printed)
        with ExitStack() as planting:
            for name in names:
                planting.enter_context(planted(LIBRARY[name]))
            answer = right_answer(program, value)
    except NotJSON:
        return False
    except Exception:  # a misread rule may lead where the engine never comes
        return False
    return same([] if answer is None else parse_values(answer.encode()), said)


def explanations(program: str, value: "Any", printed: bytes) -> frozenset[str]:
    """The names of all misreadings that answer the input with what was printed."""
    return frozenset(
        name
        for name, chaff in LIBRARY.items()
        if program in chaff.programs and answers_alike(program, value, printed, [name])
    )


class Group:
    """Differences that seem to have one reason.

    name: the misreading that answers all of them as the program does, and that shows nowhere where the
    program is right; empty if there is none. near: if it is empty, one that at least answers most alike.
    """

    def __init__(self, side: int, name: str, differences: list[Difference]) -> None:
        self.side = side
        self.name = name
        self.differences = sorted(differences, key=lambda one: one.size)
        self.near = "" if name else _nearest(differences)

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


def _nearest(differences: list[Difference]) -> str:
    votes = Counter(name for one in differences for name in one.alike)
    best = max(filter(votes.__contains__, LIBRARY), key=votes.__getitem__, default="")
    return best if votes[best] * 3 >= len(differences) * 2 else ""


class Findings:
    """All differences that are kept, and their groups."""

    def __init__(self, program: str) -> None:
        self.program = program
        self.groups: list[Group] = []
        # Misreadings that show where a side is right.
        self.refuted: tuple[set[str], set[str]] = (set(), set())
        self._answered = False  # whether there was a right answer that is not nothing
        self._right: deque[tuple[Any, str | None]] = deque(maxlen=SAMPLED)
        self._kept: list[Difference] = []
        self._seen: Counter[Key] = Counter()

    def right(self, value: "Any", answer: "str | None") -> None:
        """Nobody is wrong in this case; what shows in it is none of their misreadings."""
        self._answered = self._answered or answer is not None
        self._right.append((value, answer))

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
        alike = group.differences if group else [one for one in self._kept if one.key == difference.key]
        (alike or self._kept)[0].more += 1

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
        with planted(LIBRARY[name]):
            for value, answer in self._right:
                try:
                    if not same_answer(right_answer(self.program, value), answer):
                        return True
                except Exception:  # a misread rule may lead where the engine never comes
                    return True
        return False

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
