"""A test fest: every team brings programs and cases, and the cases that are right run on all programs.

For each two teams and each program there is a duel: if a case of the one finds a bug in the other's program,
the one has found something, else the other has withstood. So more cases than are needed win nothing, and
the same case, by meaning, counts once.
"""

import os
import signal
from dataclasses import dataclass, field

import orjson

from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.text import parse
from harness.authoring.scoring import Score, sort_in
from harness.errors import UserError
from harness.files import read_file
from harness.fixtures.arguments import BadArguments, arguments_of
from harness.fixtures.cases import NO_PROGRAM, Case, find_cases, program_of
from harness.fixtures.naming import Names
from harness.fixtures.untaken import Untaken
from harness.grading.build import NOTHING, JobList
from harness.grading.config import SuiteSpec
from harness.grading.feedback import plain
from harness.grading.score import Mark, Part, give_ranks
from harness.grading.store import encoded, key_of
from harness.grading.teams import Team, readable, slug_of
from harness.judging.compare import differences, meaning, meaning_key, parse_values
from harness.judging.result import Result
from harness.judging.sentences import sentences
from harness.judging.verdicts import (
    ANSWERLESS,
    PASS,
    UNEARNED,
)
from harness.programs.answering import PROGRAMS
from harness.running.content import copy_folder
from harness.running.journal import as_recorded
from harness.running.limits import Limits
from harness.running.pool import Job
from harness.running.scratch import remove_folder
from harness.running.worker import Settings, Worker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from harness.grading.ledger import Ledger
    from harness.grading.session import Session
    from harness.running.pool import Listener

FOLDERS = ("tests", "test-fixtures")
FINDING, WITHSTANDING = "finding", "withstanding"
JUDGE = "judge"
UNJUDGED = "it could not be judged: the machine or the harness has failed"
MOST_TESTS = 64 << 20  # bytes of a team's cases
MOST_CASE = 1 << 20  # and of one half of one
MOST_CASES = 5000  # of one team
MOST_TOLD = 30
MOST_RECORDED = 16 << 10  # bytes of a half of a case in fest.json
JUDGING_SECONDS = 60.0  # for all cases of one team, by the rules


@dataclass(slots=True)
class Brought:
    """A case that a team has brought: whose it is, what it is called there, and why it is rejected, if so."""

    author: str
    name: str
    program: str
    case: Case
    reasons: list[str] = field(default_factory=list)
    duplicate_of: "Brought | None" = None

    @property
    def title(self) -> str:
        """What it is called before everybody."""
        return f"{self.author}: {self.name}"


class Fest:
    """All cases that were brought, and what became of them."""

    def __init__(self, anonymous: bool = False) -> None:
        self.anonymous = anonymous  # teams hear of cases and bugs, but not whose they are
        self.aliases: dict[str, str] = {}  # what teams are called before the others, if not by their names
        self.brought: list[Brought] = []
        self.problems: dict[str, str] = {}  # of teams whose cases could not be taken
        self.untaken: dict[str, str] = {}  # of teams with files that look like cases and are not
        self.unjudged: dict[str, str] = {}  # of teams with cases at which the machine or we failed, and how
        self.cases: dict[tuple[str, str], list[Brought]] = {}  # suite and name: all who brought it

    def alias(self, team: str) -> str:
        """What a team is called before the others."""
        return self.aliases.get(team, team)

    @property
    def rejected(self) -> list[Brought]:
        """Those that do not count, in the order in which they were brought."""
        return [one for one in self.brought if one.reasons]

    @property
    def admitted(self) -> list[Brought]:
        """Those that count."""
        return [one for one in self.brought if not one.reasons]


# Collecting


