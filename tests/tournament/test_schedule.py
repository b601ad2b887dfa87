"""The schedule of a tournament: who meets whom, in which seats, with which decks."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.tournament.schedule import Meeting, Spread, meetings, spread

SIZES = st.integers(3, 20).flatmap(
    lambda players: st.tuples(st.just(players), st.integers(3, min(8, players)))
)


def first(count: int, players: int, size: int, seed: str = "0") -> list[Meeting]:
    return list(islice(meetings(players, size, seed), count))


@given(SIZES, st.integers(1, 6), st.text())
def test_whole_rounds_share_games_seats_and_decks_out_evenly(
    sizes: tuple[int, int], rounds: int, seed: str
) -> None:
    players, size = sizes
    found = spread(first(rounds * players, players, size, seed), players, size)
    assert found.games == (rounds * size, rounds * size)
    assert found.seats == (rounds, rounds)
    assert found.decks == (size, size)


@given(SIZES, st.integers(1, 200), st.text())
def test_a_tournament_can_be_broken_off_anywhere(sizes: tuple[int, int], count: int, seed: str) -> None:
    players, size = sizes
    found = spread(first(count, players, size, seed), players, size)
    assert found.games[1] - found.games[0] <= size
    assert found.seats[1] - found.seats[0] <= 1


@pytest.mark.parametrize(("players", "size"), [(4, 3), (7, 4), (12, 4), (12, 8), (20, 5)])
def test_pairs_meet_equally_often_or_nearly(players: int, size: int) -> None:
    least, most = spread(first(40 * players, players, size), players, size).pairs
    assert most - least <= 2


@given(SIZES, st.text())
def test_nobody_sits_at_a_table_twice_and_games_are_numbered(sizes: tuple[int, int], seed: str) -> None:
    players, size = sizes
    played = first(3 * players, players, size, seed)
    assert [meeting.number for meeting in played] == list(range(1, 3 * players + 1))
    assert all(len(set(meeting.seats)) == size for meeting in played)


def test_a_shorter_tournament_is_the_beginning_of_a_longer_one_and_a_seed_makes_another() -> None:
    assert first(100, 9, 4)[:30] == first(30, 9, 4)
    assert first(30, 9, 4) != first(30, 9, 4, "1")


def test_the_spread_is_counted_from_the_games() -> None:
    played = [Meeting(1, 1, (0, 1, 2)), Meeting(2, 1, (1, 0, 2)), Meeting(3, 2, (1, 2, 3))]
    assert spread(played, 4, 3) == Spread((1, 3), (0, 2), (0, 3), (0, 2))
    assert spread([], 3, 3) == Spread((0, 0), (0, 0), (0, 0), (0, 0))
