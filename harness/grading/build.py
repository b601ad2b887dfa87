"""What happens to a team before its cases: its build, and the look at its own tests.

A build runs once, in a copy of the team's folder that can be written until it ends. Both are jobs for a
pool of workers like any case, with its limits, and both are remembered by what they depend on.
"""

import os
import time
from typing import NamedTuple

from harness.errors import MACHINE_FAULTS, UserError
from harness.fixtures.cases import Case
from harness.fixtures.naming import Names
from harness.grading.config import Build
from harness.grading.store import Store, key_of, version_key
from harness.grading.teams import Team
from harness.judging.outcome import Outcome
from harness.judging.result import BadResult, Result
from harness.judging.verdicts import CRASHED, NOT_GRADED, PASS, TIMEOUT, TOO_MUCH
from harness.running.content import TooLarge, copy_folder, see_that_it_is_small
from harness.running.limits import Limits
from harness.running.pool import Job, Pool
from harness.running.results import KEPT_ERRORS, KEPT_OUTPUT
from harness.running.scratch import remove_folder
from harness.running.worker import Settings, Task, Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from harness.grading.config import OwnTests
    from harness.running.pool import Listener
    from harness.running.sandbox import Place, Sandbox

MOST_TESTS = 64 << 20  # bytes of a team's tests
MOST_BUILT = 4 << 30  # bytes in a team's folder while it is built, and afterwards
MOST_BUILT_FILES = 200_000
SELDOM = 10  # times as long as a look at these takes, before the next one
NOTHING = Case("compile", os.devnull, os.devnull, "")
TESTS_SECONDS = 120.0


class JobList(Pool):
    """A pool for jobs that are no cases, and of which the results are all that is wanted."""

    def __init__(self, jobs: list[Job], settings: Settings, workers: int, listener: "Listener") -> None:
        super().__init__(settings, workers, listener)
        self._list = jobs
        self.results: dict[int, tuple[Result, Any]] = {}

    def jobs_to_run(self) -> "Iterator[Job]":
        """The jobs, one after the other."""
        return iter(self._list)

    def job_ended(self, job: Job, result: Result, attached: "Any") -> None:
        """Keep the result, and what came with it, under the job's tag."""
        self.results[job.tag] = (result, attached)


class _Size:
    """What a build has written so far, which is looked at now and then."""

    def __init__(self, folders: list[str]) -> None:
        self._folders = folders
        self._next = 0.0

    def look(self) -> str:
        """Why a build that goes on has to end, if it is time to look."""
        begun = time.monotonic()
        if begun < self._next:
            return ""
        why = self.why_not()
        now = time.monotonic()
        self._next = now + SELDOM * (now - begun)
        return why

    def why_not(self) -> str:
        """Why what is there is too much; nothing if it is not."""
        try:
            for folder in filter(os.path.isdir, self._folders):
                see_that_it_is_small(folder, MOST_BUILT, MOST_BUILT_FILES)
        except TooLarge as problem:
            return str(problem)
        return ""


class _Builder(Worker):
    """A worker whose commands run in their home, which they may write to."""

    def result(self, message: "Any") -> "Any":
        """What became of a build."""
        number, _, program, command, _, environment, home, *_ = message
        network, *words = command
        task = Task(NOTHING, program, os.path.join(home, words[0]), "", environment, home)
        sandbox = self._settings.sandbox
        place = sandbox.building(home, bool(network)) if sandbox is not None else None
        size = _Size([home, *(sandbox.on_disk if sandbox is not None else [self._scratch])])
        self._executor.look = size.look
        outcome = self._at_home(task, words) if place is None else self._shut_in(place, task, words)
        if outcome.ended is None and (why := size.why_not()):
            outcome.ended, outcome.detail = TOO_MUCH, why
        if sandbox is not None and outcome.ended is None:
            sandbox.built(home)
        return number, tuple(_result(outcome)), None

    def _shut_in(self, place: "Place", task: Task, words: list[str]) -> Outcome:
        """Build in a sandbox, of which nothing else is run."""
        try:
            return self.run_in(place, task, ["/bin/sh", "-c", 'exec "$@"', "sh", *words], b"")
        finally:
            self._sandboxes.close()

    def _at_home(self, task: Task, words: list[str]) -> Outcome:
        """Build without a sandbox, and with a scratch folder all the same."""
        return self._in_scratch(task, ["/bin/sh", "-c", 'cd "$0" && exec "$@"', task.home, *words], b"")


