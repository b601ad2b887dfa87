"""Folders for temporary files: empty for each program, and gone at the end whatever was done to them."""

import os
import time

from harness.errors import Unavailable

STEP = 100_000_000  # nanoseconds; the clock of no file system is slower


class Scratch:
    """A directory that is empty for each program that is started in it.

    One that has been left as it was is as good as a new one, and making one is slow.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._is_there = False
        self._untouched: tuple[int, ...] = ()  # what the directory is like if nothing happens in it

    def enter(self) -> None:
        """Make it the current directory, even if a program has deleted what is above it."""
        if not self._is_there:
            try:
                os.mkdir(self._path, 0o700)
            except OSError:
                above = os.path.dirname(self._path)
                os.makedirs(above, 0o700, exist_ok=True)
                os.chmod(above, 0o700)
                os.makedirs(self._path, 0o700, exist_ok=True)
            self._is_there = True
        os.chdir(self._path)

    def clear(self) -> None:
        """Remove it, unless it is as a new one would be."""
        try:
            now = os.lstat(self._path)
            state = (now.st_ino, now.st_mode, now.st_ctime_ns)
            if state == self._untouched:
                return
            self._is_there = now.st_mode == 0o40700 and not os.listdir(self._path)
            # What changes it sets its clock, but in steps: only an old state tells a change by that.
            old = time.time_ns() - now.st_ctime_ns > STEP
            self._untouched = state if self._is_there and old else ()
        except OSError:
            self._is_there = False
        if not self._is_there:
            self._untouched = ()
            remove_folder(self._path)


def make_folder(above: str = "") -> str:
    """A new folder for temporary files that nobody else may enter; in another one, if that is said."""
    # As tempfile does it, which takes long to load.
    places = [above, *(os.environ.get(name, "") for name in ("TMPDIR", "TEMP", "TMP"))]
    place = next((place for place in (*places, "/tmp", "/var/tmp") if _is_writable(place)), os.curdir)  # noqa: S108
    while True:
        folder = os.path.join(os.path.abspath(place), f"harness-{os.urandom(6).hex()}")
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            continue
        except OSError as problem:
            why = f"no folder for temporary files can be made in {place}: {problem.strerror}"
            raise Unavailable(f"{why}; name another place in TMPDIR") from None
        return folder


def _is_writable(folder: str) -> bool:
    return os.path.isdir(folder) and os.access(folder, os.W_OK | os.X_OK)


def remove_folder(folder: str) -> None:
    """Remove a directory, whatever a program has made of it."""
    try:
        os.rmdir(folder)
        return  # most often it is empty
    except FileNotFoundError:
        return
    except OSError:
        import shutil
    try:
        if os.path.islink(folder) or os.path.isfile(folder):
            os.unlink(folder)
        else:
            shutil.rmtree(folder)
    except (OSError, RecursionError):  # locked, or deeper than a path can say: these tools know how
        for tool in (["chmod", "-R", "u+rwx"], ["rm", "-rf"]):
            actions = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
            os.waitpid(os.posix_spawnp(tool[0], [*tool, folder], os.environ, file_actions=actions), 0)
