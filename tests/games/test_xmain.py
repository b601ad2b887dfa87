"""xmain: whole games from the command line, with players that may do anything."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from evolution.cards import shuffled_deck
from evolution.designs import DESIGNS
from tests.support import model
from tests.support.helpers import BIN, run


def xmain(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "xmain", *arguments], capture_output=True, text=True, check=False, timeout=60
    )


def lines(ranking: list[tuple[int, int]]) -> str:
    return "".join(
        f"{rank} player id: {number} score: {points}\n" for rank, (number, points) in enumerate(ranking, 1)
    )


@pytest.mark.parametrize("number", range(3, 9))
def test_silly_players_on_the_deck_in_card_order(number: int) -> None:
    done = xmain(str(number))
    assert done.stdout == lines(model.play(number))
    assert done.returncode == 0


@pytest.mark.parametrize(
    "arguments", [[], ["2"], ["9"], ["three"], ["03"], ["3", "4"], ["--players", "a.py:A"]]
)
def test_anything_but_a_number_of_players_is_a_usage_error(arguments: list[str]) -> None:
    done = xmain(*arguments)
    if arguments == ["03"]:  # a number all the same
        assert done.returncode == 0
        return
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: xmain")
    assert not done.stdout


def test_a_seed_makes_another_game_and_always_the_same() -> None:
    games = [xmain("5", "--seed", seed).stdout for seed in ("1", "1", "2")]
    assert games[0] == games[1] != games[2]
    assert games[0] != xmain("5").stdout


def test_any_argument_is_a_seed_and_its_log_replays(tmp_path: Path) -> None:
    log = str(tmp_path / "game.log")
    for seed in (b"\xff", b"\xed\xa0\x80", "ä".encode(), b""):
        done = xmain("3", "--seed", os.fsdecode(seed), "--log", log)
        assert (done.stderr, done.returncode) == ("", 0)
        assert xmain("--replay", log).stdout == done.stdout


def test_a_seed_makes_the_deck_that_it_has_always_made() -> None:
    assert shuffled_deck(7)[:2] == shuffled_deck("7")[:2] == [(1, "symbiosis"), (-1, "warning-call")]
    assert shuffled_deck("ä")[:2] == [(-3, "fertile"), (3, "hard-shell")]


def test_the_result_as_json() -> None:
    result = json.loads(xmain("4", "--json").stdout)
    assert [(entry["id"], entry["score"]) for entry in result["ranking"]] == model.play(4)
    assert [entry["rank"] for entry in result["ranking"]] == [1, 2, 3, 4]
    assert result["thrown out"] == []


PLAYERS = """
import os, sys, time
from evolution.silly import Silly

class Mine(Silly):
    pass

class Loops(Silly):
    def feed_next(self, state):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass

class Exits(Silly):
    def choose(self, before, after):
        os._exit(0)

class Greedy(Silly):
    def choose(self, before, after):
        return bytearray(10 << 30)

class Nonsense(Silly):
    def choose(self, before, after):
        return {"all": "cards"}

class Raises(Silly):
    def feed_next(self, state):
        raise RuntimeError("no idea\\nat all")

class Changes(Silly):
    def start(self, view):
        super().start(view)
        view.boards.clear()
        view.hand.clear()
        view.boards += [None] * 7

    def choose(self, before, after):
        return [0, [], [], [], []]

class Talks(Silly):
    def start(self, view):
        print('["answer",[99,[],[],[],[]]]', flush=True)
        super().start(view)

class Shares(Silly):
    def choose(self, before, after):
        import mmap
        shared = mmap.mmap(-1, 10 << 30)
        for at in range(0, 10 << 30, 4096):
            shared[at] = 1

class Chatters(Silly):
    def choose(self, before, after):
        while True:
            print("x" * 1000, flush=True)

class Daemons(Silly):
    def start(self, view):
        super().start(view)
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                for descriptor in range(3):
                    os.close(descriptor)
                with open(__file__ + ".pid", "a") as file:  # there is a start in every turn
                    file.write(f"{os.getpid()} ")
                while True:
                    time.sleep(60)
            os._exit(0)
        os.wait()
        while not os.path.exists(__file__ + ".pid") or not open(__file__ + ".pid").read().endswith(" "):
            time.sleep(0.01)

