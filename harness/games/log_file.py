"""The file that a game's log goes to. A file that is not a log is never overwritten."""

import os
import stat

from harness.errors import WrongUse

BEGINNING = b'{"event":"game","v":'


class LogError(WrongUse):
    """The file cannot be taken for a log; str() says why."""


class LogFile:
    """A log that is being written. What goes wrong with the file is kept, and does not disturb the game."""

    def __init__(self, path: str) -> None:
        """Begin the log, in the place of an older one if there is one. Raises LogError."""
        self.path = path
        self.problem = ""
        reading = os.O_WRONLY if _is_special(path) else os.O_RDWR  # a pipe can only be written to
        try:
            self._descriptor = os.open(path, reading | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as problem:
            raise LogError(f"{path}: {problem.strerror}") from None
        if stat.S_ISREG(os.fstat(self._descriptor).st_mode):
            begins = os.pread(self._descriptor, len(BEGINNING), 0)
            if begins and begins != BEGINNING:
                os.close(self._descriptor)
                raise LogError(f"{path} exists and is not the log of a game; it is left as it is")
            os.ftruncate(self._descriptor, 0)

    def write(self, line: str) -> None:
        """Add a line, which is in the file when this returns."""
        data = memoryview(line.encode())
        try:
            while data and not self.problem:
                data = data[os.write(self._descriptor, data) :]
        except OSError as problem:
            self.problem = f"{self.path}: {problem.strerror}"

    def close(self) -> None:
        """No more lines."""
        os.close(self._descriptor)


def _is_special(path: str) -> bool:
    try:
        return not stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return False
