"""The command line of `harness run`: read, refused, and with streams closed."""

import os
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.programs.test_startup import Checkout, checkout
from tests.running.test_run import HARNESS, case, harness, place, records, verdicts
from tests.support.helpers import BIN, PATIENCE, SAMPLES, json_bytes, run, shell
from tests.support.keeper import write_program

__all__ = ["checkout", "place"]

# --- what is typed --------------------------------------------------------------------------------


def test_a_run_loads_nothing_that_it_does_not_need(checkout: Checkout, tmp_path: Path) -> None:
    case(tmp_path / "cases" / "a", "1", "1")
    command = ("run", "--sandbox", "off", "--program", "/bin/cat", str(tmp_path / "cases"))
    outcome, loaded = checkout.start("harness", *command, given=b"")
    assert outcome.status == 0
    assert outcome.out.endswith(b"\n1 passed, 0 failed\n")
    heavy = {"asyncio", "deepdiff", "jinja2", "json", "orjson", "rich", "site", "socket", "subprocess"}
    assert loaded & heavy == set()


def test_an_option_can_be_written_in_two_ways(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    case(place / "cases" / "b", "1", "2")
    apart, joined = (
        harness(place, "--program", "/bin/cat", "cases"),
        harness(place, "--program=/bin/cat", "cases"),
    )
    assert (apart.stdout, apart.returncode) == (joined.stdout, joined.returncode)
    apart, joined = harness(place, "--bin", "x", "cases"), harness(place, "--bin=x", "cases")
    assert apart.stderr == joined.stderr
    assert "Error: --bin: x is not a directory\n" in apart.stderr
    assert {done.returncode for done in (apart, joined, harness(place, "--bin", "cases"))} == {2}


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e400", "0", "-1", "", "ten"])
def test_a_time_limit_is_a_number_of_seconds(place: Path, value: str) -> None:
    case(place / "cases" / "a", "1", "1")
    done = harness(place, "--program", "/bin/cat", "--timeout", value, "cases")
    assert done.returncode == 2
    assert "Invalid value for '--timeout'" in done.stderr
    assert done.stdout == ""


# --- files that are not the journal --------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [b"dear diary", b"dear diary\n", b'{"v":1}\n', b"[1]\n", b'{"v":1,"case":"a"}\n{"v":', b"\0" * 9000],
    ids=repr,
)
def test_a_file_that_is_no_journal_is_neither_continued_nor_changed(place: Path, content: bytes) -> None:
    case(place / "cases" / "a", "1", "1")
    (place / "diary").write_bytes(content)
    done = harness(place, "--resume", "diary", "--program", "/bin/cat", "cases")
    assert done.returncode == 2
    assert "not a line of a journal" in done.stderr
    assert (place / "diary").read_bytes() == content


