"""What a class misunderstands: the wrong answers of all teams, and their wrong cases, by meaning.

Why a team fails is found as for its marks (`harness.search.causes`). Here the causes of all teams are put
together. Where cases cannot tell misreadings apart, the one is taken that most of the class may have. What
no misreading explains is put together if teams give the same wrong answers; it becomes a misreading of the
course (`harness.misreadings.course`), which later runs know by its examples.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import orjson

from evolution.traits import TRAITS
from evolution.wire.text import parse
from harness.errors import UserError, WrongUse
from harness.files import read_file
from harness.fixtures.layout import compact
from harness.grading.degrees import DEGREES, EVERYTHING, OWN_OUTPUT, POINTS, allows
from harness.grading.history import numbers, run, store_of
from harness.grading.store import Store
from harness.judging.compare import meaning_key
from harness.judging.result import BadResult, Result
from harness.judging.verdicts import MISREAD, NO_OUTPUT, PASS, SAY_NOTHING, UNEARNED, WRONG
from harness.misreadings import LIBRARY, Misreading
from harness.misreadings.course import Course, CourseMisreading, Example
from harness.misreadings.seen import SEEN
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from harness.search.causes import (
    ALIKE,
    ALONE,
    CUT,
    FEATURE,
    MISREADING,
    Answered,
    Cause,
    Memory,
    answered,
    causes,
)
from harness.search.features import LEAST_FAILURES, noun

Key = tuple[str, bytes]  # a program and the meaning of an input

RESULTS, GRADING, FEST = "results.jsonl", "grading.json", "fest.json"
MOST_EXAMPLES = 5  # of a new misreading
MOST_ASKED = 20  # right answers that are looked at to say which rule is misread
LONGEST_NAME = 60


@dataclass(slots=True)
class Submission:
    """What all teams had handed in at one time: answers of their programs, and the cases that they wrote.

    A case counts as an answer, too: that of its author.
    """

    name: str
    answers: "dict[str, list[Answered]]" = field(default_factory=dict)
    written: "dict[str, list[Answered]]" = field(default_factory=dict)
    gone: int = 0  # cases whose files are no longer there
    hidden: "set[Key]" = field(default_factory=set)  # inputs that not all teams may be told,
    unsaid: "set[Key]" = field(default_factory=set)  # or whose right answers not all may be told

    @property
    def teams(self) -> set[str]:
        """The teams of which anything is known."""
        return {*self.answers, *self.written}


# Reading what grade and fest have written


def submissions(folders: "Sequence[str]") -> list[Submission]:
    """The submissions in these folders, in order; of a single one also the runs that its store remembers.

    Raises WrongUse if something is no folder of grades, and UserError if a file in one is spoilt.
    """
    found = [_latest(folder) for folder in folders]
    if len(folders) == 1:
        found[:0] = _earlier(folders[0])
        if len(found) > 1:
            found[-1].name = f"run {numbers(store_of(folders[0]))[-1]}"
    return found


class _Files:
    """The files of cases, each read once. Their paths begin where the teams were graded: here, or above."""

    def __init__(self, folder: str) -> None:
        self._folder = os.path.abspath(folder)
        self._base: str | None = None
        self._read: dict[str, bytes] = {}

    def __call__(self, path: str) -> bytes:
        """What is in a file. Raises OSError."""
        if self._base is None:
            self._base = next(
                (base for base in self._bases() if os.path.exists(os.path.join(base, path))), None
            )
        if path not in self._read:
            self._read[path] = read_file(os.path.join(self._base or "", path))
        return self._read[path]

    def _bases(self) -> "Iterator[str]":
        yield ""
        folder = self._folder
        while folder != (folder := os.path.dirname(folder)):
            yield folder


def _latest(folder: str) -> Submission:
    if not os.path.isfile(os.path.join(folder, RESULTS)):
        told = f"{folder} has no {RESULTS}: give folders that harness grade or harness fest has written"
        if os.path.isdir(os.path.join(folder, "teams")):
            told = f"{folder} is for students: give the folder that harness grade has written for staff"
        raise WrongUse(told)
    found = Submission(os.path.basename(os.path.abspath(folder)))
    results: dict[str, list[Result]] = {}
    path = os.path.join(folder, RESULTS)
    for number, line in enumerate(read_file(path).splitlines(), 1):
        try:
            result = Result.from_json(orjson.loads(line))
        except orjson.JSONDecodeError as problem:
            raise UserError(f"{path}: line {number}: not JSON: {problem}") from None
        except BadResult as problem:
            raise UserError(f"{path}: line {number}: {problem}") from None
        results.setdefault(result.team or "", []).append(result)
    read = _Files(folder)
    found.answers = {team: _answers(own, read) for team, own in results.items()}
    gone = [one.input for own in results.values() for one in own if one.input and _is_gone(one, read)]
    if gone and not any(found.answers.values()):
        raise UserError(
            f"{path}: {gone[0]} is not there: call harness misreadings where the teams were graded"
        )
    found.gone = len({*gone})
    degrees = _degrees(os.path.join(folder, GRADING))
    there = [one for own in results.values() for one in own if one.input and one.input not in gone]
    for least, untold in ((OWN_OUTPUT, found.hidden), (EVERYTHING, found.unsaid)):
        secret = (one for one in there if not allows(degrees.get(one.suite or "", EVERYTHING), least))
        untold.update((one.program, meaning_key(read(one.input))) for one in secret)
    if os.path.isfile(os.path.join(folder, FEST)):
        found.written = _written(os.path.join(folder, FEST))
    return found


def _degrees(path: str) -> dict[str, str]:
    """What every team may be told of each suite, by its name. Raises UserError."""
    if not os.path.exists(path):
        return {}
    try:
        suites = orjson.loads(read_file(path))["suites"]
        told = {one["name"]: POINTS if one["hidden"] else one.get("feedback", EVERYTHING) for one in suites}
        return {name: degree if degree in DEGREES else POINTS for name, degree in told.items()}
    except orjson.JSONDecodeError as problem:
        raise UserError(f"{path}: not JSON: {problem}") from None
    except (KeyError, TypeError):
        raise UserError(f"{path}: suites: not as harness grade writes it") from None


def _is_gone(result: Result, read: _Files) -> bool:
    try:
        return not read(result.input)
    except OSError:
        return True


def _answers(results: "Iterable[Result]", read: _Files) -> list[Answered]:
    """What a team's programs made of the cases whose files can still be read, each case once."""
    silent = SAY_NOTHING | UNEARNED  # twins of hidden cases are hidden, too
    told = [one for one in results if one.ran and one.input and one.verdict not in silent]
    once = {(one.program, one.input): one for one in told}
    return [case for case in (answered(one, read) for one in once.values()) if case.data]


