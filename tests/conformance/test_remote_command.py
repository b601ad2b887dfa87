"""`harness remote`: our own server and client pass, and each broken one gets its fault named.

The broken ones are small programs in tests/broken, each a plain server or client with one thing changed.
"""

import json
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import jsonschema
import pytest

from harness.conformance.trial import MEANING, SIDES
from harness.judging.result import SCHEMA
from harness.judging.verdicts import MANNER, NOT_SHOWN
from tests.support.helpers import BIN, ROOT

pytestmark = pytest.mark.alone  # who is silent and who is slow is told apart by the clock

BROKEN = ROOT / "tests" / "broken"
SHORT, AMPLE = 2.5, 30.0  # seconds for an answer: where one is waited for in vain, and where not
LONG = 300.0
AT_ONCE = 4

Outcome = tuple[
    dict[str, str], str
]  # the scenarios that failed, with their verdicts, and all that was printed


def harness(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The broken programs are made of the project's own; what the sandbox does is in test_shut_in.py."""
    command = [str(BIN / "harness"), "remote", *arguments, "--sandbox", "off"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONG)


def command(name: str, timeout: float) -> str:
    rest = f"{{port}} 3 {timeout:g} {{host}}" if "server" in name else "{port} {name} {host}"
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(BROKEN / name))}.py {rest}"


def failed(side: str, name: str, *more: str, timeout: float = AMPLE) -> Outcome:
    """The scenarios that a program fails, with their verdicts, and all that was printed."""
    return verdicts_of(side, command(name, timeout), "--timeout", f"{timeout:g}", *more)


def verdicts_of(side: str, program: str, *more: str) -> Outcome:
    """The same for any command; what was not shown is left out, since it only follows."""
    done = harness(f"--{side}", program, "--gap", "0.001", *more)
    found = {}
    for line in done.stdout.splitlines():
        if line.startswith(f"remote/{side}/"):
            scenario, _, rest = line.removeprefix(f"remote/{side}/").partition(": ")
            if not rest.startswith(NOT_SHOWN):
                found[scenario] = rest.partition(" (")[0]
        elif line.startswith("manner: "):
            found[line.split(": ")[1]] = MANNER
    wrong = {*found.values()} - {MANNER}
    assert done.returncode == (1 if wrong else 0), done.stderr
    return found, done.stdout


HERE = shlex.quote(str(BIN))
OWN = {
    "server": f"{HERE}/xserver --host {{host}} --port {{port}} --max 3 --timeout {SHORT:g} --gap 0.001",
    "client": f"{HERE}/xclient --host {{host}} --port {{port}} --name {{name}}",
}


def test_a_server_that_shuffles_is_tested_as_far_as_that_is_possible() -> None:
    shuffling = f"{OWN['server']} --seed 7"
    found, _ = verdicts_of("server", shuffling, "--timeout", f"{SHORT:g}", "-k", "rules", "-k", "scores")
    assert set(found) == {"plays-by-the-rules"}
    more = ("--timeout", f"{SHORT:g}", "--deck", "any", "-k", "rules", "-k", "scores", "-k", "no-json")
    found, printed = verdicts_of("server", shuffling, *more)
    assert found == {}, printed


