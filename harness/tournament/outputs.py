"""What is told of a tournament: in a terminal, as CSV and as JSON."""

import os
from typing import NamedTuple

from harness.files import replace_file
from harness.report.words import safe
from harness.text import cell, cut, table
from harness.tournament.schedule import Meeting, Spread, spread
from harness.tournament.standings import Duel, Standing, duels, standings
from harness.tournament.tables import log_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from harness.tournament.record import Record
    from harness.tournament.terms import Terms

SURE = 1.96  # standard errors on each side of a rating, between which it lies in 95 of 100 cases
MOST_REASONS = 3  # of each player, in a terminal
LONGEST_REASON = 160
WIDEST_MATRIX = 20  # players


class Outcome(NamedTuple):
    """All that is known of a tournament."""

    terms: "Terms"
    records: "Sequence[Record]"
    standings: list[Standing]
    duels: dict[tuple[int, int], Duel]
    spread: Spread

    def name(self, player: int) -> str:
        """The name of a player."""
        return self.terms.entrants[player].name


def outcome(terms: "Terms", records: "Sequence[Record]") -> Outcome:
    """What follows from the games of a tournament."""
    played = sorted(records)
    players = len(terms.entrants)
    shared = spread((Meeting(*record[:3]) for record in played), players, terms.size)
    return Outcome(terms, played, standings(played, players), duels(played), shared)


def facts(found: Outcome) -> list[str]:
    """What has been played, and how fairly, in two lines."""
    terms, shared = found.terms, found.spread
    return [
        f"{len(terms.entrants)} players, {len(found.records)} games, {terms.size} at a table, "
        f"decks by seed {safe(terms.seed)}",
        f"shared out: {_between(shared.games)} games each, {_between(shared.seats)} in each seat; "
        f"each pair {_between(shared.pairs)} times, each deck {_between(shared.decks)} times",
    ]


def _between(ends: tuple[int, int]) -> str:
    least, most = ends
    return str(least) if least == most else f"{least} to {most}"


HEAD = ["rank", "player", "points", "a game", "wins", "score", "rating", "thrown out", "ms", "longest", ""]


def row(found: Outcome, rank: int, one: Standing) -> list[str]:
    """A row of the standings, below HEAD."""
    return [
        str(rank),
        safe(found.name(one.player)),
        f"{one.points:g}",
        f"{one.per_game:.2f}",
        f"{one.wins:.1f}",
        f"{one.score:.1f}",
        f"{one.rating:.0f} ±{SURE * one.error:.0f}",
        str(one.times_out),
        f"{1000 * one.seconds:.1f}",
        f"{1000 * one.longest:.0f}",
        "",
    ]


def lines(found: Outcome) -> list[str]:
    """The standings, who beats whom, and who was thrown out, for a terminal."""
    rows = [row(found, rank, one) for rank, one in enumerate(found.standings, 1)]
    told = [*facts(found), "", *table([HEAD, *rows])]
    if len(rows) <= WIDEST_MATRIX:
        told += ["", "who beats whom: points of the row in 100 games with the column", *_matrix(found)]
    out = [one for one in found.standings if one.thrown_out]
    if out:
        told += ["", "thrown out:"]
    for one in out:
        for reason, count in one.thrown_out[:MOST_REASONS]:
            times = "once" if count == 1 else f"{count} times"
            told.append(f"  {safe(found.name(one.player))}, {times}: {safe(cut(reason, LONGEST_REASON))}")
        if len(one.thrown_out) > MOST_REASONS:
            rest = sum(count for _, count in one.thrown_out[MOST_REASONS:])
            told.append(f"  {safe(found.name(one.player))}, {rest} times for other reasons")
    return told


def _matrix(found: Outcome) -> list[str]:
    order = [one.player for one in found.standings]
    rows = [["", "", *(str(rank) for rank in range(1, len(order) + 1)), ""]]
    for rank, player in enumerate(order, 1):
        cells = [percent(found.duels.get((player, other))) for other in order]
        rows.append([str(rank), safe(found.name(player)), *cells, ""])
    return table(rows)


def percent(duel: "Duel | None") -> str:
    """The points of a player in 100 games with another one."""
    return "-" if duel is None else f"{100 * duel.points / duel.games:.0f}"


def as_json(found: Outcome) -> "dict[str, Any]":
    """The standings as one JSON object."""
    terms = found.terms
    return {
        "players": len(terms.entrants),
        "games": len(found.records),
        "table size": terms.size,
        "seed": terms.seed,
        "spread": {name: list(ends) for name, ends in found.spread._asdict().items()},
        "standings": [_json(found, rank, one) for rank, one in enumerate(found.standings, 1)],
    }


def _json(found: Outcome, rank: int, one: Standing) -> "dict[str, Any]":
    beaten = {
        found.name(other): {"games": duel.games, "points": duel.points}
        for (player, other), duel in sorted(found.duels.items())
        if player == one.player
    }
    return {
        "rank": rank,
        "player": found.name(one.player),
        "is": found.terms.entrants[one.player].word,
        "games": one.games,
        "points": one.points,
        "wins": round(one.wins, 6),
        "score": round(one.score, 6),
        "rating": round(one.rating, 3),
        "error": round(one.error, 3),
        "thrown out": [{"reason": reason, "times": times} for reason, times in one.thrown_out],
        "against": beaten,
        "questions": one.questions,
        "seconds": round(one.seconds, 6),
        "longest": round(one.longest, 6),
    }


def write_files(found: Outcome, folder: str) -> None:
    """Write the standings into the folder of the tournament, in all forms."""
    import json

    from harness.tournament.page import page

    replace_file(os.path.join(folder, "standings.csv"), _csv(found).encode())
    replace_file(os.path.join(folder, "standings.json"), f"{json.dumps(as_json(found), indent=1)}\n".encode())
    replace_file(os.path.join(folder, "games.csv"), _games_csv(found).encode())
    replace_file(os.path.join(folder, "index.html"), page(found, folder))


def _csv(found: Outcome) -> str:
    rows = [
        {
            "rank": rank,
            "player": cell(found.name(one.player)),
            "games": one.games,
            "points": one.points,
            "wins": round(one.wins, 6),
            "score": round(one.score, 6),
            "rating": round(one.rating, 3),
            "error": round(one.error, 3),
            "thrown_out": one.times_out,
            "questions": one.questions,
            "seconds": round(one.seconds, 6),
            "longest": round(one.longest, 6),
        }
        for rank, one in enumerate(found.standings, 1)
    ]
    return _written([list(rows[0]), *(list(row.values()) for row in rows)])


def _games_csv(found: Outcome) -> str:
    rows: list[list[object]] = [["game", "deck", "seat", "player", "score", "thrown_out", "log"]]
    for record in found.records:
        for seat, player in enumerate(record.seats):
            score = record.scores[seat]
            rows.append(
                [
                    record.number,
                    cell(found.terms.deck_seed(record.deck)),
                    seat + 1,
                    cell(found.name(player)),
                    "" if score is None else score,
                    cell(record.reasons[seat]),
                    log_name(record.number),
                ]
            )
    return _written(rows)


def _written(rows: "Sequence[Sequence[object]]") -> str:
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
