"""What the rules answer to an input, asked in this process.

`reference` is the one place where an input meets the reference engine outside the programs themselves:
fixtures are checked, blessed, generated and explained by it, and programs are compared with it.
"""

from functools import cache
from importlib import import_module

from evolution.wire.errors import BadInput, Illegal, NotJSON
from evolution.wire.text import parse
from harness.programs.answering import PROGRAMS, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.events.attacks import Seen


class Reference:
    """The answer to an input: its text, or None for nothing; and what is wrong with it, if anything."""

    __slots__ = ("problem", "text")

    def __init__(self, text: "str | None", problem: "BadInput | None" = None) -> None:
        self.text = text
        self.problem = problem

    @property
    def refused(self) -> bool:
        """Whether the input is ill-formed, so that the rules have nothing to say about it."""
        return self.problem is not None and not isinstance(self.problem, Illegal)

    @property
    def printed(self) -> bytes:
        """What the program prints."""
        return b"" if self.text is None else f"{self.text}\n".encode()


def reference(program: str, given: object) -> Reference:
    """What the program answers to an input, which is a JSON value or the bytes of one."""
    try:
        return Reference(PROGRAMS[program]()(parse(given) if isinstance(given, bytes) else given))
    except BadInput as problem:
        return Reference(None, refused(given, problem) if isinstance(given, bytes) else problem)


@cache
def function_at(place: str) -> "Any":
    """The function that a row of the table of programs names as "module:function"."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def watch(program: str, value: object) -> "tuple[str | None, Seen]":
    """The answer to an input as JSON text, None for nothing, and the rule events on the way to it.

    Raises Malformed if it is not an input of the program.
    """
    seen: Seen = {}
    place = PROGRAMS[program].events
    if place:
        return function_at(place)(seen, value), seen
    return well_formed(reference(program, value)).text, seen


def well_formed(answer: Reference) -> Reference:
    """The answer itself. Raises BadInput if the input was refused."""
    if answer.refused and answer.problem is not None:
        raise answer.problem
    return answer


def contradictions(answer: Reference, expected: bytes) -> tuple[list[str], set[str]]:
    """In what an expected output differs from the rules' answer, in words, and the places that this is about.

    There are no words if it does not differ.
    """
    from harness.judging.compare import differences, parse_values
    from harness.judging.difference import about
    from harness.judging.sentences import sentences

    try:
        wanted = parse_values(expected)
    except NotJSON as problem:
        return [f"the expected output is {problem}"], set()
    right = parse_values(answer.printed)
    if len(wanted) != len(right):
        reason = f", because {answer.problem}" if answer.problem else ""
        said = "one value" if right else f"nothing{reason}"
        return [f"{_count(wanted)} expected, but the rules print {said}"], set()
    found = differences(right[0], wanted[0]) if right else []
    return sentences(found), about(found)


def _count(values: list[object]) -> str:
    if len(values) < 2:
        return "one value is" if values else "nothing is"
    return f"{len(values)} values are"
