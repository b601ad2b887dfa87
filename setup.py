"""What setup.cfg has no words for: packages that are found, two from elsewhere, and README.md alone."""

import re
from pathlib import Path

from setuptools import find_packages, setup

# The cases and the pages are written at the top of the checkout, and installed for harness/shipped to find.
SHIPPED = {"harness.shipped.cases": "test-fixtures", "harness.shipped.docs": "docs"}
PICTURE = re.compile(r'<img src="(?!https:)[^>]* alt="([^"]+)">')
LINK = re.compile(r"\[([^\]]+)\]\((?!https:)([^)]+)\)")


def readme_alone() -> str:
    """README.md without the files beside it, as a package index has it: their names, what pictures show."""

    def named(link: "re.Match[str]") -> str:
        words, path = link.groups()
        return f"`{path}`" if words == path else f"{words} [`{path}`]"

    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    return LINK.sub(named, PICTURE.sub(r"*\1*", text))


setup(
    packages=[*find_packages(include=["evolution*", "harness*"]), *SHIPPED],
    package_dir=SHIPPED,
    long_description=readme_alone(),
)
