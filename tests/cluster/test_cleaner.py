"""What workers have kept is removed when they have ended, however that was."""

import os
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Thread

from harness.cluster.cleaner import ENDINGS, started_cleaner
from tests.support.keeper import wait_until


def wait_until_it_waits(pid: int) -> None:
    """Return when a cleaner ignores what tells it to end, which it does before all else."""
    bits = sum(1 << (ending - 1) for ending in ENDINGS)

    def ignores_them() -> bool:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return any(line.startswith("SigIgn:") and int(line.split()[1], 16) & bits == bits for line in lines)

    wait_until(ignores_them)


def test_folders_go_with_those_who_use_them_though_all_are_told_to_end(tmp_path: Path) -> None:
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()
    held, cleaner = started_cleaner(*map(str, folders), str(tmp_path / "none"))
    wait_until_it_waits(cleaner.pid)
    for ending in ENDINGS:
        os.kill(cleaner.pid, ending)
    assert os.waitid(os.P_PID, cleaner.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    assert all((folder / "file").exists() for folder in folders)
    os.close(held)
    assert cleaner.wait() == 0
    assert [*tmp_path.iterdir()] == []


def test_what_comes_into_a_folder_while_it_is_removed_goes_too(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    held, cleaner = started_cleaner(str(folder))
    wait_until_it_waits(cleaner.pid)
    busy = Thread(target=fill, args=(folder, time.monotonic() + 0.1))
    busy.start()
    os.close(held)
    busy.join()
    assert cleaner.wait() == 0
    assert [*tmp_path.iterdir()] == []


def fill(folder: Path, end: float) -> None:
    """Make folders in a folder, up to some time, or until it is gone."""
    with suppress(FileNotFoundError):
        for number in count():
            if time.monotonic() > end:
                return
            (folder / f"{number}").mkdir()
