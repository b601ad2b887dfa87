"""The layers of the project: an import only ever points down, inside functions and for type checkers too."""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.helpers import ROOT

# Lower layers first; what stands in one line does not know of each other.
LAYERS = """
evolution
evolution.wire
harness.base harness.shipped
evolution.designs evolution.picture harness.judging harness.events
evolution.hosting harness.programs
harness.fixtures
evolution.remote harness.explain harness.inputs harness.misreadings
harness.running
harness.conformance harness.games harness.report
harness.search harness.tournament
harness.authoring
harness.grading
harness.cluster
harness.cli
harness.start
"""
LAYER = {room: number for number, line in enumerate(LAYERS.strip().split("\n")) for room in line.split()}
STARTS = {"harness.start", "harness.__main__", "harness.pytest_plugin"}
FRONTS = {"evolution", "harness"}  # the packages themselves: names for others, and exit statuses


def room(module: str) -> str:
    """The package of a module; single modules of harness/ are its base, or where it starts."""
    parts = ".".join(module.split(".")[:2])
    if module in STARTS:
        return "harness.start"
    if parts in LAYER:
        return parts
    return "evolution" if module.startswith("evolution.") else "harness.base"


def name(path: Path) -> str:
    """The dotted name of a module of this project."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {name(path): path for top in ("evolution", "harness") for path in (ROOT / top).rglob("*.py")}


def imported(module: str) -> Iterator[str]:
    """The modules of this project that a module imports, wherever it does."""
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module, f"{module}: an import says the whole name"
            assert not node.level, f"{module}: an import says the whole name"
            below = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in MODULES else node.module for name in below)


def test_an_import_points_down() -> None:
    modules = MODULES.keys() - FRONTS
    upwards = [
        f"{module} imports {other}"
        for module in modules
        for other in modules.intersection(imported(module))
        if room(other) != room(module) and LAYER[room(other)] >= LAYER[room(module)]
    ]
    assert upwards == []


def test_every_package_has_its_layer_and_is_drawn_and_described() -> None:
    inits = {path.parent.relative_to(ROOT) for path in MODULES.values() if path.stem == "__init__"}
    packages = {str(folder) for folder in inits} - {"harness", "harness/cli/commands"}
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    drawing, table = page.split("```")[1], page.split("## How data flows")[0]
    assert {one.replace(".", "/") for one in LAYER} - {"harness/base", "harness/start"} == packages
    assert [one for one in packages if f"{one}/" not in drawing] == []
    assert [one for one in packages if f"| `{one}/`" not in table] == []


def test_harness_has_few_modules_beside_its_packages() -> None:
    assert len(list((ROOT / "harness").glob("*.py"))) <= 8
