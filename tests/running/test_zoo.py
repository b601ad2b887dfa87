"""A zoo of hostile programs, each of which gets its right verdict and leaves nothing behind.

The animals are in tests/zoo, one file each. They are all let loose in one run, among honest
programs, in the sandbox and, if all tests are run, without it. What they can do without it is compared with
what docs/running.md says they can.
"""

import os
import re
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import reduce
from hashlib import sha256
from operator import or_
from pathlib import Path
from threading import Thread
from typing import NamedTuple

import pytest

from harness.judging.verdicts import (
    CRASHED,
    MEMORY,
    NO_OUTPUT,
    NO_START,
    NOT_JSON,
    PASS,
    TIMEOUT,
    TOO_MANY,
    TOO_MUCH,
    WRONG,
)
from harness.judging.verdicts import VERDICTS as ALL_VERDICTS
from tests.support.capabilities import missing
from tests.support.helpers import ROOT, json_text
from tests.support.keeper import (
    Ordinary,
    Run,
    give,
    ordinary_user,
    visible_folder,
    write_case,
    write_program,
)

pytestmark = [pytest.mark.alone, pytest.mark.long]

ZOO = ROOT / "tests" / "zoo"
DOCUMENT = ROOT / "docs" / "running.md"
LIMITS = ("--timeout", "1.5", "--memory", "200", "--output", "256")
NEVER = "never let loose"
MACHINE = "as the machine allows"
AS_ROOT = PASS if os.getuid() == 0 else MACHINE

