"""Markdown as plain text for a terminal or a file."""

import re
from io import StringIO
from shutil import get_terminal_size
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown
from rich.text import Text

WIDEST = 100


class _Heading(Heading):
    """A heading that begins where the text begins."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The words of the heading."""
        yield Text(str(self.text))


class _Code(CodeBlock):
    """Code as it is written: a line stays one line, however long it is."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Its lines, indented."""
        for line in str(self.text).rstrip("\n").split("\n"):
            yield Text(f"    {line}", no_wrap=True, overflow="ignore")


class _Page(Markdown):
    elements: ClassVar = {**Markdown.elements, "heading_open": _Heading, "fence": _Code, "code_block": _Code}


def as_text(markdown: str) -> str:
    """Markdown as plain text: paragraphs filled, tables in columns, links and emphasis as mere words."""
    printed = StringIO()
    width = min(get_terminal_size().columns, WIDEST)
    console = Console(file=printed, width=width, color_system=None, force_terminal=False)
    console.print(_Page(markdown), crop=False)
    lines = (line.rstrip() for line in printed.getvalue().split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n") + "\n"
