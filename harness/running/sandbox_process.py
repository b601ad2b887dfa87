"""The worker's side of a sandbox that stays: entered once, it runs one program after the other.

Inside is `harness.running.warden`, which is asked through a socket, and sent the descriptors of each program.
What a limit ends is ended with the whole sandbox; another takes its place.
"""

import _socket  # its Python half takes long to load
import marshal
import os
import select
import signal
import sys
import time

from harness.errors import MACHINE_FAULTS
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED, NO_START, NOT_GRADED
from harness.running.limits import children, end_children, kill, time_below
from harness.running.sandbox import SOCKET
from harness.running.warden import OUTSIDE, READY, WORN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.running.executor import Executor

ATTEMPTS = 3  # to start a sandbox, before that is the machine's fault
PATIENCE = 30.0  # seconds for it to be ready
MOST_OPEN = 3  # sandboxes of one worker at a time
PIECE = 1 << 15  # bytes of a message, which is not cut as long as it is smaller than others take at once
REPORT = 1 << 12  # bytes; one is smaller by far
SOON = 2.0  # seconds for the process inside to end all others and itself

_entered: set[int] = set()  # the processes that all sandboxes of this one begin with


class NoSandbox(Exception):
    """A sandbox that has worked before does not start now; str() says why."""


class Worn(Exception):
    """The sandbox has ended before it took the command: it could not be made as good as new."""


