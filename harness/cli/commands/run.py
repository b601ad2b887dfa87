"""`harness run`: from its options to a run, its reports, and an exit status."""

import os

import click

from harness import FAILED, INTERRUPTED, NO_OUTPUT
from harness.cli.group import subcommand
from harness.cli.parameters import (
    KILOBYTES,
    MEGABYTES,
    bin_option,
    case_paths,
    cases_argument,
    dialect_option,
    failures_only_option,
    file_option,
    flag,
    folders_of,
    jobs_option,
    journal_option,
    names_in,
    names_option,
    pattern_option,
    program_option,
    report_options,
    sandbox_option,
    shard_option,
    tell_untaken,
    timeout_option,
)
from harness.errors import WrongUse
from harness.programs.answering import ALL, PROGRAMS, complain, write
from harness.running.last_run import MOST_SLOW
from harness.shipped import GENEROUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from harness.fixtures.cases import Case, Programs
    from harness.fixtures.dialect import Dialect
    from harness.fixtures.known_failures import KnownFailures
    from harness.fixtures.naming import Names
    from harness.judging.result import Result
    from harness.report import Reports
    from harness.running.journal import Journal
    from harness.running.limits import Limits
    from harness.running.pool import Runner, Summary
    from harness.running.sandbox import Sandbox

    Options = dict[str, Any]

AUTO = "auto"  # the dialect that is found out
NO_RUNG = "none"  # what a journal says of programs that are not shut in

# What a journal keeps of the command line, so that --resume needs nothing else.
KEPT = (
    "paths",
    "folder",
    "program",
    "timeout",
    "memory",
    "output",
    "sandbox",
    "show",
    "exact",
    "pattern",
    "names",
    "one_shot",
    "dialect",
    "twins",
)


@subcommand
@cases_argument
@bin_option(
    "The directory with the executables, which are named like the programs. Default: the project's own, "
    "or the installed ones."
)
@program_option("Run this one executable on every case, whatever the case's folder is called.")
@jobs_option()
@timeout_option(10.0, "Time for one case.")
@click.option(
    "--memory",
    type=MEGABYTES,
    default=2048,
    show_default=True,
    metavar="MB",
    help="Memory for one case.",
)
@click.option(
    "--output",
    type=KILOBYTES,
    default=16384,
    show_default=True,
    metavar="KB",
    help="How much one case may print.",
)
@sandbox_option("programs")
@flag("--exact", help="Compare JSON values as they are: the order of traits and labels of growth count.")
@dialect_option("Default: auto for other people's programs if no PATH is given; else all is sent as it is.")
@click.option(
    "--twins/--no-twins",
    default=None,
    help="Let no answer pass that is right by chance: where nothing is expected, or the table as it was, "
    "the program is also given a twin of the case, which needs another answer; and a program that gives the "
    "same answer to all cases passes none. Default: for other people's programs on the cases that come with "
    "the harness.",
)
@pattern_option
@shard_option("Run one part of the cases, the Kth of N. Which part a case is in depends on its files alone.")
@names_option
@flag("-x", "--fail-fast", help="Stop at the first case that does not pass.")
@flag("--last-failed", help="Only cases that failed in the last run from here.")
@failures_only_option
@flag("-v", "--verbose", help="Print a line for every case, with its verdict.")
@flag("-q", "--quiet", help="Print the total, and nothing else.")
@click.option(
    "--slowest", type=click.IntRange(0, MOST_SLOW), default=0, metavar="N", help="List the N slowest cases."
)
@flag("--explain", help="Under each failed case, explain by the rules the part that differs.")
@flag(
    "--one-shot",
    help="Start the project's own programs once per case, like other people's, instead of asking one "
    "process of each through --stream.",
)
@journal_option("Write a journal: one JSON object per case, as it ends.")
@report_options
@file_option("--resume", help="Continue an interrupted run from its journal.")
@flag(
    "--write-known-failures",
    help="List what fails now in known-failures.txt in each PATH. From then on these failures do not fail "
    "a run; a case that is listed and passes does.",
)
@flag("--list", "listing", help="List the cases that would be run, and exit.")
@flag("--schema", help="Print the JSON Schema of the journal's lines, and exit.")
@click.pass_context
def command(context: click.Context, /, **options: "Any") -> int:
    """Run programs on fixture directories, and say what differs.

    PATHs are directories or single cases. Without any, the cases in test-fixtures are run or, if
    there is no such folder, the cases that come with the harness (harness cases); other people's
    programs are then run only on those in the form that every program reads. A case is NAME-in.json
    with NAME-out.json and, if the program gets arguments, NAME-args.json, a list of strings.
    harness help cases lists other names that are understood. A case is for the program that the
    nearest folder above it is named after.

    \b
    Examples:
      harness run                                      our programs on our cases
      harness run --bin ../team7/bin                   team 7's programs on our cases
      harness run --bin ../team7/bin -j 4 tests/xstep  team 7's xstep on the cases in tests/xstep

    \b
    Exit status: 0 everything passed; 1 something did not; 2 the command line or the paths are
    wrong, or there are no cases; 74 output could not be written; 130 interrupted.
    """
    if options["schema"]:
        return _print_schema()
    source = click.core.ParameterSource.COMMANDLINE
    return _run(options, {name for name in options if context.get_parameter_source(name) is source})


