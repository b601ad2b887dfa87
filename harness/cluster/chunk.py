"""The process that runs some cases of one team on a worker, and ends.

It is started by a task on a worker of Dask's, is sent what to run, and sends back what became of it. Dask's
own process has threads and must not fork; this one may, and runs the cases by a pool like any other run.
"""

import os
import pickle
import signal
import sys
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from harness import INTERRUPTED
from harness.fixtures.cases import Case
from harness.judging.result import Result
from harness.running.limits import Limits, interrupt_on_signals
from harness.running.pool import Job, Pool, Summary
from harness.running.probing import Probed, probe_program
from harness.running.rungs import RUNGS
from harness.running.sandbox import Sandbox
from harness.running.view import View
from harness.running.worker import Settings, Worker, reader_of

PR_SET_PDEATHSIG = 1


class Terms(NamedTuple):
    """What is the same for all chunks of a run: who does it, and how programs are shut in.

    told: how they are, in words. hide: what no program sees, if a worker has it at all.
    """

    harness: str
    rung: str
    told: str
    seconds: float
    memory: int
    output: int
    show: tuple[str, ...]
    hide: tuple[str, ...]


class CaseFiles(NamedTuple):
    """A case, and what is in its files."""

    files: tuple[str, str, str, str, str]
    contents: tuple[bytes, bytes, bytes]


class CaseJob(NamedTuple):
    """A case that is to be run: its number among all cases, and how. tag: what the result is known by."""

    tag: int
    case: int
    program: str
    command: list[str]
    environment: "dict[str, str] | None"
    exact: "bool | None"
    reader: "tuple[Any, ...] | None"
    stage: int


class Chunk(NamedTuple):
    """Some cases of one team.

    home: the folder that its programs believe to be run from, which is where they were built. seconds: when
    to stop; what has not begun then is for another chunk. confirmed: how many time-outs of each program are
    certain.
    """

    terms: Terms
    team: str
    home: str
    jobs: list[CaseJob]
    seconds: float
    confirmed: dict[str, int]


class Probe(NamedTuple):
    """Programs of a team of which it is to be found out what they read: names, commands, environment."""

    terms: Terms
    home: str
    programs: list[tuple[str, list[str]]]
    environment: "dict[str, str] | None"


class Done(NamedTuple):
    """What became of a chunk: by tag the results, each with the seconds that the team is billed for."""

    results: "list[tuple[int, tuple[Any, ...], float]]"
    confirmed: dict[str, int]


class MovedSandbox(Sandbox):
    """A sandbox in which a team's folder appears where it is on the coordinator, wherever it is here."""

    home = ""
    there = ""

    def view(self, command: "Sequence[str]", home: str = "") -> "View":
        """What a command sees."""
        view = super().view([word.replace(self.home, self.there) for word in command], self.there)
        view.appears = self.home
        return view


class _Given(Worker):
    """A worker for cases that were sent, and are in no file."""

    contents: "dict[str, bytes]" = {}  # noqa: RUF012 (set before the fork)

    def read(self, path: str) -> bytes:
        """What is in a file of a case."""
        return self.contents[path]


class _Silent:
    """A listener that tells nobody."""

    def ended(self, result: Result, summary: "Summary") -> None:
        """A case has ended."""

    def missing(self, program: str, why: str) -> None:
        """A program cannot be started."""

    def tick(self, summary: "Summary") -> None:
        """Time has passed."""


class _Cases(Pool):
    """The pool for one chunk. It has one worker; a time-out is doubted, since others may run beside it."""

    kind = _Given

    def __init__(
        self, jobs: list[Job], settings: Settings, seconds: float, confirmed: "dict[tuple[str, str], int]"
    ) -> None:
        super().__init__(settings, 1, _Silent())
        self._is_shared = True
        self._confirmed = confirmed
        self._list = jobs
        self._seconds = seconds
        self._pending = 0
        self._spent = self._last = 0.0
        self._doubted: dict[int, float] = {}  # by tag: what the first try has taken
        self.results: list[tuple[int, tuple[Any, ...], float]] = []

    def jobs_to_run(self) -> "Iterator[Job | None]":
        """The cases, as long as there is time for more; the first one shows what they take."""
        for job in self._list:
            while self._pending and (not self._spent or self._is_late(self._pending)):
                yield None
            if self._spent and self._is_late(0):
                return
            self._pending += 1
            yield job

    def _is_late(self, pending: int) -> bool:
        return self._spent + pending * self._last >= self._seconds

    def _used(self, seconds: float) -> None:
        self._pending -= 1
        self._last = max(seconds, 1e-6)
        self._spent += self._last

    def job_ended(self, job: Job, result: Result, attached: "Any") -> None:
        """Keep a result, with all the time that it took."""
        seconds = attached if isinstance(attached, float) else result.seconds or 0.0
        if job.tag in self._doubted:
            self.results.append((job.tag, tuple(result), self._doubted[job.tag]))
            return
        self._used(seconds)
        self.results.append((job.tag, tuple(result), seconds))

    def job_doubted(self, job: Job, result: Result) -> None:
        """Count the time of a case that has timed out, whatever will become of it."""
        self._doubted[job.tag] = result.seconds or 0.0
        self._used(result.seconds or 0.0)

    @property
    def confirmed(self) -> dict[str, int]:
        """How many time-outs of each program are certain."""
        return {program: count for (_, program), count in self._confirmed.items()}


