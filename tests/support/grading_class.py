"""A class of twelve teams, made of the project's own programs, and what is planted in each of them.

They are right, slow, broken in one rule each, crashing, incomplete, in need of a build, not to be built,
and hostile.
"""

import json
import shutil
import sys
from pathlib import Path
from typing import NamedTuple

from harness.judging.verdicts import CRASHED, NO_START, NOT_JSON, PASS, TOO_MUCH, WRONG
from harness.misreadings import LIBRARY, shows
from tests.support.helpers import ROOT, Json, player, species
from tests.support.keeper import write_case, write_program

PROGRAMS = ("xattack", "xfeed", "xstep")
SECRET = 90210417  # is in every hidden input, and nowhere else
HOSTILE = "=cmd|' <script>alert(1)<\x1b[31m>"  # what a folder can be called

WOLF = species(0, 3, 2, ["carnivore"])
BEAR = species(0, 4, 2, ["carnivore"])
SHELL = species(0, 0, 2, ["hard-shell"])
ATTACK = {
    "burrowing-one-short": [species(1, 0, 2, ["burrowing"]), WOLF, False, False],
    "carnivore-is-prey": [WOLF, BEAR, False, False],
    "climbing-attacker-only": [species(), species(0, 0, 1, ["carnivore", "climbing"]), False, False],
    "climbing-neighbour": [species(), WOLF, species(0, 0, 1, ["climbing"]), False],
    "shell-difference-four": [SHELL, BEAR, False, False],
    "shell-difference-three": [SHELL, WOLF, False, False],
    "warning-call-on-the-left": [species(), WOLF, species(0, 0, 1, ["warning-call"]), False],
}
FAT = species(0, 3, 1, ["fat-tissue"], 2)
FEED = {
    "carnivore-largest-first": [player([WOLF, species(0, 0, 3, ["carnivore"])]), 2, [player([species()])]],
    "declines": [player([WOLF]), 2, []],
    "fat-before-vegetarian": [player([species(0, 0, 3), FAT]), 5, []],
    "fat-need-less-store": [player([FAT]), 5, []],
    "store-is-full": [player([species(0, 2, 1, ["fat-tissue"], 2)]), 5, []],
}
MISREADINGS = {
    "carl": "hard-shell-gives-way-at-three",
    "dora": "horns-are-ignored",
    "emil": "fat-need-ignores-the-store",
}


class Suite(NamedTuple):
    """A suite of the class: its folder, and its cases with their inputs."""

    program: str
    hidden: bool
    cases: dict[str, Json]


def suites() -> dict[str, Suite]:
    """What the teams are asked: two visible suites, and a hidden one."""
    prey = species(0, 1, 2, ["horns"])
    tables = {
        "secret-horns": [[player([WOLF], bag=SECRET), player([prey], number=2)], 3, []],
        "secret-plain": [[player([species(0, 1, 2)], bag=SECRET)], 3, []],
        "secret-climbing": [[player([species(0, 1, 2, ["climbing"])], bag=SECRET)], 3, []],
    }
    return {
        "attack": Suite("xattack", False, ATTACK),
        "feed": Suite("xfeed", False, FEED),
        "hushed": Suite("xstep", True, tables),
    }


RUN = """#!{python} -IS
import os, sys, time
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), {up!r}, "lib"))
sys.dont_write_bytecode = True
from harness.programs.answering import PROGRAMS
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
data = sys.stdin.buffer.read()
{before}
answer = PROGRAMS[{program!r}]()(parse(data))
if answer is not None:
    print(answer)
"""
PLANT = """
from harness.misreadings import LIBRARY, planted
planting = planted(LIBRARY[{name!r}])
planting.__enter__()
sys.stderr.write("I was given " + data.decode())
"""
# It looks for the expected output, and for what others have, everywhere it can think of.
HOSTILE_ATTACK = """#!{python} -IS
import glob, os, sys
for pattern in {patterns!r}:
    for path in glob.glob(pattern, recursive=True):
        try:
            text = open(path).read()
        except OSError:
            continue
        if os.path.dirname(path) != os.path.dirname(os.path.abspath(__file__)):
            print("true", text)
            sys.exit()
if os.fork() == 0:
    os.setsid()
    while True:
        pass
print("\\x1b[2J[1] <script>alert(2)</script>")
"""


