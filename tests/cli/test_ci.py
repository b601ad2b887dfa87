"""`harness ci`: workflows that can be pasted, and whose commands do what they say."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from harness.cli.commands.ci import as_url
from tests.cli.test_everyday import AFTER, BEFORE, case, harness, program
from tests.support.helpers import BIN, PATIENCE, copied_checkout, json_text, shell

NAMES = {"github": "GitHub", "gitlab": "GitLab", "classroom50": "Classroom 50"}


def steps(text: str) -> list[str]:
    """The lines of shell of a workflow for GitHub."""
    job = yaml.safe_load(text)["jobs"]["fixtures"]
    return [line for step in job["steps"] if "run" in step for line in step["run"].strip().splitlines()]


def test_the_workflow_for_github_says_what_was_asked() -> None:
    told = harness(
        "ci", "github", "--bin", "out dir", "--build", "make: all", "--install", "pip install x", "t"
    )
    assert steps(told.out.decode())[2:] == [
        "pip install x",
        "# Ubuntu 24.04 forbids what bubblewrap needs; an older one does not know this switch.",
        "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 || true",
        "harness doctor || true",
        "make: all",
        "harness run --bin 'out dir' --junit harness-junit.xml --html harness-report.html --github t",
    ]


def test_the_workflow_for_gitlab_says_what_was_asked() -> None:
    told = harness("ci", "gitlab", "--install", "pip install 'a: b'", "tests/xstep")
    job = yaml.safe_load(told.out)["fixtures"]
    assert job["before_script"][-2:] == ["pip install 'a: b'", "harness doctor || true"]
    assert job["script"] == [
        "harness run --bin bin --junit harness-junit.xml --html harness-report.html tests/xstep"
    ]
    assert job["artifacts"]["reports"] == {"junit": "harness-junit.xml"}


def test_the_workflow_for_classroom_50_writes_what_that_reads(tmp_path: Path) -> None:
    asked = ("ci", "classroom50", "--install", "pip install x")
    job = yaml.safe_load(harness(*asked, "t", cwd=tmp_path).out)["jobs"]["grade"]
    grade = job["steps"][-2]
    assert grade["env"] == {"SUBMISSION_TAG": "${{ github.ref_name }}"}
    assert grade["run"] == (
        'harness grade . --suite t --for students --classroom50 result.json --out "$RUNNER_TEMP/grades"'
    )
    (tmp_path / "grade.toml").write_text("")
    job = yaml.safe_load(harness(*asked, cwd=tmp_path).out)["jobs"]["grade"]
    assert job["steps"][-2]["run"].startswith("harness grade . --config grade.toml --for students")
    assert job["steps"][-1]["with"]["path"].split() == ["result.json", "release-body.md"]


def test_the_cases_of_a_workflow_are_where_they_usually_are(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    assert steps(harness("ci", "github", cwd=tmp_path).out.decode())[-1].endswith(" tests")


@pytest.mark.parametrize("service", ["github", "gitlab", pytest.param("classroom50", marks=pytest.mark.long)])
def test_a_workflow_says_that_it_was_not_run_and_whether_it_can_be_installed(
    tmp_path: Path, service: str
) -> None:
    checkout = copied_checkout(tmp_path / "checkout")
    asked = f"{checkout / 'bin' / 'harness'} ci {service}"
    by_name = shell(f"{asked} 2> /dev/null").out.decode()
    assert f"The authors of the harness have not run this on {NAMES[service]}" in by_name
    assert "# WARNING: version" in by_name
    assert yaml.safe_load(by_name)
    assert "WARNING" not in shell(f"{asked} --install 'pip install x'").out.decode()
    shell(
        'cd "$1" && git init -q && git remote add origin https://example.org/a.git && git add bin && '
        "git -c user.name=a -c user.email=a@example.org commit -q -m a",
        checkout,
    )
    assert "has not been pushed" in shell(f"{asked} 2> /dev/null").out.decode()
    shell('cd "$1" && git update-ref refs/remotes/origin/main HEAD', checkout)
    assert "WARNING" not in shell(f"{asked} 2> /dev/null").out.decode()


def test_a_line_break_cannot_be_smuggled_into_a_workflow() -> None:
    told = harness("ci", "github", "--build", "make\n      - run: rm -rf /")
    assert (told.out, told.status) == (b"", 2)


@pytest.mark.parametrize(
    ("remote", "url"),
    [
        ("https://somebody:secret@example.org/a/b.git", "https://example.org/a/b.git"),
        ("git@example.org:a/b.git", "ssh://git@example.org/a/b.git"),
        ("ssh://git@example.org/a/b.git", "ssh://git@example.org/a/b.git"),
        ("/a/b", "file:///a/b"),
    ],
)
def test_the_harness_is_installed_from_where_it_came_without_a_password(remote: str, url: str) -> None:
    assert as_url(remote) == url


def test_a_repository_is_red_with_a_failing_case_and_green_without(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    program(tmp_path / "bin" / "xstep", f"#!/bin/sh\necho '{json_text(AFTER)}'\n")
    case(tmp_path / "test-fixtures" / "xstep" / "right", BEFORE, AFTER)
    case(tmp_path / "test-fixtures" / "xstep" / "wrong", BEFORE, BEFORE)
    run = steps(harness("ci", "github", cwd=tmp_path).out.decode())[-1]
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    statuses = []
    for _ in range(2):
        done = subprocess.run(["sh", "-c", run], cwd=tmp_path, timeout=PATIENCE, check=False, env=environment)
        statuses.append(done.returncode)
        (tmp_path / "test-fixtures" / "xstep" / "wrong-out.json").write_text(json_text(AFTER))
    assert statuses == [1, 0]
    assert (tmp_path / "harness-junit.xml").exists()
    assert (tmp_path / "harness-report.html").exists()
