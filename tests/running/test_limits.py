"""Control groups of version 2, on a directory tree that behaves like one.

The kernel fills a new group with files, removes them with it, and lets nobody in where it is
configured otherwise; the tests of containment use the groups that this machine really has.
"""

import os
from pathlib import Path

import pytest

from harness.running import limits
from harness.running.limits import Cgroup, Limits, remove_stale_cgroups

OWN = "user.slice/app.slice/run.scope"
FILES = ("memory.max", "memory.swap.max", "pids.max")
EVENTS = "low 0\nhigh 0\nmax 7\noom 2\noom_kill {}\noom_group_kill 0\n"
MAKE, REMOVE = os.mkdir, os.rmdir


class Tree:
    """A hierarchy with the group of this process in it; `delegated` are those that hand controllers on."""

    def __init__(self, root: Path, *delegated: str) -> None:
        self.root = root
        self._delegated = {str(root / group) for group in delegated}
        self.locked: set[str] = set()
        self.removed_at_once = False  # whether somebody removes the next group that is made
        (root / OWN).mkdir(parents=True)
        for group in (root / OWN, *(root / OWN).parents[:2]):
            (group / "cgroup.subtree_control").write_text("")

    def mkdir(self, path: str, mode: int = 0o777) -> None:
        MAKE(path, mode)
        if self.removed_at_once:
            self.removed_at_once = False
            REMOVE(path)
            return
        above = os.path.dirname(path)
        for name in FILES if above in self._delegated else ():
            (Path(path) / name).write_text("max\n")
        if above in self._delegated:
            (Path(path) / "memory.events").write_text(EVENTS.format(0))
        procs = Path(path) / "cgroup.procs"
        MAKE(procs) if above in self.locked else procs.write_text("")  # a directory cannot be written

    def rmdir(self, path: str) -> None:
        for file in Path(path).glob("*.*"):
            REMOVE(file) if file.is_dir() else file.unlink()
        REMOVE(path)

    def groups(self) -> list[Path]:
        return sorted(self.root.rglob("harness-*"))


def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *delegated: str) -> Tree:
    made = Tree(tmp_path / "cgroup", *delegated)
    (tmp_path / "own").write_text(f"0::/{OWN}\n")
    monkeypatch.setattr(limits, "CGROUPS", str(made.root))
    monkeypatch.setattr(limits, "OWN_CGROUPS", str(tmp_path / "own"))
    monkeypatch.setattr(os, "mkdir", made.mkdir)
    monkeypatch.setattr(os, "rmdir", made.rmdir)
    return made


def test_a_group_is_made_below_the_own_one_if_that_hands_controllers_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    group = Cgroup("harness-1-0", Limits(memory=100 << 20))
    (folder,) = made.groups()
    assert folder.parent == made.root / OWN
    assert (made.root / OWN / "cgroup.subtree_control").read_text() == "+memory +pids"
    assert (group.memory, group.processes) == (True, True)
    assert int((folder / "memory.max").read_text()) == (100 << 20) + limits.ROOM
    assert (folder / "memory.swap.max").read_text().startswith("0")
    assert (folder / "pids.max").read_text() == str(limits.MOST_PROCESSES)


def test_a_group_is_made_beside_the_own_one_where_processes_are_in_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, os.path.dirname(OWN))
    group = Cgroup("harness-1-0", Limits())
    (folder,) = made.groups()
    assert folder.parent == made.root / os.path.dirname(OWN)
    assert group.memory
    assert group.processes


def test_a_worker_joins_counts_what_was_killed_and_forbids_forks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    group = Cgroup("harness-1-0", Limits())
    group.join()
    (folder,) = made.groups()
    assert (folder / "cgroup.procs").read_text() == str(os.getpid())
    assert group.out_of_memory() == 0
    (folder / "memory.events").write_text(EVENTS.format(3))
    assert group.out_of_memory() == 3
    group.allow_forks(False)
    assert (folder / "pids.max").read_text() == "0"
    group.allow_forks(True)
    assert (folder / "pids.max").read_text() == str(limits.MOST_PROCESSES)
    group.remove()
    assert made.groups() == []


def test_where_nobody_may_be_moved_nothing_is_in_force_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    made.locked.add(str(made.root / OWN))
    group = Cgroup("harness-1-0", Limits())
    assert (group.memory, group.processes) == (False, False)
    assert made.groups() == []
    assert group.out_of_memory() == 0


def test_where_no_controllers_are_handed_on_nothing_is_in_force(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch)
    group = Cgroup("harness-1-0", Limits())
    assert (group.memory, group.processes) == (False, False)
    assert made.groups() == []


def test_groups_of_runs_that_were_killed_are_removed_and_those_of_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    nobody = int(Path("/proc/sys/kernel/pid_max").read_text()) + 1
    for name in (f"harness-{nobody}-0", f"harness-{os.getpid()}-0", "harness-of-somebody", "else"):
        made.mkdir(str(made.root / OWN / name))
    remove_stale_cgroups()
    assert [path.name for path in made.groups()] == [f"harness-{os.getpid()}-0", "harness-of-somebody"]
    assert (made.root / OWN / "else").exists()


def test_a_group_that_somebody_has_removed_is_made_again_by_who_joins_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    group = Cgroup("harness-1-0", Limits(memory=100 << 20))
    made.rmdir(str(made.groups()[0]))
    group.join()
    (folder,) = made.groups()
    assert (folder / "cgroup.procs").read_text() == str(os.getpid())
    assert int((folder / "memory.max").read_text()) == (100 << 20) + limits.ROOM


@pytest.mark.parametrize("moment", ["as it is made", "as it is made again"])
def test_a_group_that_somebody_removes_at_once_is_made_again(
    moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tree(tmp_path, monkeypatch, OWN)
    made.removed_at_once = moment == "as it is made"
    group = Cgroup("harness-1-0", Limits(memory=100 << 20))
    assert group.memory
    if moment == "as it is made again":
        made.rmdir(str(made.groups()[0]))
        made.removed_at_once = True
    group.join()
    (folder,) = made.groups()
    assert not made.removed_at_once
    assert (folder / "cgroup.procs").read_text() == str(os.getpid())
    assert int((folder / "memory.max").read_text()) == (100 << 20) + limits.ROOM
