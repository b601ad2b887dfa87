"""Fuzzing: comparisons per second, through `--stream` and with a process for each case.

A stream is compared with what the same program answers to the same cases when it is fed from a file, with
nothing made or compared meanwhile. A program without `--stream` is compared with what its start-up allows: as
many processes at once as there are cores, started in a bare loop, do nothing but answer the case.
"""

import os
import sys
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench import PYTHON, ROOT, print_table, program, seconds
from harness.fixtures.layout import compact
from harness.running.target_pool import Pipeline, TargetPool
from harness.search.fuzz import Fuzz, traps, wild

CASES = 20_000
ALONE = 1500  # cases with a process each
ROUNDS = 3
PROGRAM = "xstep"
# A program of another team, as far as one can see: it knows no options.
ONE_SHOT = f"""#!{PYTHON} -IS
import sys
sys.path[:0] = [{str(ROOT)!r}]
from harness.start import leave, run
leave(run({PROGRAM!r}, []))
"""


def fuzzed(asker: "TargetPool | Pipeline", cases: int) -> float:
    """Comparisons per second."""
    fuzz = Fuzz(PROGRAM, cases=cases)
    began = perf_counter()
    fuzz.run([asker], [asker], traps(PROGRAM), wild(PROGRAM, 0))
    taken = perf_counter() - began
    if fuzz.findings.groups or fuzz.compared != cases:
        sys.exit(f"bench: {fuzz.compared} cases compared, {len(fuzz.findings.groups)} differences")
    return cases / taken


def streamed(place: Path, cases: int) -> float:
    """Cases per second of the program alone, reading the same cases from a file."""
    source = wild(PROGRAM, 0)
    path = place / "cases"
    with path.open("w") as file:
        for _ in range(cases):
            file.write(compact(next(source)) + "\n")
    return cases / seconds([program(PROGRAM), "--stream"], path)


def started(task: tuple[str, Path, int]) -> None:
    """One worker of the bare loop."""
    command, path, count = task
    for _ in range(count):
        seconds([command], path)


def bare(command: str, path: Path, cases: int) -> float:
    """Processes per second that a bare loop on all cores starts and waits for."""
    cores = os.cpu_count() or 1
    with Pool(cores) as pool:
        pool.map(abs, range(cores))
        began = perf_counter()
        pool.map(started, [(command, path, cases // cores)] * cores)
        return cases // cores * cores / (perf_counter() - began)


def main() -> None:
    """Measure and print."""
    cores = os.cpu_count() or 1
    with TemporaryDirectory() as directory:
        place = Path(directory)
        command = place / PROGRAM
        command.write_text(ONE_SHOT)
        command.chmod(0o755)
        case = place / "case.json"
        case.write_text(list(traps(PROGRAM))[-1])
        rates: list[list[float]] = []
        for _ in range(ROUNDS):
            pipeline, targets = Pipeline(program(PROGRAM)), TargetPool(str(command), cores)
            found = [fuzzed(pipeline, CASES), streamed(place, CASES)]
            rates.append([*found, fuzzed(targets, ALONE), bare(str(command), case, ALONE)])
            pipeline.close()
            targets.close()
    stream, alone, one_shot, loop = (max(column) for column in zip(*rates, strict=True))
    rows = [
        [f"bin/{PROGRAM} --stream", f"{stream:,.0f}", f"{alone:,.0f}", f"{stream / alone:.2f}"],
        [
            f"one process a case, {cores} at once",
            f"{one_shot:,.0f}",
            f"{loop:,.0f}",
            f"{one_shot / loop:.2f}",
        ],
    ]
    print_table(["", "fuzzed, cases/s", "the program alone, cases/s", "ratio"], rows)
    print(f"\n{CASES:,} cases through the stream, {ALONE:,} with a process each; best of {ROUNDS}")
