"""`harness ci`: a workflow to paste, with which a service runs a repository's fixtures."""

import os

import click

from harness import __version__
from harness.cli.group import subcommand
from harness.cli.parameters import bin_option, cases_argument, names_option
from harness.errors import WrongUse

GITHUB = """\
# Runs the fixtures of this repository on its programs: red if and only if a case does not pass.
# The authors of the harness have not run this on GitHub: look at the first run, and at what its doctor says.
{warning}\
name: fixtures
on:
  push:
  pull_request:
jobs:
  fixtures:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - uses: actions/cache@v4
        with:
          path: ~/.cache/pip
          key: harness-{version}
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
{build_github}\
      - name: Run the fixtures
        run: {run}
      - name: Keep the report
        if: always()
        uses: actions/upload-artifact@v4
        with:
          name: harness-report
          path: |
            harness-junit.xml
            harness-report.html
"""

GITLAB = """\
# Runs the fixtures of this repository on its programs: red if and only if a case does not pass.
# The authors of the harness have not run this on GitLab: look at the first run, and at what its doctor says.
# In GitLab's usual containers bubblewrap is forbidden, and the harness shuts programs in by Landlock, where
# the runner's kernel has it (Linux 6.2 or later).
{warning}\
fixtures:
  image: python:3.12
  timeout: 30 minutes
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
{build_github}\
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
USUAL_CASES = ("test-fixtures", "tests", "fixtures")


@subcommand
@click.argument("service", type=click.Choice(tuple(WORKFLOWS)))
@cases_argument
@names_option
@bin_option("The directory with the repository's executables. Default: bin.")
@click.option("--build", metavar="COMMAND", help="The shell command that builds them, if that is needed.")
@click.option(
    "--install",
    metavar="COMMAND",
    help="The command that installs the harness. Default: pip, from where this one was installed.",
)
def command(
    service: str,
    paths: tuple[str, ...],
    names: tuple[str, ...],
    folder: "str | None",
    build: "str | None",
    install: "str | None",
) -> int:
    """Print a workflow that runs a repository's fixtures on GitHub or GitLab, or grades for Classroom 50.

    PATHs are directories of cases, as seen from the top of the repository; without any, the first of
    test-fixtures, tests and fixtures that is there. The job is red if and only if a case does not pass,
    and keeps a JUnit report and a page with all failures. That of Classroom 50 grades by the grade.toml
    at the top of the repository, or by PATHs, and keeps result.json and release-body.md.

    \b
    Examples:
      harness ci github > .github/workflows/fixtures.yml
      harness ci gitlab --build make --bin build/bin tests > .gitlab-ci.yml
      harness ci classroom50 > .github/workflows/classroom50.yml

    \b
    Exit status: 0; 2 the command line is wrong.
    """
    for what, text in (("--build", build), ("--install", install), ("--bin", folder), *_named(paths)):
        if text is not None and any(not one.isprintable() for one in text):
            raise WrongUse(f"{what}: a line of shell has no line breaks or control characters")
    warning = ""
    if install is None:
        install, warning = how_to_install()
        if warning:
            click.echo(f"harness: {warning}; --install takes another command", err=True)
    options = [option for pattern in names for option in ("--names", pattern)]
    click.echo(workflow(service, paths, options, folder or "bin", build or "", install, warning), nl=False)
    return 0


def _named(paths: tuple[str, ...]) -> list[tuple[str, str]]:
    return [("PATH", path) for path in paths]


def workflow(
    service: str,
    paths: tuple[str, ...],
    options: list[str],
    folder: str,
    build: str,
    install: str,
    warning: str = "",
) -> str:
    """The file for a service; the options are some of harness run. warning: why it may not work there."""
    import shlex

    cases = paths or (next(filter(os.path.isdir, USUAL_CASES), USUAL_CASES[0]),)
    reports = ["--junit", "harness-junit.xml", "--html", "harness-report.html"]
    reports += ["--github"] if service == "github" else []
    return WORKFLOWS[service].format(
        version=__version__,
        warning=f"# WARNING: {warning}.\n# Change the line that installs it before you rely on this.\n"
        if warning
        else "",
        install=_scalar(install) if service == "gitlab" else install,
        build_github=f"      - name: Build\n        run: {_scalar(build)}\n" if build else "",
        build_gitlab=f"    - {_scalar(build)}\n" if build else "",
        grade=_scalar(f'{shlex.join(_grading(paths, options, cases))} --out "$RUNNER_TEMP/grades"'),
        run=_scalar(shlex.join(["harness", "run", "--bin", folder, *options, *reports, *cases])),
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
