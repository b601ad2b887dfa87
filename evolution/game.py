"""Whole games: turns, the end of the game, scores, and players that have to leave (rules 5 and 6).

The game owns the table and the order of play. Players are asked through the interface of
`evolution.players`; whatever one of them does wrong costs that player its seat and nothing else.
"""

from evolution.actions import Action4, execute
from evolution.cards import Card, full_deck
from evolution.feeding import IllegalChoice, feeding_cycle, feeding_step
from evolution.players import Start
from evolution.species import Species
from evolution.table import CARDS_FOR_EXTINCTION, Player, Table
from evolution.turn import food_revealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from evolution.feeding import Feeder
    from evolution.players import Player as Agent

FEWEST_PLAYERS, MOST_PLAYERS = 3, 8
CARDS_PER_TURN = 3
LONGEST_REASON = 300


class Result:
    """How a game ended: (id, score) in order of rank, and (id, reason) of those thrown out."""

    __slots__ = ("ranking", "thrown_out")

    def __init__(self, ranking: list[tuple[int, int]], thrown_out: list[tuple[int, str]]) -> None:
        self.ranking = ranking
        self.thrown_out = thrown_out

    def lines(self) -> list[str]:
        """The result in the words of xmain."""
        ranked = [
            f"{rank} player id: {number} score: {points}"
            for rank, (number, points) in enumerate(self.ranking, 1)
        ]
        return ranked + [f"- player id: {number} thrown out: {why}" for number, why in self.thrown_out]


def one_line(text: str) -> str:
    """The text, which a player may have written, as one harmless line of bounded length."""
    line = " ".join(text[: 4 * LONGEST_REASON].split())[:LONGEST_REASON]
    return "".join(one if one.isprintable() else "?" for one in line)


def score(player: Player) -> int:
    """Bag, populations and traits (rules 5.15)."""
    return player.bag + sum(board.population + len(board.traits) for board in player.boards)


def cards_needed(player: Player) -> int:
    """The cards that a player gets in step 1 (rules 5.1)."""
    return CARDS_PER_TURN + max(1, len(player.boards))


class Game:
    """One game from its first turn to its last."""

    def __init__(
        self,
        agents: "list[Agent]",
        deck: "list[Card] | None" = None,
        table: "Callable[[list[Player], int, list[Card]], Table]" = Table,
    ) -> None:
        """The players in turn order; the deck in card order unless another one is given.

        `table` makes the table to play on, for those who want to watch it.
        """
        seats = [Player(number, []) for number in range(1, len(agents) + 1)]
        self.table = table(seats[:], 0, full_deck() if deck is None else deck)
        self._seats = seats  # in turn order of the first turn
        self._agents = dict(zip(seats, agents, strict=True))
        self._thrown_out: list[tuple[int, str]] = []

    def play(self) -> Result:
        """Turn after turn until the deck cannot serve another one or nobody is left."""
        while self.table.players and self._deck_suffices():
            self.turn()
        result = self.result()
        for player in self.table.players:
            try:
                self._agents[player].game_over(result)
            except Exception:  # noqa: S110 (it has played to the end, and its score stands)
                pass
        return result

    def result(self) -> Result:
        """The ranking as the table lies now; equal scores in turn order of the first turn."""
        staying = [player for player in self._seats if player in self.table.players]
        ranking = [(player.id, score(player)) for player in staying]
        ranking.sort(key=lambda entry: -entry[1])
        return Result(ranking, self._thrown_out)

    def turn(self) -> None:
        """One whole turn."""
        self._step_1()
        self._steps_2_and_3()
        food_revealed(self.table)
        feeders = [self._agents[player] for player in self.table.players]
        feeding_cycle(self.table, feeders, self._feeding_step)
        self._end_of_turn()
        self._move_on()

    def _deck_suffices(self) -> bool:
        return len(self.table.deck) >= sum(map(cards_needed, self.table.players))

    def _step_1(self) -> None:
        """Boards for those without, cards for all; then everybody is told (rules 5.1)."""
        table = self.table
        for player in table.players:
            count = cards_needed(player)
            if not player.boards:
                player.boards.append(Species())
            table.draw(player, count)
        for player in table.players[:]:
            self._ask(player, "start", Start(table.hole, player.bag, player.boards, player.hand))

    def _steps_2_and_3(self) -> None:
        """All choose before any choice is carried out (rules 5.2 to 5.5, 5.7)."""
        actions = [(player, self._choice_of(player)) for player in self.table.players[:]]
        for player, action in actions:
            if action is None:
                continue
            try:
                food = execute(player, action)
            except Exception as problem:  # illegal, or an action made of something else than numbers
                self.throw_out(player, f"choose: {problem}")
            else:
                self.table.reveal(player, food)

    def _choice_of(self, player: Player) -> "Action4 | None":
        at = self.table.players.index(player)
        rows = [other.boards for other in self.table.players]
        answer = self._ask(player, "choose", rows[:at], rows[at + 1 :])
        if isinstance(answer, Action4):
            return answer
        if player in self.table.players:
            self.throw_out(player, f"choose: expected an Action4, found {type(answer).__name__}")
        return None

    def _feeding_step(self, table: Table, player: Player, feeder: "Feeder") -> bool:
        if player not in table.players:
            return False
        try:
            return feeding_step(table, player, feeder)
        except IllegalChoice as illegal:
            self.throw_out(player, f"feed_next: {illegal}")
        except Exception as problem:
            self.throw_out(player, f"feed_next: {problem}")
        return False

    def _end_of_turn(self) -> None:
        """Who has not eaten dies; food goes to the bags (rules 5.12)."""
        table = self.table
        for player in table.players:
            for board in player.boards[:]:
                board.population = board.food
                if board.population == 0:
                    player.boards.remove(board)
                    table.draw(player, CARDS_FOR_EXTINCTION)
                else:
                    player.bag += board.food
                    board.food = 0

    def _move_on(self) -> None:
        """The first of the remaining players moves to the end of the order (rules 5.13)."""
        players = self.table.players
        players[:] = players[1:] + players[:1]

    # --- players that have to leave (rules 6) ----------------------------------------------------

    def _ask(self, player: Player, request: str, *arguments: object) -> object:
        """The player's answer; None, and the player is thrown out, if it fails to give one."""
        try:
            return getattr(self._agents[player], request)(*arguments)
        except Exception as problem:
            self.throw_out(player, f"{request}: {problem}")
            return None

    def throw_out(self, player: Player, reason: str) -> None:
        """The player leaves with its boards and its cards; the others go on."""
        self.table.players.remove(player)
        self._thrown_out.append((player.id, one_line(reason)))
