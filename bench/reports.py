"""The reports: what each costs on 20,000 results, against reading the journal that they are made from.

One result in ten is a failure, as long as failures are. Everything is measured in one process, in
rounds; what a report loads is loaded before. What `harness run` loads of it when nobody asks for a
report is counted as well.
"""

import json
import os
import subprocess
import tempfile
from contextlib import redirect_stdout
from pathlib import Path
from statistics import median
from time import perf_counter

from bench import PYTHON, ROOT, print_table
from harness.report import FILES, Reports
from harness.running.journal import read_journal
from harness.running.pool import Summary

RESULTS = 20_000
FAILING = 10  # one in so many
ROUNDS = 3
BOARD = '[["food",0],["body",3],["population",2],["traits",["carnivore","horns"]]]'
TABLE = f'[[[["id",1],["species",[{",".join([BOARD] * 4)}]],["bag",0]]],3,[]]'

LOADED = """
import sys
sys.path.insert(0, sys.argv.pop(1))
from harness.start import run
run("harness", sys.argv[1:])
print(*[name for name in sys.modules if name.startswith("harness.report") or name == "jinja2"])
"""


def write_journal(folder: Path) -> str:
    """A journal of many results, with the files of the cases that have failed."""
    (folder / "in").write_text(TABLE)
    (folder / "out").write_text(TABLE)
    passed = {"exit": 0, "seconds": 0.0123, "cpu": 0.01, "memory": 12_000_000, "printed": len(TABLE)}
    failed = {
        **passed,
        "detail": "",
        "differences": ["player 0 (id 1), board 0: food is 1, should be 0"],
        "smallest": ["player 0 (id 1), board 0", BOARD, BOARD.replace("0", "1", 1)],
        "reproduce": "/somewhere/bin/xstep < /somewhere/else/case-in.json",
        "stdout": f"{TABLE}\n",
        "stderr": "one line of standard error\n",
    }
    path = folder / "journal"
    with path.open("w") as journal:
        for number in range(RESULTS):
            bad = number % FAILING == 0
            record = {
                "v": 1,
                "case": f"cases/xstep/{number % 40}/case-{number}",
                "program": "xstep",
                "verdict": "wrong answer" if bad else "pass",
                "input": str(folder / "in"),
                "expected": str(folder / "out"),
                **(failed if bad else passed),
            }
            journal.write(json.dumps(record, separators=(",", ":")) + "\n")
    return str(path)


def taken(journal: str, asked: dict[str, str]) -> float:
    """Seconds to read the journal and to make these reports of it."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):
        start = perf_counter()
        reports = Reports(asked, {}, kept=[journal])
        summary = Summary()
        for record in read_journal(journal):
            summary.add(record)
            reports.ended(record, summary)
        reports.finish(summary)
        return perf_counter() - start


def side_by_side(folder: Path) -> None:
    """Each report by itself, and all of them."""
    journal = write_journal(folder)
    files = {kind: str(folder / kind) for kind in FILES}
    measured: dict[str, dict[str, str]] = {"reading the journal": {}}
    measured |= {f"--{kind}": {kind: file} for kind, file in files.items()}
    measured["--github"] = {"github": "yes"}
    measured["all of these"] = {**files, "github": "yes"}
    times: dict[str, list[float]] = {name: [] for name in measured}
    for number in range(ROUNDS + 1):  # the first one loads
        for name, asked in measured.items():
            seconds = taken(journal, asked)
            if number:
                times[name].append(seconds)
    floor = median(times["reading the journal"])
    rows = []
    for name, found in times.items():
        sizes = sum(os.path.getsize(file) for file in measured[name].values() if file != "yes")
        middle = median(found)
        rows.append([name, f"{middle:.2f}", f"{middle / floor:.1f}", f"{sizes / 1e6:.1f}" if sizes else ""])
    print_table([f"{RESULTS} results, medians of {ROUNDS}", "s", "ratio", "MB"], rows)


def loaded() -> None:
    """What a run loads that concerns reports, without and with one."""
    cases = str(ROOT / "test-fixtures" / "xattack")
    rows = []
    for options in ([], ["--html", os.devnull]):
        done = subprocess.run(
            [PYTHON, "-c", LOADED, str(ROOT), "run", "--failures-only", *options, cases],
            capture_output=True,
            text=True,
            check=True,
        )
        names = done.stdout.splitlines()[-1].split()
        rows.append([" ".join(["harness run", *options[:1]]), " ".join(sorted(names))])
    print_table(["", "modules of reports that are loaded"], rows)


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        os.environ["GITHUB_STEP_SUMMARY"] = f"{name}/summary.md"
        side_by_side(Path(name))
    print()
    loaded()
