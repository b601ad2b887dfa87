"""Landlock: what this process, and all that it starts, may do with files, TCP and signals from now on.

The kernel's own way to shut in a process without namespaces, for machines that forbid those. One says what
is allowed, and everything else of the kinds that Landlock knows is refused. It cannot subtract: what lies
in an allowed folder is allowed (`without` names what lies beside something hidden). What it does not know
of at all, `harness.running.seccomp` refuses as far as a filter can; the rest is in `not_held`.

These are three system calls with a number, a structure and a descriptor each. The packages for it are young,
each kept by one person, and larger than this, and the one that does more brings 13 MB of compiled code.
"""

import errno
import os
import struct
import sys
from collections.abc import Iterable, Iterator
from typing import NamedTuple

NEEDED = 3  # the first version that knows of truncating: before, whatever can be read could be emptied
LINUX_OF = "Linux 6.2"  # which has it

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # on every kind of machine
VERSION_WANTED = 1
PATH_BENEATH, NET_PORT = 1, 2
PR_SET_NO_NEW_PRIVS = 38
CAPABILITIES_V3 = 0x20080522

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
TRUNCATE = 1 << 14
BIND_TCP, CONNECT_TCP = 1 << 0, 1 << 1
# Each right with the version that brought it. All of them are handled: who does not have one is refused.
FILES = {3: (1 << 15) - 1, 5: 1 << 15, 9: 1 << 16}  # reading to truncating; control of devices; sockets
TCP = {4: BIND_TCP | CONNECT_TCP}
SCOPES = {6: 1 << 0 | 1 << 1}  # abstract sockets, and signals, of others
DEVICE_CONTROL = 1 << 15
MAKE_DEVICES = 1 << 6 | 1 << 11
OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL  # what can be allowed for a file

DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


class Allowed(NamedTuple):
    """What a process may do: read and execute below these paths, write below those, and use this TCP port.

    listed: folders of which it may see what is in them, and nothing else. port: -1 for all.
    """

    read: tuple[str, ...]
    write: tuple[str, ...] = ()
    port: int = 0
    listed: tuple[str, ...] = ()


def version() -> int:
    """Which version of Landlock the kernel has; 0 if none, or if it is switched off."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(CREATE_RULESET, None, 0, VERSION_WANTED)
    except OSError:
        return 0


def why_not() -> str:
    """Why programs cannot be shut in by Landlock here, with what mends it; nothing if they can."""
    found = version()
    if found >= NEEDED:
        return ""
    if found:
        return f"the kernel's Landlock is of version {found}, and {NEEDED} ({LINUX_OF}) is needed"
    return f"the kernel has no Landlock, or it is switched off: {LINUX_OF} with landlock in its lsm= has it"


def ruleset(allowed: Allowed) -> int:
    """A descriptor that stands for what is allowed, to `restrict` processes with. Raises OSError.

    A path that is not there is left out.
    """
    found = version()
    files, ports, scopes = (_known(rights, found) for rights in (FILES, TCP, SCOPES))
    ports = 0 if allowed.port < 0 else ports
    if found < NEEDED:
        raise OSError(errno.EOPNOTSUPP, why_not())
    handled = struct.pack("=QQQ", files, ports, scopes)[: 8 if found < 4 else 16 if found < 6 else 24]
    rules = _call(CREATE_RULESET, handled, len(handled), 0)
    try:
        for path in allowed.read:
            _allow_path(rules, path, EXECUTE | READ_FILE | READ_DIR)
        for path in allowed.listed:
            _allow_path(rules, path, READ_DIR)
        for path in allowed.write:
            _allow_path(rules, path, files & ~(MAKE_DEVICES | DEVICE_CONTROL))
        for path in DEVICES:
            _allow_path(rules, path, READ_FILE | WRITE_FILE | TRUNCATE)
        if allowed.port and ports:
            _call(ADD_RULE, rules, NET_PORT, struct.pack("=QQ", ports, allowed.port), 0)
    except BaseException:
        os.close(rules)
        raise
    return rules


def restrict(rules: int) -> None:
    """Allow this process, and all that it will start, only what the rules say, for good. Raises OSError.

    It also loses what root may do beyond others: some of that (looking at processes) Landlock lets pass.
    """
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _call(RESTRICT_SELF, rules, 0)
    if libc.capset(
        struct.pack("=Ii", CAPABILITIES_V3, 0), bytes(24)
    ):  # none effective, permitted, inheritable
        raise OSError(ctypes.get_errno(), f"capabilities: {os.strerror(ctypes.get_errno())}")


def without(folder: str, hidden: "Iterable[str]") -> "Iterator[str]":
    """What to allow so that a folder can be read but for what is hidden in it.

    The folder itself where nothing is; else what is in it, one by one. See `with_something_hidden`, too.
    """
    inside = [path for path in hidden if path == folder or path.startswith(f"{folder.rstrip('/')}/")]
    if not inside:
        yield folder
    elif folder not in inside:
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            return
        for name in names:
            path = os.path.join(folder, name)
            if not os.path.islink(path):  # what it leads to is allowed by its own path, or not at all
                yield from without(path, inside)


def with_something_hidden(folder: str, hidden: "Iterable[str]") -> "Iterator[str]":
    """The folder, and those in it, that hold something hidden: they cannot be read as a whole, but listed."""
    for path in hidden:
        above = os.path.dirname(path)
        while above != folder and above.startswith(f"{folder.rstrip('/')}/"):
            yield above
            above = os.path.dirname(above)
        if above == folder:
            yield folder


def not_held(uid_of_its_own: bool, found: int = 0) -> list[str]:
    """What a program can do although it is shut in by Landlock and the filter of system calls."""
    found = found or version()
    told = [
        "tell by its name or number whether a file or process is there, and how large a file is",
        "read the names of what is hidden in its own folder",
        "fill the disk that its scratch folder is on",
        "see by such numbers and by times of files that others ran before",
    ]
    if found < 4:
        told.append("use any TCP port, where it is given one")
    if found < 6 and not uid_of_its_own:
        told.append("send signals to your processes")
    return told


def _known(rights: dict[int, int], found: int) -> int:
    """Those of the rights that this version knows."""
    return sum(bits for since, bits in rights.items() if since <= found)


def _allow_path(rules: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not os.path.isdir(f"/proc/self/fd/{place}"):
            rights &= OF_A_FILE
        _call(ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)


def _call(number: int, *arguments: "int | bytes | None") -> int:
    """One of the system calls; its result. Raises OSError."""
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    words = [ctypes.c_long(word) if isinstance(word, int) else ctypes.c_char_p(word) for word in arguments]
    result: int = libc.syscall(ctypes.c_long(number), *words)
    if result < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
