"""For root: start bubblewrap as nobody's user, with all that it is to show within that user's reach.

Run by itself, as `python -I -S unprivileged.py bwrap …`. What a user may not even reach (a folder in root's
home directory, say) is first mounted in a place of its own, which only this process and its children see.
The user is one that nobody has: no files are its own, and it is another one for every sandbox at a time.
"""

import ctypes
import os
import sys

FIRST_USER = 1_900_000_000  # and up, by the process's number: far above those that systems give to anybody
STAGE = "/tmp"  # noqa: S108 (as only we see it)
SHOWING = ("--ro-bind", "--bind")

CLONE_NEWNS = 0x20000
MS_NOSUID, MS_NODEV, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18

libc = ctypes.CDLL(None, use_errno=True)


def main() -> None:
    """Mount what is to be shown, give up all rights, and become bubblewrap."""
    words = sys.argv[1:]
    places = [at + 1 for at, word in enumerate(words) if word in SHOWING]
    user = FIRST_USER + os.getpid()
    check(libc.unshare(CLONE_NEWNS))
    mount(None, "/", MS_REC | MS_PRIVATE)
    opened = {at: os.open(words[at], os.O_PATH | os.O_CLOEXEC) for at in places}
    mount("tmpfs", STAGE, MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for at, descriptor in opened.items():
        staged = f"{STAGE}/{at}"
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            os.mkdir(staged)
        else:
            os.close(os.open(staged, os.O_CREAT | os.O_WRONLY, 0o644))
        mount(f"/proc/self/fd/{descriptor}", staged, MS_BIND | MS_REC)
        if words[at - 1] == "--bind":
            give(staged, user)
        words[at] = staged
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    os.chdir("/")
    os.execv(words[0], words)  # noqa: S606 (this is what it is for)


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
