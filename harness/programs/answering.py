"""The x-programs: one JSON value in, one answer out.

A program is started once per case, so what stands here is loaded on every start: it imports
nothing that a plain answer does not need. Options are read by `harness.cli.program_options`, streams by
`harness.programs.stream`; both are loaded only when they are asked for.
"""

import sys

from evolution.wire.errors import BadInput, Illegal, Malformed
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    # From a JSON value to the JSON text of the answer, or None for nothing.
    Answer = Callable[[object], str | None]

REFUSED = 65  # the input is ill-formed or illegal
UNAVAILABLE = 69  # there is no server, no address to be one at, or not all that this needs is installed
NO_OUTPUT = 74  # the answer could not be written, or the input not be read
INTERRUPTED = 130

# The packages that setup.cfg requires, by the names that they are imported by.
PACKAGES = ("click", "deepdiff", "jinja2", "orjson", "rich")


def xattack() -> "Answer":
    """Whether the defender of a Situation can be attacked."""
    from evolution.attack import attackable
    from evolution.wire.reading import situation

    def answer(value: object) -> str:
        defender, attacker, left, right = situation(value)
        return "true" if attackable(attacker, defender, left, right) else "false"

    return answer


def xfeed() -> "Answer":
    """The Silly player's choice; nothing if there is no choice to make."""
    from evolution.silly import feed
    from evolution.wire.reading import feeding_or_state
    from evolution.wire.writing import feeding_choice

    def answer(value: object) -> "str | None":
        choice = feed(feeding_or_state(value))
        return None if choice is None else feeding_choice(choice)

    return answer


def xstep() -> "Answer":
    """A Configuration or State after one feeding step of its first player."""
    from evolution.feeding import feeding_step
    from evolution.silly import Silly
    from evolution.wire.reading import configuration_or_state, is_state
    from evolution.wire.writing import configuration, state

    def answer(value: object) -> str:
        table = configuration_or_state(value)
        feeding_step(table, table.players[0], Silly())
        return state(table) if is_state(value) else configuration(table)

    return answer


def xstep4() -> "Answer":
    """A Configuration after step 4 with these actions, fed by Silly players."""
    from evolution.actions import IllegalAction
    from evolution.silly import Silly
    from evolution.turn import step4
    from evolution.wire.action4 import configuration_and_step4
    from evolution.wire.writing import configuration

    def answer(value: object) -> str:
        table, actions = configuration_and_step4(value)
        try:
            step4(table, actions, [Silly()] * len(actions))
        except IllegalAction as illegal:
            raise Illegal(illegal.reason, 1, *illegal.place) from None
        return configuration(table)

    return answer


def xsilly(labelled: bool = False) -> "Answer":
    """The Silly player's use of its cards, growth with or without its labels."""
    from evolution.silly import choose
    from evolution.wire.action4 import write_action4
    from evolution.wire.reading import choice

    def answer(value: object) -> str:
        player = choice(value)
        return write_action4(choose(player.boards, player.hand), labelled)

    return answer


# Each entry loads what its program needs, and nothing else, and gives the function that answers.
PROGRAMS: "dict[str, Callable[[], Answer]]" = {
    "xattack": xattack,
    "xfeed": xfeed,
    "xstep": xstep,
    "xstep4": xstep4,
    "xsilly": xsilly,
}


def read_input() -> bytes:
    """All of standard input; a closed one is empty."""
    if not sys.stdin:
        return b""
    import posix

    if posix.get_blocking(sys.stdin.fileno()):
        return sys.stdin.buffer.read()
    from harness.programs.stdio import chunks

    return b"".join(chunks())


def could_not_write(program: str, problem: OSError) -> int:
    """Say why output has failed, unless nobody takes it any more; the exit status."""
    if not isinstance(problem, BrokenPipeError):
        where = f"{problem.filename}: " if problem.filename else ""
        complain(program, f"cannot write: {where}{problem.strerror}")
    return NO_OUTPUT


def complain(program: str, problem: object) -> None:
    """One line on standard error, if anybody listens."""
    if sys.stderr:
        try:
            print(f"{program}: {problem}", file=sys.stderr, flush=True)
        except OSError:
            pass


def refused(data: bytes, problem: BadInput) -> BadInput:
    """What is wrong with a value that a program refused: one that nests too deep is no JSON."""
    if isinstance(problem, Malformed) and not isinstance(problem, Illegal):
        from evolution.wire.stream import check_depth

        try:
            check_depth(data)
        except BadInput as deep:
            return deep
    return problem


