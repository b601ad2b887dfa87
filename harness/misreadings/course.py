"""The misreadings of one course: a file that `harness misreadings` writes, and that the instructor edits.

    only = ["hard-shell-is-ignored"]            misreadings of the library that are meant, by name

    [[misreading]]                              one that the library does not know
    name = "horns-scare-foragers"
    sentence = "a forager is never attacked by who has horns"
    rule = "2.9"
    features = ["the attacker has horns"]       optional: inputs of which all this holds show it
    [[misreading.example]]
    program = "xattack"
    input = "[…]"                               as JSON
    answer = "true"                             of those who have it, as JSON; empty if they print nothing

Nobody knows how such a misreading answers other inputs. So it is recognised by its examples, and a case
catches it that asks one of them, or that has all its features.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields

from evolution.wire.errors import BadInput, NotJSON
from evolution.wire.text import parse
from harness.errors import UserError, did_you_mean
from harness.files import read_toml
from harness.judging.compare import meaning_key, parse_values
from harness.misreadings import LIBRARY, Misreading, right_answer, same_answer
from harness.programs.answering import PROGRAMS

Name = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
Rule = Annotated[str, Meta(pattern=r"^[1-9][0-9]*(\.[0-9]+)*$")]
KINDS = {"str": "text in quotes", "array": "a list", "object": "a table"}
MEANT = {"name": "small letters and digits, joined by hyphens", "rule": "the number of a rule, such as 2.3"}


class _Example(Struct, frozen=True, forbid_unknown_fields=True):
    program: str
    input: str
    answer: str


class _Entry(Struct, frozen=True, forbid_unknown_fields=True):
    name: Name
    sentence: str
    rule: Rule
    example: Annotated[list[_Example], Meta(min_length=1)]
    features: list[str] = []


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    only: list[str] = []
    misreading: list[_Entry] = []


@dataclass(frozen=True, slots=True)
class Example:
    """An input of a program as text, and what those answer who have the misreading; empty for nothing."""

    program: str
    input: str
    answer: str

    @property
    def question(self) -> tuple[str, bytes]:
        """What is the same for all inputs that mean the same."""
        return self.program, meaning_key(self.input.encode())


class CourseMisreading(Misreading):
    """A misreading that was seen in a course, known by examples, and perhaps by features of inputs."""

    __slots__ = ("examples", "features")

    def __init__(
        self, name: str, sentence: str, rule: str, examples: tuple[Example, ...], features: tuple[str, ...]
    ) -> None:
        super().__init__(name, sentence, rule, ())
        self.examples = examples
        self.features = features

    @property
    def cases(self) -> dict[str, Any]:
        """The first example of each program."""
        return {one.program: parse(one.input.encode()) for one in reversed(self.examples)}

    def said(self, program: str, value: object) -> "str | None":
        """What it answers to its first example."""
        return next(one.answer for one in self.examples if one.program == program) or None


@dataclass(slots=True)
class Course:
    """What a file says: names of the library, and misreadings of its own, by name."""

    only: list[str] = field(default_factory=list)
    own: dict[str, CourseMisreading] = field(default_factory=dict)

    @property
    def library(self) -> dict[str, Misreading]:
        """All that are meant."""
        return {**{name: LIBRARY[name] for name in self.only}, **self.own}


def read_course(path: str) -> Course:
    """The misreadings in a file. Raises UserError with the place of what is wrong, and OSError."""
    tables = read_toml(path, UserError)
    try:
        found = msgspec.convert(tables, _File)
    except msgspec.ValidationError as problem:
        raise UserError(f"{path}: {_in_words(str(problem))}") from None
    course = Course([*found.only])
    for name in found.only:
        if name not in LIBRARY:
            raise UserError(f"{path}: only: there is no misreading {name}{did_you_mean(name, LIBRARY)}")
    for number, entry in enumerate(found.misreading, 1):
        where = f"{path}: [[misreading]] {number}"
        if entry.name in course.own or entry.name in LIBRARY:
            raise UserError(f"{where}: name: there is another misreading {entry.name}")
        for at, one in enumerate(entry.example, 1):
            if complaint := _wrong(one):
                raise UserError(f"{where}, [[misreading.example]] {at}: {complaint}")
        examples = tuple(Example(one.program, one.input, one.answer) for one in entry.example)
        course.own[entry.name] = CourseMisreading(
            entry.name, entry.sentence, entry.rule, examples, tuple(entry.features)
        )
    return course


def _in_words(problem: str) -> str:
    """What msgspec complains about, with the key as it is in the file."""
    complaint, _, at = problem.partition(" - at ")
    names = re.findall(r"\.([\w-]+)(?:\[(\d+)\])?", at)
    places = [
        f"[[{'.'.join(('misreading', 'example')[: depth + 1])}]] {int(index) + 1}"
        for depth, (name, index) in enumerate(names)
        if index and name in ("misreading", "example")
    ]
    keys = [name for name, index in names if name not in ("misreading", "example") or not index]
    right = _right(complaint, keys[-1] if keys else "", (_File, _Entry, _Example)[len(places)])
    return ": ".join([*([", ".join(places)] if places else []), *keys[-1:], right])


def _right(complaint: str, key: str, table: type[Struct]) -> str:
    """What would be right in a table where msgspec has this complaint about a key, or about the table."""
    name = complaint.rpartition("`")[0].rpartition("`")[2]
    if "unknown field" in complaint:
        known = [field.name for field in fields(table)]
        hint = did_you_mean(name, known) or f"; there are {', '.join(known)}"
        return f'unknown key "{name}"{hint}'
    if "missing" in complaint:
        return f"needs a {name}"
    if "regex" in complaint and key in MEANT:
        return f"must be {MEANT[key]}"
    kind = re.match("Expected `([a-z]+)`", complaint)
    least = " that is not empty" if "length" in complaint else ""
    return f"must be {KINDS[kind[1]]}{least}" if kind and kind[1] in KINDS else complaint


def _wrong(example: _Example) -> str:
    """What is wrong with an example; empty if nothing is."""
    if example.program not in PROGRAMS:
        return f"program: there is no program {example.program}{did_you_mean(example.program, PROGRAMS)}"
    try:
        right = right_answer(example.program, parse(example.input.encode()))
    except BadInput as problem:
        return f"input: {problem}"
    try:
        parse_values(example.answer.encode())
    except NotJSON as problem:
        return f"answer: {problem}"
    if same_answer(right, example.answer.strip() or None):
        return "answer: this is the right answer"
    return ""


# Writing


def course_text(entries: "list[CourseMisreading]") -> str:
    """Misreadings as tables of the file, to be put at its end."""
    return "".join(map(_table, entries))


def only_text(names: list[str]) -> str:
    """The first lines of a file that means misreadings of the library."""
    return "".join(["only = [\n", *(f"    {_quoted(name)},\n" for name in names), "]\n"])


def _table(entry: CourseMisreading) -> str:
    lines = ["", "[[misreading]]", *(f"{key} = {_quoted(getattr(entry, key))}" for key in _SAID)]
    if entry.features:
        lines.append(f"features = [{', '.join(map(_quoted, entry.features))}]")
    for one in entry.examples:
        keys = ("program", "input", "answer")
        lines += ["[[misreading.example]]", *(f"{key} = {_quoted(getattr(one, key))}" for key in keys)]
    return "\n".join(lines) + "\n"


_SAID = ("name", "sentence", "rule")


def _quoted(text: str) -> str:
    """A TOML string: a literal one, in which JSON reads best, unless that cannot hold it."""
    if "'" not in text and text.isprintable():
        return f"'{text}'"
    whole = text.encode(errors="replace").decode()
    return json.dumps(whole, ensure_ascii=False).replace("\x7f", "\\u007f")
