"""Whole games: turns, the end of the game, scores, and players that have to leave (rules 5 and 6).

The game owns the table and the order of play. Players are asked through the interface of
`evolution.player`; whatever one of them does wrong costs that player its seat and nothing else.
"""

from evolution.actions import Action4, execute
from evolution.cards import Card, full_deck
from evolution.choices import DECLINE, FeedingChoice, State
from evolution.feeding import IllegalChoice, feeding_cycle, feeding_step, forced_choice, state_of
from evolution.player import Start, View
from evolution.table import Player, Table
from evolution.traits import TraitError
from evolution.turn import food_revealed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from evolution.feeding import Feeder
    from evolution.observed import Observer
    from evolution.player import Player as Agent

FEWEST_PLAYERS, MOST_PLAYERS = 3, 8
CARDS_PER_TURN = 3
LONGEST_REASON = 300

# The beginning, and what changes a board or the hole: what the players that have `changed` hear of.
CHANGES = frozenset(
    {
        "game",
        "first board",
        "exchange",
        "reveal",
        "grow",
        "use fat",
        "eat",
        "store fat",
        "wound",
        "extinct",
        "end of turn",
        "thrown out",
    }
)


class Result:
    """How a game ended: (id, score) in order of rank, and (id, reason) of those thrown out.

    ranking: list[tuple[int, int]], pairs of id and score, the best one first.
    thrown_out: list[tuple[int, str]], pairs of id and reason.
    players: list[Player], those of the ranking as they are at the end, with nothing hidden.
    place: int, which of them is told.

    A result is also the sequence of its ranking.
    """

    __slots__ = ("place", "players", "ranking", "thrown_out")

    def __init__(
        self,
        ranking: list[tuple[int, int]],
        thrown_out: list[tuple[int, str]],
        players: "list[Player] | None" = None,
        place: int = 0,
    ) -> None:
        self.ranking = ranking
        self.thrown_out = thrown_out
        self.players: list[Player] = [] if players is None else players
        self.place = place

    def __iter__(self) -> "Iterator[tuple[int, int]]":
        return iter(self.ranking)

    def __getitem__(self, rank: int) -> tuple[int, int]:
        return self.ranking[rank]

    def told_to(self, player: Player) -> "Result":
        """The result as this player is told it: with its own place in it."""
        return Result(self.ranking, self.thrown_out, self.players, self.players.index(player))

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


def words_of(problem: BaseException) -> str:
    """What an exception says, whatever it does when it is asked."""
    try:
        return str(problem)
    except Exception:
        return "an exception that does not say what is wrong"


def score_parts(player: Player) -> tuple[int, int, int]:
    """What a score is the sum of: the bag, all populations, and the number of traits (rules 5.15)."""
    populations = sum(board.population for board in player.boards)
    return player.bag, populations, sum(len(board.traits) for board in player.boards)


def score(player: Player) -> int:
    """Bag, populations and traits (rules 5.15)."""
    return sum(score_parts(player))


def scores(players: list[Player]) -> list[tuple[int, int, int, int, int]]:
    """The id of each player, its score, and the parts of it."""
    return [(player.id, score(player), *score_parts(player)) for player in players]


def cards_needed(player: Player) -> int:
    """The cards that a player gets in step 1 (rules 5.1)."""
    return CARDS_PER_TURN + max(1, len(player.boards))


class _Overheard:
    """A feeder whose choices somebody else hears before they are carried out."""

    __slots__ = ("_feeder", "_tell")

    def __init__(self, feeder: "Feeder", tell: "Callable[[FeedingChoice], None]") -> None:
        self._feeder = feeder
        self._tell = tell

    def feed_next(self, state: State) -> "FeedingChoice | None":
        """The feeder's choice."""
        choice = self._feeder.feed_next(state)
        told = choice or DECLINE
        if isinstance(told, FeedingChoice) and all(type(getattr(told, at)) is int for at in told.__slots__):
            self._tell(told)  # anything else is no choice, and will be complained of
        return choice


