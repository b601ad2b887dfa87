"""What the runner promises whatever happens to it, its workers, or the machine: everything ends,
is reported, and is gone."""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from harness.fixtures.cases import Case, Programs
from harness.judging.result import Result
from harness.judging.verdicts import CRASHED, MEMORY, NO_OUTPUT, NO_START, PASS, TIMEOUT, TOO_MUCH
from harness.report.terminal import Terminal
from harness.running.limits import Limits
from harness.running.pool import Job, Runner
from harness.running.sandbox import Sandbox
from harness.running.view import home_of
from harness.running.worker import Settings
from tests.support.helpers import BIN, ROOT
from tests.support.keeper import (
    Run,
    give,
    ordinary_user,
    visible_folder,
    wait_until,
    write_case,
    write_program,
)

pytestmark = pytest.mark.alone

ZOO = ROOT / "tests" / "zoo"
SHUT_IN = pytest.param("on", marks=pytest.mark.needs("sandbox"))
WITH_AND_WITHOUT = pytest.mark.parametrize("sandbox", [SHUT_IN, "off"])
HONEST = "#!/bin/sh\nexec cat\n"
# A program that never ends, with a child in its group, one in a session of its own, and a daemon.
FAMILY = f"""#!{sys.executable} -IS
import os, time
open("/proc/self/comm", "w").write("the-family")  # whatever it was started by
if os.fork() and os.fork():
    if os.fork() == 0:
        os.setsid()
        os.fork() and os._exit(0)
elif os.fork():
    os.setsid()
time.sleep(600)
"""
# The command `harness` on a system where no control group can be made.
WITHOUT_GROUPS = (
    sys.executable,
    "-c",
    "from harness.running import limits; limits.CGROUPS = '/nowhere'\n"
    "from harness.start import harness; harness()",
)

# The command `harness` with a worker that takes a case, and dies before it can say so.
CLUMSY = """
import os
from harness.cli.group import harness
from harness.running.pool import Runner
from harness.running.worker import Worker

class Clumsy(Worker):
    def live(self):
        try:
            os.open("dropped", os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            super().live()
        os.read(self._tasks.descriptor, 4096)
        os._exit(1)

Runner.kind = Clumsy
harness()
"""


NEITHER = (sys.executable, "-m", "tests.support.without_namespaces", "--nor-landlock", BIN / "harness")


@pytest.fixture
def folder() -> Iterator[Path]:
    with visible_folder() as found:
        yield found


def animal(name: str) -> str:
    """A program of the zoo."""
    return f"#!{sys.executable} -IS\n{(ZOO / f'{name}.py').read_text()}"


def running(folder: Path, sandbox: str) -> Run:
    """A run of which five cases have passed, and one is running that never ends."""
    write_program(folder / "bin" / "honest", HONEST)
    write_program(folder / "bin" / "the-family", FAMILY)
    for number in range(5):
        write_case(folder / "cases" / "honest", f"case-{number}", "1", "1")
    write_case(folder / "cases" / "the-family", "wild", "1", "1")
    run = Run(folder, "--bin", "bin", "--timeout", "100", "-j", "2", "--sandbox", sandbox, "cases").start()
    try:
        wait_until(lambda: len(run.records()) == 5 and len(members(run)) == 6)
    except AssertionError:
        run.process.kill()
        raise
    return run


def members(run: Run) -> list[int]:
    """The processes of the program that never ends."""
    return sorted(pid for pid, name in run.processes().items() if name == "the-family")


def _is_gone(run: Run, pid: int) -> bool:
    return pid not in members(run)


def ancestors(pid: int) -> set[int]:
    """The processes above this one."""
    found = set()
    while pid > 1:
        status = Path(f"/proc/{pid}/stat").read_text()
        pid = int(status.rpartition(")")[2].split()[1])
        found.add(pid)
    return found


# --- somebody is killed --------------------------------------------------------------------------


@WITH_AND_WITHOUT
def test_a_worker_that_is_killed_costs_its_case_if_that_happens_again_and_the_run_goes_on(
    folder: Path, sandbox: str
) -> None:
    """In the sandbox it was not the program, which gets no verdict; elsewhere it is to blame."""
    run = running(folder, sandbox)
    for _ in range(2):
        wait_until(lambda: len(members(run)) == 6)
        first, *_ = members(run)
        (worker,) = ancestors(first) & set(run.workers())
        os.kill(worker, signal.SIGKILL)
        wait_until(partial(_is_gone, run, first))
    out, err, status = run.end()
    blamed = {} if sandbox == "on" else {"cases/the-family/wild": CRASHED}
    assert run.verdicts() == blamed | {f"cases/honest/case-{number}": PASS for number in range(5)}
    assert run.left() == []
    assert (err, status) == ("", 1)
    assert "5 passed, 1 failed" in out
    assert ("wild: not graded" in out) == (sandbox == "on")


