"""Who meets whom at which table, in which seats and with which deck.

Games come in rounds of as many as there are players. In a round everybody plays the same deck once from
each seat: the players stand in a circle, and the seats of the first table are moved on by one for the next.
So seats and decks are shared out evenly, and how often a pair meets depends only on how far apart they
stand; each round takes the seats that make up best for what the rounds before it left uneven.

The games of a round are ordered so that it can be broken off anywhere with little harm, and a shorter
tournament is the beginning of a longer one.
"""

from collections.abc import Iterable, Iterator
from random import Random
from typing import NamedTuple

CANDIDATES = 100  # seats that are tried for a round


class Meeting(NamedTuple):
    """One game that is to be played: its number, from 1, its deck, and the players in turn order."""

    number: int
    deck: int
    seats: tuple[int, ...]


def meetings(players: int, size: int, seed: str) -> "Iterator[Meeting]":
    """All games of so many players at tables of this size, without end; the same for the same seed."""
    random = Random(f"tournament {seed}".encode(errors="surrogatepass"))
    circle = _drawn(random, players, players)
    met = [0] * players  # how often those meet who stand so far apart
    number = deck = 0
    while True:
        deck += 1
        tried = [_drawn(random, players, size) for _ in range(CANDIDATES)]
        first = min(tried, key=lambda seats: _unevenness(met, seats))
        for apart in _distances(first, players):
            met[apart] += 1
        for step in _in_order(first, players):
            number += 1
            yield Meeting(number, deck, tuple(circle[(seat + step) % players] for seat in first))


def _drawn(random: Random, most: int, count: int) -> list[int]:
    """So many different numbers below `most`, in an order that is the same with every version of Python."""
    left = list(range(most))
    return [left.pop(int(random.random() * len(left))) for _ in range(count)]


def _distances(seats: list[int], players: int) -> "Iterator[int]":
    """How far apart those stand who sit at one table, counted from each to each."""
    for one in seats:
        for other in seats:
            if other != one:
                yield (other - one) % players


def _unevenness(met: list[int], seats: list[int]) -> int:
    """How uneven the meetings are after a round with these seats: less is better."""
    after = met[1:]
    for apart in _distances(seats, len(met)):
        after[apart - 1] += 1
    return sum(count * count for count in after)


def _in_order(first: list[int], players: int) -> "Iterator[int]":
    """The steps of a round, so that at any time all have played about equally often."""
    played = [0] * players
    left = list(range(players))
    while left:
        step = min(left, key=lambda step: sum(2 * played[(seat + step) % players] + 1 for seat in first))
        left.remove(step)
        for seat in first:
            played[(seat + step) % players] += 1
        yield step


class Spread(NamedTuple):
    """How evenly games are shared out: the least and the most of each."""

    games: tuple[int, int]  # of a player
    seats: tuple[int, int]  # of a player in one seat
    pairs: tuple[int, int]  # of two players
    decks: tuple[int, int]  # of a player with one deck


def spread(played: "Iterable[Meeting]", players: int, size: int) -> Spread:
    """How evenly these games are shared out among so many players."""
    games, seats = [0] * players, [0] * (players * size)
    pairs: dict[tuple[int, int], int] = {(a, b): 0 for a in range(players) for b in range(a)}
    decks: dict[int, list[int]] = {}
    for meeting in played:
        with_deck = decks.setdefault(meeting.deck, [0] * players)
        for seat, player in enumerate(meeting.seats):
            games[player] += 1
            seats[player * size + seat] += 1
            with_deck[player] += 1
            for other in meeting.seats:
                if other < player:
                    pairs[player, other] += 1
    return Spread(
        _range(games),
        _range(seats),
        _range(pairs.values()),
        _range([count for counts in decks.values() for count in counts]),
    )


def _range(counts: "Iterable[int]") -> tuple[int, int]:
    found = list(counts) or [0]
    return min(found), max(found)
