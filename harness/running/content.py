"""What is in a folder of programs: a hash by which it is known again, and a copy that nobody can exchange.

`copy_folder` is how a program's folder is brought to where it is run: what was hashed is what was copied,
byte by byte. `content_of` is the same walk without the copy. A folder is a stranger's: it is entered by
descriptors and never through a link, nothing is opened that is no file, and its bytes, files and depth are
bounded as they are read. The holes of a sparse file cost nothing: they are neither read nor written.
`see_that_it_is_small` only counts.
"""

import errno
import os
import stat
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TypeAlias

from harness.errors import UserError

IGNORED = {".git", "__MACOSX"}  # what says nothing of a program; it is neither copied nor hashed
MOST_BYTES = 4 << 30  # of a folder
MOST_FILES = 200_000  # and folders in it
MOST_DEPTH = 100  # of folders in folders; each is open while what is in it is copied
PIECE = 1 << 16
BLOCK = 512  # bytes, as systems count them
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = _OPEN | os.O_NONBLOCK  # nobody waits for the other end of what has become a FIFO


Identity: "TypeAlias" = (
    "tuple[int, int]"  # a file or folder, whatever it is called: its disk, its number there
)


UNREADABLE = "its directory has folders in it that cannot be read"


class TooLarge(UserError):
    """There is more in a folder than may be copied."""


class Copied(NamedTuple):
    """What came of a copy.

    content: a hash of all that was copied: names, contents, what may be executed, and where links lead.
    left_out: what was not copied, by its path in the folder: links that lead out of it, sockets, FIFOs,
    devices, what is kept secret, and what cannot be read.
    """

    content: str
    left_out: list[str]


def copy_folder(
    source: str,
    target: str,
    most_bytes: int = MOST_BYTES,
    most_files: int = MOST_FILES,
    *,
    links: bool = True,
    writable: bool = False,
    secret: "frozenset[Identity]" = frozenset(),
) -> Copied:
    """Copy a folder to a new one, where nothing can be written unless it is to be writable.

    Links are copied if they are wanted and stay within the folder; of permissions, only whether a file may
    be executed. What is secret is not copied, whatever it is called here. The source itself may
    be no link. Raises TooLarge if there is more in it than that, and OSError if it is no folder or the copy
    cannot be written: then a part of it may be there.
    """
    os.makedirs(target)
    return _Walk(source, target, most_bytes, most_files, links, writable, secret).go()


def linked_files(folder: str) -> "Iterator[tuple[str, Identity]]":
    """The files in a folder that have other names as well, there or elsewhere: hard links."""
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            if (found := identity_of_linked(path)) is not None:
                yield path, found


def identity_of_linked(path: str) -> "Identity | None":
    """Which file this is, if it has other names as well."""
    try:
        status = os.lstat(path)
    except OSError:
        return None
    is_linked = stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    return (status.st_dev, status.st_ino) if is_linked else None


def content_of(
    path: str,
    most_bytes: int = MOST_BYTES,
    most_files: int = MOST_FILES,
    *,
    secret: "frozenset[Identity]" = frozenset(),
) -> str:
    """The hash of a folder as copy_folder gives it, or of a file. Raises TooLarge if there is more in it."""
    real = os.path.realpath(path)
    if os.path.isdir(real):
        return _Walk(real, "", most_bytes, most_files, True, False, secret).go().content
    return _Walk(os.path.dirname(real), "", most_bytes, most_files, True, False).file(os.path.basename(real))