def test_an_idle_worker_that_is_killed_costs_nothing(folder: Path) -> None:
    run = running(folder, "off")
    first, *_ = members(run)
    (idle,) = set(run.workers()) - ancestors(first)
    os.kill(idle, signal.SIGKILL)
    wait_until(lambda: len(set(run.workers()) - ancestors(first) - {idle}) == 1)
    assert len(run.records()) == 5
    run.process.send_signal(signal.SIGINT)
    run.end()
    assert run.left() == []


def test_a_case_that_a_worker_took_along_without_a_word_is_run_by_another(folder: Path) -> None:
    program = write_program(folder / "honest", HONEST)
    for number in range(5):
        write_case(folder / "cases", f"case-{number}", "1", "1")
    command = (sys.executable, "-c", CLUMSY)
    run = Run(folder, "--program", program, "-j", "2", "--sandbox", "off", "cases", command=command)
    out, err, status = run.start(PYTHONPATH=str(ROOT)).end()
    assert (folder / "dropped").exists()
    assert out.endswith("5 passed, 0 failed\n")
    assert (err, status) == ("", 0)
    assert len(run.records()) == 5


@WITH_AND_WITHOUT
def test_when_the_runner_is_killed_nothing_goes_on_without_it(folder: Path, sandbox: str) -> None:
    run = running(folder, sandbox)
    run.process.kill()
    run.end()
    wait_until(lambda: not run.processes())
    wait_until(lambda: not list(run.temporary.iterdir()))
    after = Run(folder, "--bin", "bin", "--sandbox", sandbox, "cases/honest").start()
    assert after.end()[2] == 0
    assert run.left() == []  # the control groups, too, since another run has come by


@WITH_AND_WITHOUT
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_ends_everything_at_once(folder: Path, sandbox: str, number: signal.Signals) -> None:
    run = running(folder, sandbox)
    started = time.monotonic()
    run.process.send_signal(number)
    out, err, status = run.end()
    assert time.monotonic() - started < 20  # it takes a moment; the case would take 100
    assert run.left() == []
    assert "interrupted; these are the results so far\n5 passed, 0 failed\n" in out
    assert (err, status) == ("", 130)


# --- limits --------------------------------------------------------------------------------------


def test_where_there_are_no_control_groups_memory_is_watched_and_daemons_are_gone(folder: Path) -> None:
    expected = {
        "double_fork": PASS,
        "eats_memory_behind_its_back": MEMORY,
        "eats_memory_fast": MEMORY,
        "eats_memory_in_children": MEMORY,
        "eats_memory_slowly": MEMORY,
        "hostile_name": PASS,
        "own_session": PASS,
        "restless_daemon": PASS,
    }
    for name in expected:
        write_program(folder / "bin" / name, animal(name))
        write_case(folder / "cases" / name, "wild", "1", '["right"]')
    options = ("--bin", "bin", "--sandbox", "off", "--memory", "200", "-j", "2", "cases")
    run = Run(folder, *options, command=WITHOUT_GROUPS).start(PYTHONPATH=str(ROOT))
    out, err, _ = run.end()
    assert run.verdicts() == {f"cases/{name}/wild": verdict for name, verdict in expected.items()}
    assert run.left() == []
    assert "200 MB (watched)" in out
    assert err == ""


@pytest.mark.needs("control groups")
def test_where_control_groups_can_be_made_they_are_in_force(folder: Path) -> None:
    write_program(folder / "bin" / "eats", animal("eats_memory_in_children"))
    write_case(folder / "cases" / "eats", "wild", "1", "1")
    run = Run(folder, "--bin", "bin", "--sandbox", "off", "--memory", "200", "cases").start()
    out, _, _ = run.end()
    assert run.verdicts() == {"cases/eats/wild": MEMORY}
    assert "200 MB (control group), " in out
    assert "512 processes (control group)" in out