class SandboxProcess:
    """One sandbox, with the process in it that starts programs."""

    def __init__(self, words: "tuple[str, ...]") -> None:
        """Enter a sandbox by this command. Raises NoSandbox."""
        self._socket, theirs = _socket.socketpair(_socket.AF_UNIX, _socket.SOCK_SEQPACKET)
        said = os.memfd_create("said", os.MFD_CLOEXEC)
        nothing = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        try:
            self._outer = os.posix_spawn(
                words[0],
                words,
                {},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, nothing, 0),
                    (os.POSIX_SPAWN_DUP2, nothing, 1),
                    (os.POSIX_SPAWN_DUP2, said, 2),
                    (os.POSIX_SPAWN_DUP2, theirs.fileno(), SOCKET),
                ],
                setsigmask=(),
            )
        except OSError as problem:
            self._socket.close()
            raise NoSandbox(problem.strerror) from None
        finally:
            theirs.close()
            os.close(nothing)
            self.pid = 0
        _entered.add(self._outer)
        self._is_outside = False  # whether what is started is in no namespace that ends with it
        try:
            if not self._is_ready():
                text = os.pread(said, REPORT, 0).decode(errors="backslashreplace").strip()
                self.kill(Outcome())
                raise NoSandbox(text.rpartition("\n")[2] or "it did not say why")
        finally:
            os.close(said)
        self.pid = 0 if self._is_outside else min(children(self._outer), default=0)

    def _is_ready(self) -> bool:
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        said = self._received() if poll.poll(PATIENCE * 1000) else b""
        self._is_outside = said == OUTSIDE
        return said in (READY, OUTSIDE)

    def _received(self) -> bytes:
        for _ in range(2):  # who ends without having read what was asked leaves an error before its last word
            try:
                return self._socket.recv(REPORT)
            except OSError:
                continue
        return b""

    @property
    def is_there(self) -> bool:
        """Whether it has not been ended."""
        return self._outer != 0

    def fileno(self) -> int:
        """What becomes readable when the program that was asked for has ended."""
        return self._socket.fileno()

    def ask(self, command: list[str], environment: dict[str, str], descriptors: "tuple[int, ...]") -> None:
        """Have a command started with these standard descriptors. Raises Worn if nobody takes it."""
        body = marshal.dumps((command, environment))
        data = len(body).to_bytes(4, "big") + body
        try:
            numbers = b"".join(one.to_bytes(4, sys.byteorder) for one in descriptors)
            rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)]
            self._socket.sendmsg([data[:PIECE]], rights)
            for start in range(PIECE, len(data), PIECE):
                self._socket.sendall(data[start : start + PIECE])
        except OSError:
            raise Worn from None

    def report(self, outcome: Outcome) -> bool:
        """Take what is told of the program that has ended; whether the sandbox is still there.

        Raises Worn if it was never started.
        """
        told = self._received()
        if told == WORN:
            raise Worn
        if not told:
            # Inside a namespace nobody can end its process 1; elsewhere a program can end who has started it.
            outcome.ended = CRASHED if self._is_outside else NOT_GRADED
            outcome.detail = "its sandbox ended with it"
            return False
        problem, status, seconds, kilobytes = marshal.loads(told)  # noqa: S302 (from our own process inside)
        if problem:
            outcome.ended = NOT_GRADED if problem in MACHINE_FAULTS else NO_START
            outcome.detail = why_not_started(OSError(problem, os.strerror(problem)))
        else:
            outcome.exit = os.waitstatus_to_exitcode(status)
        outcome.cpu = seconds
        outcome.memory = int(kilobytes) << 10
        return not (self._is_outside and children(self._outer))

    def kill(self, outcome: Outcome) -> None:
        """End the sandbox and everything in it, and note what the program used so far."""
        if self._outer == 0:
            return
        _entered.discard(self._outer)
        if self._is_outside:
            self._kill_outside(outcome)
            return
        outcome.cpu = max(outcome.cpu, time_below(self.pid)) if self.pid else outcome.cpu
        inside = {self.pid} if self.pid else children(self._outer)
        kill(self._outer)
        os.waitpid(self._outer, 0)
        self._outer = 0
        self._socket.close()
        for pid in filter(None, inside):
            kill(pid)
            try:
                os.waitpid(pid, 0)  # it has been orphaned, and adopted; nothing outlives it
            except ChildProcessError:
                continue

    def _kill_outside(self, outcome: Outcome) -> None:
        """End all that was started, where no namespace does: the process that has started it, or we."""
        outcome.cpu = max(outcome.cpu, time_below(self._outer))
        os.kill(self._outer, signal.SIGUSR1)
        give_up = time.monotonic() + SOON
        while not os.waitid(os.P_PID, self._outer, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if time.monotonic() > give_up:
                break
            time.sleep(0.0005)
        kill(self._outer)
        os.waitpid(self._outer, 0)
        end_children(_entered)
        self._outer = 0
        self._socket.close()


class Sandboxes:
    """The sandboxes of one worker: one for each program's surroundings, as long as there is room for it."""

    def __init__(self, executor: "Executor") -> None:
        self._executor = executor
        self._open: dict[tuple[tuple[str, ...], int], SandboxProcess] = {}

    def run(
        self,
        words: "tuple[str, ...]",
        stage: int,
        command: list[str],
        environment: dict[str, str],
        data: bytes,
    ) -> Outcome:
        """Run a command on the data in the sandbox that is entered by these words. Raises NoSandbox.

        stage: what belongs to another one is not run in the same sandbox.
        """
        for _ in range(ATTEMPTS):
            sandbox = self._open.pop((words, stage), None) or self._entered(words)
            try:
                outcome = self._executor.run_inside(sandbox, command, environment, data)
            except Worn:
                sandbox.kill(Outcome())
                continue
            if sandbox.is_there:
                self._open[words, stage] = sandbox  # as the one that was used last
            return outcome
        raise NoSandbox("each is worn out before it is used")

    def _entered(self, words: "tuple[str, ...]") -> SandboxProcess:
        while len(self._open) >= MOST_OPEN:
            oldest = next(iter(self._open))
            self._open.pop(oldest).kill(Outcome())
        for _ in range(ATTEMPTS - 1):
            try:
                return SandboxProcess(words)
            except NoSandbox:
                time.sleep(0.1)
        return SandboxProcess(words)

    def close(self) -> None:
        """End them all."""
        for sandbox in self._open.values():
            sandbox.kill(Outcome())
        self._open.clear()


def why_not_started(problem: OSError) -> str:
    """Why the system does not start a program, in words."""
    import errno

    if problem.errno == errno.ENOEXEC:
        return "not a program: no #! line at its beginning, and no executable format"
    if problem.errno == errno.ENOENT:
        return "not found, or the interpreter that its #! line names is not there"
    return problem.strerror or str(problem)
