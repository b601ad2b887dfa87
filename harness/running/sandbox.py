"""The sandbox round programs under test: bubblewrap, and a process in it that starts them.

No network, no other processes, nothing to write to but folders in memory, and only files that are shown
(`harness.running.view`). Started by root, it runs as a user whom nobody else is.
"""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from shlex import quote
from typing import NamedTuple

from harness.errors import WrongUse, did_you_mean
from harness.fixtures.executables import subject
from harness.fixtures.naming import USUAL, Names
from harness.running import seccomp
from harness.running.content import Identity, linked_files
from harness.running.limits import most_processes_inside
from harness.running.view import MADE, View, home_of, interpreter_of, is_below, is_installed

SCRATCH = "/tmp/scratch"  # noqa: S108 (a name inside the sandbox)
MOST_SCRATCH = 256 << 20  # bytes in all that can be written to; it lies in memory
SHUT_IN = "no network, read-only files, none shown but the system's and a program's own"
KEPT = ("LANG", "TZ")  # of our environment, besides what begins with:
KEPT_PREFIX = "LC_"
SOCKET = 3  # the descriptor of the process inside that it takes commands from
HERE = os.path.dirname(os.path.abspath(__file__))
NAMED_WORD = r"[^\s:;,'\"`()\[\]<>]+"  # a path in a message, or what follows a space in it
MOST_SPACES = 6  # in a path that is found in a message


def _named_in(message: str) -> "Iterator[str]":
    """What may be a path in a message: up to the first space in it, up to the second, and so on."""
    for path in re.finditer(f"/{NAMED_WORD}", message):
        yield path[0]
        end = path.end()
        for _ in range(MOST_SPACES):
            word = re.compile(f" {NAMED_WORD}").match(message, end)
            if word is None:
                break
            end = word.end()
            yield message[path.start() : end]


def missed_told(programs: str, path: str) -> str:
    """Why programs may never have answered: they name a path that they do not see."""
    told = f"{programs} hardly ever answered, and named {path}, which the sandbox does not show"
    return f"{told}: --show {quote(path)} would (see harness help isolation)"


def why_not_shown(path: str) -> str:
    """Why a path cannot be shown in a sandbox; nothing if it can."""
    if not os.path.exists(path):
        above = os.path.dirname(os.path.abspath(path))
        beside = os.listdir(above) if os.path.isdir(above) else []
        return f"{path} does not exist{did_you_mean(os.path.basename(path), beside)}"
    if os.path.realpath(path) == "/":
        return "/ cannot be shown as a whole; name the folders that are needed"
    real = os.path.realpath(path)
    if real in MADE or any(is_below(real, folder) for folder in ("/dev", "/proc")):
        return f"{path} cannot be shown: the sandbox has a {path.split('/')[1]} of its own"
    return ""


class SandboxError(WrongUse):
    """The sandbox was demanded and cannot be had; str() says why."""


def _bwrap() -> str:
    """Where bubblewrap is; empty if it is not installed."""
    from shutil import which

    return which("bwrap") or ""


def is_own(program: str) -> bool:
    """Whether a program is one of this project's own, which need all of it; a link to one is not.

    Who has made the link would get our answers for theirs.
    """
    from harness.shipped import own_programs

    own = own_programs()
    return os.path.dirname(os.path.abspath(program)) in (own, os.path.realpath(own))


class Place(NamedTuple):
    """Where commands are run: how it is entered, and what they find in their environment.

    problem: why a command cannot be run there at all.
    """

    entered_by: tuple[str, ...]
    environment: dict[str, str]
    problem: str = ""