def _print_schema() -> int:
    import json

    from harness.judging.result import SCHEMA

    return write("harness", f"{json.dumps(SCHEMA, indent=2)}\n".encode())


def _run(options: "Options", given: set[str]) -> int:
    resume = options["resume"]
    if resume and options["journal"]:
        raise WrongUse("--resume continues its journal; it does not take --json")
    if sum(options[name] for name in ("verbose", "quiet", "failures_only")) > 1:
        raise WrongUse("--verbose, --quiet and --failures-only exclude each other")
    if resume:
        _take_over(options, given, resume)
    if not options["paths"]:
        _take_usual_cases(options)
    if options["listing"]:
        return _list(options)
    reports = _reports(options)
    try:
        return _run_and_report(options, reports)
    finally:
        reports.abandon()


def _take_usual_cases(options: "Options") -> None:
    """Run test-fixtures, or what comes along, as no path is named; on others' programs, what they read."""
    from harness.shipped import CASES, suites_for_others, usual_cases

    cases = usual_cases()
    if options["write_known_failures"] and cases != CASES:
        raise WrongUse("--write-known-failures: there is no test-fixtures here; name a directory of cases")
    of_others = options["folder"] or options["program"]
    options["paths"] = suites_for_others(cases) if of_others else (cases,)
    if of_others and not options["dialect"]:
        options["dialect"] = AUTO
    if options["paths"] != (cases,):
        options["left_out"] = os.path.join(cases, GENEROUS)
        if options["twins"] is None:
            options["twins"] = True


def _list(options: "Options") -> int:
    """Print the names of the cases that a run would run; the exit status."""
    from harness.fixtures.cases import find_cases, none_found
    from harness.report.words import safe

    names = names_in(options)
    paths, wanted, count = _paths(options, names), _wanted(options, set()), 0
    for case in find_cases(paths, names):
        if wanted(case):
            click.echo(safe(case.name))
            count += 1
    if not count and not options["shard"]:
        raise none_found(paths, options["pattern"], names)
    tell_untaken(names)
    return 0


def _reports(options: "Options") -> "Reports":
    """The reports that are asked for, begun. This is before the journal, which may replace a file."""
    from harness.report import Reports, check_target

    journal = options["journal"]
    if journal:
        from harness.running.journal import BEGINNING

        check_target("--json", journal, BEGINNING)
    kept = [file for file in (journal, options["resume"]) if file]
    return Reports(options, _header(options), options["failures_only"], kept)


def _header(options: "Options") -> "dict[str, Any]":
    """What the first record of a journal says of its run."""
    from time import gmtime, strftime

    # The journal and the reports must tell the same time.
    started = options.setdefault("started", strftime("%Y-%m-%d %H:%M UTC", gmtime()))
    header = {name: options[name] for name in KEPT}
    if "rung" in options:
        header["rung"] = options["rung"]
    if options["shard"]:
        header["shard"] = options["shard"]
    if options.get("dialects"):
        header["dialects"] = {name: dialect.to_table() for name, dialect in options["dialects"].items()}
    return {**header, "directory": os.getcwd(), "started": started}


