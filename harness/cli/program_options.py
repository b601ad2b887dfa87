"""The command lines of the x-programs: what happens when one is given arguments."""

import os
import sys

import click

from evolution.traits import TraitError
from harness import NO_OUTPUT, OUR_FAULT, REFUSED, __version__
from harness.cli.trait_option import TRAITS, blaming
from harness.errors import HarnessError
from harness.programs.answering import PROGRAMS, answer_once, complain, could_not_write, say_who_waits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.programs.answering import Answer

EXITS = """\b
Exit status: 0 answered (perhaps with nothing); 65 the input is refused, and one line on
standard error says where and why; 2 the command line is wrong; 74 the input could not be
read, or the answer could not be written."""

ECHO = """Echo JSON values, and count them.

Reads any JSON values, one after the other, from standard input, prints each on a line without the
white space between its tokens, and at the end {"count": N}."""

ANSWERING = (*PROGRAMS, "xstream", "xgui")  # programs that read their input from standard input
COMMAND_MODULES = {"xmain", "xserver", "xclient", "xgui"}  # programs with a command line of their own

STREAM = click.Option(
    ["--stream"],
    is_flag=True,
    help="Read any number of values, one after the other, and answer each with one line: the "
    "answer, or an empty line for nothing. A refused value does not end the stream.",
)
EXPLAIN = click.Option(
    ["--explain"],
    is_flag=True,
    help="Explain on standard error, in words, how the answer follows from the rules.",
)


def _explaining(program: str, plain_answer: "Answer") -> "Answer":
    """A program that says on standard error what leads to its answer, with the rules behind it."""
    from harness.explain.programs import explain

    def answer(value: object) -> "str | None":
        for line in explain(program, value).reasons():
            complain(program, line)
        return plain_answer(value)

    return answer


def _echo() -> int:
    from harness.programs.echo import echo

    return echo("xstream")


def _answering(program: str) -> "Callable[..., int]":
    """What a program that answers by the rules does with its options."""

    def execute(stream: bool, explain: bool = False, **own: bool) -> int:
        answer = PROGRAMS[program].load(**own)
        if explain:
            answer = _explaining(program, answer)
        answer = blaming(answer)
        if stream:
            from harness.programs.stream import Stream

            return Stream(program, answer).run()
        return answer_once(program, answer)

    return execute


def _command(program: str) -> click.Command:
    options: list[click.Parameter] = []
    callback, text = _echo, ECHO
    if program in PROGRAMS:
        row = PROGRAMS[program]
        callback, text = _answering(program), row.help
        options = [STREAM, *([EXPLAIN] if row.story else []), TRAITS]
        options += [
            click.Option([f"--{name}"], is_flag=True, help=meaning) for name, meaning in row.options.items()
        ]
    command = click.Command(
        program,
        params=options,
        callback=callback,
        help=f"{text}\n\n{EXITS}",
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


def _escape_what_cannot_be_shown() -> None:
    """Show escaped what the encoding of standard output has no characters for; that is nobody's fault."""
    if sys.stdout and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def run_with_options(program: str, arguments: list[str]) -> int:
    """One run of a program with a command line to read; the exit status."""
    _escape_what_cannot_be_shown()
    # Not by click's main: it turns an interrupt and a closed pipe into endings of its own.
    command = _find(program)
    if program == "harness" and "_HARNESS_COMPLETE" in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, program, "_HARNESS_COMPLETE", os.environ["_HARNESS_COMPLETE"])
    try:
        with command.make_context(program, arguments[:]) as context:
            if program in ANSWERING:
                say_who_waits(program)
            return int(command.invoke(context) or 0)
    except click.ClickException as wrong:
        if isinstance(wrong, click.UsageError) and wrong.ctx is None:
            wrong.ctx = click.Context(command, info_name=program)  # whose usage to show
        return _wrong_command_line(_with_hint(program, arguments, wrong))
    except click.exceptions.Exit as done:  # the help or the version is printed
        return done.exit_code if sys.stdout else NO_OUTPUT
    except (HarnessError, TraitError) as problem:
        complain(program, problem)
        return problem.status if isinstance(problem, HarnessError) else REFUSED
    except OSError as problem:
        return could_not_write(program, problem)
    except ModuleNotFoundError:
        raise  # a package is not installed; `harness.start` says what brings it
    except Exception as problem:  # a fault of ours, which must be seen
        return _internal_error(program, problem)


def _internal_error(program: str, problem: Exception) -> int:
    """Show where a fault of the harness itself has happened, and say last that it is one; the exit status."""
    import traceback

    if sys.stderr:
        try:
            traceback.print_exception(problem)
        except OSError:
            pass
    complain(program, f"internal error: {type(problem).__name__}: {problem}; this is a fault of the harness")
    return OUR_FAULT


def _with_hint(program: str, arguments: list[str], wrong: click.ClickException) -> click.ClickException:
    """What is wrong; to somebody who has named a file instead of giving its content, that is said, too."""
    file = next(filter(os.path.isfile, arguments), None) if program in ANSWERING else None
    if file is None:
        return wrong
    hint = f"the input comes from standard input: {program} < {file}"
    return click.UsageError(f"{wrong.format_message()}; {hint}", getattr(wrong, "ctx", None))


def _wrong_command_line(wrong: click.ClickException) -> int:
    """Show the usage, if anybody listens; the exit status."""
    if sys.stderr:
        try:
            wrong.show()
        except OSError:
            pass
    return wrong.exit_code
