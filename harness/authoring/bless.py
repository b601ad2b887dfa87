"""Expected outputs, written: what a program answers becomes what a case expects.

The answers come from the reference engine, or from any executable, which runs under the limits of a
run. A file that is there already and says something else is left alone unless that is asked for.
"""

import os

from evolution.wire.errors import NotJSON
from harness.errors import UserError
from harness.files import read_file, replace_file
from harness.fixtures.arguments import BadArguments, arguments_of
from harness.fixtures.cases import NO_PROGRAM, Case
from harness.fixtures.layout import readable
from harness.judging.compare import parse_values
from harness.judging.judge import judge
from harness.judging.verdicts import MEANING, NO_OUTPUT, PASS, TOO_MANY
from harness.programs.answering import PROGRAMS
from harness.programs.reference import reference
from harness.running.target import Target
from harness.shipped import own_programs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.judging.difference import Difference
    from harness.running.limits import Limits
    from harness.running.sandbox import Sandbox

NEW, SAME, OTHER, REPLACED, FAILED = "new", "unchanged", "differs", "replaced", "failed"
# What a verdict on the file as it is now, in the place of what a program printed, says of it.
OF_THE_FILE = {
    NO_OUTPUT: "it expects nothing, but there is an answer",
    TOO_MANY: "it expects more than is answered",
}


class CannotBless(UserError):
    """There is no answer that a case could expect; str() says why."""


class Blessing:
    """What became of one case: one of the words above, and how old and new output differ."""

    __slots__ = ("case", "differences", "smallest", "what", "why")

    def __init__(self, case: str, what: str, why: str = "") -> None:
        self.case = case
        self.what = what
        self.why = why
        self.differences: list[Difference] = []
        self.smallest: tuple[str, str, str] | None = None


class Blesser:
    """Writes expected outputs, of the reference engine or of one executable for all cases."""

    def __init__(
        self,
        program_of: "Callable[[Case], str]",
        executable: str = "",
        limits: "Limits | None" = None,
        sandbox: "Sandbox | None" = None,
    ) -> None:
        self._program_of = program_of
        self._executable = executable
        self._limits = limits
        self._sandbox = sandbox
        self._targets: dict[str, Target] = {}

    def __enter__(self) -> "Blesser":
        return self

    def __exit__(self, *problem: object) -> None:
        for target in self._targets.values():
            target.close()

    def bless(self, case: Case, overwrite: bool, write: bool = True) -> Blessing:
        """Write the expected output of a case, if there is none or if what is there may go."""
        try:
            printed = self._answer(case)
            text = _laid_out(printed, as_text=bool(case.arguments))
        except (CannotBless, BadArguments) as problem:
            return Blessing(case.name, FAILED, str(problem))
        except OSError as problem:
            name = os.path.basename(str(problem.filename or case.input))
            return Blessing(case.name, FAILED, f"{name} cannot be read: {problem.strerror}")
        blessing = _compared(case, printed)
        if blessing.what == OTHER and overwrite:
            blessing.what = REPLACED
        if write and blessing.what in (NEW, REPLACED):
            replace_file(case.expected, text)
        return blessing

    def _answer(self, case: Case) -> bytes:
        data = read_file(case.input)
        program = self._program_of(case)
        if not program:
            raise CannotBless(NO_PROGRAM)
        if not self._executable and program in PROGRAMS and not case.arguments:
            answer = reference(program, data)
            if answer.refused:
                raise CannotBless(f"its input is refused: {answer.problem}")
            return answer.printed
        return self._printed(self._executable or os.path.join(own_programs(), program), case, data)

    def _printed(self, path: str, case: Case, data: bytes) -> bytes:
        """What an executable prints for the case."""
        if path not in self._targets:
            self._targets[path] = Target(path, self._limits, self._sandbox)
        outcome = self._targets[path].answer(data, arguments_of(case))
        if outcome.ended is not None:
            raise CannotBless(f"{outcome.ended}{f' ({outcome.detail})' if outcome.detail else ''}")
        return outcome.stdout


def _laid_out(printed: bytes, as_text: bool) -> bytes:
    """The output as it is written to a file: JSON for readers, text as it is."""
    try:
        values = parse_values(printed)
    except NotJSON as problem:
        if as_text:
            return printed
        raise CannotBless(f"what it prints is {problem}") from None
    return printed if as_text else "".join(map(readable, values)).encode()


def _compared(case: Case, printed: bytes) -> Blessing:
    """How the output that is expected now compares with this one, which it should be."""
    from harness.judging.outcome import Outcome

    if not os.path.lexists(case.expected):
        return Blessing(case.name, NEW)
    outcome = Outcome()
    outcome.stdout = read_file(case.expected)
    found = judge(printed, outcome, exact=False, as_text=bool(case.arguments))
    if found.verdict == PASS:
        return Blessing(case.name, SAME)
    why = (
        "" if found.differences else OF_THE_FILE.get(found.verdict) or found.detail or MEANING[found.verdict]
    )
    blessing = Blessing(case.name, OTHER, why)
    blessing.differences, blessing.smallest = found.differences, found.smallest
    return blessing
