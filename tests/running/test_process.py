"""Programs that go on running beside this one: asked, waited for, and gone with all that they started."""

import os
import sys
import time
from pathlib import Path

import pytest

from harness.judging.verdicts import CRASHED, TIMEOUT, TOO_MUCH
from harness.running.process import LineProcess, Process, public_environment
from harness.running.worker import Settings, Worker
from harness.running.worker_process import WorkerProcess

# Says who it is, starts a child that does nothing, and waits.
FAMILY = """
import os, sys, time
child = os.fork()
if child:
    print(os.getpid(), child, flush=True)
time.sleep(600)
"""
ECHO = """
import sys
for line in sys.stdin:
    if line.startswith("die"):
        break
    if line.startswith("sleep"):
        import time
        time.sleep(600)
    if line.startswith("shout"):
        print("x" * 100_000, end="", flush=True)
    print(line.strip().upper(), flush=True)
"""


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat") as stat:  # one that nobody has waited for is gone as well
        return stat.read().rpartition(")")[2].split()[0] != "Z"


def wait_until_gone(pid: int) -> None:
    give_up = time.monotonic() + 60
    while exists(pid):
        assert time.monotonic() < give_up, f"{pid} is still there"
        time.sleep(0.01)


@pytest.fixture
def nowhere() -> int:
    return os.open(os.devnull, os.O_RDWR)


def test_a_process_takes_what_it_has_started_along(tmp_path: Path, nowhere: int) -> None:
    with open(tmp_path / "out", "w+b") as out:
        with Process([sys.executable, "-c", FAMILY], nowhere, out.fileno(), nowhere) as process:
            assert process.wait(0.0) is None, "it does not end by itself"
            while not (tmp_path / "out").read_text().endswith("\n"):
                time.sleep(0.01)
        pid, child = map(int, (tmp_path / "out").read_text().split())
        assert pid == process.pid
        assert process.status == -9
        wait_until_gone(child)


def test_the_status_of_a_process_is_known_when_it_has_ended(nowhere: int) -> None:
    with Process(["sh", "-c", "exit 3"], nowhere, nowhere, nowhere) as process:
        assert process.wait(60) == 3
    assert process.status == 3, "and stays"


def test_what_cannot_be_started_is_an_error_and_leaves_no_descriptor(nowhere: int) -> None:
    before = len(os.listdir("/dev/fd"))
    with pytest.raises(FileNotFoundError):
        LineProcess(["/no/such/program"], nowhere)
    assert len(os.listdir("/dev/fd")) == before


def test_lines_are_answered_in_order_and_the_end_has_a_verdict(nowhere: int) -> None:
    def told(*inputs: bytes, seconds: float = 60, most: int = 1 << 20) -> tuple[list[bytes], str]:
        with LineProcess([sys.executable, "-c", ECHO], nowhere) as process:
            return process.answers(inputs, seconds, most)

    assert told(b"a", b"b\nc", b"d") == ([b"A", b"B C", b"D"], "")
    assert told(b"a", b"die", b"b") == ([b"A"], CRASHED)
    assert told(b"a", b"sleep", b"b", seconds=2) in (([b"A"], TIMEOUT), ([], TIMEOUT))
    assert told(b"a", b"shout", b"b", most=1000)[1] == TOO_MUCH


def test_secrets_are_not_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_API_KEY", "1")
    monkeypatch.setenv("MY_KEYBOARD", "2")
    assert "MY_API_KEY" not in public_environment()
    assert public_environment()["MY_KEYBOARD"] == "2"


class Doubling(Worker):
    """A worker that doubles numbers, and dies of nothing."""

    def result(self, message: object) -> object:
        assert isinstance(message, int)
        if not message:
            os._exit(7)
        return 2 * message


def test_a_worker_answers_and_one_that_has_died_is_replaced() -> None:
    from harness.running.limits import Limits

    worker = WorkerProcess(Settings(Limits()), "doubling", Doubling)
    worker.start()
    first = worker.pid
    for number in (1, 2):
        worker.send(number)
        assert worker.take() == 2 * number
    worker.send(0)
    assert worker.take() is None
    assert worker.restart() == 7
    assert worker.pid != first
    worker.send(21)
    assert worker.take() == 42
    second = worker.pid
    worker.close()
    assert not exists(second)
