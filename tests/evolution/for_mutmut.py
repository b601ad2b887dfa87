"""A pytest plugin for `make mutants`: mutmut 3.8 asks for a name that pytest 9.2 has given up."""

import pytest


def pytest_itemcollected(item: pytest.Item) -> None:
    """Keep the id of a test where mutmut looks for it."""
    item._nodeid = item.nodeid  # type: ignore[attr-defined]