def test_the_memory_of_a_worker_is_not_blamed_on_a_program(folder: Path) -> None:
    large = '"' + "x" * (20 << 20) + '"'
    for name in ("a", "c"):
        write_case(folder / "cases", f"{name}-small", "1", "1")
    write_case(folder / "cases", "b-large", large, large)
    program = write_program(folder / "honest", HONEST)
    limits = ("--memory", "60", "--output", "100000", "-j", "1", "--sandbox", "off")
    run = Run(folder, "--program", program, *limits, "cases").start()
    assert run.end()[2] == 0
    assert set(run.verdicts().values()) == {PASS}


def test_a_case_that_timed_out_in_company_is_run_again_alone(folder: Path) -> None:
    """But not after three confirmed time-outs of a program."""
    starts = folder / "starts"
    starts.mkdir()
    count = f'#!/bin/sh\nname=${{0##*/}}\necho >> "{starts}/$name"\n'
    second_time = f'[ $(wc -l < "{starts}/$name") -gt 1 ] && exec echo 1\n'
    write_program(folder / "bin" / "hesitates", f"{count}{second_time}exec sleep 600\n")
    write_program(folder / "bin" / "sleeps", f"{count}exec sleep 600\n")
    write_case(folder / "cases" / "hesitates", "wild", "1", "1")
    for number in range(5):
        write_case(folder / "cases" / "sleeps", f"wild-{number}", "1", "1")
    run = Run(folder, "--bin", "bin", "--timeout", "0.5", "-j", "2", "--sandbox", "off", "cases").start()
    run.end()
    assert {file.name: len(file.read_text()) for file in starts.iterdir()} == {
        "hesitates": 2,
        "sleeps": 5 + 3,
    }
    verdicts = run.verdicts()
    assert verdicts.pop("cases/hesitates/wild") == PASS
    assert list(verdicts.values()) == [TIMEOUT] * 5
    assert run.left() == []


@WITH_AND_WITHOUT
def test_a_case_that_is_busy_all_the_time_is_seen_to_be(folder: Path, sandbox: str) -> None:
    write_case(folder / "cases", "wild", "1", "1")
    program = write_program(folder / "computes", f"#!{sys.executable} -IS\nwhile True: pass\n")
    run = Run(folder, "--program", program, "--timeout", "1", "-j", "1", "--sandbox", sandbox, "cases")
    run.start().end()
    (record,) = run.records().values()
    assert record["cpu"] > 0.02  # however busy the machine is
    assert "s of processor time" in record["detail"]


def test_a_case_that_was_busy_all_the_time_is_not_run_again() -> None:
    runner = Runner(
        [], Programs("", (), "/bin/cat"), Settings(Limits(1.0), None, False, False), 2, Terminal(sys.stdout)
    )
    job = Job(Case("wild", "", "", ""), "cat", ["/bin/cat"])
    assert runner._is_doubtful(job, Result("wild", "cat", TIMEOUT, cpu=0.4))
    assert not runner._is_doubtful(job, Result("wild", "cat", TIMEOUT, cpu=0.6))


NEEDS_A_PROCESS = """
import os, time
end = time.monotonic() + 1.5
while time.monotonic() < end:
    if os.fork() == 0:
        os._exit(0)
    os.wait()
    time.sleep(0.01)
print('["right"]')
"""
HOARDS_PROCESSES = """
import os, time
end = time.monotonic() + 2
while time.monotonic() < end:
    try:
        if os.fork() == 0:
            time.sleep(10)
            os._exit(0)
    except OSError:
        time.sleep(0.01)
"""


@pytest.mark.long
@pytest.mark.needs("landlock")
@pytest.mark.skipif(
    os.getuid() != 0 or ordinary_user() is None, reason="only root can become somebody else (sudo make test)"
)
def test_a_program_that_gets_no_process_because_of_another_is_run_again_alone(folder: Path) -> None:
    ordinary = ordinary_user()
    assert ordinary
    for name, text in {"needs": NEEDS_A_PROCESS, "hoards": HOARDS_PROCESSES}.items():
        write_program(folder / "bin" / name, f"#!{ordinary.python} -IS\n{text}")
        write_case(folder / "cases" / name, "wild", "1", '["right"]')
    run = Run(folder, "--bin", "bin", "-j", "2", "--sandbox", "landlock", "cases", command=ordinary.command)
    give(folder, ordinary.user)
    run.start(**ordinary.variables).end()
    assert run.verdicts() == {"cases/hoards/wild": NO_OUTPUT, "cases/needs/wild": PASS}
    assert run.left() == []


