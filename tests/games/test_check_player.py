"""xmain --check-player: what a player does wrong where players go wrong, by rule."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from evolution.actions import Action4
from evolution.choices import Attack, Eat, FeedingChoice, State, StoreFat
from evolution.feeding import legal_choices
from evolution.hosting.asked import Inside
from evolution.silly import Silly
from evolution.species import Species, is_carnivore
from harness.games.check_player import Check, check
from tests.support.helpers import BIN, ROOT

RULES = re.findall(r"^### (\d+\.\d+) ", (ROOT / "docs" / "rules.md").read_text(), re.MULTILINE)


def checked(player: type) -> list[Check]:
    return list(check(lambda: (Inside(player()), lambda: None)))


def rules_broken(player: type) -> set[str]:
    found = {rule for one in checked(player) for fault in one.faults for rule in fault.rules.split(", ")}
    assert found <= set(RULES)
    return found


def test_a_player_that_plays_by_the_rules_is_right_everywhere_and_has_been_asked_everywhere() -> None:
    found = checked(Silly)
    assert [one.position for one in found if one.faults] == []
    assert all(one.asked["choose"] for one in found)
    assert sum(one.asked["feed_next"] > 0 for one in found) >= len(found) - 3
    assert len(found) > 20


class BuysOnCredit(Silly):
    def choose(self, before: list[list[Species]], after: list[list[Species]]) -> Action4:
        return Action4(0, grow_body=[(0, 1)], grow_population=[(0, 2)])


class AlwaysAttacks(Silly):
    def feed_next(self, state: State) -> "FeedingChoice | None":
        hunters = [at for at, board in enumerate(state.boards) if is_carnivore(board)]
        return Attack(hunters[0], 0, 0) if hunters else super().feed_next(state)


class FeedsTheFirst(Silly):
    def feed_next(self, state: State) -> FeedingChoice:
        return Eat(0)


class StoresTooMuch(Silly):
    def feed_next(self, state: State) -> FeedingChoice:
        return StoreFat(0, 8)


class EatsItself(Silly):
    def feed_next(self, state: State) -> FeedingChoice:
        own = [one for one in legal_choices(state) if isinstance(one, Attack)]
        return Attack(own[0].board, len(state.others), own[0].board) if own else legal_choices(state)[0]


class Raises(Silly):
    def feed_next(self, state: State) -> FeedingChoice:
        raise RuntimeError("no idea")


@pytest.mark.parametrize(
    ("player", "rules"),
    [
        (BuysOnCredit, {"5.5"}),
        (AlwaysAttacks, {"2.3", "2.6", "4.3"}),
        (FeedsTheFirst, {"1.4", "4.1"}),
        (StoresTooMuch, {"3.8"}),
        (EatsItself, {"2.10"}),
        (Raises, {"6.2"}),
    ],
)
def test_what_is_wrong_is_said_with_the_number_of_the_rule(player: type, rules: set[str]) -> None:
    assert rules_broken(player) == rules


def xmain(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [BIN / "xmain", *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )


def test_the_question_and_the_line_of_the_player_are_told(tmp_path: Path) -> None:
    player = tmp_path / "mine.py"
    player.write_text(
        "from evolution.silly import Silly\n"
        "class Mine(Silly):\n"
        "    def choose(self, before, after):\n"
        "        return before[0]\n"
    )
    done = xmain("--check-player", f"{player}:Mine", "--in-process", "--json")
    assert (done.stderr, done.returncode) == ("", 1)
    found: Any = json.loads(done.stdout)
    (fault,) = next(one for one in found["checks"] if one["position"].startswith("alone"))["faults"]
    assert fault["reason"] == "IndexError: list index out of range (mine.py, line 4: return before[0])"
    assert fault["rules"] == ["6.2"]
    assert json.loads(fault["asked"])["choose"] == [[], []]


@pytest.mark.long
@pytest.mark.parametrize(
    "player",
    [
        "docs/modest.py:Modest",
        "stepwise:docs/players/stepwise.py:Settler",
        "cardwise:docs/players/cardwise.py:Breeder",
        "table:docs/players/table.py:Gardener",
    ],
)
def test_the_examples_of_the_documentation_are_right_everywhere(player: str) -> None:
    done = xmain("--check-player", player)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("21 of 21 right\n")


@pytest.mark.long
def test_wrong_use_of_the_check_is_said(tmp_path: Path) -> None:
    for arguments in (["3"], ["--seed", "1"], ["--players", "silly"], ["--explain"]):
        done = xmain("--check-player", "silly", *arguments)
        assert done.returncode == 2
        assert "--check-player plays games of its own" in done.stderr
    assert "a person is not checked" in xmain("--check-player", "human").stderr
    assert xmain("--check-player", f"{tmp_path}/none.py:None").returncode == 2