def collect(teams: list[Team], folder: str, patterns: tuple[str, ...] = (), anonymous: bool = False) -> Fest:
    """Take a copy of the cases of all teams: files only, since links could lead to anybody's.

    The patterns say what files of cases are called, besides the usual ways.
    """
    fest = Fest(anonymous)
    if anonymous:  # numbers in an order that nobody knows
        shuffled = sorted(teams, key=lambda team: key_of(team.name))
        fest.aliases = {team.name: f"team {number}" for number, team in enumerate(shuffled, 1)}
    remove_folder(folder)
    for team in teams:
        copy = os.path.join(folder, team.slug)
        os.makedirs(copy)
        try:
            for name in FOLDERS:
                source = os.path.join(team.path, name)
                if os.path.isdir(source) and not os.path.islink(source):
                    copy_folder(source, os.path.join(copy, name), MOST_TESTS, links=False, writable=True)
        except (UserError, OSError) as problem:
            fest.problems[team.name] = f"its cases cannot be taken: {problem}"
            continue
        names = Names(patterns, Untaken(copy))
        found = list(_of_team(team, copy, names))
        if str(names.untaken):
            fest.untaken[team.name] = str(names.untaken)
        if len(found) > MOST_CASES:
            fest.problems[team.name] = f"it brought {len(found)} cases; the first {MOST_CASES} count"
        fest.brought += found[:MOST_CASES]
    return fest


def _of_team(team: Team, copy: str, names: Names) -> "Iterator[Brought]":
    for case in find_cases([copy], names):
        program = program_of(case.input)
        brought = Brought(team.name, readable(os.path.relpath(case.name, copy)), program, case)
        brought.reasons = [*map(as_recorded, _broken(case, program))]
        yield brought


def _broken(case: Case, program: str) -> list[str]:
    """Why a case cannot be asked at all."""
    if case.problem:
        return [case.problem]
    if not program:
        return [NO_PROGRAM]
    if max(map(os.path.getsize, filter(None, (case.input, case.expected, case.arguments)))) > MOST_CASE:
        return [f"it is larger than {MOST_CASE >> 20} MB"]
    try:
        arguments_of(case)
        if not case.arguments:
            parse_values(read_file(case.expected))
    except BadArguments as problem:
        return [str(problem)]
    except NotJSON as problem:
        return [f"its expected output is {problem}"]
    return []


# Admitting


class _TimeIsUp(BaseException):
    """The rules have had all the time that there is for the cases of a team."""


def judge_by_rules(
    fest: Fest, workers: int, listener: "Listener", programs: "set[str] | None" = None
) -> bool:
    """Reject what the rules contradict: all cases, or those of some programs; whether that was interrupted.

    Workers do it, one team at a time, so that no team's cases can hold up the fest or bring it down.
    """
    by_author: dict[str, list[Brought]] = {}
    for brought in fest.admitted:
        if programs is None or brought.program in programs:
            by_author.setdefault(brought.author, []).append(brought)
    teams = [*by_author.items()]
    if not teams:
        return False

    class Judge(Worker):
        """A worker that says why cases are rejected, for all that a team has brought."""

        def result(self, message: "Any") -> "Any":
            """The reasons, case by case."""
            number, _, _, (at,), *_ = message
            judged = Result("judging", "judging", PASS)
            return number, tuple(judged), _reasons(teams[int(at)][1], JUDGING_SECONDS)

    jobs = [Job(NOTHING, JUDGE, [str(at)], owner=author, tag=at) for at, (author, _) in enumerate(teams)]
    pool = JobList(jobs, Settings(Limits(JUDGING_SECONDS)), min(workers, len(jobs)), listener)
    pool.kind = Judge
    if pool.run().interrupted:
        return True
    for tag, (author, cases) in enumerate(teams):
        result, reasons = pool.results[tag]
        if reasons is None:
            fest.unjudged[author] = f"its cases: {result.detail or result.verdict}"
        for brought, why in zip(cases, reasons or [[UNJUDGED]] * len(cases), strict=True):
            brought.reasons = why
    return False


def _reasons(cases: list[Brought], seconds: float) -> list[list[str]]:
    """Why the rules reject each of these cases, if they do, as far as the time goes."""
    found: list[list[str]] = []

    def stop(number: int, frame: object) -> None:
        raise _TimeIsUp

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        for brought in cases:
            found.append(_reasons_of(brought))
    except _TimeIsUp:
        late = f"it is not judged: the rules took more than {seconds:g} s for the cases of its team"
        found += [[late]] * (len(cases) - len(found))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return found


def _reasons_of(brought: Brought) -> list[str]:
    """Why the rules reject a case, if they do."""
    if brought.program not in PROGRAMS or brought.case.arguments:
        return [f"there are no rules to judge a case of {brought.program} by"]
    found = Score()
    sort_in(found, brought.case, brought.program)
    for _, reasons in (*found.wrong, *found.broken):
        return reasons or ["the rules give another answer"]
    return []