# The animal, and its verdict: shut in by bubblewrap, by Landlock, and let loose. Most of them have the right
# answer only if they get away with what they try. "talks" are run twice, one after the other, by one worker;
# "meets" twice at a time by two: they have the right answer if one of them learns of the other.
VERDICTS = {
    "aborts": (CRASHED, CRASHED, CRASHED),
    "byte_by_byte": (TOO_MUCH, TOO_MUCH, TOO_MUCH),
    "changes_modes": (NO_OUTPUT, NO_OUTPUT, PASS),
    "changes_personality": (NO_OUTPUT, NO_OUTPUT, PASS),
    "child_holds_stdout": (PASS, PASS, PASS),
    "closes_stdin": (PASS, PASS, PASS),
    "connects": (NO_OUTPUT, NO_OUTPUT, PASS),
    "connects_in_own_folder": (NO_OUTPUT, NO_OUTPUT, PASS),
    "connects_locally": (NO_OUTPUT, NO_OUTPUT, PASS),
    "dd_big_file": (TOO_MUCH, TOO_MUCH, TOO_MUCH),
    "deletes_directory": (PASS, PASS, PASS),
    "digs_deep": (PASS, PASS, PASS),
    "double_fork": (PASS, PASS, PASS),
    "dumps_core": (CRASHED, CRASHED, CRASHED),
    "eats_memory_behind_its_back": (MEMORY, MEMORY, MEMORY),
    "eats_memory_fast": (MEMORY, MEMORY, MEMORY),
    "eats_memory_in_a_crowd": (MEMORY, MEMORY, MEMORY),
    "eats_memory_in_children": (MEMORY, MEMORY, MEMORY),
    "eats_memory_slowly": (MEMORY, MEMORY, MEMORY),
    "endless_stderr": (TOO_MUCH, TOO_MUCH, TOO_MUCH),
    "endless_stdout": (TOO_MUCH, TOO_MUCH, TOO_MUCH),
    "exchanges_itself": (NO_OUTPUT, NO_OUTPUT, PASS),
    "fakes_report": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "fakes_sandbox_message": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "fakes_workflow_commands": (NOT_JSON, NOT_JSON, NOT_JSON),
    "fills_disk": (NO_OUTPUT, PASS, PASS),
    "fills_memory_descriptors": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "fills_memory_files": (NO_OUTPUT, NO_OUTPUT, NEVER),
    "fills_page_tables": (MEMORY, MEMORY, MEMORY),
    "fills_pipes": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "fills_shared_memory": (MACHINE, MACHINE, MACHINE),
    "fills_sockets": (MACHINE, MACHINE, MACHINE),
    "finds_answer_by_path": (NO_OUTPUT, NO_OUTPUT, PASS),
    "finds_answer_by_process": (NO_OUTPUT, NO_OUTPUT, PASS),
    "finds_answer_by_stdin": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "finds_answer_in_journal": (NO_OUTPUT, NO_OUTPUT, PASS),
    "finds_answer_nearby": (NO_OUTPUT, NO_OUTPUT, PASS),
    "fork_bomb": (TIMEOUT, TIMEOUT, TIMEOUT),
    "half_a_value": (TIMEOUT, TIMEOUT, TIMEOUT),
    "has_descriptors": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "has_rights": (NO_OUTPUT, NO_OUTPUT, AS_ROOT),
    "has_set_id_help": (NO_OUTPUT, NO_OUTPUT, PASS),
    "hostile_name": (PASS, PASS, PASS),
    "huge_error_line": (PASS, PASS, PASS),
    "interrupts_parent": (PASS, CRASHED, CRASHED),
    "kills_everybody": (PASS, NO_OUTPUT, NEVER),
    "kills_group": (CRASHED, CRASHED, CRASHED),
    "kills_parent": (PASS, CRASHED, CRASHED),
    "knows_paths": (NO_OUTPUT, PASS, PASS),
    "knows_sizes": (NO_OUTPUT, PASS, PASS),
    "leases_files": (NO_OUTPUT, NO_OUTPUT, PASS),
    "leaves_by_descriptor": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "leaves_files": (PASS, PASS, PASS),
    "lifts_its_limits": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "links_itself_elsewhere": (NO_OUTPUT, NO_OUTPUT, PASS),
    "lists_hidden_names": (NO_OUTPUT, PASS, PASS),
    "locks_directory": (PASS, PASS, PASS),
    "loops_forever": (TIMEOUT, TIMEOUT, TIMEOUT),
    "makes_local_socket": (NO_OUTPUT, NO_OUTPUT, PASS),
    "makes_nameless_file": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "makes_namespaces": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "makes_sparse_file": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "meets_by_local_sockets": (NO_OUTPUT, NO_OUTPUT, PASS),
    "meets_by_locks": (NO_OUTPUT, NO_OUTPUT, PASS),
    "meets_by_memory": (NO_OUTPUT, NO_OUTPUT, PASS),
    "meets_by_pipe": (NO_OUTPUT, NO_OUTPUT, PASS),
    "meets_by_record_locks": (NO_OUTPUT, NO_OUTPUT, PASS),
    "meets_by_tcp": (NO_OUTPUT, NO_OUTPUT, PASS),
    "mounts": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "names_odd_paths": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "never_reads": (PASS, PASS, PASS),
    "opens_descriptors": (PASS, PASS, PASS),
    "opens_parents_memory": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "own_session": (PASS, PASS, PASS),
    "prints_bad_bytes": (NOT_JSON, NOT_JSON, NOT_JSON),
    "prints_brackets": (NOT_JSON, NOT_JSON, NOT_JSON),
    "prints_deep_value": (NOT_JSON, NOT_JSON, NOT_JSON),
    "prints_escapes": (NOT_JSON, NOT_JSON, NOT_JSON),
    "prints_huge_numbers": (WRONG, WRONG, WRONG),
    "prints_long_number": (WRONG, WRONG, WRONG),
    "prints_nan": (NOT_JSON, NOT_JSON, NOT_JSON),
    "prints_surrogate": (WRONG, WRONG, WRONG),
    "prints_twice": (TOO_MANY, TOO_MANY, TOO_MANY),
    "puts_a_link": (PASS, NO_OUTPUT, PASS),
    "reads_by_hard_link": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_by_link": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_course_git": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_descriptors": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "reads_earlier_report": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_environment": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "reads_keys": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_neighbour": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_other_layout": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_own_history": (NO_OUTPUT, NO_OUTPUT, PASS),
    "reads_secrets": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "renames_machine": (NO_OUTPUT, NO_OUTPUT, AS_ROOT),
    "restless_daemon": (PASS, PASS, PASS),
    "right_then_killed": (CRASHED, CRASHED, CRASHED),
    "says_nothing": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "sees_control_groups": (NO_OUTPUT, NO_OUTPUT, PASS),
    "sees_first_process": (NO_OUTPUT, NO_OUTPUT, AS_ROOT),
    "sees_processes": (NO_OUTPUT, NO_OUTPUT, PASS),
    "sees_users": (NO_OUTPUT, NO_OUTPUT, PASS),
    "sets_parents_limits": (NO_OUTPUT, NO_OUTPUT, PASS),
    "sets_process_numbers": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "sets_parents_processors": (NO_OUTPUT, NO_OUTPUT, PASS),
    "signals_runner": (NO_OUTPUT, NO_OUTPUT, PASS),
    "sleeps_forever": (TIMEOUT, TIMEOUT, TIMEOUT),
    "sleeps_in_vfork": (TIMEOUT, TIMEOUT, TIMEOUT),
    "spares_itself": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "spreads_out": (PASS, PASS, PASS),
    "starts_many_threads": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "status_3": (PASS, PASS, PASS),
    "stops_itself": (TIMEOUT, TIMEOUT, TIMEOUT),
    "stops_parent": (PASS, TIMEOUT, PASS),
    "takes_parents_descriptors": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "talks_by_daemon": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "talks_by_descriptors": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "talks_by_file_flags": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "talks_by_file_numbers": (NO_OUTPUT, PASS, PASS),
    "talks_by_file_times": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_file_versions": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "talks_by_files": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_folder_times": (NO_OUTPUT, PASS, PASS),
    "talks_by_keys": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_messages": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_pipe_numbers": (MACHINE, MACHINE, MACHINE),
    "talks_by_posix_queue": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_priority": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_process_numbers": (NO_OUTPUT, PASS, PASS),
    "talks_by_reading": (NO_OUTPUT, MACHINE, MACHINE),
    "talks_by_semaphores": (NO_OUTPUT, NO_OUTPUT, PASS),
    "talks_by_shared_memory": (NO_OUTPUT, NO_OUTPUT, PASS),
    "touches_devices": (NO_OUTPUT, NO_OUTPUT, PASS),
    "traces_parent": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "types_into_terminal": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "unmounts": (NO_OUTPUT, NO_OUTPUT, NEVER),
    "uses_bpf": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "uses_io_uring": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "uses_odd_sockets": (NO_OUTPUT, NO_OUTPUT, PASS),
    "uses_perf_events": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "uses_udp": (NO_OUTPUT, NO_OUTPUT, PASS),
    "uses_userfaultfd": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "watches_files": (NO_OUTPUT, NO_OUTPUT, PASS),
    "writes_beside_itself": (NO_OUTPUT, NO_OUTPUT, PASS),
    "writes_big_file": (NO_OUTPUT, NO_OUTPUT, NO_OUTPUT),
    "writes_sysctls": (NO_OUTPUT, NO_OUTPUT, MACHINE),
    "writes_to_itself": (NO_OUTPUT, NO_OUTPUT, PASS),
    "writes_to_stdin": (PASS, PASS, PASS),
}
# What is not even a program; those called like programs of the game are missed if they are not there.
NO_PROGRAMS = ("no_first_line", "no_interpreter", "empty_file", "windows_lines", "xattack", "xfeed", "xstep")
THIEVES = ("connects", "finds_answer_by", "finds_answer_nearby", "reads_")  # the answer is a secret


