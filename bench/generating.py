"""Generating: cases per second with expected outputs, by chance and guided.

The first figure is that of the whole command `harness generate PROGRAM -n N`, its start included, printing
to nowhere; the others are those of this process: random inputs with their answers, and guided ones.
"""

import os
import subprocess
from collections.abc import Iterator
from itertools import islice
from time import perf_counter

from bench import ROOT, print_table
from harness.authoring.generate import random_cases
from harness.programs.answering import PROGRAMS
from harness.search.guide import Guide

CASES = 5000
ROUNDS = 3


def guided(program: str) -> Iterator[object]:
    """Guided cases with their answers."""
    guide = Guide(program)
    while True:
        yield guide.next_case()


def rate(cases: Iterator[object]) -> float:
    """How many of these come in a second; those that are made ahead of the first are not counted."""
    next(cases)
    start = perf_counter()
    made = sum(1 for _ in islice(cases, CASES))
    return made / (perf_counter() - start)


def of_command(program: str) -> float:
    """Cases per second of the command."""
    command = [str(ROOT / "bin" / "harness"), "generate", program, "-n", str(CASES)]
    start = perf_counter()
    with open(os.devnull, "wb") as nowhere:
        subprocess.run(command, stdout=nowhere, check=True)
    return CASES / (perf_counter() - start)


def main() -> None:
    """Measure and print."""
    rows = []
    for program in PROGRAMS:
        command = max(of_command(program) for _ in range(ROUNDS))
        plain = max(rate(iter(random_cases(program, 0, CASES + 1))) for _ in range(ROUNDS))
        guide = max(rate(guided(program)) for _ in range(ROUNDS))
        rows.append([program, f"{command:,.0f}", f"{plain:,.0f}", f"{guide:,.0f}", f"{guide / plain:.2f}"])
    print_table(["", "harness generate, cases/s", "in process", "guided", "guided / by chance"], rows)
    print(f"\n{CASES:,} cases; best of {ROUNDS}")
