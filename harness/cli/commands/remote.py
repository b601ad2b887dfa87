"""`harness remote`: somebody's server or client, tested over real connections."""

import fnmatch
import os
import shlex

import click

from harness import FAILED, INTERRUPTED, NO_OUTPUT
from harness.cli.group import subcommand
from harness.cli.parameters import (
    SECONDS,
    WAIT,
    failures_only_option,
    flag,
    journal_option,
    report_options,
    sandbox_option,
    seconds_option,
    timeout_option,
)
from harness.errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.report import Reports
    from harness.running.pool import Summary
    from harness.running.sandbox import Sandbox

    Options = dict[str, Any]

JOURNAL_START = b'{"v":'
MEMORY = 256 << 20  # bytes; a half is for files
# What a journal says of the test.
KEPT = (
    *("server", "client", "host", "port", "players", "timeout", "wait", "patience", "deck", "patterns"),
    *("sandbox", "show", "strict"),
)
# The options that make a difference, for the line that shows a failure again.
REPEATED = ("host", "port", "players", "timeout", "wait", "patience", "gap", "deck", "sandbox")


@subcommand
@click.option("--server", metavar="COMMAND", help="Test a server that is started by this command.")
@click.option("--client", metavar="COMMAND", help="Test a client that is started by this command.")
@click.option("--host", default="127.0.0.1", show_default=True, help="What {host} stands for.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=45678,
    show_default=True,
    help="The port of a COMMAND without {port}; otherwise a free one is chosen for every game.",
)
@click.option(
    "--players", type=click.IntRange(3, 8), default=3, show_default=True, help="How many play in a game."
)
@timeout_option(5.0, "Seconds for each answer: how long the server waits for one, or a client has.")
@seconds_option(
    "--wait", WAIT, 10.0, "Seconds that a server may wait for more sign-ups before it starts a game."
)
@seconds_option("--patience", SECONDS, 10.0, "Seconds for everything else: to start, to go on, to end.")
@seconds_option("--gap", WAIT, 0.02, "Seconds between two messages to a client.")
@click.option(
    "--deck",
    type=click.Choice(["order", "any"]),
    default="order",
    show_default=True,
    help="The deck of a server: in card order; or any, and the rules are seen with the cards that it deals.",
)
@click.option(
    "-k",
    "patterns",
    metavar="PATTERN",
    multiple=True,
    help="Only scenarios whose name contains this; with * or ? in it, matches. Can be repeated.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 64),
    default=4,
    show_default=True,
    metavar="N",
    help="Games at once. One, if the COMMAND has no {port}.",
)
@sandbox_option("the program")
@flag(
    "--strict",
    help="Count the verdict manner as wrong, too: what differs from the documents, but works in practice.",
)
@flag("--quick", help="Leave out the scenarios that wait for a time-out.")
@failures_only_option
@journal_option(
    "Write a journal: one JSON object per scenario, as it ends, with the transcript of a failure."
)
@report_options
@flag("--list", "listing", help="List the scenarios, and exit.")
def command(**options: "Any") -> int:
    """Test somebody's server or client over real connections.

    The COMMAND is started anew for every game, with {host}, {port} and {name} in it filled in. A
    server plays with honest clients and with rude ones; a client plays in a game of ours, whose
    messages come in every form that is allowed. Each scenario gets a verdict, and a failure shows
    what was said up to it. "not shown" means that the game did not get that far, and is no pass;
    "manner", that the program differs from the documents, but works in practice. The last lines
    tell how the program reads and writes. In the sandbox, the program has a network of its own,
    which only the harness shares.

    \b
    Examples:
      harness remote --server 'bin/xserver --port {port} --max 3 --timeout 2' --timeout 2
      harness remote --client 'bin/xclient --port {port} --name {name}'

    \b
    Exit status: 0 everything passed, or is manner; 1 something failed or was not shown; 2 the
    command line is wrong; 130 interrupted.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Test what the options say; the exit status."""
    if options["listing"]:
        return _list()
    _check(options)
    reports = _reports(options)
    try:
        return _test(options, reports)
    finally:
        reports.abandon()


def _list() -> int:
    from harness.conformance.trial import MEANING

    for side, scenarios in MEANING.items():
        for name, meaning in scenarios.items():
            click.echo(f"{side:7} {name:28} {meaning}")
    return 0


def _check(options: "Options") -> None:
    if bool(options["server"]) == bool(options["client"]):
        raise WrongUse("say what is tested: either --server COMMAND or --client COMMAND")
    try:
        words = shlex.split(options["server"] or options["client"])
    except ValueError as problem:
        raise WrongUse(f"the COMMAND cannot be read: {problem}") from None
    if not words:
        raise WrongUse("the COMMAND is empty")


def _reports(options: "Options") -> "Reports":
    from harness.report import Reports, check_target

    journal = options["journal"]
    if journal:
        check_target("--json", journal, JOURNAL_START)
    return Reports(options, _header(options), options["failures_only"], [journal] if journal else [])