def write_animals(folder: Path, python: str) -> None:
    """All programs of the zoo."""
    for source in ZOO.iterdir():
        if source.suffix == ".py":
            write_program(folder / source.stem, f"#!{python} -IS\n{source.read_text()}")
        elif source.suffix == ".sh":
            write_program(folder / source.stem, source.read_text())
    write_program(folder / "honest", "#!/bin/sh\nexec cat\n")
    write_program(folder / "no_first_line", "echo '[\"right\"]'\n")
    write_program(folder / "no_interpreter", "#!/nowhere/python3\nprint('[\"right\"]')\n")
    write_program(folder / "empty_file", "")
    write_program(folder / "windows_lines", "#!/bin/sh\r\necho '[\"right\"]'\r\n")
    write_program(folder / "xstep", "#!/bin/sh\ncat\n").chmod(0o644)
    (folder / "xfeed").mkdir()


def digests(folder: Path) -> dict[Path, str]:
    """What is in a folder, at any depth."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path: sha256(path.read_bytes()).hexdigest() for path in files}


@contextmanager
def listening(mark: str, secret: str, path: Path) -> Iterator[int]:
    """Somebody who tells everybody the secret; on which port. Also at the mark, locally, and at a path."""
    by_port = socket.create_server(("127.0.0.1", 0))
    by_name = socket.socket(socket.AF_UNIX)
    by_name.bind("\0" + mark)
    by_name.listen()
    by_path = socket.socket(socket.AF_UNIX)
    place = os.open(path.parent, os.O_PATH)
    by_path.bind(f"/proc/self/fd/{place}/{path.name}")  # the whole path may be too long
    os.close(place)
    by_path.listen()
    listeners = (by_port, by_name, by_path)

    def tell(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.sendall(secret.encode())

    threads = [Thread(target=tell, args=[listener]) for listener in listeners]
    for thread in threads:
        thread.start()
    try:
        yield by_port.getsockname()[1]
    finally:
        for listener, thread in zip(listeners, threads, strict=True):
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            listener.close()


def free_port() -> int:
    """A TCP port that nobody has."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


