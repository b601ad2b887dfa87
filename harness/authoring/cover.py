"""A small set of cases that reaches everything that is known to be reachable.

Goals are the events of an input in groups (`harness.events.goals`) and the branches of the engine
(`harness.events.branches`). The search goes on until every known goal is reached and there is a choice of
cases for each; then cases are taken, always the one with the most new goals for its size, and those that
turn out to be needless are left out. The same program and seed give the same set on every machine.
"""

import re
from math import isqrt
from random import Random

import orjson

from harness.authoring.generate import Made
from harness.events.branches import Engine
from harness.events.goals import BRANCHES, goals
from harness.events.known import NEVER, cannot, known_goals
from harness.fixtures.dialect import GENEROUS, Dialect
from harness.inputs import kinds
from harness.inputs.random_inputs import random_input
from harness.inputs.repairs import fitted
from harness.misreadings import smallest_cases
from harness.programs.answering import PROGRAMS
from harness.programs.reference import watch
from harness.search.guide import Guide
from harness.shipped.pages import rule_order

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from harness.events.branches import Branch
    from harness.events.goals import Event, Goal
    from harness.inputs.chance import Json

    Progress = Callable[[str], None]

ENOUGH = 6000  # cases to look at,
ENOUGH_OF = {kinds.CONFIGURATION: 8000, kinds.CHOICE: 2000}  # or so many where there is more or less to see
PLAIN = 2000  # more of them, by chance: the guide has no taste for boards without traits
LONGER = 3  # times as many, if a goal has not been reached
CHOICE = 40  # cases among which there is a choice for each goal
LONGEST = 72  # characters of a name
CHEAP = 300  # bytes that count little: a set of few cases is better than one of tiny ones


class Candidate:
    """A case that may be taken: what it reaches, and how large it is."""

    __slots__ = ("answer", "cost", "goals", "text")

    def __init__(self, text: bytes, answer: "str | None", reached: "list[Goal]") -> None:
        self.text = text
        self.answer = answer
        self.goals = reached
        self.cost = CHEAP + len(text)


