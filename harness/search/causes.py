"""Why a program fails: its failures, grouped by what they have in common.

First come misreadings: one that answers failed cases as the program does, and that shows in no case which the
program has answered rightly. A program has several mistakes, so the fewest misreadings are looked for that
explain the most, and a case in which two of them meet is tried with both. Misreadings that these cases cannot
tell apart are told as one. What none explains is described by a feature of the input that separates it from
what passes (`harness.search.features`), by what the program said, or by how its answers differ. The rest
stands alone.

All teams of a class are asked the same cases, so what the library answers to them is asked once (`Memory`).
"""

import re
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import permutations

from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.text import parse
from harness.judging.compare import differences, meaning_key, parse_values
from harness.judging.sentences import sentences
from harness.judging.verdicts import CRASHED, MISREAD, NO_OUTPUT, PASSES, UNDESERVED, UNEARNED, WRONG
from harness.misreadings import LIBRARY, planted
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from harness.search.features import LEAST_FAILURES, LEAST_SHARE, OF_FORM, Separation, features_of, separating
from harness.search.shrink import case_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from harness.judging.result import Result

# The kinds of causes.
MISREADING = "misreading"  # a misreading of the library answers so, or one of several
RULES = "rules"  # the program answers as the rules do, and the case expects something else
SILENCE = "silence"  # it answers none of the cases of a program,
CONSTANT = "constant"  # or all of them alike,
ECHO = "echo"  # or with their inputs
FEATURE = "feature"  # a feature of the input separates it from what passes
MESSAGE = "message"  # the program does not answer, and says the same on standard error
ALIKE = "alike"  # the answers differ from the right ones in the same way
ALONE = "alone"  # nothing that others have

SPOKEN = MISREAD - {NO_OUTPUT}  # those on what is more than silence
NOTHING = b""  # what stands for no answer
LOST = b"lost"  # what stands for an engine that a misreading has led astray
CUT = "…"  # at the end of an output of which only the beginning is kept
LONGEST_MESSAGE = 160
MOST_TIMES = 4  # as many failures without an explanation as with one, and the explanation is doubtful
MOST_THIN = 3  # explanations of a single failure each; more of them are chance
DOUBTS = 4  # a misreading is tried only if it explains so many failures for each case in which it is hidden
MOST_TRIED = 40  # failures that all misreadings are tried on beside others
MOST_ORDERED = 3  # misreadings that are tried in each order
TIMES = 2  # as many failures as any misreading explains, and a feature goes before them


@dataclass(frozen=True, slots=True)
class Answered:
    """A case that a program was asked, and what became of it.

    What was printed is of no interest if it has passed.
    """

    name: str
    program: str
    verdict: str
    data: bytes = b""
    expected: bytes = b""
    printed: str = ""
    stderr: str = ""

    @property
    def passed(self) -> bool:
        """Whether the answer was the expected one."""
        return self.verdict in PASSES


@dataclass(frozen=True, slots=True)
class Cause:
    """What some failures have in common. It is a value; `harness.search.cause_words` puts it into words.

    cases: the places of these failures among all cases, the smallest first. programs: how many of them each
    program has. names: the misreadings that answer so, which cannot be told apart here. words: the features
    that separate them from what passes, all at once; passing: how many passes have them nevertheless; missed:
    how many other failures of these programs no misreading explains. silent: whether none is answered.
    text: what is said on standard error, or how the smallest differs. every: whether these are all cases that
    the program was asked. sure: whether several cases of a program speak for it, and no failure is
    left in which it should show.
    """

    kind: str
    cases: tuple[int, ...]
    programs: tuple[tuple[str, int], ...]
    names: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    passing: int = 0
    missed: int = 0
    silent: bool = False
    text: str = ""
    every: bool = False
    sure: bool = True

    @property
    def smallest(self) -> int:
        """The case to look at."""
        return self.cases[0]


# What is known of inputs


@dataclass(slots=True)
class _Question:
    """An input: its value, what the rules answer, and for misreadings that answer otherwise, what they do."""

    program: str
    value: "Any"
    text: "str | None"
    right: bytes
    size: "Any"
    shown: "dict[str, bytes]" = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)
    met: "dict[str, bytes]" = field(default_factory=dict)  # what several misreadings at once do
    _features: "tuple[str, ...] | None" = None

    @property
    def features(self) -> tuple[str, ...]:
        """What can be said of it in a few words."""
        if self._features is None:
            self._features = features_of(self.program, self.value)
        return self._features


