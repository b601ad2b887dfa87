"""Whole configurations from JSON text and back, for those who use the game as a library."""

from evolution.table import Table
from evolution.wire import reading, writing
from evolution.wire.text import parse


def read_configuration(text: "str | bytes") -> Table:
    """The table that a Configuration in JSON describes. Raises BadInput if it is none."""
    return reading.configuration(parse(text.encode() if isinstance(text, str) else text))


def write_configuration(table: Table) -> str:
    """The table as a Configuration in JSON."""
    return writing.configuration(table)
