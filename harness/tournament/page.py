"""The page of a tournament: standings, plots, who beats whom, and every game with its log."""

import io
import os
from typing import NamedTuple

from harness.report.page import write_page
from harness.tournament.outputs import HEAD, SURE, Outcome, facts, percent, row
from harness.tournament.record import Record
from harness.tournament.standings import points
from harness.tournament.tables import log_name, page_name

WIDE, HIGH = 640, 24  # of a plot, and of a row of it
PLOT = 240  # the height of the plot with lines
MARGIN = 40
STEPS = 100  # points of a line, at most
TEXT = 14  # the height of a line of text
COLOURS = 12  # that lines have, one after the other


class Dot(NamedTuple):
    """A rating in the plot: where it lies, and between what."""

    name: str
    rating: float
    low: float
    high: float
    y: float


class Line(NamedTuple):
    """The points a game of a player as the tournament went on."""

    name: str
    colour: int
    path: str
    y: float  # of its label


def page(found: Outcome, folder: str) -> bytes:
    """The page, complete in one file; the games that it leads to are in the same folder."""
    file = io.BytesIO()
    dots, marks = _dots(found)
    lines = _lines(found)
    write_page(
        file,
        "tournament",
        ["base", "tournament"],
        facts=facts(found),
        head=HEAD[:-1],
        rows=[row(found, rank, one)[:-1] for rank, one in enumerate(found.standings, 1)],
        dots=dots,
        marks=marks,
        wide=WIDE,
        high=HIGH * (len(dots) + 1),
        lines=lines,
        bottom=PLOT,
        lines_high=max(PLOT, *(line.y + TEXT for line in lines)),
        most=found.terms.size - 1,
        matrix=_matrix(found),
        out=[(found.name(one.player), one.thrown_out) for one in found.standings if one.thrown_out],
        games=(_game(found, record, folder) for record in found.records),
    )
    return file.getvalue()


def _dots(found: Outcome) -> tuple[list[Dot], list[tuple[float, int]]]:
    """The ratings in the plot, and the marks of its scale."""
    order = sorted(found.standings, key=lambda one: -one.rating)
    low = min(one.rating - SURE * one.error for one in order)
    high = max(one.rating + SURE * one.error for one in order)
    scale = (WIDE - 2 * MARGIN) / max(1.0, high - low)

    def across(rating: float) -> float:
        return round(MARGIN + (rating - low) * scale, 1)

    dots = [
        Dot(
            found.name(one.player),
            across(one.rating),
            across(one.rating - SURE * one.error),
            across(one.rating + SURE * one.error),
            HIGH * (at + 0.5),
        )
        for at, one in enumerate(order)
    ]
    step = next(step for step in (25, 50, 100, 200, 500, 1000, 10**9) if (high - low) / step <= 8)
    first = int(low // step + 1) * step
    return dots, [(across(mark), mark) for mark in range(first, int(high) + 1, step)]


def _lines(found: Outcome) -> list[Line]:
    """The points a game of each player, from the first games to all of them."""
    players = len(found.terms.entrants)
    got, played = [0.0] * players, [0] * players
    paths: list[list[str]] = [[] for _ in range(players)]
    ends = [0.0] * players
    often = max(1, len(found.records) // STEPS)
    most = found.terms.size - 1
    for at, record in enumerate(found.records, 1):
        for (player, _), point in points(record).items():
            got[player] += point
        for player in record.seats:
            played[player] += 1
        if at % often == 0 or at == len(found.records):
            x = MARGIN + (WIDE - 2 * MARGIN) * at / len(found.records)
            for player in range(players):
                if played[player]:
                    ends[player] = round(PLOT - 10 - (PLOT - 20) * got[player] / played[player] / most, 1)
                    paths[player].append(f"{x:.1f},{ends[player]:.1f}")
    labels = _apart(ends)
    return [
        Line(found.name(one.player), at % COLOURS, " ".join(paths[one.player]), labels[one.player])
        for at, one in enumerate(found.standings)
    ]


def _apart(heights: list[float]) -> list[float]:
    """The heights, moved down where needed so that a line of text fits between any two."""
    moved = heights[:]
    last = -float(TEXT)
    for at in sorted(range(len(heights)), key=lambda at: heights[at]):
        last = moved[at] = max(heights[at], last + TEXT)
    return moved


def _matrix(found: Outcome) -> list[tuple[str, list[tuple[str, int]]]]:
    """Who beats whom: for each player the percentages, each with one of ten shades."""
    order = [one.player for one in found.standings]
    rows = []
    for player in order:
        cells = []
        for other in order:
            duel = found.duels.get((player, other))
            shade = -1 if duel is None else min(9, int(10 * duel.points / duel.games))
            cells.append((percent(duel), shade))
        rows.append((found.name(player), cells))
    return rows


def _game(found: Outcome, record: "Record", folder: str) -> tuple[int, str, str, list[tuple[str, str, str]]]:
    """A game: its number, the seed of its deck, where it can be looked at, and who played it how."""
    seats = [
        (found.name(player), "out" if score is None else str(score), reason)
        for player, score, reason in zip(record.seats, record.scores, record.reasons, strict=True)
    ]
    return record.number, found.terms.deck_seed(record.deck), _link(record.number, folder), seats


def _link(number: int, folder: str) -> str:
    """Where a game can be looked at: on its page if there is one, or else in its log."""
    has_page = os.path.exists(os.path.join(folder, page_name(number)))
    return (page_name if has_page else log_name)(number).replace(os.sep, "/")
