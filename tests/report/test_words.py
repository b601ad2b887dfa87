"""What is printed of others' words."""

import pytest

from harness.report.words import safe_line


@pytest.mark.parametrize("order", ["::error::owned", "  ::set-env name=A::b", "x ##[error]owned"])
def test_nothing_that_a_program_prints_is_an_order_to_github(order: str) -> None:
    told = safe_line(order)
    assert not told.lstrip().startswith("::")
    assert "##[" not in told


def test_words_that_are_no_orders_stay_as_they_are() -> None:
    assert safe_line("std::vector # [1]") == "std::vector # [1]"