def test_elsewhere_than_on_linux_it_runs_without_a_sandbox_and_says_so_loudly(folder: Path) -> None:
    expected = {"aborts": CRASHED, "child_holds_stdout": PASS, "endless_stdout": TOO_MUCH, "status_3": PASS}
    expected |= {"half_a_value": TIMEOUT, "never_reads": PASS, "kills_group": CRASHED}
    for name in expected:
        write_program(folder / "bin" / name, animal(name))
        write_case(folder / "cases" / name, "wild", "1", '["right"]')
    elsewhere = (
        "import os, sys; sys.platform = 'freebsd'; del os.pidfd_open, os.memfd_create, os.sched_getaffinity; "
    )
    command = (sys.executable, "-c", f"{elsewhere}from harness.start import harness; harness()")
    run = Run(folder, "--bin", "bin", "--timeout", "1", "--output", "64", "-j", "2", "cases", command=command)
    run.start(PYTHONPATH=str(ROOT))
    out, err, _ = run.end()
    assert run.verdicts() == {f"cases/{name}/wild": verdict for name, verdict in expected.items()}
    assert "\nNO SANDBOX: it needs Linux" in out
    assert err == ""
    assert run.left() == []


# --- the sandbox ---------------------------------------------------------------------------------


def test_a_sandbox_that_is_demanded_and_missing_is_an_error(folder: Path) -> None:
    write_case(folder / "cases", "one", "1", "1")
    program = write_program(folder / "honest", HONEST)
    run = Run(folder, "--program", program, "--sandbox", "on", "cases", command=NEITHER)
    out, err, status = run.start(PYTHONPATH=str(ROOT), PATH=str(folder / "cases")).end()
    assert (out, status) == ("", 2)
    assert "--sandbox on: bubblewrap: bwrap is not installed" in err
    assert "; landlock: " in err
    assert run.records() == {}


def test_a_sandbox_that_is_missing_is_not_passed_over_in_silence(folder: Path) -> None:
    write_case(folder / "cases", "one", "1", "1")
    program = write_program(folder / "true", "#!/bin/sh\necho 1\n")
    run = Run(folder, "--program", program, "cases", command=NEITHER)
    out, _, status = run.start(PYTHONPATH=str(ROOT), PATH=str(folder / "cases")).end()
    assert "NO SANDBOX: bubblewrap: bwrap is not installed; landlock: " in out
    assert status == 0


@pytest.mark.needs("sandbox")
def test_our_own_programs_are_shut_in_if_that_is_demanded(folder: Path) -> None:
    write_case(folder / "cases" / "xstream", "one", "1", '1 {"count": 1}')
    out, _, status = Run(folder, "--sandbox", "on", "cases").start().end()
    assert "--stream" not in out
    assert "\nsandbox: " in out
    assert status == 0


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("cases", [".", "bin", "tests", "tests/in"])
def test_expected_outputs_within_the_programs_folder_are_hidden(folder: Path, cases: str) -> None:
    """Wherever they are, and whatever part of the folder is run."""
    thief = f"#!{sys.executable} -IS\nprint(open({str(folder / cases)!r} + '/one-out.json').read())\n"
    program = write_program(folder / "bin" / "thief", thief)
    write_case(folder / cases, "one", "1", '["secret"]')
    run = Run(folder, "--program", program, "--sandbox", "on", ".").start()
    run.end()
    assert list(run.verdicts().values()) == [NO_OUTPUT]


def test_what_a_terminal_cannot_show_does_not_end_the_run(folder: Path) -> None:
    program = write_program(folder / "copier", "#!/bin/sh\necho '\u2603'\n")
    write_case(folder / "cases", "one", "1", "1")
    command = (sys.executable, "-m", "harness")
    run = Run(folder, "--program", program, "--sandbox", "off", "cases", command=command)
    run.start(PYTHONPATH=str(ROOT), PYTHONIOENCODING="latin-1")
    out, err, status = run.end()
    assert ("\\u2603" in out, err, status) == (True, "", 1)


@pytest.mark.needs("sandbox")
def test_devices_can_be_written_to_in_the_sandbox_and_not_touched(folder: Path) -> None:
    """Their times would be a message to everybody on the machine."""
    program = write_program(
        folder / "copier", "#!/bin/sh\necho 1 > /dev/null && ! touch /dev/null 2>/dev/null && exec cat\n"
    )
    write_case(folder / "cases", "one", "1", "1")
    _, _, status = Run(folder, "--program", program, "--sandbox", "bwrap", "cases").start().end()
    assert status == 0


