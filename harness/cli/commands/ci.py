"""`harness ci`: a workflow to paste, with which a service runs a repository's cases, or Slurm grades."""

import os
from collections.abc import Iterator

import click

from harness import __version__
from harness.cli.group import subcommand
from harness.cli.parameters import bin_option, cases_argument, file_option, names_option
from harness.errors import WrongUse

# The steps of a workflow of GitHub before programs are run.
PREPARED = """\
      - name: Install the harness
        run: |
          sudo apt-get update -qq
          sudo apt-get install -qq bubblewrap
          {install}
      - name: Allow the sandbox, and see what there is
        run: |
          # Ubuntu 24.04 forbids what bubblewrap needs; an older one does not know this switch.
          sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 || true
          harness doctor || true
{build}\
"""

GITHUB = """\
# Runs the cases of this repository on its programs: red if and only if a case does not pass.
# The authors of the harness have not run this on GitHub: look at the first run, and at what its doctor says.
{warning}\
name: cases
on:
  push:
  pull_request:
jobs:
  cases:
    runs-on: ubuntu-latest
    timeout-minutes: 30
{matrix}\
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4
        with:
          path: ~/.cache/pip
          key: harness-{version}
{prepared}\
      - name: Run the cases
        run: {run}
      - name: Keep the report
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: harness-report{number}
          path: |
            harness-junit.xml
            harness-report.html
"""

GITLAB = """\
# Runs the cases of this repository on its programs: red if and only if a case does not pass.
# The authors of the harness have not run this on GitLab: look at the first run, and at what its doctor says.
# In GitLab's usual containers bubblewrap is forbidden, and the harness shuts programs in by Landlock, where
# the runner's kernel has it (Linux 6.2 or later).
{warning}\
cases:
  image: python:3.12
  timeout: 30 minutes
{matrix}\
  variables:
    PIP_CACHE_DIR: "$CI_PROJECT_DIR/.cache/pip"
  cache:
    key: harness-{version}
    paths:
      - .cache/pip
  before_script:
    - apt-get update -qq
    - apt-get install -qq bubblewrap
    - {install}
    - harness doctor || true
  script:
{build_gitlab}\
    - {run}
  artifacts:
    when: always
    paths:
      - harness-report.html
    reports:
      junit: harness-junit.xml
"""

SLURM = """\
#!/bin/sh
# Grades a class on Slurm in {shards} shards, and combines them. Start it where you would grade: sh FILE
# The authors of the harness have not run this on Slurm. The nodes need the harness, bubblewrap or Landlock
# (harness doctor), the interpreters of the teams' programs, and this folder under the same path.
#SBATCH --job-name=harness
#SBATCH --output=%x-%A-%a.log
#SBATCH --open-mode=append
#SBATCH --cpus-per-task=4
#SBATCH --mem=8G
#SBATCH --time=04:00:00
#SBATCH --requeue
# A job that is put back into the queue, or typed again, goes on where it was: nothing is graded twice.
set -eu
case "${{1-submit}}" in
submit)
    shards=$(sbatch --parsable --array=1-{shards} "$0" shard)
    sbatch --dependency="afterok:${{shards%%;*}}" --kill-on-invalid-dep=yes \\
        --output=%x-combine-%j.log "$0" combine
    ;;
shard)
    exec {grade} --jobs "$SLURM_CPUS_PER_TASK" \\
        --shard "$SLURM_ARRAY_TASK_ID/{shards}" --out "{folder}/$SLURM_ARRAY_TASK_ID"
    ;;
combine)
    exec {grade} --combine {folder}
    ;;
esac
"""

CLASSROOM50 = """\
# Grades a submission to Classroom 50: writes its result.json, and release-body.md for the student.
# Exit status 0 means that it ran to the end, whatever the marks.
# The authors of the harness have not run this on Classroom 50: look at the first run, and at its doctor.
{warning}\
name: classroom50
on:
  push:
    tags: ["submit/**"]
jobs:
  grade:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
{prepared}\
      - name: Grade
        run: {grade}
        env:
          SUBMISSION_TAG: ${{{{ github.ref_name }}}}
      - name: Keep the result
        uses: actions/upload-artifact@v4
        with:
          name: classroom50-result
          path: |
            result.json
            release-body.md
"""

WORKFLOWS = {"github": GITHUB, "gitlab": GITLAB, "classroom50": CLASSROOM50}
CONFIGURATION = "grade.toml"
SERVICES = (*WORKFLOWS, "slurm")
# How a service is told to run a job several times, and how a job knows which one it is.
MATRICES = {
    "github": "    strategy:\n      fail-fast: false\n      matrix:\n        shard: [{numbers}]\n",
    "gitlab": "  parallel: {shards}\n",
}
SHARD_OF = {"github": "${{ matrix.shard }}/%d", "gitlab": "$CI_NODE_INDEX/%d"}
SHARD_FOLDER = "grades.shards"
USUAL_SHARDS = 8  # on Slurm
MOST_SHARDS = 1000
USUAL_CASES = ("test-fixtures", "tests", "fixtures")