class Visit(NamedTuple):
    """What was seen of a run over the zoo."""

    verdicts: dict[str, str]  # by animal
    honest: dict[str, str]  # by the animal that the honest one ran beside
    out: str
    err: str
    status: int
    traces: set[str]  # animals that have left or changed a file
    left: list[object]

    def __or__(self, other: "Visit") -> "Visit":
        """Both visits as one."""
        return Visit(
            self.verdicts | other.verdicts,
            self.honest | other.honest,
            self.out + other.out,
            self.err + other.err,
            max(self.status, other.status),
            self.traces | other.traces,
            self.left + other.left,
        )


class Kind(NamedTuple):
    """Animals that are let loose in the same way: what their names begin with, how often, by how many."""

    prefix: str
    cases: tuple[str, ...]
    workers: str


KINDS = (
    Kind("", ("wild",), "2"),
    Kind("talks_", ("first", "second"), "1"),
    Kind("meets_", ("first", "second"), "2"),
)


def kind_of(animal: str) -> Kind:
    """How an animal is let loose."""
    return next((kind for kind in KINDS[1:] if animal.startswith(kind.prefix)), KINDS[0])


def visit(folder: Path, animals: list[str], kind: Kind, sandbox: str, ordinary: Ordinary | None) -> Visit:
    """Let animals loose, among honest programs, and look round afterwards."""
    team, cases = folder / "team7", folder / "cases"
    write_animals(team / "bin", ordinary.python if ordinary else sys.executable)
    write_program(folder / "team8" / "bin" / "honest", "#!/bin/sh\nexec cat\n")
    options = ("--bin", "team7/bin", *LIMITS, "-j", kind.workers, "--sandbox", sandbox, "cases")
    run = Run(folder, *options, command=ordinary.command if ordinary else ())
    secret = json_text([f"secret {run.mark}"])
    secrets = {
        "key": folder / "home" / ".ssh" / "id_zoo",
        "neighbour": folder / "team8" / "answers.json",
        "git": folder / ".git" / "answers.json",
        "report": folder / "reports" / "last.html",
        "layout": folder / "winter" / "kim" / "project" / "src" / "answers.json",
        "own": team / ".git" / "notes",
    }
    for file in secrets.values():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(secret)
    (team / "bin" / "link-to-answer").symlink_to(cases / "reads_by_link" / "wild-out.json")
    (team / "bin" / "unread").write_text("nothing yet")
    os.mkfifo(team / "bin" / "pipe")
    helper = team / "bin" / "helper"
    with listening(run.mark, secret, helper) as port, secrets["neighbour"].open() as descriptor:
        told = {name: str(file) for name, file in secrets.items()} | {
            "port": port,
            "free": free_port(),
            "mark": run.mark,
            "cases": str(cases),
            "journal": str(run.journal),
            "runner": os.getpid(),
            "nice": os.getpriority(os.PRIO_PROCESS, 0),
        }
        for animal in animals:
            given = json_text(told | {"filling": "x" * (10 << 20 if animal == "never_reads" else 0)})
            expected = secret if animal.startswith(THIEVES) else '[\n"right"]\n'
            for name in kind.cases:
                write_case(cases / animal, name, given, expected)
            write_case(cases / animal / "honest", "beside", "[1]", "[1]")
        if "reads_by_hard_link" in animals:
            (team / "bin" / "notes").hardlink_to(cases / "reads_by_hard_link" / "wild-out.json")
        before = digests(team)
        os.utime(team / "bin" / "unread", (0, time.time()))
        variables = {"HOME": str(folder / "home"), "ZOO_TOKEN": secret}
        if ordinary:
            variables |= ordinary.variables
            give(folder, ordinary.user)
        run.start(descriptor.fileno(), **variables)
        out, err, status = run.end(within=300)
    after = digests(team)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    dropped = [
        path for place in ("/tmp", "/var/tmp", "/dev/shm") for path in Path(place).glob(f"{run.mark}-*")
    ]
    traces = {path.name.removeprefix(f"{run.mark}-").partition(".")[0] for path in (*changed, *dropped)}
    for path in dropped:
        path.unlink()
    verdicts: dict[str, str] = {}
    for case, record in run.records().items():
        if "/honest/" not in case and verdicts.get(animal := case.split("/")[1]) != PASS:
            verdicts[animal] = record["verdict"]
    honest = {case: record["verdict"] for case, record in run.records().items() if "/honest/" in case}
    return Visit(verdicts, honest, out, err, status, traces, run.left())


