"""Files that are read whole, and files that are written whole or not at all.

A file is written under another name until it is complete. Every OSError says the name of the file.
"""

import errno
import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, BinaryIO

    from harness.errors import UserError

PART = ".part"  # the ending of a file that is not complete
MARK = 4  # bytes, written as hexadecimal digits before it
PIECE = 1 << 16


def read_file(path: str) -> bytes:
    """All that is in a file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(descriptor).st_size
            data = os.read(descriptor, size + 1)
            # A read gives 2 GB at most, and of what is no file nobody knows the size.
            while data and len(data) != size and (more := os.read(descriptor, max(size, PIECE))):
                data += more
            return data
        finally:
            os.close(descriptor)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, path) from None


def read_toml(path: str, refused: "type[UserError]") -> "dict[str, Any]":
    """The tables of a file; what is not TOML is refused by this error."""
    import tomllib

    data = read_file(path)
    try:
        return tomllib.loads(data.decode())
    except RecursionError:
        raise refused(f"{path}: not TOML that can be read: it is nested too deep") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise refused(f"{path}: not TOML: {problem}") from None


class AtomicFile:
    """A file that is being written, and is not there under its name before it is complete."""

    def __init__(self, path: str) -> None:
        """Nothing is made before `open`, so that who has the object can always drop what is made."""
        self.path = path
        self._target = os.path.realpath(path)
        folder, name = os.path.split(self._target)
        self.temporary = os.path.join(folder, f".{name}.{os.urandom(MARK).hex()}{PART}")
        self.stream: BinaryIO | None = None

    def open(self) -> "BinaryIO":
        """Begin to write. The file is locked, which tells it from one that nobody will complete."""
        import fcntl

        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
            self.stream = os.fdopen(os.open(self.temporary, flags, 0o666), "wb")
            fcntl.flock(self.stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as problem:
            raise self._named(problem) from None
        return self.stream

    def write(self, data: bytes) -> None:
        """Write all that the file holds."""
        stream = self.open()
        try:
            stream.write(data)
            stream.flush()
        except OSError as problem:
            raise self._named(problem) from None

    def keep(self) -> None:
        """The file is complete: it gets its name, and replaces what had it."""
        try:
            if self.stream is not None:
                self.stream.close()
            os.replace(self.temporary, self._target)
        except OSError as problem:
            raise self._named(problem) from None

    def keep_new(self) -> None:
        """The file is complete: it gets its name. Raises FileExistsError if another has it."""
        try:
            os.link(self.temporary, self.path)
        except FileExistsError as problem:
            raise self._named(problem) from None
        except OSError:  # there are no links here
            if os.path.lexists(self.path):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), self.path) from None
            self.keep()
        self.drop()

    def drop(self) -> None:
        """Remove what has not got its name."""
        try:
            if self.stream is not None:
                self.stream.close()
        except OSError:
            pass  # what could not be written is not wanted any more
        if os.path.exists(self.temporary):
            os.unlink(self.temporary)

    def _named(self, problem: OSError) -> OSError:
        return OSError(problem.errno, problem.strerror, self.path)


def replace_file(path: str, data: bytes) -> None:
    """Write a file, over what is there under its name."""
    file = AtomicFile(path)
    try:
        file.write(data)
        file.keep()
    finally:
        file.drop()


def write_new_files(contents: "Mapping[str, bytes]") -> None:
    """Write files, all of them or none; the last one is there when all are. Raises FileExistsError."""
    files = [AtomicFile(path) for path in contents]
    kept: list[str] = []
    try:
        for file, data in zip(files, contents.values(), strict=True):
            file.write(data)
        for file in files:
            file.keep_new()
            kept.append(file.path)
    except BaseException:
        for path in kept:
            os.unlink(path)
        raise
    finally:
        for file in files:
            file.drop()


def remove_abandoned(path: str) -> None:
    """Remove what those have left who would have written this file, but were killed."""
    folder, name = os.path.split(os.path.realpath(path))
    start = f".{name}."
    long = len(start) + 2 * MARK + len(PART)
    for entry in os.listdir(folder) if os.path.isdir(folder) else ():
        if entry.startswith(start) and entry.endswith(PART) and len(entry) == long:
            _remove_unlocked(os.path.join(folder, entry))


def _remove_unlocked(path: str) -> None:
    import fcntl

    try:
        with open(path, "rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.unlink(path)
    except OSError:
        pass  # it is being written, or has gone
