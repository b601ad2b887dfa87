"""Ratings: what follows from the orders in which games ended."""

from itertools import permutations
from math import exp, log
from random import Random

import pytest

from harness.tournament.rating import PRIOR, SCALE, ratings

STRENGTHS = [1.0, 0.5, 0.0, -0.5, -1.0]

Finish = tuple[list[list[int]], list[int]]


def drawn(random: Random, table: list[int]) -> Finish:
    """A finish as the model says that it comes about."""
    left, order = table[:], []
    while left:
        winner = random.choices(left, [exp(STRENGTHS[player]) for player in left])[0]
        order.append([winner])
        left.remove(winner)
    return order, []


def test_ratings_find_the_strengths_that_games_were_drawn_from_as_nearly_as_they_say() -> None:
    random = Random(1)
    finishes = [drawn(random, random.sample(range(5), 3)) for _ in range(800)]
    found = ratings(finishes, 5)
    for strength, (rating, error) in zip(STRENGTHS, found, strict=True):
        assert abs(rating - 1500 - SCALE * strength) < 3 * error
        assert 5 < error < 20
    assert sum(rating for rating, _ in found) == pytest.approx(7500)


def test_two_players_are_as_far_apart_as_their_wins_say() -> None:
    """Ten wins of eleven are 400 points, and the error is that of a proportion; the prior pulls a little."""
    won, lost = ratings([([[0], [1]], [])] * 1000 + [([[1], [0]], [])] * 100, 2)
    assert won.rating - lost.rating == pytest.approx(400, abs=1)
    share, games = 10 / 11, 1100
    of_difference = SCALE / (share * (1 - share) * games) ** 0.5
    assert [won.error, lost.error] == pytest.approx([of_difference / 2] * 2, rel=0.01)


def test_the_order_of_the_games_does_not_matter() -> None:
    random = Random(2)
    finishes = [drawn(random, random.sample(range(5), 4)) for _ in range(50)]
    here = ratings(finishes, 5)
    there = ratings(finishes[::-1], 5)
    assert [one.rating for one in here] == pytest.approx([one.rating for one in there])
    assert ratings(finishes, 5) == here


def test_ratings_are_where_the_likelihood_is_greatest() -> None:
    finishes: list[Finish] = [([[0], [1], [2]], []), ([[2, 0]], [1]), ([[1], [0, 2]], []), ([], [0, 1])]

    def likelihood(strengths: list[float]) -> float:
        found = -sum(one * one for one in strengths) / (2 * PRIOR**2)
        for groups, out in finishes:
            left = [player for group in groups for player in group] + out
            for group in groups:
                for player in group:
                    found += strengths[player] - log(sum(exp(strengths[one]) for one in left))
                left = [player for player in left if player not in group]
        return found

    best = [(rating - 1500) / SCALE for rating, _ in ratings(finishes, 3)]
    for moves in permutations([0.01, -0.01, 0.0]):
        assert likelihood([one + move for one, move in zip(best, moves, strict=True)]) < likelihood(best)


def test_who_always_loses_or_is_always_thrown_out_has_a_rating_all_the_same() -> None:
    best, middle, worst = ratings([([[0], [1]], [2])] * 500, 3)
    assert 3000 > best.rating > middle.rating > worst.rating > 0
    assert worst.error > 100  # nobody knows how bad it is


def test_those_who_tie_or_are_thrown_out_together_are_equal() -> None:
    assert len({round(one.rating, 6) for one in ratings([([[0, 1, 2]], [])] * 9, 3)}) == 1
    assert len({round(one.rating, 6) for one in ratings([([], [0, 1, 2])] * 9, 3)}) == 1
