"""`harness doctor`: what this machine can do for those who run others' programs, and what mends it."""

import os

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import json_option
from harness.errors import WrongUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.grading.teams import Team
    from harness.running.machine import Finding

GOOD, BAD, REMARK = "ok", "NO", "--"


@subcommand
@click.argument("paths", metavar="[PROGRAM]...", nargs=-1)
@click.option(
    "--config", metavar="FILE", help="See what the teams of this configuration of harness grade need."
)
@json_option()
def command(paths: tuple[str, ...], config: "str | None", as_json: bool) -> int:
    """Say what this machine can do: sandboxes, control groups, interpreters, reproducible times.

    Each sandbox is tried. Where something is missing, the command that mends this is printed.
    Interpreters are those that the #! lines of the PROGRAMs name; a PROGRAM may be a folder with
    executables in it or in its bin/, or a command with arguments such as 'node xstep.js'. Without
    any, the usual interpreters are looked for.

    \b
    Examples:
      harness doctor
      harness doctor submissions/*
      harness doctor --config grade.toml --json

    \b
    Exit status: 0 there is a sandbox, and every interpreter that is needed; 1 something that harness
    grade needs is missing; 2 the command line is wrong; 65 the configuration is refused.
    """
    from harness.running.machine import examine

    needed = set(_named_by(paths))
    if config:
        needed.update(_configured(config))
    findings = list(examine(needed))
    if as_json:
        import json

        click.echo(json.dumps({"works": _works(findings), "findings": [one._asdict() for one in findings]}))
    else:
        click.echo("\n".join(_told(findings)))
    return 0 if _works(findings) else FAILED


def _works(findings: "Iterable[Finding]") -> bool:
    return not any(finding.needed and not finding.good for finding in findings)


def _told(findings: "list[Finding]") -> "Iterator[str]":
    """The findings in groups, and what they come to."""
    from harness.report.words import safe

    wide = max(len(finding.name) for finding in findings)
    group = ""
    for finding in findings:
        if finding.group != group:
            group = finding.group
            yield group
        mark = GOOD if finding.good else BAD if finding.needed else REMARK
        yield f"  {mark}  {safe(finding.name):{wide}}  {safe(finding.seen)}"
        if finding.mend and not finding.good:
            yield f"      {'':{wide}}  try: {finding.mend}"
    lacks = [safe(finding.name) for finding in findings if finding.needed and not finding.good]
    sandbox = next((finding.name for finding in findings if finding.group == "sandbox" and finding.good), "")
    if lacks:
        yield f"missing: {', '.join(lacks)}"
    else:
        yield f"programs can be run and graded here, in a sandbox: {sandbox}"


def _named_by(paths: "Iterable[str]") -> "Iterator[str]":
    """The interpreters that these programs name, or those in these folders."""
    import shlex

    from harness.fixtures.executables import executable, subject
    from harness.running.machine import interpreter_of

    for path in paths:
        if not os.path.exists(path):
            command = executable(path)
            if command == [subject(command)]:
                raise WrongUse(f"{path} does not exist")
            yield shlex.split(path)[0]
            continue
        for file in _programs_in(path) if os.path.isdir(path) else [path]:
            if name := interpreter_of(file):
                yield name


def _programs_in(folder: str) -> "Iterator[str]":
    from harness.fixtures.executables import is_executable

    for place in (folder, os.path.join(folder, "bin")):
        if os.path.isdir(place):
            yield from filter(is_executable, (entry.path for entry in os.scandir(place)))


def _configured(config: str) -> "Iterator[str]":
    """The interpreters that the teams of a configuration need."""
    from harness.grading.config_file import read_config
    from harness.grading.teams import find_teams

    for team in find_teams(read_config(config).teams):
        yield from _named_by([team.path])
        yield from _first_words(team)


def _first_words(team: "Team") -> "Iterator[str]":
    """What its configured command lines begin with, unless that is a program of its own."""
    import shlex

    for line in team.spec.programs.values():
        words = shlex.split(line)
        if words and os.sep not in words[0]:
            yield words[0]
