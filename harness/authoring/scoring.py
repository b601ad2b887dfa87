"""What a directory of cases is worth: which misreadings it catches, and which of its cases it needs.

A case counts if it is right, that is, if the engine gives its input the output that it expects. It catches a
misreading whose answer to its input is another one.
"""

from evolution.wire.errors import BadInput, Illegal, NotJSON
from evolution.wire.text import parse
from harness.files import read_file
from harness.fixtures.cases import NO_PROGRAM, Case, find_cases, program_of
from harness.fixtures.forms import forms_of
from harness.fixtures.layout import compact
from harness.fixtures.naming import USUAL, Names
from harness.judging.compare import differences, meaning_key, parse_values, same
from harness.judging.sentences import sentences
from harness.misreadings import LIBRARY, Misreading, planted, same_answer
from harness.misreadings.course import CourseMisreading
from harness.programs.answering import PROGRAMS
from harness.search.features import features_of
from harness.search.shrink import case_size

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.inputs.reductions import Size

    Problem = tuple[str, list[str]]  # the name of a case, and what is wrong with it


class RightCase:
    """A case that counts: its input as a value, and the engine's answer as text or None for nothing."""

    __slots__ = ("answer", "name", "program", "size", "value")

    def __init__(self, name: str, program: str, value: object, answer: "str | None") -> None:
        self.name = name
        self.program = program
        self.value = value
        self.answer = answer
        self.size: Size = case_size(program, value)


class Score:
    """What was found in a directory.

    right: cases that count, the smallest first. wrong: cases that the rules contradict. broken: cases
    that cannot be read. others: how many cases are for programs without rules. caught: for each
    misreading the names of the cases that catch it, the smallest first. redundant: the names of right
    cases that catch nothing which smaller ones for the same program do not catch; for one in the common
    form, smaller ones in that form.
    """

    def __init__(self, library: "dict[str, Misreading] | None" = None) -> None:
        self.library = LIBRARY if library is None else library
        self.right: list[RightCase] = []
        self.wrong: list[Problem] = []
        self.broken: list[Problem] = []
        self.others = 0
        self.caught: dict[str, list[str]] = {}
        self.redundant: list[str] = []

    @property
    def survivors(self) -> list[Misreading]:
        """The misreadings that no case catches."""
        return [one for name, one in self.library.items() if not self.caught[name]]

    def caught_by(self, program: str) -> dict[str, list[str]]:
        """For each misreading that a case for this program can catch, the names of such cases that do."""
        own = {case.name for case in self.right if case.program == program}
        return {
            name: [case for case in self.caught[name] if case in own]
            for name, one in self.library.items()
            if program in one.programs
        }

    @property
    def programs(self) -> list[str]:
        """The programs that there are right cases for."""
        return [program for program in PROGRAMS if any(case.program == program for case in self.right)]

    @property
    def missed(self) -> list[tuple[str, Misreading]]:
        """The misreadings that the cases for a program do not catch though one could, with the program."""
        return [
            (program, self.library[name])
            for program in self.programs
            for name, cases in self.caught_by(program).items()
            if not cases
        ]

    @property
    def perfect(self) -> bool:
        """Whether everything is caught, and nothing is wrong or broken."""
        return not (self.survivors or self.wrong or self.broken)

    def __str__(self) -> str:
        count, survivors = len(self.library), len(self.survivors)
        # Rounded down: all is caught only if all is caught.
        percent = f"{(count - survivors) * 1000 // count / 10:g}"
        broken = f", {len(self.broken)} broken" if self.broken else ""
        right = f"{len(self.right)} right case{'' if len(self.right) == 1 else 's'}"
        return (
            f"{count - survivors} of {count} misreadings caught ({percent} %), {survivors} survive; "
            f"{right}, {len(self.wrong)} wrong{broken}, {len(self.redundant)} redundant"
        )


