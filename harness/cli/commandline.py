"""Command lines that are declared once and read in two ways.

A table of options makes a click command, which explains them and complains about them. The same
table reads a command line that has nothing unusual about it without click, since loading that
takes longer than anything else that happens before a run begins.
"""

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    import click

    Options = dict[str, Any]


class WrongUse(Exception):
    """A command line that cannot be carried out; str() says why."""


class Text:
    """Any text."""

    def plain(self, text: str) -> "Any":
        """The value that the text stands for; None if click has to say."""
        return text

    def for_click(self) -> "Any":
        """The type of a click option that takes the same."""
        return str


class File(Text):
    """The name of a file, a directory or a program."""

    def plain(self, text: str) -> "str | None":
        """The name, which is not empty."""
        return text or None

    def for_click(self) -> "Any":
        """The same for click."""
        from harness.cli.parameters import File

        return File()


class Whole(Text):
    """A whole number in a range."""

    def __init__(self, least: int, most: int) -> None:
        self._least = least
        self._most = most

    def __str__(self) -> str:
        return f"from {self._least} to {self._most}"

    def holds(self, value: object) -> bool:
        """Whether a value is such a number."""
        return type(value) is int and self._least <= value <= self._most

    def plain(self, text: str) -> "int | None":
        """The number, if it is written in the usual way."""
        value = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else -1
        return value if self._least <= value <= self._most else None

    def for_click(self) -> "Any":
        """The same for click."""
        import click

        return click.IntRange(self._least, self._most)


class Number(Text):
    """A number in a range."""

    def __init__(self, least: float, most: float) -> None:
        self._least = least
        self._most = most

    def __str__(self) -> str:
        return f"from {self._least} to {self._most}"

    def holds(self, value: object) -> bool:
        """Whether a value is such a number."""
        return type(value) in (int, float) and self._least <= value <= self._most  # type: ignore[operator]

    def plain(self, text: str) -> "float | None":
        """The number, if it is written in the usual way."""
        digits = text.replace(".", "", 1)
        value = float(text) if digits.isascii() and digits.isdecimal() else math.nan
        return value if self._least <= value <= self._most else None

    def for_click(self) -> "Any":
        """The same for click, which would take what is no number at all."""
        import click

        class Range(click.FloatRange):
            def convert(self, value: "Any", param: "Any", ctx: "Any") -> float:
                number = super().convert(value, param, ctx)
                if math.isnan(number):
                    self.fail(f"{value} is not a number.", param, ctx)
                return float(number)

        return Range(self._least, self._most)


class OneOf(Text):
    """One of a few words."""

    def __init__(self, *words: str) -> None:
        self._words = words

    def plain(self, text: str) -> "str | None":
        """The word."""
        return text if self.holds(text) else None

    def holds(self, value: object) -> bool:
        """Whether it is one of the words."""
        return value in self._words

    def for_click(self) -> "Any":
        """The same for click."""
        import click

        return click.Choice(self._words)


# What is limited is limited in the same bounds by all commands.
SECONDS = Number(0.01, 1_000_000)
MEGABYTES = Whole(16, 1_000_000)
KILOBYTES = Whole(1, 1_000_000)
JOBS = Whole(1, 256)
SANDBOX = OneOf("auto", "on", "strict", "off")


class Option:
    """One option: its names, what it takes, and what is said about it."""

    __slots__ = ("default", "help", "is_flag", "keyword", "metavar", "names", "show_default", "type")

    def __init__(
        self,
        *names: str,
        type: "Text | None" = None,
        default: "Any" = None,
        is_flag: bool = False,
        show_default: bool = False,
        metavar: "str | None" = None,
        help: str = "",
    ) -> None:
        """Names as for click: those of the option, and perhaps the keyword under which it is found."""
        *_, keyword = sorted(names, key=lambda name: (not name.startswith("-"), len(name)))
        self.keyword = keyword.lstrip("-").replace("-", "_")
        self.names = names
        self.type = type or Text()
        self.is_flag = is_flag
        self.default = False if is_flag else default
        self.show_default = show_default
        self.metavar = metavar
        self.help = help

    def for_click(self) -> "click.Option":
        """The same option for click."""
        import click

        return click.Option(
            list(self.names),
            type=None if self.is_flag else self.type.for_click(),
            default=self.default,
            is_flag=self.is_flag,
            show_default=self.show_default,
            metavar=self.metavar,
            help=self.help,
        )


def read_plainly(
    options: "Iterable[Option]", arguments: "Iterable[str]"
) -> "tuple[Options, set[str]] | None":
    """What a command line says, paths under "paths", and what was not left to a default.

    None if there is anything in it that only click knows about: another spelling, or a mistake.
    """
    by_name = {name: option for option in options for name in option.names if name.startswith("-")}
    found: Options = {option.keyword: option.default for option in by_name.values()}
    paths: list[str] = []
    given: set[str] = set()
    left = iter(arguments)
    for argument in left:
        if not argument:
            return None  # an empty path
        if not argument.startswith("-"):
            paths.append(argument)
            continue
        option = by_name.get(argument)
        if option is None:
            return None
        text = "" if option.is_flag else next(left, "-")
        value = True if option.is_flag else None if text.startswith("-") else option.type.plain(text)
        if value is None:
            return None
        found[option.keyword] = value
        given.add(option.keyword)
    return {**found, "paths": tuple(paths)}, given | ({"paths"} if paths else set())


def as_click_command(
    options: "Iterable[Option]", execute: "Callable[[Options, set[str]], int]", settings: "Options"
) -> "click.Command":
    """The click command of a table; its help is what `execute` says of itself."""
    import inspect

    import click

    @click.pass_context
    def callback(context: "click.Context", /, **found: object) -> None:
        source = click.core.ParameterSource.COMMANDLINE
        given = {name for name in found if context.get_parameter_source(name) is source}
        try:
            context.exit(execute(found, given))
        except WrongUse as problem:
            raise click.UsageError(str(problem), context) from None

    paths = click.Argument(["paths"], metavar="[PATH]...", nargs=-1)
    return click.Command(
        None,
        params=[paths, *(option.for_click() for option in options)],
        callback=callback,
        help=inspect.getdoc(execute),
        context_settings=settings,
    )
