"""A whole game in words: an observer that tells its story while it is played, or played again."""

import json

from evolution.feeding import state_of
from evolution.game import one_line
from evolution.table import Player, Table
from harness.explain.narrator import DEATHS, HOLE, Narrator
from harness.explain.programs import (
    Seen,
    in_words,
    tell_exchanges,
    tell_options,
    tell_silly_choice,
    tell_used_cards,
)
from harness.explain.story import Story
from harness.text import counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from evolution.cards import Card

    Scores = list[tuple[int, int, int, int, int]]

SILLY = "silly"  # the name of a player whose choices the rules explain
STARVATION = "starvation"
ENDS = {**DEATHS, STARVATION: ("nobody has eaten", "5.12")}


class GameStory(Narrator):
    """The observer. Players are called by their ids, boards by the places that they have at the time."""

    def __init__(self, names: list[str]) -> None:
        """The players' names by their ids, beginning with 1."""
        super().__init__(Story("xmain"))
        self._names = names
        self._table = Table([])
        self._hands: dict[int, tuple[Any, list[Card], int]] = {}

    def tell_names(self) -> None:
        """Tell who plays, unless there are only Silly players."""
        if {*self._names} != {SILLY}:
            shown = (one_line(json.dumps(name, ensure_ascii=False)) for name in self._names)
            self.tell(", ".join(f"player {number} is {name}" for number, name in enumerate(shown, 1)), "")

    # --- the turn ---------------------------------------------------------------------------------

    def _turn(self, turn: int, table: Table) -> None:
        self._table = table
        self.story.depth = 0
        order = ", ".join(str(player.id) for player in table.players)
        cards = counted(len(table.deck), "card")
        self.tell(
            f"turn {turn} begins; turn order {order}; {cards} in the deck, {table.hole} in the hole", "5.1"
        )
        self.story.depth = 1

    def _first_board(self, player: Player, board: int) -> None:
        title = self.title(player)
        self.tell(f"{title} has no board and gets one", "5.1", title, self.name(player, board))

    def _choose(self, player: Player, action: "Any") -> None:
        self._hands[player.id] = action, player.hand[:], len(player.boards)

    def _remark(self, player: Player, remark: str) -> None:
        title = self.title(player)
        self.tell(f"{title}: {remark}", "5.2", title)

    def _exchange(self, player: Player, boards: object, hand: "list[Card]") -> None:
        title = self.title(player)
        action, before, count = self._hands.pop(player.id)
        self.story.depth = 1
        self.tell(f"{title} exchanges its cards", "5.4", title)
        self.story.depth = 2
        tell_exchanges(self.story, title, before, count, action)
        tell_used_cards(self.story, title, len(before) - len(hand), hand)
        self.story.depth = 1

    # --- feeding ----------------------------------------------------------------------------------

    def _step(self, player: Player, hole: int, forced: object) -> None:
        title = self.title(player)
        self.story.depth = 1
        self.tell(f"{title} is to feed; {counted(hole, 'token')} in the hole", "4", title, HOLE)
        self.story.depth = 2
        if not hole:
            self.tell("there is no token left: nothing happens, and it is out", "4.2", title)
            return
        view = self._view(player)
        if tell_options(self.story, view) and self._names[player.id - 1] == SILLY:
            tell_silly_choice(self.story, view)

    def _view(self, player: Player) -> Seen:
        others = self._table.from_player(player)[1:]
        return Seen(
            state_of(self._table, player), self.title(player), [self.title(other) for other in others]
        )

    def _feed(self, player: Player, choice: "Any") -> None:
        title = self.title(player)
        if self._names[player.id - 1] != SILLY:
            self.tell(f"it answers: {in_words(choice, self._view(player))}", "4.2", title)

    def _out(self, player: Player) -> None:
        title = self.title(player)
        self.tell(f"{title} is out of this feeding cycle", "4.4", title)
        self.story.depth = 1

    def _wound(self, player: Player, board: int, why: str, population: int) -> None:
        words, rule = ENDS.get(why, (why, "3.4"))  # or a trait of somebody's own
        name = self.name(player, board)
        self.tell(f"{name} loses one population ({words}): {population} left", rule, name)

    def _extinct(self, player: Player, board: int, why: str) -> None:
        words, rule = ENDS.get(why, (why, "3.4"))  # or a trait of somebody's own
        name = self.name(player, board)
        if why == STARVATION:
            self.story.depth = 1
        self.tell(f"{name} is extinct ({words}), and its board is removed", rule, name)

    # --- the ends ---------------------------------------------------------------------------------

    def _end_of_turn(self, player: Player, board: int, starved: int, bag: int) -> None:
        self.story.depth = 1
        name = self.name(player, board)
        lost = f"loses {counted(starved, 'hungry animal')}, and " if starved else ""
        self.tell(
            f"at the end of the turn {name} {lost}brings its food home: the bag holds {bag}", "5.12", name
        )

    def _thrown_out(self, player: Player, reason: str) -> None:
        title = self.title(player)
        self.tell(f"{title} is thrown out, with its boards and its cards: {reason}", "6.3", title)

    def _scores(self, turn: int, scores: "Scores") -> None:
        self.story.depth = 1
        for number, *points in scores:
            title = f"player {number}"
            self.tell(f"after turn {turn} {title} has {_score(*points)}", "5.15", title)

    def _end(self, result: object, scores: "Scores") -> None:
        self.story.depth = 0
        deck = counted(len(self._table.deck), "card")
        why = f"the deck of {deck} cannot serve another turn" if self._table.players else "nobody is left"
        self.tell(f"the game ends: {why}", "5.14")
        self._tell_ranking(scores)

    def _tell_ranking(self, scores: "Scores") -> None:
        for rank, (number, *points) in enumerate(scores, 1):
            title = f"player {number}"
            self.tell(f"{title} is number {rank} and has {_score(*points)}", "5.15", title)


