"""The filter of system calls: what usual programs do goes on, what only an attacker does is refused."""

import errno
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from harness.running import seccomp

UNDER = "import sys; from harness.running.seccomp import enter; enter(sys.argv[1], False); "
RUN = UNDER + "import os; os.execvp(sys.argv[2], sys.argv[2:])"
# A hostile program: one system call, of which it tells the error.
CALL = (
    UNDER
    + "import ctypes; libc = ctypes.CDLL(None, use_errno=True); "
    + "status = libc.syscall(*map(ctypes.c_long, map(int, sys.argv[2:]))); "
    + "print(status, ctypes.get_errno())"
)
COLUMN, _ = seccomp.ARCHITECTURES[os.uname().machine]
PLAIN = [
    (name, numbers[COLUMN], error)
    for table in (seccomp.REFUSED, seccomp.MARKING)
    for error, calls in table.items()
    for name, numbers in calls.items()
    if numbers[COLUMN] >= 0
]


def run_under(*words: str, sockets: str = "namespace", given: str = "") -> str:
    command = [sys.executable, "-c", RUN, sockets, *words]
    finished = subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=60)
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def error_of(name: str, *arguments: int, sockets: str = "namespace") -> int:
    """With which error a call fails under the filter; 0 if it succeeds or seems to."""
    number = {**seccomp.CHECKED, **{call: row[call] for row in seccomp.REFUSED.values() for call in row}}[
        name
    ]
    words = [str(word) for word in (number[COLUMN], *arguments)]
    command = [sys.executable, "-c", CALL, sockets, *words]
    finished = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    status, error = map(int, finished.stdout.split())
    return error if status < 0 else 0


def test_a_python_program_with_threads_processes_and_files_runs(tmp_path: Path) -> None:
    source = """
import concurrent.futures, fcntl, multiprocessing, resource, subprocess, sys, tempfile
with concurrent.futures.ThreadPoolExecutor() as pool:
    doubled = list(pool.map(lambda number: number * 2, range(3)))
with multiprocessing.get_context("fork").Pool(2) as pool:  # forkserver needs a socket
    squared = pool.map(abs, [-1, -2])
with tempfile.TemporaryFile() as file:
    fcntl.flock(file, fcntl.LOCK_EX)
    fcntl.lockf(file, fcntl.LOCK_EX)
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
echoed = subprocess.run(["cat"], input=sys.stdin.read(), capture_output=True, text=True).stdout
print(doubled, squared, echoed)
"""
    (tmp_path / "program.py").write_text(source)
    for sockets in seccomp.SOCKETS:
        told = run_under(sys.executable, str(tmp_path / "program.py"), sockets=sockets, given="[1]")
        assert told == "[0, 2, 4] [1, 2] [1]\n"


def test_shells_and_other_interpreters_run(tmp_path: Path) -> None:
    assert run_under("sh", "-c", "tr a b | sort | head -n 1", given="ca\n") == "cb\n"
    others = {
        "perl": ["perl", "-e", "print lc <STDIN>"],
        "node": ["node", "-e", "process.stdin.on('data', d => console.log(String(d).toLowerCase().trim()))"],
        "bash": ["bash", "-c", "read -r line; echo ${line,,}"],
    }
    for name, command in others.items():
        if shutil.which(name):
            assert run_under(*command, sockets="none", given="ABC\n").strip() == "abc", name


@pytest.mark.long
def test_java_runs(tmp_path: Path) -> None:
    if shutil.which("javac"):
        source = "class Main { public static void main(String[] a) { System.out.print(6 * 7); } }"
        (tmp_path / "Main.java").write_text(source)
        assert run_under("java", str(tmp_path / "Main.java"), sockets="none") == "42"


def test_each_refused_call_fails_as_the_table_says() -> None:
    source = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
for number in map(int, sys.argv[2:]):
    ctypes.set_errno(0)
    status = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
    print(status, ctypes.get_errno())
