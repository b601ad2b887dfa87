"""Scaling: what large tables, large answers and sparse files cost, against reading and writing them.

CPU time, of the median of some runs. The floor of a table and of an answer is to read and write its JSON;
that of a folder is to copy the same one without its sparse file. "per unit" is the time for each board or
byte, as a multiple of that of the smallest row above: 1 is linear.
"""

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from bench import print_table
from evolution.traits import TRAITS
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.programs.answering import PROGRAMS
from harness.running.content import content_of, copy_folder
from harness.running.scratch import remove_folder

BOARDS = (10, 100, 1000)
SIZES = (100_000, 1_000_000, 10_000_000)
SPARSE = 10 << 30
PLAYERS = 4
Measured = Callable[[int], tuple[float, float]]  # the seconds for a size, and those of the floor


def timed(work: Callable[[], object], rounds: int = 5) -> float:
    """The median of the seconds of CPU that something takes."""
    taken = []
    for _ in range(rounds):
        start = process_time()
        work()
        taken.append(process_time() - start)
    return median(taken)


def board(traits: list[str], food: int = 0, body: int = 0, population: int = 7) -> list[Any]:
    """A Species."""
    return [["food", food], ["body", body], ["population", population], ["traits", traits]]


def any_board(rng: Random) -> list[Any]:
    """One of all boards there can be."""
    population = rng.randint(1, 7)
    traits = rng.sample([*TRAITS], rng.randint(0, 3))
    return board(traits, rng.randint(0, population), rng.randint(0, 7), population)


TABLES: dict[str, Callable[[Random], list[Any]]] = {
    "random": any_board,
    "all cooperate": lambda _: board(["cooperation", "foraging"]),
    "all graze": lambda _: board([]),
    "all hunt": lambda _: board(["carnivore"]),
    "all hunt in vain": lambda _: board(["carnivore", "herding"]),
}


def step4(kind: str, boards: int, hole: int) -> str:
    """An input of xstep4 with so many boards, as JSON."""
    rng = Random(boards)
    rows = [[TABLES[kind](rng) for _ in range(at, boards, PLAYERS)] for at in range(PLAYERS)]
    players = [
        [["id", at], ["species", row], ["bag", 0], ["cards", [[0, "horns"]]]]
        for at, row in enumerate(rows, 1)
    ]
    return json.dumps([[players, hole, []], [[0, [], [], [], []]] * PLAYERS])


def rewritten(text: str) -> str:
    """The floor: read and written."""
    return json.dumps(json.loads(text))


def rows_of(
    name: str, sizes: tuple[int, ...], measured: Callable[[int], tuple[float, float]]
) -> list[list[str]]:
    """A row for each size: the time, the floor, their ratio, and the time for each unit."""
    rows: list[list[str]] = []
    first = 0.0
    for size in sizes:
        taken, floor = measured(size)
        first = first or taken / size
        cells = [f"{taken * 1000:.1f}", f"{floor * 1000:.1f}", f"{taken / floor:.1f}"]
        rows.append([name, f"{size:,}", *cells, f"{taken / size / first:.1f}"])
    return rows


def fed(kind: str, tokens: int) -> Measured:
    """Step 4 with so many tokens for each board."""
    answer = PROGRAMS["xstep4"]()

    def measured(boards: int) -> tuple[float, float]:
        text = step4(kind, boards, tokens * boards)
        return timed(lambda: answer(json.loads(text))), timed(lambda: rewritten(text))

    return measured


def table_of(size: int) -> str:
    """A Configuration of about so many bytes, as JSON."""
    boards = [board(["horns", "climbing"])] * (size // 85)
    return json.dumps([[[["id", 1], ["species", boards], ["bag", 0]]], 5, []])


def numbers(size: int, number: str) -> str:
    """A list of one number, or what stands for it, again and again."""
    return f"[{','.join([number] * (size // (len(number) + 1)))}]"


# What is expected, and what is made of it.
ANSWERS: dict[str, tuple[Callable[[int], str], Callable[[str], str]]] = {
    "boards, right": (table_of, lambda text: text.replace(", ", ",")),
    "boards, one place wrong": (table_of, lambda text: text.replace('"food", 0', '"food", 1', 1)),
    "boards, all wrong": (table_of, lambda text: text.replace('"food", 0', '"food", 1')),
    "numbers, all wrong": (lambda size: numbers(size, "1234.5"), lambda text: text.replace("1", "2")),
    "nests 500 deep": (
        lambda size: numbers(size, f"{'[' * 500}1{']' * 500}"),
        lambda text: text.replace("1", "2"),
    ),
    "numbers like 1e4299": (lambda size: numbers(size, "1e4299"), lambda text: text.replace("1e", "2e")),
}


def compared(kind: str) -> Measured:
    """Judging such an answer."""

    def measured(size: int) -> tuple[float, float]:
        make, change = ANSWERS[kind]
        text = make(size)
        expected, printed = text.encode(), change(text).encode()
        outcome = Outcome()
        outcome.stdout, outcome.exit = printed, 0
        floor = timed(lambda: [rewritten(text.decode()) for text in (expected, printed)], 1)
        return timed(lambda: judge(expected, outcome, exact=False, as_text=False), 1), floor

    return measured


def hashed() -> list[list[str]]:
    """Hashing and copying a team, without and with a sparse file."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        team = Path(folder) / "team"
        team.mkdir()
        for number in range(100):
            (team / f"file{number}").write_bytes(Random(number).randbytes(100_000))

        def copied() -> None:
            copy_folder(str(team), f"{folder}/copy")
            remove_folder(f"{folder}/copy")

        floors = [timed(lambda: content_of(str(team))), timed(copied)]
        with open(team / "sparse", "wb") as file:
            file.truncate(SPARSE)
        for name, work, floor in (
            ("hash", lambda: content_of(str(team)), floors[0]),
            ("copy", copied, floors[1]),
        ):
            taken = timed(work)
            rows.append([name, f"{taken * 1000:.1f}", f"{floor * 1000:.1f}", f"{taken / floor:.2f}"])
    return rows


def main() -> None:
    """Measure and print."""
    head = ["ms", "floor", "ratio", "per unit"]
    tables = [row for kind in TABLES for row in rows_of(f"{kind}, 1 token", BOARDS, fed(kind, 1))]
    tables += [row for kind in TABLES for row in rows_of(f"{kind}, 7 tokens", BOARDS, fed(kind, 7))]
    print_table(["xstep4: a table where", "boards", *head], tables)
    print()
    pairs = [row for kind in ANSWERS for row in rows_of(kind, SIZES, compared(kind))]
    print_table(["compare: answers", "bytes", *head], pairs)
    print()
    print_table(["a team of 10 MB and a sparse file of 10 GB", "ms", "without", "ratio"], hashed())