class Memory:
    """What the rules and the misreadings answer to inputs, each asked once, whoever is judged by it."""

    def __init__(self) -> None:
        self._questions: dict[tuple[str, bytes], _Question | None] = {}
        self._keys: dict[bytes, bytes] = {}
        self._same: dict[bytes, bytes] = {}  # each key once

    def question(self, program: str, data: bytes) -> "_Question | None":
        """What is known of an input; None if the rules have nothing to say about it."""
        key = program, data
        if key not in self._questions:
            self._questions[key] = _question(program, data)
        return self._questions[key]

    def key(self, printed: bytes) -> bytes:
        """What is the same for all answers that mean the same."""
        if printed not in self._keys:
            self._keys[printed] = _key(printed)
        return self._keys[printed]

    def ask(self, names: "Iterable[str]", questions: "Iterable[_Question]") -> None:
        """Ask misreadings what they answer, as far as that is not known."""
        todo = list(questions)
        for name in names:
            own = LIBRARY[name].programs  # with others it may never come to an end
            new = [one for one in todo if name not in one.asked and one.program in own]
            if not new:
                continue
            with planted(LIBRARY[name]):
                for one in new:
                    one.asked.add(name)
                    answer = _answer(one)
                    if answer != one.right:
                        one.shown[name] = self._same.setdefault(answer, answer)  # many answer alike

    def together(self, names: tuple[str, ...], question: _Question) -> bytes:
        """What an engine with all these misreadings at once answers, those that the program can show."""
        names = tuple(name for name in names if question.program in LIBRARY[name].programs)
        if not names:
            return question.right
        told = " ".join(names)
        if told not in question.met:
            with ExitStack() as planting:
                for name in names:
                    planting.enter_context(planted(LIBRARY[name]))
                question.met[told] = _answer(question)
        return question.met[told]


def _question(program: str, data: bytes) -> "_Question | None":
    if program not in PROGRAMS:
        return None
    try:
        value = parse(data)
        answer = reference(program, value)
        if answer.refused:
            return None
        size = case_size(program, value)
    except (BadInput, ValueError, TypeError, KeyError, RecursionError):
        return None
    return _Question(program, value, answer.text, _key((answer.text or "").encode()), size)


def _key(printed: bytes) -> bytes:
    return meaning_key(printed) if printed.strip() else NOTHING


def _answer(question: _Question) -> bytes:
    """What the engine, as it is now, answers."""
    try:
        text = reference(question.program, question.value).text
    except Exception:  # a misread rule may lead where the engine never comes
        return LOST
    return question.right if text == question.text else _key((text or "").encode())


# The search


