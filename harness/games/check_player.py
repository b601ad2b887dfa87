"""xmain --check-player: a player in the positions in which players go wrong, and what it does wrong by rule.

Each position is played on as a game, in a process of the player's own, so that it is only asked what the
rules let it be asked.
"""

from typing import NamedTuple

from evolution.actions import Action4, IllegalAction, execute
from evolution.cards import full_deck, shuffled_deck
from evolution.choices import DECLINE, Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.feeding import IllegalChoice, check_choice, legal_choices
from evolution.game import Game, one_line
from evolution.reasons import why_not_attacked
from evolution.silly import Silly
from evolution.species import Species, hungry
from evolution.table import Player as Seated
from evolution.wire import messages
from harness.explain.attacks import in_words
from harness.games.play import PrintingAside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from evolution.cards import Card
    from evolution.game import Result
    from evolution.player import Player, Start

MUST_NOT = "6.2"  # the rule that a player breaks that gives no answer at all
ILLEGAL_ACTION = "5.5"


class Fault(NamedTuple):
    """What a player did wrong: when it was asked what, why that is wrong, and by which rules."""

    request: str
    reason: str
    rules: str
    asked: str  # the question, as JSON


class Check(NamedTuple):
    """How a player has fared in a position: how often it was asked, and what it did wrong."""

    position: str
    asked: dict[str, int]
    faults: list[Fault]
    notes: list[str]  # what was odd and costs nothing


