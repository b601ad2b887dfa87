"""What a server prints of a game that has ended."""

from evolution.game import Result
from harness.games.recorder import result_text


def test_a_name_is_cut_where_it_is_printed_and_does_nothing_to_a_terminal() -> None:
    text = result_text(Result([(2, 9), (1, 3)], []), ["x" * 100_000, "\x1b[2Jnice"])
    first, second = text.splitlines()
    assert first == '1 player id: 2 score: 9 name: "\\u001b[2Jnice"'
    assert second == f'2 player id: 1 score: 3 name: "{"x" * 60}\\u2026"'
