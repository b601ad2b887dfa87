"""Whole games: they end, they score, and no player can stop one (rules 5 and 6)."""

import random
from itertools import pairwise
from typing import Any

import pytest

from evolution.actions import Action4
from evolution.cards import Card, full_deck
from evolution.choices import Eat, FeedingChoice, State
from evolution.game import Game, Result, cards_needed
from evolution.player import Start, View
from evolution.silly import Silly
from evolution.species import Species
from evolution.table import Table
from evolution.wire.messages import write_view
from tests.evolution.tools import board
from tests.support import model


def shuffled(seed: int) -> list[tuple[int, str]]:
    deck = full_deck()
    random.Random(seed).shuffle(deck)
    return deck


@pytest.mark.parametrize("number", range(3, 9))
def test_silly_players_score_as_the_model_says(number: int) -> None:
    assert Game([Silly() for _ in range(number)]).play().ranking == model.play(number)
    for seed in range(5):
        deck = shuffled(seed)
        expected = model.play(number, [list(card) for card in deck])
        assert Game([Silly() for _ in range(number)], deck).play().ranking == expected


def test_the_result_is_said_in_one_line_a_player() -> None:
    result = Result([(2, 7), (3, 7)], [(1, "choose: card 9 does not exist")])
    assert result.lines() == [
        "1 player id: 2 score: 7",
        "2 player id: 3 score: 7",
        "- player id: 1 thrown out: choose: card 9 does not exist",
    ]


class Watching(Silly):
    """A Silly player that looks at the whole game whenever it is asked."""

    game: Game

    def start(self, view: Start) -> None:
        super().start(view)
        cards = [card for player in self.game.table.players for card in player.hand]
        assert not set(cards) & set(self.game.table.deck)
        assert len(set(cards)) == len(cards)
        assert all(player.boards for player in self.game.table.players)

    def feed_next(self, state: State) -> FeedingChoice | None:
        for player in self.game.table.players:
            assert player.bag >= 0
            for one in player.boards:
                assert 0 <= one.food <= one.population <= 7
                assert 0 <= one.fat_food <= one.body <= 7
        return super().feed_next(state)


def test_cards_are_never_doubled_and_food_is_never_negative() -> None:
    for seed in range(20):
        players = [Watching() for _ in range(3 + seed % 6)]
        game = Game(list(players), shuffled(seed))
        for player in players:
            player.game = game
        result = game.play()
        assert len(result.ranking) == len(players)
        assert not result.thrown_out


def test_step_one_serves_three_cards_and_one_for_each_board() -> None:
    game = Game([Silly(), Silly(), Silly()])
    assert [cards_needed(player) for player in game.table.players] == [4, 4, 4]
    game.table.players[0].boards = [board(), board(), board()]
    assert cards_needed(game.table.players[0]) == 6


def test_the_game_ends_before_a_turn_that_the_deck_cannot_serve() -> None:
    game = Game([Silly(), Silly(), Silly()], full_deck()[:11])
    assert game.play().ranking == [(1, 0), (2, 0), (3, 0)]
    assert len(game.table.deck) == 11
    served = Game([Silly(), Silly(), Silly()], full_deck()[:12])
    served.play()
    assert len(served.table.deck) < 12


def test_the_first_player_moves_to_the_end_after_each_turn() -> None:
    game = Game([Silly() for _ in range(4)])
    game.turn()
    assert [player.id for player in game.table.players] == [2, 3, 4, 1]


class Raises(Silly):
    """A player that fails at one request."""

    def __init__(self, request: str) -> None:
        self.request = request

    def _fail_at(self, request: str) -> None:
        if self.request == request:
            raise ValueError("no idea")

    def start(self, view: Start) -> None:
        self._fail_at("start")
        super().start(view)

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        self._fail_at("choose")
        return super().choose(before, after)

    def feed_next(self, state: State) -> FeedingChoice | None:
        self._fail_at("feed_next")
        return super().feed_next(state)

    def game_over(self, result: Result) -> None:
        self._fail_at("game_over")


class Cheats(Silly):
    """A player whose answers the rules forbid."""

    def __init__(self, request: str) -> None:
        self.request = request

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        return Action4(99) if self.request == "choose" else super().choose(before, after)

    def feed_next(self, state: State) -> FeedingChoice | None:
        return Eat(99) if self.request == "feed_next" else super().feed_next(state)


@pytest.mark.parametrize("request_name", ["start", "choose", "feed_next"])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_player_that_raises_is_thrown_out_and_the_others_go_on(request_name: str, seat: int) -> None:
    players = [Silly(), Silly()]
    players.insert(seat, Raises(request_name))
    result = Game(list(players), shuffled(3)).play()
    assert result.thrown_out == [(seat + 1, f"{request_name}: no idea")]
    assert {number for number, _ in result.ranking} == {1, 2, 3} - {seat + 1}


def test_a_player_that_fails_when_all_is_over_keeps_its_score() -> None:
    result = Game([Silly(), Raises("game_over"), Silly()]).play()
    assert result.ranking == model.play(3)
    assert not result.thrown_out


