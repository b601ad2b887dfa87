"""Tournament: games a second on one core and on all, against the bare engine that plays the same games.

The bare engine plays the same meetings with the same decks, one after the other, in one process and without
a log. Tables of Silly players show what a tournament itself costs: dealing games out, logs, the journal,
standings and the page. Tables of classes show what a process for each player in each game adds, without the
sandbox and in it; commands that speak the protocol are like them.
"""

import os
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter

from bench import ROOT, print_table, program
from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.silly import Silly
from harness.tournament.schedule import meetings
from harness.tournament.terms import Terms, entrants

ROUNDS = 3
SIZE = 4
FEW, MANY = 20, 420  # games of Silly players: what they differ by is free of the start
FEW_CLASSES, MANY_CLASSES = 4, 24


def bare(games: int) -> float:
    """How many seconds the engine alone takes for the games of a tournament of Silly players."""
    terms = Terms(entrants(["silly"] * SIZE), SIZE, "0", 5, 0)
    decks = [
        shuffled_deck(terms.deck_seed(meeting.deck)) for meeting in islice(meetings(SIZE, SIZE, "0"), games)
    ]
    start = perf_counter()
    for deck in decks:
        Game([Silly() for _ in range(SIZE)], deck).play()
    return perf_counter() - start


def held(word: str, games: int, *options: str) -> float:
    """How many seconds a tournament takes, from its start to its end."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "out")
        command = [
            program("harness"),
            "tournament",
            *[word] * SIZE,
            "--games",
            str(games),
            "--out",
            out,
            *options,
        ]
        start = perf_counter()
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
        taken = perf_counter() - start
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)} ended with status {done.returncode}")
    return taken


def at_the_margin(word: str, few: int, many: int, *options: str) -> float:
    """Seconds for one more game."""
    return (held(word, many, *options) - held(word, few, *options)) / (many - few)


def main() -> None:
    """Measure and print."""
    cores = str(os.cpu_count() or 1)
    modest = "docs/modest.py:Modest"
    kinds = {
        "Silly players": ("silly", FEW, MANY, []),
        "classes, no sandbox": (modest, FEW_CLASSES, MANY_CLASSES, ["--sandbox", "off"]),
        "classes in the sandbox": (modest, FEW_CLASSES, MANY_CLASSES, []),
    }
    engine: list[float] = []
    taken: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        engine.append(bare(MANY) / MANY)
        for kind, (word, few, many, options) in kinds.items():
            for jobs in dict.fromkeys(("1", cores)):
                seconds = at_the_margin(word, few, many, "-j", jobs, *options)
                taken.setdefault((kind, jobs), []).append(seconds)
    unit = min(engine)
    rows = [["the bare engine", "1", f"{1 / unit:,.0f}", "1.00"]]
    for (kind, jobs), found in taken.items():
        best = max(1e-9, min(found))
        rows.append([kind, jobs, f"{1 / best:,.1f}", f"{unit / best:.3f}"])
    print_table([f"games of {SIZE}, best of {ROUNDS}", "tables", "games a second", "ratio"], rows)
