"""What this machine can do for those who run others' programs: tried, not looked up.

Each thing that was looked at is a `Finding`: whether it is there, what was seen, and what mends it if not.
"""

import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from harness.fixtures.executables import is_executable
from harness.running.limits import CGROUPS, Cgroup, Limits, cores, succeeds

USUAL = ("python3", "node", "java", "perl", "ruby")  # interpreters, if nobody says which are needed
PACKAGES = {
    "python3": "python3",
    "node": "nodejs",
    "java": "default-jre-headless",
    "g++": "g++",
    "racket": "racket",
}
VERSION_WANTED = {"java": "-version"}
PATIENCE = 20.0  # seconds for an interpreter to say its version
CPU = "/sys/devices/system/cpu"
APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
SWITCHES = {  # what forbids user namespaces, the value that does, and the command that allows them
    APPARMOR: ("1", "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0"),
    "/proc/sys/kernel/unprivileged_userns_clone": ("0", "sudo sysctl -w kernel.unprivileged_userns_clone=1"),
    "/proc/sys/user/max_user_namespaces": ("0", "sudo sysctl -w user.max_user_namespaces=10000"),
}
BUSY = 0.5  # load for each core from which times are not to be trusted
WATCHED = 0.2  # seconds in which is looked how much time other machines take
STEAL = 7  # the place of stolen time in the first line of /proc/stat


class Finding(NamedTuple):
    """One thing: its group and name, whether it is as it should be, what was seen, what mends it.

    needed: whether grading cannot do without it.
    """

    group: str
    name: str
    good: bool
    seen: str
    mend: str = ""
    needed: bool = False


def examine(needed: "Iterable[str]" = ()) -> "Iterator[Finding]":
    """Everything, as it is found out. needed: interpreters that must be there."""
    yield from rungs()
    yield from control_groups()
    yield from interpreters(needed)
    yield from timing()


# The sandbox


def rungs() -> list[Finding]:
    """The ways to shut programs in, the best one first; one of them is enough."""
    found = [_bubblewrap(), _landlock()]
    if any(finding.good for finding in found):
        return found
    return [finding._replace(needed=True) for finding in found]


def _bubblewrap() -> Finding:
    from harness.running.rungs import why_not

    problem = why_not("bubblewrap")
    if not problem:
        return Finding("sandbox", "bubblewrap", True, "programs run in it")
    if "not installed" in problem:
        return Finding("sandbox", "bubblewrap", False, problem, "sudo apt-get install bubblewrap")
    mends = [command for file, (value, command) in SWITCHES.items() if _read(file) == value]
    return Finding("sandbox", "bubblewrap", False, problem, mends[0] if mends else _in_a_container())


def _in_a_container() -> str:
    if any(map(os.path.exists, ("/.dockerenv", "/run/.containerenv"))):
        return "start the container with --security-opt seccomp=unconfined"
    return ""


def _landlock() -> Finding:
    from harness.running import landlock, seccomp

    problem = landlock.why_not() or ("" if seccomp.known() else f"it is not known for {os.uname().machine}")
    if not problem and not _holds():
        problem = "the kernel claims to have it, but it does not hold"
    if problem:
        mend = "add landlock to the kernel's lsm= list" if not landlock.version() else ""
        return Finding("sandbox", "landlock", False, problem, mend)
    not_held = "; ".join(landlock.not_held(os.getuid() == 0))
    seen = f"version {landlock.version()}; a program can still: {not_held}"
    return Finding("sandbox", "landlock", True, seen)


def _holds() -> bool:
    """Whether a process that is shut in by Landlock and the filter can be had, and can do nothing."""
    from harness.running import landlock, seccomp

    def see_nothing() -> None:
        landlock.restrict(landlock.ruleset(landlock.Allowed(())))
        seccomp.enter("none", marking=False)
        try:
            os.listdir("/")
        except PermissionError:
            return
        raise OSError

    return succeeds(see_nothing)


# Control groups


def control_groups() -> list[Finding]:
    """Whether memory and processes of a program can be bounded by the kernel."""
    group = Cgroup(f"harness-{os.getpid()}-doctor", Limits())
    has = {"memory": group.memory, "processes": group.processes}
    group.remove()
    version = "version 2" if os.path.exists(f"{CGROUPS}/cgroup.controllers") else "version 1"
    if not os.path.isdir(CGROUPS):
        version = "no control groups"
    mend = "run as root, or: systemd-run --user --scope -p Delegate=yes harness …"
    return [
        Finding(
            "control groups",
            name,
            there,
            f"{version}: a group can be made"
            if there
            else f"{version}: none can be made; limits of processes hold",
            "" if there else mend,
        )
        for name, there in has.items()
    ]


