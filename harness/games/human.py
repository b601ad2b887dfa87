"""A person as a player: asked at the terminal, with the options listed and refusals explained.

Questions go to standard error, beside the result of the game, and answers are lines of standard input. A
script can play as well: on a terminal there is colour, and a screen that is cleared before another person
is asked, and elsewhere plain text.
"""

import os
import select
import sys
import time
from collections.abc import Callable

from evolution.actions import Action4, IllegalAction, exchanged, execute
from evolution.choices import Attack, Decline, Eat, FeedingChoice, State, StoreFat
from evolution.feeding import IllegalChoice, check_choice, legal_choices
from evolution.game import Result
from evolution.hosting.asked import NoAnswer
from evolution.picture import draw
from evolution.picture.scene import Seat, act, number, of_state
from evolution.player import Start
from evolution.reasons import why_not_attacked
from evolution.species import Species
from evolution.table import Player
from evolution.wire.action4 import action4
from evolution.wire.errors import BadInput
from evolution.wire.messages import read_feeding_choice
from evolution.wire.text import parse
from harness.explain.attacks import in_words

Step = Callable[[Action4], None]  # puts one exchange into an action

CLEAR = "\033[H\033[2J\033[3J"  # the screen, and what has left it at the top
BACK, UNDO, NO_MORE, DONE = "b", "u", "n", "0"
LONGEST_LINE = 1 << 16
HEALED = "trait twice"  # what a later exchange can put right


class Terminal:
    """Where people are asked. All people at a table share it, one after the other."""

    def __init__(self, people: int, seconds: "float | None") -> None:
        """For so many people, with so much time for each answer, or without a limit."""
        self._seconds = seconds
        self._deadline = 0.0
        self._typed = b""
        self._asked = ""  # who is or was asked last
        self._screen = sys.stderr  # as it is now: what other players print there later is made harmless
        shown = bool(sys.stderr) and sys.stderr.isatty()
        self.coloured = shown and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self._is_shared_screen = shown and people > 1 and bool(sys.stdin) and sys.stdin.isatty()

    def begin(self, title: str) -> None:
        """From now on this person is asked; nobody else's cards are on the screen."""
        self._deadline = time.monotonic() + (self._seconds or 0)
        if self._is_shared_screen and self._asked not in ("", title):
            self.show(f"{CLEAR}{title} is next. When the others look away, press Enter.")
            self.line()
        self._asked = title

    def show(self, text: str) -> None:
        """Some lines for the person."""
        self._print(f"{text}\n")

    def _print(self, text: str) -> None:
        try:
            print(text, end="", file=self._screen, flush=True)
        except OSError as problem:
            raise NoAnswer(f"cannot be asked: {problem.strerror}") from None

    def line(self) -> str:
        """What the person types, without white space around it. Raises NoAnswer at the end of input."""
        self._print("> ")
        while b"\n" not in self._typed and len(self._typed) < LONGEST_LINE:
            data = self._read()
            if not data and not self._typed:
                self.show("")
                raise NoAnswer("left the game")
            self._typed += data or b"\n"
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace").strip()

    def _read(self) -> bytes:
        if not sys.stdin:
            return b""
        try:
            left = None if self._seconds is None else max(0.0, self._deadline - time.monotonic())
            if not select.select([sys.stdin], [], [], left)[0]:
                raise NoAnswer(f"no answer within {self._seconds:g} s")
            return os.read(sys.stdin.fileno(), 1 << 12)
        except OSError:  # a terminal that is gone
            return b""

    def pick(self, question: str, options: "dict[str, str]", json: bool = False) -> str:
        """The key of one of the options; or, where that is allowed, the answer to it all as JSON."""
        wide = max(map(len, options))
        self.show("\n".join([question, *(f"  {key:>{wide}}  {text}" for key, text in options.items())]))
        while True:
            line = self.line()
            if line in options or (json and line.startswith("[")):
                return line
            keys = ", ".join(options)
            self.show(f"{line!r} is none of them: type one of {keys}; or Ctrl-D to leave the game")