def _run_and_report(options: "Options", reports: "Reports") -> int:
    from harness.fixtures.cases import none_found
    from harness.report import Several
    from harness.report.terminal import to_terminal
    from harness.running.limits import Limits, cores
    from harness.running.pool import Runner
    from harness.running.worker import Settings
    from harness.search.collector import Collector

    resume = options["resume"]
    names = names_in(options)
    paths = _paths(options, names)
    programs, own = _programs(options)
    limits = Limits(options["timeout"], options["memory"] << 20, options["output"] << 10)
    journal_path = options["journal"] or resume
    stream = own and not options["one_shot"] and options["sandbox"] in ("auto", "off")
    written = [*reports.paths, *([journal_path] if journal_path else [])]
    sandbox, note = _sandbox(options, paths, written, stream)
    options["rung"] = sandbox.rung if sandbox is not None else NO_RUNG
    _see_that_it_is_shut_in_as_before(options)
    dialects = options["dialects"] = _dialects(options, paths, programs, limits, sandbox)
    done: set[int] = set()  # hashes of names: a journal of many cases must not fill the memory
    journal = _journal(options, journal_path) if journal_path else None
    patient = bool(written or options["write_known_failures"])  # or a closed pipe would cost files
    terminal = to_terminal(_how_much(options), reports.takes_standard_output, patient)
    known = _known(options, paths, names)
    collector = Collector()
    runner = Runner(
        paths,
        programs,
        Settings(limits, sandbox, options["exact"], stream, options["explain"], bool(options["twins"])),
        options["jobs"] or cores(),
        Several(terminal, reports, collector) if reports else Several(terminal, collector),
        journal,
        _wanted(options, done),
        options["fail_fast"],
        known.mark,
        dialects,
        _must_differ(options),
        names,
    )
    if resume:
        _add_earlier(runner, resume, done)
    summary = runner.run()
    if not summary.total and not summary.interrupted:
        if options["shard"]:
            click.echo(f"no case is in shard {options['shard']}", err=reports.takes_standard_output)
            reports.finish(summary)
            return 0
        raise none_found(paths, options["pattern"], names)
    notes = [
        *_undeserved(summary),
        *(() if sandbox is None else _missed(sandbox, programs, summary.mute, collector.failures)),
        *_what_was_run(options, paths, stream),
        *_dialect_notes(summary, dialects),
        note,
        _limits_note(runner.isolation(), options),
    ]
    causes = collector.causes()
    terminal.summary(summary, notes, options["slowest"], causes)
    tell_untaken(names)
    reports.finish(summary, causes)
    runner.remember()
    status = _status(summary)
    if status != INTERRUPTED:
        status = known.conclude(status)
    return NO_OUTPUT if terminal.is_cut_off or reports.is_cut_off else status


def _what_was_run(options: "Options", paths: list[str], stream: bool) -> "Iterator[str]":
    """What is said of programs and cases that nobody has named."""
    if stream:
        yield "our own programs, asked through --stream (the same answers; --one-shot turns it off)"
    if _are_shipped(paths):
        yield "the cases that come with the harness (harness cases --copy DIR writes them out)"
    if options.get("left_out"):
        yield f"without {options['left_out']}, in forms that a program need not read; name it to run it"


def _missed(
    sandbox: "Sandbox", programs: "Programs", mute: list[str], failures: "list[Result]"
) -> "Iterator[str]":
    """What is said of programs that hardly ever answered and name files that are hidden from them."""
    from harness.running.sandbox import missed_told

    for program in mute:
        said = [result.stderr for result in failures if result.program == program]
        path = sandbox.missed(programs.command_of(program), "", said)
        if path:
            yield missed_told(program, path)


def _dialects(
    options: "Options", paths: list[str], programs: "Programs", limits: "Limits", sandbox: "Sandbox | None"
) -> "dict[str, Dialect]":
    """The dialects of the programs that are asked; none if everything is sent as it is."""
    if not options["dialect"]:
        return {}
    from harness.fixtures.cases import find_cases, matching, meant_by
    from harness.fixtures.dialect import dialect_choice
    from harness.running.probing import dialect_of

    choice = dialect_choice(options["dialect"])
    wanted = matching(options["pattern"])
    meant = {}
    for case in find_cases(paths, names_in(options)):
        name = programs.name_for(case) if wanted(case.name) else ""
        if name and meant_by(case, name) not in meant and not programs.why_not(name):
            meant[meant_by(case, name)] = programs.command_of(name)
    return {
        program: dialect_of(choice, program, meant[program], limits, sandbox, options["folder"])
        for program in filter(meant.get, PROGRAMS)
    }


