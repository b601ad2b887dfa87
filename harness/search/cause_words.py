"""Causes in words: the same on terminals, pages, in feedback and in files for other tools."""

from collections.abc import Callable, Sequence

from harness.misreadings import LIBRARY
from harness.report.words import CauseText
from harness.search.causes import (
    ALIKE,
    ALONE,
    CONSTANT,
    ECHO,
    FEATURE,
    MESSAGE,
    MISREADING,
    RULES,
    SILENCE,
    Cause,
)
from harness.search.features import noun

MOST_NAMES = 3  # of misreadings that cannot be told apart


def told(causes: "Sequence[Cause]", name_of: "Callable[[int], str]") -> list[CauseText]:
    """The causes in words; `name_of` says what a case is called, by its place."""
    return [
        CauseText(
            headline(one),
            tuple(sentences(one)),
            counted(one),
            one.cases,
            tuple(map(name_of, one.cases)),
            one.kind == ALONE,
            tuple(dict.fromkeys(LIBRARY[name].rule for name in one.names)),
            one.kind,
        )
        for one in causes
    ]


def headline(cause: "Cause") -> str:
    """What the program does wrong, in one line."""
    return HEADLINES[cause.kind](cause)


def counted(cause: "Cause") -> str:
    """How many cases that concerns, and of which programs."""
    count = len(cause.cases)
    cases = "1 case" if count == 1 else f"{count} cases"
    if len(cause.programs) == 1:
        return f"{cases} of {cause.programs[0][0]}"
    return f"{cases}: {', '.join(f'{number} of {program}' for program, number in cause.programs)}"


def sentences(cause: "Cause") -> list[str]:
    """What else there is to say: the sentences of misreadings, or what was said or differs."""
    if cause.kind == MISREADING:
        told = [f"{LIBRARY[name].sentence} (rules {LIBRARY[name].rule})" for name in cause.names[:MOST_NAMES]]
        return [f"{'or: ' if at else ''}{line}" for at, line in enumerate(told)]
    if cause.kind in (ALIKE, MESSAGE) and cause.text:
        return [cause.text]
    if cause.kind == SILENCE and cause.text:
        return [f"on standard error it says: {cause.text}"]
    if cause.kind == RULES:
        return ["look at the cases, not at the program: harness check says more"]
    return []


def _misread(cause: "Cause") -> str:
    names = [f"*{name.replace('-', ' ')}*" for name in cause.names[:MOST_NAMES]]
    more = len(cause.names) - len(names)
    several = "" if not more else " or another one" if more == 1 else f" or one of {more} others"
    perhaps = "" if cause.sure else "perhaps "
    return f"{perhaps}answers like {' or '.join(names)}{several}"


def _featured(cause: "Cause") -> str:
    program = cause.programs[0][0]
    clause = f"{noun(program)} in which {' and '.join(cause.words)}"
    fails = "answers nothing to" if cause.silent else "fails"
    if cause.passing:
        return f"{fails} {len(cause.cases)} of the {len(cause.cases) + cause.passing} {clause}"
    return f"{fails} {'all' if cause.missed else 'exactly the'} {clause}"


def _said(cause: "Cause") -> str:
    return f"does not answer {_which(cause)}, with one message on standard error"


def _alike(cause: "Cause") -> str:
    if not cause.text:
        return (
            f"answers nothing to {_which(cause)}"
            if cause.silent
            else f"fails {_which(cause)} without an answer"
        )
    return f"differs in the same way in {_which(cause)}, as in the smallest"


def _which(cause: "Cause") -> str:
    if cause.every:
        return (
            f"any case of {cause.programs[0][0]}"
            if cause.kind == MESSAGE
            else f"every case of {cause.programs[0][0]}"
        )
    return "some cases"


HEADLINES: "dict[str, Callable[[Cause], str]]" = {
    MISREADING: _misread,
    FEATURE: _featured,
    SILENCE: lambda cause: f"answers nothing to any case of {cause.programs[0][0]}",
    CONSTANT: lambda cause: f"answers {cause.text} to every case of {cause.programs[0][0]}",
    ECHO: lambda cause: f"answers every case of {cause.programs[0][0]} with its input",
    MESSAGE: _said,
    ALIKE: _alike,
    RULES: lambda cause: "answers as the rules do, but the cases expect something else",
    ALONE: lambda cause: cause.text or "stands alone",
}