def sandbox_of(terms: Terms, home: str, there: str) -> "tuple[Sandbox | None, str]":
    """How programs of a team are shut in here, and the folder that they are run from.

    Bubblewrap shows them the folder that they were built in. Without it they are where they are.
    """
    if not terms.rung:
        return None, there
    if terms.rung != Sandbox.rung:
        return RUNGS[terms.rung](terms.memory, terms.show, [*terms.hide, os.path.dirname(there)]), there
    sandbox = MovedSandbox(terms.memory, terms.show, [*terms.hide, os.path.dirname(there)])
    sandbox.home, sandbox.there = home, there
    return sandbox, home


def run_cases(chunk: Chunk, cases: "list[CaseFiles]", there: str) -> Done:
    """Run the cases of a chunk, by a pool. there: where the files of the team lie here."""
    terms = chunk.terms
    sandbox, home = sandbox_of(terms, chunk.home, there)
    settings = Settings(Limits(terms.seconds, terms.memory, terms.output), sandbox, twins=True)
    jobs = []
    for job, case in zip(chunk.jobs, cases, strict=True):
        _Given.contents.update(zip(case.files[1:4], case.contents, strict=True))
        command = [word.replace(chunk.home, home) for word in job.command]
        environment = _placed(job.environment, chunk.home, home)
        jobs.append(
            Job(
                Case(*case.files),
                job.program,
                command,
                "",
                chunk.team,
                environment,
                home,
                job.tag,
                job.exact,
                reader_of(job.reader),
                job.stage,
            )
        )
    confirmed = {(chunk.team, program): count for program, count in chunk.confirmed.items()}
    pool = _Cases(jobs, settings, chunk.seconds, confirmed)
    if pool.run().interrupted:
        raise KeyboardInterrupt
    results = [(tag, _moved(fields, there, chunk.home), seconds) for tag, fields, seconds in pool.results]
    return Done(results, pool.confirmed)


def run_probes(probe: Probe, there: str) -> list[Probed]:
    """Find out what programs of a team read. there: where its files lie here."""
    terms = probe.terms
    sandbox, home = sandbox_of(terms, probe.home, there)
    limits = Limits(terms.seconds, terms.memory, terms.output)
    environment = _placed(probe.environment, probe.home, home)
    return [
        probe_program(
            program, [word.replace(probe.home, home) for word in words], limits, sandbox, environment, home, 1
        )
        for program, words in probe.programs
    ]


def _placed(environment: "dict[str, str] | None", old: str, new: str) -> "dict[str, str] | None":
    return {name: value.replace(old, new) for name, value in (environment or {}).items()} or None


def _moved(value: "Any", there: str, home: str) -> "Any":
    """A value in which every text that says where a team's files are here says where they are at home."""
    if isinstance(value, str):
        return value.replace(there, home)
    if isinstance(value, (tuple, list)):
        return type(value)(_moved(part, there, home) for part in value)
    if isinstance(value, dict):
        return {key: _moved(part, there, home) for key, part in value.items()}
    return value


def main() -> None:
    """Do what is asked on standard input, and say on standard output what became of it."""
    _end_with(int(sys.argv[1]))
    os.set_inheritable(int(sys.argv[2]), False)  # held as long as this process is there, and by no program
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else is said there
    status = 0
    try:
        asked, cases, there = pickle.load(sys.stdin.buffer)  # noqa: S301 (from our own task)
        is_chunk = isinstance(asked, Chunk)
        pickle.dump(run_cases(asked, cases, there) if is_chunk else run_probes(asked, there), answers)
        answers.close()
    except KeyboardInterrupt:
        status = INTERRUPTED
    os._exit(status)


def _end_with(parent: int) -> None:
    """Be asked to end when the process that started this one has ended, however that was."""
    import ctypes

    interrupt_on_signals()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(INTERRUPTED)