# The program, the scenario that names its fault and the verdict, and a part of the detail. Only these fail.
SERVERS = [
    ("says_yes", {"signs-up": "wrong answer"}, 'answered "yes", not "ok"'),
    ("welcomes_nobody", {"signs-up": "wrong answer"}, "Anna signed up and was answered [0,0,[["),
    ("forgets_the_hand", {"messages-well-formed": "wrong answer"}, "neither a Start, nor [LOB, LOB]"),
    ("writes_python", {"messages-well-formed": "not JSON"}, "is not JSON at byte"),
    ("asks_before_the_start", {"messages-in-order": "wrong answer"}, "gets a choose after the sign-up"),
    (
        "deals_backwards",
        {"plays-by-the-rules": "wrong answer"},
        "message 1 to Anna, a start, is not as it should be with the deck in card order",
    ),
    ("miscounts", {"scores": "wrong answer"}, "by the rules it is 2 (Bert): 7, 3 (Cleo): 7, 1 (Anna): 5"),
    ("prints_nothing", {"scores": "no output"}, "prints no result lines"),
    ("lingers", {"ends-cleanly": "timeout"}, "still running"),
    ("ends_with_status_3", {"ends-cleanly": "wrong answer"}, "exit status 3"),
    ("reads_once", {"split-messages": "no output"}, "was closed after"),
    ("reads_lines", {"white-space": MANNER}, "a client must send its answers on one line"),
    ("dies_with_a_client", {"throws-out-disconnected": "crashed"}, "(ended by SIGABRT)"),
    (
        "keeps_answers",
        {"throws-out-two-answers": "wrong answer", "throws-out-unasked-answer": "wrong answer"},
        "Anna was not thrown out: it is told more",
    ),
    ("refuses_labels", {"labelled-growth": MANNER}, "was closed after 2 messages"),
    ("forgives", {"throws-out-illegal-feeding": "wrong answer"}, "was not thrown out"),
    ("waits_for_ever", {"throws-out-silent": "timeout"}, "says nothing more"),
    ("is_impatient", {"waits-for-slow-answers": "no output"}, "was closed after 2 messages"),
    ("welcomes_latecomers", {"turns-later-sign-ups-away": "wrong answer"}, 'is told "ok"'),
    ("needs_a_byte", {"numbers-alone": MANNER}, "a client must send something after a number"),
    (
        "breaks_on_a_byte",
        {"numbers-and-a-space": MANNER, "numbers-and-a-line-end": MANNER},
        "after a number it takes:      nothing\n",
    ),
    ("welcomes_all_at_last", {"signs-up": MANNER}, 'nobody is told "ok" before all have signed up'),
    (
        "seats_backwards",
        {"messages-in-order": MANNER},
        "the seats are not in order of sign-up, but Cleo, Bert, Anna",
    ),
    (
        "ignores_what_is_unasked",
        {"throws-out-two-answers": MANNER, "throws-out-unasked-answer": MANNER},
        "was not thrown out: what it said unasked is ignored",
    ),
    ("takes_any_name", {"refuses-bad-sign-up": "wrong answer"}, 'signed up with a number, is told "ok"'),
]
CLIENTS = [
    ("signs_up_with_a_number", {"signs-up": "wrong answer"}, "not a string: 42"),
    ("never_signs_up", {"signs-up": "timeout"}, "no sign-up within"),
    ("stays_at_home", {"signs-up": "could not start"}, "exit status 1 without connecting"),
    ("labels_growth", {"unlabelled-growth": MANNER}, "growth has labels"),
    ("plays_a_missing_card", {"legal-choices": "wrong answer"}, "card 99 does not exist"),
    ("answers_with_an_object", {"answers-well-formed": "wrong answer"}, "expected an action"),
    ("answers_in_python", {"answers-well-formed": "not JSON"}, "not JSON at byte"),
    ("falls_asleep", {"answers-in-time": "timeout"}, "no answer to feed_next within"),
    ("answers_twice", {"speaks-only-when-asked": "too many values"}, "without being asked"),
    ("stops_at_line_ends", {"pretty-printed-messages": MANNER}, "closes the connection"),
    ("ends_with_status_3", {"ends-cleanly": MANNER}, "exit status 3"),
    ("stays", {"ends-cleanly": "timeout"}, "still running"),
    ("does_not_go_away", {"turned-away": "timeout"}, "still running"),
]


THOROUGH = {"miscounts", "ends_with_status_3"}  # these go on after their fault, and are tested to the end


def options_for(side: str, name: str, verdicts: dict[str, str]) -> list[str]:
    """The plain game and the scenario that is to fail; who waits for ever is not waited for long."""
    patience = ["--patience", "3" if "timeout" in verdicts.values() else "30"]
    if name in THOROUGH:
        return [*patience, "--quick"]
    shown = [*SIDES[side].HONEST, *verdicts, *(["numbers"] if name == "breaks_on_a_byte" else [])]
    return [*patience, *(word for scenario in shown for word in ("-k", scenario))]


# What these do in a plain game depends on how fast everybody is.
HASTY = [
    ("client_reads_once", {"split-messages": "no output"}),
    ("client_loses_the_second", {"joined-messages": "timeout"}),
]


class Trial(NamedTuple):
    """What is tried, in a process of its own, and what must come out of it."""

    side: str
    command: str
    options: list[str]
    verdicts: dict[str, str]
    detail: str


