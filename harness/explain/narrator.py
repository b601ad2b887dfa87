"""Observers of a table that tell what happens to it: each token's way and each card's way."""

from evolution.species import Species
from evolution.table import CARDS_FOR_EXTINCTION, Player
from evolution.traits import MOST
from harness.explain.story import OWN
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.cards import Card
    from harness.explain.story import Event, Story

# Why a token is eaten, or an animal dies: in words, and by a section of the rules.
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


def board_name(title: str, at: int) -> str:
    """What a player's board is called; the same as in `harness.judging.parts`."""
    return f"own board {at}" if title == OWN else f"{title}, board {at}"


def card_text(card: "Card") -> str:
    """A card as it is written."""
    return f'[{card[0]},"{card[1]}"]'


class Narrator:
    """An observer that puts into a story what is told alike of every table."""

    def __init__(self, story: "Story") -> None:
        self.story = story

    def __call__(
        self, kind: str, player: "Player | None", board: "int | None", more: "dict[str, Any]"
    ) -> None:
        """Tell of what happens; what has no teller is not told."""
        teller = getattr(self, f"_{kind.replace(' ', '_')}", None)
        if teller is not None:
            whom = [each for each in (player, board) if each is not None]
            teller(*whom, **more)

    def title(self, player: Player) -> str:
        """What a player is called."""
        return f"player {player.id}"

    def name(self, player: Player, board: int) -> str:
        """What a board is called."""
        return board_name(self.title(player), board)

    def event(self, kind: str, player: Player, board: "int | None" = None, **more: object) -> "Event | None":
        """What moved, as data."""
        return None

    def tell(self, text: str, rule: str, *about: str, event: "Event | None" = None) -> None:
        """Add a step to the story."""
        self.story.tell(text, rule, set(about), event)

    def _draw(self, player: Player, cards: "list[Card]") -> None:
        title = self.title(player)
        text = f"{title} draws {counted(len(cards), 'card')}"
        if not cards:
            text += ": the deck is empty"
        else:
            text += f", in this order in front of its hand: {' '.join(map(card_text, cards))}"
            if len(cards) < CARDS_FOR_EXTINCTION:
                text += "; the deck has no more"
        event = self.event("draw", player, count=len(cards))
        self.tell(text, "3.7", title, f"{title}, hand", "deck", event=event)

    def _reveal(self, player: Player, food: int, before: int, hole: int) -> None:
        text = f"{self.title(player)}'s food card is {food:+}: the hole goes from {before} to {hole}"
        if before + food < 0:
            text += ", since it never goes below 0"
        self.tell(text, "5.7", HOLE, event=self.event("reveal", player, food=food))

    def _eat(self, player: Player, board: int, why: str, hole: int) -> None:
        words, rule = WHY.get(why, (why, "3.1"))
        name, eater = self.name(player, board), player.boards[board]
        text = (
            f"{name} eats one token ({words}): its food is {eater.food} of {eater.population}, "
            f"{hole} left in the hole"
        )
        self.tell(text, rule, name, HOLE, event=self.event("eat", player, board, why=why))

    def _store_fat(self, player: Player, board: int, tokens: int, hole: int) -> None:
        name, store = self.name(player, board), player.boards[board]
        text = (
            f"{name} stores {counted(tokens, 'token')} as fat: its fat-food is {store.fat_food} of body "
            f"{store.body}, {hole} left in the hole"
        )
        self.tell(text, "3.8", name, HOLE, event=self.event("store", player, board, tokens=tokens))

    def _use_fat(self, player: Player, board: int, tokens: int) -> None:
        name, eater = self.name(player, board), player.boards[board]
        text = (
            f"{name} eats {counted(tokens, 'token')} of its fat: its food is {eater.food} of "
            f"{eater.population}, its fat-food {eater.fat_food}"
        )
        self.tell(text, "5.10", name, event=self.event("use fat", player, board, tokens=tokens))

    def _grow(self, player: Player, board: int, population: int) -> None:
        name = self.name(player, board)
        text = f"{name} is fertile: its population grows to {population}"
        self.tell(text, "5.8", name, event=self.event("grow", player, board))


class StepNarrator(Narrator):
    """The narrator of an input of a program, who tells also why something does not happen.

    Boards are called by the numbers that they have when they are numbered, though others may
    disappear in front of them later.
    """

    def __init__(self, story: "Story", players: list[Player], titles: list[str]) -> None:
        super().__init__(story)
        self._players = players
        self._titles = titles
        self._numbers: dict[Species, int] = {}
        self.number_boards()

    def number_boards(self) -> None:
        """Call all boards by the places that they have now."""
        self._numbers = {board: at for player in self._players for at, board in enumerate(player.boards)}

    def title(self, player: Player) -> str:
        """What a player is called."""
        return self._titles[self._players.index(player)]

    def name(self, player: Player, board: int) -> str:
        """What a board is called."""
        return board_name(self.title(player), self._numbers[player.boards[board]])

    def event(self, kind: str, player: Player, board: "int | None" = None, **more: object) -> "Event | None":
        """What moved, as data, with the numbers of the player and the board."""
        whom: Event = {"kind": kind, "player": self._players.index(player)}
        if board is not None:
            whom["board"] = self._numbers[player.boards[board]]
        return {**whom, **more}

    def _nothing_eaten(self, player: Player, board: int, why: str, hole: int) -> None:
        words, rule = WHY.get(why, (why, "3.1"))
        name, eater = self.name(player, board), player.boards[board]
        reason = "it is not hungry" if eater.food >= eater.population else "the hole is empty"
        self.tell(f"{name} eats nothing ({words}): {reason}", rule, name)

    def _not_grown(self, player: Player, board: int, population: int) -> None:
        name = self.name(player, board)
        self.tell(f"{name} is fertile, but {MOST} is the most", "5.8", name)

    def _before_wound(self, player: Player, board: int, why: str) -> None:
        name, victim = self.name(player, board), player.boards[board]
        words, rule = DEATHS.get(why, (why, "3.4"))
        left = victim.population - 1
        text = f"{name} loses one population ({words}): {left} left"
        if victim.food > left:
            text += ", and the token of the dead animal goes with it"
        if left == 0:
            text += "; the species is extinct, and its board is removed"
        self.tell(text, rule, name, self.title(player), event=self.event("wound", player, board, why=why))
