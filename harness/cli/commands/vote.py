"""`harness vote`: what each implementation answers, and who agrees with whom."""

import os
import tempfile
from itertools import chain
from typing import NamedTuple

import click

from harness import FAILED as SPLIT
from harness import INTERRUPTED, OUR_FAULT
from harness.cli.group import subcommand
from harness.cli.parameters import (
    FILE,
    dialect_option,
    flag,
    folders_of,
    jobs_option,
    json_option,
    name_option,
    names_in,
    names_option,
    sandbox_option,
    seed_option,
    tell_untaken,
    timeout_option,
)
from harness.errors import WrongUse
from harness.programs.answering import ALL, PROGRAMS
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from harness.grading.session import Session
    from harness.grading.teams import Team
    from harness.grading.vote import Group, Question, Split, Votes
    from harness.judging.outcome import Outcome

    Options = dict[str, Any]

MOST_LINES = 8  # of differences
MOST_ALIKE = 5  # misreadings that are named for one answer
MOST_ANSWER = 400  # characters
SHRINKING = 10.0  # seconds for one example


@subcommand
@click.argument("paths", metavar="[CASE]... TEAM...", nargs=-1, required=True, type=FILE)
@click.option(
    "--random", "count", type=click.IntRange(1, 100_000), metavar="N", help="Ask about N random inputs."
)
@names_option
@name_option(
    "--program",
    "Which program is asked with --random, or which one all cases are for. Default: the only one.",
)
@seed_option("A different number makes different random inputs.")
@flag("--all", "show_all", help="Also show the cases on which all agree.")
@json_option()
@jobs_option()
@timeout_option(10.0)
@sandbox_option("programs", "on")
@dialect_option("Default: auto.")
def command(**options: "Any") -> int:
    """Ask all teams the same questions, and say who answers what.

    A TEAM is a directory with programs in it or in its bin/, or a program's file; everything else is a CASE
    or a directory of cases, whose expected outputs do not matter. Answers are grouped by meaning, the
    largest group first; the group of the rules is marked, and the others differ from it in words. With
    --random, the summary says on which rules the teams are split, with the smallest example of each.

    \b
    Examples:
      harness vote test-fixtures/xstep/horns-kill-both teams/*
      harness vote --random 200 --program xstep teams/*

    \b
    Exit status: 0 all agree; 1 they do not; 2 the command line is wrong; 70 answers are not
    known because the machine or the harness has failed; 130 interrupted.
    """
    return execute(options)


def execute(options: "Options") -> int:
    """Hold the vote that the options say; the exit status."""
    with tempfile.TemporaryDirectory(prefix="harness-vote-") as folder:
        return _hold(options, folder)


def _hold(options: "Options", folder: str) -> int:
    from harness.grading.teams import find_teams

    specs, paths = _sorted(options)
    if not specs:
        raise WrongUse("no teams: a team is a directory with programs in it, or a program's file")
    if not options["count"] and not paths:
        raise WrongUse("no cases: name some, or say --random N --program NAME")
    teams = find_teams(specs)
    session = _session(options, teams, paths, folder)
    if session.interrupted:
        return INTERRUPTED
    if not session.teams:
        raise WrongUse("no team can be asked")
    if options["count"]:
        options["program"] = options["program"] or _only_program(session.teams)
        return _random(options, session, folder)
    return _cases(options, session, paths)


def _only_program(teams: "list[Team]") -> str:
    """The one program that the teams have. Raises WrongUse if they have several."""
    found = [name for name in PROGRAMS if any(not team.program(name)[1] for team in teams)]
    if len(found) != 1:
        raise WrongUse(f"--random needs a --program: {' or '.join(found or PROGRAMS)}")
    return found[0]