@subcommand
@click.argument("service", type=click.Choice(SERVICES))
@cases_argument
@names_option
@bin_option("The directory with the repository's executables. Default: bin.")
@click.option("--build", metavar="COMMAND", help="The shell command that builds them, if that is needed.")
@click.option(
    "--install",
    metavar="COMMAND",
    help="The command that installs the harness. Default: pip, from where this one was installed.",
)
@click.option(
    "--shards",
    type=click.IntRange(2, MOST_SHARDS),
    metavar="N",
    help=f"Let N jobs share the work, each a shard of it. Default: one job; on Slurm, {USUAL_SHARDS}.",
)
@file_option("--config", help="For Slurm: the configuration of the class. Default: grade.toml.")
def command(
    service: str,
    paths: tuple[str, ...],
    names: tuple[str, ...],
    folder: "str | None",
    build: "str | None",
    install: "str | None",
    shards: "int | None",
    config: "str | None",
) -> int:
    """Print a workflow for GitHub, GitLab or Classroom 50, or a script that grades on Slurm.

    PATHs are directories of cases, as seen from the top of the repository, where this is to be typed.
    Without any, it is the first of test-fixtures, tests and fixtures that is there; if none is, the cases
    that come with the harness. The job is red if and only if a case does not pass, and keeps a JUnit
    report and a page with all failures. That of Classroom 50 grades by the grade.toml
    at the top of the repository, or by PATHs, and keeps result.json and release-body.md. For Slurm it is
    a script that submits an array of jobs, which grade the shards of a class, and one that combines them.

    \b
    Examples:
      harness ci github > .github/workflows/cases.yml
      harness ci slurm --config grade.toml --shards 20 > grade.sh
      harness ci gitlab --build make --bin build/bin tests > .gitlab-ci.yml
      harness ci classroom50 > .github/workflows/classroom50.yml

    \b
    Exit status: 0; 2 the command line is wrong.
    """
    said = {
        "--build": build,
        "--install": install,
        "--bin": folder,
        "PATH": " ".join(paths),
        "--config": config,
    }
    _see_that_they_are_lines(said)
    if service == "slurm":
        for what, value in {**said, "--names": names, "--config": None}.items():
            if value:
                raise WrongUse(f"{what} is not for slurm, where a class is graded: its --config says it all")
        click.echo(slurm_script(config or "grade.toml", shards or USUAL_SHARDS), nl=False)
        return 0
    if config:
        raise WrongUse(f"--config is for slurm; {service} runs the cases of a repository")
    if shards and service not in MATRICES:
        raise WrongUse(f"--shards is for {', '.join(MATRICES)} and slurm; {service} grades one submission")
    warning = ""
    if install is None:
        install, warning = how_to_install()
        if warning:
            click.echo(f"harness: {warning}; --install takes another command", err=True)
    options = [option for pattern in names for option in ("--names", pattern)]
    folder = folder or "bin"
    for missing in _not_there_yet(paths, folder if service in MATRICES and not build else ""):
        click.echo(f"harness: there is no {missing}", err=True)
    told = workflow(service, paths, options, folder, build or "", install, warning, shards)
    click.echo(told, nl=False)
    return 0


def _see_that_they_are_lines(said: "dict[str, str | None]") -> None:
    """Raise WrongUse if what becomes a part of a line of shell is none."""
    for what, text in said.items():
        if text is not None and any(not one.isprintable() for one in text):
            raise WrongUse(f"{what}: a line of shell has no line breaks or control characters")


def _not_there_yet(paths: tuple[str, ...], folder: str) -> "Iterator[str]":
    """What the job will look for: the folder of the programs, unless that is to be built, and the cases."""
    if folder and not os.path.isdir(folder):
        yield f"{folder} here yet; --bin names the folder of the programs"
    for path in paths:
        if not os.path.exists(path):
            yield f"{path} here yet, which the job will read cases from"


def slurm_script(config: str, shards: int) -> str:
    """The script that grades a class on Slurm, in so many shards."""
    import shlex

    grade = shlex.join(["harness", "grade", "--config", config])
    return SLURM.format(shards=shards, grade=grade, folder=SHARD_FOLDER)


