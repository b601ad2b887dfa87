"""The set-up of a checkout: what the launchers say while it is not whole, and that `make` mends it."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from configparser import ConfigParser
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

import pytest

from harness.start import PACKAGES
from tests.support.helpers import BIN, PATIENCE, ROOT, SAMPLE_OF, Outcome, json_bytes, stamp

Environment = dict[str, str]

UNAVAILABLE = 69
LAUNCHERS = sorted(path.name for path in BIN.iterdir() if os.access(path, os.X_OK))
ATTACK = json_bytes(SAMPLE_OF["xattack"])
SITE_PACKAGES = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
NOT_COPIED = (".?*", "__pycache__", "*.egg-info", "build", "dist", "mutants")

# For a make that was told nothing by the one that runs the tests, has the same Python as they have, and
# finds packages where they say.
OURS = re.compile(r"PIP_|MAKE|MFLAGS|PYTHON|TOOLS$|VIRTUAL_ENV")
ENVIRONMENT = {name: value for name, value in os.environ.items() if not OURS.match(name)} | {
    "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_DISABLE_PIP_VERSION_CHECK": "1",
}
LONG = 300.0  # seconds; for what takes ten, unless the machine is very busy


def start(*command: str | Path, given: bytes = b"", environment: Environment | None = None) -> Outcome:
    """One run of some command."""
    done = subprocess.run(
        command,
        input=given,
        capture_output=True,
        check=False,
        timeout=LONG,
        env=ENVIRONMENT | (environment or {}),
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def make(checkout: Path, *words: str, environment: Environment | None = None) -> Outcome:
    """One run of make in a checkout."""
    return start("make", "-C", checkout, "--no-print-directory", *words, environment=environment)


def says(checkout: Path, program: str, problem: str) -> Outcome:
    """What a launcher does that has only one thing to say."""
    folder = f"'{checkout}'" if " " in str(checkout) else checkout
    return Outcome(b"", f"{program}: {problem}; type: make -C {folder}\n".encode(), UNAVAILABLE)


# --- what the launchers say -------------------------------------------------------------------


def set_up_by_hand(at: Path) -> Path:
    """A checkout that is set up as far as its launchers can tell, with packages that can be removed."""
    for part in ("bin", "evolution", "harness"):
        shutil.copytree(ROOT / part, at / part, ignore=shutil.ignore_patterns(*NOT_COPIED))
    packages = at / ".venv" / SITE_PACKAGES
    packages.mkdir(parents=True)
    for package in (ROOT / ".venv" / SITE_PACKAGES).iterdir():
        (packages / package.name).symlink_to(package)
    (at / ".venv/bin").mkdir()
    (at / ".venv/bin/python").symlink_to(Path(sys.executable).resolve())
    stamp(at, at / ".venv/bin/python")
    return at


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    here = set_up_by_hand(tmp_path / "a checkout")
    assert start(here / "bin/xattack", given=ATTACK) == (b"true\n", b"", 0)
    return here


def no_stamp(here: Path) -> str:
    (here / ".venv/ready").unlink()
    return "the set-up of this checkout was not finished"


def empty_stamp(here: Path) -> str:
    (here / ".venv/ready").write_bytes(b"")
    return "the set-up of this checkout was not finished"


def half_a_stamp(here: Path) -> str:
    (here / ".venv/ready").write_text(f"{here}\n")
    return "the set-up of this checkout was not finished"


def no_folder(here: Path) -> str:
    shutil.rmtree(here / ".venv")
    return "this checkout is not set up yet"


def no_interpreter(here: Path) -> str:
    (here / ".venv/bin/python").unlink()
    return f"the Python that this checkout was set up with is gone: {Path(sys.executable).resolve()}"


def dangling_interpreter(here: Path) -> str:
    python = here / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/usr/bin/a python that was removed")
    return f"the Python that this checkout was set up with is gone: {Path(sys.executable).resolve()}"


def another_interpreter(here: Path) -> str:
    python = here / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/bin/sh")
    return f"this checkout was set up with {Path(sys.executable).resolve()}, and Python has changed since"


def copied(here: Path) -> str:
    shutil.copytree(here, here.with_name("the original"), symlinks=True)
    stamp(here.with_name("the original"), here / ".venv/bin/python")
    shutil.copyfile(here.with_name("the original") / ".venv/ready", here / ".venv/ready")
    return f"this checkout was set up in {here.with_name('the original')} and is now elsewhere"


DAMAGES = [
    no_stamp,
    empty_stamp,
    half_a_stamp,
    no_folder,
    no_interpreter,
    dangling_interpreter,
    another_interpreter,
    copied,
]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__.replace("_", " "))
def test_a_launcher_says_in_one_sentence_what_is_wrong_with_the_set_up(
    damage: Callable[[Path], str], checkout: Path
) -> None:
    problem = damage(checkout)
    for program in LAUNCHERS:
        assert start(checkout / "bin" / program, given=ATTACK) == says(checkout, program, problem)


def test_what_to_type_can_be_typed_whatever_the_checkout_is_called(tmp_path: Path) -> None:
    here = set_up_by_hand(tmp_path / 'it\'s "new" for $USER; *\\n')
    (here / ".venv/ready").unlink()
    (here / "Makefile").write_text("run:\n\t@echo made\n")
    err = start(here / "bin/xattack").err.decode()
    command = err.partition("; type: ")[2]
    assert start("sh", "-c", f"{command.strip()} --no-print-directory").out == b"made\n"


# --- a package that is missing ----------------------------------------------------------------


def test_the_packages_that_are_looked_for_are_those_that_setup_cfg_requires() -> None:
    settings = ConfigParser(interpolation=None)
    settings.read(ROOT / "setup.cfg")
    required = re.findall(r"^[a-z0-9-]+", settings["options"]["install_requires"].strip(), re.MULTILINE)
    assert sorted(required) == sorted(PACKAGES)


def lacks(checkout: Path, program: str, package: str) -> Outcome:
    return says(checkout, program, f"the Python package {package} is missing or incomplete")


@pytest.mark.every(3, "command")
@pytest.mark.parametrize("package", PACKAGES)
@pytest.mark.parametrize("command", ["--help", "run", "no-such-command"])
def test_harness_names_a_package_that_is_missing(package: str, command: str, checkout: Path) -> None:
    (checkout / ".venv" / SITE_PACKAGES / package).unlink()
    assert start(checkout / "bin/harness", command) == lacks(checkout, "harness", package)


def test_a_package_of_which_only_its_folder_is_left_is_missing(checkout: Path) -> None:
    package = checkout / ".venv" / SITE_PACKAGES / "click"
    package.unlink()
    (package / "__pycache__").mkdir(parents=True)
    assert start(checkout / "bin/harness", "run") == lacks(checkout, "harness", "click")


def test_programs_answer_as_long_as_they_need_no_package_that_is_missing(checkout: Path) -> None:
    for package in PACKAGES:
        (checkout / ".venv" / SITE_PACKAGES / package).unlink()
    assert start(checkout / "bin/xattack", given=ATTACK) == (b"true\n", b"", 0)
    assert start(checkout / "bin/xmain", "3").status == 0
    for program in LAUNCHERS:
        assert start(checkout / "bin" / program, "--help") == lacks(checkout, program, "click")


def test_a_stream_names_the_package_that_it_lacks(checkout: Path) -> None:
    (checkout / ".venv" / SITE_PACKAGES / "orjson").unlink()
    assert start(checkout / "bin/xattack", "--stream", given=ATTACK) == lacks(checkout, "xattack", "orjson")


@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_an_installed_program_names_the_package_for_who_installed_it(installer: str, tmp_path: Path) -> None:
    """Installed: there are no launchers beside the packages."""
    for part in ("evolution", "harness"):
        shutil.copytree(ROOT / part, tmp_path / part, ignore=shutil.ignore_patterns(*NOT_COPIED))
    code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from harness.start import main; main()"
    python = tmp_path / "bin/python"
    python.parent.mkdir()
    python.symlink_to(Path(sys.executable).resolve())
    if installer == "pip":
        (tmp_path / "pip.py").touch()
    outcome = start(python, "-I", "-S", "-c", code, tmp_path, "harness", "run")
    commands = {"pip": f"{python} -m pip install", "uv": f"uv pip install --python {python}"}
    command = f"{commands[installer]} click"
    line = f"harness: the Python package click is missing or incomplete; type: {command}\n".encode()
    assert outcome == (b"", line, UNAVAILABLE)


# --- what make says ---------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["tests", "tset", "bin", "Makefile", ".venv/ready"])
def test_make_answers_what_is_no_target_with_those_there_are(target: str) -> None:
    out, err, status = make(ROOT, target)
    assert (out, status) == (b"", 2)
    assert f"There is no target {target}. Did you mean one of these: run setup test " in err.decode()
    assert err.count(b"\n") == 1


def test_every_target_is_explained() -> None:
    out, _, status = make(ROOT, "help")
    assert status == 0
    targets = re.search(r"^TARGETS = (.*)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert targets is not None
    explained = re.findall(r"^make ([a-z-]*)", out.decode(), re.MULTILINE)
    assert [name or "run" for name in explained] == targets[1].split()


def bare_copy(at: Path) -> Path:
    """A checkout as it is fetched."""
    shutil.copytree(ROOT, at, ignore=shutil.ignore_patterns(*NOT_COPIED))
    return at


def test_make_names_what_it_needs_if_there_is_no_such_python(tmp_path: Path) -> None:
    here = bare_copy(tmp_path / "checkout")
    _, err, status = make(here, "setup", "PYTHON=python3.99")
    assert status == 2
    assert err.startswith(b"make: python3.99 is not a Python of version 3.11 or later; name one: ")
    assert not (here / ".venv").exists()


@pytest.mark.long
def test_make_leaves_alone_what_a_venv_is_only_a_link_to(tmp_path: Path) -> None:
    here = bare_copy(tmp_path / "checkout")
    theirs = tmp_path / "theirs/bin/python"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("theirs")
    (here / ".venv").symlink_to(tmp_path / "theirs")
    assert make(here, "setup", environment={"PIP_NO_INDEX": "1", "PIP_NO_CACHE_DIR": "1"}).status == 2
    assert theirs.read_text() == "theirs"
    assert not (here / ".venv").is_symlink()


WITHOUT_VENV = """#!/bin/sh
[ "$1" = -c ] && exec '{python}' "$@"
shift
exec '{python}' -I -c 'import importlib.util, runpy, sys
real = importlib.util.find_spec
importlib.util.find_spec = lambda name: real(name) if name != "ensurepip" else None
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")' "$@"
"""


def test_make_names_the_debian_package_if_python_has_no_venv_module(tmp_path: Path) -> None:
    here = bare_copy(tmp_path / "checkout")
    python = tmp_path / "python3.11"
    python.write_text(WITHOUT_VENV.format(python=sys.executable))
    python.chmod(0o755)
    _, err, status = make(here, "setup", f"PYTHON={python}")
    assert status == 2
    sentence = "this Python has no venv module; on Debian, type as root: apt-get install python3.11-venv"
    assert err.decode().splitlines()[0] == f"make: {sentence}"
    assert not (here / ".venv").exists()


# --- that make mends it -----------------------------------------------------------------------


def closure(names: "list[str]") -> dict[str, Distribution]:
    """These installed packages, and all that they require."""
    found: dict[str, Distribution] = {}
    while names:
        name = names.pop()
        if name not in found:
            found[name] = distribution(name)
            required = [line for line in found[name].requires or () if ";" not in line]
            names += [re.split(r"[^\w.-]", line)[0] for line in required]
    return found


def write_wheel(package: Distribution, folder: Path) -> None:
    """The package as it was before it was installed."""
    tag = re.search(r"^Tag: (.*)", package.read_text("WHEEL") or "", re.MULTILINE)
    assert tag is not None
    name = re.sub(r"[-_.]+", "_", package.metadata["Name"])
    with zipfile.ZipFile(folder / f"{name}-{package.version}-{tag[1].strip()}.whl", "w") as wheel:
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                wheel.write(file.locate(), str(file))


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment in which packages can be installed: those of this checkout."""
    folder = tmp_path_factory.mktemp("wheels")
    for package in closure([*PACKAGES, "setuptools"]).values():
        write_wheel(package, folder)
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(folder), "PIP_NO_COMPILE": "1"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where one checkout is, for all tests that damage it and have it mended."""
    return bare_copy(tmp_path_factory.mktemp("set-up") / "a checkout")


class Damage(NamedTuple):
    """A checkout after something has happened to it."""

    at: Path
    problem: str  # what every launcher says
    why: str  # what make says when it mends it


def interrupted(at: Path, moment: str, network: Environment) -> Damage:
    """A set-up that is killed as soon as there is a file of this pattern."""
    shutil.rmtree(at / ".venv", ignore_errors=True)
    for folder in [*at.glob("*/__pycache__"), *at.glob("*/*/__pycache__")]:
        shutil.rmtree(folder)
    process = subprocess.Popen(
        ["make", "-C", at, "setup"], env=ENVIRONMENT | network, stdout=subprocess.DEVNULL, process_group=0
    )
    end = time.monotonic() + LONG
    while not next(at.glob(moment), None):
        assert process.poll() is None, "it was not killed in time"
        assert time.monotonic() < end
        time.sleep(0.001)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait(PATIENCE)
    return Damage(at, "the set-up of this checkout was not finished", "")


MOMENTS = {
    "when there is a folder": ".venv",
    "when there is an interpreter": ".venv/bin/python",
    "when there is a part of pip": ".venv/lib/*/site-packages/pip",
    "while pip installs": ".venv/lib/*/site-packages/[cdjor]*",
    "before the stamp": "evolution/wire/__pycache__",
}


def offline(at: Path) -> Damage:
    shutil.rmtree(at / ".venv")
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "1"}
    out, err, status = make(at, "setup", environment=nowhere)
    assert status == 2
    assert out == b"setting up .venv: what the programs need (once; some seconds) ...\n"
    *pip, ours, _make = err.decode().splitlines()
    assert len(pip) <= 2
    assert ours.startswith("make: no packages could be fetched; connect to the network and type make again")
    return Damage(at, "the set-up of this checkout was not finished", "it was not finished")


def dangling(at: Path) -> Damage:
    return Damage(at, dangling_interpreter(at), "its Python is gone")


def upgraded(at: Path) -> Damage:
    return Damage(at, another_interpreter(at), "its Python does not work")


def moved(at: Path) -> Damage:
    there = at.with_name("another place")
    at.rename(there)
    return Damage(
        there,
        f"this checkout was set up in {at} and is now elsewhere",
        f"the checkout was moved here from {at}",
    )


def deleted(at: Path) -> Damage:
    shutil.rmtree(next(at.glob(".venv/lib/*/site-packages/click")))
    return Damage(
        at, "the Python package click is missing or incomplete", "click is missing, or a part of it"
    )


def mended(damage: Damage, network: Environment) -> None:
    """Every launcher says what is wrong; the next make mends it; and then they work."""
    for program in LAUNCHERS:
        assert start(damage.at / "bin" / program, "--help") == says(damage.at, program, damage.problem)
    out, err, status = make(damage.at, "setup", environment=network)
    assert (err, status) == (b"", 0)
    assert out.startswith(f"setting up .venv anew ({damage.why}".encode())
    assert make(damage.at, "setup", environment=network) == (b"", b"", 0)
    assert start(damage.at / "bin/xattack", "--stream", given=ATTACK) == (b"true\n", b"", 0)
    assert start(damage.at / "bin/harness", "run", damage.at / "test-fixtures/xattack").status == 0


@pytest.mark.long
@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
def test_a_set_up_that_was_interrupted_is_noticed_and_mended(
    moment: str, place: Path, network: Environment
) -> None:
    mended(interrupted(place, moment, network), network)


@pytest.mark.long
@pytest.mark.parametrize(
    "happening", [offline, dangling, upgraded, deleted, moved], ids=lambda each: each.__name__
)
def test_what_has_happened_to_a_set_up_is_noticed_and_mended(
    happening: Callable[[Path], Damage], place: Path, network: Environment
) -> None:
    assert make(place, "setup", environment=network).status == 0
    damage = happening(place)
    mended(damage, network)
    if damage.at != place:
        damage.at.rename(place)


@pytest.mark.long
def test_two_makes_at_once_do_not_harm_each_other(place: Path, network: Environment) -> None:
    shutil.rmtree(place / ".venv", ignore_errors=True)
    command = ["make", "-C", str(place), "setup"]
    both = [subprocess.Popen(command, env=ENVIRONMENT | network, stdout=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=LONG)[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(b"setting up" in text for text in said) == [False, True]
    assert start(place / "bin/harness", "--version").status == 0


@pytest.mark.long
def test_a_change_of_what_is_required_is_noticed_and_one_of_anything_else_is_not(
    place: Path, network: Environment
) -> None:
    assert make(place, "setup", environment=network).status == 0
    settings = place / "setup.cfg"
    before = settings.read_text()
    settings.write_text(f"{before}\n[tool:nothing]\nchanged = yes\n")
    assert make(place, "setup", environment=network).out == b""
    settings.write_text(before.replace("install_requires =\n", "install_requires =\n    setuptools\n"))
    again = "setting up .venv again (setup.cfg asks for other packages than before): "
    assert make(place, "setup", environment=network).out.decode().startswith(again)
    assert make(place, "setup", environment=network).out == b""
    settings.write_text(before)
