"""A game to watch, complete in one page: from a log, or live from a server."""

from collections.abc import Sequence
from io import BytesIO

from harness.report.page import PICTURES, start_of, write_page
from harness.report.words import safe

START = start_of("game")


def game_page(
    view: str, steps: "Sequence[dict[str, object]]" = (), note: str = "", live: bool = False
) -> bytes:
    """The page of a game, for somebody with this view. A live one is sent its steps when it is open."""
    page = BytesIO()
    data = {"view": view, "note": safe(note), "live": live, "steps": steps}
    write_page(page, "game", ("base", PICTURES, "game"), live, data=data)
    return page.getvalue()
