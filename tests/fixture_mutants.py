"""Which small changes of the engine the shipped cases notice, without any other test.

    python -m tests.fixture_mutants [--cases N] [--json FILE] [MODULE]...

mutmut makes the mutants, of the modules that setup.cfg names under [mutmut] or of those that are named here.
Each gets every case of test-fixtures/; one that gives all of them the right answers survives, and is then
compared with the engine on N random cases for each program. If it never differs, it is listed as equivalent:
most such mutants change words that are said about an illegal action. If it does, a case is missing, and the
status is 1. With --json, the cases that notice each mutant are written to a file. It takes some minutes.
"""

import argparse
import configparser
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

Json = Any
Case = tuple[str, str, Json, str | None]  # name, program, input, answer
Answers = dict[str, Callable[[object], str | None]]

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 3  # after which a mutant is taken to go on for ever
CHILD = "import sys; sys.path[:0] = sys.argv[1:3]; from tests.fixture_mutants import look; look(sys.argv[3])"


class TooLong(Exception):
    """A mutant does not come to an end."""


def modules() -> list[str]:
    """The modules that are changed."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg")
    return settings["mutmut"]["only_mutate"].split()


def mutate(folder: Path, names: list[str]) -> list[str]:
    """Put an engine that holds all mutants into the folder; their names."""
    from mutmut.mutation.file_mutation import mutate_file_contents

    shutil.copytree(ROOT / "evolution", folder / "evolution")
    mutants = []
    for name in names:
        mutated = mutate_file_contents(name, (ROOT / name).read_text())
        (folder / name).write_text(mutated.code)
        module = name.removesuffix(".py").replace("/", ".")
        mutants += [f"{module}.{mutant}" for mutant in mutated.mutant_names]
    return mutants


def main() -> None:
    """Make the mutants, and let a process that knows no other engine look at them."""
    parser = argparse.ArgumentParser(prog="python -m tests.fixture_mutants")
    parser.add_argument("--cases", type=int, default=1000, metavar="N")
    parser.add_argument("--json", metavar="FILE", help="write which cases notice which mutant")
    parser.add_argument("modules", nargs="*", metavar="MODULE")
    chosen = parser.parse_args()
    with TemporaryDirectory() as place:
        folder = Path(place)
        order = {
            "mutants": mutate(folder, chosen.modules or modules()),
            "cases": chosen.cases,
            "json": chosen.json and str(Path(chosen.json).resolve()),
        }
        (folder / "order.json").write_text(json.dumps(order))
        command = [sys.executable, "-c", CHILD, place, str(ROOT), str(folder / "order.json")]
        sys.exit(subprocess.run(command, check=False).returncode)


# --- in the process with the mutated engine -----------------------------------------------------------


def look(path: str) -> None:
    """See what the cases notice, and say so."""
    order = json.loads(Path(path).read_text())
    signal.signal(signal.SIGALRM, _too_long)
    cases = list(shipped())
    noticed = {mutant: list(noticing(mutant, cases, bool(order["json"]))) for mutant in order["mutants"]}
    if order["json"]:
        Path(order["json"]).write_text(json.dumps(noticed, indent=1))
    survivors = [mutant for mutant, names in noticed.items() if not names]
    print(f"{len(cases)} cases notice {len(noticed) - len(survivors)} of {len(noticed)} mutants")
    random = list(at_random(order["cases"])) if survivors else []
    missing = 0
    for mutant in survivors:
        shown = next(noticing(mutant, random, everything=False), "")
        missing += bool(shown)
        print(f"  {'A CASE IS MISSING: ' + shown if shown else 'equivalent'}: {mutant}", flush=True)
    print(f"{len(survivors) - missing} equivalent, {missing} for which a case is missing")
    sys.stdout.flush()
    os._exit(1 if missing else 0)


def _too_long(number: int, frame: object) -> None:
    raise TooLong


def shipped() -> Iterator[Case]:
    """The cases of test-fixtures/ that are about the rules."""
    fixtures = ROOT / "test-fixtures"
    for file in sorted(fixtures.rglob("*-in.json")):
        program = file.parent.name
        if program != "xstream":
            name = str(file.relative_to(fixtures)).removesuffix("-in.json")
            value = json.loads(file.read_text())
            yield name, program, value, answer(program, value)


def at_random(count: int) -> Iterator[Case]:
    """Random cases, so many for each program."""
    from harness.inputs.random_inputs import random_input
    from harness.programs.answering import PROGRAMS

    for program in PROGRAMS:
        for seed in range(count):
            value = random_input(program, Random(seed))
            yield f"{program} {json.dumps(value)}", program, value, answer(program, value)


def answer(program: str, value: Json) -> str | None:
    """What the engine, or the mutant that it is now, answers."""
    from evolution.wire.errors import Illegal
    from harness.programs.answering import PROGRAMS

    try:
        return PROGRAMS[program]()(value)
    except Illegal:
        return None


def noticing(mutant: str, cases: list[Case], everything: bool) -> Iterator[str]:
    """The names of the cases that the mutant answers wrong, or fails at; one of them, or everything."""
    os.environ["MUTANT_UNDER_TEST"] = mutant
    try:
        for name, program, value, right in cases:
            if not _is_right(program, value, right):
                yield name
                if not everything:
                    return
    finally:
        os.environ["MUTANT_UNDER_TEST"] = ""


def _is_right(program: str, value: Json, right: str | None) -> bool:
    signal.alarm(SECONDS)
    try:
        return answer(program, value) == right
    except Exception:  # whatever a mutant stumbles over
        return False
    finally:
        signal.alarm(0)


if __name__ == "__main__":
    main()
