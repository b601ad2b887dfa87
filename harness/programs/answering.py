"""The x-programs: one JSON value in, one answer out.

A program is started once per case, so what stands here is loaded on every start: it imports
nothing that a plain answer does not need. Command lines are for `harness.start`, streams for
`harness.programs.stream`.
"""

import sys

from evolution.wire.errors import BadInput, Illegal, Malformed
from evolution.wire.text import parse
from harness import NO_OUTPUT, REFUSED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    # From a JSON value to the JSON text of the answer, or None for nothing.
    Answer = Callable[[object], str | None]


def xattack() -> "Answer":
    """Whether the defender of a Situation, or of the attack that a State's owner names, can be attacked."""
    from evolution.attack import MissingBoard, allowed, attackable
    from evolution.wire.reading import situation, state_and_choice

    def answer(value: object) -> str:
        if type(value) is list and len(value) == 2:
            try:
                can_attack = allowed(*state_and_choice(value))
            except MissingBoard as missing:
                raise Illegal(str(missing), 1, missing.place) from None
        else:
            defender, attacker, left, right = situation(value)
            can_attack = attackable(attacker, defender, left, right)
        return "true" if can_attack else "false"

    return answer


def xfeed(options: bool = False) -> "Answer":
    """The Silly player's choice, or every choice; nothing if there is no choice to make."""
    if options:
        return _feeding_options()
    from evolution.silly import feed
    from evolution.wire.reading import feeding_or_state
    from evolution.wire.writing import feeding_choice

    def answer(value: object) -> "str | None":
        choice = feed(feeding_or_state(value))
        return None if choice is None else feeding_choice(choice)

    return answer


def _feeding_options() -> "Answer":
    from evolution.feeding import legal_choices
    from evolution.wire.reading import feeding_or_state
    from evolution.wire.writing import feeding_choice

    def answer(value: object) -> "str | None":
        choices = legal_choices(feeding_or_state(value))
        return f"[{','.join(map(feeding_choice, choices))}]" if choices else None

    return answer


def xstep() -> "Answer":
    """A Configuration or State after one feeding step of its first player."""
    from evolution.feeding import feeding_step
    from evolution.silly import Silly
    from evolution.wire.reading import configuration_or_state, is_state
    from evolution.wire.writing import configuration, state

    def answer(value: object) -> str:
        table = configuration_or_state(value)
        feeding_step(table, table.players[0], Silly())
        return state(table) if is_state(value) else configuration(table)

    return answer


def xstep4() -> "Answer":
    """A Configuration or State after step 4 with these actions, fed by Silly players."""
    from evolution.actions import IllegalAction
    from evolution.silly import Silly
    from evolution.turn import step4
    from evolution.wire.action4 import table_and_actions
    from evolution.wire.reading import is_state
    from evolution.wire.writing import configuration, state

    def answer(value: "Any") -> str:
        table, actions = table_and_actions(value)
        of_state = is_state(value[0])
        try:
            step4(table, actions, [Silly()] * len(table.players))
        except IllegalAction as illegal:
            # The action of a State's owner stands alone, not in a list.
            raise Illegal(illegal.reason, 1, *illegal.place[of_state:]) from None
        return state(table) if of_state else configuration(table)

    return answer


def xsilly(labelled: bool = False) -> "Answer":
    """The Silly player's use of its cards, growth with or without its labels."""
    from evolution.silly import choose
    from evolution.wire.action4 import write_action4
    from evolution.wire.reading import choice_or_state

    def answer(value: object) -> str:
        player = choice_or_state(value)
        return write_action4(choose(player.boards, player.hand), labelled)

    return answer


class Program:
    """One row of the table of programs: all that makes a program one of them.

    load: loads what its answers need, and nothing else, and gives the function that answers. Its keyword
        arguments are the program's own options.
    kinds: the kinds of input that it takes, by their names in `harness.inputs.kinds`, the usual one first.
    help: what --help says of it.
    options: what --help says of its own options, by their names.
    story, events: the functions that tell its story and note its rule events, as "module:function", since
        they are in packages above this one; empty if there is none.
    """

    __slots__ = ("events", "help", "kinds", "load", "options", "story")

    def __init__(
        self,
        load: "Callable[..., Answer]",
        kinds: tuple[str, ...],
        help: str,
        *,
        story: str = "",
        events: str = "",
        options: "dict[str, str] | None" = None,
    ) -> None:
        self.load = load
        self.kinds = kinds
        self.help = help
        self.story = story
        self.events = events
        self.options = options or {}

    def __call__(self) -> "Answer":
        """Load what the program needs; the function that answers."""
        return self.load()


