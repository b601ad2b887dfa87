"""The library of misreadings: wrong implementations of the rules, each right but for one thing.

A fixture directory is as good as the misreadings that it catches (`harness.chaff.scoring`), and a program
that answers like one of them has most likely misread that rule. Each is a small patch of one engine
function; the engine itself knows nothing of them.
"""

from functools import cache

from harness.chaff.planting import Chaff, answer, planted, right_answer, same_answer, shows

__all__ = ["LIBRARY", "Chaff", "answer", "planted", "right_answer", "same_answer", "shows", "smallest_cases"]

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def _library() -> dict[str, Chaff]:
    from harness.chaff import (
        attacks,
        choosing,
        details,
        eating,
        exchanges,
        interplay,
        losses,
        oversights,
        places,
        slips,
        turns,
        writing,
    )

    parts = (
        attacks,
        interplay,
        eating,
        turns,
        exchanges,
        choosing,
        places,
        details,
        slips,
        oversights,
        losses,
        writing,
    )
    return {chaff.name: chaff for part in parts for chaff in part.MISREADINGS}


LIBRARY = _library()


@cache
def smallest_cases() -> "dict[str, dict[str, Any]]":
    """For each misreading, and each program that can show it, a smallest input in which it shows.

    They are read once, so nobody may change them.
    """
    import json
    from importlib.resources import files

    found: dict[str, dict[str, Any]] = json.loads(files(__name__).joinpath("cases.json").read_bytes())
    return found
