"""The coordinator's connection to a scheduler, and to its workers."""

import os
from contextlib import contextmanager

from harness.cluster.address import LOCAL, TLS_FILES, Cluster
from harness.cluster.cleaner import started_cleaner
from harness.errors import Unavailable, command_to_install
from harness.running.scratch import make_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from typing import Any

    from distributed import Client, Future

PATIENCE = 5.0  # seconds for a scheduler to answer
AHEAD = 2  # tasks for each worker: one that runs, and one that waits
NO_SCHEDULER = "what answers is something else"
NOBODY = 60.0  # seconds in which nothing is done, after which it is given up


def see_that_dask_is_there() -> None:
    """Raise Unavailable, with the command that installs it, if Dask is not installed."""
    try:
        import distributed  # noqa: F401
    except ImportError:
        install = command_to_install("evolution-harness[cluster]")
        raise Unavailable(f"a cluster needs the package distributed; type: {install}") from None


@contextmanager
def connected(cluster: Cluster) -> "Iterator[Client]":
    """A client of the cluster's scheduler. Raises Unavailable if nobody answers.

    While there is one, this process has threads, and must not fork.
    """
    see_that_dask_is_there()
    if cluster.local:
        with _local(cluster.local) as address, _client(address, None) as client:
            yield client
    else:
        with _client(cluster.address, _security(cluster)) as client:
            yield client


def _security(cluster: Cluster) -> "Any":
    if not cluster.tls:
        return None
    from distributed.security import Security

    files = {name: os.path.join(cluster.tls, file) for name, file in TLS_FILES.items()}
    return Security(**files, require_encryption=True)


@contextmanager
def _client(address: str, security: "Any") -> "Iterator[Client]":
    import logging
    import warnings

    import dask.config
    from distributed import Client

    from harness.cluster.remote import set_terms

    logging.disable(logging.CRITICAL)  # what matters is told by us
    dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 GB"})
    warnings.filterwarnings("ignore", module="distributed")
    try:
        _see_that_somebody_is_there(address)
        client = _within(
            2 * PATIENCE,
            lambda: Client(address, security=security, timeout=PATIENCE, set_as_default=False),
        )
    except Exception as problem:  # of what is no scheduler, Dask takes the first bytes for a length, or more
        why = getattr(problem, "strerror", "") or str(problem).strip().partition("\n")[0] or NO_SCHEDULER
        raise Unavailable(f"--cluster: no scheduler answers at {address}: {why}") from None
    try:
        try:
            client.run_on_scheduler(set_terms)
        except ModuleNotFoundError:
            raise Unavailable(
                f"--cluster: the scheduler at {address} has no harness; install it there"
            ) from None
        yield client
    finally:
        client.close(timeout=PATIENCE)


def _within(seconds: float, make: "Callable[[], Client]") -> "Client":
    """What is made within some seconds. Raises TimeoutError; Dask waits for ever for who never speaks."""
    from threading import Thread

    made: list[Client] = []
    failed: list[Exception] = []

    def work() -> None:
        try:
            made.append(make())
        except Exception as problem:
            failed.append(problem)

    thread = Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    for problem in failed:
        raise problem
    if not made:
        raise TimeoutError(f"it has said nothing for {seconds:g} s")
    return made[0]


def _see_that_somebody_is_there(address: str) -> None:
    """Raise OSError at once if nobody listens at an address, which Dask would try for long."""
    import socket

    host, _, port = address.rpartition("://")[2].rpartition(":")
    socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()


@contextmanager
def _local(count: int) -> "Iterator[str]":
    """The address of a scheduler that is started here for a while, with so many workers."""
    import logging

    import dask.config
    from distributed import LocalCluster

    logging.disable(logging.CRITICAL)
    folder = make_folder()
    held, cleaner = started_cleaner(folder)
    dask.config.set({"logging.distributed": "critical", "temporary-directory": folder})
    try:
        try:
            cluster = LocalCluster(
                n_workers=count,
                threads_per_worker=1,
                memory_limit=0,
                host="127.0.0.1",
                dashboard_address=None,
                scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # or Dask complains that 8787 is taken
                local_directory=folder,
                silence_logs=logging.CRITICAL,
            )
        except (OSError, RuntimeError, TimeoutError) as problem:
            why = _first_cause(problem)
            raise Unavailable(f"--cluster: {LOCAL}:{count}: no workers can be started here: {why}") from None
        with cluster:
            yield cluster.scheduler_address
    finally:
        os.close(held)
        cleaner.wait()


def _first_cause(problem: BaseException) -> str:
    """What has led to a problem in the end, in a line."""
    while problem.__cause__ or problem.__context__:
        problem = problem.__cause__ or problem.__context__ or problem
    told = getattr(problem, "strerror", "") or str(problem).strip().partition("\n")[0]
    return told or type(problem).__name__


def new_key(kind: str) -> str:
    """A name for something that is submitted, which nothing else has."""
    return f"{kind}-{os.urandom(12).hex()}"


def each_answer(
    client: "Client",
    calls: "Iterable[tuple[Any, Callable[..., Any], tuple[Any, ...]]]",
    refused: "Collection[str]",
) -> "Iterator[tuple[Any, Any]]":
    """What functions answer on workers that are not refused, as it comes, each with what its call is for.

    A call that fails is left out, and so is what nobody does for a long time.
    """
    from queue import Empty, SimpleQueue

    ready: SimpleQueue[Future[Any]] = SimpleQueue()
    sent: dict[object, tuple[Any, Future[Any]]] = {}
    left = iter(calls)
    while True:
        allowed = workers_of(client).keys() - refused
        while len(sent) < AHEAD * max(1, len(allowed)) and (call := next(left, None)) is not None:
            subject, function, arguments = call
            only = sorted(allowed) if refused else None
            future = client.submit(function, *arguments, key=new_key("call"), pure=False, workers=only)
            sent[future.key] = subject, future
            future.add_done_callback(ready.put)
        if not sent:
            return
        try:
            future = ready.get(timeout=NOBODY)
        except Empty:
            return
        subject, _ = sent.pop(future.key)
        if future.status == "finished":
            yield subject, future.result()


def workers_of(client: "Client") -> "dict[str, dict[str, Any]]":
    """The workers that a scheduler knows now, by address."""
    found: dict[str, dict[str, Any]] = client.scheduler_info(n_workers=-1)["workers"]
    return found
