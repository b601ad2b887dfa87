"""A player that speaks the remote protocol: a command, or whoever is at the other end of a socket."""

import os
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from evolution.choices import Eat, State
from evolution.hosting.asked import NoAnswer
from evolution.hosting.speaker import Speaker
from evolution.player import Start
from tests.evolution.tools import board

STATE = State(0, [board(population=2), board(population=2)], [], 3, [])


@pytest.fixture
def speakers() -> Iterator[list[Speaker]]:
    made: list[Speaker] = []
    yield made
    for speaker in made:
        speaker.close()


def command(speakers: list[Speaker], text: str, seconds: float = 20) -> Speaker:
    """A shell that runs this."""
    speakers.append(Speaker.of_command(["/bin/sh", "-c", text], seconds))
    return speakers[-1]


def test_a_command_signs_up_and_answers_through_its_standard_streams(speakers: list[Speaker]) -> None:
    speaker = command(
        speakers, """printf '"me"'; read ok; read start; read state; echo "$ok" >&2; printf 1; sleep 60"""
    )
    speaker.load()
    speaker.start(Start(0, 0, [], []))
    choice = speaker.feed_next(STATE)  # a number that is complete since nothing follows
    assert isinstance(choice, Eat)
    assert choice.board == 1
    assert speaker.changed is None


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("exit 3", "its process has ended"),
        ("echo 7; sleep 60", "it did not sign up with a string"),
        ("echo hello; sleep 60", "it sent what is not JSON"),
        ("""echo '"me"'; read ok; read state; echo 0 1; sleep 60""", "it said more than its answer"),
        ("""echo '"me" 0'; sleep 60""", "it spoke without being asked"),
        ("""echo '"me"'; read ok; read state; echo '"x"'; sleep 60""", "its answer is malformed"),
        (
            """echo '"me"'; read ok; read state; printf '"'; head -c 2000000 /dev/zero | tr '\\0' x""",
            "its answer is too long",
        ),
    ],
)
def test_a_command_that_does_not_keep_to_the_protocol_gives_no_answer(
    speakers: list[Speaker], text: str, reason: str
) -> None:
    with pytest.raises(NoAnswer, match=f"^{reason}"):
        command(speakers, text).feed_next(STATE)


def test_a_command_that_is_silent_has_its_time_and_is_ended(speakers: list[Speaker], tmp_path: Path) -> None:
    speaker = command(speakers, "exec sleep 60", 0.1)
    pid = speaker.pid
    with pytest.raises(NoAnswer, match=r"^no answer within 0.1 s$"):
        speaker.load()
    speaker.thrown_out("too slow")
    assert not os.path.exists(f"/proc/{pid}") or sys.platform != "linux"


def test_a_client_at_a_socket_is_sent_the_next_message_when_it_has_read_the_one_before(
    speakers: list[Speaker],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        here = socket.create_connection(listener.getsockname())
        there = listener.accept()[0]
    there.settimeout(5)
    speakers.append(Speaker.of_socket(here.detach(), 20))

    def read_slowly() -> list[bytes]:
        pieces = []
        for _ in range(2):
            time.sleep(0.05)
            pieces.append(there.recv(1000))
        return pieces

    with there, ThreadPoolExecutor(1) as thread:
        pieces = thread.submit(read_slowly)
        speakers[0].start(Start(0, 0, [], []))
        asked = thread.submit(there.sendall, b"[0,[],[],[],[]]")
        assert speakers[0].choose([], []).food_card == 0
        asked.result()
        assert pieces.result() == [b"[0,0,[],[]]\n", b"[[],[]]\n"]


def test_a_client_at_a_socket_answers_and_is_let_go(speakers: list[Speaker]) -> None:
    here, there = socket.socketpair()
    speakers.append(Speaker.of_socket(here.detach(), 20))
    there.sendall(b" ")
    speakers[0].start(Start(0, 0, [], []))
    assert there.recv(100) == b"[0,0,[],[]]\n"
    there.sendall(b"1\n")
    with pytest.raises(NoAnswer, match=r"^it spoke without being asked$"):
        speakers[0].feed_next(STATE)
    speakers[0].close()
    assert there.recv(100) == b""
    there.close()
