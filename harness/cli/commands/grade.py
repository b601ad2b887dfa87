"""`harness grade`: from a folder of submissions to marks, feedback and reports."""

import os

import click

from harness import INTERRUPTED
from harness.cli.group import subcommand
from harness.cli.parameters import KILOBYTES, MEGABYTES, SANDBOX, SECONDS, jobs_option
from harness.grading.config import Config, ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from harness.grading.history import Run
    from harness.grading.score import Mark
    from harness.grading.session import Session

    Options = dict[str, Any]
    Marking = Callable[[Session], tuple[list[Mark], dict[str, list[str]]]]

REFUSED = 65
EXAMPLE_FILE = "grade.toml"


def shared_options(command: "Callable[..., int]") -> "Callable[..., int]":
    """The options that grade and fest have in common."""
    for option in reversed(SHARED):
        command = option(command)
    return command


SHARED = (
    click.option(
        "--out",
        metavar="DIR",
        help="Where everything is written to. Default: grades or as configured; a fest: fest.",
    ),
    click.option(
        "--for",
        "who",
        type=click.Choice(["staff", "students"]),
        default="staff",
        show_default=True,
        help="students: nothing of a hidden suite is in anything that is written, but its points.",
    ),
    click.option("--only", metavar="TEAM", multiple=True, help="Run only this team. Can be repeated."),
    click.option("--regrade", is_flag=True, help="Run again what has been graded already."),
    click.option(
        "--since",
        metavar="RUN",
        help="Say what has changed since an earlier run: its number, last, or another DIR.",
    ),
    click.option(
        "--repeat",
        type=click.IntRange(1, 100),
        default=1,
        metavar="N",
        help="Run each case N times, and say which ones are unsteady. They do not pass.",
    ),
    click.option(
        "--team-budget",
        type=SECONDS,
        metavar="SECONDS",
        help="Time for all cases of one team; what is not reached has timed out.",
    ),
    jobs_option,
    click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Time for one case. Default: 10."),
    click.option("--memory", type=MEGABYTES, metavar="MB", help="Memory for one case. Default: 2048."),
    click.option("--output", type=KILOBYTES, metavar="KB", help="What one case may print. Default: 16384."),
    click.option(
        "--sandbox",
        type=SANDBOX,
        help="Shut programs in with bubblewrap. auto, the default: if it works here; on: or fail; "
        "strict: as on, and with this harness hidden, so that no program can let it answer.",
    ),
    click.option(
        "--store", metavar="DIR", help="Where results are kept. Default: DIR/store; for students, DIR.store."
    ),
)


@subcommand
@click.argument("teams", metavar="[TEAM]...", nargs=-1)
@click.option("--config", metavar="FILE", help="What is graded, what it is worth, and more. See --init.")
@click.option(
    "--suite",
    "suites",
    metavar="PATH",
    multiple=True,
    help="A directory of cases; one suite for each program in it. Can be repeated. Default: test-fixtures, "
    "or where there is none the cases that come with the harness.",
)
@click.option("--exact", is_flag=True, help="Compare JSON values as they are.")
@shared_options
@click.option("--init", is_flag=True, help=f"Write a commented example, {EXAMPLE_FILE}, and exit.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of results.jsonl, and exit.")
def command(**options: "Any") -> int:
    """Grade the programs of many teams on suites of cases.

    A TEAM is a directory with executables named like the programs, or with such in its bin/. If it has
    an executable compile, that is run first, on a copy. Suites, points, teams and limits can be configured
    in a file; what the command line says goes before it. What has been graded is not graded again. Written
    are results.jsonl, scores.csv, report.html, and for each team a page of feedback, a Gradescope and a
    JUnit file.

    \b
    Examples:
      harness grade submissions/* --suite tests --out grades
      harness grade --config grade.toml --since last

    \b
    Exit status: 0 everything is graded, whatever the marks; 2 the command line is wrong; 65 the
    configuration is refused; 130 interrupted (the same command goes on).
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Grade what the options say; the exit status."""
    if options["init"]:
        return _init(options["config"] or EXAMPLE_FILE)
    if options["schema"]:
        import json

        from harness.judging.result import GRADED_SCHEMA

        click.echo(json.dumps(GRADED_SCHEMA, indent=2))
        return 0
    if options["config"]:
        if not os.path.isfile(options["config"]):
            raise click.UsageError(f"--config: {options['config']} does not exist")
        try:
            config = _read(options["config"])
        except ConfigError as problem:
            click.echo(f"Error: {problem}", err=True)
            return REFUSED
    else:
        config = Config()
    _add_paths(config, options)
    return run(config, options, _marks)


