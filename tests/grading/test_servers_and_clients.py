"""`[[suite]] kind = "server"` and "client": teams' servers and clients are tested, marked and told about."""

import errno
import os
import signal
import subprocess
from collections import Counter
from functools import partial
from pathlib import Path
from shlex import quote

import pytest

from harness.conformance.trial import names_of
from harness.grading.config import SuiteSpec, TeamSpec
from harness.grading.config_file import ConfigError, read_config
from harness.grading.teams import find_teams
from harness.grading.trials import TrialFailed, Trials
from harness.judging.verdicts import NO_START, NOT_SHOWN, PASS
from harness.running.limits import Limits
from tests.grading.test_grading import count, more_than
from tests.support.grading_helpers import harness, lines, started
from tests.support.helpers import BIN
from tests.support.keeper import wait_until, write_case, write_program

# Signs three up, and prints results.
LAZY = """\
#!/usr/bin/env python3
import socket, sys
listener = socket.create_server(("127.0.0.1", 45678))
clients = []
for number in range(3):
    client, _ = listener.accept()
    client.recv(100)
    client.sendall(b'"ok"')
    clients.append(client)
print("that was enough", file=sys.stderr)
print("1 player id: 1 score: 9\\n2 player id: 2 score: 8\\n3 player id: 3 score: 7")
"""
CONFIG = f"""\
out = "out"
[[suite]]
kind = "server"
points = 23
remote = {{ timeout = 2, wait = 1, patience = 3, quick = true }}
[[suite]]
path = "suite"
[[team]]
path = "teams/ours"
[team.programs]
xserver = "'{BIN}/xserver' --host {{host}} --port {{port}} --max 3 --timeout 2"
[[team]]
glob = "teams/[lm]*"
"""
SERVER = len(names_of("server", quick=True))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A team with our server, one with a lazy server and one without a server; all answer a case."""
    write_case(tmp_path / "suite" / "xattack", "case", "1", "1")
    write_case(tmp_path / "suite" / "xattack", "other", "2", "2")
    for team in ("ours", "lazy", "missing"):
        write_program(tmp_path / "teams" / team / "xattack", f"#!/bin/sh\nexec cat # {team}\n")
    write_program(tmp_path / "teams" / "lazy" / "bin" / "xserver", LAZY)
    (tmp_path / "g.toml").write_text(CONFIG)
    return tmp_path


def grade(folder: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return harness(folder, "grade", "--config", "g.toml", *arguments)


def verdicts(folder: Path, team: str, suite: str = "server") -> "dict[str, str]":
    results = (one for one in lines(folder / "results.jsonl") if (one["team"], one["suite"]) == (team, suite))
    return {os.path.basename(one["case"]): one["verdict"] for one in results}


def test_servers_are_marked_and_told_about_once(course: Path) -> None:
    done = grade(course)
    assert done.returncode == 0, done.stderr
    out = course / "out"
    assert verdicts(out, "ours") == dict.fromkeys(names_of("server", quick=True), PASS)
    found = verdicts(out, "lazy")
    assert Counter(found.values()) == {PASS: 1, "no output": 1, NOT_SHOWN: SERVER - 2}
    assert (found["signs-up"], found["messages-in-order"]) == (PASS, "no output")
    assert verdicts(out, "missing") == dict.fromkeys(names_of("server", quick=True), NO_START)
    for team in ("ours", "lazy", "missing"):
        assert set(verdicts(out, team, "suite").values()) == {PASS}
    marks = {row.split(",")[0]: row for row in (out / "scores.csv").read_text().splitlines()}
    assert len(marks) == 4
    told = (out / "feedback" / "lazy.md").read_text()
    assert f"| server | 1 of {SERVER} | 1 of 23 |" in told
    assert "it follows from messages-in-order, which failed: plays-by-the-rules, scores" in told
    assert "server to Anna: " in told
    assert "that was enough" in told
    assert f"| server | 0 of {SERVER} |" in (out / "feedback" / "missing.md").read_text()
    assert "what was said up to then" in (out / "report.html").read_text()
    assert started(grade(course)) == 0
    server = course / "teams" / "lazy" / "bin" / "xserver"
    server.write_text(f"{LAZY}# changed\n")
    assert started(grade(course)) == 2 + 1  # the cases, and the plain game
    assert set(verdicts(out, "lazy", "suite").values()) == {PASS}


@pytest.mark.long
@pytest.mark.parametrize(
    ("degree", "shown", "kept"),
    [
        ("everything", ["16 more were due", "server to Anna", "that was enough"], []),
        ("own output", ["server/messages-in-order", "server to Anna"], []),
        ("rule", ["server/case 3"], ["server to Anna", "messages-in-order", "that was enough"]),
        ("points", ["| server |  |"], ["server to Anna", "case 3", "Not shown"]),
    ],
)
def test_feedback_tells_of_a_server_what_its_degree_allows(
    course: Path, degree: str, shown: list[str], kept: list[str]
) -> None:
    config = CONFIG.replace("points = 23", f'points = 23\nfeedback = "{degree}"')
    (course / "g.toml").write_text(
        config.replace("teams/[lm]*", "teams/lazy").replace("teams/ours", "teams/missing")
    )
    assert grade(course, "--for", "students").returncode == 0
    told = (course / "out" / "teams" / "lazy" / "feedback.md").read_text()
    assert [words for words in shown if words not in told] == []
    assert [words for words in kept if words in told] == []


@pytest.mark.long
def test_a_client_is_tested_and_manner_passes_unless_that_is_strict(course: Path) -> None:
    ours = f"{quote(f'{BIN}/xclient')} --port {{port}} --name {{name}}"
    client = f'xclient = "{ours}"'
    shell = f'xclient = """/bin/sh -c {quote(f"{ours}; exit 3")}"""'
    suites = '[[suite]]\nkind = "client"\nremote = { quick = true }\n'
    strict = '[[suite]]\nkind = "client"\nname = "strict"\nremote = { quick = true, strict = true }\n'
    teams = f'[[team]]\npath = "teams/ours"\n[team.programs]\n{client}\n'
    (course / "g.toml").write_text(f'out = "out"\n{suites}{strict}{teams}')
    assert grade(course).returncode == 0
    names = names_of("client", quick=True)
    assert verdicts(course / "out", "ours", "client") == dict.fromkeys(names, PASS)
    (course / "g.toml").write_text(f'out = "out"\n{suites}{strict}{teams.replace(client, shell)}')
    assert grade(course, "--sandbox", "off").returncode == 0
    assert verdicts(course / "out", "ours", "client")["ends-cleanly"] == "manner"
    assert verdicts(course / "out", "ours", "strict")["ends-cleanly"] == "wrong answer"
    told = (course / "out" / "feedback" / "ours.md").read_text()
    assert f"| client | {len(names)} of {len(names)} |" in told
    assert "who looks at its status takes a game that was played for a failure" in told


@pytest.mark.long
def test_shards_and_a_cluster_give_the_same_verdicts(course: Path) -> None:
    for shard in ("1/2", "2/2"):
        assert grade(course, "--shard", shard).returncode == 0
    assert grade(course, "--combine", "out.shards").returncode == 0
    assert grade(course, "--cluster", "local", "--out", "there").returncode == 0
    for team in ("ours", "lazy", "missing"):
        assert verdicts(course / "out", team) == verdicts(course / "there", team)


def test_a_team_whose_time_is_over_is_not_tested(course: Path) -> None:
    assert grade(course, "--team-budget", "0.01").returncode == 0
    assert set(verdicts(course / "out", "lazy").values()) == {"timeout"}


def test_a_fault_of_the_machine_costs_nobody_a_mark(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(*arguments: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    team = find_teams([TeamSpec(str(course / "teams" / "lazy"))])[0]
    monkeypatch.setattr("harness.conformance.started.Process", no_process)
    trials = Trials(Limits(), None)
    with pytest.raises(TrialFailed, match="xserver: Resource temporarily unavailable"):
        list(trials.run(team, SuiteSpec(kind="server"), "xserver"))


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_test_goes_on(course: Path, number: int) -> None:
    process = subprocess.Popen(
        [BIN / "harness", "grade", "--config", "g.toml"],
        cwd=course,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    wait_until(partial(more_than, course / "out" / "store" / "results", 6 + 3))
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == (130 if number == signal.SIGTERM else -signal.SIGKILL)
    assert count(course / "out" / "store" / "results") < 6 + 2 * SERVER
    assert grade(course).returncode == 0
    assert set(verdicts(course / "out", "ours").values()) == {PASS}


@pytest.mark.parametrize(
    ("suite", "told"),
    [
        ('kind = "servr"', 'kind must be "cases", "server" or "client", not "servr"; did you mean server?'),
        ('kind = "server"\npath = "x"', 'path does not go with kind = "server", which has no files of cases'),
        ('path = "x"\nremote = { quick = true }', 'remote goes with kind = "server" or kind = "client"'),
        ('kind = "client"\nremote = { dekc = "any" }', 'remote: unknown key "dekc"; did you mean deck?'),
        (
            'kind = "client"\nremote = { players = 9 }',
            "remote: players must be a whole number from 3 to 8, not 9",
        ),
    ],
)
def test_a_suite_that_cannot_be_is_refused(tmp_path: Path, suite: str, told: str) -> None:
    (tmp_path / "g.toml").write_text(f'teams = ["teams/*"]\n[[suite]]\n{suite}\n')
    with pytest.raises(ConfigError, match=r"g\.toml: ") as refused:
        read_config(str(tmp_path / "g.toml"))
    assert told in str(refused.value)
    assert harness(tmp_path, "grade", "--config", "g.toml").returncode == 65
