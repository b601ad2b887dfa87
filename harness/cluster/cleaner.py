"""The process that waits for the end of those who use some folders, and removes these."""

import os
import signal
import subprocess
import sys
import time

from harness.running.scratch import remove_folder

HERE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PATIENCE = 30.0  # seconds in which what still ends may put something into a folder again
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # what all are told where a job or a service ends


def started_cleaner(*folders: str) -> "tuple[int, subprocess.Popen[bytes]]":
    """A descriptor, and a process that removes these folders when nobody holds it any more.

    So they go however this process ends. What it starts holds the descriptor only if that is handed on.
    """
    read, held = os.pipe()
    cleaner = subprocess.Popen(main_of("cleaner", *folders), stdin=read, start_new_session=True)
    os.close(read)
    return held, cleaner


def main_of(module: str, *arguments: str) -> list[str]:
    """The command for a module of this package, wherever the harness is."""
    code = f"import sys; sys.path.insert(0, {HERE!r}); from harness.cluster.{module} import main; main()"
    return [sys.executable, "-c", code, *arguments]


def main() -> None:
    """Wait for the end of standard input, and remove the folders that are named."""
    for ending in ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    sys.stdin.read()
    end = time.monotonic() + PATIENCE
    left = sys.argv[1:]
    while left and time.monotonic() < end:
        for folder in left:
            remove_folder(folder)
        left = [folder for folder in left if os.path.lexists(folder)]
        if left:
            time.sleep(0.1)