def _init(path: str) -> int:
    from harness.grading.config import EXAMPLE

    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(EXAMPLE)
    except FileExistsError:
        raise click.UsageError(f"{path} is already there, and is left as it is") from None
    except OSError as problem:
        raise click.UsageError(f"{path} cannot be written: {problem.strerror}") from None
    click.echo(f"{path} is an example; edit it, then: harness grade --config {path}")
    return 0


def _read(path: str) -> Config:
    from harness.grading.config import read_config

    return read_config(path)


def _add_paths(config: Config, options: "Options") -> None:
    """Teams and suites of the command line; the suites take the place of what is configured."""
    from harness.grading.config import TeamSpec
    from harness.grading.suites import suites_at
    from harness.shipped import usual_cases

    config.teams += [TeamSpec(path) for path in options["teams"]]
    if not config.teams:
        raise click.UsageError("no teams: name their directories, or give a --config")
    if options["suites"]:
        config.suites = [suite for path in options["suites"] for suite in suites_at(path)]
    elif not config.suites:
        config.suites = suites_at(usual_cases())
    for suite in config.suites:
        suite.exact = suite.exact or options["exact"]


def take_over(config: Config, options: "Options") -> None:
    """What the command line says goes before what is configured."""
    for name in ("jobs", "timeout", "memory", "output", "sandbox", "team_budget"):
        if options[name] is not None:
            setattr(config, name, options[name])
    config.out = options["out"] or os.path.join(config.folder, config.out)


def folders(config: Config, options: "Options") -> tuple[str, str]:
    """Where to write, and where results are kept; made if they are not there. Raises click.UsageError.

    A folder with other things in it is left alone. Nobody else writes to either until this process ends.
    """
    from harness.grading.outputs import ABOUT, command_of
    from harness.grading.store import hold
    from harness.report.words import safe

    out = os.path.normpath(config.out)
    inside = os.path.join(out, "store")
    is_ours = os.path.exists(os.path.join(out, ABOUT)) or os.path.isdir(inside)
    if not is_ours and os.path.isdir(out) and os.listdir(out):
        raise click.UsageError(f"--out: {out} is not empty, and there are no grades in it; name another")
    if command_of(out) not in ("", config.command):
        raise click.UsageError(f"--out: {out} is from harness {command_of(out)}; name another")
    store = options["store"] or (inside if _is_private(options, inside, out) else f"{out}.store")
    for folder in (out, store):
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise click.UsageError(f"{folder} cannot be made: {problem.strerror}") from None
        if not hold(folder):
            raise click.UsageError(
                f"{safe(folder)}: another grading is writing there; wait until it has ended"
            )
    return out, store


def _is_private(options: "Options", inside: str, out: str) -> bool:
    """Whether results can be kept within the folder, because it is not one to hand out."""
    if options["who"] != "students":
        return True
    if os.path.isdir(inside):
        click.echo(f"{inside} holds results of hidden suites: do not hand out {out} as a whole", err=True)
        return True
    return False


