"""How messages are cut into pieces and told apart, on both sides of a connection."""

import json
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


# What may stand between two messages, in words.
BETWEEN_MESSAGES = {"": "nothing", " ": "a space", "\n": "a line end", "\r\n": "a line end of two characters"}


def between(raw: bytes) -> str:
    """What stands behind each of the messages in these bytes, in words."""
    text = raw.decode(errors="replace")
    found = set()
    at = len(text) - len(text.lstrip())
    decode = json.JSONDecoder().raw_decode
    while at < len(text):
        try:
            _, end = decode(text, at)
        except (ValueError, RecursionError):
            break
        at = end + len(text[end:]) - len(text[end:].lstrip())
        found.add(text[end:at])
    return " or ".join(sorted(BETWEEN_MESSAGES.get(each, "other white space") for each in found)) or "unknown"
