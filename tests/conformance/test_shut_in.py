"""Servers, clients and players of others are shut in: a network of their own, a short environment."""

import os
import shlex
import socket
import subprocess
from pathlib import Path

import pytest

from tests.support.helpers import BIN, PATIENCE, ROOT

RUNGS = [
    pytest.param("bwrap", marks=pytest.mark.needs("sandbox")),
    pytest.param("landlock", marks=pytest.mark.needs("landlock")),
]
PYTHON = "/usr/bin/python3"
SECRET = "a-secret-word"

# A server that first tells what it can reach, and then does what every server does: listen.
SERVER = """
import os, socket, sys
port, other = map(int, sys.argv[1:])
def tell(what, action):
    try:
        print(what, "reached", action(), file=sys.stderr)
    except OSError as problem:
        print(what, "failed", file=sys.stderr)
tell("other", lambda: socket.create_connection(("127.0.0.1", other), 5))
tell("users", lambda: open("/etc/shadow"))
tell("checkout", lambda: open(ROOT + "/README.md"))
tell("first", lambda: open("/proc/1/mem", "r+b"))
print("environment", sorted(os.environ), file=sys.stderr)
with socket.create_server(("127.0.0.1", port)) as server:
    print("listening reached", file=sys.stderr)
    server.accept()[0].recv(100)
"""

PLAYER = """
import os, socket, sys
from evolution import Silly
for action in (
    lambda: socket.create_connection(("127.0.0.1", PORT), 5),
    lambda: open(os.path.join(ROOT, "README.md")),
    lambda: open(__file__, "a"),
    lambda: open("/proc/1/mem", "r+b"),
    lambda: os.environ["SECRET"],
):
    try:
        action()
        print("reached", file=sys.stderr)
    except (OSError, KeyError):
        print("failed", file=sys.stderr)
class Hostile(Silly):
    pass
"""


def run(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    environment = os.environ | {"SECRET": SECRET}
    return subprocess.run(
        words, capture_output=True, text=True, check=False, timeout=PATIENCE, cwd=ROOT, env=environment
    )


@pytest.mark.every(2, "rung")
@pytest.mark.parametrize("rung", RUNGS)
def test_a_server_reaches_us_and_nobody_else(tmp_path: Path, rung: str) -> None:
    file = tmp_path / "server.py"
    file.write_text(f"ROOT = {str(ROOT)!r}\n{SERVER}")
    with socket.create_server(("127.0.0.1", 0)) as other:
        command = f"{PYTHON} {shlex.quote(str(file))} {{port}} {other.getsockname()[1]}"
        done = run(BIN / "harness", "remote", "--server", command, "--sandbox", rung, "-k", "signs-up",
                   "--patience", "5", "--wait", "1")  # fmt: skip
        other.settimeout(0)
        with pytest.raises(BlockingIOError):
            other.accept()
    said = [line.partition("| ")[2] for line in done.stdout.splitlines() if "stderr |" in line]
    assert [line for line in said if "reached" in line] == ["listening reached"], done.stdout + done.stderr
    assert {line.split()[0] for line in said if "failed" in line} == {"other", "users", "checkout", "first"}
    (environment,) = (line for line in said if line.startswith("environment"))
    assert "SECRET" not in environment
    assert "PATH" in environment
    assert "no network but this test's" in done.stdout


@pytest.mark.every(2, "rung")
@pytest.mark.parametrize("rung", RUNGS)
@pytest.mark.parametrize("side", ["server", "client"])
def test_our_own_play_as_well_shut_in(rung: str, side: str) -> None:
    commands = {
        "server": "bin/xserver --port {port} --max 3 --timeout 30",
        "client": "bin/xclient --port {port} --name {name}",
    }
    more = ("--sandbox", rung, "--timeout", "30", "-k", "signs-up", "-k", "scores", "-k", "ends")
    done = run(BIN / "harness", "remote", f"--{side}", commands[side], *more)
    assert done.returncode == 0, done.stdout


@pytest.mark.needs("sandbox")
def test_an_address_of_others_is_not_there_in_the_sandbox() -> None:
    done = run(BIN / "harness", "remote", "--client", "true", "--host", "192.0.2.1", "--sandbox", "on")
    assert done.returncode == 2
    assert "--host 192.0.2.1: in the sandbox there is only 127.0.0.1" in done.stderr


@pytest.mark.every(2, "rung")
@pytest.mark.parametrize("rung", RUNGS)
def test_a_player_reaches_nothing_but_the_game(tmp_path: Path, rung: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        file = tmp_path / "hostile.py"
        file.write_text(f"ROOT, PORT = {str(ROOT)!r}, {other.getsockname()[1]}\n{PLAYER}")
        done = run(BIN / "xmain", "3", "--players", f"{file}:Hostile", "--sandbox", rung)
    assert done.stderr.splitlines() == ["failed"] * 5
    assert done.stdout == run(BIN / "xmain", "3").stdout
