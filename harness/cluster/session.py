"""A session of grading whose cases are run on a cluster."""

import os
import time

import click

from harness.cluster.address import Cluster
from harness.cluster.chunk import Probe, Terms
from harness.cluster.connection import connected, each_answer, new_key, see_that_dask_is_there, workers_of
from harness.cluster.grader import ClusterGrader, sent_archive
from harness.cluster.packing import TooLargeToSend
from harness.cluster.remote import Unfit, about, run_probe, why_unfit_here
from harness.errors import Unavailable
from harness.grading.config import Config
from harness.grading.dialects import Finder
from harness.grading.schedule import Grader
from harness.grading.session import Session
from harness.grading.store import version_key
from harness.grading.teams import Team
from harness.report.words import safe
from harness.running.rungs import ENOUGH, RUNGS, rung_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from distributed import Client

    from harness.running.pool import Listener

WAIT = 30.0  # seconds for a worker to say what it has,
LOOK = 0.02  # and between two looks whether it has
STARTED_BY = "dask worker {cluster} --nthreads 1 --memory-limit 0"


class ClusterSession(Session):
    """A session whose teams are built here, and whose cases are run on a cluster."""

    cluster: Cluster
    refused: dict[str, str]  # workers that cannot be used, and why

    def _try_ahead(self, finder: Finder, chosen: set[str], regrade: bool) -> None:
        """Have workers find out what programs read; what they do not, is found out here."""
        wanted = [standing for standing in self.standings if standing.team.name in chosen]
        asked = [(one.team, list(finder.untried(one.team, one.key, regrade))) for one in wanted]
        if not any(programs for _, programs in asked):
            return
        with connected(self.cluster) as client:
            for keys, found in each_answer(client, self._probes(client, asked), self.refused):
                for key, probed in zip(keys, found, strict=True) if not isinstance(found, Unfit) else ():
                    finder.take(key, probed)

    def _probes(
        self, client: "Client", asked: "list[tuple[Team, list[tuple[str, str, list[str]]]]]"
    ) -> "Iterator[Any]":
        """The calls that find out what programs of teams read."""
        for team, programs in asked:
            if not programs:
                continue
            try:
                archive = sent_archive(client, team)
            except (TooLargeToSend, OSError):
                continue
            named = [(program, words) for _, program, words in programs]
            probe = Probe(self._terms, team.home, named, team.environment())
            yield [key for key, _, _ in programs], run_probe, (*archive, probe)

    def _make_grader(self, listener: "Listener", budget: float) -> Grader:
        return ClusterGrader(
            self.cluster,
            self._terms,
            self.refused,
            self.standings,
            self.suites.cases,
            self.store,
            self.settings,
            self.workers,
            listener,
            budget,
        )

    @property
    def _terms(self) -> Terms:
        terms = terms_of(self.config)
        return terms._replace(
            told=self.note, show=tuple(self.config.show), hide=tuple(map(os.path.abspath, self.hide))
        )


def terms_of(config: Config) -> Terms:
    """What workers must have for what is configured."""
    rung = rung_of(config.sandbox)
    told = RUNGS[rung](ENOUGH).told if rung else ""
    limits = (config.timeout, config.memory << 20, config.output << 10)
    return Terms(version_key(), rung, told, *limits, (), ())


def unfit_workers(cluster: Cluster, config: Config) -> dict[str, str]:
    """The workers that cannot do what is configured, which are named, and why.

    Raises Unavailable if nobody answers, or no worker can do it.
    """
    if cluster.local:
        see_that_dask_is_there()
        return {}
    with connected(cluster) as client:
        found = asked_of_all(client, why_unfit_here, terms_of(config))
    _see_that_there_are_some(found, cluster)
    unfit = {worker: str(why) for worker, why in found.items() if why}
    for worker, why in unfit.items():
        click.echo(f"worker {safe(worker)} is not used: {safe(why)}", err=True)
    if len(unfit) == len(found):
        raise Unavailable(f"--cluster: no worker of {cluster} can be used, see above")
    return unfit


def workers_told(
    cluster: Cluster, config: Config, interpreters: "tuple[str, ...]"
) -> "dict[str, dict[str, Any]]":
    """What each worker of a cluster has, and under `problems` why it cannot be used. Raises Unavailable."""
    terms = terms_of(config)
    with connected(cluster) as client:
        unfit = asked_of_all(client, why_unfit_here, terms)
        told = asked_of_all(client, about, interpreters)
    _see_that_there_are_some(unfit, cluster)
    found: dict[str, dict[str, Any]] = {}
    for worker, why in unfit.items():
        has = told.get(worker)
        found[worker] = {**(has if isinstance(has, dict) else {}), "problems": [str(why)] if why else []}
        for name, path in found[worker].get("interpreters", {}).items():
            if path is None:
                found[worker]["problems"].append(f"it has no {name}")
    return found


def _see_that_there_are_some(workers: "dict[str, Any]", cluster: Cluster) -> None:
    if not workers:
        started = STARTED_BY.format(cluster=cluster)
        raise Unavailable(f"--cluster: {cluster} has no workers; start some: {started}")


def asked_of_all(client: "Client", function: "Callable[..., Any]", *arguments: "Any") -> "dict[str, Any]":
    """What a function gives on each worker; of one that fails or does not answer, that as a text."""
    asked = {
        worker: client.submit(function, *arguments, key=new_key("check"), pure=False, workers=[worker])
        for worker in workers_of(client)
    }
    end = time.monotonic() + WAIT
    while time.monotonic() < end and not all(future.done() for future in asked.values()):
        time.sleep(LOOK)
    found: dict[str, Any] = {}
    for worker, future in asked.items():
        if future.status == "finished":
            found[worker] = future.result()
        elif future.status == "error":
            problem = future.exception()
            found[worker] = f"{type(problem).__name__}: {problem}".partition("\n")[0]
        else:
            found[worker] = f"it has not answered for {WAIT:g} s"
    return found
