"""A scene as text for terminals: at most 80 columns, in colour or not."""

from evolution.picture.comparing import Counterpart, counterparts, new_cards
from evolution.picture.scene import Scene, Seat, number, wrapped
from evolution.species import Species
from evolution.traits import MOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.cards import Card

WIDTH = 80
MOST_DOTS = 40  # tokens in the hole that are drawn
TOKENS = {"population": "▲", "food": "●", "body": "■", "fat": "◆"}
FREE = "·"
LONGEST_NAME = 4  # characters that fit before the tokens of a board

BOLD, DIM, MARKED = "1", "2", "1;35"
COLOURS = {"population": "34", "food": "33", "body": "36", "fat": "93"}


class Writer:
    """A text that is being written; marks say what is not as in another scene."""

    def __init__(self, other: "Scene | None", sign: str, coloured: bool) -> None:
        self.lines: list[str] = []
        self._other = other
        self._sign = sign
        self._coloured = coloured

    def scene(self, scene: Scene) -> None:
        """Everything."""
        beside = counterparts(scene, self._other) if self._other else [None] * len(scene.seats)
        if scene.hole is not None:
            tokens = TOKENS["food"] * scene.hole if scene.hole <= MOST_DOTS else ""
            was = self._other.hole if self._other else scene.hole
            parts = [self._paint("watering hole", BOLD), self._paint(tokens, COLOURS["food"])]
            self.lines.append(" ".join(filter(None, [*parts, self._counted(scene.hole, was)])))
        for at, (seat, counterpart) in enumerate(zip(scene.seats, beside, strict=True)):
            self._seat(seat, counterpart, at == scene.acting)
        if scene.deck is not None:
            deck = self._other.deck if self._other else None
            new = new_cards(scene.deck, deck) if self._other else set()
            self._cards("deck: ", scene.deck, new, numbered=False)

    def _paint(self, text: str, code: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._coloured and text else text

    def _counted(self, value: int, was: "int | None") -> str:
        if was is None or was == value:
            return number(value)
        return self._paint(f"{number(was)}{self._sign}{number(value)}", MARKED)

    def _seat(self, seat: Seat, counterpart: "Counterpart | None", acts: bool) -> None:
        other = counterpart.seat if counterpart else None
        differs = counterpart is not None and (other is None or other.title != seat.title)
        head = [self._paint(f"{'* ' if differs else ''}{seat.title}", MARKED if differs else BOLD)]
        if seat.bag is not None:
            head.append(f"bag {self._counted(seat.bag, other.bag if other else None)}")
        if acts:
            head.append(self._paint("acts", BOLD))
        is_long = len(seat.title) > WIDTH // 2 and len(head) > 1
        self.lines += [head[0], f"    {'  '.join(head[1:])}"] if is_long else ["  ".join(head)]
        self._notes(seat, counterpart)
        wide = max([1, *map(len, seat.names)])
        for at, board in enumerate(seat.boards):
            there = counterpart.boards[at] if counterpart else board
            name = seat.names[at].ljust(wide)
            if wide > LONGEST_NAME:  # what is called by words has a line for them
                self.lines += [f"  {seat.names[at]}"] if seat.names[at] else []
                name = " "
            self._board(name, board, there, seat.roles.get(at, ""))
        if not seat.boards:
            self.lines.append("  no boards")
        if seat.hand is not None:
            new = counterpart.new_cards if counterpart and other and other.hand is not None else set()
            self._cards("  hand: ", seat.hand, new, numbered=True)

    def _notes(self, seat: Seat, counterpart: "Counterpart | None") -> None:
        others = counterpart.seat.notes if counterpart and counterpart.seat else []
        for note in seat.notes:
            differs = counterpart is not None and note not in others
            code = MARKED if differs else DIM
            for line in wrapped(note.split(" "), " ", WIDTH - 4):
                self.lines.append(f"  {'*' if differs else ' '} {self._paint(line, code)}")
        if counterpart and counterpart.seat:
            verb = "gone" if self._sign == "→" else "not here"
            for at in counterpart.gone:
                words = f"{verb}: {_words(counterpart.seat.names[at], counterpart.seat.boards[at])}"
                self.lines.append(f"  * {self._paint(words, MARKED)}")

    def _board(self, name: str, board: Species, other: "Species | None", role: str) -> None:
        was = other or board
        rows = [
            ("population", board.population, was.population, 0),
            ("food", board.food, was.food, max(0, board.population - board.food)),
            ("body", board.body, was.body, 0),
        ]
        if board.fat_food or "fat-tissue" in board.traits:
            rows.append(("fat", board.fat_food, was.fat_food, max(0, board.body - board.fat_food)))
        parts = [self._row(*row) for row in rows]
        lost = [trait for trait in was.traits if trait not in board.traits]
        differs = other is None or lost or any(count != old for _, count, old, _ in rows)
        differs = differs or any(trait not in was.traits for trait in board.traits)
        self.lines.append(
            f"  {name}{self._paint('*', MARKED) if differs else ' '} {'  '.join(parts)}".rstrip()
        )
        only = "new" if self._sign == "→" else "only here"
        traits = [
            trait if trait in was.traits else self._paint(f"{trait} ({only})", MARKED)
            for trait in board.traits
        ]
        missing = "lost" if self._sign == "→" else "not here"
        traits += [self._paint(f"{trait} ({missing})", MARKED) for trait in lost]
        about = [", ".join(traits)] if traits else []
        about += [self._paint(role, BOLD)] if role else []
        about += [self._paint(only, MARKED)] if other is None else []
        if about:
            self.lines.append(f"  {' ' * len(name)}  {'; '.join(about)}")

    def _row(self, what: str, count: int, was: int, free: int) -> str:
        tokens = self._paint(TOKENS[what] * count, COLOURS[what]) + self._paint(FREE * free, DIM)
        words = " ".join(filter(None, [what, tokens, self._counted(count, was)]))
        empty = MOST - count - free if tokens else MOST + 1
        return words + " " * (empty + (0 if count != was else 2 if self._other else 0))

    def _cards(self, label: str, cards: "list[Card]", new: set[int], numbered: bool) -> None:
        if not cards:
            self.lines.append(f"{label}no cards")
            return
        words = [
            f"{f'{at}: ' if numbered else ''}{trait} {number(food)}{'*' if at in new else ''}"
            for at, (food, trait) in enumerate(cards)
        ]
        count = "" if numbered else f"{len(cards)} card{'' if len(cards) == 1 else 's'}: "
        indent = " " * len(label)
        for at, line in enumerate(wrapped([count + words[0], *words[1:]], ", ", WIDTH - len(label) - 1)):
            self.lines.append(f"{indent if at else label}{line}")


def _words(name: str, board: Species) -> str:
    """A board in a few words."""
    return ", ".join([f"board {name} (population {board.population}", *board.traits]) + ")"


def text(
    scene: Scene,
    *,
    since: "Scene | None" = None,
    unlike: "Scene | None" = None,
    coloured: bool = False,
) -> str:
    """The scene in lines of at most 80 columns, without a newline at the end.

    since: mark what has changed since this scene. unlike: mark in what it differs from this one.
    """
    writer = Writer(since or unlike, "→" if since else "≠", coloured)
    writer.scene(scene)
    return "\n".join(writer.lines)
