"""`harness misreadings`: what a class misunderstands, told to people or to tools."""

import os

import click

from harness.cli.group import subcommand
from harness.cli.parameters import FILE, file_option, json_option
from harness.errors import WrongUse
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.grading.misreadings import Cluster, Report

    Options = dict[str, Any]

COURSE = "misreadings.toml"
PICKED = "picked.toml"
MOST_NAMED = 8


@subcommand
@click.argument("folders", metavar="[GRADES_DIR]...", nargs=-1, type=FILE)
@file_option(
    "--course",
    default=COURSE,
    show_default=True,
    help="The misreadings of this course that the library does not know. New ones are added at its end; "
    "edit their names and sentences as you like.",
)
@click.option(
    "--pick",
    metavar="N",
    type=click.IntRange(1),
    help="Pick the N misreadings that tell the most, for harness chaff --only.",
)
@file_option(
    "-o",
    "out",
    default=PICKED,
    show_default=True,
    help="Where to write those that are picked. Existing files are never overwritten.",
)
@json_option()
def command(**options: "Any") -> int:
    """Say what a class misunderstands: the mistakes of all teams, grouped by meaning.

    A GRADES_DIR is what grade or fest has written for staff; the default is grades. The wrong answers
    of all teams, and the wrong cases that they brought to a fest, are put together by the misreading of
    the rules that explains them. What none explains is described by rule and input, and added to the
    misreadings of the course, so that later runs know it. Several GRADES_DIRs are taken for
    submissions, in this order; of a single one, the runs that it remembers are taken for them.

    \b
    Examples:
      harness misreadings
      harness misreadings grades-1 grades-2 grades-3
      harness misreadings grades --pick 10 -o picked.toml
      harness chaff my-tests --only picked.toml

    \b
    Exit status: 0 done; 2 the command line is wrong, or there are no grades; 65 a file is
    refused; 74 a file could not be written.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Tell what the options say; the exit status."""
    from harness.grading.misreadings import open_clusters, pick, report_of, submissions
    from harness.misreadings.course import Course, read_course

    course = read_course(options["course"]) if os.path.exists(options["course"]) else Course()
    if options["pick"] and os.path.lexists(options["out"]):
        raise WrongUse(f"-o: {options['out']} exists already; it is not overwritten")
    found = report_of(submissions(options["folders"] or ("grades",)), course)
    picked = pick(open_clusters(found), options["pick"]) if options["pick"] else []
    _keep(options["course"], found)
    if picked:
        _write_picked(options["out"], picked)
    if options["as_json"]:
        click.echo(as_json(found, picked))
    else:
        click.echo(as_text(found, picked, options))
    return 0


def _keep(path: str, found: "Report") -> None:
    """Add what is new to the file of the course, behind what is there."""
    from harness.files import read_file, replace_file
    from harness.misreadings.course import course_text

    if found.new:
        before = read_file(path) if os.path.exists(path) else HEAD.encode()
        replace_file(path, before + course_text(found.new).encode())


HEAD = """\
# Misreadings of this course that the library does not know. Change names, sentences and rules as you like:
# a misreading is recognised by its examples.
"""


def _write_picked(path: str, picked: "list[Cluster]") -> None:
    from harness.files import write_new_files
    from harness.misreadings.course import CourseMisreading, course_text, only_text

    own = [one.misreading for one in picked if isinstance(one.misreading, CourseMisreading)]
    names = [one.name for one in picked if not isinstance(one.misreading, CourseMisreading)]
    head = "# The misreadings that tell most of this class: harness chaff TESTS --only THIS_FILE\n"
    write_new_files({path: (head + only_text(names) + course_text(own)).encode()})


# For people


def as_text(found: "Report", picked: "list[Cluster]", options: "Options") -> str:
    """Every misreading with the number of teams that have it, submission by submission."""
    from harness.report.words import safe

    count = len(found.submissions)
    names = " → ".join(safe(one.name) for one in found.submissions)
    lines = [f"{counted(len(found.teams), 'team')}; {counted(count, 'submission')}: {names}", ""]
    for one in found.clusters:
        lines += _told(one, count)
    if not found.clusters:
        lines.append("no mistake that several teams make, or that a misreading explains")
    if found.alone:
        lines.append(f"{counted(found.alone, 'wrong answer')} that nothing explains")
    gone = sum(one.gone for one in found.submissions)
    if gone:
        lines.append(f"not looked at, because their files are no longer there: {counted(gone, 'case')}")
    if found.new:
        lines.append(f"new, and added to {options['course']}: {len(found.new)}")
    if picked:
        lines.append(f"picked, in {options['out']}: {', '.join(one.name for one in picked)}")
    return "\n".join(lines)


def _told(one: "Cluster", count: int) -> "list[str]":
    from harness.report.words import named

    numbers = " → ".join(str(len(one.teams(at))) for at in range(count))
    perhaps = "" if one.is_sure else "perhaps "
    mark = " (new)" if one.is_new else ""
    rule = f"(rules {one.misreading.rule})"
    lines = [f"{numbers}  {perhaps}{one.name}{mark}", f"    {one.misreading.sentence} {rule}"]
    if one.others:
        lines.append(f"    or, not told apart by any case: {named(one.others)}")
    now = one.teams(count - 1)
    before = sorted({team for at in range(count - 1) for team in one.teams(at)} - {*now})
    written = sorted({team for at in range(count) for team in one.teams(at, in_cases=True)})
    for what, teams in (("now", now), ("before", before), ("in cases that they wrote", written)):
        if teams:
            lines.append(f"    {what}: {named(teams, MOST_NAMED)}")
    return lines


# For tools


def as_json(found: "Report", picked: "list[Cluster]") -> str:
    """The report as one JSON object."""
    import json

    places = range(len(found.submissions))
    return json.dumps(
        {
            "submissions": [one.name for one in found.submissions],
            "teams": found.teams,
            "misreadings": [
                {
                    "name": one.name,
                    "sentence": one.misreading.sentence,
                    "rule": one.misreading.rule,
                    "new": one.is_new,
                    "sure": one.is_sure,
                    "or": list(one.others),
                    "teams": [one.teams(at) for at in places],
                    "in_cases": [one.teams(at, in_cases=True) for at in places],
                    "cases": sorted({case.name for finding in one.findings for case in finding.wrong}),
                }
                for one in found.clusters
            ],
            "unexplained": found.alone,
            "picked": [one.name for one in picked],
        }
    )
