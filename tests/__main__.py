"""All tests, in their groups: `make test` types `python -m tests`, and `make test-all` adds `--all`.

Most of them run several at once, and after them those that need the machine for themselves. With `--all` the
game is tested first and apart, measuring what is covered of it, which doubles its time. Every group is run,
whatever became of those before it. With options of pytest, such as `-k word`, or with paths, only what they
choose is run, and nothing is measured.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.support import tally
from tests.support.capabilities import missing, summary

ROOT = Path(__file__).resolve().parents[1]
NOTHING_CHOSEN = 5  # pytest's status
MOST_WORKERS = 8
GAME = "tests/evolution"


def workers() -> list[str]:
    """Options for tests beside each other: one more than there are cores, since many of them wait."""
    many = min(MOST_WORKERS, 1 + len(os.sched_getaffinity(0)))
    return ["-n", str(many), "--dist", "worksteal"]


def python(*arguments: str) -> int:
    """The status of Python with these arguments."""
    return subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, check=False).returncode


def group(title: str, *arguments: str) -> int:
    """Run one group of tests under its title."""
    print(f"\n{title}", flush=True)
    return python("pytest", *arguments)


def lone_files() -> list[str]:
    """The files with tests that run alone: to look through all others for them takes seconds."""
    files = sorted((ROOT / "tests").glob("*/test_*.py"))
    return [str(path.relative_to(ROOT)) for path in files if "pytest.mark.alone" in path.read_text()]


def most() -> bool:
    """Whether all tests pass that are not long."""
    together = group("several at once", *workers(), "-m", "not alone and not long")
    alone = group("what needs the machine for itself", *lone_files(), "-m", "alone and not long")
    return not any((together, alone))


def everything() -> bool:
    """Whether all tests pass, and enough of the game is covered."""
    python("coverage", "erase")
    game = group("the game", GAME, "-p", "tests.support.measured", *workers(), "-m", "not alone")
    print("\nhow much of the game they cover", flush=True)
    covered = python("coverage", "combine", "--quiet") or python("coverage", "report")
    rest = group("the rest", f"--ignore={GAME}", *workers(), "-m", "not alone")
    alone = group("what needs the machine for itself", *lone_files(), "-m", "alone")
    return not any((game, covered, rest, alone))


def some(arguments: list[str], also_long: bool) -> bool:
    """Whether what these arguments of pytest choose passes; there must be something."""
    chosen = "" if also_long else " and not long"
    statuses = [
        group("what they choose", *workers(), *arguments, "-m", f"not alone{chosen}"),
        group("of that, what needs the machine for itself", *arguments, "-m", f"alone{chosen}"),
    ]
    return set(statuses) <= {0, NOTHING_CHOSEN} and 0 in statuses


def main(arguments: list[str]) -> int:
    """Run the groups; what is there is said first, what was not run last."""
    also_long = arguments[:1] == ["--all"]
    arguments = arguments[also_long:]
    print(*summary(missing()), sep="\n", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tally"
        file.touch()
        os.environ[tally.FILE] = str(file)
        passed = some(arguments, also_long) if arguments else everything() if also_long else most()
        print("", *tally.told(tally.collected(file)), sep="\n", flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
