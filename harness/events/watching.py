"""A table that notes the kinds of what happens to it, cheaply: for guidance, not for reading."""

from evolution.species import Species
from evolution.table import Player, Table
from evolution.traits import MOST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from harness.events.attacks import Seen


class NotingTable(Table):
    """A table whose changes are noted as events. `last` is what happened just before."""

    __slots__ = ("_attacker", "_last", "_last_board", "_last_player", "_twins", "seen")

    def __init__(self, table: Table, seen: "Seen") -> None:
        super().__init__(table.players, table.hole, table.deck)
        self.seen = seen
        ids = [player.id for player in table.players]
        self._twins = [player for player in table.players if ids.count(player.id) > 1]
        self._last = "start"
        self._attacker: Player | None = None
        self._last_player: Player | None = None
        self._last_board: Species | None = None

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

    def eat(self, player: Player, board: Species, why: str) -> int:
        """Note a token that is eaten, or why none is."""
        eaten = Table.eat(self, player, board, why)
        if eaten:
            outcome = "eats" if self.hole else "eats the last token"
            if board.food == board.population:
                outcome += " and is full"
        elif board.food >= board.population:
            outcome = "is full" if self.hole else "is full and the hole empty"
        else:
            outcome = "finds nothing"
        if why == "scavenger" and self._attacker not in (None, self.players[0]) and eaten:
            self.seen["scavengers", "the attacker is not the first player"] = None
        if why == "attack":
            self._attacker = player
        self._then(player, f"{why}: {outcome}", board)
        self.seen[why, outcome] = None
        for trait in board.traits:
            self.seen[why, outcome, trait] = None
        if _looks_like_another(player, board):
            self.seen["looks alike", why, outcome] = None
        right = player.right_of(board)
        if right is None:
            self.seen[why, outcome, "nobody on its right"] = None
        else:
            hungry = "hungry" if right.food < right.population else "full"
            for trait in right.traits:
                self.seen[why, outcome, hungry, "right", trait] = None
        return eaten

    def wound(self, player: Player, board: Species, why: str) -> None:
        """Note an animal that dies."""
        left = min(board.population - 1, 2)
        outcome = f"{left} left, {'full' if board.food == board.population else 'hungry'}"
        self._then(player, f"wound by {why}: {outcome}")
        place = player.boards.index(board)
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
        Table.wound(self, player, board, why)

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
        for other in self.players:
            whose = "its own" if other is player else "another"
            for board in other.boards:
                if self.hole and "scavenger" in board.traits and board.food < board.population:
                    self.seen["horns kill", whose, "hungry scavenger"] = None

    def draw(self, player: Player, count: int) -> None:
        """Note cards that come off the deck."""
        deck = min(len(self.deck), 3)
        hand = min(len(player.hand), 2)
        self._then(player, f"draw of {min(deck, 2)}")
        self.seen["draw", f"deck {deck}", f"hand {hand}"] = None
        Table.draw(self, player, count)

    def store_fat(self, player: Player, board: Species, tokens: int) -> None:
        """Note tokens that are stored."""
        fits = "fewer" if self.hole < tokens else "exact" if self.hole == tokens else "enough"
        self._then(player, f"store: {fits}")
        self.seen["store", fits, "first" if board.fat_food == 0 else "more"] = None
        for trait in board.traits:
            self.seen["store", fits, trait] = None
        Table.store_fat(self, player, board, tokens)

    def grow(self, player: Player, board: Species) -> None:
        """Note a population that grows."""
        outcome = (
            "at the most"
            if board.population == MOST
            else "full"
            if board.food == board.population
            else "hungry"
        )
        hole = "empty hole" if self.hole == 0 else "tokens"
        self.seen["fertile", outcome, hole] = None
        for trait in board.traits:
            self.seen["fertile", outcome, hole, trait] = None
        Table.grow(self, player, board)

    def use_fat(self, player: Player, board: Species) -> None:
        """Note fat that is eaten."""
        need, fat = board.population - board.food, board.fat_food
        outcome = (
            "none"
            if not fat
            else "no need"
            if not need
            else "all"
            if fat < need
            else "exact"
            if fat == need
            else "part"
        )
        self.seen["fat", outcome] = None
        for trait in board.traits:
            self.seen["fat", outcome, trait] = None
        Table.use_fat(self, player, board)

    def reveal(self, player: Player, food: int) -> None:
        """Note a food card that is turned over."""
        after = self.hole + food
        outcome = "below 0" if after < 0 else "to 0" if after == 0 else "above 0"
        sign = "+" if food > 0 else "-" if food < 0 else "0"
        before = "empty" if self.hole == 0 else "tokens"
        who = "first" if player is self.players[0] else "last" if player is self.players[-1] else "middle"
        self.seen["reveal", sign, before, outcome, who] = None
        self._then(player, f"reveal {sign} {outcome}")
        Table.reveal(self, player, food)


def _looks_like_another(player: Player, board: Species) -> bool:
    """Whether the player has another board that is equal to this one."""
    return any(
        other is not board
        and other.population == board.population
        and other.food == board.food
        and other.body == board.body
        and other.traits == board.traits
        for other in player.boards
    )
