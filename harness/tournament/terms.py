"""What makes a tournament the one that it is: who plays, at tables of which size, with which decks."""

import os
from collections.abc import Sequence
from hashlib import sha256
from typing import NamedTuple

from evolution.game import FEWEST_PLAYERS
from harness.errors import WrongUse, did_you_mean
from harness.files import read_file
from harness.fixtures.executables import executable, subject
from harness.games.play import COMMAND, HUMAN, SILLY, described_player

CLIENT = "tcp:"  # before the name under which a client signs up
LONGEST_NAME = 40


class Entrant(NamedTuple):
    """A player of the tournament: its name, and the word that describes it, as for xmain."""

    name: str
    word: str

    @property
    def signs_up(self) -> bool:
        """Whether it is a client that signs up."""
        return self.word.startswith(CLIENT)

    @property
    def file(self) -> str:
        """The file that it is made of; empty if it is made of none."""
        if self.signs_up or self.word == SILLY:
            return ""
        if self.word.startswith(COMMAND):
            return subject(executable(self.word.removeprefix(COMMAND)))
        return described_player(self.word)[1]

    def fingerprint(self) -> str:
        """What tells its file from one that has been changed."""
        return sha256(read_file(self.file)).hexdigest()[:16] if os.path.isfile(self.file) else ""


class Terms(NamedTuple):
    """The terms of a tournament."""

    entrants: tuple[Entrant, ...]
    size: int  # of a table
    seed: str
    timeout: float  # seconds for each answer
    wait: float  # seconds for a client to sign up
    pages: bool = False  # whether each game is written as a page, too

    def deck_seed(self, deck: int) -> str:
        """The seed of a deck, as xmain takes it."""
        return f"{self.seed}.{deck}"

    def identity(self) -> dict[str, object]:
        """What must be the same if a tournament goes on."""
        return {
            "players": [entrant.word for entrant in self.entrants],
            "names": [entrant.name for entrant in self.entrants],
            "files": [entrant.fingerprint() for entrant in self.entrants],
            "table size": self.size,
            "seed": self.seed,
            "timeout": self.timeout,
        }


def entrants(words: "Sequence[str]") -> tuple[Entrant, ...]:
    """The players that these words describe, each with a name of its own. Raises WrongUse.

    A word may begin with a name and an equals sign; otherwise a player is called after its class, its
    command, or the name under which it signs up.
    """
    found: list[Entrant] = []
    taken: set[str] = set()
    for word in words:
        name, described = _named(word)
        if described.startswith(CLIENT) and name in taken:
            raise WrongUse(f"{word}: {name} is named twice; each client needs a name of its own")
        unique, number = name, 1
        while unique in taken:
            number += 1
            unique = f"{name} {number}"
        taken.add(unique)
        found.append(Entrant(unique, described))
    if len(found) < FEWEST_PLAYERS:
        raise WrongUse(
            f"a tournament needs {FEWEST_PLAYERS} players or more, not {len(found)}; "
            "silly can come several times"
        )
    return tuple(found)


def _named(word: str) -> tuple[str, str]:
    """A player's name, and what it is."""
    name, equals, described = word.partition("=")
    if not equals or ":" in name or os.sep in name:
        name, described = "", word
    if described.startswith(CLIENT):
        client = described.removeprefix(CLIENT)
        if not client or name not in ("", client):
            raise WrongUse(f"{word}: expected {CLIENT}NAME, with the name under which the client signs up")
        name = client
    elif described == HUMAN:
        raise WrongUse(f"{word}: a person cannot play a tournament; xmain --players human plays a game")
    elif described.startswith(COMMAND):
        line = described.removeprefix(COMMAND)
        if not line.strip():
            raise WrongUse(f"{word}: expected {COMMAND}COMMAND, with a command line")
        name = name or os.path.basename(subject(executable(line)))
    elif described != SILLY:
        try:
            name = name or described_player(described)[2]
        except WrongUse as problem:
            kinds = (SILLY, COMMAND, CLIENT)
            raise WrongUse(f"{problem}, nor {CLIENT}NAME{did_you_mean(described, kinds)}") from None
    name = name or described
    if not name.isprintable() or len(name) > LONGEST_NAME:
        raise WrongUse(f"{word!r}: a name is up to {LONGEST_NAME} characters that can be printed")
    return name, described
