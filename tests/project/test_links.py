"""Every link of the pages leads to a file of the checkout, and to a heading that is there."""

import re
from pathlib import Path

import pytest

from tests.support.helpers import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "test-fixtures" / "README.md"]
CODE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r'\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"')
ELSEWHERE = re.compile(r"[a-z]+:")


def links(text: str) -> list[str]:
    """What a text in Markdown links to, and the pictures that it shows."""
    return [one or other for one, other in LINK.findall(CODE.sub("", text))]


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in links."""
    headings = re.findall(r"^#+ (.*)$", CODE.sub("", page.read_text()), re.MULTILINE)
    plain = [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower() for heading in headings]
    return {re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-") for heading in plain}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_to_a_file_and_a_heading_of_it(page: Path) -> None:
    dead = []
    for link in links(page.read_text()):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not ELSEWHERE.match(link) and (
            not target.exists() or (heading and heading not in anchors(target))
        ):
            dead.append(link)
    assert dead == []
