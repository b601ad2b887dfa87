"""What is built and installed is whole: the programs, the cases, the rules and the pages."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from harness import __version__
from tests.project.test_links import links
from tests.support.helpers import PROGRAMS, ROOT

NAME = f"evolution_harness-{__version__}"
COMMANDS = (*PROGRAMS, "xmain", "xserver", "xclient", "xgui", "harness")
# What a checkout, or an unpacked source distribution, has beside its sources.
IGNORED = [*(line.rstrip("/") for line in (ROOT / ".gitignore").read_text().split()), ".git", "PKG-INFO"]
MINUTES = 600.0  # seconds
STATE = """[0,
 [[["food",1],["body",0],["population",2],["traits",[]]],
  [["food",0],["body",3],["population",1],["traits",["fat-tissue"]],["fat-food",1]]],
 [], 5, []]"""


def files_below(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def done(*command: "str | Path", cwd: Path, given: str = "", **environment: str) -> str:
    """What a command prints that ends well, in an environment of which it inherits nothing."""
    ended = subprocess.run(
        command,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        timeout=MINUTES,
        cwd=cwd,
        env={"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", **environment},
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


# --- from a checkout -----------------------------------------------------------------------------


def test_the_module_is_the_command(tmp_path: Path) -> None:
    python = [sys.executable, "-m", "harness"]
    assert done(*python, "--version", cwd=tmp_path) == f"harness, version {__version__}\n"
    assert done(*python, "rules", "4.5", cwd=tmp_path).startswith("4.5 The order stays\n")
    wrong = subprocess.run([*python, "rum"], capture_output=True, check=False, cwd=tmp_path)
    assert (wrong.returncode, wrong.stdout) == (2, b"")
    assert b"Usage: harness " in wrong.stderr
    assert b"did you mean run?" in wrong.stderr


def test_the_version_is_written_down_once() -> None:
    """In the package. The changelog names versions, and docs/harness.md shows what the commands print."""
    sources = [*ROOT.glob("*.cfg"), *ROOT.glob("*.toml"), *ROOT.glob("*.py"), ROOT / "README.md"]
    sources += [path for folder in ("harness", "evolution", "bin") for path in (ROOT / folder).rglob("*")]
    named = [
        str(path.relative_to(ROOT))
        for path in sources
        if path.is_file()
        and path.suffix != ".pyc"
        and re.search(rf"\b{re.escape(__version__)}\b", path.read_text())
    ]
    assert named == ["harness/__init__.py"]


# --- what is built -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources alone: building writes beside them, and must find nothing of an earlier build."""
    folder = tmp_path_factory.mktemp("checkout") / "sources"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*IGNORED))
    return folder


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a source distribution, and of the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    sources = files_below(checkout)
    done(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, checkout, cwd=folder)
    for path in files_below(checkout) - sources:
        (checkout / path).unlink()
    assert files_below(folder) == {f"{NAME}.tar.gz", f"{NAME}-py3-none-any.whl"}
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return built / f"{NAME}-py3-none-any.whl"


