"""The sandbox round programs where namespaces are forbidden: Landlock, and a filter of system calls.

Programs see the same as in bubblewrap, but in the same file system as everybody, under the same paths, and
with a scratch folder on a disk. What that does not hold is said by `landlock.not_held`.
"""

import os
import stat
import sys
from collections.abc import Sequence
from itertools import count

from harness.running import landlock, seccomp
from harness.running.landlock_warden import Terms, entered_by
from harness.running.limits import most_processes
from harness.running.sandbox import SHUT_IN, SOCKET, Place, Sandbox, is_own
from harness.running.scratch import make_folder, remove_folder
from harness.running.view import View

READABLE = ("/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu")  # what runtimes look at
WHOLE_NETWORK = -1  # as a port


class LandlockSandbox(Sandbox):
    """How to start programs so that they are shut in by Landlock."""

    rung = "landlock"
    shares_processes = True
    listed: tuple[str, ...] = ()  # folders in which names are read to find what is shown there
    _folder, _owner = "", 0  # where the scratch folders of a process are, and its number
    _above = ""  # where that folder is

    def place(self, command: "Sequence[str]", home: str = "") -> Place:
        """Where a command is run, and others like it, one after the other."""
        view = self.view(command, home)
        return self._served(view, self._terms(view), view.problem)

    def building(self, home: str, network: bool) -> Place:
        """Where a command is run in its home and may write to it, and may use the network."""
        view = self.builder_view(home, network)
        port = WHOLE_NETWORK if network else 0
        return self._served(view, self._terms(view)._replace(folder=view.home, building=True, port=port))

    def command(self, command: "Sequence[str]", home: str = "", port: int = 0) -> list[str]:
        """A command so that it runs shut in, in a sandbox that is used once. port: the one it may use."""
        return entered_by(self._terms(self.view(command, home))._replace(port=port), "exec", *command)

    @property
    def on_disk(self) -> list[str]:
        """Folders on a disk that programs may write to besides their home: the scratch folders."""
        return [self._folder] if self._folder else []

    def built(self, home: str) -> None:
        """See that what was built can be run: for root, one user has built it, and another will run it."""
        for _, folders, files, place in os.fwalk(home) if os.getuid() == 0 else ():
            for name in (".", *folders, *files):
                os.chown(name, 0, 0, dir_fd=place, follow_symlinks=False)
                mode = os.stat(name, dir_fd=place, follow_symlinks=False).st_mode
                if not stat.S_ISLNK(mode):
                    os.chmod(name, mode & 0o700 | (mode & 0o500) >> 3 | (mode & 0o500) >> 6, dir_fd=place)

    def once(self, command: "Sequence[str]", port: int, home: str = "") -> Place:
        """How one command is run shut in, with a TCP port that it may use, and what it finds then."""
        view = self.view(command, home)
        terms = self._terms(view)._replace(port=port)
        words = entered_by(terms, "exec", *command)
        return Place(tuple(words), self.environment(view, terms.scratch), view.problem)

    def why_not(self) -> str:
        """Why programs cannot be shut in so here, tried with one that does nothing; nothing if they can."""
        if not seccomp.known():
            return f"the system calls of {os.uname().machine} are not known"
        return landlock.why_not() or self.tried()

    def keep_in(self, folder: str) -> None:
        """Keep all files of this process in a folder that others remove if this one cannot."""
        self._above = folder
        os.chmod(folder, 0o711)  # noqa: S103 (a program's user may only pass)

    def leave(self) -> None:
        """Leave no files of this process behind."""
        if self._owner == os.getpid():
            remove_folder(self._folder)
            self._owner = 0

    @property
    def told(self) -> str:
        """What it holds and what not, in a line for who reads the results."""
        still = ", ".join(landlock.not_held(os.getuid() == 0))
        return f"sandbox (Landlock): {SHUT_IN}; but a program can {still}"

    def _served(self, view: View, terms: Terms, problem: str = "") -> Place:
        words = entered_by(terms, "serve", str(SOCKET))
        return Place(tuple(words), self.environment(view, terms.scratch), problem)

    def _terms(self, view: View) -> Terms:
        """What holds for programs that see this, each with a scratch folder of its own."""
        if self._owner != os.getpid():
            self._folder, self._owner = make_folder(self._above), os.getpid()
            os.chmod(self._folder, 0o711)  # noqa: S103 (a program's user may only pass)
            self._numbers = count()
        scratch = os.path.join(self._folder, str(next(self._numbers)))
        own = [sys.executable] if is_own(view.program) else []
        needed = [os.path.realpath(path) for path in (view.program, *view.tools, *own)]
        read, listed = [*view.readable(), *READABLE], list(dict.fromkeys((*view.listed(), *self.listed)))
        return Terms(read, listed, needed, scratch, scratch, most_processes())