def _sorted(options: "Options") -> "tuple[list[Any], list[str]]":
    """Teams and cases, told apart by what they are."""
    from harness.grading.config import TeamSpec

    specs: list[TeamSpec] = []
    paths: list[str] = []
    for path in options["paths"]:
        if os.path.isdir(path):
            files = [os.path.join(path, at, name) for at in ("", "bin") for name in (*ALL, "compile")]
            found = [file for file in files if os.path.isfile(file) and os.access(file, os.X_OK)]
            if found:
                is_bin = os.path.basename(os.path.abspath(path)) == "bin"  # which says nothing of whose it is
                specs.append(TeamSpec(path, name=path, programs=_lines(found)) if is_bin else TeamSpec(path))
                continue
        elif _is_program(path):
            specs.append(_single(path, options["program"]))
            continue
        paths.append(path)
    return specs, paths


def _is_program(text: str) -> bool:
    """Whether this is a program's file, or a command with arguments, and not a case."""
    from harness.fixtures.executables import executable, is_executable

    command = executable(text)
    return is_executable(command[0]) and (len(command) > 1 or not text.endswith(".json"))


def _lines(files: list[str]) -> dict[str, str]:
    """Command lines for the programs that files are called like."""
    import shlex

    return {os.path.basename(file): shlex.quote(os.path.abspath(file)) for file in files}


def _single(path: str, program: "str | None") -> "Any":
    """A program's file, or a command with arguments, as a team."""
    import shlex

    from harness.fixtures.executables import executable, subject
    from harness.grading.config import TeamSpec

    command = executable(path)
    file = subject(command)
    name = os.path.basename(file)
    programs = [program] if program else [name] if name in ALL else list(PROGRAMS)
    lines = dict.fromkeys(programs, shlex.join(command))
    return TeamSpec(os.path.dirname(file), name=path, programs=lines, file=shlex.join(command))


def _session(options: "Options", teams: "list[Team]", paths: list[str], folder: str) -> "Session":
    """The teams, built if they need it, and the sandbox for them."""
    from harness.fixtures.dialect import AUTO, dialect_choice
    from harness.grading.config import Config
    from harness.grading.session import Session
    from harness.grading.store import Store
    from harness.grading.suites import Suites
    from harness.grading.teams import move_home
    from harness.grading.terminal import Watching

    choice = dialect_choice(options["dialect"] or AUTO)
    config = Config(
        jobs=options["jobs"] or 0,
        timeout=options["timeout"],
        sandbox=options["sandbox"],
        show=options["show"],
        dialect=choice,
    )
    # What lies in a team's own directory cannot be hidden as a whole.
    homes = {team.path for team in teams}
    hidden = [path for path in folders_of(paths) if os.path.realpath(path) not in homes]
    store = os.path.join(folder, "store")
    session = Session(config, teams, Suites(), folder, Store(store), hidden)
    watching = Watching("building", len(teams))
    session.prepare(watching, None, False)
    watching.close()
    for team in teams:
        move_home(team)
        if team.problem:
            click.echo(f"not asked: {team.name}: {team.problem}", err=True)
    session.teams = [team for team in teams if not team.problem]
    return session


def _find_dialects(session: "Session", programs: "Iterable[str]") -> None:
    """Find out what the teams' programs read, of those that are asked."""
    from harness.report.bar import StatusLine
    from harness.report.words import safe
    from harness.running.probing import kept_probe

    status = StatusLine()
    for team in session.teams:
        status.show(f"what the programs read: {safe(team.name)}")
        for program in PROGRAMS:
            words, problem = team.program(program)
            if program not in programs or problem:
                continue
            told = session.config.dialect.of(program, team.path)
            team.dialects[program] = (
                told
                or kept_probe(
                    program, words, session.limits, session.settings.sandbox, team.environment(), team.home
                ).dialect
            )
    status.clear()


def _ask(session: "Session", questions: "list[Question]", only: "Sequence[str]" = ()) -> "Votes | None":
    """What all teams, or only some, answer to all questions; None if it was interrupted."""
    from harness.grading.terminal import Watching, teams_told
    from harness.grading.vote import Votes

    teams = [team for team in session.teams if not only or team.name in only]
    watching = Watching(teams_told(len(teams)), len(questions) * len(teams))
    votes = Votes(teams, questions, session.settings, session.workers, watching)
    votes.run()
    watching.close()
    if votes.not_graded:
        told = f"not counted: {votes.not_graded} answers, since the machine or the harness has failed"
        click.echo(told, err=True)
    return None if votes.summary.interrupted else votes


