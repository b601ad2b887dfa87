"""Finding out the dialect of a program: what it reads beyond the common form, by trying it.

A program is asked a few small inputs (`harness.inputs.probes`), under the limits and in the sandbox of a
run. It reads a form if it answers with a value of the right shape, be the answer right or wrong. What was
found out is kept by the content of the program's folder, so that it is asked once.
"""

import os
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.files import read_file, replace_file
from harness.fixtures.dialect import BOTH, COMMON, FLAGS, NO_LIMIT, BadDialect, Dialect, DialectChoice
from harness.fixtures.executables import subject
from harness.fixtures.forms import (
    LABELLED,
    LEAST_PLAYERS,
    MIXED_LABELS,
    MOST_PLAYERS,
    STATE,
    UNLABELLED,
)
from harness.fixtures.layout import compact
from harness.inputs.probes import (
    ENOUGH_TOKENS,
    HUGE_ONES,
    LONE_STATE,
    OTHER_PLAIN,
    PLAIN,
    players_told,
    probes,
    with_number,
)
from harness.judging.outcome import Outcome
from harness.judging.verdicts import NO_START, NOT_GRADED, TIMEOUT
from harness.programs.answering import PROGRAMS
from harness.running.content import TooLarge, content_of
from harness.running.limits import Limits, cores
from harness.running.sandbox import Sandbox
from harness.running.target_pool import TargetPool
from harness.running.view import home_of

Json = Any
Ask = Callable[[Sequence[bytes]], list[Outcome]]

MOST_FILES, MOST_BYTES = 5000, 100 << 20  # of a folder whose content is looked at
SILENTLY = "silently, status 0"
QUIETLY = "silently, other status"
MESSAGE = "with a message"
CRASH = "with an uncaught error"
REFUSALS = (SILENTLY, QUIETLY, MESSAGE, CRASH)
NONSENSE = b"[]\n"
SILENT = COMMON._replace(answered=False)  # who answers nothing is asked what everybody reads


class Probed(NamedTuple):
    """What was found out about a program: its dialect, how it refuses, and how often it was started.

    sure: whether it would be the same again: the program could always be started, and where it did not
    answer in time, it did not when it was asked once more, alone, either.
    """

    dialect: Dialect
    refusal: str = ""
    starts: int = 0
    sure: bool = True


class _Answers:
    """What a program has answered to probes so far."""

    def __init__(self, program: str, ask: "Ask") -> None:
        self._program = program
        self._ask = ask
        self._texts: dict[str, bytes] = {}
        self._values: dict[str, Json] = {}  # of the probes that were answered well
        self.outcomes: dict[str, Outcome] = {}

    def ask(self, inputs: "dict[str, Json]") -> None:
        """Ask some inputs, by the names of the probes."""
        texts = {name: f"{compact(value)}\n".encode() for name, value in inputs.items()}
        self._texts |= texts
        for (name, value), outcome in zip(inputs.items(), self._ask([*texts.values()]), strict=True):
            self.outcomes[name] = outcome
            answer = _answer(outcome)
            if _has_right_shape(self._program, value, answer):
                self._values[name] = answer

    def answered(self, *names: str) -> bool:
        """Whether all of these were answered with a value of the right shape."""
        return all(name in self._values for name in names)

    def value(self, name: str) -> "Json":
        """The answer to a probe; None if there was none."""
        return self._values.get(name)

    @property
    def any(self) -> bool:
        """Whether anything was answered."""
        return bool(self._values)

    @property
    def timeouts(self) -> list[bytes]:
        """The probes that were not answered in time."""
        return [self._texts[name] for name, outcome in self.outcomes.items() if outcome.ended == TIMEOUT]

    @property
    def started(self) -> bool:
        """Whether the program could always be started."""
        return all(outcome.ended not in (NO_START, NOT_GRADED) for outcome in self.outcomes.values())