def judge_by_answers(fest: Fest, session: "Session", programs: set[str], who: str) -> None:
    """Reject what most of the programs in a session do not agree with; who says whose they are."""
    standings = [one for one in session.standings if not one.team.problem]
    results = {one.team.name: session.results(one) for one in standings}
    at = {case.case.name: index for index, case in enumerate(session.suites.cases)}
    for brought in fest.admitted:
        if brought.program not in programs:
            continue
        index = at.get(brought.case.name)
        if index is None:
            brought.reasons = ["it cannot be judged"]
            continue
        able = [
            one.team.name
            for one in standings
            if not one.team.program(brought.program)[1]
            and one.ledger.asked(index)
            and one.ledger.verdict(index)
        ]
        if not able and session.not_graded:
            brought.reasons = [UNJUDGED]
            fest.unjudged |= session.not_graded
            continue
        agreeing = sum(results[name][index].verdict == PASS for name in able)
        if 2 * agreeing > len(able):
            continue
        others = [results[name][index] for name in able if results[name][index].verdict != PASS]
        told = _most_common(others, read_file(brought.case.expected), who)
        count = f"{agreeing} of {len(able)} implementations agree"
        if who == JUDGE:
            brought.reasons = told
        else:  # what others print is not for everybody
            brought.reasons = [count] if fest.anonymous else [count, *told]


def _most_common(results: "list[Result]", expected: bytes, who: str) -> list[str]:
    """How the most common of these answers differs from what a case expects, in words."""
    groups: dict[bytes, list[Result]] = {}
    for result in results:
        groups.setdefault(meaning_key(result.stdout.encode()), []).append(result)
    if not groups:
        return []
    common = max(groups.values(), key=len)[0]
    they = f"the {JUDGE}" if who == JUDGE else "most of the others"
    if common.verdict in ANSWERLESS:
        status = f" (exit status {common.exit})" if common.exit else ""
        said = common.stderr.strip().splitlines()[-1:]
        return [f"{they} failed: {common.verdict}{status}", *said]
    try:
        right, wrong = parse_values(common.stdout.encode()), parse_values(expected)
    except NotJSON:
        return [f"what {they} printed is not JSON"]
    if len(right) == len(wrong) == 1:
        return sentences(differences(right[0], wrong[0]))
    return [f"it expects {_values(len(wrong))}, and {they} printed {_values(len(right))}"]


def _values(count: int) -> str:
    return "nothing" if not count else "one value" if count == 1 else f"{count} values"


def _input_key(brought: Brought) -> tuple[str, bytes, bytes]:
    data = read_file(brought.case.input)
    arguments = read_file(brought.case.arguments) if brought.case.arguments else b""
    try:
        return brought.program, repr(meaning(parse(data))).encode(), arguments
    except (BadInput, RecursionError, ValueError):
        return brought.program, data.strip(), arguments


def publish(fest: Fest, folder: str, teams: list[Team]) -> list[SuiteSpec]:
    """Write the admitted cases to a folder, each meaning once, and make a suite of those of each team."""
    remove_folder(folder)
    first: dict[tuple[str, bytes, bytes], Brought] = {}
    slugs = {team.name: slug_of(fest.alias(team.name)) if fest.anonymous else team.slug for team in teams}
    names: dict[Brought | int, str] = {}
    taken: set[str] = set()
    for brought in fest.admitted:
        original = first.setdefault(_input_key(brought), brought)
        if original is not brought:
            brought.duplicate_of = original
            fest.cases[fest.alias(original.author), names[id(original)]].append(brought)
            continue
        name = str(len(taken) + 1) if fest.anonymous else slug_of(os.path.basename(brought.name))
        stem = _stem(brought, slugs[brought.author], name, taken)
        _write(brought.case, os.path.join(folder, stem))
        names[id(brought)] = os.path.relpath(stem, slugs[brought.author])
        fest.cases[fest.alias(brought.author), names[id(brought)]] = [brought]
    authors = dict.fromkeys(brought[0].author for brought in fest.cases.values())
    return [
        SuiteSpec(os.path.join(folder, slugs[author]), fest.alias(author), points=0.0) for author in authors
    ]


def _stem(brought: Brought, slug: str, name: str, taken: set[str]) -> str:
    stem, number = os.path.join(slug, brought.program, name), 1
    while stem in taken:
        number += 1
        stem = os.path.join(slug, brought.program, f"{name}-{number}")
    taken.add(stem)
    return stem