@pytest.mark.long
def test_the_source_distribution_is_a_whole_checkout(checkout: Path, built: Path, tmp_path: Path) -> None:
    with tarfile.open(built / f"{NAME}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / NAME
    assert {path for path in files_below(unpacked) if ".egg-info/" not in path} == {
        *files_below(checkout),
        "PKG-INFO",
    }
    for path in files_below(checkout) - {"setup.cfg"}:  # which gets a section of its own
        assert (unpacked / path).read_bytes() == (checkout / path).read_bytes()
    for command in COMMANDS:
        assert os.access(unpacked / "bin" / command, os.X_OK)


@pytest.mark.long
def test_the_wheel_has_the_code_the_cases_the_pages_and_their_players_and_nothing_else(
    checkout: Path, wheel: Path
) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = {name: archive.read(name) for name in archive.namelist()}
    expected = {
        f"{folder}/{path}": (checkout / folder / path).read_bytes()
        for folder in ("evolution", "harness")
        for path in files_below(checkout / folder)
    }
    for path in files_below(checkout / "test-fixtures"):
        expected[f"harness/shipped/cases/{path}"] = (checkout / "test-fixtures" / path).read_bytes()
    for pattern in ("*.md", "*.py", "players/*.py", "traits/*.py"):
        for page in (checkout / "docs").glob(pattern):
            expected[f"harness/shipped/{page.relative_to(checkout)}"] = page.read_bytes()
    about = {name: data for name, data in inside.items() if ".dist-info/" in name}
    assert inside.keys() - about.keys() == expected.keys()
    assert inside.items() >= expected.items()
    assert about[f"{NAME}.dist-info/licenses/LICENSE"] == (checkout / "LICENSE").read_bytes()


@pytest.mark.long
def test_the_wheel_says_what_it_is(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        metadata = message_from_bytes(archive.read(f"{NAME}.dist-info/METADATA"))
        commands = archive.read(f"{NAME}.dist-info/entry_points.txt").decode()
    assert metadata["Version"] == __version__
    assert metadata["Author"] == "the evolution-harness developers"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.11"
    assert "board game" in metadata["Keywords"]
    assert "Typing :: Typed" in metadata.get_all("Classifier", [])
    shown = str(metadata.get_payload())
    assert [link for link in links(shown) if not link.startswith("https:")] == []
    assert "written down [`docs/rules.md`]" in shown
    for command in COMMANDS:
        assert f"\n{command} = harness.start:{command}\n" in commands


@pytest.mark.long
def test_those_who_check_packages_find_nothing(checkout: Path, built: Path, wheel: Path) -> None:
    done(sys.executable, "-m", "twine", "check", "--strict", *sorted(built.iterdir()), cwd=checkout)
    told = done(sys.executable, "-m", "check_wheel_contents", wheel, cwd=checkout)  # its settings are there
    assert told.endswith(": OK\n")


# --- what is installed ---------------------------------------------------------------------------


class Installation:
    """A virtual environment with the wheel in it, and an empty folder to work in."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.place = folder / "an empty folder"
        self.place.mkdir()
        self.home = folder / "venv"
        done(sys.executable, "-m", "venv", "--without-pip", self.home, cwd=folder)
        pip = [sys.executable, "-m", "pip", "--python", str(self.python)]
        done(*pip, "install", "--no-deps", "--no-index", wheel, cwd=folder)
        # What it depends on is what these tests depend on. That is added last, so that pip does not see
        # the installation of this checkout there.
        packages = next(self.home.glob("lib/python*/site-packages"))
        (packages / "dependencies.pth").write_text(f"{sysconfig.get_path('purelib')}\n")

    @property
    def python(self) -> Path:
        return self.home / "bin" / "python"

    def type(self, command: str, *arguments: str, given: str = "") -> str:
        """What an installed command prints."""
        return done(self.home / "bin" / command, *arguments, cwd=self.place, given=given)


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Installation:
    return Installation(tmp_path, wheel)


@pytest.mark.long
def test_a_wheel_in_an_empty_environment_is_a_whole_product(installed: Installation) -> None:
    cases = len(list((ROOT / "test-fixtures").rglob("*-in.json")))
    where = done(installed.python, "-c", "import harness; print(harness.__file__)", cwd=installed.place)
    assert Path(where).is_relative_to(installed.home)

    assert installed.type("harness", "run").splitlines()[-1] == f"{cases} passed, 0 failed"
    assert installed.type("harness", "run", "--one-shot", "-k", "xsilly").endswith(" passed, 0 failed\n")
    assert installed.type("xfeed", given=STATE) == "[1,2]\n"
    assert installed.type("xmain", "3").startswith("1 player id: ")
    assert installed.type("harness", "rules", "3.3").startswith("3.3 Cooperation\n\nWhen a board with coop")
    assert installed.type("harness", "help", "docs/formats.md").startswith("The formats\n")
    assert installed.type("harness", "explain", "xattack/climbing-defender").endswith("the answer: false\n")
    assert done(installed.python, "-m", "harness", "--version", cwd=installed.place).startswith("harness, ")
    assert list(installed.place.iterdir()) == []


@pytest.mark.long
def test_its_cases_can_be_written_out_and_teams_be_graded_on_them(installed: Installation) -> None:
    installed.type("harness", "cases", "--copy", "mine")
    assert files_below(installed.place / "mine") == files_below(ROOT / "test-fixtures")
    (installed.place / "team").mkdir()
    shutil.copy2(installed.home / "bin" / "xattack", installed.place / "team")
    for suite in ((), ("--suite", "mine")):
        out = ("--sandbox", "off", "--out", f"grades{len(suite)}")
        told = installed.type("harness", "grade", "team", *suite, *out).splitlines()
        heads, marks = next(told[at : at + 2] for at, line in enumerate(told) if line.startswith("rank"))
        row = dict(zip(heads.split(), marks.split(), strict=True))
        assert row.keys() == {"rank", "team", "total", *PROGRAMS}
        assert re.fullmatch(r"(\d+)/\1", row["xattack"])
        assert row["xstep"].startswith("0/")