# Cases


def _questions(options: "Options", paths: list[str]) -> "list[Question]":
    """What the cases at these paths ask; those that cannot be asked are named."""
    from harness.fixtures.arguments import BadArguments
    from harness.fixtures.cases import find_cases, none_found, program_of
    from harness.grading.vote import question
    from harness.report.words import safe

    questions, broken = [], []
    names = names_in(options)
    for case in find_cases([os.path.normpath(path) for path in paths], names):
        program = options["program"] or program_of(case.input)
        if not program:
            raise WrongUse(f"{case.name}: no folder says which program it is for; say --program")
        try:
            questions.append(question(case.name, program, case))
        except BadArguments as problem:
            broken.append(f"{case.name}: {problem}")
        except OSError as problem:
            broken.append(f"{case.input} cannot be read: {problem.strerror}")
    if not questions and not broken:
        raise none_found(paths, names=names)
    tell_untaken(names)
    if not questions:
        raise WrongUse(f"no case can be asked: {broken[0]}")
    for line in broken:
        click.echo(f"not asked: {safe(line)}", err=True)
    return questions


def _cases(options: "Options", session: "Session", paths: list[str]) -> int:
    from harness.grading.vote import compare, groups_of

    questions = _questions(options, paths)
    _find_dialects(session, {asked.program for asked in questions})
    votes = _ask(session, questions)
    if votes is None:
        return INTERRUPTED
    split, told = 0, []
    for asked, answers in zip(questions, votes.outcomes, strict=True):
        groups = groups_of(asked, answers)
        if len(groups) > 1:
            split += 1
            compare(asked, groups)
        if len(groups) > 1 or options["show_all"] or len(questions) == 1:
            told.append((asked, groups))
    if options["as_json"]:
        _print_json(
            {
                "cases": [_group_json(asked, groups) for asked, groups in told],
                "asked": len(questions),
                "withheld": votes.withheld,
            }
        )
    else:
        for asked, groups in told:
            click.echo("\n".join(_told(asked, groups)) + "\n")
        for line in _told_withheld(votes.withheld):
            click.echo(line)
        cases = "1 case" if len(questions) == 1 else f"{len(questions)} cases"
        click.echo(f"{cases}, {split} answered differently; {_told_dialects(session)}; {session.note}")
    return SPLIT if split or not any(votes.outcomes) else OUR_FAULT if votes.not_graded else 0


def _told_dialects(session: "Session") -> str:
    """In how many dialects the teams were asked."""
    count = len({repr(team.dialects) for team in session.teams})
    return "all asked in the same dialect" if count == 1 else f"asked in {count} dialects (harness dialect)"


def _told_withheld(withheld: "dict[str, dict[str, int]]") -> "Iterator[str]":
    """From whom questions were withheld, and why."""
    from harness.report.words import safe

    for name, reasons in sorted(withheld.items()):
        told = ", ".join(f"{reason} {count}" for reason, count in sorted(reasons.items()))
        yield f"withheld from {safe(name)}, which does not read the form: {told}"


def _told(asked: "Question", groups: "list[Group]") -> "list[str]":
    from harness.report.words import safe, safe_line

    lines = [f"{safe(asked.name)} ({asked.program}): {_answers(len(groups))}"]
    for group in groups:
        who = [*(["the rules"] if group.has_rules else []), *group.names]
        lines.append(f"  {len(group.names)}: {', '.join(map(safe, who))}")
        lines.append(f"     {cut(safe_line(group.answer), MOST_ANSWER)}")
        lines += [f"     {cut(safe(line), MOST_ANSWER)}" for line in group.circumstances]
        lines += [f"     - {safe(line)}" for line in group.differences[:MOST_LINES]]
        if group.alike:
            lines.append(f"     like {_misreadings(group.alike)}")
    return lines


