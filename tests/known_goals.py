"""Search for what the cases of each program can reach, and write it down: harness/events/known.json.

`python -m tests.known_goals` is run when events are added or renamed. A goal that not every search finds
comes with a smallest input that reaches it.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import harness.events
from harness.events.goals import goals
from harness.fixtures.layout import compact
from harness.misreadings import smallest_cases
from harness.programs.answering import PROGRAMS
from harness.programs.reference import watch
from harness.search.guide import Guide
from harness.search.shrink import shrink

Json = Any
Goal = tuple[str, str]

SEARCHES = 4
INPUTS = 6000
OFTEN = 3  # a goal that a search reaches less often is rare
PATH = Path(harness.events.__file__).parent / "known.json"


def reached(program: str, value: Json) -> list[Goal]:
    return goals(watch(program, value)[1])


def search(task: tuple[str, int]) -> dict[Goal, list[Json]]:
    """The goals that one search reaches, each with the first inputs that do."""
    program, number = task
    found: dict[Goal, list[Json]] = {}
    guide = Guide(program, f"known {number}")
    known = [cases[program] for cases in smallest_cases().values() if program in cases]
    for value in [*known, *(guide.next() for _ in range(INPUTS))]:
        for goal in reached(program, value):
            inputs = found.setdefault(goal, [])
            if len(inputs) < OFTEN:
                inputs.append(value)
    return found


def witness(program: str, goal: Goal, value: Json) -> Json:
    return shrink(program, value, lambda smaller: goal in reached(program, smaller))


def known(program: str, searches: list[dict[Goal, list[Json]]]) -> dict[str, dict[str, Json]]:
    """All goals by their groups, with inputs for the rare ones."""
    groups: dict[str, dict[str, Json]] = {}
    for goal in sorted({goal for found in searches for goal in found}):
        group, words = goal
        values = [value for found in searches for value in found.get(goal, [])]
        rare = any(len(found.get(goal, [])) < OFTEN for found in searches)
        groups.setdefault(group, {})[words] = witness(program, goal, values[0]) if rare else None
    return groups


def main(programs: list[str]) -> None:
    tasks = [(program, number) for program in programs for number in range(SEARCHES)]
    with ProcessPoolExecutor() as pool:
        found = list(pool.map(search, tasks))
    lines = []
    for program in programs:
        of_program = [one for (name, _), one in zip(tasks, found, strict=True) if name == program]
        lines.append(f"{compact(program)}:{compact(known(program, of_program))}")
        print(program, len(set().union(*of_program)), [len(one) for one in of_program])
    PATH.write_text("{" + ",\n".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or list(PROGRAMS))