class Cover:
    """A search for one program: `run` it, then see what it took and what that reaches.

    cases: the set. reached: all goals that it reaches. known: the goals that are known to be reachable.
    never: branches that cannot be taken, each with the reason. unused: functions that the program does
    not use. beyond: the goals that no input of the dialect was found to reach.
    """

    def __init__(
        self,
        program: str,
        seed: int,
        tell: "Progress" = lambda text: None,
        dialect: Dialect = GENEROUS,
    ) -> None:
        """All cases are such that a program of the dialect reads them."""
        self.program = program
        self._dialect = dialect
        self.cases: list[Made] = []
        self.reached: dict[Goal, None] = {}
        self.known: dict[Goal, None] = dict.fromkeys(known_goals(program))
        self.never: dict[Branch, str] = {}
        self.unused: list[str] = []
        self.beyond: list[Goal] = []
        self._seed = seed
        self._tell = tell
        self._kind = kinds.usual_kind(program)
        self._engine = Engine()
        self._candidates: list[Candidate] = []
        self._counts: dict[Goal, int] = {}

    def run(self, most: "int | None" = None) -> None:
        """Search, and take at most so many cases."""
        self._search()
        self._add_branches()
        if self._dialect is not GENEROUS:
            self.beyond = [goal for goal in self.known if goal not in self._counts]
        taken = self._without_needless(self._greedy())[:most]
        names: dict[str, int] = {}
        for candidate, shown in taken:
            name = _name(shown)
            names[name] = names.get(name, 0) + 1
            stem = name if names[name] == 1 else f"{name}-{names[name]}"
            self.cases.append(Made(stem, orjson.loads(candidate.text), candidate.answer))
            self.reached.update(dict.fromkeys(candidate.goals))

    @property
    def missing(self) -> "list[Goal]":
        """What is known to be reachable, and was not reached; in a dialect, by this set."""
        return [goal for goal in self.known if goal not in self.reached and goal not in self.beyond]

    # --- searching --------------------------------------------------------------------------------

    def _search(self) -> None:
        for cases in smallest_cases().values():
            if self.program in cases:
                self._look_at(cases[self.program])
        rng = Random(f"cover {self.program} {self._seed}")
        for _ in range(PLAIN):
            self._look_at(random_input(self.program, rng))
        guide = Guide(self.program, f"cover {self._seed}", dialect=self._dialect)
        enough = ENOUGH_OF.get(self._kind, ENOUGH)
        for number in range(LONGER * enough):
            if number >= enough and all(goal in self._counts for goal in self.known):
                break
            self._consider(*guide.next_watched())
            if number % 100 == 0:
                found = sum(goal in self._counts for goal in self.known)
                self._tell(f"{number} cases looked at, {found} of {len(self.known)} goals reached")
        for goal, witness in known_goals(self.program).items():
            if goal not in self._counts and witness is not None:
                self._look_at(witness)

    def _look_at(self, value: "Json") -> None:
        if self._dialect is not GENEROUS:
            value = fitted(self.program, value, self._dialect)
            if value is None:
                return
        answer, seen = watch(self.program, value)
        self._consider(value, answer, list(seen))

    def _consider(self, value: "Json", answer: "str | None", events: "list[Event]") -> None:
        """Keep the case if there is not much choice yet for one of its goals."""
        branches = self._engine.taken(PROGRAMS[self.program].load, value)
        # Two loops of a function over the same thing are one goal.
        reached = list(dict.fromkeys([*goals(events), *map(branch_goal, branches)]))
        counts = self._counts
        if any(counts.get(goal, 0) < CHOICE for goal in reached):
            for goal in reached:
                counts[goal] = counts.get(goal, 0) + 1
            self._candidates.append(Candidate(orjson.dumps(value), answer, reached))

    def _add_branches(self) -> None:
        """What is known of the branches: every one of a function that is used, unless it is never taken."""
        taken = {goal for goal in self._counts if goal[0] == BRANCHES}
        used = {
            function
            for function, *branch in self._engine.branches
            if branch_goal((function, *branch)) in taken
        }
        self.unused = sorted({function for function, _, _ in self._engine.branches} - used)
        for branch in self._engine.branches:
            if branch[0] not in used:
                continue
            if branch in NEVER and branch_goal(branch) not in taken:
                self.never[branch] = NEVER[branch]
            else:
                self.known[branch_goal(branch)] = None

    # --- taking -----------------------------------------------------------------------------------

    def _greedy(self) -> "list[tuple[Candidate, Goal]]":
        """Cases that together reach all, each with the rarest goal that it was taken for."""
        left = dict.fromkeys(goal for goal in self.known if goal in self._counts)
        numbers = {goal: number for number, goal in enumerate(left)}
        open_goals = set(numbers.values())
        wanted = [{numbers[goal] for goal in one.goals if goal in numbers} for one in self._candidates]
        names = list(left)
        taken = []
        while open_goals:
            gains = [len(one & open_goals) for one in wanted]
            best = max(
                range(len(gains)), key=lambda at: (gains[at] * 1000 // isqrt(self._candidates[at].cost), -at)
            )
            new = sorted(wanted[best] & open_goals)
            rarest = min(
                new, key=lambda number: (names[number][0] == BRANCHES, self._counts[names[number]], number)
            )
            taken.append((self._candidates[best], names[rarest]))
            open_goals -= wanted[best]
            self._tell(f"{len(taken)} cases taken, {len(open_goals)} goals to go")
        return taken

    def _without_needless(self, taken: "list[tuple[Candidate, Goal]]") -> "list[tuple[Candidate, Goal]]":
        """The cases without those of which everything is reached by others."""
        counts: dict[Goal, int] = {}
        for candidate, _ in taken:
            for goal in candidate.goals:
                counts[goal] = counts.get(goal, 0) + 1
        needless: set[int] = set()
        for candidate, _ in sorted(taken, key=lambda one: -one[0].cost):
            if not any(goal in self.known and counts[goal] == 1 for goal in candidate.goals):
                needless.add(id(candidate))
                for goal in candidate.goals:
                    counts[goal] -= 1
        return [one for one in taken if id(one[0]) not in needless]

    # --- telling ----------------------------------------------------------------------------------

    def report(self) -> list[str]:
        """What the set covers, group by group, and what it does not, with the reasons."""
        groups: dict[str, list[Goal]] = {}
        for goal in self.known:
            groups.setdefault(goal[0], []).append(goal)
        lines = ["reached  known"]
        for group in sorted(groups):
            reached = sum(goal in self.reached for goal in groups[group])
            lines.append(f"{reached:7}{len(groups[group]):7}  {group}")
        lines += [f"not reached: {group}: {words}" for group, words in self.missing]
        lines += [f"not reached in such forms: {group}: {words}" for group, words in self.beyond]
        lines.append(f"rules that decide in these cases: {' '.join(self.rules())}")
        lines += [f"cannot be: {words}, since {reason}" for words, reason in cannot(self._kind).items()]
        for (function, text, way), reason in self.never.items():
            lines.append(f"cannot be: {function}: {text}: {way}, since {reason}")
        lines.append(f"not used by {self.program}: {', '.join(self.unused)}")
        lines.append(
            f"{len(self.cases)} cases reach {sum(goal in self.reached for goal in self.known)} "
            f"of {len(self.known)}"
        )
        return lines

    def rules(self) -> list[str]:
        """The sections of docs/rules.md that are told of when the cases are explained."""
        from harness.explain.programs import explain

        sections = {rule for case in self.cases for rule in explain(self.program, case.value).rules}
        return sorted(sections, key=rule_order)


def branch_goal(branch: "tuple[Any, ...]") -> "Goal":
    """A branch as a goal."""
    function, text, way = branch
    return (BRANCHES, f"{function}: {text}: {way}")


def _name(goal: "Goal") -> str:
    """A goal as the name of a file."""
    words = re.sub(r"[^a-z0-9]+", "-", goal[1].lower()).strip("-")
    if len(words) <= LONGEST:
        return words
    return words[:LONGEST].rpartition("-")[0]