def visits_of(mode: str, animals: list[str]) -> Visit:
    """Visits to all kinds of animals, each in a folder of its own."""
    sandbox, _, user = mode.partition(" ")
    found = []
    for kind in KINDS:
        of_kind = [animal for animal in animals if kind_of(animal) == kind]
        with visible_folder() as folder:
            found.append(visit(folder, of_kind, kind, sandbox, ordinary_user() if user else None))
    return reduce(or_, found)


MODES = {
    "shut_in": "bwrap",
    "landlocked": "landlock",
    "loose": "off",
    "shut_in_ordinarily": "bwrap user",
    "landlocked_ordinarily": "landlock user",
}


@pytest.fixture(scope="module")
def visits(request: pytest.FixtureRequest) -> Iterator[dict[str, "Future[Visit]"]]:
    """All visits that are asked for, some at once: most of the time is spent waiting for animals."""
    asked_for = {name for item in request.session.items for name in getattr(item, "fixturenames", ())}
    needed = {"bwrap": "sandbox", "landlock": "landlock"}
    harmless = [animal for animal, (_, _, verdict) in VERDICTS.items() if verdict != NEVER]
    with ThreadPoolExecutor(3) as pool:
        yield {
            mode: pool.submit(visits_of, mode, [*(harmless if mode == "off" else VERDICTS), *NO_PROGRAMS])
            for name, mode in MODES.items()
            if name in asked_for and needed.get(mode.partition(" ")[0]) not in missing()
        }


