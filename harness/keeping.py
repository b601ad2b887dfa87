"""Cases that are written as fixtures, never over a file that is there."""

import os

from evolution.wire.text import parse
from harness.layout import readable
from harness.whole import write_new_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

ENDINGS = ("-in.json", "-out.json")
MOST_NAMES = 1000


class Taken(Exception):
    """There is a file already where one would have to be written; str() says which."""


def check_free(stem: str) -> None:
    """Raises Taken if there is a file that the case of this name would be written over."""
    for ending in ENDINGS:
        if os.path.lexists(stem + ending):
            raise Taken(f"{stem}{ending} exists already; nothing is written over it, so choose another name")


def texts_of(value: object, expected: bytes) -> tuple[str, str]:
    """The two files of a case, laid out for reading; the second is empty where nothing is expected."""
    return readable(value), readable(parse(expected)) if expected.strip() else ""


def write_case(stem: str, value: object, expected: bytes) -> None:
    """Write a case under this name. Raises Taken if one of its files is there, and OSError."""
    check_free(stem)
    os.makedirs(os.path.dirname(stem) or ".", exist_ok=True)
    given, answer = texts_of(value, expected)
    write_files(stem, {ENDINGS[0]: given, ENDINGS[1]: answer})


def write_files(stem: str, texts: "Mapping[str, str]") -> None:
    """Write new files of a case, by their endings: all or none, and the input last. Raises OSError."""
    endings = [ending for ending in reversed(ENDINGS) if ending in texts]
    write_new_files({stem + ending: texts[ending].encode() for ending in endings})


def keep_case(folder: str, name: str, value: object, expected: bytes) -> str:
    """Write a case into a folder under this name, or with a number behind it; where it is then.

    If the same case is there already under one of these names, it is not written again.
    """
    texts = texts_of(value, expected)
    for number in range(1, MOST_NAMES):
        stem = os.path.join(folder, name if number == 1 else f"{name}-{number}")
        if [_content(stem + ending) for ending in ENDINGS] == list(texts):
            return stem
        try:
            write_case(stem, value, expected)
        except (Taken, FileExistsError):
            continue
        return stem
    raise Taken(f"there are too many cases called {name} in {folder}")


def _content(path: str) -> "str | None":
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None