class _Search:
    """The search for the causes of one set of failures."""

    def __init__(self, cases: "Sequence[Answered]", memory: Memory) -> None:
        self.cases = cases
        self.memory = memory
        self.asked = [memory.question(one.program, one.data) for one in cases]
        self.left = [at for at, one in enumerate(cases) if not one.passed]
        self.speaking = {
            one.program for one in cases if (one.passed and one.expected.strip()) or one.verdict in SPOKEN
        }
        self.said = {at: self._said(at) for at in self.left}
        self.right = {
            program: [
                question
                for one, question in zip(cases, self.asked, strict=True)
                if question and one.passed and one.program == program
                if memory.key(one.expected) == question.right
            ]
            for program in {one.program for one in cases}
        }
        self.causes: list[Cause] = []
        self.refuted: set[str] = set()  # misreadings that something contradicts

    def _said(self, at: int) -> "bytes | None":
        """What the program answered, if it is something that a misreading could answer."""
        case = self.cases[at]
        if case.verdict not in MISREAD or case.printed.endswith(CUT) or self.asked[at] is None:
            return None
        if case.verdict == NO_OUTPUT:  # a wrong silence says nothing of who never answers
            known = case.program in self.speaking or self.question(at).right == NOTHING
            return NOTHING if known else None
        return self.memory.key(case.printed.encode())

    def question(self, at: int) -> _Question:
        question = self.asked[at]
        assert question is not None
        return question

    def size(self, at: int) -> "Any":
        question = self.asked[at]
        return (0, question.size, at) if question else (1, len(self.cases[at].data), at)

    def take(self, kind: str, cases: "Iterable[int]", **more: "Any") -> None:
        """A cause is found: these failures need no other one."""
        ordered = tuple(sorted(cases, key=self.size))
        programs = Counter(self.cases[at].program for at in ordered)
        counts = tuple(
            (program, programs[program]) for program in (*PROGRAMS, *programs) if programs[program]
        )
        self.causes.append(Cause(kind, ordered, tuple(dict.fromkeys(counts)), **more))
        taken = set(ordered)
        self.left = [at for at in self.left if at not in taken]

    def programs(self) -> list[str]:
        """The programs that have failures left."""
        return list(dict.fromkeys(self.cases[at].program for at in self.left))

    def left_of(self, program: str) -> list[int]:
        return [at for at in self.left if self.cases[at].program == program]

    # --- what needs no library --------------------------------------------------------------------

    def wrong_cases(self) -> None:
        """Failures in which the program answers as the rules do."""
        found = [
            at
            for at in self.left
            if self.said[at] is not None
            and self.said[at] == self.question(at).right != self.memory.key(self.cases[at].expected)
        ]
        if found:
            self.take(RULES, found)

    def idle(self) -> None:
        """Failures of programs that always answer nothing, one and the same, or their input."""
        for program in self.programs():
            failures = [at for at in self.left_of(program) if self.cases[at].verdict in MISREAD | UNEARNED]
            asked = [
                one
                for one in self.cases
                if one.program == program and (one.passed or one.verdict in MISREAD | UNEARNED)
            ]
            told = [self._told(one) for one in asked]
            if len(failures) < LEAST_FAILURES:
                continue
            if len(set(told)) == 1:
                one = self.cases[min(failures, key=self.size)]
                text = _message(one.stderr) if told[0] == NOTHING else one.printed.strip()[:LONGEST_MESSAGE]
                kind = SILENCE if told[0] == NOTHING else CONSTANT
                self.take(kind, failures, silent=told[0] == NOTHING, every=True, text=text)
            elif told == [self.memory.key(one.data) for one in asked]:
                self.take(ECHO, failures, every=True)

    def _told(self, case: Answered) -> bytes:
        """What a program answered, be it right or wrong."""
        return self.memory.key(case.expected if case.passed else case.printed.encode())

    # --- misreadings ------------------------------------------------------------------------------

    def candidates(self, cases: "Iterable[int]") -> list[str]:
        """The misreadings that answer any of these cases as the program does, in the order of the library."""
        found: set[str] = set()
        for program in {self.cases[at].program for at in cases}:
            own = [at for at in cases if self.cases[at].program == program and self.said[at] is not None]
            names = [name for name, one in LIBRARY.items() if program in one.programs]
            self.memory.ask(names, (self.question(at) for at in own))
            for at in own:
                shown = self.question(at).shown
                found.update(name for name, answer in shown.items() if answer == self.said[at])
        return [name for name in LIBRARY if name in found]

    def explained(self, name: str) -> list[int]:
        """The failures that are left which a misreading explains by itself, unless it is in doubt.

        In a program where it shows in more failures that are answered otherwise it explains none.
        """
        found = []
        for program in self.programs() if name not in self.refuted else ():
            own = [at for at in self.left_of(program) if self.said[at] is not None]
            showing = [at for at in own if name in self.question(at).shown]
            alike = [at for at in showing if self.question(at).shown[name] == self.said[at]]
            if 2 * len(alike) > len(showing):
                found += alike
        return [] if self._is_doubtful((), name, len(found) // DOUBTS) else found

    def misreadings(self) -> None:
        """Explain what misreadings explain, by as few of them as possible.

        One is found after the other, each on top of those before: the one that explains most of what is left.
        In the end each must hold beside all the others, with every case that was asked.
        """
        chosen: list[tuple[str, ...]] = []
        left = [at for at in self.left if self.said[at] is not None]
        while left:
            equal, cases = self._next(tuple(names[0] for names in chosen), left)
            if not equal:
                break
            chosen.append(equal)
            left = [at for at in left if at not in cases]
        names = tuple(equal[0] for equal in chosen)
        found = self._shared(names)
        rest = [at for at in self.left if not any(at in cases for cases in found)]
        dropped = (
            self._contradicted(names) | self._doubtful(chosen, found, rest) | self._helped(chosen, found)
        )
        if dropped:
            self.refuted |= dropped
            self.plain_features()  # which may be what seemed to be that misreading
            self.misreadings()
            return
        for place, (equal, cases) in enumerate(zip(chosen, found, strict=True)):
            if cases:
                equal = tuple(name for name in equal if self._holds(names, place, name))  # noqa: PLW2901
                several = max(Counter(self.cases[at].program for at in cases).values()) > 1
                hidden = [question for at in rest if (question := self.asked[at]) is not None]
                sure = several and not any(self._shows(equal[0], question) for question in hidden)
                self.take(MISREADING, cases, names=equal, sure=sure)

    def _holds(self, names: tuple[str, ...], place: int, name: str) -> bool:
        """Whether nothing contradicts a misreading that stands at the place of one that explains the same."""
        return name == names[place] or name not in self._contradicted(
            (*names[:place], *names[place + 1 :], name)
        )

    def _next(self, base: tuple[str, ...], left: list[int]) -> "tuple[tuple[str, ...], list[int]]":
        """The misreading that, beside these, explains most of what is left, and those that do the same."""
        likely = []
        for name in self._likely(base, left):
            own = [at for at in left if self.cases[at].program in LIBRARY[name].programs]
            alike = [at for at in own if self._answers(base, name, self.question(at)) == self.said[at]]
            showing = sum(self._changes(base, name, self.question(at)) for at in own)
            if alike and 2 * len(alike) > showing:
                likely.append((alike, name))
        found: list[str] = []
        most: list[int] = []
        for alike, name in sorted(likely, key=lambda one: -len(one[0])):
            if len(alike) < len(most):
                break
            if (not most or alike == most) and not self._is_doubtful(base, name, len(alike) // DOUBTS):
                most = alike
                found.append(name)
        return tuple(found), most

    def _likely(self, base: tuple[str, ...], left: list[int]) -> list[str]:
        """The misreadings that explain any of what is left."""
        if not base:
            names = self.candidates(left)
        else:
            programs = {self.cases[at].program for at in left}
            few = sorted(left, key=self.size)[:MOST_TRIED]
            names = [
                name
                for name, one in LIBRARY.items()
                if not programs.isdisjoint(one.programs) and name not in base
                if any(
                    self._answers(base, name, self.question(at)) == self.said[at]
                    for at in few
                    if self.cases[at].program in one.programs
                )
            ]
        return [name for name in names if name not in self.refuted]

    def _answers(self, base: tuple[str, ...], name: str, question: _Question) -> bytes:
        """What misreadings and one more answer together."""
        if not base:
            self.memory.ask([name], [question])
            return question.shown.get(name, question.right)
        return self.memory.together((*base, name), question)

    def _changes(self, base: tuple[str, ...], name: str, question: _Question) -> bool:
        """Whether a misreading makes a difference beside others."""
        before = self.memory.together(base, question) if base else question.right
        return self._answers(base, name, question) != before

    def _is_doubtful(self, base: tuple[str, ...], name: str, most: int) -> bool:
        """Whether a misreading should show in more cases that need no other reason than those before it.

        These are cases that are right, and failures that the others explain. Another one may hide it in some.
        """
        doubts = 0
        for program in LIBRARY[name].programs:
            for question in self.right.get(program, ()):
                doubts += self._shows(name, question) and self._changes(base, name, question)
                if doubts > most:
                    return True
        for at in self.left if base else ():
            if self.said[at] is not None:
                question = self.question(at)
                explained = self.said[at] == self.memory.together(base, question)
                doubts += explained and self._changes(base, name, question)
        return doubts > most

    def _shows(self, name: str, question: _Question) -> bool:
        self.memory.ask([name], [question])
        return name in question.shown

    def _contradicted(self, names: tuple[str, ...]) -> set[str]:
        """Of these misreadings the first that something contradicts which the others explain without it."""
        for name in reversed(names):
            others = tuple(other for other in names if other != name)
            for program in LIBRARY[name].programs:
                asked = [(question, question.right) for question in self.right.get(program, ())]
                asked += [
                    (self.question(at), said)
                    for at, said in self.said.items()
                    if said is not None and self.cases[at].program == program
                ]
                for question, said in asked:
                    if not self._shows(name, question) and not others:
                        continue
                    if not self._fits(names, question, said) and self._fits(others, question, said):
                        return {name}
        return set()

    def _fits(self, names: tuple[str, ...], question: _Question, said: bytes) -> bool:
        """Whether these misreadings together answer so, in whatever order they are read into the rules.

        Those that show come last: two may change the same function, and the last one does.
        """
        showing = [name for name in names if self._shows(name, question)]
        if not showing:
            return said == question.right
        hidden = tuple(name for name in names if name not in showing)
        orders = permutations(showing) if len(showing) <= MOST_ORDERED else (tuple(showing),)
        return any(
            self.memory.together(order, question) == said
            or (hidden and self.memory.together((*hidden, *order), question) == said)
            for order in orders
        )

    def _shared(self, names: tuple[str, ...]) -> list[list[int]]:
        """For each of the misreadings the failures that it explains, alone or with the others."""
        found: list[list[int]] = [[] for _ in names]
        for at in self.left:
            said = self.said[at]
            if said is None or not self._fits(names, self.question(at), said):
                continue
            question = self.question(at)
            alone = [place for place, name in enumerate(names) if question.shown.get(name) == said]
            showing = [place for place, name in enumerate(names) if name in question.shown]
            for place in (alone or showing)[-1:]:  # where two meet, it speaks for the rarer one
                found[place].append(at)
        return found

    def _doubtful(
        self, chosen: "list[tuple[str, ...]]", found: "list[list[int]]", rest: list[int]
    ) -> set[str]:
        """Misreadings that may well answer so by chance, because nothing or nearly as many explain the rest.

        For a program with an unknown mistake some misreading answers this or that case like it. Where answers
        are true or false, nearly every one does. So a name for a single failure of a program needs that there
        are fewer failures without any explanation than such names.
        """
        unexplained = Counter(self.cases[at].program for at in rest)
        counts = [Counter(self.cases[at].program for at in cases) for cases in found]
        thin = Counter(program for own in counts if max(own.values(), default=0) == 1 for program in own)
        return {
            name
            for names, own in zip(chosen, counts, strict=True)
            if own
            for name in names
            if all(
                unexplained[program] > MOST_TIMES * count
                or (
                    max(own.values()) == 1
                    and (thin[program] > MOST_THIN or unexplained[program] >= thin[program])
                )
                for program, count in own.items()
            )
        }

    def _helped(self, chosen: "list[tuple[str, ...]]", found: "list[list[int]]") -> set[str]:
        """Misreadings for which a single failure speaks, and only beside another one: chance."""
        return {
            name
            for names, cases in zip(chosen, found, strict=True)
            if len(cases) == 1
            for name in names
            if self.question(cases[0]).shown.get(name) != self.said[cases[0]]
        }

    # --- features, and what else they have in common ----------------------------------------------

    def refusals(self) -> None:
        """Describe by its form what is not answered: who cannot read a form has misread no rule by that."""
        for program in self.programs():
            while found := self._feature(program, silent=True):
                taken, separation = found
                if separation.passing or not OF_FORM.issuperset(separation.words):
                    break
                self._take_feature(taken, separation)

    def plain_features(self) -> None:
        """Describe what one feature alone separates, if no misreading explains half as much of it.

        That is a mistake which the library does not know: several misreadings would only explain parts of it.
        """
        for program in self.programs():
            while found := self._feature(program):
                taken, separation = found
                if len(separation.words) > 1 or separation.passing:
                    break
                if len(taken) < max(LEAST_FAILURES, TIMES * self._most_explained(taken)):
                    break
                self._take_feature(taken, separation)

    def features(self) -> None:
        """Describe what is left by features of the inputs, the most telling first."""
        for program in self.programs():
            while found := self._feature(program):
                self._take_feature(*found)

    def _feature(self, program: str, silent: bool = False) -> "tuple[list[int], Separation] | None":
        """The failures of a program that are left and that a feature separates best, and how well it does.

        If only silent ones are looked at, a pass without an answer says nothing either.
        """
        failures = [at for at in self.left_of(program) if self.asked[at] is not None]
        passes = self.right[program]
        if silent:
            failures = [at for at in failures if self.cases[at].verdict == NO_OUTPUT]
            passes = [one for one in passes if one.right != NOTHING]
        found = separating([self.question(at).features for at in failures], [one.features for one in passes])
        return ([failures[at] for at in found.failing], found) if found else None

    def _take_feature(self, cases: list[int], found: Separation) -> None:
        """Take failures that a feature describes, and those of other programs that it describes as well."""
        words, passing = {*found.words}, found.passing
        for program in self.programs():
            if program == self.cases[cases[0]].program:
                continue
            own = [at for at in self.left_of(program) if self._has(words, self.asked[at])]
            among = sum(self._has(words, one) for one in self.right[program])
            if own and len(own) >= LEAST_SHARE * (len(own) + among):
                cases, passing = [*cases, *own], passing + among
        self.take(FEATURE, cases, words=found.words, passing=passing, silent=self._are_silent(cases))

    def _are_silent(self, cases: "Iterable[int]") -> bool:
        return all(self.cases[at].verdict == NO_OUTPUT for at in cases)

    def _most_explained(self, cases: list[int]) -> int:
        """How many of these failures one misreading explains at most."""
        names = self.candidates(cases)
        return max((len({*self.explained(name)} & {*cases}) for name in names), default=0)

    def _has(self, words: set[str], question: "_Question | None") -> bool:
        return question is not None and words.issubset(question.features)

    def likeness(self) -> None:
        """Put together what says the same on standard error, or differs alike; the rest is alone."""
        groups: dict[tuple[str, str, object], list[int]] = {}
        for at in self.left:
            case = self.cases[at]
            groups.setdefault((case.program, *self._likeness(at)), []).append(at)
        for (program, kind, _), cases in groups.items():
            if len(cases) >= LEAST_FAILURES and kind != ALONE:
                smallest = min(cases, key=self.size)
                every = sum(one.program == program for one in self.cases) == len(cases)
                text = _message(self.cases[smallest].stderr) if kind == MESSAGE else self._differs(smallest)
                self.take(kind, cases, text=text, every=every, silent=self._are_silent(cases))
        for at in sorted(self.left, key=self.size):
            self.take(ALONE, [at], text=self._differs(at) if self.said[at] is not None else "")

    def _likeness(self, at: int) -> "tuple[str, object]":
        case = self.cases[at]
        if case.verdict not in MISREAD or case.verdict == NO_OUTPUT:
            said = _message(case.stderr)
            return (
                (MESSAGE, (case.verdict, re.sub(r"-?[0-9]+", "#", said))) if said else (ALIKE, case.verdict)
            )
        found = self._differences(at)
        return (ALIKE, found[0].likeness) if found else (ALONE, at)

    def _differences(self, at: int) -> "list[Any]":
        question = self.asked[at]
        if question is None or question.text is None:
            return []
        try:
            printed = parse_values(self.cases[at].printed.encode())
            return differences(parse_values(question.text.encode())[0], printed[0]) if printed else []
        except NotJSON:
            return []

    def _differs(self, at: int) -> str:
        return next(iter(sentences(self._differences(at)[:1])), "")


def _message(stderr: str) -> str:
    """The last line on standard error, which says most."""
    lines = [line.strip() for line in stderr.strip().splitlines() if line.strip()]
    return lines[-1][:LONGEST_MESSAGE] if lines else ""


def causes(cases: "Sequence[Answered]", memory: "Memory | None" = None) -> list[Cause]:
    """Why these cases failed, those with most failures of each kind first.

    All cases of one team belong in here, those that have passed as well: they are what contradicts.
    """
    search = _Search(cases, memory or Memory())
    if not search.left:
        return []
    steps: "list[Callable[[], None]]" = [
        search.wrong_cases,
        search.idle,
        search.refusals,
        search.plain_features,
        search.misreadings,
        search.features,
        search.likeness,
    ]
    for step in steps:
        if search.left:
            step()
    found = [_with_rest(one, search.causes) if one.kind == FEATURE else one for one in search.causes]
    order = (SILENCE, CONSTANT, ECHO, MISREADING, FEATURE, MESSAGE, ALIKE, RULES, ALONE)
    return sorted(found, key=lambda one: (order.index(one.kind), -len(one.cases), one.cases))


def _with_rest(cause: Cause, every: "Iterable[Cause]") -> Cause:
    """The cause with the number of other failures of its programs that nothing explains better."""
    programs = {program for program, _ in cause.programs}
    rest = [one for one in every if one is not cause and one.kind not in (MISREADING, RULES)]
    return replace(
        cause, missed=sum(count for one in rest for program, count in one.programs if program in programs)
    )


def answered(result: "Result", read: "Callable[[str], bytes]") -> Answered:
    """The case that a result is about, or its twin if that was answered wrongly; `read` reads a file."""
    try:
        data, expected = read(result.input), read(result.expected)
    except OSError:
        data = expected = b""
    verdict = result.verdict
    if verdict == UNDESERVED and result.twin:
        data = result.twin.encode()
        silence = CRASHED if (result.exit or 0) < 0 else NO_OUTPUT
        verdict = WRONG if result.stdout.strip() else silence
    return Answered(result.case, result.program, verdict, data, expected, result.stdout, result.stderr)
