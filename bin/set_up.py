"""The set-up of this checkout: makes `.venv` what running or testing needs, and mends it. Used by make.

    .venv/bin/python -I -S bin/set_up.py check run|test   whether it is whole; if not, says why
    python3 -I bin/set_up.py make run|test                make it whole; python3 is what .venv gets
    .venv/bin/python -I bin/set_up.py tools               fetch the tools that tests can use, as root with apt

A set-up is whole if its stamp says so, `.venv/ready` for running and `.venv/ready-test` for tests. A stamp
is written last, and all at once. It says where the checkout was, which interpreter it was, what setup.cfg
asked for, and which packages there were, a line each. The launchers read the first two lines (bin/launch).
"""

import os
import sys
from io import TextIOWrapper

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import NoReturn

THIS = os.path.realpath(__file__)
VENV = ".venv"
PYTHON = f"{VENV}/bin/python"
LOG = f"{VENV}/set-up.log"
STAMPS = {"run": "ready", "test": "ready-test"}
PARTS_OF = {"run": ["run"], "test": ["run", "test"]}
REQUIREMENTS = {"run": ".", "test": ".[dev]"}
NEEDED_BY = {"run": "programs need (once; some seconds)", "test": "tests need (once; perhaps a minute)"}

# The statuses of `check`; any other one means that the interpreter of .venv does not even start.
WHOLE, TO_BE_ADDED_TO, TO_BE_MADE_ANEW = 0, 3, 4
UNAVAILABLE = 69
INTERRUPTED = 130

# What pip says if it cannot reach an index.
NO_NETWORK = (
    "Connection refused",
    "Failed to establish a new connection",
    "Max retries exceeded",
    "Name or service not known",
    "Temporary failure in name resolution",
    "timed out",
)


# --- is it whole? -----------------------------------------------------------------------------


def check(part: str) -> "tuple[int, str]":
    """Whether the set-up is whole for a part, as a status of this program, and if not, why."""
    stamp = _read_stamp("run")
    if stamp is None:
        return TO_BE_MADE_ANEW, "it was not finished"
    place, python, _, *_ = stamp
    if not _same_file(place, "."):
        return TO_BE_MADE_ANEW, f"the checkout was moved here from {place}"
    if not _same_file(python, PYTHON) or not os.path.isdir(_site_packages()):
        return TO_BE_MADE_ANEW, f"{python} is no longer its Python"
    for each in PARTS_OF[part]:
        stamp = _read_stamp(each)
        _, _, requested, *packages = stamp or ("", "", "")
        missing = _incomplete(packages if requested == _requested(each) else _packages())
        if missing:
            return TO_BE_MADE_ANEW, f"{missing} is missing, or a part of it"
        if stamp is None:
            return TO_BE_ADDED_TO, ""
        if requested != _requested(each):
            return TO_BE_ADDED_TO, "setup.cfg asks for other packages than before"
    return WHOLE, ""


def _read_stamp(part: str) -> "list[str] | None":
    try:
        with open(f"{VENV}/{STAMPS[part]}", "rb") as file:
            lines = [os.fsdecode(line) for line in file.read().split(b"\n")]
    except OSError:
        return None
    return lines[:-1] if len(lines) > 4 else None


def _write_stamp(part: str) -> None:
    lines = [os.path.realpath("."), os.path.realpath(PYTHON), _requested(part), *_packages()]
    path = f"{VENV}/{STAMPS[part]}"
    with open(f"{path}.new", "wb") as file:
        file.writelines(os.fsencode(f"{line}\n") for line in lines)
    os.replace(f"{path}.new", path)


