"""Many cases on several workers at once: handed out, collected, recorded as they end.

The runner itself executes nothing and reads no case: it walks the folders, keeps every worker
busy, writes the journal, and tells a listener what has happened. Whatever a program under test
does, it does to a worker; a worker that dies is replaced, and costs the case it was at.
"""

import heapq
import os
import select
import signal
import time

from harness import OUR_FAULT
from harness.errors import HarnessError, Unavailable
from harness.fixtures.arguments import arguments_of
from harness.fixtures.cases import (
    NO_PROGRAM,
    Case,
    NoSuchPathError,
    Programs,
    case_at,
    find_cases,
    meant_by,
)
from harness.fixtures.naming import USUAL, Names
from harness.judging.constant import Answers, constant
from harness.judging.judge import Judgement
from harness.judging.result import Result
from harness.judging.verdicts import (
    CRASHED,
    FINE,
    MEMORY,
    MUTE,
    NOT_GRADED,
    NOT_SHOWN,
    PASS,
    SILENT,
    TIMEOUT,
    VERDICTS,
    WITHHELD,
)
from harness.running.deserving import NO_TWIN
from harness.running.executor import signal_name
from harness.running.last_run import MOST_FAILED, MOST_SLOW, SLOW, LastRun
from harness.running.limits import (
    Crowd,
    adopt_orphans,
    end_children,
    interrupt_on_signals,
    kill,
    remove_stale_cgroups,
)
from harness.running.results import reproduce, result_of
from harness.running.scratch import make_folder, remove_folder
from harness.running.task_queue import IDLE, WAITING, TaskQueue
from harness.running.worker import Settings, Worker
from harness.running.worker_process import WorkerProcess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, Protocol

    from harness.fixtures.dialect import Dialect
    from harness.running.journal import Journal
    from harness.running.reader import Reader

    class Listener(Protocol):
        """Whoever wants to know how a run goes."""

        def ended(self, result: Result, summary: "Summary") -> None:
            """A case has ended for good."""

        def missing(self, program: str, why: str) -> None:
            """A program cannot be started; said once, before its first case."""

        def tick(self, summary: "Summary") -> None:
            """Time has passed."""


NAP = 0.004  # seconds without a look at results while enough waits: each look costs the programs time
SHORT_NAP = 0.001  # the same if what has ended is to be written down
CONFIRMED = 3  # time-outs of a program after which no more of its cases are run a second time
TICK = 0.1
MOST_FAULTS = 8


class Summary:
    """The counts of a run: over all, by folder, and what is worth remembering."""

    def __init__(self) -> None:
        self.counts = dict.fromkeys(VERDICTS, 0)
        self.folders: dict[str, dict[str, int]] = {}
        self.failed: list[str] = []
        self.silent: dict[str, int] = {}  # how many cases a program said nothing to, but should have
        self.asked: dict[str, int] = {}  # of how many
        self.withheld: dict[str, int] = {}  # how many cases were not asked, by the forms that are not read
        self.without_twin: list[str] = []  # cases that have passed, for which no twin could be made
        self.constant: dict[str, str] = {}  # programs that always give the same answer, and which
        self.slowest: list[tuple[float, str]] = []
        self.started = time.monotonic()
        self.interrupted = False

    @property
    def total(self) -> int:
        """All cases that have ended."""
        return sum(self.counts.values())

    @property
    def passed(self) -> bool:
        """Whether everything that has ended has passed, or is known not to; and something was asked."""
        return self.failures == 0 and not self.nothing_asked and not self.counts[NOT_SHOWN]

    @property
    def nothing_asked(self) -> bool:
        """Whether all cases were withheld."""
        return bool(self.total) and self.total == self.counts[WITHHELD]

    @property
    def failures(self) -> int:
        """The cases that fail a run."""
        return self.total - self.counts[NOT_SHOWN] - sum(self.counts[verdict] for verdict in FINE)

    @property
    def mute(self) -> list[str]:
        """The programs that have hardly ever answered."""
        return [name for name, silent in self.silent.items() if silent > MUTE * self.asked[name]]

    def add(self, result: Result) -> None:
        """Count a case."""
        verdict = result.verdict
        self.counts[verdict] += 1
        program = result.program
        if verdict == WITHHELD:
            for reason in result.detail.split(", "):
                self.withheld[reason] = self.withheld.get(reason, 0) + 1
        else:
            self.asked[program] = self.asked.get(program, 0) + 1
        if verdict in SILENT:
            self.silent[program] = self.silent.get(program, 0) + 1
        folder = os.path.dirname(result.case)
        in_folder = self.folders.get(folder)
        if in_folder is None:
            in_folder = self.folders[folder] = {}
        in_folder[verdict] = in_folder.get(verdict, 0) + 1
        if verdict == PASS and result.detail == NO_TWIN:
            self.without_twin.append(result.case)
        if verdict not in FINE and len(self.failed) < MOST_FAILED:
            self.failed.append(result.case)
        seconds = result.seconds or 0.0
        if len(self.slowest) < MOST_SLOW:
            heapq.heappush(self.slowest, (seconds, result.case))
        elif seconds > self.slowest[0][0]:
            heapq.heapreplace(self.slowest, (seconds, result.case))