@pytest.mark.needs("sandbox")
def test_who_hardly_ever_answers_in_the_sandbox_may_miss_something(folder: Path) -> None:
    """The files of a neighbour are not shown; that is said where a program needs them, and only there."""
    needy = write_program(
        folder / "all the teams" / "one" / "copier", '#!/bin/sh\nexec sh "${0%/*}/../two/copier"\n'
    )
    two = write_program(folder / "all the teams" / "two" / "copier", HONEST)
    for number in range(5):
        write_case(folder / "cases", str(number), "1", "1")
    said = []
    for sandbox in ("on", "off"):
        run = Run(folder, "--program", needy, "--sandbox", sandbox, "cases").start()
        out, _, status = run.end()
        named = f"named {two}, which the sandbox does not show: --show "
        told = f"copier hardly ever answered, and {named}"
        said.append((told in out, status))
    assert said == [(True, 1), (False, 0)]


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize(
    "message",
    [
        "no idea",
        "cannot open /no/such/file",
        "cannot open {own}",
        "cannot open /usr\\0 or /proc/1/exe",  # no path at all, and a link that may not be read
    ],
)
def test_the_sandbox_is_not_blamed_unless_a_program_names_what_it_hides(folder: Path, message: str) -> None:
    own = folder / "teams" / "one" / "mute"
    write_program(own, f"#!/bin/sh\nprintf '{message.format(own=own)}' >&2\nexit 1\n")
    for number in range(5):
        write_case(folder / "cases", str(number), "1", "1")
    out, _, status = Run(folder, "--program", own, "--sandbox", "on", "cases").start().end()
    assert status == 1
    assert "the sandbox does not show" not in out


ASKS_THE_HARNESS = {
    "by its program": f"#!/bin/sh\nexec '{ROOT}/bin/xattack'\n",
    "by its library": f"""#!{sys.executable}
import json, sys
from harness.programs.answering import PROGRAMS
print(PROGRAMS["xattack"]()(json.load(sys.stdin)))
""",
}


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("how", ASKS_THE_HARNESS)
def test_the_harness_answers_for_nobody_in_the_sandbox(folder: Path, how: str) -> None:
    program = write_program(folder / "copier", ASKS_THE_HARNESS[how])
    plain = '[["food",0],["body",0],["population",1],["traits",["carnivore"]]]'
    write_case(folder / "cases", "one", f"[{plain}, {plain}, false, false]", "true")
    run = Run(folder, "--program", program, "--sandbox", "on", "cases").start()
    run.end()
    (found,) = run.verdicts().values()
    assert found in [NO_OUTPUT, CRASHED]


def test_what_is_hidden_round_a_program_stays_hidden_where_all_of_it_is_shown(folder: Path) -> None:
    copies = folder / "store" / "copies"
    program = write_program(copies / "eve" / "xstep", HONEST)
    write_program(copies / "ada" / "xstep", HONEST)
    view = Sandbox(1 << 30, [str(folder)], [str(folder / "store")]).view([str(program)], str(copies / "eve"))
    names = ("lib", "store/results", "store/copies/ada/xstep", "store/copies/eve/xstep")
    shown = {name: view.shows(str(folder / name)) for name in names}
    assert shown == {names[0]: True, names[1]: False, names[2]: False, names[3]: True}


@pytest.mark.parametrize("linked", ["bin", "bin/xattack"], ids=["its folder", "itself"])
def test_a_link_to_a_program_of_ours_is_none_of_ours(folder: Path, linked: str) -> None:
    (folder / linked).parent.mkdir(exist_ok=True)
    (folder / linked).symlink_to(ROOT / linked)
    view = Sandbox(1 << 30).view([str(folder / "bin" / "xattack")], str(folder))
    assert view.problem.startswith(f"it is a link to {ROOT}/bin/xattack, which the sandbox does not show")
    assert not view.shows(str(ROOT / "harness"))
    assert Sandbox(1 << 30).view([str(ROOT / "bin" / "xattack")]).shows(str(ROOT / "harness"))


def test_a_program_sees_its_folder_and_neither_what_is_beside_nor_what_is_above(folder: Path) -> None:
    program = write_program(folder / "team" / "bin" / "xstep", HONEST)
    write_case(folder / "team" / "tests", "one", "1", "1")
    (folder / "team" / ".git").mkdir()
    view = Sandbox(1 << 30, cases=[str(folder / "team" / "tests")]).view([str(program)])
    shown = {
        name: view.shows(str(folder / name)) for name in ("team/lib", "team/tests", "team/.git", "other")
    }
    assert shown == {"team/lib": True, "team/tests": False, "team/.git": False, "other": False}
    assert not view.shows(str(ROOT / "harness"))
    assert not view.shows(os.path.expanduser("~"))
    assert view.shows(sys.executable)


