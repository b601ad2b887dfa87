"""`harness ci`: workflows that can be pasted, and whose commands do what they say."""

import os
import subprocess
from pathlib import Path

import pytest
import yaml

from harness.cli.commands.ci import as_url
from tests.cli.test_everyday import AFTER, BEFORE, case, harness, program
from tests.support.helpers import BIN, PATIENCE, copied_checkout, json_text, shell
from tests.support.keeper import write_program

NAMES = {"github": "GitHub", "gitlab": "GitLab", "classroom50": "Classroom 50"}


def steps(text: str) -> list[str]:
    """The lines of shell of a workflow for GitHub."""
    job = yaml.safe_load(text)["jobs"]["cases"]
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
    job = yaml.safe_load(told.out)["cases"]
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


def test_what_is_not_there_yet_is_named_beside_the_workflow(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    told = harness("ci", "github", "--install", "x", "tests", "test", cwd=tmp_path)
    assert (told.status, told.err.decode().splitlines()) == (
        0,
        [
            "harness: there is no bin here yet; --bin names the folder of the programs",
            "harness: there is no test here yet, which the job will read cases from",
        ],
    )
    (tmp_path / "bin").mkdir()
    assert harness("ci", "github", "--install", "x", "tests", cwd=tmp_path).err == b""


def test_a_workflow_can_share_the_cases_out_among_jobs() -> None:
    common = ("--shards", "3", "--install", "x", "t")
    job = yaml.safe_load(harness("ci", "github", *common).out)["jobs"]["cases"]
    assert job["strategy"]["matrix"] == {"shard": [1, 2, 3]}
    assert job["steps"][-2]["run"].startswith("harness run --shard ${{ matrix.shard }}/3 --bin bin ")
    assert job["steps"][-1]["with"]["name"] == "harness-report-${{ matrix.shard }}"
    job = yaml.safe_load(harness("ci", "gitlab", *common).out)["cases"]
    assert job["parallel"] == 3
    assert job["script"][0].startswith("harness run --shard $CI_NODE_INDEX/3 --bin bin ")


SBATCH = """#!/bin/sh
# Stands in for Slurm's: runs the jobs at once, one after the other, and tells what it was asked.
echo "$@" >> asked
number=1
for word; do
    case "$word" in
    --array=1-*) last=${word#--array=1-} ;;
    --*) ;;
    *) break ;;
    esac
    shift
done
export SLURM_CPUS_PER_TASK=1
while [ "$number" -le "${last-1}" ]; do
    SLURM_ARRAY_TASK_ID=$number sh "$@" >> log 2>&1 || exit
    number=$((number + 1))
done
echo "17;here"
"""


@pytest.mark.long
def test_the_script_for_slurm_grades_a_class_in_shards_and_combines_them(tmp_path: Path) -> None:
    write_program(tmp_path / "teams" / "a" / "xstep", f"#!/bin/sh\necho '{json_text(AFTER)}'\n")
    write_program(tmp_path / "teams" / "b" / "xstep", "#!/bin/sh\n")
    case(tmp_path / "suite" / "xstep" / "right", BEFORE, AFTER)
    (tmp_path / "my grade.toml").write_text(
        'teams = ["teams/*"]\n[limits]\nsandbox = "off"\n[[suite]]\npath = "suite"\n'
    )
    write_program(tmp_path / "bin" / "sbatch", SBATCH)
    script = harness("ci", "slurm", "--shards", "2", "--config", "my grade.toml").out.decode()
    (tmp_path / "grade.sh").write_text(script)
    environment = {**os.environ, "PATH": f"{tmp_path / 'bin'}:{BIN}:{os.environ['PATH']}"}
    for _ in range(2):  # what is typed again, or put into the queue again, goes on
        subprocess.run(["sh", "grade.sh"], cwd=tmp_path, timeout=PATIENCE, check=True, env=environment)
        assert (tmp_path / "grades" / "scores.csv").read_text().count("\n") == 3, (
            tmp_path / "log"
        ).read_text()
    assert (tmp_path / "asked").read_text().splitlines()[:2] == [
        "--parsable --array=1-2 grade.sh shard",
        "--dependency=afterok:17 --kill-on-invalid-dep=yes --output=%x-combine-%j.log grade.sh combine",
    ]


@pytest.mark.parametrize(
    "words",
    [("slurm", "--build", "x"), ("slurm", "tests"), ("github", "--config", "x"), ("slurm", "--shards", "1")],
)
def test_what_a_service_has_no_use_for_is_wrong_use(words: tuple[str, ...]) -> None:
    told = harness("ci", *words)
    assert (told.out, told.status) == (b"", 2)


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


def test_a_repository_without_cases_runs_those_that_come_along(tmp_path: Path) -> None:
    run = steps(harness("ci", "github", cwd=tmp_path).out.decode())[-1]
    assert run == "harness run --bin bin --junit harness-junit.xml --html harness-report.html --github"
    told = harness("ci", "classroom50", cwd=tmp_path).out.decode()
    assert "run: harness grade . --for students --classroom50 result.json" in told