class Job:
    """One case for one program: what is handed out to a worker.

    command: the executable and the first of its arguments, those that are not the case's. problem: why
    it cannot be started. owner: whose program it is, where there are several people's. environment:
    what it finds in its environment besides the usual. home: the folder that it belongs to, if that is
    not simply the one that it is in. tag: whatever who made the job wants to know when it has ended.
    exact: how answers are compared, if not like those of all others. reader: who gets inputs in its own
    dialect; None if they are sent as they are. stage: jobs of different ones never share a sandbox.
    """

    __slots__ = (
        "case",
        "command",
        "environment",
        "exact",
        "home",
        "owner",
        "problem",
        "program",
        "reader",
        "stage",
        "tag",
    )

    def __init__(
        self,
        case: Case,
        program: str,
        command: list[str],
        problem: str = "",
        owner: str = "",
        environment: "dict[str, str] | None" = None,
        home: str = "",
        tag: int = 0,
        exact: "bool | None" = None,
        reader: "Reader | None" = None,
        stage: int = 0,
    ) -> None:
        self.case = case
        self.program = program
        self.command = command
        self.stage = stage
        self.exact = exact
        self.problem = problem
        self.owner = owner
        self.environment = environment
        self.home = home
        self.tag = tag
        self.reader = reader

    @property
    def blamed(self) -> tuple[str, str]:
        """Whose time-outs are counted together."""
        return self.owner, self.program

    def message(self) -> "tuple[Any, ...]":
        """The job as it is sent to a worker."""
        case = self.case
        files = (case.name, case.input, case.expected, case.arguments, case.problem)
        reader = self.reader.message() if self.reader else None
        about = (self.problem, self.environment, self.home, self.exact, reader, self.stage)
        return files, self.program, self.command, *about


class _PoolWorker(WorkerProcess):
    """One worker of several that share a queue."""

    def __init__(
        self, settings: Settings, number: int, kind: type[Worker], folder: str, queue: TaskQueue
    ) -> None:
        self.place = queue.place(number)
        super().__init__(settings, str(number), kind, folder, self.place)
        self.seen = IDLE  # the task that it was at when it was last looked at
        self.out_of_memory = 0  # events that have been blamed on a case

    def poke_if_busy(self) -> None:
        """See that it goes on if it is overdue with the task that it is at."""
        at = self.place.at
        if at != self.seen:
            self.seen, self.since = at, time.monotonic()
        elif at != IDLE:
            self.poke()


