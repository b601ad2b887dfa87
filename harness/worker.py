"""A worker: a process that takes cases one by one, runs them, and sends back what became of them.

Workers are forked by the runner and talk to it through two pipes. They take the limits upon
themselves, so that whatever they start is under them from its first instruction.
"""

import marshal
import os
import signal
import sys

from harness.execute import Executor, Orphaned, Outcome
from harness.fixtures import Case
from harness.judge import Judgement, judge, record_of
from harness.limits import Cgroup, Limits, adopt_orphans, limit_resources
from harness.own import OwnPrograms
from harness.sandbox import Sandbox
from harness.verdicts import BROKEN, NO_START

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from harness.judge import Record

OUR_FAULT = 70  # the exit status of a worker that failed by itself
SECRETS = ("TOKEN", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "APIKEY", "API_KEY", "PRIVATE_KEY")


class Settings:
    """What is the same for all cases of a run."""

    __slots__ = ("exact", "limits", "sandbox", "stream")

    def __init__(self, limits: Limits, sandbox: "Sandbox | None", exact: bool, stream: bool) -> None:
        self.limits = limits
        self.sandbox = sandbox
        self.exact = exact
        self.stream = stream  # whether the programs are our own, so that streams will do


class Task:
    """One case to run: its files, its program's name and path, or why that cannot be started."""

    __slots__ = ("case", "path", "problem", "program")

    def __init__(self, case: Case, program: str, path: str, problem: str) -> None:
        self.case = case
        self.program = program
        self.path = path
        self.problem = problem


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
        self._buffer = bytearray()

    def receive(self) -> "list[Any] | None":
        """Those that are complete after waiting for more bytes once; None when the pipe has ended."""
        data = os.read(self.descriptor, 1 << 16)
        if not data:
            return None
        self._buffer += data
        found = []
        while len(self._buffer) >= 4:
            end = 4 + int.from_bytes(self._buffer[:4], "big")
            if len(self._buffer) < end:
                break
            found.append(marshal.loads(bytes(self._buffer[4:end])))  # noqa: S302 (from ourselves)
            del self._buffer[:end]
        return found


class Worker:
    """The life of a worker process."""

    def __init__(self, settings: Settings, cgroup: Cgroup, scratch: str, tasks: int, results: int) -> None:
        self._settings = settings
        self._tasks = Messages(tasks)
        self._results = results
        self._scratch = scratch
        self._home = os.open(".", os.O_RDONLY)  # where the paths of cases begin
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the runner decides when to stop
        cgroup.join()
        limit_resources(settings.limits)
        self._executor = Executor(
            settings.limits, cgroup, adopt_orphans(), tasks, settings.sandbox is not None
        )
        self._own = OwnPrograms(settings.limits.seconds)
        self._environment = {
            name: value
            for name, value in os.environ.items()
            if not any(secret in name.upper() for secret in SECRETS)
        }

    def live(self) -> "NoReturn":
        """Work until the runner closes the pipe."""
        status = 0
        try:
            while (messages := self._tasks.receive()) is not None:
                for number, name, *files, program, path, problem in messages:
                    case = Case(name, *files)
                    record = self._record(Task(case, program, path, problem))
                    send(self._results, (number, record))
        except (Orphaned, BrokenPipeError):
            status = 1
        except BaseException:  # a fault of ours, which must be seen
            import traceback

            traceback.print_exc()
            status = OUR_FAULT
        finally:
            self._own.close()
            os._exit(status)

    def _record(self, task: Task) -> "Record":
        case = task.case
        command = [task.path]
        if case.problem:
            return record_of(case, task.program, [], Judgement(BROKEN, case.problem), None)
        try:
            data, expected = _content(case.input), _content(case.expected)
            command += _arguments(case)
        except (OSError, ValueError) as problem:
            return record_of(case, task.program, [], Judgement(BROKEN, _reason(problem)), None)
        if task.problem:
            judgement = Judgement(NO_START if task.program else BROKEN, task.problem)
            return record_of(case, task.program, [], judgement, None)
        outcome = self._outcome(task, command, data)
        judgement = judge(expected, outcome, self._settings.exact, as_text=bool(case.arguments))
        return record_of(case, task.program, command, judgement, outcome)

    def _outcome(self, task: Task, command: list[str], data: bytes) -> Outcome:
        if self._settings.stream:
            answered = self._own.answer(command, data)
            if answered is not None:
                return answered
            self._own.close()  # the executor takes every child of this process for its own
        if self._settings.sandbox is not None:
            prefix = self._settings.sandbox.command(task.path, task.case.expected)
            return self._executor.run([*prefix, *command], self._environment, data)
        return self._in_scratch(command, data)

    def _in_scratch(self, command: list[str], data: bytes) -> Outcome:
        """Run the command in a new empty directory, which is gone afterwards."""
        _make_empty(self._scratch)
        os.chdir(self._scratch)
        try:
            return self._executor.run(command, {**self._environment, "TMPDIR": self._scratch}, data)
        finally:
            os.fchdir(self._home)
            if not _is_new(self._scratch):
                _remove(self._scratch)


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _arguments(case: Case) -> list[str]:
    if not case.arguments:
        return []
    import json

    with open(case.arguments, "rb") as file:
        arguments = json.load(file)
    if not isinstance(arguments, list) or not all(isinstance(one, str) for one in arguments):
        raise ValueError("is not a list of strings")
    return arguments


def _reason(problem: "OSError | ValueError") -> str:
    if isinstance(problem, OSError):
        return f"{os.path.basename(problem.filename or '')} cannot be read: {problem.strerror}"
    return f"its arguments file: {problem}"


def _make_empty(folder: str) -> None:
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass  # the last case has left it as it was: as good as new, and making one is slow


def _is_new(folder: str) -> bool:
    """Whether the directory is as a new one would be."""
    try:
        return os.stat(folder).st_mode == 0o40700 and not os.listdir(folder)
    except OSError:
        return False


def _remove(folder: str) -> None:
    """Remove a directory, whatever a program has made of it."""
    import shutil

    try:
        os.chmod(folder, 0o700)
        for below, folders, _ in os.walk(folder):
            for name in folders:
                os.chmod(os.path.join(below, name), 0o700, follow_symlinks=False)
    except (OSError, NotImplementedError):
        pass
    shutil.rmtree(folder, ignore_errors=True)


def start_worker(
    settings: Settings, cgroup: Cgroup, scratch: str, close: list[int]
) -> tuple[int, int, Messages]:
    """Fork a worker; its process id, where to send tasks, and where results come from.

    `close` are the runner's descriptors of other workers, which must not live on in this one.
    """
    tasks_read, tasks_write = os.pipe()
    results_read, results_write = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid == 0:
        for descriptor in (tasks_write, results_read, *close):
            os.close(descriptor)
        try:
            Worker(settings, cgroup, scratch, tasks_read, results_write).live()
        finally:
            os._exit(OUR_FAULT)
    os.close(tasks_read)
    os.close(results_write)
    return pid, tasks_write, Messages(results_read)
