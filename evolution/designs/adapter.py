"""What the adapters share: a native player that asks a player of another design in that one's own words.

An adapter keeps a picture of the table, asks one request after the other, and turns the answers into
those of a native player. What is wrong with an answer is said with the name of the request.
"""

from contextlib import contextmanager

from evolution.attack import targets
from evolution.choices import DECLINE, FeedingChoice, State
from evolution.designs.draft import Forbidden
from evolution.designs.sight import Sight
from evolution.feeding import IllegalChoice
from evolution.game import words_of
from evolution.player import Start, View
from evolution.silly import without_attack
from evolution.species import hungry, is_carnivore, size
from evolution.wire.errors import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

PLAIN = (bool, float, int, str)
MOST_BITS = 4096  # of a number in an answer


class WrongAnswer(Exception):
    """A request that was not answered as it must be; str() names it and says why."""

    def __init__(self, request: str, why: object) -> None:
        super().__init__(f"{request}: {why}")


class Adapter:
    """The half of a native player that is the same for every design."""

    def __init__(self, player: "Any", sight: "Sight | None" = None) -> None:
        """An object of somebody's class."""
        self.sight = Sight() if sight is None else sight
        self.asking: Callable[[str], None] | None = None  # is told of each request before it is made
        self.remarks: list[str] = []  # what the log should say beside the answer
        self._player = player

    def changed(self, view: View) -> None:
        """Something has changed on the table."""
        self.sight.changed(view)

    def start(self, view: Start) -> None:
        """A turn begins."""
        self.sight.start(view)

    def take_remarks(self) -> list[str]:
        """What the log should say beside the last answer."""
        taken, self.remarks = self.remarks, []
        return taken

    def ask(self, request: str, *arguments: object) -> object:
        """What the player answers to a request of its interface, made of plain values. Raises WrongAnswer."""
        answer = self.tell(request, *arguments)
        try:
            return plain(answer)
        except NotPlain as problem:
            raise WrongAnswer(request, problem) from None

    def tell(self, request: str, *arguments: object) -> object:
        """Make a request of its interface; whatever comes back is not looked at. Raises WrongAnswer."""
        if self.asking is not None:
            self.asking(request)
        method = getattr(self._player, request, None)
        if not callable(method):
            raise WrongAnswer(request, f"{type(self._player).__name__} has no such method")
        try:
            return method(*arguments)
        except Exception as problem:
            raise WrongAnswer(request, f"{type(problem).__name__}: {words_of(problem)}") from problem


class AttackAdapter(Adapter):
    """An adapter for a design that asks nothing of feeding but whom to attack."""

    def feed_next(self, state: State) -> FeedingChoice:
        """Fat and vegetarians as the Silly player feeds them; whom to attack is asked."""
        self.sight.feed(state)
        unasked = without_attack(state)
        if unasked:
            return unasked
        hunter = attacker(state)
        return DECLINE if hunter is None else self.attack(state, hunter)

    def attack(self, state: State, hunter: int) -> FeedingChoice:
        """Whom this board attacks, or that it does not."""
        raise NotImplementedError


@contextmanager
def blaming(request: str) -> "Iterator[None]":
    """Whatever is found wrong inside is the fault of the answer to this request."""
    try:
        yield
    except Malformed as wrong:
        raise WrongAnswer(request, wrong if wrong.path else wrong.why) from None
    except (Forbidden, IllegalChoice) as why:
        raise WrongAnswer(request, why) from None


class NotPlain(Exception):
    """An answer that is made of something else than plain values; str() says of what."""


def plain(answer: object) -> object:
    """The answer with lists for tuples: what is a pair in one document is a list in another.

    Raises NotPlain for anything but numbers, strings, True, False, None, and lists, tuples and
    dictionaries of them: whatever else there is could do anything when it is looked at.
    """
    try:
        return _plain(answer)
    except RecursionError:
        raise NotPlain("its answer is nested too deeply") from None
    except MemoryError:
        raise NotPlain("its answer is too long") from None


def _plain(answer: object) -> object:
    kind = type(answer)
    if kind is list or kind is tuple:
        return [_plain(part) for part in answer]  # type: ignore[attr-defined]
    if kind is dict:
        return {_plain_key(key): _plain(part) for key, part in answer.items()}  # type: ignore[attr-defined]
    if type(answer) is int and answer.bit_length() > MOST_BITS:
        raise NotPlain("a number in its answer is too long")
    if answer is None or any(kind is one for one in PLAIN):
        return answer
    raise NotPlain(f"its answer is made of {_name(kind)}, not of plain lists, strings and numbers")


def _plain_key(key: object) -> str:
    """The key of a dictionary, which must be a string."""
    if type(key) is not str:
        raise NotPlain(f"a key in its answer is {_name(type(key))}, not a string")
    return key


def _name(kind: type) -> str:
    """The name of a class, even of one that has its own idea of what a name is."""
    name: str = type.__dict__["__name__"].__get__(kind)
    return name


def attacker(state: State) -> "int | None":
    """The largest hungry carnivore that can attack any board, of whatever player; None without one."""
    boards = state.boards
    hunters = [at for at, board in enumerate(boards) if hungry(board) and is_carnivore(board)]
    for at in sorted(hunters, key=lambda at: size(boards[at]), reverse=True):
        if any(True for row in (*state.others, boards) for _ in targets(boards[at], row)):
            return at
    return None