class Sandbox:
    """How to start programs so that they are shut in by bubblewrap; the same for all cases of a run."""

    rung = "bubblewrap"
    shares_processes = False  # whether a user's limit of processes is one for all programs at a time

    def __init__(
        self,
        memory: int,
        show: "Sequence[str]" = (),
        hide: "Sequence[str]" = (),
        cases: "Sequence[str]" = (),
        names: "Names" = USUAL,
    ) -> None:
        """Show these folders besides the usual; never those that are hidden, nor the answers of cases.

        `memory` is what a program may use, files in it included.
        """
        self._show = [os.path.abspath(path) for path in show]
        self._hide = [os.path.realpath(path) for path in hide]
        self._cases = [os.path.realpath(path) for path in cases]
        self._names = names
        self._size = str(min(MOST_SCRATCH, memory // 2) // 2)
        self._views: dict[tuple[str, str, str], View] = {}
        self._linked: dict[str, Identity] | None = None  # files of cases that have other names, too

    def view(self, command: "Sequence[str]", home: str = "") -> View:
        """What a command sees. Its home, if none is said, is the folder of the program that it is about."""
        program = command[0] if home else subject(list(command))
        key = (command[0], program, home)
        known = self._views.get(key)
        if known is None:
            folder = home or home_of(program)
            tools = [] if is_below(command[0], folder) else [command[0]]
            tools += filter(is_installed, map(interpreter_of, dict.fromkeys((command[0], program))))
            known = self._views[key] = View(
                program,
                folder,
                tools,
                self._show,
                self._hidden(folder),
                self._answers(folder),
                is_own(program),
            )
        return known

    def _hidden(self, home: str) -> list[str]:
        home = os.path.realpath(home)
        folders = [folder for folder in self._cases if not is_below(home, folder)]
        return [*self._hide, *folders, *self._linked_cases(home)]

    def _linked_cases(self, home: str) -> "Iterator[str]":
        """Files in a home that are files of cases elsewhere, under another name."""
        if self._linked is None:
            self._linked = dict(found for folder in self._cases for found in linked_files(folder))
        secret = {file for path, file in self._linked.items() if not is_below(path, home)}
        if secret:
            yield from (path for path, file in linked_files(home) if file in secret)

    def _answers(self, home: str) -> "Iterator[str]":
        """The expected outputs in a home that is itself in a folder of cases."""
        from harness.fixtures.cases import find_cases

        home = os.path.realpath(home)
        for folder in self._cases:
            if is_below(home, folder) and os.path.isdir(home):
                yield from (case.expected for case in find_cases([home], self._names) if case.expected)

    def environment(self, view: View, scratch: str = SCRATCH) -> dict[str, str]:
        """What a program finds in its environment: a short list."""
        kept = {
            name: text for name, text in os.environ.items() if name in KEPT or name.startswith(KEPT_PREFIX)
        }
        own = {"HOME": scratch, "TMPDIR": scratch, "USER": "user", "LOGNAME": "user"}
        return {"PATH": view.search_path(), **kept, **own}

    def missed(self, command: "Sequence[str]", home: str, messages: "Iterable[str]") -> str:
        """A path that a program names in its messages, and that is there but not for it; or nothing."""
        view = self.view(command, home)
        for message in messages:
            for named in _named_in(message):
                try:
                    path = os.path.realpath(named.rstrip("."))
                except (OSError, ValueError):  # a link that may not be read; no path at all
                    continue
                if os.path.exists(path) and not view.shows(path):
                    return path
        return ""

    def place(self, command: "Sequence[str]", home: str = "") -> Place:
        """Where a command is run, and others like it, one after the other."""
        view = self.view(command, home)
        words = self._command(view.ours, view.arguments(), [], ["serve", SCRATCH], [str(SOCKET)], "none")
        return Place(tuple(words), self.environment(view), view.problem)

    def building(self, home: str, network: bool) -> Place:
        """Where a command is run in its home and may write to it, and may use the network."""
        view = self.builder_view(home, network)
        share = ["--share-net"] if network else []
        sockets = "namespace" if network else "local"
        words = self._command(
            view.ours, view.arguments(writable=True), share, ["serve", view.home], [str(SOCKET)], sockets
        )
        return Place(tuple(words), self.environment(view))

    def builder_view(self, home: str, network: bool) -> View:
        """What a command sees that builds what is in a folder."""
        return View(home, home, (), self._show, self._hide, (), False, network)

    def command(self, command: "Sequence[str]", home: str = "", port: int = 0) -> list[str]:
        """A command so that it runs shut in, in a sandbox that is used once.

        port: a TCP port that it may use; then it has this process's network, which must be one of its own.
        """
        view = self.view(command, home)
        share = ["--share-net"] if port else []
        sockets = "namespace" if port else "none"
        return self._command(view.ours, view.arguments(), share, ["exec", SCRATCH], command, sockets)

    @property
    def told(self) -> str:
        """What it holds, in a line for who reads the results."""
        return f"sandbox: {SHUT_IN}"

    def once(self, command: "Sequence[str]", port: int, home: str = "") -> Place:
        """How one command is run shut in, with a TCP port that it may use, and what it finds then."""
        view = self.view(command, home)
        return Place(tuple(self.command(command, home, port)), self.environment(view), view.problem)

    @property
    def on_disk(self) -> list[str]:
        """Folders on a disk that programs may write to besides their home; here all is in memory."""
        return []

    def built(self, home: str) -> None:
        """See that what was built can be run; here it can."""

    def keep_in(self, folder: str) -> None:
        """Keep all files of this process in a folder that others remove if it cannot: there are none."""

    def leave(self) -> None:
        """Leave no files of this process behind: there are none."""

    def why_not(self) -> str:
        """Why programs cannot be shut in so here, tried with one that does nothing; nothing if they can."""
        if not _bwrap():
            return "bwrap is not installed"
        return self.tried()

    def tried(self) -> str:
        """What goes wrong if a program that does nothing is shut in; nothing if that works."""
        import subprocess

        done = subprocess.run(
            self.command(["/bin/true"]), capture_output=True, text=True, check=False, env={}
        )
        self.leave()
        if not done.returncode:
            return ""
        said = done.stderr.strip().rpartition("\n")[2]
        return f"does not work here: {said or f'status {done.returncode}'}"

    def _command(
        self,
        ours: "Sequence[str]",
        view: "Sequence[str]",
        share: "Sequence[str]",
        how: "Sequence[str]",
        what: "Sequence[str]",
        sockets: str,
    ) -> list[str]:
        python = os.path.realpath(sys.executable)
        as_user = [python, "-I", "-S", os.path.join(HERE, "unprivileged.py"), str(len(ours)), *ours]
        words = [
            *(as_user if os.getuid() == 0 else ()),
            _bwrap(),
            "--unshare-all",
            *share,
            "--die-with-parent",
            "--new-session",
            "--as-pid-1",
        ]
        words += ["--uid", "1000", "--gid", "1000", "--hostname", "sandbox", "--cap-drop", "ALL"]
        words += [
            "--cap-add",
            "CAP_SYS_ADMIN",
            "--cap-add",
            "CAP_SYS_RESOURCE",
        ]  # given up before the first case
        words += [*view, "--proc", "/proc", "--dir", "/dev/shm", "--dir", "/tmp", "--chdir", "/", "--"]  # noqa: S108
        mode, folder = how
        code = seccomp.program(sockets).hex() if seccomp.known() else ""
        words += [
            python,
            "-I",
            "-S",
            "-c",
            _warden(),
            mode,
            code,
            str(most_processes_inside()),
            self._size,
            folder,
        ]
        return [*words, *what]


def _warden() -> str:
    """The text of the program that runs inside."""
    with open(os.path.join(HERE, "warden.py")) as file:
        return file.read()
