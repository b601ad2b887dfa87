"""docs/players.md and help() tell every attribute of what players get and answer, with its type."""

import ast
import inspect
import re

import pytest

import evolution
from evolution.actions import Action4
from evolution.choices import Attack, Eat, State, StoreFat
from evolution.game import Result
from evolution.player import Start, View
from evolution.species import Species
from evolution.table import Player
from tests.support.helpers import ROOT

CLASSES = (Species, Start, State, View, Result, Player, Action4, Eat, StoreFat, Attack)
ROW = re.compile(r"^\| (?:`(\w+)`[^|]*)?\| `(\w+)` \| `([^|]+)` \| [^|]+ \|$", re.MULTILINE)


def attributes(kind: type) -> dict[str, str]:
    """The public attributes of a class and their types, as its source says them."""
    (definition,) = ast.parse(inspect.getsource(kind)).body
    found: dict[str, str] = {}
    for node in ast.walk(definition):
        if isinstance(node, ast.arg) and node.annotation and node.arg in kind.__slots__:  # type: ignore[attr-defined]
            found[node.arg] = ast.unparse(node.annotation)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Attribute):
            found.setdefault(node.target.attr, ast.unparse(node.annotation))
    names = [name for name in kind.__slots__ if not name.startswith("_")]  # type: ignore[attr-defined]
    return {name: found[name].strip("'\"").removesuffix(" | None") for name in names}


def documented() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    name = ""
    for start, attribute, kind in ROW.findall((ROOT / "docs" / "players.md").read_text()):
        name = start or name
        found.setdefault(name, {})[attribute] = kind
    return found


@pytest.mark.parametrize("kind", CLASSES)
def test_the_page_has_every_attribute_and_its_type(kind: type) -> None:
    assert documented()[kind.__name__] == attributes(kind)


@pytest.mark.parametrize("kind", CLASSES)
def test_help_names_every_attribute_and_its_type(kind: type) -> None:
    told = inspect.getdoc(kind) or ""
    for name, type_of_it in attributes(kind).items():
        assert re.search(rf"\b{name}\b", told)
        assert type_of_it in told


def test_help_says_what_a_card_is() -> None:
    import pydoc

    told = pydoc.plain(pydoc.render_doc(evolution.Card))
    assert "food: int, card[0]" in told
    assert "trait: str, card[1]" in told
