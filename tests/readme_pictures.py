"""The pictures at the top of README.md: `python -m tests.readme_pictures` makes them, in some minutes.

Two of them are what a command writes, byte by byte. The third is a photograph of the page that `harness
grade` writes for a class; it carries a fingerprint of what it was made from.
"""

import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.support.capabilities import browser as installed_browser
from tests.support.helpers import BIN, ROOT
from tests.support.keeper import write_program

IMAGES = ROOT / "docs" / "images"
PAGES = ROOT / "harness" / "report" / "pages"
TABLE, CASE, CLASS = "table.svg", "case.svg", "class.png"
INPUT = """[[
 [["id",1],["species",[
  [["food",1],["body",3],["population",4],["traits",["carnivore","pack-hunting"]]],
  [["food",2],["body",2],["population",5],["traits",["foraging","cooperation","long-neck"]]],
  [["food",1],["body",4],["population",2],["traits",["fat-tissue"]],["fat-food",2]]]],
  ["bag",7],["cards",[[3,"climbing"],[-1,"ambush"]]]],
 [["id",2],["species",[
  [["food",0],["body",1],["population",3],["traits",["hard-shell","horns"]]],
  [["food",3],["body",0],["population",3],["traits",["burrowing","warning-call"]]],
  [["food",0],["body",5],["population",1],["traits",["scavenger"]]]]],
  ["bag",5],["cards",[[2,"horns"]]]]],
 9, [[1,"fertile"],[-2,"herding"]]]"""
EXAMPLE = ROOT / "docs" / "example"
SHOWN = EXAMPLE / "cases" / "xstep" / "attack-takes-population-and-feeds"
MARKER = b"made-from\0"
EVERY = 6  # of the cases in test-fixtures/, one in so many is asked
WIDTH = 1200

# The teams of the class, and what each of them misreads; behind | what it has mended since the first run, and
# with a minus a program that it does not have.
TEAMS = {
    "ada": "",
    "bela": "| hard-shell-gives-way-at-three -xsilly",
    "chen": "warning-call-protects-its-owner",
    "dana": "horns-strike-after-the-meal size-ignores-food | drawn-cards-go-to-the-end",
    "emil": "hard-shell-gives-way-at-three symbiosis-with-an-equal new-boards-go-to-the-left",
    "farah": "the-hole-is-clamped-once all-cards-leave-the-hand",
    "gus": "silly-feeds-before-it-stores | cooperation-is-free extinct-boards-stay",
    "hana": "warning-call-is-ignored foraging-is-ignored card-numbers-mean-the-sorted-hand",
    "ivo": "hard-shell-gives-way-at-three cooperation-passes-on-once the-last-card-is-food",
    "jun": "size-ignores-food card-numbers-mean-the-sorted-hand all-cards-leave-the-hand",
    "kai": "hard-shell-needs-more-than-four the-attacker-does-not-scavenge fertile-is-ignored -xsilly",
    "lena": "burrowing-protects-always horns-are-ignored | herding-is-ignored",
    "mo": "hard-shell-is-ignored scavengers-are-ignored extinct-boards-stay -xsilly",
    "nils": "climbing-covers-the-neighbours silly-attacks-before-it-feeds all-cards-leave-the-hand -xsilly",
    "oya": "the-cycle-is-one-round horns-are-ignored cooperation-is-ignored drawn-cards-go-to-the-end -xfeed",
    "pia": "carnivores-are-never-attacked fat-need-ignores-the-store extinct-boards-stay -xstep4 -xsilly",
}
PROGRAM = """#!{python} -IS
import sys
sys.path.insert(0, {root!r})
sys.dont_write_bytecode = True
from contextlib import ExitStack
from evolution.wire.text import parse
from harness.misreadings import LIBRARY, planted
from harness.programs.answering import PROGRAMS
with ExitStack() as planting:
    for name in {names!r}:
        planting.enter_context(planted(LIBRARY[name]))
    answer = PROGRAMS[{program!r}]()(parse(sys.stdin.buffer.read()))
if answer is not None:
    print(answer)
"""
PROGRAMS = ("xattack", "xfeed", "xstep", "xstep4", "xsilly")
CONFIG = 'title = "Evolution, spring"\ndialect = "generous"\nteams = ["teams/*"]\ntotal = 100\n' + "".join(
    f'[[suite]]\npath = "cases/{program}"\nprogram = "{program}"\nweight = 1\n' for program in PROGRAMS
)


