"""Players of other designs from the command line: the example of each, and players that may do anything."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evolution.cards import shuffled_deck
from evolution.game import Game
from evolution.hosting.asked import Inside
from evolution.hosting.host import load
from evolution.silly import Silly
from tests.support.helpers import BIN, ROOT

Json = Any

EXAMPLES = {
    "stepwise": ("docs/players/stepwise.py", "Settler"),
    "cardwise": ("docs/players/cardwise.py", "Breeder"),
    "table": ("docs/players/table.py", "Gardener"),
}
SEED = "6"  # in this game each example does everything that its interface offers


def xmain(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Our examples are shown to all players, since some are made of them."""
    shown = [] if "--replay" in arguments else ["--show", "docs/players"]
    command = [str(BIN / "xmain"), *arguments, *shown]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=ROOT)


def word(design: str) -> str:
    file, name = EXAMPLES[design]
    return f"{design}:{file}:{name}"


# --- the examples ------------------------------------------------------------------------------------

EVERYTHING = {
    "stepwise": {
        "place_cards_on_boards",
        "select_board_for_card",
        "trade_cards_for_boards",
        "trade_cards_for_body_size",
        "select_board_to_give_body_size",
        "trade_cards_for_population",
        "select_board_to_give_population",
        "select_species_order",
        "select_species_discarded_cards",
        "select_attack",
        "game_over",
    },
    "cardwise": {
        "game_state_updated",
        "place_species",
        "use_cards",
        "feed",
        "add-trait",
        "replace-trait",
        "exchange-for-species",
        "exchange-for-body",
        "exchange-for-population",
        "keep",
        "discard",
    },
    "table": {
        "food_card",
        "moves",
        "arrange",
        "discards",
        "attack",
        "scoreboard",
        "trade sb",
        "trade bs",
        "trade ps",
        "place",
    },
}


def doing(request: str, answer: Json) -> list[str]:
    """What a player has used: the request, and the actions that it has answered with."""
    if request == "use_cards":
        return [request, *(action[0] for action in answer)]
    if request == "moves":
        actions = [action["action"] for _, action in answer]
        return [request, *(kind if kind == "place" else f"{kind} {what}" for kind, what in actions)]
    if request in ("select_attack", "attack", "feed") and not answer:
        return []  # it has declined
    return [request]


def test_each_example_uses_every_request_and_action_of_its_interface_in_one_game() -> None:
    used: dict[str, set[str]] = {design: set() for design in EXAMPLES}
    agents: list[Any] = []
    for design, (file, name) in EXAMPLES.items():
        adapter = load(str(ROOT / file), name, design)
        tell = adapter.tell

        def told(request: str, *arguments: Json, tell: Any = tell, design: str = design) -> Json:
            answer = tell(request, *arguments)
            used[design].update(doing(request, answer))
            return answer

        adapter.tell = told
        agents.append(Inside(adapter))
    result = Game([*agents, Silly()], shuffled_deck(SEED)).play()
    assert result.thrown_out == []
    assert used == EVERYTHING


def test_the_examples_play_the_same_game_in_processes_of_their_own_and_in_this_one() -> None:
    players = ",".join(map(word, EXAMPLES))
    outside = xmain("4", "--seed", SEED, "--players", players)
    inside = xmain("4", "--seed", SEED, "--players", players, "--in-process")
    assert outside.returncode == 0
    assert len(outside.stdout.splitlines()) == 4
    assert "thrown out" not in outside.stdout
    assert outside.stdout == inside.stdout


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3))
def test_any_mix_of_designs_finishes(seed: int) -> None:
    words = [
        word("table"),
        "docs/modest.py:Modest",
        word("cardwise"),
        "silly",
        word("stepwise"),
        word("table"),
    ]
    players = ",".join(words[seed:] + words[:seed])
    done = xmain("--seed", str(seed), "--players", players, "--json")
    result = json.loads(done.stdout)
    assert len(result["ranking"]) == 6
    assert result["thrown out"] == []


@pytest.mark.long
def test_no_example_is_thrown_out_of_many_games() -> None:
    for seed in range(40):
        examples = [Inside(load(str(ROOT / file), name, design)) for design, (file, name) in EXAMPLES.items()]
        number = 3 + seed % 6
        agents: list[Any] = [*examples, *(Silly() for _ in range(number - 3))]
        agents = agents[seed % number :] + agents[: seed % number]
        result = Game(agents, shuffled_deck(seed)).play()
        assert result.thrown_out == []
        assert all(agent.take_remarks() == [] for agent in examples)


# --- words -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "described",
    [
        "chess:docs/modest.py:Modest",
        "stepwise:",
        "stepwise:docs/players/stepwise.py",
        "table:nowhere.py:Nobody",
        ":A",
    ],
)
def test_a_word_that_names_no_player_is_a_usage_error(described: str) -> None:
    done = xmain("3", "--players", described)
    assert done.returncode == 2
    assert "--players" in done.stderr
    assert not done.stdout


