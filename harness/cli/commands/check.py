"""`harness check`: what is wrong with fixtures, told to people or to tools."""

import sys

import click

from harness import FAILED as FOUND
from harness.cli.group import subcommand
from harness.cli.parameters import (
    case_paths,
    cases_argument,
    json_option,
    name_option,
    names_in,
    names_option,
    tell_untaken,
)
from harness.fixtures.forms import FORMS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.authoring.check import Check, Finding

    Options = dict[str, Any]


@subcommand
@cases_argument
@names_option
@name_option("--program", "Which program all cases are for, whatever their folders are called.")
@click.option(
    "--form",
    type=click.Choice(FORMS),
    help="Find cases that are not in this form, too; common is what every program must read.",
)
@json_option("Print one JSON object per finding instead of text.")
def command(**options: "Any") -> int:
    """Check fixtures: ill-formed inputs, outputs that the rules contradict, duplicates, lone files.

    PATHs are directories or single cases; without any, test-fixtures. No program is started: each
    expected output is compared with the answer of the rules, and where they differ, the rules'
    reasons are given. Two inputs that mean the same are duplicates. An ill-formed input that
    expects nothing may be there on purpose: it is mentioned, but does not count as found. With
    --form common, cases that go beyond the form that every program reads (docs/formats.md) are
    found, too, with what goes beyond it.

    \b
    Examples:
      harness check
      harness check ../team7/tests --json
      harness check --form common ../team7/tests

    \b
    Exit status: 0 nothing was found; 1 something was; 2 the command line or a path is wrong, or there
    are no cases.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Check what the options say; the exit status."""
    from harness.authoring.check import Check
    from harness.fixtures.cases import none_found

    paths, names = case_paths(options), names_in(options)
    check = Check(paths, options["program"] or "", options["form"] or "", names)
    counts = _tell_all(check, options["as_json"])
    if not check.cases:
        raise none_found(paths, names=names)
    tell_untaken(names)
    if not options["as_json"]:
        _sum_up(check.cases, counts)
    return FOUND if any(counts.values()) else 0


def _tell_all(check: "Check", as_json: bool) -> dict[str, int]:
    """Print the findings as they come; how many of each kind there were."""
    from harness.authoring.check import KINDS

    counts = dict.fromkeys(KINDS, 0)
    for finding in check.findings():
        if as_json:
            _print_json(finding)
        else:
            _print(finding)
        counts[finding.kind] += not finding.is_remark
    return counts


def _print_json(finding: "Finding") -> None:
    import json

    parts = {"case": finding.case, "kind": finding.kind, "remark": finding.is_remark}
    click.echo(json.dumps({**parts, "words": finding.words, "reasons": finding.reasons}))


def _print(finding: "Finding") -> None:
    from harness.report.colours import RED, YELLOW, painted, wants_colour
    from harness.report.words import safe

    colour = YELLOW if finding.is_remark else RED
    head = f"{safe(finding.case)}: {finding.kind}{' (a remark)' if finding.is_remark else ''}"
    click.echo(painted(wants_colour(sys.stdout), head, colour))
    for line in finding.words:
        click.echo(f"  {safe(line)}")
    if finding.reasons:
        click.echo("    by the rules:")
    for line in finding.reasons:
        click.echo(f"      {safe(line)}")


def _sum_up(cases: int, counts: dict[str, int]) -> None:
    from harness.report.colours import GREEN, RED, painted, wants_colour

    found = [f"{count} {kind}" for kind, count in counts.items() if count]
    told = ", ".join(found) or "nothing is wrong"
    line = f"{cases} {'case' if cases == 1 else 'cases'} checked: {told}"
    click.echo(painted(wants_colour(sys.stdout), line, RED if found else GREEN))
