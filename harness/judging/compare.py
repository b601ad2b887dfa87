"""When two answers are equal, and how they differ.

Answers are equal if they mean the same: the order of a species' traits, the labels of growth and
the spelling of numbers do not count (docs/formats.md, section 7). Most answers that are compared
are right, so what names the differences of the others, `harness.judging.structure`, is loaded with the first.
"""

from itertools import islice, takewhile, zip_longest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evolution.wire.stream import Value
    from harness.judging.difference import Difference

    Path = tuple[int | str, ...]
    # A path while it is being built: the way to the parent, and the last step.
    Steps = tuple["Steps", int | str] | None
    Parts = tuple[Steps, object, object]  # of the expected and the actual value

MOST_LINES = 50  # of differences that are listed
MOST_COUNTED = 5_000  # of differences: of more it is not said how many there are
MOST_NODES = 5_000  # in a value that is put into words; a table with all boards there can be has less
DEEPEST_NAMED = 60
MOST_PATHS = 1000  # that are looked at to find the part that encloses them
MOST_SHOWN = 300  # characters of a part

# A number that a float may not hold, or an integer that is a Decimal: to read it, to print it and to keep it
# as an int would take more than its text does, above all of one like 1e4299.
DELICATE = rb"[0-9][.eE]|(?<![0-9])[0-9]{65}"
LONGEST_INT = 64
ABSENT = object()  # stands for a part that only the other value has


# Reading


def parse_values(data: bytes) -> list[object]:
    """The JSON values in an output, one after the other. Raises NotJSON.

    Every number keeps its value: one that neither an int nor a float can hold is a Decimal.
    """
    from evolution.wire.stream import Reader

    reader = Reader()
    reader.feed(data)
    reader.close()
    return [_parse(value) for value in reader]


def is_json_at_first_sight(data: bytes) -> bool:
    """Whether bytes without white space around them are nothing or one JSON value.

    It is quick to say so, which it does not of values that need a closer look.
    """
    from evolution.wire.text import scan

    if not data:
        return True
    try:
        text = data.decode()
        return bool(scan(text, 0)[1] == len(text))
    except (ValueError, StopIteration, RecursionError, SystemError):
        return False


def same_at_first_sight(one: bytes, other: bytes) -> bool:
    """Whether both hold one JSON value, and the same, but for white space.

    It is quick to say so, which it does not of values that need a closer look: it may say no for all.
    """
    import re

    from evolution.wire.text import WHITE, scan

    shown = []
    for data in (one, other):
        if re.search(DELICATE, data):
            return False
        try:
            text = data.decode().strip(WHITE)
            value, end = scan(text, 0)
        except (ValueError, StopIteration, RecursionError, SystemError):
            return False
        if end != len(text):
            return False
        shown.append(repr(value))
    return shown[0] == shown[1]


def _parse(value: "Value") -> object:
    import re

    parsed = value.parse()
    if re.search(DELICATE, value.data) is None:
        return parsed
    from _json import make_scanner

    from evolution.wire.text import Context

    class ExactContext(Context):
        parse_float = staticmethod(_exact_number)
        parse_int = staticmethod(_exact_int)

    parsed, _ = make_scanner(ExactContext)(value.data.decode(), 0)  # type: ignore[arg-type]
    return parsed


def _exact_int(text: str) -> object:
    return int(text) if len(text) <= LONGEST_INT else _exact_number(text)


def _exact_number(text: str) -> object:
    """The number: a float where that is what was meant, else an int, else a Decimal."""
    from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, InvalidOperation

    nearest = float(text)
    if repr(nearest) == text and "e" not in text:
        return nearest
    try:
        number = Decimal(text)
    except InvalidOperation:  # an exponent of more than 18 digits
        return nearest
    if number == nearest:
        return nearest
    number = number.normalize(Context(prec=len(text), Emax=MAX_EMAX, Emin=MIN_EMIN))
    exponent = number.as_tuple().exponent
    if isinstance(exponent, int) and exponent >= 0:
        return int(number) if number.adjusted() < LONGEST_INT else number
    return nearest if Decimal(repr(nearest)) == number else number


# Equal or not


def same(expected: object, actual: object, exact: bool = False) -> bool:
    """Whether two values are equal by meaning, or, if exact, as the JSON values they are."""
    return _look_same(expected, actual) or next(_differing(expected, actual, exact), None) is None


