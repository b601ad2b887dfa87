"""What workers of Dask's are asked to do: to say what they have, and to run some cases of a team."""

import os
import pickle
import subprocess
import sys
from functools import cache
from typing import NamedTuple

from harness.cluster.chunk import CaseFiles, Chunk, Done, Probe, Terms
from harness.cluster.cleaner import main_of, started_cleaner
from harness.cluster.packing import unpacked
from harness.grading.store import version_key
from harness.running.limits import cores
from harness.running.rungs import ENOUGH, RUNGS, why_not
from harness.running.scratch import remove_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from distributed import Scheduler, Worker

    from harness.running.probing import Probed

TIME_TO_LIVE = 20.0  # seconds without a word from a worker, after which its tasks are given to others
ALLOWED_FAILURES = 3  # workers that may die of a task before it is done at home
TEAMS, SCRATCH = "harness-teams", "harness-scratch"  # folders of a worker, removed when it has ended
ONE_THREAD = "it has {count} threads; start it with --nthreads 1"
NO_LIMIT = "Dask limits its memory, and would write to its disk; start it with --memory-limit 0"

_unfit: dict[Terms, str] = {}  # why this worker cannot do what has these terms; nothing if it can


class Unfit(NamedTuple):
    """That a worker cannot do a task, and why."""

    worker: str
    why: str


class TaskFailed(Exception):
    """The process that ran the cases of a task has failed; str() says how."""


def set_terms(dask_scheduler: "Scheduler") -> None:
    """Let a scheduler notice a frozen worker soon, and blame no task for one worker that has died."""
    from tornado.ioloop import PeriodicCallback

    scheduler = dask_scheduler
    scheduler.allowed_failures = max(ALLOWED_FAILURES, scheduler.allowed_failures)
    scheduler.worker_ttl = min(TIME_TO_LIVE, scheduler.worker_ttl or TIME_TO_LIVE)
    old = scheduler.periodic_callbacks.pop("worker-ttl", None)
    if old is not None:
        old.stop()
    looking = PeriodicCallback(scheduler.check_worker_ttl, scheduler.worker_ttl * 500)
    scheduler.periodic_callbacks["worker-ttl"] = looking
    looking.start()


def why_unfit_here(terms: Terms) -> str:
    """Why this worker cannot do what is done on these terms; nothing if it can."""
    from distributed import get_worker

    if terms not in _unfit:
        _unfit[terms] = _why_unfit(terms, get_worker())
    return _unfit[terms]


def _why_unfit(terms: Terms, worker: "Worker") -> str:
    if terms.harness != version_key():
        return f"it has version {version_key()} of the harness, not {terms.harness}"
    if worker.state.nthreads != 1:
        return ONE_THREAD.format(count=worker.state.nthreads)
    if worker.memory_manager.memory_limit:
        return NO_LIMIT
    if not terms.rung:
        return ""
    problem = why_not(terms.rung)
    if problem:
        return f"it has another sandbox: {terms.rung}: {problem}"
    told = RUNGS[terms.rung](ENOUGH).told
    return "" if told == terms.told else f"it has another sandbox: {told}"


def about(interpreters: "tuple[str, ...]") -> "dict[str, Any]":
    """What this worker has, in plain values."""
    from importlib.metadata import version
    from shutil import which

    from distributed import get_worker

    worker = get_worker()
    return {
        "host": os.uname().nodename,
        "threads": worker.state.nthreads,
        "cores": cores(),
        "harness": version_key(),
        "python": ".".join(map(str, sys.version_info[:3])),
        "dask": version("distributed"),
        "memory-limit": worker.memory_manager.memory_limit or None,
        "sandbox": {rung: why_not(rung) for rung in RUNGS},
        "told": {rung: RUNGS[rung](ENOUGH).told for rung in RUNGS if not why_not(rung)},
        "interpreters": {name: which(name) for name in interpreters},
    }


def as_it_is(value: "Any") -> "Any":
    """A task that hands on what it was given, so that workers get it from each other, and once."""
    return value


def run_chunk(archive: bytes, key: str, pickled: bytes, cases: "dict[int, CaseFiles]") -> "Done | Unfit":
    """Run some cases, as a Chunk says, of the team whose files are packed in an archive."""
    chunk: Chunk = pickle.loads(pickled)  # noqa: S301 (from the coordinator)
    done: Done | Unfit = _done(archive, key, chunk, [cases[job.case] for job in chunk.jobs])
    return done


def run_probe(archive: bytes, key: str, probe: Probe) -> "list[Probed] | Unfit":
    """Find out what programs of the team read whose files are packed in an archive."""
    done: list[Probed] | Unfit = _done(archive, key, probe, [])
    return done


class _Place(NamedTuple):
    """Where a worker keeps teams' files, and what is temporary.

    held: a descriptor for all who use them; both are removed when these have ended.
    """

    teams: str
    scratch: str
    held: int
    cleaner: "subprocess.Popen[bytes]"


@cache
def _place_in(folder: str) -> _Place:
    """The place in a folder of a worker's, which is made once."""
    teams, scratch = os.path.join(folder, TEAMS), os.path.join(folder, SCRATCH)
    return _Place(teams, scratch, *started_cleaner(teams, scratch))


def _done(archive: bytes, key: str, asked: "Chunk | Probe", cases: "list[CaseFiles]") -> "Any":
    """What a process answers that is started for it. Raises TaskFailed."""
    from distributed import get_worker

    worker = get_worker()
    why = why_unfit_here(asked.terms)
    if why:
        return Unfit(worker.address, why)
    place = _place_in(worker.local_directory)
    there = unpacked(archive, key, place.teams, bool(asked.terms.rung))
    os.makedirs(place.scratch, exist_ok=True)
    process = subprocess.Popen(
        main_of("chunk", str(os.getpid()), str(place.held)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=place.scratch,
        env={**os.environ, "TMPDIR": place.scratch},
        pass_fds=[place.held],
    )
    answer, said = process.communicate(pickle.dumps((asked, cases, there)))
    if process.returncode:
        remove_folder(place.scratch)
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        raise TaskFailed(f"status {process.returncode}{last and f': {last}'}")
    return pickle.loads(answer)  # noqa: S301 (from our own process)
