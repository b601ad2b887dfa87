"""One run of grading: the cases of all teams on one pool of workers, in fair order.

Whose programs have used the least time is next, so that a team whose programs hang is waited for by nobody
but itself. What is already in the store is not run.
"""

import heapq
from array import array

from harness.fixtures.arguments import arguments_of
from harness.grading.constants import Constants
from harness.grading.ledger import Ledger
from harness.grading.store import Store, key_of, version_key
from harness.grading.suites import GradedCase
from harness.grading.teams import Team
from harness.grading.trials import TrialFailed, line_to_repeat
from harness.judging.constant import constant
from harness.judging.judge import Judgement
from harness.judging.result import Result
from harness.judging.verdicts import GIVES_POINTS, NO_START, NOT_GRADED, PASS, TIMEOUT, VERDICTS
from harness.running.deserving import NO_TWIN
from harness.running.journal import as_recorded
from harness.running.limits import Limits
from harness.running.pool import Job, Pool
from harness.running.results import reproduce, reproduce_twin, result_of
from harness.running.worker import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from harness.grading.trials import Trials
    from harness.running.pool import Listener

LEAST = 0.001  # seconds that a case is taken to need while nothing is known
TURN = 1.0  # seconds of a team's programs before it is another's turn
BRISK = 0.25  # seconds; whose cases take less may have many of them handed out
MANY = 1 << 30
JUDGED = "with twins"  # how: what was judged otherwise, in earlier versions, is not taken over


class Standing:
    """How far a team is: what is known of it, what is left, and what it has used."""

    __slots__ = (
        "at_hidden",
        "constant",
        "doubted",
        "is_known",
        "key",
        "last",
        "ledger",
        "not_graded",
        "number",
        "pending",
        "program_keys",
        "spent",
        "team",
        "todo",
        "trials",
    )

    def __init__(self, number: int, team: Team, key: str, ledger: Ledger) -> None:
        self.number = number
        self.team = team
        self.key = key
        self.ledger = ledger
        self.program_keys: dict[str, str] = {}
        self.todo = array("I")  # case * repeat + attempt, the next one last
        self.trials = array("I")  # of the same form: scenarios of servers and clients
        self.spent = 0.0
        self.pending = 0
        self.doubted = 0  # cases that are to be run once more, alone
        self.at_hidden = False  # whether hidden cases have been handed out
        self.last = LEAST
        self.is_known = False  # whether it has shown how much time it needs
        self.not_graded: list[tuple[GradedCase, str]] = []  # cases at which the machine or we failed, and how
        self.constant: dict[str, str] = {}  # programs that always gave the same answer, and which

    @property
    def urgency(self) -> float:
        """The time it has used, and that it is taken to use for what is running."""
        return self.spent + self.pending * self.last

    @property
    def given_up(self) -> list[int]:
        """What is left, when all has ended: its time was not enough for that."""
        return [*self.todo, *self.trials]

    def key_of(self, case: GradedCase, attempt: int) -> str:
        """Under what a result of this team is kept."""
        program = self.program_keys.get(case.program)
        if program is None:
            words, _ = self.team.program(case.program)
            told = [word.replace(self.team.home, "{team}") for word in words]
            program = key_of(told, self.team.spec.environment, self.team.dialects.get(case.program))[:8]
            self.program_keys[case.program] = program
        return f"{case.key}{program}" if not attempt else f"{case.key}{program}{attempt}"


def state_key(team: Team, limits: Limits, isolation: str) -> str:
    """What all results of a team depend on: its files, its build, the limits, the isolation, the harness."""
    build = [team.build_command(), team.build.environment, team.build.network]
    limited = (limits.seconds, limits.memory, limits.output, isolation)
    return key_of(version_key(), team.content, build, *limited, JUDGED)


