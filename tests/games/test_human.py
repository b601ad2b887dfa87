"""People at the table: real processes, at a pseudo-terminal, behind pipes, and over the network."""

import os
import pty
import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

from evolution.cards import shuffled_deck
from evolution.choices import Attack, FeedingChoice, State
from evolution.feeding import legal_choices
from evolution.game import Game
from evolution.silly import Silly, choose
from evolution.species import Species
from harness.games.human import CLEAR, Human, Terminal
from tests.support.helpers import BIN, run
from tests.support.serving import XServer

PATIENCE = 300  # seconds; a busy machine takes its time
COLOUR = re.compile(r"\033\[[0-9;]*m")
CARD = re.compile(r"^ +\d+  ([a-z-]+) (−?\d+)$", re.MULTILINE)
OWN = re.compile(r"^(player \d|you)  bag.*\n((?:  \d  .*\n|     .*\n)*)", re.MULTILINE)
BOARD = re.compile(r"^  \d ", re.MULTILINE)


class First(Silly):
    """A player that uses its cards as the Silly one does, and feeds what is listed first."""

    def feed_next(self, state: State) -> FeedingChoice | None:
        return legal_choices(state)[0]


class Script:
    """The same as a person would type it: it knows only what it is shown."""

    def __init__(self) -> None:
        self.screens = ""
        self._typing: list[str] = []
        self.most_boards = 0

    def play(self, shown: int, typed: int) -> None:
        """Answer at these two files until nothing more is asked."""
        new = ""
        while piece := _read(shown):
            new += piece
            if new.endswith("> "):
                self.screens += new
                os.write(typed, f"{self._answer(new)}\n".encode())
                new = ""
        self.screens += new

    def _answer(self, screen: str) -> str:
        question = COLOUR.sub("", screen)
        if "press Enter" in question:
            return ""
        if "What do you do?" in question:
            return "1"
        if "Which card is your food card?" in question and not self._typing:
            self._typing = self._plan(question)
        return self._typing.pop(0)

    def _plan(self, question: str) -> list[str]:
        listed = question.partition("food card?")[2]
        hand = [(int(food.replace("−", "-")), trait) for trait, food in CARD.findall(listed)]
        own = OWN.search(question)
        assert own is not None, question
        new = len(BOARD.findall(own[2]))
        self.most_boards = max(new, self.most_boards)
        action = choose([Species()] * new, hand)
        food, paid = str(action.food_card), [*map(str, action.new_boards[0])]
        # The first food card is taken back, and so is the board; then it is done in earnest.
        plan = ["0", "u", food, "3", paid[0], *paid[1:], *["n"] * (len(hand) > 3), "u"]
        plan += ["3", *paid, *["n"] * (len(hand) > 3)]
        for key, growths in (("1", action.grow_population), ("2", action.grow_body)):
            for board, card in growths:
                plan += [key, str(board), str(card)]
        for board, slot, card in action.replace_traits:
            plan += ["4", str(board), str(slot), str(card)]
        return [*plan, "0"]


def _read(shown: int) -> str:
    data = b""
    try:
        data = os.read(shown, 1 << 16)
        while data and (data[-1] & 0x80 or data.endswith(b"\033")):  # in the middle of something
            data += os.read(shown, 1 << 16)
    except OSError:  # the end of a pseudo-terminal
        pass
    return data.decode(errors="replace").replace("\r", "")


@contextmanager
def at_a_terminal(*options: str) -> Iterator[tuple[int, "subprocess.Popen[str]"]]:
    """An xmain whose input and questions are at a pseudo-terminal: our end of it, and the process."""
    ours, theirs = pty.openpty()
    game = subprocess.Popen(
        [BIN / "xmain", *options], stdin=theirs, stderr=theirs, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": ""},
    )  # fmt: skip
    os.close(theirs)
    try:
        yield ours, game
    finally:
        game.kill()
        with game:  # it has ended, and its output is closed
            os.close(ours)


def lines_of(agents: list[Silly], seed: str) -> list[str]:
    return Game([*agents], shuffled_deck(seed)).play().lines()


def test_three_people_play_a_whole_game_at_one_terminal() -> None:
    script = Script()
    with at_a_terminal("3", "--seed", "7", "--players", "human,human,human") as (terminal, game):
        script.play(terminal, terminal)
        out, _ = game.communicate(timeout=PATIENCE)
        assert game.returncode == 0
    assert out.splitlines() == lines_of([First(), First(), First()], "7")
    assert script.most_boards > 1
    assert COLOUR.search(script.screens)
    # Between two clearings of the screen there is one player's hand, and no other's.
    screens = COLOUR.sub("", script.screens).split(CLEAR)
    hands = [set(re.findall(r"^(player \d)  bag", screen, re.MULTILINE)) for screen in screens]
    assert max(map(len, hands)) == 1
    assert set.union(*hands) == {"player 1", "player 2", "player 3"}
    assert all(screen.count("hand: ") == len(OWN.findall(screen)) for screen in screens)