def probe(program: str, ask: "Ask") -> Probed:
    """Find out the dialect of a program that is asked with this function."""
    answers = _Answers(program, ask)
    growth = _find_growth(program, answers)
    if len(answers.timeouts) == len(answers.outcomes):
        return Probed(SILENT, "", len(answers.outcomes) + 1, _is_late_again(answers, ask))
    way = UNLABELLED if growth == UNLABELLED else LABELLED
    left_out = (PLAIN, OTHER_PLAIN, *(() if growth == BOTH else (MIXED_LABELS,)))
    inputs = {name: value for name, value in probes(program, way).items() if name not in left_out}
    for bits, number in {NO_LIMIT: ENOUGH_TOKENS, **HUGE_ONES}.items():
        value = with_number(program, number, way)
        if value is not None:
            inputs[str(bits)] = value
    answers.ask(inputs)
    refused = [outcome for name, outcome in answers.outcomes.items() if not answers.answered(name)]
    starts = len(answers.outcomes)
    if not refused:
        refused = ask([NONSENSE])
        starts += 1
    sure = answers.started
    if sure and answers.timeouts:
        sure = _is_late_again(answers, ask)
        starts += 1
    return Probed(_dialect(program, growth, answers), _refusal(refused), starts, sure)


def _is_late_again(answers: _Answers, ask: "Ask") -> bool:
    """Whether a probe that was not answered in time is not when it is asked alone either."""
    (again,) = ask(answers.timeouts[:1])
    return again.ended == TIMEOUT


def _find_growth(program: str, answers: _Answers) -> str:
    """Ask plain inputs, of which every program should answer one; how growth is read."""
    if program != "xstep4":
        answers.ask({PLAIN: probes(program)[PLAIN]})
        if not answers.any:
            answers.ask({OTHER_PLAIN: probes(program)[OTHER_PLAIN]})
        return LABELLED
    answers.ask({kind: probes(program, kind)[PLAIN] for kind in (LABELLED, UNLABELLED)})
    if answers.answered(LABELLED, UNLABELLED):
        return BOTH
    if not answers.any:
        answers.ask({OTHER_PLAIN: probes(program)[OTHER_PLAIN]})
    return UNLABELLED if answers.answered(UNLABELLED) else LABELLED


def _dialect(program: str, growth: str, answers: _Answers) -> Dialect:
    """The dialect that the answers show."""
    if not answers.any:
        return SILENT
    flags = {field: answers.answered(form) for form, field in FLAGS.items()}
    flags[FLAGS[STATE]] = answers.answered(STATE, LONE_STATE)
    least = next((few for few in (1, 2) if answers.answered(players_told(few))), LEAST_PLAYERS)
    most = players_told(MOST_PLAYERS)
    return Dialect(
        growth=growth,
        least_players=least,
        most_players=MOST_PLAYERS
        if answers.answered(most) or most not in answers.outcomes
        else LEAST_PLAYERS,
        bits=_bits(answers),
        labels=program == "xsilly" and _has_labels(answers.value(PLAIN)),
        **flags,
    )


def _bits(answers: _Answers) -> int:
    """How many bits of a number come back intact."""
    for bits, number in HUGE_ONES.items():
        answer, usual = answers.value(str(bits)), answers.value(str(NO_LIMIT))
        if answer is None or (answer != usual and not _holds(answer, number)):
            return bits
    return NO_LIMIT


def _holds(value: "Json", number: int) -> bool:
    """Whether a number is somewhere in a value."""
    if isinstance(value, list):
        return any(_holds(part, number) for part in value)
    return type(value) is int and value == number


def _has_labels(action: "Json") -> bool:
    """Whether an Action4 has growth with labels in it."""
    return action is not None and any(type(growth[0]) is str for growth in (*action[1], *action[2]) if growth)


# Answers


def _answer(outcome: "Outcome") -> "Json":
    """The value that was printed; None if there is none."""
    try:
        return None if outcome.ended else parse(outcome.stdout)
    except BadInput:
        return None


