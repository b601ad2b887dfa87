"""What a misreading is, and how it is planted in the engine for a while.

A misreading replaces an extension point of the engine, or the few that follow one rule; when the planting is
over, everything is as it was. Several can be planted at once, as a program may have several mistakes: one
that uses what it replaces (`Around`) uses what is planted there already, as does a function that calls it.
"""

from contextlib import contextmanager
from functools import cache
from types import CodeType, FunctionType

from evolution.wire.errors import Illegal
from harness.judging.compare import parse_values, same
from harness.misreadings.extension_points import places
from harness.programs.answering import PROGRAMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeVar, TypeVarTuple

    from harness.misreadings.extension_points import Place

    F = TypeVar("F", bound=Callable[..., object])
    T = TypeVar("T")
    Given = TypeVarTuple("Given")


class Misreading:
    """A wrong implementation of the rules: right but for one thing.

    name: the misreading in hyphenated words. sentence: the same for readers. rule: the section of
    docs/rules.md that it misses. places: what it changes in the engine.
    """

    __slots__ = ("name", "places", "rule", "sentence")

    def __init__(self, name: str, sentence: str, rule: str, places: "tuple[Place, ...]") -> None:
        self.name = name
        self.sentence = sentence
        self.rule = rule
        self.places = places

    def __repr__(self) -> str:
        return f"Misreading({self.name!r})"

    @property
    def programs(self) -> tuple[str, ...]:
        """The programs whose answers show it: those that there is a smallest case for."""
        return tuple(self.cases)

    @property
    def cases(self) -> "dict[str, Any]":
        """For each program whose answers show it, a smallest input in which it shows."""
        return smallest_cases().get(self.name, {})

    def said(self, program: str, value: object) -> "str | None":
        """What a program that has it answers, as JSON text; None if it prints nothing."""
        return answer(self, program, value)


class Around:
    """A replacement that uses what it replaces: it is made when it is planted, of what stands there then."""

    __slots__ = ("make",)

    def __init__(self, make: "Callable[[Any], object]") -> None:
        self.make = make


ADDED: dict[str, Misreading] = {}  # all misreadings, by name, in the order in which they are defined


def add(rule: str, name: str, sentence: str, point: object, replacement: object) -> None:
    """Add a misreading to the library, in which an extension point of the engine is replaced."""
    add_in_several_places(rule, name, sentence, {point: replacement})


def add_in_several_places(rule: str, name: str, sentence: str, replacements: "dict[Any, object]") -> None:
    """Add a misreading of a rule that the engine follows at several extension points."""
    if name in ADDED:
        raise ValueError(f"there are two misreadings {name}")
    replaced = [
        place
        for point, new in replacements.items()
        for place in places(point, _around(point, new) if isinstance(new, FunctionType) else new)
    ]
    ADDED[name] = Misreading(name, sentence, rule, tuple(replaced))


def _around(point: object, replacement: FunctionType) -> object:
    """The replacement; if it calls what it replaces, it will call what is planted there already."""
    found = replacement.__globals__
    names = {name for name in _names(replacement.__code__) if found.get(name) is point}

    def make(before: object) -> FunctionType:
        if before is point:
            return replacement
        others = {**found, **dict.fromkeys(names, before)}
        return FunctionType(
            replacement.__code__,
            others,
            replacement.__name__,
            replacement.__defaults__,
            replacement.__closure__,
        )

    return Around(make) if names else replacement


def _names(code: CodeType) -> "Iterator[str]":
    """The global names that a function uses, and the functions in it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def adapted(rule: str, point: object, adapt: "Callable[[F], object]") -> "Callable[[F], F]":
    """A decorator: what `adapt` makes of the function replaces an extension point of the engine.

    The function's name is that of the misreading, and its docstring the sentence.
    """

    def decorate(function: "F") -> "F":
        said = function.__doc__ or ""
        sentence = said[:1].lower() + said[1:].removesuffix(".")
        add(rule, function.__name__.replace("_", "-"), sentence, point, adapt(function))
        return function

    return decorate


def replaces(
    rule: str, point: "Callable[[*Given], T]"
) -> "Callable[[Callable[[*Given], T]], Callable[[*Given], T]]":
    """A decorator: the function itself replaces an extension point of the engine."""
    return adapted(rule, point, lambda function: function)


@contextmanager
def planted(misreading: Misreading) -> "Iterator[None]":
    """While this is open, the engine reads the rules as the misreading does."""
    undo: list[Place] = []
    try:
        for owner, name, new in misreading.places:
            old = _get(owner, name)
            undo.append((owner, name, old))
            _set(owner, name, _made(new, old))
        yield
    finally:
        for owner, name, old in reversed(undo):
            _set(owner, name, old)


def _made(new: object, old: "Any") -> object:
    """What is to stand where something stands now; both may be the defaults of a function."""
    if isinstance(new, tuple):
        return tuple(_made(one, before) for one, before in zip(new, old, strict=True))
    return new.make(old) if isinstance(new, Around) else new


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


def answer(misreading: Misreading, program: str, value: object) -> "str | None":
    """What a program that has this misreading answers, as JSON text; None if it prints nothing."""
    with planted(misreading):
        return right_answer(program, value)


def same_answer(one: "str | None", other: "str | None") -> bool:
    """Whether two answers, as JSON text or None for nothing, mean the same."""
    if one == other or one is None or other is None:
        return one == other
    return same(parse_values(one.encode()), parse_values(other.encode()))


def shows(misreading: Misreading, program: str, value: object) -> bool:
    """Whether the misreading gives this input another answer than the rules do."""
    return not same_answer(right_answer(program, value), answer(misreading, program, value))


@cache
def smallest_cases() -> "dict[str, dict[str, Any]]":
    """For each misreading, and each program that can show it, a smallest input in which it shows.

    They are read once, so nobody may change them.
    """
    import json
    from importlib.resources import files

    found: dict[str, dict[str, Any]] = json.loads(files(__package__).joinpath("cases.json").read_bytes())
    return found
