"""`harness fest`: every team brings programs and cases, and all right cases run on all programs."""

import os

import click

from harness import INTERRUPTED
from harness.cli.commands.grade import REFUSED, folders, run, shared_options, take_over
from harness.cli.group import subcommand
from harness.grading.config import Config, ConfigError, SuiteSpec, TeamSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.grading.fest import Fest
    from harness.grading.score import Mark
    from harness.grading.session import Session
    from harness.grading.teams import Team

    Options = dict[str, Any]


@subcommand
@click.argument("teams", metavar="[TEAM]...", nargs=-1)
@click.option(
    "--judge",
    metavar="reference|majority|FILE",
    default="reference",
    show_default=True,
    help="Who decides whether a case is right: the rules, most of the teams' programs, or another program; "
    "one that is called like a program judges its cases only, and the rules the others.",
)
@click.option("--config", metavar="FILE", help="Teams, builds, command lines and limits, as for grade.")
@shared_options
def command(**options: "Any") -> int:
    """Run a test fest: the cases of all teams on the programs of all teams.

    A TEAM is a directory with programs, as for grade, and with cases in its tests/ or test-fixtures/. A case
    is admitted if the judge agrees with what it expects; a rejected one is reported to its author, with the
    difference in words. Cases of the same meaning count once. For each two teams and each program there is
    a point: for finding a bug, or for withstanding. Everything is written as by grade, and fest.json.

    \b
    Examples:
      harness fest teams/* --out fest
      harness fest teams/* --judge majority

    \b
    Exit status: 0 the fest has been held; 2 the command line is wrong, or there are no cases; 65 the
    configuration is refused; 130 interrupted (the same command goes on).
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Hold the fest that the options say; the exit status."""
    from harness.grading.config import read_config
    from harness.running.sandbox import SandboxError

    config = Config()
    if options["config"]:
        if not os.path.isfile(options["config"]):
            raise click.UsageError(f"--config: {options['config']} does not exist")
        try:
            config = read_config(options["config"])
        except ConfigError as problem:
            click.echo(f"Error: {problem}", err=True)
            return REFUSED
    config.command = config.out = "fest"  # marks are configured to be elsewhere
    config.teams += [TeamSpec(path) for path in options["teams"]]
    if not config.teams:
        raise click.UsageError("no teams: name their directories, or give a --config")
    try:
        return _hold(config, options)
    except (ConfigError, SandboxError) as problem:
        raise click.UsageError(str(problem)) from None


def _hold(config: Config, options: "Options") -> int:
    from harness.grading import fest as fests
    from harness.grading.teams import find_teams, see_that_none_is_in_another

    take_over(config, options)
    options["out"] = config.out
    teams = find_teams(config.teams)
    see_that_none_is_in_another(teams)
    out, store = folders(config, options)
    fest = fests.collect(teams, os.path.join(os.path.abspath(store), "brought"))
    if not fest.brought:
        raise click.UsageError(f"no team has cases in {' or '.join(f'{name}/' for name in fests.FOLDERS)}")
    interrupted, started = _judge(fest, config, options, teams, out, store)
    if interrupted:
        click.echo("interrupted; what has been graded is kept: the same command goes on", err=True)
        return INTERRUPTED
    config.suites = fests.publish(fest, os.path.join(os.path.abspath(out), "cases"), teams)
    click.echo("\n".join(fests.told_cases(fest)) + "\n")
    if not config.suites:
        raise click.UsageError("no case is admitted")

    def marking(session: "Session") -> "tuple[list[Mark], dict[str, list[str]]]":
        duels = fests.fight(fest, session)
        fests.write_json(os.path.join(out, "fest.json"), fest, duels)
        click.echo("\n".join(fests.told_duels(duels, session)) + "\n")
        known = [standing.team for standing in session.known]
        extra = {team.name: fests.paragraphs(fest, duels, team.name) for team in known}
        return fests.marks(fest, duels, known), extra

    return run(config, options, marking, _own_folders(teams), started)


def _own_folders(teams: "list[Team]") -> list[str]:
    """Where the teams have their cases: their programs do not see them."""
    from harness.grading.fest import FOLDERS

    return [os.path.join(team.path, name) for team in teams for name in FOLDERS]


def _judge(
    fest: "Fest", config: Config, options: "Options", teams: "list[Team]", out: str, store: str
) -> tuple[bool, int]:
    """Reject what the judge contradicts; whether that was interrupted, and how many programs were started."""
    from harness.grading import fest as fests
    from harness.programs.answering import ALL

    judge = options["judge"]
    if judge == "reference":
        fests.judge_by_rules(fest)
        return False, 0
    programs = set(ALL)
    referees, who = config.teams, "majority"
    if judge != "majority":
        referees, programs = _referee(judge)
        who = fests.JUDGE
        fests.judge_by_rules(fest, set(ALL) - programs)
    session = _ask(fest, config, options, referees, programs, out, store)
    if session is None:
        return False, 0
    if not session.interrupted:
        fests.judge_by_answers(fest, session, programs, who)
    return session.interrupted, session.started


def _referee(path: str) -> tuple[list[TeamSpec], set[str]]:
    """A program that judges, as a team of its own, and the programs whose cases it judges."""
    from harness.fixtures.cases import Programs
    from harness.programs.answering import ALL

    if not os.path.exists(path):
        raise ConfigError(f"--judge: there is no {path}; say reference, majority, or a program's file")
    problem = Programs("", (), only=path).why_not("")
    if problem:
        raise ConfigError(f"--judge: {problem}")
    file = os.path.abspath(path)
    name = os.path.basename(file)
    judged = {name} if name in ALL else set(ALL)
    import shlex

    lines = {program: shlex.quote(file) for program in judged}
    return [TeamSpec(os.path.dirname(file), "judge", programs=lines)], judged


def _ask(
    fest: "Fest",
    config: Config,
    options: "Options",
    referees: list[TeamSpec],
    programs: set[str],
    out: str,
    store: str,
) -> "Session | None":
    """Run the cases on the programs of those who judge; None if there is nothing to ask."""
    from dataclasses import replace

    from harness.grading.session import Session
    from harness.grading.store import Store
    from harness.grading.suites import read_suites
    from harness.grading.teams import find_teams, move_home
    from harness.grading.terminal import Watching

    if not any(one.program in programs for one in fest.admitted):
        return None
    folder = os.path.join(os.path.abspath(store), "brought")
    asked = replace(config, teams=referees, suites=[SuiteSpec(folder, "brought", points=0.0)])
    teams = find_teams(asked.teams)
    session = Session(asked, teams, read_suites(asked), out, Store(store), _own_folders(teams))
    watching = Watching("the judges", 0)
    session.prepare(watching, None, False)
    if referees is not config.teams:
        for team in teams:
            move_home(team)
    if not session.interrupted:
        watching.bar.total = session.plan(watching, None, False, 1, config.team_budget)
        session.grade()
    watching.close()
    return session
