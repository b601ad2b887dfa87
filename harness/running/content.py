"""What is in a folder of programs: all its files, and a hash of them by which it is known again."""

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

IGNORED = {".git", "__pycache__", "__MACOSX"}  # what says nothing of a program
MOST_READ = 1 << 30  # bytes of one file
PIECE = 1 << 20


def content_of(folder: str, most_files: int = sys.maxsize, most_bytes: int = sys.maxsize) -> str:
    """A hash of all that is in a folder: names, what may be executed, contents, and where links lead.

    Empty if there is more in it than that. What is no folder is told by its own content.
    """
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    if not os.path.isdir(folder):
        digest.update(_content(folder))
        return digest.hexdigest()
    for path, entry in walk(folder):
        most_files -= 1
        most_bytes -= os.lstat(entry).st_size if os.path.lexists(entry) else 0
        if most_files < 0 or most_bytes < 0:
            return ""
        digest.update(os.fsencode(path) + b"\0")
        digest.update(_content(entry))
    return digest.hexdigest()


def walk(folder: str) -> "Iterator[tuple[str, str]]":
    """Everything below a folder in order, but for folders: its path from there, and from here."""
    below = [""]
    while below:
        at = below.pop()
        try:
            names = sorted(os.listdir(os.path.join(folder, at)))
        except OSError:
            continue
        for name in names:
            path = os.path.join(at, name)
            entry = os.path.join(folder, path)
            if name in IGNORED:
                continue
            if os.path.isdir(entry) and not os.path.islink(entry):
                below.append(path)
            else:
                yield path, entry


def _content(path: str) -> bytes:
    """What a file is, in few bytes. Nothing is opened that is no file."""
    from hashlib import blake2b

    digest = blake2b(digest_size=16)
    try:
        if os.path.islink(path):
            digest.update(b"link " + os.fsencode(os.readlink(path)))
        status = os.stat(path)
        digest.update(b"%d %d " % (status.st_mode & 0o111, status.st_size))
        if stat.S_ISREG(status.st_mode):
            with open(path, "rb") as file:
                left = min(status.st_size, MOST_READ)
                while left > 0 and (data := file.read(min(left, PIECE))):
                    digest.update(data)
                    left -= len(data)
    except OSError as problem:
        digest.update(b"unreadable %d" % (problem.errno or 0))
    return digest.digest()
