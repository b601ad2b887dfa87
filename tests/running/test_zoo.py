"""A zoo of hostile programs, each of which gets its right verdict and leaves nothing behind.

The animals are in tests/zoo, one file each. They are all let loose in one run, among honest
programs, in the sandbox and, if all tests are run, without it. What they can do without it is compared with
what docs/running.md says they can.
"""

import re
import socket
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from hashlib import sha256
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
from tests.support.keeper import Run, visible_folder, write_case, write_program

pytestmark = [pytest.mark.alone, pytest.mark.long]

ZOO = ROOT / "tests" / "zoo"
DOCUMENT = ROOT / "docs" / "running.md"
LIMITS = ("--timeout", "1.5", "--memory", "200", "--output", "256", "-j", "2")
NEVER = "never let loose"

# The animal, its verdict in the sandbox, and its verdict without. Most of those with "find",
# "read", "write" or "connect" in their names have the right answer only if they get away with it.
VERDICTS = {
    "aborts": (CRASHED, CRASHED),
    "byte_by_byte": (TOO_MUCH, TOO_MUCH),
    "child_holds_stdout": (PASS, PASS),
    "closes_stdin": (PASS, PASS),
    "connects": (NO_OUTPUT, PASS),
    "connects_locally": (NO_OUTPUT, PASS),
    "dd_big_file": (TOO_MUCH, TOO_MUCH),
    "deletes_directory": (PASS, PASS),
    "digs_deep": (PASS, PASS),
    "double_fork": (PASS, PASS),
    "dumps_core": (CRASHED, CRASHED),
    "eats_memory_fast": (MEMORY, MEMORY),
    "eats_memory_in_children": (MEMORY, MEMORY),
    "eats_memory_slowly": (MEMORY, MEMORY),
    "endless_stderr": (TOO_MUCH, TOO_MUCH),
    "endless_stdout": (TOO_MUCH, TOO_MUCH),
    "fills_memory_files": (NO_OUTPUT, NEVER),
    "finds_answer_by_path": (NO_OUTPUT, PASS),
    "finds_answer_by_process": (NO_OUTPUT, PASS),
    "finds_answer_by_stdin": (NO_OUTPUT, NO_OUTPUT),
    "finds_answer_in_journal": (NO_OUTPUT, PASS),
    "finds_answer_nearby": (NO_OUTPUT, PASS),
    "fork_bomb": (TIMEOUT, TIMEOUT),
    "half_a_value": (TIMEOUT, TIMEOUT),
    "hostile_name": (PASS, PASS),
    "huge_error_line": (PASS, PASS),
    "kills_everybody": (PASS, NEVER),
    "kills_group": (CRASHED, CRASHED),
    "kills_parent": (PASS, CRASHED),
    "leaves_files": (PASS, PASS),
    "locks_directory": (PASS, PASS),
    "loops_forever": (TIMEOUT, TIMEOUT),
    "makes_sparse_file": (NO_OUTPUT, NO_OUTPUT),
    "never_reads": (PASS, PASS),
    "opens_descriptors": (PASS, PASS),
    "own_session": (PASS, PASS),
    "prints_bad_bytes": (NOT_JSON, NOT_JSON),
    "prints_brackets": (NOT_JSON, NOT_JSON),
    "prints_deep_value": (NOT_JSON, NOT_JSON),
    "prints_escapes": (NOT_JSON, NOT_JSON),
    "prints_huge_numbers": (WRONG, WRONG),
    "prints_long_number": (WRONG, WRONG),
    "prints_nan": (NOT_JSON, NOT_JSON),
    "prints_surrogate": (WRONG, WRONG),
    "prints_twice": (TOO_MANY, TOO_MANY),
    "puts_a_link": (PASS, PASS),
    "reads_descriptors": (NO_OUTPUT, NO_OUTPUT),
    "reads_keys": (NO_OUTPUT, PASS),
    "reads_neighbour": (NO_OUTPUT, PASS),
    "reads_secrets": (NO_OUTPUT, NO_OUTPUT),
    "restless_daemon": (PASS, PASS),
    "right_then_killed": (CRASHED, CRASHED),
    "says_nothing": (NO_OUTPUT, NO_OUTPUT),
    "sees_processes": (NO_OUTPUT, PASS),
    "sleeps_forever": (TIMEOUT, TIMEOUT),
    "sleeps_in_vfork": (TIMEOUT, TIMEOUT),
    "spreads_out": (PASS, PASS),
    "status_3": (PASS, PASS),
    "stops_itself": (TIMEOUT, TIMEOUT),
    "stops_parent": (PASS, PASS),
    "writes_beside_itself": (NO_OUTPUT, PASS),
    "writes_big_file": (NO_OUTPUT, NO_OUTPUT),
    "writes_to_itself": (NO_OUTPUT, PASS),
    "writes_to_stdin": (PASS, PASS),
}
# Where Landlock shuts them in, what is different from the sandbox of bubblewrap: who starts the programs is
# in their reach, and a scratch folder cannot be exchanged.
LANDLOCK = {
    "kills_everybody": NO_OUTPUT,
    "kills_parent": CRASHED,
    "puts_a_link": NO_OUTPUT,
    "stops_parent": TIMEOUT,
}
# What is not even a program; those called like programs of the game are missed if they are not there.
NO_PROGRAMS = ("no_first_line", "no_interpreter", "empty_file", "windows_lines", "xattack", "xfeed", "xstep")
THIEVES = ("connects", "finds_answer_by", "finds_answer_nearby", "reads_")  # the answer is a secret


