"""Colours: for terminals that show them, and for people who want them."""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

RED, GREEN, YELLOW, BOLD, DIM = "31", "32", "33", "1", "2"


def wants_colour(stream: "TextIO") -> bool:
    """Whether what is written there should be in colour."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def painted(coloured: bool, text: str, *codes: str) -> str:
    """The text, in colour if that is wanted."""
    return f"\033[{';'.join(codes)}m{text}\033[0m" if coloured and codes and text else text