def _has_right_shape(program: str, asked: "Json", answer: "Json") -> bool:
    """Whether this is an answer such as the program gives, be it a wrong one."""
    if program == "xattack":
        return type(answer) is bool
    if program == "xfeed":
        return answer is False or type(answer) is int or _is_list(answer, (int, int), (int, int, int))
    if program == "xsilly":
        return _is_list(answer, (int, list, list, list, list))
    table = asked[0] if program == "xstep4" else asked
    state, configuration = (int, list, list, int, list), (list, int, list)
    return _is_list(answer, state if len(table) == len(state) else configuration)


def _is_list(value: "Json", *shapes: tuple[type, ...]) -> bool:
    return type(value) is list and tuple(map(type, value)) in shapes


def _refusal(outcomes: "list[Outcome]") -> str:
    """How a program refuses what it does not read, as it does most often."""
    kinds = [_how(outcome) for outcome in outcomes]
    return max(REFUSALS, key=kinds.count) if any(kinds) else ""


def _how(outcome: "Outcome") -> str:
    if outcome.stdout.strip() or (outcome.ended and outcome.exit is None):
        return ""
    said = outcome.stderr.strip()
    if not said:
        return QUIETLY if outcome.exit else SILENTLY
    return CRASH if outcome.ended or b"\n" in said or (outcome.exit or 0) > 127 else MESSAGE


# Programs


def probe_program(
    program: str,
    command: list[str],
    limits: "Limits",
    sandbox: "Sandbox | None",
    environment: "dict[str, str] | None" = None,
    home: str = "",
    jobs: int = 0,
) -> Probed:
    """Find out the dialect of the program that a command starts."""
    import shlex

    pool = TargetPool(shlex.join(command), jobs or cores(), limits, sandbox, environment, home)
    try:
        return probe(program, pool.answers)
    finally:
        pool.close()


def kept_probe(
    program: str,
    command: list[str],
    limits: "Limits",
    sandbox: "Sandbox | None",
    environment: "dict[str, str] | None" = None,
    home: str = "",
    jobs: int = 0,
    again: bool = False,
) -> Probed:
    """What a program reads, as it was found out earlier if nothing of its folder has changed since.

    It is tried again if that is asked for, or if it is not sure that it would be the same again.
    """
    folder = home or home_of(os.path.realpath(subject(command)))
    told = [limits.seconds, limits.memory, limits.output, sandbox is not None, environment]
    path = _path(program, command, folder, told)
    known = _read(path) if path and not again else None
    if known is not None:
        return known
    found = probe_program(program, command, limits, sandbox, environment, home, jobs)
    if path and found.sure:
        _keep(path, found)
    return found


def dialect_of(
    choice: DialectChoice,
    program: str,
    command: list[str],
    limits: "Limits",
    sandbox: "Sandbox | None",
    folder: str = "",
) -> Dialect:
    """The dialect of a program: as was chosen for it or for all of its folder, or as it is found out."""
    told = choice.of(program, folder or os.path.dirname(subject(command)))
    return told or kept_probe(program, command, limits, sandbox).dialect


def _path(program: str, command: list[str], home: str, about: "list[Any]") -> str:
    """The file for what is found out about a program; empty if its folder is too large to be looked at."""
    from hashlib import blake2b

    try:
        content = content_of(home, MOST_BYTES, MOST_FILES)
    except (TooLarge, OSError):
        return ""
    words = [os.path.realpath(word).replace(home, "") if os.path.isabs(word) else word for word in command]
    told = repr((program, words, content, about, version()))
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    name = blake2b(told.encode(errors="surrogateescape"), digest_size=12).hexdigest()
    return os.path.join(cache, "evolution-harness", "dialects", f"{name}.json")


def version() -> str:
    """What changes when other things are asked."""
    return repr([(name, probes(name), with_number(name, 0)) for name in PROGRAMS])


def _read(path: str) -> "Probed | None":
    import json

    try:
        table, refusal = json.loads(read_file(path))
        return Probed(Dialect.from_table(table), str(refusal))
    except (OSError, ValueError, BadDialect):
        return None


def _keep(path: str, probed: Probed) -> None:
    """Keep what was found out; where that is not possible, do without."""
    import json

    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        replace_file(path, json.dumps([probed.dialect.to_table(), probed.refusal]).encode())
    except OSError:
        pass