def score(
    path: str, program: str = "", names: Names = USUAL, library: "dict[str, Misreading] | None" = None
) -> Score:
    """The score of a directory, or of a single case, by the whole library or by some misreadings.

    Which program a case is for is said here, or by the nearest folder above it that is named like one.
    """
    result = Score(library)
    for case in find_cases([path], names):
        sort_in(result, case, program or program_of(case.input))
    result.right.sort(key=lambda case: (case.size, case.name))
    for name, misreading in result.library.items():
        result.caught[name] = catching(misreading, result.right)
    result.redundant = _redundant(result)
    return result


def sort_in(result: Score, case: Case, program: str) -> None:
    """Put the case where it belongs: right, wrong, broken, or none of these because no rules are for it."""
    if case.arguments or (program and program not in PROGRAMS):
        result.others += 1
    elif case.problem:
        result.broken.append((case.name, [case.problem]))
    elif not program:
        result.broken.append((case.name, [NO_PROGRAM]))
    else:
        try:
            expected = parse_values(read_file(case.expected))
            data = read_file(case.input)
        except NotJSON as problem:
            result.broken.append((case.name, [f"its expected output is {problem}"]))
        except OSError as problem:
            result.broken.append((case.name, [f"it cannot be read: {problem.strerror}"]))
        else:
            _judge(result, case, program, data, expected)


def _judge(result: Score, case: Case, program: str, data: bytes, expected: list[object]) -> None:
    """See whether the engine agrees with a case."""
    value: object = None
    reason = ""
    try:
        value = parse(data)
        answer = PROGRAMS[program]()(value)
    except Illegal as illegal:
        answer, reason = None, f"the rules print nothing, because {illegal}"
    except BadInput as problem:
        result.wrong.append((case.name, [f"its input is refused: {problem}"]))
        return
    right = parse_values(answer.encode()) if answer is not None else []
    if same(right, expected):
        result.right.append(RightCase(case.name, program, value, answer))
    else:
        result.wrong.append((case.name, [reason] if reason else _contradiction(right, expected)))


def _contradiction(right: list[object], expected: list[object]) -> list[str]:
    """How a case's expected output differs from what the rules say."""
    if len(right) == len(expected) == 1:
        return sentences(differences(right[0], expected[0]))
    said = f"{len(right)} values" if len(right) > 1 else "one value" if right else "nothing"
    return [f"the rules print {said}, and the case expects {len(expected) or 'nothing'}"]


def catching(misreading: Misreading, cases: list[RightCase]) -> list[str]:
    """The names of the cases that catch a misreading; it is planted until all of them have been asked."""
    if isinstance(misreading, CourseMisreading):
        return [case.name for case in cases if _meets(misreading, case)]
    caught = []
    with planted(misreading):
        answers = {program: PROGRAMS[program]() for program in misreading.programs}
        for case in cases:
            if case.program in answers:
                try:
                    answer = answers[case.program](case.value)
                except Illegal:
                    answer = None
                if not same_answer(case.answer, answer):
                    caught.append(case.name)
    return caught


def _meets(misreading: CourseMisreading, case: RightCase) -> bool:
    """Whether those fail a case who have a misreading that is only known by examples and features."""
    if any(one.program == case.program for one in misreading.examples):
        asked = case.program, meaning_key(compact(case.value).encode())
        if any(one.question == asked for one in misreading.examples):
            return True
        return bool(misreading.features) and {*misreading.features} <= {
            *features_of(case.program, case.value)
        }
    return False


def _redundant(result: Score) -> list[str]:
    """The cases that are not needed, if one goes from the smallest to the largest and keeps what is new.

    Whoever tests one program has only the cases for it, so these are compared with each other. A case that
    not every program reads comes after all that every one does, for it cannot stand for them.
    """
    catches: dict[str, set[str]] = {case.name: set() for case in result.right}
    for name, cases in result.caught.items():
        for case_name in cases:
            catches[case_name].add(name)
    caught: dict[str, set[str]] = {program: set() for program in PROGRAMS}
    redundant = []
    for case in sorted(result.right, key=lambda case: bool(forms_of(case.program, case.value))):
        if catches[case.name] <= caught[case.program]:
            redundant.append(case.name)
        caught[case.program] |= catches[case.name]
    return redundant