class Pool:
    """Several workers that are kept busy with jobs until there are no more.

    Which jobs there are, and what becomes of a result, is for a kind of pool to say: it has
    `jobs_to_run` and `job_ended`.
    """

    kind: "type[Worker]" = Worker

    def __init__(self, settings: Settings, jobs: int, listener: "Listener") -> None:
        self.summary = Summary()
        self._settings = settings
        self._jobs = jobs
        self._is_shared = jobs > 1  # whether others run beside a case, and may be in its way
        self._listener = listener
        self._workers: list[_PoolWorker] = []
        self._nap = NAP
        self._queue: TaskQueue
        self._number = 0
        self._given: dict[int, Job] = {}  # what has been put into the queue and has not ended
        self._may_be_lost = False  # whether somebody died who may have had one of these
        self._again: list[tuple[Job, Result, Any]] = []  # what is to be run once more, alone
        self._confirmed: dict[tuple[str, str], int] = {}
        self._crowd: Crowd | None = None  # of processes, where one program can take them from others
        self._faults = 0  # of workers that were at no task
        self._poll = select.poll()
        self._by_descriptor: dict[int, _PoolWorker] = {}
        self._stop = False

    @property
    def given(self) -> int:
        """How many jobs have been given to workers so far."""
        return self._number

    def jobs_to_run(self) -> "Iterator[Job | None]":
        """What is to be run, in the order in which it is handed out; each is asked for when it can be.

        None means that there is nothing to be run before something that runs, or is to run again, has ended.
        """
        raise NotImplementedError

    def job_ended(self, job: Job, result: Result, attached: "Any") -> None:
        """A job has ended for good; attached is what its worker sent with the result, if anything."""
        raise NotImplementedError

    def job_doubted(self, job: Job, result: Result) -> None:
        """A job has failed, which may not be its fault, and will be run once more, alone."""

    def all_ended(self) -> None:
        """All jobs have ended for good, and not because the run was stopped."""

    def run(self) -> Summary:
        """Run everything, or up to an interruption, and clean up."""
        adopt_orphans()
        remove_stale_cgroups()
        interrupt_on_signals()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # or children could not be waited for
        scratch = make_folder()
        try:
            self._queue = TaskQueue(self._jobs, scratch)
            self._fork_workers(scratch)
            self._hand_out()
            self._run_again()
            if not self._stop:
                self.all_ended()
        except KeyboardInterrupt:
            self.summary.interrupted = True
        finally:
            impatient = signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._end_workers()
            remove_folder(scratch)
            signal.signal(signal.SIGINT, impatient)
        return self.summary

    # --- workers -------------------------------------------------------------------------------

    def _fork_workers(self, scratch: str) -> None:
        for number in range(self._jobs):
            worker = _PoolWorker(self._settings, number, self.kind, scratch, self._queue)
            self._workers.append(worker)
            self._start(worker)
        sandbox = self._settings.sandbox
        is_shared = os.getuid() != 0 and (sandbox is None or sandbox.shares_processes)
        if self._jobs > 1 and is_shared and not any(worker.cgroup.processes for worker in self._workers):
            self._crowd = Crowd()

    def _start(self, worker: _PoolWorker) -> None:
        try:
            worker.start()
        except Unavailable:
            if not any(other.pid for other in self._workers):
                raise
            return  # the others do its work
        self._poll.register(worker.fileno(), select.POLLIN)
        self._by_descriptor[worker.fileno()] = worker

    def _give(self, job: Job) -> None:
        """Put a job into the queue, for whoever is free."""
        self._number += 1
        number = self._number
        while not self._stop and not self._queue.put(number, job.message()):
            self._collect()
        self._given[number] = job

    def _hand_out(self) -> None:
        """Keep all workers busy until there are no more cases, and wait for the last results."""
        jobs = self.jobs_to_run()
        while not self._stop:
            if len(self._given) >= self._jobs * WAITING:
                self._collect()
                continue
            job = next(jobs, self)
            if job is self:
                break
            if isinstance(job, Job):
                self._give(job)
            elif self._given or not self._again:
                self._collect()
            else:  # what is to be run once more is waited for, and now it is alone
                self._run_again()
        self._wait_for_all()

    def _wait_for_all(self, alone: bool = False) -> None:
        while not self._stop and self._given:
            self._collect(alone)

    def _collect(self, alone: bool = False) -> None:
        """Wait for results, and take them."""
        if self._nap and len(self._given) >= self._jobs * WAITING // 2:
            time.sleep(self._nap)
        ready = self._poll.poll(TICK * 1000)
        if not ready:
            self._give_again_what_was_lost()
        for descriptor, _ in ready:
            worker = self._by_descriptor[descriptor]
            messages = worker.receive()
            if messages is None:
                self._bury(worker, alone)
                continue
            for number, fields, attached in messages:
                result = Result._make(fields)
                if result.verdict == MEMORY:
                    worker.out_of_memory = worker.cgroup.out_of_memory()
                job = self._given.pop(number, None)
                if job is not None:
                    self._take(job, result, attached, alone)
        self._poke_the_overdue()
        self._listener.tick(self.summary)

    def _give_again_what_was_lost(self) -> None:
        """Give jobs once more if a dead worker has taken one along without a word.

        It has if there are jobs, but nobody is at one.
        """
        if self._may_be_lost and not any(worker.place.at for worker in self._workers):
            self._may_be_lost = False
            lost, self._given = self._given, {}
            for job in lost.values():
                self._give(job)

    def _poke_the_overdue(self) -> None:
        """See that a worker goes on which a program has stopped; it must not stop the run."""
        for worker in self._workers:
            worker.poke_if_busy()

    def _take(self, job: Job, result: Result, attached: "Any", alone: bool) -> None:
        if not alone and self._is_doubtful(job, result):
            self._again.append((job, result, attached))
            self.job_doubted(job, result)
            return
        if result.verdict == TIMEOUT:
            self._confirmed[job.blamed] = self._confirmed.get(job.blamed, 0) + 1
        self._end(job, result, attached)

    def _is_doubtful(self, job: Job, result: Result) -> bool:
        """Whether a failure may be the fault of the machine, of ours, or of what ran beside it."""
        if result.verdict == TIMEOUT:
            busy = (result.cpu or 0.0) > 0.5 * self._settings.limits.seconds
            return self._is_shared and not busy and self._confirmed.get(job.blamed, 0) < CONFIRMED
        if result.verdict == NOT_GRADED:
            return True
        return self._crowd is not None and result.verdict not in FINE and self._crowd.is_there()

    def _run_again(self) -> None:
        """Run once more, alone, what others, the machine or we may be to blame for."""
        again, self._again = self._again, []
        for job, result, attached in again:
            if self._stop:
                return
            if result.verdict == TIMEOUT and self._confirmed.get(job.blamed, 0) >= CONFIRMED:
                self._end(job, result, attached)
                continue
            self._give(job)
            self._wait_for_all(alone=True)

    def _end(self, job: Job, result: Result, attached: "Any" = None) -> None:
        if not self._stop:
            self.job_ended(job, result, attached)

    def _bury(self, worker: _PoolWorker, alone: bool) -> None:
        """A worker has died: blame the case it was at, and put another worker in its place."""
        status = self._forget(worker)
        if status == OUR_FAULT:
            self._settings.tells_faults = False  # whoever follows would most often say the same again
            self._faults += worker.place.at == IDLE
            if self._faults > MOST_FAULTS:  # no worker even begins
                raise HarnessError("workers fail by themselves, see above; this is a fault of the harness")
        self._end_what_it_left(worker)
        self._may_be_lost |= worker.place.at == IDLE
        job = self._given.pop(worker.place.at, None)
        if job is not None:
            events, worker.out_of_memory = worker.out_of_memory, worker.cgroup.out_of_memory()
            how = signal_name(-status) if status < 0 else f"status {status}"
            judgement = Judgement(CRASHED, f"it brought down the worker that ran it ({how})")
            if worker.out_of_memory > events:
                judgement.verdict = MEMORY
            elif status == OUR_FAULT or self._settings.sandbox or not (alone or worker.given_up):
                # No program reaches a worker from its sandbox; without one, who does it twice has done it.
                judgement = Judgement(NOT_GRADED, f"the worker that ran it was lost ({how})")
            result = result_of(job.case, job.program, job.command, judgement, None)
            self._take(job, result, None, alone)
        worker.place.at = IDLE
        self._start(worker)

    def _forget(self, worker: _PoolWorker) -> int:
        """Close the pipe from a worker that has ended or will at once; its exit status."""
        if self._by_descriptor.pop(worker.fileno(), None):  # or an interrupt came while it was started
            self._poll.unregister(worker.fileno())
        return worker.bury()

    def _end_what_it_left(self, worker: _PoolWorker) -> None:
        worker.cgroup.allow_forks(False)
        end_children(spared={other.pid for other in self._workers})
        worker.cgroup.allow_forks(True)

    def _end_workers(self) -> None:
        """End the workers, at once if they have something to do, and whatever they have started."""
        if self._workers:
            self._queue.close()
        living = [worker for worker in self._workers if worker.pid]
        for worker in living if self._given else ():
            worker.cgroup.allow_forks(False)
            kill(worker.pid)
        for worker in living:
            self._forget(worker)
        end_children()
        for worker in self._workers:
            worker.cgroup.remove()

    def isolation(self) -> dict[str, bool]:
        """What is in force: a sandbox, and control groups for memory and processes."""
        return {
            "sandbox": self._settings.sandbox is not None,
            "memory": all(worker.cgroup.memory for worker in self._workers),
            "processes": all(worker.cgroup.processes for worker in self._workers),
        }


