"""Who sees the games of a server: the log of each is written, and its result printed."""

from harness import NO_OUTPUT
from harness.games.log_file import LogError, LogFile
from harness.games.play import told_to_all
from harness.programs.answering import complain, write
from harness.text import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.game import Result
    from evolution.observed import Observer

PROGRAM = "xserver"
LONGEST_NAME = 60  # characters that are printed


class Recorders:
    """One recorder for each game, and what has become of what they wrote."""

    def __init__(
        self,
        log: "str | None",
        seed: "Callable[[int], str | None]",
        watch: "Callable[[int, list[str]], Observer] | None" = None,
    ) -> None:
        """With a log, the first game's begins at once. Raises LogError if it cannot.

        `seed` tells what shuffles the deck of a game, by its number.
        `watch` gives, for the number of a game and its players' names, one more observer of it.
        """
        self._path = log
        self._seed = seed
        self._watch = watch
        self._first = None if log is None else LogFile(log)
        self._games = 0
        self.status = 0  # the exit status that follows from what could be written

    def of_game(self, names: list[str]) -> "Recorder":
        """A recorder of the next game, whose players have these names."""
        self._games += 1
        watching = [] if self._watch is None else [self._watch(self._games, names)]
        return Recorder(self, names, self._log(), self._seed(self._games), watching)

    def _log(self) -> "LogFile | None":
        if self._path is None or self._games == 1:
            return self._first
        try:
            return LogFile(f"{self._path}.{self._games}")
        except LogError as problem:
            self.failed(str(problem))
            return None

    def failed(self, problem: str) -> None:
        """A log could not be written."""
        complain(PROGRAM, f"cannot write the log: {problem}")
        self.status = NO_OUTPUT

    def print(self, text: str) -> None:
        """Print a result, all of it at once."""
        self.status = write(PROGRAM, text.encode()) or self.status


class Recorder:
    """The recorder of one game."""

    def __init__(
        self,
        all_of_them: Recorders,
        names: list[str],
        log: "LogFile | None",
        seed: "str | None",
        watching: "list[Observer]",
    ) -> None:
        self._all = all_of_them
        self._names = names
        self._log = log
        observers = watching
        if log is not None:
            from evolution.wire.log import Log

            observers = [Log(log.write, names, seed), *watching]
        self.observer = told_to_all(observers)

    def ended(self, result: "Result | None") -> None:
        """Close the log, and print the result if there is one."""
        if self._log is not None:
            self._log.close()
            if self._log.problem:
                self._all.failed(self._log.problem)
        if result is not None:
            self._all.print(result_text(result, self._names))


def seed_of(seed: "str | None", game: int, is_same: bool) -> "str | None":
    """What shuffles the deck of a game; None for card order. Games differ, unless told otherwise."""
    if game == 1 or is_same:
        return seed
    return f"{game}" if seed is None else f"{seed}.{game}"


def result_text(result: "Result", names: list[str]) -> str:
    """The result lines, each with the name under which its player signed up."""
    import json

    ids = [number for number, _ in result.ranking + result.thrown_out]
    return "".join(
        f"{line} name: {json.dumps(cut(names[number - 1], LONGEST_NAME))}\n"
        for number, line in zip(ids, result.lines(), strict=True)
    )