def see_that_it_is_small(path: str, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
    """Count what a folder takes on its disk, while it may change. Raises TooLarge if that is more."""
    files, used = 0, 0
    folders: list[tuple[int, Iterator[str]]] = []
    try:
        below: int | None = os.open(path, _OPEN | os.O_DIRECTORY)
    except PermissionError:
        raise TooLarge(UNREADABLE) from None
    try:
        while True:
            if below is not None:
                folders.append((below, iter(())))
                with os.scandir(below) as entries:
                    names = [entry.name for entry in islice(entries, most_files - files + 1)]
                folders[-1] = below, iter(names)
                files += len(names)
            if files > most_files:
                raise TooLarge(f"its directory holds more than {most_files} files")
            if used > most_bytes:
                raise TooLarge(f"its directory holds more than {most_bytes >> 20} MB")
            if len(folders) > MOST_DEPTH:
                raise TooLarge(f"its directories go more than {MOST_DEPTH} levels deep")
            at, left = folders[-1]
            name = next(left, None)
            if name is not None:
                below, size = _counted(at, name)
                used += size
                continue
            os.close(folders.pop()[0])
            below = None
            if not folders:
                return
    finally:
        for at, _ in folders:
            os.close(at)


def _counted(at: int, name: str) -> "tuple[int | None, int]":
    """What is called like that in an open folder: opened, if it is a folder, and the bytes it takes."""
    try:
        status = os.stat(name, dir_fd=at, follow_symlinks=False)
        if stat.S_ISDIR(status.st_mode):
            return os.open(name, _OPEN | os.O_DIRECTORY, dir_fd=at), 0
    except OSError as problem:
        if problem.errno == errno.EACCES:
            raise TooLarge(UNREADABLE) from None
        if problem.errno in (
            errno.ENOENT,
            errno.ENOTDIR,
            errno.ELOOP,
        ):  # it is gone, or something else by now
            return None, 0
        raise
    return None, status.st_blocks * BLOCK // max(1, status.st_nlink)


class _Walk:
    """One walk through a folder. Without a target nothing is copied."""

    def __init__(
        self,
        source: str,
        target: str,
        most_bytes: int,
        most_files: int,
        links: bool,
        writable: bool,
        secret: "frozenset[Identity]" = frozenset(),
    ) -> None:
        from hashlib import blake2b

        self._source = source
        self._target = target
        self._most_bytes = self._bytes = most_bytes
        self._most_files = self._files = most_files
        self._links = links
        self._writable = writable
        self._secret = secret
        self._digest = blake2b(digest_size=16)
        self._left_out: list[str] = []

    def go(self) -> Copied:
        """Walk through all of it."""
        folders = [self._enter(os.open(self._source, _OPEN | os.O_DIRECTORY), "")]
        try:
            while folders:
                at, path, names = folders[-1]
                name = next(names, None)
                if name is not None:
                    below = self._entry(at, os.path.join(path, name), name)
                    if below is not None:
                        folders.append(below)
                    continue
                folders.pop()
                os.close(at)
                if self._target and not self._writable:
                    os.chmod(os.path.join(self._target, path), 0o555)  # noqa: S103 - who runs it may be another user
        finally:
            for at, *_ in folders:
                os.close(at)
        return Copied(self._digest.hexdigest(), self._left_out)

    def file(self, name: str) -> str:
        """The hash of a single file in the folder."""
        try:
            at = os.open(self._source, _OPEN | os.O_DIRECTORY)
        except OSError:
            return ""
        try:
            self._entry(at, name, name)
        finally:
            os.close(at)
        return self._digest.hexdigest()

    def _enter(self, at: int, path: str) -> "tuple[int, str, Iterator[str]]":
        with os.scandir(at) as entries:  # no more of them than may be there, and one to tell by
            names = [entry.name for entry in islice(entries, self._files + 1) if entry.name not in IGNORED]
        return at, path, iter(sorted(names))

    def _entry(self, at: int, path: str, name: str) -> "tuple[int, str, Iterator[str]] | None":
        """Copy what is called like that in an open folder; if it is a folder, it is to be entered next."""
        self._files -= 1
        if self._files < 0:
            raise TooLarge(f"its directory holds more than {self._most_files} files")
        try:
            status = os.stat(name, dir_fd=at, follow_symlinks=False)
            mode = status.st_mode
            if stat.S_ISDIR(mode) and (status.st_dev, status.st_ino) not in self._secret:
                return self._folder(at, path, name)
            if stat.S_ISLNK(mode) and self._links and self._link(at, path, name):
                return None
            if stat.S_ISREG(mode) and self._file(at, path, name):
                return None
        except OSError as problem:
            if problem.errno == errno.ENAMETOOLONG:
                raise TooLarge("its directory has paths that are too long") from None
            if problem.errno not in (errno.EACCES, errno.EPERM, errno.ENOENT, errno.ELOOP, errno.ENXIO):
                raise
        self._left_out.append(path)
        self._tell(b"left out", path)
        return None

    def _tell(self, kind: bytes, path: str, more: bytes = b"") -> None:
        name = os.fsencode(path)
        self._digest.update(b"%s %d %d " % (kind, len(name), len(more)) + name + more)

    def _folder(self, at: int, path: str, name: str) -> "tuple[int, str, Iterator[str]]":
        if path.count("/") >= MOST_DEPTH:
            raise TooLarge(f"its directories go more than {MOST_DEPTH} levels deep")
        below = os.open(name, _OPEN | os.O_DIRECTORY, dir_fd=at)
        try:
            entered = self._enter(below, path)
            if self._target:
                os.mkdir(os.path.join(self._target, path), 0o700)
        except BaseException:
            os.close(below)
            raise
        self._tell(b"folder", path)
        return entered

    def _link(self, at: int, path: str, name: str) -> bool:
        leads = os.readlink(name, dir_fd=at)
        if not stays_within(path, leads):
            return False
        self._tell(b"link", path, os.fsencode(leads))
        if self._target:
            os.symlink(leads, os.path.join(self._target, path))
        return True

    def _file(self, at: int, path: str, name: str) -> bool:
        file = os.open(name, _READ, dir_fd=at)
        try:
            status = os.fstat(file)
            if not stat.S_ISREG(status.st_mode):  # it has become something else
                return False
            if (status.st_dev, status.st_ino) in self._secret:
                return False
            executable = status.st_mode & 0o111
            self._tell(b"program" if executable else b"file", path, b"%d" % status.st_size)
            if not self._target:
                self._contents(file, status.st_size, None)
                return True
            mode = (0o700 if executable else 0o600) if self._writable else 0o555 if executable else 0o444
            new = os.open(os.path.join(self._target, path), os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            try:
                self._contents(file, status.st_size, new)
                os.ftruncate(new, status.st_size)
                os.fchmod(new, mode)  # whatever the mask says
            finally:
                os.close(new)
        finally:
            os.close(file)
        return True

    def _contents(self, file: int, size: int, new: "int | None") -> None:
        """Hash the bytes of a file up to a size, and copy them; zeros count as holes."""
        for start, end in _data(file, size):
            for at in range(start, end, PIECE):
                data = os.pread(file, min(PIECE, end - at), at)
                self._bytes -= len(data)
                if self._bytes < 0:
                    raise TooLarge(f"its directory holds more than {self._most_bytes >> 20} MB")
                if data.count(0) == len(data):
                    continue
                self._digest.update(b"%d %d " % (at, len(data)) + data)
                if new is not None:
                    written = 0
                    while written < len(data):
                        written += os.pwrite(new, data[written:], at + written)


def _data(file: int, size: int) -> "Iterator[tuple[int, int]]":
    """Where a file has data, from and to, in whole pieces, so that the same bytes are always cut alike."""
    at = 0
    while at < size:
        try:
            start = os.lseek(file, at, os.SEEK_DATA)
        except OSError as problem:
            if problem.errno == errno.ENXIO:  # nothing but a hole is left
                return
            start, end = at, size  # a file system that knows no holes
        else:
            end = os.lseek(file, start, os.SEEK_HOLE)
        start -= start % PIECE
        start = max(start, at)
        at = min(size, end + -end % PIECE)
        yield start, at


def stays_within(path: str, leads: str) -> bool:
    """Whether a link with this path in a folder leads to something in it, whatever links it meets there.

    It may go up at its beginning only: behind the name of another link, up is not what it looks like.
    """
    if os.path.isabs(leads):
        return False
    up = True
    ups = 0
    for part in leads.split("/"):
        if part == "..":
            if not up:
                return False
            ups += 1
        elif part not in ("", "."):
            up = False
    return ups <= path.count("/")
