"""What is wrong with fixtures, before any program is run on them.

A finding is something that makes a case worthless or misleading; a remark is something that may well
be meant, such as an ill-formed input that expects nothing.
"""

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.files import read_file
from harness.fixtures import cases
from harness.fixtures.arguments import BadArguments, arguments_of
from harness.fixtures.cases import Case, find_cases, program_of
from harness.fixtures.forms import COMMON, GENEROUS, forms_of
from harness.fixtures.naming import USUAL, Names
from harness.inputs.kinds import STEP4, usual_kind
from harness.judging.compare import meaning
from harness.programs.answering import PROGRAMS
from harness.programs.reference import Reference, contradictions, reference

EMPTY = (["fat-food", 0], ["cards", []])  # pairs that say what their absence says

LONE = "lone file"
UNREADABLE = "unreadable"
NO_PROGRAM = "no program"
ILL_FORMED = "ill-formed"
CONTRADICTED = "contradicted"
DUPLICATE = "duplicate"
GENEROUS_FORM = "generous form"  # these two only if the other form is asked for
COMMON_FORM = "common form"
KINDS = (LONE, UNREADABLE, NO_PROGRAM, ILL_FORMED, CONTRADICTED, DUPLICATE, GENEROUS_FORM, COMMON_FORM)


class Finding:
    """Something about a case: which kind of thing, what in words, and the rules' reasons for it."""

    __slots__ = ("case", "is_remark", "kind", "reasons", "twin", "words")

    def __init__(
        self,
        case: str,
        kind: str,
        words: list[str],
        reasons: "list[str] | None" = None,
        remark: bool = False,
        twin: str = "",
    ) -> None:
        self.case = case
        self.kind = kind
        self.words = words
        self.reasons = reasons or []
        self.is_remark = remark
        self.twin = twin  # the case whose input means the same


class Check:
    """One check of some folders: its findings as they come, and how many cases there were.

    If a form is asked for, common or generous, every case that is not in it is a finding.
    """

    def __init__(
        self, paths: "Iterable[str]" = (), program: str = "", form: str = "", names: Names = USUAL
    ) -> None:
        self.cases = 0
        self._paths = paths
        self._program = program
        self._form = form
        self._names = names
        self._first: dict[bytes, str] = {}  # the case in which an input was met first

    def findings(self) -> "Iterator[Finding]":
        """Whatever is found, case by case."""
        for case in find_cases(self._paths, self._names):
            yield from self.of(case, self._program or program_of(case.input))

    def of(self, case: Case, program: str) -> "Iterator[Finding]":
        """What is found of one case for a program, with regard to those before it."""
        self.cases += 1
        if case.problem:
            blessed = os.path.isfile(case.input) and not os.path.exists(case.expected)
            hint = [f"harness bless {case.input} writes what the rules answer"] if blessed else []
            yield Finding(case.name, LONE, [case.problem, *hint])
            return
        try:
            data, expected = read_file(case.input), read_file(case.expected)
            arguments_of(case)
        except BadArguments as problem:
            yield Finding(case.name, UNREADABLE, [str(problem)])
            return
        except OSError as problem:
            name = os.path.basename(problem.filename or case.name)
            yield Finding(case.name, UNREADABLE, [f"{name} cannot be read: {problem.strerror}"])
            return
        if not program:
            yield Finding(case.name, NO_PROGRAM, [cases.NO_PROGRAM])
        elif program in PROGRAMS and not case.arguments:
            yield from self._by_the_rules(case, program, data, expected)

    def _by_the_rules(self, case: Case, program: str, data: bytes, expected: bytes) -> "Iterator[Finding]":
        answer = reference(program, data)
        if answer.refused:
            meant = not expected.strip()
            refusal = [f"its input is refused: {answer.problem}"]
            yield Finding(case.name, ILL_FORMED, refusal, remark=meant)
            return
        words, places = contradictions(answer, expected)
        if words:
            yield Finding(case.name, CONTRADICTED, words, _reasons(program, data, places, answer))
        twin = self._first.setdefault(_digest(program, data), case.name)
        if twin != case.name:
            same = f"its input means the same as that of {twin}"
            yield Finding(case.name, DUPLICATE, [same], twin=twin)
        if self._form:
            yield from self._of_another_form(case, forms_of(program, parse(data)))

    def _of_another_form(self, case: Case, forms: tuple[str, ...]) -> "Iterator[Finding]":
        if forms and self._form == COMMON:
            yield Finding(case.name, GENEROUS_FORM, [f"others need not read {', '.join(forms)}"])
        elif not forms and self._form == GENEROUS:
            yield Finding(case.name, COMMON_FORM, ["every program reads it"])


def _reasons(program: str, data: bytes, places: set[str], answer: Reference) -> list[str]:
    """What the rules make of the input, as far as it concerns these places."""
    from harness.explain.programs import explain

    if answer.problem:
        return []
    return explain(program, parse(data)).lines_about(places)


def _digest(program: str, data: bytes) -> bytes:
    """A hash that is equal for inputs of a program that mean the same."""
    from harness.fixtures.layout import compact

    try:
        value = _without_empty(parse(data))
    except BadInput:  # pragma: no cover (it has been read before)
        value = None
    # In an Action4, a trait's slot is a number, so there the order of traits counts.
    told = value if usual_kind(program) == STEP4 else meaning(value)
    return blake2b(f"{program} {compact(told)}".encode(), digest_size=16).digest()


def _without_empty(value: object) -> object:
    """The value without the pairs that may as well be left out."""
    if type(value) is not list:
        return value
    return [_without_empty(part) for part in value if part not in EMPTY]