class Game:
    """One game from its first turn to its last."""

    def __init__(
        self,
        agents: "list[Agent]",
        deck: "list[Card] | None" = None,
        observer: "Observer | None" = None,
    ) -> None:
        """The players in turn order; the deck in card order unless another one is given.

        `observer` is told of everything that happens, when it has happened.
        """
        seats = [Player(number, []) for number in range(1, len(agents) + 1)]
        self._seats = seats  # in turn order of the first turn
        self._agents = dict(zip(seats, agents, strict=True))
        self._thrown_out: list[tuple[int, str]] = []
        self._observer = observer
        self._listeners = {
            player: changed
            for player, agent in self._agents.items()
            if callable(changed := getattr(agent, "changed", None))
        }
        self._deaf: list[tuple[Player, str]] = []  # listeners that have failed, and how
        self._watched = bool(observer or self._listeners)
        self._turns = 0
        self.table = self._laid(seats[:], full_deck() if deck is None else deck)

    def _laid(self, players: list[Player], deck: list[Card]) -> Table:
        """The table to play on: one that tells what happens, if anybody wants to know."""
        if not self._watched:
            return Table(players, 0, deck)
        from evolution.observed import NO_CHANGES, ObservedTable

        def happened(
            kind: str, player: "Player | None", board: "int | None", more: dict[str, object]
        ) -> None:
            if kind not in NO_CHANGES:
                self._happened(kind, player, board, more)

        return ObservedTable(players, 0, deck, happened)

    def play(self) -> Result:
        """Turn after turn until the deck cannot serve another one or nobody is left."""
        if self._watched:
            listening = [player.id for player in self._listeners]
            self._happened("game", None, None, {"deck": self.table.deck, "listening": listening})
            self._throw_out_deaf()
        while self.table.players and self._deck_suffices():
            self.turn()
        result = self.result()
        if self._watched:
            self._happened("end", None, None, {"result": result, "scores": scores(result.players)})
        for player in self.table.players:
            try:
                self._agents[player].game_over(result.told_to(player))
            except Exception:  # noqa: S110 (it has played to the end, and its score stands)
                pass
        return result

    def result(self) -> Result:
        """The ranking as the table lies now; equal scores in turn order of the first turn."""
        staying = [player for player in self._seats if player in self.table.players]
        staying.sort(key=score, reverse=True)
        return Result([(player.id, score(player)) for player in staying], self._thrown_out, staying)

    def turn(self) -> None:
        """One whole turn."""
        self._turns += 1
        if self._watched:
            self._happened("turn", None, None, {"turn": self._turns, "table": self.table})
        self._step_1()
        self._steps_2_and_3()
        food_revealed(self.table)
        self._throw_out_deaf()
        feeders = [self._agents[player] for player in self.table.players]
        feeding_cycle(self.table, feeders, self._feeding_step)
        self._end_of_turn()
        self._throw_out_deaf()
        if self._watched:
            more = {"turn": self._turns, "scores": scores(self.table.players)}
            self._happened("scores", None, None, more)
        self._move_on()

    def _deck_suffices(self) -> bool:
        return len(self.table.deck) >= sum(map(cards_needed, self.table.players))

    def _step_1(self) -> None:
        """Boards for those without, cards for all; then everybody is told (rules 5.1)."""
        table = self.table
        for player in table.players:
            count = cards_needed(player)
            if not player.boards:
                table.first_board(player)
            table.draw(player, count)
        self._throw_out_deaf()
        for player in table.players[:]:
            self._ask(player, "start", Start(table.hole, player.bag, player.boards, player.hand))

    def _steps_2_and_3(self) -> None:
        """All choose before any choice is carried out (rules 5.2 to 5.5, 5.7)."""
        actions = [(player, self._choice_of(player)) for player in self.table.players[:]]
        for player, action in actions:
            if action is None or player not in self.table.players:
                continue
            try:
                food = execute(player, action)
            except Exception as problem:  # illegal, or an action made of something else than numbers
                self.throw_out(player, f"choose: {words_of(problem)}")
                continue
            if self._watched:
                self._happened("exchange", player, None, {"boards": player.boards, "hand": player.hand})
            self.table.reveal(player, food)
            self._throw_out_deaf()

    def _choice_of(self, player: Player) -> "Action4 | None":
        at = self.table.players.index(player)
        rows = [other.boards for other in self.table.players]
        answer = self._ask(player, "choose", rows[:at], rows[at + 1 :])
        if isinstance(answer, Action4):
            if self._watched:
                self._happened("choose", player, None, {"action": answer})
                self._tell_remarks(player)
            return answer
        if player in self.table.players:
            self.throw_out(player, f"choose: expected an Action4, found {type(answer).__name__}")
        return None

    def _feeding_step(self, table: Table, player: Player, feeder: "Feeder") -> bool:
        if player not in table.players:
            return False
        if self._watched:
            feeder = self._overheard(player, feeder)
        try:
            stays = feeding_step(table, player, feeder)
        except TraitError:
            raise  # which is no fault of the player
        except IllegalChoice as illegal:
            self.throw_out(player, f"feed_next: {illegal}")
        except Exception as problem:
            self.throw_out(player, f"feed_next: {words_of(problem)}")
        else:
            if self._watched and not stays:
                self._happened("out", player, None, {})
            self._throw_out_deaf()
            return stays
        return False

    def _end_of_turn(self) -> None:
        """Who has not eaten dies; food goes to the bags, and the food cards go away (rules 5.12)."""
        table = self.table
        for player in table.players:
            for board in player.boards[:]:
                table.end_turn(player, board)
        table.placed.clear()

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
            self.throw_out(player, f"{request}: {words_of(problem)}")
            return None

    def throw_out(self, player: Player, reason: str) -> None:
        """The player leaves with its boards and its cards; the others go on."""
        why = one_line(reason)
        self.table.players.remove(player)
        self._thrown_out.append((player.id, why))
        self._listeners.pop(player, None)
        if self._watched:
            self._happened("thrown out", player, None, {"reason": why})
            self._throw_out_deaf()
        leave = getattr(self._agents[player], "thrown_out", None)
        if callable(leave):
            try:
                leave(why)
            except Exception:  # noqa: S110 (it has left already)
                pass

    def _tell_remarks(self, player: Player) -> None:
        """Tell what was remarked beside the player's answer, as that it was made for the player."""
        take = getattr(self._agents[player], "take_remarks", None)
        if callable(take):
            for remark in take():
                self._happened("remark", player, None, {"remark": one_line(remark)})

    # --- those who watch ---------------------------------------------------------------------------

    def _overheard(self, player: Player, feeder: "Feeder") -> "Feeder":
        """Tell of a feeding step that begins; the feeder whose answer will be told too."""
        table = self.table
        forced = forced_choice(state_of(table, player)) if table.hole else DECLINE
        self._happened("step", player, None, {"hole": table.hole, "forced": forced})
        return _Overheard(feeder, lambda choice: self._happened("feed", player, None, {"choice": choice}))

    def _happened(
        self, kind: str, player: "Player | None", board: "int | None", more: dict[str, object]
    ) -> None:
        """Tell the observer, and of changes of a board or of the hole those players who listen."""
        if self._observer:
            self._observer(kind, player, board, more)
        if self._listeners and kind in CHANGES:
            table = self.table
            rows = [each.boards for each in table.players]
            ids = [each.id for each in table.players]
            event = kind, player.id if player else 0, str(more.get("why", ""))
            for position, listener in enumerate(table.players):
                if listener in self._listeners:
                    view = View(rows, table.hole, position, ids, table.placed, listener.hand, event)
                    self._notify(listener, view)

    def _notify(self, player: Player, view: View) -> None:
        try:
            self._listeners[player](view)
        except Exception as problem:
            del self._listeners[player]
            reason = one_line(f"changed: {words_of(problem)}")
            self._deaf.append((player, reason))
            if self._observer:
                self._observer("deaf", player, None, {"reason": reason})

    def _throw_out_deaf(self) -> None:
        """Throw out those who failed to hear of a change, now that nothing is half done."""
        while self._deaf:
            player, reason = self._deaf.pop(0)
            if player in self.table.players:
                self.throw_out(player, reason)
