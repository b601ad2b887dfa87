"""The pool that grades on a cluster: it hands out chunks of cases instead of single ones.

What cannot be done there, because no worker survives it, is done here in the end, by the usual pool.
"""

import heapq
import pickle
import queue
import time

import click

from harness.cluster.address import Cluster
from harness.cluster.chunk import CaseFiles, CaseJob, Chunk, Done, Terms
from harness.cluster.connection import AHEAD, connected, new_key, workers_of
from harness.cluster.packing import TooLargeToSend, packed
from harness.cluster.remote import Unfit, as_it_is, run_chunk
from harness.errors import Unavailable
from harness.files import read_file
from harness.grading.schedule import LEAST, MANY, Grader, Standing
from harness.grading.store import key_of
from harness.grading.teams import Team
from harness.grading.terminal import Watching
from harness.judging.result import Result
from harness.judging.verdicts import NO_START, NOT_GRADED
from harness.report.words import safe
from harness.running.limits import interrupt_on_signals
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from distributed import Client, Future

    from harness.running.pool import Job, Summary

CHUNK_SECONDS = 3.0  # that a chunk should take,
LEAST_SECONDS = 0.5  # and at least, where there are more workers than work
FIRST_CASES = 8  # in the first chunk of a team, of which nothing is known
MOST_CASES = 1000  # in a chunk
OFTEN = 2.0  # seconds between two looks at which workers there are
NOBODY = 60.0  # seconds without any worker, after which it is given up
TICK = 0.1
GATHER = 5.0  # seconds for a result that is ready to come


class _Sent:
    """A chunk that has been sent: its jobs, and the workers that may do it, if not all may."""

    __slots__ = ("allowed", "future", "jobs", "standing")

    def __init__(
        self, future: "Future[Any]", standing: Standing, jobs: "list[Job]", allowed: "frozenset[str] | None"
    ) -> None:
        self.future = future
        self.standing = standing
        self.jobs = jobs
        self.allowed = allowed