def _dialect_notes(summary: "Summary", dialects: "dict[str, Dialect]") -> list[str]:
    """What the programs were sent, and what not."""
    if not dialects:
        return []
    from harness.judging.verdicts import WITHHELD
    from harness.report.dialects import line, silent_line, withheld_line

    notes = [f"dialect: {line(dialects)} (harness dialect says more)", silent_line(dialects)]
    notes.append(withheld_line(summary.counts[WITHHELD], summary.withheld))
    if summary.nothing_asked:
        notes.append("NOTHING WAS ASKED: the programs read none of the forms that these cases have")
    return list(filter(None, notes))


def _must_differ(options: "Options") -> bool:
    """Whether a program passes nothing that gives all cases the same answer: if they are all run."""
    partly = ("pattern", "last_failed", "fail_fast", "shard")
    return bool(options["twins"]) and not any(options[name] for name in partly)


def _undeserved(summary: "Summary") -> "Iterator[str]":
    """What is said of passes that were looked into: programs that gave the same answer to everything."""
    from harness.report.words import listed

    for program, told in summary.constant.items():
        yield f"{program} gave {told}"
    if summary.without_twin:
        names = listed(summary.without_twin)
        yield f"passed without a twin, which the harness could not make: {names}"


def _known(options: "Options", paths: list[str], names: "Names") -> "KnownFailures":
    """What is known to fail; or a list that is to be written of what fails now."""
    from harness.fixtures.known_failures import KnownFailures, NewList

    if not options["write_known_failures"]:
        return KnownFailures(names)
    if options["resume"] or options["fail_fast"] or options["shard"]:
        raise WrongUse("--write-known-failures needs a whole run, without --resume, --fail-fast and --shard")
    for path in options["paths"]:
        if not os.path.isdir(path):
            raise WrongUse(f"--write-known-failures: {path} is not a directory")
    return NewList(paths)


def _how_much(options: "Options") -> str:
    """How much is said on the terminal."""
    from harness.report.terminal import ALL_CASES, FAILURES, TOTAL, USUAL

    named = {"verbose": ALL_CASES, "quiet": TOTAL, "failures_only": FAILURES}
    return next((amount for name, amount in named.items() if options[name]), USUAL)


def _status(summary: "Summary") -> int:
    if summary.interrupted:
        return INTERRUPTED
    return 0 if summary.passed else FAILED


def _journal(options: "Options", path: str) -> "Journal":
    """The journal to write to: a new one, or that of the run that is continued."""
    from harness.running.journal import Journal

    return Journal(path, _header(options), append=bool(options["resume"]))


def _take_over(options: "Options", given: set[str], journal: str) -> None:
    """Fill in what the interrupted run was told, where this command line says nothing else.

    The whole journal is read, so that nothing is done if a part of it is none.
    """
    from harness.running.journal import JournalError, read_journal

    told: Options | None = None
    for result in read_journal(journal):
        told = told or result.run or {}
    if told is None and not given & {"paths", "folder", "program"}:
        raise JournalError(
            f"{journal}: no case had ended, so it does not say what was run: give the paths and options again"
        )
    for name, value in (told or {}).items():
        if name in options and name not in given:
            options[name] = value
    if "sandbox" not in given:  # else it is said how to go on
        options["rung_before"] = (told or {}).get("rung")


def _see_that_it_is_shut_in_as_before(options: "Options") -> None:
    """Refuse to go on with a journal whose programs were shut in otherwise, unless it is said how."""
    before, now = options.get("rung_before"), options["rung"]
    if before in (None, now):
        return
    from harness.running.journal import JournalError
    from harness.running.rungs import NAMED

    mode = next((mode for mode, rung in NAMED.items() if rung == now), "off")
    raise JournalError(
        f"{options['resume']}: its programs were run in another sandbox "
        f"({before}, and now it would be {now}); --sandbox {mode} continues all the same"
    )


