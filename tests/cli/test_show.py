"""xgui and `harness show`: pictures on a terminal and in files, and what is refused."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from evolution.picture.values import kind_of, program_for
from tests.support.helpers import BIN, ROOT, SAMPLES, Json, Outcome, json_bytes, player, run, shell, species
from tests.support.results import harness

FIXTURES = ROOT / "test-fixtures"
CASE = "xstep/attack-takes-population-and-feeds"
GIVEN = (FIXTURES / f"{CASE}-in.json").read_bytes()
SECRET = json_bytes(
    [
        [
            player([species(0, 3, 2, ["carnivore"])], [[1, "horns"]], 5, 1),
            player([species(0, 1, 1)], [[2, "climbing"]], 777, 2),
        ],
        4,
        [[3, "ambush"]],
    ]
)


# --- xgui ------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("kind", SAMPLES)
def test_xgui_shows_every_kind_of_input(kind: str, tmp_path: Path) -> None:
    given = json_bytes(SAMPLES[kind].value)
    outcome = run("xgui", given=given)
    assert outcome.status == 0
    assert outcome.err == b""
    lines = outcome.out.decode().splitlines()
    assert max(map(len, lines)) <= 80
    assert run("xgui", "--text", given=given) == outcome
    svg, page = tmp_path / "t.svg", tmp_path / "t.html"
    assert run("xgui", "--svg", str(svg), "--html", str(page), given=given) == (b"", b"", 0)
    assert svg.read_text().startswith("<svg ")
    assert page.read_text().startswith("<!doctype html>")
    assert (tmp_path / "t-player.svg").exists() == ("what " in outcome.out.decode())
    assert run("xgui", "--svg", str(svg), "--html", str(page), given=given).status == 0, (
        "it may be written anew"
    )


BOTH = [SAMPLES["state"].value, [0, 0, 1]], [SAMPLES["state"].value, [0, [], [], [[1, 2]], []]]


@pytest.mark.parametrize("value", BOTH)
def test_xgui_shows_a_state_with_what_is_done(value: Json) -> None:
    outcome = run("xgui", given=json_bytes(value))
    assert (outcome.err, outcome.status) == (b"", 0)
    words = "attacks board 1" if kind_of(value) == "state and choice" else "food card: card 0"
    assert words in outcome.out.decode()


def test_the_player_sees_nothing_that_is_hidden_from_it(tmp_path: Path) -> None:
    dealer, mine = (run("xgui", "--view", view, given=SECRET).out for view in ("dealer", "player"))
    for secret in (b"777", b"climbing", b"ambush"):
        assert secret in dealer
        assert secret not in mine
    assert b"horns" in mine
    assert run("xgui", "--svg", str(tmp_path / "t.svg"), given=SECRET).status == 0
    svg = (tmp_path / "t-player.svg").read_text()
    assert not any(secret in svg for secret in ("777", "climbing", "ambush"))
    assert run("xgui", "--svg", "-", "--view", "player", given=SECRET).out == svg.encode()


WRONG: dict[str, Json] = {
    "xattack": [species(5, 0, 3), species(), False, False],
    "xfeed": [player([species(5, 0, 3)], [], 0, 1), 1, []],
    "xstep": [[player([species(5, 0, 3)], [], 0, 1)], 1, []],
    "xstep4": [[[player([species(5, 0, 3)], [], 0, 1)], 1, []], []],
    "xsilly": [player([], [], 0, 1), [], []],
}
ODD = [
    ("xfeed", [player([], [], 0, 1), 1]),
    ("xfeed", [[["name", 1], *player([], [], 0, 1)[1:]], 1, []]),
    ("xsilly", [player([], [], 0, 1), []]),
    ("xsilly", [0, [], [], 0, None]),
    ("xattack", [[0, [], [], 0, []], [0, 0]]),
    ("xstep", [0, [], [], 1]),
    ("xstep", None),
]


@pytest.mark.every(2, "program")
@pytest.mark.parametrize(("program", "value"), [*WRONG.items(), *ODD])
def test_what_is_refused_gets_the_line_of_the_program_that_it_looks_like(program: str, value: Json) -> None:
    given = json_bytes(value)
    assert program_for(value) == program
    theirs = run(program, given=given)
    assert theirs.status == 65
    assert run("xgui", given=given) == theirs


def test_what_is_no_json_is_refused() -> None:
    assert run("xgui", given=b"[1") == (
        b"",
        b"xgui: not JSON at byte 2 (line 1, column 3): the value is cut off\n",
        65,
    )
    assert run("xgui", given=b"17").err.startswith(b"xstep: input: expected a configuration")
    assert run("xgui", given=b"[" * 3000 + b"]" * 3000).status == 65


def test_a_page_that_is_not_opened_has_its_path_printed(tmp_path: Path) -> None:
    line = 'TMPDIR="$1" "$2" --no-open <"$3"'
    outcome = shell(line, tmp_path, BIN / "xgui", FIXTURES / f"{CASE}-in.json")
    (page,) = tmp_path.glob("xgui-*.html")
    assert outcome == (f"{page}\n".encode(), b"", 0)
    named = shell(
        '"$1" --no-open --html "$2" <"$3"', BIN / "xgui", tmp_path / "p", FIXTURES / f"{CASE}-in.json"
    )
    assert named == (f"{tmp_path}/p\n".encode(), b"", 0)


def at_a_terminal(tmp_path: Path, browser: str) -> str:
    """What xgui without options prints at a terminal, with this as the browser."""
    master, slave = pty.openpty()
    line = 'unset DISPLAY WAYLAND_DISPLAY BROWSER; [ -z "$2" ] || export BROWSER="$2"; exec "$1" <"$3"'
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    command: list[str | Path] = ["sh", "-c", line, "sh", BIN / "xgui", browser, FIXTURES / f"{CASE}-in.json"]
    done = subprocess.run(command, stdout=slave, stderr=slave, env=environment, check=False, timeout=30)
    os.close(slave)
    assert done.returncode == 0
    try:
        return os.read(master, 4096).decode()
    except OSError:
        return ""
    finally:
        os.close(master)


@pytest.mark.needs("terminal")
def test_at_a_terminal_a_page_is_opened_in_the_browser(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    printed = at_a_terminal(tmp_path, f"{browser} %s").strip()
    (page,) = tmp_path.glob("xgui-*.html")
    assert printed == str(page)
    assert (tmp_path / "opened").read_text() == f"{page.as_uri()}\n"


@pytest.mark.needs("terminal")
def test_without_a_browser_the_path_is_printed(tmp_path: Path) -> None:
    printed = at_a_terminal(tmp_path, "").strip()
    assert [printed] == [str(page) for page in tmp_path.glob("xgui-*.html")]


def test_nothing_else_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "mine.svg").write_text("mine")
    outcome = run("xgui", "--svg", str(tmp_path / "mine.svg"), given=GIVEN)
    assert outcome.status == 2
    assert "is something else" in outcome.err.decode()
    assert (tmp_path / "mine.svg").read_text() == "mine"
    missing = run("xgui", "--html", str(tmp_path / "no/page.html"), given=GIVEN)
    assert missing.status == 2
    assert b"cannot write " in missing.err
    assert run("xgui", "--html", "/dev/null", "--svg", "/dev/null", given=GIVEN) == (b"", b"", 0)
    assert Path("/dev/null").is_char_device()
    assert not Path("/dev/null-player").exists()
    full = run("xgui", "--html", "/dev/full", given=GIVEN)
    assert (full.out, full.status) == (b"", 74)
    assert full.err == b"xgui: cannot write: /dev/full: No space left on device\n"


def test_wrong_uses_of_xgui_are_told(tmp_path: Path) -> None:
    for options in (["--svg", "-"], ["--view", "nobody"], ["case.json"], ["--nonsense"]):
        outcome = run("xgui", *options, given=GIVEN)
        assert (outcome.out, outcome.status) == (b"", 2)
        assert outcome.err.startswith(b"Usage: xgui ")
    for way in ("", "--html -", "--svg - --view dealer"):
        closed = shell(f'"$1" {way} <"$2" >&-', BIN / "xgui", FIXTURES / f"{CASE}-in.json")
        assert closed == Outcome(b"", b"", 74)


# --- harness show ----------------------------------------------------------------------------------------


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A program that changes nothing."""
    (tmp_path / "xstep").write_text("#!/bin/sh\ncat\n")
    (tmp_path / "xstep").chmod(0o755)
    return tmp_path


