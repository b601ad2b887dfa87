"""One program on one input: started, watched, bounded, and all of it gone at the end.

This runs in a worker process that has taken the limits upon itself and adopts orphans (see
`harness.running.limits`). It starts the program itself, or has it started by the process inside a sandbox
(`harness.running.sandbox_process`). What the outcome means for a case is for `harness.judging.judge` to say.
"""

import fcntl
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Callable

from harness.errors import MACHINE_FAULTS
from harness.judging.outcome import Outcome
from harness.judging.verdicts import CRASHED, MEMORY, NO_START, NOT_GRADED, TIMEOUT, TOO_MUCH
from harness.running.limits import SELDOM, Cgroup, Limits, children, files_in_memory, kill, memory_below
from harness.running.sandbox_process import SandboxProcess, Worn, why_not_started
from harness.running.warden import WRITABLE

LINUX = sys.platform == "linux"
MAXRSS = 1 if sys.platform == "darwin" else 1024  # bytes that a system counts the peak in
TICK = 0.05  # seconds between two looks at the memory that is used, where nobody else watches it
LONG_TICK = 0.5  # and where a control group does, which does not end all that a program has started
SHORT_TICK = 0.005  # and where the end of a process cannot be waited for
QUIET = 0.005  # seconds in which only the end of a program is waited for
BUSY = 0.5  # part of the time: who has computed for longer has not waited for others
KEPT_ERRORS = 1 << 16  # bytes of standard error that are kept
PIECE = 1 << 16
SOON = 0.005  # seconds that the killed may take before somebody seems to be alive
PATIENCE = 30.0  # seconds to wait for killed processes to be gone


class Orphaned(Exception):
    """The runner has gone away, and so must this worker."""


