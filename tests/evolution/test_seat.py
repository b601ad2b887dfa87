"""A seat: somebody's player class in a process of its own, and what is said through the pipe."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from evolution.actions import Action4
from evolution.cards import full_deck, shuffled_deck
from evolution.choices import DECLINE, Attack, Eat, FeedingChoice, State, StoreFat
from evolution.game import Game, Result
from evolution.hosting.asked import Inside, NoAnswer
from evolution.hosting.host import CannotLoad, answer_of, load, loaded
from evolution.hosting.seat import Seat
from evolution.player import Start, View
from evolution.silly import Silly
from evolution.table import Player
from evolution.wire import messages
from evolution.wire.action4 import write_action4
from evolution.wire.errors import Malformed
from evolution.wire.writing import boards, feeding_choice
from tests.evolution.tools import board
from tests.support import model

PLAYERS = """
import os, time
from evolution.silly import Silly

class Mine(Silly):
    pass

class Exits(Silly):
    def start(self, view):
        os._exit(3)

class Sleeps(Silly):
    def start(self, view):
        time.sleep(60)

class Bad(Silly):
    def choose(self, before, after):
        return "all of them"
    def feed_next(self, state):
        return "everybody"

class Talks(Silly):
    def start(self, view):
        super().start(view)
        print("here I am")

class Paints(Silly):
    def start(self, view):
        print("\\x1b]0;mine\\x07\\tü\\r")

class Chatters(Silly):
    def start(self, view):
        while True:
            print("x" * 1000, flush=True)

class Floods(Silly):
    def choose(self, before, after):
        return "x" * (2 << 20)

class Listens(Silly):
    heard = 0
    def changed(self, view):
        assert view.boards[view.position] is not None
        self.heard += 1
        view.boards.clear()
        if self.heard == 30:
            raise RuntimeError(f"{self.heard} times")

class Lists:
    def start(self, view):
        pass
    def choose(self, before, after):
        return [0, [], [], [], []]
    def feed_next(self, state):
        return None
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "players.py"
    path.write_text(PLAYERS)
    return str(path)


@pytest.fixture
def seats(file: str) -> Iterator[list[Seat]]:
    made: list[Seat] = []
    yield made
    for seat in made:
        seat.close()


def start() -> Start:
    return Start(2, 0, [board("horns", population=2)], full_deck()[:4])


def test_a_silly_player_in_a_process_of_its_own_plays_the_same_game(file: str, seats: list[Seat]) -> None:
    seats += [Seat(file, "Mine", 20), Seat(file, "Mine", 20)]
    result = Game([seats[0], Silly(), seats[1]]).play()
    assert result.ranking == model.play(3)
    assert not result.thrown_out


def test_a_seat_whose_class_listens_hears_of_every_change(file: str, seats: list[Seat]) -> None:
    seats += [Seat(file, "Listens", 20), Seat(file, "Mine", 20)]
    result = Game([seats[0], Silly(), seats[1]]).play()
    where = 'players.py, line 47: raise RuntimeError(f"{self.heard} times")'
    assert result.thrown_out == [(1, f"changed: RuntimeError: 30 times ({where})")]
    assert seats[1].changed is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Exits", "its process has ended"),
        ("Sleeps", "no answer within 1 s"),
        ("Nobody", "no class Nobody"),
    ],
)
def test_a_player_that_does_not_start_gives_no_answer(
    file: str, seats: list[Seat], name: str, reason: str
) -> None:
    seats.append(Seat(file, name, 1.0 if name == "Sleeps" else 20.0))
    with pytest.raises(NoAnswer, match=reason):
        seats[0].start(start())
    if name == "Exits":
        with pytest.raises(NoAnswer, match="its process has ended"):
            seats[0].start(start())


def test_answers_that_are_none_are_told(file: str, seats: list[Seat]) -> None:
    seats.append(Seat(file, "Bad", 20))
    seats[0].start(start())
    with pytest.raises(NoAnswer, match="its answer is malformed: input: expected an action"):
        seats[0].choose([], [])
    with pytest.raises(NoAnswer, match="its answer is malformed: input: expected false, a board"):
        seats[0].feed_next(State(0, [board()], [], 1, []))


def test_an_endless_answer_is_not_read_to_its_end(file: str, seats: list[Seat]) -> None:
    seats.append(Seat(file, "Floods", 20))
    seats[0].start(start())
    with pytest.raises(NoAnswer, match="too long"):
        seats[0].choose([], [])


