"""A cluster: what grading on Dask costs beside one machine, and where the coordinator is at its limit.

The programs sleep, so that two cores are enough for four workers. First, two workers against `harness grade
-j 2` on the same cases of 20 ms, start-up aside: what a small class takes is subtracted. Then, the same with
1, 2 and 4 workers and programs of 200 ms. Last, a simulation: workers answer at once and run nothing, so that
only the coordinator and the scheduler have something to do. CLUSTER_SCALE=0.1 in the environment makes
everything smaller, to try it.
"""

import os
import pickle
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from bench import print_table, program
from harness.cluster.address import Cluster
from harness.cluster.chunk import CaseFiles, Chunk, Done, Terms
from harness.cluster.grader import ClusterGrader
from harness.fixtures.cases import Case
from harness.grading.config import TeamSpec
from harness.grading.ledger import Ledger
from harness.grading.schedule import Standing
from harness.grading.store import Store
from harness.grading.suites import GradedCase
from harness.grading.teams import Team
from harness.grading.terminal import Watching
from harness.judging.result import Result
from harness.judging.verdicts import PASS
from harness.running.limits import Limits
from harness.running.worker import Settings

SCALE = float(os.environ.get("CLUSTER_SCALE", "1"))
TEAMS, CASES, FEW = 12, max(30, int(300 * SCALE)), 10
SLEEPERS, SLEEPS = 8, max(20, int(60 * SCALE))
CLASSES = (max(20, int(1_000 * SCALE)), max(100, int(10_000 * SCALE)))
SIMULATED_CASES = 500
BAR = 1.25  # times as long as on one machine
HARNESS = program("harness")


def write_class(folder: Path, teams: int, cases: int, seconds: float) -> list[str]:
    """Teams whose programs sleep for so long and are right; the words that name them, and the cases."""
    suite = folder / "suite" / "xattack"
    suite.mkdir(parents=True)
    for number in range(cases):
        for half in ("in", "out"):
            (suite / f"case{number}-{half}.json").write_text(f"{number}\n")
    for number in range(teams):
        path = folder / "teams" / f"team{number:03}" / "xattack"
        path.parent.mkdir(parents=True)
        path.write_text(f"#!/bin/sh\n# {number}\nsleep {seconds}\nexec cat\n")
        path.chmod(0o755)
    return [*sorted(map(str, (folder / "teams").iterdir())), "--suite", str(suite), "--dialect", "generous"]


def graded(teams: int, cases: int, seconds: float, *how: str) -> float:
    """The seconds that a class takes."""
    with tempfile.TemporaryDirectory() as name:
        words = write_class(Path(name), teams, cases, seconds)
        command = [str(HARNESS), "grade", *words, "--out", f"{name}/out", *how]
        start = perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        return perf_counter() - start


def beyond_start_up(teams: int, cases: int, seconds: float, *how: str) -> float:
    """The seconds that a class takes more than one with few cases."""
    return graded(teams, cases, seconds, *how) - graded(teams, FEW, seconds, *how)


def simulated(archive: bytes, key: str, pickled: bytes, cases: dict[int, CaseFiles]) -> Done:
    """What a worker would answer whose programs are right and take a millisecond."""
    chunk: Chunk = pickle.loads(pickled)  # noqa: S301 (from ourselves)
    results = []
    for job in chunk.jobs:
        name, given, expected, *_ = cases[job.case].files
        result = Result(name, job.program, PASS, given, expected, 0, 0.001, 0.001, 1 << 23, 4)
        results.append((job.tag, tuple(result), 0.001))
    return Done(results, {})


class Simulated(ClusterGrader):
    """A coordinator whose workers run nothing."""

    task = staticmethod(simulated)


