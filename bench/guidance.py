"""Guidance: cases needed to catch each misreading, guided against by chance.

Each misreading of the library is a wrong program in this process. The cases of `harness.search.guide` and
those of the random generator are given to it one after the other until its answer is wrong; where none of
LIMIT cases catches it, LIMIT is counted, so the sums flatter whoever misses more. How the guide weighs
events was chosen with one half of the misreadings, by their names; the figures are those of the other half.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import islice
from random import Random
from statistics import median

from bench import print_table
from evolution.wire.errors import Illegal
from harness.inputs.random_inputs import random_input
from harness.misreadings import LIBRARY, planted, same_answer
from harness.programs.answering import PROGRAMS
from harness.search.guide import Guide

LIMIT = 2000
SEEDS = 5

Case = tuple[object, str | None]
Answer = Callable[[object], str | None]


def chosen_with(name: str) -> bool:
    """Whether the guide's settings were chosen with this misreading."""
    return sha256(name.encode()).digest()[0] % 2 == 0


def said(answer: Answer, value: object) -> str | None:
    """What a program answers; nothing if it refuses."""
    try:
        return answer(value)
    except Illegal:
        return None


def by_chance(program: str, seed: int) -> Iterator[Case]:
    """Random cases, as `harness generate` makes them."""
    rng = Random(f"bench {program} {seed}")
    answer = PROGRAMS[program]()
    while True:
        value = random_input(program, rng)
        yield value, said(answer, value)


def guided(program: str, seed: int) -> Iterator[Case]:
    """Guided cases, as `harness fuzz` uses them."""
    guide = Guide(program, f"bench {seed}")
    while True:
        yield guide.next_case()


def needed(name: str, program: str, cases: list[Case]) -> int:
    """How many of the cases it takes to catch a misreading."""
    with planted(LIBRARY[name]):
        answer = PROGRAMS[program]()
        for number, (value, right) in enumerate(cases, 1):
            if not same_answer(said(answer, value), right):
                return number
    return LIMIT


def counts(program: str, make: Callable[[str, int], Iterator[Case]]) -> list[int]:
    """The cases needed for each misreading of a program, and each seed."""
    names = [name for name, chaff in LIBRARY.items() if program in chaff.programs and not chosen_with(name)]
    found: list[int] = []
    for seed in range(SEEDS):
        cases = list(islice(make(program, seed), LIMIT))
        found += [needed(name, program, cases) for name in names]
    return found


def row(name: str, chance: list[int], guide: list[int]) -> list[str]:
    """A line of the table."""
    missed = [sum(count == LIMIT for count in one) for one in (chance, guide)]
    return [
        name,
        str(len(chance) // SEEDS),
        f"{median(chance):g}",
        f"{median(guide):g}",
        f"{sum(chance):,}",
        f"{sum(guide):,}",
        f"{sum(guide) / sum(chance):.2f}",
        f"{missed[0]} / {missed[1]}",
    ]


def main() -> None:
    """Measure and print."""
    head = ["", "misreadings", "median by chance", "guided", "sum by chance", "guided", "ratio", "missed"]
    rows = []
    all_chance: list[int] = []
    all_guided: list[int] = []
    for program in PROGRAMS:
        chance, guide = counts(program, by_chance), counts(program, guided)
        rows.append(row(program, chance, guide))
        all_chance += chance
        all_guided += guide
    rows.append(row("all", all_chance, all_guided))
    print_table(head, rows)
    print(f"\n{SEEDS} seeds, at most {LIMIT:,} cases each; the ratio is that of the sums")
