"""A program under test that is asked one input after the other: by fuzzing and by shrinking.

A `Target` starts the program once per input, under the limits and in the sandbox of a run. A
`StreamTarget` starts it once and sends it many inputs, which works for programs that have `--stream`.
"""

import os
import resource
import time
from collections.abc import Sequence
from itertools import count
from typing import Any

from harness.fixtures.cases import Case
from harness.fixtures.executables import executable, subject
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED
from harness.running.limits import Limits
from harness.running.process import LineProcess, public_environment
from harness.running.rungs import RUNGS, rung_of
from harness.running.sandbox import Sandbox
from harness.running.worker import Settings, Task, Worker
from harness.running.worker_process import WorkerProcess

SLACK, TIMES = 0.3, 5  # seconds, and times what an answer takes, that a stream has for its first one
NOWHERE = "/tmp/nowhere"  # noqa: S108 (there is no expected output to hide)

_numbers = count()


def sandbox_for(
    mode: str, memory: int, show: "Sequence[str]" = (), cases: "Sequence[str]" = ()
) -> "Sandbox | None":
    """The sandbox for a mode of --sandbox that hides the answers of these folders of cases; None for none.

    Raises SandboxError if there must be one and cannot.
    """
    rung = rung_of(mode)
    return RUNGS[rung](memory, show, cases=cases) if rung else None


class _Asking(Worker):
    """A worker whose messages are a program and its input, and whose results are outcomes."""

    def result(self, message: "Any") -> "Any":
        """The outcome of a program on an input."""
        command, arguments, data, environment, home = message
        path = command[0] if home else subject(command)
        task = Task(Case("", "", NOWHERE, ""), "", path, "", environment, home)
        outcome = self.outcome(task, [*command, *arguments], data)
        return outcome.fields()


class Target:
    """A program that is started anew for each input, by a worker process of its own."""

    def __init__(
        self,
        program: str,
        limits: "Limits | None" = None,
        sandbox: "Sandbox | None" = None,
        environment: "dict[str, str] | None" = None,
        home: str = "",
    ) -> None:
        """The program is its file, or a command with arguments.

        environment: what it finds in its environment besides the usual. home: the folder that it belongs to,
        if that is not simply the one that it is in.
        """
        self._command = executable(program)
        self._environment = environment
        self._home = home
        settings = Settings(limits or Limits(), sandbox, exact=False, stream=False)
        self._worker = WorkerProcess(settings, f"target{next(_numbers)}", _Asking)
        self._worker.start()

    def __enter__(self) -> "Target":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def fileno(self) -> int:
        """What becomes readable when there is an outcome to take."""
        return self._worker.fileno()

    def answer(self, data: bytes, arguments: "Sequence[str]" = ()) -> Outcome:
        """What the program does with this input."""
        self.ask(data, arguments)
        return self.take()

    def ask(self, data: bytes, arguments: "Sequence[str]" = ()) -> None:
        """Let the program begin with this input; what it does is to be taken before the next is asked."""
        self._worker.send((self._command, tuple(arguments), data, self._environment, self._home))

    def take(self) -> Outcome:
        """What the program has done with the input that was asked last."""
        fields = self._worker.take()
        if fields is not None:
            return Outcome.of(fields)
        self._worker.restart()
        outcome = Outcome()
        outcome.ended, outcome.detail = CRASHED, "it brought down the worker that ran it"
        return outcome

    def poke(self) -> None:
        """See that the worker goes on if it is overdue, because a program has stopped it."""
        self._worker.poke()

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self._worker.close()


class StreamTarget:
    """A program that was started with `--stream` and answers each input with a line.

    If it ends or does not answer in time, the input that it was at is to blame, and it is started again.
    """

    def __init__(
        self, program: str, limits: "Limits | None" = None, sandbox: "Sandbox | None" = None
    ) -> None:
        """The program is its file, or a command with arguments."""
        command = executable(program)
        self._environment = sandbox.environment(sandbox.view(command)) if sandbox else public_environment()
        command = [*command, "--stream"]
        self._command = sandbox.command(command) if sandbox else command
        self._limits = limits or Limits()
        self._given_up = False
        self._process: LineProcess | None = self._started()

    def __enter__(self) -> "StreamTarget":
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def _started(self) -> LineProcess:
        with open(os.devnull, "wb") as nowhere:
            process = LineProcess(self._command, nowhere.fileno(), self._environment)
        process.limit(resource.RLIMIT_DATA, self._limits.memory)
        return process

    def answer(self, data: bytes) -> Outcome:
        """What the program answers to this input."""
        return self.answers([data])[0]

    def answers(self, inputs: "Sequence[bytes]") -> list[Outcome]:
        """What the program answers to each of these inputs, which are sent without waiting in between."""
        outcomes: list[Outcome] = []
        limits = self._limits
        while len(outcomes) < len(inputs) and not self._given_up:
            process = self._process = self._process or self._started()
            lines, ended = process.answers(inputs[len(outcomes) :], limits.seconds, limits.output)
            outcomes += map(_line, lines)
            if ended:
                outcome = Outcome()
                outcome.ended = ended
                outcomes.append(outcome)
                self.close()
        return outcomes

    def give_up(self) -> None:
        """Let whoever waits for answers, in another thread, wait no longer; there will be no more."""
        self._given_up = True
        process = self._process
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End the program and all of its group."""
        process, self._process = self._process, None
        if process is not None:
            process.close()


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
    with Target(path, limits, sandbox) as target:
        began = time.monotonic()
        alone = target.answer(samples[0]).stdout.strip()
        usual = time.monotonic() - began
        # Who waits for the end of its input waits for ever, so it has not much more time than it needs alone.
        patience = Limits(min(limits.seconds, SLACK + TIMES * usual), limits.memory, limits.output)
        with StreamTarget(path, patience, sandbox) as stream:
            (first,) = stream.answers(samples[:1])
            if first.ended or first.stdout.strip() != alone:
                return False
            told = [outcome.ended or outcome.stdout.strip() for outcome in stream.answers(samples)]
            return told == [target.answer(data).stdout.strip() for data in samples]