class Watched:
    """A player that is asked, and whose answers are judged before the game sees them."""

    def __init__(self, player: "Player") -> None:
        self._player = player
        self.asked = {"choose": 0, "feed_next": 0}
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self._own = Seated(1, [])
        self._started = "null"

    def start(self, view: "Start") -> None:
        """A turn begins."""
        self._own = Seated(1, [board.copy() for board in view.boards], view.bag, view.hand[:])
        self._started = messages.write_start(view)
        self._ask("start", self._started, view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """What the player does with its cards."""
        question = f'{{"start":{self._started},"choose":{messages.write_choose(before, after)}}}'
        answer: Action4 = self._ask("choose", question, before, after)
        try:
            execute(self._own, answer)
        except IllegalAction as problem:
            self._fault("choose", str(problem), ILLEGAL_ACTION, question)
        self._take_remarks()
        return answer

    def feed_next(self, state: State) -> "FeedingChoice | None":
        """What the player feeds next."""
        question = messages.write_state(state)
        answer: FeedingChoice | None = self._ask("feed_next", question, state)
        try:
            check_choice(state, answer or DECLINE)
        except IllegalChoice as problem:
            rules, why = broken(state, answer or DECLINE)
            self._fault("feed_next", f"{problem}{why}", rules, question)
        return answer

    def game_over(self, result: "Result") -> None:
        """The game has ended; what the player does then costs it nothing."""
        try:
            self._player.game_over(result)
        except Exception as problem:
            self.notes.append(f"game_over: {one_line(str(problem))}")
            raise

    def _ask(self, request: str, question: str, *arguments: object) -> "Any":
        if request in self.asked:
            self.asked[request] += 1
        try:
            return getattr(self._player, request)(*arguments)
        except Exception as problem:
            self._fault(request, one_line(str(problem)), MUST_NOT, question)
            raise

    def _fault(self, request: str, reason: str, rules: str, question: str) -> None:
        self.faults.append(Fault(request, reason, rules, question))

    def _take_remarks(self) -> None:
        take = getattr(self._player, "take_remarks", None)
        self.notes += [one_line(remark) for remark in take()] if take else []

    def __getattr__(self, name: str) -> "Any":
        return getattr(self._player, name)


def broken(state: State, choice: FeedingChoice) -> tuple[str, str]:
    """The rules that an illegal choice breaks, and more words about it where traits are the reason."""
    if isinstance(choice, Decline) or choice.board >= len(state.boards):
        return "4.3", ""
    board = state.boards[choice.board]
    if isinstance(choice, StoreFat):
        return "3.8", ""
    if not hungry(board):
        return "1.4", ""
    if isinstance(choice, Eat):
        return "4.1", ""
    row = [*state.others, state.boards][choice.player] if choice.player <= len(state.others) else []
    if choice.target < len(row) and row[choice.target] is board:
        return "2.10", ""
    reasons = why_not_attacked(state, choice)
    if not reasons:
        return "4.3", ""
    return ", ".join(one.rule for one in reasons), f": {'; '.join(map(in_words, reasons))}"


# --- rivals --------------------------------------------------------------------------------------------


class Idle:
    """A rival that changes nothing: its best card, or its worst one, is food, and it feeds nobody."""

    def __init__(self, generous: bool = True) -> None:
        self._generous = generous

    def start(self, view: "Start") -> None:
        """See the cards."""
        self._hand = view.hand

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        """A food card and nothing else."""
        order = sorted(range(len(self._hand)), key=lambda at: self._hand[at][0])
        return Action4(order[-1 if self._generous else 0])

    def feed_next(self, state: State) -> FeedingChoice:
        """Nobody."""
        return DECLINE

    def game_over(self, result: "Result") -> None:
        """Take it as it is."""


class Hunter(Idle):
    """A rival that attacks the first board that it can."""

    def feed_next(self, state: State) -> FeedingChoice:
        """An attack, if there is one."""
        attacks = (choice for choice in legal_choices(state) if isinstance(choice, Attack))
        return next(attacks, DECLINE)


class Quitter(Idle):
    """A rival that leaves at once."""

    def start(self, view: "Start") -> None:
        """Raises an exception."""
        raise RuntimeError("it does not want to play")


# --- positions -----------------------------------------------------------------------------------------


class Position(NamedTuple):
    """A table at the beginning of a turn, with a place for the player that is checked."""

    title: str
    own: "list[Species]" = []  # noqa: RUF012 (nobody changes it)
    rivals: "list[tuple[Player, list[Species]]]" = []  # noqa: RUF012
    hole: int = 5
    hand: "list[Card]" = []  # noqa: RUF012
    deck: "list[Card]" = full_deck()
    place: int = 0  # how many rivals are before it in the turn


def species(*traits: str, population: int = 1, body: int = 0, fat_food: int = 0) -> Species:
    """A board at the beginning of a turn."""
    return Species(0, body, population, list(traits), fat_food)


def idle(*rows: "list[Species]") -> "list[tuple[Player, list[Species]]]":
    """Rivals that change nothing, with these boards."""
    return [(Idle(), row) for row in rows]


def cards(*foods: int) -> "list[Card]":
    """All cards with these food values, some times over."""
    return 4 * [card for card in shuffled_deck("check") if card[0] in foods]


def positions() -> "Iterator[Position]":
    """All of them."""
    silly: list[tuple[Player, list[Species]]] = [(Silly(), []), (Silly(), [])]
    up = species("climbing", population=2)
    calm = cards(0, 1)
    yield Position("nobody has a board yet", rivals=silly, hole=0)
    yield Position(
        "alone, as all others have been thrown out",
        [species(population=2), species(population=3)],
        [(Quitter(), []), (Quitter(), [])],
        deck=calm,
    )
    yield Position(
        "an opponent without boards while it feeds",
        [species("climbing", population=2), species("climbing", population=3)],
        [(Hunter(), [species("carnivore", population=3)]), (Idle(), [species()])],
        deck=calm,
        place=2,
    )
    yield Position(
        "a hungry carnivore and nothing to attack",
        [species("carnivore", population=3), up.copy(), up.copy()],
        idle([up.copy()], [up.copy(), up.copy()]),
        deck=calm,
    )
    yield Position(
        "a hungry carnivore and only its own boards to attack",
        [species("carnivore", population=4), species()],
        idle([up.copy()], [up.copy()]),
        deck=calm,
    )
    yield Position(
        "a carnivore, and every protection there is",
        [species("carnivore", body=2, population=3), species(population=2)],
        idle(
            [
                species("hard-shell"),
                species("herding", population=3),
                species("climbing"),
                species("burrowing"),
            ],
            [species("symbiosis"), species("warning-call", body=1), species(), species("horns")],
        ),
        hole=9,
        deck=calm,
    )
    yield Position(
        "more fat to store than there is food",
        [species("fat-tissue", body=7), species("fat-tissue", body=5, fat_food=5), species(population=3)],
        idle([species()], [species()]),
        hole=1,
        deck=cards(0),
    )
    yield Position(
        "one token for many hungry boards",
        [species(population=7), species(population=7), species("carnivore", population=7)],
        idle([species()], [species()]),
        hole=1,
        deck=cards(0),
    )
    full = [species("horns", "herding", trait, population=7, body=7) for trait in ("ambush", "fertile")]
    yield Position("boards that cannot grow any more", full, idle([species()], [species()]), deck=calm)
    same = [card for card in calm if card[1] in ("carnivore", "climbing", "horns")]
    yield Position(
        "only cards with traits that the boards have",
        [species("carnivore", "climbing", "horns", population=2), species("horns", population=2)],
        idle([species()], [species()]),
        deck=5 * same,
    )
    yield Position(
        "boards without traits, none of which can be replaced",
        [species(), species(population=2), species(body=3)],
        idle([species()], [species()]),
        deck=calm,
    )
    yield Position(
        "a hand of 40 cards", [species()], idle([species()], [species()]), hand=calm[:40], deck=calm
    )
    many = [species(*(["carnivore"] if at % 3 == 0 else []), population=2) for at in range(12)]
    yield Position("twelve boards", many, idle([species()], [species()]), hole=20, deck=calm)
    yield Position(
        "no food, so that all boards die, and a turn after that",
        [species(population=3)],
        [(Idle(generous=False), [species()]), (Idle(generous=False), [species()])],
        hole=0,
        deck=cards(-3, -2, -1)[:60],
    )
    yield Position(
        "the last turn, after which the deck is empty",
        [species("carnivore", population=2), species()],
        idle([species()], [species()]),
        deck=calm[:13],
    )
    for number in range(3, 9):
        rivals: list[tuple[Player, list[Species]]] = [(Silly(), []) for _ in range(number - 1)]
        deck = shuffled_deck(f"check {number}")
        yield Position(f"a whole game of {number} players", [], rivals, 0, [], deck, number % 3)


def check(seated: "Callable[[], tuple[Player, Callable[[], None]]]") -> "Iterator[Check]":
    """A player in all positions; `seated` seats it anew for each, and says how to let it go again."""
    for position in positions():
        player, let_go = seated()
        try:
            yield _checked(position, player)
        finally:
            let_go()


def _checked(position: Position, player: "Player") -> Check:
    watched = Watched(player)
    rivals = [rival for rival, _ in position.rivals]
    boards = [row for _, row in position.rivals]
    agents: Any = [*rivals[: position.place], watched, *rivals[position.place :]]
    boards.insert(position.place, position.own)
    game = Game(agents, position.deck[:])
    game.table.hole = position.hole
    for seat, row in zip(game.table.players, boards, strict=True):
        seat.boards[:] = row
    own = game.table.players[position.place]
    own.hand[:] = position.hand
    with PrintingAside():
        result = game.play()
    for number, reason in result.thrown_out:
        if number == own.id and not watched.faults:
            watched.faults.append(Fault(reason.partition(":")[0], reason, MUST_NOT, "null"))
    return Check(position.title, watched.asked, watched.faults, watched.notes)


# --- what is told --------------------------------------------------------------------------------------


def lines(found: Check) -> list[str]:
    """What became of a position, for a terminal."""
    asked = ", ".join(f"{count} {request}" for request, count in found.asked.items())
    told = [f"{'wrong' if found.faults else 'right':5}  {found.position} (asked: {asked})"]
    for fault in found.faults:
        told.append(f"       {fault.request}: {fault.reason} (rules {fault.rules})")
        told.append(f"       asked with: {fault.asked}")
    return told + [f"       note: {note}" for note in found.notes]


def as_json(found: Check) -> "dict[str, Any]":
    """What became of a position, as JSON."""
    faults = [{**fault._asdict(), "rules": fault.rules.split(", ")} for fault in found.faults]
    return {**found._asdict(), "faults": faults}
