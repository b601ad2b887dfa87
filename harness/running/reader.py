"""What a program is really sent: an input in its dialect, or nothing if it does not read such a form."""

from typing import Any, NamedTuple

from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.fixtures.dialect import Dialect
from harness.fixtures.layout import compact
from harness.inputs.kinds import is_well_formed


class Reader(NamedTuple):
    """Whoever reads an input: which of the programs it is, and its dialect."""

    program: str
    dialect: Dialect

    def sent(self, data: bytes) -> tuple[bytes, tuple[str, ...]]:
        """The input as it is sent, and why it is not. Any other value is sent as it is."""
        try:
            value = parse(data)
        except BadInput:
            return data, ()
        if not is_well_formed(self.program, value):
            return data, ()
        reasons = self.dialect.withholds(self.program, value)
        written = self.dialect.write(self.program, value)
        return (data if written is value else f"{compact(written)}\n".encode()), reasons

    def message(self) -> "tuple[Any, ...]":
        """Plain values that `of` makes a reader like this one of."""
        return self.program, *self.dialect

    @classmethod
    def of(cls, message: "tuple[Any, ...]") -> "Reader":
        """The reader that these values say."""
        program, *dialect = message
        return cls(program, Dialect._make(dialect))