class Grader(Pool):
    """The pool that grades."""

    def __init__(
        self,
        standings: list[Standing],
        cases: list[GradedCase],
        store: Store,
        settings: Settings,
        workers: int,
        listener: "Listener",
        budget: float,
    ) -> None:
        super().__init__(settings, workers, listener)
        self._standings = standings
        self._cases = cases
        self._constants = Constants(cases)
        self.without_twin: set[int] = set()  # cases that were passed, and for which no twin could be made
        self._store = store
        self._budget = budget
        self._waiting: list[tuple[float, int]] = []  # a heap: urgency and number of who may go on
        self._blocked: set[int] = set()  # who has to wait for what runs
        self._followers: list[tuple[Standing, Standing]] = []  # who has handed in the same as whom
        self._stride = len(cases) * max((one.ledger.repeat for one in standings), default=1)

    def look_up(self, chosen: "set[str]", regrade: bool) -> None:
        """Take over what the store knows, and what needs no program; the rest is to do by who is chosen.

        Teams that have handed in the same are graded once.
        """
        leaders: dict[str, Standing] = {}
        for standing in sorted(self._standings, key=lambda one: one.team.name not in chosen):
            if standing.team.problem or not standing.team.ready:
                continue
            leader = leaders.setdefault(f"{standing.key} {standing.team.dialects}", standing)
            if leader is not standing:
                self._followers.append((standing, leader))
                continue
            is_chosen = standing.team.name in chosen
            if is_chosen and regrade:
                self._store.forget(standing.key)
            self._find_out(standing)
            if not is_chosen and not standing.ledger.complete:
                self._make_do(standing)

    def _find_out(self, standing: Standing) -> None:
        """Take over what is known of a team; the rest is to do."""
        self._take_over(standing)
        self._find_missing(standing)
        ledger = standing.ledger
        unknown = [at for at in range(len(ledger.codes)) if not ledger.knows(*divmod(at, ledger.repeat))]
        standing.todo, standing.trials = (
            array("I", (at for at in unknown if bool(self._case_at(standing, at).tested) is are_scenarios))
            for are_scenarios in (False, True)
        )
        self._sort(standing)
        standing.spent = ledger.spent

    def _sort(self, standing: Standing) -> None:
        """Put what a team has to do in order: the next one is last; hidden cases come after all others."""
        in_order = sorted(standing.todo, key=lambda at: (not self._case_at(standing, at).hidden, -at))
        standing.todo = array("I", in_order)

    def _make_do(self, standing: Standing) -> None:
        """Of a team that is not run, take what is known: one repetition, or what its time was enough for."""
        if standing.ledger.repeat > 1:
            standing.ledger = Ledger(len(self._cases), 1)
            self._find_out(standing)
        if not (self._budget and standing.spent >= self._budget):
            standing.todo, standing.trials = array("I"), array("I")

    def _take_over(self, standing: Standing) -> None:
        ledger = standing.ledger
        places: dict[str, list[tuple[int, int]]] = {}
        for index, case in enumerate(self._cases):
            for attempt in range(ledger.repeat):
                places.setdefault(standing.key_of(case, attempt), []).append((index, attempt))
        for key, result in self._store.results(standing.key):
            for index, attempt in places.get(key, ()):
                self._note(standing, index, attempt, result)

    def _find_missing(self, standing: Standing) -> None:
        """Write down what fails because there is no program to start; that is not kept: it may come."""
        for index, case in enumerate(self._cases):
            if standing.team.program(case.program)[1]:
                for attempt in range(standing.ledger.repeat):
                    standing.ledger.set(index, attempt, NO_START, 0.0)

    @property
    def left(self) -> int:
        """How many cases are to do."""
        return sum(len(standing.given_up) for standing in self._standings)

    @property
    def cases_left(self) -> bool:
        """Whether there are cases among it, and not only scenarios of servers and clients."""
        return any(standing.todo for standing in self._standings)

    def run_trials(self, trials: "Trials") -> int:
        """Test the servers and clients, one after the other; how many programs were started."""
        starts = 0
        for standing in self._standings:
            while standing.trials and not (self._budget and standing.spent >= self._budget):
                starts += self._run_trial(standing, trials)
        return starts

    def _run_trial(self, standing: Standing, trials: "Trials") -> int:
        """Do the next test of a team as a whole, even if some of it is known, since games follow from games.

        How many programs were started.
        """
        repeat, starts = standing.ledger.repeat, 0
        index, attempt = divmod(standing.trials[0], repeat)
        case = self._cases[index]
        assert case.tested is not None
        places = [at for at, one in enumerate(self._cases) if one.suite == case.suite]
        left = {self._cases[at].name: at for at in places}
        try:
            for name, result, is_start in trials.run(standing.team, case.tested, case.program):
                self._keep(standing, left.pop(name), attempt, result)
                standing.spent += (result.seconds or 0.0) * is_start
                starts += is_start
            problem = "the test ended early"
        except TrialFailed as failed:
            problem = str(failed)
        for at in left.values():
            told = Result(self._cases[at].case.name, case.program, NOT_GRADED, detail=problem)
            self._keep(standing, at, attempt, told)
        done = {at * repeat + attempt for at in places}
        standing.trials = array("I", (at for at in standing.trials if at not in done))
        return starts

    def jobs_to_run(self) -> "Iterator[Job | None]":
        """The next cases of whoever has used the least time, for a while: a change of teams costs a sandbox.

        Of a team whose programs are slow, or not known yet, only a few are handed out at once: they would
        be in the way of others, and its time may be over before they begin.
        """
        self._waiting = [(one.urgency, one.number) for one in self._standings if one.todo]
        heapq.heapify(self._waiting)
        while self._waiting or self._blocked:
            standing = self._least()
            if standing is None:
                yield None
                continue
            begun = standing.urgency
            while True:
                yield self._next(standing)
                if not standing.todo or standing.urgency - begun >= TURN or not self._may_go_on(standing):
                    break
            if standing.todo:
                heapq.heappush(self._waiting, (standing.urgency, standing.number))

    def _may_go_on(self, standing: Standing) -> bool:
        """Whether one more case of a team can be handed out."""
        may_be_one_more = standing.pending < self._most_at_once(standing)
        return not self._is_over(standing) and may_be_one_more and not self._has_to_wait(standing)

    def _least(self) -> "Standing | None":
        """Who has used the least time, of those who may go on now; None if all have to wait."""
        while self._waiting:
            urgency, number = heapq.heappop(self._waiting)
            standing = self._standings[number]
            if not standing.todo:
                continue
            if standing.urgency > urgency:  # it has used more since
                heapq.heappush(self._waiting, (standing.urgency, number))
            elif self._is_over(standing):
                if standing.pending:
                    self._blocked.add(number)
            elif standing.pending >= self._most_at_once(standing) or self._has_to_wait(standing):
                self._blocked.add(number)
            else:
                return standing
        return None

    def _is_over(self, standing: Standing) -> bool:
        """Whether a team's budget is used up, or will be when what runs has ended."""
        last = standing.last if standing.is_known else self._settings.limits.seconds
        return bool(self._budget) and standing.spent + standing.pending * last >= self._budget

    def _most_at_once(self, standing: Standing) -> int:
        if not standing.is_known:
            return 1
        return MANY if standing.last < BRISK else self._jobs

    def _used(self, standing: Standing, seconds: float) -> None:
        """A case of a team has taken this time; if the team had to wait for that, it may go on."""
        standing.pending -= 1
        standing.is_known = True
        standing.last = max(LEAST, seconds)
        standing.spent += seconds
        self._wake(standing)

    def _wake(self, standing: Standing) -> None:
        """Look at a team again that had to wait."""
        if standing.number in self._blocked:
            self._blocked.discard(standing.number)
            heapq.heappush(self._waiting, (standing.urgency, standing.number))

    def _next(self, standing: Standing) -> Job:
        at = standing.todo.pop()
        standing.pending += 1
        case = self._case_at(standing, at)
        standing.at_hidden |= case.hidden
        tag = standing.number * self._stride + at
        return standing.team.job(case.case, case.program, tag, case.exact, stage=int(case.hidden))

    def _case_at(self, standing: Standing, at: int) -> GradedCase:
        return self._cases[at // standing.ledger.repeat]

    def _has_to_wait(self, standing: Standing) -> bool:
        """Whether the next case is the first hidden one, and others have not ended for good."""
        case = self._case_at(standing, standing.todo[-1])
        return case.hidden and not standing.at_hidden and bool(standing.pending or standing.doubted)

    def job_ended(self, job: Job, result: "Result", attached: object) -> None:
        """Keep a result. The team is billed for what its worker did, so for judging as well."""
        number, at = divmod(job.tag, self._stride)
        standing = self._standings[number]
        if standing.pending:
            self._used(standing, attached if isinstance(attached, float) else result.seconds or 0.0)
        else:  # it was doubted, and has been counted; nothing else runs
            standing.doubted -= 1
            self._wake(standing)
        self._keep(standing, *divmod(at, standing.ledger.repeat), result)

    def _keep(self, standing: Standing, index: int, attempt: int, result: "Result") -> None:
        """Keep the result of a case."""
        if result.verdict == NOT_GRADED:  # the team is not known, and gets no mark
            standing.not_graded.append((self._cases[index], result.detail))
        else:
            self._store.add(standing.key, standing.key_of(self._cases[index], attempt), result)
            self._note(standing, index, attempt, result)
        self.summary.add(result)
        self._listener.ended(result, self.summary)  # who may ask what is known by now

    def _note(self, standing: Standing, index: int, attempt: int, result: "Result") -> None:
        standing.ledger.set(index, attempt, result.verdict, result.seconds or 0.0)
        if result.verdict == PASS and result.detail == NO_TWIN:
            self.without_twin.add(index)

    def job_doubted(self, job: Job, result: "Result") -> None:
        """Count the time of a case that has timed out, whatever will become of it."""
        standing = self._standings[job.tag // self._stride]
        standing.doubted += 1
        self._used(standing, result.seconds or 0.0)

    def finish(self) -> None:
        """Write down as timed out what a team's budget did not reach to, and what is the same for others.

        Programs that gave all cases the same answer, though their right answers differ, pass none of them.
        """
        for standing in self._standings:
            for at in standing.given_up:
                standing.ledger.set(*divmod(at, standing.ledger.repeat), TIMEOUT, 0.0)
            if not standing.team.problem and standing.team.ready:
                standing.constant = self._constants.take_passes(
                    standing.ledger,
                    lambda one=standing: self._known(one),  # type: ignore[misc]
                )
        for standing, leader in self._followers:
            standing.ledger, standing.todo, standing.trials = leader.ledger, leader.todo, leader.trials
            standing.constant = leader.constant
            standing.not_graded = leader.not_graded

    def _known(self, standing: Standing) -> "Iterator[tuple[int, Result]]":
        """All that the store knows of a team, each with the number of its case."""
        known = dict(self._store.results(standing.key))
        for index, case in enumerate(self._cases):
            for attempt in range(standing.ledger.repeat):
                result = known.get(standing.key_of(case, attempt))
                if result is not None:
                    yield index, result

    def results(self, standing: Standing) -> "Iterator[Result]":
        """What became of every case of a team, in order; of repetitions, the first one that did not pass."""
        known = dict(self._store.results(standing.key))
        given_up = set(standing.given_up)
        repeat = standing.ledger.repeat
        for index, case in enumerate(self._cases):
            attempts = [
                self._result(
                    standing,
                    case,
                    known.get(standing.key_of(case, attempt)),
                    index * repeat + attempt in given_up,
                )
                for attempt in range(repeat)
            ]
            result = max(attempts, key=lambda one: (one.verdict not in GIVES_POINTS, one.verdict != PASS))
            if standing.ledger.unsteady(index):
                verdicts = [one.verdict for one in attempts]
                counts = {one: verdicts.count(one) for one in VERDICTS if one in verdicts}
                result = result._replace(unsteady=counts)
            same = standing.constant.get(case.program)
            if same and result.verdict == PASS:
                result = self._taken(standing, case, result, same)
            yield _told(result)

    def _taken(self, standing: Standing, case: GradedCase, result: "Result", told: str) -> "Result":
        """The result of a case that would have passed, were it not the same answer as everywhere."""
        command = standing.team.told(standing.team.program(case.program)[0])
        again = reproduce(case.case, [*command, *arguments_of(case.case)])
        return constant(result, told, again)

    def _result(
        self, standing: Standing, case: GradedCase, known: "Result | None", given_up: bool
    ) -> "Result":
        """One result, with the names that its case has now."""
        command, problem = standing.team.program(case.program)
        if case.tested and not problem and known is not None and not given_up:
            line = line_to_repeat(standing.team, case.tested, case.program, case.name)
            return known._replace(reproduce=known.reproduce and line)
        if problem:
            return result_of(case.case, case.program, [], Judgement(NO_START, problem), None)
        if given_up or known is None:
            why = Judgement(TIMEOUT, f"not run: the team's budget of {self._budget:g} s was used up")
            return result_of(case.case, case.program, command, why, None)
        files = case.case
        command = [*standing.team.told(command), *arguments_of(files)]
        again = reproduce_twin(command, known.twin) if known.twin else reproduce(files, command, known.sent)
        told = known.reproduce and again
        return known._replace(case=files.name, input=files.input, expected=files.expected, reproduce=told)


def _told(result: "Result") -> "Result":
    """The result with the names in it escaped that are no UTF-8."""
    names = (result.case, result.input, result.expected, result.detail, result.reproduce)
    if "".join(names).isascii():
        return result
    case, given, expected, detail, reproduced = map(as_recorded, names)
    return result._replace(case=case, input=given, expected=expected, detail=detail, reproduce=reproduced)