def _result(outcome: Outcome) -> Result:
    return Result(
        "compile",
        "compile",
        outcome.ended or (PASS if outcome.exit == 0 else CRASHED),
        exit=outcome.exit,
        seconds=round(outcome.seconds, 6),
        cpu=round(outcome.cpu, 6),
        detail=outcome.detail if outcome.ended else "" if outcome.exit == 0 else f"status {outcome.exit}",
        stdout=outcome.stdout[-KEPT_OUTPUT:].decode(errors="backslashreplace"),
        stderr=outcome.stderr[-KEPT_ERRORS * 4 :].decode(errors="backslashreplace"),
    )


def build_all(
    teams: list[Team],
    store: Store,
    sandbox: "Sandbox | None",
    isolation: str,
    limits: Limits,
    workers: int,
    listener: "Listener",
    chosen: "set[str] | None",
    regrade: bool,
) -> "tuple[dict[str, Result], int, bool]":
    """Build what needs building and has not been built.

    Only those that are chosen are built, or all if that is None. The results by team, how many builds were
    started, and whether they were interrupted. Every team knows its home afterwards, or its problem.
    """
    results: dict[str, Result] = {}
    waiting: dict[tuple[float, bool], list[Team]] = {}
    for team in teams:
        words = team.build_command()
        if not words or team.problem or team.fault:
            continue
        key = build_key(team, words, isolation)
        team.home = os.path.join(store.folder, "builds", key)
        is_chosen = chosen is None or team.name in chosen
        known = None if regrade and is_chosen else _known_build(store, key)
        if known is not None and (known.verdict != PASS or os.path.isdir(team.home)):
            results[team.name] = known
        elif not is_chosen:
            team.ready = False
        else:
            waiting.setdefault((team.build.timeout, team.build.network), []).append(team)
    started, interrupted = 0, False
    for (seconds, network), some in waiting.items():
        limited = Limits(seconds, limits.memory, limits.output)
        found, interrupted = _build(some, store, sandbox, limited, network, workers, listener)
        started += len(some)
        results |= found
        if interrupted:
            break
    for team in teams:
        result = results.get(team.name)
        if result is not None and result.verdict != PASS:
            late = f"it did not end within {team.build.timeout:g} s" if result.verdict == TIMEOUT else ""
            team.problem = f"the build failed: {late or result.detail or result.verdict}"
    return results, started, interrupted


def _known_build(store: Store, key: str) -> "Result | None":
    """What became of a build before."""
    try:
        return Result.from_json(store.note("builds", key))
    except BadResult:
        return None


def build_key(team: Team, words: list[str], isolation: str) -> str:
    """What the outcome of a build depends on."""
    build: Build = team.build
    return key_of(
        version_key(),
        team.slug,  # who has handed in the same is built, too
        team.content,
        words,
        build.environment,
        team.spec.environment,
        build.network,
        build.timeout,
        isolation,
    )


def _build(
    teams: list[Team],
    store: Store,
    sandbox: "Sandbox | None",
    limits: Limits,
    network: bool,
    workers: int,
    listener: "Listener",
) -> "tuple[dict[str, Result], bool]":
    results: dict[str, Result] = {}
    jobs = []
    for tag, team in enumerate(teams):
        try:
            remove_folder(team.home)
            copy_folder(team.brought, team.home, writable=True)
        except (UserError, OSError) as problem:
            is_ours = isinstance(problem, OSError) and problem.errno in MACHINE_FAULTS
            verdict = NOT_GRADED if is_ours else CRASHED
            results[team.name] = Result(
                "compile", "compile", verdict, detail=f"it cannot be copied: {problem}"
            )
            continue
        words = ["1" if network else "", *team.build_command()]
        environment = {**(team.environment() or {}), **team.build.environment}
        jobs.append(Job(NOTHING, "compile", words, "", team.name, environment, team.home, tag))
    pool = JobList(jobs, Settings(limits, sandbox), min(workers, max(1, len(jobs))), listener)
    pool.kind = _Builder
    pool.run()
    for tag, team in enumerate(teams):
        built, _ = pool.results.get(tag, (None, None))
        result = built or results.get(team.name)
        if result is None:
            continue  # it was interrupted
        if result.verdict == NOT_GRADED:
            team.fault, team.ready = f"its build: {result.detail}", False
            results.pop(team.name, None)
            continue
        results[team.name] = result
        if result.verdict == PASS:
            make_read_only(team.home)
        else:
            remove_folder(team.home)
        store.write_note("builds", os.path.basename(team.home), result.to_json())
    return results, pool.summary.interrupted