def run(
    config: Config, options: "Options", marking: "Marking", hidden: "Sequence[str]" = (), started: int = 0
) -> int:
    """Grade what is configured, write everything, and tell about it; the exit status.

    No program sees what is hidden, besides what it never sees. started: programs so far.
    """
    from harness.grading.store import Store
    from harness.grading.suites import read_suites, see_that_all_are_asked
    from harness.grading.teams import find_teams, see_that_none_is_in_another
    from harness.running.sandbox import SandboxError

    take_over(config, options)
    try:
        teams = find_teams(config.teams)
        see_that_none_is_in_another(teams)
        names = {name for team in teams for name in team.spec.programs}
        suites = read_suites(config, names)
        see_that_all_are_asked(suites, names)
        chosen = _chosen(options["only"], [team.name for team in teams])
        out, store = folders(config, options)
        before = _before(options["since"], store)
        from harness.grading.session import Session

        hidden = [*hidden, options["config"]] if options.get("config") else hidden
        session = Session(config, teams, suites, out, Store(store), hidden)
        session.started = started
        return _session(session, options, chosen, before, marking)
    except (ConfigError, SandboxError) as problem:
        raise click.UsageError(str(problem)) from None


def _chosen(only: tuple[str, ...], names: list[str]) -> "set[str] | None":
    """The teams that were named with --only, by name or by path."""
    if not only:
        return None
    from difflib import get_close_matches

    from harness.grading.teams import readable

    chosen = set()
    for one in only:
        name = one if one in names else readable(os.path.basename(os.path.normpath(one)))
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ConfigError(f"--only: there is no team {readable(one)}{hint}")
        chosen.add(name)
    return chosen


def _before(since: "str | None", store: str) -> "tuple[str, Run] | None":
    if not since:
        return None
    from harness.grading.history import earlier

    return earlier(store, since)


def _marks(session: "Session") -> "tuple[list[Mark], dict[str, list[str]]]":
    """What the teams get whose results are known."""
    from harness.grading.score import mark_all

    known = session.known
    ledgers = {standing.team.name: standing.ledger for standing in known}
    teams = [standing.team for standing in known]
    return mark_all(session.config, teams, session.suites, ledgers, session.tests), {}


def _session(
    session: "Session",
    options: "Options",
    chosen: "set[str] | None",
    before: "tuple[str, Run] | None",
    marking: "Marking",
) -> int:
    from harness.grading.audience import Audience
    from harness.grading.history import remember
    from harness.grading.outputs import write_all
    from harness.grading.terminal import Watching, teams_told
    from harness.report.words import safe

    watching = Watching("building", len(session.teams))
    session.prepare(watching, chosen, options["regrade"])
    watching.close()
    if not session.interrupted:
        watching = Watching(teams_told(len(session.teams)), 0)
        budget = session.config.team_budget
        watching.bar.total = session.plan(watching, chosen, options["regrade"], options["repeat"], budget)
        session.grade()
        watching.close()
    if session.interrupted:
        how = " without --regrade" if options["regrade"] else ""
        click.echo(f"interrupted; what has been graded is kept: the same command{how} goes on", err=True)
        return INTERRUPTED
    marks, extra = marking(session)
    if not marks:
        click.echo("nothing is known of any team", err=True)
        return 0
    marked = {mark.team.name for mark in marks}
    left_out = [team.name for team in session.teams if team.name not in marked]
    notes = [session.note, session.limits_told]
    try:
        write_all(session, marks, options["who"], notes, extra)
        number = remember(session, marks)
    except OSError as problem:
        raise click.ClickException(f"{session.out}: {problem}") from None
    audience = Audience(session, options["who"])
    _tell(session, audience, marks, before, left_out)
    for note in notes:
        click.echo(note)
    click.echo(f"programs started: {session.started}; run {number}; everything is in {safe(session.out)}")
    return 0


def _tell(
    session: "Session",
    audience: "Any",
    marks: "list[Mark]",
    before: "tuple[str, Run] | None",
    left_out: list[str],
) -> None:
    from harness.grading.history import changes
    from harness.grading.terminal import hard_cases, listed, problems, ranking

    blocks = [problems(audience), ranking(marks, audience), hard_cases(audience)]
    if left_out:
        blocks.append([f"not graded yet as handed in now, and in no report: {listed(left_out)}"])
    if before:
        name, old = before
        found = list(changes(old, session, marks, left_out, not audience.students))
        blocks.append(
            [f"since {name}:", *(f"  {line}" for line in found)]
            if found
            else [f"nothing has changed since {name}"]
        )
    for block in blocks:
        if block:
            click.echo("\n".join(block) + "\n")
