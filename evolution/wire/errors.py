"""What can be wrong with input.

Exception
 +-- BadInput            something a user gave us; prints as one line
      +-- NotJSON        the text is no JSON value
      +-- Malformed      a JSON value of the wrong shape or range, with the path to the place
      +-- Illegal        well-formed, but the rules forbid it
"""

NEWLINE = "\n"


class BadInput(Exception):
    """Input that is refused; str() is the line for the person who sent it."""


class NotJSON(BadInput):
    """Text that is not JSON, from `byte` on (counted from 0)."""

    def __init__(self, byte: int, why: str) -> None:
        super().__init__(byte, why)
        self.byte = byte
        self.why = why
        self.where = ""  # the line and the column, if the whole text is known

    def within(self, data: bytes) -> "NotJSON":
        """This error, which says the line and the column as well, now that the whole text is known."""
        before = data[: self.byte].decode(errors="replace")
        self.where = f" (line {before.count(NEWLINE) + 1}, column {len(before) - before.rfind(NEWLINE)})"
        return self

    def __str__(self) -> str:
        return f"not JSON at byte {self.byte}{self.where}: {self.why}"


class Malformed(BadInput):
    """A part of a value that is not what it should be.

    The path is built from the inside out: each level that passes the error on adds its index, or
    its key where the value is an object.
    """

    def __init__(self, why: str, *path: "int | str") -> None:
        super().__init__(why)
        self.why = why
        self.path = list(reversed(path))

    def below(self, *path: "int | str") -> "Malformed":
        """This error, with its path beginning further up."""
        self.path.extend(reversed(path))
        return self

    def __str__(self) -> str:
        return f"{shown_path(self.path[::-1])}: {self.why}"


class Illegal(Malformed):
    """A well-formed part that the rules forbid."""


def shown_path(path: "list[int | str]") -> str:
    """The way from the top of a value to a part of it, as an error line has it."""
    return "".join(f"[{at}]" if type(at) is int else f'["{at}"]' for at in path) or "input"
