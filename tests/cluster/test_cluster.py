"""Grading on a cluster of real processes of Dask's: the same grades as at home, whatever happens to it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from shlex import quote
from threading import Thread

import pytest

from tests.support.dask_processes import DaskCluster
from tests.support.grading_helpers import PATIENCE, harness, lines, started
from tests.support.helpers import BIN, ROOT, copied_checkout
from tests.support.keeper import visible_folder, wait_until, write_case, write_program
from tests.support.same_grades import grades

pytestmark = [pytest.mark.long, pytest.mark.needs("sandbox")]

SECRET = "90614077"  # is in every expected output of a case that the hostile team is asked
HURRIED = {"DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "3s"}  # so that tests need not wait
IMPORTABLE = {**os.environ, "PYTHONPATH": str(ROOT)}
CONFIG = """
teams = ["teams/*"]
dialect = "generous"
[limits]
timeout = 8
[[suite]]
path = "suites/open"
[[suite]]
path = "suites/hushed"
hidden = true
"""
PYTHON = f"#!{sys.executable} -IS\n"
# It looks for the right answers in all files that it can find, and at its worst attacks who runs it.
HOSTILE = (
    PYTHON
    + """
import os, signal, sys
for top in {tops!r}:
    for at, _, files in os.walk(top):
        for name in files:
            try:
                text = open(os.path.join(at, name), "rb").read(100_000)
            except OSError:
                continue
            if {secret!r}.encode() in text and not os.path.samefile(at, os.path.dirname(__file__)):
                print(text)
                sys.exit()
os.kill(os.getppid(), signal.SIGKILL)
try:
    os.kill(-1, signal.SIGKILL)
except OSError:
    pass
