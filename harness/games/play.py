"""xmain: a whole game on this machine, of Silly players or of anybody's, and its result."""

import io

from evolution.cards import shuffled_deck
from evolution.game import FEWEST_PLAYERS, MOST_PLAYERS, Game, one_line
from evolution.silly import Silly
from harness import NO_OUTPUT
from harness.errors import UserError, WrongUse, did_you_mean
from harness.programs.answering import complain, write

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from _typeshed import ReadableBuffer

    from evolution.game import Result
    from evolution.hosting.child import ShutIn
    from evolution.observed import Observer
    from evolution.player import Player
    from evolution.table import Player as Seated
    from harness.explain.games import GameStory
    from harness.explain.story import Story
    from harness.games.log_file import LogFile
    from harness.games.replay import Header
    from harness.running.sandbox import Sandbox

    Watch = Callable[[list[str]], Observer]  # an observer of a game, for the players' names by id

SILLY = "silly"
HUMAN = "human"
COMMAND = "command:"  # before a command line
MEMORY = 256 << 20  # bytes; a half is for a player's files


def is_number_of_players(text: str) -> bool:
    """Whether this is a number of players for a game."""
    return text in {str(number) for number in range(FEWEST_PLAYERS, MOST_PLAYERS + 1)}


def play_silly(number: int) -> int:
    """A game of Silly players on the deck in card order; prints the result, gives the exit status."""
    return print_lines(Game([Silly() for _ in range(number)]).play())


def print_lines(result: "Result") -> int:
    """The result, one line a player; the exit status."""
    return write("xmain", ("\n".join(result.lines()) + "\n").encode())


def print_json(result: "Result", story: "Story | None" = None) -> int:
    """The result, and the story if there is one, as one JSON object; the exit status."""
    import json

    ranking = [
        {"rank": rank, "id": number, "score": points}
        for rank, (number, points) in enumerate(result.ranking, 1)
    ]
    thrown_out = [{"id": number, "reason": reason} for number, reason in result.thrown_out]
    value: dict[str, object] = {"ranking": ranking, "thrown out": thrown_out}
    if story is not None:
        value["story"] = story.data()["steps"]
    return write("xmain", f"{json.dumps(value)}\n".encode())


def print_result(result: "Result", as_json: bool, story: "Story | None") -> int:
    """The result in the form that was asked for, after the story if one was; the exit status."""
    if as_json:
        return print_json(result, story)
    if story is not None:
        write("xmain", ("\n".join(story.lines()) + "\n").encode())
    return print_lines(result)


class SeatError(WrongUse):
    """A player that cannot be seated; str() says why."""


def described_player(word: str) -> tuple[str, str, str]:
    """The design, the file and the class that FILE:CLASS or DESIGN:FILE:CLASS names. Raises SeatError.

    The design is empty for the native one.
    """
    from evolution.designs import DESIGNS

    rest, _, name = word.rpartition(":")
    design, colon, file = rest.partition(":")
    if not colon or design not in DESIGNS:
        design, file = "", rest
    if not file or not name.isidentifier():
        raise SeatError(
            f"{word!r} is not FILE:CLASS, with or without one of {', '.join(DESIGNS)} and a colon before it, "
            f"nor {COMMAND}COMMAND" + did_you_mean(word, (SILLY, HUMAN))
        )
    return design, file, name


def seat(
    described: str,
    seconds: float,
    in_process: bool = False,
    gone: "Callable[[], None] | None" = None,
    sandbox: "Sandbox | None" = None,
) -> "Player":
    """The player that a word describes: FILE:CLASS, DESIGN:FILE:CLASS, command:… or silly. Raises SeatError.

    One in a process of its own has a `close`, and `gone` is called when its process has ended.
    """
    if described == SILLY:
        return Silly()
    import os

    if described.startswith(COMMAND):
        return _command(described.removeprefix(COMMAND), seconds, gone, sandbox)
    design, file, name = described_player(described)
    if not os.path.isfile(file):
        raise SeatError(f"{file} is not a file")
    if in_process:
        return _inside(file, name, design)
    return _outside(os.path.abspath(file), name, design, seconds, gone, sandbox)


