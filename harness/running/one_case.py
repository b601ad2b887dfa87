"""One case at a time, from within a process that is somebody else's: a test session, for example.

The case runs in a worker, as in a run, under the same limits and in the same sandbox. Unlike a run,
this leaves the process that it is called from as it is: its signals, and children of its own.
"""

import os
import select
import signal
import tempfile
import time
import warnings

from harness.fixtures.cases import Case, Programs
from harness.fixtures.known_failures import KnownFailures
from harness.judging.judge import Judgement
from harness.judging.result import Result
from harness.judging.verdicts import CRASHED
from harness.programs.answering import ALL
from harness.running.limits import Cgroup, Limits
from harness.running.pool import LOST, OVERDUE, Job
from harness.running.results import result_of
from harness.running.target import sandbox_for
from harness.running.worker import Settings, remove_folder, send, start_worker
from harness.shipped import own_programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class SingleCases:
    """Runs a case when it is asked to, with the programs of a folder."""

    def __init__(self, folder: str, seconds: float, sandbox: str, hidden: "Sequence[str]") -> None:
        """`sandbox` is auto, on, strict or off; in it, the folders in `hidden` cannot be seen."""
        own = os.path.realpath(folder) == os.path.realpath(own_programs())
        stream = own and sandbox in ("auto", "off")
        limits = Limits(seconds)
        shut_in = sandbox_for("off" if stream else sandbox, hidden, limits.memory)
        self._programs = Programs(folder, ALL)
        self._settings = Settings(limits, shut_in, stream=stream)
        self._known = KnownFailures()
        self._scratch = tempfile.mkdtemp(prefix="harness-")
        self._cgroup = Cgroup(f"harness-{os.getpid()}-single", limits)
        self._start()

    def _start(self) -> None:
        with warnings.catch_warnings():
            # That a process with threads is forked is worth a warning where locks are used afterwards.
            warnings.simplefilter("ignore", DeprecationWarning)
            self._pid, self._tasks, self._results = start_worker(
                self._settings, self._cgroup, os.path.join(self._scratch, "0")
            )

    def result(self, case: Case) -> "Result":
        """What becomes of the case, what is known of it considered."""
        program = self._programs.name_for(case)
        path = self._programs.path_of(program) if program else ""
        why_not = "no folder above it is named like a program, so which one it is for is not known"
        job = Job(case, program, [path], self._programs.why_not(program) if program else why_not)
        try:
            send(self._tasks, (0, *job.message()))
        except BrokenPipeError:
            pass  # its end is noticed where results are read
        result = self._result()
        if result is None:
            status = self._bury()
            self._start()
            judgement = Judgement(CRASHED, f"it took the worker that ran it along (status {status})")
            result = result_of(case, program, job.command, judgement, None)
        return self._known.mark(result)

    def _result(self) -> "Result | None":
        """The result that the worker sends; None if it has died."""
        poll = select.poll()
        poll.register(self._results.descriptor, select.POLLIN)
        started = time.monotonic()
        while True:
            if poll.poll(1000):
                messages = self._results.receive()
                if messages is None:
                    return None
                for _, fields, _ in messages:
                    return Result._make(fields)
            late = time.monotonic() - started - self._settings.limits.seconds
            if late > OVERDUE:  # a program may have stopped it, and must not stop us
                os.kill(self._pid, signal.SIGKILL if late > LOST else signal.SIGCONT)

    def _bury(self) -> int:
        for descriptor in (self._tasks, self._results.descriptor):
            os.close(descriptor)
        _, status = os.waitpid(self._pid, 0)
        return os.waitstatus_to_exitcode(status)

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self._bury()
        self._cgroup.remove()
        remove_folder(self._scratch)