class PublicStory(GameStory):
    """The story as somebody hears it who sees the boards, and nobody's cards, bag or deck."""

    def _turn(self, turn: int, table: Table) -> None:
        self._table = table
        self.story.depth = 0
        order = ", ".join(str(player.id) for player in table.players)
        self.tell(f"turn {turn} begins; turn order {order}; {table.hole} in the hole", "5.1")
        self.story.depth = 1

    def _draw(self, player: Player, cards: "list[Card]") -> None:
        title = self.title(player)
        self.tell(f"{title} draws {counted(len(cards), 'card')}", "3.7", title)

    def _remark(self, player: Player, remark: str) -> None:
        """What was wrong with an answer may tell of the cards behind it."""

    def _exchange(self, player: Player, boards: object, hand: "list[Card]") -> None:
        title = self.title(player)
        self.tell(f"{title} exchanges its cards", "5.4", title)

    def _end_of_turn(self, player: Player, board: int, starved: int, bag: int) -> None:
        self.story.depth = 1
        name = self.name(player, board)
        lost = f"loses {counted(starved, 'hungry animal')}, and " if starved else ""
        self.tell(f"at the end of the turn {name} {lost}brings its food home", "5.12", name)

    def _thrown_out(self, player: Player, reason: str) -> None:
        title = self.title(player)
        self.tell(f"{title} is thrown out, with its boards and its cards", "6.3", title)

    def _scores(self, turn: int, scores: "Scores") -> None:
        self.story.depth = 0
        self.tell(f"turn {turn} is over", "5.12")

    def _end(self, result: "Any", scores: "Scores") -> None:
        """Everybody is told the result, and why somebody was thrown out."""
        self.story.depth = 0
        self.tell("the game ends", "5.14")
        self._tell_ranking(scores)
        for number, reason in result.thrown_out:
            title = f"player {number}"
            self.tell(f"{title} was thrown out: {reason}", "6.3", title)


def _score(points: int, bag: int, populations: int, traits: int) -> str:
    """A score and its parts."""
    return f"a score of {points}: {bag} (bag) + {populations} (populations) + {traits} (traits)"
