"""`harness fest`: every team brings programs and cases, and all right cases run on all programs."""

import os
from dataclasses import replace

import click

from harness import INTERRUPTED, OUR_FAULT
from harness.cli.commands.grade import (
    config_option,
    configured,
    folders,
    run,
    shared_options,
    teams_argument,
    with_options,
)
from harness.cli.group import subcommand
from harness.cli.parameters import file_option
from harness.errors import WrongUse
from harness.grading.config import Config, SuiteSpec, TeamSpec
from harness.grading.places import STUDENTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.grading.fest import Fest
    from harness.grading.score import Mark
    from harness.grading.session import Session
    from harness.grading.teams import Team

    Options = dict[str, Any]


@subcommand
@teams_argument
@file_option(
    "--judge",
    metavar="reference|majority|FILE",
    default="reference",
    show_default=True,
    help="Who decides whether a case is right: the rules, most of the teams' programs, or another program. "
    "A judge with a program's name judges the cases for that program, and the rules judge the others.",
)
@config_option("Teams, builds, command lines and limits, as for grade.")
@shared_options
def command(**options: "Any") -> int:
    """Run a test fest: the cases of all teams on the programs of all teams.

    A TEAM is a directory with programs, as for grade, and with cases in its tests/ or
    test-fixtures/. A case is admitted if the judge agrees with what it expects; a rejected one is
    reported to its author, with the difference in words. Cases that mean the same count once. For
    each pair of teams and each program there is one point: for finding a bug, or for withstanding.
    It writes what grade writes, and fest.json.

    \b
    Examples:
      harness fest teams/* --out fest
      harness fest teams/* --judge majority

    \b
    Exit status: 0 the fest has been held; 2 the command line is wrong, or there are no cases; 65
    the configuration is refused; 70 teams are not graded because the machine or the harness has
    failed (the same command continues from there); 74 the results could not be written; 130
    interrupted (likewise).
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Hold the fest that the options say; the exit status."""
    # Marks are configured to be elsewhere.
    config = replace(configured(options), command="fest", out="fest")
    from harness.grading import fest as fests
    from harness.grading.places import place_for_staff
    from harness.grading.teams import find_teams, see_that_none_is_in_another
    from harness.report.words import safe

    config = with_options(config, options)
    options["out"] = config.out
    teams = find_teams(config.teams)
    see_that_none_is_in_another(teams)
    out, store = folders(config, options)
    fest = fests.collect(
        teams, os.path.join(os.path.abspath(store), "brought"), options["names"], options["who"] == STUDENTS
    )
    for name, untaken in fest.untaken.items():
        click.echo(safe(f"harness: {name}: {untaken}"), err=True)
    if not fest.brought:
        raise WrongUse(f"no team has cases in {' or '.join(f'{name}/' for name in fests.FOLDERS)}")
    interrupted, started = _judge(fest, config, options, teams, out, store)
    if interrupted:
        click.echo("interrupted; what has been graded is kept: the same command continues", err=True)
        return INTERRUPTED
    suites = fests.publish(fest, os.path.join(os.path.abspath(out), "cases"), teams)
    click.echo("\n".join(fests.told_cases(fest)) + "\n")
    for name, how in fest.unjudged.items():
        click.echo(f"not graded: {safe(name)}: {safe(how)}; the same command tries again", err=True)
    if not suites and fest.unjudged:
        return OUR_FAULT
    if not suites:
        raise WrongUse("no case is admitted")

    def marking(session: "Session") -> "tuple[list[Mark], dict[str, list[str]]]":
        duels = fests.fight(fest, session)
        fests.write_json(place_for_staff(out, "fest.json", options["who"]), fest, duels)
        click.echo("\n".join(fests.told_duels(duels, session)) + "\n")
        known = [standing.team for standing in session.known]
        extra = {team.name: fests.paragraphs(fest, duels, team.name) for team in known}
        return fests.marks(duels, known), extra

    status = run(replace(config, suites=tuple(suites)), options, marking, _own_folders(teams), started)
    return status or (OUR_FAULT if fest.unjudged else 0)


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
        return _judge_by_rules(fest, config), 0
    programs = set(ALL)
    referees, who = list(config.teams), "majority"
    if judge != "majority":
        referees, programs = _referee(judge)
        who = fests.JUDGE
        if _judge_by_rules(fest, config, set(ALL) - programs):
            return True, 0
    session = _ask(fest, config, options, referees, programs, out, store)
    if session is None:
        return False, 0
    if not session.interrupted:
        fests.judge_by_answers(fest, session, programs, who)
    return session.interrupted, session.started


def _judge_by_rules(fest: "Fest", config: Config, programs: "set[str] | None" = None) -> bool:
    """Reject what the rules contradict; whether that was interrupted."""
    from harness.grading.fest import judge_by_rules
    from harness.grading.terminal import Watching
    from harness.running.limits import cores

    watching = Watching("the rules", 0)
    try:
        return judge_by_rules(fest, config.jobs or cores(), watching, programs)
    finally:
        watching.close()


def _referee(path: str) -> tuple[list[TeamSpec], set[str]]:
    """A program that judges, as a team of its own, and the programs whose cases it judges."""
    import shlex

    from harness.fixtures.executables import check_executable, executable, subject
    from harness.grading import fest as fests
    from harness.programs.answering import ALL

    command = executable(path)
    if len(command) == 1 and not os.path.exists(path):
        raise WrongUse(f"--judge: there is no {path}; say reference, majority, or a program's file")
    check_executable(path, "--judge")
    file = subject(command)
    name = os.path.basename(file)
    judged = {name} if name in ALL else set(ALL)
    lines = {program: shlex.join(command) for program in judged}
    return [TeamSpec(os.path.dirname(file), fests.JUDGE, programs=lines, file=lines[min(lines)])], judged


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
    from harness.grading.session import Session
    from harness.grading.store import Store
    from harness.grading.suites import read_suites
    from harness.grading.teams import find_teams, move_home
    from harness.grading.terminal import Watching

    if not any(one.program in programs for one in fest.admitted):
        return None
    folder = os.path.join(os.path.abspath(store), "brought")
    asked = replace(
        config,
        teams=tuple(referees),
        suites=(SuiteSpec(folder, "brought", points=0.0, names=options["names"]),),
    )
    teams = find_teams(asked.teams)
    session = Session(asked, teams, read_suites(asked), out, Store(store), _own_folders(teams))
    watching = Watching("the judges", 0)
    session.prepare(watching, None, False)
    if asked.teams != config.teams:
        [judge] = teams
        if judge.problem:
            raise WrongUse(f"--judge: {judge.problem}")
        move_home(judge)
    if not session.interrupted:
        watching.bar.total = session.plan(watching, None, False, 1, config.team_budget)
        session.grade()
    watching.close()
    return session
