"""`harness rules`: the rules of the game, or the sections that messages refer to by number."""

import click

from harness.cli.group import subcommand
from harness.errors import WrongUse
from harness.shipped.pages import RULES, page, rule_sections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from harness.shipped.pages import Section

MOST_NEAR = 3


def completions(context: click.Context, parameter: click.Parameter, start: str) -> "list[CompletionItem]":
    """The sections whose numbers begin like this."""
    from click.shell_completion import CompletionItem

    sections = rule_sections().values()
    return [CompletionItem(one.number, help=one.title) for one in sections if one.number.startswith(start)]


@subcommand
@click.argument("numbers", metavar="[SECTION]...", nargs=-1, shell_complete=completions)
def command(numbers: tuple[str, ...]) -> int:
    """Print the rules of the game, or sections of them by number.

    A message or an explanation that ends with (rules 2.3) rests on section 2.3. The number of a whole
    section, such as 2, prints it with its subsections.

    \b
    Examples:
      harness rules | less
      harness rules 2.3

    \b
    Exit status: 0; 2 there is no such section.
    """
    sections = rule_sections()
    for number in numbers:
        if number not in sections:
            raise WrongUse(f"the rules have no section '{number}'; {near(number, sections)}")
    from harness.cli.plain_text import as_text

    texts = [sections[number].text for number in numbers] or [page(RULES)]
    click.echo("\n".join(as_text(text) for text in texts), nl=False)
    return 0


def near(typed: str, sections: "dict[str, Section]") -> str:
    """Which section may be meant: one with a number like it, or with these words in its title."""
    from difflib import get_close_matches

    words = typed.lower().replace("-", " ")
    titled = [number for number, section in sections.items() if words and words in section.title.lower()]
    numbered = [number for number in sections if number.startswith(typed.partition(".")[0] + ".")]
    found = titled or get_close_matches(typed, numbered, n=MOST_NEAR, cutoff=0.5)
    if found:
        return f"did you mean {' or '.join(str(sections[number]) for number in found[:MOST_NEAR])}?"
    last = [number for number in sections if "." not in number][-1]
    return f"there are sections 1 to {last}; harness rules prints them all."