def test_a_file_may_have_the_name_of_a_design(tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    file = tmp_path / "table" / "stepwise.py"
    file.write_text((ROOT / "docs/modest.py").read_text())
    done = xmain("3", "--players", f"{file}:Modest")
    assert "thrown out" not in done.stdout
    assert done.returncode == 0, done.stderr


# --- hostile players -----------------------------------------------------------------------------------

HOSTILE = """
import os, sys, time

sys.path.insert(0, {examples!r})
from cardwise import Breeder
from stepwise import Settler
from table import Gardener


class Sleeps(Settler):
    def trade_cards_for_body_size(self, cards, boards, player, opponents):
        time.sleep(60)


class Forges(Settler):
    def trade_cards_for_boards(self, cards, boards, player, opponents):
        for descriptor in range(3, 20):
            try:
                while True:
                    os.write(descriptor, b'["asking","more"]\\n' * 50)
                    time.sleep(0.05)
            except OSError:
                pass
        time.sleep(60)


class Exits(Breeder):
    def use_cards(self, hand):
        os._exit(0)


class Leaves(Gardener):
    def arrange(self, ps):
        sys.exit()


class Greedy(Gardener):
    def moves(self, ps):
        return bytearray(10 << 30)


class Knotted(Settler):
    def select_species_order(self, boards, player, opponents):
        boards.append(boards)
        return boards


class Deaf(Breeder):
    def game_state_updated(self, game_state):
        super().game_state_updated(game_state)
        if game_state["wateringHoleTokens"]:
            raise ValueError("too loud")


class Changes(Breeder):
    def game_state_updated(self, game_state):
        super().game_state_updated(game_state)
        self.state = {{"players": [], **game_state}}
        game_state["players"] = None

    def use_cards(self, hand):
        actions = super().use_cards(hand)
        hand.clear()
        return actions


class Slow(Settler):
    pauses = 4

    def pause(self):
        if self.pauses:
            self.pauses -= 1
            time.sleep(0.55)

    def trade_cards_for_boards(self, *arguments):
        self.pause()
        return super().trade_cards_for_boards(*arguments)

    def place_cards_on_boards(self, *arguments):
        self.pause()
        return super().place_cards_on_boards(*arguments)

    def select_species_order(self, *arguments):
        self.pause()
        return super().select_species_order(*arguments)

    def trade_cards_for_population(self, *arguments):
        self.pause()
        return super().trade_cards_for_population(*arguments)

"""


@pytest.fixture
def hostile(tmp_path: Path) -> str:
    file = tmp_path / "hostile.py"
    file.write_text(HOSTILE.format(examples=str(ROOT / "docs" / "players")))
    return str(file)


@pytest.mark.every(3, "name")
@pytest.mark.parametrize(
    ("design", "name", "reason"),
    [
        ("stepwise", "Sleeps", "choose: trade_cards_for_body_size: no answer within 2 s"),
        ("stepwise", "Forges", "choose: its answer does not end"),
        ("cardwise", "Exits", "choose: use_cards: its process has ended"),
        ("table", "Leaves", "choose: arrange: its process has ended"),
        ("table", "Greedy", "choose: moves: MemoryError"),
        ("stepwise", "Knotted", "choose: select_species_order: its answer is nested too deeply"),
        ("cardwise", "Deaf", "changed: game_state_updated: ValueError: too loud"),
    ],
)
def test_a_hostile_player_costs_its_own_seat_and_the_reason_names_the_request(
    hostile: str, design: str, name: str, reason: str
) -> None:
    seconds = "2" if name == "Sleeps" else "30"
    done = xmain("4", "--seed", SEED, "--timeout", seconds, "--players", f"{design}:{hostile}:{name}")
    assert done.returncode == 0, done.stderr
    *ranked, thrown_out = done.stdout.splitlines()
    assert len(ranked) == 3
    assert thrown_out.startswith(f"- player id: 1 thrown out: {reason}"), thrown_out


@pytest.mark.long
@pytest.mark.parametrize(("design", "name"), [("cardwise", "Changes"), ("stepwise", "Slow")])
def test_a_strange_player_stays_as_long_as_its_answers_are_right(
    hostile: str, design: str, name: str
) -> None:
    # Slow takes longer for all the requests of its first turn than there is for each of them.
    done = xmain("3", "--seed", SEED, "--timeout", "2", "--players", f"{design}:{hostile}:{name}")
    assert done.returncode == 0, done.stderr
    assert "thrown out" not in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        ("[['keep'] for card in hand]", 'exactly one action must be "discard", found 0'),
        (
            "(['discard'] for card in hand)",
            "its answer is made of generator, not of plain lists, strings and numbers",
        ),
    ],
)
def test_the_game_chooses_for_a_cardwise_player_and_says_so(
    tmp_path: Path, answer: str, problem: str
) -> None:
    file, log = tmp_path / "keeps.py", tmp_path / "game.log"
    file.write_text(
        f"import sys\nsys.path.insert(0, {str(ROOT / 'docs' / 'players')!r})\n"
        "from cardwise import Breeder\n\n\n"
        f"class Keeps(Breeder):\n    def use_cards(self, hand):\n        return {answer}\n"
    )
    done = xmain("3", "--seed", SEED, "--players", f"cardwise:{file}:Keeps", "--log", str(log))
    assert "thrown out" not in done.stdout
    said = f"use_cards: {problem}: the game has chosen instead"
    assert f"Keeps: {said}" in done.stderr.splitlines()
    remarks = [json.loads(line) for line in log.read_text().splitlines() if '"remark"' in line]
    assert {remark["remark"] for remark in remarks} == {said}
    assert xmain("--replay", str(log)).stdout == done.stdout
    assert said in xmain("--replay", str(log), "--explain").stdout
