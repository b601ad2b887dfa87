"""Where everything starts: which program is meant, and whether a plain answer will do.

Every launcher in bin/ and every installed command comes here. A program that is given no options answers
without loading anything else; command lines are for `harness.cli`.
"""

import sys

from harness import INTERRUPTED, UNAVAILABLE
from harness.programs.answering import ALL, PROGRAMS, answer_once, complain, say_who_waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import NoReturn

# The packages that setup.cfg requires, by the names that they are imported by.
PACKAGES = ("click", "deepdiff", "jinja2", "msgspec", "orjson", "rich")
SOON = 0.001  # seconds


def run(program: str, arguments: list[str]) -> int:
    """One run of a program, as its command line says; the exit status."""
    try:
        _answer_interrupts()
        if not arguments and program in PROGRAMS:
            say_who_waits(program)
            return answer_once(program, PROGRAMS[program]())
        if not arguments and program == "xstream":
            say_who_waits(program)
            from harness.programs.echo import echo

            return echo(program)
        if program == "xmain" and len(arguments) == 1:
            from harness.games.play import is_number_of_players, play_silly

            if is_number_of_players(arguments[0]):
                return play_silly(int(arguments[0]))
        add_site_packages()
        if program == "harness":
            _check_packages()
        from harness.cli.program_options import run_with_options

        if program == "harness" and (sys.stdin is None or sys.stdout is None or sys.stderr is None):
            from harness.cli.closed_streams import despite_closed_streams

            return despite_closed_streams(lambda: run_with_options(program, arguments))
        return run_with_options(program, arguments)
    except ModuleNotFoundError as missing:
        return _say_what_is_missing(program, missing)
    except KeyboardInterrupt:
        return INTERRUPTED


def _answer_interrupts() -> None:
    """From now on an interrupt is an exception; until now the launchers have it end the process."""
    # Without the names that `signal` gives its numbers, which take long to load.
    import _signal  # type: ignore[import-not-found]

    def interrupt(number: int, frame: "FrameType | None") -> None:
        # What is raised where the import system tidies up is thrown away: a moment later it is not.
        if frame and frame.f_code.co_name == "cb":
            _signal.signal(_signal.SIGALRM, interrupt)
            _signal.setitimer(_signal.ITIMER_REAL, SOON)
        else:
            raise KeyboardInterrupt

    if _signal.getsignal(_signal.SIGINT) == _signal.SIG_DFL:
        _signal.signal(_signal.SIGINT, interrupt)


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


def _check_packages() -> None:
    """See that all packages are there: a run that lacks one would notice it only in the middle."""
    for package in PACKAGES:
        if not _is_installed(package):
            raise ModuleNotFoundError(name=package)


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
        from harness.errors import command_to_install

        command = command_to_install(package)
    complain(program, f"the Python package {package} is missing or incomplete; type: {command}")
    return UNAVAILABLE


def leave(status: int) -> "NoReturn":
    """End the process. Everything is flushed, and nothing is worth the time of taking it apart."""
    import posix

    posix._exit(status)


def main() -> "NoReturn":
    """The start of every launcher in bin/: its arguments are a program and what it was given."""
    leave(run(sys.argv[1], sys.argv[2:]))


def __getattr__(name: str) -> "Callable[[], NoReturn]":
    """The start of an installed command, as the package's entry points name it: harness.start:xattack."""
    if name not in (*ALL, "xgui", "harness"):
        raise AttributeError(name)
    return lambda: leave(run(name, sys.argv[1:]))