def _answers(count: int) -> str:
    return "all agree" if count == 1 else f"{count} answers"


def _misreadings(names: list[str]) -> str:
    from harness.misreadings import LIBRARY

    named = [f"{name} (rules {LIBRARY[name].rule})" for name in names[:MOST_ALIKE]]
    more = f" and {len(names) - MOST_ALIKE} more" if len(names) > MOST_ALIKE else ""
    return ", ".join(named) + more


def _group_json(asked: "Question", groups: "list[Group]") -> "dict[str, Any]":
    return {
        "case": asked.name,
        "program": asked.program,
        "groups": [
            {
                "teams": group.names,
                "rules": group.has_rules,
                "answer": group.answer,
                "exit": group.outcome.exit,
                "stderr": group.outcome.stderr.decode(errors="backslashreplace")[:MOST_ANSWER],
                "differences": group.differences,
                "misreadings": group.alike,
            }
            for group in groups
        ],
    }


def _print_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, indent=1))


# Random inputs


def _random(options: "Options", session: "Session", folder: str) -> int:
    from harness.fixtures.dialect import COMMON
    from harness.grading.vote import groups_of, splits, write_inputs
    from harness.search.guide import Guide

    program = options["program"]
    _find_dialects(session, [program])
    # All are asked the same, so it is what everybody reads, unless everything is to be sent.
    guide = Guide(program, options["seed"], dialect=session.config.dialect.otherwise or COMMON)
    questions = write_inputs(folder, program, [guide.next() for _ in range(options["count"])])
    votes = _ask(session, questions)
    if votes is None:
        return INTERRUPTED
    outcomes = votes.outcomes
    grouped = [groups_of(asked, answers) for asked, answers in zip(questions, outcomes, strict=True)]
    divided = sum(len(groups) > 1 for groups in grouped)
    found, right = splits(questions, outcomes)
    not_graded = votes.not_graded
    tried: set[str] = set()
    while more := _smallest(program, found, tried, folder):
        votes = _ask(session, more)
        if votes is None:
            return INTERRUPTED
        not_graded += votes.not_graded
        questions, outcomes = [*questions, *more], [*outcomes, *votes.outcomes]
        found, right = splits(questions, outcomes)
    examples = [_example(program, split, questions, outcomes, session, folder) for split in found]
    if options["as_json"]:
        _print_json(
            {
                "program": program,
                "asked": options["count"],
                "divided": divided,
                "like_the_rules": right,
                "splits": [
                    _split_json(split, example) for split, example in zip(found, examples, strict=True)
                ],
            }
        )
        return SPLIT if divided else OUR_FAULT if not_graded else 0
    for split, example in zip(found, examples, strict=True):
        click.echo("\n".join(_told_split(split, example)) + "\n")
    if right:
        click.echo(f"like the rules: {', '.join(right)}")
    inputs = f"{options['count']} random inputs of {program}"
    click.echo(f"{inputs}, {divided} of them answered differently; {_told_dialects(session)}")
    return SPLIT if divided else OUR_FAULT if not_graded else 0


def _smallest(program: str, found: "list[Split]", tried: set[str], folder: str) -> "list[Question]":
    """The smallest cases of misreadings that are named and not yet tried: who is right there has it not."""
    from harness.grading.vote import smallest_of, write_inputs

    names = [name for split in found for name in split.cause.names if name not in tried]
    tried.update(names)
    values = [value for name in dict.fromkeys(names) for value in smallest_of(program, name)]
    return write_inputs(folder, program, values)


class Example(NamedTuple):
    """An input that all teams of a split answer alike, and wrongly: what the rules say, and what they do."""

    value: "Any"
    right: str
    answer: str