def broken(side: str, name: str, verdicts: dict[str, str], detail: str) -> Trial:
    """A broken program, in the scenarios that are to show its fault."""
    timeout = SHORT if "timeout" in verdicts.values() or name in ("is_impatient", "needs_a_byte") else AMPLE
    options = ["--timeout", f"{timeout:g}", *options_for(side, name, verdicts)]
    return Trial(side, command(f"{side}_{name}", timeout), options, verdicts, detail)


def right(side: str, program: str) -> Trial:
    """A program that passes everything, but for what is about time."""
    options = ["--timeout", f"{SHORT:g}", "--patience", "30", "--quick"]
    return Trial(
        side, program, options, {}, f"{len(MEANING[side]) - len(SIDES[side].TIMED)} passed, 0 failed"
    )


def unhurried(side: str) -> Trial:
    """Our own program, in what is about time."""
    names = SIDES[side].TIMED
    options = ["--timeout", f"{SHORT:g}", *(word for name in names for word in ("-k", name))]
    return Trial(side, OWN[side], options, {}, f"{len(names)} passed, 0 failed")


def hasty(name: str, verdicts: dict[str, str]) -> Trial:
    """A program that is only tried where its haste shows."""
    options = ["--timeout", f"{SHORT:g}", *(word for scenario in verdicts for word in ("-k", scenario))]
    return Trial("client", command(name, SHORT), options, verdicts, "")


TRIALS = {
    **{f"own {side}": right(side, OWN[side]) for side in OWN},
    **{f"own unhurried {side}": unhurried(side) for side in OWN},
    **{f"plain_{side}": right(side, command(f"plain_{side}", SHORT)) for side in OWN},
    **{f"server_{row[0]}": broken("server", *row) for row in SERVERS},
    **{f"client_{row[0]}": broken("client", *row) for row in CLIENTS},
    **{row[0]: hasty(*row) for row in HASTY},
}


@pytest.fixture(scope="module")
def trials(request: pytest.FixtureRequest) -> Iterator[dict[str, "Future[Outcome]"]]:
    """All that are asked for, several at once: most of their time is spent waiting in vain."""
    calls = [item.callspec for item in request.session.items if hasattr(item, "callspec")]
    names = [call.params["trial"] for call in calls if "trial" in call.params]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(tried, TRIALS[name], f"127.0.1.{at}") for at, name in enumerate(names, 1)}


def tried(trial: Trial, host: str) -> Outcome:
    """What comes out of it, at an address of its own, where nobody else takes a port that was free."""
    return verdicts_of(trial.side, trial.command, *trial.options, "--host", host)


# Of the broken ones some are tried in the quick run, the others with all that is long.
QUICK = ("own server", "own client", *islice(TRIALS, 4, None, 6))


@pytest.mark.parametrize(
    "trial", [name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in TRIALS]
)
def test_a_right_program_passes_everything_and_the_fault_of_a_broken_one_is_named(
    trials: dict[str, "Future[Outcome]"], trial: str
) -> None:
    found, printed = trials[trial].result()
    assert found == TRIALS[trial].verdicts, printed
    assert TRIALS[trial].detail in printed


def test_every_broken_program_is_tried() -> None:
    programs = {name for name in TRIALS if not name.startswith("own ")}
    assert {path.stem for path in BROKEN.glob("*.py")} - {"__init__"} == programs


def test_every_scenario_is_described() -> None:
    for side, scenarios in MEANING.items():
        assert set(scenarios) == {*SIDES[side].HONEST, *SIDES[side].VARIANTS}
    listed = harness("--list").stdout.splitlines()
    assert len(listed) == sum(map(len, MEANING.values()))


