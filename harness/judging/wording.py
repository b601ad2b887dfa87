"""Words for any JSON values, and for two of them side by side.

Whatever a program may have printed, the words are short and safe for a terminal. What the values
mean in the game is for `harness.judging.parts` to say.
"""

from _json import encode_basestring_ascii

from evolution.wire import reading
from evolution.wire.reading import SHOWN
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.judging.compare import Path

UNLIMITED = 10**9
MOST_STEPS = 16  # of a path that are shown
FAR = 100_000  # characters in which the first difference of two long texts is looked for


# Values


def compact(value: object, limit: int = UNLIMITED) -> str:
    """The value as JSON in ASCII without white space; equal numbers and objects look the same.

    Of a text longer than the limit, there is only so much that one can see that it is longer.
    """
    pieces, length = [], 0
    inside: list[Iterator[tuple[str, object]]] = [iter([("", value)])]
    ends = [""]
    while inside and length <= limit:
        before, part = next(inside[-1], (None, None))
        if before is None:
            inside.pop()
            text = ends.pop()
        elif type(part) is list or type(part) is tuple:
            inside.append(_items(part))
            ends.append("]")
            text = before + "["
        elif type(part) is dict:
            inside.append(_members(part, limit))
            ends.append("}")
            text = before + "{"
        else:
            text = before + _scalar(part, limit)
        pieces.append(text)
        length += len(text)
    return "".join(pieces)


def _items(parts: "Sequence[object]") -> "Iterator[tuple[str, object]]":
    for at, part in enumerate(parts):
        yield "," if at else "", part


def _members(parts: dict[str, object], limit: int) -> "Iterator[tuple[str, object]]":
    for at, key in enumerate(sorted(parts)):
        yield f"{',' if at else ''}{_scalar(key, limit)}:", parts[key]


def _scalar(value: object, limit: int) -> str:
    if type(value) is str:
        return encode_basestring_ascii(value[: limit + 1])
    if value is None or type(value) is bool:
        return shown(value)
    if type(value) is float and value.is_integer():
        return str(int(value))
    try:
        return str(value)
    except ValueError:  # an integer beyond what Python prints in decimals
        return hex(value)  # type: ignore[arg-type]


def shown(value: object) -> str:
    """A value that is no list as it appears in a sentence."""
    try:
        return reading.shown(value)
    except ValueError:  # an integer beyond what Python prints
        return "an integer with very many digits"


def word(value: object) -> str:
    """A value as it appears in a sentence."""
    return cut(compact(value, SHOWN), SHOWN) if _kind(value) else shown(value)


def name(key: str) -> str:
    """A trait or a key as it appears in a sentence; quoted if it does not look like one."""
    return key if len(key) <= SHOWN and key.isascii() and key.replace("-", "").isalpha() else shown(key)


def _kind(value: object) -> str:
    return "a list" if type(value) in (list, tuple) else "an object" if type(value) is dict else ""


def contrast(expected: object, actual: object) -> tuple[str, str]:
    """Two different values in words that differ."""
    kinds = _kind(expected), _kind(actual)
    if kinds[0] != kinds[1]:
        return kinds[0] or shown(expected), kinds[1] or shown(actual)
    words = word(expected), word(actual)
    return words if words[0] != words[1] else apart(compact(expected), compact(actual), SHOWN)


def apart(expected: str, actual: str, most: int) -> tuple[str, str]:
    """Two different texts, cut to about so many characters in which they can be seen to differ."""
    start = 0
    if cut(expected, most) == cut(actual, most):
        start = max(0, _equal_up_to(expected, actual) - most // 4)
    mark = "…" if start else ""
    return mark + cut(expected[start:], most), mark + cut(actual[start:], most)


def _equal_up_to(one: str, other: str) -> int:
    """How many characters at the beginning of two texts are equal."""
    low, high = 0, min(len(one), len(other))
    while low < high:  # by halves, since texts may be long and slices compare fast
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def side_by_side(expected: object, actual: object, most: int) -> tuple[str, str]:
    """The JSON of two values, about so many characters of it, in which they can be seen to differ."""
    return apart(compact(expected, FAR), compact(actual, FAR), most)


# Paths


def json_path(path: "Path") -> str:
    """A path in brackets; one that is too long to be read, without its middle."""
    steps = [f"[{shown(step)}]" for step in path]
    if len(steps) > MOST_STEPS:
        steps[MOST_STEPS // 2 : -MOST_STEPS // 2] = ["…"]
    return "".join(steps)
