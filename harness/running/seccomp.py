"""A filter of system calls for programs under test: what no program of this kind needs is refused.

The kernel runs the filter (a short program of its own, "BPF") before each system call. It is made of
tables: calls that are refused, and calls of which some arguments are. `program` gives it as bytes, for
`bwrap --seccomp`; `enter` puts this process, and all that it will start, under it.

What it is for: no memory and no messages that outlive a program or are not counted as its own (System V,
memfd, queues, keys), no looking into other processes, no namespaces, mounts or watches, and a kernel that
shows less of itself to an attacker. A file lock succeeds and locks nothing, so that no program can be
stopped by another's lock, or told something by it.
"""

import errno
import os
import struct
from collections.abc import Iterable, Sequence
from typing import NamedTuple

ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column below, number of the kernel
NEWEST = 469  # the last call that was looked at: later ones (and those of x32) are "not there"
SILENTLY = 0  # as an error: the call is not made, and seems to have succeeded

# What is refused: the error, and each call with its number on x86_64 and on aarch64 (-1: not there).
REFUSED: dict[int, dict[str, tuple[int, int]]] = {
    errno.ENOSYS: {  # programs take these for calls that an older kernel lacks, and do without
        "memfd_create": (319, 279),
        "memfd_secret": (447, 447),
        "openat2": (437, 437),  # the same; they use openat
        "clone3": (435, 435),  # its arguments are out of a filter's reach; libraries then use clone
        "io_uring_setup": (425, 425),
        "io_uring_enter": (426, 426),
        "io_uring_register": (427, 427),
        "io_setup": (206, 0),
        "cachestat": (451, 451),
        "statx": (332, 291),  # would tell when a folder was made; libraries then use older calls
        "statmount": (457, 457),
        "listmount": (458, 458),
        "vmsplice": (278, 75),
    },
    errno.EPERM: {
        # Shared memory, semaphores and messages of System V; message queues of POSIX
        "shmget": (29, 194),
        "shmat": (30, 196),
        "shmctl": (31, 195),
        "semget": (64, 190),
        "semop": (65, 193),
        "semtimedop": (220, 192),
        "semctl": (66, 191),
        "msgget": (68, 186),
        "msgsnd": (69, 189),
        "msgrcv": (70, 188),
        "msgctl": (71, 187),
        "mq_open": (240, 180),
        "mq_unlink": (241, 181),
        # Keys
        "add_key": (248, 217),
        "request_key": (249, 218),
        "keyctl": (250, 219),
        # Other processes
        "ptrace": (101, 117),
        "process_vm_readv": (310, 270),
        "process_vm_writev": (311, 271),
        "process_madvise": (440, 440),
        "process_mrelease": (448, 448),
        "pidfd_getfd": (438, 438),
        "kcmp": (312, 272),
        "move_pages": (279, 239),
        "migrate_pages": (256, 238),
        # Namespaces, mounts and other roots
        "unshare": (272, 97),
        "setns": (308, 268),
        "move_mount": (429, 429),
        "fsopen": (430, 430),
        "fsconfig": (431, 431),
        "fsmount": (432, 432),
        "fspick": (433, 433),
        "open_tree": (428, 428),
        "open_tree_attr": (467, 467),
        "mount_setattr": (442, 442),
        "pivot_root": (155, 41),
        "chroot": (161, 51),
        # Watching files, and files without their names
        "inotify_init": (253, -1),
        "inotify_init1": (294, 26),
        "fanotify_init": (300, 262),
        "name_to_handle_at": (303, 264),
        "open_by_handle_at": (304, 265),
        "lookup_dcookie": (212, 18),
        # The kernel's inner parts
        "bpf": (321, 280),
        "perf_event_open": (298, 241),
        "userfaultfd": (323, 282),
        "syslog": (103, 116),
        "init_module": (175, 105),
        "finit_module": (313, 273),
        "delete_module": (176, 106),
        "kexec_load": (246, 104),
        "kexec_file_load": (320, 294),
        "modify_ldt": (154, -1),
        "iopl": (172, -1),
        "ioperm": (173, -1),
        "uselib": (134, -1),
        "_sysctl": (156, -1),
        # What belongs to the whole machine
        "reboot": (169, 142),
        "swapon": (167, 224),
        "swapoff": (168, 225),
        "settimeofday": (164, 170),
        "clock_settime": (227, 112),
        "clock_adjtime": (305, 266),
        "adjtimex": (159, 171),
        "sethostname": (170, 161),
        "setdomainname": (171, 162),
        "quotactl": (179, 60),
        "quotactl_fd": (443, 443),
        "acct": (163, 89),
        "vhangup": (153, 58),
        "nfsservctl": (180, 42),
    },
    SILENTLY: {
        "flock": (73, 32),
        "sync": (162, 81),  # would write the whole machine's files to its disks
        "syncfs": (306, 267),
    },
}