def _look_same(expected: object, actual: object) -> bool:
    """Whether two values look the same, which different ones never do, and most right answers do."""
    try:
        return repr(expected) == repr(actual)
    except (RecursionError, ValueError):  # too deep, or an integer that is too long to print
        return False


def is_number(value: object) -> bool:
    """Whether a JSON value is a number; true and false are none."""
    return value is not None and type(value) not in (bool, str, list, dict, tuple)


def meaning(value: object) -> object:
    """The value without what does not count: traits are a sorted tuple, growth has no labels."""
    top = [value]
    todo: list[list[object] | dict[str, object]] = [top]  # a stack of our own: values may be deep
    while todo:
        node = todo.pop()
        children: Iterable[tuple[object, object]]
        children = enumerate(node) if type(node) is list else node.items()  # type: ignore[union-attr]
        for key, part in children:
            if type(part) is list or type(part) is dict:
                copy = list(_normal(part)) if type(part) is list else dict(part)
                node[key] = copy  # type: ignore[index]
                todo.append(copy)
    return top[0]


def meaning_key(data: bytes) -> bytes:
    """What is the same for all outputs that mean the same."""
    from evolution.wire.errors import BadInput

    try:
        return repr(meaning(parse_values(data))).encode()
    except (BadInput, RecursionError, ValueError):
        return data.strip()


def _normal(value: list[object]) -> list[object]:
    """The list, or one in its place in which what belongs to the list itself is normal."""
    if value and type(value[0]) is list:
        are_pairs = _is_pair(value[0]) and all(map(_is_pair, value))
        return [_set_of_traits(pair) for pair in value] if are_pairs else value
    if len(value) == 5 and _is_action4(value):
        food_card, grow_population, grow_body, new_boards, replacements = value
        population = _unlabelled("population", grow_population)
        return [food_card, population, _unlabelled("body", grow_body), new_boards, replacements]
    return value


def _is_pair(value: object) -> bool:
    return type(value) is list and len(value) == 2 and type(value[0]) is str


def _set_of_traits(pair: object) -> object:
    assert type(pair) is list  # of a list of pairs
    key, traits = pair
    if key == "traits" and type(traits) is list and all(type(trait) is str for trait in traits):
        return [key, tuple(sorted(traits))]
    return pair


def _is_action4(value: list[object]) -> bool:
    return is_number(value[0]) and all(type(part) is list for part in value[1:])


def _unlabelled(label: str, growth: object) -> list[object]:
    assert type(growth) is list  # of an Action4
    return [part[1:] if _has_label(label, part) else part for part in growth]


def _has_label(label: str, part: object) -> bool:
    return type(part) is list and len(part) == 3 and part[0] == label and all(map(is_number, part[1:]))


def _differing(expected: object, actual: object, exact: bool) -> "Iterator[Parts]":
    """The innermost parts that differ, in the order of the text; ABSENT where there is none."""
    normal = (lambda value: value) if exact else _normal
    inside: list[Iterator[Parts]] = [iter([(None, expected, actual)])]
    while inside:
        for steps, left, right in inside[-1]:
            if type(left) is list and type(right) is list:
                inside.append(_items(steps, normal(left), normal(right)))
                break
            if type(left) is dict and type(right) is dict:
                inside.append(_members(steps, left, right))
                break
            if not _equal(left, right):
                yield steps, left, right
        else:
            inside.pop()


def _items(steps: "Steps", left: list[object], right: list[object]) -> "Iterator[Parts]":
    for at, (one, other) in enumerate(zip_longest(left, right, fillvalue=ABSENT)):
        if one is not other:
            yield (steps, at), one, other


def _members(steps: "Steps", left: dict[str, object], right: dict[str, object]) -> "Iterator[Parts]":
    for key in [*left, *(key for key in right if key not in left)]:
        yield (steps, key), left.get(key, ABSENT), right.get(key, ABSENT)


def _equal(left: object, right: object) -> bool:
    """Whether two parts, not both of them lists or objects, are equal."""
    return left == right and (type(left) is type(right) or (is_number(left) and is_number(right)))


def _path(steps: "Steps") -> "Path":
    path: list[int | str] = []
    while steps is not None:
        steps, step = steps
        path.append(step)
    return tuple(reversed(path))


