"""The browser in which pages are looked at."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.support.capabilities import browser as installed_browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        yield started
        started.close()
