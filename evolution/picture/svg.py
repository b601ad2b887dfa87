"""A scene as SVG: one pure function, in the way of a board printed on paper.

Every element has a CSS class, and the picture scales to any width. It can be marked what has changed
since another scene, or in what the scene is unlike another one.
"""

from evolution.picture.comparing import Counterpart, counterparts, new_cards
from evolution.picture.scene import Scene, Seat, number, wrapped
from evolution.picture.symbols import COUNT, FIRST_ROW, ROW, STYLE, symbol, tokens
from evolution.species import Species

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from evolution.cards import Card

COLUMNS = 5  # boards beside each other
MARGIN = 12
BOARD = 198  # how wide a board is
STRIDE = BOARD + 8  # from a board to the next
CARD = 126  # from a card to the next
LINE = 15
CHIP = 18
MOST_CHIPS = 8  # cards of a hand or deck that are chips; the others are in words
MOST_DOTS = 18  # tokens in the hole that are drawn; beyond, the number alone says how many
LETTER = 6.2  # how wide a letter is, about
TITLE_LETTER = 7  # of a title
ACTS = 36  # what the word has of a title's line

START = '<svg xmlns="http://www.w3.org/2000/svg" class="e-picture"'  # how every picture begins

# How a role looks: the class of its board.
ROLES = {"attacker": " e-attacker", "target": " e-target", "is fed": " e-fed", "stores fat": " e-fed"}


def escaped(text: str) -> str:
    """The text as it may stand in SVG; what XML has no place for becomes a mark."""
    if text.isascii() and text.isalnum():
        return text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return text if text.isprintable() else "".join([one if one.isprintable() else "\ufffd" for one in text])