def _same_file(one: str, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _requested(part: str) -> str:
    """What setup.cfg asks for, as a number: most changes of that file are about something else."""
    from configparser import ConfigParser
    from zlib import crc32

    settings = ConfigParser(interpolation=None)
    settings.read("setup.cfg", encoding="utf-8")
    sections = ["options", "options.entry_points", *(["options.extras_require"] if part == "test" else [])]
    return str(crc32(repr([dict(settings[section]) for section in sections]).encode()))


def _site_packages() -> str:
    return f"{VENV}/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


def _packages() -> "dict[str, str]":
    """The folder of what is known about each package that is installed, by the package's name."""
    folders = [name for name in os.listdir(_site_packages()) if name.endswith(".dist-info")]
    return {folder.partition("-")[0]: folder for folder in sorted(folders)}


def _incomplete(packages: "Iterable[str]") -> "str | None":
    """The first of the packages of which a file is not there."""
    import csv

    folder, installed = _site_packages(), _packages()
    for package in packages:
        try:
            with open(f"{folder}/{installed[package]}/RECORD", encoding="utf-8", newline="") as record:
                files = [row[0] for row in csv.reader(record) if row]
        except (KeyError, OSError):
            return package
        if not all(os.path.exists(f"{folder}/{file}") for file in files if not file.endswith(".pyc")):
            return package
    return None


# --- make it whole ----------------------------------------------------------------------------


def make(part: str) -> int:
    """Make .venv whole for a part with this interpreter, if it is not; the exit status."""
    import subprocess

    with open(THIS) as lock:
        _lock(lock.fileno())
        anew, why = _work_to_do(part)
        if anew is None:
            return 0
        how = f" anew ({why})" if anew and why else f" again ({why})" if why else ""
        print(f"setting up {VENV}{how}: what the {NEEDED_BY[part]} ...", flush=True)
        if anew:
            _make_venv()
        # The lock lasts as long as what goes on, even if this process is killed.
        command = [PYTHON, "-I", THIS, "fill", part]
        return subprocess.run(command, check=False, pass_fds=[lock.fileno()]).returncode


def _work_to_do(part: str) -> "tuple[bool | None, str]":
    """Whether .venv must be made anew, or None if there is nothing to do; and why."""
    import subprocess

    if not os.path.lexists(VENV):
        return True, ""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if os.environ.get("PYTHON_GIVEN") and not os.path.isdir(_site_packages()):
        return True, f"for Python {version}"
    try:
        command = [PYTHON, "-I", "-S", THIS, "check", part]
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return True, "its Python is gone"
    if done.returncode not in (WHOLE, TO_BE_ADDED_TO, TO_BE_MADE_ANEW):
        return True, "its Python does not work"
    anew = None if done.returncode == WHOLE else done.returncode == TO_BE_MADE_ANEW
    return anew, os.fsdecode(done.stdout).strip()


def _lock(descriptor: int) -> None:
    """Wait until no other make sets up this checkout."""
    import fcntl

    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print("waiting for another make that sets up this checkout ...", flush=True)
        fcntl.flock(descriptor, fcntl.LOCK_EX)


def _make_venv() -> None:
    import subprocess
    from importlib.util import find_spec

    if not (find_spec("venv") and find_spec("ensurepip")):
        name = os.path.basename(os.environ.get("PYTHON", ""))
        package = f"{name if name.startswith('python3.') else 'python3'}-venv"
        _fail(f"this Python has no venv module; on Debian, type as root: apt-get install {package}")
    if os.path.islink(VENV):
        os.remove(VENV)  # what it leads to is somebody else's, and is left as it is
    _remove_stamps()
    command = [sys.executable, "-I", "-m", "venv", "--clear", VENV]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode:
        lines = f"{done.stdout}{done.stderr}".strip().splitlines()
        _fail(f"{VENV} could not be made: {lines[-1] if lines else 'venv does not say why'}")


def _remove_stamps() -> None:
    for stamp in STAMPS.values():
        try:
            os.remove(f"{VENV}/{stamp}")
        except OSError:
            pass


def fill(part: str) -> int:
    """Install the packages of a part into the .venv of this interpreter; the exit status."""
    import subprocess

    if check("run")[0] != WHOLE:
        _remove_stamps()
    options = ["--quiet", "--disable-pip-version-check", "--no-input"]
    project = ["--config-settings", "editable_mode=compat", "--editable", REQUIREMENTS[part]]
    command = [PYTHON, "-I", "-m", "pip", "install", *options, *project]
    with open(LOG, "wb") as log:
        environment = {"PIP_RETRIES": "2", **os.environ}
        done = subprocess.run(command, stdout=log, stderr=log, env=environment, check=False)
    if done.returncode:
        _fail(_why_pip_failed())
    subprocess.run([PYTHON, "-I", "-m", "compileall", "-qq", "evolution", "harness"], check=False)
    for each in PARTS_OF[part]:
        if check(each)[0] != WHOLE:
            _write_stamp(each)
    return 0


def _why_pip_failed() -> str:
    """Print the last that pip had to say, and give the sentence for what has happened."""
    with open(LOG, encoding="utf-8", errors="replace") as log:
        said = log.read()
    errors = [line.strip() for line in said.splitlines() if line.strip().startswith("ERROR:")]
    print(*list(dict.fromkeys(errors))[-2:], sep="\n", file=sys.stderr)
    if any(words in said for words in NO_NETWORK):
        return f"no packages could be fetched; connect to the network and type make again (all of it: {LOG})"
    return f"pip could not install the packages; when that is put right, type make again (all of it: {LOG})"


# --- tools for tests --------------------------------------------------------------------------


def tools() -> int:
    """Fetch the Debian packages without which tests are skipped, if it can be done; the exit status."""
    import subprocess
    from shutil import which

    if os.geteuid() != 0 or not which("apt-get"):
        return 0
    command = [PYTHON, "-m", "tests.support.capabilities", "--missing"]
    packages = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    if not packages:
        return 0
    names = " ".join(packages)
    print(f"fetching what the tests can use: {names} (not with: make test TOOLS=no) ...", flush=True)
    # What cannot be updated does not matter if everything can be installed.
    _apt_get("update", "-qq")
    if not _apt_get("install", "-qq", "--yes", "--no-install-recommends", *packages):
        print(f"apt-get could not fetch {names} (see {LOG}); going on without", flush=True)
    return 0


def _apt_get(*words: str) -> bool:
    import subprocess

    command = ["apt-get", "-o", "DPkg::Lock::Timeout=120", *words]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    with open(LOG, "ab") as log:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, check=False
        )
    return done.returncode == 0


# --- the command line -------------------------------------------------------------------------


def _fail(problem: str) -> "NoReturn":
    print(f"make: {problem}", file=sys.stderr)
    sys.exit(UNAVAILABLE)


def main(command: str, *parts: str) -> int:
    """What the arguments say; the exit status."""
    if command == "check":
        status, why = check(*parts)
        if why:
            print(why)
        return status
    if command == "make":
        return make(*parts)
    return fill(*parts) if command == "fill" else tools()


if __name__ == "__main__":
    os.chdir(os.path.dirname(os.path.dirname(THIS)))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="surrogateescape")  # a path may be of any bytes
    try:
        sys.exit(main(*sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
