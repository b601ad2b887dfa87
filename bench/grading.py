"""Grading: what `harness grade` costs beside `harness run`, on the same cases with the same isolation.

The program of every team is cat, and what it is given is what is expected, so only the harness itself costs
time. `harness run` has all cases in one run and writes a journal; both run alternately. What one more case
costs is measured at the margin, as in bench/runner.py. Then: a second run with nothing changed, and what
memory and what page hundreds of teams take. GRADING_SCALE=0.1 in the environment makes everything smaller,
to try it.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

from bench import print_table, program

SCALE = float(os.environ.get("GRADING_SCALE", "1"))
TEAMS = 12
CASES = max(6, int(300 * SCALE))
MANY = (max(5, int(50 * SCALE)), max(50, int(500 * SCALE)))
ROUNDS = 9
FEW, MORE = max(10, int(200 * SCALE)), max(50, int(4_200 * SCALE))  # cases of one team, for the margin
PAIRS = 5
SANDBOX_BAR = 1.3  # of the same without the sandbox, which a case at the margin may cost in it
HARNESS = program("harness")
CAT = shutil.which("cat") or "/bin/cat"


def write_suite(folder: Path, count: int) -> None:
    """This many cases that expect what they are given."""
    folder.mkdir(parents=True)
    for number in range(count):
        for half in ("in", "out"):
            (folder / f"case{number}-{half}.json").write_text(f'[{number},"horns"]\n')


def write_teams(folder: Path, count: int, right: int = 1) -> list[str]:
    """This many teams; of more than one kind, only every so many-th is right."""
    for number in range(count):
        team = folder / f"team{number:03}"
        team.mkdir(parents=True)
        (team / "name").write_text(str(number))  # who hands in the same is graded once
        if number % right == 0:
            shutil.copy(CAT, team / "xattack")
        else:
            (team / "xattack").write_text(f"#!/bin/sh\necho '[{number % 7}]'\n")
            (team / "xattack").chmod(0o755)
    return sorted(map(str, folder.iterdir()))


def taken(command: list[str]) -> tuple[float, str]:
    """Seconds for a command that must succeed, and what it printed."""
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False, text=True)
    seconds = perf_counter() - start
    if done.returncode:
        sys.exit(f"bench: {' '.join(command[:6])} … failed:\n{done.stdout}{done.stderr}")
    return seconds, done.stdout


def grade(teams: list[str], suite: Path, out: Path, sandbox: str) -> list[str]:
    """The command that grades."""
    common = ["--sandbox", sandbox, "-j", "2", "--out", str(out)]
    return [HARNESS, "grade", *teams, "--suite", str(suite), *common]


def started(printed: str) -> int:
    """How many programs a run of grading says it started."""
    found = re.search(r"programs started: (\d+);", printed)
    assert found
    return int(found[1])


def margin(folder: Path) -> None:
    """What one more case costs: run and graded, without the sandbox and in it, in pairs."""
    teams = write_teams(folder / "one", 1)
    for count in (FEW, MORE):
        write_suite(folder / str(count) / "xattack", count)
    modes = ("off", "on") if shutil.which("bwrap") else ("off",)
    costs: dict[tuple[str, str], list[float]] = {
        (name, mode): [] for mode in modes for name in ("harness run", "harness grade")
    }

    def seconds(name: str, mode: str, count: int) -> float:
        suite, out = folder / str(count), folder / "out-margin"
        if name == "harness grade":
            spent, _ = taken(grade(teams, suite, out, mode))
            shutil.rmtree(out)
            return spent
        run = [HARNESS, "run", "--program", CAT, "--sandbox", mode, "-j", "2", "--failures-only"]
        return taken([*run, "--json", str(folder / "journal"), str(suite)])[0]

    for _ in range(PAIRS):
        for (name, mode), found in costs.items():
            found.append((seconds(name, mode, MORE) - seconds(name, mode, FEW)) / (MORE - FEW))
    rows = []
    for (name, mode), found in costs.items():
        beside = (name, "off") if mode == "on" else ("harness run", "off")
        ratios = sorted(ours / other for ours, other in zip(found, costs[beside], strict=True))
        bar = f"{SANDBOX_BAR:g}" if mode == "on" else ""
        told = f"of {beside[0]}, sandbox off; {', '.join(f'{ratio:.2f}' for ratio in ratios)}"
        cells = [f"{median(found) * 1000:.3f}", f"{median(ratios):.2f}", bar, told]
        rows.append([f"{name}, sandbox {mode}", *cells])
    head = f"(time for {MORE} cases - time for {FEW}) / {MORE - FEW}"
    print_table([head, "ms", "ratio", "at most", f"{PAIRS} interleaved pairs"], rows)


def side_by_side(folder: Path) -> None:
    """Grading and running, alternately; and grading once more with nothing changed."""
    teams = write_teams(folder / "teams", TEAMS)
    write_suite(folder / "suite" / "xattack", CASES)
    for team in range(TEAMS):
        write_suite(folder / "all" / f"part{team}" / "xattack", CASES)
    rows = []
    for sandbox in ("off", "on") if shutil.which("bwrap") else ("off",):
        running, grading, again = [], [], []
        run = [HARNESS, "run", "--program", CAT, "--sandbox", sandbox, "-j", "2", "--failures-only"]
        for number in range(ROUNDS):
            out = folder / f"out-{sandbox}-{number}"
            command = grade(teams, folder / "suite", out, sandbox)
            running.append(taken([*run, "--json", str(folder / "journal"), str(folder / "all")])[0])
            seconds, printed = taken(command)
            if started(printed) != TEAMS * CASES:
                sys.exit(f"bench: {started(printed)} programs were started")
            grading.append(seconds)
            seconds, printed = taken(command)
            if started(printed):
                sys.exit(f"bench: {started(printed)} programs were started again")
            again.append(seconds)
            shutil.rmtree(out)
        floor = median(running)
        for name, found in (("harness run", running), ("harness grade", grading), ("… once more", again)):
            middle = median(found)
            ms = f"{middle / TEAMS / CASES * 1000:.2f}"
            rows.append([f"{name}, sandbox {sandbox}", f"{middle:.2f}", ms, f"{middle / floor:.2f}"])
        rows[-1][-1] = f"{median(again) / median(grading):.2f} of the first"
    head = f"{TEAMS} teams, {CASES} cases of cat, medians of {ROUNDS}"
    print_table([head, "s", "ms a case", "harness run"], rows)


def scale(folder: Path) -> None:
    """Few teams and many: peak memory, and the page. Half of the teams fail everything."""
    rows = []
    for count in MANY:
        place = folder / f"scale-{count}"
        teams = write_teams(place / "teams", count, right=2)
        write_suite(place / "suite" / "xattack", CASES)
        start = perf_counter()
        memory = peak(grade(teams, place / "suite", place / "out", "off"))
        seconds = perf_counter() - start
        size = (place / "out" / "report.html").stat().st_size
        drawn = browser(place / "out" / "report.html")
        rows.append([f"{count} teams", f"{seconds:.0f}", f"{memory / 2**20:.1f}", f"{size / 1e6:.2f}", drawn])
    columns = ["s", "MB at the peak", "MB of page", "s until it is drawn, and a team opened"]
    print_table([f"{CASES} cases", *columns], rows)


def peak(command: list[str]) -> int:
    """The memory of the largest process of a command, in bytes."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        os.write(write, str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024).encode())
        os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        used = int(pipe.read() or 0)
    os.waitpid(pid, 0)
    return used


def browser(page: Path) -> str:
    """Seconds until a browser has drawn the matrix, and until it has drawn the cases of the last team."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return "no browser"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        tab = browser.new_page()
        start = perf_counter()
        tab.goto(page.as_uri())
        tab.wait_for_selector("#app tbody tr")
        drawn = perf_counter() - start
        start = perf_counter()
        tab.evaluate("location.hash = 'team=' + (D.teams.length - 1)")
        tab.wait_for_selector("#app h2")
        opened = perf_counter() - start
        browser.close()
    return f"{drawn:.2f}, {opened:.2f}"


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        folder = Path(name)
        margin(folder)
        print()
        side_by_side(folder)
        print()
        scale(folder)