# What changes modes, owners, times and attributes of files: Landlock lets everybody do that to all that is
# theirs. A copied file keeps its bytes then, and the copying goes on.
MARKING: dict[int, dict[str, tuple[int, int]]] = {
    SILENTLY: {
        "chmod": (90, -1),
        "fchmod": (91, 52),
        "fchmodat": (268, 53),
        "fchmodat2": (452, 452),
        "chown": (92, -1),
        "fchown": (93, 55),
        "lchown": (94, -1),
        "fchownat": (260, 54),
        "utime": (132, -1),
        "utimes": (235, -1),
        "futimesat": (261, -1),
        "utimensat": (280, 88),
    },
    errno.EOPNOTSUPP: {
        "setxattr": (188, 5),
        "lsetxattr": (189, 6),
        "fsetxattr": (190, 7),
        "setxattrat": (463, 463),
        "removexattr": (197, 14),
        "lremovexattr": (198, 15),
        "fremovexattr": (199, 16),
        "removexattrat": (466, 466),
        "file_setattr": (469, 469),
    },
}

# Calls of which some arguments are refused, with their numbers.
CHECKED = {
    "clone": (56, 220),
    "mount": (165, 40),
    "umount2": (166, 39),
    "open": (2, -1),
    "openat": (257, 56),
    "fcntl": (72, 25),
    "ioctl": (16, 29),
    "personality": (135, 92),
    "socket": (41, 198),
    "socketpair": (53, 199),
    "sendto": (44, 206),
    "sendmsg": (46, 211),
    "sendmmsg": (307, 269),
    "prlimit64": (302, 261),
    "setpriority": (141, 140),
    "ioprio_set": (251, 30),
    "sched_setaffinity": (203, 122),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
}

WHOLE = 0xFFFFFFFF
MS_NOSUID_NODEV, MS_BIND_REC, MNT_DETACH = 6, 20480, 2
O_TMPFILE = 0o20000000  # the bit that makes it one
CLONE_NEW = 0x7E020000  # namespaces: mount, cgroup, UTS, IPC, user, pid, network
F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW = 6, 7, 37, 38
F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT = 1024, 1026, 1036, 1038
TIOCSTI, TIOCLINUX = 0x5412, 0x541C  # typing into a terminal, and pasting into it
# The kinds of requests that are for terminals, pipes and sockets. What others do depends on the file system,
# and some of them let the owner of a file mark it without a right to write it.
KIND_OF_REQUEST, REQUESTS = 0xFF00, (0x5400, 0x8900)
QUERY = 0xFFFFFFFF  # what personality is given to ask for the one in force
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
SOCK_KIND, SOCK_STREAM, SOCK_SEQPACKET = 0xF, 1, 5
IPPROTO_TCP = 6
MSG_FASTOPEN = 0x20000000  # connects without calling connect
ITSELF = (0,)  # as a process's number


class Check(NamedTuple):
    """What an argument of a call must be: its number, the bits that count, the values that are allowed.

    If `refused` is said, those values are refused instead and all others allowed.
    """

    call: str
    argument: int
    allowed: tuple[int, ...] = ()
    refused: tuple[int, ...] = ()
    mask: int = WHOLE
    error: int = errno.EPERM


CHECKS = (
    Check("clone", 0, allowed=(0,), mask=CLONE_NEW),
    # What the process that starts the programs does between two of them; programs have no right to it.
    Check("mount", 3, allowed=(MS_NOSUID_NODEV, MS_BIND_REC)),
    Check("umount2", 1, allowed=(MNT_DETACH,)),
    # A file without a name leaves no trace in its folder, but in the number of the next one.
    Check("open", 1, allowed=(0,), mask=O_TMPFILE, error=errno.EOPNOTSUPP),
    Check("openat", 2, allowed=(0,), mask=O_TMPFILE, error=errno.EOPNOTSUPP),
    Check("fcntl", 1, refused=(F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW), error=SILENTLY),
    Check("fcntl", 1, refused=(F_SETLEASE, F_NOTIFY, F_SET_RW_HINT, F_SET_FILE_RW_HINT)),
    Check("ioctl", 1, refused=(TIOCSTI, TIOCLINUX)),
    Check("ioctl", 1, allowed=REQUESTS, mask=KIND_OF_REQUEST, error=errno.ENOTTY),
    Check("personality", 0, allowed=(0, QUERY)),
    # Limits and priorities of other processes, such as the one that starts the next case
    Check("prlimit64", 0, allowed=ITSELF),
    Check("setpriority", 0, allowed=(0,)),  # of a process, not of a group or a user
    Check("setpriority", 1, allowed=ITSELF),
    Check("ioprio_set", 0, allowed=(1,)),
    Check("ioprio_set", 1, allowed=ITSELF),
    Check("sched_setaffinity", 0, allowed=ITSELF),
    Check("sched_setscheduler", 0, allowed=ITSELF),
    Check("sched_setparam", 0, allowed=ITSELF),
    Check("sched_setattr", 0, allowed=ITSELF),
)

_NO_FAMILY = errno.EAFNOSUPPORT
# Pairs of a kind that cannot be connected to something else later.
_PAIRS = Check("socketpair", 1, allowed=(SOCK_STREAM, SOCK_SEQPACKET), mask=SOCK_KIND, error=errno.EACCES)

