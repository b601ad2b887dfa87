"""explain is checked, not trusted: its movements, replayed, must end where the engine ends."""

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from harness.explain.programs import explain
from harness.judging.compare import differences
from harness.judging.difference import about
from tests.support import cases
from tests.support.helpers import BIN, ROOT, species

Json = Any
COUNT = 5000
A_FEW = 500
SOME_OR_ALL = pytest.mark.parametrize(
    "seeds", [range(A_FEW), pytest.param(range(A_FEW, COUNT), marks=pytest.mark.long)]
)
GENERATORS = {
    "xattack": [cases.situation],
    "xfeed": [cases.feeding, cases.state],
    "xstep": [cases.configuration, cases.state],
    "xstep4": [cases.step4],
    "xsilly": [cases.choice],
}


class Replay:
    """A table on which only what a story lists is done."""

    def __init__(self, value: Json) -> None:
        self.is_state = len(value) == 5
        if self.is_state:
            _, boards, hand, self.hole, others = value
            rows = [boards, *others]
            self.hands = [hand] + [[] for _ in others]
            self.deck: list[Json] = []
        else:
            players, self.hole, self.deck = value
            rows = [dict(player)["species"] for player in players]
            self.hands = [dict(player).get("cards", []) for player in players]
        self.boards = [[dict(board) for board in row] for row in rows]
        self.hands = [[tuple(card) for card in hand] for hand in self.hands]
        self.deck = [tuple(card) for card in self.deck]
        for row in self.boards:
            for board in row:
                board.setdefault("fat-food", 0)
                if "fat-tissue" not in board["traits"]:
                    board["fat-food"] = 0
        self.number()

    def number(self) -> None:
        self.numbered = [row[:] for row in self.boards]

    def play(self, event: Json) -> None:
        getattr(self, event["kind"].replace(" ", "_"))(event)

    def board(self, event: Json) -> Json:
        return self.numbered[event["player"]][event["board"]]

    def step(self, event: Json) -> None:
        self.number()

    def eat(self, event: Json) -> None:
        self.hole -= 1
        self.board(event)["food"] += 1

    def store(self, event: Json) -> None:
        self.hole -= event["tokens"]
        self.board(event)["fat-food"] += event["tokens"]

    def use_fat(self, event: Json) -> None:
        self.board(event)["fat-food"] -= event["tokens"]
        self.board(event)["food"] += event["tokens"]

    def grow(self, event: Json) -> None:
        self.board(event)["population"] += 1

    def wound(self, event: Json) -> None:
        board = self.board(event)
        board["population"] -= 1
        board["food"] = min(board["food"], board["population"])
        if not board["population"]:
            row = self.boards[event["player"]]
            row[:] = [other for other in row if other is not board]

    def draw(self, event: Json) -> None:
        drawn, self.deck = self.deck[: event["count"]], self.deck[event["count"] :]
        self.hands[event["player"]][:0] = drawn

    def reveal(self, event: Json) -> None:
        self.hole = max(0, self.hole + event["food"])

    def play_cards(self, player: int, used: list[int]) -> None:
        self.hands[player] = [card for at, card in enumerate(self.hands[player]) if at not in used]

    def exchange(self, player: int, action: Json) -> None:
        """The exchanges of an action, which a story tells in words only."""
        _, populations, bodies, new, replaced = action
        hand, row = self.hands[player], self.boards[player]
        for _, *traits in new:
            names = [hand[card][1] for card in traits]
            row.append({"food": 0, "body": 0, "population": 1, "traits": names, "fat-food": 0})
        for at, slot, card in replaced:
            row[at] = {**row[at], "traits": row[at]["traits"][:]}
            row[at]["traits"][slot] = hand[card][1]
        for board in row:
            if "fat-tissue" not in board["traits"]:
                board["fat-food"] = 0
        for key, growths in (("population", populations), ("body", bodies)):
            for growth in growths:
                row[growth[-2]][key] += 1

    def picture(self) -> Json:
        rows = [
            [(b["food"], b["body"], b["population"], b["traits"], b["fat-food"]) for b in row]
            for row in self.boards
        ]
        return rows, self.hands, self.hole, self.deck