def test_a_file_that_is_no_journal_is_not_overwritten_by_one(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    (place / "diary").write_text("dear diary")
    for name in ("diary", "cases/a-out.json", "cases/b-out.json"):
        before = (place / name).read_text() if (place / name).exists() else None
        done = harness(place, "--program", "/bin/cat", "--json", name, "cases")
        assert done.returncode == 2, name
        assert name in done.stderr
        assert ((place / name).read_text() if (place / name).exists() else None) == before


def test_an_older_journal_is_replaced_and_a_device_will_do(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    for _ in range(2):
        assert harness(place, "--program", "/bin/cat", "--json", "j", "cases").returncode == 0
    assert len(records(place / "j")) == 1
    assert harness(place, "--program", "/bin/cat", "--json", "/dev/null", "cases").returncode == 0


def test_an_empty_journal_does_not_say_what_to_run(place: Path) -> None:
    (place / "j").write_text("")
    done = harness(place, "--resume", "j")
    assert done.returncode == 2
    assert (
        "j: no case had ended, so it does not say what was run: give the paths and options again"
        in done.stderr
    )


def test_a_journal_that_is_being_written_is_refused_to_a_second_run(place: Path) -> None:
    waits = f"#!/bin/sh\ntouch {place}/begun\nwhile ! [ -e {place}/over ]; do sleep 0.05; done\ncat\n"
    write_program(place / "waits", waits)
    case(place / "cases" / "a", "1", "1")
    options = ("--sandbox", "off", "--timeout", "500", "--program", "waits", "cases", "--json", "j")
    with subprocess.Popen([HARNESS, "run", *options], cwd=place, stdout=subprocess.PIPE) as first:
        while not (place / "begun").exists():
            assert first.poll() is None
            time.sleep(0.02)
        second = harness(place, "--program", "/bin/cat", "--json", "j", "cases")
        resumed = harness(place, "--program", "/bin/cat", "--resume", "j", "cases")
        (place / "over").touch()
        first.communicate(timeout=PATIENCE)
    for refused in (second, resumed):
        assert refused.returncode == 2
        assert refused.stderr.endswith("Error: j: another run is writing to it\n")
    assert first.returncode == 0
    assert len(records(place / "j")) == 1


def test_a_journal_does_not_go_to_standard_output(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    done = harness(place, "--program", "/bin/cat", "--json", "-", "cases")
    assert done.returncode == 2
    assert done.stderr.endswith("Error: --json: a journal goes to a file, not to standard output (-)\n")
    assert not (place / "-").exists()


def test_a_journal_that_cannot_be_written_is_named(place: Path) -> None:
    case(place / "cases" / "a", "1", "1")
    done = harness(place, "--program", "/bin/cat", "--json", "/dev/full", "cases")
    assert done.returncode == 74
    assert done.stderr == "harness: cannot write: /dev/full: No space left on device\n"


# --- streams -------------------------------------------------------------------------------------


@pytest.mark.every(2, "expected")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("expected", ["1", "2"])
def test_a_run_needs_none_of_its_standard_streams(place: Path, closed: str, expected: str) -> None:
    for number in range(3):
        case(place / "cases" / f"a{number}", "1", expected)
    line = f'"$1" run --sandbox off --program /bin/cat --json j cases {closed}'
    outcome = shell(line, HARNESS, cwd=place)
    unheard = ">&-" in closed.split()
    assert outcome.status == (74 if unheard else 0 if expected == "1" else 1)
    assert outcome.err == b""
    assert set(verdicts(place / "j").values()) == {"pass" if expected == "1" else "wrong answer"}


def test_a_closed_pipe_ends_a_run_quietly(place: Path) -> None:
    for number in range(40):
        case(place / "cases" / f"a{number}", "1", "2")
    line = '{ "$1" run --sandbox off --program /bin/cat cases; echo $? >status; } | head -n 1'
    outcome = shell(line, HARNESS, cwd=place)
    assert outcome.out.count(b"\n") == 1
    assert outcome.err == b""
    assert (place / "status").read_text() == "74\n"


@pytest.mark.parametrize("options", [(), ("--stream",)], ids=["one", "stream"])
def test_a_standard_input_that_does_not_block_is_waited_for(options: tuple[str, ...]) -> None:
    name, value = SAMPLES["situation"]
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with subprocess.Popen(
        [BIN / name, *options], stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as started:
        os.close(reading)
        text = json_bytes(value)
        for piece in (text[:20], text[20:]):
            time.sleep(0.1)  # so that there is nothing to read for a while
            os.write(writing, piece)
        os.close(writing)
        out, err = started.communicate(timeout=PATIENCE)
    assert (out, err, started.returncode) == run(name, given=text)


@pytest.mark.alone
def test_an_interrupt_while_it_starts_ends_it_without_a_traceback(place: Path) -> None:
    """But for the one of an interpreter that has not begun with anything of ours."""
    write_program(place / "bin" / "slow", "#!/bin/sh\nsleep 600\n")
    case(place / "cases" / "slow" / "a", "1", "1")
    command = [HARNESS, "run", "--bin", "bin", "--sandbox", "off", "--timeout", "100", "cases"]
    endings: Counter[int] = Counter()
    for attempt in range(12):
        with subprocess.Popen(command, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            time.sleep(0.03 + 0.008 * attempt)
            run.send_signal(signal.SIGINT)
            _, err = run.communicate(timeout=PATIENCE)
        assert b"harness" not in err
        endings[run.returncode] += b"KeyboardInterrupt" not in err
    assert set(+endings) <= {130, -signal.SIGINT}