def table() -> bytes:
    """A table, as xgui draws it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / TABLE
        command = [str(BIN / "xgui"), "--view", "dealer", "--svg", str(file)]
        subprocess.run(command, input=INPUT.encode(), check=True)
        return file.read_bytes()


def failing_case() -> bytes:
    """A case that a program gets wrong, as harness show draws it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / CASE
        options = ["--bin", str(EXAMPLE / "bin"), "--sandbox", "off", "--svg", str(file)]
        subprocess.run([str(BIN / "harness"), "show", str(SHOWN), *options], check=False, capture_output=True)
        return file.read_bytes()


def made_from() -> bytes:
    """What stands for all that the picture of the class is drawn from."""
    sources = [*sorted(PAGES.glob("overview.*")), Path(__file__)]
    colours = (PAGES / "base.css").read_bytes().partition(b"}")[0]
    return sha256(b"".join([colours, *(path.read_bytes() for path in sources)])).hexdigest().encode()


def write_team(folder: Path, names: list[str]) -> None:
    """A team whose programs are right but for these misreadings, without those that have a minus."""
    shutil.rmtree(folder, ignore_errors=True)
    for program in PROGRAMS:
        if f"-{program}" in names:
            continue
        misread = [name for name in names if not name.startswith("-")]
        text = PROGRAM.format(python=sys.executable, root=str(ROOT), names=misread, program=program)
        write_program(folder / program, text)


def grade(folder: Path) -> Path:
    """Grade the class twice, since some have mended something; the page."""
    for program in PROGRAMS:
        inputs = sorted((ROOT / "test-fixtures" / program).glob("*-in.json"))[::EVERY]
        (folder / "cases" / program).mkdir(parents=True)
        for path in inputs:
            for file in (path, path.with_name(path.name.replace("-in.json", "-out.json"))):
                shutil.copy(file, folder / "cases" / program)
    (folder / "grade.toml").write_text(CONFIG)
    for first in (True, False):
        for name, misread in TEAMS.items():
            now, _, mended = misread.partition("|")
            write_team(folder / "teams" / name, [*now.split(), *(mended.split() if first else [])])
        options = ("--config", "grade.toml", "--sandbox", "off")
        subprocess.run([BIN / "harness", "grade", *options], cwd=folder, check=True, capture_output=True)
    return folder / "grades" / "report.html"


def photograph(page: Path) -> bytes:
    """The overview at the top of a page of grades, as a PNG."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed_browser(), args=["--no-sandbox"])
        opened = browser.new_page(viewport={"width": WIDTH, "height": 900})
        opened.goto(page.as_uri())
        opened.locator(".heat-map path.misread").first.wait_for()
        picture = opened.locator(".overview").screenshot()
        blank = browser.new_page()
        width, height, data = blank.evaluate(PIXELS, b64encode(picture).decode())
        browser.close()
    return png(width, height, b64decode(data))


PIXELS = """async (png) => {
  const image = new Image();
  image.src = "data:image/png;base64," + png;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const reader = new FileReader(), data = pen.getImageData(0, 0, image.width, image.height).data;
  return new Promise((done) => {
    reader.onload = () => done([image.width, image.height, reader.result.split(",")[1]]);
    reader.readAsDataURL(new Blob([data]));
  });
}"""


def png(width: int, height: int, data: bytes) -> bytes:
    """Pixels of four bytes as a PNG of 256 colours, which is a third as large as one of all colours.

    It has a chunk of text that says what it was made from.
    """
    pixels = [data[at : at + 3] for at in range(0, len(data), 4)]
    counts = Counter(pixels)
    palette = [colour for colour, _ in counts.most_common(256)]
    nearest = {one: min(range(len(palette)), key=lambda at: _apart(palette[at], one)) for one in counts}
    rows = [pixels[at : at + width] for at in range(0, len(pixels), width)]
    packed = b"".join(b"\0" + bytes(map(nearest.__getitem__, row)) for row in rows)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", b"".join(palette)),
        (b"tEXt", MARKER + made_from()),
        (b"IDAT", zlib.compress(packed, 9)),
        (b"IEND", b""),
    ]
    told = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


def _apart(one: bytes, other: bytes) -> int:
    return sum((a - b) ** 2 for a, b in zip(one, other, strict=True))


def main() -> None:
    """Write the pictures."""
    IMAGES.mkdir(exist_ok=True)
    (IMAGES / TABLE).write_bytes(table())
    (IMAGES / CASE).write_bytes(failing_case())
    with tempfile.TemporaryDirectory() as folder:
        (IMAGES / CLASS).write_bytes(photograph(grade(Path(folder))))


if __name__ == "__main__":
    main()
