"""What a program under test may use, and how that is enforced from its first instruction.

A worker takes the limits upon itself before it starts anything, so whatever it starts is born
with them: resource limits, and a control group of its own for memory and processes where one can
be made. The worker also adopts every orphan of what it starts, so that nothing stays behind.
"""

import os
import resource
import signal
import sys
import time
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MOST_PROCESSES = 512  # and threads, of one case; the same for every command
MOST_FILE = 64 << 20  # bytes of any one file a program writes
WIDE = 1 << 40  # address space: honest runtimes reserve far more than they use
ROOM = 64 << 20  # what the worker itself needs in its control group
EVENTS = ("memory.oom_control", "memory.events")  # versions 1 and 2
CGROUPS = "/sys/fs/cgroup"
OWN_CGROUPS = "/proc/self/cgroup"

SELDOM = 5  # times as long as a look at many processes takes, before the next one
MOST_TIMED = 20  # processes that are asked for their time,
MOST_ASKED = 2 * MOST_PROCESSES  # and for their memory: all that there may be, lest one hides in a crowd
NOTHING = [b"0"] * 22
MOST_TRIES = 5  # to enter a control group that others remove
PATIENCE = 10.0  # seconds that killed children may take to be gone
# What a process holds: pages that are no file's, in memory and in swap, and the kernel's tables of its pages
HELD = (b"RssAnon:", b"RssShmem:", b"VmSwap:", b"VmPTE:")

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


class Limits:
    """The limits of one case."""

    __slots__ = ("memory", "output", "seconds")

    def __init__(self, seconds: float = 10.0, memory: int = 2048 << 20, output: int = 16384 << 10) -> None:
        self.seconds = seconds
        self.memory = memory
        self.output = output


def cores() -> int:
    """How many cases are run at once if nobody says it."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def adopt_orphans() -> bool:
    """Make this process the parent of its orphaned descendants; False where that cannot be."""
    if sys.platform != "linux":
        return False
    import ctypes

    return ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0  # type: ignore[no-any-return]


def interrupt_on_signals() -> None:
    """From now on what asks this process to end interrupts it, so that it cleans up, unless it is ignored."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _interrupt)


def end_with_parent(parent: int) -> None:
    """Be told to end when the process that has started this one does, however it does."""
    interrupt_on_signals()
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        raise KeyboardInterrupt


def _interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def limit_resources(limits: Limits, cgroup: "Cgroup", shut_in: bool) -> None:
    """Put limits on this process that its children inherit, where a control group does not.

    Who is shut in has a limit of processes of its own, which does not count those of others.
    """
    wanted = {resource.RLIMIT_CORE: 0, resource.RLIMIT_FSIZE: max(MOST_FILE, limits.output)}
    if not cgroup.memory and sys.platform == "linux":
        wanted[resource.RLIMIT_AS] = max(WIDE, 16 * limits.memory)
    if not cgroup.processes and os.getuid() != 0 and not shut_in:  # for root this limit does not count
        wanted[resource.RLIMIT_NPROC] = _own_threads() + MOST_PROCESSES
    for which, most in wanted.items():
        _, hard = resource.getrlimit(which)
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (limit, limit))


def most_processes() -> int:
    """The limit of processes where those of the same user outside count, too."""
    return MOST_PROCESSES + (_own_threads() if os.getuid() != 0 else 0)


def most_processes_inside() -> int:
    """The limit of processes that is put in force inside a sandbox.

    Before Linux 5.14 those of the same user outside count, too.
    """
    release = os.uname().release.split(".")
    is_old = [int("".join(filter(str.isdigit, part)) or 0) for part in release[:2]] < [5, 14]
    return MOST_PROCESSES + (_own_threads() if is_old and os.getuid() != 0 else 0)


class Crowd:
    """Whether this user has many more processes than before, so that others may have got none."""

    def __init__(self) -> None:
        self._before = _own_threads()
        self._is_there = False
        self._next = 0.0  # when they are counted again

    def is_there(self) -> bool:
        """Whether there are so many now, or a moment ago: counting takes a sixth of the time at most."""
        begun = time.monotonic()
        if begun >= self._next:
            self._is_there = _own_threads() > self._before + MOST_PROCESSES // 2
            now = time.monotonic()
            self._next = now + SELDOM * (now - begun)
        return self._is_there


def _own_threads() -> int:
    """How many threads this user has; they count as processes where these are limited."""
    uid = os.getuid()
    count = 0
    for pid, fields in _processes():
        try:
            if os.stat(f"/proc/{pid}").st_uid == uid:
                count += int(fields[17])
        except OSError:
            continue
    return count


