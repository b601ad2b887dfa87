"""The runner: 500 trivial cases through `harness run`, against a bare loop and other tools.

The program under test is /bin/cat, and what it is given is what is expected, so only the tools
themselves cost time. The floor is a loop in Python that starts cat with posix_spawn in two
processes and compares, its interpreter's start included. The other tools come from PyPI, in an
environment of the benchmark's own, beside the project's. Every command is run once per round.

What one more case costs is measured apart, at the margin: the time for many cases without that for few,
so that no start is in it, of the runner and of the bare loop, in pairs that are run in turn.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from bench import PYTHON, ROOT, print_table, program

CASES = 500
MANY = 20_000
ROUNDS = 5
FEW, MORE = 200, 4_200  # cases, for the cost at the margin
BAR = 1.4  # of the bare loop's, which a case at the margin may cost
SANDBOX_BAR = 1.3  # of the same without the sandbox, which it may cost in it
COPIES = 50  # of each case for a stream, so that its start does not count
TOOLS = ROOT / ".venv" / "bench-tools"
HARNESS = program("harness")
FLOOR = "posix_spawn in two processes"
OFF, ON, EACH = "harness run, sandbox off", "harness run, sandbox on", "a bwrap for each case, in the loop"

LOOP = """
import os, sys
folder = sys.argv[1]
names = sorted(name for name in os.listdir(folder) if name.endswith("-in.json"))
def work(names):
    wrong = 0
    for name in names:
        path = os.path.join(folder, name)
        given = os.open(path, os.O_RDONLY)
        read, write = os.pipe()
        pid = os.posix_spawn("/bin/cat", ["/bin/cat"], os.environ, file_actions=[
            (os.POSIX_SPAWN_DUP2, given, 0), (os.POSIX_SPAWN_DUP2, write, 1)])
        os.close(given)
        os.close(write)
        printed = b""
        while piece := os.read(read, 65536):
            printed += piece
        os.close(read)
        os.waitpid(pid, 0)
        with open(path.replace("-in.json", "-out.json"), "rb") as expected:
            wrong += printed != expected.read()
    return wrong
children = []
for part in range(2):
    pid = os.fork()
    if pid == 0:
        os._exit(min(255, work(names[part::2])))
    children.append(pid)
sys.exit(any(os.waitpid(pid, 0)[1] for pid in children))
"""

BWRAP = [
    "bwrap",
    "--unshare-all",
    "--die-with-parent",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
]
ONE_EACH = LOOP.replace('"/bin/cat", ["/bin/cat"]', f'"/usr/bin/env", {["env", *BWRAP, "/bin/cat"]}')

XARGS = (
    "find {folder} -name '*-in.json' | sed 's/-in.json$//' | "
    "xargs -P2 -I@ sh -c '/bin/cat < @-in.json | cmp -s - @-out.json'"
)

PYTEST = """
import pathlib, subprocess, pytest
CASES = sorted(pathlib.Path({folder!r}).glob("*-in.json"))
@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_case(path):
    with path.open("rb") as given:
        done = subprocess.run(["/bin/cat"], stdin=given, capture_output=True)
    assert done.stdout == path.with_name(path.name.replace("-in", "-out")).read_bytes()
