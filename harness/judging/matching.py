"""Which things belong together in two rows, so that one that is missing does not shift all others."""

from itertools import zip_longest

# The things that make two members of a row alike.
Features = frozenset[str]

MOST_CELLS = 20_000  # of the table in which two rows are matched; a whole deck needs 15,000
GAP = 2  # what a thing weighs that only one row has: as much as one that differs
NONE = -1  # an index of nothing


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
