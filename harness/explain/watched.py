"""A table that tells what happens to it: each token's way and each card's way."""

from evolution.species import Species
from evolution.table import Player, Table
from evolution.traits import MOST
from harness.explain.story import OWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from evolution.cards import Card
    from harness.explain.story import Story

# What stands behind a token that is eaten, or an animal that dies: words, and their section.
WHY = {
    "choice": ("its turn", "3.1"),
    "attack": ("after its attack", "3.4"),
    "foraging": ("foraging: a second token", "3.2"),
    "cooperation": ("fed by its left neighbour's cooperation", "3.3"),
    "scavenger": ("scavenger", "3.6"),
    "long-neck": ("long-neck", "5.9"),
}
DEATHS = {"attack": ("it is attacked", "3.4"), "horns": ("the horns of its prey", "3.5")}
HOLE = "watering hole"


def counted(number: int, what: str) -> str:
    """A number with its noun."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def board_name(title: str, at: int) -> str:
    """What a player's board is called; the same as in `harness.judging.parts`."""
    return f"own board {at}" if title == OWN else f"{title}, board {at}"


def card_text(card: "Card") -> str:
    """A card as it is written."""
    return f'[{card[0]},"{card[1]}"]'


# Sentences that are told wherever such a thing happens.


def eaten(name: str, board: Species, hole: int, words: str) -> str:
    """A token that was eaten."""
    return (
        f"{name} eats one token ({words}): its food is {board.food} of {board.population}, "
        f"{hole} left in the hole"
    )


def drawn(title: str, cards: "list[Card]") -> str:
    """Cards that are drawn."""
    text = f"{title} draws {counted(len(cards), 'card')}"
    if not cards:
        return f"{text}: the deck is empty"
    return f"{text}, in this order in front of its hand: {' '.join(map(card_text, cards))}"


def stored(name: str, board: Species, tokens: int, hole: int) -> str:
    """Tokens that were stored."""
    return (
        f"{name} stores {counted(tokens, 'token')} as fat: its fat-food is {board.fat_food} of body "
        f"{board.body}, {hole} left in the hole"
    )


def fat_eaten(name: str, board: Species, tokens: int) -> str:
    """Fat that was eaten."""
    return (
        f"{name} eats {counted(tokens, 'token')} of its fat: its food is {board.food} of "
        f"{board.population}, its fat-food {board.fat_food}"
    )


def grown(name: str, population: int) -> str:
    """A population that grows."""
    return f"{name} is fertile: its population grows to {population}"


def revealed(title: str, food: int, before: int, hole: int) -> str:
    """A food card that was turned over."""
    text = f"{title}'s food card is {food:+}: the hole goes from {before} to {hole}"
    return f"{text}, since it never goes below 0" if before + food < 0 else text


class WatchedTable(Table):
    """A table whose every change goes into a story.

    Boards are called by the numbers that they have when they are numbered, though others may
    disappear in front of them later.
    """

    __slots__ = ("_of_board", "_titles", "story")

    def __init__(self, table: Table, titles: list[str], story: "Story") -> None:
        super().__init__(table.players, table.hole, table.deck)
        self.story = story
        self._titles = titles
        self._of_board: dict[Species, tuple[int, int]] = {}
        self.number_boards()

    def number_boards(self) -> None:
        """Call all boards by the places that they have now."""
        self._of_board = {
            board: (owner, at)
            for owner, player in enumerate(self.players)
            for at, board in enumerate(player.boards)
        }

    def title(self, player: Player) -> str:
        """What a player is called."""
        return self._titles[self.players.index(player)]

    def name(self, board: Species) -> str:
        """What a board is called."""
        owner, at = self._of_board[board]
        return board_name(self._titles[owner], at)

    def _event(self, kind: str, board: Species, **more: object) -> dict[str, object]:
        owner, at = self._of_board[board]
        return {"kind": kind, "player": owner, "board": at, **more}

    # --- what happens -------------------------------------------------------------------------

    def eat(self, player: Player, board: Species, why: str) -> int:
        """Tell of a token that is eaten, or why none is."""
        tokens = super().eat(player, board, why)
        words, rule = WHY.get(why, (why, "3.1"))
        name = self.name(board)
        if tokens:
            event = self._event("eat", board, why=why)
            self.story.tell(eaten(name, board, self.hole, words), rule, {name, HOLE}, event)
        else:
            reason = "it is not hungry" if board.food >= board.population else "the hole is empty"
            self.story.tell(f"{name} eats nothing ({words}): {reason}", rule, {name})
        return tokens

    def wound(self, player: Player, board: Species, why: str) -> None:
        """Tell of an animal that dies."""
        name = self.name(board)
        words, rule = DEATHS.get(why, (why, "3.4"))
        left = board.population - 1
        text = f"{name} loses one population ({words}): {left} left"
        if board.food > left:
            text += ", and the token of the dead animal goes with it"
        if left == 0:
            text += "; the species is extinct, and its board is removed"
        about = {name, self.title(player)}
        self.story.tell(text, rule, about, self._event("wound", board, why=why))
        super().wound(player, board, why)

    def draw(self, player: Player, count: int) -> None:
        """Tell of cards that come off the deck."""
        cards = self.deck[:count]
        title = self.title(player)
        text = drawn(title, cards)
        if 0 < len(cards) < count:
            text += "; the deck has no more"
        event = {"kind": "draw", "player": self.players.index(player), "count": len(cards)}
        self.story.tell(text, "3.7", {title, f"{title}, hand", "deck"}, event)
        super().draw(player, count)

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        """Tell of tokens that are stored."""
        taken = min(tokens, self.hole)
        super().store_fat(player, board, tokens)
        name = self.name(board)
        event = self._event("store", board, tokens=taken)
        self.story.tell(stored(name, board, taken, self.hole), "3.8", {name, HOLE}, event)

    def grow(self, player: Player, board: Species) -> None:
        """Tell of a population that grows."""
        name = self.name(board)
        if board.population == MOST:
            self.story.tell(f"{name} is fertile, but {MOST} is the most", "5.8", {name})
        else:
            text = grown(name, board.population + 1)
            self.story.tell(text, "5.8", {name}, self._event("grow", board))
        super().grow(player, board)

    def use_fat(self, player: Player, board: Species) -> None:
        """Tell of fat that is eaten."""
        before = board.food
        super().use_fat(player, board)
        moved = board.food - before
        name = self.name(board)
        if moved:
            event = self._event("use fat", board, tokens=moved)
            self.story.tell(fat_eaten(name, board, moved), "5.10", {name}, event)

    def reveal(self, player: Player, food: int) -> None:
        """Tell of a food card that is turned over."""
        before = self.hole
        super().reveal(player, food)
        text = revealed(self.title(player), food, before, self.hole)
        event = {"kind": "reveal", "player": self.players.index(player), "food": food}
        self.story.tell(text, "5.7", {HOLE}, event)