# What differs


def differences(expected: object, actual: object, exact: bool = False) -> "list[Difference]":
    """In what two values differ, the most telling first; nothing if they are the same.

    Values that are no answers of the game, or too large to be, differ by JSON paths.
    """
    if _look_same(expected, actual):
        return []
    from harness.judging.difference import UNNAMED, Difference

    if _is_small(expected) and _is_small(actual):
        if same(expected, actual, exact):
            return []
        from harness.judging.structure import named_differences

        named = named_differences(expected, actual, exact)
        if named:
            return _capped(named)
    unnamed = (
        Difference(UNNAMED, (), _path(steps), left, right)
        for steps, left, right in _differing(expected, actual, exact)
    )
    return _capped(list(islice(unnamed, MOST_COUNTED + 1)))


def text_differences(expected: str, actual: str) -> "list[Difference]":
    """In what two texts differ, line by line; white space at the end of lines and text does not count."""
    return line_differences(_lines(expected), _lines(actual))


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")] if text.strip() else []


def line_differences(expected: list[str], actual: list[str]) -> "list[Difference]":
    """In what two lists of lines differ."""
    if expected == actual:
        return []
    from harness.judging.difference import LINE, Difference, Spot
    from harness.judging.matching import NONE, matched

    found = []
    rows = [[frozenset([line]) for line in lines] for lines in (expected, actual)]
    for one, other in matched(rows[0], rows[1]):
        right = ABSENT if one == NONE else expected[one]
        printed = ABSENT if other == NONE else actual[other]
        if right != printed:
            at = one if other == NONE else other
            found.append(Difference(LINE, (Spot("line", at + 1),), (at,), right, printed))
    return _capped(found)


def _capped(found: "list[Difference]") -> "list[Difference]":
    """So many differences that they can be read, and one that stands for the others."""
    if len(found) <= MOST_LINES:
        return found
    from harness.judging.difference import MORE, Difference

    more = "more" if len(found) > MOST_COUNTED else f"{len(found) - MOST_LINES + 1} more"
    return [*found[: MOST_LINES - 1], Difference(MORE, what=more)]


def _is_small(value: object) -> bool:
    """Whether a value is of a size and depth that can be put into words in no time."""
    level, count = [value], 0
    for _ in range(DEEPEST_NAMED):
        below: list[object] = []
        for part in level:
            if type(part) is list or type(part) is tuple:
                below += part
            elif type(part) is dict:
                below += part.keys()
                below += part.values()
            elif type(part) is str:
                count += len(part) // 100
            count += 1
        if count + len(below) > MOST_NODES:
            return False
        level = below
    return not level


def smallest_difference(expected: object, actual: object, exact: bool = False) -> tuple[str, str, str]:
    """The smallest part that holds what differs and can be read by itself, such as a board.

    Its place, in words if there are any, and the JSON of the expected and of the actual part, cut
    to the stretch where they begin to differ.
    """
    from harness.judging.parts import part_at, readable_part
    from harness.judging.wording import compact, side_by_side

    if not exact and _is_small(expected) and _is_small(actual):
        expected, actual = meaning(expected), meaning(actual)
    paths = _paths(expected, actual, exact)
    # Where the part that holds everything is too long to be read, the first difference has to do.
    for length in range(len(_common(paths)), len(paths[0]) + 1):
        place, path = readable_part(expected, actual, paths[0][:length])
        parts = part_at(expected, path), part_at(actual, path)
        if all(len(compact(part, MOST_SHOWN)) <= MOST_SHOWN for part in parts):
            break
    return place, *side_by_side(*parts, MOST_SHOWN)


def _paths(expected: object, actual: object, exact: bool) -> "list[Path]":
    """The innermost parts of both values that differ: the whole if none does."""
    found = islice(_differing(expected, actual, exact), MOST_PATHS)
    return [
        _path(steps[0] if steps and (left is ABSENT or right is ABSENT) else steps)
        for steps, left, right in found
    ] or [()]


def _common(paths: "list[Path]") -> "Path":
    """The path to the smallest part that holds all these."""
    common = paths[0]
    for path in paths:
        equal = takewhile(lambda steps: steps[0] == steps[1], zip(common, path, strict=False))
        common = tuple(step for step, _ in equal)
    return common