# The table: a new program is a new row, and a launcher in bin/.
PROGRAMS = {
    "xattack": Program(
        xattack,
        ("situation", "state and choice"),
        """Can this board be attacked?

Reads a Situation, [defender, attacker, left neighbour, right neighbour], from standard input
and prints true or false. A neighbour that is not there is false.

Or reads [State, CarnivoreChoice], where a State is [bag, boards, hand, tokens, others' boards] and a
CarnivoreChoice is [own carnivore, other player, board]: do the traits allow the attack? Hunger and
tokens do not count. The number of others, as the other player, means the owner. If a board does
not exist, prints nothing.

\b
Example:
  echo '[[["food",0],["body",0],["population",1],["traits",[]]],
         [["food",0],["body",3],["population",2],["traits",["carnivore"]]],
         false, false]' | xattack""",
        story="harness.explain.programs:xattack",
        events="harness.events.programs:xattack",
    ),
    "xfeed": Program(
        xfeed,
        ("feeding", "state"),
        """What does the Silly player feed next?

Reads a Feeding, [player, tokens, other players], or a State, [bag, boards, hand, tokens, others'
boards], from standard input and prints the choice: false, a vegetarian's index,
[board, tokens to store as fat], or [carnivore, other player, board]. Prints nothing if there is
no choice to make.""",
        story="harness.explain.programs:xfeed",
        events="harness.events.programs:xfeed",
        options={
            "options": "Print every legal choice instead, as one list: fat by board, from the whole need "
            "down to one token; vegetarians; attacks; false."
        },
    ),
    "xstep": Program(
        xstep,
        ("configuration", "state"),
        """One feeding step of the first player.

Reads a Configuration, [players, tokens, deck], or a State, [bag, boards, hand, tokens, others'
boards], from standard input and prints it as it is after the step.""",
        story="harness.explain.programs:xstep",
        events="harness.events.programs:xstep",
    ),
    "xstep4": Program(
        xstep4,
        ("step4", "state and action"),
        """Step 4 of a turn: exchanges, food cards, and all the feeding.

Reads [Configuration, [Action4, …]], one action for each player, from standard input and prints
the Configuration after the feeding cycle. If an action is illegal, prints nothing.

Or reads [State, Action4], where a State is [bag, boards, hand, tokens, others' boards], and prints the
State. Only its owner acts; the others reveal no food card, and there is no deck.""",
        story="harness.explain.programs:xstep4",
        events="harness.events.programs:xstep4",
    ),
    "xsilly": Program(
        xsilly,
        ("choice", "state with a hand"),
        """What does the Silly player do with its cards?

Reads a Choice, [player, boards of those before it, boards of those after it], or a State, [bag,
boards, hand, tokens, others' boards], from standard input and prints the Action4. The hand must
have at least 3 cards.""",
        story="harness.explain.programs:xsilly",
        events="harness.events.programs:xsilly",
        options={
            "labelled": 'Print growth with its labels: ["population", board, card], ["body", board, card].'
        },
    ),
}
# The names of all programs, those included whose answers follow from no rule or from a whole game.
ALL = (*PROGRAMS, "xstream", "xmain", "xserver", "xclient")


def read_input() -> bytes:
    """All of standard input; a closed one is empty."""
    if not sys.stdin:
        return b""
    import posix

    if posix.get_blocking(sys.stdin.fileno()):
        return sys.stdin.buffer.read()
    from harness.programs.stdio import chunks

    return b"".join(chunks())


def say_who_waits(program: str) -> None:
    """Tell a person at a terminal, who may wonder why nothing happens, that input is waited for."""
    if sys.stdin and sys.stdin.isatty():
        complain(program, "reading JSON from the terminal; end with Ctrl-D")


def could_not_write(program: str, problem: OSError) -> int:
    """Say why output has failed, unless nobody takes it any more; the exit status."""
    if not isinstance(problem, BrokenPipeError):
        where = f"{problem.filename}: " if problem.filename else ""
        complain(program, f"cannot write: {where}{problem.strerror}")
    return NO_OUTPUT


def complain(program: str, problem: object) -> None:
    """One line on standard error, if anybody listens."""
    if sys.stderr:
        try:
            print(f"{program}: {problem}", file=sys.stderr, flush=True)
        except OSError:
            pass


def refused(data: bytes, problem: BadInput) -> BadInput:
    """What is wrong with a value that a program refused: one that nests too deep is no JSON."""
    if isinstance(problem, Malformed) and not isinstance(problem, Illegal):
        from evolution.wire.stream import check_depth

        try:
            check_depth(data)
        except BadInput as deep:
            return deep
    return problem


def answer_once(program: str, answer: "Answer") -> int:
    """Read one value, print the answer to it, and say the exit status."""
    data = b""
    try:
        data = read_input()
        text = answer(parse(data))
    except BadInput as problem:
        complain(program, refused(data, problem))
        return REFUSED
    except OSError as problem:
        complain(program, f"cannot read standard input: {problem.strerror}")
        return NO_OUTPUT
    return 0 if text is None else write(program, f"{text}\n".encode())


def write(program: str, data: bytes) -> int:
    """Bytes to standard output, at once; the exit status that follows from it."""
    if sys.stdout is None:
        return NO_OUTPUT
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        return NO_OUTPUT
    except OSError as problem:
        complain(program, f"cannot write the answer: {problem.strerror}")
        return NO_OUTPUT
    return 0
