"""The pictures of README.md are there, small, and those that the commands draw today."""

import re

from tests.readme_pictures import CASE, CLASS, IMAGES, MARKER, TABLE, failing_case, made_from, table
from tests.support.helpers import ROOT

MOST = 60_000  # bytes
STALE = "make the pictures anew: python -m tests.readme_pictures"


def test_the_picture_of_a_table_is_what_xgui_draws() -> None:
    assert (IMAGES / TABLE).read_bytes() == table(), STALE


def test_the_picture_of_a_case_is_what_harness_show_draws() -> None:
    assert (IMAGES / CASE).read_bytes() == failing_case(), STALE


def test_the_picture_of_a_class_was_made_from_what_draws_it_today() -> None:
    assert MARKER + made_from() in (IMAGES / CLASS).read_bytes(), STALE


def test_the_page_shows_each_picture_in_words_too() -> None:
    shown = dict(
        re.findall(r'<img src="docs/images/(.+?)" .*?alt="(.+?)">', (ROOT / "README.md").read_text())
    )
    assert list(shown) == [TABLE, CASE, CLASS]
    assert all(len(words) > 40 for words in shown.values())
    assert {path.name for path in IMAGES.iterdir()} == set(shown)
    assert all(path.stat().st_size < MOST for path in IMAGES.iterdir())


def test_drawings_have_colours_for_dark_and_light_and_a_ground_of_their_own() -> None:
    for name in (TABLE, CASE):
        drawn = (IMAGES / name).read_text()
        assert "prefers-color-scheme:dark" in drawn
        assert 'class="e-paper"' in drawn