print("nothing")
"""
)
TEAMS = {
    "right": "#!/bin/sh\nexec cat\n",
    "wrong": "#!/bin/sh\necho 7\n",
    "crash": f"{PYTHON}import sys\ndata = sys.stdin.read()\nassert '3' not in data\nprint(data)\n",
    "hangs": "#!/bin/sh\nread line\ncase $line in 12*) sleep 60;; esac\necho $line\n",
    "flaky": f"{PYTHON}import os\nprint('random-' + os.urandom(9).hex())\n",
    "sleepy": "#!/bin/sh\nsleep 0.15\nexec cat\n",
}


def write_course(folder: Path) -> None:
    """Teams that are right, wrong, flaky, hanging, crashing, hostile, to be built, and not to be built."""
    for team, program in TEAMS.items():
        write_program(folder / "teams" / team / "xattack", program)
    tops = [str(folder), "/tmp", "/var/tmp", "/dev/shm"]
    write_program(folder / "teams" / "hostile" / "xattack", HOSTILE.format(tops=tops, secret=SECRET))
    write_program(folder / "teams" / "unfit" / "compile", "#!/bin/sh\necho no such thing >&2\nexit 4\n")
    # What was built knows where that was, and only works there.
    build = '#!/bin/sh\n{ echo "#!/bin/sh"; echo "cat $PWD/data > /dev/null && exec cat"; } > xattack\n'
    write_program(folder / "teams" / "built" / "compile", f"{build}echo 1 > data\nchmod +x xattack\n")
    for number in range(14):
        text = f"{number}{SECRET}"
        write_case(folder / "suites" / "open" / "xattack", f"case-{number}", text, text)
    for number in range(4):
        write_case(
            folder / "suites" / "hushed" / "xattack", f"case-{number}", str(90 + number), str(90 + number)
        )
    (folder / "grade.toml").write_text(CONFIG)


class Course:
    """A class that has been graded on one machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        write_course(folder)
        self.done = harness(folder, "grade", "--config", "grade.toml", "--out", "home", "-j", "2")
        assert self.done.returncode == 0, self.done.stdout + self.done.stderr
        self.home = grades(folder / "home")

    def command(self, out: str, cluster: str | Path, *more: str) -> list[str]:
        return ["grade", "--config", "grade.toml", "--out", out, "--cluster", str(cluster), *more]

    def start(self, out: str, cluster: str | Path, **more: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [BIN / "harness", *self.command(out, cluster)],
            cwd=self.folder,
            env={**os.environ, **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def wait_for_results(self, out: str, count: int) -> None:
        results = self.folder / out / "store" / "results"
        wait_until(
            lambda: sum(path.read_text().count("\n") for path in results.glob("*.jsonl")) >= count, PATIENCE
        )

    def see_that_it_is_the_same(self, out: str) -> None:
        assert grades(self.folder / out) == self.home


@pytest.fixture(scope="module")
def course() -> Iterator[Course]:
    with visible_folder() as folder:
        yield Course(folder)


def files_with(text: str, folder: Path) -> Iterator[str]:
    """The names of files in a folder that have a text in them, while others change it."""
    for at, _, names in os.walk(folder):
        for name in names:
            try:
                if text in Path(at, name).read_text(errors="replace"):
                    yield name
            except OSError:
                continue


def ended(process: "subprocess.Popen[str]") -> None:
    out, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, out + said


def test_the_grades_are_those_of_one_machine_and_answers_are_on_no_disk(course: Course) -> None:
    with DaskCluster(course.folder / "dask-a") as cluster:
        process = course.start("dska", cluster.file)
        files: set[str] = set()
        while process.poll() is None:
            files.update(files_with(SECRET, cluster.folder))
            time.sleep(0.1)
        ended(process)
        kept = [*cluster.folder.glob("worker-*/*/worker-*/harness-teams/*")]
    course.see_that_it_is_the_same("dska")
    assert files == {"xattack"}  # of the hostile team, who looks for it
    hostile = [one for one in lines(course.folder / "dska" / "results.jsonl") if one["team"] == "hostile"]
    assert {one["stdout"] for one in hostile} == {"nothing\n"}  # it has looked everywhere
    assert len(kept) >= 8
    # Who removes it waits for the last one who has used it, and ends after the worker.
    wait_until(lambda: not [*cluster.folder.glob("worker-*/*/worker-*/*")], PATIENCE)


def test_a_worker_that_dies_and_one_that_freezes_cost_nothing_but_time(course: Course) -> None:
    with DaskCluster(course.folder / "dask-b", 3, **HURRIED) as cluster:
        process = course.start("dskb", cluster.file)
        course.wait_for_results("dskb", 20)
        os.kill(cluster.worker_process(0), signal.SIGKILL)
        os.kill(cluster.worker_process(1), signal.SIGSTOP)
        ended(process)
        for nanny in cluster.workers:  # who is killed with its worker can remove nothing
            os.killpg(nanny.pid, signal.SIGKILL)
    course.see_that_it_is_the_same("dskb")
    wait_until(lambda: not [*cluster.folder.glob("worker-*/*/worker-*/harness-*")], PATIENCE)


def test_a_coordinator_that_was_killed_goes_on(course: Course) -> None:
    with DaskCluster(course.folder / "dask-c") as cluster:
        process = course.start("dskc", cluster.file)
        course.wait_for_results("dskc", 30)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        done = harness(course.folder, *course.command("dskc", cluster.file))
    assert done.returncode == 0, done.stdout + done.stderr
    course.see_that_it_is_the_same("dskc")
    assert started(done) <= started(course.done) - 30


def test_a_scheduler_that_is_lost_is_told_in_a_line(course: Course) -> None:
    with DaskCluster(course.folder / "dask-f") as cluster:
        process = course.start("dskf", cluster.file)
        course.wait_for_results("dskf", 10)
        for one in (cluster.scheduler, *cluster.workers):
            os.killpg(one.pid, signal.SIGKILL)
        _, said = process.communicate(timeout=PATIENCE)
    address = json.loads(cluster.file.read_text())["address"]
    lost = f"the scheduler of {address} does not answer any more; the same command continues"
    assert (process.returncode, said) == (69, f"harness: --cluster: {lost}\n")


def test_what_kills_every_worker_is_judged_at_home(tmp_path: Path) -> None:
    # Without a sandbox it reaches the process of Dask's, if there is one above it.
    program = f"""{PYTHON}
import os, sys
pid = os.getpid()
for _ in range(5):
    pid = int(open(f"/proc/{{pid}}/stat").read().rpartition(")")[2].split()[1])
    if pid < 2:
        break
    words = open(f"/proc/{{pid}}/cmdline").read()
    if words.startswith("dask worker ["):
        os.kill(pid, 9)
print(sys.stdin.read())
"""
    write_program(tmp_path / "teams" / "killer" / "xattack", program)
    write_program(tmp_path / "teams" / "right" / "xattack", "#!/bin/sh\nexec cat\n")
    for number in range(3):
        write_case(tmp_path / "suite" / "xattack", f"case-{number}", str(number), str(number))
    with DaskCluster(tmp_path / "dask", 2) as cluster:
        common = ("--suite", "suite", "--sandbox", "off", "--dialect", "generous", "--cluster", cluster.file)
        done = harness(tmp_path, "grade", "teams/killer", "teams/right", *common)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (
        "3 cases are run here, because of killer: workers that were lost (4 workers have died" in done.stderr
    )
    assert "1,killer,3,3,3,1" in (tmp_path / "grades" / "scores.csv").read_text()


def test_a_worker_that_does_not_fit_is_named_and_not_used(course: Course, tmp_path: Path) -> None:
    other = copied_checkout(tmp_path / "other")
    init = other / "harness" / "__init__.py"
    init.write_text(init.read_text().replace('__version__ = "', '__version__ = "9.'))
    with DaskCluster(course.folder / "dask-d", 0) as cluster:
        told = harness(course.folder, "cluster", "check", cluster.file)
        assert (told.returncode, "has no workers; start some: dask worker tcp" in told.stderr) == (69, True)
        cluster.add_worker("--nthreads", "2")
        cluster.add_worker("--memory-limit", "4GB")
        cluster.add_worker(environment={"PYTHONPATH": str(other)})
        check = ("cluster", "check", cluster.file, "--json", "sh", "no-such-thing")
        cluster.wait_for_workers(3)
        refused = harness(course.folder, *course.command("dskd", cluster.file))
        assert refused.returncode == 69
        for why in (
            "is not used: it has 2 threads; start it with --nthreads 1",
            "is not used: Dask limits its memory, and would write to its disk; start it with --memory-limit ",
            "is not used: it has version 9.",
        ):
            assert why in refused.stderr
        assert not (course.folder / "dskd").exists()
        cluster.add_worker()
        cluster.wait_for_workers(4)
        told = harness(course.folder, *check)
        assert told.returncode == 1
        problems = [worker["problems"] for worker in json.loads(told.stdout)["workers"].values()]
        assert sorted(len(one) for one in problems) == [1, 2, 2, 2]
        assert all("it has no no-such-thing" in one for one in problems)
        done = harness(course.folder, *course.command("dskd", cluster.file))
        assert done.returncode == 0, done.stderr
        assert done.stderr.count("is not used") == 3
    course.see_that_it_is_the_same("dskd")


def test_certificates_let_in_who_has_them_and_nobody_else(course: Course) -> None:
    folder = course.folder / "certificates"
    folder.mkdir()
    subprocess.run(
        f"cd {quote(str(folder))} && openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
        "-keyout key.pem -out cert.pem && cp cert.pem ca.pem",
        shell=True, check=True, capture_output=True,
    )  # fmt: skip
    tls = ("--tls-ca-file", "ca.pem", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    options = [str(folder / word) if word.endswith(".pem") else word for word in tls]
    with DaskCluster(course.folder / "dask-e", 0, *options, "--protocol", "tls") as cluster:
        cluster.add_worker(*options, "--protocol", "tls")
        address = json.loads(cluster.file.read_text())["address"]
        assert address.startswith("tls://")
        check = ("cluster", "check", cluster.file, "--cluster-tls", folder)
        wait_until(lambda: harness(course.folder, *check).returncode == 0, PATIENCE)
        assert "  1 thread  " in harness(course.folder, *check).stdout
        plain = harness(course.folder, *course.command("dske", address.replace("tls", "tcp")))
        assert plain.returncode == 69
        assert "no scheduler answers at tcp://" in plain.stderr
        assert "Traceback" not in plain.stderr


def test_nobody_who_answers_is_told_before_anything_is_written(course: Course) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        done = harness(course.folder, *course.command("none", f"127.0.0.1:{port}"))
        assert done.returncode == 69
        assert f"no scheduler answers at tcp://127.0.0.1:{port}" in done.stderr
    done = harness(course.folder, *course.command("none", f"127.0.0.1:{port}"))
    assert (done.returncode, done.stderr.count("\n")) == (69, 1)
    assert not (course.folder / "none").exists()


def test_who_answers_and_is_no_scheduler_is_told_apart(course: Course) -> None:
    connections = ExitStack()

    def greet() -> None:
        with suppress(OSError):
            while True:
                connection = connections.enter_context(server.accept()[0])
                connection.sendall(b"SSH-2.0-OpenSSH_9.2 and so on\r\n")

    with connections, socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=greet, daemon=True).start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        done = harness(course.folder, *course.command("none", address))
        server.shutdown(socket.SHUT_RDWR)
    assert done.stderr == (
        f"harness: --cluster: no scheduler answers at tcp://{address}: what answers is something else\n"
    )
    assert (done.returncode, (course.folder / "none").exists()) == (69, False)


def test_workers_can_be_started_here_and_leave_nothing(course: Course) -> None:
    temporary = course.folder / "tmp"
    temporary.mkdir()
    with socket.socket() as another:
        with suppress(OSError):  # it may be taken already
            another.bind(("127.0.0.1", 8787))  # the usual port of Dask's
            another.listen()
        done = subprocess.run(
            [BIN / "harness", *course.command("dskl", "local:2")],
            cwd=course.folder, env={**os.environ, "TMPDIR": str(temporary)},
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    course.see_that_it_is_the_same("dskl")
    assert [*temporary.iterdir()] == []


def test_workers_that_were_started_here_leave_nothing_though_all_is_killed(course: Course) -> None:
    temporary = course.folder / "temporary"
    temporary.mkdir()
    process = course.start("dskk", "local:2", TMPDIR=str(temporary))
    course.wait_for_results("dskk", 20)
    assert [*temporary.glob("*/*/worker-*/harness-teams/*")]
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    wait_until(lambda: not [*temporary.iterdir()], PATIENCE)


def test_workers_that_cannot_be_started_here_are_told_in_a_line(course: Course) -> None:
    few: list[str | Path] = ["prlimit", "--nofile=40", BIN / "harness", *course.command("dskn", "local:4")]
    done = subprocess.run(
        few, cwd=course.folder, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    why = "harness: --cluster: local:4: no workers can be started here: Too many open files"
    assert why in done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (69, "")


def test_without_dask_it_is_said_how_to_install_it(course: Course) -> None:
    code = "import sys; sys.modules['distributed'] = None; from harness.start import harness; harness()"
    done = subprocess.run(
        [sys.executable, "-c", code, *course.command("none", "local")],
        cwd=course.folder, capture_output=True, text=True, env=IMPORTABLE, check=False,
    )  # fmt: skip
    install = f"{quote(sys.executable)} -m pip install 'evolution-harness[cluster]'"
    assert done.stderr == f"harness: a cluster needs the package distributed; type: {install}\n"
    assert done.returncode == 69


def test_who_grades_here_does_not_load_dask(course: Course) -> None:
    code = (
        "import sys; from harness.start import run; "
        "run('harness', sys.argv[1:]); print(sorted({'distributed', 'dask', 'msgspec'} & {*sys.modules}))"
    )
    words = ["grade", "teams/right", "--suite", "suites/open", "--sandbox", "off", "--out", "here"]
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=course.folder, capture_output=True, text=True, env=IMPORTABLE, check=False,
    )  # fmt: skip
    assert done.stdout.endswith("\n[]\n"), done.stdout + done.stderr
