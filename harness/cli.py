"""The `harness` command: reads command lines, and hands over to the modules that do the work."""

import click

from harness import __version__

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


@click.group(context_settings=CONTEXT)
@click.version_option(__version__, prog_name="harness")
def harness() -> None:
    """Test harnesses for the board game Evolution."""


@harness.command()
@click.argument("case")
@click.option(
    "--program", metavar="NAME", help="Which program the case is for, if its folder does not say so."
)
@click.option("--json", "as_json", is_flag=True, help="The steps as one JSON object, for tools.")
@click.pass_context
def explain(context: click.Context, /, **options: object) -> None:
    """Say what the rules make of a case, step by step.

    CASE is one of a case's files or what their names have in common, or - for an input on standard
    input. Every step names its section of docs/rules.md. If the case has an expected output that
    the rules contradict, the difference is said at the end.

    \b
    Examples:
      harness explain test-fixtures/xstep/forager-cooperates-twice
      harness explain --program xattack - < situation.json

    \b
    Exit status: 0 explained; 1 the rules contradict the expected output; 65 the input is refused;
    2 the command line is wrong, or there is no such case.
    """
    from harness.command_explain import execute

    context.exit(execute(options))


@harness.command()
@click.argument("paths", metavar="[PATH]...", nargs=-1)
@click.option(
    "--bin",
    "folder",
    metavar="DIR",
    help="Where the executables are, named like the programs. Default: the project's own.",
)
@click.option(
    "--program", metavar="FILE", help="Run this one executable on every case, whatever its folder is called."
)
@click.option(
    "-j", "--jobs", type=click.IntRange(1, 256), help="Cases at once. Default: the number of cores."
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.01),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for one case.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory for one case.",
)
@click.option(
    "--output",
    type=click.IntRange(1),
    default=16384,
    show_default=True,
    metavar="KB",
    help="What one case may print.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "on", "off"]),
    default="auto",
    show_default=True,
    help="Shut programs in with bubblewrap: no network, nothing to write to, no sight of the "
    "expected outputs. auto: if it works here; on: or fail.",
)
@click.option(
    "--exact",
    is_flag=True,
    help="Compare JSON values as they are: the order of traits and labels of growth count.",
)
@click.option(
    "-k",
    "pattern",
    metavar="PATTERN",
    help="Only cases whose path contains this; with * or ? in it, cases whose path matches.",
)
@click.option("-x", "--fail-fast", is_flag=True, help="Stop at the first case that does not pass.")
@click.option("--last-failed", is_flag=True, help="Only cases that failed in the last run from here.")
@click.option("--failures-only", is_flag=True, help="Print failures and the total, nothing else.")
@click.option("--slowest", type=click.IntRange(0), default=0, metavar="N", help="List the N slowest cases.")
@click.option(
    "--explain", is_flag=True, help="Say under a failed case what the rules make of it, where it differs."
)
@click.option(
    "--one-shot",
    is_flag=True,
    help="Start the project's own programs once per case too, "
    "instead of asking one process each through --stream.",
)
@click.option(
    "--json", "journal", metavar="FILE", help="Write a journal: one JSON object per case, as it ends."
)
@click.option("--resume", metavar="FILE", help="Continue an interrupted run from its journal.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of the journal's lines, and exit.")
@click.pass_context
def run(context: click.Context, /, **options: object) -> None:
    """Run programs on fixture directories, and say what differs.

    PATHs are directories or single cases; without any, test-fixtures. A case is NAME-in.json with
    NAME-out.json (also NAME.in.json/NAME.out.json, in/NAME.json/out/NAME.json, NAME.in/NAME.ans);
    NAME-args.json, a list of strings, gives arguments. Which program it is for says the nearest
    folder above it that is named like one.

    \b
    Examples:
      harness run                                      our programs on test-fixtures
      harness run --bin ../team7/bin -j 4 tests/xstep  team 7's xstep on the cases in tests/xstep

    \b
    Exit status: 0 everything passed; 1 something did not; 2 the command line or the paths are
    wrong, or there are no cases; 130 interrupted.
    """
    from harness.command_run import execute

    context.exit(execute(options))


@harness.command()
@click.argument("path", metavar="DIR")
@click.option(
    "--program", metavar="NAME", help="Which program all cases are for, whatever their folders are called."
)
@click.option(
    "--suggest", metavar="OUT", help="Write a case for each misreading that survives, as OUT/PROGRAM/NAME."
)
@click.option("--json", is_flag=True, help="Print one JSON object instead of text.")
@click.pass_context
def chaff(context: click.Context, /, **options: object) -> None:
    """Test the tests: say which misreadings of the rules the cases of DIR catch.

    A library of wrong implementations, each right but for one misreading, is run on every case. A
    misreading is caught if a case gets another answer from it. For each that survives, a smallest case
    is shown that would catch it. Cases that the rules contradict, or whose input is ill-formed, are
    named and do not count. Redundant cases catch nothing that smaller ones do not catch.

    \b
    Examples:
      harness chaff test-fixtures
      harness chaff ../team7/tests --suggest more-tests

    \b
    Exit status: 0 everything is caught and no case is wrong; 1 otherwise; 2 the command line or the
    path is wrong, or there are no cases.
    """
    from harness.command_chaff import execute

    context.exit(execute(options))


@harness.command()
@click.argument("case")
@click.argument("program_file")
@click.option(
    "--program",
    metavar="NAME",
    help="Which program PROGRAM_FILE is. Default: as the case's folder says, or its own name.",
)
@click.option("-o", "out", metavar="STEM", help="Write the shrunk case as STEM-in.json and STEM-out.json.")
@click.option(
    "--timeout",
    type=click.FloatRange(0.01),
    default=10.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for one answer.",
)
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "on", "off"]),
    default="auto",
    show_default=True,
    help="Shut the program in with bubblewrap. auto: if it works here; on: or fail.",
)
@click.pass_context
def shrink(context: click.Context, /, **options: object) -> None:
    """The smallest case on which a program still differs from the rules.

    CASE is one of its files, or what their names have in common; PROGRAM_FILE is an executable. Players,
    boards, traits, cards and exchanges are left out and numbers made smaller as long as the program's
    answer still differs. The result is printed with both answers and with the differences in words.

    \b
    Examples:
      harness shrink test-fixtures/xstep/horns-kill-both ../team7/bin/xstep
      harness shrink found-in.json ./step --program xstep -o tests/xstep/found-small

    \b
    Exit status: 0 shrunk; 1 there is no difference; 2 the command line, the case or the program is wrong.
    """
    from harness.command_shrink import execute

    context.exit(execute(options))