@pytest.fixture
def shut_in(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["bwrap"].result()


@pytest.fixture
def landlocked(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["landlock"].result()


@pytest.fixture
def loose(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["off"].result()


@pytest.fixture
def shut_in_ordinarily(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["bwrap user"].result()


@pytest.fixture
def landlocked_ordinarily(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["landlock user"].result()


def unexpected(visit: Visit, column: int) -> dict[str, tuple[str, str]]:
    """The animals whose verdicts are not those in a column of the table, with both."""
    expected = {animal: row[column] for animal, row in VERDICTS.items()} | dict.fromkeys(
        NO_PROGRAMS, NO_START
    )
    return {
        animal: (visit.verdicts.get(animal, NEVER), verdict)
        for animal, verdict in expected.items()
        if visit.verdicts.get(animal, NEVER) != verdict != MACHINE
    }


def test_every_animal_is_in_the_table() -> None:
    assert {path.stem for path in ZOO.iterdir() if path.suffix in (".py", ".sh")} == set(VERDICTS)


# --- in the sandbox ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_every_animal_gets_its_right_verdict_in_the_sandbox(shut_in: Visit) -> None:
    assert unexpected(shut_in, 0) == {}
    assert shut_in.status == 1


@pytest.mark.needs("sandbox")
def test_honest_programs_pass_beside_them_in_the_sandbox(shut_in: Visit) -> None:
    assert len(shut_in.honest) == len([*VERDICTS, *NO_PROGRAMS])
    assert set(shut_in.honest.values()) == {PASS}


@pytest.mark.needs("sandbox")
def test_nothing_is_left_of_them_in_the_sandbox(shut_in: Visit) -> None:
    assert shut_in.left == []
    assert shut_in.traces == set()


@pytest.mark.needs("sandbox")
def test_no_byte_of_theirs_can_garble_a_terminal(shut_in: Visit) -> None:
    assert "prints_escapes" in shut_in.out
    assert [one for one in shut_in.out if not one.isprintable() and one != "\n"] == []


@pytest.mark.needs("sandbox")
def test_no_line_of_theirs_is_an_order_to_a_service(shut_in: Visit) -> None:
    assert "everything is wrong" in shut_in.out
    orders = [line for line in shut_in.out.splitlines() if line.lstrip().startswith("::") or "##[" in line]
    assert orders == []


@pytest.mark.needs("sandbox")
def test_the_summary_says_what_was_in_force(shut_in: Visit) -> None:
    assert "\nsandbox: no network, read-only files" in shut_in.out
    assert "\nlimits per case: 1.5 s, 200 MB (" in shut_in.out


@pytest.mark.needs("sandbox")
def test_a_program_that_cannot_start_is_reported_once_before_its_cases(shut_in: Visit) -> None:
    for program in NO_PROGRAMS:
        assert len(re.findall(f"^{program} could not start: ", shut_in.out, re.MULTILINE)) == 1


@pytest.mark.needs("sandbox")
def test_nothing_of_the_harness_fails_in_the_sandbox(shut_in: Visit) -> None:
    assert shut_in.err == ""


# --- shut in by Landlock -------------------------------------------------------------------------


@pytest.mark.needs("landlock")
def test_every_animal_gets_its_verdict_where_landlock_shuts_it_in(landlocked: Visit) -> None:
    assert unexpected(landlocked, 1) == {}
    assert landlocked.err == ""


@pytest.mark.needs("landlock")
def test_honest_programs_pass_beside_them_where_landlock_shuts_them_in(landlocked: Visit) -> None:
    assert set(landlocked.honest.values()) == {PASS}


@pytest.mark.needs("landlock")
def test_nothing_is_left_of_them_where_landlock_shuts_them_in(landlocked: Visit) -> None:
    assert landlocked.left == []
    assert landlocked.traces == set()


# --- by an ordinary user -------------------------------------------------------------------------

by_ordinary_user = pytest.mark.skipif(
    os.getuid() != 0 or ordinary_user() is None, reason="only root can become somebody else (sudo make test)"
)


@by_ordinary_user
@pytest.mark.needs("sandbox")
def test_an_ordinary_user_is_as_safe_in_the_sandbox_as_root(shut_in_ordinarily: Visit) -> None:
    assert unexpected(shut_in_ordinarily, 0) == {}
    assert set(shut_in_ordinarily.honest.values()) == {PASS}
    assert (shut_in_ordinarily.left, shut_in_ordinarily.traces) == ([], set())


@by_ordinary_user
@pytest.mark.needs("landlock")
def test_an_ordinary_user_is_as_safe_as_root_where_landlock_shuts_programs_in(
    landlocked_ordinarily: Visit,
) -> None:
    assert unexpected(landlocked_ordinarily, 1) == {}
    assert set(landlocked_ordinarily.honest.values()) == {PASS}
    assert (landlocked_ordinarily.left, landlocked_ordinarily.traces) == ([], set())


# --- without the sandbox -------------------------------------------------------------------------


@pytest.mark.long
def test_every_animal_gets_its_verdict_without_the_sandbox(loose: Visit) -> None:
    assert unexpected(loose, 2) == {}
    assert loose.err == ""


@pytest.mark.long
def test_honest_programs_pass_beside_them_without_the_sandbox(loose: Visit) -> None:
    assert len(loose.honest) == len(loose.verdicts)
    assert set(loose.honest.values()) == {PASS}


@pytest.mark.long
def test_no_process_and_no_scratch_directory_is_left_without_the_sandbox(loose: Visit) -> None:
    assert loose.left == []


@pytest.mark.needs("sandbox")
@pytest.mark.long
def test_the_documentation_names_the_animals_that_are_not_contained(shut_in: Visit, loose: Visit) -> None:
    succeeded = {
        animal
        for animal, verdict in loose.verdicts.items()
        if verdict == PASS and shut_in.verdicts[animal] != PASS
    }
    never = {animal for animal, (_, _, verdict) in VERDICTS.items() if verdict == NEVER}
    varying = {animal for animal, (_, _, verdict) in VERDICTS.items() if verdict == MACHINE}
    _, _, section = DOCUMENT.read_text().partition("\n## Without the sandbox\n")
    section, _, _ = section.partition("\n## ")
    cells = re.findall(r"^\| (`.+?`) \|", section, re.MULTILINE)
    documented = {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}
    assert documented - varying == (succeeded | loose.traces | never) - varying
    assert varying <= documented


# They pass if nothing comes of what they do.
HARMLESS = {"interrupts_parent", "kills_everybody", "kills_parent", "stops_parent"}


def test_the_table_of_rungs_says_of_every_promise_what_becomes_of_those_who_try() -> None:
    _, _, section = DOCUMENT.read_text().partition("\n### The rungs\n")
    section, _, _ = section.partition("\n##")
    rows = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 15
    for promise, *cells, tried_by in rows:
        names = re.findall(r"`(\w+)`", tried_by)
        assert names, promise
        for column, cell in enumerate(cells):
            verdicts = {VERDICTS[name][column] for name in names if name not in HARMLESS}
            if re.match("no\\b", cell):
                assert PASS not in verdicts, (promise, column)
            elif "yes" in cell and verdicts:
                assert verdicts & {PASS, MACHINE, NEVER}, (promise, column)


def test_the_documentation_names_nobody_who_is_not_in_the_zoo() -> None:
    text = DOCUMENT.read_text()
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", text)) - {"memfd_create", "as_text"}
    assert {name for name in named if not name.startswith("harness_")} <= set(VERDICTS)


def test_the_documentation_explains_every_verdict() -> None:
    _, _, section = DOCUMENT.read_text().partition("\n## Verdicts\n")
    section, _, _ = section.partition("\n## ")
    assert re.findall(r"^\| ([\w ]+) \|", section, re.MULTILINE)[1:] == list(ALL_VERDICTS)
