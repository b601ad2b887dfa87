"""Standings: what follows from the games of a tournament."""

from itertools import permutations

import pytest

from harness.tournament.outputs import lines, outcome
from harness.tournament.record import Record
from harness.tournament.standings import duels, groups, standings
from harness.tournament.terms import Terms, entrants


def game(number: int, seats: tuple[int, ...], scores: tuple["int | None", ...]) -> Record:
    reasons = tuple("choose: no idea" if score is None else "" for score in scores)
    asked = tuple(10 for _ in seats)
    return Record(
        number, 1, seats, scores, reasons, asked, tuple(0.5 for _ in seats), tuple(0.2 for _ in seats)
    )


GAMES = [
    game(1, (0, 1, 2, 3), (7, 7, 9, None)),
    game(2, (1, 2, 3, 0), (4, 4, 4, 4)),
    game(3, (2, 3, 0, 1), (None, None, 5, 6)),
]


def test_a_point_for_each_opponent_below_half_of_one_for_a_tie_and_none_for_who_is_thrown_out() -> None:
    found = {one.player: one for one in standings(GAMES, 4)}
    assert {player: one.points for player, one in found.items()} == {0: 5.0, 1: 6.0, 2: 4.5, 3: 1.5}
    assert {player: one.wins for player, one in found.items()} == {0: 0.25, 1: 1.25, 2: 1.25, 3: 0.25}
    assert found[3].thrown_out == (("choose: no idea", 2),)
    assert found[3].score == 4  # of the one game that it has finished
    assert (found[0].questions, found[0].seconds, found[0].longest) == (30, 0.05, 0.2)


def test_seats_do_not_break_ties() -> None:
    assert groups(GAMES[0]) == ([[2], [0, 1]], [3])
    assert groups(GAMES[2]) == ([[1], [0]], [2, 3])


def test_two_players_share_the_points_of_their_games_unless_both_were_thrown_out() -> None:
    found = duels(GAMES)
    assert found[0, 1].points + found[1, 0].points == found[0, 1].games == 3
    assert found[2, 3].points + found[3, 2].points == 2


@pytest.mark.parametrize("order", list(permutations(GAMES)))
def test_the_order_in_which_games_ended_does_not_matter(order: tuple[Record, ...]) -> None:
    assert standings(order, 4) == standings(GAMES, 4)


def test_the_best_one_is_first_and_who_has_not_played_is_there_too() -> None:
    assert [one.player for one in standings(GAMES, 4)] == [1, 0, 2, 3]
    assert {one.player: one.games for one in standings(GAMES, 5)}[4] == 0


def test_what_is_told_is_safe_for_a_terminal() -> None:
    evil = [one._replace(reasons=tuple(f"{why}\x1b[2J" for why in one.reasons)) for one in GAMES]
    told = "\n".join(lines(outcome(Terms(entrants(["silly"] * 4), 4, "\x1b", 5, 5), evil)))
    assert "\x1b" not in told
    assert "silly 4, 2 times: choose: no idea\\x1b[2J" in told
