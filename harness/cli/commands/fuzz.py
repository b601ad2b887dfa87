"""`harness fuzz`: look for cases on which a program is wrong, and say what it seems to have misread."""

import os
import signal
import sys
import time

import click

from harness import FAILED, INTERRUPTED, NO_OUTPUT
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    SECONDS,
    chosen_sandbox,
    dialect_option,
    file_option,
    jobs_option,
    json_option,
    name_option,
    page_option,
    program_meant,
    sandbox_option,
    seed_option,
    timeout_option,
)
from harness.errors import WrongUse
from harness.programs.answering import complain
from harness.report.bar import StatusLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.fixtures.dialect import Dialect
    from harness.running.limits import Limits
    from harness.running.sandbox import Sandbox
    from harness.running.target_pool import Pipeline, TargetPool
    from harness.search.findings import Difference, Group
    from harness.search.fuzz import Fuzz

    Options = dict[str, Any]
    Found = dict[str, Any]

LONG_ENOUGH = 45.0
FOLDER = "fuzz-found"


@subcommand
@click.argument("program_file", type=FILE)
@name_option("--program", "Which program PROGRAM_FILE is. Default: the one that it is named like.")
@click.option("--cases", type=click.IntRange(1), metavar="N", help="Stop after this many cases.")
@click.option(
    "--for",
    "seconds",
    type=SECONDS,
    metavar="SECONDS",
    help="Stop looking after this time; what was found last may then still be made smaller for 8 seconds, "
    "and to find what explains many differences takes a while. "
    f"Default: {LONG_ENOUGH:g}, unless --cases is given.",
)
@file_option("--against", metavar="OTHER", help="Compare with this executable instead of with the rules.")
@seed_option("A different number makes different random cases.")
@file_option(
    "-o",
    "out",
    metavar="DIR",
    default=FOLDER,
    show_default=True,
    help="Where to write what is found, as DIR/PROGRAM/NAME. Existing files are never overwritten.",
)
@dialect_option("Default: auto.")
@jobs_option()
@timeout_option(5.0)
@sandbox_option("the program")
@page_option("Write a page for browsers that shows what was found in pictures.")
@json_option()
def command(**options: "Any") -> int:
    """Look for cases on which a program differs from the rules, and say why.

    PROGRAM_FILE is an executable, or a command with arguments such as 'node xstep.js'. It gets the
    smallest cases of all known misreadings of the rules, then cases near them, and random ones that
    are guided to rules that have not come up yet, all of them in its dialect. A case on which it
    differs is reported at once, made as small as possible and written as a fixture, with the answer
    of the rules. Cases that differ for the same reason are reported once, with the name of a known
    misreading that answers like the program and that no case contradicts, or with what these inputs
    have in common. A program that has --stream is asked through it.

    \b
    Examples:
      harness fuzz ../team7/bin/xstep
      harness fuzz ./step --program xstep --for 20 -o found
      harness fuzz ours/xfeed --against theirs/xfeed --cases 5000

    \b
    Exit status: 0 nothing differs; 1 something does; 2 the command line or a program is wrong; 74
    what was found could not be written; 130 interrupted (what was found so far is reported and
    written).
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Look as the options say; the exit status."""
    from harness.report.pictures import check_page
    from harness.running.limits import (
        Limits,
        adopt_orphans,
        end_children,
        interrupt_on_signals,
        remove_stale_cgroups,
    )

    paths = [options["program_file"], *([options["against"]] if options["against"] else [])]
    program = _program(options, paths)
    check_page(options["html"])
    if options["cases"] and options["seconds"]:
        raise WrongUse("--cases and --for exclude each other")
    if not options["cases"]:
        options["seconds"] = options["seconds"] or LONG_ENOUGH
    limits = Limits(seconds=options["timeout"])
    sandbox = chosen_sandbox(options, limits.memory)
    adopt_orphans()
    remove_stale_cgroups()
    interrupt_on_signals()
    try:
        return Session(program, paths, options, limits, sandbox).run()
    finally:
        end_children()