class Human:
    """A player that is a person."""

    def __init__(self, title: str, terminal: Terminal) -> None:
        """A person with this title, at this terminal."""
        self._title = title
        self._terminal = terminal

    def start(self, view: "Start") -> None:
        """Remember what there is to choose with."""
        self._start = view

    def choose(self, before: "list[list[Species]]", after: "list[list[Species]]") -> Action4:
        """What the person does with its cards, step by step."""
        own = self._start
        self._ask(State(own.bag, own.boards, own.hand, own.hole, [*after, *before]), "use your cards")
        return _Choosing(self._terminal, own).choose()

    def feed_next(self, state: State) -> FeedingChoice:
        """What the person feeds next, of all that is legal."""
        self._ask(state, "feed one of your boards")
        choices = {str(at): choice for at, choice in enumerate(legal_choices(state), 1)}
        words = {key: choice_in_words(state, choice) for key, choice in choices.items()}
        while True:
            key = self._terminal.pick("What do you do?", words, json=True)
            if key in choices:
                return choices[key]
            try:
                choice = read_feeding_choice(parse(key.encode()))
                check_choice(state, choice)
            except (BadInput, IllegalChoice) as problem:
                self._terminal.show(f"That is not possible: {problem} (rules 4.1)")
                if isinstance(problem, IllegalChoice) and isinstance(choice, Attack):
                    self._explain(state, choice)
            else:
                return choice

    def game_over(self, result: "Result") -> None:
        """The result is printed for everybody."""

    def thrown_out(self, reason: str) -> None:
        """Tell the person why, if somebody is still there."""
        self._terminal.show(f"{self._title}: out of the game: {reason}")

    def _ask(self, state: State, what: str) -> None:
        """Show the table as this player sees it."""
        self._terminal.begin(self._title)
        scene = of_state(state)
        scene.seats[0].title = self._title
        self._terminal.show(f"\n{draw(scene).text(self._terminal.coloured)}\n{self._title}: {what}")

    def _explain(self, state: State, attack: Attack) -> None:
        """Why the traits do not allow an attack, if it is they."""
        for reason in why_not_attacked(state, attack):
            self._terminal.show(f"  {in_words(reason)} (rules {reason.rule})")


