"""Scale: how soon the first result comes, and what memory a run takes, as the cases grow many.

The program under test is /bin/true, and nothing is expected of it. The runner reads folders as it
walks them and keeps counts, not results, so neither figure should grow with the number of cases.
The memory is that of the runner's largest process.
"""

import os
import resource
import subprocess
import tempfile
from pathlib import Path
from time import perf_counter, sleep

from bench import print_table, program

COUNTS = (20_000, 200_000)
IN_FOLDER = 1000


def write_cases(folder: Path, count: int) -> None:
    """This many empty cases, a thousand in a folder."""
    for number in range(count):
        below = folder / f"part{number // IN_FOLDER}"
        if number % IN_FOLDER == 0:
            below.mkdir(parents=True)
        for half in ("in", "out"):
            os.close(os.open(below / f"case{number}-{half}.json", os.O_CREAT | os.O_WRONLY))


def measure(folder: Path, journal: Path) -> tuple[float, float, int]:
    """Seconds to the first result, seconds in all, and peak memory in bytes."""
    command = [program("harness"), "run", "--program", "/bin/true", "--sandbox", "off"]
    command += ["--json", str(journal)]
    start = perf_counter()
    pid = os.fork()
    if pid == 0:
        # A process of its own, so that the memory counted is that of this run alone.
        subprocess.run([*command, str(folder)], stdout=subprocess.DEVNULL, check=True)
        used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        journal.with_suffix(".memory").write_text(str(used))
        os._exit(0)
    while not (journal.exists() and journal.stat().st_size):
        sleep(0.005)
    first = perf_counter() - start
    _, status = os.waitpid(pid, 0)
    if status:
        raise SystemExit("bench: the run failed")
    return first, perf_counter() - start, int(journal.with_suffix(".memory").read_text())


def main() -> None:
    """Measure and print."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        for count in COUNTS:
            folder = Path(name) / str(count)
            write_cases(folder, count)
            first, seconds, memory = measure(folder, Path(name) / f"{count}.journal")
            ms = f"{seconds / count * 1000:.2f}"
            rows.append([f"{count:,} cases", f"{first:.2f}", f"{seconds:.0f}", ms, f"{memory / 2**20:.1f}"])
    print_table(["harness run", "s to the first", "s in all", "ms a case", "MB at the peak"], rows)