def make_read_only(folder: str) -> None:
    """Take away the right to write from everything in a folder, and from itself."""
    for at, _, files in os.walk(folder, topdown=False):
        for path in (*(os.path.join(at, name) for name in files), at):
            try:
                if not os.path.islink(path):
                    os.chmod(path, os.stat(path).st_mode & 0o555)  # and no set-id bits
                if os.getuid() == 0:  # it was built by somebody whom there is no longer
                    os.lchown(path, 0, 0)
            except OSError:
                continue


# Their own tests


class TestsScore(NamedTuple):
    """What a team's own tests are worth. Without misreadings (of: 0) they could not be looked at."""

    caught: int = 0  # misreadings, of so many
    of: int = 0
    right: int = 0  # cases that the rules confirm
    wrong: "Sequence[tuple[str, Sequence[str]]]" = ()  # cases that do not count, and why
    redundant: int = 0  # of the right ones


class _Scorer(Worker):
    """A worker that says what folders of cases are worth."""

    def result(self, message: "Any") -> "Any":
        """The score of a folder."""
        from harness.authoring.scoring import score
        from harness.misreadings import LIBRARY

        number, _, _, (folder, *patterns), *_ = message
        found = score(folder, names=Names(patterns))
        scored = TestsScore(
            len(LIBRARY) - len(found.survivors),
            len(LIBRARY),
            len(found.right),
            [(os.path.relpath(name, folder), why) for name, why in found.wrong + found.broken],
            len(found.redundant),
        )
        return number, tuple(Result(folder, "own tests", PASS)), tuple(scored)


def score_tests(
    teams: list[Team], own: "OwnTests", store: Store, workers: int, listener: "Listener", regrade: bool
) -> "dict[str, TestsScore]":
    """What each team's own tests catch, by team; of who has none, nothing."""
    scores: dict[str, TestsScore] = {}
    jobs: list[Job] = []
    keys: dict[int, tuple[Team, str]] = {}
    namings = Names(own.names).namings
    for tag, team in enumerate(teams):
        folders = [name for name in own.folders if os.path.isdir(os.path.join(team.brought, name))]
        if not folders:
            continue
        key = key_of(version_key(), team.content, folders, [naming.pattern for naming in namings])
        known = None if regrade else store.note("own-tests", key)
        if known is not None:
            scores[team.name] = TestsScore(
                **{name: known[name] for name in TestsScore._fields if name in known}
            )
            continue
        keys[tag] = (team, key)
        copy = os.path.join(store.folder, "own-tests", f"{key}.cases")
        jobs.append(Job(NOTHING, "own tests", [copy, *own.names], "", team.name, tag=tag))
        _copy_tests(team, folders, copy)
    if jobs:
        pool = JobList(jobs, Settings(Limits(TESTS_SECONDS)), min(workers, len(jobs)), listener)
        pool.kind = _Scorer
        pool.run()
        for tag, (team, key) in keys.items():
            if tag in pool.results:
                result, attached = pool.results[tag]
                if result.verdict == NOT_GRADED:
                    team.fault, team.ready = f"its own tests: {result.detail}", False
                    continue
                scores[team.name] = TestsScore(*attached or ())
                store.write_note("own-tests", key, scores[team.name]._asdict())
        for _, key in keys.values():
            remove_folder(os.path.join(store.folder, "own-tests", f"{key}.cases"))
    return scores


def _copy_tests(team: Team, folders: list[str], copy: str) -> None:
    """Copy a team's tests, but no links: they could lead to somebody else's."""
    remove_folder(copy)
    os.makedirs(copy)
    for name in folders:
        source = os.path.join(team.brought, name)
        if os.path.realpath(source) != source:
            continue  # a link may lead to somebody else's
        try:
            copy_folder(source, os.path.join(copy, name), MOST_TESTS, links=False, writable=True)
        except (UserError, OSError):
            continue  # what is too large to be looked at catches nothing
