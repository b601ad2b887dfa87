"""`harness chaff`: what a directory of cases is worth, told to people or to tools."""

import os

import click

from harness import FAILED
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    file_option,
    flag,
    json_option,
    name_option,
    names_in,
    names_option,
    tell_untaken,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.authoring.scoring import Problem, Score
    from harness.misreadings import Misreading

    Options = dict[str, Any]
    Missing = tuple[
        Misreading, str, Any
    ]  # a misreading, and the program and input of a case that would catch it

MOST_NAMED = 3  # cases that are named after a misreading
MOST_SURVIVORS = 10  # that are shown with the case that would catch them


@subcommand
@click.argument("path", metavar="DIR", type=FILE)
@names_option
@name_option("--program", "Which program all cases are for, whatever their folders are called.")
@file_option(
    "--suggest",
    metavar="OUT",
    help="Write a case for each misreading that survives, as OUT/PROGRAM/NAME; existing files are never "
    "overwritten.",
)
@flag(
    "--per-program",
    help="Require that the cases for each program catch, by themselves, all misreadings that it can show.",
)
@flag("--table", help="Print a Markdown table of the cases and what they catch, and nothing else.")
@flag("--all", "show_all", help=f"Show all that survive, not only the first {MOST_SURVIVORS}.")
@file_option(
    "--only", help="Only the misreadings that this file names or describes, as harness misreadings writes it."
)
@json_option()
def command(**options: "Any") -> int:
    """Test the tests: say which misreadings of the rules the cases of DIR catch.

    A library of wrong implementations, each right but for one misreading, is run on every case. A
    misreading is caught if a case gets another answer from it. For the first few that survive, the
    smallest case that would catch them is shown. Cases that the rules contradict, or whose input is
    ill-formed, are named and do not count. Redundant cases catch nothing that smaller ones for the
    same program do not.

    \b
    Examples:
      harness chaff test-fixtures
      harness chaff ../team7/tests --suggest more-tests
      harness chaff ../team7/tests --only picked.toml

    \b
    Exit status: 0 everything is caught and no case is wrong; 1 otherwise; 2 the command line or the
    path is wrong, or there are no cases; 65 the FILE of --only is refused; 74 a suggested case could
    not be written.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Score the directory that the options say; the exit status."""
    from harness.authoring.scoring import score
    from harness.fixtures.cases import none_found

    path, names = os.path.normpath(options["path"]), names_in(options)
    found = score(path, options["program"] or "", names, _library(options["only"]))
    if not (found.right or found.wrong or found.broken):
        raise none_found([path], names=names)
    tell_untaken(names)
    missed = missing(found, options["per_program"])
    if options["suggest"]:
        suggest(missed, options["suggest"])
    if options["table"]:
        click.echo(as_table(found, path))
    elif options["as_json"]:
        click.echo(as_json(found, options["per_program"]))
    else:
        most = len(missed) if options["show_all"] else MOST_SURVIVORS
        click.echo(as_text(found, path, missed, options["per_program"], most))
    return 0 if found.perfect and not missed else FAILED


def _library(path: "str | None") -> "dict[str, Misreading] | None":
    """The misreadings that a file names or describes; None for the whole library."""
    if path is None:
        return None
    from harness.errors import UserError, WrongUse
    from harness.misreadings.course import read_course

    try:
        library = read_course(path).library
    except OSError as problem:
        raise WrongUse(f"--only: {path}: {problem.strerror}; harness misreadings --pick writes one") from None
    if not library:
        raise UserError(f"{path}: there is no misreading in it")
    return library


def missing(found: "Score", per_program: bool) -> "list[Missing]":
    """The programs and inputs of smallest cases that would catch the misreadings that are not caught."""
    if not per_program:
        return [(chaff, *suggestion(chaff, found)) for chaff in found.survivors]
    return [(chaff, program, chaff.cases[program]) for program, chaff in found.missed]


def suggestion(chaff: "Misreading", found: "Score") -> "tuple[str, Any]":
    """The program and the input of a smallest case that would catch the misreading.

    If possible it is a program that has cases.
    """
    cases = chaff.cases
    used = {case.program for case in found.right}
    program = next((program for program in cases if program in used), next(iter(cases)))
    return program, cases[program]


def suggest(missed: "list[Missing]", folder: str) -> None:
    """Write a case for each misreading that is not caught, and none over one that is there."""
    from harness.fixtures.writing import keep_case
    from harness.misreadings import right_answer

    for chaff, program, value in missed:
        expected = right_answer(program, value) or ""
        keep_case(os.path.join(folder, program), chaff.name, value, expected.encode())


def _laid_out(program: str, value: "Any") -> str:
    """The right answer to an input, laid out for reading; empty if it is nothing."""
    import json

    from harness.fixtures.layout import readable
    from harness.misreadings import right_answer

    answer = right_answer(program, value)
    return "" if answer is None else readable(json.loads(answer))


# For people


