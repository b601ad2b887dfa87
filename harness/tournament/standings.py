"""The standings of a tournament, computed from all of its games and nothing else.

For each opponent that a player finishes above there is a point, for a tie half of one. Whoever is thrown
out finishes below all who are not, and gets nothing.
"""

from collections import Counter
from typing import NamedTuple

from harness.tournament.rating import ratings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from harness.tournament.record import Record


class Standing(NamedTuple):
    """How one player has fared."""

    player: int
    games: int
    points: float
    wins: float  # games in which nobody finished above it; who ties shares the game
    score: float  # of the game, on average, where it was not thrown out
    rating: float
    error: float  # the standard error of the rating
    thrown_out: "tuple[tuple[str, int], ...]"  # why, and how often, the most frequent reason first
    questions: int
    seconds: float  # for an answer, on average
    longest: float  # for one answer

    @property
    def per_game(self) -> float:
        """Points a game."""
        return self.points / self.games if self.games else 0.0

    @property
    def times_out(self) -> int:
        """How often it was thrown out."""
        return sum(count for _, count in self.thrown_out)


class Duel(NamedTuple):
    """How two players have fared against each other: in so many games one of them has so many points."""

    games: int
    points: float


def groups(record: "Record") -> tuple[list[list[int]], list[int]]:
    """The players of a game in order of rank, those with equal scores together; and those thrown out."""
    by_score: dict[int, list[int]] = {}
    out = []
    for player, score in zip(record.seats, record.scores, strict=True):
        if score is None:
            out.append(player)
        else:
            by_score.setdefault(score, []).append(player)
    return [by_score[score] for score in sorted(by_score, reverse=True)], out


def points(record: "Record") -> dict[tuple[int, int], float]:
    """What each player of a game has got for each other one."""
    scores = dict(zip(record.seats, record.scores, strict=True))
    return {
        (player, other): _point(mine, theirs)
        for player, mine in scores.items()
        for other, theirs in scores.items()
        if player != other
    }


def _point(mine: "int | None", theirs: "int | None") -> float:
    if mine is None or theirs is None:
        return 0.0 if mine is None else 1.0
    return 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0


def duels(records: "Iterable[Record]") -> dict[tuple[int, int], Duel]:
    """Who beats whom: for each ordered pair that has met, the games, and the points of the first one."""
    found: dict[tuple[int, int], Duel] = {}
    for record in records:
        for pair, got in points(record).items():
            games, so_far = found.get(pair, (0, 0.0))
            found[pair] = Duel(games + 1, so_far + got)
    return found


def standings(records: "Sequence[Record]", players: int) -> list[Standing]:
    """All players, the best one first: by points a game, then by rating."""
    in_order = sorted(records)
    finishes = [groups(record) for record in in_order]
    rated = ratings(finishes, players)
    got = [0.0] * players
    for (player, _), duel in duels(in_order).items():
        got[player] += duel.points
    found = [
        _standing(player, in_order, got[player])._replace(**rated[player]._asdict())
        for player in range(players)
    ]
    return sorted(found, key=lambda one: (-one.per_game, -one.rating, one.player))


def _standing(player: int, records: "Sequence[Record]", got: float) -> Standing:
    """The standing of a player, but for its rating."""
    scores: list[int] = []
    why: Counter[str] = Counter()
    games = questions = 0
    seconds = longest = wins = 0.0
    for record in records:
        if player not in record.seats:
            continue
        seat = record.seats.index(player)
        score = record.scores[seat]
        games += 1
        questions += record.questions[seat]
        seconds += record.seconds[seat]
        longest = max(longest, record.longest[seat])
        if score is None:
            why[record.reasons[seat]] += 1
            continue
        scores.append(score)
        best, *_ = groups(record)[0]
        if player in best:
            wins += 1 / len(best)
    reasons = sorted(why.items(), key=lambda item: (-item[1], item[0]))
    mean = sum(scores) / len(scores) if scores else 0.0
    time = seconds / questions if questions else 0.0
    return Standing(player, games, got, wins, mean, 0.0, 0.0, tuple(reasons), questions, time, longest)
