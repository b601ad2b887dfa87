"""Cases as tests of pytest: collected, run and told like any test, and only if somebody asks."""

import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.judging.result import Result
from harness.report.words import plain_failure
from tests.support.helpers import ROOT
from tests.support.results import case, environment, harness, program

PYTHON = ROOT / ".venv/bin/python"
ODD = """#!/bin/sh
read -r what
case $what in
*wrong*) echo '["other",1]' ;;
*script*) printf '<script>\\033[2J' ; echo why >&2 ;;
*killer*) kill -KILL $PPID ;;
*) echo "$what" ;;
esac
"""


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Programs and cases, and nothing of this project."""
    program(tmp_path / "bin" / "odd", ODD)
    for name in ("good-1", "good-2", "wrong-1", "script-1", "wrong-2"):
        case(tmp_path / "cases" / "odd" / name, f'["{name}",0]\n', f'["{name}",0]\n')
    return tmp_path


ALL_INSTALLED: tuple[str, ...] = ()  # plugins as pytest finds them: others than ours take long to load
OURS = ("-p", "harness.pytest_plugin")
WITH_XDIST = (*OURS, "-p", "xdist", "-n", "2")


def run(
    place: Path,
    *arguments: str,
    passed: int = 0,
    failed: int = 0,
    more: str = "",
    plugins: tuple[str, ...] = OURS,
) -> "subprocess.CompletedProcess[str]":
    """One call of pytest; what it counts at the end must be this."""
    # What this very run of pytest was told is not for the other one. How much it prints depends on CI.
    environ = {name: value for name, value in environment(place).items() if not name.startswith("PYTEST_")}
    if plugins:
        environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    done = subprocess.run(
        [PYTHON, "-m", "pytest", *plugins, "--harness-sandbox", "off", *arguments],
        cwd=place,
        env={**environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    last = done.stdout.splitlines()[-1]
    counts = [f"{failed} failed"] * bool(failed) + [f"{passed} passed"] * bool(passed) + [more] * bool(more)
    for count in counts or ["no tests ran"]:
        assert count in last, done.stdout + done.stderr
    assert ("failed" in last) == bool(failed), done.stdout
    return done


def test_every_case_is_a_test(place: Path) -> None:
    done = run(place, "--harness-bin", "bin", "cases", "-v", passed=2, failed=3, plugins=ALL_INSTALLED)
    assert done.returncode == 1
    assert "cases/odd/good-1-in.json::good-1 PASSED" in done.stdout
    assert "cases/odd/wrong-1-in.json::wrong-1 FAILED" in done.stdout


def test_a_failure_has_the_words_of_every_report(place: Path) -> None:
    import json

    done = run(place, "--harness-bin", "bin", "cases", passed=2, failed=3)
    harness(place, "run", "--bin", "bin", "cases", "--sandbox", "off", "--json", "journal")
    for line in (place / "journal").read_text().splitlines():
        result = Result.from_json(json.loads(line))
        assert result.verdict == "pass" or plain_failure(result) in done.stdout
    assert "\x1b[2J" not in done.stdout


def test_without_the_option_nothing_is_collected(place: Path) -> None:
    assert run(place, "cases").returncode == 5


def test_tests_are_chosen_by_name_and_stopped_at_the_first_failure(place: Path) -> None:
    run(place, "--harness-bin", "bin", "cases", "-k", "good", passed=2, more="3 deselected")
    run(place, "--harness-bin", "bin", "cases", "-x", passed=2, failed=1)
    run(place, "--harness-bin", "bin", "cases/odd/good-1-in.json", passed=1)
    run(place, "--harness-bin", "bin", "cases/odd/good-1-out.json", passed=1)
    run(place, "--harness-bin", "bin", "cases/odd/wrong-1-in.json::wrong-1", failed=1)


@pytest.mark.long
def test_what_failed_last_can_be_run_again(place: Path) -> None:
    run(place, "--harness-bin", "bin", "cases", passed=2, failed=3)
    program(place / "bin" / "odd", ODD.replace("*wrong*", "*wrong-2*"))
    run(place, "--harness-bin", "bin", "cases", "--lf", passed=1, failed=2)


@pytest.mark.long
def test_several_processes_share_the_cases(place: Path) -> None:
    done = run(place, "--harness-bin", "bin", "cases", passed=2, failed=3, plugins=WITH_XDIST)
    assert "cases/odd/wrong-1: wrong answer" in done.stdout


def test_junit_of_pytest_has_the_words(place: Path) -> None:
    run(place, "--harness-bin", "bin", "cases", "--junitxml", "out.xml", passed=2, failed=3)
    suite = ElementTree.parse(place / "out.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("5", "3", "0")
    [wrong] = [one for one in suite if one.get("name") == "wrong-1"]
    failure = wrong.find("failure")
    assert failure is not None
    assert "cases/odd/wrong-1: wrong answer" in (failure.text or "")
    assert wrong.find("properties/property[@name='verdict'][@value='wrong answer']") is not None


def test_known_failures_are_expected(place: Path) -> None:
    (place / "cases" / "known-failures.txt").write_text("odd/wrong-1\nodd/good-2\n")
    done = run(place, "--harness-bin", "bin", "cases", passed=1, failed=3, more="1 xfailed")
    assert "cases/odd/good-2: unexpected pass (remove it from cases/known-failures.txt)" in done.stdout


def test_a_lone_half_is_a_test_that_fails(place: Path) -> None:
    (place / "cases" / "odd" / "good-1-in.json").unlink()
    (place / "cases" / "odd" / "good-2-out.json").unlink()
    done = run(place, "--harness-bin", "bin", "cases", "-k", "good", failed=2, more="3 deselected")
    assert "good-1: broken case (its input good-1-in.json is missing)" in done.stdout


def test_other_tests_are_collected_as_ever(place: Path) -> None:
    (place / "test_other.py").write_text("def test_other(): pass\n")
    run(place, "--harness-bin", "bin", passed=3, failed=3)
    run(place, passed=1)


@pytest.mark.long
def test_the_programs_may_be_named_in_the_configuration(place: Path) -> None:
    (place / "pytest.ini").write_text("[pytest]\nharness_bin = bin\n")
    run(place, "cases", passed=2, failed=3)
    program(place / "right" / "odd", "#!/bin/sh\ncat\n")
    run(place, "cases", "--harness-bin", "right", passed=5)


def test_a_folder_that_is_not_there_is_wrong_use(place: Path) -> None:
    done = subprocess.run(
        [PYTHON, "-m", "pytest", *OURS, "--harness-bin", "nowhere", "cases"],
        cwd=place,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 4
    assert "--harness-bin: nowhere is not a directory" in done.stderr


def test_a_program_that_kills_who_started_it_costs_one_case(place: Path) -> None:
    case(place / "cases" / "odd" / "a-killer", '["killer",0]\n', "1\n")
    done = run(place, "--harness-bin", "bin", "cases", passed=2, failed=4)
    assert "a-killer: crashed (it brought down the worker that ran it" in done.stdout


@pytest.mark.needs("sandbox")
def test_in_the_sandbox(place: Path) -> None:
    stolen = place / "cases" / "odd" / "good-1-out.json"
    program(place / "bin" / "odd", f"#!/bin/sh\ncat {stolen}\n")
    run(place, "--harness-bin", "bin", "cases", "-k", "good-1", passed=1, more="4 deselected")
    run(place, "--harness-bin", "bin", "cases", "-k", "good-1", "--harness-sandbox", "on", failed=1)


def test_nothing_stays_behind(place: Path) -> None:
    (place / "tmp").mkdir()
    (place / "conftest.py").write_text(f"import tempfile\ntempfile.tempdir = {str(place / 'tmp')!r}\n")
    run(place, "--harness-bin", "bin", "cases", passed=2, failed=3)
    assert os.listdir(place / "tmp") == []


LOADED = """
import sys
def pytest_unconfigure(config):
    print("loaded:", *sorted(name for name in sys.modules if name.partition(".")[0] in {wanted}))
"""


def test_until_it_is_asked_for_it_loads_nothing(place: Path) -> None:
    (place / "test_other.py").write_text("def test_other(): pass\n")
    wanted = {"harness", "evolution", "orjson", "click", "jinja2"}
    (place / "conftest.py").write_text(LOADED.replace("{wanted}", repr(wanted)))
    done = subprocess.run(
        [PYTHON, "-m", "pytest", "test_other.py"], cwd=place, capture_output=True, text=True, check=True
    )
    assert "loaded: harness harness.pytest_plugin\n" in done.stdout
