"""The process inside a sandbox that starts programs in it, one after the other; its process 1.

It sees nothing of this harness, so it is given to the interpreter as text (`python -I -S -c`) and needs the
standard library only. First it finishes the sandbox: folders to write to, made-up users, no further
namespaces, a filter of system calls. Then, as `serve`, it takes commands from a socket, each with the
program's standard descriptors, and reports how each ended; or, as `exec`, it starts the one program of a
sandbox that is used once, and ends as that does. Programs neither see nor reach it.

Between two programs it kills whoever is left, and puts everything back that one of them could have left a
message in: files, the next process number. If it cannot, it says that it is worn out and ends.
"""

import _socket
import marshal
import os
import resource
import signal
import sys

SCRATCH = "/tmp/scratch"  # noqa: S108
WRITABLE = {"/tmp": "1777", "/dev/shm": "1777"}  # noqa: S108
ASIDE = "/.shown"  # where what is shown in the folders above waits
READY, WORN = b"ready", b"worn"  # what it says besides reports
OUTSIDE = b"outside"  # READY, where what it starts is in no namespace that ends with it
USERS = {
    "/etc/passwd": "root:x:0:0:root:/:/bin/sh\nuser:x:1000:1000:user:/tmp/scratch:/bin/sh\n",
    "/etc/group": "root:x:0:\nuser:x:1000:\n",
}
NAMESPACES = ("cgroup", "ipc", "mnt", "net", "pid", "time", "user", "uts")
DEFAULT_SIGNALS = [signal.SIGPIPE, signal.SIGINT, signal.SIGXFSZ]
PIECE = 1 << 16
RLIMITS = range(16)
FAR = 1 << 33  # a time to come: where the last look lies there, another one leaves no trace

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND, MS_REC = 1, 2, 4, 8, 32, 4096, 16384
MNT_DETACH = 2
PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT = 4, 22, 38, 47
SECCOMP_MODE_FILTER, PR_CAP_AMBIENT_CLEAR_ALL = 2, 4
CAP_SYS_ADMIN, CAP_VERSION = 21, 0x20080522


def main() -> None:
    """Finish the sandbox, and start what is to run in it.

    The arguments: serve or exec; the filter, in hexadecimal; how many processes there may be; how many bytes
    each folder may hold; the folder to start in; the socket's descriptor, or the words of the command.
    """
    mode, code, processes, size, folder, *words = sys.argv[1:]
    keep_descriptors(int(words[0]) if mode == "serve" else 2)
    sandbox = Inside(size, folder)
    sandbox.finish(int(processes), bytes.fromhex(code), mode == "serve")
    if mode == "serve":
        sandbox.serve(_socket.socket(fileno=int(words[0])))
    else:
        run_only(words)


def run_only(command: "list[str]") -> None:
    """Run the only command of this sandbox, and end as it does: with its status, or 128 and its signal."""
    try:
        pid = os.posix_spawnp(
            command[0], command, os.environ, setsid=True, setsigmask=(), setsigdef=DEFAULT_SIGNALS
        )
    except OSError as problem:
        sys.exit(f"{command[0]}: {problem.strerror}")
    for descriptor in range(3):  # whoever reads from it is to see when it has closed them
        os.close(descriptor)
    report = [0, 0, 0.0, 0]
    while reap(report) != pid:
        pass
    status = os.waitstatus_to_exitcode(int(report[1]))
    os._exit(status if status >= 0 else 128 - status)


def limit_processes(most: int) -> None:
    """Let the user of this process have no more processes than these, or than before."""
    _, hard = resource.getrlimit(resource.RLIMIT_NPROC)
    most = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(resource.RLIMIT_NPROC, (most, most))


def keep_descriptors(socket: int) -> None:
    """Have no descriptors but the standard ones and a socket, and hand that on to nobody."""
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in (0, 1, 2, socket):
            try:
                os.close(int(name))
            except OSError:  # it was there to list them
                continue
    if socket > 2:
        os.set_inheritable(socket, False)


def call(name: str, *arguments: "object") -> None:
    """Call a function of the C library. Raises OSError if that fails."""
    import ctypes

    if getattr(ctypes.CDLL(None, use_errno=True), name)(*arguments):
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number), name)


