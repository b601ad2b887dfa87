"""What a program loads to answer one value: a start is most of its time, so the list is short."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.helpers import BIN, PATIENCE, ROOT, SAMPLES, Outcome, json_bytes, run, species, stamp

PYTHON = ROOT / ".venv/bin/python"

# Stands in for the interpreter of a checkout: it starts the real one in just the same way, and
# has it write down, in the last moment, which modules are loaded.
INTERPRETER = """\
#!/bin/sh
[ "$1 $2 $3" = "-I -S -c" ] || { echo "not started as expected: $*" >&2; exit 99; }
code=$4
shift 4
exec "%(python)s" -I -S -c "import posix, sys
def leave(status, end=posix._exit):
    names = sorted(sys.modules)
    with open('%(report)s', 'w') as report:
        report.write(' '.join(names))
    end(status)
posix._exit = leave
$code" "$@"
"""

ALWAYS = {
    "_json",
    "evolution",
    "evolution.species",
    "evolution.traits",
    "evolution.wire",
    "evolution.wire.errors",
    "evolution.wire.reading",
    "evolution.wire.text",
    "harness",
    "harness.programs",
    "harness.programs.answering",
    "harness.start",
}
SILLY = {
    "evolution.actions",
    "evolution.attack",
    "evolution.cards",
    "evolution.choices",
    "evolution.player",
    "evolution.silly",
    "evolution.table",
}
ALSO = {
    "xattack": {"evolution.attack"},
    "xfeed": {*SILLY, "evolution.wire.writing"},
    "xstep": {*SILLY, "evolution.feeding", "evolution.wire.writing"},
    "xstep4": {
        *SILLY,
        "evolution.feeding",
        "evolution.turn",
        "evolution.wire.action4",
        "evolution.wire.writing",
    },
    "xsilly": {*SILLY, "evolution.wire.action4"},
    "state and choice": {"evolution.attack", "evolution.cards", "evolution.choices"},
}
SLOW = {"click", "dataclasses", "enum", "json", "orjson", "os", "re", "site", "typing"}


class Checkout:
    """A checkout whose interpreter tells what it has loaded."""

    def __init__(self, at: Path) -> None:
        self._report = at / "report"
        self._bin = at / "bin"
        for package in ("evolution", "harness"):
            (at / package).symlink_to(ROOT / package)
        shutil.copytree(BIN, self._bin)
        python = at / ".venv/bin/python"
        python.parent.mkdir(parents=True)
        python.write_text(INTERPRETER % {"python": PYTHON, "report": self._report})
        python.chmod(0o755)
        stamp(at, python)

    def start(self, program: str, *options: str, given: bytes) -> tuple[Outcome, set[str]]:
        """One run of a program, and the modules that were loaded at its end."""
        done = subprocess.run(
            [self._bin / program, *options], input=given, capture_output=True, check=False, timeout=PATIENCE
        )
        return Outcome(done.stdout, done.stderr, done.returncode), set(self._report.read_text().split())


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    return Checkout(tmp_path_factory.mktemp("startup"))


@pytest.fixture(scope="module")
def bare() -> set[str]:
    """What the interpreter has when it has been told to do nothing."""
    done = subprocess.run(
        [PYTHON, "-I", "-S", "-c", "import sys; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )
    return set(done.stdout.split())


NOTHING_TO_FEED = [0, [species(1, 0, 1)], [], 1, []]
RUNS = [
    *((kind, program, value) for kind, (program, value) in SAMPLES.items()),
    ("nothing to feed", "xfeed", NOTHING_TO_FEED),
    ("no neighbours", "xattack", [species(), species(0, 3, 1, ["carnivore"]), False, False]),
]


@pytest.mark.parametrize(("kind", "program", "value"), RUNS, ids=[kind for kind, _, _ in RUNS])
def test_a_program_loads_nothing_that_an_answer_does_not_need(
    kind: str, program: str, value: object, checkout: Checkout, bare: set[str]
) -> None:
    given = json_bytes(value)
    outcome, loaded = checkout.start(program, given=given)
    assert outcome == run(program, given=given)
    assert outcome.status == 0
    assert loaded - bare - ALWAYS - (ALSO.get(kind) or ALSO[program]) == set()
    assert loaded & SLOW == set()


def test_what_is_refused_may_take_longer_and_is_seen_here(checkout: Checkout) -> None:
    outcome, loaded = checkout.start("xattack", given=b"[")
    assert outcome.status == 65
    assert {"json", "re"} <= loaded


def test_xmain_loads_nothing_that_a_game_of_silly_players_does_not_need(checkout: Checkout) -> None:
    outcome, loaded = checkout.start("xmain", "3", given=b"")
    assert outcome.status == 0
    assert loaded & {*SLOW, "evolution.observed", "evolution.wire.log", "harness.games.replay"} == set()


def test_xstream_loads_no_package_that_is_not_part_of_python(checkout: Checkout) -> None:
    outcome, loaded = checkout.start("xstream", given=b"[1]")
    assert outcome == (b'[1]\n{"count": 1}\n', b"", 0)
    assert loaded & {"click", "orjson", "site"} == set()


def test_options_are_read_by_click_and_streams_by_orjson(checkout: Checkout) -> None:
    _, loaded = checkout.start("xattack", "--stream", given=b"")
    assert {"click", "orjson"} <= loaded
