"""For root: start bubblewrap as nobody's user, with all that it is to show within that user's reach.

Run by itself, as `python -I -S unprivileged.py N FOLDER… bwrap …`. What a user may not even reach (a folder
in root's home directory, say) is first mounted in a place of its own, seen by its children only.
The user is one that nobody has: no files are its own, and it is another one for every sandbox at a time.
But in N folders, the program's own and what root has asked to show, it may read what root may: files of
root are as its own there.
"""

import ctypes
import os
import signal
import struct
import sys
import time

FIRST_USER = 1_900_000_000  # and up, by the process's number: far above those that systems give to anybody
STAGE = "/tmp"  # noqa: S108 (as only we see it)
SHOWING = ("--ro-bind", "--bind")

CLONE_NEWNS, CLONE_NEWUSER = 0x20000, 0x10000000
OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 428, 429, 442  # the same numbers everywhere
OPEN_TREE_CLONE, AT_EMPTY_PATH, AT_RECURSIVE, AT_FDCWD, MOUNT_ATTR_IDMAP = 1, 0x1000, 0x8000, -100, 0x100000
OPEN_TREE_CLOEXEC = os.O_CLOEXEC
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Mount what is to be shown, give up all rights, and become bubblewrap."""
    _, number, *words = sys.argv
    ours, words = words[: int(number)], words[int(number) :]
    places = [at + 1 for at, word in enumerate(words) if word in SHOWING]
    user = FIRST_USER + os.getpid()
    check(libc.unshare(CLONE_NEWNS))
    mount(None, "/", MS_REC | MS_PRIVATE)
    users = users_where_root_is(user)
    opened = {at: os.open(words[at], os.O_PATH | os.O_CLOEXEC) for at in places}
    mount("tmpfs", STAGE, MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for at, descriptor in opened.items():
        staged = f"{STAGE}/{at}"
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            os.mkdir(staged)
        else:
            os.close(os.open(staged, os.O_CREAT | os.O_WRONLY, 0o644))
        if (
            words[at] not in ours
            or words[at - 1] == "--bind"
            or not mounted_as_own(descriptor, staged, users)
        ):
            mount(f"/proc/self/fd/{descriptor}", staged, MS_BIND | MS_REC)
        if words[at - 1] == "--bind":
            give(staged, user)
        words[at] = staged
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.chdir("/")
    os.execv(words[0], words)  # noqa: S606 (this is what it is for)


def mounted_as_own(descriptor: int, place: str, users: int) -> bool:
    """Mount a folder so that what is root's in it is another user's; whether the kernel can do that."""
    whole = AT_EMPTY_PATH | AT_RECURSIVE
    how = whole | OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC  # by ".." one gets anywhere from it
    tree = libc.syscall(OPEN_TREE, descriptor, b"", how)
    wanted = struct.pack("=QQQQ", MOUNT_ATTR_IDMAP, 0, 0, users)
    done = tree >= 0 and libc.syscall(MOUNT_SETATTR, tree, b"", whole, wanted, len(wanted)) == 0
    return bool(done) and bool(libc.syscall(MOVE_MOUNT, tree, b"", AT_FDCWD, place.encode(), 4) == 0)


def users_where_root_is(user: int) -> int:
    """A descriptor of a namespace of users in which root is somebody else; -1 if there may be none."""
    wait, go = os.pipe()
    pid = os.fork()
    if pid == 0:
        if libc.unshare(CLONE_NEWUSER) == 0:
            os.write(go, b"1")
            time.sleep(60)
        os._exit(0)
    os.close(go)
    users = -1
    if os.read(wait, 1):
        for kind in ("uid", "gid"):
            with open(f"/proc/{pid}/{kind}_map", "w") as file:
                file.write(f"0 {user} 1\n1 1 65535\n")
        users = os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(wait)
    return users


def give(folder: str, user: int) -> None:
    """Let a folder and all that is in it belong to a user."""
    os.lchown(folder, user, user)
    for at, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.lchown(os.path.join(at, name), user, user)


def mount(what: "str | None", place: str, flags: int, options: str = "") -> None:
    """Mount something."""
    source = None if what is None else what.encode()
    kind = b"tmpfs" if options else None
    check(libc.mount(source, place.encode(), kind, ctypes.c_ulong(flags), options.encode() or None))


def check(done: int) -> None:
    """Raise OSError if a call of the C library has failed."""
    if done:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


if __name__ == "__main__":
    main()