def _earlier(folder: str) -> "Iterator[Submission]":
    """The runs before the last one, as far as their results are kept."""
    store, read = store_of(folder), _Files(folder)
    for number in numbers(store)[:-1] if store else ():
        states = run(store, number).get("states", {})
        kept = Store(store)
        teams = {team: _answers((one for _, one in kept.results(key)), read) for team, key in states.items()}
        if teams:
            yield Submission(f"run {number}", {team: own for team, own in teams.items() if own})


def _written(path: str) -> "dict[str, list[Answered]]":
    """The cases that teams have brought to a fest, as answers of theirs. Raises UserError."""
    found: dict[str, list[Answered]] = {}
    number = 0
    try:
        for one in orjson.loads(read_file(path))["cases"]:
            number += 1
            if one["program"] in PROGRAMS and "input" in one:
                case = _as_answer(one["case"], one["program"], one["input"].encode(), one["expected"])
                found.setdefault(one["author"], []).extend([case] if case else [])
    except orjson.JSONDecodeError as problem:
        raise UserError(f"{path}: not JSON: {problem}") from None
    except (KeyError, TypeError, AttributeError):
        where = f"cases, {number}" if number else "cases"
        raise UserError(f"{path}: {where}: not as harness fest writes it") from None
    return found


def _as_answer(name: str, program: str, data: bytes, expected: str) -> "Answered | None":
    """A case as an answer of its author; None if the rules do not read its input."""
    answer = reference(program, data)
    if answer.refused:
        return None
    right = (answer.text or "").encode()
    if meaning_key(right) == meaning_key(expected.encode()):
        return Answered(name, program, PASS, data, right)
    return Answered(name, program, WRONG if expected.strip() else NO_OUTPUT, data, right, expected)


# What is wrong in each


@dataclass(slots=True)
class Finding:
    """Why a team is wrong in some answers of a submission, or in some of its own cases."""

    at: int
    team: str
    cause: Cause
    wrong: "list[Answered]"
    every: "list[Answered]"  # all that it was asked, or has written
    in_cases: bool

    def said(self, memory: Memory) -> "dict[Key, bytes]":
        """The wrong answers, by what they answer."""
        return {_key(one, memory): memory.key(one.printed.encode()) for one in self.wrong}


def _key(one: Answered, memory: Memory) -> "Key":
    return one.program, memory.key(one.data)


