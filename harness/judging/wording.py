"""Words for any JSON values and lines of text, and for how two of them differ.

Whatever a program may have printed, the words are short and safe for a terminal. What the values
mean in the game is for `harness.judging.parts` to say.
"""

from _json import encode_basestring_ascii
from itertools import zip_longest

from evolution.wire import reading
from evolution.wire.reading import SHOWN
from harness.judging.compare import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from harness.judging.compare import Path

    # The things that make two members of a row alike.
    Features = frozenset[str]

UNLIMITED = 10**9
MOST_CELLS = 20_000  # of the table in which two rows are matched; a whole deck needs 15,000
MOST_STEPS = 16  # of a path that are shown
FAR = 100_000  # characters in which the first difference of two long texts is looked for
GAP = 2  # what a thing weighs that only one row has: as much as one that differs
NONE = -1  # an index of nothing


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
        return "an integer of very many digits"


def cut(text: str, most: int = SHOWN) -> str:
    """The text, or its beginning and a mark."""
    return text if len(text) <= most else f"{text[:most]}…"


def word(value: object) -> str:
    """A value as it appears in a sentence."""
    return cut(compact(value, SHOWN)) if _kind(value) else shown(value)


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


# Paths and lines


def json_path(path: "Path") -> str:
    """A path in brackets; one that is too long to be read, without its middle."""
    steps = [f"[{shown(step)}]" for step in path]
    if len(steps) > MOST_STEPS:
        steps[MOST_STEPS // 2 : -MOST_STEPS // 2] = ["…"]
    return "".join(steps)


def plain_difference(path: "Path", expected: object, actual: object) -> str:
    """How two parts differ that have no names; one of them may be ABSENT."""
    place = json_path(path)
    if actual is ABSENT:
        return f"{place}: is missing, should be {word(expected)}"
    if expected is ABSENT:
        return f"{place}: is {word(actual)}, should not be there"
    should, does = contrast(expected, actual)
    return f"{place}: is {does}, should be {should}" if place else f"{does}, should be {should}"


def line_differences(expected: list[str], actual: list[str]) -> list[str]:
    """How two lists of lines differ."""
    lines = []
    for one, other in matched(
        [frozenset([line]) for line in expected], [frozenset([line]) for line in actual]
    ):
        if other == NONE:
            lines.append(f"line {one + 1} is missing: {shown(expected[one])}")
        elif one == NONE:
            lines.append(f"line {other + 1} is too much: {shown(actual[other])}")
        elif expected[one] != actual[other]:
            should, does = contrast(expected[one], actual[other])
            lines.append(f"line {other + 1}: {does}, should be {should}")
    return lines


# Rows


def matched(expected: "list[Features]", actual: "list[Features]", gap: int = GAP) -> list[tuple[int, int]]:
    """The indexes of what belongs together in two rows, so that the fewest differences are left.

    NONE stands for a thing that the other row does not have.
    """
    shorter = min(len(expected), len(actual))
    start = 0
    while start < shorter and expected[start] == actual[start]:
        start += 1
    end = 0
    while end < shorter - start and expected[-1 - end] == actual[-1 - end]:
        end += 1
    rows, columns = len(expected) - end, len(actual) - end
    middle = _matched(expected[start:rows], actual[start:columns], gap)
    return [
        *((at, at) for at in range(start)),
        *(
            (row if row == NONE else row + start, column if column == NONE else column + start)
            for row, column in middle
        ),
        *((rows + at, columns + at) for at in range(end)),
    ]


def _matched(expected: "list[Features]", actual: "list[Features]", gap: int) -> list[tuple[int, int]]:
    rows, columns = len(expected), len(actual)
    if rows * columns > MOST_CELLS:
        return list(zip_longest(range(rows), range(columns), fillvalue=NONE))

    # The lowest cost of matching all that comes from this row and column on.
    least = [
        [(rows - row + columns - column) * gap for column in range(columns + 1)] for row in range(rows + 1)
    ]
    for row in reversed(range(rows)):
        for column in reversed(range(columns)):
            together = least[row + 1][column + 1] + _cost(expected[row], actual[column], gap)
            least[row][column] = min(together, least[row + 1][column] + gap, least[row][column + 1] + gap)

    way: list[tuple[int, int]] = []
    row = column = 0
    while row < rows and column < columns:
        here = least[row][column]
        if here == least[row + 1][column + 1] + _cost(expected[row], actual[column], gap):
            way.append((row, column))
            row, column = row + 1, column + 1
        elif here == least[row + 1][column] + gap:
            way.append((row, NONE))
            row += 1
        else:
            way.append((NONE, column))
            column += 1
    way += [(row, NONE) for row in range(row, rows)]
    way += [(NONE, column) for column in range(column, columns)]
    return way


def _cost(expected: "Features", actual: "Features", gap: int) -> int:
    """How different two things are; never more than if each were missing on the other side."""
    return 0 if expected == actual else min(2 * gap, len(expected ^ actual))
