"""Files are written whole or not at all, and what cannot be written is named."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from harness.files import AtomicFile, remove_abandoned, replace_file, write_new_files
from tests.support.helpers import ROOT

# Not by the launcher, and with -B: what Python compiles would be cut off as well, and kept for others.
HARNESS = (sys.executable, "-B", "-c", "from harness.start import main; main()", "harness")


def harness(place: Path, *arguments: str, room: int = -1) -> "subprocess.CompletedProcess[str]":
    """Run it where no file has room for more bytes, as good as on a full disk."""
    return subprocess.run(
        [*HARNESS, *arguments],
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        check=False,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (room, room)),
    )


def files(place: Path) -> set[str]:
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


def test_generated_cases_are_complete_or_not_there(tmp_path: Path) -> None:
    done = harness(tmp_path, "generate", "xstep", "-o", "cases", room=0)
    assert done.returncode == 1
    assert done.stderr == "harness: cases/xstep/seed-0-00001-out.json cannot be written: File too large\n"
    assert files(tmp_path) == set()


def test_a_case_whose_input_does_not_fit_has_no_output_either(tmp_path: Path) -> None:
    harness(tmp_path, "generate", "xfeed", "-n", "20", "-o", "all")
    inputs = {path.name: path.stat().st_size for path in tmp_path.rglob("*-in.json")}
    largest = max(inputs, key=lambda name: inputs[name])
    done = harness(tmp_path, "generate", "xfeed", "-n", "20", "-o", "some", room=inputs[largest] - 1)
    assert done.returncode == 1
    assert done.stderr == f"harness: some/xfeed/{largest} cannot be written: File too large\n"
    before = [name for name in inputs if name < largest]
    assert files(tmp_path / "some" / "xfeed") == {
        *before,
        *(name.replace("-in.", "-out.") for name in before),
    }


def test_suggested_cases_are_complete_or_not_there(tmp_path: Path) -> None:
    (tmp_path / "cases" / "xattack").mkdir(parents=True)
    species = [["food", 0], ["body", 1], ["population", 1], ["traits", []]]
    carnivore = [["food", 0], ["body", 1], ["population", 1], ["traits", ["carnivore"]]]
    (tmp_path / "cases" / "xattack" / "a-in.json").write_text(json.dumps([species, carnivore, False, False]))
    (tmp_path / "cases" / "xattack" / "a-out.json").write_text("true")
    before = files(tmp_path)
    done = harness(tmp_path, "chaff", "cases", "--suggest", "more", room=0)
    assert done.returncode == 74
    assert done.stderr.startswith("harness: cannot write: more/")
    assert done.stderr.endswith("-out.json: File too large\n")
    assert files(tmp_path) == before


def test_an_output_that_cannot_be_blessed_is_named_and_stays_as_it_was(tmp_path: Path) -> None:
    harness(tmp_path, "generate", "xstep", "-n", "1", "-o", ".")
    [output] = tmp_path.rglob("*-out.json")
    output.write_text("[]")
    done = harness(tmp_path, "bless", "--overwrite", "xstep", room=0)
    assert done.returncode == 74
    assert done.stderr == f"harness: cannot write: {output.relative_to(tmp_path)}: File too large\n"
    assert output.read_text() == "[]"
    assert len(files(tmp_path)) == 2


def test_new_files_replace_none(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("mine")
    with pytest.raises(FileExistsError) as raised:
        write_new_files({str(tmp_path / "a"): b"1", str(tmp_path / "b"): b"2"})
    assert raised.value.filename == str(tmp_path / "b")
    assert files(tmp_path) == {"b"}
    assert (tmp_path / "b").read_text() == "mine"


def test_a_link_stays_one_when_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    replace_file(str(tmp_path / "link"), b"1")
    assert os.readlink(tmp_path / "link") == "file"
    assert (tmp_path / "file").read_bytes() == b"1"


def test_what_is_abandoned_is_removed_and_what_is_being_written_is_not(tmp_path: Path) -> None:
    path = str(tmp_path / "page.html")
    being_written = AtomicFile(path)
    being_written.open()
    abandoned = tmp_path / ".page.html.0123abcd.part"
    others = [tmp_path / ".page.html.x.0123abcd.part", tmp_path / "page.html", tmp_path / ".page.part"]
    for file in (abandoned, *others):
        file.write_text("")
    remove_abandoned(path)
    assert not abandoned.exists()
    assert all(file.exists() for file in (Path(being_written.temporary), *others))
    being_written.drop()
