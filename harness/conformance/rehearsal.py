"""The game as we play it ourselves: what every player should be told, and how it should end.

A server that plays by the rules, on the deck in card order, says exactly this to the same players.
"""

from evolution.actions import Action4
from evolution.cards import Card
from evolution.choices import FeedingChoice, State
from evolution.game import Game, Result
from evolution.player import Start
from evolution.silly import Silly
from evolution.species import Species
from evolution.wire import messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

START, CHOOSE, FEED = "start", "choose", "feed_next"


class Misbehaves(Exception):
    """A player does what costs it its seat."""


class Actor(Silly):
    """A Silly player that keeps what it is told, and misbehaves when it is first asked something."""

    __slots__ = ("_at", "told")

    def __init__(self, misbehaves_at: str = "") -> None:
        self.told: list[tuple[str, str]] = []
        self._at = misbehaves_at

    def _hear(self, request: str, message: str) -> None:
        self.told.append((request, message))
        if request == self._at:
            raise Misbehaves

    def start(self, view: Start) -> None:
        """Keep the message."""
        self._hear(START, messages.write_start(view))
        super().start(view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """Keep the message, and choose."""
        self._hear(CHOOSE, messages.write_choose(before, after))
        return super().choose(before, after)

    def feed_next(self, state: State) -> "FeedingChoice | None":
        """Keep the message, and feed."""
        self._hear(FEED, messages.write_state(state))
        return super().feed_next(state)


class Rehearsal:
    """One whole game of so many Silly players, one of whom may misbehave."""

    def __init__(
        self, players: int, rude: int = -1, at: str = "", deck: "Callable[[], list[Card]] | None" = None
    ) -> None:
        actors = [Actor(at if number == rude else "") for number in range(players)]
        self.result: Result = Game(list(actors), deck() if deck else None).play()
        self.told = [actor.told for actor in actors]

    def last_asked(self, request: str) -> int:
        """The last of the players that is asked this at all; -1 if nobody is.

        All others have chosen before the last player does: it makes no difference to them whether it
        loses its seat when it answers or when the answers are carried out.
        """
        asked = [at for at, told in enumerate(self.told) if any(kind == request for kind, _ in told)]
        return max(asked, default=-1)