def _program(options: "Options", paths: list[str]) -> str:
    from harness.fixtures.executables import check_executable

    for path in paths:
        check_executable(path)
    return program_meant(options["program"], os.path.basename(paths[0]))


class Session:
    """One run of the command: the processes that it needs, and what it tells."""

    def __init__(
        self, program: str, paths: list[str], options: "Options", limits: "Limits", sandbox: "Sandbox | None"
    ) -> None:
        self._program = program
        self._paths = paths
        self._options = options
        self._limits = limits
        self._sandbox = sandbox
        self._open: list[TargetPool | Pipeline] = []
        self._line = StatusLine()
        self._not_written = ""  # why, of something that was found
        self._is_probed = True  # whether the dialect was found out by trying the programs

    def run(self) -> int:
        """Look, tell and write; the exit status."""
        from harness.fixtures.dialect import COMMON
        from harness.search.findings import by_weight
        from harness.search.fuzz import Fuzz

        options = self._options
        interrupted = False
        try:
            dialect = self._dialect()
        except KeyboardInterrupt:
            dialect, interrupted = COMMON, True
        fuzz = Fuzz(
            self._program,
            cases=options["cases"],
            seconds=options["seconds"],
            dialect=dialect,
            probed=self._is_probed,
            tick=self._tick,
            tell=self._announce,
        )
        try:
            if not interrupted:
                self._search(fuzz)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            impatient = signal.signal(signal.SIGINT, signal.SIG_IGN)
            self._close()
            signal.signal(signal.SIGINT, impatient)
        if interrupted:
            fuzz.findings.conclude()
        found = [self._told(fuzz, group, interrupted) for group in by_weight(fuzz.findings.groups)]
        self._print(fuzz, found, interrupted)
        if self._not_written:
            complain("harness", f"what was found cannot be written: {self._not_written}")
            return NO_OUTPUT
        if interrupted:
            return INTERRUPTED
        return FAILED if found else 0

    def _search(self, fuzz: "Fuzz") -> None:
        """Start the programs, and look for what they do wrong."""
        from harness.search.fuzz import traps, wild

        first = traps(self._program, fuzz.dialect)
        samples = [text.encode() for text in list(first)[:3]]
        streams = [self._has_stream(path, samples) for path in self._paths]
        askers = [*map(self._asker, self._paths, streams)]
        shrinkers = [*map(self._asker, self._paths, streams)]
        fuzz.run(askers, shrinkers, first, wild(self._program, self._options["seed"], fuzz.dialect))

    def _dialect(self) -> "Dialect":
        """What all the programs read: as the option says, or as they are found to."""
        from harness.fixtures.dialect import dialect_choice, shared
        from harness.fixtures.executables import executable, subject
        from harness.running.probing import dialect_of

        choice = dialect_choice(self._options["dialect"] or "auto")
        found = []
        for command in map(executable, self._paths):
            self._is_probed &= choice.of(self._program, os.path.dirname(subject(command))) is None
            found.append(dialect_of(choice, self._program, command, self._limits, self._sandbox))
        return shared(found)

    # --- processes -------------------------------------------------------------------------------

    def _has_stream(self, path: str, samples: list[bytes]) -> bool:
        from harness.running.limits import Limits
        from harness.running.target import speaks_stream

        return speaks_stream(path, samples, Limits(seconds=min(2.0, self._limits.seconds)), self._sandbox)

    def _asker(self, path: str, stream: bool) -> "TargetPool | Pipeline":
        from harness.running.limits import cores
        from harness.running.target_pool import Pipeline, TargetPool

        asker = (
            Pipeline(path, self._limits, self._sandbox)
            if stream
            else TargetPool(path, self._options["jobs"] or cores(), self._limits, self._sandbox)
        )
        self._open.append(asker)
        return asker

    def _close(self) -> None:
        while self._open:
            self._open.pop().close()
        self._line.clear()

    # --- what is found ---------------------------------------------------------------------------

    def _told(self, fuzz: "Fuzz", group: "Group", interrupted: bool) -> "Found":
        """A group with all that there is to say about it, written as a fixture."""
        from harness.fixtures.writing import Taken, keep_case
        from harness.search.report import told

        path = self._paths[group.side]
        expected = fuzz.expected(group.smallest.value)
        folder = os.path.join(self._options["out"], self._program)
        stem: str | None = None
        try:
            stem = keep_case(folder, group.title, group.smallest.value, expected)
        except Taken as problem:
            self._not_written = str(problem)
        except OSError as problem:
            self._not_written = f"{problem.filename or folder}: {problem.strerror}"
        entry = told(fuzz, group, expected, path, stem)
        if not interrupted:
            entry["shows_again"] = self._shows_again(path, group, expected)
        return entry

    def _shows_again(self, path: str, group: "Group", expected: bytes) -> bool:
        """Whether the program, started for this one case, is wrong again."""
        from harness.fixtures.layout import compact
        from harness.judging.judge import judge
        from harness.judging.verdicts import PASS
        from harness.running.target import Target

        with Target(path, self._limits, self._sandbox) as target:
            outcome = target.answer(compact(group.smallest.value).encode())
        return judge(expected, outcome, exact=False, as_text=False).verdict != PASS

    def _print(self, fuzz: "Fuzz", found: "list[Found]", interrupted: bool) -> None:
        from harness.report.colours import wants_colour
        from harness.search.report import as_json, as_text

        if self._options["as_json"]:
            click.echo(as_json(fuzz, found, interrupted))
        else:
            isolation = self._sandbox.told if self._sandbox else ""
            click.echo(as_text(fuzz, found, interrupted, wants_colour(sys.stdout), isolation))
        if self._options["html"]:
            self._write_page(found)

    def _write_page(self, found: "list[Found]") -> None:
        """The smallest case of each difference in pictures."""
        from harness.fixtures.layout import compact
        from harness.report.pictures import BY_THE_RULES, WHAT_DIFFERS, case_item, write_page_of_pictures
        from harness.search.boundaries import groups

        items = [
            case_item(
                entry["cause"] or entry["sentence"] or entry["verdict"],
                [
                    (WHAT_DIFFERS, entry["differences"]),
                    (BY_THE_RULES, entry["by_the_rules"]),
                    *groups(entry),
                ],
                entry["input"],
                None if entry["expected"] is None else compact(entry["expected"]).encode(),
                entry["printed"].encode(errors="backslashreplace"),
            )
            for entry in found
        ]
        count = f"{len(items)} kind{'' if len(items) == 1 else 's'} of difference"
        write_page_of_pictures(self._options["html"], f"{self._program}: {count}", "harness fuzz", items)

    def _announce(self, fuzz: "Fuzz", difference: "Difference") -> None:
        """Tell of a case that looks like none before, as soon as it is found."""
        if self._options["as_json"]:
            return
        from harness.search.report import announced

        self._line.clear()
        click.echo(announced(fuzz, difference, self._paths[difference.side]))

    # --- progress --------------------------------------------------------------------------------

    def _tick(self, fuzz: "Fuzz") -> None:
        """Draw the line that says how far it is, now and then, if a person looks."""
        if not self._line.is_due:
            return
        rate = fuzz.compared / max(time.monotonic() - fuzz.started, 0.001)
        groups = len(fuzz.findings.groups)
        mistakes = f"{groups} kind{'' if groups == 1 else 's'} of difference"
        doing = "making a case smaller, " if fuzz.shrinking else ""
        self._line.show(f"{doing}{fuzz.compared:,} cases, {rate:,.0f} a second, {mistakes}")
