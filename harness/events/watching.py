"""An observer of a table that notes the kinds of what happens, cheaply: for guidance, not for reading."""

from evolution.observed import (
    BEFORE_STORE_FAT,
    BEFORE_WOUND,
    NO_FAT_USED,
    NOT_GROWN,
    NOTHING_EATEN,
    ObservedTable,
)
from evolution.species import Species
from evolution.table import Player, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from harness.events.attacks import Seen

    More = dict[str, Any]


class Notes:
    """The observer: what it is told of becomes events, also of what happened just before."""

    __slots__ = (
        "_attacker",
        "_deck",
        "_hole",
        "_last",
        "_last_board",
        "_last_player",
        "_players",
        "_twins",
        "seen",
    )

    def __init__(self, table: Table, seen: "Seen") -> None:
        """For what happens to this table from now on. It is not kept, only what lies on it."""
        self.seen = seen
        self._players = table.players
        self._deck = table.deck
        self._hole = table.hole
        ids = [player.id for player in table.players]
        self._twins = [player for player in table.players if ids.count(player.id) > 1]
        self._last = "start"
        self._attacker: Player | None = None
        self._last_player: Player | None = None
        self._last_board: Species | None = None

    def __call__(self, kind: str, player: "Any", at: "Any", more: "More") -> None:
        """Note what is told."""
        note = NOTES.get(kind)
        if note is not None:
            note(self, player, at, more)

    def _then(self, player: Player, what: str, board: "Species | None" = None) -> None:
        """Something happens to a player, after what happened last."""
        if board is not None and board is self._last_board:
            whose = "the same board"
        else:
            whose = "the same player" if player is self._last_player else "another player"
        self._last_board = board
        if player in self._twins:
            self.seen["equal ids", what] = None
        self.seen[self._last, "then", what, whose] = None
        self._last = what
        self._last_player = player

    def eat(self, player: Player, at: int, more: "More") -> None:
        """Note a token that is eaten, or why none is."""
        seen, boards, why, hole = self.seen, player.boards, more["why"], more["hole"]
        board = boards[at]
        full = board.food >= board.population
        if hole < self._hole:
            self._hole = hole
            outcome = "eats" if hole else "eats the last token"
            if full:
                outcome += " and is full"
            if why == "scavenger" and self._attacker not in (None, self._players[0]):
                seen["scavengers", "the attacker is not the first player"] = None
        elif full:
            outcome = "is full" if hole else "is full and the hole empty"
        else:
            outcome = "finds nothing"
        if why == "attack":
            self._attacker = player
        self._then(player, f"{why}: {outcome}", board)
        seen[why, outcome] = None
        for trait in board.traits:
            seen[why, outcome, trait] = None
        if _looks_like_another(player, board):
            seen["looks alike", why, outcome] = None
        if at + 1 == len(boards):
            seen[why, outcome, "nobody on its right"] = None
        else:
            right = boards[at + 1]
            hungry = "hungry" if right.food < right.population else "full"
            for trait in right.traits:
                seen[why, outcome, hungry, "right", trait] = None

    def wound(self, player: Player, place: int, more: "More") -> None:
        """Note an animal that is to die."""
        board, why = player.boards[place], more["why"]
        left = min(board.population - 1, 2)
        outcome = f"{left} left, {'full' if board.food == board.population else 'hungry'}"
        self._then(player, f"wound by {why}: {outcome}")
        where = f"{'first' if place == 0 else 'later'} of {min(len(player.boards), 3)}"
        self.seen["wound", why, outcome, where] = None
        for trait in board.traits:
            self.seen["wound", why, outcome, trait] = None
        if board.fat_food:
            self.seen["wound", why, outcome, "stored fat"] = None
        if left == 0:
            self._gap(player, place, why)
        if _looks_like_another(player, board):
            self.seen["looks alike", "wound", why] = None
        if why == "horns" and left == 0:
            self._killed_by_horns(player)

    def _gap(self, player: Player, place: int, why: str) -> None:
        """Note who lies beside a board that is removed."""
        beside = player.boards[max(0, place - 1) : place] + player.boards[place + 1 : place + 2]
        for board in beside:
            side = "right" if board is not player.boards[place - 1] or place == 0 else "left"
            hungry = "hungry" if board.food < board.population else "full"
            for trait in board.traits:
                self.seen["gap", why, side, hungry, trait] = None

    def _killed_by_horns(self, player: Player) -> None:
        """Note who would have eaten if the attacker had lived."""
        for other in self._players:
            whose = "its own" if other is player else "another"
            for board in other.boards:
                if self._hole and "scavenger" in board.traits and board.food < board.population:
                    self.seen["horns kill", whose, "hungry scavenger"] = None

    def draw(self, player: Player, at: None, more: "More") -> None:
        """Note cards that have come off the deck."""
        cards = len(more["cards"])
        deck = min(len(self._deck) + cards, 3)
        hand = min(len(player.hand) - cards, 2)
        self._then(player, f"draw of {min(deck, 2)}")
        self.seen["draw", f"deck {deck}", f"hand {hand}"] = None

    def store_fat(self, player: Player, at: int, more: "More") -> None:
        """Note tokens that are to be stored."""
        board = player.boards[at]
        tokens, hole = more["tokens"], more["hole"]
        self._hole = max(0, hole - tokens)
        fits = "fewer" if hole < tokens else "exact" if hole == tokens else "enough"
        self._then(player, f"store: {fits}")
        self.seen["store", fits, "first" if board.fat_food == 0 else "more"] = None
        for trait in board.traits:
            self.seen["store", fits, trait] = None

    def grow(self, player: Player, at: int, more: "More") -> None:
        """Note a population that grows."""
        board = player.boards[at]
        self._fertile(board, "full" if board.food == board.population - 1 else "hungry")

    def not_grown(self, player: Player, at: int, more: "More") -> None:
        """Note a population that cannot grow."""
        self._fertile(player.boards[at], "at the most")

    def _fertile(self, board: Species, outcome: str) -> None:
        hole = "empty hole" if self._hole == 0 else "tokens"
        self.seen["fertile", outcome, hole] = None
        for trait in board.traits:
            self.seen["fertile", outcome, hole, trait] = None

    def use_fat(self, player: Player, at: int, more: "More") -> None:
        """Note fat that is eaten, or why none is."""
        board = player.boards[at]
        tokens = more["tokens"]
        if not tokens:
            outcome = "no need" if board.fat_food else "none"
        elif board.fat_food:
            outcome = "part"
        else:
            outcome = "exact" if board.food == board.population else "all"
        self.seen["fat", outcome] = None
        for trait in board.traits:
            self.seen["fat", outcome, trait] = None

    def reveal(self, player: Player, at: None, more: "More") -> None:
        """Note a food card that is turned over."""
        food, before = more["food"], more["before"]
        self._hole = more["hole"]
        after = before + food
        outcome = "below 0" if after < 0 else "to 0" if after == 0 else "above 0"
        sign = "+" if food > 0 else "-" if food < 0 else "0"
        tokens = "empty" if before == 0 else "tokens"
        players = self._players
        who = "first" if player is players[0] else "last" if player is players[-1] else "middle"
        self.seen["reveal", sign, tokens, outcome, who] = None
        self._then(player, f"reveal {sign} {outcome}")


# What is noted of what the table tells.
NOTES: "dict[str, Callable[[Notes, Player, Any, More], None]]" = {
    "eat": Notes.eat,
    NOTHING_EATEN: Notes.eat,
    BEFORE_WOUND: Notes.wound,
    "draw": Notes.draw,
    BEFORE_STORE_FAT: Notes.store_fat,
    "grow": Notes.grow,
    NOT_GROWN: Notes.not_grown,
    "use fat": Notes.use_fat,
    NO_FAT_USED: Notes.use_fat,
    "reveal": Notes.reveal,
}


def noted(table: Table, seen: "Seen") -> ObservedTable:
    """The table with an observer that notes its changes as events."""
    return ObservedTable(table.players, table.hole, table.deck, Notes(table, seen))


def _looks_like_another(player: Player, board: Species) -> bool:
    """Whether the player has another board that is equal to this one."""
    for other in player.boards:
        if (
            other is not board
            and other.population == board.population
            and other.food == board.food
            and other.body == board.body
            and other.traits == board.traits
        ):
            return True
    return False
