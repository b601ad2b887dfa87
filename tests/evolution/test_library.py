"""The game as a library: its public names, and what loading it costs."""

import ast
import configparser
import doctest
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import evolution

PACKAGE = Path(evolution.__file__).parent
ENGINE = [f"evolution.{path.stem}" for path in sorted(PACKAGE.glob("*.py")) if path.stem != "__init__"]


@pytest.mark.parametrize("name", evolution.__all__)
def test_every_public_name_can_be_imported_from_its_home(name: str) -> None:
    home = import_module(f"evolution.{evolution._HOME[name]}")
    assert getattr(evolution, name) is getattr(home, name)


def test_the_imports_for_type_checkers_agree_with_those_at_run_time() -> None:
    tree = ast.parse(Path(evolution.__file__).read_text())
    for_checkers = {
        alias.name: node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module != "importlib"
        for alias in node.names
    }
    assert for_checkers == {name: f"evolution.{home}" for name, home in evolution._HOME.items()}


def test_the_public_names_all_have_a_home_and_are_shown_by_dir() -> None:
    assert dir(evolution) == sorted(evolution.__all__) == sorted(evolution._HOME)


def test_an_unknown_name_is_an_attribute_error_that_says_so() -> None:
    with pytest.raises(AttributeError, match="module 'evolution' has no attribute 'Dinosaur'"):
        evolution.Dinosaur  # noqa: B018
    assert not hasattr(evolution, "step5")


def test_the_examples_of_the_package_are_true() -> None:
    result = doctest.testmod(evolution)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_engine_knows_nothing_of_json() -> None:
    assert {"evolution.turn", "evolution.traits"} < set(ENGINE)
    names = [*ENGINE, "json", "_json", "orjson", "evolution.wire"]
    program = (
        f"import sys; import {', '.join(ENGINE)}; print([name for name in {names} if name in sys.modules])"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == str(ENGINE)


def test_the_package_itself_loads_nothing_of_the_game() -> None:
    program = "import sys, evolution; print([name for name in sys.modules if name.startswith('evolution')])"
    loaded = subprocess.run(
        [sys.executable, "-c", program], cwd=PACKAGE.parent, capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == "['evolution']"


def test_the_modules_of_the_rules_are_those_that_are_mutated() -> None:
    config = configparser.ConfigParser()
    config.read(PACKAGE.parent / "setup.cfg")
    mutated = config["mutmut"]["only_mutate"].split()
    assert mutated == [f"evolution/{name}.py" for name in evolution.RULES]
    assert {f"evolution.{name}" for name in evolution.RULES} < set(ENGINE)
