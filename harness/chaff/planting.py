"""What a misreading is, and how it is planted in the engine for a while.

A misreading replaces one function of the engine, or one entry of the trait table. A function is replaced
wherever the engine looks it up, under whatever module it was imported into; when the planting is over,
everything is as it was.
"""

from contextlib import contextmanager
from types import FunctionType

from evolution import actions, attack, cards, feeding, silly, species, table, traits, turn
from evolution.table import Table
from evolution.traits import TRAITS, Trait
from evolution.wire import action4, reading, writing
from evolution.wire.errors import Illegal
from harness.judging.compare import parse_values, same
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar

    F = TypeVar("F", bound=Callable[..., object])
    # Where something stands, under which name, and what is to stand there.
    Place = tuple[object, str, object]

ENGINE = (actions, attack, cards, feeding, species, table, traits, turn, silly, action4, reading, writing)


class Patch:
    """One thing of the engine that is replaced, in all places where it stands."""

    __slots__ = ("places",)

    def __init__(self, *places: "Place") -> None:
        self.places = places


class Chaff:
    """A wrong implementation: right but for one misreading.

    name: the misreading in hyphenated words. sentence: the same for readers. rule: the section of
    docs/rules.md that it misses. programs: those whose answers can show it.
    """

    __slots__ = ("name", "patch", "programs", "rule", "sentence")

    def __init__(self, name: str, sentence: str, rule: str, programs: tuple[str, ...], patch: Patch) -> None:
        self.name = name
        self.sentence = sentence
        self.rule = rule
        self.programs = programs
        self.patch = patch

    def __repr__(self) -> str:
        return f"Chaff({self.name!r})"


def function(original: "F", replacement: "F") -> Patch:
    """A function of the engine is replaced, wherever it is looked up."""
    return Patch(*_lookups(original, replacement))


def method(name: str, replacement: "Callable[..., object]") -> Patch:
    """A method of the table is replaced."""
    return Patch((Table, name, replacement))


def trait(name: str, entry: Trait) -> Patch:
    """An entry of the trait table is replaced."""
    return Patch((TRAITS, name, entry))


def _lookups(original: object, replacement: object) -> "Iterator[Place]":
    """All names in the engine that mean this function, and the parameters that it is the default of."""
    for module in ENGINE:
        for name, found in vars(module).items():
            if found is original:
                yield module, name, replacement
            elif isinstance(found, FunctionType) and original in (found.__defaults__ or ()):
                defaults = found.__defaults__ or ()
                yield (
                    found,
                    "__defaults__",
                    tuple(replacement if one is original else one for one in defaults),
                )


@contextmanager
def planted(chaff: Chaff) -> "Iterator[None]":
    """While this is open, the engine reads the rules as the misreading does."""
    undo: list[Place] = []
    try:
        for owner, name, new in chaff.patch.places:
            undo.append((owner, name, _get(owner, name)))
            _set(owner, name, new)
        yield
    finally:
        for owner, name, old in reversed(undo):
            _set(owner, name, old)


def _get(owner: "Any", name: str) -> object:
    return owner[name] if type(owner) is dict else getattr(owner, name)


def _set(owner: "Any", name: str, new: object) -> None:
    if type(owner) is dict:
        owner[name] = new
    else:
        setattr(owner, name, new)


def right_answer(program: str, value: object) -> "str | None":
    """What a program answers, as JSON text; None if it prints nothing. Raises Malformed for no input."""
    try:
        return PROGRAMS[program]()(value)
    except Illegal:
        return None


def answer(chaff: Chaff, program: str, value: object) -> "str | None":
    """The same of a program that has this misreading."""
    with planted(chaff):
        return right_answer(program, value)


def same_answer(one: "str | None", other: "str | None") -> bool:
    """Whether two answers, as JSON text or None for nothing, mean the same."""
    if one == other or one is None or other is None:
        return one == other
    return same(parse_values(one.encode()), parse_values(other.encode()))


def shows(chaff: Chaff, program: str, value: object) -> bool:
    """Whether the misreading gives this input another answer than the rules do."""
    return not same_answer(right_answer(program, value), answer(chaff, program, value))