def _processes() -> "Iterator[tuple[int, list[bytes]]]":
    """All processes, with their status."""
    try:
        names = os.listdir("/proc")
    except OSError:  # not Linux
        return
    for name in names:
        if name.isdigit() and (status := _status(int(name))):
            yield int(name), status


def _status(pid: int) -> list[bytes]:
    """The fields of a process's status from the third on (see proc(5)); none if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:
            return stat.read().rpartition(b")")[2].split()
    except OSError:
        return []


def memory_below(process: int) -> int:
    """The memory of the processes below one, in bytes."""
    used = 0
    below = [process]
    for parent in below:
        for pid in islice(children(parent), MOST_ASKED - len(below)):
            below.append(pid)
            used += _memory_of(pid)
    return used


def _memory_of(pid: int) -> int:
    """The memory of a process, in bytes; nothing if it has ended. If its first thread has, others know it."""
    try:
        held = _held(f"/proc/{pid}/status")
        threads = () if held else os.listdir(f"/proc/{pid}/task")
    except OSError:
        return 0
    for thread in threads:
        try:
            held = held or _held(f"/proc/{pid}/task/{thread}/status")
        except OSError:
            continue
    return held


def _held(status: str) -> int:
    with open(status, "rb") as lines:
        return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(HELD))


def time_below(process: int) -> float:
    """The processor time of the processes below one and of their dead, in seconds; of a crowd, some of it."""
    ticks = 0
    below = [process]
    for parent in below:
        for pid in islice(children(parent), MOST_TIMED - len(below)):
            below.append(pid)
            ticks += sum(map(int, (_status(pid) or NOTHING)[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def files_in_memory(process: int, folders: "Iterable[str]") -> int:
    """What lies in folders in memory that a process sees, in bytes, as far as that can be told."""
    used = 0
    for child in islice(children(process), 1):
        for folder in folders:
            try:
                found = os.statvfs(f"/proc/{child}/root{folder}")
            except OSError:
                continue
            used += (found.f_blocks - found.f_bfree) * found.f_frsize
    return used


def children(parent: int) -> set[int]:
    """The children of a process; ended ones that wait to be reaped too."""
    found: set[int] = set()
    try:
        for thread in os.listdir(f"/proc/{parent}/task"):
            with open(f"/proc/{parent}/task/{thread}/children", "rb") as pids:
                found.update(map(int, pids.read().split()))
    except OSError:
        if parent == os.getpid():  # a kernel that does not tell; of the others, one has ended
            return {pid for pid, fields in _processes() if int(fields[1]) == parent}
    return found


def kill(pid: int) -> None:
    """Kill a process, if it is there and may be killed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except OSError:
        pass


def end_children(spared: "Iterable[int]" = ()) -> None:
    """Kill and reap all children that are not spared, and, one after the other, whom they orphan."""
    give_up = time.monotonic() + PATIENCE
    while (left := children(os.getpid()).difference(spared)) and time.monotonic() < give_up:
        for pid in left:
            kill(pid)
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.0005)