def answer_once(program: str, answer: "Answer") -> int:
    """Read one value, print the answer to it, and say the exit status."""
    data = b""
    try:
        data = read_input()
        text = answer(parse(data))
    except BadInput as problem:
        complain(program, refused(data, problem))
        return REFUSED
    except OSError as problem:
        complain(program, f"cannot read standard input: {problem.strerror}")
        return NO_OUTPUT
    return 0 if text is None else write(program, f"{text}\n".encode())


def write(program: str, data: bytes) -> int:
    """Bytes to standard output, at once; the exit status that follows from it."""
    if sys.stdout is None:
        return NO_OUTPUT
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return NO_OUTPUT
    except OSError as problem:
        complain(program, f"cannot write the answer: {problem.strerror}")
        return NO_OUTPUT
    return 0


def run(program: str, arguments: list[str]) -> int:
    """One run of a program, as its command line says; the exit status."""
    try:
        _answer_interrupts()
        if not arguments and program in PROGRAMS:
            return answer_once(program, PROGRAMS[program]())
        if not arguments and program == "xstream":
            from harness.programs.echo import echo

            return echo(program)
        if program == "xmain" and len(arguments) == 1:
            from harness.games.play import is_number_of_players, play_silly

            if is_number_of_players(arguments[0]):
                return play_silly(int(arguments[0]))
        if program == "harness":
            if sys.stdin is None or sys.stdout is None or sys.stderr is None:
                from harness.cli.closed_streams import despite_closed_streams

                return despite_closed_streams(lambda: _run_harness(arguments))
            return _run_harness(arguments)
        add_site_packages()
        from harness.cli.program_options import run_with_options

        return run_with_options(program, arguments)
    except ModuleNotFoundError as missing:
        return _say_what_is_missing(program, missing)
    except KeyboardInterrupt:
        return INTERRUPTED


def _run_harness(arguments: list[str]) -> int:
    # A run that lacks a package would notice it only in the middle, in one of its processes.
    add_site_packages()
    for package in PACKAGES:
        if not _is_installed(package):
            raise ModuleNotFoundError(name=package)
    from harness.cli.plainly import run_plainly

    status = run_plainly(arguments)
    if status is not None:
        return status
    from harness.cli.program_options import run_with_options

    return run_with_options("harness", arguments)


def _answer_interrupts() -> None:
    """From now on an interrupt is an exception; until now the launchers have it end the process."""
    # Without the names that `signal` gives its numbers, which take long to load.
    import _signal  # type: ignore[import-not-found]

    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL:
        _signal.signal(_signal.SIGINT, _signal.default_int_handler)


def add_site_packages() -> None:
    """Make the installed packages importable: the launchers start the interpreter without them."""
    if sys.flags.no_site:
        # The interpreter's own path says little if it was started through a link to a folder.
        checkout = __file__.rpartition("/harness/")[0]
        for home in (f"{checkout}/.venv", sys.executable.rpartition("/bin/")[0]):
            version = f"python{sys.version_info.major}.{sys.version_info.minor}"
            folder = f"{home}/lib/{version}/site-packages"
            if folder not in sys.path:
                sys.path.append(folder)


def _is_installed(package: str) -> bool:
    """Whether a package can be imported, as far as can be seen without doing it."""
    found = (finder.find_spec(package, None) for finder in sys.meta_path)
    return any(spec is not None and spec.origin is not None for spec in found)


def _say_what_is_missing(program: str, missing: ModuleNotFoundError) -> int:
    """Say which package is not installed, and what brings it; the exit status."""
    package = (missing.name or "").partition(".")[0]
    if package in ("", "evolution", "harness"):
        raise missing
    import os
    from shlex import quote

    checkout = os.path.realpath(__file__).rpartition("/harness/")[0]
    if os.path.exists(f"{checkout}/bin/launch"):
        command = f"make -C {quote(checkout)}"
    else:
        command = f"{quote(sys.executable)} -m pip install {package}"
    complain(program, f"the Python package {package} is missing or incomplete; type: {command}")
    return UNAVAILABLE


def leave(status: int) -> "NoReturn":
    """End the process. Everything is flushed, and nothing is worth the time of taking it apart."""
    import posix

    posix._exit(status)


def main() -> "NoReturn":
    """The start of every launcher in bin/: its arguments are a program and what it was given."""
    leave(run(sys.argv[1], sys.argv[2:]))
