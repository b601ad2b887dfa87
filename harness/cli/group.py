"""The `harness` command: which subcommands there are, and how a mistyped one is answered.

What a subcommand takes and does stands in its module of `harness.cli.commands`.
"""

from collections.abc import Callable
from importlib import import_module

import click

from harness import __version__
from harness.errors import WrongUse, did_you_mean

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

# In the order in which the help lists them. A command is `command` in harness/cli/commands/NAME.py; the
# sentence here is the first one of its help, so that listing the commands loads none of them.
COMMANDS = {
    "run": "Run programs on fixture directories, and say what differs.",
    "report": "Make reports of a run from its journal.",
    "cases": "List the cases that come with the harness, or write them out to edit.",
    "rules": "Print the rules of the game, or sections of them by number.",
    "explain": "Explain the answer to a case by the rules, step by step.",
    "show": "Show a case in pictures: input, expected and printed.",
    "generate": "Make well-formed cases of a program, with the right answers.",
    "fuzz": "Look for cases on which a program differs from the rules, and say why.",
    "shrink": "Make a case on which a program differs from the rules as small as possible.",
    "dialect": "Find out what programs read beyond the common form: their dialect.",
    "diff": "Say how two outputs differ, in the words of the game.",
    "check": "Check fixtures: ill-formed inputs, outputs that the rules contradict, duplicates, lone files.",
    "bless": "Write the answers of the rules as the expected outputs of cases.",
    "convert": "Translate a table between a Configuration, a State and the tables of other designs.",
    "chaff": "Test the tests: say which misreadings of the rules the cases of DIR catch.",
    "grade": "Grade the programs of many teams on suites of cases.",
    "cluster": "Say what each worker of a cluster has: cores, sandbox, versions, interpreters.",
    "fest": "Run a test fest: the cases of all teams on the programs of all teams.",
    "vote": "Ask all teams the same questions, and say who answers what.",
    "tournament": "Hold a tournament: many games of the same players, fairly paired, and their standings.",
    "misreadings": "Say what a class misunderstands: the mistakes of all teams, grouped by meaning.",
    "remote": "Test somebody's server or client over real connections.",
    "watch": "Run cases again whenever they, or the programs that they are for, change.",
    "doctor": "Say what this machine can do: sandboxes, control groups, interpreters, reproducible times.",
    "ci": "Print a workflow for GitHub, GitLab or Classroom 50, or a script that grades on Slurm.",
    "completion": "Print the script that completes harness commands in a shell.",
    "help": "Explain a topic: verdicts, exit statuses, cases, formats and more.",
}


class Subcommand(click.Command):
    """A command that returns its exit status, and shows its usage if it is used wrongly."""

    def invoke(self, ctx: click.Context) -> object:
        """Carry the command out."""
        try:
            return super().invoke(ctx)
        except WrongUse as problem:
            raise click.UsageError(str(problem), ctx) from None


def subcommand(function: "Callable[..., int]") -> click.Command:
    """Declare a command: its options are decorators below this one, its help is its docstring."""
    return click.command(cls=Subcommand, context_settings=CONTEXT)(function)


class Commands(click.Group):
    """A group that loads a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> "click.Command | None":
        """The command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        module = import_module(f"harness.cli.commands.{cmd_name}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> "tuple[str | None, click.Command | None, list[str]]":
        """The command that the arguments begin with; if there is none, which one may be meant."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(f"there is no command '{args[0]}'{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands in the help."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=Commands, context_settings=CONTEXT)
@click.version_option(__version__, prog_name="harness")
def harness() -> None:
    """Test harnesses for the board game Evolution."""