# Which sockets a program may have, by how it is kept from the network otherwise.
SOCKETS: dict[str, tuple[Check, ...]] = {
    # A network namespace of its own, and no sockets of others among the files that it sees.
    "namespace": (Check("socket", 0, allowed=(AF_UNIX, AF_INET, AF_INET6), error=_NO_FAMILY),),
    # The same for what builds, without a network: some compilers talk to themselves by local sockets.
    "local": (Check("socket", 0, allowed=(AF_UNIX,), error=_NO_FAMILY),),
    # Nothing else. A program's folder may get a socket of somebody else after it was looked at.
    "none": (Check("socket", 0, error=_NO_FAMILY), _PAIRS),
    # Landlock, which bounds TCP only, and only what is bound and connected by the calls for it.
    "tcp": (
        Check("socket", 0, allowed=(AF_INET, AF_INET6), error=_NO_FAMILY),
        Check("socket", 1, allowed=(SOCK_STREAM,), mask=SOCK_KIND, error=errno.EACCES),
        Check("socket", 2, allowed=(0, IPPROTO_TCP), error=errno.EACCES),
        *(Check(call, at, allowed=(0,), mask=MSG_FASTOPEN) for call, at in (("sendto", 3), ("sendmsg", 2))),
        Check("sendmmsg", 3, allowed=(0,), mask=MSG_FASTOPEN),
        _PAIRS,
    ),
}

# The filter's own instructions, as the kernel numbers them
_LOAD, _AND, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x54, 0x15, 0x35, 0x06
_CALL, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16  # where in what it is given each thing lies
_ALLOW, _ERROR, _KILL = 0x7FFF0000, 0x00050000, 0x80000000

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def known(machine: str = "") -> bool:
    """Whether there is a filter for this kind of machine, or for the one that we run on."""
    return (machine or os.uname().machine) in ARCHITECTURES


def program(sockets: str = "namespace", marking: bool = True, machine: str = "") -> bytes:
    """The filter for a kind of machine, as the kernel takes it.

    sockets: a key of SOCKETS. marking: whether modes, owners and times of files may be changed.
    """
    refused = [*REFUSED.items(), *(() if marking else MARKING.items())]
    return assembled(refused, (*CHECKS, *SOCKETS[sockets]), machine or os.uname().machine)


def assembled(
    refused: "Iterable[tuple[int, dict[str, tuple[int, int]]]]", checks: "Sequence[Check]", machine: str
) -> bytes:
    """A filter that refuses these calls, and those of which an argument does not pass its check."""
    column, architecture = ARCHITECTURES[machine]
    code = [
        _instruction(_LOAD, _ARCHITECTURE),
        _instruction(_IF_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, _CALL),
        _instruction(_IF_AT_LEAST, NEWEST + 1, 0, 1),
        _instruction(_RETURN, _ERROR | errno.ENOSYS),
    ]
    for error, calls in refused:
        for numbers in calls.values():
            if numbers[column] >= 0:
                code += _if_equal(numbers[column], error)
    for call in dict.fromkeys(check.call for check in checks if CHECKED[check.call][column] >= 0):
        body = [part for check in checks if check.call == call for part in _checked(check)]
        body.append(_instruction(_RETURN, _ALLOW))
        code += [_instruction(_IF_EQUAL, CHECKED[call][column], 0, len(body)), *body]
    return b"".join([*code, _instruction(_RETURN, _ALLOW)])


def _checked(check: Check) -> list[bytes]:
    """The instructions that look at an argument, and go on behind themselves if it may be so.

    The lower half is all there is to it: the kernel itself reads no more of these arguments.
    """
    code = [_instruction(_LOAD, _ARGUMENTS + 8 * check.argument)]
    if check.mask != WHOLE:
        code.append(_instruction(_AND, check.mask))
    if check.refused:
        return code + [part for value in check.refused for part in _if_equal(value, check.error)]
    for left, value in zip(range(len(check.allowed), 0, -1), check.allowed, strict=True):
        code.append(_instruction(_IF_EQUAL, value, left, 0))
    return [*code, _instruction(_RETURN, _ERROR | check.error)]


def _if_equal(value: int, error: int) -> list[bytes]:
    return [_instruction(_IF_EQUAL, value, 0, 1), _instruction(_RETURN, _ERROR | error)]


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def enter(sockets: str = "namespace", marking: bool = True) -> None:
    """Put this process, and all that it will start, under the filter for good. Raises OSError."""
    install(program(sockets, marking))


def install(code: bytes) -> None:
    """Put this process, and all that it will start, under some filter for good. Raises OSError."""
    import ctypes

    held = ctypes.create_string_buffer(code, len(code))
    described = struct.pack("@HP", len(code) // 8, ctypes.addressof(held))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = (ctypes.c_int, ctypes.c_ulong, ctypes.c_char_p, ctypes.c_ulong, ctypes.c_ulong)
    if prctl(PR_SET_NO_NEW_PRIVS, 1, None, 0, 0) or prctl(
        PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described, 0, 0
    ):
        raise OSError(ctypes.get_errno(), f"no filter of system calls: {os.strerror(ctypes.get_errno())}")