def mount(what: str, place: str, flags: int, options: str) -> None:
    """Mount a file system that needs no device, or change how it is mounted."""
    kind = what.encode()
    call("mount", kind, place.encode(), kind, flags, options.encode())


class Inside:
    """The sandbox as its process 1 sees it."""

    ready = READY

    def __init__(self, size: str, folder: str) -> None:
        self._size = size
        self._folder = folder
        self._last_pid = -1
        self._state: list[tuple[int, ...]] = []
        self._own: list[object] = []

    def finish(self, processes: int, code: bytes, serves: bool) -> None:
        """Put everything in force that programs are to find, from the files to the filter."""
        for file, text in USERS.items():
            with open(file, "w") as made:
                made.write(text)
        flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV
        call("mount", None, b"/", None, flags, None)  # first, since what is put into /tmp is as it is here
        for device in os.listdir("/dev"):
            _keep_times(f"/dev/{device}")
        self._mount_writable()
        self._make_old()
        # Process 1 is invisible: what it has reaped would tell what earlier programs have used.
        mount("proc", "/proc", MS_REMOUNT | MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2")
        for kind in NAMESPACES:
            _write_if_there(f"/proc/sys/user/max_{kind}_namespaces", "0")
        limit_processes(processes)
        os.chdir(self._folder)
        if serves:
            try:
                self._last_pid = os.open("/proc/sys/kernel/ns_last_pid", os.O_WRONLY | os.O_CLOEXEC)
            except OSError:  # a kernel that does not know it: this will be worn out at once
                pass
        _keep_capabilities(1 << CAP_SYS_ADMIN if serves else 0)
        call("prctl", PR_SET_DUMPABLE, 0, 0, 0, 0)
        if code:
            _filter(code)

    def _mount_writable(self) -> None:
        for place, mode in WRITABLE.items():
            mount("tmpfs", place, MS_NOSUID | MS_NODEV, f"size={self._size},nr_inodes=65536,mode={mode}")
            for name in sorted(os.listdir(ASIDE + place)) if os.path.isdir(ASIDE + place) else ():
                _put(f"{ASIDE}{place}/{name}", f"{place}/{name}")
        os.mkdir(SCRATCH, 0o700)

    def _make_old(self) -> None:
        """Let the folders be of the same age for each program, whether they were made anew for it or not."""
        for place in (*WRITABLE, SCRATCH):
            os.utime(place, (FAR, 0))
        self._state = self._now()

    def _now(self) -> list[tuple[int, ...]]:
        """What the folders that can be written to are like; all of it changes if anything is done in them."""
        return state_of([*WRITABLE, SCRATCH])

    def serve(self, socket: "_socket.socket") -> None:
        """Start what is asked for, until nobody asks any more, or this is worn out."""
        self._own = own_settings()
        socket.sendall(self.ready)
        while True:
            asked = _receive(socket)
            if asked is None:
                return
            (command, environment), descriptors = asked
            report = _run(command, environment, descriptors)
            is_clean = self._kill_all(report)
            try:
                socket.sendall(marshal.dumps(tuple(report)))
                if not (is_clean and self._is_restored()):
                    socket.sendall(WORN)
                    return
            except OSError:  # nobody listens any more
                return

    def _is_restored(self) -> bool:
        """Make it as if nothing had been run here; whether that is so."""
        try:
            if self._now() != self._state:
                os.chdir("/")
                for place in WRITABLE:
                    call("umount2", place.encode(), MNT_DETACH)
                self._mount_writable()
                os.chdir(self._folder)
            self._make_old()
            os.pwrite(self._last_pid, b"1", 0)
        except OSError:
            return False
        return own_settings() == self._own

    def _kill_all(self, report: "list[float]") -> bool:
        """Kill and reap everybody else in the sandbox; whether there is nobody left."""
        status = report[1]
        try:
            while True:
                os.kill(-1, signal.SIGKILL)  # misses nobody: who is about to be born is not
                reap(report)
        except ProcessLookupError:
            return True
        except ChildProcessError:
            return False
        finally:
            report[1] = status


def state_of(folders: "list[str]") -> "list[tuple[int, ...]]":
    """What folders are like; nothing if one is not there any more."""
    found: list[tuple[int, ...]] = []
    for folder in folders:
        try:
            one = os.lstat(folder)
        except OSError:
            return []
        found.append(
            (one.st_ino, one.st_mode, one.st_nlink, one.st_atime_ns, one.st_mtime_ns, one.st_ctime_ns)
        )
    return found


def _keep_times(device: str) -> None:
    """Let nobody set the times of a device, which others see; it can be written to as before."""
    if os.path.ismount(device):
        flags = os.statvfs(device).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
        call("mount", None, device.encode(), None, MS_REMOUNT | MS_BIND | MS_RDONLY | flags, None)


def _put(source: str, place: str) -> None:
    """Show what is at one path at another."""
    if os.path.islink(source):
        os.symlink(os.readlink(source), place)
        return
    if os.path.isdir(source):
        os.mkdir(place)
    else:
        os.close(os.open(place, os.O_CREAT | os.O_WRONLY))
    call("mount", source.encode(), place.encode(), None, MS_BIND | MS_REC, None)


def _run(command: "list[str]", environment: "dict[str, str]", descriptors: "list[int]") -> "list[float]":
    """Run a command to its end: why it could not start (or 0), its status, time, and memory in kilobytes."""
    report = [0, 0, 0.0, 0]
    try:
        pid = os.posix_spawn(
            command[0],
            command,
            environment,
            file_actions=[(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in enumerate(descriptors)],
            setsid=True,
            setsigmask=(),
            setsigdef=DEFAULT_SIGNALS,
        )
    except OSError as problem:
        report[0] = problem.errno or -1
        return report
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
    while reap(report) != pid:
        pass
    return report


def reap(report: "list[float]") -> int:
    """Wait until somebody ends, and add what that used; who it was."""
    pid, status, used = os.wait4(-1, 0)
    report[1] = status
    report[2] += used.ru_utime + used.ru_stime
    report[3] = max(report[3], used.ru_maxrss)
    return pid


def _receive(socket: "_socket.socket") -> "tuple[tuple[list[str], dict[str, str]], list[int]] | None":
    """The next command with its environment and descriptors; None if there will be none."""
    data, ancillary, _, _ = socket.recvmsg(PIECE, _socket.CMSG_SPACE(12), _socket.MSG_CMSG_CLOEXEC)
    if not data:
        return None
    descriptors = [
        int.from_bytes(found[at : at + 4], sys.byteorder)
        for _, _, found in ancillary
        for at in range(0, len(found), 4)
    ]
    wanted = 4 + int.from_bytes(data[:4], "big")
    while len(data) < wanted:
        piece = socket.recv(PIECE)
        if not piece:
            return None
        data += piece
    return marshal.loads(data[4:]), descriptors  # noqa: S302 (from the harness)


def own_settings() -> "list[object]":
    """What this process hands on to whoever it starts, and what others could have changed."""
    limits: list[object] = [resource.getrlimit(number) for number in RLIMITS]
    priorities = (os.getpriority(os.PRIO_PROCESS, 0), os.sched_getscheduler(0), os.sched_getaffinity(0))
    return [*limits, *priorities]


def _keep_capabilities(kept: int) -> None:
    """Give up all rights but these, and hand on none."""
    import ctypes

    call("prctl", PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = (ctypes.c_uint32 * 2)(CAP_VERSION, 0)
    call("capset", header, (ctypes.c_uint32 * 6)(kept, kept, 0, 0, 0, 0))


def _filter(code: bytes) -> None:
    """Put this process, and all that it will start, under a filter of system calls."""
    import ctypes

    class Program(ctypes.Structure):
        _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_void_p))

    held = ctypes.create_string_buffer(code, len(code))
    program = Program(len(code) // 8, ctypes.addressof(held))
    call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0)


def _write_if_there(file: str, text: str) -> None:
    if os.path.exists(file):
        with open(file, "w") as opened:
            opened.write(text)


if __name__ == "__main__":
    main()
