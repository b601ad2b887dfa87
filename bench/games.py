"""Games: whole games of Silly players a second, in one process and on all cores, and the start of xmain.

The decks are shuffled by seeds, beforehand. One process plays alone, then as many as there are cores
play at once. The unit of the start is an interpreter that starts, does nothing and ends.
"""

import os
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from bench import PYTHON, print_table, program, seconds
from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.silly import Silly

GAMES = 1500  # for each number of players
ROUNDS = 5
STARTS = 20
NOTHING = Path("/dev/null")


def play(players: int, games: int) -> tuple[float, float]:
    """How many seconds so many games take, by the clock and of processor time."""
    decks = [shuffled_deck(seed) for seed in range(games)]
    clock, busy = perf_counter(), process_time()
    for deck in decks:
        Game([Silly() for _ in range(players)], deck).play()
    return perf_counter() - clock, process_time() - busy


def at_once(players: int, games: int, processes: int) -> float:
    """How many seconds they take when each of several processes plays so many games."""
    ready, go = os.pipe(), os.pipe()
    children = [_child(players, games, ready[1], go) for _ in range(processes)]
    os.close(go[0])
    for _ in children:
        os.read(ready[0], 1)
    start = perf_counter()
    os.close(go[1])  # all of them hear it
    for child in children:
        os.waitpid(child, 0)
    taken = perf_counter() - start
    for descriptor in ready:
        os.close(descriptor)
    return taken


def _child(players: int, games: int, ready: int, go: tuple[int, int]) -> int:
    pid = os.fork()
    if pid == 0:
        os.close(go[1])
        decks = [shuffled_deck(seed) for seed in range(games)]
        os.write(ready, b".")
        os.read(go[0], 1)
        for deck in decks:
            Game([Silly() for _ in range(players)], deck).play()
        os._exit(0)
    return pid


def games_a_second() -> None:
    """Measure and print the games."""
    cores = os.cpu_count() or 1
    rows = []
    for players in (3, 8):
        alone = [play(players, GAMES) for _ in range(ROUNDS)]
        together = min(at_once(players, GAMES, cores) for _ in range(ROUNDS))
        one, busy = min(clock for clock, _ in alone), min(busy for _, busy in alone)
        rows.append(
            [
                f"{players} players",
                f"{GAMES / one:,.0f}",
                f"{GAMES / busy:,.0f}",
                f"{cores * GAMES / together:,.0f}",
                f"{cores * one / together:.2f}",
            ]
        )
    head = [f"games a second, best of {ROUNDS}", "1 process", "of its own time", f"{cores} at once", "ratio"]
    print_table(head, rows)


def starts() -> None:
    """Measure and print the starts."""
    commands = {
        "python -I -S -c pass": [PYTHON, "-I", "-S", "-c", "pass"],
        "bin/xmain 3": [program("xmain"), "3"],
        "bin/xmain 8": [program("xmain"), "8"],
        "bin/xmain 3 --seed 7": [program("xmain"), "3", "--seed", "7"],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(STARTS):
        for name, command in commands.items():
            times[name].append(seconds(command, NOTHING))
    unit = median(next(iter(times.values())))
    rows = [
        [name, f"{median(taken) * 1000:.1f}", f"{median(taken) / unit:.2f}", f"{min(taken) * 1000:.1f}"]
        for name, taken in times.items()
    ]
    print_table([f"{STARTS} alternating runs", "median ms", "ratio", "fastest ms"], rows)


def main() -> None:
    """Measure and print."""
    games_a_second()
    print()
    starts()