def _example(
    program: str,
    split: "Split",
    questions: "list[Question]",
    outcomes: "list[dict[str, Outcome]]",
    session: "Session",
    folder: str,
) -> Example:
    """A small example of a split; each of its teams has answered it so."""
    from harness.grading.vote import Group, smallest_of
    from harness.inputs.reductions import size
    from harness.inputs.scene import scene_of

    place = min(split.shared, key=lambda at: size(scene_of(program, questions[at].value)))
    asked = questions[place]
    answer = Group([], outcomes[place][split.teams[0]]).answer
    for value in chain(smallest_of(program, split.name), _shrunk(program, split, asked.value, session)):
        alike = _alike(program, split, value, session, folder)
        if alike is not None:
            return alike
    return Example(asked.value, (asked.right or b"").decode(), answer)


def _alike(program: str, split: "Split", value: "Any", session: "Session", folder: str) -> "Example | None":
    """An input as an example, if all teams of a split answer it alike, and for the reason of the split."""
    from harness.grading.vote import agrees, groups_of, write_inputs

    (asked,) = write_inputs(folder, program, [value])
    votes = _ask(session, [asked], split.teams)
    if votes is None or len(votes.outcomes[0]) < len(split.teams):
        return None
    group, *others = groups_of(asked, votes.outcomes[0])
    wrong = not group.has_rules and all(other.has_rules and not other.names for other in others)
    if not wrong or (split.name and not agrees(program, value, group.outcome.stdout, split.name)):
        return None
    split.keep(lambda name: agrees(program, value, group.outcome.stdout, name))
    return Example(value, (asked.right or b"").decode(), group.answer)


def _shrunk(program: str, split: "Split", value: "Any", session: "Session") -> "Iterator[Any]":
    """An input of a split, made smaller as far as there is time, by what the first of its teams answers."""
    import shlex

    from harness.cli.commands.shrink import judged
    from harness.fixtures.dialect import COMMON
    from harness.grading.vote import agrees
    from harness.inputs.scene import value_of
    from harness.running.target import Target
    from harness.search.shrink import Search

    team = next(team for team in session.teams if team.name == split.teams[0])
    command, problem = team.program(program)
    if problem or team.problem:
        return
    dialect = team.dialects.get(program, COMMON)
    around = (session.limits, session.settings.sandbox, team.environment(), team.home)
    with Target(shlex.join(command), *around) as target:
        first, _ = judged(program, dialect.write(program, value), target)

        def differs(value: "Any") -> bool:
            if COMMON.withholds(program, value):
                return False
            judgement, printed = judged(program, dialect.write(program, value), target)
            if judgement.verdict != first.verdict:
                return False
            return not split.name or agrees(program, value, printed, split.name)

        search = Search(program, value, lambda values: [*map(differs, values)], SHRINKING)
        search.run()
    yield value_of(search.best)


def _told_split(split: "Split", example: Example) -> list[str]:
    from harness.fixtures.layout import readable
    from harness.misreadings import LIBRARY
    from harness.report.words import safe, safe_lines
    from harness.search.cause_words import headline, sentences

    if split.name:
        chaff = LIBRARY[split.name]
        head = [f"rules {chaff.rule}: {chaff.sentence} ({split.name})"]
        head += [f"  or {name} (rules {LIBRARY[name].rule})" for name in split.cause.names[1:MOST_ALIKE]]
    else:
        head = [headline(split.cause), *(f"  {line}" for line in sentences(split.cause))]
    body = "\n".join(f"    {line}" for line in safe_lines(readable(example.value)).rstrip().split("\n"))
    often = f"{split.count} {'input' if split.count == 1 else 'inputs'}"
    return [
        *map(safe, head),
        f"  {len(split.teams)}: {', '.join(map(safe, split.teams))}; on {often}",
        "  the smallest example:",
        body,
        f"  the rules: {example.right or 'nothing'}",
        f"  these:     {cut(safe(example.answer), MOST_ANSWER)}",
    ]


def _split_json(split: "Split", example: Example) -> "dict[str, Any]":
    from harness.search.cause_words import headline

    return {
        "misreading": split.name or None,
        "or": list(split.cause.names[1:]),
        "cause": headline(split.cause),
        "teams": split.teams,
        "count": split.count,
        "example": {"input": example.value, "rules": example.right, "answer": example.answer},
    }
