"""The command lines of the x-programs: what happens when one is given arguments."""

import os
import sys

import click

from harness import NO_OUTPUT, __version__
from harness.errors import HarnessError
from harness.programs.answering import PROGRAMS, answer_once, complain, could_not_write, xattack, xsilly

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.programs.answering import Answer

EXITS = """\b
Exit status: 0 answered (perhaps with nothing); 65 the input is refused, and one line on
standard error says where and why; 2 the command line is wrong; 74 the input could not be
read or the answer not be written."""

TEXTS = {
    "xattack": """Can this board be attacked?

Reads a Situation, [defender, attacker, left neighbour, right neighbour], from standard input
and prints true or false. A neighbour that is not there is false.

\b
Example:
  echo '[[["food",0],["body",0],["population",1],["traits",[]]],
         [["food",0],["body",3],["population",2],["traits",["carnivore"]]],
         false, false]' | xattack""",
    "xfeed": """What does the Silly player feed next?

Reads a Feeding, [player, tokens, other players], or a State, [bag, boards, hand, tokens, others'
boards], from standard input and prints the choice: false, a vegetarian's index,
[board, tokens to store as fat], or [carnivore, other player, board]. Prints nothing if there is
no choice to make.""",
    "xstep": """One feeding step of the first player.

Reads a Configuration, [players, tokens, deck], or a State, [bag, boards, hand, tokens, others'
boards], from standard input and prints it as it is after the step.""",
    "xstep4": """Step 4 of a turn: exchanges, food cards, and all the feeding.

Reads [Configuration, [Action4, …]], one action for each player, from standard input and prints
the Configuration after the feeding cycle. If an action is illegal, prints nothing.""",
    "xsilly": """What does the Silly player do with its cards?

Reads a Choice, [player, boards of those before it, boards of those after it], from standard
input and prints the Action4.""",
    "xstream": """Echo JSON values, and count them.

Reads any JSON values, one after the other, from standard input, prints each on a line without the
white space between its tokens, and at the end {"count": N}.""",
}

COMMAND_MODULES = {"xmain", "xserver", "xclient"}  # programs with a command line of their own

STREAM = click.Option(
    ["--stream"],
    is_flag=True,
    help="Read any number of values, one after the other, and answer each with one line: the "
    "answer, or an empty line for nothing. A refused value does not end the stream.",
)
EXPLAIN = click.Option(
    ["--explain"],
    is_flag=True,
    help="Say on standard error, in words, what blocks the attack.",
)
LABELLED = click.Option(
    ["--labelled"],
    is_flag=True,
    help='Print growth with its labels: ["population", board, card], ["body", board, card].',
)


def _explaining() -> "Answer":
    """Xattack that says why on standard error."""
    from evolution.wire.reading import situation
    from harness.explain.attacks import why_blocked

    plain_answer = xattack()

    def answer(value: object) -> "str | None":
        defender, attacker, left, right = situation(value)
        reasons = why_blocked(attacker, defender, left, right)
        for line in reasons or ["nothing blocks the attack (rules 2)"]:
            complain("xattack", line)
        return plain_answer(value)

    return answer


def _answer(program: str, chosen: dict[str, bool]) -> "Answer":
    if chosen.get("explain"):
        return _explaining()
    if chosen.get("labelled"):
        return xsilly(labelled=True)
    return PROGRAMS[program]()


def _command(program: str) -> click.Command:
    def execute(stream: bool = False, **chosen: bool) -> int:
        if program == "xstream":
            from harness.programs.echo import echo

            return echo(program)
        answer = _answer(program, chosen)
        if stream:
            from harness.programs.stream import Stream

            return Stream(program, answer).run()
        return answer_once(program, answer)

    options: list[click.Parameter] = [] if program == "xstream" else [STREAM]
    if program == "xattack":
        options.append(EXPLAIN)
    if program == "xsilly":
        options.append(LABELLED)
    command = click.Command(
        program,
        params=options,
        callback=execute,
        help=f"{TEXTS[program]}\n\n{EXITS}",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
    )
    return click.version_option(__version__, prog_name=program)(command)


def _find(program: str) -> click.Command:
    if program == "harness":
        from harness.cli.group import harness

        return harness
    if program in COMMAND_MODULES:
        from importlib import import_module

        command: click.Command = getattr(import_module(f"harness.cli.{program}"), program)
        return command
    return _command(program)


def run_with_options(program: str, arguments: list[str]) -> int:
    """One run of a program with a command line to read; the exit status."""
    # Not by click's main: it turns an interrupt and a closed pipe into endings of its own.
    command = _find(program)
    if program == "harness" and "_HARNESS_COMPLETE" in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, program, "_HARNESS_COMPLETE", os.environ["_HARNESS_COMPLETE"])
    try:
        with command.make_context(program, arguments) as context:
            return int(command.invoke(context) or 0)
    except click.ClickException as wrong:
        if isinstance(wrong, click.UsageError) and wrong.ctx is None:
            wrong.ctx = click.Context(command, info_name=program)  # whose usage to show
        return _wrong_command_line(wrong)
    except click.exceptions.Exit as done:  # the help or the version is printed
        return done.exit_code if sys.stdout else NO_OUTPUT
    except HarnessError as problem:
        complain(program, problem)
        return problem.status
    except OSError as problem:
        return could_not_write(program, problem)


def _wrong_command_line(wrong: click.ClickException) -> int:
    """Show the usage, if anybody listens; the exit status."""
    if sys.stderr:
        try:
            wrong.show()
        except OSError:
            pass
    return wrong.exit_code