class _Choosing:
    """An Action4 that a person puts together."""

    def __init__(self, terminal: Terminal, own: "Start") -> None:
        self._terminal = terminal
        self._own = own
        self._food_card: int | None = None
        self._steps: list[tuple[str, Step]] = []  # the exchanges, each with its words

    def choose(self) -> Action4:
        """The action, when the person hands it in and the rules allow it."""
        while True:
            action = self._pick_food_card() if self._food_card is None else self._pick_exchange()
            problem = None if action is None else self._problem(action)
            if problem is not None:
                self._refuse(problem)
            elif action is not None:
                return action

    def _pick_food_card(self) -> "Action4 | None":
        """Let the person take its food card; an action if it hands in a whole one."""
        key = self._pick_card("Which card is your food card?", json=True)
        if key.startswith("["):
            return self._read(key)
        self._food_card = int(key)
        return None

    def _pick_exchange(self) -> "Action4 | None":
        """Let the person do one exchange more, or undo its last step; the action if it hands it in."""
        self._show_action()
        exchanges = {
            "1": ("a card for population of a board", self._grow_population),
            "2": ("a card for body of a board", self._grow_body),
            "3": ("a card for a new board, with up to three more as its traits", self._new_board),
            "4": ("a card in place of a trait", self._replace_trait),
        }
        options = {DONE: "done: hand this in"}
        if self._cards():
            options |= {key: words for key, (words, _) in exchanges.items()}
        options[UNDO] = f"undo: {self._steps[-1][0] if self._steps else 'the food card'}"
        key = self._terminal.pick("What next?", options, json=True)
        if key == DONE:
            return self._action()
        if key.startswith("["):
            return self._read(key)
        if key == UNDO:
            self._undo()
        else:
            step = exchanges[key][1]()
            if step is not None:
                self._add(*step)
        return None

    def _undo(self) -> None:
        if self._steps:
            self._steps.pop()
        else:
            self._food_card = None

    def _add(self, words: str, step: "Step") -> None:
        """Add an exchange, unless the rules forbid what comes of it, whatever may follow."""
        self._steps.append((words, step))
        problem = self._problem(self._action())
        if problem is not None:
            self._refuse(problem)
            if problem.code == HEALED:
                self._terminal.show("Replace one of them, or undo.")
            else:
                self._steps.pop()

    # --- the exchanges -----------------------------------------------------------------------------

    def _grow_population(self) -> "tuple[str, Step] | None":
        return self._grow("population", lambda action: action.grow_population)

    def _grow_body(self) -> "tuple[str, Step] | None":
        return self._grow("body", lambda action: action.grow_body)

    def _grow(
        self, what: str, growths: "Callable[[Action4], list[tuple[int, int]]]"
    ) -> "tuple[str, Step] | None":
        board = self._pick_board(f"The {what} of which board?")
        card = BACK if board == BACK else self._pick_card("For which card?")
        if card == BACK:
            return None
        return f"{what} of board {board}", lambda action: growths(action).append((int(board), int(card)))

    def _new_board(self) -> "tuple[str, Step] | None":
        cards: list[int] = []
        while len(cards) < 4:
            left = [card for card in self._cards() if card not in cards]
            if not left:
                break
            question = "Which card becomes a trait of it?" if cards else "Which card pays for the board?"
            key = self._pick_card(question, left, {NO_MORE: "no more traits"} if cards else {})
            if key == BACK:
                return None
            if key == NO_MORE:
                break
            cards.append(int(key))
        return "the new board", lambda action: action.new_boards.append(cards)

    def _replace_trait(self) -> "tuple[str, Step] | None":
        board = self._pick_board("A trait of which board?")
        if board == BACK:
            return None
        traits = self._boards()[int(board)].traits
        slots = {str(at): trait for at, trait in enumerate(traits)}
        slot = self._terminal.pick("Which trait goes?", {**slots, BACK: "back"})
        card = BACK if slot == BACK else self._pick_card("Which card takes its place?")
        if card == BACK:
            return None
        return (
            f"a trait of board {board}",
            lambda action: action.replace_traits.append((int(board), int(slot), int(card))),
        )

    # --- what there is -----------------------------------------------------------------------------

    def _cards(self) -> list[int]:
        """The cards that are not used yet."""
        used = set() if self._food_card is None else {card for card, _ in self._action().cards()}
        return [card for card in range(len(self._own.hand)) if card not in used]

    def _boards(self) -> "list[Species]":
        """The boards as the exchanges make them, those that are bought included."""
        return exchanged(self._player(), self._action())

    def _pick_card(
        self,
        question: str,
        left: "list[int] | None" = None,
        more: "dict[str, str] | None" = None,
        json: bool = False,
    ) -> str:
        cards = self._cards() if left is None else left
        options = {str(at): _card_in_words(self._own.hand[at]) for at in cards} | (more or {})
        return self._terminal.pick(question, options if json else {**options, BACK: "back"}, json)

    def _pick_board(self, question: str) -> str:
        options = {str(at): _board_in_words(board) for at, board in enumerate(self._boards())}
        return self._terminal.pick(question, {**options, BACK: "back"})

    # --- the action --------------------------------------------------------------------------------

    def _player(self) -> Player:
        """A player like this one, on whom an action can be tried."""
        return Player(1, self._own.boards[:], self._own.bag, self._own.hand[:])

    def _action(self) -> Action4:
        action = Action4(self._food_card or 0)
        for _, step in self._steps:
            step(action)
        return action

    def _show_action(self) -> None:
        seat = Seat("", [], hand=self._own.hand)
        act(seat, self._action())
        self._terminal.show("\n    ".join(["So far:", *seat.notes]))

    def _problem(self, action: Action4) -> "IllegalAction | None":
        try:
            execute(self._player(), action)
        except IllegalAction as problem:
            return problem
        return None

    def _read(self, text: str) -> "Action4 | None":
        try:
            return action4(parse(text.encode()))
        except BadInput as problem:
            self._terminal.show(f"That is not an Action4: {problem}")
            return None

    def _refuse(self, problem: IllegalAction) -> None:
        self._terminal.show(f"That is not allowed: {problem} (rules 5.5)")


def _card_in_words(card: "tuple[int, str]") -> str:
    food, trait = card
    return f"{trait} {number(food)}"


def _board_in_words(board: "Species") -> str:
    about = f"population {board.population}, body {board.body}"
    return ", ".join([about, *board.traits])


def choice_in_words(state: State, choice: FeedingChoice) -> str:
    """What somebody may feed, as one of the options of a list."""
    if isinstance(choice, Decline):
        return "feed nothing more in this turn"
    if isinstance(choice, Eat):
        return f"feed board {choice.board}"
    if isinstance(choice, StoreFat):
        return (
            f"store {choice.tokens} token{'' if choice.tokens == 1 else 's'} as fat on board {choice.board}"
        )
    own = choice.player == len(state.others)
    whose = "of your own" if own else f"of other player {choice.player}"
    return f"attack board {choice.target} {whose} with board {choice.board}"
