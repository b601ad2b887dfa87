"""A program under test that is asked one input after the other: by fuzzing and by shrinking.

A `Target` starts the program once per input, under the limits and in the sandbox of a run. A
`StreamTarget` starts it once and sends it many inputs, which works for programs that have `--stream`.
"""

import os
import resource
import select
import signal
import sys
import time
from itertools import count

from harness.fixtures.cases import Case
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED, TIMEOUT, TOO_MUCH
from harness.running.limits import Cgroup, Limits, kill
from harness.running.sandbox import Sandbox, hidden_in, surroundings, why_none
from harness.running.worker import (
    SECRETS,
    Settings,
    Task,
    Worker,
    make_folder,
    remove_folder,
    send,
    start_worker,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

NOWHERE = "/tmp/nowhere"  # noqa: S108 (there is no expected output to hide)
PIECE = 1 << 16
AHEAD = 1 << 20  # bytes that are sent before their answers are waited for
OVERDUE = 1.0  # seconds after the time limit at which a worker is poked,
LOST = 60.0  # and at which it is given up

_numbers = count()


def sandbox_for(mode: str, hidden: "Sequence[str]", memory: int) -> "Sandbox | None":
    """The sandbox for a mode of --sandbox in which these folders cannot be seen; None for none.

    Raises SandboxError if there must be one and cannot.
    """
    return None if why_none(mode) else Sandbox(hidden_in(mode, hidden), set(), [], memory)


def open_sandbox(mode: str, programs: "Sequence[str]", memory: int) -> "Sandbox | None":
    """The same for programs that are asked what has no answer on the disk: they see what lies around them."""
    show = [folder for program in programs for folder in surroundings(program)]
    return None if why_none(mode) else Sandbox(hidden_in(mode, []), None, [], memory, show)


class _Asking(Worker):
    """A worker whose messages are a program and its input, and whose results are outcomes."""

    def result(self, message: "Any") -> "Any":
        """The outcome of a program on an input."""
        path, data, arguments = message
        outcome = self.outcome(Task(Case("", "", NOWHERE, ""), "", path, ""), [path, *arguments], data)
        return outcome.fields()


class Target:
    """A program that is started anew for each input, by a worker process of its own."""

    def __init__(self, path: str, limits: "Limits | None" = None, sandbox: "Sandbox | None" = None) -> None:
        self._path = os.path.abspath(path)
        self._settings = Settings(limits or Limits(), sandbox, exact=False, stream=False)
        self._folder = make_folder()
        self._since = 0.0
        name = f"harness-{os.getpid()}-target{next(_numbers)}"
        self._cgroup = Cgroup(name, self._settings.limits)
        self._start()

    def __enter__(self) -> "Target":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _start(self) -> None:
        scratch = os.path.join(self._folder, "scratch")
        self._pid, self._tasks, self._results = start_worker(
            self._settings, self._cgroup, scratch, kind=_Asking
        )

    def fileno(self) -> int:
        """What becomes readable when there is an outcome to take."""
        return self._results.descriptor

    def answer(self, data: bytes, arguments: "Sequence[str]" = ()) -> Outcome:
        """What the program does with this input."""
        self.ask(data, arguments)
        return self.take()

    def ask(self, data: bytes, arguments: "Sequence[str]" = ()) -> None:
        """Let the program begin with this input; what it does is to be taken before the next is asked."""
        self._since = time.monotonic()
        try:
            send(self._tasks, (self._path, data, tuple(arguments)))
        except BrokenPipeError:
            pass  # the worker's end is noticed where outcomes are taken

    def take(self) -> Outcome:
        """What the program has done with the input that was asked last."""
        messages = self._next()
        if messages is None:
            self._bury()
            self._start()
            outcome = Outcome()
            outcome.ended, outcome.detail = CRASHED, "it took the worker that ran it along"
            return outcome
        return Outcome.of(messages)

    def poke(self) -> None:
        """See that the worker goes on if it is overdue, because a program has stopped it."""
        late = time.monotonic() - self._since - self._settings.limits.seconds
        if late > OVERDUE:
            os.kill(self._pid, signal.SIGKILL if late > LOST else signal.SIGCONT)

    def _next(self) -> "Any":
        """The next message of the worker; None if it has ended."""
        poll = select.poll()
        poll.register(self._results.descriptor, select.POLLIN)
        while True:
            while not poll.poll(OVERDUE * 1000):
                self.poke()
            messages = self._results.receive()
            if messages is None or messages:
                return messages and messages[0]

    def _bury(self) -> None:
        for descriptor in (self._tasks, self._results.descriptor):
            os.close(descriptor)
        os.waitpid(self._pid, 0)

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self._bury()
        self._cgroup.remove()
        remove_folder(self._folder)


class StreamTarget:
    """A program that was started with `--stream` and answers each input with a line.

    If it ends or does not answer in time, the input that it was at is to blame, and it is started again.
    """

    def __init__(self, path: str, limits: "Limits | None" = None, sandbox: "Sandbox | None" = None) -> None:
        path = os.path.abspath(path)
        self._command = [*(sandbox.command(path, NOWHERE) if sandbox else ()), path, "--stream"]
        self._limits = limits or Limits()
        self._pid = 0
        self._given_up = False
        self._start()

    def __enter__(self) -> "StreamTarget":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _start(self) -> None:
        stdin, self._to = os.pipe()
        self._from, stdout = os.pipe()
        errors = os.open(os.devnull, os.O_WRONLY)
        actions = [(os.POSIX_SPAWN_DUP2, new, old) for old, new in enumerate((stdin, stdout, errors))]
        names = [name for name in os.environ if not any(secret in name.upper() for secret in SECRETS)]
        environment = {name: os.environ[name] for name in names}
        try:
            self._pid = os.posix_spawn(
                self._command[0], self._command, environment, file_actions=actions, setsid=True
            )
        finally:
            for descriptor in (stdin, stdout, errors):
                os.close(descriptor)
        if sys.platform == "linux":
            resource.prlimit(self._pid, resource.RLIMIT_DATA, (self._limits.memory, self._limits.memory))
        os.set_blocking(self._to, False)
        self._heard = b""

    def answer(self, data: bytes) -> Outcome:
        """What the program answers to this input."""
        return self.answers([data])[0]

    def answers(self, inputs: "Sequence[bytes]") -> list[Outcome]:
        """What the program answers to each of these inputs, which are sent without waiting in between."""
        outcomes: list[Outcome] = []
        while len(outcomes) < len(inputs) and not self._given_up:
            lines, ended = self._talk(inputs[len(outcomes) :])
            outcomes += map(_line, lines)
            if ended:
                outcome = Outcome()
                outcome.ended = ended
                outcomes.append(outcome)
                self.close()
                self._start()
        return outcomes

    def _talk(self, inputs: "Sequence[bytes]") -> tuple[list[bytes], str]:
        """Lines that answer these inputs; if they are too few, how that ended."""
        # A newline is white space within a value, but between values it helps who reads line by line.
        unsent = memoryview(b"".join(data.replace(b"\n", b" ") + b"\n" for data in inputs))
        lines: list[bytes] = []
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        poll.register(self._to, select.POLLOUT)
        deadline = time.monotonic() + self._limits.seconds
        while len(lines) < len(inputs):
            ready = poll.poll(max(0.0, deadline - time.monotonic()) * 1000)
            if not ready:
                return lines, TIMEOUT
            for descriptor, _ in ready:
                if descriptor == self._to:
                    unsent = self._send(unsent)
                    if not unsent:
                        poll.unregister(self._to)
                elif not (data := os.read(self._from, PIECE)):
                    return lines, CRASHED
                else:
                    *complete, self._heard = (self._heard + data).split(b"\n")
                    if complete:
                        lines += complete
                        deadline = time.monotonic() + self._limits.seconds
            if len(self._heard) > self._limits.output:
                return lines, TOO_MUCH
        return lines[: len(inputs)], ""

    def _send(self, unsent: memoryview) -> memoryview:
        """Send what the pipe takes; what is left. Nothing is left if nobody reads any more."""
        try:
            return unsent[os.write(self._to, unsent[:AHEAD]) :]
        except BlockingIOError:
            return unsent
        except BrokenPipeError:
            return unsent[:0]

    def give_up(self) -> None:
        """Let whoever waits for answers, in another thread, wait no longer; there will be no more."""
        self._given_up = True
        if self._pid:
            kill(self._pid)

    def close(self) -> None:
        """End the program and all of its group."""
        if not self._pid:
            return
        for descriptor in (self._to, self._from):
            os.close(descriptor)
        try:
            os.killpg(self._pid, signal.SIGKILL)
        except OSError:
            kill(self._pid)
        os.waitpid(self._pid, 0)
        self._pid = 0


def _line(line: bytes) -> Outcome:
    """The outcome of an input that was answered with this line."""
    outcome = Outcome()
    outcome.exit = 0
    outcome.stdout = line
    outcome.printed = len(line)
    return outcome


def speaks_stream(
    path: str, samples: "Sequence[bytes]", limits: "Limits | None" = None, sandbox: "Sandbox | None" = None
) -> bool:
    """Whether the program, given `--stream`, answers samples as it does when it is started for each.

    With fewer than two samples that cannot be told: a program that answers one only is no stream.
    """
    if len(samples) < 2:
        return False
    limits = limits or Limits(seconds=2.0)
    with StreamTarget(path, limits, sandbox) as stream, Target(path, limits, sandbox) as target:
        for outcome, data in zip(stream.answers(samples[:1]), samples, strict=False):
            if outcome.ended or outcome.stdout.strip() != target.answer(data).stdout.strip():
                return False
        told = [outcome.ended or outcome.stdout.strip() for outcome in stream.answers(samples)]
        return told == [target.answer(data).stdout.strip() for data in samples]
