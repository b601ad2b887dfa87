"""A worker: a process that takes cases one by one, runs them, and sends back what became of them.

Workers are forked by their owner, which has its side in `harness.running.worker_process`, and talk to it
through pipes. They take the limits upon themselves, so that whatever they start is under them from its
first instruction.
"""

import marshal
import os
import signal
import time

from harness import OUR_FAULT
from harness.errors import MACHINE_FAULTS
from harness.files import read_file
from harness.fixtures.arguments import BadArguments, arguments_of
from harness.fixtures.cases import Case
from harness.fixtures.executables import subject
from harness.judging.judge import Judgement, judge
from harness.judging.outcome import Outcome
from harness.judging.result import Result
from harness.judging.verdicts import BROKEN, NO_START, NOT_GRADED, PASS, WITHHELD
from harness.running.deserving import Deserving
from harness.running.executor import Executor, Orphaned
from harness.running.limits import Cgroup, Limits, adopt_orphans, limit_resources
from harness.running.own_programs import OwnPrograms
from harness.running.process import public_environment
from harness.running.results import result_of
from harness.running.sandbox import Sandbox
from harness.running.sandbox_process import NoSandbox, Sandboxes
from harness.running.scratch import Scratch, remove_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from harness.running import task_queue
    from harness.running.reader import Reader
    from harness.running.sandbox import Place


class Settings:
    """What is the same for all cases of a run."""

    __slots__ = ("exact", "explain", "limits", "sandbox", "stream", "tells_faults", "twins")

    def __init__(
        self,
        limits: Limits,
        sandbox: "Sandbox | None" = None,
        exact: bool = False,
        stream: bool = False,
        explain: bool = False,
        twins: bool = False,
    ) -> None:
        self.limits = limits
        self.sandbox = sandbox
        self.exact = exact
        self.explain = explain  # whether a failed case is told by the rules
        self.stream = stream  # whether the programs are our own, so that streams will do
        self.twins = twins  # whether an answer that is right, but easy, must be deserved
        self.tells_faults = True  # whether a worker that fails by itself prints how


class Task:
    """One case to run: its files, its program's name and path, or why that cannot be started.

    environment: what the program finds in its environment besides the usual. home: the folder that
    it belongs to, if that is not simply the one that it is in. reader: who gets inputs in its own
    dialect; None if they are sent as they are.
    """

    __slots__ = ("case", "environment", "home", "path", "problem", "program", "reader", "stage")

    def __init__(
        self,
        case: Case,
        program: str,
        path: str,
        problem: str,
        environment: "dict[str, str] | None" = None,
        home: str = "",
        reader: "Reader | None" = None,
        stage: int = 0,
    ) -> None:
        self.case = case
        self.stage = stage  # tasks of different ones never share a sandbox
        self.program = program
        self.path = path
        self.problem = problem
        self.environment = environment
        self.home = home
        self.reader = reader


def reader_of(message: "tuple[Any, ...] | None") -> "Reader | None":
    """The reader that a message says, if it says one."""
    if message is None:
        return None
    from harness.running.reader import Reader

    return Reader.of(message)


def send(descriptor: int, message: "Any") -> None:
    """Write one message to a pipe."""
    body = marshal.dumps(message)
    data = memoryview(len(body).to_bytes(4, "big") + body)
    while data:
        data = data[os.write(descriptor, data) :]