def _write(case: Case, stem: str) -> None:
    os.makedirs(os.path.dirname(stem), exist_ok=True)
    files = [(case.input, "-in.json"), (case.expected, "-out.json")]
    for source, ending in [*files, *([(case.arguments, "-args.json")] if case.arguments else [])]:
        with open(stem + ending, "xb") as file:
            file.write(read_file(source))


# Duels


@dataclass(slots=True)
class Duels:
    """Who has found what in whose programs.

    found: finder, victim and program. withstood: the same, of who was not found out. unique: cases that
    found a bug in a program in which nobody else's cases found one: case, victim.
    """

    found: set[tuple[str, str, str]] = field(default_factory=set)
    withstood: set[tuple[str, str, str]] = field(default_factory=set)
    unique: list[tuple[Brought, str]] = field(default_factory=list)
    programs: list[str] = field(default_factory=list)


def fight(fest: Fest, session: "Session") -> Duels:
    """All duels, from what is known of the teams; the session then knows who brought which case."""
    duels = Duels(programs=sorted({one.program for one in fest.admitted}))
    cases = [
        (index, case.program, fest.cases[session.suites.suites[case.suite].name, case.name])
        for index, case in enumerate(session.suites.cases)
    ]
    for index, _, brought in cases:
        for author in dict.fromkeys(one.author for one in brought):
            session.brought.setdefault(fest.alias(author), []).append(index)
    for standing in session.known:
        victim, ledger = standing.team, standing.ledger
        for program in duels.programs:
            if victim.problem or victim.program(program)[1]:
                continue  # there is nothing to find, and nothing that withstands
            own = [(index, all_) for index, wanted, all_ in cases if wanted == program]
            _duel(duels, victim.name, program, own, ledger)
    return duels


def _duel(
    duels: Duels, victim: str, program: str, cases: "list[tuple[int, list[Brought]]]", ledger: "Ledger"
) -> None:
    finders: dict[str, list[Brought]] = {}
    lucky: set[str] = set()  # whose cases the victim has answered rightly without knowing anything
    for index, brought in cases:
        if not ledger.asked(index):
            continue
        for one in brought:
            failing = finders.setdefault(one.author, [])
            if ledger.verdict(index) in UNEARNED:
                lucky.add(one.author)
            elif not ledger.passed(index):
                failing.append(one)
    finders.pop(victim, None)
    for finder, failing in finders.items():
        if failing:
            duels.found.add((finder, victim, program))
        elif finder not in lucky:
            duels.withstood.add((finder, victim, program))
    successful = [failing for failing in finders.values() if failing]
    if len(successful) == 1:
        duels.unique += [(one, victim) for one in successful[0]]


def marks(duels: Duels, teams: list[Team]) -> list[Mark]:
    """Points for finding and for withstanding: one for each duel that is won."""
    most = float((len(teams) - 1) * len(duels.programs))
    found = []
    for team in teams:
        won = sum(finder == team.name for finder, _, _ in duels.found)
        stood = sum(victim == team.name for _, victim, _ in duels.withstood)
        parts = [
            Part(FINDING, float(won), most, won, int(most)),
            Part(WITHSTANDING, float(stood), most, stood, int(most)),
        ]
        found.append(Mark(team, parts, team.spec.factor, team.spec.note))
    give_ranks(found)
    return found


# Words


def paragraphs(fest: Fest, duels: Duels, team: str) -> list[str]:
    """What a team is told of its cases."""
    own = [one for one in fest.brought if one.author == team]
    rejected = [one for one in own if one.reasons]
    doubled = [one for one in own if one.duplicate_of is not None]
    alias = f" The cases of {fest.alias(team)} are yours." if fest.anonymous and own else ""
    lines = [
        "## Your cases",
        f"{len(own)} brought, {len(own) - len(rejected)} admitted, {len(rejected)} rejected, "
        f"{len(doubled)} the same as a case brought before.{alias}",
    ]
    if team in fest.problems:
        lines.append(plain(fest.problems[team]))
    if rejected:
        told = [f"- {plain(one.name)}: {plain('; '.join(one.reasons))}" for one in rejected[:MOST_TOLD]]
        more = [f"- and {len(rejected) - MOST_TOLD} more"] if len(rejected) > MOST_TOLD else []
        lines.append("\n".join(["Rejected:", "", *told, *more]))
    if doubled:
        same = [(one.name, _title(fest, one.duplicate_of, team)) for one in doubled[:MOST_TOLD]]
        lines.append("\n".join(["The same as:", "", *(f"- {plain(a)}: {plain(b)}" for a, b in same)]))
    bugs = sorted((victim, program) for finder, victim, program in duels.found if finder == team)
    if bugs:
        named = ", ".join(f"{plain(fest.alias(victim))} ({program})" for victim, program in bugs)
        lines.append(f"They found bugs in the programs of: {named}.")
    only = [
        f"{plain(one.name)} ({plain(fest.alias(victim))})"
        for one, victim in duels.unique
        if one.author == team
    ]
    if only:
        lines.append(f"Only these found what they found: {', '.join(only[:MOST_TOLD])}.")
    return lines


