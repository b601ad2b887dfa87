"""A copy of a program's folder: what is in it, what is not, and what it may cost."""

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from harness.running import content
from harness.running.content import (
    TooLarge,
    content_of,
    copy_folder,
    linked_files,
    see_that_it_is_small,
    stays_within,
)
from harness.running.limits import succeeds
from harness.running.scratch import remove_folder

SPARSE = 10 << 30


@pytest.fixture
def team(tmp_path: Path) -> Path:
    folder = tmp_path / "team"
    (folder / "lib" / "__pycache__").mkdir(parents=True)
    (folder / "xstep").write_text("#!/bin/sh\n")
    (folder / "xstep").chmod(0o4755)
    (folder / "lib" / "__pycache__" / "rules.pyc").write_bytes(bytes(range(256)) * 1000)
    return folder


def below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_copy_is_whole_cannot_be_written_and_has_the_hash_of_what_was_copied(
    team: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    done = copy_folder(str(team), str(copy))
    assert (done.left_out, below(copy)) == ([], below(team))
    assert done.content == content_of(str(team)) == content_of(str(copy))
    modes = {str(path.relative_to(copy)): stat.S_IMODE(path.stat().st_mode) for path in copy.rglob("*")}
    assert {modes["xstep"], modes["lib"]} == {0o555}  # and nothing of the set-id bit
    assert modes["lib/__pycache__/rules.pyc"] == 0o444
    for path in ("lib/__pycache__/rules.pyc", "xstep"):
        assert (copy / path).read_bytes() == (team / path).read_bytes()
    remove_folder(str(copy))


def test_a_secret_file_is_not_copied_whatever_it_is_called(team: Path, tmp_path: Path) -> None:
    answer, copy = tmp_path / "answer.json", tmp_path / "copy"
    answer.write_text("[]")
    (team / "lib" / "notes").hardlink_to(answer)
    (team / "lib" / "other").hardlink_to(team / "xstep")
    secret = frozenset({identity for path, identity in linked_files(str(tmp_path)) if path == str(answer)})
    done = copy_folder(str(team), str(copy), secret=secret)
    assert done.left_out == ["lib/notes"]
    assert (copy / "lib" / "other").exists()
    assert not (copy / "lib" / "notes").exists()
    remove_folder(str(copy))


@pytest.mark.parametrize(
    "change",
    [
        lambda team: (team / "lib" / "__pycache__" / "rules.pyc").write_bytes(b"other"),
        lambda team: (team / "xstep").chmod(0o644),
        lambda team: (team / "empty").mkdir(),
        lambda team: (team / "xstep").rename(team / "xfeed"),
        lambda team: (team / "link").symlink_to("xstep"),
        lambda team: os.mkfifo(team / "pipe"),
        lambda team: os.truncate(team / "xstep", 100),  # zeros are content, too
    ],
)
def test_the_hash_tells_every_change(team: Path, change: "object") -> None:
    before = content_of(str(team))
    change(team)  # type: ignore[operator]
    assert content_of(str(team)) != before


def test_the_history_of_a_folder_says_nothing_of_its_programs(team: Path) -> None:
    before = content_of(str(team))
    (team / ".git").mkdir()
    (team / ".git" / "HEAD").write_text("ref")
    assert content_of(str(team)) == before


def test_what_leads_out_of_a_folder_or_is_no_file_stays_behind(team: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("42")
    os.mkfifo(team / "pipe")
    helper = socket.socket(socket.AF_UNIX)
    helper.bind(str(team / "socket"))
    links = {
        "lib/inside": "../xstep",
        "lib/up": "..",
        "absolute": "/etc/passwd",
        "out": "../secret",
        "deceit": "lib/up/../../secret",
        "loop": "loop",
    }
    for name, leads in links.items():
        (team / name).symlink_to(leads)
    done = copy_folder(str(team), str(tmp_path / "copy"))
    helper.close()
    assert done.left_out == ["absolute", "deceit", "out", "pipe", "socket"]
    kept = ["lib", "lib/__pycache__", "lib/__pycache__/rules.pyc", "lib/inside", "lib/up", "loop", "xstep"]
    assert below(tmp_path / "copy") == kept
    without = copy_folder(str(team), str(tmp_path / "plain"), links=False)
    assert without.left_out == sorted([*links, "pipe", "socket"])


@pytest.mark.parametrize(
    ("path", "leads", "within"),
    [
        ("a", "b", True),
        ("a", ".", True),
        ("a", "..", False),
        ("a/b", "..", True),
        ("a/b", "../../c", False),
        ("a/b/c", "./..//../d", True),
        ("a/b/c", "d/../e", False),  # d may be a link to anywhere in the folder
        ("a", "/", False),
    ],
)
def test_a_link_stays_within_a_folder_whatever_other_links_there_are(
    path: str, leads: str, within: bool
) -> None:
    assert stays_within(path, leads) is within


def test_the_folder_itself_may_be_no_link(team: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(team)
    with pytest.raises(NotADirectoryError):
        copy_folder(str(tmp_path / "link"), str(tmp_path / "copy"))


def test_the_holes_of_a_sparse_file_cost_nothing(team: Path, tmp_path: Path) -> None:
    with open(team / "sparse", "wb") as file:
        file.truncate(SPARSE)
        file.seek(SPARSE // 2)
        file.write(b"data")
    started = time.process_time()
    done = copy_folder(str(team), str(tmp_path / "copy"), most_bytes=1 << 20)
    assert done.content == content_of(str(team))
    assert time.process_time() - started < 1  # ten gigabytes take twenty times as long
    copied = (tmp_path / "copy" / "sparse").stat()
    assert copied.st_size == SPARSE
    assert copied.st_blocks * 512 < 1 << 20


def test_zeros_are_the_same_whether_they_are_written_or_not(tmp_path: Path) -> None:
    for name, written in (("holes", b""), ("zeros", bytes(300_000))):
        (tmp_path / name).mkdir()
        with open(tmp_path / name / "file", "wb") as file:
            file.write(written)
            file.truncate(300_000)
    assert content_of(str(tmp_path / "holes")) == content_of(str(tmp_path / "zeros"))


def test_a_folder_that_is_too_large_is_refused_with_a_sentence(team: Path, tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="its directory holds more than 0 MB"):
        copy_folder(str(team), str(tmp_path / "bytes"), most_bytes=1000)
    with pytest.raises(TooLarge, match="its directory holds more than 3 files"):
        copy_folder(str(team), str(tmp_path / "files"), most_files=3)
    deep = team
    for _ in range(content.MOST_DEPTH + 1):
        deep = deep / "d"
        deep.mkdir()
    with pytest.raises(TooLarge, match="more than 100 levels deep"):
        content_of(str(team))


def test_what_a_folder_takes_is_counted_without_its_links_and_holes(tmp_path: Path) -> None:
    for number in range(1500):  # more folders than can be open at once
        (tmp_path / "many" / str(number)).mkdir(parents=True)
    (tmp_path / "many" / "out").symlink_to("/usr")
    with open(tmp_path / "many" / "sparse", "wb") as sparse:
        sparse.truncate(1 << 40)
    see_that_it_is_small(str(tmp_path), 1 << 20, 1503)
    with pytest.raises(TooLarge, match="more than 1502 files"):
        see_that_it_is_small(str(tmp_path), 1 << 20, 1502)
    (tmp_path / "data").write_bytes(b"x" * (2 << 20))
    with pytest.raises(TooLarge, match="more than 1 MB"):
        see_that_it_is_small(str(tmp_path), 1 << 20)
    (tmp_path / "/".join("d" * (content.MOST_DEPTH + 1))).mkdir(parents=True)
    with pytest.raises(TooLarge, match="levels deep"):
        see_that_it_is_small(str(tmp_path))


def test_a_folder_that_is_locked_cannot_be_seen_to_be_small(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(0)

    def see() -> None:
        if os.getuid() == 0:  # whom nothing is locked for
            os.setuid(65_432)
        with pytest.raises(TooLarge, match="cannot be read"):
            see_that_it_is_small(str(tmp_path / "locked"))

    assert succeeds(see)