class Changes2(Silly):
    def choose(self, before, after):
        answer = super().choose(before, after)
        for row in [*before, *after, self._boards]:
            for board in row:
                board.population = 7
                board.traits.append("carnivore")
            row.clear()
        return answer

    def feed_next(self, state):
        answer = super().feed_next(state)
        state.boards.clear()
        state.others.clear()
        state.hand.append((8, "carnivore"))
        state.hole = 1000
        return answer

class Ends(Silly):
    def feed_next(self, state):
        sys.exit("enough")

class Plain:
    def start(self, view):
        pass

    def choose(self, before, after):
        return [0, [], [], [], []]

    def feed_next(self, state):
        return False
"""


@pytest.fixture
def players(tmp_path: Path) -> Path:
    file = tmp_path / "players.py"
    file.write_text(PLAYERS)
    return file


def test_ones_own_player_plays_like_the_silly_one_it_is(players: Path) -> None:
    for extra in ([], ["--in-process"]):
        done = xmain("3", "--players", f"{players}:Mine,silly,{players}:Mine", *extra)
        assert done.stdout == lines(model.play(3)), done.stderr


@pytest.mark.every(3, "name")
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Loops", "feed_next: no answer within 2 s"),
        ("Exits", "choose: its process has ended"),
        ("Greedy", "choose: MemoryError"),
        ("Nonsense", "choose: its answer is malformed: input: expected an action"),
        ("Raises", "feed_next: RuntimeError: no idea at all (players.py, line 31: raise RuntimeError("),
        ("Shares", "choose: OSError: [Errno 12] Cannot allocate memory"),
        ("Chatters", "choose: it prints more than 1 MB"),
        ("Ends", "feed_next: its process has ended"),
    ],
)
def test_a_bad_player_costs_its_own_seat_and_nothing_else(players: Path, name: str, reason: str) -> None:
    patience = "2" if name == "Loops" else "60"
    done = xmain("4", "--timeout", patience, "--players", f"{players}:{name}")
    assert done.returncode == 0, done.stderr
    *ranked, thrown_out = done.stdout.splitlines()
    assert len(ranked) == 3
    assert thrown_out.startswith(f"- player id: 1 thrown out: {reason}")


@pytest.mark.parametrize("name", ["Changes", "Talks", "Plain"])
def test_a_strange_player_may_stay_as_long_as_its_answers_are_right(players: Path, name: str) -> None:
    done = xmain("3", "--players", f"{players}:{name}")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 3
    assert "thrown out" not in done.stdout


def test_what_a_player_prints_is_passed_on_as_far_as_it_is_bearable(players: Path) -> None:
    talks = xmain("3", "--players", f"{players}:Talks")
    assert '["answer",[99,[],[],[],[]]]' in talks.stderr
    chatters = xmain("3", "--players", f"{players}:Chatters")
    assert 1000 < len(chatters.stderr) <= 1 << 16


def test_what_a_player_in_the_same_process_prints_is_not_lost_and_not_in_the_result(tmp_path: Path) -> None:
    file = tmp_path / "talks.py"
    file.write_text(
        "from evolution import Silly\nprint('loaded')\n"
        "class Talks(Silly):\n"
        "    def game_over(self, result):\n        print('that was all', end='')\n"
    )
    done = xmain("3", "--in-process", "--json", "--players", f"{file}:Talks")
    assert [entry["id"] for entry in json.loads(done.stdout)["ranking"]] == [2, 3, 1]
    assert done.stderr == "loaded\nthat was all"


def test_what_a_player_in_the_same_process_prints_can_do_nothing_to_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "garbles.py"
    file.write_text(
        "import sys\nfrom evolution import Silly\nprint('loaded\\x1b[2J')\n"
        "class Garbles(Silly):\n"
        "    def game_over(self, result):\n"
        "        print('\\x1b]0;mine\\x07', file=sys.stderr)\n"
        "        sys.stdout.buffer.write(b'caf\\xc3\\xa9 \\x9b31m\\n')\n"
    )
    done = xmain("3", "--in-process", "--players", f"{file}:Garbles")
    assert done.stdout == lines(model.play(3))
    assert done.stderr == "loaded\\x1b[2J\n\\x1b]0;mine\\x07\ncafé \\x9b31m\n"


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_what_a_player_leaves_running_ends_with_the_game(players: Path) -> None:
    done = xmain("3", "--players", f"{players}:Daemons", "--sandbox", "off")  # it writes down who they are
    assert done.stdout == lines(model.play(3)), done.stderr
    pids = [int(pid) for pid in Path(f"{players}.pid").read_text().split()]
    assert pids
    assert not any(map(is_running, pids))


@pytest.mark.parametrize("extra", [[], ["--in-process"]], ids=["in a process", "in process"])
def test_what_a_player_does_to_what_it_is_given_changes_nothing(players: Path, extra: list[str]) -> None:
    changes = f"{players}:Changes2"
    done = xmain("3", "--players", f"{changes},{changes},{changes}", *extra)
    assert done.stdout == lines(model.play(3)), done.stderr


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Nonsense", "choose: its answer is malformed: input: expected an action"),
        ("Raises", "feed_next: RuntimeError: no idea at all (players.py, line 31: raise RuntimeError("),
        ("Ends", "feed_next: SystemExit: enough"),
    ],
)
def test_a_bad_player_in_the_same_process_costs_its_own_seat_too(
    players: Path, name: str, reason: str
) -> None:
    done = xmain("4", "--in-process", "--players", f"{players}:{name}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[3].startswith(f"- player id: 1 thrown out: {reason}")


def test_a_player_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    done = xmain("3", "--players", f"{tmp_path}/none.py:None")
    assert done.returncode == 2
    assert "none.py is not a file" in done.stderr
    inside = xmain("3", "--in-process", "--players", f"{tmp_path}/none.py:None")
    assert inside.returncode == 2
    assert "none.py is not a file" in inside.stderr
    assert xmain("3", "--players", "nonsense").returncode == 2
    assert xmain("3", "--players", "silly,silly,silly,silly").returncode == 2


UNLOADABLE = {
    "class Other: pass": "there is no class Mine",
    "def x(:": "SyntaxError: invalid syntax (unloadable.py, line 1: def x(:)",
    "import nowhere_at_all": "ModuleNotFoundError: No module named 'nowhere_at_all'",
    "import sys; sys.exit('enough\\nof it')": "SystemExit: enough of it",
    "class Mine:\n def __init__(self, age): pass": "TypeError: Mine.__init__() missing 1 required",
    "Mine = 5": "TypeError: 'int' object is not callable",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "import os; os._exit(0)": "its process has ended",
    "while True: pass": "no answer within 0.5 s",
}
ONLY_OUTSIDE = ("raise KeyboardInterrupt", "import os; os._exit(0)", "while True: pass")


@pytest.mark.every(3, "code")
@pytest.mark.parametrize("code", UNLOADABLE)
@pytest.mark.parametrize(
    "design", ["", *(pytest.param(f"{design}:", marks=pytest.mark.long) for design in DESIGNS)]
)
def test_a_class_that_cannot_be_loaded_is_a_usage_error_before_anything_is_played(
    tmp_path: Path, code: str, design: str
) -> None:
    file, log = tmp_path / "unloadable.py", tmp_path / "game.log"
    file.write_text(code)
    described = f"{design}{file}:Mine"
    seconds = "0.5" if code.startswith("while") else "30"
    commands = [
        ("xmain", "3", "--log", str(log), "--timeout", seconds, "--players", f"silly,{described}"),
        ("xclient", "--port", "1", "--wait", "0", "--timeout", seconds, "--player", described),
    ]
    if code not in ONLY_OUTSIDE:
        commands.append(("xmain", "3", "--in-process", "--players", described))
    for program, *arguments in commands:
        done = run(program, *arguments)
        assert (done.out, done.status) == (b"", 2), done
        _, _, _, error = done.err.decode().splitlines()
        assert error.startswith("Error: --player")
        assert f"{file}:Mine: {UNLOADABLE[code]}" in error
    assert not log.exists()