def _findings(found: "Sequence[Submission]", memory: Memory) -> "Iterator[Finding]":
    for at, submission in enumerate(found):
        for in_cases, by_team in enumerate((submission.answers, submission.written)):
            for team, every in by_team.items():
                for cause in causes(every, memory):
                    wrong = [every[place] for place in cause.cases]
                    yield Finding(at, team, cause, wrong, every, bool(in_cases))


@dataclass(slots=True)
class Cluster:
    """A misreading, and who has it when. others: misreadings that no case tells apart from it."""

    misreading: "Misreading"
    findings: "list[Finding]"
    others: tuple[str, ...] = ()
    is_new: bool = False  # whether it was not known before

    @property
    def name(self) -> str:
        """What it is called."""
        return self.misreading.name

    @property
    def is_sure(self) -> bool:
        """Whether several answers of a team speak for it."""
        return any(one.cause.sure and len(one.wrong) > 1 for one in self.findings)

    def teams(self, at: int, in_cases: "bool | None" = None) -> list[str]:
        """Who has it in a submission: in programs, in cases, or in either."""
        own = [one for one in self.findings if one.at == at]
        return sorted({one.team for one in own if in_cases is None or one.in_cases is in_cases})


@dataclass(slots=True)
class Report:
    """All that is told of a class."""

    submissions: list[Submission]
    clusters: list[Cluster]
    alone: int  # wrong answers that nobody else gives, and that nothing explains

    @property
    def teams(self) -> list[str]:
        """All teams."""
        return sorted({team for one in self.submissions for team in one.teams})

    @property
    def new(self) -> list[CourseMisreading]:
        """The misreadings that were not known before."""
        found = [one.misreading for one in self.clusters if one.is_new]
        return [one for one in found if isinstance(one, CourseMisreading)]


def report_of(found: list[Submission], course: Course) -> Report:
    """What the class misunderstands, what most teams have now first."""
    memory = Memory()
    every = [*_findings(found, memory)]
    clusters = _named([one for one in every if one.cause.kind == MISREADING])
    left = [one for one in every if _is_unexplained(one, memory)]
    for own in course.own.values():
        members = [one for one in left if _has(own, one, memory)]
        left = [one for one in left if one not in members]
        clusters += [Cluster(own, members)] if members else []
    taken = {*LIBRARY, *course.own}
    alone = 0
    for members in _together(left, memory):
        if len({one.team for one in members}) > 1 or max(len(one.wrong) for one in members) >= LEAST_FAILURES:
            new = _described(members, memory, taken, {key for one in found for key in one.unsaid})
            taken.add(new.name)
            clusters.append(Cluster(new, members, is_new=True))
        else:
            alone += sum(len(one.wrong) for one in members)
    last = len(found) - 1
    clusters.sort(key=lambda one: (-len(one.teams(last)), -len({*_all_teams(one)}), one.name))
    return Report(found, clusters, alone)


def _all_teams(cluster: Cluster) -> list[str]:
    return [one.team for one in cluster.findings]


def _named(findings: list[Finding]) -> list[Cluster]:
    """The fewest misreadings of the library that may be behind these, those of most teams first."""
    clusters = []
    while findings:
        votes = Counter(dict.fromkeys(LIBRARY, 0))
        votes.update(name for one in findings for name in one.cause.names)
        best = max(LIBRARY, key=lambda name: (votes[name], name in SEEN))
        members = [one for one in findings if best in one.cause.names]
        common = set.intersection(*({*one.cause.names} for one in members))
        others = tuple(name for name in LIBRARY if name in common and name != best)
        clusters.append(Cluster(LIBRARY[best], members, others))
        findings = [one for one in findings if best not in one.cause.names]
    return clusters


def _is_unexplained(one: Finding, memory: Memory) -> bool:
    """Whether it is about whole answers to inputs of the rules that no misreading of the library explains."""
    answers = all(
        case.verdict in MISREAD
        and not case.printed.endswith(CUT)
        and memory.question(case.program, case.data) is not None
        for case in one.wrong
    )
    return one.cause.kind in (FEATURE, ALIKE, ALONE) and not one.cause.silent and answers


def _has(own: CourseMisreading, one: Finding, memory: Memory) -> bool:
    """Whether a team answers most of the examples of a misreading as they are, of those that it was asked."""
    asked = {_key(case, memory) for case in one.every}
    examples = {example.question: memory.key(example.answer.encode()) for example in own.examples}
    said = one.said(memory)
    alike = sum(said.get(key) == answer for key, answer in examples.items())
    is_described = bool(own.features) and own.features == one.cause.words
    return alike > 0 and (is_described or 2 * alike > sum(key in asked for key in examples))