def simulate(teams: int) -> None:
    """Grade a class that does nothing, and print: seconds, tasks, megabytes at the most and at the start."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name, "team")
        home.mkdir()
        (home / "xattack").write_bytes(b"#!/bin/sh\nexec cat\n")
        (home / "xattack").chmod(0o755)
        files = []
        for number in range(SIMULATED_CASES):
            path = Path(name, f"case{number}.json")
            path.write_text(f"{number}\n")
            files.append(Case(str(path)[:-5], str(path), str(path), ""))
        cases = [
            GradedCase(case, str(at), "xattack", f"{at:024x}", 0, False, True)
            for at, case in enumerate(files)
        ]
        start_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        standings = []
        for number in range(teams):
            team = Team(f"team {number}", f"team-{number}", str(home), TeamSpec(str(home)))
            team.content = str(number)
            standings.append(Standing(number, team, f"{number:024x}", Ledger(len(cases), 1)))
        terms = Terms("", "", "", 10.0, 1 << 31, 1 << 24, (), ())
        settings = Settings(Limits())
        store = Store(f"{name}/store")
        watching = Watching("", 0)
        grader = Simulated(Cluster(local=2), terms, {}, standings, cases, store, settings, 2, watching, 0.0)
        grader.look_up({standing.team.name for standing in standings}, False)
        start = perf_counter()
        summary = grader.run()
        seconds = perf_counter() - start
        assert summary.counts[PASS] == teams * SIMULATED_CASES
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, grader.tasks, memory / 1024, start_memory / 1024)


def main() -> None:
    """Measure all three."""
    home = beyond_start_up(TEAMS, CASES, 0.02, "-j", "2")
    there = beyond_start_up(TEAMS, CASES, 0.02, "--cluster", "local:2")
    verdict = "within" if there <= BAR * home else "ABOVE"
    rows = [
        ["harness grade -j 2", f"{home:.1f}", "1"],
        ["two workers", f"{there:.1f}", f"{there / home:.2f}"],
    ]
    print(f"{TEAMS} teams, {CASES} cases of 20 ms: seconds, start-up aside ({verdict} {BAR} times)\n")
    print_table(["", "seconds", "times"], rows)
    print(f"\n{SLEEPERS} teams, {SLEEPS} cases of 200 ms: seconds, start-up aside\n")
    taken = {
        count: beyond_start_up(SLEEPERS, SLEEPS, 0.2, "--cluster", f"local:{count}") for count in (1, 2, 4)
    }
    alone = SLEEPERS * (SLEEPS - FEW) * 0.2
    rows = [
        [str(count), f"{seconds:.1f}", f"{alone / count:.1f}", f"{alone / count / seconds:.0%}"]
        for count, seconds in taken.items()
    ]
    print_table(["workers", "seconds", "asleep", "of it"], rows)
    print(f"\nSimulated: {SIMULATED_CASES} cases a team, instant programs, two workers\n")
    each = len(pickle.dumps(simulated_answer())) / SIMULATED_CASES
    rows = []
    for teams in CLASSES:
        words = [sys.executable, "-m", "bench.cluster", str(teams)]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        seconds, tasks, memory, before = map(float, done.stdout.split())
        results = teams * SIMULATED_CASES
        cells = [f"{results:,}", f"{seconds:.0f}", f"{results / seconds:,.0f}", f"{tasks / seconds:.0f}"]
        cells += [f"{each * results / seconds / 1e6:.1f}", f"{memory:.0f}", f"{memory - before:.0f}"]
        rows.append([f"{teams:,}", *cells])
    head = ["teams", "results", "seconds", "results/s", "tasks/s", "MB/s", "MB at most", "MB more"]
    print_table(head, rows)


def simulated_answer() -> Done:
    """What comes back for one team, to see how large it is."""
    from harness.cluster.chunk import CaseJob

    jobs = [CaseJob(at, 0, "xattack", [], None, None, None, 0) for at in range(SIMULATED_CASES)]
    path = "/tmp/some/folder/case100.json"  # noqa: S108 (nothing is there)
    files = CaseFiles((path[:-5], path, path, "", ""), (b"", b"", b""))
    terms = Terms("", "", "", 1.0, 1, 1, (), ())
    return simulated(b"", "", pickle.dumps(Chunk(terms, "", "", jobs, 1.0, {})), {0: files})


if __name__ == "__main__":
    simulate(int(sys.argv[1]))