def test_a_first_line_shows_no_script_on_the_path_with_all_that_is_around_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not in the folder of the checkout: that may have a space in its path, where a first line ends."""
    solution = write_program(tmp_path / "course" / "bin" / "xstep", HONEST)
    program = write_program(tmp_path / "team" / "xstep", f"#!{solution}\n")
    monkeypatch.setenv("PATH", f"{solution.parent}:{os.environ['PATH']}")
    view = Sandbox(1 << 30).view([str(program)])
    assert not view.shows(str(tmp_path / "course" / "secret"))
    assert not view.shows(str(solution))
    assert f"its #! line names {solution}, which the sandbox does not show" in view.problem


@pytest.mark.needs("sandbox")
def test_a_link_to_what_is_not_shown_is_not_followed(folder: Path) -> None:
    write_program(folder / "other" / "copier", HONEST)
    (folder / "team").mkdir()
    (folder / "team" / "copier").symlink_to(folder / "other" / "copier")
    write_case(folder / "cases", "one", "1", "1")
    run = Run(folder, "--program", folder / "team" / "copier", "--sandbox", "on", "cases").start()
    run.end()
    (record,) = run.records().values()
    assert (record["verdict"], record["detail"]) == (
        NO_START,
        f"it is a link to {folder}/other/copier, which the sandbox does not show: bring a copy, or --show it",
    )
    (folder / "other").chmod(0o700)  # what is shown on purpose need not be everybody's
    run = Run(folder, "--program", folder / "team" / "copier", "--sandbox", "on", "--show", "other", "cases")
    assert run.start().end()[2] == 0


# A program that answers with everything that it could have got from an earlier case, and leaves what it can.
LEAVES_TRACES = f"""#!{sys.executable} -IS
import json, os, sys
count = int(sys.stdin.read())
seen = [os.getpid(), sorted(os.listdir("/tmp")), os.listdir("/tmp/scratch"), os.listdir("/dev/shm")]
status = os.stat("/tmp/scratch")
seen += [status.st_ino, oct(status.st_mode), os.path.exists("/proc/1/stat"), os.getpriority(0, 0)]
os.umask(0)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        os.execv("/bin/sleep", ["sleep", "100"])
for place in ("/tmp", "/tmp/scratch", "/dev/shm"):
    for number in range(count):
        open(f"{{place}}/left{{number}}", "w").close()
os.chmod("/tmp/scratch", 0o711)
above = os.path.dirname(__file__)
while above != "/":
    seen.append(sorted(set(os.listdir(above)) - {{f"left{{number}}" for number in range(count)}}))
    try:
        open(f"{{above}}/left", "w").close()
    except OSError:
        pass
    above = os.path.dirname(above)
print(json.dumps(seen))
"""


@pytest.mark.needs("sandbox")
@pytest.mark.parametrize("place", [ROOT, "/tmp"])  # a sandbox has a /tmp of its own, and puts it there
def test_two_cases_in_the_same_sandbox_learn_nothing_of_each_other(folder: Path, place: Path | str) -> None:
    with tempfile.TemporaryDirectory(dir=folder if place == ROOT else place) as above:
        program = write_program(Path(above) / "class" / "team" / "tells", LEAVES_TRACES)
        answers = answers_to_six_cases(folder, program)
    assert len(answers) == 1
    assert json.loads(answers.pop())[0] == 2


def answers_to_six_cases(folder: Path, program: Path) -> set[str]:
    """What a program answers to six cases that are run in the same sandbox, one after the other."""
    for number in range(6):
        write_case(folder / "cases", f"{number}", str(number), "1")
    run = Run(folder, "--program", program, "--sandbox", "on", "-j", "1", "cases").start()
    run.end()
    return {record["stdout"] for record in run.records().values()}


def test_a_program_in_a_place_of_everybody_sees_only_itself(tmp_path: Path, folder: Path) -> None:
    assert home_of("/tmp/program") == "/tmp/program"
    assert home_of("/tmp/bin/program") == "/tmp/bin"
    assert home_of("/srv/team/bin/program") == "/srv/team"
    assert home_of("/srv/team/program") == "/srv/team"