class _Held:
    """The passes of a program that has not yet given two different answers."""

    def __init__(self) -> None:
        self.answers = Answers()
        self._waiting: list[tuple[Job, Result]] = []

    def add_earlier(self, result: Result) -> None:
        """Take note of what an earlier run has recorded."""
        self.answers.add(result)

    def released(self, job: Job, result: Result) -> "Iterator[Result]":
        """What can be told now that this case has ended."""
        self.answers.add(result)
        if result.verdict == PASS and not self.answers.differ:
            self._waiting.append((job, result))
            return
        if self.answers.differ and self._waiting:
            yield from (one for _, one in self._waiting)
            self._waiting.clear()
        yield result

    def rest(self) -> "Iterator[Result]":
        """What has waited up to the end."""
        for job, result in self._waiting:
            if self.answers.constant:
                again = reproduce(job.case, [*job.command, *arguments_of(job.case)])
                yield constant(result, self.answers.sentence, again)
            else:
                yield result


class Runner(Pool):
    """One run of programs on folders of cases."""

    def __init__(
        self,
        paths: list[str],
        programs: Programs,
        settings: Settings,
        jobs: int,
        listener: "Listener",
        journal: "Journal | None" = None,
        wanted: "Callable[[Case], bool]" = lambda case: True,
        fail_fast: bool = False,
        mark: "Callable[[Result], Result]" = lambda result: result,
        dialects: "Mapping[str, Dialect] | None" = None,
        is_whole: bool = False,
        names: Names = USUAL,
    ) -> None:
        """`mark` may change the verdict of a case that has ended, before anybody hears of it.

        Programs that have a dialect get their inputs in it.
        is_whole: all cases of each program are run, and who always gives the same answer gets nothing for it.
        """
        super().__init__(settings, jobs, listener)
        self._paths = paths
        self._programs = programs
        self._journal = journal
        self._nap = NAP if journal is None else SHORT_NAP
        self._wanted = wanted
        self._fail_fast = fail_fast
        self._mark = mark
        self._dialects = dialects or {}
        self._held: dict[str, _Held] | None = {} if is_whole else None
        self._names = names
        self._problems: dict[str, str] = {}

    def add_earlier(self, result: Result) -> None:
        """Count a case that an earlier, interrupted run has recorded."""
        if self._held is not None:
            self._held.setdefault(result.program, _Held()).add_earlier(result)
        self.summary.add(result)
        self._listener.ended(result, self.summary)

    def jobs_to_run(self) -> "Iterator[Job]":
        """All cases that are wanted, each with its program."""
        for case in self._cases():
            if self._wanted(case):
                program = self._programs.name_for(case)
                command = self._programs.command_of(program) if program else [""]
                yield Job(case, program, command, self._problem(program), reader=self._reader(case, program))

    def _reader(self, case: Case, program: str) -> "Reader | None":
        """Who gets the input in its own dialect; None if it is sent as it is."""
        meant = meant_by(case, program) if self._dialects else ""
        dialect = self._dialects.get(meant)
        if dialect is None:
            return None
        from harness.running.reader import Reader

        return Reader(meant, dialect)

    def _cases(self) -> "Iterator[Case]":
        """All cases: first what failed or was slow the last time, then the others."""
        last_run = LastRun()
        early: set[str] = set()
        for name in dict.fromkeys([*last_run.failed, *last_run.slow]):
            if self._is_below(name):
                try:
                    case = case_at(name, self._names)
                except NoSuchPathError:
                    continue
                early.add(name)
                yield case
        for case in find_cases(self._paths, self._names):
            if case.name not in early:
                yield case

    def _is_below(self, name: str) -> bool:
        return any(name.startswith(os.path.join(path, "")) for path in self._paths)

    def _problem(self, program: str) -> str:
        """Why the program cannot be started; said to the listener when it is first found out."""
        if not program:
            return NO_PROGRAM
        problem = self._problems.get(program)
        if problem is None:
            problem = self._problems[program] = self._programs.why_not(program)
            if problem:
                self._listener.missing(program, problem)
        return problem

    def job_ended(self, job: Job, result: Result, attached: "Any") -> None:
        """Write down a case that has ended, and tell about it.

        The passes of a program wait until it has given two different answers.
        """
        if self._held is None:
            self._record(result)
            return
        for waiting in self._held.setdefault(job.program, _Held()).released(job, result):
            self._record(waiting)

    def all_ended(self) -> None:
        """Tell what has waited: as failures if the program has given all cases the same answer."""
        for program, held in (self._held or {}).items():
            if held.answers.constant:
                self.summary.constant[program] = held.answers.sentence
            for result in held.rest():
                self._record(result)

    def _record(self, result: Result) -> None:
        result = self._mark(result)
        if self._journal is not None and result.verdict != NOT_GRADED:  # so that --resume runs it
            self._journal.write(result)
        self.summary.add(result)
        self._listener.ended(result, self.summary)
        if self._fail_fast and result.verdict not in FINE:
            self._stop = True

    def remember(self) -> None:
        """Leave word for the next run."""
        slow = [name for seconds, name in sorted(self.summary.slowest, reverse=True) if seconds > SLOW]
        LastRun.write(self.summary.failed, slow)
