"""What the rules answer: the five programs that have rules, asked in this process.

This is the one place where a case's input meets the reference engine outside the programs themselves;
fixtures are checked and blessed by it.
"""

from evolution.wire.errors import BadInput, Illegal, NotJSON
from evolution.wire.text import parse
from harness.programs.answering import PROGRAMS, refused


class Reference:
    """The answer to an input: its text, or None for nothing; and why there is none, if that has a reason.

    `refused`: the input is ill-formed, so that the rules have nothing to say about it.
    """

    __slots__ = ("problem", "refused", "text")

    def __init__(self, text: "str | None", problem: str = "", refused: bool = False) -> None:
        self.text = text
        self.problem = problem
        self.refused = refused

    @property
    def printed(self) -> bytes:
        """What the program prints."""
        return b"" if self.text is None else f"{self.text}\n".encode()


def reference(program: str, data: bytes) -> Reference:
    """What the program answers to this input."""
    try:
        return Reference(PROGRAMS[program]()(parse(data)))
    except Illegal as illegal:
        return Reference(None, str(illegal))
    except BadInput as problem:
        return Reference(None, str(refused(data, problem)), refused=True)


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
