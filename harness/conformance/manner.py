"""How messages are cut into pieces, on both sides of a connection."""

from itertools import cycle

BETWEEN = 0.002  # seconds between the pieces of a split message


def pieces(data: bytes) -> list[bytes]:
    """The bytes in pieces of different sizes, each of a few bytes."""
    cut: list[bytes] = []
    for size in cycle((1, 2, 3, 5, 8)):
        if not data:
            return cut
        cut.append(data[:size])
        data = data[size:]
    raise AssertionError("the sizes do not end")