class Cgroup:
    """A control group that bounds memory and processes of whoever joins it, where one can be made.

    Version 1 has one folder per controller, version 2 one for both; each is tried. What could not
    be made is simply not there: `memory` and `processes` say what is in force.
    """

    def __init__(self, name: str, limits: Limits) -> None:
        self._folders: list[str] = []
        self._files: dict[str, dict[str, str]] = {}  # what says the limits in each
        self._events = -1  # where a member reads what has happened
        most = str(limits.memory + ROOM)
        self.memory = self._make_v1(
            "memory", name, {"memory.limit_in_bytes": most}, {"memory.memsw.limit_in_bytes": most}
        )
        self.processes = self._make_v1("pids", name, {"pids.max": str(MOST_PROCESSES)}, {})
        if not self._folders:
            self._make_v2(name, most)

    def _make_v1(self, controller: str, name: str, files: dict[str, str], optional: dict[str, str]) -> bool:
        own = _own_cgroup(controller)
        return own is not None and self._make(f"{CGROUPS}/{controller}{own}/{name}", files, optional)

    def _make_v2(self, name: str, most: str) -> None:
        files = {"memory.max": most, "pids.max": str(MOST_PROCESSES)}
        for base in _bases_v2():
            try:
                _write(f"{base}/cgroup.subtree_control", "+memory +pids")
            except OSError:
                pass  # they may have been handed on already
            # Whether somebody may be moved there is only known when it is tried.
            if self._make(f"{base}/{name}", files, {"memory.swap.max": "0"}):
                if succeeds(self.join):
                    self.memory = self.processes = True
                    return
                self.remove()
                self._folders.clear()

    def _make(self, folder: str, files: dict[str, str], optional: dict[str, str]) -> bool:
        if os.path.isdir(folder):
            return False
        try:
            _enter(folder, files, "")  # may somebody be moved there?
        except OSError:
            _removed(folder)
            return False
        for file, text in optional.items():  # swap, which not every kernel counts
            try:
                _write(f"{folder}/{file}", text)
            except OSError:
                pass
        self._folders.append(folder)
        self._files[folder] = files
        return True

    def join(self) -> None:
        """Put this process, and all that it will start, under the group's limits."""
        for folder in self._folders:
            _enter(folder, self._files[folder], str(os.getpid()))
        self._events = self._open_events()

    def allow_forks(self, allowed: bool) -> None:
        """Whether the members may start more processes: who kills them all is faster if not."""
        for folder in self._folders[-1:] if self.processes else ():
            try:
                _write(f"{folder}/pids.max", str(MOST_PROCESSES if allowed else 0))
            except OSError:
                pass

    def out_of_memory(self) -> int:
        """How often a process of the group has been killed because there was no memory left."""
        events = self._open_events() if self._events < 0 else self._events
        if events < 0:
            return 0
        counts = os.pread(events, 4096, 0)
        if events != self._events:
            os.close(events)
        _, found, count = counts.partition(b"\noom_kill ")
        return int(count.split(None, 1)[0]) if found else 0

    def _open_events(self) -> int:
        """A descriptor to read the events from; -1 if there are none."""
        for path in (f"{folder}/{file}" for folder in self._folders for file in EVENTS):
            try:
                return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            except OSError:
                continue
        return -1

    def remove(self) -> None:
        """Remove the group; the processes in it must have ended."""
        give_up = time.monotonic() + 1
        for folder in self._folders:
            while not _removed(folder) and time.monotonic() < give_up:
                time.sleep(0.01)  # who was killed a moment ago may still count


def _enter(folder: str, files: dict[str, str], member: str) -> None:
    """Move a process into a group, which is made if it is not there; nobody is "".

    And again if it disappears meanwhile: who does not see our processes, because it has a namespace of its
    own for them, takes our groups for left behind while nobody is in them.
    """
    for left in reversed(range(MOST_TRIES)):
        try:
            if not os.path.isdir(folder):
                os.mkdir(folder)
                for file, text in files.items():
                    _write(f"{folder}/{file}", text)
            _write(f"{folder}/cgroup.procs", member)
            return
        except OSError:
            if not left or os.path.isdir(folder):
                raise


def _removed(folder: str) -> bool:
    try:
        os.rmdir(folder)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _write(path: str, text: str) -> None:
    """Write to a file that is there; nothing is made where there is no control group."""
    descriptor = os.open(path, os.O_WRONLY | os.O_TRUNC | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)


def child(action: "Callable[[], None]") -> int:
    """A child process that does this and ends, with status 0 if it can; its id."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            action()
            status = 0
        finally:
            os._exit(status)
    return pid


def succeeds(action: "Callable[[], None]") -> bool:
    """Whether a child process can do this."""
    return os.waitpid(child(action), 0)[1] == 0


def _own_cgroup(controller: str) -> "str | None":
    """This process's place in a version 1 hierarchy, or in version 2's if no controller is named."""
    if controller and not os.path.isdir(f"{CGROUPS}/{controller}"):
        return None
    try:
        with open(OWN_CGROUPS) as lines:
            for line in lines:
                _, controllers, path = line.rstrip("\n").split(":", 2)
                if controller in controllers.split(","):
                    return "" if path == "/" else path
    except OSError:
        pass
    return None


def _bases_v2() -> list[str]:
    """Where a group of version 2 may be made: below this process's own one, or beside it.

    A group with processes in it cannot hand controllers on, so the one above is tried as well.
    """
    own = _own_cgroup("")
    if own is None:
        return []
    return [f"{CGROUPS}{own}", os.path.dirname(f"{CGROUPS}{own}")] if own else [CGROUPS]


def remove_stale_cgroups() -> None:
    """Remove what an earlier run that was killed has left behind."""
    bases = [f"{CGROUPS}/{controller}{_own_cgroup(controller) or ''}" for controller in ("memory", "pids")]
    for base in (*bases, *_bases_v2()):
        try:
            names = os.listdir(base)
        except OSError:
            continue
        for name in names:
            kind, _, rest = name.partition("-")
            pid = rest.partition("-")[0]
            if kind == "harness" and pid.isdigit() and not os.path.exists(f"/proc/{pid}"):
                _removed(f"{base}/{name}")
