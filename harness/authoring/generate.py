"""Cases with the answers of the rules: random ones without end, always the same for a seed.

How the inputs are made by chance is told in `harness.inputs`; sets of cases that are chosen for what they
cover are made by `harness.authoring.cover`. The files are laid out as those in test-fixtures/.
"""

import os
from random import Random
from typing import NamedTuple

from harness.files import read_file
from harness.fixtures.dialect import GENEROUS, Dialect
from harness.fixtures.writing import ENDINGS, Taken, texts_of, write_files
from harness.inputs.random_inputs import random_input
from harness.inputs.repairs import fitted
from harness.inputs.scene import scene_of
from harness.programs.reference import reference

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.inputs.chance import Json


class Made(NamedTuple):
    """A case: its name, its input, and the right answer as JSON text, None for nothing."""

    name: str
    value: "Json"
    answer: "str | None"


def random_cases(
    program: str, seed: int, count: int, dialect: Dialect = GENEROUS, players: "range | None" = None
) -> "Iterator[Made]":
    """So many random cases of a program; those of a smaller count are the first of them.

    A program of the dialect reads them. players: how many of them there may be.
    """
    rng = Random(f"generate {program} {seed}")
    for number in range(1, count + 1):
        value = _input(program, rng, dialect, players)
        yield Made(f"seed-{seed}-{number:05}", value, reference(program, value).text)


def _input(program: str, rng: Random, dialect: Dialect, players: "range | None") -> "Json":
    """A random input of this dialect, with as many players as there may be."""
    while True:
        value = random_input(program, rng)
        if players is not None and len(scene_of(program, value).seats) not in players:
            continue
        if dialect is not GENEROUS:
            value = fitted(program, value, dialect)
        if value is not None:
            return value


def line(case: "Made") -> bytes:
    """The case as one line of JSON: an object with "in" and "out"; out is null where nothing is printed."""
    import orjson

    return b'{"in":%s,"out":%s}\n' % (orjson.dumps(case.value), (case.answer or "null").encode())


def check_free(cases: "Iterable[Made]", folder: str) -> None:
    """Raises Taken if a case would overwrite a file with other content."""
    if not os.path.isdir(folder):
        return
    there = set(os.listdir(folder))
    for case in cases:
        for ending, text in _files(case):
            path = os.path.join(folder, case.name + ending)
            if case.name + ending in there and read_file(path) != text.encode():
                raise Taken(f"{path} exists already with other content; it is not overwritten")


def write_cases(cases: "Iterable[Made]", folder: str) -> None:
    """Write the cases into a folder, but those files that are there. Raises OSError."""
    os.makedirs(folder, exist_ok=True)
    for case in cases:
        stem = os.path.join(folder, case.name)
        # What is there has the same content, if `check_free` was asked.
        missing = {ending: text for ending, text in _files(case) if not os.path.lexists(stem + ending)}
        write_files(stem, missing)


def _files(case: Made) -> "Iterable[tuple[str, str]]":
    return zip(ENDINGS, texts_of(case.value, (case.answer or "").encode()), strict=True)