def _add_earlier(runner: "Runner", journal: str, done: set[int]) -> None:
    """Count what the interrupted run has recorded, and have it not run again."""
    from harness.running.journal import read_journal

    for result in read_journal(journal):
        if hash(result.case) not in done:
            done.add(hash(result.case))
            runner.add_earlier(result)


def _paths(options: "Options", names: "Names") -> list[str]:
    paths = case_paths(options)
    paths = [path for path in dict.fromkeys(paths) if not _is_below_any(path, paths)]
    for path in paths:
        if not os.path.isdir(path):
            from harness.fixtures.cases import case_at

            case_at(path, names)
    return paths


def _is_below_any(path: str, folders: list[str]) -> bool:
    """Whether what is at the path is found in one of the folders as well."""
    path = os.path.abspath(path)
    return any(path.startswith(os.path.join(os.path.abspath(folder), "")) for folder in folders)


def _programs(options: "Options") -> "tuple[Programs, bool]":
    """Which executables to run, and whether they are the project's own."""
    from harness.fixtures.cases import Programs
    from harness.fixtures.executables import check_executable
    from harness.shipped import own_programs

    if options["program"] and options["folder"]:
        raise WrongUse("--bin and --program exclude each other")
    if options["program"]:
        check_executable(options["program"], "--program")
        return Programs("", (), only=options["program"]), False
    folder = options["folder"] or own_programs()
    if not os.path.isdir(folder):
        raise WrongUse(f"--bin: {folder} is not a directory")
    programs = Programs(folder, ALL)
    if _are_shipped(options["paths"]) and all(map(programs.why_not, ALL)):
        raise WrongUse(f"there is none of the programs that the cases are for in {folder}")
    return programs, not options["folder"]


def _are_shipped(paths: "Iterable[str]") -> bool:
    """Whether the cases are those that come along, and not test-fixtures in a checkout or elsewhere."""
    from harness.shipped import shipped_cases

    return all(shipped_cases() in (path, os.path.dirname(path)) for path in paths)


def _sandbox(
    options: "Options", paths: list[str], written: list[str], stream: bool
) -> "tuple[Sandbox | None, str]":
    """The sandbox to use, if any, and a note that says which isolation that is."""
    from harness.running.rungs import RUNGS, none_told, rung_of

    mode = options["sandbox"]
    if stream and mode == "auto":
        return None, "no sandbox: our own programs need none"
    rung = rung_of(mode)
    if not rung:
        return None, none_told(mode)
    hidden = written, folders_of(paths)
    sandbox = RUNGS[rung](options["memory"] << 20, options["show"], *hidden, names_in(options))
    return sandbox, sandbox.told


def _limits_note(isolation: dict[str, bool], options: "Options") -> str:
    from harness.running.limits import MOST_PROCESSES

    memory = "control group" if isolation["memory"] else "watched"
    processes = (
        f"{MOST_PROCESSES} processes (control group)" if isolation["processes"] else "processes not limited"
    )
    if not isolation["processes"] and (isolation["sandbox"] or os.getuid() != 0):
        processes = f"{MOST_PROCESSES} processes (resource limit)"
    return (
        f"limits per case: {options['timeout']:g} s, {options['memory']} MB ({memory}), "
        f"{options['output']} KB of output, {processes}"
    )


def _wanted(options: "Options", done: set[int]) -> "Callable[[Case], bool]":
    """Whether a case is to be run."""
    from harness.fixtures.cases import matching

    matches = matching(options["pattern"])
    failed = _last_failed() if options["last_failed"] else None
    shard = None
    if options["shard"]:
        from harness.grading.shards import shard_of

        shard = shard_of(options["shard"])

    def wanted(case: "Case") -> bool:
        is_named = matches(case.name) and (failed is None or case.name in failed)
        return is_named and (shard is None or shard.has_case(case))

    if not options["resume"]:
        return wanted
    from harness.running.journal import as_recorded

    return lambda case: hash(as_recorded(case.name)) not in done and wanted(case)


def _last_failed() -> "set[str] | None":
    from harness.running.last_run import LastRun

    failed = set(LastRun().failed)
    if not failed:
        complain(
            "harness", "no failures of an earlier run from this directory are recorded; running all cases"
        )
        return None
    return failed
