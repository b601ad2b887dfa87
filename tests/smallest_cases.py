"""Finds the smallest cases of the misreadings and writes harness/misreadings/cases.json.

    python -m tests.smallest_cases [NAME]...

For each misreading, or for those that are named, cases in which it shows, most of them random, are shrunk,
program by program; the smallest result is kept, also if it was there before. All of them take many minutes.
The programs of a new misreading are those that such a case is found for.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import Any

from evolution.feeding import IllegalChoice
from evolution.wire.errors import Illegal
from harness.fixtures.layout import compact
from harness.inputs.scene import board_value, scene_of
from harness.misreadings import LIBRARY, Misreading, planted, right_answer, same_answer, shows
from harness.programs.answering import PROGRAMS
from harness.search.shrink import case_size, shrink
from tests.support import cases

Json = Any

ROOT = Path(__file__).parents[1]
FILE = ROOT / "harness" / "misreadings" / "cases.json"
FIXTURES = ROOT / "test-fixtures"
GENERATORS = {
    "xattack": [cases.situation, cases.state_and_choice],
    "xfeed": [cases.feeding, cases.state],
    "xstep": [cases.configuration, cases.state],
    "xstep4": [cases.step4, cases.state_and_action],
    "xsilly": [cases.choice, cases.state_with_hand],
}
SEEDS = 400  # of each pool of cases,
POOLS = 60  # how many pools are tried if there is no other way,
FEW = 6  # how many if another program shows the misreading already, and
ENOUGH = 6  # how many cases of them are shrunk


@lru_cache(maxsize=20)
def pool(program: str, number: int) -> list[tuple[Json, str | None]]:
    """Inputs of a program, with the right answers to them: first the shipped ones, then random ones."""
    seeds = range(number * SEEDS, (number + 1) * SEEDS)
    inputs = [generate(Random(seed)) for seed in seeds for generate in GENERATORS[program]]
    if number == 0:
        inputs[:0] = [json.loads(path.read_text()) for path in sorted(FIXTURES.rglob(f"{program}/*-in.json"))]
    return [(value, right_answer(program, value)) for value in inputs]


def failing(chaff: Misreading, program: str, pools: int) -> list[Json]:
    """Random cases in which the misreading shows."""
    found: list[Json] = []
    for number in range(pools):
        inputs = pool(program, number)
        with planted(chaff):
            answer = PROGRAMS[program]()
            for value, right in inputs:
                if not same_answer(right, said(answer, value)):
                    found.append(value)
                if len(found) == ENOUGH:
                    return found
    return found


def said(answer: Callable[[Json], str | None], value: Json) -> str | None:
    """What a program says; None if it is nothing."""
    try:
        return answer(value)
    except Illegal:
        return None


def derived(program: str, known: dict[str, Json]) -> Iterator[Json]:
    """Inputs of a program that are made of known cases of other programs."""
    if program in ("xfeed", "xstep", "xstep4") and len(known.get("xattack", [])) == 4:
        defender, attacker, left, right = known["xattack"]
        row = [board for board in (left, defender, right) if board]
        yield of_rows(program, [[attacker], row], 1)
    for other in ("xfeed", "xstep"):
        if program in ("xstep", "xstep4") and other in known:
            scene = scene_of(other, known[other])
            rows = [[board_value(board) for board in seat.boards] for seat in scene.seats]
            yield of_rows(program, rows, scene.hole, [list(card) for card in scene.deck])


def of_rows(program: str, rows: list[Json], hole: int, deck: Json = ()) -> Json:
    """An input in which players have these rows of boards, and no cards but a food card worth nothing."""
    players = [[["id", at], ["species", row], ["bag", 0]] for at, row in enumerate(rows, 1)]
    if program == "xfeed":
        return [players[0], hole, players[1:]]
    if program == "xstep":
        return [players, hole, list(deck)]
    card = ["cards", [[0, "ambush"]]]
    return [[[[*player, card] for player in players], hole, list(deck)], [[0, [], [], [], []]] * len(rows)]


def smallest(chaff: Misreading, program: str, known: dict[str, Json]) -> Json | None:
    """The smallest case for the program, given those that are known; None if there is none."""
    found = [known[program]] if program in known else []
    found += [value for value in derived(program, known) if shows(chaff, program, value)]
    found += failing(chaff, program, 1 if found else FEW if known else POOLS)
    shrunk = [shrink(program, value, lambda value: shows(chaff, program, value)) for value in found]
    return min(shrunk, key=lambda value: case_size(program, value), default=None)


def search(task: tuple[str, dict[str, Json]]) -> tuple[str, dict[str, Json]]:
    """A misreading's smallest cases, given those that are known."""
    name, known = task
    found: dict[str, Json] = {}
    for program in known or PROGRAMS:
        try:
            value = smallest(LIBRARY[name], program, {**known, **found})
        except IllegalChoice:  # a player that chooses what it may not shows more than a wrong answer
            value = None
        if value is not None:
            found[program] = value
    return name, found


def write(found: dict[str, dict[str, Json]]) -> None:
    """One misreading a block, one case a line, in the order of the library."""
    blocks = []
    for name in LIBRARY:
        if name in found:
            lines = [f'    "{program}": {compact(value)}' for program, value in found[name].items()]
            blocks.append(f'  "{name}": {{\n' + ",\n".join(lines) + "\n  }")
    FILE.write_text("{\n" + ",\n".join(blocks) + "\n}\n")


def main(names: list[str]) -> None:
    found: dict[str, dict[str, Json]] = json.loads(FILE.read_text()) if FILE.exists() else {}
    tasks = [(name, found.get(name, {})) for name in names or LIBRARY]
    with Pool() as workers:
        for name, cases_of in workers.imap_unordered(search, tasks):
            found[name] = cases_of
            print(name, *(cases_of or ["(nothing)"]), flush=True)
            write(found)


if __name__ == "__main__":
    main(sys.argv[1:])