def as_text(found: "Score", path: str, missed: "list[Missing]", per_program: bool, most: int) -> str:
    """The score with what led to it, the sum of it last; of what is missed, the first that are nearest.

    Nearest is what a case would catch that is for a program that there are cases for.
    """
    nearest = sorted(missed, key=lambda one: one[1] not in found.programs)
    parts = [_caught(found, path), *(_survivor(*one, per_program) for one in nearest[:most])]
    if len(missed) > most:
        parts.append(f"… and {len(missed) - most} more; --suggest OUT writes a case for each")
    parts.append(_problems("wrong, and not counted", found.wrong, path))
    parts.append(_problems("broken, and not counted", found.broken, path))
    if found.redundant:
        names = [f"  {_short(name, path)}" for name in found.redundant]
        parts.append("\n".join(["redundant: smaller cases catch all that these catch", *names]))
    if per_program:
        parts.append(_programs(found))
    return "\n\n".join([part for part in parts if part] + [str(found)])


def _short(name: str, path: str) -> str:
    """The name of a case as it is seen from the directory."""
    return os.path.relpath(name, path if os.path.isdir(path) else os.path.dirname(path) or ".")


def _caught(found: "Score", path: str) -> str:
    lines = ["caught: rule, misreading, and the smallest cases that catch it"]
    for name, cases in found.caught.items():
        if cases:
            named = ", ".join(_short(case, path) for case in cases[:MOST_NAMED])
            more = f" and {len(cases) - MOST_NAMED} more" if len(cases) > MOST_NAMED else ""
            lines.append(f"  {found.library[name].rule:<5} {name}: {named}{more}")
    return "\n".join(lines) if len(lines) > 1 else ""


def _programs(found: "Score") -> str:
    """What the cases for each program catch of what they can catch."""
    lines = ["program by program: caught of what its cases can catch"]
    for program in found.programs:
        caught = found.caught_by(program)
        lines.append(f"  {program}: {sum(map(bool, caught.values()))} of {len(caught)}")
    return "\n".join(lines)


def _survivor(chaff: "Misreading", program: str, value: "Any", per_program: bool) -> str:
    from harness.fixtures.layout import readable

    wrong = chaff.said(program, value)
    where = f" in {program}" if per_program else ""
    return "\n".join(
        [
            f"survives{where}: {chaff.name} (rules {chaff.rule}): {chaff.sentence}",
            f"  a case for {program} that would catch it:",
            _indented(readable(value)),
            "  the right answer:",
            _indented(_laid_out(program, value) or "nothing"),
            "  the answer of this misreading:",
            _indented(wrong or "nothing"),
        ]
    )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _problems(what: str, problems: "list[Problem]", path: str) -> str:
    lines = []
    for name, reasons in problems:
        lines.append(f"{what}: {_short(name, path)}")
        lines += [f"  {reason}" for reason in reasons]
    return "\n".join(lines)


# For a page of documentation


def as_table(found: "Score", path: str) -> str:
    """The programs and all their right cases, with the misreadings that are caught and their rules."""
    from collections import Counter

    from harness.fixtures.forms import COMMON, GENEROUS, form_of
    from harness.shipped.pages import rule_order

    forms = {case.name: form_of(case.program, case.value) for case in found.right}
    catches: dict[str, list[str]] = {case.name: [] for case in found.right}
    for name, cases in found.caught.items():
        for case in cases:
            catches[case].append(name)
    lines = [
        "| program | cases in the common form | in generous forms "
        "| misreadings caught, of those that it can show | by the common form alone |",
        "|---|---|---|---|---|",
    ]
    for program in found.programs:
        caught = found.caught_by(program)
        alone = sum(any(forms[case] == COMMON for case in cases) for cases in caught.values())
        count = Counter(forms[case.name] for case in found.right if case.program == program)
        lines.append(
            f"| {program} | {count[COMMON]} | {count[GENEROUS]} "
            f"| {sum(map(bool, caught.values()))} of {len(caught)} | {alone} |"
        )
    lines += ["", "| case | misreadings caught | the rules they are about |", "|---|---|---|"]
    for name in sorted(catches, key=lambda name: _short(name, path)):
        rules = sorted({found.library[one].rule for one in catches[name]}, key=rule_order)
        lines.append(f"| {_short(name, path)} | {len(catches[name])} | {', '.join(rules)} |")
    return "\n".join(lines)


# For tools


def as_json(found: "Score", per_program: bool = False) -> str:
    """The score as one JSON object."""
    import json

    survivors = {chaff.name: suggestion(chaff, found) for chaff in found.survivors}
    missed = found.missed if per_program else []
    misreadings = []
    for name, chaff in found.library.items():
        entry: dict[str, object] = {
            "name": name,
            "sentence": chaff.sentence,
            "rule": chaff.rule,
            "programs": chaff.programs,
            "caught_by": found.caught[name],
        }
        if name in survivors:
            program, value = survivors[name]
            entry["suggestion"] = {"program": program, "input": value}
        if per_program:
            entry["missed_by"] = [program for program, one in missed if one is chaff]
        misreadings.append(entry)
    return json.dumps(
        {
            "misreadings": misreadings,
            "right": [case.name for case in found.right],
            "wrong": [{"case": name, "reasons": reasons} for name, reasons in found.wrong],
            "broken": [{"case": name, "reasons": reasons} for name, reasons in found.broken],
            "redundant": found.redundant,
            "score": {
                "misreadings": len(found.library),
                "caught": len(found.library) - len(survivors),
                "right": len(found.right),
                "wrong": len(found.wrong),
                "broken": len(found.broken),
                "redundant": len(found.redundant),
                "others": found.others,
            },
        }
    )
