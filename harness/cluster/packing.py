"""A team's files on their way to a worker: one archive, known by its content, unpacked once."""

import io
import os
import stat
import tarfile

from harness.running.scratch import remove_folder

MOST_PACKED = 256 << 20  # bytes of an archive; who has more is graded where its files are
MOST_UNPACKED = 4 << 30
LEVEL = 1  # of compression: programs are small, and time is short


class TooLargeToSend(Exception):
    """What is in a folder is too much for an archive."""


def packed(folder: str) -> bytes:
    """An archive of a folder. Raises TooLargeToSend."""
    buffer = io.BytesIO()
    size = 0
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=LEVEL) as archive:
        for at, folders, files in os.walk(folder):
            for name in sorted([*folders, *files]):
                path = os.path.join(at, name)
                entry = archive.gettarinfo(path, os.path.relpath(path, folder))
                if entry is None or not (entry.isreg() or entry.isdir() or entry.issym() or entry.islnk()):
                    continue  # a socket or a pipe, which nobody sees at home either
                size += entry.size
                if size > MOST_UNPACKED or buffer.tell() > MOST_PACKED:
                    raise TooLargeToSend
                entry.uid = entry.gid = 0
                entry.uname = entry.gname = ""
                if entry.isreg():
                    with open(path, "rb") as file:
                        archive.addfile(entry, file)
                else:
                    archive.addfile(entry)
    return buffer.getvalue()


def unpacked(archive: bytes, key: str, above: str, shut_in: bool) -> str:
    """Where what was packed lies under its key, in a folder for all of them; unpacked if it was not there.

    Of who is shut in the folders can be written to, so that whoever finds them later can remove them.
    """
    folder = os.path.join(above, key)
    if not os.path.isdir(folder):
        new = f"{folder}.{os.getpid()}"
        remove_folder(new)
        os.makedirs(new)
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:gz") as packed:
            for entry in packed if shut_in else ():
                entry.mode |= stat.S_IWUSR * entry.isdir()
            packed.extractall(new, filter="fully_trusted")  # noqa: S202 (packed by ourselves)
        os.chmod(new, 0o755 if shut_in else 0o555)  # noqa: S103 - who runs it may be another user
        os.rename(new, folder)
    return folder
