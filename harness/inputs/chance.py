"""Decisions by chance that are the same on every machine and in every version of Python.

Only `random.Random.random` is used: what its other methods make of a seed may change one day.
"""

from random import Random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeVar

    T = TypeVar("T")
    Json = Any  # a JSON value as a parser gives it


def chance(rng: Random, probability: float) -> bool:
    """True that often."""
    return rng.random() < probability


def below(rng: Random, limit: int) -> int:
    """A number from 0 to limit - 1."""
    return int(rng.random() * limit)


def between(rng: Random, low: int, high: int) -> int:
    """A number from low to high, both included."""
    return low + int(rng.random() * (high - low + 1))


def pick(rng: Random, choices: "Sequence[T]") -> "T":
    """One of the choices, all alike likely."""
    return choices[int(rng.random() * len(choices))]


def shuffle(rng: Random, things: "list[Any]") -> None:
    """Bring the things into any order."""
    for last in range(len(things) - 1, 0, -1):
        other = int(rng.random() * (last + 1))
        things[last], things[other] = things[other], things[last]
