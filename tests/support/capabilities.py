"""What tests need of a machine beyond Python, and whether it is there.

A test says what it needs by `@pytest.mark.needs("browser")`. Each capability is tried once in a run, by
using it: a bubblewrap that is installed and that the kernel refuses is no sandbox. Only the standard
library is needed here, so that what is missing can be said before anything has been installed:

    python -m tests.support.capabilities            says what there is
    python -m tests.support.capabilities --missing  names the Debian packages that bring what is missing
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection
from typing import NamedTuple

FOUND = "TESTS_MISSING"  # the variable in which a run hands on what it has found
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
DRIVER_NEEDS = "libatomic1"  # a library that playwright's driver loads, and that a bare Debian lacks
PATIENCE = 60.0  # seconds for a browser to start, on a machine that is very busy


class Missing(NamedTuple):
    """Why a capability is not there, the command that brings it, and the Debian packages that would."""

    why: str
    command: str
    package: str = ""


class Capability(NamedTuple):
    """Something that tests can need: its name, what it is, and how it is tried."""

    name: str
    about: str
    tried: Callable[[], "Missing | None"]


def _not_installed(command: str, package: str) -> Missing:
    return Missing(f"{command} is not installed", f"apt-get install {package}", package)


def _sandbox() -> "Missing | None":
    from harness.running.rungs import why_not

    if shutil.which("bwrap") is None:
        return _not_installed("bwrap", "bubblewrap")
    problem = why_not("bubblewrap")
    return Missing(problem, "sysctl -w kernel.unprivileged_userns_clone=1") if problem else None


def _landlock() -> "Missing | None":
    from harness.running.landlock import why_not

    problem = why_not()
    return Missing(problem, "boot with landlock in the kernel's lsm= list") if problem else None


def browser() -> "str | None":
    """Where the browser is that opens the pages; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def _browser() -> "Missing | None":
    path = browser()
    if path is None:
        return Missing("chromium is not installed", "apt-get install chromium", f"chromium {DRIVER_NEEDS}")
    command = [path, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", "about:blank"]
    try:
        tried = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Missing(f"{path} does not start: {error}", "apt-get install --reinstall chromium")
    if b"<html>" not in tried.stdout:
        return Missing(f"{path} opens no page", "apt-get install --reinstall chromium")
    command = [sys.executable, "-m", "playwright", "--version"]
    tried = subprocess.run(command, capture_output=True, check=False, timeout=PATIENCE)
    if tried.returncode:
        return Missing("playwright does not start", f"apt-get install {DRIVER_NEEDS}", DRIVER_NEEDS)
    return None


def _control_groups() -> "Missing | None":
    from harness.running.limits import Cgroup, Limits

    group = Cgroup(f"harness-{os.getpid()}-tried", Limits())
    group.remove()
    if group.memory and group.processes:
        return None
    command = "mount -o remount,rw /sys/fs/cgroup" if os.getuid() == 0 else "sudo make test"
    return Missing("no control group can be made that limits memory and processes", command)


def _terminal() -> "Missing | None":
    if shutil.which("script") is None:
        return _not_installed("script", "bsdutils")
    try:
        for descriptor in os.openpty():
            os.close(descriptor)
    except OSError as error:
        return Missing(f"none can be opened: {error.strerror}", "mount -t devpts devpts /dev/pts")
    return None


CAPABILITIES = {
    capability.name: capability
    for capability in (
        Capability("sandbox", "programs can be shut in, by bubblewrap", _sandbox),
        Capability("landlock", "programs can be shut in, by Landlock", _landlock),
        Capability("browser", "pages can be opened, by chromium", _browser),
        Capability("control groups", "memory and processes of a group can be limited", _control_groups),
        Capability("terminal", "programs can be run in a terminal", _terminal),
    )
}


def missing() -> dict[str, Missing]:
    """What is not there, by name: tried once, and handed on to all that is started."""
    if FOUND not in os.environ:
        tried = {name: capability.tried() for name, capability in CAPABILITIES.items()}
        os.environ[FOUND] = json.dumps({name: problem for name, problem in tried.items() if problem})
    return {name: Missing(*problem) for name, problem in json.loads(os.environ[FOUND]).items()}


def reason(name: str, problem: Missing) -> str:
    """Why a test is not run."""
    return f"no {name} ({problem.command})"


def summary(absent: dict[str, Missing]) -> list[str]:
    """What is there and what is not, in a few lines for the top of a run."""
    there = [name for name in CAPABILITIES if name not in absent]
    lines = [f"capabilities: {', '.join(there) or 'none'}"]
    return lines + [f"missing: {name}: {problem.why} ({problem.command})" for name, problem in absent.items()]


def main(arguments: Collection[str]) -> int:
    """Print the table, or the packages."""
    if arguments not in ([], ["--missing"]):
        print("usage: python -m tests.support.capabilities [--missing]", file=sys.stderr)
        return 2
    absent = missing()
    if arguments:
        for package in sorted({name for problem in absent.values() for name in problem.package.split()}):
            print(package)
        return 0
    for name, capability in CAPABILITIES.items():
        problem = absent.get(name)
        print(f"{name:15} {'no: ' + problem.why if problem else 'yes: ' + capability.about}")
        if problem:
            print(f"{'':15} to have it: {problem.command}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
