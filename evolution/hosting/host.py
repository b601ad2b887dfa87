"""The other side of a seat: the process in which somebody's player class lives.

It reads a question a line, asks the player, and writes the answer. Whatever the player prints goes
to standard error, so that it cannot be taken for an answer.
"""

import os
import resource
import sys

from evolution.actions import Action4
from evolution.choices import Attack, Decline, Eat, StoreFat
from evolution.designs import adapted
from evolution.designs.adapter import Adapter, WrongAnswer
from evolution.game import words_of
from evolution.wire import messages, writing
from evolution.wire.action4 import write_action4
from evolution.wire.reading import configuration_or_state
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

LONGEST_PART = 120  # characters of what an exception says, and of a line of source
# Where code lies that is not the player's: the game, the standard library, what Python makes up.
NOT_THE_PLAYERS = (
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
    os.path.dirname(os.__file__),
    "<",
)
ROOM = 4  # how much more address space than memory: honest libraries reserve what they do not use


class CannotLoad(Exception):
    """There is no such player class; str() says why."""


def load(file: str, name: str, design: str = "") -> "Any":
    """A player: an object of the class of this name in this file, behind the adapter of its design."""
    from importlib.util import module_from_spec, spec_from_file_location

    if not os.path.isfile(file):
        raise CannotLoad("it is not a file")
    sys.path.insert(0, os.path.dirname(os.path.abspath(file)))
    spec = spec_from_file_location(os.path.splitext(os.path.basename(file))[0], file)
    if spec is None or spec.loader is None:
        raise CannotLoad("it is not a Python file")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    if not hasattr(module, name):
        raise CannotLoad(f"there is no class {name}")
    return adapted(design, getattr(module, name)())


def loaded(file: str, name: str, design: str = "") -> "Any":
    """A player as `load` makes it; whatever its file does meanwhile, to leave included, is CannotLoad."""
    try:
        return load(file, name, design)
    except CannotLoad:
        raise
    except BaseException as problem:
        raise CannotLoad(told(problem)) from problem


def answer_of(player: "Any", request: str, argument: object) -> str:
    """Ask the player, and write down what it answers."""
    if request == "start":
        player.start(messages.read_start(argument))
        return "true"
    if request == "choose":
        return _action(player.choose(*messages.read_choose(argument)))
    if request == "feed_next":
        table = configuration_or_state(argument)
        from evolution.feeding import state_of

        return _choice(player.feed_next(state_of(table, table.players[0])))
    if request == "changed":
        player.changed(messages.read_view(argument))
        return "true"
    if request == "load":
        return "true"
    if request == "listens":
        return "true" if callable(getattr(player, "changed", None)) else "false"
    if hasattr(player, "game_over"):
        player.game_over(messages.read_results(argument))
    return "true"


def reason(problem: BaseException) -> str:
    """What went wrong on the player's side, for those on the other one."""
    if isinstance(problem, WrongAnswer) and problem.__cause__ is not None:
        return f"{problem}{_where(problem.__cause__)}"
    return str(problem) if isinstance(problem, WrongAnswer | CannotLoad) else told(problem)


def told(problem: BaseException) -> str:
    """An exception of a player, with the file, the line and the source where it came from in its code."""
    said = problem.msg if isinstance(problem, SyntaxError) else words_of(problem)
    return f"{type(problem).__name__}: {cut(said)}".rstrip(": ") + _where(problem)


def _where(problem: BaseException) -> str:
    """The place in the player's own code that an exception came from, in brackets; empty if there is none."""
    if isinstance(problem, SyntaxError):
        file, line, source = problem.filename or "", problem.lineno or 0, problem.text or ""
    else:
        file, line, source = _place(problem)
    return f" ({os.path.basename(file)}, line {line}: {cut(source.strip())})" if file else ""


def _place(problem: BaseException) -> tuple[str, int, str]:
    """Where in the player's own code an exception was on its way: file, line and source; empty if nowhere."""
    import linecache

    places = []
    trace = problem.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not file.startswith(NOT_THE_PLAYERS):
            places.append((file, trace.tb_lineno))
        trace = trace.tb_next
    file, line = places[-1] if places else ("", 0)
    return file, line, linecache.getline(file, line)


def cut(text: str) -> str:
    """The text, or as much of it as leaves room for the rest of a reason."""
    return text if len(text) <= LONGEST_PART else f"{text[: LONGEST_PART - 1]}…"


def remarks_of(player: "Any") -> list[str]:
    """What an adapter has to say beside its last answer."""
    return player.take_remarks() if isinstance(player, Adapter) else []


def _action(answer: object) -> str:
    return write_action4(answer) if isinstance(answer, Action4) else _as_json(answer)


def _choice(answer: object) -> str:
    if answer is None:
        return "false"
    if isinstance(answer, Decline | Eat | StoreFat | Attack):
        return writing.feeding_choice(answer)
    return _as_json(answer)


def _as_json(answer: object) -> str:
    """What a player answers in plain lists and numbers."""
    import json

    return json.dumps(answer)


def main() -> None:  # pragma: no cover (it has a process of its own)
    """Serve one player until the game is over."""
    import json

    file, name, memory, _, design = sys.argv[1:6]
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # it may be ended any time
    most = int(memory)
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))
    resource.setrlimit(resource.RLIMIT_AS, (ROOM * most, ROOM * most))  # memory that is shared, too
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def send(*reply: object) -> None:
        answers.write(json.dumps(reply) + "\n")
        answers.flush()

    player = None
    for line in sys.stdin.buffer:
        question: Any = parse(line)
        request, argument = question
        try:
            if player is None:
                player = loaded(file, name, design)
                if isinstance(player, Adapter):
                    player.asking = lambda request: send("asking", request)
            answer = answer_of(player, request, argument)
            remarks = remarks_of(player)
        except Exception as problem:
            send("failed", reason(problem)[:500])
            continue
        for remark in remarks:
            print(f"{name}: {remark}", file=sys.stderr, flush=True)
        answers.write(f'["answer",{answer},{json.dumps(remarks)}]\n')
        answers.flush()
