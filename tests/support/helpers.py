"""What the tests of the programs share: starting them, and values that they take."""

import os
import select
import shutil
import subprocess
import time
from fcntl import ioctl
from pathlib import Path
from struct import unpack
from termios import FIONREAD
from types import TracebackType
from typing import Any, NamedTuple

Json = Any
Place = tuple[int, ...]

ROOT = Path(__file__).resolve().parents[2]
BIN = ROOT / "bin"
ANSWERING = ("xattack", "xfeed", "xstep", "xstep4", "xsilly")
PROGRAMS = (*ANSWERING, "xstream")
PATIENCE = 30.0  # seconds; for what comes at once, unless the machine is very busy


# --- processes -------------------------------------------------------------------------------


class Outcome(NamedTuple):
    """What a process left behind."""

    out: bytes
    err: bytes
    status: int


def run(program: str, *options: str, given: bytes = b"") -> Outcome:
    """One run of a program of bin/ with this on its standard input."""
    return _run(BIN / program, *options, given=given)


def run_in_time(program: str, *options: str, given: bytes) -> Outcome:
    """The same, but it must not take more than two seconds of its own, however busy the machine is."""
    return _run("sh", "-c", 'ulimit -t 2; exec "$@"', "sh", BIN / program, *options, given=given)


def _run(*command: str | Path, given: bytes) -> Outcome:
    done = subprocess.run(command, input=given, capture_output=True, check=False, timeout=PATIENCE)
    return Outcome(done.stdout, done.stderr, done.returncode)


