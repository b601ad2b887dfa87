"""From bytes to one JSON value, as fast as a program that is started once per case needs it.

Only the C scanner of the json package is loaded here: importing the package itself costs more
than the rest of a program's start. Whatever this scanner does not take at once goes to
`evolution.wire.stream`, which finds out what is wrong, or reads the few values that need care.
"""

from _json import make_scanner

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

WHITE = " \t\n\r"


class Context:
    """What the scanner asks its owner: how numbers, constants and objects are made."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float: "Callable[[str], object]" = float
    parse_int: "Callable[[str], object]" = int
    memo: "dict[str, str]" = {}  # noqa: RUF012 (the scanner keeps the keys of objects here)

    @staticmethod
    def parse_constant(name: str) -> object:
        """NaN and the infinities are no JSON."""
        raise ValueError(name)


scan = make_scanner(Context)  # type: ignore[arg-type]


def parse(data: bytes) -> object:
    """The one JSON value that the bytes hold. Raises NotJSON, or Malformed if there are more."""
    try:
        text = data.decode().strip(WHITE)
        value, end = scan(text, 0)
        if end == len(text):
            return value
    except (ValueError, StopIteration, RecursionError, SystemError):
        pass  # SystemError: the scanner found no JSONDecodeError to raise, for json is not loaded
    from evolution.wire.stream import one_value

    return one_value(data)
