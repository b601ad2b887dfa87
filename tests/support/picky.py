"""A program that reads only some forms, for tests of dialects, and inputs for it."""

from pathlib import Path
from typing import Any

from tests.support.helpers import BIN, Json

# Reads unlabelled growth only, and no State; it keeps what it was sent last.
PICKY = """\
#!/bin/sh
value=$(cat)
printf '%s\\n' "$value" > "LAST"
if printf '%s' "$value" | grep -q '"\\(population\\|body\\)",[0-9]*,'; then exit 0; fi
case "$value" in '[[['*) printf '%s' "$value" | "PROGRAM" ;; esac
"""
WORM = [["food", 0], ["body", 0], ["population", 2], ["traits", []]]
STATE = [0, [WORM, WORM], [], 2, [[WORM]]]  # of two players, which xfeed answers with 0


def write_picky(folder: Path, name: str, last: Path) -> Path:
    """Write such a program, which is right in what it reads; what it was sent last is in that file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(PICKY.replace("PROGRAM", str(BIN / name)).replace("LAST", str(last)))
    path.chmod(0o755)
    return path


def grown(label: bool) -> Json:
    """An input of xstep4 in which a board of the first player grows."""
    hands = [[[0, trait], [1, trait], [2, trait]] for trait in ("horns", "ambush", "herding")]
    players = [
        [["id", at], ["species", [WORM]], ["bag", 0], ["cards", hand]] for at, hand in enumerate(hands, 1)
    ]
    growth = ["population", 0, 1] if label else [0, 1]
    nothing: Any = [0, [], [], [], []]
    return [[players, 1, []], [[0, [growth], [], [], []], nothing, nothing]]