def _header(options: "Options") -> "dict[str, Any]":
    """What the first record of a journal says of the test."""
    from time import gmtime, strftime

    header = {name: options[name] for name in KEPT}
    return {**header, "directory": os.getcwd(), "started": strftime("%Y-%m-%d %H:%M UTC", gmtime())}


def _sandbox(options: "Options") -> "tuple[Sandbox | None, str]":
    """The sandbox to use, if any, and a line that says which isolation that is.

    In that of bubblewrap the program has this process's network, so from now on that is one of its own.
    """
    from harness.conformance.started import limit_files
    from harness.running.network import enter_own_network, is_own_address
    from harness.running.rungs import RUNGS, none_told, rung_of

    mode = options["sandbox"]
    rung = rung_of(mode)
    if not rung:
        return None, none_told(mode)
    if not is_own_address(options["host"]):
        raise WrongUse(
            f"--host {options['host']}: in the sandbox there is only 127.0.0.1; or say --sandbox off"
        )
    if rung == "bubblewrap":
        enter_own_network()
    limit_files()
    sandbox = RUNGS[rung](MEMORY, options["show"])
    own = "this test's own" if rung == "bubblewrap" else "this test's port"
    return sandbox, sandbox.told.replace("no network", f"no network but {own}")


def _settings(options: "Options", sandbox: "Sandbox | None") -> "Any":
    common = {name: options[name] for name in ("host", "port", "players", "timeout", "patience")}
    common["sandbox"] = sandbox
    if options["server"]:
        from harness.conformance import servers

        in_order = options["deck"] == "order"
        return servers.Settings(options["server"], wait=options["wait"], in_order=in_order, **common)
    from harness.conformance import clients

    return clients.Settings(options["client"], gap=options["gap"], **common)


def _test(options: "Options", reports: "Reports") -> int:
    from harness.conformance.trial import PROGRAMS, SIDES, Trial
    from harness.conformance.verdict import result_of
    from harness.judging.verdicts import MANNER
    from harness.report import Several
    from harness.report.terminal import FAILURES, USUAL, to_terminal
    from harness.running.journal import Journal
    from harness.running.limits import adopt_orphans, end_children
    from harness.running.pool import Summary

    side = "server" if options["server"] else "client"
    sandbox, note = _sandbox(options)
    jobs = options["jobs"] if "{port}" in options[side] else 1
    left_out = SIDES[side].TIMED if options["quick"] else ()
    trial = Trial(
        side,
        _settings(options, sandbox),
        jobs,
        lambda name: name not in left_out and _matches(name, options["patterns"]),
    )
    journal = Journal(options["journal"], _header(options), append=False) if options["journal"] else None
    patient = bool(reports.paths or journal)  # or a closed pipe would cost files
    how_much = FAILURES if options["failures_only"] else USUAL
    terminal = to_terminal(how_much, reports.takes_standard_output, patient)
    listener = Several(terminal, reports)
    summary = Summary()
    manner: list[str] = []
    adopt_orphans()
    try:
        for scenario, run in trial.run():
            again = _reproduce(options, side, scenario)
            result = result_of(side, PROGRAMS[side], scenario, run, again, options["strict"])
            if result.verdict == MANNER:
                manner.append(f"manner: {scenario}: {result.detail}")
            summary.add(result)
            if journal is not None:
                journal.write(result)
            listener.ended(result, summary)
    except KeyboardInterrupt:
        summary.interrupted = True
    finally:
        end_children()
        if sandbox is not None:
            sandbox.leave()
        if journal is not None:
            journal.close()
    if not summary.total and not summary.interrupted:
        raise WrongUse(f"-k {' '.join(options['patterns'])} matches no scenario; --list shows them all")
    table = [f"{what + ':':30}{how}" for what, how in trial.manners()]
    terminal.summary(summary, [*manner, *table, note])
    reports.finish(summary)
    return NO_OUTPUT if terminal.is_cut_off or reports.is_cut_off else _status(summary)


def _status(summary: "Summary") -> int:
    if summary.interrupted:
        return INTERRUPTED
    return 0 if summary.passed else FAILED


def _matches(name: str, patterns: tuple[str, ...]) -> bool:
    return not patterns or any(
        fnmatch.fnmatch(name, pattern) if set(pattern) & set("*?[") else pattern in name
        for pattern in patterns
    )


def _reproduce(options: "Options", side: str, scenario: str) -> str:
    """The line to type to see a scenario again."""
    context = click.get_current_context()
    words = ["harness", "remote", f"--{side}", options[side]]
    for name in REPEATED:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            words += [
                f"--{name}",
                f"{options[name]:g}" if isinstance(options[name], float) else str(options[name]),
            ]
    strict = ["--strict"] if options["strict"] else []
    return shlex.join([*words, *strict, "-k", scenario])