"""

LIT = """
import lit.formats
config.name = "cat"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test"]
config.test_source_root = {folder!r}
config.test_exec_root = {folder!r}
"""


def write_cases(folder: Path, count: int) -> None:
    """This many cases that expect what they are given."""
    folder.mkdir(parents=True)
    for number in range(count):
        for half in ("in", "out"):
            (folder / f"case{number}-{half}.json").write_text(f'[{number},"horns"]\n')


def install_tools() -> None:
    """lit, pytest and cram, once."""
    if not (TOOLS / "ready").exists():
        print("installing lit, pytest and cram for comparison (once) ...", flush=True)
        subprocess.run([PYTHON, "-m", "venv", TOOLS], check=True)
        subprocess.run(
            [TOOLS / "bin" / "pip", "install", "-q", "lit", "pytest", "cram", "setuptools<81"], check=True
        )
        (TOOLS / "ready").touch()


def others(folder: Path) -> dict[str, list[str]]:
    """The commands of the other tools, with the files that they need."""
    cases = folder / "cases" / "cat"
    lit, cram, test = folder / "lit", folder / "cram", folder / "test_cases.py"
    lit.mkdir()
    cram.mkdir()
    (lit / "lit.cfg").write_text(LIT.format(folder=str(lit)))
    test.write_text(PYTEST.format(folder=str(cases)))
    for number in range(CASES):
        stem = cases / f"case{number}"
        (lit / f"{number}.test").write_text(f"RUN: /bin/cat < {stem}-in.json | cmp - {stem}-out.json\n")
        (cram / f"{number}.t").write_text(f'  $ /bin/cat < {stem}-in.json\n  [{number},"horns"]\n')
    tools = TOOLS / "bin"
    return {
        "xargs -P2 with cmp": ["/bin/sh", "-c", XARGS.format(folder=cases)],
        "lit -j2": [str(tools / "lit"), "-q", "-j2", str(lit)],
        "pytest": [str(tools / "python"), "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
        "cram": [str(tools / "cram"), "-q", str(cram)],
    }


def taken(command: list[str]) -> float:
    """Seconds for the command, which must succeed."""
    start = perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    seconds = perf_counter() - start
    if done.returncode:
        sys.exit(f"bench: {' '.join(command)} failed:\n{done.stdout.decode()}{done.stderr.decode()}")
    return seconds


def run(folder: Path, *options: str) -> list[str]:
    """`harness run` with cat on a folder of cases."""
    return [HARNESS, "run", "--program", "/bin/cat", "-j", "2", *options, str(folder)]


def loop(folder: Path) -> list[str]:
    """The bare loop on the same."""
    return [PYTHON, "-I", "-S", "-c", LOOP, str(folder / "cat")]


def margin(folder: Path) -> None:
    """What one more case costs, beside one more turn of the bare loop; in the sandbox, or in one for each."""
    few, more = folder / "few", folder / "more"
    write_cases(few / "cat", FEW)
    write_cases(more / "cat", MORE)
    commands: dict[str, Callable[[Path], list[str]]] = {
        FLOOR: loop,
        OFF: lambda cases: run(cases, "--sandbox", "off"),
        ON: lambda cases: run(cases, "--sandbox", "on"),
        EACH: lambda cases: [PYTHON, "-I", "-S", "-c", ONE_EACH, str(cases / "cat")],
    }
    bars = {OFF: (FLOOR, BAR), ON: (OFF, SANDBOX_BAR)}
    if shutil.which("bwrap") is None:
        del commands[ON], commands[EACH], bars[ON]
    costs: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            costs[name].append((taken(command(more)) - taken(command(few))) / (MORE - FEW))
    rows = []
    for name, found in costs.items():
        beside, bar = bars.get(name, (OFF if name == EACH else FLOOR, 0.0))
        ratios = sorted(ours / other for ours, other in zip(found, costs[beside], strict=True))
        told = f"of {beside}; {', '.join(f'{ratio:.2f}' for ratio in ratios)}"
        bound = f"{bar:g}" if bar else ""
        rows.append([name, f"{median(found) * 1000:.3f}", f"{median(ratios):.2f}", bound, told])
    head = f"(time for {MORE} cases - time for {FEW}) / {MORE - FEW}"
    print_table([head, "ms", "ratio", "at most", f"{ROUNDS} interleaved pairs"], rows)
    print(f"  $ {' '.join(run(Path('CASES'), '--sandbox', 'off'))}")
    print(f"  $ {PYTHON} -I -S -c LOOP CASES")


def side_by_side(folder: Path) -> None:
    """All tools on the same cases."""
    cases = folder / "cases"
    measured = {
        FLOOR: loop(cases),
        "harness run": run(cases, "--sandbox", "off"),
        "harness run --json": run(cases, "--sandbox", "off", "--json", str(folder / "journal")),
        **others(folder),
        "harness run --sandbox on": run(cases, "--sandbox", "on"),
    }
    if shutil.which("bwrap") is None:
        del measured["harness run --sandbox on"]
    times: dict[str, list[float]] = {name: [] for name in measured}
    for _ in range(ROUNDS):
        for name, command in measured.items():
            times[name].append(taken(command))
    floor = median(times[FLOOR])
    rows = []
    for name, found in times.items():
        middle = median(found)
        rows.append([name, f"{middle:.2f}", f"{middle / CASES * 1000:.2f}", f"{middle / floor:.2f}"])
    print_table([f"{CASES} cases of cat, medians of {ROUNDS}", "s", "ms a case", "floor"], rows)


def growth(folder: Path) -> None:
    """Whether time grows with the number of cases, and nothing else."""
    rows = []
    for count in (CASES, MANY):
        cases = folder / f"{count}" / "cat"
        write_cases(cases, count)
        seconds = taken(run(cases, "--sandbox", "off"))
        rows.append([f"{count} cases", f"{seconds:.2f}", f"{seconds / count * 1000:.2f}"])
    print_table(["harness run, sandbox off", "s", "ms a case"], rows)


def streams() -> None:
    """Our own programs through streams, beside one process for each case."""
    fixtures = str(ROOT / "test-fixtures" / "xstep")
    with tempfile.TemporaryDirectory() as folder:
        many = Path(folder) / "xstep"
        many.mkdir()
        for source in sorted(Path(fixtures).glob("*.json")):
            for copy in range(COPIES):
                shutil.copy(source, many / f"{copy}-{source.name}")
        count = len(list(many.glob("*-in.json")))
        streamed = count / taken([HARNESS, "run", "-j", "2", str(many)])
        one_by_one = [HARNESS, "run", "-j", "2", "--one-shot", "--sandbox", "off", fixtures]
        single = count / COPIES / taken(one_by_one)
    rows = [
        ["one process for each case", f"{single:.0f}", "1.0"],
        ["through --stream", f"{streamed:.0f}", f"{streamed / single:.1f}"],
    ]
    print_table(["our own xstep", "cases/s", "ratio"], rows)


def main() -> None:
    """Measure and print."""
    install_tools()
    with tempfile.TemporaryDirectory() as name:
        os.environ["XDG_CACHE_HOME"] = f"{name}/cache"
        folder = Path(name)
        write_cases(folder / "cases" / "cat", CASES)
        margin(folder)
        print()
        side_by_side(folder)
        print()
        growth(folder)
        print()
        streams()
