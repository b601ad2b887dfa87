"""A vote: what does each implementation answer, who agrees with whom, and with which reading of the rules.

Answers are grouped by meaning. Where a group differs from the rules, the library of misreadings is asked
which of them answers so.
"""

import os
from dataclasses import dataclass, field, replace

from evolution.wire.errors import NotJSON
from evolution.wire.text import parse
from harness.files import read_file
from harness.fixtures.arguments import arguments_of
from harness.fixtures.cases import Case
from harness.fixtures.layout import compact
from harness.grading.teams import Team
from harness.inputs.repairs import common
from harness.judging.compare import differences, meaning_key, parse_values
from harness.judging.judge import judge
from harness.judging.outcome import Outcome
from harness.judging.result import Result
from harness.judging.sentences import sentences
from harness.judging.verdicts import NO_START, NOT_GRADED, PASS
from harness.misreadings import LIBRARY, smallest_cases
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from harness.running.pool import Job, Pool
from harness.running.worker import Settings, Task, Worker, reader_of
from harness.search.causes import Answered, Cause, Memory, causes
from harness.search.findings import answers_alike, explanations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from harness.running.pool import Listener

RULES = "the rules"
MOST_SAID = 3  # lines on standard error that are told


@dataclass(slots=True)
class Question:
    """An input for a program, and what the rules answer to it, if there are rules for it."""

    name: str
    program: str
    case: Case
    data: bytes
    arguments: list[str] = field(default_factory=list)
    value: "Any" = None
    right: "bytes | None" = None  # None: nobody knows; empty: nothing is to be printed


@dataclass(slots=True)
class Group:
    """All who answer a question alike."""

    names: list[str]
    outcome: Outcome
    has_rules: bool = False
    alike: list[str] = field(default_factory=list)  # misreadings that answer so
    differences: list[str] = field(default_factory=list)  # from the rules, or from the largest group

    @property
    def answer(self) -> str:
        """What they answer, in one line."""
        if self.outcome.ended:
            detail = f" ({self.outcome.detail})" if self.outcome.detail else ""
            return f"{self.outcome.ended}{detail}"
        return in_a_line(self.outcome.stdout) or "nothing"

    @property
    def circumstances(self) -> list[str]:
        """What helps to see why there is no answer: the exit status, and what was said on standard error."""
        outcome = self.outcome
        if outcome.exit is None or (outcome.stdout.strip() and not outcome.ended and not outcome.exit):
            return []
        said = outcome.stderr.decode(errors="backslashreplace").strip().splitlines()
        more = [f"… {len(said) - MOST_SAID} more lines"] if len(said) > MOST_SAID else []
        status = [] if outcome.ended and outcome.exit < 0 else [f"exit status {outcome.exit}"]
        return [*status, *(f"stderr | {line}" for line in [*said[:MOST_SAID], *more])]


def in_a_line(printed: bytes) -> str:
    """What was printed, in one line: JSON without white space, and anything else without runs of it."""
    try:
        return " ".join(map(compact, parse_values(printed)))
    except (NotJSON, TypeError, ValueError, RecursionError):
        return " ".join(printed.decode(errors="backslashreplace").split())


def question(name: str, program: str, case: Case) -> Question:
    """The question that a case asks. Raises OSError or BadArguments if it cannot be read."""
    data = read_file(case.input)
    asked = Question(name, program, case, data, arguments_of(case))
    if program in PROGRAMS and not case.arguments:
        answer = reference(program, data)
        if not answer.refused:
            asked.value = parse(data)
            asked.right = (answer.text or "").encode()
    return asked


# Asking


class _Voter(Worker):
    """A worker that sends back what a program did, right or wrong."""

    def result(self, message: "Any") -> "Any":
        """The outcome of a program on an input."""
        number, files, program, command, _, environment, home, _, told, _ = message
        case = Case(*files)
        task = Task(case, program, command[0], "", environment, home)
        reader, data = reader_of(told), read_file(case.input)
        outcome = self.outcome(task, command, reader.sent(data)[0] if reader else data)
        result = Result(case.name, program, outcome.ended or PASS, seconds=outcome.seconds, cpu=outcome.cpu)
        return number, tuple(result), outcome.fields()


