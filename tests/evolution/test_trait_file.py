"""Files of traits: what they add, and what is said of those that are wrong."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from evolution import TRAITS, Player, Species, Table, TraitError, full_deck, load_traits
from evolution.picture import draw
from evolution.trait_file import LOADED, PARAMETERS
from evolution.traits import KINDS
from tests.support.cases import make_species
from tests.support.helpers import BIN, ROOT

EXAMPLES = sorted((ROOT / "docs" / "traits").glob("*.py"))
HEAD = "from evolution import Trait\n"


@pytest.fixture(autouse=True)
def _table_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    kept = dict(TRAITS)
    monkeypatch.setattr("evolution.trait_file.LOADED", [])
    yield
    TRAITS.clear()
    TRAITS.update(kept)


def test_every_hook_has_its_parameters() -> None:
    assert [*PARAMETERS] == [hook for hooks in KINDS.values() for hook in hooks]


def test_the_examples_are_a_trait_of_each_kind_in_ten_lines() -> None:
    assert {next(iter(load_traits(path).values())).kind for path in EXAMPLES} == KINDS.keys()
    assert max(len(path.read_text().splitlines()) for path in EXAMPLES) <= 10
    assert len(full_deck()) == 122 + 4 * 7 + 5  # poison has the cards from -2 to 2


def test_an_entry_may_take_the_place_of_one_of_the_sixteen(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + 'TRAITS = {"climbing": Trait(), "glowing": Trait()}\n')
    load_traits(file)
    assert TRAITS["climbing"].kind == "no reaction"
    assert [*TRAITS][2] == "climbing"  # its place in the order stays
    assert [*TRAITS][-1] == "glowing"


def test_a_picture_shows_a_trait_that_has_come_late() -> None:
    picture = draw(Table([Player(1, [Species(traits=["beauty"])])]))
    load_traits(ROOT / "docs" / "traits" / "beauty.py")
    assert ">beauty</text>" in picture.svg
    assert "beauty" in picture.text()


WRONG = {
    "1/0\n": ":1: ZeroDivisionError: division by zero",
    "\n\ndef f(:\n": ":3: not Python: ",
    "import sys\nsys.exit('bye')\n": ":2: SystemExit: bye",
    "x = 1\n": ": there is no dictionary TRAITS in it",
    HEAD + "\nTRAITS = {'a': Trait(saw_atack=1)}\n": ":3: a trait has no hook 'saw_atack'; did you m",
    HEAD + "TRAITS = {\n 'a': Trait(),\n 'Big': Trait()}\n": ":4: 'Big' is not a name for a trait: use lower",
    HEAD + "TRAITS = {'a b': Trait()}\n": ":2: 'a b' is not a name for a trait",
    HEAD + "TRAITS = {'a--b': Trait()}\n": ":2: 'a--b' is not a name for a trait",
    HEAD + "TRAITS = {\n 7: Trait()}\n": ":3: 7 is not a name for a trait",
    HEAD + "TRAITS = {'a':\n 7}\n": ":2: a is not a Trait but int",
    HEAD + "TRAITS = {'a': Trait(most_food=99)}\n": ":2: most_food of a must be a whole number from 0 to 8",
    HEAD + "TRAITS = {'a': Trait(eats_more=1)}\n": ":2: eats_more of a must be a function eats_more(owner",
    HEAD + "def f(x):\n return 1\nTRAITS = {'a': Trait(eats_more=f)}\n": ":2: a is called as eats_more(",
    HEAD + "f = print\nTRAITS = {'a': Trait(eats_more=f,\n food_revealed=f)}\n": ":3: ValueError: a trait is",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG)
def test_what_is_wrong_is_one_line_with_its_place(text: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(text)
    before = dict(TRAITS)
    with pytest.raises(TraitError) as told:
        load_traits(file)
    assert str(told.value).startswith(f"{file}{WRONG[text]}")
    assert "\n" not in str(told.value)
    assert (before, []) == (TRAITS, LOADED)  # nothing of it is there


def run(*command: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [BIN / command[0], *command[1:]], input=stdin, capture_output=True, text=True, timeout=60, check=False
    )


def test_a_hook_that_fails_refuses_that_input_and_no_other(tmp_path: Path) -> None:
    file = tmp_path / "fails.py"
    file.write_text(
        HEAD
        + "def f(*all):\n return {2: False, 1: True}[all[0].body]\nTRAITS = {'a-b': Trait(prevents_attack=f)}"
    )
    prey = make_species(0, 0, 1, ["a-b"], None)
    wolves = [make_species(0, body, 1, ["carnivore"], None) for body in (2, 0, 1)]
    lines = "".join(json.dumps([prey, wolf, False, False]) + "\n" for wolf in wolves)
    done = run("xattack", "--stream", "--traits", file, stdin=lines)
    assert done.stdout == "true\n\nfalse\n"
    assert done.stderr == f"xattack: {file}:3: KeyError: 0\n"
    assert done.returncode == 65


def test_a_trait_that_fails_in_a_game_ends_it_and_throws_nobody_out(tmp_path: Path) -> None:
    file = tmp_path / "fails.py"
    trait = "{name: Trait(food_eaten=f) for name in evolution.TRAITS}"
    file.write_text(f"{HEAD}import evolution\ndef f(*all):\n raise OSError('no')\nTRAITS = {trait}\n")
    done = run("xmain", "3", "--traits", file)
    assert (done.stdout, done.returncode) == ("", 65)
    assert done.stderr == f"xmain: {file}:4: OSError: no\n"


def test_players_in_other_processes_and_replays_know_the_traits(tmp_path: Path) -> None:
    file, log = EXAMPLES[0], tmp_path / "game.log"
    modest = ROOT / "docs" / "modest.py"
    game = run("xmain", "3", "--seed", "1", "--traits", file, "--players", f"{modest}:Modest", "--log", log)
    assert "thrown out" not in game.stdout
    assert file.stem in log.read_text()
    again = run("xmain", "--replay", log, "--traits", file)
    assert again.stdout == game.stdout
    assert run("xmain", "--replay", log).returncode == 65