class Executor:
    """Starts programs one at a time. There is one in each worker."""

    def __init__(self, limits: Limits, cgroup: Cgroup, adopts: bool, runner: int) -> None:
        """`runner`: a descriptor that becomes readable or hangs up when the runner is gone."""
        self._limits = limits
        self._cgroup = cgroup
        self._adopts = adopts
        self._runner = runner
        self._out_of_memory = cgroup.out_of_memory()  # events so far
        self._forks_forbidden = False
        self._inside = 0  # the process that starts programs in the sandbox that is in use
        self.look: Callable[[], str] | None = None  # now and then: why what runs must end, or nothing

    def run(self, command: list[str], environment: dict[str, str], data: bytes) -> Outcome:
        """Run the command on the data in the current directory, to its end or to a limit."""
        outcome = Outcome()
        streams = _Streams(data)
        started = time.monotonic()
        try:
            pid = os.posix_spawn(
                command[0],
                command,
                environment,
                file_actions=[(os.POSIX_SPAWN_DUP2, given, at) for at, given in enumerate(streams.given)],
                setsid=True,
                setsigmask=(),
                setsigdef=DEFAULT_SIGNALS,
            )
        except OSError as problem:
            streams.close_kept()
            outcome.ended = NOT_GRADED if problem.errno in MACHINE_FAULTS else NO_START
            outcome.detail = why_not_started(problem)
            return outcome
        finally:
            streams.close_given()
        end = os.pidfd_open(pid) if LINUX else -1
        watch = _Watch(self, outcome, pid, end, streams, started)
        try:
            watch.until_the_end()
        finally:
            outcome.seconds = time.monotonic() - started
            self._clear(outcome, pid)
            watch.drain()
            if LINUX:
                os.close(end)
        self._classify(outcome)
        return outcome

    def run_inside(
        self, sandbox: SandboxProcess, command: list[str], environment: dict[str, str], data: bytes
    ) -> Outcome:
        """Run the command on the data in a sandbox, which is still good for others afterwards, or closed."""
        outcome = Outcome()
        streams = _Streams(data)
        started = time.monotonic()
        try:
            sandbox.ask(command, environment, streams.given)
        except Worn:
            streams.close_kept()
            raise
        finally:
            streams.close_given()
        watch = _Watch(self, outcome, sandbox.pid, sandbox.fileno(), streams, started)
        is_over = False
        self._inside = sandbox.pid
        try:
            watch.until_the_end()
            outcome.seconds = time.monotonic() - started
            is_over = outcome.ended is None and sandbox.report(outcome)
        finally:
            if not is_over:
                sandbox.kill(outcome)
            self._inside = 0
            watch.drain()
        self._classify(outcome)
        return outcome

    def _clear(self, outcome: Outcome, pid: int) -> None:
        """Kill whatever the program has started, reap it, and add up what it used."""
        if not self._adopts:
            _kill_group(pid)
            if outcome.exit is None:
                kill(pid)
                _account(outcome, pid, *os.wait4(pid, 0))
            return
        try:
            self._reap_all(outcome, pid)
        finally:
            if self._forks_forbidden:
                self._cgroup.allow_forks(True)
                self._forks_forbidden = False

    def _reap_all(self, outcome: Outcome, pid: int) -> None:
        """Reap until there is nothing left. Who loses its parents becomes a child of this process."""
        killed = 0.0
        while True:
            try:
                reaped, status, used = os.wait4(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if reaped:
                _account(outcome, pid, reaped, status, used)
                continue
            if not killed:
                killed = time.monotonic()
                _kill_group(pid)
            for child in children(os.getpid()):
                kill(child)
            waited = time.monotonic() - killed
            if waited > SOON and not self._forks_forbidden:
                self._cgroup.allow_forks(False)
                self._forks_forbidden = True
            if waited > PATIENCE:
                return
            time.sleep(0.0005)

    def _classify(self, outcome: Outcome) -> None:
        """Say what the end means, where it means something by itself."""
        if self._ran_out_of_memory(outcome):
            outcome.ended = MEMORY
        if outcome.ended == TIMEOUT:
            busy = outcome.cpu > BUSY * outcome.seconds
            outcome.detail = f"it {'computed' if busy else 'waited'}: {outcome.cpu:.2f} s of processor time"
        if outcome.ended is None and outcome.printed > self._limits.output:
            outcome.ended = TOO_MUCH
        elif outcome.ended is None and outcome.exit is not None:
            if outcome.exit == -signal.SIGXFSZ:
                outcome.ended, outcome.detail = TOO_MUCH, "a file grew beyond the limit"
            elif outcome.exit < 0:
                outcome.ended, outcome.detail = CRASHED, signal_name(-outcome.exit)

    def uses_too_much_memory(self) -> bool:
        """Whether what runs now is over the limit."""
        if self._cgroup.memory:
            return self._cgroup.out_of_memory() > self._out_of_memory
        if not self._inside:
            return memory_below(os.getpid()) > self._limits.memory
        used = memory_below(self._inside) + files_in_memory(self._inside, WRITABLE)
        return used > self._limits.memory

    def _ran_out_of_memory(self, outcome: Outcome) -> bool:
        """Whether the control group says so, or what the largest process used.

        A process begins as a copy of this one, so what this one uses says nothing about it.
        """
        before, self._out_of_memory = self._out_of_memory, self._cgroup.out_of_memory()
        if self._out_of_memory > before:
            return True
        if outcome.ended is not None or outcome.memory <= self._limits.memory:
            return False
        return outcome.memory > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * MAXRSS


class _Streams:
    """The standard streams of a program: the ends that it is given, and the ends that are read here."""

    __slots__ = ("err", "given", "out")

    def __init__(self, data: bytes) -> None:
        stdin = _in_memory(data)
        self.out, out = os.pipe()
        self.err, err = os.pipe()
        self.given = stdin, out, err

    def close_given(self) -> None:
        """Close the ends that the program has by now, or never will."""
        for descriptor in self.given:
            os.close(descriptor)

    def close_kept(self) -> None:
        """Close the ends that are read here, where there will be nothing to read."""
        os.close(self.out)
        os.close(self.err)


class _Watch:
    """The time between a program's start and its end.

    Most programs end soon and print little, so at first only the end is waited for, and what was printed
    is read then: everything else that happens would wake this process up for nothing. Who goes on, or
    has filled a pipe, is listened to after QUIET.
    """

    def __init__(
        self, executor: Executor, outcome: Outcome, pid: int, end: int, streams: _Streams, started: float
    ) -> None:
        """end: a descriptor that can be read when the program has ended."""
        self._executor = executor
        self._outcome = outcome
        self._started = started
        self._pid = pid
        self._end = end
        self._poll = select.poll()
        self._out, self._err = streams.out, streams.err
        self._kept = {self._out: bytearray(), self._err: bytearray()}
        self._open = [self._out, self._err]
        if LINUX:
            self._poll.register(self._end, select.POLLIN)
        self._poll.register(executor._runner, 0)  # only its end is of interest

    def until_the_end(self) -> None:
        """Read what the program prints until it ends or meets a limit."""
        executor, outcome = self._executor, self._outcome
        deadline = self._started + executor._limits.seconds
        if LINUX and self._has_ended(min(executor._limits.seconds, QUIET)):
            return
        for descriptor in self._open:
            self._poll.register(descriptor, select.POLLIN)
        tick = (LONG_TICK if executor._cgroup.memory else TICK) if LINUX else SHORT_TICK
        look = time.monotonic() + tick
        while outcome.ended is None:
            now = time.monotonic()
            if self._has_ended(max(0.0, min(deadline - now, tick))):
                return
            if outcome.printed > executor._limits.output:
                outcome.ended = TOO_MUCH
            elif now >= deadline:
                outcome.ended = TIMEOUT
            elif now >= look:
                if executor.uses_too_much_memory():
                    outcome.ended = MEMORY
                elif executor.look is not None and (why := executor.look()):
                    outcome.ended, outcome.detail = TOO_MUCH, why
                looked = time.monotonic()
                look = looked + max(tick, SELDOM * (looked - now))

    def _has_ended(self, wait: float) -> bool:
        """Read what there is to read, or wait for it; whether the program has ended."""
        for descriptor, event in self._poll.poll(wait * 1000 + 1):
            if descriptor == self._end:
                return True
            if descriptor == self._executor._runner:
                raise Orphaned
            if not self._read(descriptor, event):
                self._poll.unregister(descriptor)
        return not LINUX and _account(self._outcome, self._pid, *os.wait4(self._pid, os.WNOHANG))

    def _read(self, descriptor: int, event: int) -> bool:
        """Read what there is in a pipe of which this is known; whether more may come."""
        data = os.read(descriptor, PIECE) if event & select.POLLIN else b""
        if data:
            self._outcome.printed += len(data)
            kept = self._kept[descriptor]
            if descriptor == self._out or len(kept) < KEPT_ERRORS:
                kept += data
            if len(data) == PIECE or not event & select.POLLHUP:
                return True
        self._open.remove(descriptor)
        return False

    def drain(self) -> None:
        """Take what is still in the pipes, and close them. Who still holds one is not waited for."""
        poll = select.poll()
        for descriptor in self._open:
            poll.register(descriptor, select.POLLIN)
        while self._open and self._outcome.printed <= self._executor._limits.output:
            ready = poll.poll(0)
            if not ready:
                break
            for descriptor, event in ready:
                if not self._read(descriptor, event):
                    poll.unregister(descriptor)
        for descriptor in (self._out, self._err):
            os.close(descriptor)
        self._outcome.stdout = bytes(self._kept[self._out])
        self._outcome.stderr = bytes(self._kept[self._err][:KEPT_ERRORS])


DEFAULT_SIGNALS = [signal.SIGPIPE, signal.SIGINT, signal.SIGXFSZ]


def _in_memory(data: bytes) -> int:
    """A descriptor to read the data from, which says nothing of where they came from."""
    if LINUX:
        descriptor = os.memfd_create("input", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    else:
        import tempfile

        descriptor, name = tempfile.mkstemp()
        os.unlink(name)
    done = os.pwrite(descriptor, data, 0)
    while done < len(data):
        done += os.pwrite(descriptor, memoryview(data)[done:], done)
    if LINUX:  # it is only there to be read
        fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW)
    return descriptor


def _account(outcome: Outcome, main: int, pid: int, status: int, used: resource.struct_rusage) -> bool:
    """Add what a reaped process used, if one was reaped; whether it was the main one."""
    if pid:
        outcome.cpu += used.ru_utime + used.ru_stime
        outcome.memory = max(outcome.memory, used.ru_maxrss * MAXRSS)
    if pid == main:
        outcome.exit = os.waitstatus_to_exitcode(status)
    return pid == main


def _kill_group(pid: int) -> None:
    """Kill whoever is in the process group that was the program's; it need not be there any more."""
    try:
        os.killpg(pid, signal.SIGKILL)
    except OSError:
        pass


def signal_name(number: int) -> str:
    """What a signal is called."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
