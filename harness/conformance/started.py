"""The program that is tested: started, watched, and gone at the end with everything that it started."""

import errno
import os
import random
import resource
import shlex
import socket
import tempfile
from dataclasses import dataclass
from typing import Self

from harness.conformance.verdict import Fault
from harness.errors import MACHINE_FAULTS, Unavailable
from harness.fixtures.executables import resolved
from harness.judging.verdicts import CRASHED, NO_OUTPUT, NO_START, TIMEOUT, WRONG
from harness.running.executor import signal_name
from harness.running.process import Process
from harness.running.sandbox import Sandbox

MOST_PRINTED = 64 << 20  # bytes that it may write to a file, its standard output included
KEPT = 4 << 10  # bytes of what it printed that are kept, from the end
MOST_RESULTS = 1 << 20
SIGNALLED = 128  # and a signal's number: a status by which a sandbox tells of it
A_MOMENT = 1.0  # seconds in which a program that has closed its connections may end


BELOW_EPHEMERAL = range(20000, 32768)  # systems take the ports of outgoing connections from above

_running: "set[Started]" = set()


def end_all() -> None:
    """End everything that runs: there is no more time."""
    for one in list(_running):
        one.close()


def limit_files() -> None:
    """Let nobody whom this process starts write more to a file than what is looked at."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (MOST_PRINTED, MOST_PRINTED))


def free_port(host: str) -> int:
    """A port that nobody listens on now, and that no outgoing connection will be given meanwhile."""
    for port in random.sample(BELOW_EPHEMERAL, len(BELOW_EPHEMERAL)):
        try:
            with socket.create_server((host, port)):
                return port
        except OSError as problem:
            if problem.errno != errno.EADDRINUSE:
                raise Fault(
                    "", NO_START, f"cannot listen on {host}: {os.strerror(problem.errno or 0)}"
                ) from None
    raise Fault("", NO_START, f"there is no free port on {host}")


def filled(command: str, **values: object) -> list[str]:
    """The words of the command with {host}, {port} and {name} filled in; other braces stay."""
    words = shlex.split(command)
    for name, value in values.items():
        words = [word.replace(f"{{{name}}}", str(value)) for word in words]
    return words


@dataclass(frozen=True, slots=True)
class Terms:
    """How a program is started and waited for. Times are in seconds."""

    command: str
    host: str = "127.0.0.1"
    port: int = 45678
    players: int = 3
    timeout: float = 5.0
    patience: float = 10.0
    sandbox: "Sandbox | None" = None
    home: str = ""  # the folder that it belongs to, if that is not the one that it lies in
    environment: "dict[str, str] | None" = None  # what it finds besides the usual


class Started:
    """A running program. It must be closed, or used with `with`."""

    def __init__(self, words: list[str], terms: Terms, port: int) -> None:
        """Start it in a session of its own, or shut in with this one port. Raises Fault if that cannot be."""
        sandbox, environment = terms.sandbox, dict(os.environ)
        self._passes_signals_on = sandbox is not None and sandbox.rung == "bubblewrap"
        if sandbox is not None:
            place = sandbox.once(resolved(words), port, terms.home)
            if place.problem:
                raise Fault("", NO_START, f"{words[0]}: {place.problem}")
            words, environment = list(place.entered_by), place.environment
        environment |= terms.environment or {}
        self._out = tempfile.TemporaryFile()  # noqa: SIM115 (they live as long as this does)
        self._err = tempfile.TemporaryFile()  # noqa: SIM115
        try:
            with open(os.devnull, "rb") as nothing:
                streams = (nothing.fileno(), self._out.fileno(), self._err.fileno())
                self._process = Process(words, *streams, environment)
        except OSError as problem:
            self._out.close()
            self._err.close()
            if problem.errno in MACHINE_FAULTS:  # which says nothing about the program
                raise Unavailable(f"cannot start {words[0]}: {problem.strerror}") from None
            raise Fault("", NO_START, f"{words[0]}: {problem.strerror}") from None
        _running.add(self)
        self._process.limit(resource.RLIMIT_FSIZE, MOST_PRINTED)

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    @property
    def ended(self) -> "int | None":
        """Its exit status, if it has ended."""
        return self._wait(0)

    def _wait(self, seconds: float) -> "int | None":
        """Its exit status, if it ends within this time; minus a signal's number."""
        status = self._process.wait(seconds)
        if status is not None and status > SIGNALLED and self._passes_signals_on:
            return SIGNALLED - status
        return status

    def how_it_ended(self) -> str:
        """Its end in words."""
        status = self._wait(0) or 0
        return f"ended by {signal_name(-status)}" if status < 0 else f"exit status {status}"

    def check_end(self, scenario: str, patience: float, after: str, any_status: bool = False) -> None:
        """Wait until it ends by itself. Raises Fault unless it does so in time and with status 0.

        any_status: whether another status is as good, if it is not killed by a signal.
        """
        status = self._wait(patience)
        if status is None:
            raise Fault(scenario, TIMEOUT, f"still running {patience:g} s after {after}")
        if status < 0 or (status > 0 and not any_status):
            verdict = CRASHED if status < 0 else WRONG
            raise Fault(scenario, verdict, f"{self.how_it_ended()} after {after}, should be 0")

    def explain(self, fault: Fault) -> None:
        """Where a connection was closed too early: say so if that is because the program has ended."""
        if fault.verdict != NO_OUTPUT:
            return
        status = self._wait(A_MOMENT)
        if status is None:
            return
        fault.verdict = CRASHED if status < 0 else fault.verdict
        fault.detail += f" ({self.how_it_ended()})"

    def printed(self) -> str:
        """What it has written to standard output, as far as results can be in it."""
        self._out.seek(0)
        return self._out.read(MOST_RESULTS).decode(errors="backslashreplace")

    def complained(self) -> str:
        """The last of what it has written to standard error."""
        size = self._err.seek(0, os.SEEK_END)
        self._err.seek(max(0, size - KEPT))
        return self._err.read().decode(errors="backslashreplace")

    def close(self) -> None:
        """End it and all of its session."""
        _running.discard(self)
        self._process.close()

    def forget(self) -> None:
        """What it printed is not needed any more."""
        self._out.close()
        self._err.close()