# Interpreters


def interpreter_of(path: str) -> str:
    """What the #! line of a program names, as it would be typed; nothing if it has none."""
    try:
        with open(path, "rb") as file:
            start = file.read(256)
    except OSError:
        return ""
    if not start.startswith(b"#!"):
        return ""
    words = os.fsdecode(start[2:].partition(b"\n")[0]).split()
    if words and os.path.basename(words[0]) == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0] if words else ""


def interpreters(needed: "Iterable[str]" = ()) -> "Iterator[Finding]":
    """Those that are needed; if nobody says which, the usual ones.

    Only what is on the PATH is asked for its version: a #! line could name anything.
    """
    from shutil import which

    names = sorted(set(needed))
    for name in names or USUAL:
        path = which(os.path.basename(name)) or ""
        if os.sep in name and path != name:
            there, seen = is_executable(name), name
        else:
            there, seen = bool(path), f"{path}: {_version(path)}" if path else ""
        if there:
            yield Finding("interpreters", name, True, seen)
        else:
            package = PACKAGES.get(os.path.basename(name), os.path.basename(name))
            mend = f"sudo apt-get install {package}"
            yield Finding("interpreters", name, False, "is not there", mend, bool(names))


def _version(path: str) -> str:
    """The first line in which an interpreter tells its version."""
    import subprocess

    command = [path, VERSION_WANTED.get(os.path.basename(path), "--version")]
    try:
        done = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return "does not say its version"
    lines = [
        line for line in (done.stdout + done.stderr).decode(errors="replace").splitlines() if line.strip()
    ]
    return lines[0].strip() if lines and not done.returncode else "does not say its version"


# Timing


def timing() -> "Iterator[Finding]":
    """Whether times that are measured here mean something."""
    yield Finding("timing", "cores", True, f"{cores()} of {os.cpu_count()}")
    siblings = {_read(f"{CPU}/cpu{number}/topology/thread_siblings_list") for number in _cores_used()}
    doubled = any("," in text or "-" in text for text in siblings)
    yield Finding(
        "timing",
        "hyper-threads",
        not doubled,
        "some of them share a physical core, and slow each other down"
        if doubled
        else "each is a physical core",
        f"-j {max(1, len(siblings))}, or: echo off | sudo tee {CPU}/smt/control" if doubled else "",
    )
    governors = {_read(f"{CPU}/cpu{number}/cpufreq/scaling_governor") for number in _cores_used()} - {""}
    steady = governors <= {"performance"}
    yield Finding(
        "timing",
        "governor",
        steady,
        ", ".join(sorted(governors)) or "the system does not change the clock",
        "" if steady else "sudo cpupower frequency-set -g performance",
    )
    load = os.getloadavg()[0] / cores()
    yield Finding(
        "timing",
        "load",
        load < BUSY,
        f"{load:.1f} for each core, in the last minute",
        "" if load < BUSY else "wait until the machine is idle",
    )
    yield _shared()


def _shared() -> Finding:
    """Whether another machine takes time from our cores."""
    guest = " hypervisor " in f"{_read('/proc/cpuinfo')} ".replace("\n", " ")
    before = _stolen()
    if guest:
        time.sleep(WATCHED)
    ticks = _stolen() - before
    taken = ticks / os.sysconf("SC_CLK_TCK") / WATCHED / (os.cpu_count() or 1)
    if not guest:
        return Finding("timing", "shared cores", True, "they are not shared with other machines")
    seen = f"this is a virtual machine; others may use its cores, and took {taken:.0%} of them just now"
    return Finding("timing", "shared cores", False, seen, "rely on limits with room, not on times")


def _stolen() -> int:
    words = _read("/proc/stat").partition("\n")[0].split()
    return int(words[1 + STEAL]) if len(words) > 1 + STEAL else 0


def _cores_used() -> "Iterable[int]":
    return os.sched_getaffinity(0) if sys.platform == "linux" else ()


def _read(path: str) -> str:
    """What a file of the system says; nothing if it is not there."""
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError:
        return ""
