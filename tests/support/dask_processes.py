"""A cluster of Dask's on this machine, of real processes: a scheduler, and workers that share no folder."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from tests.support.grading_helpers import PATIENCE
from tests.support.helpers import ROOT
from tests.support.keeper import wait_until

WORKER = ("--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--host", "127.0.0.1")


class DaskCluster:
    """A scheduler and its workers. Use it in a with statement, after which nothing of it is left."""

    def __init__(self, folder: Path, workers: int = 2, *options: str, **more: str) -> None:
        """Start them in a folder of theirs. more: what is in their environment besides."""
        self.folder = folder
        folder.mkdir()
        self.file = folder / "scheduler.json"
        self._environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(folder), **more}
        self.scheduler = self._start(
            "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", *options,
            "--scheduler-file", str(self.file),
        )  # fmt: skip
        self.workers: list[subprocess.Popen[bytes]] = []
        # It is there before there is anything in it.
        wait_until(lambda: self.file.exists() and self.file.read_text().endswith("}"), PATIENCE)
        for _ in range(workers):
            self.add_worker()
        if workers:
            self.wait_for_workers(workers)

    def add_worker(
        self, *options: str, environment: "dict[str, str] | None" = None
    ) -> "subprocess.Popen[bytes]":
        """Start one more worker; the options go before the usual ones."""
        number = len(self.workers)
        place = self.folder / f"worker-{number}"
        worker = self._start(
            "worker", "--scheduler-file", str(self.file), *WORKER, "--name", str(number),
            "--local-directory", str(place), *options, environment=environment,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def wait_for_workers(self, count: int) -> None:
        """Return when so many workers are known to the scheduler."""
        ask = "import sys, distributed; client = distributed.Client(scheduler_file=sys.argv[1]); "
        ask += "client.wait_for_workers(int(sys.argv[2]), int(sys.argv[3]))"
        words = [sys.executable, "-c", ask, str(self.file), str(count), str(int(PATIENCE))]
        subprocess.run(words, check=True, capture_output=True, env=self._environment)

    def _start(self, *words: str, environment: "dict[str, str] | None" = None) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words],
            cwd=self.folder,
            env={**self._environment, **(environment or {})},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )

    def worker_process(self, number: int) -> int:
        """The process that works, which some thread of the worker's nanny has started."""
        threads = Path(f"/proc/{self.workers[number].pid}/task").iterdir()
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
        (pid,) = [
            child for child in children if b"dask worker [" in Path(f"/proc/{child}/cmdline").read_bytes()
        ]
        return int(pid)

    def __enter__(self) -> "DaskCluster":
        return self

    def __exit__(self, *problem: object) -> None:
        try:
            # A worker whose scheduler ends beside it ends later, by its nanny, which then removes its files.
            for processes in self.workers, [self.scheduler]:
                for process in processes:
                    os.killpg(process.pid, signal.SIGCONT)
                    process.terminate()
                for process in processes:
                    process.wait(PATIENCE)
        finally:
            for process in (*self.workers, self.scheduler):
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