def workflow(
    service: str,
    paths: tuple[str, ...],
    options: list[str],
    folder: str,
    build: str,
    install: str,
    warning: str = "",
    shards: "int | None" = None,
) -> str:
    """The file for a service; the options are some of harness run. warning: why it may not work there.

    shards: how many jobs share the cases, if there are several.
    """
    import shlex

    cases = paths or tuple(filter(os.path.isdir, USUAL_CASES))[:1]
    reports = ["--junit", "harness-junit.xml", "--html", "harness-report.html"]
    reports += ["--github"] if service == "github" else []
    words = shlex.join(["--bin", folder, *options, *reports, *cases])
    if shards:
        words = f"--shard {SHARD_OF[service] % shards} {words}"
    matrix = MATRICES[service] if shards else ""
    return WORKFLOWS[service].format(
        version=__version__,
        warning=f"# WARNING: {warning}.\n# Change the line that installs it before you rely on this.\n"
        if warning
        else "",
        install=_scalar(install),
        prepared=PREPARED.format(
            install=install,
            build=f"      - name: Build\n        run: {_scalar(build)}\n" if build else "",
        ),
        build_gitlab=f"    - {_scalar(build)}\n" if build else "",
        run=_scalar(f"harness run {words}"),
        matrix=matrix.format(shards=shards, numbers=", ".join(map(str, range(1, (shards or 0) + 1)))),
        number="-${{ matrix.shard }}" if shards else "",
        grade=_scalar(f'{shlex.join(_grading(paths, options, cases))} --out "$RUNNER_TEMP/grades"'),
    )


def _grading(paths: tuple[str, ...], options: list[str], cases: tuple[str, ...]) -> list[str]:
    """The command that grades a repository: as its grade.toml says, or on the cases of these paths."""
    by_file = not paths and os.path.isfile(CONFIGURATION)
    suites = [word for path in cases for word in ("--suite", path)]
    what = ["--config", CONFIGURATION] if by_file else suites
    return ["harness", "grade", ".", *what, *options, "--for", "students", "--classroom50", "result.json"]


def _scalar(text: str) -> str:
    """The text as a value in YAML, where some characters need quotes."""
    import json

    plain = (
        text[:1].isalnum()
        and not any(mark in text for mark in (": ", " #", "{", "}", "\\"))
        and text[-1] != ":"
    )
    return text if plain else json.dumps(text, ensure_ascii=False)


def how_to_install() -> tuple[str, str]:
    """The command that installs this harness, and why it may not work elsewhere; nothing if it should.

    It comes from its repository, if this one did, or by its name from where packages are published.
    """
    source = _installed_from()
    warning = ""
    if not source:
        source, warning = _cloned_from()
    if not source:
        source = f"evolution-harness=={__version__}"
        warning = f"version {__version__} of the harness may not be published"
    elif source.startswith("git+file:"):
        warning = "the harness came from a folder of one machine, which a service does not have"
    return f"pip install '{source}'", warning


def _installed_from() -> str:
    """The repository and commit that pip installed this harness from; empty if it did not."""
    import json
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        origin = json.loads(distribution("evolution-harness").read_text("direct_url.json") or "{}")
        vcs = origin["vcs_info"]
    except (PackageNotFoundError, ValueError, KeyError):
        return ""
    return f"{vcs['vcs']}+{without_password(origin['url'])}@{vcs['commit_id']}"


def _cloned_from() -> tuple[str, str]:
    """The repository and commit of the checkout that this harness runs in; empty if it is in none.

    Also why others may not get that commit.
    """
    top = os.path.abspath(__file__).rpartition("/harness/")[0]
    if not os.path.exists(os.path.join(top, ".git")):
        return "", ""
    questions = ["remote", "get-url", "origin"], ["rev-parse", "HEAD"], ["branch", "-r", "--contains", "HEAD"]
    remote, commit, published = (_git(top, *question) for question in questions)
    if not (remote and commit):
        return "", ""
    warning = (
        "" if published else f"commit {commit[:12]} of the harness has not been pushed, as far as is known"
    )
    return f"git+{as_url(remote)}@{commit}", warning


def _git(top: str, *question: str) -> str:
    """What git answers about a checkout; nothing if it does not."""
    import subprocess

    try:
        done = subprocess.run(["git", "-C", top, *question], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


def as_url(remote: str) -> str:
    """A remote of git, which may be a path or host:path, as a URL without a password."""
    if "://" in remote:
        return without_password(remote)
    host, colon, path = remote.partition(":")
    if colon and "/" not in host:
        return f"ssh://{host}/{path}"
    return f"file://{os.path.abspath(remote)}"


def without_password(url: str) -> str:
    """The URL without what would let others in."""
    scheme, _, rest = url.partition("://")
    who, at, _host = rest.partition("/")[0].rpartition("@")
    if not at or scheme == "ssh":
        return url
    return f"{scheme}://{rest[len(who) + 1 :]}"
