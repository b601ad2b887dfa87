"""`harness grade`: from a folder of submissions to marks, feedback and reports."""

import os
from dataclasses import replace

import click

from harness import INTERRUPTED, NO_OUTPUT, OUR_FAULT
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    KILOBYTES,
    MEGABYTES,
    SECONDS,
    cluster_meant,
    cluster_options,
    dialect_option,
    file_option,
    flag,
    jobs_option,
    json_option,
    names_option,
    sandbox_option,
    shard_option,
)
from harness.errors import WrongUse, did_you_mean
from harness.grading.config import Config, TeamSpec
from harness.programs.answering import complain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from harness.cluster.address import Cluster
    from harness.grading.history import Before
    from harness.grading.score import Mark
    from harness.grading.session import Session
    from harness.grading.shards import Part, Shard
    from harness.grading.suites import Suites
    from harness.grading.teams import Team
    from harness.grading.terminal import Watching
    from harness.judging.result import Result
    from harness.running.pool import Summary

    Options = dict[str, Any]
    Marking = Callable[[Session], tuple[list[Mark], dict[str, list[str]]]]

EXAMPLE_FILE = "grade.toml"
PLATFORMS = ("gradescope", "prairielearn", "classroom50")  # options that write the results of one team


def shared_options(command: "Callable[..., int]") -> "Callable[..., int]":
    """The options that grade and fest have in common."""
    for option in reversed(SHARED):
        command = option(command)
    return command


def teams_argument(command: "Callable[..., int]") -> "Callable[..., int]":
    """TEAMs, which are directories."""
    return click.argument("teams", metavar="[TEAM]...", nargs=-1, type=FILE)(command)


def config_option(help: str) -> "Callable[[Callable[..., int]], Callable[..., int]]":
    """--config, the file with the configuration."""
    return file_option("--config", help=help)


def configured(options: "Options") -> Config:
    """The configuration that the options name, with the teams that they add."""
    if options["config"]:
        if not os.path.isfile(options["config"]):
            raise WrongUse(f"--config: {options['config']} does not exist")
        from harness.grading.config_file import read_config

        alone = bool(options["teams"]) and any(options.get(name) for name in (*PLATFORMS, "metadata"))
        config = read_config(options["config"], options["teams"], alone)
    else:
        config = Config(teams=tuple(map(TeamSpec, options["teams"])))
    if not config.teams:
        example = f"--config {EXAMPLE_FILE}" if os.path.isfile(EXAMPLE_FILE) else "a --config"
        raise WrongUse(f"no teams: name their directories, or give {example}")
    return config


SHARED = (
    file_option(
        "--out",
        metavar="DIR",
        help="The directory to write everything to. Default: grades, or as configured; for a fest, fest.",
    ),
    click.option(
        "--for",
        "who",
        type=click.Choice(["staff", "students"]),
        default="staff",
        show_default=True,
        help="Whom the results are for. students: a folder for each team, with nothing of any other team, "
        "and of hidden suites only the points.",
    ),
    file_option("--only", metavar="TEAM", multiple=True, help="Run only this team. Can be repeated."),
    flag("--regrade", help="Run even what has been graded before."),
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
        help="Run each case N times. Those whose results differ are called unsteady, and do not pass.",
    ),
    click.option(
        "--team-budget",
        type=SECONDS,
        metavar="SECONDS",
        help="Time for all cases of one team. Cases that are left by then count as timed out.",
    ),
    names_option,
    dialect_option("Default: auto, or as configured."),
    jobs_option(),
    click.option("--timeout", type=SECONDS, metavar="SECONDS", help="Time for one case. Default: 10."),
    click.option("--memory", type=MEGABYTES, metavar="MB", help="Memory for one case. Default: 2048."),
    click.option(
        "--output", type=KILOBYTES, metavar="KB", help="How much one case may print. Default: 16384."
    ),
    sandbox_option("programs", None),
    file_option(
        "--store",
        metavar="DIR",
        help="Where results are kept. Default: store in the directory of --out; for students, beside it.",
    ),
)


