"""The smallest input on which something is still so.

From a well-formed input and a question about it, such as "does this program differ here?", to a small
well-formed input with the same answer. Large parts are tried first, half of the players at once, then
ever smaller ones, until nothing that is left can be taken away or made simpler, alone or in pairs.
The same input and the same answers give the same result.
"""

import time
from functools import partial
from itertools import combinations, islice

from harness.fixtures.layout import compact
from harness.inputs.kinds import is_well_formed
from harness.inputs.reductions import (
    changed_numbers,
    decreased,
    less_of_actions,
    merged,
    moved,
    simpler_boards,
    simpler_cards,
    simpler_numbers,
    size,
    tidied,
)
from harness.inputs.scene import Scene, items, scene_of, value_of, without

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from harness.inputs.reductions import Size
    from harness.inputs.scene import Item

    Candidates = Callable[[Scene], Iterator["Scene | None"]]

MOST_QUESTIONS = 2000  # that are asked about one input; a program that is started for each takes its time
SMALL_ENOUGH = 40  # items of a scene of which pairs are tried


def shrink(
    program: str, value: "Any", differs: "Callable[[Any], bool]", budget: "float | None" = None
) -> "Any":
    """A smallest well-formed input of the program, made from this one, for which `differs` holds.

    It holds for the value itself, and it is asked about well-formed inputs only. After `budget` seconds,
    or after 2,000 questions, the smallest found so far has to do.
    """
    search = Search(program, value, lambda values: [differs(one) for one in values], budget)
    search.run()
    return value_of(search.best)


class Search:
    """One way down: the best scene so far, and what has been asked.

    `differs` is asked about so many inputs at once as `ahead` says, in one list, and answers with one; the
    first input in the list that differs is taken. However many are asked at once, the result is the same.
    """

    def __init__(
        self,
        program: str,
        value: "Any",
        differs: "Callable[[list[Any]], list[bool]]",
        budget: "float | None" = None,
        ahead: int = 1,
    ) -> None:
        self.best = scene_of(program, value)
        self.questions = 0
        self.complete = True  # whether it ended by itself, not because time or questions ran out
        self._program = program
        self._differs = differs
        self._ahead = ahead
        self._deadline = None if budget is None else time.monotonic() + budget
        self._size: Size = size(self.best)
        self._asked: set[str] = set()
        self._known: dict[str, bool] = {}  # answers that have not been needed yet

    def run(self) -> None:
        """Go down until there is no way on."""
        try:
            while self._coarse() or any(self._sweep(candidates) for candidates in PASSES):
                pass
        except _Enough:
            self.complete = False

    def _coarse(self) -> bool:
        """Leave out much at once: all items of a kind, then halves, quarters and so on of them."""
        before = self._size
        for kinds in (("seat",), ("board",), ("exchange",), ("card", "deck"), ("trait",)):
            length = len(self._of(kinds))
            while length:
                self._down(partial(_less_of_kinds, kinds, length), 0)
                length //= 2
        return self._size < before

    def _of(self, kinds: tuple[str, ...]) -> "list[Item]":
        return [item for item in items(self.best) if item[0] in kinds]

    def _sweep(self, candidates: "Candidates") -> bool:
        """Take what can be taken of these candidates, until none of them can; whether one could."""
        before = self._size
        while self._down(candidates, 0):
            pass
        return self._size < before

    def _down(self, candidates: "Candidates", at: int) -> bool:
        """Go through the candidates once, each time on from where one was taken; whether one was late.

        If none was taken behind the first place, another time would find nothing new.
        """
        found = self._take_first(candidates, at)
        while found is not None:
            at = found
            found = self._take_first(candidates, at)
        return at > 0

    def _take_first(self, candidates: "Candidates", at: int) -> "int | None":
        """Go on with the first candidate, from this place on, that still differs; its place."""
        eligible = self._eligible(candidates, at)
        while chunk := list(islice(eligible, self._ahead)):
            new = [(text, value) for _, _, value, text in chunk if text not in self._known]
            if self.questions >= MOST_QUESTIONS or (self._deadline and time.monotonic() > self._deadline):
                raise _Enough
            if new:
                answers = self._differs([value for _, value in new])
                self._known.update(zip((text for text, _ in new), answers, strict=True))
            for place, candidate, _, text in chunk:
                self._asked.add(text)
                self.questions += 1
                if self._known.pop(text):
                    self.best, self._size = candidate, size(candidate)
                    return place
        return None

    def _eligible(self, candidates: "Candidates", at: int) -> "Iterator[tuple[int, Scene, Any, str]]":
        """The candidates from this place on that are smaller, well-formed and have not been asked about."""
        met: set[str] = set()
        for place, candidate in enumerate(islice(candidates(self.best), at, None), at):
            if candidate is None or size(candidate) >= self._size:
                continue
            value = value_of(candidate)
            text = compact(value)
            if text not in self._asked and text not in met and is_well_formed(self._program, value):
                met.add(text)
                yield place, candidate, value, text


def _less_of_kinds(kinds: tuple[str, ...], length: int, scene: Scene) -> "Iterator[Scene | None]":
    """The scene without so many items of these kinds, one stretch of them after the other."""
    found = [item for item in items(scene) if item[0] in kinds]
    for at in range(0, len(found), length):
        yield without(scene, found[at : at + length])


class _Enough(Exception):
    """Time or questions have run out."""


def smaller(program: str, value: "Any") -> "Iterator[Any]":
    """Every well-formed input that shrinking would try in place of this one, if it cannot do without more."""
    scene = scene_of(program, value)
    own_size = size(scene)
    for candidates in PASSES:
        for candidate in candidates(scene):
            if candidate is not None and size(candidate) < own_size:
                found = value_of(candidate)
                if is_well_formed(program, found):
                    yield found


def case_size(program: str, value: "Any") -> "Size":
    """How large an input is; of two inputs the smaller one has the smaller size."""
    return size(scene_of(program, value))


# What is tried in place of a scene, and in which order


def one_less(scene: Scene) -> "Iterator[Scene | None]":
    """The scene without one of its items."""
    for item in items(scene):
        yield without(scene, [item])


def two_less(scene: Scene) -> "Iterator[Scene | None]":
    """The scene without two of its items, if it is small already."""
    found = items(scene)
    if len(found) <= SMALL_ENOUGH:
        for pair in combinations(found, 2):
            yield without(scene, pair)


def one_less_and_one_changed(scene: Scene) -> "Iterator[Scene | None]":
    """The scene without one of its items and with one number changed by one."""
    found = items(scene)
    if len(found) <= SMALL_ENOUGH:
        for item in found:
            less = without(scene, [item])
            if less is not None:
                yield from changed_numbers(less)


def two_decreased(scene: Scene) -> "Iterator[Scene | None]":
    """The scene with two numbers, or one number twice, decreased."""
    for once in decreased(scene):
        yield from decreased(once)


def one_moved_and_one_less(scene: Scene) -> "Iterator[Scene | None]":
    """The scene with a board in another row, and without one of its items."""
    if len(items(scene)) <= SMALL_ENOUGH:
        for other in moved(scene):
            yield from one_less(other)


PASSES: "list[Candidates]" = [
    tidied,
    one_less,
    less_of_actions,
    simpler_boards,
    simpler_cards,
    simpler_numbers,
    merged,
    two_decreased,
    two_less,
    one_less_and_one_changed,
    one_moved_and_one_less,
]