@pytest.mark.parametrize(
    ("request_name", "reason"),
    [
        ("choose", "choose: card 99 does not exist: the hand has 4"),
        ("feed_next", "feed_next: there is no own board 99"),
    ],
)
def test_a_player_that_cheats_is_thrown_out_and_the_others_go_on(request_name: str, reason: str) -> None:
    result = Game([Silly(), Cheats(request_name), Silly()], shuffled(3)).play()
    assert result.thrown_out == [(2, reason)]
    assert {number for number, _ in result.ranking} == {1, 3}


class Answers(Silly):
    """A player that gives this answer, whatever it is, when it has to choose."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        return self.answer  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (None, "choose: expected an Action4, found NoneType"),
        ([0, [], [], [], []], "choose: expected an Action4, found list"),
        (Action4("one"), "choose: '<=' not supported between instances of 'int' and 'str'"),  # type: ignore[arg-type]
    ],
    ids=["nothing", "a list", "an Action4 without numbers"],
)
def test_a_player_that_answers_with_no_action_is_thrown_out_and_the_others_go_on(
    answer: Any, reason: str
) -> None:
    result = Game([Silly(), Answers(answer), Silly()], shuffled(3)).play()
    assert result.thrown_out == [(2, reason)]
    assert {number for number, _ in result.ranking} == {1, 3}


def test_a_thrown_out_player_takes_its_boards_and_cards_along_and_its_food_card_does_not_count() -> None:
    game = Game([Cheats("choose"), Silly(), Silly()])
    before = game.table.players[0]
    game.turn()
    assert before not in game.table.players
    assert [player.id for player in game.table.players] == [3, 2]


class Listens(Silly):
    """A Silly player that writes down all it is told of the table, and fails when it is told to."""

    def __init__(self, fails_at: int = 0) -> None:
        self.views: list[str] = []
        self.placed: list[list[Card]] = []
        self.events: list[tuple[str, int, str]] = []
        self.positions: list[int] = []
        self.left: list[str] = []
        self._fails_at = fails_at

    def changed(self, view: View) -> None:
        self.views.append(write_view(View(view.boards, view.hole, 0)))
        self.placed.append(view.placed[:])
        self.events.append(view.event)
        self.positions.append(view.position)
        if len(self.views) == self._fails_at:
            raise ValueError("too much news")

    def thrown_out(self, reason: str) -> None:
        self.left.append(reason)


def test_who_listens_hears_of_every_change_of_a_board_or_of_the_hole() -> None:
    one, other = Listens(), Listens()
    game = Game([one, other, Silly(), Silly()], shuffled(5))
    result = game.play()
    assert result.ranking == Game([Silly() for _ in range(4)], shuffled(5)).play().ranking
    views = one.views
    assert views == other.views
    seen = list(zip(views, one.placed, strict=True))
    assert all(before != after for before, after in pairwise(seen))
    assert seen[0] == (write_view(View([[], [], [], []], 0, 0)), []), "before anything is handed out"
    assert one.events[:2] == [("game", 0, ""), ("first board", 1, "")]
    assert len(views) > 50
    assert set(one.positions) == {0, 1, 2, 3}
    rows = [player.boards for player in game.table.players]
    rows = rows[-1:] + rows[:-1]  # as they lay before the order of the turn moved on
    assert views[-1] == write_view(View(rows, game.table.hole, 0))


def test_every_state_of_the_table_that_a_player_sees_has_been_told_before() -> None:
    class Compares(Listens):
        def feed_next(self, state: State) -> FeedingChoice | None:
            rows = [state.boards, *state.others]
            turn = len(rows) - self.positions[-1]
            rows = rows[turn:] + rows[:turn]
            assert self.views[-1] == write_view(View(rows, state.hole, 0))
            return super().feed_next(state)

    for seed in range(5):
        result = Game([Compares(), Silly(), Compares()], shuffled(seed)).play()
        assert not result.thrown_out


def test_nobody_has_to_listen_and_then_nothing_is_told() -> None:
    assert type(Game([Silly(), Silly(), Silly()]).table) is Table
    assert type(Game([Silly(), Listens(), Silly()]).table) is not Table


@pytest.mark.parametrize("fails_at", [1, 2, 3, 5, 8, 13, 21, 34, 40, 47])
def test_who_fails_to_listen_is_thrown_out_when_the_step_is_done_and_the_others_go_on(fails_at: int) -> None:
    failing, other = Listens(fails_at), Listens()
    result = Game([Silly(), failing, other], shuffled(2)).play()
    assert result.thrown_out == [(2, "changed: too much news")]
    assert {number for number, _ in result.ranking} == {1, 3}
    assert len(failing.views) == fails_at
    assert failing.left == ["changed: too much news"]
    assert len(other.views) > fails_at


def test_who_fails_to_leave_has_left_all_the_same() -> None:
    class Stays(Cheats):
        def thrown_out(self, reason: str) -> None:
            raise ValueError("I stay")

    result = Game([Silly(), Stays("choose"), Silly()], shuffled(3)).play()
    assert [number for number, _ in result.thrown_out] == [2]


def test_all_may_fail_to_listen_at_once() -> None:
    result = Game([Listens(9), Listens(9), Listens(9)]).play()
    assert result.ranking == []
    assert {number for number, _ in result.thrown_out} == {1, 2, 3}


def test_a_game_without_players_left_ends() -> None:
    result = Game([Raises("start") for _ in range(3)]).play()
    assert result.ranking == []
    assert [number for number, _ in result.thrown_out] == [1, 2, 3]
