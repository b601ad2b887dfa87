"""Ratings: how strong players are, from the orders in which they finished games (Plackett–Luce).

Each player has a strength. Of those who are left, the next best of a game is each with a probability in
proportion to its strength; those who tie share the same chances (Breslow). The ratings are those that
make all games together most likely, whatever their order, found by Newton's method; the matrix that it
solves also says how uncertain they are. A weak prior keeps who always wins, or never, within reach.
"""

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import NamedTuple

Matrix = list[list[float]]
Finish = tuple[Sequence[Sequence[int]], Sequence[int]]

MEAN, SCALE = 1500.0, 400 / log(10)  # as of Elo: who is 400 ahead wins ten times of eleven
PRIOR = 3.0  # the standard deviation of strengths, on their own scale, that is taken to be likely
MOST_STEPS, NEAR = 100, 1e-10


class Rating(NamedTuple):
    """A rating, and its standard error."""

    rating: float
    error: float


def ratings(finishes: "Sequence[Finish]", players: int) -> list[Rating]:
    """The rating of each player, from all games; their mean is 1500.

    A finish is the players of a game in order of rank, those who tie together; and those who were thrown
    out, who come after all others and are not compared with each other.
    """
    strengths = [0.0] * players
    for _ in range(MOST_STEPS):
        slope, curvature = _derivatives(finishes, strengths)
        step = _product(_inverse(curvature), slope)
        longest = max(map(abs, step))
        strengths = [one + move / max(1.0, longest) for one, move in zip(strengths, step, strict=True)]
        if longest < NEAR:
            break
    spread = _inverse(_derivatives(finishes, strengths)[1])
    mean = sum(strengths) / players
    common = PRIOR**2 / players  # what nobody can know: how strong all of them are together
    return [
        Rating(MEAN + SCALE * (one - mean), SCALE * sqrt(max(0.0, spread[at][at] - common)))
        for at, one in enumerate(strengths)
    ]


def _derivatives(finishes: "Sequence[Finish]", strengths: list[float]) -> "tuple[list[float], Matrix]":
    """How the likelihood rises with each strength, and how this rise falls."""
    players = len(strengths)
    powers = [exp(one) for one in strengths]
    slope = [-one / PRIOR**2 for one in strengths]
    curvature = [[0.0] * players for _ in range(players)]
    for at in range(players):
        curvature[at][at] = 1 / PRIOR**2
    for groups, out in finishes:
        left = [*(player for group in groups for player in group), *out]
        for group in groups:
            total = sum(powers[player] for player in left)
            shares = [powers[player] / total for player in left]
            for player in group:
                slope[player] += 1
            for player, share in zip(left, shares, strict=True):
                slope[player] -= len(group) * share
                row = curvature[player]
                row[player] += len(group) * share
                for other, its in zip(left, shares, strict=True):
                    row[other] -= len(group) * share * its
            left = left[len(group) :]
    return slope, curvature


def _product(matrix: "Matrix", vector: list[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: "Matrix") -> "Matrix":
    """The inverse of a matrix that is symmetric and positive definite, by elimination."""
    size = len(matrix)
    rows = [[*row, *(float(at == column) for column in range(size))] for at, row in enumerate(matrix)]
    for at in range(size):
        pivot = rows[at][at]
        rows[at] = [value / pivot for value in rows[at]]
        for other in range(size):
            factor = rows[other][at]
            if other != at and factor:
                rows[other] = [a - factor * b for a, b in zip(rows[other], rows[at], strict=True)]
    return [row[size:] for row in rows]