class Votes(Pool):
    """All questions to all teams."""

    kind = _Voter

    def __init__(
        self,
        teams: list[Team],
        questions: list[Question],
        settings: Settings,
        workers: int,
        listener: "Listener",
    ) -> None:
        super().__init__(settings, workers, listener)
        self._teams = teams
        self._questions = questions
        self.outcomes: list[dict[str, Outcome]] = [{} for _ in questions]
        self.withheld: dict[str, dict[str, int]] = {}  # from whom, why, and how often

    @property
    def not_graded(self) -> int:
        """How many answers are not known because the machine or the harness has failed."""
        return self.summary.counts[NOT_GRADED]

    def jobs_to_run(self) -> "Iterator[Job]":
        """Question by question, each to all teams."""
        for tag, asked in enumerate(self._questions):
            for team in self._teams:
                _, problem = team.program(asked.program)
                if problem or team.problem:
                    outcome = Outcome()
                    outcome.ended, outcome.detail = NO_START, team.problem or problem
                    self.outcomes[tag][team.name] = outcome
                    continue
                reasons = _unread(team, asked)
                for reason in reasons:
                    counts = self.withheld.setdefault(team.name, {})
                    counts[reason] = counts.get(reason, 0) + 1
                if not reasons:
                    yield team.job(asked.case, asked.program, tag, arguments=asked.arguments)

    def job_ended(self, job: Job, result: Result, attached: "Any") -> None:
        """Keep what was answered."""
        if attached is None:  # the worker was lost
            outcome = Outcome()
            outcome.ended, outcome.detail = result.verdict, result.detail
        else:
            outcome = Outcome.of(attached)
        if result.verdict != NOT_GRADED:  # whose answer is not known has no vote
            self.outcomes[job.tag][job.owner] = outcome
        self.summary.add(result)
        self._listener.ended(result, self.summary)


def _unread(team: Team, asked: Question) -> tuple[str, ...]:
    """Why a question is not for a team: the forms that its program does not read."""
    dialect = team.dialects.get(asked.program)
    return () if dialect is None or asked.value is None else dialect.withholds(asked.program, asked.value)


# Grouping


def key_of(outcome: Outcome) -> bytes:
    """What is the same for all outcomes that mean the same."""
    if outcome.ended:
        return b"!" + outcome.ended.encode()
    return meaning_key(outcome.stdout)


def groups_of(asked: Question, outcomes: "dict[str, Outcome]") -> list[Group]:
    """Who answers alike, the largest group first; the rules are in the group that they agree with."""
    by_key: dict[bytes, Group] = {}
    for name, outcome in sorted(outcomes.items()):
        group = by_key.setdefault(key_of(outcome), Group([], outcome))
        group.names.append(name)
    if asked.right is not None:
        rules = Outcome()
        rules.stdout = asked.right
        by_key.setdefault(key_of(rules), Group([], rules)).has_rules = True
    return sorted(by_key.values(), key=lambda group: (-len(group.names), group.names))


def compare(asked: Question, groups: list[Group]) -> None:
    """Say of each group how it differs: from the rules, or where there are none from the largest."""
    base = next((group for group in groups if group.has_rules), groups[0])
    for group in groups:
        if group is base or group.outcome.ended or base.outcome.ended:
            continue
        group.differences = _differences(base.outcome.stdout, group.outcome.stdout)
        if base.has_rules:
            names = explanations(asked.program, asked.value, group.outcome.stdout)
            group.alike = [name for name in LIBRARY if name in names]


def _differences(right: bytes, found: bytes) -> list[str]:
    try:
        expected, actual = parse_values(right), parse_values(found)
    except NotJSON as problem:
        return [f"not JSON: {problem}"]
    if len(expected) == len(actual) == 1:
        return sentences(differences(expected[0], actual[0]))
    words = ["nothing", "one value"]
    told = [words[len(one)] if len(one) < 2 else f"{len(one)} values" for one in (actual, expected)]
    return [f"prints {told[0]}, should print {told[1]}"]