@SOME_OR_ALL
@pytest.mark.parametrize("program", ["xstep", "xstep4"])
def test_the_listed_movements_lead_to_the_engines_result(program: str, seeds: range) -> None:
    for seed in seeds:
        generators = GENERATORS[program]
        value = generators[seed % len(generators)](random.Random(f"explain {seed}"))
        story = explain(program, json.loads(json.dumps(value)))
        if story.answer is None:
            continue
        table, actions = (value[0], value[1]) if program == "xstep4" else (value, [])
        if program == "xstep4" and len(table) == 5:  # a State, with its owner's action alone
            actions = [actions]
        replay = Replay(json.loads(json.dumps(table)))
        for step in story.steps:
            event = step.event
            if event is None:
                continue
            if event["kind"] == "play":
                replay.exchange(event["player"], actions[event["player"]])
                replay.play_cards(event["player"], event["cards"])
                replay.number()
            else:
                replay.play(event)
        assert replay.picture() == Replay(json.loads(story.answer)).picture(), seed


@SOME_OR_ALL
@pytest.mark.parametrize("program", list(GENERATORS))
def test_every_story_ends_with_the_programs_answer(program: str, seeds: range) -> None:
    for seed in seeds[::5]:
        generators = GENERATORS[program]
        value = generators[seed % len(generators)](random.Random(f"answer {seed}"))
        story = explain(program, value)
        assert story.lines()[-1] == f"the answer: {'nothing' if story.answer is None else story.answer}"
        assert len(story.steps) > 1


def test_every_rule_that_is_cited_is_in_the_rules() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text()
    cited = set()
    for program, generators in GENERATORS.items():
        for seed in range(100):
            for step in explain(program, generators[0](random.Random(seed))).steps:
                cited.add(step.rule)
    for rule in cited - {""}:
        assert f"## {rule}" in rules, rule


# --- the command ----------------------------------------------------------------------------------


def harness(*arguments: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "harness", "explain", *arguments],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


def test_a_case_of_ours_is_explained_and_agrees_with_the_rules() -> None:
    done = harness("test-fixtures/xstep/attack-takes-population-and-feeds")
    assert done.returncode == 0, done.stderr
    assert "player 1 (id 2), board 0 loses one population (it is attacked): 1 left (rules 3.4)" in done.stdout


def test_all_of_our_cases_can_be_explained() -> None:
    for given in sorted((ROOT / "test-fixtures").rglob("*-in.json")):
        if given.parent.name in GENERATORS:
            assert explain(given.parent.name, json.loads(given.read_text())).steps


def test_for_tools_there_is_json() -> None:
    done = harness("--json", "test-fixtures/xstep/attack-takes-population-and-feeds")
    story = json.loads(done.stdout)
    assert story["program"] == "xstep"
    assert {step["event"]["kind"] for step in story["steps"] if "event" in step} == {"step", "wound", "eat"}


def test_a_case_that_the_rules_contradict_is_named(tmp_path: Path) -> None:
    board = '[["food",0],["body",0],["population",1],["traits",["carnivore"]]]'
    (tmp_path / "a-in.json").write_text(f"[{board},{board},false,false]")
    (tmp_path / "a-out.json").write_text("false")
    done = harness("--program", "xattack", str(tmp_path / "a"))
    assert done.returncode == 1
    assert "the case expects something else" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "given", "status", "message"),
    [
        (["nowhere"], "", 2, "nowhere: no such directory or case"),
        (["-"], "[]", 2, "say which program"),
        (["--program", "xattack", "-"], "[]", 65, "xattack: input: expected a situation"),
        (["--program", "xattack", "-"], "[", 65, "xattack: not JSON at byte 1"),
    ],
)
def test_what_cannot_be_explained_is_said_clearly(
    arguments: list[str], given: str, status: int, message: str
) -> None:
    done = harness(*arguments, given=given)
    assert done.returncode == status
    assert message in done.stderr
    assert not done.stdout


def test_what_concerns_an_own_board_of_a_state_is_found_for_what_is_said_of_it() -> None:
    wolf, others = species(0, 0, 1, ["carnivore"]), [[species(0, 0, 1, ["horns"])]]
    story = explain("xstep", [0, [wolf], [], 1, others])
    for boards in ([], [wolf, wolf], [species(1, 0, 1, ["carnivore"])]):
        found = differences([0, [wolf], [], 1, others], [0, boards, [], 1, others])
        told = story.lines_about(about(found))
        assert any("the horns of its prey" in line for line in told), boards
        assert len(told) < len(story.lines())
