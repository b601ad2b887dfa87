"""Servers and clients of teams, tested as by `harness remote`.

Each test is done by a process of its own, which has a network of its own where the sandbox has that, and
under whose control group the programs are.
"""

import os
import shlex
import signal
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import orjson

from harness.conformance import clients, servers
from harness.conformance.started import limit_files
from harness.conformance.trial import Trial, names_of
from harness.conformance.verdict import Run, result_of
from harness.errors import Unavailable
from harness.grading.config import Remote, SuiteSpec
from harness.grading.store import encoded
from harness.grading.teams import Team
from harness.judging.result import Result
from harness.running.limits import (
    Cgroup,
    Limits,
    adopt_orphans,
    end_children,
    end_with_parent,
    limit_resources,
)
from harness.running.network import enter_own_network
from harness.running.process import public_environment
from harness.running.sandbox import Sandbox

AT_ONCE = 4  # games
COMMON = ("port", "players", "timeout", "patience")  # options of harness remote for servers and clients,
COMMON = ("port", "players", "timeout", "patience")  # options of harness remote for servers and clients,
OPTIONS = {"server": (*COMMON, "wait", "deck"), "client": (*COMMON, "gap")}  # and all of each


class Ended(NamedTuple):
    """A scenario that has ended, and whether a program was started for it alone, or for it first."""

    name: str
    result: Result
    is_start: bool


class TrialFailed(Exception):
    """The machine or the harness has failed; str() says how."""


@dataclass(frozen=True, slots=True)
class Trials:
    """How all teams' servers and clients are tested."""

    limits: Limits
    sandbox: "Sandbox | None"

    def run(self, team: Team, suite: SuiteSpec, program: str) -> Iterator[Ended]:
        """The scenarios of a suite for a team, as they end. Raises TrialFailed."""
        cgroup = Cgroup(f"harness-{os.getpid()}-trial", self.limits)
        read, write = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        owner = os.getpid()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            self._live(owner, write, cgroup, team, suite, program)
        os.close(write)
        is_done = False
        try:
            with open(read, "rb") as records:
                for record in map(orjson.loads, records):
                    if "problem" in record:
                        raise TrialFailed(record["problem"])
                    yield Ended(record["name"], Result.from_json(record["result"]), record["is_start"])
            is_done = True
        finally:
            if not is_done:
                os.kill(pid, signal.SIGTERM)
            os.waitpid(pid, 0)
            cgroup.remove()

    def _live(
        self, owner: int, write: int, cgroup: Cgroup, team: Team, suite: SuiteSpec, program: str
    ) -> None:
        """What the process of a test does; it does not return."""
        try:
            with open(write, "wb") as told:
                try:
                    end_with_parent(owner)
                    self._shut_in(cgroup)
                    for name, result, is_start in self._played(team, suite, program):
                        record = {"name": name, "result": result.to_json(), "is_start": is_start}
                        told.write(encoded(record, orjson.OPT_APPEND_NEWLINE))
                        told.flush()
                except Unavailable as problem:
                    told.write(encoded({"problem": str(problem)}))
                except Exception as problem:
                    told.write(encoded({"problem": f"{type(problem).__name__}: {problem}"}))
        except (KeyboardInterrupt, OSError):
            pass
        finally:
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            end_children()
            if self.sandbox is not None:
                self.sandbox.leave()
            os._exit(0)

    def _shut_in(self, cgroup: Cgroup) -> None:
        """Put this process, and all that it will start, under the limits, and into a network of its own."""
        adopt_orphans()
        cgroup.join()
        for name in set(os.environ) - set(public_environment()):
            del os.environ[name]
        if self.sandbox is not None and self.sandbox.rung == "bubblewrap":
            enter_own_network()
        limit_files()
        limit_resources(self.limits, cgroup, self.sandbox is not None)

    def _played(self, team: Team, suite: SuiteSpec, program: str) -> Iterator[Ended]:
        command = shlex.join(team.program(program)[0])
        remote, side = suite.remote, suite.kind
        common: dict[str, Any] = {name: getattr(remote, name) for name in COMMON}
        common |= {"sandbox": self.sandbox, "home": team.home, "environment": team.environment()}
        settings: servers.Settings | clients.Settings
        if side == "server":
            in_order = remote.deck == "order"
            settings = servers.Settings(command, wait=remote.wait, in_order=in_order, **common)
        else:
            settings = clients.Settings(command, gap=remote.gap, **common)
        wanted = names_of(side, remote.quick)
        trial = Trial(side, settings, AT_ONCE if "{port}" in command else 1, wanted.__contains__)
        seen: dict[int, Run] = {}
        for name, run in trial.run():
            again = line_to_repeat(team, suite, program, name)
            result = result_of(side, program, name, run, again, remote.strict)
            yield Ended(name, result, bool(run.seconds) and id(run) not in seen)
            seen[id(run)] = run


def line_to_repeat(team: Team, suite: SuiteSpec, program: str, scenario: str) -> str:
    """The line to type to see a scenario again."""
    command = shlex.join(team.told(team.program(program)[0]))
    usual, said = Remote(), asdict(suite.remote)
    options = []
    for name in OPTIONS[suite.kind]:
        if said[name] != getattr(usual, name):
            options += [f"--{name}", f"{said[name]:g}" if isinstance(said[name], float) else str(said[name])]
    strict = ["--strict"] if suite.remote.strict else []
    return shlex.join(["harness", "remote", f"--{suite.kind}", command, *options, *strict, "-k", scenario])
