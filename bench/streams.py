"""Streams: cases per second through one `--stream` process, against one process per case.

Each program gets cases from the generators of harness/inputs, one per seed, from seed 0 on. In
every round the whole stream is run once, and then a few of its first cases with a process each;
the fastest round counts for both. The memory is the peak of the program's own process, for a
stream and for one ten times as long: if it grew with the stream, it would show here.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench import PROGRAMS, PYTHON, print_table, program, seconds
from harness.inputs.kinds import usual_kind
from harness.inputs.random_inputs import MAKERS

CASES = 20_000
LONG = 200_000
ALONE = 200  # cases that get a process each
ROUNDS = 5

GENERATORS: dict[str, Callable[[random.Random], object]] = {
    name: MAKERS["configuration" if name == "xstream" else usual_kind(name)] for name in PROGRAMS
}


def generate(name: str, place: Path) -> Path:
    """A file with the cases of a program, one a line; the cases are never all in memory."""
    make = GENERATORS[name]
    path = place / name
    with path.open("w") as file:
        for seed in range(CASES):
            file.write(json.dumps(make(random.Random(seed)), separators=(",", ":")) + "\n")
    return path


def lines(path: Path) -> Iterator[bytes]:
    """The lines of a file, as they are read."""
    with path.open("rb") as file:
        yield from file


def stream_command(name: str) -> list[str]:
    """How a program reads a stream; xstream does nothing else."""
    return [program(name)] if name == "xstream" else [program(name), "--stream"]


def check(name: str, stream: Path) -> None:
    """Warm up, and see that every case gets its line; xstream adds one with the count."""
    with stream.open("rb") as stdin:
        done = subprocess.run(stream_command(name), stdin=stdin, capture_output=True, check=False)
    answered = done.stdout.count(b"\n")
    if answered != CASES + (name == "xstream"):
        sys.exit(f"bench: {name} answered {answered} of {CASES} cases")


def rates(name: str, stream: Path, alone: list[Path]) -> tuple[float, float]:
    """Cases per second: in a stream, and with a process each."""
    together, apart = [], []
    share = ALONE // ROUNDS
    for at in range(0, ALONE, share):
        together.append(seconds(stream_command(name), stream))
        apart.append(sum(seconds([program(name)], case) for case in alone[at : at + share]))
    return CASES / min(together), share / min(apart)


# The peak that the system reports for a process includes what its parent held when it started
# it. So the program's parent is a bare interpreter, smaller than any program.
MEASURE = """
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
print(os.wait4(pid, 0)[2].ru_maxrss, file=sys.stderr)
"""


def peak_memory(name: str, stream: Path, count: int) -> float:
    """The peak memory of a program, in MB, on this many cases through a pipe."""
    child = subprocess.Popen(
        [PYTHON, "-I", "-S", "-c", MEASURE, *stream_command(name)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert child.stdin is not None
    for _ in range(count // CASES):
        for line in lines(stream):
            child.stdin.write(line)
    _, said = child.communicate()
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return int(said.split()[-1]) * unit / 1e6


def main() -> None:
    """Measure and print."""
    with TemporaryDirectory() as directory:
        place = Path(directory)
        rows = []
        for name in PROGRAMS:
            stream = generate(name, place)
            alone = [place / f"{name}-{at}" for at in range(ALONE)]
            for path, line in zip(alone, lines(stream), strict=False):
                path.write_bytes(line)
            check(name, stream)
            together, apart = rates(name, stream, alone)
            average = stream.stat().st_size / CASES / 1000
            rows.append(
                [name, f"{average:.1f}", f"{together:,.0f}", f"{apart:,.0f}", f"{together / apart:,.0f}"]
            )
        print_table(["", "kB a case", "--stream, cases/s", "a process each, cases/s", "ratio"], rows)
        print(f"\n{CASES:,} cases in a stream, {ALONE} with a process each; best of {ROUNDS}\n")
        short, long = (peak_memory("xstep", place / "xstep", count) for count in (CASES, LONG))
        print_table(
            ["xstep --stream", "peak MB", "ratio"],
            [
                [f"{CASES:,} cases", f"{short:.1f}", "1.00"],
                [f"{LONG:,} cases", f"{long:.1f}", f"{long / short:.2f}"],
            ],
        )
