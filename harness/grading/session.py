"""One session of grading, from what is configured to what is known of every team.

What the results are worth, and how they are told, is for others; this sees that they are there.
"""

import os
from functools import cached_property

from harness.errors import MACHINE_FAULTS, UserError
from harness.grading.build import build_all, score_tests
from harness.grading.config import Config, limits_told
from harness.grading.dialects import Finder
from harness.grading.history import handed_in
from harness.grading.ledger import Ledger
from harness.grading.schedule import Grader, Standing, state_key
from harness.grading.store import Store
from harness.grading.suites import Suites
from harness.grading.teams import Team
from harness.report.bar import StatusLine
from harness.report.words import safe
from harness.running.content import TooLarge, content_of, copy_folder, identity_of_linked
from harness.running.limits import Limits, cores
from harness.running.rungs import RUNGS, none_told, rung_of
from harness.running.sandbox import Sandbox
from harness.running.scratch import remove_folder
from harness.running.worker import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.grading.build import TestsScore
    from harness.grading.findings import SuiteFinding
    from harness.judging.result import Result
    from harness.running.content import Identity
    from harness.running.pool import Listener


class Session:
    """The teams, the suites and the store of one run, and what came out of it.

    chosen: the teams that are run, if not all are; what the store knows of the others is still told.
    """

    def __init__(
        self,
        config: Config,
        teams: list[Team],
        suites: Suites,
        out: str,
        store: Store,
        hidden: "Sequence[str]" = (),
        rung: "str | None" = None,
    ) -> None:
        """No program sees what is hidden. rung: how programs were shut in, if nothing is to be run here."""
        self.config = config
        self.teams = teams
        self.suites = suites
        self.out = out
        self.store = store
        self.limits = Limits(config.timeout, config.memory << 20, config.output << 10)
        self.workers = config.jobs or cores()
        self.builds: dict[str, Result] = {}
        self.tests: dict[str, TestsScore] = {}
        self.standings: list[Standing] = []
        self.findings: list[SuiteFinding] = []  # what is wrong with the suites
        self.brought: dict[str, list[int]] = {}  # in a fest: the cases that each team has brought
        self.started = 0  # programs, builds included
        self.probes = 0  # programs that were started to find out what they read
        self.interrupted = False
        self.note = ""
        self._hidden = hidden
        self.hide: list[str] = []  # what no program sees in its sandbox
        self.rung = rung_of(config.sandbox) if rung is None else rung
        self._sandbox = self._make_sandbox()
        self.settings = Settings(self.limits, self._sandbox, twins=True)
        self._grader: Grader
        self._last: tuple[Standing, list[Result]] | None = None  # whose results were read last, and these

    def _make_sandbox(self) -> "Sandbox | None":
        """The sandbox in which no team sees another, the cases, or the results."""
        if not self.rung:
            self.note = none_told(self.config.sandbox)
            return None
        paths = [suite.spec.path for suite in self.suites.suites if suite.spec.path]
        folders = [path if os.path.isdir(path) else os.path.dirname(path) or "." for path in paths]
        teams = [team.path for team in self.teams]
        self.hide = [*teams, *folders, self.out, self.store.folder, *self._hidden]
        sandbox = RUNGS[self.rung](self.limits.memory, self.config.show, self.hide)
        self.note = sandbox.told
        return sandbox

    @property
    def limits_told(self) -> str:
        """The limits, in words."""
        return limits_told(self.config)

    @property
    def isolation(self) -> str:
        """How programs are shut in, in a word; nothing if they are not."""
        return "" if self._sandbox is None else ":".join((self._sandbox.rung, *self.config.show))

    def missed(self, team: Team, program: str, messages: "Iterable[str]") -> str:
        """A path that a program names in its messages, and that is hidden from it; or nothing."""
        words, problem = team.program(program)
        if self._sandbox is None or problem:
            return ""
        return self._sandbox.missed(words, team.home, messages)

    def prepare(self, listener: "Listener", chosen: "set[str] | None", regrade: bool) -> None:
        """Know the teams by their files, and build what needs building."""
        for team in self.teams:
            try:
                team.content = self._brought(team)
            except (TooLarge, OSError) as problem:
                if isinstance(problem, OSError) and problem.errno in MACHINE_FAULTS:
                    team.fault, team.ready = f"its files: {problem.strerror}", False
                else:
                    team.problem = f"its files cannot be used: {problem}"
            team.submissions = team.spec.submissions or len(handed_in(self.store, team))
        self.builds, started, self.interrupted = build_all(
            self.teams,
            self.store,
            self._sandbox,
            self.isolation,
            self.limits,
            self.workers,
            listener,
            chosen,
            regrade,
        )
        self.started += started
        if self.config.own_tests.points and not self.interrupted:
            self.tests = score_tests(
                self.teams, self.config.own_tests, self.store, self.workers, listener, regrade
            )

    @cached_property
    def _secret(self) -> "frozenset[Identity]":
        """What belongs to no team, wherever it lies: the results, and cases that have other names as well."""
        files = (file for graded in self.suites.cases for file in (graded.case.input, graded.case.expected))
        folders = map(os.stat, filter(os.path.isdir, (self.out, self.store.folder)))
        linked = filter(None, map(identity_of_linked, files))
        return frozenset((one.st_dev, one.st_ino) for one in folders).union(linked)

    def _brought(self, team: Team) -> str:
        """The hash of a team's files, which are copied if they are to be shown in a sandbox.

        So nothing can be exchanged between the hash, the build and the run. A single program is run where
        it is.
        """
        if self._sandbox is None or team.spec.file:
            return content_of(team.path, secret=self._secret)
        copy = os.path.join(os.path.realpath(self.store.folder), "copies", team.slug)
        remove_folder(copy)
        content = copy_folder(team.path, copy, secret=self._secret).content
        team.home = team.brought = copy
        return content

    def plan(
        self, listener: "Listener", chosen: "set[str] | None", regrade: bool, repeat: int, budget: float
    ) -> int:
        """Find out what has not been run of all teams that are to be run; how many cases that is."""
        cases = self.suites.cases
        every = {team.name for team in self.teams} if chosen is None else chosen
        for number, team in enumerate(self.teams):
            key = state_key(team, self.limits, self.isolation)
            standing = Standing(number, team, key, Ledger(len(cases), repeat))
            self.standings.append(standing)
        self._find_dialects(every, regrade)
        self._grader = self._make_grader(listener, budget)
        self._grader.look_up(every, regrade)
        return self._grader.left

    def _make_grader(self, listener: "Listener", budget: float) -> Grader:
        """Who runs what is planned."""
        return Grader(
            self.standings, self.suites.cases, self.store, self.settings, self.workers, listener, budget
        )

    def _find_dialects(self, chosen: set[str], regrade: bool) -> None:
        """Find out what the programs read, of the teams that are to be run."""
        finder = Finder(self)
        status = StatusLine()
        try:
            self._try_ahead(finder, chosen, regrade)
            for standing in self.standings:
                team = standing.team
                status.show(f"what the programs read: {safe(team.name)}")
                team.dialects = finder.find(team, standing.key, team.name in chosen, regrade)
        except KeyboardInterrupt:
            self.interrupted = True
        finally:
            status.clear()
            self.probes += finder.started

    def _try_ahead(self, finder: Finder, chosen: set[str], regrade: bool) -> None:
        """Find out elsewhere what can be found out there."""

    def combine(self) -> None:
        """Take what is known for everything there is: of what is not, the time of a team was over."""
        if self._grader.left and not self.config.team_budget:
            raise UserError(f"{self._grader.left} results are missing in the store, {self.store.folder}")
        self._grader.finish()

    def grade(self) -> None:
        """Run what was planned."""
        if self._grader.cases_left and not self.interrupted:
            self.interrupted = self._grader.run().interrupted
            self.started += self._grader.given
        if self._grader.left and not self.interrupted:
            self._run_trials()
        if not self.interrupted:
            self._grader.finish()

    def _run_trials(self) -> None:
        """Test the servers and clients, one after the other, since they may all want the same port."""
        from harness.grading.trials import Trials
        from harness.running.limits import interrupt_on_signals

        interrupt_on_signals()
        try:
            self.started += self._grader.run_trials(Trials(self.limits, self._sandbox))
        except KeyboardInterrupt:
            self.interrupted = True

    @property
    def without_twin(self) -> list[int]:
        """The cases that some team has passed without a twin, since none could be made."""
        return sorted(self._grader.without_twin)

    @property
    def not_graded(self) -> dict[str, str]:
        """The teams of which not all is known because the machine or the harness has failed, and how."""
        told = {}
        for one in self.standings:
            count, detail = len(one.not_graded), one.not_graded[0][1] if one.not_graded else one.team.fault
            if detail:
                told[one.team.name] = f"{detail} ({count} case{'s' * (count > 1)})" if count else detail
        return told

    @property
    def known(self) -> list[Standing]:
        """The teams of which everything is known, if only that they cannot be built."""
        ready = [one for one in self.standings if one.team.ready]
        return [one for one in ready if one.team.problem or one.ledger.complete]

    def results(self, standing: Standing) -> "list[Result]":
        """What became of each case of a team, in order; nothing if it could not be built."""
        if standing.team.problem:
            return []
        if self._last and self._last[0] is standing:
            return self._last[1]
        found = []
        for case, result in zip(self.suites.cases, self._grader.results(standing), strict=True):
            suite = self.suites.suites[case.suite].name
            found.append(result._replace(team=standing.team.name, suite=suite))
        self._last = standing, found
        return found
