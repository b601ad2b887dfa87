"""The pages of docs/, and the numbered sections of the rules."""

import os
import re

from harness.shipped import shipped_docs

RULES = "docs/rules.md"
HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?) (.*)$", re.MULTILINE)


class Section:
    """A numbered section of the rules, with all that is below it."""

    __slots__ = ("number", "text", "title")

    def __init__(self, number: str, title: str, text: str) -> None:
        self.number = number
        self.title = title
        self.text = text  # Markdown

    def __str__(self) -> str:
        return f"{self.number} ({self.title})"


def rule_order(number: str) -> list[int]:
    """What sections of the rules are sorted by: 2.9 comes before 2.10."""
    return [int(part) for part in number.split(".")]


def pages() -> list[str]:
    """The names of all pages, as messages and other pages call them."""
    return sorted(f"docs/{name}" for name in os.listdir(shipped_docs()) if name.endswith(".md"))


def page(name: str) -> str:
    """The Markdown of a page, by its name in `pages`."""
    with open(os.path.join(shipped_docs(), os.path.basename(name)), encoding="utf-8") as file:
        return file.read()


def rule_sections() -> dict[str, Section]:
    """The sections of the rules by their numbers: `2` with its subsections, `2.3` alone."""
    text = page(RULES)
    headings = list(HEADING.finditer(text))
    found: dict[str, Section] = {}
    for at, heading in enumerate(headings):
        number, title = heading.groups()
        following = (later for later in headings[at + 1 :] if not later[1].startswith(f"{number}."))
        end = next((later.start() for later in following), len(text))
        found[number] = Section(number, title, text[heading.start() : end])
    return found
