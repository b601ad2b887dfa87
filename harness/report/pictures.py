"""A page of pictures, complete in one file: of an input, or of cases with what programs printed."""

from collections.abc import Iterable, Sequence
from typing import BinaryIO

from evolution.picture.scene import Scene
from evolution.picture.values import answer_scene, scene_as_json
from evolution.picture.values import scene as scene_of_input
from evolution.wire.errors import BadInput
from evolution.wire.text import parse
from harness.report.page import PICTURES, start_of, write_page
from harness.report.words import safe
from harness.text import printed_text

# A title, a scene, and the place in the same list of the one that it is compared with.
Titled = tuple[str, Scene, int | None]
# What sentences are about, and the sentences.
Group = tuple[str, Sequence[str]]

START = start_of("pictures")
WHAT_DIFFERS, BY_THE_RULES = "What differs", "By the rules"  # headings of sentences
MOST_TEXT = 256 << 10  # characters of an answer in a page


def pictures_of_case(
    value: object, expected: "bytes | None" = None, printed: "bytes | None" = None
) -> "list[Titled]":
    """A case in pictures: the input, what is expected and what was printed, as far as there are pictures."""
    before = scene_of_input(value)
    right, wrong = (_answer(value, output) for output in (expected, printed))
    # A choice is shown on the table that it was made for, which need not be shown once more.
    is_choice = any(answer and _has_new_notes(answer, before) for answer in (right, wrong))
    found: list[Titled] = [] if is_choice else [("Before", before, None)]
    if right is not None:
        found.append(("Expected", right, len(found) + 1 if wrong is not None else None))
    if wrong is not None:
        found.append(("Printed", wrong, len(found) - 1 if right is not None else None))
    return found


def _answer(value: object, output: "bytes | None") -> "Scene | None":
    try:
        return None if output is None or not output.strip() else answer_scene(value, parse(output))
    except BadInput:
        return None


def _has_new_notes(answer: "Scene", before: "Scene") -> bool:
    return any(
        seat.notes and not other.notes for seat, other in zip(answer.seats, before.seats, strict=False)
    )


def compared_with(pictures: "Sequence[Titled]") -> "list[tuple[str, Scene, Scene | None]]":
    """The pictures, each with the scene that it is compared with."""
    return [(title, scene, None if at is None else pictures[at][1]) for title, scene, at in pictures]


def case_item(
    title: str, groups: "Sequence[Group]", value: object, expected: "bytes | None", printed: "bytes | None"
) -> "Item":
    """A case that a program gets wrong: sentences, pictures, and the texts that they are drawn from."""
    from harness.fixtures.layout import compact

    texts = [compact(value).encode(), expected, printed]
    return Item(pictures_of_case(value, expected, printed), title, groups, texts)


class Item:
    """One part of a page: a title, sentences, pictures, and the texts of a case if they are to be seen."""

    __slots__ = ("groups", "pictures", "texts", "title", "wide")

    def __init__(
        self,
        pictures: "Sequence[Titled]",
        title: str = "",
        groups: "Sequence[Group]" = (),
        texts: "Sequence[bytes | None] | None" = None,
        wide: bool = False,
    ) -> None:
        self.title = title
        self.groups = groups
        self.pictures = pictures
        self.texts = texts
        self.wide = wide

    def to_json(self) -> dict[str, object]:
        """The item as the script of the page reads it."""
        return {
            "title": safe(self.title),
            "groups": [group for group in self.groups if group[1]],
            "pictures": [(title, scene_as_json(scene), at) for title, scene, at in self.pictures],
            "texts": self.texts
            and [None if data is None else printed_text(data, MOST_TEXT) for data in self.texts],
            "wide": self.wide,
        }


def write_page_of_pictures(path: str, title: str, eyebrow: str, items: "Iterable[Item]") -> None:
    """Write such a page to a file, or to standard output if that is -."""
    from io import BytesIO

    from harness.report import write_file

    page = BytesIO()
    write_pictures(page, title, eyebrow, items)
    write_file("html", path, page.getvalue())


def check_page(path: "str | None") -> None:
    """See that a page to be written writes over nothing else. Raises ReportError."""
    from harness import report

    if path:
        report.check_page(path, START)


def write_pictures(file: "BinaryIO", title: str, eyebrow: str, items: "Iterable[Item]") -> None:
    """Write such a page."""
    write_page(
        file,
        "pictures",
        ("base", PICTURES, "pictures"),
        title=safe(title),
        eyebrow=eyebrow,
        items=(item.to_json() for item in items),
    )