def test_two_people_and_a_silly_player_play_over_the_network() -> None:
    options = ("--min", "3", "--max", "3", "--timeout", "120", "--seed", "7")
    with XServer(*options) as server, ThreadPoolExecutor() as threads:
        people = [
            subprocess.Popen(
                [BIN / "xclient", "--port", server.port, "--name", name, "--player", "human"],
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for name in ("Anna", "Bert")
        ]
        try:
            scripts = [Script() for _ in people]
            played = [
                threads.submit(script.play, person.stderr.fileno(), person.stdin.fileno())  # type: ignore[union-attr]
                for script, person in zip(scripts, people, strict=True)
            ]
            silly = server.client("--name", "Silly")
            results = server.results()
            for each in played:
                each.result(PATIENCE)
            silly.communicate(timeout=PATIENCE)
            assert [*(person.wait(PATIENCE) for person in people), silly.returncode] == [0, 0, 0]
        finally:
            for person in people:
                person.kill()
                person.communicate()
    parts = [re.fullmatch(r'(\d player id: (\d) score: \d+) name: "(\w+)"', line) for line in results]
    names = {int(part[2]): part[3] for part in parts if part}
    seated = [Silly() if names[number] == "Silly" else First() for number in (1, 2, 3)]
    assert [part[1] for part in parts if part] == lines_of(seated, "7")
    assert not any(COLOUR.search(script.screens) for script in scripts)


def test_a_person_who_leaves_is_thrown_out_and_the_others_finish() -> None:
    with at_a_terminal("3", "--players", "human,human") as (terminal, game):
        for _ in range(2):  # the terminal is still there for the second one
            while not _read(terminal).endswith("> "):
                pass
            os.write(terminal, b"\x04")
        out, _ = game.communicate(timeout=PATIENCE)
    assert re.sub(r"\d+\n", "N\n", out.splitlines(keepends=True)[0]) == "1 player id: 3 score: N\n"
    assert out.splitlines()[1:] == [
        f"- player id: {number} thrown out: choose: left the game" for number in (1, 2)
    ]


def test_the_end_of_input_is_the_end_for_a_person() -> None:
    done = run("xmain", "3", "--players", "human", given=b"0\n")
    assert done.status == 0
    assert done.out.splitlines()[-1] == b"- player id: 1 thrown out: choose: left the game"
    assert b"\033" not in done.err


def test_a_refusal_is_explained_by_the_rules_and_asked_again() -> None:
    typed = ["9", "[0,[],[],[],[[0,0,1]]]", "[1,2]", "0", "1", "b", "[0,[[0,0]],[],[],[]]"]
    done = run("xmain", "3", "--players", "human", given="\n".join(typed).encode())
    said = done.err.decode()
    assert "'9' is none of them: type one of 0, 1, 2, 3; or Ctrl-D to leave the game" in said
    assert "That is not allowed: board 0 has no trait slot 0: it has 0 traits (rules 5.5)" in said
    assert "That is not an Action4: input: expected an action" in said
    assert "That is not allowed: card 0 is used twice (rules 5.5)" in said
    assert said.count("What next?") == 3


def test_a_person_hears_which_trait_prevents_an_attack(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wolves, goats = [Species(traits=["carnivore"]), Species()], [Species(traits=["climbing"]), Species()]
    reading, writing = os.pipe()
    os.write(writing, b"[0,0,0]\n[0,0,9]\n[0,1,0]\n[7,0,1]\n[1]\n2\n")
    os.close(writing)
    with os.fdopen(reading) as typed:
        monkeypatch.setattr("sys.stdin", typed)
        choice = Human("you", Terminal(1, None)).feed_next(State(0, wolves, [], 3, [goats]))
    assert isinstance(choice, Attack)
    assert (choice.board, choice.player, choice.target) == (0, 0, 1)
    said = capsys.readouterr().err
    assert "  1  feed board 1\n  2  attack board 1 of other player 0 with board 0\n" in said
    assert "  3  attack board 1 of your own with board 0\n  4  feed nothing more in this turn\n" in said
    refusal = "That is not possible: "
    assert f"{refusal}board 0 cannot attack board 0 of player 0 (rules 4.1)\n" in said
    assert "  the defender has climbing, and the attacker has not (rules 2.6)\n" in said
    for why in ("there is no board 9 of player 0", "board 0 attacks itself", "there is no own board 7"):
        assert f"{refusal}{why} (rules 4.1)\n" in said
    assert f"{refusal}input: expected false, a board" in said


def test_a_person_has_a_time_limit_only_if_one_is_given() -> None:
    with at_a_terminal("3", "--players", "human", "--timeout", "0.2") as (_, game):
        out, _ = game.communicate(timeout=PATIENCE)
    assert out.splitlines()[-1] == "- player id: 1 thrown out: choose: no answer within 0.2 s"