def shell(line: str, *arguments: str | Path, cwd: Path | None = None) -> Outcome:
    """One line of shell, in which $1, $2 … are the arguments. Its standard input is empty."""
    done = subprocess.run(
        ["sh", "-c", line, "sh", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=PATIENCE,
        cwd=cwd,
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def stamp(checkout: Path, python: Path) -> None:
    """Say in the launchers' words that a checkout was set up where it is, with this interpreter."""
    lines = [checkout.resolve(), python.resolve()]
    (checkout / ".venv/ready").write_bytes(b"".join(os.fsencode(f"{line}\n") for line in lines))


def copied_checkout(at: Path, set_up: bool = True) -> Path:
    """A checkout of its own, with the packages of this one if it is to be set up."""
    for part in ("bin", "docs", "evolution", "harness"):
        shutil.copytree(ROOT / part, at / part, ignore=shutil.ignore_patterns("__pycache__"))
    if set_up:
        (at / ".venv").mkdir()
        for part in ("bin", "lib"):
            (at / ".venv" / part).symlink_to(ROOT / ".venv" / part)
        stamp(at, at / ".venv/bin/python")
    return at


class Conversation:
    """A program that is written to piece by piece and read from line by line."""

    def __init__(self, *command: str | Path) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to = self._process.stdin.fileno()
        self._from = self._process.stdout.fileno()
        self._heard = b""

    def __enter__(self) -> "Conversation":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.kill()
        self._process.communicate()

    def say(self, data: bytes) -> None:
        """Write this, and wait until the program has read it."""
        while data:
            data = data[os.write(self._to, data) :]
        self.wait_until_heard()

    def wait_until_heard(self) -> None:
        """Return when nothing that was written is still in the pipe."""
        end = time.monotonic() + PATIENCE
        while unpack("i", ioctl(self._to, FIONREAD, b"\0\0\0\0"))[0]:
            assert time.monotonic() < end, "the program does not read what it is sent"
            time.sleep(0.0005)

    def hear(self) -> bytes:
        """The next line that the program prints, with its newline."""
        while b"\n" not in self._heard:
            ready, _, _ = select.select([self._from], [], [], PATIENCE)
            assert ready, f"no line came, only {self._heard!r}"
            more = os.read(self._from, 1 << 16)
            assert more, f"the output ended with {self._heard!r}"
            self._heard += more
        line, newline, self._heard = self._heard.partition(b"\n")
        return line + newline

    def silent(self) -> bool:
        """Whether the program has printed nothing that has not been heard."""
        ready, _, _ = select.select([self._from], [], [], 0)
        return not self._heard and not ready

    def signal(self, number: int) -> None:
        """Send the process a signal."""
        self._process.send_signal(number)

    def wait(self) -> Outcome:
        """What it prints until it ends by itself, its input still open."""
        assert self._process.stderr is not None
        self._process.wait(PATIENCE)
        return Outcome(
            self._heard + self._rest(self._from),
            self._rest(self._process.stderr.fileno()),
            self._process.returncode,
        )

    @staticmethod
    def _rest(descriptor: int) -> bytes:
        with open(descriptor, "rb", closefd=False) as pipe:
            return pipe.read()

    def end(self) -> Outcome:
        """End its input, and say what it prints until it ends."""
        out, err = self._process.communicate(timeout=PATIENCE)
        return Outcome(self._heard + out, err, self._process.returncode)


# --- values ----------------------------------------------------------------------------------


class Raw(str):
    """JSON text that goes into a value as it is written here."""

    __slots__ = ()


def json_text(value: Json) -> str:
    """The value as compact JSON."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f'"{key}":{json_text(part)}' for key, part in value.items()) + "}"
    if isinstance(value, str):
        return f'"{value}"'
    return {None: "null", True: "true", False: "false"}[value] if is_word(value) else repr(value)


def is_word(value: Json) -> bool:
    """Whether the value is null, true or false."""
    return value is None or isinstance(value, bool)


def json_bytes(value: Json) -> bytes:
    """The value as compact JSON, in UTF-8."""
    return json_text(value).encode()


def changed(value: Json, path: Place, new: Json) -> Json:
    """The value with another part at this path."""
    if not path:
        return new
    first, *rest = path
    assert first < len(value), "there is no such place"
    return [changed(part, tuple(rest), new) if at == first else part for at, part in enumerate(value)]


def part_at(value: Json, path: Place) -> Json:
    """The part of the value at this path."""
    for at in path:
        value = value[at]
    return value


def shown_path(path: Place) -> str:
    """The path as an error line has it."""
    return "".join(f"[{at}]" for at in path) or "input"


def species(
    food: Json = 0, body: Json = 0, population: Json = 1, traits: Json = (), fat_food: Json = None
) -> Json:
    """A Species+."""
    pairs = [["food", food], ["body", body], ["population", population], ["traits", list(traits)]]
    return pairs if fat_food is None else [*pairs, ["fat-food", fat_food]]


def player(boards: Json = (), hand: Json = None, bag: Json = 0, number: Json = 1) -> Json:
    """A Player+."""
    pairs = [["id", number], ["species", list(boards)], ["bag", bag]]
    return pairs if hand is None else [*pairs, ["cards", hand]]


WOLF = species(1, 3, 4, ["carnivore", "fat-tissue", "ambush"], 2)
HERD = species(0, 2, 3, ["herding", "horns"])
WORM = species(2, 0, 3, [], 0)
HAND = [[3, "horns"], [-3, "ambush"], [8, "carnivore"], [-8, "carnivore"], [0, "climbing"], [1, "fertile"],
        [2, "foraging"], [-1, "symbiosis"], [-2, "long-neck"], [0, "scavenger"]]  # fmt: skip
DECK = [[1, "burrowing"], [2, "warning-call"], [-8, "carnivore"]]
OWNER = player([WOLF, HERD], HAND[:3], 12, 3)
OTHERS = [player([WORM, WOLF], None, 0, 1), player([], [], 7, 2)]
ACTION = [0, [["population", 0, 1], [2, 2]], [["body", 1, 3]], [[4, 5]], [[0, 2, 6]]]


class Sample(NamedTuple):
    """A value of one kind, rich in parts, that a program takes."""

    program: str
    value: Json


SAMPLES = {
    "situation": Sample("xattack", [HERD, WOLF, WORM, WOLF]),
    "feeding": Sample("xfeed", [OWNER, 4, OTHERS]),
    "feeding state": Sample("xfeed", [3, [HERD, WOLF], HAND[:3], 4, [[WORM, HERD], []]]),
    "configuration": Sample("xstep", [[OWNER, *OTHERS], 5, DECK]),
    "state": Sample("xstep", [3, [HERD, WOLF], HAND[:3], 4, [[WORM, HERD], []]]),
    "step 4": Sample(
        "xstep4",
        [
            [[player([WOLF, HERD], HAND[:7], 12, 3), player([WORM], DECK, 0, 2)], 5, DECK[:1]],
            [ACTION, [0, [], [[0, 1]], [], []]],
        ],
    ),
    "choice": Sample("xsilly", [OWNER, [[WOLF], []], [[HERD, WORM]]]),
    "state and choice": Sample(
        "xattack", [[3, [HERD, WOLF], HAND[:2], 0, [[WORM, HERD], [], [HERD]]], [1, 0, 1]]
    ),
    "state and action": Sample("xstep4", [[3, [WOLF, HERD], HAND[:7], 4, [[WORM, HERD], []]], ACTION]),
    "state with a hand": Sample("xsilly", [3, [HERD, WOLF], HAND[:4], 0, [[WORM, HERD], []]]),
}

# One sample for each program.
SAMPLE_OF = {sample.program: sample.value for sample in reversed(SAMPLES.values())}

# Values of every kind, one after the other, with whatever may be between them.
MIXED = (
    ' [1, 2.50e-7 ,[]]"a \\" b]"{"x" :\n-0}true false\tnull 17 -3.5"é\\\\"[["\\ud83d"]]\r\n'
    '{"[":"{"}""[true]-1e+9[]0'.encode()
)  # fmt: skip
