"""--traits: traits of somebody's own, beside the sixteen."""

import click

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from harness.programs.answering import Answer


class TraitFile(click.Path):
    """A file of traits, which are in the trait table when it has been read. Raises TraitError."""

    def convert(self, value: "Any", param: "click.Parameter | None", ctx: "click.Context | None") -> "Any":
        """Load it."""
        from evolution.trait_file import load_traits

        if not value:
            self.fail("the name is empty.", param, ctx)
        load_traits(value)
        return value


# A command need not hear of it: the traits are there before it begins.
ABOUT: "dict[str, Any]" = {
    "metavar": "FILE",
    "multiple": True,
    "type": TraitFile(),
    "expose_value": False,
    "is_eager": True,
    "help": "A Python file with traits of your own, to add to the sixteen or replace them (docs/traits.md).",
}
TRAITS = click.Option(["--traits"], **ABOUT)


def traits_option(command: "Callable[..., int]") -> "Callable[..., int]":
    """--traits for a command that is declared with decorators."""
    return click.option("--traits", **ABOUT)(command)


def blaming(answer: "Answer") -> "Answer":
    """A program whose answer is refused where a trait fails, so that a stream goes on after it."""
    from evolution.traits import TraitError
    from evolution.wire.errors import Illegal

    class Failed(Illegal):
        """A trait has failed on an input."""

        def __str__(self) -> str:
            return self.why

    def blame(value: object) -> "str | None":
        try:
            return answer(value)
        except TraitError as problem:
            raise Failed(str(problem)) from None

    return blame
