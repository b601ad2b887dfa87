"""One case at a time, from within a process that is somebody else's: a test session, for example.

The case runs in a worker, as in a run, under the same limits and in the same sandbox. Unlike a run,
this leaves the process that it is called from as it is: its signals, and children of its own.
"""

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from harness.fixtures.cases import NO_PROGRAM, Case, Programs
from harness.fixtures.known_failures import KnownFailures
from harness.judging.judge import Judgement
from harness.judging.result import Result
from harness.judging.verdicts import CRASHED
from harness.programs.answering import ALL
from harness.running.limits import Limits
from harness.running.pool import Job
from harness.running.results import result_of
from harness.running.target import sandbox_for
from harness.running.worker import Settings
from harness.running.worker_process import WorkerProcess
from harness.shipped import own_programs


class OneCaseRunner:
    """Runs a case when it is asked to, with the programs of a folder."""

    def __init__(self, folder: str, seconds: float, sandbox: str, hidden: "Sequence[str]") -> None:
        """`sandbox` is auto, on, strict or off; in it, the folders in `hidden` cannot be seen."""
        own = os.path.realpath(folder) == os.path.realpath(own_programs())
        stream = own and sandbox in ("auto", "off")
        limits = Limits(seconds)
        shut_in = sandbox_for("off" if stream else sandbox, limits.memory, cases=hidden)
        self._programs = Programs(folder, ALL)
        self._known = KnownFailures()
        self._worker = WorkerProcess(Settings(limits, shut_in, stream=stream), "one-case")
        with _forking():
            self._worker.start()

    def result(self, case: Case) -> "Result":
        """What becomes of the case, what is known of it considered."""
        program = self._programs.name_for(case)
        command = self._programs.command_of(program) if program else [""]
        job = Job(case, program, command, self._programs.why_not(program) if program else NO_PROGRAM)
        self._worker.send((0, *job.message()))
        answer = self._worker.take()
        if answer is not None:
            return self._known.mark(Result._make(answer[1]))
        with _forking():
            status = self._worker.restart()
        judgement = Judgement(CRASHED, f"it brought down the worker that ran it (status {status})")
        return self._known.mark(result_of(case, program, job.command, judgement, None))

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self._worker.close()


@contextmanager
def _forking() -> "Iterator[None]":
    """Without the warning to a process with threads that forks: it uses no locks afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        yield