class Messages:
    """The messages that come out of a pipe."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._buffer = b""
        self._complete: list[Any] = []

    def take(self) -> "Any":
        """Wait for the next one; None when the pipe has ended."""
        while not self._complete:
            messages = self.receive()
            if messages is None:
                return None
            self._complete = messages
        return self._complete.pop(0)

    def receive(self) -> "list[Any] | None":
        """Those that are complete after waiting for more bytes once; None when the pipe has ended."""
        data = os.read(self.descriptor, 1 << 16)
        if not data:
            return None
        data = self._buffer + data if self._buffer else data
        found = []
        start = 0
        while len(data) >= start + 4:
            end = start + 4 + int.from_bytes(data[start : start + 4], "big")
            if len(data) < end:
                break
            found.append(marshal.loads(data[start + 4 : end]))  # noqa: S302 (from ourselves)
            start = end
        self._buffer = data[start:]
        return found


class Worker:
    """The life of a worker process."""

    def __init__(
        self,
        settings: Settings,
        cgroup: Cgroup,
        scratch: str,
        tasks: "task_queue.Place | Messages",
        results: int,
    ) -> None:
        self._settings = settings
        self._tasks = tasks
        self._results = results
        self._scratch = scratch
        self._folder = Scratch(scratch)
        self._home = os.open(".", os.O_RDONLY)  # where the paths of cases begin
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides when to stop
        for number in (signal.SIGTERM, signal.SIGHUP):
            if callable(signal.getsignal(number)):
                signal.signal(number, signal.SIG_DFL)
        if settings.sandbox is not None:
            settings.sandbox.keep_in(os.path.dirname(scratch))
        cgroup.join()
        limit_resources(settings.limits, cgroup, settings.sandbox is not None)
        self._executor = Executor(settings.limits, cgroup, adopt_orphans(), tasks.descriptor)
        self._sandboxes = Sandboxes(self._executor)
        self._places: dict[tuple[str, str, str], Place] = {}
        self._own = OwnPrograms(settings.limits.seconds)
        self._deserving = Deserving()
        # What is secret, and what tells where the runner was started, is not for programs.
        self._environment = public_environment()
        for name in ("PWD", "OLDPWD"):
            self._environment.pop(name, None)
        self._environment["TMPDIR"] = scratch

    def live(self) -> "NoReturn":
        """Work until the runner closes the pipe."""
        status = 0
        try:
            while (message := self._tasks.take()) is not None:
                try:
                    answer = self.result(message)
                except Orphaned:
                    raise
                except Exception as problem:  # ours, or the machine's: nobody's verdict
                    send(self._results, (message[0], tuple(_not_graded(message, problem)), None))
                    if isinstance(problem, OSError) and problem.errno in MACHINE_FAULTS:
                        raise Orphaned from None  # nobody has done anything wrong, and a new worker may do
                    raise
                send(self._results, answer)
        except (Orphaned, BrokenPipeError):
            status = 1
        except BaseException:  # a fault of ours, which must be seen
            if self._settings.tells_faults:
                import traceback

                traceback.print_exc()
            status = OUR_FAULT
        finally:
            self._own.close()
            self._sandboxes.close()
            if self._settings.sandbox is not None:
                self._settings.sandbox.leave()
            self._leave()
            os._exit(status)

    def result(self, message: "Any") -> "Any":
        """What is sent back for a message: its number, the result of its case, and what else is wanted.

        Here that is what the case took in seconds, with all that was done for it: it was judged, too.
        """
        begun = time.monotonic()
        number, files, program, command, problem, environment, home, exact, reader, stage = message
        path = command[0] if home else subject(command)
        task = Task(Case(*files), program, path, problem, environment, home, reader_of(reader), stage)
        result = self._result(task, command, self._settings.exact if exact is None else exact)
        return number, tuple(result), time.monotonic() - begun

    def _leave(self) -> None:
        """Leave no files, even if there is no runner any more to remove them."""
        try:
            remove_folder(self._scratch)
            os.rmdir(os.path.dirname(self._scratch))  # the last one to leave succeeds
        except OSError:
            pass

    def _result(self, task: Task, command: list[str], exact: bool) -> Result:
        case = task.case
        if case.problem:
            return result_of(case, task.program, [], Judgement(BROKEN, case.problem), None)
        try:
            data, expected = self.read(case.input), self.read(case.expected)
            command += arguments_of(case, self.read)
        except (OSError, BadArguments) as problem:
            return result_of(case, task.program, [], Judgement(BROKEN, _reason(problem)), None)
        if task.problem:
            judgement = Judgement(NO_START if task.program else BROKEN, task.problem)
            return result_of(case, task.program, [], judgement, None)
        sent, reasons = task.reader.sent(data) if task.reader else (data, ())
        if reasons:
            return result_of(case, task.program, [], Judgement(WITHHELD, ", ".join(reasons)), None)
        outcome = self.outcome(task, command, sent)
        judgement = judge(expected, outcome, exact, as_text=bool(case.arguments))
        told = sent.decode() if sent is not data else ""
        if self._settings.twins and judgement.verdict == PASS:
            return self._deserving.result(
                task, command, expected, outcome, sent, lambda given: self.outcome(task, command, given)
            )
        result = result_of(case, task.program, command, judgement, outcome, told)
        if self._settings.explain and judgement.verdict != PASS:
            return result._replace(explanation=tuple(_explanation(task.program, data, judgement)))
        return result

    def read(self, path: str) -> bytes:
        """What is in a file of a case."""
        return read_file(path)

    def outcome(self, task: Task, command: list[str], data: bytes) -> Outcome:
        """What becomes of the command when it is given the data."""
        if self._settings.stream:
            answered = self._own.answer(command, data)
            if answered is not None:
                return answered
            self._own.close()  # the executor takes every child of this process for its own
        if self._settings.sandbox is not None:
            return self._in_sandbox(self._settings.sandbox, task, command, data)
        return self._in_scratch(task, command, data)

    def _in_sandbox(self, sandbox: Sandbox, task: Task, command: list[str], data: bytes) -> Outcome:
        """Run the command where it sees only what it is shown."""
        key = (command[0], task.path, task.home)
        place = self._places.get(key)
        if place is None:
            place = self._places[key] = sandbox.place([command[0], task.path], task.home)
        return self.run_in(place, task, command, data)

    def run_in(self, place: "Place", task: Task, command: list[str], data: bytes) -> Outcome:
        """Run the command on the data at this place."""
        outcome = Outcome()
        if place.problem:
            outcome.ended, outcome.detail = NO_START, place.problem
            return outcome
        environment = {**place.environment, **(task.environment or {})}
        try:
            return self._sandboxes.run(place.entered_by, task.stage, command, environment, data)
        except NoSandbox as why:
            outcome.ended, outcome.detail = NOT_GRADED, f"the sandbox does not start: {why}"
            return outcome

    def environment(self, task: Task) -> dict[str, str]:
        """What the program of a task finds in its environment."""
        return {**self._environment, **task.environment} if task.environment else self._environment

    def _in_scratch(self, task: Task, command: list[str], data: bytes) -> Outcome:
        """Run the command in an empty directory, of which nothing is left afterwards."""
        self._folder.enter()
        try:
            return self._executor.run(command, self.environment(task), data)
        finally:
            os.fchdir(self._home)
            self._folder.clear()


def _not_graded(message: "Any", problem: Exception) -> Result:
    """The result of a task at which something else has failed than its program."""
    _, files, program, command, *_ = message
    why = problem.strerror if isinstance(problem, OSError) and problem.strerror else repr(problem)
    judgement = Judgement(NOT_GRADED, f"the machine or the harness has failed: {why}")
    return result_of(Case(*files), program, command, judgement, None)


def _explanation(program: str, data: bytes, judgement: Judgement) -> list[str]:
    """What the rules make of the input, as far as it concerns the differences."""
    from evolution.wire.errors import BadInput
    from evolution.wire.text import parse
    from harness.explain.programs import explain
    from harness.judging.difference import about
    from harness.programs.answering import PROGRAMS

    if program not in PROGRAMS:
        return []
    try:
        return explain(program, parse(data)).lines_about(about(judgement.differences))
    except BadInput as problem:
        return [f"the input is refused: {problem}"]


def _reason(problem: "OSError | BadArguments") -> str:
    if isinstance(problem, OSError):
        return f"{os.path.basename(problem.filename)} cannot be read: {problem.strerror}"
    return str(problem)