"""
    numbers = [str(number) for _, number, _ in PLAIN]
    command = [sys.executable, "-c", UNDER + source, "none", *numbers]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.splitlines()
    for (name, _, error), line in zip(PLAIN, told, strict=True):
        assert line == (f"-1 {error}" if error else "0 0"), name


@pytest.mark.parametrize(
    ("call", "arguments", "error"),
    [
        ("clone", (0x10000000 | 17, 0, 0, 0, 0), errno.EPERM),  # a user namespace
        ("clone", (0x40000000 | 17, 0, 0, 0, 0), errno.EPERM),  # a network namespace
        ("fcntl", (0, 1026, 0), errno.EPERM),  # told of changes in a folder
        ("fcntl", (0, 1024, 0), errno.EPERM),  # a lease
        ("fcntl", (0, (1 << 32) | 1024, 0), errno.EPERM),  # and with bits that the kernel does not read
        ("fcntl", (0, 1, 0), 0),
        ("fcntl", (0, 6, 0), 0),  # a lock, in appearance
        ("ioctl", (0, 0x5412, 0), errno.EPERM),  # typing into the terminal
        ("ioctl", (0, (1 << 32) | 0x5412, 0), errno.EPERM),
        ("ioctl", (0, 0x541C, 0), errno.EPERM),
        ("ioctl", (0, 0x40086602, 0), errno.ENOTTY),  # flags of a file
        ("ioctl", (0, 0x40086604, 0), errno.ENOTTY),  # its version, on ext4
        ("personality", (0x0040000,), errno.EPERM),
        ("personality", (0xFFFFFFFF,), 0),
        ("prlimit64", (1, 7, 0, 0), errno.EPERM),  # somebody else's limits
        ("prlimit64", (0, 7, 0, 0), 0),
        ("setpriority", (0, 1, 19), errno.EPERM),
        ("setpriority", (2, 0, 19), errno.EPERM),  # of all of the user's processes
        ("setpriority", (0, 0, 19), 0),
        ("socket", (1, 1, 0), 0),
        ("socket", (2, 2, 0), 0),
        ("socket", (16, 3, 0), errno.EAFNOSUPPORT),  # netlink
        ("socket", (17, 3, 0), errno.EAFNOSUPPORT),  # packet
        ("socket", (38, 5, 0), errno.EAFNOSUPPORT),  # alg
        ("socket", (40, 1, 0), errno.EAFNOSUPPORT),  # vsock
    ],
)
def test_arguments_are_looked_at(call: str, arguments: tuple[int, ...], error: int) -> None:
    assert error_of(call, *arguments) == error


@pytest.mark.parametrize(
    ("sockets", "arguments", "error"),
    [
        ("none", (1, 1, 0), errno.EAFNOSUPPORT),
        ("none", (2, 1, 0), errno.EAFNOSUPPORT),
        ("tcp", (1, 1, 0), errno.EAFNOSUPPORT),
        ("tcp", (2, 1, 0), 0),
        ("tcp", (10, 0o2000000 | 1, 6), 0),  # with close-on-exec
        ("tcp", (2, 2, 0), errno.EACCES),  # UDP
        ("tcp", (2, 1, 262), errno.EACCES),  # MPTCP, which Landlock does not bound
    ],
)
def test_where_there_is_no_namespace_fewer_sockets_can_be_had(
    sockets: str, arguments: tuple[int, ...], error: int
) -> None:
    assert error_of("socket", *arguments, sockets=sockets) == error


def test_no_pair_of_sockets_can_be_turned_elsewhere() -> None:
    source = "import socket as s; s.socketpair(); s.socketpair(s.AF_UNIX, s.SOCK_DGRAM)"
    command = [sys.executable, "-c", UNDER + source, "none"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert "PermissionError" in finished.stderr.splitlines()[-1]


def test_nothing_is_sent_with_a_connection_that_was_not_asked_for() -> None:
    source = (
        "import socket as s; one = s.socket(); "
        "one.sendto(b'x', 0x20000000, ('127.0.0.1', 9))"  # MSG_FASTOPEN
    )
    finished = subprocess.run(
        [sys.executable, "-c", UNDER + source, "tcp"], capture_output=True, text=True, check=False, timeout=60
    )
    assert "Operation not permitted" in finished.stderr.splitlines()[-1]


def test_a_later_call_and_one_of_another_kind_of_machine_are_not_there() -> None:
    for number in (seccomp.NEWEST + 1, 0x40000000 | 39):  # the second is getpid of x32
        command = [sys.executable, "-c", CALL, "namespace", str(number)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
        assert told == f"-1 {errno.ENOSYS}\n"


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
@pytest.mark.parametrize("sockets", seccomp.SOCKETS)
def test_every_filter_is_well_formed(machine: str, sockets: str) -> None:
    code = list(struct.iter_unpack("=HBBI", seccomp.program(sockets, False, machine)))
    assert len(code) < 4096
    for at, (kind, if_true, if_false, _) in enumerate(code):
        assert at + 1 + max(if_true, if_false) < len(code) or kind == 0x06
    assert code[-1] == (0x06, 0, 0, 0x7FFF0000)


@pytest.mark.needs("sandbox")
def test_bubblewrap_takes_it(tmp_path: Path) -> None:
    (tmp_path / "filter").write_bytes(seccomp.program())
    with open(tmp_path / "filter", "rb") as file:
        number = file.fileno()
        command = [
            "bwrap",
            "--ro-bind",
            "/",
            "/",
            "--unshare-pid",
            "--seccomp",
            str(number),
            "ipcmk",
            "-M",
            "1",
        ]
        finished = subprocess.run(command, capture_output=True, text=True, check=False, pass_fds=[number])
    assert "not permitted" in finished.stderr