class Drawing:
    """A picture that is being drawn, from its top to its bottom."""

    __slots__ = ("_mark", "_other", "_parts", "_sign", "_wide", "columns", "high", "used", "wide")

    def __init__(self, columns: int, other: "Scene | None", mark: str) -> None:
        self.columns = columns
        self.wide = columns * STRIDE - 8 + 2 * MARGIN
        self.high = 0
        self.used: set[str] = set()
        self._parts: list[str] = []
        self._other = other
        self._mark = mark  # the class of what is not as in the other scene
        self._sign = "→" if mark == "e-changed" else "≠"
        self._wide = int((self.wide - 2 * MARGIN) / LETTER)

    def scene(self, scene: Scene) -> str:
        """Everything."""
        beside = counterparts(scene, self._other) if self._other else [None] * len(scene.seats)
        self.high = MARGIN
        if scene.hole is not None:
            self._hole(scene.hole)
        for at, (seat, counterpart) in enumerate(zip(scene.seats, beside, strict=True)):
            self._seat(seat, counterpart, at == scene.acting)
        if scene.deck is not None:
            self._deck(scene.deck)
        self.high += MARGIN - 8
        return "".join(self._parts)

    def _text(self, kind: str, x: int, y: int, text: str) -> None:
        self._parts.append(f'<text class="{kind}" x="{x}" y="{y}">{escaped(text)}</text>')

    def _differing(self, kind: str, differs: bool) -> str:
        return f"{kind} {self._mark}" if differs else kind

    def _counted(self, value: int, was: "int | None") -> str:
        """A number, with what it was or should be if that is something else."""
        if self._other is None or was is None or was == value:
            return number(value)
        return f"{number(was)}{self._sign}{number(value)}"

    # --- between the seats -----------------------------------------------------------------------

    def _hole(self, hole: int) -> None:
        was = self._other.hole if self._other else None
        differs = self._other is not None and was != hole
        self._text("e-title", MARGIN, self.high + 11, "watering hole")
        x = MARGIN + 102
        if 0 < hole <= min(MOST_DOTS, (self.wide - 174) // 12):
            self._parts.append(f'<path class="e-food" d="{tokens(x + 5, self.high + 7, "h0", hole)}"/>')
            x += 12 * hole + 6
        self._text(self._differing("e-hole", differs), x, self.high + 11, self._counted(hole, was))
        self.high += 24

    def _deck(self, deck: "list[Card]") -> None:
        other = self._other.deck if self._other else None
        differs = self._other is not None and other != deck
        was = None if other is None else len(other)
        count = self._counted(len(deck), was)
        self._text(
            self._differing("e-deck", differs), MARGIN, self.high + 11, _cards("deck", count, len(deck))
        )
        self.high += LINE + 3
        self._cards(deck, new_cards(deck, other) if self._other else set())
        self.high += 8

    def _cards(self, cards: "list[Card]", new: set[int]) -> None:
        """Cards in rows, those in `new` marked."""
        used, parts = self.used, self._parts
        row = (self.wide - 2 * MARGIN) // CARD
        chips = cards[:MOST_CHIPS]
        for first in range(0, len(chips), row):
            parts.append(f'<g class="e-cards" transform="translate(0 {self.high + 12})">')
            x = MARGIN
            for at, (food, trait) in enumerate(chips[first : first + row], first):
                used.add(f"e-{trait}")
                kind = self._differing("e-value", at in new)
                parts.append(
                    f'<use class="e-card" href="#e-{trait}" x="{x}"/>'
                    f'<text class="{kind}" x="{x + 100}">{number(food)}</text>'
                )
                x += CARD
            parts.append("</g>")
            self.high += CHIP
        rest = [
            f"{trait} {number(food)}{'*' if at in new else ''}"
            for at, (food, trait) in enumerate(cards[MOST_CHIPS:], MOST_CHIPS)
        ]
        for line in wrapped(rest, ", ", self._wide):
            self._text("e-more", MARGIN, self.high + 10, line)
            self.high += LINE

    # --- a seat ------------------------------------------------------------------------------------

    def _seat(self, seat: Seat, counterpart: "Counterpart | None", acts: bool) -> None:
        parts, top = self._parts, self.high
        place = len(parts)
        other = counterpart.seat if counterpart else None
        parts.append("")  # what goes round it, when its height is known
        self.high += 16
        self._title(seat, other, counterpart is not None, ACTS if acts else 0)
        if acts:
            self._text("e-role", self.wide - MARGIN, top + 16, "acts")
        self.high += 8
        self._notes(seat, counterpart)
        boards = counterpart.boards if counterpart else seat.boards
        for first in range(0, len(seat.boards), self.columns):
            self._boards(seat, boards, first)
        if not seat.boards:
            self._text("e-fact", MARGIN, self.high + 10, "no boards")
            self.high += LINE + 3
        if seat.hand is not None:
            self._hand(seat.hand, counterpart)
        kind = "e-seat e-acts" if acts else "e-seat"
        parts[place] = (
            f'<g class="{kind}"><rect class="e-ground" x="4" y="{top}" width="{self.wide - 8}" '
            f'height="{self.high - top}" rx="8"/>'
        )
        parts.append("</g>")
        self.high += 8

    def _title(self, seat: Seat, other: "Seat | None", is_compared: bool, taken: int) -> None:
        """What the seat is called and, behind it if there is room, its bag."""
        kind = self._differing("e-title", is_compared and (other is None or other.title != seat.title))
        *lines, last = wrapped(seat.title.split(" "), " ", (self.wide - 2 * MARGIN - taken) // TITLE_LETTER)
        for line in lines:
            self._text(kind, MARGIN, self.high, line)
            self.high += LINE
        if seat.bag is None:
            self._text(kind, MARGIN, self.high, last)
            return
        was = other.bag if other else None
        fact = self._differing("e-fact", other is not None and was != seat.bag)
        place = f'x="{MARGIN}" dy="{LINE}"' if self.columns == 1 else 'dx="10"'
        self._parts.append(
            f'<text class="{kind}" x="{MARGIN}" y="{self.high}">{escaped(last)} '
            f'<tspan class="{fact}" {place}>bag {self._counted(seat.bag, was)}</tspan></text>'
        )
        self.high += LINE if self.columns == 1 else 0

    def _notes(self, seat: Seat, counterpart: "Counterpart | None") -> None:
        others = counterpart.seat.notes if counterpart and counterpart.seat else []
        notes = [(note, bool(counterpart) and note not in others) for note in seat.notes]
        if counterpart and counterpart.seat:
            verb = "gone" if self._sign == "→" else "not here"
            notes += [(f"{verb}: board {counterpart.seat.names[at]}", True) for at in counterpart.gone]
        for note, differs in notes:
            for line in wrapped(note.split(" "), " ", self._wide):
                self._text(self._differing("e-note", differs), MARGIN, self.high + 10, line)
                self.high += LINE
        self.high += 4 if notes else 0

    def _hand(self, hand: "list[Card]", counterpart: "Counterpart | None") -> None:
        other = counterpart.seat.hand if counterpart and counterpart.seat else None
        was = None if other is None else len(other)
        kind = self._differing("e-hand", other is not None and other != hand)
        self._text(kind, MARGIN, self.high + 10, _cards("hand", self._counted(len(hand), was), len(hand)))
        self.high += LINE
        self._cards(hand, counterpart.new_cards if counterpart and other is not None else set())
        self.high += 6

    # --- boards ------------------------------------------------------------------------------------

    def _boards(self, seat: Seat, counterparts: "list[Species] | list[Species | None]", first: int) -> None:
        """One row of boards, all as high as the highest."""
        row = seat.boards[first : first + self.columns]
        others = counterparts[first : first + self.columns]
        lost = self._other is not None and self._mark == "e-changed"
        gone = [
            [trait for trait in other.traits if trait not in board.traits] if lost and other else []
            for board, other in zip(row, others, strict=True)
        ]
        high = max(
            [
                FIRST_ROW + 4 + ROW * _rows(board) + CHIP * (len(board.traits) + len(traits))
                for board, traits in zip(row, gone, strict=True)
            ]
        )
        for at, (board, other) in enumerate(zip(row, others, strict=True)):
            kind, role = "e-board", seat.roles.get(first + at, "")
            kind += ROLES.get(role, "")
            if other is not board and not _alike(board, other):
                kind += f" {self._mark}"
                if other is None:
                    role = ", ".join(filter(None, (role, "new" if lost else "only here")))
            self._parts.append(
                f'<g class="{kind}" transform="translate({MARGIN + at * STRIDE} {self.high})">'
                f'<rect class="e-sheet" width="{BOARD}" height="{high}" rx="6"/>'
                f'<text class="e-index" x="8" y="15">{escaped(seat.names[first + at])}</text>'
            )
            if role:
                self._text("e-role", COUNT, 15, role)
            self._board(board, other or board, gone[at])
        self.high += high + 8

    def _board(self, board: Species, other: Species, gone: list[str]) -> None:
        used, parts = self.used, self._parts
        rows = [
            ("population", board.population, other.population),
            ("food", board.food, other.food),
            ("body", board.body, other.body),
        ]
        if _rows(board) == 4:
            rows.append(("fat", board.fat_food, other.fat_food))
        y = FIRST_ROW
        for what, count, was in rows:
            if count != was:
                parts.append(
                    f'<rect class="{self._mark}" x="4" y="{y}" width="{BOARD - 8}" height="14" rx="4"/>'
                    f'<text class="e-from {self._mark}" x="{COUNT - 9}" y="{y + 10}">{was}{self._sign}</text>'
                )
            name = f"e-{what[:2]}{count}"
            used.add(name)
            parts.append(f'<use class="e-row" href="#{name}"/>')
            y += ROW
        if len(rows) == 4 and board.body > board.fat_food:
            places = tokens(82 + 12 * board.fat_food, y - ROW + 6.5, "h0", board.body - board.fat_food)
            parts.append(f'<path class="e-free" d="{places}"/>')
        y += 14
        for trait in board.traits:
            used.add(f"e-{trait}")
            parts.append(f'<use class="e-trait" href="#e-{trait}" x="8" y="{y}"/>')
            if trait not in other.traits:
                self._text(f"e-from {self._mark}", COUNT, y, "new" if self._sign == "→" else "only here")
            y += CHIP
        for trait in gone:
            used.add(f"e-{trait}")
            parts.append(f'<use class="e-trait e-gone" href="#e-{trait}" x="8" y="{y}"/>')
            self._text(f"e-from {self._mark}", COUNT, y, "lost")
            y += CHIP
        parts.append("</g>")


def _rows(board: Species) -> int:
    """How many rows of tokens a board has: one for fat if it can have any."""
    return 4 if board.fat_food or "fat-tissue" in board.traits else 3


def _alike(board: Species, other: "Species | None") -> bool:
    return other is not None and (
        (board.food, board.body, board.population, board.fat_food)
        == (other.food, other.body, other.population, other.fat_food)
        and sorted(board.traits) == sorted(other.traits)
    )


def _cards(what: str, count: str, number_of: int) -> str:
    return f"{what}: {count} {'card' if number_of == 1 else 'cards'}"


def columns_for(scene: Scene) -> int:
    """How many boards stand beside each other, if nobody says."""
    return min(COLUMNS, max(2, *(len(seat.boards) for seat in scene.seats), 2))


def svg(
    scene: Scene,
    *,
    since: "Scene | None" = None,
    unlike: "Scene | None" = None,
    columns: "int | None" = None,
    label: str = "a table of the game Evolution",
) -> str:
    """The scene as an SVG document.

    since: mark what has changed since this scene, and from what. unlike: mark in what the scene differs
    from this one. columns: how many boards stand beside each other. label: what it is a picture of, for
    those who do not see it.
    """
    drawing = Drawing(columns or columns_for(scene), since or unlike, "e-changed" if since else "e-differs")
    body = drawing.scene(scene)
    return _document(body, drawing.used, drawing.wide, drawing.high, label)


def panels(titled: "Sequence[tuple[str, Scene, Scene | None]]", label: str) -> str:
    """Scenes beside each other in one SVG document: each has a title, and a scene that it is to be unlike.

    All are as wide as the one with the most boards or cards beside each other.
    """
    parts, used, x, high = [], set[str](), 0, 0
    seats = [seat for _, scene, _ in titled for seat in scene.seats]
    columns = min(COLUMNS, max([1, *(max(len(seat.boards), min(2, len(seat.hand or []))) for seat in seats)]))
    for title, scene, unlike in titled:
        drawing = Drawing(columns, unlike, "e-differs")
        body = drawing.scene(scene)
        used |= drawing.used
        parts.append(
            f'<g class="e-panel" transform="translate({x} 0)"><text class="e-title" x="{MARGIN}" y="18">'
            f'{escaped(title)}</text><g class="e-scene" transform="translate(0 18)">{body}</g></g>'
        )
        x, high = x + drawing.wide + MARGIN, max(high, drawing.high + 18)
    return _document("".join(parts), used, x - MARGIN, high, label)


def _document(body: str, used: set[str], wide: int, high: int, label: str) -> str:
    symbols = "".join([symbol(name) for name in sorted(used)])
    return (
        f'{START} viewBox="0 0 {wide} {high}" role="img" aria-label="{escaped(label)}">'
        f'<style class="e-style">{STYLE}</style><defs class="e-symbols">{symbols}</defs>'
        f'<rect class="e-paper" width="{wide}" height="{high}"/>{body}</svg>'
    )