# Splits over many questions


@dataclass(slots=True)
class Split:
    """Teams that answer otherwise than the rules for one reason.

    cause: what their failures have in common; a misreading is named there only if nothing that was asked
    contradicts it. count: questions. shared: the questions, by their places, that all of these teams answer
    alike for this reason, and how.
    """

    cause: Cause
    teams: list[str]
    count: int
    shared: dict[int, bytes]

    @property
    def name(self) -> str:
        """The misreading that explains it; empty if none does."""
        return self.cause.names[0] if self.cause.names else ""

    @property
    def reason(self) -> tuple[object, ...]:
        """What is the same for teams that are wrong for the same reason."""
        return self.cause.kind, self.cause.names[:1], self.cause.words, self.cause.text

    def keep(self, holds: "Callable[[str], bool]") -> None:
        """Keep of the misreadings that explain it only those that hold for an example as well."""
        self.cause = replace(self.cause, names=tuple(name for name in self.cause.names if holds(name)))


def voices(outcomes: "list[dict[str, Outcome]]") -> dict[bytes, list[str]]:
    """The teams, those together that have answered every question alike."""
    from hashlib import blake2b

    found: dict[bytes, list[str]] = {}
    for name in sorted(set().union(*outcomes)):
        digest = blake2b(digest_size=16)
        for told in outcomes:
            digest.update((key_of(told[name]) if name in told else b"?") + b"\0")
        found.setdefault(digest.digest(), []).append(name)
    return found


def splits(questions: list[Question], outcomes: "list[dict[str, Outcome]]") -> tuple[list[Split], list[str]]:
    """On what the teams are split, what concerns most of them first; and who answers like the rules."""
    found: list[Split] = []
    right = []
    memory = Memory()
    for names in voices(outcomes).values():
        told = [(place, outcome[names[0]]) for place, outcome in enumerate(outcomes) if names[0] in outcome]
        reasons = causes([_answered(questions[place], outcome) for place, outcome in told], memory)
        if not reasons:
            right += names
        for cause in reasons:
            alike = {told[at][0]: key_of(told[at][1]) for at in cause.cases}
            _add(found, Split(cause, names[:], len(alike), alike))
    return sorted(found, key=lambda split: (-len(split.teams), -split.count, split.name)), sorted(right)


def _add(found: list[Split], new: Split) -> None:
    """Add a split, or its teams to one for the same reason of which there is an example for all of them."""
    for split in found:
        shared = {place: key for place, key in split.shared.items() if new.shared.get(place) == key}
        if split.reason == new.reason and shared and split.teams != new.teams:
            split.teams += new.teams
            split.count = max(split.count, new.count)
            split.shared = shared
            return
    found.append(new)


def _answered(asked: Question, outcome: Outcome) -> Answered:
    """What a team has made of a question."""
    assert asked.right is not None
    return Answered(
        asked.name,
        asked.program,
        judge(asked.right, outcome, exact=False, as_text=False).verdict,
        asked.data,
        asked.right,
        outcome.stdout.decode(errors="replace"),
        outcome.stderr.decode(errors="replace"),
    )


def smallest_of(program: str, name: str) -> "list[Any]":
    """The smallest input in which a misreading shows, in the common form; none without one."""
    value = smallest_cases().get(name, {}).get(program)
    value = None if value is None else common(program, value)
    return [] if value is None else [value]


def agrees(program: str, value: "Any", printed: bytes, name: str) -> bool:
    """Whether a misreading answers as was printed."""
    return answers_alike(program, value, printed, [name])


def write_inputs(folder: str, program: str, values: "list[Any]") -> list[Question]:
    """Questions about these values, from files in a folder."""
    made = []
    for number, value in enumerate(values):
        path = os.path.join(folder, f"{number}-in.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(compact(value))
        made.append(question(f"random {number}", program, Case(f"random {number}", path, os.devnull, "")))
    return made