@subcommand
@teams_argument
@config_option("What is graded, what it is worth, and more. See --init.")
@file_option(
    "--suite",
    "suites",
    metavar="PATH",
    multiple=True,
    help="A directory of cases; one suite for each program in it. Can be repeated. Default: test-fixtures, "
    "or where there is none the cases that come with the harness.",
)
@flag("--exact", help="Compare JSON values as they are.")
@shared_options
@shard_option(
    "Grade one part of the teams, the Kth of N, into a folder of its own; without --out, "
    "GRADES.shards/K-of-N. --combine makes marks of all parts."
)
@file_option(
    "--combine",
    metavar="DIR...",
    multiple=True,
    help="Make marks and reports of shards that have been graded: DIRs are shards, or hold them. Nothing is "
    "run. The teams and everything else must be named as they were for the shards.",
)
@cluster_options
@flag("--init", help=f"Write a commented example, {EXAMPLE_FILE}, and exit.")
@file_option(
    "--gradescope",
    help="Write Gradescope's results.json for one team, even while programs still run. With this option and "
    "the next three, a TEAM takes the place of those in the --config.",
)
@file_option("--prairielearn", help="Write PrairieLearn's results.json for one team.")
@file_option(
    "--classroom50", help="Write Classroom 50's result.json for one team, and release-body.md beside it."
)
@file_option(
    "--metadata",
    help="Gradescope's submission_metadata.json of one team, which says whether it is late and how many "
    "submissions came before.",
)
@file_option(
    "--gradescope-zip",
    help="Write an autograder for Gradescope, with the --config, its suites and this harness; run nothing.",
)
@flag(
    "--dry-run", help="Say for every team and suite what the team would be told, and run and write nothing."
)
@json_option("With --dry-run: print one JSON object instead of a table.")
@flag("--schema", help="Print the JSON Schema of results.jsonl, and exit.")
def command(**options: "Any") -> int:
    """Grade the programs of many teams on suites of cases.

    A TEAM is a directory with executables named like the programs, in it or in its bin/. If it has
    an executable compile, that is run first, on a copy. Suites, points, teams and limits can be
    configured in a file; the command line overrides it. What has been graded before is not run
    again. The results are results.jsonl, scores.csv, report.html, and for each team a page of
    feedback, a Gradescope and a JUnit file; with --for students, all of this in a folder for each
    team, without the others.

    \b
    Examples:
      harness grade submissions/* --suite tests --out grades
      harness grade --config grade.toml --since last
      harness grade --config grade.toml --shard 1/4
      harness grade --config grade.toml --combine grades.shards

    \b
    Exit status: 0 everything is graded, whatever the marks; 2 the command line is wrong; 65 the
    configuration, or a shard, is refused; 70 teams are not graded because the machine or the harness
    has failed (the same command continues); 74 the results could not be written; 130 interrupted
    (likewise).
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
    if options["gradescope_zip"]:
        from harness.grading.autograder import write_autograder

        if not options["config"]:
            raise WrongUse("--gradescope-zip needs a --config, whose suites it packs")
        click.echo(write_autograder(options["gradescope_zip"], options["config"]))
        return 0
    if options["combine"]:
        _take_shards(options)
    _see_that_shards_are_whole(options)
    config = _with_suites(configured(options), options)
    if options["metadata"]:
        config = _with_metadata(config, options["metadata"])
    if options["dry_run"]:
        return _dry_run(config, options)
    if options["as_json"]:
        raise WrongUse("--json goes with --dry-run; results.jsonl and grading.json are for tools")
    return run(config, options, _marks)


def _with_metadata(config: Config, path: str) -> Config:
    """The configuration with what Gradescope says of the submission."""
    from harness.grading.submission import lateness, read_metadata

    submission = read_metadata(path)
    factor, note = lateness(config.late, submission.late)
    teams = (
        replace(
            team,
            factor=team.factor * factor,
            note="; ".join(filter(None, [team.note, note])),
            submissions=team.submissions or submission.number,
            zone=submission.zone,
        )
        for team in config.teams
    )
    return replace(config, teams=tuple(teams))


def _see_that_one_can_be_written(options: "Options", teams: int) -> None:
    """See that what platforms read can be written, before anything runs. Raises WrongUse."""
    from harness.report import check_target

    for name in (*PLATFORMS, "metadata"):
        if options.get(name) and teams != 1:
            raise WrongUse(f"--{name} is for one team, and there are {teams}; name one TEAM")
    for name in PLATFORMS:
        if options.get(name):
            check_target(f"--{name}", options[name], b"{")


def _write_platforms(session: "Session", mark: "Mark", options: "Options") -> None:
    """Write what platforms read of a team."""
    from harness.grading.gradescope import write_gradescope
    from harness.grading.outputs import reports_of
    from harness.grading.platforms import write_classroom50, write_prairielearn

    full, told = reports_of(session, mark)
    if options["gradescope"]:
        write_gradescope(options["gradescope"], told, full)
    if options["prairielearn"]:
        write_prairielearn(options["prairielearn"], told)
    if options["classroom50"]:
        write_classroom50(options["classroom50"], told)


def _dry_run(config: Config, options: "Options") -> int:
    """Tell what each team would be told of each suite."""
    import json

    from harness.grading.audience import degrees_today
    from harness.grading.history import count_submissions
    from harness.grading.suites import read_suites
    from harness.grading.teams import find_teams
    from harness.report.words import safe
    from harness.text import table

    config = with_options(config, options)
    teams = find_teams(config.teams)
    suites = read_suites(config, {name for team in teams for name in team.spec.programs}).suites
    out = os.path.normpath(config.out)
    kept = [options["store"]] if options["store"] else [os.path.join(out, "store"), f"{out}.store"]
    count_submissions(next(filter(os.path.isdir, kept), ""), teams)
    told = {team.name: degrees_today(suites, team) for team in teams}
    if options["as_json"]:
        names = [suite.name for suite in suites]
        records = [
            {
                "team": team.name,
                "submissions": team.submissions,
                "suites": dict(zip(names, told[team.name], strict=True)),
            }
            for team in teams
        ]
        hidden = [suite.name for suite in suites if suite.hidden]
        click.echo(json.dumps({"teams": records, "hidden": hidden}, indent=2))
        return 0
    heads = [f"{safe(suite.name)}{' (hidden)' * suite.hidden}" for suite in suites]
    rows = [[str(team.submissions), safe(team.name), *told[team.name], ""] for team in teams]
    click.echo("\n".join(table([["submission", "team", *heads, ""], *rows])))
    click.echo("\nthis is what each team would be told; nothing has been run or written")
    return 0


def _take_shards(options: "Options") -> None:
    """Take those of the TEAMs that are shards for what they are: all that a shell makes of DIR/*."""
    from harness.grading.shards import is_shard

    options["combine"] = (*options["combine"], *filter(is_shard, options["teams"]))
    options["teams"] = tuple(team for team in options["teams"] if not is_shard(team))


def _see_that_shards_are_whole(options: "Options") -> None:
    """Refuse what makes no sense for a part of a class, or where nothing is run."""
    whole = {"only": "--only", "combine": "--combine", "since": "--since", "store": "--store"}
    whole["cluster"] = "--cluster"
    without = {"only": "--only", "regrade": "--regrade", "cluster": "--cluster"}
    option, others = ("--shard", whole) if options["shard"] else ("--combine", without)
    for name, other in others.items() if options["shard"] or options["combine"] else ():
        if options[name]:
            raise WrongUse(f"{option} and {other} exclude each other")
    if options["shard"] and options["who"] != "staff":
        raise WrongUse("--shard makes no reports; say --for students with --combine")


def _init(path: str) -> int:
    from harness.grading.config_file import EXAMPLE

    try:
        with open(path, "x", encoding="utf-8") as file:
            file.write(EXAMPLE)
    except FileExistsError:
        raise WrongUse(f"{path} exists already, and is left as it is") from None
    except OSError as problem:
        raise WrongUse(f"{path} cannot be written: {problem.strerror}") from None
    click.echo(f"{path} is an example; edit it, then: harness grade --config {path}")
    return 0


def _with_suites(config: Config, options: "Options") -> Config:
    """The configuration with the suites of the command line in the place of those that it has."""
    from harness.grading.suites import suites_at
    from harness.shipped import usual_cases

    names = options["names"]
    suites = [suite for path in options["suites"] for suite in suites_at(path, names)]
    suites = suites or [replace(suite, names=(*names, *suite.names)) for suite in config.suites]
    suites = suites or suites_at(usual_cases(), names)
    own = replace(config.own_tests, names=(*names, *config.own_tests.names))
    exact = options["exact"]
    return replace(
        config,
        suites=tuple(replace(suite, exact=suite.exact or exact) for suite in suites),
        own_tests=own,
    )


def with_options(config: Config, options: "Options") -> Config:
    """The configuration with what the command line says, which goes before what is configured."""
    names = ("jobs", "timeout", "memory", "output", "sandbox", "team_budget")
    said = {name: options[name] for name in names if options[name] is not None}
    said["show"] = (*config.show, *options["show"])
    if options["dialect"]:
        from harness.fixtures.dialect import dialect_choice

        config = replace(
            config,
            dialect=dialect_choice(options["dialect"]),
            teams=tuple(replace(team, dialects={}) for team in config.teams),
        )
    return replace(config, **said, out=options["out"] or os.path.join(config.folder, config.out))


def folders(config: Config, options: "Options", shard: "Shard | None" = None) -> tuple[str, str]:
    """Where to write, and where results are kept; made if they are not there. Raises WrongUse.

    A folder with other things in it is left alone. Nobody else writes to either until this process ends.
    """
    from harness.grading.outputs import audience_of, command_of
    from harness.grading.places import about_file
    from harness.grading.store import SHARD, hold, is_held
    from harness.report.words import safe

    out = os.path.normpath(config.out)
    if os.path.exists(os.path.join(out, SHARD)):
        from harness.grading.shards import see_that_it_is_free

        see_that_it_is_free(out, shard)
    inside = os.path.join(out, "store")
    beside = f"{out}.store"
    is_ours = is_held(out) or any(map(os.path.exists, (about_file(out), inside, beside)))
    if not is_ours and os.path.isdir(out) and os.listdir(out):
        raise WrongUse(f"--out: {out} is not empty, and there are no grades in it; name another")
    if command_of(out) and shard:
        raise WrongUse(f"--out: there are grades in {out}; name another for shard {shard}")
    if command_of(out) not in ("", config.command):
        raise WrongUse(f"--out: {out} is from harness {command_of(out)}; name another")
    whose = audience_of(out)
    if whose not in ("", options["who"]):
        raise WrongUse(f"--out: what is in {out} is for {whose}; name another for {options['who']}")
    store = options["store"] or (inside if _is_private(options, inside, out) else beside)
    for folder in (out, store):
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as problem:
            raise WrongUse(f"{folder} cannot be made: {problem.strerror}") from None
        if not hold(folder):
            raise WrongUse(f"{safe(folder)}: another grading is writing there; wait until it has ended")
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

    config = with_options(config, options)
    teams = find_teams(config.teams)
    see_that_none_is_in_another(teams)
    _see_that_one_can_be_written(options, len(teams))
    names = {name for team in teams for name in team.spec.programs}
    suites = read_suites(config, names)
    see_that_all_are_asked(suites, names)
    chosen = _chosen(options["only"], [team.name for team in teams])
    hidden = [*hidden, options["config"]] if options.get("config") else hidden
    if options.get("shard"):
        return _shard(config, options, teams, suites, hidden)
    parts = _parts(config, options, teams, suites)
    cluster, refused = _cluster(config, options)
    out, store = folders(config, options)
    before = _before(options["since"], store)
    from harness.grading.session import Session

    rung = parts[0].manifest.rung if parts else None
    if cluster is None:
        session = Session(config, teams, suites, out, Store(store), hidden, rung)
    else:
        from harness.cluster.session import ClusterSession

        session = ClusterSession(config, teams, suites, out, Store(store), hidden)
        session.cluster, session.refused = cluster, refused
    session.started = started
    if config.check and config.command == "grade":  # a fest has a judge
        from harness.grading.findings import findings_of

        session.findings = findings_of(suites, session.store)
    if parts:
        _combine(session, options, parts)
    else:
        _carry_out(session, options, chosen)
    return _session(session, options, before, marking)


def _shard(
    config: Config, options: "Options", teams: "list[Team]", suites: "Suites", hidden: "Sequence[str]"
) -> int:
    """Grade one part of the teams, and leave what is known of them; the exit status."""
    from harness.grading import shards
    from harness.grading.session import Session
    from harness.grading.store import Store
    from harness.report.words import safe

    shard, repeat = shards.shard_of(options["shard"]), options["repeat"]
    if not options["out"]:
        config = replace(config, out=f"{config.out}.shards/{shard.number}-of-{shard.of}")
    chosen = shard.teams(teams)
    out, store = folders(config, options, shard)
    hidden = [*hidden, *(team.path for team in teams)]
    session = Session(config, chosen, suites, out, Store(store), hidden)
    shards.begin(session, shard, repeat)
    if chosen:
        _carry_out(session, options, None)
    if session.interrupted:
        return _interrupted(options)
    if _tell_not_graded(session):
        return OUR_FAULT
    shards.finish(session, shard, repeat)
    many = f"{len(chosen)} of {len(teams)} teams" if chosen else f"none of the {len(teams)} teams is in it"
    click.echo(f"shard {shard}: {many}; programs started: {session.started}; it is in {safe(out)}")
    return 0


def _cluster(config: Config, options: "Options") -> "tuple[Cluster | None, dict[str, str]]":
    """The cluster to grade on, which has been seen to answer, and the workers of it that cannot be used."""
    if not options.get("cluster"):
        if options.get("cluster_tls") or options.get("insecure"):
            raise WrongUse("--cluster-tls and --insecure are about a cluster; name it with --cluster")
        return None, {}
    cluster = cluster_meant(options)
    from harness.cluster.session import unfit_workers

    return cluster, unfit_workers(cluster, config)


def _parts(config: Config, options: "Options", teams: "list[Team]", suites: "Suites") -> "list[Part]":
    """The shards that are to be combined, which have been seen to belong together."""
    if not options.get("combine"):
        return []
    from harness.grading import shards

    parts = shards.read_shards(options["combine"])
    shards.check(parts, config, suites, teams, options["repeat"])
    return parts


def _combine(session: "Session", options: "Options", parts: "list[Part]") -> None:
    """Let a session know what shards have found out."""
    from harness.grading import shards
    from harness.grading.terminal import Watching

    watching = Watching("combining", len(session.teams))
    session.note = parts[0].manifest.told
    shards.take_stores(parts, session.store.folder)
    session.prepare(watching, set(), False)
    shards.take_programs(parts, session)
    session.plan(watching, None, False, options["repeat"], session.config.team_budget)
    session.combine()
    watching.close()


def _chosen(only: tuple[str, ...], names: list[str]) -> "set[str] | None":
    """The teams that were named with --only, by name or by path."""
    if not only:
        return None
    from harness.grading.teams import readable

    chosen = set()
    for one in only:
        name = one if one in names else readable(os.path.basename(os.path.normpath(one)))
        if name not in names:
            raise WrongUse(f"--only: there is no team {readable(one)}{did_you_mean(name, names)}")
        chosen.add(name)
    return chosen


def _before(since: "str | None", store: str) -> "Before | None":
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


def _carry_out(session: "Session", options: "Options", chosen: "set[str] | None") -> None:
    """Build, plan and run, before somebody's eyes."""
    from harness.grading.terminal import Watching, teams_told

    watching = Watching("building", len(session.teams))
    session.prepare(watching, chosen, options["regrade"])
    watching.close()
    if not session.interrupted:
        watching = Watching(teams_told(len(session.teams)), 0)
        if options.get("gradescope"):
            watching = _partial(session, options["gradescope"])
        budget = session.config.team_budget
        watching.bar.total = session.plan(watching, chosen, options["regrade"], options["repeat"], budget)
        session.grade()
        watching.close()


def _interrupted(options: "Options") -> int:
    how = " without --regrade" if options["regrade"] else ""
    click.echo(f"interrupted; what has been graded is kept: the same command{how} continues", err=True)
    return INTERRUPTED


def _tell_not_graded(session: "Session") -> bool:
    """Say whose marks are not known because the machine or the harness has failed; whether there are any."""
    from harness.report.words import safe

    for name, how in session.not_graded.items():
        click.echo(f"not graded: {safe(name)}: {safe(how)}; the same command tries again", err=True)
    return bool(session.not_graded)


def _session(session: "Session", options: "Options", before: "Before | None", marking: "Marking") -> int:
    from harness.grading.audience import Audience
    from harness.grading.dialects import told_to_all
    from harness.grading.history import remember
    from harness.grading.outputs import write_all
    from harness.report.words import safe

    if session.interrupted:
        return _interrupted(options)
    marks, extra = marking(session)
    status = OUR_FAULT if _tell_not_graded(session) else 0
    if not marks:
        click.echo("no team has been graded", err=True)
        return status
    marked = {mark.team.name for mark in marks}
    left_out = [team.name for team in session.teams if team.name not in marked]
    audience = Audience(session, options["who"])
    notes = [*filter(None, [told_to_all(audience)]), session.note, session.limits_told]
    try:
        write_all(session, marks, options["who"], notes, extra)
        if any(options.get(name) for name in PLATFORMS):
            _write_platforms(session, marks[0], options)
        number = remember(session, marks)
    except OSError as problem:
        complain("harness", f"cannot write: {session.out}: {problem}")
        return NO_OUTPUT
    _tell(session, audience, marks, before, left_out)
    for note in notes:
        click.echo(note)
    if session.probes:
        click.echo(f"{session.probes} more starts, to find out what programs read; that is kept")
    click.echo(f"programs started: {session.started}; run {number}; everything is in {safe(session.out)}")
    return status


def _partial(session: "Session", path: str) -> "Watching":
    """A listener that writes to Gradescope's file what is known so far, about once in a second."""
    from contextlib import suppress
    from time import monotonic

    from harness.grading.gradescope import write_partial
    from harness.grading.terminal import Watching

    class Partial(Watching):
        last = 0.0

        def ended(self, result: "Result", summary: "Summary") -> None:
            super().ended(result, summary)
            if monotonic() - self.last >= 1:
                self.last = monotonic()
                with suppress(OSError):  # who writes the whole tells of it
                    write_partial(path, session)

    return Partial("1 team", 0)


def _tell(
    session: "Session",
    audience: "Any",
    marks: "list[Mark]",
    before: "Before | None",
    left_out: list[str],
) -> None:
    from harness.grading.history import changes
    from harness.grading.outputs import causes_told
    from harness.grading.terminal import common_causes, hard_cases, problems, ranking
    from harness.report.words import listed

    causes = common_causes(causes_told(session.out))
    blocks = [problems(audience), ranking(marks, audience), causes, hard_cases(audience)]
    if left_out:
        blocks.append([f"not yet graded in the present version, so in no report: {listed(left_out)}"])
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
