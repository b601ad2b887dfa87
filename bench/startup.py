"""Start-up: what one program on one small case costs, against the bare interpreter.

A test run starts a program once per case, so this is what its user waits for. Every command is
run once per round, round after round, so that a slow moment of the machine hits all of them
alike. The medians count; the fastest runs stand beside them because they are free of noise. The
unit is an interpreter that starts, does nothing and ends: no program in Python can be faster.
"""

from pathlib import Path
from statistics import median

from bench import PROGRAMS, PYTHON, ROOT, print_table, program, seconds

ROUNDS = 40
UNIT = "python -I -S -c pass"
CASES = {
    "xattack": "hard-shell-difference-three",
    "xfeed": "carnivores-line-up",
    "xstep": "attack-takes-population-and-feeds",
    "xstep4": "carnivores-line-up",
    "xsilly": "seventh-card-stays",
    "xstream": "scalars",
}


def commands() -> dict[str, tuple[list[str], Path]]:
    """Everything that is measured, by the name it is shown under: the command and its input."""
    nothing = Path("/dev/null")
    floor = {
        "/bin/sh -c :": (["/bin/sh", "-c", ":"], nothing),
        UNIT: ([PYTHON, "-I", "-S", "-c", "pass"], nothing),
        "python -I -c pass": ([PYTHON, "-I", "-c", "pass"], nothing),
        "python -I -S -c 'import json'": ([PYTHON, "-I", "-S", "-c", "import json"], nothing),
    }
    fixtures = ROOT / "test-fixtures"
    programs = {
        f"bin/{name}": ([program(name)], fixtures / name / f"{CASES[name]}-in.json") for name in PROGRAMS
    }
    return floor | programs


def main() -> None:
    """Measure and print."""
    measured = commands()
    times: dict[str, list[float]] = {name: [] for name in measured}
    for round_number in range(1 + ROUNDS):
        for name, (command, stdin) in measured.items():
            taken = seconds(command, stdin)
            if round_number:  # the first one only warms up
                times[name].append(taken)
    unit_median, unit_fastest = median(times[UNIT]), min(times[UNIT])
    rows = [
        [
            name,
            f"{median(taken) * 1000:.1f}",
            f"{median(taken) / unit_median:.2f}",
            f"{min(taken) * 1000:.1f}",
            f"{min(taken) / unit_fastest:.2f}",
        ]
        for name, taken in times.items()
    ]
    print_table([f"{ROUNDS} alternating runs", "median ms", "ratio", "fastest ms", "ratio"], rows)