def _title(fest: Fest, case: "Brought | None", team: str) -> str:
    """What a case is called before a team, to which others may have to stay unknown."""
    if case is None:
        return ""
    return "a case of another team" if fest.anonymous and case.author != team else case.title


def as_json(fest: Fest, duels: Duels) -> "dict[str, Any]":
    """Everything about the cases, for tools."""
    return {
        "cases": [
            {
                "author": one.author,
                "case": one.name,
                "program": one.program,
                "admitted": not one.reasons,
                "reasons": one.reasons,
                "duplicate_of": one.duplicate_of.title if one.duplicate_of else None,
                **_texts(one),
            }
            for one in fest.brought
        ],
        "found": [list(duel) for duel in sorted(duels.found)],
        "withstood": [list(duel) for duel in sorted(duels.withstood)],
        "unique": [[one.author, one.name, victim] for one, victim in duels.unique],
        "problems": fest.problems,
    }


def _texts(brought: Brought) -> dict[str, str]:
    """The input and the expected output of a case that is not too long: harness misreadings needs them."""
    try:
        texts = [read_file(path) for path in (brought.case.input, brought.case.expected)]
    except OSError:
        return {}
    if brought.case.arguments or max(map(len, texts)) > MOST_RECORDED:
        return {}
    given, expected = (text.decode(errors="backslashreplace") for text in texts)
    return {"input": given, "expected": expected}


def write_json(path: str, fest: Fest, duels: Duels) -> None:
    """Write everything about the cases."""
    with open(path, "wb") as file:
        file.write(encoded(as_json(fest, duels), orjson.OPT_INDENT_2) + b"\n")


def told_cases(fest: Fest) -> list[str]:
    """What is said of the cases on a terminal: how many, and which were rejected, and why."""
    from harness.report.words import safe

    doubled = sum(one.duplicate_of is not None for one in fest.brought)
    lines = [
        f"{len(fest.brought)} cases brought, {len(fest.admitted)} admitted "
        f"({doubled} of them the same as others), {len(fest.rejected)} rejected"
    ]
    lines += [f"{safe(team)}: {safe(problem)}" for team, problem in fest.problems.items()]
    for one in fest.rejected[:MOST_TOLD]:
        lines.append(f"rejected: {safe(one.title)}: {safe('; '.join(one.reasons))}")
    if len(fest.rejected) > MOST_TOLD:
        lines.append(f"… and {len(fest.rejected) - MOST_TOLD} more, in fest.json")
    return lines


def told_duels(duels: Duels, session: "Session") -> list[str]:
    """What is said of what they found: who passes whose cases, and which cases are the only ones."""
    from harness.report.words import safe
    from harness.text import table

    rows = [["", "who passes whose cases", *map(safe, session.brought), ""]]
    for standing in session.known:
        ledger = standing.ledger
        sums = [(sum(map(ledger.passed, cases)), cases) for cases in session.brought.values()]
        cells = [
            "-" if standing.team.problem else f"{passed}/{sum(map(ledger.asked, cases))}"
            for passed, cases in sums
        ]
        rows.append(["", safe(standing.team.name), *cells, ""])
    lines = [line.strip() for line in table(rows)] if len(session.brought) <= 20 else []
    if duels.unique:
        lines += ["", "cases that alone found a bug:"]
        lines += [f"  {safe(one.title)} in {safe(victim)}" for one, victim in duels.unique[:MOST_TOLD]]
    return lines
