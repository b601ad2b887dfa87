"""The process that starts programs where namespaces are forbidden: shut in by Landlock, as they are.

It does what `harness.running.warden` does inside bubblewrap, and talks like it. All that it starts is in its
Landlock domain, out of which no signal leads; so when it kills everybody that it can, it kills these, and
misses none. Started by root, it becomes a user whom nobody else is, if that one can reach the program.
Whatever a program has left in its scratch folder wears this process out, and the next one makes a new folder.
"""

import _socket
import ctypes
import marshal
import os
import signal
import sys
from collections.abc import Sequence
from typing import NamedTuple

from harness.running import landlock, seccomp, warden
from harness.running.limits import adopt_orphans, succeeds
from harness.running.scratch import remove_folder

START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from harness.running.landlock_warden import main; main()"
)
FIRST_USER = 1_900_000_000  # and up, by the process's number: far above those that systems give to anybody
SCOPED = 6  # the version of Landlock from which on no signal leaves it
PR_SET_PDEATHSIG, PR_SET_DUMPABLE = 1, 4


class Terms(NamedTuple):
    """What holds for the programs: what they may read, where they write, which TCP port they may use.

    listed: folders of which they may see what is in them. needed: what a user must be able to reach.
    folder: where they begin. building: whether that is theirs to change, modes included. port: -1 for the
    whole network. processes: how many there may be.
    """

    read: "Sequence[str]"
    listed: "Sequence[str]"
    needed: "Sequence[str]"
    scratch: str
    folder: str
    processes: int
    building: bool = False
    port: int = 0


def entered_by(terms: Terms, mode: str, *words: str) -> list[str]:
    """The command that starts this process: to serve at a descriptor, or to become a command ("exec")."""
    above = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return [sys.executable, "-I", "-S", "-c", START, above, mode, marshal.dumps(_plain(terms)).hex(), *words]


def _plain(terms: Terms) -> "list[str | int | list[str]]":
    return [one if isinstance(one, (str, int)) else list(one) for one in terms]


def main() -> None:
    """Shut this process in, and start what is to run so."""
    mode, described, *words = sys.argv[2:]
    terms = Terms(*marshal.loads(bytes.fromhex(described)))  # noqa: S302 (from ourselves)
    warden.keep_descriptors(int(words[0]) if mode == "serve" else 2)
    has_user = shut_in(terms)
    if mode == "serve":
        own = Restricted(terms.folder, has_user or landlock.version() >= SCOPED)
        own.serve_at(int(words[0]))
    else:
        for number in warden.DEFAULT_SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        os.execvp(words[0], words)  # noqa: S606 (this is what it is for)


def shut_in(terms: Terms) -> bool:
    """Put everything in force that programs are to find; whether they have a user of their own."""
    adopt_orphans()
    remove_folder(terms.scratch)
    os.mkdir(terms.scratch, 0o700)
    write = (terms.scratch, *([terms.folder] if terms.building else ()))
    rules = landlock.ruleset(landlock.Allowed(tuple(terms.read), write, terms.port, tuple(terms.listed)))
    user = FIRST_USER + os.getpid()
    has_user = os.getuid() == 0 and _can_reach(user, terms.needed, [*write, terms.folder])
    if has_user:
        for folder in write:
            _give(folder, user)
        _become(user)
    os.umask(0o077)
    warden.limit_processes(terms.processes)
    os.chdir(terms.folder)
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_PDEATHSIG, signal.SIGUSR1, 0, 0, 0)
    landlock.restrict(rules)
    os.close(rules)
    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    sockets = "namespace" if terms.port < 0 else "tcp" if terms.port else "none"
    seccomp.enter(sockets, marking=terms.building)
    return has_user


def _become(user: int) -> None:
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def _can_reach(user: int, readable: "Sequence[str]", there: "Sequence[str]") -> bool:
    """Whether a user without any rights can read these paths, and gets at those; tried by one."""

    def reach() -> None:
        _become(user)
        for path in there:
            os.stat(path)
        for path in readable:
            if not os.access(path, os.R_OK):
                raise PermissionError(path)

    return succeeds(reach)


def _give(folder: str, user: int) -> None:
    """Let a folder, with all that is in it, be a user's."""
    for _, folders, files, place in os.fwalk(folder):
        os.fchown(place, user, user)
        for name in (*folders, *files):
            os.chown(name, user, user, dir_fd=place, follow_symlinks=False)


class Restricted(warden.Inside):
    """The programs' surroundings, as the process sees them that starts them."""

    ready = warden.OUTSIDE

    def __init__(self, scratch: str, kills: bool) -> None:
        """kills: whether everybody whom this process can kill is one of those that it has started."""
        super().__init__("0", scratch)
        self._kills = kills
        os.listdir(scratch)  # a first look would be seen by the next: it changes the time of the last one
        self._state = self._now()

    def serve_at(self, descriptor: int) -> None:
        """Start what is asked for at this socket."""
        signal.signal(signal.SIGUSR1, self._end)  # the worker has died
        self.serve(_socket.socket(fileno=descriptor))

    def _end(self, number: int, frame: object) -> None:
        if self._kills:
            os.kill(-1, signal.SIGKILL)
        os._exit(1)

    def _now(self) -> list[tuple[int, ...]]:
        return warden.state_of([self._folder])

    def _is_restored(self) -> bool:
        return self._now() == self._state and warden.own_settings() == self._own

    def _kill_all(self, report: "list[float]") -> bool:
        """Kill and reap everybody; whether there is nobody left. Whom it may not kill, others will."""
        status = report[1]
        try:
            while True:
                if self._kills:
                    os.kill(-1, signal.SIGKILL)
                elif not os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                    return False
                warden.reap(report)
        except (ChildProcessError, ProcessLookupError):
            return True
        finally:
            report[1] = status
