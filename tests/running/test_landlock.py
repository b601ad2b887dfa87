"""Landlock: what is not allowed is refused, to a process and to all that it starts."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import playwright
import pytest

from harness.running.landlock import Allowed, not_held, version, with_something_hidden, without

pytestmark = pytest.mark.needs("landlock")
SYSTEM = ("/usr", "/bin", "/lib", "/lib64", "/etc", sys.prefix, sys.base_prefix)
SHUT_IN = """
import json, os, sys
from harness.running.landlock import Allowed, restrict, ruleset
from harness.running.seccomp import enter
read, write, port, *command = json.loads(sys.argv[1])
restrict(ruleset(Allowed(tuple(read), tuple(write), port)))
enter("tcp" if port else "none", marking=False)
os.execvp(command[0], command)
"""


def shut_in(allowed: Allowed, *command: str) -> "subprocess.CompletedProcess[str]":
    told = json.dumps([[*SYSTEM, *allowed.read], allowed.write, allowed.port, *command])
    words = [sys.executable, "-c", SHUT_IN, told]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)


def test_only_what_is_allowed_can_be_read(tmp_path: Path) -> None:
    for name in ("shown", "hidden"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(f"{name}\n")
    allowed = Allowed((str(tmp_path / "shown"),))
    told = shut_in(allowed, "sh", "-c", f"cd {tmp_path}; cat shown/file hidden/file; ls . hidden /proc")
    assert told.stdout == "shown\n"
    assert told.stderr.count("Permission denied") == 4


def test_only_scratch_can_be_written(tmp_path: Path) -> None:
    for name in ("scratch", "shown"):
        (tmp_path / name).mkdir()
    (tmp_path / "shown" / "kept").write_text("kept")
    allowed = Allowed((str(tmp_path / "shown"),), (str(tmp_path / "scratch"),))
    source = """
import os, subprocess
os.chdir("scratch")
open("a", "w").write("made")
os.mkdir("folder")
os.rename("a", "folder/b")
print(open("folder/b").read())
attempts = (
    lambda: open("../shown/new", "w"),
    lambda: open("../shown/kept", "a"),
    lambda: os.truncate("../shown/kept", 0),
    lambda: os.open("../shown/kept", os.O_RDONLY | os.O_TRUNC),
    lambda: os.unlink("../shown/kept"),
    lambda: os.rename("../shown/kept", "kept"),
    lambda: os.link("../shown/kept", "kept"),
    lambda: os.mkdir("../other"),
    lambda: os.symlink("/", "../other"),
    lambda: open("/dev/shm/other", "w"),
    lambda: os.mknod("device", 0o20666, 1 << 8 | 3),
    lambda: os.setxattr("../shown/kept", "user.a", b"b"),
)
for attempt in attempts:
    try:
        attempt()
    except OSError:
        continue
    print("succeeded:", attempts.index(attempt))
os.chmod("../shown/kept", 0)
os.utime("../shown/kept", (0, 0))
"""
    (tmp_path / "shown" / "program.py").write_text(f"import os\nos.chdir({str(tmp_path)!r})\n{source}")
    before = (tmp_path / "shown" / "kept").stat()
    told = shut_in(allowed, sys.executable, str(tmp_path / "shown" / "program.py"))
    assert (told.stdout, told.stderr) == ("made\n", "")
    assert (tmp_path / "shown" / "kept").stat() == before


def test_others_get_no_signals(tmp_path: Path) -> None:
    told = shut_in(Allowed(()), "sh", "-c", f"kill -0 $$ && echo itself; kill -0 {os.getpid()}")
    assert told.stdout == "itself\n"
    assert "not permitted" in told.stderr


def test_other_processes_are_not_looked_into() -> None:
    """Not even where all of /proc is allowed, nor by somebody with the same uid."""
    files = [f"/proc/{os.getpid()}/{name}" for name in ("environ", "mem", "maps")]
    assert shut_in(Allowed(("/proc",)), "cat", *files).stderr.count("Permission denied") == 3
    assert shut_in(Allowed(()), "cat", f"/proc/{os.getpid()}/cmdline").stdout == ""


def test_of_all_ports_only_the_given_one_can_be_reached() -> None:
    source = """
import socket, sys
for port in map(int, sys.argv[1:]):
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
        print("reached")
    except OSError as problem:
        print(problem.strerror)
for kind in (socket.SOCK_DGRAM, socket.SOCK_RAW):
    try:
        socket.socket(socket.AF_INET, kind)
    except OSError as problem:
        print(problem.strerror)
with socket.socket() as other:
    try:
        other.bind(("127.0.0.1", 0))
    except OSError as problem:
        print(problem.strerror)
"""
    with socket.create_server(("127.0.0.1", 0)) as given, socket.create_server(("127.0.0.1", 0)) as other:
        ports = [str(server.getsockname()[1]) for server in (given, other)]
        told = shut_in(Allowed((), (), int(ports[0])), sys.executable, "-c", source, *ports)
        assert told.stdout.splitlines() == ["reached", *["Permission denied"] * 4]
        told = shut_in(Allowed(()), sys.executable, "-c", source, *ports)
        assert told.stdout.splitlines()[:2] == ["Address family not supported by protocol"] * 2


def test_what_is_hidden_in_a_folder_is_left_out(tmp_path: Path) -> None:
    for name in ("bin", "tests/open", "tests/hidden"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "link").symlink_to("tests/hidden")
    assert list(without(str(tmp_path), [])) == [str(tmp_path)]
    assert list(without(str(tmp_path), [str(tmp_path)])) == []
    allowed = list(without(str(tmp_path), [str(tmp_path / "tests" / "hidden")]))
    assert allowed == [str(tmp_path / "bin"), str(tmp_path / "tests" / "open")]
    listed = with_something_hidden(str(tmp_path), [str(tmp_path / "tests" / "hidden"), "/elsewhere"])
    assert list(listed) == [str(tmp_path / "tests"), str(tmp_path)]


def test_an_older_kernel_holds_less_and_that_is_told() -> None:
    assert set(not_held(False, 7)) < set(not_held(False, 5)) < set(not_held(False, 3))
    assert not_held(True, 5) == not_held(True, version())


@pytest.mark.needs("browser")  # whose driver brings a Node.js along
def test_usual_interpreters_start() -> None:
    node = shutil.which("node") or str(Path(playwright.__file__).parent / "driver" / "node")
    for command in ([node, "-e", "console.log(42)"], ["perl", "-e", "print 42"]):
        assert shut_in(Allowed(()), *command).stdout.strip() == "42"
