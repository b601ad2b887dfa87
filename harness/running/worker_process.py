"""The owner's side of a worker: started, given tasks, watched, buried, and started again."""

import os
import select
import signal
import sys
import time

from harness import OUR_FAULT
from harness.errors import Unavailable
from harness.running.limits import Cgroup
from harness.running.scratch import make_folder, remove_folder
from harness.running.worker import Messages, Settings, Worker, send

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from harness.running.task_queue import Place

OVERDUE = 1.0  # seconds after a time limit at which a worker is poked,
LOST = 60.0  # and at which it is given up
WAITS = (0.1, 0.5, 1.0, 2.0)  # seconds between two tries to fork


class WorkerProcess:
    """A worker that belongs to this process, with its control group and its scratch folder.

    It takes its tasks from a queue that it shares with others, or is sent them one at a time.
    """

    def __init__(
        self,
        settings: Settings,
        name: str,
        kind: type[Worker] = Worker,
        folder: str = "",
        queue: "Place | None" = None,
    ) -> None:
        """Nothing runs before `start`. folder: where its scratch folder will be, if not in one of its own."""
        self.cgroup = Cgroup(f"harness-{os.getpid()}-{name}", settings.limits)
        self.pid = 0
        self.since = 0.0  # when it began with what it is at
        self.given_up = False  # killed by us, since it was long overdue
        self._settings = settings
        self._kind = kind
        self._folder = folder or make_folder()
        self._scratch = os.path.join(self._folder, name)
        self._queue = queue
        self._tasks = -1
        self._results: Messages

    def fileno(self) -> int:
        """What becomes readable when there are results to receive."""
        return self._results.descriptor

    def start(self) -> None:
        """Fork the worker. Raises Unavailable, with nothing left behind, if there is no process to be had."""
        self.given_up = False
        tasks: Place | Messages
        if self._queue is None:
            tasks_read, self._tasks = os.pipe()
            tasks = Messages(tasks_read)
        else:
            tasks = self._queue
        results_read, results_write = os.pipe()
        self._results = Messages(results_read)
        sys.stdout.flush()
        sys.stderr.flush()
        try:
            self.pid = _fork()
        except Unavailable:
            for descriptor in (results_read, results_write):
                os.close(descriptor)
            if self._queue is None:
                os.close(tasks.descriptor)
                os.close(self._tasks)
            raise
        if self.pid == 0:
            try:
                _close_others(tasks.descriptor, results_write)
                self._kind(self._settings, self.cgroup, self._scratch, tasks, results_write).live()
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                os._exit(OUR_FAULT)
        os.close(results_write)
        if self._queue is None:
            os.close(tasks.descriptor)

    def send(self, task: "Any") -> None:
        """Give it a task of its own, whose result is to be taken before the next."""
        self.since = time.monotonic()
        try:
            send(self._tasks, task)
        except BrokenPipeError:
            pass  # its end is noticed where results are received

    def receive(self) -> "list[Any] | None":
        """The results that are complete after waiting for more bytes once; None if it has ended."""
        return self._results.receive()

    def take(self) -> "Any":
        """Wait for the result of the task that was sent; None if the worker has ended."""
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        while True:
            while not poll.poll(OVERDUE * 1000):
                self.poke()
            results = self.receive()
            if results is None or results:
                return results and results[0]

    def poke(self) -> None:
        """See that it goes on if it is overdue: a program may have stopped it, and must not stop us."""
        late = time.monotonic() - self.since - self._settings.limits.seconds
        if late > OVERDUE:
            self.given_up = late > LOST
            os.kill(self.pid, signal.SIGKILL if self.given_up else signal.SIGCONT)

    def bury(self) -> int:
        """Close the pipes to a worker that has ended or will at once; its exit status."""
        os.close(self._results.descriptor)
        if self._queue is None:
            os.close(self._tasks)
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def restart(self) -> int:
        """Put another worker in the place of one that has ended; the exit status of that one."""
        status = self.bury()
        self.start()
        return status

    def close(self) -> None:
        """End the worker, and leave nothing behind."""
        self.bury()
        self.cgroup.remove()
        remove_folder(self._folder)


def _fork() -> int:
    """Fork, if not at once then later; the process, or 0 in the new one. Raises Unavailable."""
    for wait in (*WAITS, 0.0):
        try:
            return os.fork()
        except OSError as problem:
            why = problem.strerror
            time.sleep(wait)
    raise Unavailable(f"no process can be started here: {why}; try again later")


def _close_others(*kept: int) -> None:
    """Close all descriptors but these and the standard ones: they are none of a program's business."""
    for name in os.listdir("/dev/fd"):
        if int(name) > 2 and int(name) not in kept:
            try:
                os.close(int(name))
            except OSError:
                pass  # it was that of the listing itself
