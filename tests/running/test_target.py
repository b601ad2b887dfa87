"""Programs that are asked one input after the other, started for each or once for all."""

import time
from pathlib import Path

import pytest

from harness.judging.verdicts import CRASHED, TIMEOUT, TOO_MUCH
from harness.running.limits import Limits
from harness.running.target import StreamTarget, Target, speaks_stream
from tests.support.helpers import BIN, SAMPLE_OF, json_bytes

SAMPLE = json_bytes(SAMPLE_OF["xattack"])
OTHER = json_bytes([*SAMPLE_OF["xattack"][:2], False, False])


def script(folder: Path, text: str) -> str:
    path = folder / "program"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_target_answers_as_the_program_does() -> None:
    with Target(str(BIN / "xattack")) as target:
        for _ in range(3):
            outcome = target.answer(SAMPLE)
            assert (outcome.ended, outcome.exit, outcome.stdout) == (None, 0, b"true\n")


def test_a_target_keeps_to_its_limits(tmp_path: Path) -> None:
    with Target(script(tmp_path, "sleep 60"), Limits(seconds=0.2)) as target:
        began = time.monotonic()
        assert target.answer(b"1").ended == TIMEOUT
        assert time.monotonic() - began < 10


def test_a_target_outlives_its_program(tmp_path: Path) -> None:
    with Target(script(tmp_path, 'read line; [ "$line" = 1 ] && kill -9 $$; echo fine')) as target:
        assert [target.answer(data).ended for data in (b"1\n", b"2\n")] == [CRASHED, None]


def test_a_target_whose_worker_is_killed_goes_on(tmp_path: Path) -> None:
    path = script(tmp_path, 'read line; [ "$line" = 1 ] && kill -9 $PPID; echo fine')
    with Target(path) as target:
        assert target.answer(b"1\n").ended == CRASHED
        assert target.answer(b"2\n").stdout == b"fine\n"


def test_a_target_leaves_nothing_behind(tmp_path: Path) -> None:
    target = Target(script(tmp_path, "pwd; touch here"))
    folder = Path(target.answer(b"").stdout.decode().strip()).parent
    assert folder.exists()
    target.close()
    assert not folder.exists()


def test_many_can_be_asked_at_once(tmp_path: Path) -> None:
    targets = [Target(script(tmp_path, "sleep 0.3; cat")) for _ in range(4)]
    began = time.monotonic()
    for number, target in enumerate(targets):
        target.ask(str(number).encode())
    assert [target.take().stdout for target in targets] == [b"0", b"1", b"2", b"3"]
    assert time.monotonic() - began < 10
    for target in targets:
        target.close()


def test_a_stream_answers_as_many_starts_do() -> None:
    inputs = [SAMPLE, OTHER] * 500
    with StreamTarget(str(BIN / "xattack")) as stream:
        lines = [outcome.stdout for outcome in stream.answers(inputs)]
        assert lines == [b"true", b"true"] * 500
        assert stream.answer(b"[\n]").stdout == b""  # refused, but answered


def test_a_stream_that_ends_is_started_again(tmp_path: Path) -> None:
    path = script(tmp_path, 'while read line; do [ "$line" = 1 ] && exit 3; echo "$line"; done')
    with StreamTarget(path) as stream:
        outcomes = stream.answers([b"0", b"1", b"2", b"1", b"3"])
        assert [outcome.ended for outcome in outcomes] == [None, CRASHED, None, CRASHED, None]
        assert [outcome.stdout for outcome in outcomes] == [b"0", b"", b"2", b"", b"3"]


def test_a_stream_that_hangs_is_started_again(tmp_path: Path) -> None:
    path = script(tmp_path, 'while read line; do [ "$line" = 1 ] && sleep 60; echo "$line"; done')
    with StreamTarget(path, Limits(seconds=0.5)) as stream:
        outcomes = stream.answers([b"0", b"1", b"2"])
        assert [outcome.ended for outcome in outcomes] == [None, TIMEOUT, None]


def test_a_stream_that_never_ends_its_line_is_stopped(tmp_path: Path) -> None:
    with StreamTarget(script(tmp_path, "yes | tr -d '\\n'"), Limits(output=1 << 20)) as stream:
        assert stream.answer(b"0").ended == TOO_MUCH


def test_our_programs_speak_stream() -> None:
    assert speaks_stream(str(BIN / "xattack"), [SAMPLE, OTHER])


@pytest.mark.parametrize("text", ["cat > /dev/null; echo true", "exit 1", "read line; echo true"])
def test_a_program_that_answers_once_does_not(tmp_path: Path, text: str) -> None:
    assert not speaks_stream(script(tmp_path, text), [SAMPLE, OTHER], Limits(seconds=0.5))