def test_a_case_is_shown_with_what_a_program_prints(wrong: Path) -> None:
    done = harness(wrong, "show", CASE, "--bin", ".")
    assert done.returncode == 1
    assert [line for line in done.stdout.splitlines() if line in ("Before", "Expected", "Printed")]
    assert "watering hole ●● 3≠2" in done.stdout
    assert "watering hole ●●● 2≠3" in done.stdout
    assert "What differs\n\n  watering hole: 3, should be 2\n" in done.stdout
    by_file = harness(wrong, "show", CASE, "--program", "./xstep")
    assert (by_file.stdout, by_file.returncode) == (done.stdout, 1)


def test_a_case_is_shown_by_itself(tmp_path: Path) -> None:
    done = harness(tmp_path, "show", CASE)
    assert done.returncode == 0
    assert "Before\n" in done.stdout
    assert "Expected\n" in done.stdout
    assert "Printed" not in done.stdout
    right = harness(tmp_path, "show", CASE, "--bin", str(BIN))
    assert right.returncode == 0
    assert "≠" not in right.stdout


def test_an_answer_without_a_picture_is_told_in_words(tmp_path: Path) -> None:
    done = harness(tmp_path, "show", "xattack/hard-shell-difference-three")
    assert done.stdout.endswith("Expected\n\nfalse\n")


def test_the_pictures_of_a_case_are_all_as_wide_as_they_must_be(tmp_path: Path) -> None:
    assert harness(tmp_path, "show", CASE, "--bin", str(BIN), "--svg", "case.svg").returncode == 0
    drawn = (tmp_path / "case.svg").read_text()
    assert 'viewBox="0 0 690 ' in drawn, "which is one board each"
    assert 'class="e-panel" transform="translate(468 0)"' in drawn


def test_of_an_answer_that_nobody_would_read_to_its_end_the_beginning_is_shown(tmp_path: Path) -> None:
    (tmp_path / "xattack").write_text("#!/bin/sh\nhead -c 1000000 /dev/zero | tr '\\0' x\n")
    (tmp_path / "xattack").chmod(0o755)
    case = str(FIXTURES / "xattack" / "hard-shell-difference-three")
    shown = harness(tmp_path, "show", case, "--program", "./xattack")
    assert shown.returncode == 1
    assert "xxx…\n" in shown.stdout
    assert len(shown.stdout) < 10_000


def test_show_refuses_what_is_no_input(tmp_path: Path) -> None:
    (tmp_path / "bad-in.json").write_text("[[],1,[]]")
    (tmp_path / "bad-out.json").write_text("")
    done = harness(tmp_path, "show", "bad")
    assert done.returncode == 65
    assert done.stderr == "harness: bad-in.json: [0]: expected 1 to 8 players, found 0\n"
    for options in (["nowhere"], [CASE, "--bin", ".", "--program", "./x"], [CASE, "--program", "./none"]):
        assert harness(tmp_path, "show", *options).returncode == 2
