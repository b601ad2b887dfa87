"""What a machine lacks is said, and counted, and never passed over in silence."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import tally
from tests.support.capabilities import CAPABILITIES, FOUND, Missing
from tests.support.helpers import ROOT

NO_BROWSER = {"browser": Missing("chromium is not installed", "apt-get install chromium", "chromium")}
TESTS = """
import pytest

@pytest.mark.needs("browser")
@pytest.mark.parametrize("page", [1, 2])
def test_a_page(page): pass

def test_other(): pass
"""


def python(*arguments: str | Path, **variables: str) -> "subprocess.CompletedProcess[str]":
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("CI", "PYTEST_ADDOPTS", FOUND, tally.FILE)
    }
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept | variables,
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def run(place: Path, text: str, *module: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """These tests, as they are run where there is no browser."""
    file = place / "test_it.py"
    file.write_text(text)
    options = ("-c", ROOT / "setup.cfg", "-p", "tests.conftest", "-p", "no:cacheprovider")
    if not module:  # other plugins than ours take long to load
        module, variables = (
            ("pytest", "-p", "harness.pytest_plugin"),
            {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} | variables,
        )
    found = json.dumps(NO_BROWSER)
    return python("-m", *module, file, *options, **{FOUND: found} | variables)


def test_what_is_missing_is_said_first_and_counted_last(tmp_path: Path) -> None:
    done = run(tmp_path, TESTS)
    assert done.returncode == 0, done.stdout
    first, *_ = lines = done.stdout.splitlines()
    assert first == "capabilities: sandbox, landlock, control groups, terminal"
    assert lines[1] == "missing: browser: chromium is not installed (apt-get install chromium)"
    assert lines[-2:-1] == ["2 not run: no browser (apt-get install chromium)"]
    assert lines[-1].startswith("1 passed, 2 skipped")


def test_where_nothing_may_be_skipped_a_missing_capability_fails(tmp_path: Path) -> None:
    done = run(tmp_path, TESTS, CI="true")
    assert done.returncode == 1
    assert "CI=true: no browser (apt-get install chromium)" in done.stdout
    assert "1 passed, 2 errors" in done.stdout


@pytest.mark.parametrize(
    "text",
    [
        "import pytest\ndef test_a(): pytest.skip('no reason')\ndef test_b(): pass",
        "import pytest\npytest.skip('no reason', allow_module_level=True)\n",
    ],
)
def test_nothing_else_may_be_skipped_there_either(tmp_path: Path, text: str) -> None:
    done = run(tmp_path, text, CI="true")
    assert done.returncode != 0
    assert "1 not run: no reason\nCI=true: nothing may be skipped\n" in done.stdout


def test_a_need_that_nobody_knows_is_an_error(tmp_path: Path) -> None:
    done = run(tmp_path, TESTS.replace('"browser"', '"browzer"'))
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "needs 'browzer'; there are sandbox, landlock, browser, control groups, terminal" in done.stderr


@pytest.mark.long
def test_every_group_is_run_and_all_of_them_are_counted(tmp_path: Path) -> None:
    failing = "\ndef test_wrong(): assert 0\n@pytest.mark.alone\ndef test_alone(): pass\n"
    long = "@pytest.mark.long\ndef test_long(): pass\n"
    done = run(tmp_path, TESTS + failing + long, "tests", "-n", "0")
    assert done.returncode == 1
    assert done.stdout.count("capabilities: ") == 1
    assert done.stdout.endswith(
        "\n2 not run: no browser (apt-get install chromium)\n2 passed, 1 failed, 2 skipped\n"
    )


@pytest.mark.long
@pytest.mark.parametrize(("options", "passes"), [((), False), (("--all",), True)])
def test_what_is_long_is_run_if_all_is_asked_for_and_something_must_be(
    tmp_path: Path, options: tuple[str, ...], passes: bool
) -> None:
    text = "import pytest\n@pytest.mark.long\ndef test_long(): pass\n"
    done = run(tmp_path, text, "tests", *options, "-n", "0")
    assert (done.returncode == 0) == passes
    assert done.stdout.splitlines()[-1] == f"{int(passes)} passed, 0 failed, 0 skipped"


def test_what_brings_the_missing_is_known_without_anything_that_is_installed(tmp_path: Path) -> None:
    """Neither packages nor a path on which something could be found."""
    done = python("-S", "-m", "tests.support.capabilities", "--missing", PATH=str(tmp_path))
    assert (done.stdout, done.stderr, done.returncode) == (
        "bsdutils\nbubblewrap\nchromium\nlibatomic1\n",
        "",
        0,
    )
    table = python("-S", "-m", "tests.support.capabilities", PATH=str(tmp_path)).stdout
    assert [name for name in CAPABILITIES if f"\n{name} " not in f"\n{table}"] == []
    assert "\nbrowser         no: chromium is not installed\n" in table
    assert "\n                to have it: apt-get install chromium\n" in table


def test_a_tool_that_is_there_and_does_not_work_is_missing(tmp_path: Path) -> None:
    for name in ("bwrap", "chromium"):
        (tmp_path / name).write_text("#!/bin/sh\necho refused >&2\nexit 1\n")
        (tmp_path / name).chmod(0o755)
    done = python("-m", "tests.support.capabilities", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (
        "sandbox         no: does not work here: " in done.stdout
    )  # root looks for it elsewhere than in /tmp
    assert f"browser         no: {tmp_path}/chromium opens no page\n" in done.stdout


def test_a_wrong_command_line_is_refused() -> None:
    assert python("-m", "tests.support.capabilities", "--mising").returncode == 2
