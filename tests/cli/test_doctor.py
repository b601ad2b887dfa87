"""`harness doctor`: what the machine can do, and what mends it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.test_everyday import harness, program
from tests.support.helpers import BIN, PATIENCE, ROOT

WITHOUT = [sys.executable, "-m", "tests.support.without_namespaces"]


def found(told: bytes) -> dict[str, dict[str, object]]:
    return {finding["name"]: finding for finding in json.loads(told)["findings"]}


@pytest.mark.needs("sandbox")
def test_a_sandbox_that_works_is_named_and_the_status_says_so() -> None:
    told = harness("doctor")
    assert told.status == 0
    assert told.out.decode().splitlines()[-1].endswith("in a sandbox: bubblewrap")
    findings = found(harness("doctor", "--json").out)
    assert [findings[name]["good"] for name in ("bubblewrap", "python3")] == [True, True]
    assert {finding["group"] for finding in findings.values()} == {
        "sandbox",
        "control groups",
        "interpreters",
        "timing",
    }


@pytest.mark.needs("landlock")
def test_where_namespaces_are_forbidden_the_next_sandbox_is_named() -> None:
    command = [*WITHOUT, str(BIN / "harness"), "doctor", "--json"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=PATIENCE, check=True).stdout
    findings = found(told)
    assert not findings["bubblewrap"]["good"]
    assert findings["landlock"]["good"]
    assert json.loads(told)["works"]


def test_an_interpreter_that_a_program_names_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "team" / "bin").mkdir(parents=True)
    program(tmp_path / "team" / "bin" / "xstep", "#!/usr/bin/env -S no-such-language -x\n")
    told = harness("doctor", str(tmp_path / "team"))
    assert told.status == 1
    assert told.out.decode().splitlines()[-1] == "missing: no-such-language"
    assert "try: sudo apt-get install no-such-language" in told.out.decode()


def test_a_command_with_arguments_begins_with_an_interpreter() -> None:
    told = harness("doctor", "no-such-language xstep.nsl")
    assert (told.status, told.out.decode().splitlines()[-1]) == (1, "missing: no-such-language")
    assert "python3" in harness("doctor", "python3 xstep.py").out.decode()


def test_what_a_configuration_names_must_be_there(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "grade.toml").write_text(
        '[[team]]\npath = "team"\nprograms.xstep = "no-such-thing {team}/x"\n'
    )
    assert harness("doctor", "--config", str(tmp_path / "grade.toml")).status == 1
    (tmp_path / "grade.toml").write_text("[[team]]\npathe = 1\n")
    assert harness("doctor", "--config", str(tmp_path / "grade.toml")).status == 65


def test_no_program_is_started_because_somebody_names_it(tmp_path: Path) -> None:
    trap = program(tmp_path / "trap", f"#!/bin/sh\ntouch {tmp_path}/sprung\n")
    program(tmp_path / "xstep", f"#!{trap}\n")
    assert harness("doctor", str(tmp_path / "xstep")).status == 0
    assert not os.path.exists(tmp_path / "sprung")


def test_a_path_that_leads_nowhere_is_wrong_use(tmp_path: Path) -> None:
    assert harness("doctor", str(tmp_path / "nowhere")).status == 2
