"""The schema of a line of a game's log, as `xmain --log-schema` prints it.

docs/games.md tells it in words.
"""

from evolution.traits import TRAITS
from evolution.wire.log import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Schema = dict[str, Any]

_COUNT: "Schema" = {"type": "integer", "minimum": 0}
_ID: "Schema" = {"type": "integer", "minimum": 1, "maximum": 8, "description": "a player's id"}
_TEXT: "Schema" = {"type": "string"}
_CARD: "Schema" = {
    "type": "array",
    "prefixItems": [{"type": "integer", "minimum": -8, "maximum": 8}, {"enum": sorted(TRAITS)}],
    "minItems": 2,
    "maxItems": 2,
}


def _several(items: "Schema", **more: object) -> "Schema":
    return {"type": "array", "items": items, **more}


def _tuple(*parts: "Schema") -> "Schema":
    return {"type": "array", "prefixItems": [*parts], "minItems": len(parts), "maxItems": len(parts)}


_CARDS = _several(_CARD)
_BOARDS = _several({"type": "array", "minItems": 4, "maxItems": 5}, description="a LOS")
_CHOICE: "Schema" = {
    "description": "a FeedingChoice",
    "anyOf": [{"const": False}, _COUNT, _several(_COUNT, minItems=2, maxItems=3)],
}
_ACTION = _tuple(_COUNT, *(_several(_several(_COUNT)) for _ in range(4)))
_TABLE = _tuple(_several({"type": "array"}), _COUNT, _CARDS)
_RESULT: "Schema" = {
    "type": "object",
    "required": ["ranking", "thrown out"],
    "properties": {
        "ranking": _several(_tuple(_ID, _COUNT), description="[id, score] in order of rank"),
        "thrown out": _several(_tuple(_ID, _TEXT), description="[id, reason] as they left"),
    },
    "additionalProperties": False,
}

_SCORES = _several(
    _tuple(_ID, _COUNT, _COUNT, _COUNT, _COUNT), description="[id, score, bag, populations, traits]"
)

# What stands in the line of each event besides "event": all of it, always.
EVENTS: "dict[str, dict[str, Schema]]" = {
    "game": {
        "v": {"const": VERSION, "description": "version of this schema"},
        "players": _several(_TEXT, minItems=3, maxItems=8, description="who plays, by id"),
        "seed": {"type": ["string", "null"], "description": "what shuffled the deck; null: card order"},
        "deck": _CARDS,
        "listening": _several(_ID, description="those who hear of every change"),
    },
    "turn": {"turn": {"type": "integer", "minimum": 1}, "table": _TABLE},
    "first board": {"player": _ID, "board": _COUNT},
    "draw": {"player": _ID, "cards": _CARDS},
    "choose": {"player": _ID, "action": {"anyOf": [_ACTION, {"type": "null"}]}},
    "remark": {"player": _ID, "remark": _TEXT},
    "exchange": {"player": _ID, "boards": _BOARDS, "hand": _CARDS},
    "reveal": {
        "player": _ID,
        "food": {"type": "integer", "minimum": -8, "maximum": 8},
        "before": _COUNT,
        "hole": _COUNT,
    },
    "grow": {"player": _ID, "board": _COUNT, "population": _COUNT},
    "use fat": {"player": _ID, "board": _COUNT, "tokens": _COUNT},
    "step": {"player": _ID, "hole": _COUNT, "forced": {"anyOf": [_CHOICE, {"type": "null"}]}},
    "feed": {"player": _ID, "choice": _CHOICE},
    "eat": {"player": _ID, "board": _COUNT, "why": _TEXT, "hole": _COUNT},
    "store fat": {"player": _ID, "board": _COUNT, "tokens": _COUNT, "hole": _COUNT},
    "wound": {"player": _ID, "board": _COUNT, "why": _TEXT, "population": _COUNT},
    "extinct": {"player": _ID, "board": _COUNT, "why": _TEXT},
    "out": {"player": _ID},
    "end of turn": {"player": _ID, "board": _COUNT, "starved": _COUNT, "bag": _COUNT},
    "scores": {"turn": {"type": "integer", "minimum": 1}, "scores": _SCORES},
    "deaf": {"player": _ID, "reason": _TEXT},
    "thrown out": {"player": _ID, "reason": _TEXT},
    "end": {"result": _RESULT, "scores": _SCORES},
}

SCHEMA: "Schema" = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "One line of the log of a game",
    "oneOf": [
        {
            "type": "object",
            "required": ["event", *parts],
            "properties": {"event": {"const": kind}, **parts},
            "additionalProperties": False,
        }
        for kind, parts in EVENTS.items()
    ],
}