def write_animals(folder: Path) -> None:
    """All programs of the zoo."""
    for source in ZOO.iterdir():
        if source.suffix == ".py":
            write_program(folder / source.stem, f"#!{sys.executable} -IS\n{source.read_text()}")
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
def listening(mark: str, secret: str) -> Iterator[int]:
    """Somebody who tells everybody the secret; on which port. Also at a local address, the mark."""
    by_port = socket.create_server(("127.0.0.1", 0))
    by_name = socket.socket(socket.AF_UNIX)
    by_name.bind("\0" + mark)
    by_name.listen()

    def tell(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.sendall(secret.encode())

    threads = [Thread(target=tell, args=[listener]) for listener in (by_port, by_name)]
    for thread in threads:
        thread.start()
    try:
        yield by_port.getsockname()[1]
    finally:
        for listener, thread in zip((by_port, by_name), threads, strict=True):
            listener.shutdown(socket.SHUT_RDWR)
            thread.join()
            listener.close()


class Visit(NamedTuple):
    """What was seen of a run over the zoo."""

    verdicts: dict[str, str]  # by animal
    honest: dict[str, str]  # by the animal that the honest one ran beside
    out: str
    err: str
    status: int
    traces: set[str]  # animals that have left or changed a file
    left: list[object]
    records: list[dict[str, object]]


def visit(folder: Path, animals: list[str], *options: str) -> Visit:
    """Let animals loose, among honest programs, and look round afterwards."""
    team, cases = folder / "team7", folder / "cases"
    write_animals(team / "bin")
    write_program(folder / "team8" / "bin" / "honest", "#!/bin/sh\nexec cat\n")
    run = Run(folder, "--bin", "team7/bin", *LIMITS, *options, "cases")
    secret = json_text([f"secret {run.mark}"])
    answers = folder / "team8" / "answers.json"
    key = folder / "home" / ".ssh" / "id_zoo"
    key.parent.mkdir(parents=True)
    for file in (key, answers):
        file.write_text(secret)
    with listening(run.mark, secret) as port, answers.open() as descriptor:
        told = {
            "port": port,
            "mark": run.mark,
            "cases": str(cases),
            "journal": str(run.journal),
            "neighbour": str(answers),
        }
        for animal in animals:
            given = json_text(told | {"filling": "x" * (10 << 20 if animal == "never_reads" else 0)})
            write_case(
                cases / animal, "wild", given, secret if animal.startswith(THIEVES) else '[\n"right"]\n'
            )
            write_case(cases / animal / "honest", "beside", "[1]", "[1]")
        before = digests(team)
        run.start(descriptor.fileno(), HOME=str(folder / "home"), ZOO_TOKEN=secret)
        out, err, status = run.end(within=300)
    after = digests(team)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    dropped = [
        path for place in ("/tmp", "/var/tmp", "/dev/shm") for path in Path(place).glob(f"{run.mark}-*")
    ]
    traces = {path.name.removeprefix(f"{run.mark}-").partition(".")[0] for path in (*changed, *dropped)}
    for path in dropped:
        path.unlink()
    records = run.records()
    return Visit(
        {case.split("/")[1]: record["verdict"] for case, record in records.items() if case.endswith("/wild")},
        {case: record["verdict"] for case, record in records.items() if "/honest/" in case},
        out,
        err,
        status,
        traces,
        run.left(),
        list(records.values()),
    )


def visit_in(sandbox: str, animals: list[str]) -> Visit:
    """A visit in a folder of its own."""
    with visible_folder() as folder:
        return visit(folder, animals, "--sandbox", sandbox)


@pytest.fixture(scope="module")
def visits(request: pytest.FixtureRequest) -> Iterator[dict[str, "Future[Visit]"]]:
    """Both visits at once: most of the time is spent waiting for animals that never end."""
    harmless = [animal for animal, (_, verdict) in VERDICTS.items() if verdict != NEVER]
    animals = [*VERDICTS, *NO_PROGRAMS]
    modes = {"bwrap": animals, "landlock": animals, "off": [*harmless, *NO_PROGRAMS]}
    asked_for = {name for item in request.session.items for name in getattr(item, "fixturenames", ())}
    if "sandbox" in missing() or "shut_in" not in asked_for:
        del modes["bwrap"]
    if "landlock" in missing() or "landlocked" not in asked_for:
        del modes["landlock"]
    if "loose" not in asked_for:
        del modes["off"]
    with ThreadPoolExecutor() as pool:
        yield {mode: pool.submit(visit_in, mode, animals) for mode, animals in modes.items()}


@pytest.fixture
def shut_in(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["bwrap"].result()


@pytest.fixture
def landlocked(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["landlock"].result()


@pytest.fixture
def loose(visits: dict[str, "Future[Visit]"]) -> Visit:
    return visits["off"].result()


def test_every_animal_is_in_the_table() -> None:
    assert {path.stem for path in ZOO.iterdir() if path.suffix in (".py", ".sh")} == set(VERDICTS)


# --- in the sandbox ------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.needs("sandbox")
def test_every_animal_gets_its_right_verdict_in_the_sandbox(shut_in: Visit) -> None:
    expected = {animal: verdict for animal, (verdict, _) in VERDICTS.items()}
    assert shut_in.verdicts == expected | dict.fromkeys(NO_PROGRAMS, NO_START)
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
    expected = {animal: verdict for animal, (verdict, _) in VERDICTS.items()}
    assert landlocked.verdicts == expected | LANDLOCK | dict.fromkeys(NO_PROGRAMS, NO_START)
    assert landlocked.err == ""


@pytest.mark.needs("landlock")
def test_honest_programs_pass_beside_them_where_landlock_shuts_them_in(landlocked: Visit) -> None:
    assert set(landlocked.honest.values()) == {PASS}


@pytest.mark.needs("landlock")
def test_nothing_is_left_of_them_where_landlock_shuts_them_in(landlocked: Visit) -> None:
    assert landlocked.left == []
    assert landlocked.traces == set()


# --- without the sandbox -------------------------------------------------------------------------


@pytest.mark.long
def test_every_animal_gets_its_verdict_without_the_sandbox(loose: Visit) -> None:
    expected = {animal: verdict for animal, (_, verdict) in VERDICTS.items() if verdict != NEVER}
    assert loose.verdicts == expected | dict.fromkeys(NO_PROGRAMS, NO_START)
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
    never = {animal for animal, (_, verdict) in VERDICTS.items() if verdict == NEVER}
    _, _, section = DOCUMENT.read_text().partition("\n## Without the sandbox\n")
    section, _, _ = section.partition("\n## ")
    documented = set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))
    assert documented == succeeded | loose.traces | never


def test_the_documentation_explains_every_verdict() -> None:
    _, _, section = DOCUMENT.read_text().partition("\n## Verdicts\n")
    section, _, _ = section.partition("\n## ")
    assert re.findall(r"^\| ([\w ]+) \|", section, re.MULTILINE)[1:] == list(ALL_VERDICTS)
