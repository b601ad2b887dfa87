"""Shrinking: how small planted failures become, and how long that takes.

A failure is a random case in which a misreading of the library shows. In process, its engine is asked with
the misreading planted. As an executable, it is a program that starts in some milliseconds and is asked on all
cores, as `harness fuzz` does it. A result is compared with the misreading's own smallest case.
"""

import os
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench import PYTHON, ROOT, print_table, seconds
from harness.fixtures.layout import compact
from harness.inputs.random_inputs import random_input
from harness.inputs.scene import scene_of, value_of
from harness.misreadings import LIBRARY, Misreading, right_answer, same_answer, shows, smallest_cases
from harness.running.target_pool import TargetPool
from harness.search.shrink import Search

FAILURES = 200  # in process,
# and as executables, each without one of these traits
IGNORED = ["hard-shell", "herding", "burrowing", "climbing", "symbiosis", "warning-call"]
IGNORED += ["foraging", "cooperation", "fertile", "long-neck"]
TRIED = 400  # random cases for each misreading
Failure = tuple[Misreading, str, Any]
# The misreading is planted without loading the library, which would take longer than the answer.
EXECUTABLE = """#!{python} -IS
import sys
sys.path[:0] = [{root!r}]
from evolution import traits
traits.TRAITS[{name!r}] = traits.Trait()
from harness.start import leave, run
leave(run({program!r}, []))
"""


def failures(count: int) -> list[Failure]:
    """Random cases in which misreadings show, of as many misreadings as possible."""
    found: list[Failure] = []
    for round_ in range(9):
        for chaff in Random(round_).sample(list(LIBRARY.values()), len(LIBRARY)):
            program = chaff.programs[-1]
            if program not in smallest_cases()[chaff.name]:
                continue
            inputs = (random_input(program, Random(f"{round_} {seed}")) for seed in range(TRIED))
            value = next((value for value in inputs if shows(chaff, program, value)), None)
            if value is not None:
                found.append((chaff, program, value))
            if len(found) == count:
                return found
    return found


def boards(program: str, value: Any) -> int:
    """How many boards an input has."""
    scene = scene_of(program, value)
    return len(scene.boards) + scene.new_boards


def in_process(failure: Failure) -> tuple[float, int, int]:
    """Seconds, questions, and boards more than the smallest case has."""
    chaff, program, value = failure
    search = Search(program, value, lambda values: [shows(chaff, program, one) for one in values])
    began = perf_counter()
    search.run()
    taken = perf_counter() - began
    more = boards(program, value_of(search.best)) - boards(program, smallest_cases()[chaff.name][program])
    return taken, search.questions, more


def executable(place: Path, trait: str, value: Any) -> tuple[float, int, int, float]:
    """Seconds, questions and spare boards for a program that ignores a trait, and the time of one start."""
    program = "xstep4"
    path = place / f"{program}-{trait}"
    path.write_text(EXECUTABLE.format(python=PYTHON, root=str(ROOT), name=trait, program=program))
    path.chmod(0o755)
    targets = TargetPool(str(path), os.cpu_count() or 1)

    def differ(values: list[Any]) -> list[bool]:
        outcomes = targets.answers([compact(one).encode() for one in values])
        return [
            not same_answer(right_answer(program, one), outcome.stdout.decode().strip() or None)
            for one, outcome in zip(values, outcomes, strict=True)
        ]

    search = Search(program, value, differ, ahead=targets.ahead)
    began = perf_counter()
    search.run()
    taken = perf_counter() - began
    targets.close()
    case = place / "case.json"
    case.write_text(compact(value_of(search.best)))
    start = min(seconds([str(path)], case) for _ in range(9))
    known = smallest_cases()[f"{trait}-is-ignored"][program]
    return taken, search.questions, boards(program, value_of(search.best)) - boards(program, known), start


def main() -> None:
    """Measure and print."""
    planted = [in_process(failure) for failure in failures(FAILURES)]
    times, questions, more = map(list, zip(*planted, strict=True))
    rows = [row(f"in process, {len(planted)} failures", times, questions, more)]
    found = []
    with TemporaryDirectory() as directory:
        for trait in IGNORED:
            chaff = LIBRARY[f"{trait}-is-ignored"]
            inputs = (random_input("xstep4", Random(f"{trait} {seed}")) for seed in range(TRIED))
            value = next(value for value in inputs if shows(chaff, "xstep4", value))
            found.append(executable(Path(directory), trait, value))
    times, questions, more, starts = map(list, zip(*found, strict=True))
    rows.append(row(f"{len(found)} executables", times, questions, more))
    head = ["", "seconds: median", "most", "questions: median", "most", "boards more: median", "most"]
    print_table(head, rows)
    print(f"\none start of an executable takes {median(starts) * 1000:.0f} ms")


def row(what: str, times: list[float], questions: list[int], more: list[int]) -> list[str]:
    """A line of the table."""
    cells = [f"{median(times):.2f}", f"{max(times):.2f}", f"{median(questions):.0f}", f"{max(questions)}"]
    return [what, *cells, f"{median(more):g}", f"{max(more)}"]