def write_library(folder: Path) -> None:
    """A copy of the engine for one team, since no team can see the checkout from a sandbox."""
    for package in ("evolution", "harness"):
        shutil.copytree(
            ROOT / package,
            folder / package,
            ignore=shutil.ignore_patterns("__pycache__", "commands", "grading", "report", "events", "remote"),
        )


def write_programs(folder: Path, before: str = "", up: str = "") -> None:
    """The three programs, right but for what comes before."""
    for program in PROGRAMS:
        text = RUN.format(python=sys.executable, program=program, before=before, up=up)
        write_program(folder / program, text)


def write_class(folder: Path) -> list[Path]:
    """Make the suites, and the folders of the twelve teams, in order of their names."""
    from harness.misreadings import right_answer

    for name, suite in suites().items():
        for case, value in suite.cases.items():
            answer = right_answer(suite.program, value) or ""
            write_case(folder / "suites" / name / suite.program, case, json.dumps(value), answer)
    teams = folder / "teams"
    right = ["ada", "bob", "slow", "fay", "gus", "twins/bob", *MISREADINGS]
    for name in right:
        write_library(teams / name / "lib")
    write_programs(teams / "ada" / "bin", up="..")
    for team in ("bob", "twins/bob"):
        write_programs(teams / team / "python", up="..")
        for program in PROGRAMS:
            write_program(
                teams / team / program, f'#!/bin/sh\nexec "$(dirname "$0")/python/{program}" "$@"\n'
            )
    write_programs(teams / "slow", before="time.sleep(0.2)")
    write_programs(teams / "fay", before='if b"climbing" in data: os.abort()')
    write_programs(teams / "gus")
    (teams / "gus" / "xstep").unlink()
    for team, name in MISREADINGS.items():
        write_programs(teams / team, before=PLANT.format(name=name))
    write_library(teams / "hal" / "lib")
    write_programs(teams / "hal" / "source", up="..")
    write_program(teams / "hal" / "compile", "#!/bin/sh\nset -e\nmkdir bin\ncp source/x* bin/\necho built\n")
    write_programs(teams / "ida")
    write_program(teams / "ida" / "compile", "#!/bin/sh\necho 'cannot find <symbol>' >&2\nexit 3\n")
    mallory = teams / HOSTILE
    patterns = [f"{folder}/suites/**/*-out.json", f"{folder}/**/*.json*", f"{teams}/*/x*"]
    write_program(mallory / "xattack", HOSTILE_ATTACK.format(python=sys.executable, patterns=patterns))
    write_program(mallory / "xfeed", "#!/bin/sh\nkill -9 $PPID; kill -9 -1\nprintf '\\033[31m{'\n")
    write_program(mallory / "xstep", "#!/bin/sh\nwhile :; do echo 1; done\n")
    late = folder / "late"
    late.mkdir()
    (teams / "twins" / "bob").rename(late / "bob")
    (teams / "twins").rmdir()
    return sorted(path for path in teams.iterdir())


TITLES = ["ada", "bob", "bob (2)", "carl", "dora", "emil", "fay", "gus", "hal", "ida", "slow"]


def planted() -> dict[str, dict[str, dict[str, str]]]:
    """What every team must get: team, suite, case, verdict. Of ida, who cannot be built, nothing."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for title in [*TITLES, mallory()]:
        if title != "ida":
            found[title] = {
                name: {case: verdict(title, suite.program, value) for case, value in suite.cases.items()}
                for name, suite in suites().items()
            }
    return found


def mallory() -> str:
    """What the hostile team is called when it has been made harmless."""
    return HOSTILE.replace("\x1b", "\\x1b")


def verdict(title: str, program: str, value: Json) -> str:
    """What becomes of a case with this input."""
    if title == mallory():
        return {"xattack": NOT_JSON, "xfeed": NOT_JSON, "xstep": TOO_MUCH}[program]
    if title == "gus" and program == "xstep":
        return NO_START
    if title == "fay" and "climbing" in json.dumps(value):
        return CRASHED
    chaff = LIBRARY.get(MISREADINGS.get(title, ""))
    if chaff and program in chaff.programs and shows(chaff, program, value):
        return WRONG
    return PASS