def test_a_failure_shows_what_was_said_up_to_it_and_how_to_see_it_again(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    found, printed = failed(
        "client", "client_plays_a_missing_card", "--json", str(journal), "--failures-only"
    )
    assert list(found) == ["legal-choices"]
    assert 'server to client: "ok"' in printed
    assert "client to server: [99,[],[],[],[]]" in printed
    assert "see it again: harness remote --client " in printed
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    for record in records:
        jsonschema.validate(record, SCHEMA)
    cases = {record["case"].rpartition("/")[2]: record for record in records}
    assert list(cases) == [*MEANING["client"]]
    assert cases["signs-up"]["verdict"] == "pass"
    assert cases["legal-choices"]["verdict"] == "wrong answer"
    assert any("[99,[],[],[],[]]" in line for line in cases["legal-choices"]["transcript"])
    assert {record["verdict"] for record in records} == {"pass", "wrong answer", NOT_SHOWN}
    assert records[0]["run"]["client"] == command("client_plays_a_missing_card", AMPLE)


def test_the_transcript_ends_with_the_failure_though_the_game_goes_on(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    failed("client", "client_labels_growth", "--json", str(journal), "-k", "unlabelled-growth", "--strict")
    *_, last = json.loads(journal.read_text())["transcript"]
    assert 'client to server: [0, [["population", 1, 3]]' in last
    failed("server", "server_deals_backwards", "--json", str(journal), "-k", "plays-by-the-rules")
    *_, last = json.loads(journal.read_text())["transcript"]
    assert "server to Anna: [0,0," in last


def test_what_differs_in_manner_only_counts_if_the_test_is_strict() -> None:
    found, printed = failed("client", "client_ends_with_status_3", "-k", "ends-cleanly")
    assert found == {"ends-cleanly": MANNER}
    assert "0 passed, 0 failed, 1 manner" in printed
    found, _ = failed("client", "client_ends_with_status_3", "-k", "ends-cleanly", "--strict")
    assert found == {"ends-cleanly": "wrong answer"}


def test_what_follows_from_a_failure_is_not_shown_and_says_so() -> None:
    _, printed = failed("client", "client_plays_a_missing_card")
    assert (
        "remote/client/split-messages: not shown (it follows from legal-choices, which failed)\n" in printed
    )


def test_reports_are_drawn_from_it(tmp_path: Path) -> None:
    report = tmp_path / "junit.xml"
    failed("client", "plain_client", "-k", "signs-up", "--junit", str(report))
    assert "signs-up" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "either --server COMMAND or --client COMMAND"),
        (["--server", "a", "--client", "b"], "either --server COMMAND or --client COMMAND"),
        (["--server", "'"], "the COMMAND cannot be read"),
        (["--server", " "], "the COMMAND is empty"),
        (["--client", "true", "-k", "nonsense"], "-k nonsense matches no scenario; --list shows them all"),
    ],
)
def test_a_wrong_command_line_is_refused(arguments: list[str], words: str) -> None:
    done = harness(*arguments)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.parametrize("side", ["server", "client"])
def test_a_command_that_is_not_there_fails_at_once(side: str) -> None:
    done = harness(f"--{side}", "/no/such/program {port}")
    assert done.returncode == 1
    assert "signs-up: could not start (/no/such/program: No such file or directory)" in done.stdout
    assert f"0 passed, 1 failed, {len(MEANING[side]) - 1} not shown" in done.stdout


def test_a_port_that_is_taken_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = harness("--client", "true", "--port", port)
    assert done.returncode == 1
    assert f"broken case (cannot listen on 127.0.0.1:{port}: Address already in use)" in done.stdout
    refused = harness("--server", "true {port}", "--host", "192.0.2.1")
    assert refused.returncode == 1
    assert "could not start (cannot listen on 192.0.2.1: " in refused.stdout


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


DAEMON = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open(sys.argv[1], "w").write(f"{os.getpid()} ")
        while True:
            time.sleep(60)
    os._exit(0)
os.wait()
time.sleep(60)
"""


def test_everything_that_the_command_started_is_gone_at_the_end(tmp_path: Path) -> None:
    program, pid = tmp_path / "daemon.py", tmp_path / "pid"
    program.write_text(DAEMON)
    words = shlex.join([sys.executable, str(program), str(pid)])
    done = harness("--client", f"{words} {{port}}", "--patience", "2")
    assert done.returncode == 1
    assert pid.read_text().endswith(" ")
    assert not is_running(int(pid.read_text()))


def test_an_interrupt_ends_the_test_and_what_it_started(tmp_path: Path) -> None:
    program, pid = tmp_path / "daemon.py", tmp_path / "pid"
    program.write_text(DAEMON)
    words = shlex.join([sys.executable, str(program), str(pid)])
    running = subprocess.Popen(
        [BIN / "harness", "remote", "--sandbox", "off", "--client", f"{words} {{port}}", "--patience", "600"],
        stdout=subprocess.PIPE,
        text=True,
    )
    while not pid.exists() or not pid.read_text().endswith(" "):
        assert running.poll() is None
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, _ = running.communicate(timeout=LONG)
    assert running.returncode == 130
    assert "interrupted" in out
    assert not is_running(int(pid.read_text()))
