"""Dialects in words: as a table, as TOML for a configuration, and in the one line that a run says of them."""

from harness.fixtures.dialect import BOTH, COMMON, FLAGS, NO_LIMIT, NUMBERS, STEP4, Dialect
from harness.inputs.probes import players_told, probes, with_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from harness.running.probing import Probed

YES, NO, NOT_ASKED = "yes", "no", "-"
NOTHING_BEYOND = "the common form and nothing beyond it"
LABELS_PROGRAM = "xsilly"  # the program that prints growth


def rows(found: "Mapping[str, Probed]") -> "Iterator[tuple[str, ...]]":
    """A table of the dialects of some programs: a column for each, and a row for each thing to know."""
    yield ("", *found)
    yield ("growth", *(_growth(name, one.dialect) for name, one in found.items()))
    yield ("players", *(_players(name, one.dialect) for name, one in found.items()))
    for form, field in FLAGS.items():
        flags = (_flag(name, form, getattr(one.dialect, field)) for name, one in found.items())
        yield (form, *flags)
    yield ("numbers", *(_numbers(name, one.dialect) for name, one in found.items()))
    yield ("prints labels", *(_labels(name, one.dialect) for name, one in found.items()))
    yield ("refuses", *(one.refusal or NOT_ASKED for one in found.values()))
    yield ("answers", *(YES if one.dialect.answered else NO for one in found.values()))


def _growth(program: str, dialect: Dialect) -> str:
    return dialect.growth if program == STEP4 else NOT_ASKED


def _players(program: str, dialect: Dialect) -> str:
    if players_told(1) not in probes(program):
        return NOT_ASKED
    return f"{dialect.least_players} to {dialect.most_players}"


def _flag(program: str, form: str, value: bool) -> str:
    if form not in probes(program):
        return NOT_ASKED
    return YES if value else NO


def _numbers(program: str, dialect: Dialect) -> str:
    return NOT_ASKED if with_number(program, 0) is None else numbers_told(dialect)


def _labels(program: str, dialect: Dialect) -> str:
    if program != LABELS_PROGRAM:
        return NOT_ASKED
    return YES if dialect.labels else NO


def numbers_told(dialect: Dialect) -> str:
    """Which numbers come back intact."""
    limit = next(name for name, bits in NUMBERS.items() if bits == dialect.bits)
    return "of any size" if dialect.bits == NO_LIMIT else f"below {limit}"


def table(found: "Mapping[str, Probed]") -> list[str]:
    """The table as lines, with columns as wide as they need to be, and without what concerns no program."""
    cells = [row for row in rows(found) if not row[0] or {*row[1:]} != {NOT_ASKED}]
    wide = [max(len(row[at]) for row in cells) for at in range(len(cells[0]))]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, wide, strict=True)).rstrip() for row in cells
    ]


def toml(dialects: "Mapping[str, Dialect]", head: str = "dialect") -> list[str]:
    """The lines of a table of a TOML file, under this heading."""
    return [f"[{head}]", *(f"{name} = {dialect.to_toml()}" for name, dialect in dialects.items())]


def line(dialects: "Mapping[str, Dialect]") -> str:
    """What some programs read beyond the common form, in one line."""
    readers: dict[str, list[str]] = {}
    able: dict[str, int] = {}  # how many programs may read such a thing
    about: dict[str, str] = {}
    for name, dialect in dialects.items():
        for topic, told in _told(name, dialect):
            able[topic] = able.get(topic, 0) + 1
            if told:
                about[told] = topic
                readers.setdefault(told, []).append(name)
    named = [
        told if len(names) == able[about[told]] else f"{told} ({', '.join(names)})"
        for told, names in readers.items()
    ]
    return ", ".join(named) or NOTHING_BEYOND


def _told(program: str, dialect: Dialect) -> "Iterator[tuple[str, str]]":
    """The things that a program may read, and what it does read of each; nothing if as everybody."""
    if program == STEP4:
        yield "growth", f"growth {'labelled and unlabelled' if dialect.growth == BOTH else dialect.growth}"
    tried = probes(program)
    if players_told(2) in tried:
        few = dialect.least_players < COMMON.least_players
        yield "players", f"tables of {players_told(dialect.least_players)} and more" if few else ""
    for form, field in FLAGS.items():
        if form in tried:
            yield form, form if getattr(dialect, field) else ""
    if with_number(program, 0) is not None:
        yield "numbers", "" if dialect.bits == COMMON.bits else f"numbers {numbers_told(dialect)}"


def silent_line(dialects: "Mapping[str, Dialect]") -> str:
    """Which programs have answered nothing that was tried, and what follows; empty if none."""
    silent = [name for name, dialect in dialects.items() if not dialect.answered]
    if not silent:
        return ""
    has, they = ("has", "it is") if len(silent) == 1 else ("have", "they are")
    return (
        f"{', '.join(silent)} {has} answered none of the probes; "
        f"{they} asked in the common form, growth labelled"
    )


def withheld_line(count: int, reasons: "Mapping[str, int]") -> str:
    """How many cases were withheld, and why; empty if none were."""
    if not count:
        return ""
    told = ", ".join(f"{reason} {number}" for reason, number in sorted(reasons.items()))
    cases = "case was" if count == 1 else "cases were"
    return f"{count} {cases} withheld, in forms that the program does not read: {told}"
