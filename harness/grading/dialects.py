"""The dialects of teams' programs: as configured, or found out by trying, and kept with the results."""

from harness.fixtures.dialect import COMMON, BadDialect, Dialect
from harness.grading.store import Store, key_of
from harness.grading.teams import Team
from harness.judging.verdicts import WITHHELD
from harness.programs.answering import PROGRAMS
from harness.report.dialects import NOTHING_BEYOND, line, silent_line, withheld_line
from harness.running.probing import Probed, probe_program, version

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from harness.grading.audience import Audience
    from harness.grading.schedule import Standing
    from harness.grading.session import Session
    from harness.judging.result import Result

    Dialects = dict[str, Dialect]  # by the names of programs

KIND = "dialects"  # of notes in the store


class Finder:
    """Finds the dialects of teams, of one after the other."""

    def __init__(self, session: "Session") -> None:
        self._session = session
        self._programs = [
            name for name in PROGRAMS if name in {case.program for case in session.suites.cases}
        ]
        self.started = 0  # programs

    def find(self, team: Team, state: str, may_try: bool, again: bool) -> "Dialects":
        """The dialects of a team's programs, of those that can be started; state: a key of its files.

        Who may not be tried, and is not known, is taken to read what everybody reads.
        """
        found: Dialects = {}
        for program in self._programs if team.ready and not team.problem else ():
            words, problem = team.program(program)
            if problem:
                continue
            told = team.spec.dialects.get(program) or self._session.config.dialect.of(program, team.path)
            found[program] = told or self._tried(team, program, words, state, may_try, again)
        return found

    def _tried(
        self, team: Team, program: str, words: list[str], state: str, may_try: bool, again: bool
    ) -> Dialect:
        store = self._session.store
        told = [word.replace(team.home, "{team}") for word in words]
        key = key_of(state, program, told, team.spec.environment, version())
        known = None if again and may_try else _known(store, key)
        if known is not None:
            return known
        if not may_try:
            return COMMON
        session = self._session
        probed = probe_program(
            program,
            words,
            session.limits,
            session.settings.sandbox,
            team.environment(),
            team.home,
            session.workers,
        )
        self.started += probed.starts
        _keep(store, key, probed)
        return probed.dialect


def _known(store: Store, key: str) -> "Dialect | None":
    try:
        return Dialect.from_table(store.note(KIND, key))
    except BadDialect:
        return None


def _keep(store: Store, key: str, probed: Probed) -> None:
    """Keep what was found out, if it would be the same again."""
    if probed.sure:
        store.write_note(KIND, key, probed.dialect.to_table())


# What is told of them


def withheld_from(results: "Iterable[Result]") -> tuple[int, dict[str, int]]:
    """How many cases were withheld, and how many for which reason."""
    count, reasons = 0, dict[str, int]()
    for result in results:
        if result.verdict == WITHHELD:
            count += 1
            for reason in result.detail.split(", "):
                reasons[reason] = reasons.get(reason, 0) + 1
    return count, reasons


def told_to_team(dialects: "Dialects", results: "Iterable[Result]") -> list[str]:
    """What a team is told of its dialect: what it was found to read, and what was withheld from it."""
    if not dialects:
        return []
    read = line(dialects)
    beyond = "" if read == NOTHING_BEYOND else "beyond the common form, "
    asked = f"programs were asked in what they read: {beyond}{read}"
    lines = [asked, silent_line(dialects), withheld_line(*withheld_from(results))]
    return [f"{told[:1].upper()}{told[1:]}." for told in lines if told]


def told_to_all(audience: "Audience") -> str:
    """What is said once of all teams: how they were asked, and from whom something was withheld."""
    session = audience.session
    told = [standing for standing in session.known if standing.team.dialects]
    if not told:
        return ""
    kinds = {repr(standing.team.dialects) for standing in told}
    counts = [_count(audience, standing) for standing in told]
    withheld = [standing.team.name for standing, count in zip(told, counts, strict=True) if count]
    several = "" if len(kinds) == 1 else f"s, {len(kinds)} different ones"
    said = f"programs were asked in their own dialect{several}"
    if not withheld:
        return f"{said}; no case was withheld"
    teams = "1 team" if len(withheld) == 1 else f"{len(withheld)} teams"
    cases = "1 case was" if sum(counts) == 1 else f"{sum(counts)} cases were"
    return f"{said}; {cases} withheld from {teams}, and do not count: results.jsonl says why"


def _count(audience: "Audience", standing: "Standing") -> int:
    return sum(standing.ledger.verdict(index) == WITHHELD for index, _ in audience.cases)
