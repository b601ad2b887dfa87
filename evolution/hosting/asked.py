"""Players that are asked in messages, wherever they live: in a process of their own, or inside this one.

Each question is written as JSON and read again on the player's side, and so is the answer: what a
player does to the objects that it is given is not seen by the game.
"""

from evolution.actions import Action4
from evolution.choices import FeedingChoice, State
from evolution.player import Start, View
from evolution.species import Species
from evolution.wire import messages
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput
from evolution.wire.text import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from evolution.game import Result

    Answer = TypeVar("Answer")


class NoAnswer(Exception):
    """The player gave no answer that can be read; str() says why."""


class Asked:
    """A player as the game sees it. How a question reaches it is said by `ask`."""

    def __init__(self) -> None:
        """Nothing has been asked yet."""
        self._listens: bool | None = None  # not known before it has been asked
        self._remarks: list[str] = []

    def ask(self, request: str, argument: str) -> object:
        """Its answer to a question. Raises NoAnswer."""
        raise NotImplementedError

    def start(self, view: Start) -> None:
        """Tell it that a turn begins; it says that it has heard."""
        self.ask("start", messages.write_start(view))

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """What it does with its cards."""
        return _read(action4, self.ask("choose", messages.write_choose(before, after)))

    def feed_next(self, state: State) -> FeedingChoice:
        """What it feeds next."""
        return _read(messages.read_feeding_choice, self.ask("feed_next", messages.write_state(state)))

    @property
    def changed(self) -> "Callable[[View], None] | None":
        """The notice of every change; None if it does not want it, which it is asked once."""
        if self._listens is None:
            try:
                self._listens = self.ask("listens", "null") is True
            except NoAnswer:
                self._listens = False  # it will fail at the first real question as well
        return self._changed if self._listens else None

    def _changed(self, view: View) -> None:
        self.ask("changed", messages.write_view(view))

    def take_remarks(self) -> list[str]:
        """What the log should say beside its last answer; an adapter may have had to choose for it."""
        taken, self._remarks = self._remarks, []
        return taken

    def game_over(self, result: "Result") -> None:
        """Tell it how the game has ended."""
        self.ask("game_over", messages.write_results(result))


def _read(read: "Callable[[object], Answer]", answer: object) -> "Answer":
    try:
        return read(answer)
    except BadInput as problem:
        raise NoAnswer(f"its answer is malformed: {problem}") from None


class Inside(Asked):
    """A trusted player in this process: no limits, but it sees only copies of the game's things."""

    def __init__(self, player: "Any") -> None:
        """An object of somebody's class."""
        super().__init__()
        self._player = player

    def ask(self, request: str, argument: str) -> object:
        """Its answer, read from the same text that a player in another process would send."""
        from evolution.hosting.host import answer_of, reason, remarks_of

        try:
            answer = parse(answer_of(self._player, request, parse(argument.encode())).encode())
        except (Exception, SystemExit) as problem:
            raise NoAnswer(reason(problem)) from problem
        self._remarks += remarks_of(self._player)
        return answer