class ClusterGrader(Grader):
    """The pool that grades on a cluster."""

    task = staticmethod(run_chunk)  # what is done there

    def __init__(self, cluster: Cluster, terms: Terms, refused: dict[str, str], *about: "Any") -> None:
        """refused: workers that cannot be used, and why."""
        super().__init__(*about)
        self._cluster = cluster
        self._terms = terms
        self._client: Client
        self._suites: Future[Any]  # the cases, with what is in their files
        self._archives: dict[int, tuple[Future[Any], str]] = {}  # by team, while it has something to do
        self._sent: dict[object, _Sent] = {}
        self._ready: queue.SimpleQueue[Future[Any]] = queue.SimpleQueue()
        self._there: frozenset[str] = frozenset()  # the workers that can be used
        self._refused = refused
        self._looked = self._seen = 0.0  # when it was last asked who is there, and when somebody was
        self._cost: dict[int, tuple[float, int]] = {}  # by team: seconds, for so many cases
        self._certain: dict[int, dict[str, int]] = {}  # by team and program: time-outs that are certain
        self._to_send = 0  # cases that have not been sent
        self._at_home: dict[int, list[int]] = {}  # by team: what is to be done here,
        self._why_at_home = ""  # and why
        self.tasks = 0
        self._ran = 0

    @property
    def given(self) -> int:
        """How many cases have been run so far, here or there."""
        return self._ran + super().given

    def run(self) -> "Summary":
        """Run everything, or up to an interruption."""
        interrupt_on_signals()
        try:
            with connected(self._cluster) as self._client:
                self._run_there()
        except KeyboardInterrupt:
            self.summary.interrupted = True
            return self.summary
        return self._run_the_rest()

    def _run_there(self) -> None:
        """Keep all workers busy until nothing is left that they can do."""
        self._suites = self._client.submit(
            as_it_is, dict(self._contents()), key=new_key("suites"), pure=False
        )
        self._waiting = [(one.urgency, one.number) for one in self._standings if one.todo]
        heapq.heapify(self._waiting)
        self._to_send = self.left
        self._seen = time.monotonic()
        try:
            while True:
                self._see_who_is_there()
                while len(self._sent) < AHEAD * len(self._there) and (standing := self._least()):
                    self._send(standing)
                if not self._sent and (self._there or not self._waiting):
                    return
                self._take_what_is_ready()
                self._tell()
        finally:
            self._sent.clear()
            self._archives.clear()
            del self._suites

    def _contents(self) -> "Iterable[tuple[int, CaseFiles]]":
        """All cases that somebody has to do, with what is in their files."""
        wanted = {at // one.ledger.repeat for one in self._standings for at in one.todo}
        for index in wanted:
            case = self._cases[index].case
            paths = (case.input, case.expected, case.arguments)
            contents = tuple(read_file(path) if path else b"" for path in paths)
            files = (case.name, *paths, case.problem)
            yield index, CaseFiles(files, contents)  # type: ignore[arg-type]

    # Workers

    def _see_who_is_there(self) -> None:
        """Ask the scheduler for its workers, now and then. Raises Unavailable if there are none for long."""
        now = time.monotonic()
        if now - self._looked < OFTEN:
            return
        self._looked = now
        try:
            known = workers_of(self._client)
        except (OSError, TimeoutError) as problem:
            raise _gone(self._cluster) from problem
        self._there = frozenset(known) - self._refused.keys()
        if known and not self._there:
            raise Unavailable(f"--cluster: no worker of {self._cluster} can be used, see above")
        if self._there:
            self._seen = now
        elif now - self._seen > NOBODY:
            raise Unavailable(
                f"--cluster: {self._cluster} has no workers any more; the same command continues"
            )
        for sent in [*self._sent.values()]:
            if sent.allowed is not None and not sent.allowed & self._there:
                del self._sent[sent.future.key]
                sent.future.cancel()
                self._put_back(sent.standing, sent.jobs)

    def _refuse(self, unfit: Unfit) -> None:
        if unfit.worker not in self._refused:
            self._refused[unfit.worker] = unfit.why
            click.echo(f"worker {safe(unfit.worker)} is not used: {safe(unfit.why)}", err=True)
            self._looked = 0.0

    # Chunks

    def _most_at_once(self, standing: Standing) -> int:
        return MANY if standing.is_known else 1

    def _size(self, standing: Standing) -> int:
        """How many cases the next chunk of a team should have, by what its cases have cost so far."""
        seconds, count = self._cost.get(standing.number, (0.0, 0))
        if not count:
            return FIRST_CASES
        each = max(LEAST, seconds / count)
        fair = -(-self._to_send // (AHEAD * max(1, len(self._there))))
        size = min(int(CHUNK_SECONDS / each), max(fair, int(LEAST_SECONDS / each)))
        if self._budget:
            size = min(size, int((self._budget - standing.spent) / each))
        return max(1, min(size, MOST_CASES))

    def _send(self, standing: Standing) -> None:
        """Send a chunk of a team's cases to whoever is free."""
        archive = self._archive(standing)
        if archive is None:
            return
        jobs = [self._next(standing)]
        size = self._size(standing)
        while len(jobs) < size and standing.todo and not self._has_to_wait(standing):
            jobs.append(self._next(standing))
        self._to_send -= len(jobs)
        seconds = CHUNK_SECONDS
        if self._budget:
            seconds = min(seconds, max(LEAST, self._budget - standing.spent))
        team = standing.team
        chunk = Chunk(
            self._terms,
            team.name,
            team.home,
            [self._sendable(job) for job in jobs],
            seconds,
            self._certain.get(standing.number, {}),
        )
        allowed = self._there if self._refused else None
        future = self._client.submit(
            self.task,
            *archive,
            pickle.dumps(chunk),  # in which Dask need not look for anything
            self._suites,
            key=new_key("cases"),
            pure=False,
            workers=sorted(allowed) if allowed else None,
        )
        self.tasks += 1
        self._sent[future.key] = _Sent(future, standing, jobs, allowed)
        future.add_done_callback(self._ready.put)
        if standing.todo:
            heapq.heappush(self._waiting, (standing.urgency, standing.number))

    def _sendable(self, job: "Job") -> CaseJob:
        index = job.tag % self._stride // self._standings[job.tag // self._stride].ledger.repeat
        reader = job.reader.message() if job.reader else None
        return CaseJob(
            job.tag, index, job.program, job.command, job.environment, job.exact, reader, job.stage
        )

    def _archive(self, standing: Standing) -> "tuple[Future[Any], str] | None":
        """The files of a team, as workers get them; None if they cannot be sent."""
        known = self._archives.get(standing.number)
        if known is None:
            try:
                known = self._archives[standing.number] = sent_archive(self._client, standing.team)
            except (TooLargeToSend, OSError):
                self._keep_here(standing, standing.todo, "files that are too large to be sent")
                del standing.todo[:]
        return known

    # Results

    def _take_what_is_ready(self) -> None:
        """Wait for a chunk to be done, and take it and all others that are."""
        wait = TICK
        while True:
            try:
                future = self._ready.get(timeout=wait)
            except queue.Empty:
                return
            wait = 0.0
            sent = self._sent.get(future.key)
            if sent is not None:
                self._take_chunk(future, sent)

    def _take_chunk(self, future: "Future[Any]", sent: _Sent) -> None:
        if future.status == "finished":
            try:
                answer = future.result(timeout=GATHER)
            except TimeoutError:  # who has it may be frozen, and is soon given up
                self._ready.put(future)
                return
            except Exception:  # it has got lost, and is done again
                answer = None
        elif future.status == "error":
            answer = future.exception()
        else:  # cancelled: the scheduler does not know it any more
            if self._client.status != "running":
                raise _gone(self._cluster)
            answer = None
        del self._sent[future.key]
        standing = sent.standing
        if isinstance(answer, Done):
            self._take_results(sent, answer)
        elif isinstance(answer, Exception):
            self._keep_here(standing, self._places(sent.jobs), f"workers that were lost ({_told(answer)})")
            standing.pending -= len(sent.jobs)
        else:
            if isinstance(answer, Unfit):
                self._refuse(answer)
            self._put_back(standing, sent.jobs)
        self._wake(standing)
        if not standing.todo and not standing.pending:
            self._archives.pop(standing.number, None)

    def _take_results(self, sent: _Sent, done: Done) -> None:
        """Keep what became of a chunk's cases; what it did not come to is for another one."""
        standing = sent.standing
        certain = self._certain.setdefault(standing.number, {})
        for program, count in done.confirmed.items():
            certain[program] = max(count, certain.get(program, 0))
        jobs = {job.tag: job for job in sent.jobs}
        spent, count = self._cost.get(standing.number, (0.0, 0))
        for tag, fields, seconds in done.results:
            job, result = jobs.pop(tag), Result._make(fields)
            spent, count = spent + seconds, count + 1
            self._ran += 1
            if result.verdict in (NOT_GRADED, NO_START):  # here it may be otherwise
                self._keep_here(
                    standing, self._places([job]), f"workers that could not run it ({result.detail})"
                )
                self._used(standing, seconds)
            else:
                self.job_ended(job, result, seconds)
        self._cost[standing.number] = spent, count
        if jobs:
            self._put_back(standing, list(jobs.values()))

    def _places(self, jobs: "list[Job]") -> list[int]:
        return [job.tag % self._stride for job in jobs]

    def _put_back(self, standing: Standing, jobs: "list[Job]") -> None:
        """Let cases be sent again that have been sent, and were not run."""
        is_out = not standing.todo and standing.number not in self._blocked
        standing.pending -= len(jobs)
        self._to_send += len(jobs)
        standing.todo.extend(self._places(jobs))
        self._sort(standing)
        if is_out:
            heapq.heappush(self._waiting, (standing.urgency, standing.number))
        self._wake(standing)

    def _keep_here(self, standing: Standing, places: "Iterable[int]", why: str) -> None:
        """Have cases run here in the end. The hidden cases of the team wait for them."""
        kept = self._at_home.setdefault(standing.number, [])
        kept.extend(places)
        standing.doubted = len(kept)
        self._why_at_home = self._why_at_home or f"{safe(standing.team.name)}: {safe(why)}"

    def _run_the_rest(self) -> "Summary":
        """Run what workers could not, here, one case at a time, so that nothing is in its way."""
        if not self._at_home:
            return self.summary
        count = sum(map(len, self._at_home.values()))
        many = f"{counted(count, 'case')} {'is' if count == 1 else 'are'}"
        click.echo(f"{many} run here, because of {self._why_at_home}", err=True)
        self._blocked.clear()
        for number, places in self._at_home.items():
            standing = self._standings[number]
            standing.doubted = 0
            standing.todo.extend(places)
            self._sort(standing)
        self._jobs, self._is_shared = 1, False
        return super().run()

    def _tell(self) -> None:
        """Say how far it is, where somebody looks."""
        if isinstance(self._listener, Watching):
            seconds = max(0.1, time.monotonic() - self.summary.started)
            many = f"{counted(len(self._there), 'worker')}, {counted(len(self._sent), 'task')}"
            self._listener.more = f", {many}, {self._ran / seconds:.0f} cases a second"
        self._listener.tick(self.summary)


def sent_archive(client: "Client", team: Team) -> "tuple[Future[Any], str]":
    """A team's files as workers get them, and the key under which they keep them. Raises TooLargeToSend."""
    future = client.submit(as_it_is, packed(team.home), key=new_key("team"), pure=False)
    return future, key_of(team.content, team.home)


def _told(problem: Exception) -> str:
    """What happened to a task, in a line."""
    from distributed.scheduler import KilledWorker

    if isinstance(problem, KilledWorker):
        return f"{problem.allowed_failures + 1} workers have died of it"
    return f"{type(problem).__name__}: {problem}".partition("\n")[0]


def _gone(cluster: Cluster) -> Unavailable:
    return Unavailable(
        f"--cluster: the scheduler of {cluster} does not answer any more; the same command continues"
    )