def test_what_it_prints_is_passed_on(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    gone: list[str] = []
    seat = Seat(file, "Talks", 20, gone=lambda: gone.append("gone"))
    seat.start(start())
    seat.choose([], [])
    seat.thrown_out("enough")
    assert capfd.readouterr().err == "here I am\n"
    assert gone == ["gone"]
    with pytest.raises(NoAnswer, match="its process has ended"):
        seat.choose([], [])


def test_what_it_prints_does_nothing_to_a_terminal(
    file: str, seats: list[Seat], capfd: pytest.CaptureFixture[str]
) -> None:
    seats.append(Seat(file, "Paints", 20))
    seats[0].start(start())
    assert capfd.readouterr().err == "\\x1b]0;mine\\x07\tü\\r\n"


def test_a_flood_of_prints_is_not_borne(
    file: str, seats: list[Seat], capfd: pytest.CaptureFixture[str]
) -> None:
    seats.append(Seat(file, "Chatters", 20))
    with pytest.raises(NoAnswer, match="it prints more than 1 MB"):
        seats[0].start(start())
    assert 0 < len(capfd.readouterr().err) <= 1 << 16


def test_who_cannot_be_asked_does_not_listen(file: str, seats: list[Seat]) -> None:
    seats.append(Seat(file, "Nobody", 20))
    assert seats[0].changed is None


def test_a_player_in_the_same_process_gets_copies_and_may_answer_with_lists(file: str) -> None:
    mine = Inside(load(file, "Lists"))
    assert mine.changed is None
    row = [board()]
    mine.start(Start(0, 0, row, []))
    assert mine.choose([row], []).food_card == 0
    assert mine.feed_next(State(0, row, [], 1, [])) is DECLINE
    mine.game_over(Result([(1, 5)], [], [Player(1, row, 4)]))
    bad = Inside(load(file, "Bad"))
    with pytest.raises(NoAnswer, match="its answer is malformed: input: expected an action"):
        bad.choose([], [])
    listens = Inside(load(file, "Listens"))
    assert listens.changed is not None
    for _ in range(29):
        listens.changed(View([row], 0, 0))
    with pytest.raises(NoAnswer, match="RuntimeError: 30 times"):
        listens.changed(View([row], 0, 0))
    assert len(row) == 1


def test_a_seat_can_be_left_twice(file: str) -> None:
    seat = Seat(file, "Mine", 20)
    seat.game_over(Result([(1, 0)], [], [Player(1, [])]))
    seat.close()


def test_a_line_that_is_no_answer_is_told(
    file: str, seats: list[Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    seats.append(Seat(file, "Mine", 20))
    monkeypatch.setattr(seats[0], "_receive", lambda deadline: b"nonsense")
    with pytest.raises(NoAnswer, match="not JSON"):
        seats[0].start(start())


# --- the side of the player ----------------------------------------------------------------------


def test_a_player_is_loaded_from_its_file(file: str, tmp_path: Path) -> None:
    assert type(load(file, "Mine")).__name__ == "Mine"
    for path, name in ((file, "Nobody"), (str(tmp_path / "none.py"), "Mine"), (str(tmp_path), "Mine")):
        with pytest.raises(CannotLoad):
            load(path, name)
    (tmp_path / "players.txt").write_text(PLAYERS)
    with pytest.raises(CannotLoad, match="not a Python file"):
        load(str(tmp_path / "players.txt"), "Mine")


def test_whatever_a_file_does_when_it_is_loaded_is_told_in_words(file: str, tmp_path: Path) -> None:
    assert answer_of(loaded(file, "Mine"), "load", None) == "true"
    leaves = tmp_path / "leaves.py"
    leaves.write_text("import sys\nsys.exit('enough')")
    for path, name, why in ((file, "Nobody", "no class Nobody"), (str(leaves), "Mine", "SystemExit: enough")):
        with pytest.raises(CannotLoad, match=why):
            loaded(path, name)


def test_a_seat_loads_its_class_before_it_is_asked_anything(file: str, seats: list[Seat]) -> None:
    seats += [Seat(file, "Mine", 20), Seat(file, "Nobody", 20)]
    seats[0].load()
    with pytest.raises(NoAnswer, match=r"^there is no class Nobody$"):
        seats[1].load()


def test_a_player_is_asked_in_its_own_language(file: str) -> None:
    silly = load(file, "Mine")
    assert answer_of(silly, "start", json.loads(messages.write_start(start()))) == "true"
    chosen = answer_of(silly, "choose", json.loads(messages.write_choose([[board()]], [])))
    assert chosen == write_action4(Action4(0, [(1, 3)], [], [[1, 2]], []))
    state = json.loads(messages.write_state(State(0, [board(population=2)], [], 1, [[board()]])))
    assert answer_of(silly, "feed_next", state) == "0"
    assert answer_of(silly, "game_over", ["results", 0, [[1, "Anna", 2, 2, [], []]], []]) == "true"
    assert answer_of(silly, "listens", None) == "false"
    listens = load(file, "Listens")
    assert answer_of(listens, "listens", None) == "true"
    view = json.loads(messages.write_view(View([[board()], []], 3, 1)))
    assert answer_of(listens, "changed", view) == "true"
    assert listens.heard == 1


def test_plain_lists_are_answers_too(file: str) -> None:
    lists = load(file, "Lists")
    assert json.loads(answer_of(lists, "choose", [[], []])) == [0, [], [], [], []]
    assert answer_of(lists, "feed_next", [0, [], [], 1, []]) == "false"
    assert answer_of(lists, "game_over", ["results", 0, [[1, "", 0, 0, [], []]], []]) == "true"
    bad = load(file, "Bad")
    assert answer_of(bad, "feed_next", [0, [], [], 1, []]) == '"everybody"'


# --- messages ------------------------------------------------------------------------------------


def test_a_start_reads_back_as_it_was_written() -> None:
    there = messages.read_start(json.loads(messages.write_start(start())))
    assert (there.hole, there.bag, there.hand) == (2, 0, full_deck()[:4])
    assert boards(there.boards) == boards(start().boards)


def test_a_view_reads_back_as_it_was_written() -> None:
    rows, placed = [[board("horns")], [], [board(), board()]], full_deck()[:2]
    view = View(rows, 4, 2, [3, 4, 1], placed, full_deck()[5:], ("eat", 3, "long-neck"))
    text = messages.write_view(view)
    there = messages.read_view(json.loads(text))
    assert (there.hole, there.position, len(there.boards)) == (4, 2, 3)
    assert (there.placed, there.hand, there.event) == (placed, full_deck()[5:], view.event)
    assert messages.write_view(there) == text
    with pytest.raises(Malformed, match="position 2 is none of the 2 players'"):
        messages.read_view([2, 0, [[], []], [1, 2], [], [], ["eat", 0, ""]])
    with pytest.raises(Malformed, match=r"\[3\]: expected ids, a list of 2"):
        messages.read_view([1, 0, [[], []], [1], [], [], ["eat", 0, ""]])


def test_results_read_back_as_they_were_written() -> None:
    players = [Player(2, [board("horns", population=3)], 4, full_deck()[:3]), Player(1, [], 1)]
    result = Result([(2, 8), (1, 1)], [(3, "choose: it's \u00fc")], players)
    text = messages.write_results(result.told_to(players[1]), {1: "Anna", 2: "B" * 70}.__getitem__)
    assert json.loads(text)[:2] == ["results", 1]
    assert [row[:4] for row in json.loads(text)[2]] == [[2, "B" * 64, 8, 4], [1, "Anna", 1, 1]]
    there = messages.read_results(json.loads(text))
    assert (there.ranking, there.thrown_out, there.place) == (result.ranking, result.thrown_out, 1)
    assert [one.hand for one in there.players] == [full_deck()[:3], []]
    assert list(there) == result.ranking
    assert there[0] == (2, 8)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (["result", 0, [], []], r'\[0\]: expected "results", found "result"'),
        (["results", 1, [[1, "a", 0, 0, [], []]], []], r"\[1\]: place 1 is none of the 1 players'"),
        (["results", 0, [[1, 2, 0, 0, [], []]], []], r"\[2\]\[0\]\[1\]: expected a string, found 2"),
        (["results", 0, [[1, "a", 0, 0, []]], []], r"\[2\]\[0\]: expected \[id, name, score"),
        (["results", 0, [[1, "a", 0, 0, [], []]], [[2]]], r"\[3\]\[0\]: expected \[id, reason\]"),
    ],
)
def test_results_that_are_none_are_told_by_path(value: object, problem: str) -> None:
    with pytest.raises(Malformed, match=problem):
        messages.read_results(value)


def test_the_boards_of_a_choose_read_back_as_they_were_written() -> None:
    text = messages.write_choose([[board("horns")], []], [[board(), board()]])
    before, after = messages.read_choose(json.loads(text))
    assert messages.write_choose(before, after) == text


@pytest.mark.parametrize("choice", [DECLINE, Eat(2), StoreFat(1, 3), Attack(0, 1, 2)])
def test_a_choice_reads_back_as_it_was_written(choice: FeedingChoice) -> None:
    text = feeding_choice(choice)
    assert feeding_choice(messages.read_feeding_choice(json.loads(text))) == text


@pytest.mark.parametrize("value", [True, None, -1, 1.0, "0", [], [0], [0, 0], [0, 1, 2, 3], {}, [0, -1, 0]])
def test_what_is_no_choice_is_refused(value: object) -> None:
    with pytest.raises(Malformed):
        messages.read_feeding_choice(value)


def test_a_shuffled_deck_has_every_card_and_depends_on_its_seed() -> None:
    assert sorted(shuffled_deck(1)) == sorted(full_deck())
    assert shuffled_deck(1) == shuffled_deck(1) != shuffled_deck(2)