def _inside(file: str, name: str, design: str) -> "Player":
    from evolution.hosting.asked import Inside
    from evolution.hosting.host import CannotLoad, loaded

    try:
        with PrintingAside():
            return Inside(loaded(file, name, design))
    except CannotLoad as problem:
        if isinstance(problem.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from None
        raise SeatError(f"{file}:{name}: {one_line(str(problem))}") from None


def _outside(
    file: str,
    name: str,
    design: str,
    seconds: float,
    gone: "Callable[[], None] | None",
    sandbox: "Sandbox | None",
) -> "Player":
    from evolution.hosting.seat import Seat
    from harness.running.limits import adopt_orphans

    adopt_orphans()  # so that what it leaves behind can be ended
    return Seat(file, name, seconds, gone=gone, design=design, shut_in=_shut_in(sandbox))


def _command(
    line: str, seconds: float, gone: "Callable[[], None] | None", sandbox: "Sandbox | None"
) -> "Player":
    """A command that speaks the remote protocol through its standard input and output."""
    from evolution.hosting.speaker import Speaker
    from harness.fixtures.executables import executable, why_not
    from harness.running.limits import adopt_orphans

    command = executable(line)
    problem = why_not(command)
    if problem:
        raise SeatError(problem)
    adopt_orphans()
    try:
        return Speaker.of_command(command, seconds, gone, _shut_in(sandbox))
    except OSError as failure:
        raise SeatError(f"{line}: {failure.strerror}") from None


def _shut_in(sandbox: "Sandbox | None") -> "ShutIn | None":
    """How a command is made one that shuts its process in; None if there is no sandbox."""
    if sandbox is None:
        return None

    def shut_in(command: list[str]) -> tuple[list[str], dict[str, str]]:
        place = sandbox.once(command, 0)
        return list(place.entered_by), place.environment

    return shut_in


def sandbox_of_players(mode: str, show: "Sequence[str]") -> "tuple[Sandbox | None, str]":
    """The sandbox for players in processes of their own, which need the game; or why there is none."""
    import os

    import evolution
    from evolution.trait_file import LOADED
    from harness.running.landlock_sandbox import LandlockSandbox
    from harness.running.rungs import RUNGS, none_told, rung_of

    rung = rung_of(mode)
    if not rung:
        return None, none_told(mode)
    game = os.path.dirname(os.path.realpath(evolution.__file__))
    sandbox = RUNGS[rung](MEMORY, [game, *LOADED, *show])
    if isinstance(sandbox, LandlockSandbox):
        sandbox.listed = (os.path.dirname(game),)
    return sandbox, ""


def _load(described: str, player: "Player") -> None:
    """See that a player in a process of its own is ready: its class loaded. Raises SeatError if it is not."""
    from evolution.hosting.asked import NoAnswer
    from evolution.hosting.child import Child

    try:
        if isinstance(player, Child):
            player.load()
    except NoAnswer as problem:
        raise SeatError(f"{described}: {one_line(str(problem))}") from None


class PrintingAside:
    """While it holds, what players print in this process goes to standard error, harmless to a terminal."""

    def __enter__(self) -> None:
        import sys

        self._streams = sys.stdout, sys.stderr
        if sys.stderr:
            shown = io.TextIOWrapper(_Shown(sys.stderr), "utf-8", "backslashreplace", write_through=True)
            sys.stdout = sys.stderr = shown
        else:
            sys.stdout = sys.stderr

    def __exit__(self, *_: object) -> None:
        import sys

        sys.stdout, sys.stderr = self._streams
        try:
            if sys.stderr:
                sys.stderr.flush()  # the process will end without
        except OSError:
            pass


class _Shown(io.BufferedIOBase):
    """The bytes that are written to it, as text on another stream that does nothing but to be seen."""

    name = "<players>"

    def __init__(self, stream: "TextIO") -> None:
        import codecs

        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("backslashreplace")

    def writable(self) -> bool:
        """Whether it can be written to: yes."""
        return True

    def write(self, data: "ReadableBuffer") -> int:
        """Show some bytes."""
        from evolution.hosting.child import harmless

        piece = bytes(data)
        self._stream.write(harmless(self._decoder.decode(piece)))
        return len(piece)

    def flush(self) -> None:
        """Have what was shown so far seen."""
        self._stream.flush()


def _people(described: list[str], seconds: "float | None") -> "dict[int, Player]":
    """The people among those who are described, by their places; they share the terminal."""
    places = [at for at, one in enumerate(described) if one == HUMAN]
    if not places:
        return {}
    from harness.games.human import Human, Terminal

    terminal = Terminal(len(places), seconds)
    return {at: Human(f"player {at + 1}" if len(described) > 1 else "you", terminal) for at in places}


class Seats:
    """The players of a game, and the processes that some of them live in."""

    def __init__(
        self,
        described: list[str],
        seconds: float,
        in_process: bool,
        sandbox: "Sandbox | None" = None,
        seconds_of_people: "float | None" = None,
    ) -> None:
        """Seat those who are described, each as FILE:CLASS, DESIGN:FILE:CLASS, command:…, silly or human.

        Raises SeatError. Every class is loaded when this returns; whatever it does later costs it its seat.
        """
        self.names = described
        self.players: list[Player] = []
        self._sandbox = sandbox
        people = _people(described, seconds_of_people)
        try:
            for at, one in enumerate(described):
                self.players.append(people.get(at) or seat(one, seconds, in_process, self._sweep, sandbox))
            for one, player in zip(described, self.players, strict=True):
                _load(one, player)
        except BaseException:
            self.close()
            raise

    def _sweep(self) -> None:
        """End whatever a player that has gone has left behind: those who are still seated are spared."""
        from harness.running.limits import end_children

        end_children(spared=[getattr(player, "pid", 0) for player in self.players])

    def close(self) -> None:
        """End all processes."""
        for player in self.players:
            leave = getattr(player, "close", None)
            if leave is not None:
                leave()
        if self._sandbox is not None:
            self._sandbox.leave()


def play(
    seats: Seats,
    seed: "str | None",
    as_json: bool,
    explain: bool,
    log: "LogFile | None",
    watching: "Watch | None" = None,
) -> int:
    """A game of these players; prints the result, gives the exit status.

    `watching` gives, for the players' names, one more observer of the game.
    """
    deck = None if seed is None else shuffled_deck(seed)
    observers: list[Observer] = [] if watching is None else [watching(seats.names)]
    story = None
    if log is not None:
        from evolution.wire.log import Log

        observers.append(Log(log.write, seats.names, seed))
    if explain:
        from harness.explain.games import GameStory

        teller = GameStory(seats.names)
        teller.tell_names()
        observers.append(teller)
        story = teller.story
    try:
        with PrintingAside():
            result = Game(seats.players, deck, told_to_all(observers)).play()
    finally:
        seats.close()
        if log is not None:
            log.close()
    if log is not None and log.problem:
        complain("xmain", f"cannot write the log: {log.problem}")
        print_result(result, as_json, story)
        return NO_OUTPUT
    return print_result(result, as_json, story)


def told_to_all(observers: "list[Observer]") -> "Observer | None":
    """One observer for all of them; None if there is none."""
    if len(observers) < 2:
        return observers[0] if observers else None

    def tell(kind: str, player: "Seated | None", board: "int | None", more: "dict[str, object]") -> None:
        for observer in observers:
            observer(kind, player, board, more)

    return tell


def replay_file(
    path: str, as_json: bool, explain: bool, watching: "Watch | None" = None
) -> "tuple[int, str]":
    """Play the game of a log again; prints the result, gives the exit status.

    For those who are `watching`, and to explain it, a log that is cut off, or is still being written, goes as
    far as it goes: it has no result, and where it ends is given as well.
    """
    from harness.games.replay import BadLog, replay

    data = _log(path)
    to_the_end = watching is None and not explain
    told: list[GameStory] = []

    def watch(header: "Header") -> "Observer | None":
        observers: list[Observer] = [] if watching is None else [watching(header.players)]
        if explain:
            from harness.explain.games import GameStory

            told.append(GameStory(header.players))
            told[0].tell_names()
            observers += told
        return told_to_all(observers)

    try:
        result = replay(data if to_the_end else data[: data.rfind(b"\n") + 1], watch)
    except BadLog as problem:
        if to_the_end or not problem.is_cut:
            raise UserError(f"{path}: {problem}") from None
        return _print_beginning(as_json, told[0].story if told else None, str(problem)), str(problem)
    return print_result(result, as_json, told[0].story if told else None), ""


def _print_beginning(as_json: bool, story: "Story | None", end: str) -> int:
    """What there is to print of a game whose log ends before it; the exit status."""
    if as_json:
        import json

        value: dict[str, object] = {"ranking": None, "thrown out": None, "log ends": end}
        if story is not None:
            value["story"] = story.data()["steps"]
        return write("xmain", f"{json.dumps(value)}\n".encode())
    return write("xmain", "".join(f"{line}\n" for line in story.lines()).encode()) if story is not None else 0


def _log(path: str) -> bytes:
    """The content of a log."""
    from harness.games.replay import LONGEST_LOG

    try:
        with open(path, "rb") as file:
            data = file.read(LONGEST_LOG + 1)
    except OSError as problem:
        raise UserError(f"{path}: {problem.strerror}") from None
    if len(data) > LONGEST_LOG:
        raise UserError(f"{path}: longer than {LONGEST_LOG >> 20} MB, which no log of a game is")
    return data