def _together(findings: list[Finding], memory: Memory) -> list[list[Finding]]:
    """Findings put together that give the same wrong answers, or whose inputs have the same features."""
    groups: list[tuple[dict[Key, bytes], list[Finding]]] = []
    for one in sorted(findings, key=lambda one: -len(one.wrong)):
        said = one.said(memory)
        asked = {_key(case, memory) for case in one.every}
        for answers, members in groups:
            alike = sum(answers.get(key) == answer for key, answer in said.items())
            otherwise = sum(said.get(key) != answer for key, answer in answers.items() if key in asked)
            featured = one.cause.words and one.cause.words == members[0].cause.words
            if alike and (alike > otherwise or featured):
                members.append(one)
                break
        else:
            groups.append((said, [one]))
    return [members for _, members in groups]


# A new misreading


def _described(
    members: list[Finding], memory: Memory, taken: set[str], unsaid: "set[Key]"
) -> CourseMisreading:
    """A misreading for answers that no other one explains: by rule, by feature, and by examples.

    unsaid: inputs whose right answers students may not be told. They may read what is said here.
    """
    largest = members[0]
    counts: Counter[tuple[Key, bytes]] = Counter()
    cases: dict[tuple[Key, bytes], Answered] = {}
    for one in members:
        counts.update(one.said(memory).items())
        cases.update(((_key(case, memory), memory.key(case.printed.encode())), case) for case in one.wrong)
    common = [cases[key] for key, _ in counts.most_common(MOST_EXAMPLES)]
    examples = tuple(
        Example(case.program, compact(parse(case.data)), case.printed.strip()) for case in common
    )
    words = largest.cause.words
    program = common[0].program
    what = f"{noun(program)} in which {' and '.join(words)}" if words else f"some {noun(program)}"
    text = "" if _key(largest.wrong[0], memory) in unsaid else largest.cause.text
    told = f": {text}" if text and not words else ""
    sentence = f"is wrong about {what}{told}"
    return CourseMisreading(
        _name(words or (f"{program} {text}",), taken),
        sentence,
        _rule(largest, memory),
        examples,
        words,
    )


def _name(words: "Sequence[str]", taken: set[str]) -> str:
    """A name that nobody has, of these words."""
    text = re.sub(r"[^a-z0-9]+", "-", " and ".join(words).lower()).strip("-")
    name = text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME].rpartition("-")[0]
    number = 1
    while (found := name if number == 1 else f"{name}-{number}") in taken:
        number += 1
    return found


def _rule(one: Finding, memory: Memory) -> str:
    """The rule whose misreadings show in the wrong answers, and not in the right ones.

    If their inputs have a trait in common, it is a rule which somebody has misread about that trait.
    """
    right = [case for case in one.every if case.passed]
    right = right[:: len(right) // MOST_ASKED + 1]
    shares = []
    for cases in (one.wrong[:MOST_ASKED], right):
        questions = [found for case in cases if (found := memory.question(case.program, case.data))]
        memory.ask(LIBRARY, questions)
        shown = Counter(rule for found in questions for rule in {LIBRARY[name].rule for name in found.shown})
        shares.append({rule: count / len(questions) for rule, count in shown.items()})
    wrong, passing = shares
    traits = [trait for trait in TRAITS if trait in " ".join(one.cause.words)]
    about = [own.rule for name, own in LIBRARY.items() if any(trait in name for trait in traits)]
    rules = dict.fromkeys(about or (own.rule for own in LIBRARY.values()))
    return max(rules, key=lambda rule: wrong.get(rule, 0.0) - passing.get(rule, 0.0))


# Those that tell most


def open_clusters(report: Report) -> list[Cluster]:
    """The clusters as students may see them: no example is an input that not all may be told."""
    hidden = {key for one in report.submissions for key in one.hidden}
    found = []
    for cluster in report.clusters:
        own = cluster.misreading
        if isinstance(own, CourseMisreading):
            examples = tuple(one for one in own.examples if one.question not in hidden)
            if not examples:
                continue
            own = CourseMisreading(own.name, own.sentence, own.rule, examples, own.features)
        found.append(replace(cluster, misreading=own))
    return found


def pick(clusters: "Sequence[Cluster]", most: int) -> list[Cluster]:
    """The misreadings that tell most of the class, so many at most: each team is met, then met again.

    A team that has been met so often already counts so much less for the next one.
    """
    left, picked = [*clusters], list[Cluster]()
    met: Counter[str] = Counter()
    while left and len(picked) < most:
        best = max(left, key=lambda one: sum(1 / (1 + met[team]) ** 2 for team in {*_all_teams(one)}))
        left.remove(best)
        picked.append(best)
        met.update({*_all_teams(best)})
    return picked
