"""What adapters know of the table: with views, and without them, as over a network."""

import json
from typing import Any

import pytest

from evolution.actions import Action4
from evolution.cards import shuffled_deck
from evolution.choices import FeedingChoice, State
from evolution.designs import DESIGNS, adapted
from evolution.designs.sight import Sight, follow
from evolution.designs.tablewise import NamedSight
from evolution.game import Game
from evolution.hosting.asked import Inside
from evolution.hosting.host import load
from evolution.player import Start, View
from evolution.silly import Silly
from evolution.species import Species
from evolution.wire.log import Log
from tests.evolution.silly_designs import CardwiseSilly, StepwiseSilly, TableSilly
from tests.evolution.tools import board
from tests.games.test_designs import EXAMPLES
from tests.support.helpers import ROOT


class Remote:
    """A player as at the other end of a network: it hears of no change, and not of the end."""

    def __init__(self, player: Any) -> None:
        self._player = Inside(player)

    def start(self, view: Start) -> None:
        self._player.start(view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        return self._player.choose(before, after)

    def feed_next(self, state: State) -> FeedingChoice:
        return self._player.feed_next(state)

    def game_over(self, result: object) -> None:
        pass


def examples() -> list[Any]:
    return [load(str(ROOT / file), name, design) for design, (file, name) in EXAMPLES.items()]


@pytest.mark.parametrize("seed", range(12))
def test_players_end_alike_whether_they_hear_of_changes_or_not(seed: int) -> None:
    results = []
    for seat in (Inside, Remote):
        agents: list[Any] = [seat(player) for player in examples()]
        agents.insert(seed % 4, Silly())
        results.append(Game(agents, shuffled_deck(seed)).play())
    assert results[0].ranking == results[1].ranking
    assert results[0].thrown_out == results[1].thrown_out == []


@pytest.mark.parametrize("design", DESIGNS)
def test_silly_players_of_a_design_end_alike_too_when_others_are_thrown_out(design: str) -> None:
    written: dict[str, Any] = {"stepwise": StepwiseSilly, "cardwise": CardwiseSilly, "table": TableSilly}
    for seed in range(12):
        results = []
        for seat in (Inside, Remote):
            player = written[design]()
            player.me = "2"
            agents: list[Any] = [
                Fails(seed),
                seat(adapted(design, player)),
                Silly(),
                Fails(seed + 5),
                Silly(),
            ]
            results.append(Game(agents, shuffled_deck(seed)).play())
        assert results[0].ranking == results[1].ranking
        assert sorted(number for number, _ in results[0].thrown_out) == [1, 4]
        assert results[0].thrown_out == results[1].thrown_out


class Fails(Silly):
    """A Silly player that fails after some questions."""

    def __init__(self, questions: int) -> None:
        self._left = questions % 3

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        self._left -= 1
        if self._left < 0:
            raise ValueError("enough")
        return super().choose(before, after)


class Counts(CardwiseSilly):
    """A cardwise player that counts its boards; a first one it would have on the left."""

    def __init__(self) -> None:
        self.first = self.more = 0
        self._choosing = False  # until the next news, a board that comes is one that was bought

    def game_state_updated(self, game_state: Any) -> None:
        super().game_state_updated(game_state)
        self._choosing = False

    def place_species(self) -> str:
        if self._choosing:
            self.more += 1
            return "right"
        self.first += 1
        return "left"

    def use_cards(self, hand: Any) -> Any:
        self._choosing = True
        return super().use_cards(hand)


def test_a_first_board_is_placed_in_whatever_turn_it_comes() -> None:
    later = 0
    for seed in range(10):
        for seat in (Inside, Remote):
            counts = Counts()
            lines: list[str] = []
            agents: list[Any] = [Silly(), seat(adapted("cardwise", counts)), Silly()]
            Game(agents, shuffled_deck(seed), Log(lines.append, ["one"] * 3, None)).play()
            events = [json.loads(line) for line in lines if '"player":2' in line]
            first = [event for event in events if event["event"] == "first board"]
            bought = [board for event in events if event["event"] == "choose" for board in event["action"][3]]
            assert (counts.first, counts.more) == (len(first), len(bought))
            later += counts.first - 1
    assert later > 0, "some of them came after all boards had died"


class Looks(NamedSight):
    """A picture that is compared with the game whenever it changes."""

    game: Game

    def check(self) -> None:
        players = self.game.table.players
        assert self.order == [player.id for player in players]
        assert [len(self.names[player.id]) for player in players] == [len(one.boards) for one in players]


class Looking(Silly):
    """A Silly player with a picture of the table, which it is shown as an adapter would be."""

    def __init__(self, views: bool) -> None:
        self.sight = Looks()
        self.seen: list[dict[int, list[str]]] = []
        if views:
            self.changed = self._changed

    def _changed(self, view: View) -> None:
        self.sight.changed(view)

    def start(self, view: Start) -> None:
        super().start(view)
        self.sight.start(view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        self.sight.choose(before, after)
        self._look()
        return super().choose(before, after)

    def feed_next(self, state: State) -> FeedingChoice | None:
        self.sight.feed(state)
        self._look()
        return super().feed_next(state)

    def _look(self) -> None:
        self.sight.check()
        self.seen.append({number: names[:] for number, names in self.sight.names.items()})


@pytest.mark.parametrize("views", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_ids_follow_the_turn_order_and_names_are_unique_and_lasting(seed: int, views: bool) -> None:
    player = Looking(views)
    game = Game([Silly(), player, Silly(), Silly()], shuffled_deck(seed))
    player.sight.game = game
    assert game.play().thrown_out == []
    assert player.seen
    before: dict[int, list[str]] = {}
    for names in player.seen:
        for number, row in names.items():
            assert len(set(row)) == len(row)
            assert all(name.startswith(f"{number}.") for name in row)
            kept = [name for name in row if name in before.get(number, [])]
            assert kept == [name for name in before.get(number, []) if name in row], "they keep their order"
            new = [int(name.split(".")[1]) for name in row if name not in kept]
            assert all(last > number_of(before.get(number, [])) for last in new), "no name comes back"
        before = names


def number_of(names: list[str]) -> int:
    return max((int(name.split(".")[1]) for name in names), default=0)


# --- following boards ----------------------------------------------------------------------------------

HORNED = board("horns", population=2)
CLIMBER = board("climbing", population=1)
BARE = board(population=1)


@pytest.mark.parametrize(
    ("before", "now", "earlier"),
    [
        ([], [BARE], [None]),
        ([HORNED, CLIMBER], [HORNED, CLIMBER], [0, 1]),
        ([HORNED, CLIMBER], [CLIMBER], [1]),
        ([HORNED, CLIMBER], [HORNED], [0]),
        ([HORNED, CLIMBER], [HORNED, CLIMBER, BARE], [0, 1, None]),
        ([HORNED], [board("ambush", body=1, population=3)], [0]),
        ([BARE], [board("ambush")], [None]),
        ([board(body=2)], [BARE], [None]),
        ([HORNED, CLIMBER, BARE], [CLIMBER, BARE, board("ambush")], [1, 2, None]),
        ([BARE, BARE], [BARE], [1]),
        ([HORNED], [], []),
    ],
)
def test_boards_are_found_again(before: list[Species], now: list[Species], earlier: list[int | None]) -> None:
    assert follow(before, now)[1] == earlier


def test_without_views_those_who_left_are_told_by_their_boards() -> None:
    sight = Sight()
    sight.start(Start(0, 0, [BARE], []))
    sight.choose([[HORNED]], [[CLIMBER], [board("ambush")]])
    assert (sight.me, sight.order) == (2, [1, 2, 3, 4])
    sight.feed(State(0, [BARE], [], 1, [[board("ambush", population=3)], [HORNED]]))
    assert sight.order == [1, 2, 4]
    sight.choose([], [[board("ambush")], [HORNED]])
    assert (sight.me, sight.order, sight.position) == (2, [2, 4, 1], 0)


def test_with_views_they_are_told_by_their_ids() -> None:
    sight = Sight()
    sight.changed(View([[BARE], [BARE], [BARE]], 0, 1, [1, 2, 3]))
    sight.changed(View([[BARE], [BARE]], 0, 1, [1, 2]))
    assert (sight.me, sight.others()) == (2, [1])


def test_of_boards_that_look_alike_the_attacked_one_loses_its_name() -> None:
    sight = NamedSight()
    sight.changed(View([[BARE], [BARE, BARE, BARE]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.1", "2.2", "2.3"]
    sight.attacked = 2, 1
    sight.changed(View([[BARE], [BARE, BARE]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.1", "2.3"]
    sight.changed(View([[BARE], [BARE]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.3"]
    sight.changed(View([[BARE], [BARE, BARE]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.3", "2.4"]


def test_an_attacked_board_that_survives_keeps_its_name() -> None:
    sight = NamedSight()
    sight.changed(View([[BARE], [HORNED, CLIMBER]], 0, 0, [1, 2]))
    sight.attacked = 2, 0
    sight.changed(View([[BARE], [board("horns", population=1), CLIMBER]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.1", "2.2"]
    sight.changed(View([[BARE], [CLIMBER]], 0, 0, [1, 2]))
    assert sight.names[2] == ["2.2"]
