"""The result lines that a server prints, read in the variants that are about, and compared with our own game.

One line for each player, with its id and its score, and perhaps its rank before and its name behind. Who was
thrown out has no score, and need not be listed.
"""

import json
import re
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.game import Result

LINE = re.compile(r"^\W*(?:(?:rank\W*)?\d+\W+)?player\W*(?:id\W*)?(?P<id>\d+)\b(?P<rest>.*)$", re.IGNORECASE)
SCORE = re.compile(r"\b(?:score|points)\W*?(-?\d+)\b|^\W*(\d+)\W*$", re.IGNORECASE)
LONGEST_PLAIN = 20  # characters of a name
THROWN_OUT = re.compile(r"thrown\W*out|kicked|cheat|disqualified|dropped|removed", re.IGNORECASE)
NAME = re.compile(r'\bname[\s:=]*(".*"|\S+)', re.IGNORECASE)


class ResultLine(NamedTuple):
    """One player's line: its id, its score if it has one, and its name if that is told."""

    id: int
    score: int | None
    name: str | None


def result_lines(printed: str) -> list[ResultLine]:
    """The result lines in what a server printed, in their order."""
    found = []
    for line in printed.splitlines():
        match = LINE.match(line)
        if match is not None:
            rest = match["rest"]
            score = None if THROWN_OUT.search(rest) else SCORE.search(rest)
            points = None if score is None else int(score[1] or score[2])
            found.append(ResultLine(int(match["id"]), points, _name(rest)))
    return found


def _name(rest: str) -> "str | None":
    match = NAME.search(rest)
    if match is None:
        return None
    try:
        return str(json.loads(match[1]))
    except ValueError:
        return match[1]


def wrong_results(lines: list[ResultLine], result: "Result", names: list[str], order: list[int]) -> str:
    """What is wrong with the result lines of this game, in words; empty if nothing is.

    names: by order of sign-up. order: which of them has which seat. Ids may count seats or sign-ups.
    """
    scored = [line for line in lines if line.score is not None]
    points = [line.score or 0 for line in scored]
    if points != sorted(points, reverse=True):
        return f"the scores are not in order of rank: {', '.join(map(str, points))}"
    by_seat = {number: (names[order[number - 1]], score) for number, score in result.ranking}
    by_sign_up = {order[number - 1] + 1: told for number, told in by_seat.items()}
    found = {line.id: (line.name, line.score) for line in scored}
    if len(found) == len(scored) and any(_agree(found, wanted) for wanted in (by_seat, by_sign_up)):
        return ""
    return f"the result lines say {_listed(found)}; by the rules it is {_listed(by_seat)}"


def _agree(found: "dict[int, tuple[str | None, int | None]]", wanted: dict[int, tuple[str, int]]) -> bool:
    return found.keys() == wanted.keys() and all(
        score == wanted[number][1] and (name in (None, wanted[number][0]) or not is_plain(wanted[number][0]))
        for number, (name, score) in found.items()
    )


def is_plain(name: str) -> bool:
    """Whether a name is such that everybody prints it alike."""
    return name.isascii() and name.isalpha() and len(name) <= LONGEST_PLAIN


def _listed(players: "dict[int, tuple[str, int]] | dict[int, tuple[str | None, int | None]]") -> str:
    """Players in words, the best first as they are given."""
    words = [
        f"{number}{f' ({name})' if name is not None else ''}: {score}"
        for number, (name, score) in players.items()
    ]
    return ", ".join(words) or "nothing"
